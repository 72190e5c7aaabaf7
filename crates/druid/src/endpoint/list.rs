//! The list itself. A new call is a variant of [`Endpoint`], a line here, its query in `request`, and nothing else.

use super::query::Query;
use super::request::{LoadForm, SortOrder, TaskState};
use super::{Access, Answer, Body, Call, Endpoint, Method, Name, Service};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// Every call, in the order in which paths are tried.
pub static ALL: &[&Call] = &[
    &SUBMIT_TASK,
    &TASK_PAYLOAD,
    &TASK_STATUS,
    &TASK_REPORTS,
    &TASK_LOG,
    &SHUTDOWN_TASK,
    &TASKS,
    &ACTIVE_LOCKS,
    &LOCKED_INTERVALS,
    &USED_SEGMENTS,
    &DATASOURCES,
    &UNUSED_SEGMENTS,
    &LOAD_STATUS,
    &RETENTION_RULES,
    &SQL,
    &COMPACTION_CONFIGS,
    &COMPACTION_CONFIG,
    &OVERLORD_COMPACTION_CLUSTER,
    &OVERLORD_COMPACTION_CONFIGS,
    &OVERLORD_COMPACTION_CONFIG,
    &COMPACTION_SUPERVISORS,
    &SUPERVISORS,
    &MARK_USED,
    &MARK_UNUSED,
    &OVERLORD_MARK_USED,
    &OVERLORD_MARK_UNUSED,
    &SAMPLE,
    &STATUS,
    &OVERLORD_STATUS,
    &OVERLORD_LEADER,
    &OVERLORD_IS_LEADER,
    &COORDINATOR_LEADER,
    &COORDINATOR_IS_LEADER,
    &PROXY_ENABLED,
    &WORKERS,
];

pub(super) fn call(endpoint: &Endpoint) -> &'static Call {
    match endpoint {
        Endpoint::SubmitTask => &SUBMIT_TASK,
        Endpoint::TaskPayload(_) => &TASK_PAYLOAD,
        Endpoint::TaskStatus(_) => &TASK_STATUS,
        Endpoint::TaskReports(_) => &TASK_REPORTS,
        Endpoint::TaskLog { .. } => &TASK_LOG,
        Endpoint::ShutdownTask(_) => &SHUTDOWN_TASK,
        Endpoint::Tasks { .. } => &TASKS,
        Endpoint::ActiveLocks => &ACTIVE_LOCKS,
        Endpoint::LockedIntervals => &LOCKED_INTERVALS,
        Endpoint::UsedSegments(_) => &USED_SEGMENTS,
        Endpoint::Datasources => &DATASOURCES,
        Endpoint::UnusedSegments { .. } => &UNUSED_SEGMENTS,
        Endpoint::LoadStatus { .. } => &LOAD_STATUS,
        Endpoint::RetentionRules(_) => &RETENTION_RULES,
        Endpoint::Sql => &SQL,
        Endpoint::CompactionConfigs => &COMPACTION_CONFIGS,
        Endpoint::CompactionConfig(_) => &COMPACTION_CONFIG,
        Endpoint::OverlordCompactionCluster => &OVERLORD_COMPACTION_CLUSTER,
        Endpoint::OverlordCompactionConfigs => &OVERLORD_COMPACTION_CONFIGS,
        Endpoint::OverlordCompactionConfig(_) => &OVERLORD_COMPACTION_CONFIG,
        Endpoint::CompactionSupervisors => &COMPACTION_SUPERVISORS,
        Endpoint::Supervisors { .. } => &SUPERVISORS,
        Endpoint::MarkUsed(_) => &MARK_USED,
        Endpoint::MarkUnused(_) => &MARK_UNUSED,
        Endpoint::OverlordMarkUsed(_) => &OVERLORD_MARK_USED,
        Endpoint::OverlordMarkUnused(_) => &OVERLORD_MARK_UNUSED,
        Endpoint::Sample => &SAMPLE,
        Endpoint::Status => &STATUS,
        Endpoint::OverlordStatus => &OVERLORD_STATUS,
        Endpoint::OverlordLeader => &OVERLORD_LEADER,
        Endpoint::OverlordIsLeader => &OVERLORD_IS_LEADER,
        Endpoint::CoordinatorLeader => &COORDINATOR_LEADER,
        Endpoint::CoordinatorIsLeader => &COORDINATOR_IS_LEADER,
        Endpoint::ProxyEnabled => &PROXY_ENABLED,
        Endpoint::Workers => &WORKERS,
    }
}

/// A read without a body on the Overlord, answered by at most 4 MiB: what most lines differ from in one or two places.
const READ: Call = Call {
    name: "",
    method: Method::Get,
    template: "",
    service: Service::Overlord,
    access: Access::Reads,
    body: Body::Nothing,
    body_cap: 0,
    answer: Answer::Json,
    answer_cap: 4 * MIB,
    since: 0,
    until: None,
    make: |_, _| None,
};

/// A read that asks by POST.
const ASK: Call = Call { method: Method::Post, body: Body::Json, body_cap: 64 * KIB, ..READ };

/// A change.
const WRITE: Call = Call {
    method: Method::Post,
    access: Access::Writes,
    body: Body::Json,
    body_cap: 4 * MIB,
    answer_cap: MIB,
    ..READ
};

static SUBMIT_TASK: Call = Call {
    name: "submit task",
    template: "/druid/indexer/v1/task",
    answer: Answer::Submit,
    make: |_, _| Some(Endpoint::SubmitTask),
    ..WRITE
};

static TASK_PAYLOAD: Call = Call {
    name: "task payload",
    template: "/druid/indexer/v1/task/{}",
    answer: Answer::TaskPayload,
    answer_cap: 16 * MIB,
    make: |name, _| name.map(Endpoint::TaskPayload),
    ..READ
};

static TASK_STATUS: Call = Call {
    name: "task status",
    template: "/druid/indexer/v1/task/{}/status",
    answer: Answer::TaskStatus,
    answer_cap: 256 * KIB,
    make: |name, _| name.map(Endpoint::TaskStatus),
    ..READ
};

static TASK_REPORTS: Call = Call {
    name: "task reports",
    template: "/druid/indexer/v1/task/{}/reports",
    answer: Answer::Reports,
    answer_cap: 16 * MIB,
    make: |name, _| name.map(Endpoint::TaskReports),
    ..READ
};

static TASK_LOG: Call = Call {
    name: "task log",
    template: "/druid/indexer/v1/task/{}/log",
    answer: Answer::Text,
    answer_cap: 64 * MIB,
    make: |name, query| {
        Some(Endpoint::TaskLog { task: name?, offset: query.read("offset", |text| text.parse().ok())? })
    },
    ..READ
};

static SHUTDOWN_TASK: Call = Call {
    name: "shut down task",
    template: "/druid/indexer/v1/task/{}/shutdown",
    body: Body::Nothing,
    body_cap: 0,
    make: |name, _| name.map(Endpoint::ShutdownTask),
    ..WRITE
};

static TASKS: Call = Call {
    name: "tasks",
    template: "/druid/indexer/v1/tasks",
    answer: Answer::TaskList,
    answer_cap: 64 * MIB,
    make: |_, query| {
        Some(Endpoint::Tasks {
            state: query.read("state", TaskState::parse)?,
            datasource: query.read("datasource", |text| Name::new(text).ok())?,
            created: query.interval("createdTimeInterval")?,
            max: query.read("max", |text| text.parse().ok())?,
        })
    },
    ..READ
};

static ACTIVE_LOCKS: Call = Call {
    name: "active locks",
    template: "/druid/indexer/v1/activeLocks",
    answer: Answer::Locks,
    answer_cap: 16 * MIB,
    // apache/druid#16799, which took the first `/lockedIntervals` away.
    since: 31,
    make: |_, _| Some(Endpoint::ActiveLocks),
    ..ASK
};

static LOCKED_INTERVALS: Call = Call {
    name: "locked intervals",
    template: "/druid/indexer/v1/lockedIntervals/v2",
    answer: Answer::LockedIntervals,
    answer_cap: 16 * MIB,
    since: 28,
    make: |_, _| Some(Endpoint::LockedIntervals),
    ..ASK
};

static USED_SEGMENTS: Call = Call {
    name: "used segments",
    template: "/druid/coordinator/v1/metadata/datasources/{}/segments",
    service: Service::Coordinator,
    answer: Answer::Segments,
    body_cap: MIB,
    // A million segments are 800 MB of JSON.
    answer_cap: 4096 * MIB,
    make: |name, query| query.flag("full")?.then_some(Endpoint::UsedSegments(name?)),
    ..ASK
};

static DATASOURCES: Call = Call {
    name: "datasources",
    template: "/druid/coordinator/v1/metadata/datasources",
    service: Service::Coordinator,
    answer: Answer::Names,
    make: |_, _| Some(Endpoint::Datasources),
    ..READ
};

static UNUSED_SEGMENTS: Call = Call {
    name: "unused segments",
    template: "/druid/coordinator/v1/metadata/datasources/{}/unusedSegments",
    service: Service::Coordinator,
    answer: Answer::UnusedSegments,
    answer_cap: 256 * MIB,
    make: |name, query| {
        Some(Endpoint::UnusedSegments {
            datasource: name?,
            interval: query.interval("interval")?,
            limit: query.read("limit", |text| text.parse().ok())?,
            after: query.read("lastSegmentId", |text| (!text.is_empty()).then(|| text.to_owned()))?,
            order: query.read("sortOrder", SortOrder::parse)?,
        })
    },
    since: 29,
    ..READ
};

static LOAD_STATUS: Call = Call {
    name: "load status",
    template: "/druid/coordinator/v1/datasources/{}/loadstatus",
    service: Service::Coordinator,
    answer: Answer::LoadStatus,
    make: load_status,
    ..READ
};

fn load_status(name: Option<Name>, query: &mut Query) -> Option<Endpoint> {
    let form = match (query.flag("simple")?, query.flag("full")?) {
        (false, false) => LoadForm::Percent,
        (true, false) => LoadForm::Missing,
        (false, true) => LoadForm::MissingByTier,
        (true, true) => return None,
    };
    Some(Endpoint::LoadStatus {
        datasource: name?,
        interval: query.interval("interval")?,
        // Druid refuses the call without it, so it is not optional here either.
        refresh: query.read("forceMetadataRefresh", |text| text.parse().ok())??,
        form,
    })
}

static RETENTION_RULES: Call = Call {
    name: "retention rules",
    template: "/druid/coordinator/v1/rules/{}",
    service: Service::Coordinator,
    make: |name, query| query.flag("full")?.then_some(Endpoint::RetentionRules(name?)),
    ..READ
};

static SQL: Call = Call {
    name: "named query",
    template: "/druid/v2/sql",
    service: Service::Broker,
    body: Body::NamedSql,
    answer: Answer::SqlLines,
    answer_cap: 4096 * MIB,
    make: |_, _| Some(Endpoint::Sql),
    ..ASK
};

static COMPACTION_CONFIGS: Call = Call {
    name: "compaction configs",
    template: "/druid/coordinator/v1/config/compaction",
    service: Service::Coordinator,
    answer_cap: 16 * MIB,
    make: |_, _| Some(Endpoint::CompactionConfigs),
    ..READ
};

static COMPACTION_CONFIG: Call = Call {
    name: "compaction config",
    template: "/druid/coordinator/v1/config/compaction/{}",
    service: Service::Coordinator,
    make: |name, _| name.map(Endpoint::CompactionConfig),
    ..READ
};

static OVERLORD_COMPACTION_CLUSTER: Call = Call {
    name: "compaction, cluster",
    template: "/druid/indexer/v1/compaction/config/cluster",
    since: 33,
    make: |_, _| Some(Endpoint::OverlordCompactionCluster),
    ..READ
};

static OVERLORD_COMPACTION_CONFIGS: Call = Call {
    name: "compaction, datasources",
    template: "/druid/indexer/v1/compaction/config/datasources",
    answer_cap: 16 * MIB,
    since: 33,
    make: |_, _| Some(Endpoint::OverlordCompactionConfigs),
    ..READ
};

static OVERLORD_COMPACTION_CONFIG: Call = Call {
    name: "compaction, datasource",
    template: "/druid/indexer/v1/compaction/config/datasources/{}",
    since: 33,
    make: |name, _| name.map(Endpoint::OverlordCompactionConfig),
    ..READ
};

static COMPACTION_SUPERVISORS: Call = Call {
    name: "compaction supervisors",
    template: "/druid/indexer/v1/compaction/isSupervisorEnabled",
    since: 33,
    make: |_, _| Some(Endpoint::CompactionSupervisors),
    ..READ
};

static SUPERVISORS: Call = Call {
    name: "supervisors",
    template: "/druid/indexer/v1/supervisor",
    answer_cap: 64 * MIB,
    make: |_, query| Some(Endpoint::Supervisors { full: query.flag("full")? }),
    ..READ
};

static MARK_USED: Call = Call {
    name: "mark used",
    template: "/druid/coordinator/v1/datasources/{}/markUsed",
    service: Service::Coordinator,
    answer: Answer::Marked,
    make: |name, _| name.map(Endpoint::MarkUsed),
    ..WRITE
};

static MARK_UNUSED: Call = Call {
    name: "mark unused",
    template: "/druid/coordinator/v1/datasources/{}/markUnused",
    service: Service::Coordinator,
    answer: Answer::Marked,
    make: |name, _| name.map(Endpoint::MarkUnused),
    ..WRITE
};

static OVERLORD_MARK_USED: Call = Call {
    name: "mark used, overlord",
    template: "/druid/indexer/v1/datasources/{}/markUsed",
    answer: Answer::Marked,
    since: 33,
    make: |name, _| name.map(Endpoint::OverlordMarkUsed),
    ..WRITE
};

static OVERLORD_MARK_UNUSED: Call = Call {
    name: "mark unused, overlord",
    template: "/druid/indexer/v1/datasources/{}/markUnused",
    answer: Answer::Marked,
    since: 33,
    make: |name, _| name.map(Endpoint::OverlordMarkUnused),
    ..WRITE
};

// The sampler reads an input on the Overlord's behalf and keeps nothing, but it makes the Overlord open whatever address the
// spec names. That is more than a reviewer's gateway should do, so it counts as a write.
static SAMPLE: Call = Call {
    name: "sample",
    template: "/druid/indexer/v1/sampler",
    answer_cap: 16 * MIB,
    make: |_, _| Some(Endpoint::Sample),
    ..WRITE
};

static STATUS: Call = Call {
    name: "status",
    template: "/status",
    service: Service::Any,
    answer: Answer::Version,
    make: |_, _| Some(Endpoint::Status),
    ..READ
};

static OVERLORD_STATUS: Call = Call {
    name: "overlord status",
    template: "/proxy/overlord/status",
    answer: Answer::Version,
    make: |_, _| Some(Endpoint::OverlordStatus),
    ..READ
};

static OVERLORD_LEADER: Call = Call {
    name: "overlord leader",
    template: "/druid/indexer/v1/leader",
    answer: Answer::Text,
    answer_cap: 4 * KIB,
    make: |_, _| Some(Endpoint::OverlordLeader),
    ..READ
};

static OVERLORD_IS_LEADER: Call = Call {
    name: "overlord leads",
    template: "/druid/indexer/v1/isLeader",
    answer: Answer::Leads,
    answer_cap: 4 * KIB,
    make: |_, _| Some(Endpoint::OverlordIsLeader),
    ..READ
};

static COORDINATOR_LEADER: Call = Call {
    name: "coordinator leader",
    template: "/druid/coordinator/v1/leader",
    service: Service::Coordinator,
    answer: Answer::Text,
    answer_cap: 4 * KIB,
    make: |_, _| Some(Endpoint::CoordinatorLeader),
    ..READ
};

static COORDINATOR_IS_LEADER: Call = Call {
    name: "coordinator leads",
    template: "/druid/coordinator/v1/isLeader",
    service: Service::Coordinator,
    answer: Answer::Leads,
    answer_cap: 4 * KIB,
    make: |_, _| Some(Endpoint::CoordinatorIsLeader),
    ..READ
};

static PROXY_ENABLED: Call = Call {
    name: "proxy enabled",
    template: "/proxy/enabled",
    service: Service::Any,
    answer_cap: 4 * KIB,
    make: |_, _| Some(Endpoint::ProxyEnabled),
    ..READ
};

static WORKERS: Call = Call {
    name: "workers",
    template: "/druid/indexer/v1/workers",
    make: |_, _| Some(Endpoint::Workers),
    ..READ
};
