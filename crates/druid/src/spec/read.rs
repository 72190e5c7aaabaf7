//! From a document to a [`Task`]: which kind it is, and the parts all kinds share.

use std::collections::BTreeSet;

use crate::json::{Document, Edit, Kind, Node, Path, Severity};
use crate::order::Order as _;
use crate::zone::Zones;

use super::task::{Body, Context, Fix, Flag, Task, TaskKind, TaskLockType};
use super::values::{At, Reader};

/// Supervisor types of Druid and its core extensions.
const SUPERVISORS: &[&str] = &[
    "kafka",
    "kinesis",
    "rabbit",
    "autocompact",
    "scheduled_batch",
    "materialized_view",
    "NoopSupervisorSpec",
];

impl Task {
    /// Reads a task. Never fails: see [`Task::problems`].
    #[must_use]
    pub fn read(document: &Document, zones: &dyn Zones) -> Task {
        let mut reader = Reader { document, zones, problems: Vec::new() };
        let root = At::root(document);
        let kind = reader.kind(&root);
        let id = reader.text(&root.get("id"));
        let group_id = reader.text(&root.get("groupId"));
        reader.misplaced_id(&root, id.is_some());
        let context = reader.context(&root.get("context"), &kind);
        let (body, datasource) = match &kind {
            TaskKind::IndexParallel | TaskKind::Index => {
                let base = reader.base(&root);
                let batch = reader.batch(&base, kind == TaskKind::Index);
                (Body::Batch(batch), reader.text(&base.down(&["dataSchema", "dataSource"])))
            }
            TaskKind::Compact => (Body::Compact(reader.compact(&root)), reader.text(&root.get("dataSource"))),
            TaskKind::Kill => (Body::Kill(reader.kill(&root)), reader.text(&root.get("dataSource"))),
            TaskKind::MarkUsed | TaskKind::MarkUnused => {
                let mark = reader.mark(&root, kind == TaskKind::MarkUsed);
                (Body::Mark(mark), reader.text(&root.get("dataSource")))
            }
            TaskKind::Supervisor(name) => {
                let base = supervisor_base(&root);
                let datasource = [base.down(&["dataSchema", "dataSource"]), base.get("dataSource")]
                    .iter()
                    .find_map(|at| reader.text(at));
                (Body::Supervisor(reader.supervisor(name, &root, &base)), datasource)
            }
            TaskKind::Hadoop | TaskKind::MsqController | TaskKind::Other(_) | TaskKind::NotATask => {
                let places = [
                    root.down(&["spec", "dataSchema", "dataSource"]),
                    root.down(&["dataSchema", "dataSource"]),
                    root.down(&["spec", "destination", "dataSource"]),
                    root.down(&["destination", "dataSource"]),
                    root.get("dataSource"),
                ];
                (Body::Other, places.iter().find_map(|at| at.peek_text()).map(|name| name.into_owned()))
            }
        };
        reader.placeholders(document);
        let mut problems = reader.problems;
        problems.order_by_key(|problem| problem.span.start);
        Task { document: document.clone(), kind, id, group_id, datasource, body, context, problems }
    }

    /// One sentence for people: what this is, and what can be done with it here.
    #[must_use]
    pub fn what_it_is(&self) -> String {
        let of = self.datasource.as_ref().map(|name| format!(" of {name}")).unwrap_or_default();
        match &self.kind {
            TaskKind::IndexParallel => format!("A native batch task{of}."),
            TaskKind::Index => format!("A native batch task{of} that runs in one process."),
            TaskKind::Compact => format!("A compaction{of}: it rewrites what is there."),
            TaskKind::Kill => format!("A kill task{of}: it deletes unused segments for good."),
            TaskKind::MarkUsed => format!("A call that marks unused segments{of} used again: no task."),
            TaskKind::MarkUnused => format!("A call that marks segments{of} unused: no task."),
            TaskKind::Supervisor(kind) if kind == "autocompact" => {
                format!(
                    "An automatic compaction{of}: it goes on compacting, there is no single run to foresee."
                )
            }
            TaskKind::Supervisor(kind) => {
                format!("A {kind} supervisor{of}: it goes on loading, there is no single run to foresee.")
            }
            TaskKind::Hadoop => format!(
                "A Hadoop batch task{of}. Druid has no Hadoop ingestion any more since 37; it can be upgraded to a \
                 native batch task."
            ),
            TaskKind::MsqController => format!(
                "The inner plan of an SQL task{of}, as the server keeps it. It is started by its SQL statement, \
                 not by sending this."
            ),
            TaskKind::Other(kind) => {
                format!("A task of type {kind}{of}. What it does is not known here; it is kept as it is.")
            }
            TaskKind::NotATask => "No ingestion task. It is kept as it is.".to_owned(),
        }
    }
}

/// The part of a supervisor spec that holds the schemas: `spec`, or the root in the older flat form.
fn supervisor_base<'d>(root: &At<'d>) -> At<'d> {
    let spec = root.get("spec");
    if spec.is(Kind::Object) { spec } else { root.clone() }
}

/// The Java class that a value arrives as in a task context.
fn java_class(node: Node<'_>) -> &'static str {
    match node.kind() {
        Kind::String => "java.lang.String",
        Kind::Number if node.as_i64().is_some_and(|n| i32::try_from(n).is_ok()) => "java.lang.Integer",
        Kind::Number if node.as_i64().is_some() => "java.lang.Long",
        Kind::Number => "java.lang.Double",
        Kind::Array => "java.util.ArrayList",
        _ => "java.util.LinkedHashMap",
    }
}

impl Reader<'_> {
    fn kind(&mut self, root: &At<'_>) -> TaskKind {
        let Some(node) = root.node else { return TaskKind::NotATask };
        if node.kind() == Kind::Array {
            let count = node.items().count();
            let message = format!("this is a list of {count}: Druid takes one task at a time, as an object");
            let is_realtime = node.items().any(|item| {
                item.get("ioConfig").and_then(|io| io.get("type")).is_some_and(|t| t.text() == "\"realtime\"")
            });
            self.say("no-task", root, Severity::Error, message).remedy = is_realtime.then(|| {
                "specs of realtime nodes are of Druid before 0.16; a supervisor does that today".to_owned()
            });
            return TaskKind::NotATask;
        }
        if node.kind() != Kind::Object {
            self.say("no-task", root, Severity::Error, "a task is an object { … }");
            return TaskKind::NotATask;
        }
        let at = root.get("type");
        let given = self.text(&at);
        let Some(name) = given.as_deref() else { return self.kind_without_type(root) };
        match name {
            "index_parallel" => TaskKind::IndexParallel,
            "index" => TaskKind::Index,
            "compact" => TaskKind::Compact,
            "kill" => TaskKind::Kill,
            "mark_used" => TaskKind::MarkUsed,
            "mark_unused" => TaskKind::MarkUnused,
            "index_hadoop" => {
                let message = "Druid has no Hadoop ingestion since 37, and before needs an extension for it";
                self.say("hadoop", &at, Severity::Warning, message).remedy =
                    Some("it can be upgraded to a native batch task (index_parallel)".to_owned());
                TaskKind::Hadoop
            }
            "query_controller" => TaskKind::MsqController,
            _ if SUPERVISORS.contains(&name) => TaskKind::Supervisor(name.to_owned()),
            _ => TaskKind::Other(name.to_owned()),
        }
    }

    /// What a spec without `type` is, from what it holds.
    fn kind_without_type(&mut self, root: &At<'_>) -> TaskKind {
        if ["query", "columnMappings", "destination"].iter().all(|key| root.get(key).is_there()) {
            return TaskKind::MsqController;
        }
        let guess = [root.down(&["spec", "ioConfig", "type"]), root.down(&["ioConfig", "type"])]
            .iter()
            .find_map(|at| at.peek_text().map(|name| name.into_owned()));
        let kind = match guess.as_deref() {
            Some("index_parallel") => TaskKind::IndexParallel,
            Some("index") => TaskKind::Index,
            Some(name) if SUPERVISORS.contains(&name) => TaskKind::Supervisor(name.to_owned()),
            _ => TaskKind::NotATask,
        };
        let at = root.get("type");
        let name = guess.filter(|_| kind != TaskKind::NotATask);
        let problem =
            self.say("no-type", &at, Severity::Error, "there is no type: Druid cannot tell what this is");
        problem.remedy = Some("put \"type\": \"index_parallel\" at the top".to_owned());
        problem.fix =
            name.map(|name| Fix::set(format!("Set type to {name}"), &at.path, crate::json::quote(&name)));
        kind
    }

    /// Where `dataSchema`, `ioConfig` and `tuningConfig` of a batch task stand.
    fn base<'d>(&mut self, root: &At<'d>) -> At<'d> {
        const PARTS: [&str; 3] = ["dataSchema", "ioConfig", "tuningConfig"];
        let spec = root.get("spec");
        let is_flat = !spec.is_there() && PARTS.iter().any(|key| root.get(key).is_there());
        if !is_flat {
            return spec;
        }
        let message =
            "dataSchema, ioConfig and tuningConfig belong inside \"spec\": Druid refuses the flat form";
        self.say("flat-spec", &spec, Severity::Error, message).remedy =
            Some("it can be upgraded: id and context stay where they are".to_owned());
        root.clone()
    }

    fn misplaced_id(&mut self, root: &At<'_>, has_one: bool) {
        let inside = root.down(&["spec", "id"]);
        let Some(text) = inside.peek_text() else { return };
        let message = "an id inside spec is not read: the server would make one up";
        let mut edits = vec![Edit::Remove(inside.path.clone())];
        if !has_one {
            edits.push(Edit::Set(Path::keys(&["id"]), crate::json::quote(&text)));
        }
        let problem = self.say(
            "id-in-spec",
            &inside,
            Severity::Warning,
            if has_one { "an id inside spec is not read" } else { message },
        );
        problem.remedy = Some("it belongs at the top level, beside type".to_owned());
        problem.fix = Some(Fix { label: "Move it to the top level".to_owned(), edits });
    }

    fn context(&mut self, at: &At<'_>, kind: &TaskKind) -> Context {
        let Some(node) = at.node else { return Context::default() };
        if node.kind() != Kind::Object {
            self.say("wrong-kind", at, Severity::Error, "context is an object { … }");
            return Context::default();
        }
        let raw = node.members().map(|(key, value)| (key.into_owned(), value.value().to_string())).collect();
        let mut context = Context { raw, ..Context::default() };
        context.priority = self.whole(&at.get("priority"));
        context.use_concurrent_locks = self.use_concurrent_locks(&at.get("useConcurrentLocks"));
        context.task_lock_type = self.lock_type(&at.get("taskLockType"));
        context.use_shared_lock = self.unchecked_flag(&at.get("useSharedLock"));
        context.force_time_chunk_lock = self.unchecked_flag(&at.get("forceTimeChunkLock"));
        if matches!(kind, TaskKind::IndexParallel | TaskKind::Index | TaskKind::Compact) {
            self.lock_words(at, &context);
        }
        context
    }

    /// Batch takes the text `"true"` as well; any other text is silently false (`QueryContexts.getAsBoolean`).
    fn use_concurrent_locks(&mut self, at: &At<'_>) -> bool {
        let Some(node) = at.node else { return false };
        let on = node
            .as_bool()
            .unwrap_or_else(|| node.as_str().is_some_and(|text| text.trim().eq_ignore_ascii_case("true")));
        if node.as_bool().is_none() {
            let message =
                if on { "taken as true by batch tasks; streams fail on it" } else { "taken as false" };
            let problem =
                self.say("text-for-flag", at, Severity::Warning, format!("{} is {message}", node.text()));
            problem.remedy = Some("write true or false without quotes".to_owned());
            problem.fix = Some(Fix::set(format!("Write {on}"), &at.path, on.to_string()));
        }
        on
    }

    fn unchecked_flag(&mut self, at: &At<'_>) -> Option<Flag> {
        let node = at.node?;
        Some(node.as_bool().map_or_else(|| Flag::NotABoolean(java_class(node)), Flag::Is))
    }

    fn lock_type(&mut self, at: &At<'_>) -> Option<TaskLockType> {
        let text = self.text(at)?;
        Some(match text.to_ascii_uppercase().as_str() {
            "EXCLUSIVE" => TaskLockType::Exclusive,
            "SHARED" => TaskLockType::Shared,
            "APPEND" => TaskLockType::Append,
            "REPLACE" => TaskLockType::Replace,
            _ => TaskLockType::Unknown(text),
        })
    }

    /// What `AbstractBatchIndexTask.determineLockType` makes of odd values, when it comes to look at them.
    fn lock_words(&mut self, at: &At<'_>, context: &Context) {
        let switches = [
            ("useSharedLock", &context.use_shared_lock),
            ("forceTimeChunkLock", &context.force_time_chunk_lock),
        ];
        for (key, flag) in switches {
            let Some(Flag::NotABoolean(class)) = flag else { continue };
            let place = at.get(key);
            // useSharedLock is only looked at when nothing else decides.
            let read = key == "forceTimeChunkLock"
                || !context.use_concurrent_locks && context.task_lock_type.is_none();
            let (severity, message) = if read {
                (
                    Severity::Error,
                    format!("{key} must be true or false without quotes: the task fails on a {class}"),
                )
            } else {
                (Severity::Warning, format!("{key} is not read here, and would fail the task if it were"))
            };
            let on = place.peek_text().is_some_and(|text| text.trim().eq_ignore_ascii_case("true"));
            let problem = self.say("text-for-flag", &place, severity, message);
            problem.fix = Some(Fix::set(format!("Write {on}"), &place.path, on.to_string()));
        }
        if let Some(TaskLockType::Unknown(text)) = &context.task_lock_type
            && !context.use_concurrent_locks
        {
            let message = format!("{text} is no lock type: the task is accepted and fails");
            self.say("lock-type", &at.get("taskLockType"), Severity::Error, message).remedy =
                Some("EXCLUSIVE, SHARED, REPLACE or APPEND; or rather useConcurrentLocks: true".to_owned());
        }
    }

    /// Templates that nobody filled in, inside texts.
    fn placeholders(&mut self, document: &Document) {
        let told: BTreeSet<Path> = self.problems.iter().map(|problem| problem.path.clone()).collect();
        let mut rest: Vec<At<'_>> = vec![At::root(document)];
        while let Some(at) = rest.pop() {
            let Some(node) = at.node else { continue };
            match node.kind() {
                Kind::Object => rest.extend(
                    node.members()
                        // Rows, code and queries may hold such signs for good reasons.
                        .filter(|(key, _)| {
                            !matches!(&**key, "data" | "expression" | "expr" | "sqls" | "function" | "query")
                        })
                        .map(|(key, node)| At { node: Some(node), path: at.path.join(key.into_owned()) }),
                ),
                Kind::Array => rest.extend(at.items()),
                // A text that long is no template: rows, code, a certificate.
                Kind::String if node.text().len() < 4096 => {
                    let text = node.as_str().unwrap_or_default();
                    if let Some(name) = crate::json::placeholder_in(&text)
                        && !told.contains(&at.path)
                    {
                        let message = format!("{name} is a placeholder that nobody filled in");
                        self.say("placeholder", &at, Severity::Error, message).remedy =
                            Some("put the value in its place before it is sent".to_owned());
                    }
                }
                _ => {}
            }
        }
    }
}
