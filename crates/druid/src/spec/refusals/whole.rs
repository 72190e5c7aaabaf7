//! Rules about the task as a whole: that it is one, its id, its datasource, and what the task's own constructor
//! checks once its parts are built.

use crate::endpoint::Marks;
use crate::id::{IdTrouble, validate_id};
use crate::json::{Edit, Kind, Path, Trouble};
use crate::release::Release;

use super::super::{Batch, Body, Mode, TaskKind, is_stream};
use super::Look;

/// Task types of a Druid without extensions (live 33; the sub-task types are none that people post).
const KNOWN_TASKS: &[&str] = &[
    "archive",
    "index_sub",
    "move",
    "noop",
    "partial_dimension_cardinality",
    "partial_dimension_distribution",
    "partial_index_generate",
    "partial_index_generic_merge",
    "partial_range_index_generate",
    "restore",
    "single_phase_sub_task",
];

/// Types that extensions of Druid bring, beside those of streams.
const EXTENSION_TASKS: &[&str] = &["query_controller", "query_worker"];

/// What `DataSourcesResource` says to a mark call of neither or both, before [`Marks::REFUSED`].
const REFUSED_BEFORE_30: &str =
    "Invalid request payload, either interval or segmentIds array must be specified";

impl Look<'_> {
    pub(super) fn whole(&mut self) {
        let root = self.root();
        if let Some(broken) = self.task.document.unreadable() {
            let message = format!(
                "line {}, column {}: {}. Druid answers 500 with an error page",
                broken.line, broken.column, broken.message
            );
            self.keep(0, "not-json", None, &Path::root(), message).ours();
            return;
        }
        // Druid would not look at it; what is sent should be what was read all the same.
        let trailing = self.task.document.diagnostics().iter().find(|f| f.trouble == Trouble::Trailing);
        if let Some(rest) = trailing {
            let message = format!("line {}, column {}: {}", rest.line, rest.column, rest.message);
            self.keep(usize::MAX, "not-json", None, &Path::root(), message).ours();
        }
        let Some(node) = root.node else { return };
        let kind_at = root.get("type");
        match (&self.task.kind, node.kind()) {
            (_, Kind::Array) if node.children().next().is_none() => {
                let message = "Unexpected token (END_ARRAY), expected VALUE_STRING: need JSON String that \
                               contains type id (for subtype of org.apache.druid.indexing.common.task.Task)";
                self.keep(0, "no-task", None, &root.path, message.to_owned());
            }
            (_, kind) if kind != Kind::Object => {
                self.keep(0, "no-task", None, &root.path, "a task is an object { … }".to_owned()).ours();
            }
            (TaskKind::NotATask, _) if !kind_at.is_there() => {
                let message = "Could not resolve subtype of [simple type, class \
                               org.apache.druid.indexing.common.task.Task]: missing type id property 'type'";
                self.misread("no-type", &kind_at, message);
            }
            (TaskKind::Other(name), _)
                if !KNOWN_TASKS.contains(&name.as_str())
                    && !EXTENSION_TASKS.contains(&name.as_str())
                    && !is_stream(name) =>
            {
                let message = format!(
                    "Could not resolve type id '{name}' as a subtype of \
                     `org.apache.druid.indexing.common.task.Task`"
                );
                self.misread("unknown-task-type", &kind_at, message).ours();
            }
            (TaskKind::Hadoop, _) if self.release >= Release::major(37) => {
                let message = "Could not resolve type id 'index_hadoop' as a subtype of \
                               `org.apache.druid.indexing.common.task.Task`";
                self.misread("hadoop-gone", &kind_at, message).ours();
            }
            (TaskKind::MarkUsed | TaskKind::MarkUnused, _) => self.mark(),
            _ => {}
        }
        if !kind_at.is_there() && self.task.batch().is_some() {
            let name = self.task.kind.name().to_owned();
            let message = "Could not resolve subtype of [simple type, class \
                           org.apache.druid.indexing.common.task.Task]: missing type id property 'type'";
            let at = kind_at.path.clone();
            self.misread("no-type", &kind_at, message).fix_set(
                format!("Set type to {name}"),
                &at,
                crate::json::quote(&name),
            );
        }
        if matches!(
            self.task.kind,
            TaskKind::IndexParallel | TaskKind::Index | TaskKind::Compact | TaskKind::Kill
        ) {
            self.id();
        }
    }

    /// What the mark call of that name would be refused for; that there is no such task is not said here.
    fn mark(&mut self) {
        let Body::Mark(mark) = &self.task.body else { return };
        if mark.marks.is_none() {
            let (root, before) = (self.root(), self.release < Release::major(30));
            let at = ["segmentIds", "interval"].iter().map(|key| root.get(key)).find(|at| at.is_there());
            let words = if before { REFUSED_BEFORE_30 } else { Marks::REFUSED };
            self.misread("marks", &at.unwrap_or(root), words);
        }
    }

    fn id(&mut self) {
        let (root, class) = (self.root(), self.task_class());
        let at = root.get("id");
        if let Some(id) = self.task.id.as_deref().filter(|_| at.is_there())
            && let Err(trouble) = validate_id(id)
        {
            match (trouble.server_words("task ID", id), &trouble) {
                (Some(words), _) => {
                    self.refuse("id-characters", class, &root, &at.path, words);
                }
                (None, IdTrouble::TooLongForStore { .. }) => {
                    let words = format!("Encountered metadata exception for task [{id}]");
                    self.keep(usize::MAX, "id-too-long", None, &at.path, words);
                }
                (None, _) => {
                    let words = format!("the id would stop the cluster: {}", trouble.sentence());
                    self.keep(usize::MAX, "id-stalls", None, &at.path, words).ours();
                }
            }
        }
        let datasource = root.get("dataSource");
        if matches!(self.task.kind, TaskKind::Compact | TaskKind::Kill) {
            // What it is called is not looked at.
            if !datasource.is_there() {
                self.refuse("datasource", class, &root, &datasource.path, "dataSource");
            }
        }
    }

    /// What the constructors of `spec` and of the task check, in their order.
    pub(super) fn batch(&mut self, batch: &Batch) {
        let root = self.root();
        let spec = self.part(batch, &[]);
        if !root.get("spec").is_there() {
            let (read, by) = match batch.simple {
                true => (self.spec_class(), "getIOConfig"),
                false => (self.spec_class(), "getDataSchema"),
            };
            let message = format!("Cannot invoke \"{read}.{by}()\" because \"ingestionSchema\" is null");
            let class = self.task_class();
            self.refuse("no-spec", class, &root, &Path::keys(&["spec"]), message);
            if !spec.get("dataSchema").is_there() {
                return; // nothing more to look at
            }
        }
        self.formats(batch);
        // IndexTask looks at the mode when its spec is built, the parallel task when it is built itself.
        let (class, object) =
            if batch.simple { (self.spec_class(), spec) } else { (self.task_class(), root) };
        let io = |key: &str| batch.path(&["ioConfig", key]);
        let tuning = |key: &str| batch.path(&["tuningConfig", key]);
        if batch.append_to_existing && batch.drop_existing {
            let message = "Cannot simultaneously replace and append to existing segments. Either dropExisting \
                           or appendToExisting should be set to false";
            self.refuse("append-and-drop", class, &object, &io("dropExisting"), message)
                .fix_set("Replace: turn appendToExisting off", &io("appendToExisting"), "false")
                .fix_set("Append: turn dropExisting off", &io("dropExisting"), "false");
        }
        let has_intervals = batch.granularity.intervals.iter().any(|interval| !interval.is_empty())
            // Such a text is refused for itself.
            || batch.granularity.interval_texts.len() > batch.granularity.intervals.len();
        if batch.mode == Mode::Replace && !has_intervals {
            let message = if batch.simple {
                "GranularitySpec's intervals cannot be empty for replace."
            } else {
                "GranularitySpec's intervals cannot be empty when using replace."
            };
            let intervals = batch.path(&["dataSchema", "granularitySpec", "intervals"]);
            self.refuse("drop-without-intervals", class, &object, &intervals, message).fix_set(
                "Overwrite only chunks that get rows: turn dropExisting off",
                &io("dropExisting"),
                "false",
            );
        }
        if batch.simple {
            return;
        }
        if batch.mode == Mode::Append && batch.force_guaranteed_rollup {
            let message = "Perfect rollup cannot be guaranteed when appending to existing dataSources";
            self.refuse(
                "append-and-perfect-rollup",
                class,
                &object,
                &tuning("forceGuaranteedRollup"),
                message,
            )
            .fix(
                "Append with dynamic partitions",
                vec![
                    Edit::Set(tuning("forceGuaranteedRollup"), "false".to_owned()),
                    Edit::Set(tuning("partitionsSpec"), "{\"type\":\"dynamic\"}".to_owned()),
                ],
            );
        }
        // A firehose does until 31 (a34a06e192).
        let io_has = |key: &str| self.part(batch, &["ioConfig", key]).is_there();
        let fed = io_has("inputSource") || io_has("firehose") && self.release < Release::major(31);
        if !fed && self.release < Release::major(37) {
            self.refuse("no-input-source", class, &object, &io("inputSource"), "inputSource");
        }
    }
}
