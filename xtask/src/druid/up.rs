//! Starting a cluster, or whatever of it does not run, and waiting until it takes tasks.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::cluster::Cluster;
use super::health;
use super::jars::Jars;
use super::ports;
use super::process::Process;
use super::service::{Ground, LOG4J2, Service};
use crate::command::program;
use crate::step::spoken;
use crate::tree::Tree;

/// The longest a start may take: about 25 s on two idle cores, several times that on busy ones.
const PATIENCE: Duration = Duration::from_secs(240);
const LOOK_EVERY: Duration = Duration::from_millis(500);
const NEWS_EVERY: Duration = Duration::from_secs(15);
/// Lines of a log that are shown when its process ended by itself.
const LOG_TAIL: usize = 30;

/// How the cluster should be.
#[derive(Clone, Copy)]
pub(crate) struct Wish {
    pub(crate) slots: u32,
    /// Nothing of an earlier one stays.
    pub(crate) fresh: bool,
}

/// Makes it run. What runs already and is as wished stays as it is.
pub(crate) fn up(tree: &Tree, cluster: &mut Cluster, jars: &Jars, wish: Wish) -> Result<()> {
    if wish.fresh || cluster.slots().is_some_and(|slots| slots != wish.slots) {
        cluster.stop()?;
    }
    if wish.fresh {
        cluster.erase()?;
    }
    let base = match cluster.base() {
        Some(base) => base,
        None => ports::free_base(&cluster.taken_elsewhere())?,
    };
    cluster.settle(base, wish.slots);
    let started = start(tree, cluster, jars)?;
    if started == 0 {
        eprintln!("   {} runs already", cluster.name());
    }
    wait(cluster)
}

/// Starts what does not run; gives how many processes that were.
fn start(tree: &Tree, cluster: &mut Cluster, jars: &Jars) -> Result<usize> {
    let folder = cluster.folder().to_owned();
    let (base, slots) =
        cluster.base().zip(cluster.slots()).context("a cluster has ports before it starts")?;
    let ground = Ground { folder: &folder, base, slots };
    for part in ["conf", "log", "tasks", "extensions", "zk", "segments", "cache", "input"] {
        fs::create_dir_all(folder.join(part))?;
    }
    fs::write(folder.join("conf/log4j2.xml"), LOG4J2)?;
    let mut started = 0;
    for service in Service::of(cluster.release().is_whole()) {
        if cluster.process(*service).is_some_and(|process| process.runs(&folder)) {
            continue;
        }
        let (name, text) = ground.settings_file(*service);
        let settings = ground.settings(*service);
        fs::create_dir_all(&settings)?;
        fs::write(settings.join(name), text)?;
        let mut java = program(tree, "java");
        // Derby writes a log of its own into the folder it is started in.
        java.current_dir(&folder);
        java.args(ground.arguments(*service, &jars.class_path(&settings)));
        let process = Process::start(*service, ground.port(*service), java, &cluster.log(*service))?;
        cluster.note(process)?;
        started += 1;
    }
    Ok(started)
}

/// Waits until all is well, saying what came when; fails as soon as a process ends by itself.
fn wait(cluster: &Cluster) -> Result<()> {
    let begun = Instant::now();
    let of = cluster.processes().len();
    let mut well: Vec<Service> = Vec::new();
    let mut next_news = begun + NEWS_EVERY;
    loop {
        for process in cluster.processes() {
            if !process.runs(cluster.folder()) {
                bail!(
                    "{} ended by itself. The end of its log, {}:\n{}",
                    process.service.name(),
                    cluster.log(process.service).display(),
                    tail(cluster, process.service)
                );
            }
            if !well.contains(&process.service) && health::is_healthy(process) {
                well.push(process.service);
                eprintln!(
                    "   {:12} well after {} ({} of {of})",
                    process.service.name(),
                    spoken(begun.elapsed()),
                    well.len()
                );
            }
        }
        if well.len() == of && is_ready(cluster) {
            eprintln!("   takes tasks after {}", spoken(begun.elapsed()));
            return Ok(());
        }
        if begun.elapsed() > PATIENCE {
            bail!(
                "{} is not ready after {}; its logs are in {}",
                cluster.name(),
                spoken(PATIENCE),
                cluster.folder().join("log").display()
            );
        }
        if Instant::now() >= next_news {
            let missing = cluster.processes().iter().filter(|process| !well.contains(&process.service));
            let missing: Vec<&str> = missing.map(|process| process.service.name()).collect();
            let what = if missing.is_empty() { "a worker".to_owned() } else { missing.join(", ") };
            eprintln!("   {}: waiting for {what}", spoken(begun.elapsed()));
            next_news += NEWS_EVERY;
        }
        thread::sleep(LOOK_EVERY);
    }
}

fn is_ready(cluster: &Cluster) -> bool {
    let takes_tasks =
        cluster.process(Service::Coordinator).is_some_and(|process| health::takes_tasks(process.port));
    takes_tasks && cluster.process(Service::Router).is_none_or(|process| health::is_routed(process.port))
}

fn tail(cluster: &Cluster, service: Service) -> String {
    let text = fs::read_to_string(cluster.log(service)).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().skip(lines.len().saturating_sub(LOG_TAIL)).map(|line| format!("   | {line}\n")).collect()
}
