//! Stream supervisors: enough of them to say, of a key in a batch spec, that it belongs there. Open on every level.

use super::schema::DATA_SCHEMA;
use super::whole::CONTEXT;
use super::{Field, Kind::*, Shape, fields};

/// A `kafka` or `kinesis` supervisor.
pub(super) static SUPERVISOR: Shape = Shape::plain(
    "supervisor",
    fields! {
        "type", "Kind", Text, "", "The kind of stream.";
        "id", "Supervisor id", Text, "the datasource", "Name of the supervisor.";
        "spec", "Spec", Object(&SPEC), "", "What to load, from where, and how.";
        "dataSchema", "Schema", Object(&DATA_SCHEMA), "", "Older place of spec.dataSchema.";
        "ioConfig", "Input", Object(&IO), "", "Older place of spec.ioConfig.";
        "tuningConfig", "Tuning", Object(&TUNING), "", "Older place of spec.tuningConfig.";
        "context", "Context", Object(&CONTEXT), "", "Switches of its tasks.";
        "suspended", "Suspended", Flag, "false", "Handed in without starting.";
    },
)
.open();

static SPEC: Shape = Shape::plain(
    "spec",
    fields! {
        "dataSchema", "Schema", Object(&DATA_SCHEMA), "", "What is stored, and in which time chunks.";
        "ioConfig", "Input", Object(&IO), "", "The stream.";
        "tuningConfig", "Tuning", Object(&TUNING), "", "Memory and hand-off.";
    },
)
.open();

static IO: Shape = Shape::plain("ioConfig", fields! {
    "type", "Kind", Text, "", "The kind of stream.";
    "topic", "Topic", Text, "", "Kafka topic.";
    "topicPattern", "Topics", Text, "", "Kafka topics that match.";
    "stream", "Stream", Text, "", "Kinesis stream.";
    "inputFormat", "Format", Any, "", "How rows are written.";
    "consumerProperties", "Consumer", Any, "", "Settings of the Kafka consumer.";
    "pollTimeout", "Poll timeout", Long, "100", "Milliseconds.";
    "replicas", "Replicas", Int, "1", "Task sets that read the same.";
    "taskCount", "Tasks", Int, "1", "Tasks that share the partitions.";
    "taskDuration", "Task length", Period, "PT1H", "How long a task reads before it hands off.";
    "startDelay", "Start delay", Period, "PT5S", "Wait before the first task.";
    "period", "Period", Period, "PT30S", "How often the supervisor looks.";
    "useEarliestOffset", "From the start", Flag, "false", "Read from the earliest offset at first.";
    "useEarliestSequenceNumber", "From the start", Flag, "false", "Read from the earliest record at first.";
    "completionTimeout", "Completion timeout", Period, "PT30M", "How long a task may take to publish.";
    "lateMessageRejectionPeriod", "Reject late rows", Period, "", "Older rows are dropped.";
    "lateMessageRejectionStartDateTime", "Reject rows before", Instant, "", "Older rows are dropped.";
    "earlyMessageRejectionPeriod", "Reject early rows", Period, "", "Rows too far ahead are dropped.";
    "autoScalerConfig", "Autoscaler", Any, "", "Changes the number of tasks.";
    "idleConfig", "Idle", Any, "", "Stops when nothing comes.";
    "stopTaskCount", "Stops at once", Int, "", "Tasks that may stop at the same time.";
})
.open();

static TUNING: Shape = Shape::plain("tuningConfig", fields! {
    "type", "Kind", Text, "", "The kind of stream.";
    "intermediatePersistPeriod", "Write out every", Period, "PT10M", "How often gathered rows are written out.";
    "intermediateHandoffPeriod", "Hand off every", Period, "P2147483647D", "How often segments are handed off.";
    "handoffConditionTimeout", "Hand-off timeout", Long, "900000", "Milliseconds to wait for hand-off.";
    "resetOffsetAutomatically", "Reset offsets", Flag, "false", "Go on from where the stream still has data.";
    "workerThreads", "Worker threads", Int, "", "Threads of the supervisor.";
    "chatRetries", "Retries", Int, "8", "Retries of calls to tasks.";
    "httpTimeout", "Timeout", Period, "PT10S", "Timeout of calls to tasks.";
    "shutdownTimeout", "Stop timeout", Period, "PT80S", "Timeout of a stop.";
    "offsetFetchPeriod", "Look at offsets every", Period, "PT30S", "How often lag is measured.";
    "windowPeriod", "Window", Period, "", "Of realtime nodes." .gone();
    "rejectionPolicy", "Rejection", Any, "", "Of realtime nodes." .gone();
})
.open();
