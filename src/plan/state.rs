//! The state of the Plan page: one plan, what was read of the cluster, and everything that follows from both.
//!
//! What always holds: there is one way from an edit to the picture (plan → task → forecast → findings → scene), taken
//! whole at every keystroke; what was read is kept while it is read again; a stale picture says how old it is.

use super::{
    desk::{self, Desk},
    draft::{self, Draft},
    identity::{content_of, id_of, version_of},
    known::known,
    scene::{Picture, Show, picture},
    words,
};
use crate::{
    cluster::{self, Around, Connection, LoadedZones, Snapshot, Traffic},
    kit::Tone,
    part::Part,
    route::{Address, Page, Route},
    submit::Sending,
    timeline::{Scene, Shared},
};
use backfill::{
    check::{self, AutoCompaction, Finding, Surroundings},
    forecast::{Forecast, Question, Running, World, forecast},
    plan::{Plan, SpecVersion},
    retry::Policy,
};
use druid::{
    answer::Runner,
    interval::Instant,
    json::{Document, Path},
    release::Release,
    spec::Task,
    timeline::Timeline,
};
use leptos::prelude::*;

/// A forecast and what it was made from.
#[derive(Debug)]
pub struct Drawn {
    /// What the run would do; none where Druid itself refuses the set of segments.
    pub forecast: Option<Forecast>,
    /// The findings.
    pub findings: Vec<Finding>,
    /// How long it took, ms.
    pub took_ms: f64,
}

/// Something said at the top of the page until it is closed.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// How serious.
    pub tone: Tone,
    /// What.
    pub text: String,
}

/// The page's state. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub struct PlanPage {
    pub(super) plan: RwSignal<Plan>,
    pub(super) connection: Connection,
    address: Address,
    /// The spec.
    pub document: Memo<Document>,
    /// The spec, read.
    pub task: Memo<Shared<Task>>,
    /// The datasources of the cluster.
    pub datasources: RwSignal<Vec<String>>,
    /// The segments last read, of the datasource now chosen.
    pub snapshot: RwSignal<Option<Shared<Snapshot>>>,
    /// Locks and tasks last read.
    pub traffic: RwSignal<Shared<Traffic>>,
    /// The cluster around the datasource, as last read.
    pub around: RwSignal<Shared<Around>>,
    /// Whether a reading is under way.
    pub reading: RwSignal<bool>,
    /// Why the last reading failed.
    pub trouble: RwSignal<Option<String>>,
    /// Forecast and findings.
    pub drawn: Memo<Shared<Drawn>>,
    /// The findings alone.
    pub findings: Memo<Shared<Vec<Finding>>>,
    /// Which of the forecast's worlds is looked at; the worst where none was chosen.
    pub world: RwSignal<Option<usize>>,
    /// Now, After or Difference.
    pub show: RwSignal<Show>,
    /// The stretch of time in view, ms; none while it follows the run.
    pub range: RwSignal<Option<(i64, i64)>>,
    /// What is drawn, and what its bars stand for.
    pub picture: Memo<Shared<Picture>>,
    /// What is drawn.
    pub scene: Signal<Shared<Scene>>,
    /// The bar whose story is told.
    pub picked: RwSignal<Option<u32>>,
    /// Messages.
    pub said: RwSignal<Option<Said>>,
    /// Counts up once a second while a reading's age is shown.
    pub(super) tick: RwSignal<u32>,
    /// What is loaded when needed.
    pub(super) desk: Part<Desk>,
    /// How it stands with what is kept of the plan.
    pub draft: Draft,
    /// The way to sending.
    pub sending: Sending,
    /// Whether Submit was pressed and is not answered yet.
    pub pressed: RwSignal<bool>,
    /// How patiently a submit is tried again.
    pub policy: RwSignal<Policy>,
    /// The content that this page sent last.
    pub sent: RwSignal<Option<String>>,
}

/// The release whose rules are taken until the cluster has said which it is.
const ASSUMED: Release = Release::major(33);

/// An empty timeline to draw on while nothing has been read.
fn nothing(datasource: &str) -> Option<Timeline> {
    Timeline::build(&druid::segment::SegmentSet::new(datasource)).ok()
}

impl PlanPage {
    /// Looks at the timeline that was last read, if it is of the spec's datasource.
    pub fn with_timeline<R>(self, look: impl FnOnce(Option<&Timeline>) -> R) -> R {
        let datasource = self.datasource();
        let read = self.snapshot.get().filter(|read| read.datasource == datasource);
        look(read.as_ref().and_then(|read| read.timeline.as_ref().ok()))
    }

    /// Opens the page on the plan it was left with, or on the first example.
    pub fn open(connection: Connection, address: Address, sending: Sending) -> Self {
        let zones = LoadedZones::new();
        let plan = RwSignal::new(Plan::new(druid::spec::example()));
        let document = Memo::new(move |_| plan.with(|plan| plan.document().clone()));
        let task = Memo::new(move |_| Shared::new(document.with(|document| Task::read(document, &zones))));
        let snapshot = RwSignal::new(None::<Shared<Snapshot>>);
        let traffic = RwSignal::new(Shared::new(Traffic::default()));
        let input = Memo::new(move |_| plan.with(|plan| plan.input().clone()));
        let version = Memo::new(move |_| plan.with(version_of));
        let derived = Memo::new(move |_| plan.with(|plan| *plan.version() == SpecVersion::Derived));
        let around = RwSignal::new(Shared::new(Around::default()));
        let about = connection.about;
        let drawn = Memo::new(move |_| {
            let started = now_ms();
            let release =
                about.with(|about| about.as_ref().and_then(cluster::About::release)).unwrap_or(ASSUMED);
            let mut drawn = Drawn { forecast: None, findings: Vec::new(), took_ms: 0.0 };
            let task = task.get();
            let datasource = task.datasource.clone().unwrap_or_default();
            let read = snapshot.get().filter(|read| read.datasource == datasource);
            let bare = if read.is_none() { nothing(&datasource) } else { None };
            let timeline = match &read {
                Some(read) => read.timeline.as_ref().ok(),
                None => bare.as_ref(),
            };
            let traffic = traffic_of(traffic, &datasource);
            let running = running(&traffic);
            if let Some(timeline) = timeline {
                let known = known(&input.read(), &task);
                let around = around_of(around, &datasource);
                let id = version.with(|version| id_of(&task, version)).ok();
                let question = Question {
                    segments: timeline.segments(),
                    timeline,
                    task: &task,
                    known: &known,
                    release,
                    now: connection.server_now(),
                    locks: &traffic.locks,
                    running: &running,
                    unused: around.unused.as_deref(),
                    id: id.as_ref(),
                };
                let made = forecast(&question);
                let content = || document.with(|document| content_of(document).ok());
                let around = Surroundings {
                    id_taken: id.as_ref().and_then(|made| sending.sent_otherwise(&made.id, content)).map(
                        |at_ms| {
                            let minute = Instant::from_ms(at_ms - at_ms.rem_euclid(60_000));
                            format!("It was sent from this browser on {} UTC.", words::when(minute, None))
                        },
                    ),
                    left_out_of_id: derived.get().then(|| vec![Path::keys(&["id"])]),
                    ..surroundings(&around, &zones)
                };
                drawn.findings = check::findings_among(&question, &made, &around);
                drawn.forecast = Some(made);
            }
            drawn.took_ms = now_ms() - started;
            Shared::new(drawn)
        });
        let findings = Memo::new(move |_| Shared::new(drawn.with(|drawn| drawn.findings.clone())));
        let world = RwSignal::new(None);
        let show = RwSignal::new(
            Show::parse(address.get_untracked().get("view").unwrap_or_default()).unwrap_or_default(),
        );
        let picture_now = Memo::new(move |_| {
            let drawn = drawn.get();
            let chosen = drawn
                .forecast
                .as_ref()
                .and_then(|forecast| Some((forecast, looked_at(forecast, world.get())?)));
            let datasource = task.with(|task| task.datasource.clone().unwrap_or_default());
            let read = snapshot.get().filter(|read| read.datasource == datasource);
            let bare = nothing(&datasource);
            let timeline = read.as_ref().and_then(|read| read.timeline.as_ref().ok()).or(bare.as_ref());
            let traffic = traffic_of(traffic, &datasource);
            Shared::new(
                timeline
                    .map(|timeline| picture(timeline, chosen, &traffic.locks, show.get()))
                    .unwrap_or_default(),
            )
        });
        let page = PlanPage {
            plan,
            connection,
            address,
            document,
            task,
            datasources: RwSignal::new(Vec::new()),
            snapshot,
            traffic,
            around,
            reading: RwSignal::new(false),
            trouble: RwSignal::new(None),
            drawn,
            findings,
            world,
            show,
            range: RwSignal::new(range_of(&address.get_untracked())),
            picture: picture_now,
            scene: Signal::derive(move || picture_now.with(|picture| picture.scene.clone())),
            picked: RwSignal::new(None),
            said: RwSignal::new(None),
            tick: RwSignal::new(0),
            desk: desk::desk(),
            draft: Draft::look(),
            sending,
            pressed: RwSignal::new(false),
            policy: RwSignal::new(super::form::patience::remembered()),
            sent: RwSignal::new(None),
        };
        if untrack(|| page.draft.waits()) {
            draft::bring_back(page);
        } else {
            page.start();
        }
        page
    }

    /// Sets everything going that follows a change.
    pub(super) fn start(self) {
        let datasource = Memo::new(move |_| self.datasource());
        Effect::new(move |last: Option<String>| {
            let now = datasource.get();
            if last.as_ref() != Some(&now) {
                self.refresh();
            }
            now
        });
        // What there is around is asked for once it is known which release answers, and whenever the task comes to hang
        // on other unused segments.
        let about = self.connection.about;
        let asks = Memo::new(move |_| {
            let release = about.with(|about| about.as_ref().and_then(cluster::About::release));
            (release, self.task.with(|task| druid::ingest::wants_unused(task)))
        });
        Effect::new(move |before: Option<_>| {
            let now = asks.get();
            if before.is_some() {
                self.look_around();
            }
            now
        });
        // The address names another datasource: a link, back or forward.
        Effect::new(move |_| {
            let route = self.address.get();
            if route.page != Page::Plan {
                return;
            }
            if let Some(name) = route.get("ds").filter(|name| *name != datasource.get_untracked()) {
                self.choose_datasource(name);
            }
            if let Some(show) =
                route.get("view").and_then(Show::parse).filter(|show| *show != self.show.get_untracked())
            {
                self.show.set(show);
            }
        });
        // And the page's state is in the address.
        Effect::new(move |_| {
            let instant = |ms: i64| Some(Instant::from_ms(ms).short());
            let range = self.range.get();
            let route = Route::of(Page::Plan)
                .with("ds", Some(datasource.get()).filter(|name| !name.is_empty()))
                .with("view", Some(self.show.get().slug().to_owned()))
                .with("from", range.and_then(|(from, _)| instant(from)))
                .with("to", range.and_then(|(_, to)| instant(to)));
            if self.address.get_untracked().page == Page::Plan {
                self.address.replace(route);
            }
        });
        // From the first change on the plan is kept.
        Effect::new(move |before: Option<()>| {
            self.plan.track();
            if before.is_some() {
                self.draft.change(self);
            }
        });
        let leaving = window_event_listener_untyped("pagehide", move |_| self.draft.leave(self));
        on_cleanup(move || leaving.remove());
        // A confirmation holds for what the check saw, and for nothing else.
        Effect::new(move |_| {
            let findings = self.findings.get();
            self.plan.update_untracked(|plan| {
                plan.void_confirmations(findings.iter().map(|finding| (finding.check, finding.saw)));
            });
        });
        // Where the cluster moved while it was sent, or the run is over, the picture is of the past.
        Effect::new(move |before: Option<bool>| {
            let under_way = self.own_run_is_under_way();
            if before == Some(true) && !under_way {
                self.refresh();
            }
            under_way
        });
        let ticking = set_interval_with_handle(
            move || self.tick.update(|tick| *tick = tick.wrapping_add(1)),
            std::time::Duration::from_secs(5),
        );
        on_cleanup(move || {
            if let Ok(ticking) = ticking {
                ticking.clear();
            }
        });
    }
}

/// Who is at work on a datasource, as last read. What was read of another one says nothing of it.
pub(super) fn traffic_of(traffic: RwSignal<Shared<Traffic>>, datasource: &str) -> Shared<Traffic> {
    let read = traffic.get();
    if read.datasource == datasource { read } else { Shared::new(Traffic::default()) }
}

/// What there is around a datasource, as last read. What was read of another one says nothing of this one.
fn around_of(around: RwSignal<Shared<Around>>, datasource: &str) -> Shared<Around> {
    let read = around.get();
    if read.datasource == datasource { read } else { Shared::new(Around::default()) }
}

/// The same as the rules take it.
fn surroundings(around: &Around, zones: &LoadedZones) -> Surroundings {
    Surroundings {
        compaction: around.compaction.as_ref().map(|config| AutoCompaction::of(config, zones)),
        slots: around.slots,
        retention: around.retention.clone(),
        ..Surroundings::default()
    }
}

/// The stretch of time an address asks for.
fn range_of(route: &Route) -> Option<(i64, i64)> {
    let at = |key: &str| route.get(key).and_then(|text| Instant::parse(text).ok()).map(Instant::ms);
    at("from").zip(at("to")).filter(|(from, to)| from < to)
}

fn looked_at(forecast: &Forecast, chosen: Option<usize>) -> Option<&World> {
    chosen.and_then(|at| forecast.worlds.get(at)).or_else(|| forecast.worst())
}

/// The tasks at work, with what their locks say of where.
fn running(traffic: &Traffic) -> Vec<Running> {
    traffic
        .tasks
        .iter()
        .map(|task| Running {
            id: task.id.clone(),
            kind: task.kind.clone(),
            intervals: traffic
                .locks
                .iter()
                .filter(|lock| lock.group_id == task.group_id)
                .map(|lock| lock.interval)
                .collect(),
            waits: task.runner != Runner::Running,
            priority: (traffic.locks.iter())
                .find(|lock| lock.group_id == task.group_id)
                .map(|lock| lock.priority),
        })
        .collect()
}

/// The browser's steady clock, ms.
fn now_ms() -> f64 {
    window().performance().map(|clock| clock.now()).unwrap_or_default()
}
