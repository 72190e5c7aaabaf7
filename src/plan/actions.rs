//! What a person does on the Plan page: edits, undo, reading again, choosing, importing, confirming.

use super::{
    state::{PlanPage, Said},
    words,
};
use crate::{cluster, kit::Tone, timeline::Shared};
use backfill::{
    check::{Finding, Verdict},
    plan::{Basis, Input, Plan, Says},
};
use druid::{
    interval::{Instant, Interval},
    json::{Edit, Path, quote},
    spec::{Body, TaskKind},
};
use leptos::prelude::*;

impl PlanPage {
    /// Changes the document in some places. Changes of one gesture that follow each other are one step of undo.
    pub fn edit(self, gesture: &str, edits: Vec<Edit>) {
        self.mark("foreshadow:edit");
        let refused = self.plan.try_update(|plan| plan.edit(gesture, &edits)).and_then(Result::err);
        if let Some(refused) = refused {
            self.say(
                Tone::Warn,
                format!("That cannot be changed by the form: {refused}. Mend it in the JSON tab."),
            );
        }
    }

    /// Takes the whole text as it was typed in the JSON tab.
    pub fn type_text(self, text: &str) {
        self.mark("foreshadow:edit");
        self.plan.update(|plan| plan.type_text("typing", text));
    }

    /// Takes another text in place of the document, as one step.
    pub fn import(self, text: String) {
        self.mark("foreshadow:edit");
        self.plan.update(|plan| plan.import(&text));
        self.say(Tone::Plain, format!("Imported. {}", self.task.with_untracked(|task| task.what_it_is())));
    }

    /// Brings the task to the form of today, as one step.
    pub(super) fn take_upgrade(self, edits: &[Edit]) {
        self.mark("foreshadow:edit");
        match self.plan.try_update(|plan| plan.upgrade(edits)).and_then(Result::err) {
            Some(refused) => self.say(Tone::Warn, format!("That cannot be changed: {refused}.")),
            None => self.say(
                Tone::Plain,
                format!("Upgraded. {}", self.task.with_untracked(|task| task.what_it_is())),
            ),
        }
    }

    /// Takes back the last step.
    pub fn undo(self) {
        self.mark("foreshadow:edit");
        self.plan.update(|plan| {
            plan.undo();
        });
    }

    /// Does the last step again.
    pub fn redo(self) {
        self.mark("foreshadow:edit");
        self.plan.update(|plan| {
            plan.redo();
        });
    }

    /// What undo would take back.
    pub fn undo_label(self) -> Option<String> {
        self.plan.with(|plan| plan.can_undo().map(str::to_owned))
    }

    /// What redo would do again.
    pub fn redo_label(self) -> Option<String> {
        self.plan.with(|plan| plan.can_redo().map(str::to_owned))
    }

    /// Says yes to a warning, or takes it back.
    pub fn confirm(self, finding: &Finding, yes: bool) {
        let (check, saw) = (finding.check, finding.saw);
        self.plan.update(|plan| if yes { plan.confirm(check, saw) } else { plan.withdraw(check, saw) });
    }

    /// Whether a warning has its yes.
    pub fn is_confirmed(self, finding: &Finding) -> bool {
        self.plan.with(|plan| plan.is_confirmed(finding.check, finding.saw))
    }

    /// Warnings without a yes.
    pub fn unconfirmed(self) -> Vec<Finding> {
        self.findings.with(|all| {
            all.iter()
                .filter(|finding| finding.verdict == Verdict::Warn && !self.is_confirmed(finding))
                .cloned()
                .collect()
        })
    }

    /// Says what is known of the input where nothing is painted.
    pub fn set_basis(self, basis: Basis) {
        self.mark("foreshadow:edit");
        self.plan.update(|plan| plan.set_basis(basis));
    }

    /// Paints a stretch of the input.
    pub fn paint(self, interval: Interval, says: Says) {
        self.mark("foreshadow:edit");
        self.plan.update(|plan| plan.paint("", interval, says));
    }

    /// Takes all paint away.
    pub fn clear_paint(self) {
        self.mark("foreshadow:edit");
        self.plan.update(Plan::clear_paint);
    }

    /// Ends a gesture: the next edit is a step of its own.
    pub fn end_gesture(self) {
        self.plan.update_untracked(Plan::end_gesture);
    }

    /// What the user said of the input.
    pub fn input(self) -> Input {
        self.plan.with(|plan| plan.input().clone())
    }

    /// Names another datasource in the spec, wherever this kind of task names it.
    pub fn choose_datasource(self, name: &str) {
        let path = self.task.with_untracked(|task| match (&task.body, &task.kind) {
            (Body::Batch(batch), _) => batch.path(&["dataSchema", "dataSource"]),
            (_, TaskKind::Supervisor(kind)) if kind != "autocompact" => {
                Path::keys(&["spec", "dataSchema", "dataSource"])
            }
            (_, TaskKind::Supervisor(_)) => Path::keys(&["spec", "dataSource"]),
            _ => Path::keys(&["dataSource"]),
        });
        self.edit("datasource", vec![Edit::Set(path, quote(name))]);
    }

    /// Sets the intervals, from the picture.
    pub fn set_interval(self, at: usize, (start, end): (i64, i64)) {
        let Some(interval) = Interval::new(Instant::from_ms(start), Instant::from_ms(end)) else { return };
        let mut texts = self.task.with_untracked(|task| {
            task.batch().map(|batch| batch.granularity.interval_texts.clone()).unwrap_or_default()
        });
        match texts.get_mut(at) {
            Some(text) => *text = interval.short(),
            None => texts.push(interval.short()),
        }
        let list: Vec<String> = texts.iter().map(|text| quote(text)).collect();
        let path = self.path(&["dataSchema", "granularitySpec", "intervals"]);
        self.edit("interval", vec![Edit::Set(path, format!("[{}]", list.join(", ")))]);
    }

    /// An interval rounded out to the chunks it touches.
    pub fn snapped(self, (start, end): (i64, i64)) -> (i64, i64) {
        // A click is a millisecond long.
        let end = end.max(start.saturating_add(1));
        let interval = Interval { start: Instant::from_ms(start), end: Instant::from_ms(end) };
        self.drawn.with_untracked(|drawn| {
            let granularity = drawn.forecast.as_ref().and_then(|forecast| forecast.granularity.as_ref());
            let whole = granularity.and_then(|granularity| granularity.cover(interval));
            whole.map_or((start, end), |whole| (whole.start.ms(), whole.end.ms()))
        })
    }

    /// Reads segments, locks and tasks again. What was read before stays until the new is there.
    pub fn refresh(self) {
        let datasource = self.task.with_untracked(|task| task.datasource.clone().unwrap_or_default());
        self.reading.set(true);
        self.look_around();
        leptos::task::spawn_local(async move {
            let names = async {
                match cluster::datasources().await {
                    Ok(names) => self.datasources.set(names),
                    Err(trouble) => self.trouble.set(Some(trouble)),
                }
            };
            if datasource.is_empty() {
                names.await;
                self.snapshot.set(None);
                self.reading.set(false);
                return;
            }
            let (read, traffic, ()) =
                futures::join!(cluster::snapshot(&datasource), cluster::traffic(&datasource), names);
            // The datasource may have been changed while this was on its way: a late answer is not for it.
            if self.task.with_untracked(|task| task.datasource.as_deref() != Some(datasource.as_str())) {
                return;
            }
            self.reading.set(false);
            match (read, traffic) {
                (Ok(read), Ok(traffic)) => {
                    self.trouble.set(None);
                    self.traffic.set(Shared::new(traffic));
                    self.snapshot.set(Some(Shared::new(read)));
                    self.mark("foreshadow:read");
                }
                (Err(trouble), _) | (_, Err(trouble)) => self.trouble.set(Some(trouble)),
            }
        });
    }

    /// Reads what there is around the datasource, beside everything else: the picture does not wait for it. Which release
    /// answers has to be known first.
    pub(super) fn look_around(self) {
        let about = self.connection.about;
        let release = about.with_untracked(|about| about.as_ref().and_then(cluster::About::release));
        let (datasource, unused) = self.task.with_untracked(|task| {
            (task.datasource.clone().unwrap_or_default(), druid::ingest::wants_unused(task))
        });
        let Some(release) = release.filter(|_| !datasource.is_empty()) else { return };
        leptos::task::spawn_local(async move {
            let around = cluster::around(&datasource, release, unused).await;
            // The datasource may have been changed while this was on its way.
            if self.task.with_untracked(|task| task.datasource.as_deref() == Some(datasource.as_str())) {
                self.around.set(Shared::new(around));
            }
        });
    }

    /// Says something at the top of the page.
    pub fn say(self, tone: Tone, text: String) {
        self.said.set(Some(Said { tone, text }));
    }

    /// How old the reading is, ms; none where nothing was read.
    pub fn age_ms(self) -> Option<i64> {
        self.tick.track();
        let read_ms = self.snapshot.get()?.read_ms;
        Some((cluster::browser_now() - read_ms).max(0))
    }

    /// The server's clock now.
    pub fn server_now(self) -> Instant {
        self.connection.server_now()
    }

    /// A path below the part of the spec that holds `dataSchema`, `ioConfig` and `tuningConfig`.
    pub fn path(self, keys: &[&str]) -> Path {
        self.task.with(|task| match task.batch() {
            Some(batch) => batch.path(keys),
            None => Path::keys(&["spec"]).join_all(&Path::keys(keys)),
        })
    }

    /// The text at a path below the spec; numbers and the like as they are written.
    pub fn text(self, keys: &'static [&'static str]) -> Signal<String> {
        self.text_at(move || self.path(keys))
    }

    /// Whether there is something at a path below the spec.
    pub fn has(self, keys: &[&str]) -> bool {
        let path = self.path(keys);
        self.document.with(|document| document.get(&path).is_some())
    }

    /// The text at a path.
    pub fn text_at(self, path: impl Fn() -> Path + Send + Sync + 'static) -> Signal<String> {
        Signal::derive(move || {
            let path = path();
            self.document.with(|document| match document.get(&path) {
                Some(node) if node.is_null() => String::new(),
                Some(node) => node.as_str().map_or_else(|| node.text().to_owned(), |text| text.into_owned()),
                None => String::new(),
            })
        })
    }

    /// The datasource the spec names; empty where it names none.
    pub fn datasource(self) -> String {
        self.task.with(|task| task.datasource.clone().unwrap_or_default())
    }

    /// The first interval as typed.
    pub fn first_interval(self) -> String {
        self.task.with_untracked(|task| {
            task.batch()
                .and_then(|batch| batch.granularity.interval_texts.first().cloned())
                .unwrap_or_default()
        })
    }

    /// What the run works on beyond what was typed.
    pub fn widened(self) -> Vec<Interval> {
        self.drawn.with(|drawn| {
            drawn.forecast.as_ref().map(|forecast| forecast.widened.clone()).unwrap_or_default()
        })
    }

    /// One line about the datasource: "61 days · 1,214 segments · 48.2 M rows".
    pub fn facts(self) -> String {
        let Some(read) = self.snapshot.get() else { return String::new() };
        if read.segments.is_empty() {
            return "new: no segments yet".to_owned();
        }
        let rows: u64 = read.segments.iter().filter_map(|segment| segment.rows).sum();
        let versions = read.segments.versions().count() as u64;
        let mut facts = vec![words::several(read.segments.len() as u64, "segment")];
        if rows > 0 {
            facts.push(format!("{} rows", words::short_count(rows)));
        }
        facts.push(words::several(versions, "version"));
        facts.join(" · ")
    }

    /// One line about the forecast: how long it took, and how sure it is.
    pub fn certainty(self) -> String {
        self.drawn.with(|drawn| {
            let Some(forecast) = &drawn.forecast else { return "no forecast".to_owned() };
            let sure = match forecast.worlds.as_slice() {
                [] => "nothing can be foreseen of this task",
                [only] if only.is_certain() => "certain",
                [_] => "either / or where the input is not known",
                _ => "several ways it can go: the input decides",
            };
            format!("forecast in {:.1} ms · {sure}", drawn.took_ms)
        })
    }

    fn mark(self, name: &str) {
        if let Some(clock) = window().performance() {
            let _ = clock.mark(name);
        }
    }
}
