//! The Overlord's calls: submit, look, stop, lists, locks, workers, sampler.

use crate::{
    Sandbox, answers, input,
    task::{State, StoredTask},
};
use druid::{
    answer::Response,
    endpoint::TaskState,
    id::validate_id,
    interval::Interval,
    json::Document,
    spec::{Task, TaskKind, refusals},
};
use serde_json::{Map, Value, json};

impl Sandbox {
    /// Takes a task, or refuses it in the server's words.
    pub(crate) fn submit(&mut self, body: &str) -> Response {
        // Only the first value counts: Jackson does not look at what stands behind it.
        let mut values = serde_json::Deserializer::from_str(body).into_iter::<Value>();
        let parsed = match values.next() {
            None | Some(Ok(Value::Null)) => {
                return answers::error_page(
                    500,
                    "java.lang.NullPointerException: Cannot invoke \"org.apache.druid.indexing.common.task.Task\
                     .getDestinationResource()\" because \"task\" is null",
                );
            }
            Some(Err(error)) => {
                return answers::error_page(
                    500,
                    &format!(
                        "javax.servlet.ServletException: com.fasterxml.jackson.core.JsonParseException: {error}"
                    ),
                );
            }
            Some(Ok(parsed)) => parsed,
        };
        let document = Document::parse(body.get(..values.byte_offset()).unwrap_or(body));
        if !parsed.is_object() {
            return answers::refused(
                "Unexpected token (END_ARRAY), expected VALUE_STRING: need JSON String that contains type id \
                 (for subtype of org.apache.druid.indexing.common.task.Task)",
            );
        }
        let task = Task::read(&document, &self.zones);
        if let Some(line) = self.refusal(&task, &parsed) {
            return answers::refused(&line);
        }
        let id = task.id.clone().unwrap_or_else(|| self.fresh_id(&task));
        if self.find(&id).is_some() {
            return answers::duplicate(self.release, &id);
        }
        self.tasks.push(StoredTask::new(&id, task, self.clock));
        self.work();
        Response::json(200, &json!({ "task": id }))
    }

    fn refusal(&self, task: &Task, parsed: &Value) -> Option<String> {
        match &task.kind {
            TaskKind::IndexParallel | TaskKind::Index | TaskKind::Compact | TaskKind::Kill => {}
            _ => {
                return Some(match parsed.get("type").and_then(Value::as_str) {
                    None => "Could not resolve subtype of [simple type, class \
                             org.apache.druid.indexing.common.task.Task]: missing type id property 'type'"
                        .to_owned(),
                    Some(kind) => format!(
                        "Please make sure to load all the necessary extensions and jars with type '{kind}' on \
                         'druid/coordinator' service. Could not resolve type id '{kind}' as a subtype of \
                         `org.apache.druid.indexing.common.task.Task`"
                    ),
                });
            }
        }
        if let Some(first) = refusals(task, self.release).into_iter().next() {
            return Some(first.line());
        }
        let id = task.id.as_deref()?;
        validate_id(id).err().and_then(|trouble| trouble.server_words("task ID", id))
    }

    /// An id for a task without one, as Druid makes them: the letters are a count here.
    fn fresh_id(&self, task: &Task) -> String {
        let mut count = self.tasks.len();
        let mut letters = String::new();
        for _ in 0..8 {
            letters.push(char::from(b'a' + u8::try_from(count % 16).unwrap_or_default()));
            count /= 16;
        }
        let name = task.datasource.as_deref().unwrap_or_default();
        format!("{}_{name}_{letters}_{}", task.kind.name(), self.clock)
    }

    pub(crate) fn find(&self, id: &str) -> Option<&StoredTask> {
        self.tasks.iter().find(|task| task.id == id)
    }

    fn with_task(&self, id: &str, answer: impl FnOnce(&StoredTask) -> Response) -> Response {
        self.find(id).map_or_else(|| answers::unknown_task(id), answer)
    }

    /// The stored task: what was sent, with its id and group filled in.
    pub(crate) fn payload(&self, id: &str) -> Response {
        self.with_task(id, |task| {
            let mut payload: Map<String, Value> =
                serde_json::from_str(task.task.document.text()).unwrap_or_default();
            payload.insert("id".to_owned(), json!(task.id));
            payload.entry("groupId").or_insert_with(|| json!(task.group()));
            payload
                .entry("resource")
                .or_insert_with(|| json!({ "availabilityGroup": task.id, "requiredCapacity": 1 }));
            let context = payload.entry("context").or_insert_with(|| json!({}));
            if let Some(context) = context.as_object_mut() {
                context.entry("forceTimeChunkLock").or_insert(Value::Bool(true));
                context.entry("useLineageBasedSegmentAllocation").or_insert(Value::Bool(true));
            }
            Response::json(200, &json!({ "task": task.id, "payload": payload }))
        })
    }

    pub(crate) fn status(&self, id: &str) -> Response {
        self.with_task(id, |task| {
            Response::json(200, &json!({ "task": task.id, "status": task.status(false) }))
        })
    }

    pub(crate) fn reports(&self, id: &str) -> Response {
        self.with_task(id, |task| {
            let State::Done { error, success, .. } = &task.state else {
                return answers::words(404, "No task reports were found for this task. The task may not exist, or it may not have completed yet.");
            };
            let state = if *success { "COMPLETED" } else { "BUILD_SEGMENTS" };
            let processed = task.rows.unwrap_or_default();
            let totals = json!({ "processed": processed, "processedBytes": 0, "processedWithError": 0, "thrownAway": 0, "unparseable": 0 });
            let body = json!({ "ingestionStatsAndErrors": {
                "type": "ingestionStatsAndErrors", "taskId": task.id,
                "payload": {
                    "ingestionState": state, "unparseableEvents": {}, "errorMsg": error,
                    "rowStats": { "totals": { "buildSegments": totals } },
                    "segmentAvailabilityConfirmed": false, "segmentAvailabilityWaitTimeMs": 0,
                    "segmentsRead": null, "segmentsPublished": task.published,
                },
            } });
            Response::json(200, &body)
        })
    }

    /// An Indexer keeps no log per task: empty while it runs, 404 afterwards (facts 5.3).
    pub(crate) fn log(&self, id: &str) -> Response {
        self.with_task(id, |task| match task.state {
            State::Running { .. } => Response::text(200, ""),
            _ => Response::text(404, "No log was found for this task. The task may not exist, or it may not have begun running yet."),
        })
    }

    pub(crate) fn shut_down(&mut self, id: &str) -> Response {
        let Some(at) = self.tasks.iter().position(|task| task.id == id) else {
            return answers::unknown_task(id);
        };
        if self.tasks.get(at).is_some_and(|task| !task.is_over()) {
            self.end(at, self.clock, Some("Shutdown request from user".to_owned()), false);
            self.work();
        }
        Response::json(200, &json!({ "task": id }))
    }

    pub(crate) fn list(
        &self,
        state: Option<TaskState>,
        datasource: Option<&str>,
        max: Option<u32>,
    ) -> Response {
        let fits = |task: &&StoredTask| {
            let right = matches!(
                (state, &task.state),
                (None, _)
                    | (Some(TaskState::Waiting), State::Waiting)
                    | (Some(TaskState::Pending), State::Pending { .. })
                    | (Some(TaskState::Running), State::Running { .. })
                    | (Some(TaskState::Complete), State::Done { .. })
            );
            right && datasource.is_none_or(|name| name == task.datasource())
        };
        let most = max.and_then(|max| usize::try_from(max).ok()).unwrap_or(usize::MAX);
        let list: Vec<Value> =
            self.tasks.iter().rev().filter(fits).take(most).map(|task| task.status(true)).collect();
        Response::json(200, &Value::Array(list))
    }

    pub(crate) fn active_locks(&self, body: &str) -> Response {
        let mut by_datasource = Map::new();
        for (name, priority, intervals) in filters(body) {
            let locks: Vec<Value> = self
                .tasks
                .iter()
                .filter(|task| task.datasource() == name)
                .flat_map(|task| task.locks())
                .filter(|lock| !lock.revoked && lock.priority >= priority)
                .filter(|lock| intervals.is_empty() || intervals.iter().any(|i| i.overlaps(lock.interval)))
                .map(|lock| {
                    json!({
                        "granularity": "timeChunk", "type": lock.kind.name(), "groupId": lock.group_id,
                        "dataSource": name, "interval": lock.interval.to_string(), "version": lock.version,
                        "priority": lock.priority, "revoked": lock.revoked,
                    })
                })
                .collect();
            if !locks.is_empty() {
                by_datasource.insert(name, Value::Array(locks));
            }
        }
        Response::json(200, &json!({ "datasourceToLocks": by_datasource }))
    }

    pub(crate) fn locked_intervals(&self, body: &str) -> Response {
        let mut by_datasource = Map::new();
        for (name, priority, _) in filters(body) {
            let held =
                self.tasks.iter().filter(|task| task.datasource() == name).flat_map(|task| task.locks());
            let intervals =
                held.filter(|lock| !lock.revoked && lock.priority >= priority).map(|lock| lock.interval);
            let condensed: Vec<Value> = druid::interval::condense(intervals)
                .iter()
                .map(|interval| json!(interval.to_string()))
                .collect();
            if !condensed.is_empty() {
                by_datasource.insert(name, Value::Array(condensed));
            }
        }
        Response::json(200, &Value::Object(by_datasource))
    }

    pub(crate) fn workers(&self) -> Response {
        let running: Vec<&str> = self
            .tasks
            .iter()
            .filter(|task| matches!(task.state, State::Running { .. }))
            .map(|task| task.id.as_str())
            .collect();
        let body = json!([{
            "worker": { "scheme": "http", "host": "built-in:8091", "ip": "built-in", "capacity": self.slots, "version": "0", "category": "_default_worker_category" },
            "currCapacityUsed": running.len(), "currParallelIndexCapacityUsed": running.len(),
            "currCapacityUsedByTaskType": { "index_parallel": running.len() }, "blacklistedUntil": null,
            "availabilityGroups": running, "runningTasks": running, "lastCompletedTaskTime": self.clock.to_string(),
        }]);
        Response::json(200, &body)
    }

    /// The times of the first rows an input has here. Other columns are not made up.
    pub(crate) fn sample(&self, body: &str) -> Response {
        let task = Task::read(&Document::parse(body), &self.zones);
        let rows = match input::rows(&task, &self.metadata) {
            Ok(rows) => rows,
            Err(message) => return answers::refused(&message),
        };
        let times: Vec<_> = rows.splits.iter().flatten().take(500).collect();
        let data: Vec<Value> =
            times.iter().map(|time| json!({ "input": {}, "parsed": { "__time": time.ms() } })).collect();
        Response::json(200, &json!({ "numRowsRead": data.len(), "numRowsIndexed": data.len(), "data": data }))
    }
}

/// The filters of a lock question: datasource, least priority, intervals.
fn filters(body: &str) -> Vec<(String, i64, Vec<Interval>)> {
    let parsed: Vec<Value> = serde_json::from_str(body).unwrap_or_default();
    parsed
        .iter()
        .filter_map(|filter| {
            let name = filter.get("datasource")?.as_str()?.to_owned();
            let intervals = filter.get("intervals").and_then(Value::as_array).cloned().unwrap_or_default();
            let read = intervals.iter().filter_map(|text| Interval::parse(text.as_str()?).ok()).collect();
            Some((name, filter.get("priority").and_then(Value::as_i64).unwrap_or(0), read))
        })
        .collect()
}
