//! The processes of a cluster: what each is told (properties), and how each is started (its command line).
//!
//! Settings are for tests: everything on the loopback, metadata in Derby, segments and logs in the cluster's folder,
//! polls every second, few threads and small buffers.

use std::path::Path;

/// One process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Service {
    ZooKeeper,
    /// Is the Overlord too.
    Coordinator,
    Indexer,
    Historical,
    Broker,
    Router,
}

impl Service {
    pub(crate) const ALL: [Service; 6] = [
        Service::ZooKeeper,
        Service::Coordinator,
        Service::Indexer,
        Service::Historical,
        Service::Broker,
        Service::Router,
    ];

    /// What a release runs here.
    pub(crate) fn of(is_whole: bool) -> &'static [Service] {
        if is_whole { &Self::ALL } else { &[Service::ZooKeeper, Service::Coordinator, Service::Indexer] }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Service::ZooKeeper => "zookeeper",
            Service::Coordinator => "coordinator",
            Service::Indexer => "indexer",
            Service::Historical => "historical",
            Service::Broker => "broker",
            Service::Router => "router",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Service> {
        Self::ALL.into_iter().find(|service| service.name() == name)
    }

    /// The distance of its port from the cluster's base.
    pub(crate) fn distance(self) -> u16 {
        match self {
            Service::ZooKeeper => 1,
            Service::Coordinator => 81,
            Service::Indexer => 91,
            Service::Historical => 83,
            Service::Broker => 82,
            Service::Router => 88,
        }
    }

    /// The most heap it may have. The Indexer runs the tasks inside itself.
    fn heap(self, slots: u32) -> String {
        match self {
            Service::ZooKeeper => "128m".to_owned(),
            Service::Router => "256m".to_owned(),
            Service::Indexer => format!("{}m", 1024.max(160 * slots)),
            _ => "512m".to_owned(),
        }
    }
}

/// Where a cluster is.
pub(crate) struct Ground<'a> {
    /// Its folder, absolute.
    pub(crate) folder: &'a Path,
    /// The base of its ports.
    pub(crate) base: u16,
    pub(crate) slots: u32,
}

const FLAGS: [&str; 12] = [
    "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
    "-Duser.timezone=UTC",
    "-Dfile.encoding=UTF-8",
    // Both shorten the start on few cores.
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
];

impl Ground<'_> {
    pub(crate) fn port(&self, service: Service) -> u16 {
        self.base + service.distance()
    }

    /// Where its properties lie.
    pub(crate) fn settings(&self, service: Service) -> std::path::PathBuf {
        self.folder.join("conf").join(service.name())
    }

    /// What follows `java` on the command line.
    pub(crate) fn arguments(&self, service: Service, class_path: &str) -> Vec<String> {
        let mut arguments = vec![format!("-Xmx{}", service.heap(self.slots))];
        if service != Service::ZooKeeper {
            arguments.extend(FLAGS.map(str::to_owned));
        }
        arguments.push(format!("-Djava.io.tmpdir={}", self.folder.join("tasks").display()));
        arguments
            .push(format!("-Dlog4j.configurationFile={}", self.folder.join("conf/log4j2.xml").display()));
        arguments.extend(["-cp".to_owned(), class_path.to_owned()]);
        if service == Service::ZooKeeper {
            arguments.push("org.apache.zookeeper.server.ZooKeeperServerMain".to_owned());
            arguments.push(self.settings(service).join("zoo.cfg").display().to_string());
        } else {
            arguments.extend(["org.apache.druid.cli.Main", "server", service.name()].map(str::to_owned));
        }
        arguments
    }

    /// The name and the text of its settings file.
    pub(crate) fn settings_file(&self, service: Service) -> (&'static str, String) {
        if service == Service::ZooKeeper {
            let text = format!(
                "tickTime=2000\ndataDir={}\nclientPort={}\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n",
                self.folder.join("zk").display(),
                self.port(service)
            );
            return ("zoo.cfg", text);
        }
        let own = self.own(service);
        let lines = self.common().into_iter().chain(own).map(|(key, value)| format!("{key}={value}\n"));
        ("runtime.properties", lines.collect())
    }

    fn common(&self) -> Vec<(&'static str, String)> {
        let (run, derby) = (self.folder.display(), self.base + 2);
        let text = str::to_owned;
        vec![
            ("druid.host", text("127.0.0.1")),
            ("druid.zk.service.host", format!("127.0.0.1:{}", self.port(Service::ZooKeeper))),
            ("druid.extensions.directory", format!("{run}/extensions")),
            ("druid.extensions.loadList", text("[]")),
            ("druid.metadata.storage.type", text("derby")),
            (
                "druid.metadata.storage.connector.connectURI",
                format!("jdbc:derby://127.0.0.1:{derby}/{run}/metadata.db;create=true"),
            ),
            ("druid.metadata.storage.connector.host", text("127.0.0.1")),
            ("druid.metadata.storage.connector.port", derby.to_string()),
            ("druid.storage.type", text("local")),
            ("druid.storage.storageDirectory", format!("{run}/segments")),
            ("druid.indexer.logs.type", text("file")),
            ("druid.indexer.logs.directory", format!("{run}/indexing-logs")),
            ("druid.emitter", text("noop")),
            ("druid.startup.logging.logProperties", text("false")),
            ("druid.lookup.enableLookupSyncOnStartup", text("false")),
            ("druid.processing.numThreads", text("1")),
            ("druid.processing.numMergeBuffers", text("2")),
            ("druid.processing.buffer.sizeBytes", text("10MiB")),
            ("druid.server.http.numThreads", text("16")),
            ("druid.global.http.numConnections", text("8")),
            ("druid.selectors.indexing.serviceName", text("druid/overlord")),
            ("druid.selectors.coordinator.serviceName", text("druid/coordinator")),
        ]
    }

    fn own(&self, service: Service) -> Vec<(&'static str, String)> {
        let run = self.folder.display();
        let text = str::to_owned;
        let more = match service {
            Service::ZooKeeper => Vec::new(),
            Service::Coordinator => vec![
                ("druid.coordinator.asOverlord.enabled", text("true")),
                ("druid.coordinator.asOverlord.overlordService", text("druid/overlord")),
                ("druid.indexer.storage.type", text("metadata")),
                ("druid.indexer.queue.startDelay", text("PT0S")),
                ("druid.coordinator.startDelay", text("PT1S")),
                ("druid.coordinator.period", text("PT1S")),
                ("druid.manager.segments.pollDuration", text("PT1S")),
            ],
            Service::Indexer => vec![
                ("druid.worker.capacity", self.slots.to_string()),
                ("druid.indexer.task.baseTaskDir", format!("{run}/tasks")),
                ("druid.worker.baseTaskDirs", format!("[\"{run}/tasks\"]")),
            ],
            Service::Historical => {
                vec![(
                    "druid.segmentCache.locations",
                    format!("[{{\"path\":\"{run}/cache\",\"maxSize\":\"5g\"}}]"),
                )]
            }
            Service::Broker => vec![
                ("druid.sql.planner.metadataRefreshPeriod", text("PT1S")),
                ("druid.sql.planner.metadataSegmentPollPeriod", text("1000")),
            ],
            Service::Router => vec![
                ("druid.router.managementProxy.enabled", text("true")),
                ("druid.router.defaultBrokerServiceName", text("druid/broker")),
                ("druid.router.coordinatorServiceName", text("druid/coordinator")),
            ],
        };
        let mut own = vec![
            ("druid.service", format!("druid/{}", service.name())),
            ("druid.plaintextPort", self.port(service).to_string()),
        ];
        own.extend(more);
        own
    }
}

/// Where the processes write what they have to say: to the console, which is their log file.
pub(crate) const LOG4J2: &str = "<Configuration status=\"WARN\"><Appenders><Console name=\"Console\" target=\"SYSTEM_OUT\">\
<PatternLayout pattern=\"%d{ISO8601} %p [%t] %c - %m%n\"/></Console></Appenders>\
<Loggers><Root level=\"info\"><AppenderRef ref=\"Console\"/></Root></Loggers></Configuration>\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_clusters_share_neither_a_port_nor_a_folder() {
        let texts = [(18_000, "/one"), (18_100, "/two")].map(|(base, folder)| {
            let ground = Ground { folder: Path::new(folder), base, slots: 6 };
            Service::ALL.map(|service| ground.settings_file(service).1).concat()
        });
        assert!(texts[0].contains("18081") && !texts[1].contains("1808") && !texts[1].contains("/one"));
    }

    #[test]
    fn a_parallel_tasks_slots_are_the_ones_asked_for() {
        let ground = Ground { folder: Path::new("/run"), base: 18_000, slots: 11 };
        assert!(ground.settings_file(Service::Indexer).1.contains("druid.worker.capacity=11\n"));
    }
}
