//! A cluster's folder and what is written there of its processes, so that a later command finds them.
//!
//! What always holds: the list of processes is written before anybody waits for them, so that an interrupted start can
//! be stopped.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::process::Process;
use super::release::Release;
use super::service::Service;
use crate::tree::Tree;

/// A cluster, running or not.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    release: Release,
    name: String,
    folder: PathBuf,
    /// The base of its ports; none when it was never started.
    base: Option<u16>,
    slots: Option<u32>,
    processes: Vec<Process>,
}

impl Cluster {
    /// The cluster of that name in this checkout, with what was last written of it.
    pub(crate) fn at(tree: &Tree, release: &Release, name: &str) -> Result<Cluster> {
        let folder = tree.target().join("druid").join(name);
        let folder =
            std::path::absolute(&folder).with_context(|| format!("no place for {}", folder.display()))?;
        let mut cluster = Cluster {
            release: release.clone(),
            name: name.to_owned(),
            folder,
            base: None,
            slots: None,
            processes: Vec::new(),
        };
        if let Ok(written) = fs::read_to_string(cluster.file()) {
            cluster.read(&written);
        }
        Ok(cluster)
    }

    pub(crate) fn release(&self) -> &Release {
        &self.release
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn base(&self) -> Option<u16> {
        self.base
    }

    pub(crate) fn slots(&self) -> Option<u32> {
        self.slots
    }

    pub(crate) fn processes(&self) -> &[Process] {
        &self.processes
    }

    pub(crate) fn process(&self, service: Service) -> Option<&Process> {
        self.processes.iter().find(|process| process.service == service)
    }

    pub(crate) fn log(&self, service: Service) -> PathBuf {
        self.folder.join("log").join(format!("{}.log", service.name()))
    }

    /// Where a client goes: the Router, or the Coordinator where there is none.
    pub(crate) fn address(&self) -> Result<String> {
        let front = if self.release.is_whole() { Service::Router } else { Service::Coordinator };
        let process = self.process(front).with_context(|| format!("{} does not run", self.name))?;
        Ok(format!("http://127.0.0.1:{}", process.port))
    }

    /// Bases that other clusters of this checkout hold, running or not.
    pub(crate) fn taken_elsewhere(&self) -> Vec<u16> {
        let siblings =
            self.folder.parent().and_then(|parent| fs::read_dir(parent).ok()).into_iter().flatten();
        siblings
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|folder| *folder != self.folder)
            .filter_map(|folder| number(&fs::read_to_string(folder.join("cluster")).ok()?, "base"))
            .collect()
    }

    pub(crate) fn settle(&mut self, base: u16, slots: u32) {
        (self.base, self.slots) = (Some(base), Some(slots));
    }

    /// Notes a process that was started in place of any earlier one of its kind.
    pub(crate) fn note(&mut self, process: Process) -> Result<()> {
        self.processes.retain(|other| other.service != process.service);
        self.processes.push(process);
        fs::write(self.file(), self.written())
            .with_context(|| format!("cannot write {}", self.file().display()))
    }

    /// Stops what runs; gives how many processes that were. ZooKeeper goes last: without it a Coordinator or an
    /// Indexer does not end when asked.
    pub(crate) fn stop(&mut self) -> Result<usize> {
        let (zookeeper, others): (Vec<&Process>, Vec<&Process>) = self
            .processes
            .iter()
            .filter(|process| process.runs(&self.folder))
            .partition(|process| process.service == Service::ZooKeeper);
        for group in [&others, &zookeeper] {
            std::thread::scope(|scope| {
                for process in group {
                    scope.spawn(|| process.stop(&self.folder));
                }
            });
            for process in group {
                eprintln!("   {} stopped", process.service.name());
            }
        }
        Ok(others.len() + zookeeper.len())
    }

    /// Removes everything it left.
    pub(crate) fn erase(&mut self) -> Result<()> {
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder)
                .with_context(|| format!("cannot remove {}", self.folder.display()))?;
        }
        (self.base, self.slots) = (None, None);
        self.processes.clear();
        Ok(())
    }

    fn file(&self) -> PathBuf {
        self.folder.join("cluster")
    }

    fn written(&self) -> String {
        let mut text = String::new();
        for (key, value) in [("base", self.base.map(u32::from)), ("slots", self.slots)] {
            text.extend(value.map(|value| format!("{key} {value}\n")));
        }
        for Process { service, pid, port } in &self.processes {
            text.push_str(&format!("process {} {pid} {port}\n", service.name()));
        }
        text
    }

    fn read(&mut self, written: &str) {
        self.base = number(written, "base");
        self.slots = number(written, "slots");
        let processes = written.lines().filter_map(|line| {
            let mut words = line.strip_prefix("process ")?.split(' ');
            Some(Process {
                service: Service::named(words.next()?)?,
                pid: words.next()?.parse().ok()?,
                port: words.next()?.parse().ok()?,
            })
        });
        self.processes = processes.collect();
    }
}

fn number<T: std::str::FromStr>(written: &str, key: &str) -> Option<T> {
    written.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster() -> Cluster {
        Cluster {
            release: "33.0.0".parse().unwrap(),
            name: "33.0.0".to_owned(),
            folder: PathBuf::from("/nowhere"),
            base: None,
            slots: None,
            processes: Vec::new(),
        }
    }

    #[test]
    fn what_is_written_of_a_cluster_is_read_again() {
        let mut one = cluster();
        one.settle(18_000, 6);
        one.processes = vec![
            Process { service: Service::ZooKeeper, pid: 7, port: 18_001 },
            Process { service: Service::Router, pid: 12, port: 18_088 },
        ];
        let mut other = cluster();
        other.read(&one.written());
        assert_eq!((other.base, other.slots, &other.processes), (Some(18_000), Some(6), &one.processes));
        assert_eq!(other.address().unwrap(), "http://127.0.0.1:18088");
    }

    #[test]
    fn a_cluster_that_never_ran_has_no_address_and_nothing_to_stop() {
        let mut never = cluster();
        never.read("");
        assert!(never.address().is_err());
        assert_eq!(never.stop().unwrap(), 0);
    }
}
