//! Buttons for how much time is seen: around the plan, a day, a week, a month, all.

use super::{
    scene::{Scene, Shared},
    stage::extent,
};
use crate::kit::Segmented;
use chart::{Civil, Span};
use leptos::prelude::*;

/// How much time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Much {
    Plan,
    Day,
    Week,
    Month,
    All,
}

const DAY: i64 = 86_400_000;

/// The window of this much time around `middle`, from its calendar beginning.
fn window(much: Much, middle: i64, all: Option<Span>) -> Option<(i64, i64)> {
    let civil = Civil::of(middle);
    let midnight = middle.saturating_sub(middle.rem_euclid(DAY));
    let day = i64::from(civil.day) - 1;
    let span = |start: i64, days: i64| Some((start, start.saturating_add(days * DAY)));
    match much {
        Much::Plan => None,
        Much::Day => span(midnight, 1),
        Much::Week => span(midnight.saturating_sub(i64::from(civil.weekday) * DAY), 7),
        Much::Month => span(midnight.saturating_sub(day * DAY), 31),
        Much::All => all.map(|all| {
            let pad = (all.end.abs_diff(all.start) / 50) as i64;
            (all.start.saturating_sub(pad), all.end.saturating_add(pad))
        }),
    }
}

/// Which button a range is like.
fn like(range: Option<(i64, i64)>, all: Option<Span>) -> Option<Much> {
    let Some((start, end)) = range else { return Some(Much::Plan) };
    if window(Much::All, start, all).is_some_and(|whole| (start, end) == whole) {
        return Some(Much::All);
    }
    let days = end.abs_diff(start) as f64 / DAY as f64;
    [(Much::Day, 1.0), (Much::Week, 7.0), (Much::Month, 31.0)]
        .into_iter()
        .find(|(_, length)| (days / length - 1.0).abs() < 0.01)
        .map(|(much, _)| much)
}

/// Chooses how much time is seen.
#[component]
pub fn RangeButtons(
    /// What is shown.
    #[prop(into)]
    scene: Signal<Shared<Scene>>,
    /// The visible milliseconds; `None` follows the plan.
    range: RwSignal<Option<(i64, i64)>>,
) -> impl IntoView {
    let all = Memo::new(move |_| scene.with(|scene| extent(scene).map(|span| (span.start, span.end))));
    let all_span = move || all.get_untracked().map(|(start, end)| Span::new(start, end));
    let middle = move || {
        let about = scene.with_untracked(|scene| scene.effective.first().or(scene.typed.first()).copied());
        let range =
            range.get_untracked().or(about.map(|span| (span.start, span.end))).or(all.get_untracked());
        range.map_or(0, |(start, end)| start / 2 + end / 2)
    };
    let options = [
        (Much::Plan, "Plan"),
        (Much::Day, "Day"),
        (Much::Week, "Week"),
        (Much::Month, "Month"),
        (Much::All, "All"),
    ];
    view! {
        <Segmented
            label="How much time is seen"
            options=Signal::stored(options.map(|(much, word)| (much, word.to_owned())).to_vec())
            value=Signal::derive(move || like(range.get(), all.get().map(|(start, end)| Span::new(start, end))))
            choose=move |much| range.set(window(much, middle(), all_span()))
            class="small"
        />
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THURSDAY: i64 = 1_784_160_000_000 + 5 * 3_600_000; // 2026-07-16T05:00Z

    #[test]
    fn a_week_begins_on_monday_and_a_month_on_its_first() {
        let monday = 1_783_900_800_000;
        assert_eq!(window(Much::Week, THURSDAY, None), Some((monday, monday + 7 * DAY)));
        let first = 1_782_864_000_000; // 2026-07-01
        assert_eq!(window(Much::Month, THURSDAY, None), Some((first, first + 31 * DAY)));
        assert_eq!(like(window(Much::Day, THURSDAY, None), None), Some(Much::Day));
        assert_eq!(like(None, None), Some(Much::Plan));
        assert_eq!(like(Some((0, 12 * DAY)), None), None);
    }
}
