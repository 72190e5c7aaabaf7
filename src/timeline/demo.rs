//! The timeline on the kit page: the week of the design's mock, and every mark with its name.

use super::{LaneName, LockName, RangeButtons, Scene, Shared, Timeline};
use crate::theme::Theme;
use chart::{Bar, LockMark, Mark, Span, Store};
use leptos::prelude::*;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// 2026-07-13T00:00Z, a Monday.
const MONDAY: i64 = 1_783_900_800_000;

const fn day(n: i64) -> i64 {
    MONDAY + n * DAY
}

fn bar(lane: u32, start: i64, end: i64, mark: Mark) -> Bar {
    Bar { lane, start, end, mark, id: mark.index() as u32, weight: ((end - start) / HOUR) as f32 }
}

/// What would become of the week if `typed` were replaced by day, with rows for its first day only.
fn week(typed: Option<Span>) -> Scene {
    let whole = |t: i64| t - t.rem_euclid(DAY);
    let effective = typed.map(|span| Span::new(whole(span.start), whole(span.end - 1) + DAY));
    let hit = |t: i64| effective.is_some_and(|span| span.start <= t && t < span.end);
    let mut bars = Vec::new();
    if let Some(span) = effective {
        for start in (span.start..span.end).step_by(DAY as usize) {
            let mark = if start == span.start { Mark::New } else { Mark::Tombstone };
            bars.push(bar(0, start, start + DAY, mark));
        }
    }
    for start in (day(1)..day(6) - 10 * HOUR).step_by(HOUR as usize) {
        if !(day(3) + 9 * HOUR..day(3) + 11 * HOUR).contains(&start) {
            bars.push(bar(1, start, start + HOUR, if hit(start) { Mark::Hidden } else { Mark::Served }));
        }
    }
    for n in -40..8 {
        let (start, end) = (day(n), day(n + 1));
        let mark = if hit(start) || (1..5).contains(&n) { Mark::Hidden } else { Mark::Served };
        if n == 5 && mark == Mark::Served {
            bars.push(bar(2, start, start + 14 * HOUR, Mark::Hidden));
            bars.push(bar(2, start + 14 * HOUR, end, Mark::Served));
        } else {
            bars.push(bar(2, start, end, mark));
        }
    }
    let lane = |name: &str, sub: &str| LaneName { name: name.to_owned(), sub: sub.to_owned() };
    let widened: Vec<Span> = match (typed, effective) {
        (Some(typed), Some(all)) => [Span::new(all.start, typed.start), Span::new(typed.end, all.end)]
            .into_iter()
            .filter(|span| span.start < span.end)
            .collect(),
        _ => Vec::new(),
    };
    Scene {
        store: Store::build(3, bars),
        lanes: vec![
            lane("this run", "day · range by country"),
            lane("18 Jul 03:00", "hour · reprocessing"),
            lane("12 Jul 02:05", "day · first load"),
        ],
        widened_words: widened
            .iter()
            .map(|span| format!("{} h more", (span.end - span.start) / HOUR))
            .collect(),
        typed: typed.into_iter().collect(),
        effective: effective.into_iter().collect(),
        widened,
        locks: Vec::new(),
        words: vec![(Mark::New.index() as u32, "new rows"), (Mark::Tombstone.index() as u32, "emptied")],
        summary: "A week in three versions, and a run that replaces two days of it.".to_owned(),
    }
}

/// Every mark on a lane of its own, wide to narrow.
fn marks() -> Scene {
    let names = [
        "served",
        "hidden",
        "new",
        "emptied",
        "appended to",
        "perhaps doubled",
        "new or emptied",
        "new or as now",
        "hidden or served",
        "incomplete",
        "hidden at birth",
        "hidden tombstone",
        "deleted",
        "not loaded",
        "untouched",
    ];
    let mut bars = Vec::new();
    for (lane, mark) in Mark::ALL.into_iter().enumerate() {
        let mut t = MONDAY;
        for hours in [48, 30, 16, 8, 4, 3, 2, 2, 1, 1] {
            bars.push(bar(lane as u32, t, t + hours * HOUR, mark));
            t += hours * HOUR + if hours < 4 { HOUR } else { 0 };
        }
        for n in 0..400 {
            let start = day(6) + n * HOUR / 20;
            let mark = if n % 40 < 20 { mark } else { Mark::Served };
            bars.push(bar(lane as u32, start, start + HOUR / 20, mark));
        }
    }
    let lock = |from, to, blocks, name: &str| LockName {
        mark: LockMark { span: Span::new(from, to), blocks },
        name: name.to_owned(),
    };
    Scene {
        store: Store::build(Mark::COUNT, bars),
        lanes: names.map(|name| LaneName { name: name.to_owned(), sub: String::new() }).to_vec(),
        locks: vec![
            lock(day(1), day(3), true, "compact_events_web… · EXCLUSIVE · priority 25"),
            lock(day(6), day(7), false, "index_kafka_events… · APPEND"),
        ],
        words: vec![(Mark::Doubled.index() as u32, "×2 ?"), (Mark::Incomplete.index() as u32, "1 of 3")],
        summary: "Every mark of the timeline, one lane each.".to_owned(),
        ..Scene::default()
    }
}

/// Both timelines, live.
#[component]
pub(crate) fn Demo() -> impl IntoView {
    let theme = use_context::<Theme>();
    let dark = Signal::derive(move || theme.is_some_and(|theme| theme.dark.get()));
    let typed = RwSignal::new(Some((day(3) + 6 * HOUR, day(4) + 18 * HOUR)));
    let scene = Memo::new(move |_| Shared::new(week(typed.get().map(|(start, end)| Span::new(start, end)))));
    let every = Signal::stored(Shared::new(marks()));
    let (range, second) = (RwSignal::new(None), RwSignal::new(Some((day(0), day(8)))));
    let told = RwSignal::new(String::new());
    let snap =
        |(start, end): (i64, i64)| (start - start.rem_euclid(DAY), end - (end - 1).rem_euclid(DAY) - 1 + DAY);
    let describe = |id: u32| format!("{:?}", Mark::from_index(id as usize));
    let story = move |id: Option<u32>| told.set(id.map(describe).unwrap_or_default());
    view! {
        <section class="card" aria-label="Timeline">
            <h2>"Timeline"</h2>
            <div class="row">
                <RangeButtons scene range />
                <span class="muted">{move || told.get()}</span>
            </div>
            <div class="tl-demo">
                <Timeline
                    scene range snap describe dark
                    edit_typed=move |(_, range)| typed.set(Some(range))
                    story
                />
            </div>
            <div class="tl-demo tall">
                <Timeline scene=every range=second snap describe dark edit_typed=|_| {} story=|_| {} />
            </div>
        </section>
    }
}
