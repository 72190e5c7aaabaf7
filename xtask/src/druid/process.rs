//! One process of a cluster: started in a group of its own (an interrupt at the terminal does not reach it), known
//! again by its id and by the cluster's folder on its command line, and ended by that id only.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::service::Service;

/// How long a process may take to end when asked.
const PATIENCE: Duration = Duration::from_secs(8);
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A process that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) service: Service,
    pub(crate) pid: u32,
    pub(crate) port: u16,
}

impl Process {
    /// Starts it with its output in `log`.
    pub(crate) fn start(service: Service, port: u16, mut command: Command, log: &Path) -> Result<Process> {
        let output = File::options().create(true).append(true).open(log)?;
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().with_context(|| format!("cannot start {}", service.name()))?;
        let pid = child.id();
        // Somebody must take note of its end, or it stays on the list of processes as long as we live.
        thread::spawn(move || child.wait());
        Ok(Process { service, pid, port })
    }

    /// Whether it still runs: the id may by now be somebody else's, so the command line must name our folder.
    pub(crate) fn runs(&self, folder: &Path) -> bool {
        command_line(self.pid).is_some_and(|line| line.contains(&folder.to_string_lossy().into_owned()))
    }

    /// Asks it to end and waits; after a while it is ended without being asked. Nothing happens to a stranger.
    pub(crate) fn stop(&self, folder: &Path) {
        for signal in ["-TERM", "-KILL"] {
            if !self.runs(folder) {
                return;
            }
            let _ = Command::new("kill").args([signal, &self.pid.to_string()]).stderr(Stdio::null()).status();
            let until = Instant::now() + PATIENCE;
            while self.runs(folder) && Instant::now() < until {
                thread::sleep(LOOK_EVERY);
            }
        }
    }
}

fn command_line(pid: u32) -> Option<String> {
    if Path::new("/proc/self").exists() {
        let bytes = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        return Some(String::from_utf8_lossy(&bytes).replace('\0', " "));
    }
    let output = Command::new("ps").args(["-o", "command=", "-p", &pid.to_string()]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_does_not_name_our_folder_is_not_ours_to_stop() {
        let ourselves = Process { service: Service::Router, pid: std::process::id(), port: 1 };
        let elsewhere = Path::new("/a folder that no command line names");
        assert!(!ourselves.runs(elsewhere));
        ourselves.stop(elsewhere);
    }
}
