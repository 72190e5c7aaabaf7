//! What gestures and keys do, told as a person would.
#![allow(clippy::unwrap_used, reason = "a missing answer is the failure of the test")]

use super::{
    scene::{LaneName, Scene, Shared},
    stage::{Ask, Drag, Snap, Stage, Touch},
    words::{Align, words},
};
use chart::{Bar, Hit, Mark, Side, Span, Store};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// 2026-07-13T00:00Z, a Monday.
const MONDAY: i64 = 1_783_900_800_000;

/// To whole days, outwards.
const DAYS: Snap<'static> =
    &|(start, end)| (start - start.rem_euclid(DAY), end + (DAY - end.rem_euclid(DAY)) % DAY);

/// Two lanes: a week of days over a week of hours; typed is Thursday 06:00 to Friday 18:00.
fn scene(typed: (i64, i64)) -> Shared<Scene> {
    let bar = |lane, start, end, id| Bar { lane, start, end, id, weight: 1.0, mark: Mark::Served };
    let days = (0..7).map(|n| bar(0, MONDAY + n * DAY, MONDAY + (n + 1) * DAY, n as u32));
    let hours = (0..168).map(|n| bar(1, MONDAY + n * HOUR, MONDAY + (n + 1) * HOUR, 100 + n as u32));
    let lane = |name: &str| LaneName { name: name.to_owned(), sub: "hour · first load".to_owned() };
    Shared::new(Scene {
        store: Store::build(2, days.chain(hours).collect()),
        lanes: vec![lane("18 Jul 03:00"), lane("12 Jul 02:05")],
        typed: vec![Span::new(typed.0, typed.1)],
        effective: vec![Span::new(MONDAY + 3 * DAY, MONDAY + 5 * DAY)],
        ..Scene::default()
    })
}

const TYPED: (i64, i64) = (MONDAY + 3 * DAY + 6 * HOUR, MONDAY + 4 * DAY + 18 * HOUR);

/// 1000 CSS pixels wide, showing Monday to Sunday.
fn stage() -> Stage {
    let mut stage = Stage::new(0);
    stage.resize(1000.0, 400.0, 2.0);
    stage.show(scene(TYPED), None, 120.0);
    stage.set_range(Some((MONDAY, MONDAY + 7 * DAY)));
    stage
}

fn at(stage: &Stage, t: i64, y: f64) -> Touch {
    let x = (f64::from(stage.frame.plot.x) + stage.view.px(t)) / stage.frame.scale;
    Touch { id: 1, x, y, coarse: false, shift: false, alt: false }
}

fn lane_y(stage: &Stage, lane: u32) -> f64 {
    let (top, bottom) = stage.frame.lanes.bars(lane, stage.view.scroll);
    f64::from(top + bottom) / 2.0 / stage.frame.scale
}

fn bracket_y(stage: &Stage) -> f64 {
    f64::from(stage.frame.bracket.y) / stage.frame.scale + 6.0
}

#[test]
fn the_first_picture_shows_the_plan_with_time_around_it() {
    let mut stage = Stage::new(0);
    stage.resize(1000.0, 400.0, 1.0);
    stage.show(scene(TYPED), None, 120.0);
    let (from, to) = stage.range();
    assert!(from < MONDAY + 3 * DAY - DAY && to > MONDAY + 5 * DAY + DAY, "{from} {to}");
}

#[test]
fn typing_does_not_move_a_view_that_still_shows_the_plan() {
    let mut stage = stage();
    let before = stage.range();
    stage.show(scene((TYPED.0 + HOUR, TYPED.1)), None, 120.0);
    assert_eq!(stage.range(), before);
}

#[test]
fn a_drag_on_the_bars_moves_time_and_is_no_click() {
    let mut stage = stage();
    let y = lane_y(&stage, 0);
    let from = at(&stage, MONDAY + DAY, y);
    stage.press(from);
    assert_eq!(stage.drag(Touch { x: from.x + 50.0, ..from }, DAYS), None);
    assert_eq!(stage.release(Touch { x: from.x + 50.0, ..from }, DAYS), None);
    assert!(stage.range().0 < MONDAY, "earlier times came into view");
    assert!(stage.selected.is_none() && stage.moved);
}

#[test]
fn a_click_asks_for_the_bars_story_and_escape_lets_go() {
    let mut stage = stage();
    let touch = at(&stage, MONDAY + 2 * DAY + DAY / 2, lane_y(&stage, 0));
    stage.press(touch);
    assert_eq!(stage.release(touch, DAYS), Some(Ask::Story(Some(2))));
    assert!(stage.selected.is_some());
    assert_eq!(stage.key("Escape", false), Some(Some(Ask::Story(None))));
    assert!(stage.selected.is_none());
    assert_eq!(stage.key("Escape", false), None, "nothing to let go: the page may have the key");
}

#[test]
fn an_end_of_the_bracket_follows_the_pointer_by_whole_chunks_or_freely_with_alt() {
    let mut stage = stage();
    let grip = at(&stage, TYPED.0, bracket_y(&stage));
    stage.press(grip);
    assert_eq!(stage.drag, Drag::Grip(0, Side::Start));
    let to = at(&stage, MONDAY + 2 * DAY + 3 * HOUR, grip.y);
    assert_eq!(stage.drag(to, DAYS), Some(Ask::Edit(0, (MONDAY + 2 * DAY, TYPED.1))));
    let free = stage.drag(Touch { alt: true, ..to }, DAYS);
    assert_eq!(free, Some(Ask::Edit(0, (MONDAY + 2 * DAY + 3 * HOUR, TYPED.1))));
    // It cannot pass the other end.
    let past = stage.drag(at(&stage, MONDAY + 6 * DAY, grip.y), DAYS);
    assert_eq!(past, Some(Ask::Edit(0, (MONDAY + 4 * DAY, TYPED.1))));
    assert_eq!(stage.release(to, DAYS), Some(Ask::Done));
}

#[test]
fn a_drag_above_the_lanes_chooses_a_range_of_whole_chunks() {
    let mut stage = stage();
    let y = bracket_y(&stage);
    stage.press(at(&stage, MONDAY + 5 * HOUR, y));
    assert_eq!(stage.drag(at(&stage, MONDAY + DAY + 2 * HOUR, y), DAYS), None);
    assert_eq!(stage.sweep, Some(Span::new(MONDAY, MONDAY + 2 * DAY)), "shown while it is chosen");
    let end = at(&stage, MONDAY + DAY + 2 * HOUR, y);
    assert_eq!(stage.release(end, DAYS), Some(Ask::Edit(0, (MONDAY, MONDAY + 2 * DAY))));
    assert_eq!(stage.sweep, None);
}

#[test]
fn chunks_wider_than_anything_do_not_throw_an_edge_out_of_sight() {
    let all: Snap<'_> = &|_| (-chart::ETERNITY, chart::ETERNITY);
    let mut stage = stage();
    let grip = at(&stage, TYPED.1, bracket_y(&stage));
    stage.press(grip);
    let to = at(&stage, MONDAY + 6 * DAY, grip.y);
    assert_eq!(stage.drag(to, all), Some(Ask::Edit(0, (TYPED.0, MONDAY + 6 * DAY))));
    assert_eq!(stage.step_edge(0, Side::End, 1, all), None);
}

#[test]
fn an_arrow_on_a_slider_is_a_chunk() {
    let stage = stage();
    let from_midday = stage.step_edge(0, Side::Start, -1, DAYS);
    assert_eq!(from_midday, Some(Ask::Edit(0, (MONDAY + 3 * DAY, TYPED.1))));
    assert_eq!(stage.step_edge(0, Side::End, 2, DAYS), Some(Ask::Edit(0, (TYPED.0, MONDAY + 6 * DAY))));
    assert_eq!(stage.step_edge(0, Side::End, -10, DAYS), None, "an end does not pass a start");
}

#[test]
fn two_fingers_zoom_about_their_middle() {
    let mut stage = stage();
    let y = lane_y(&stage, 1);
    let (a, b) = (at(&stage, MONDAY + 2 * DAY, y), Touch { id: 2, ..at(&stage, MONDAY + 4 * DAY, y) });
    let before = stage.view.ms_per_px();
    stage.press(a);
    stage.press(b);
    stage.drag(Touch { x: a.x - 60.0, ..a }, DAYS);
    stage.drag(Touch { x: b.x + 60.0, ..b }, DAYS);
    assert!(stage.view.ms_per_px() < before * 0.8);
    let middle = stage.view.px(MONDAY + 3 * DAY) / stage.frame.scale;
    let expected = (a.x + b.x) / 2.0 - f64::from(stage.frame.plot.x) / stage.frame.scale;
    assert!((middle - expected).abs() < 3.0, "{middle} {expected}");
    stage.leave(2, true);
    assert_eq!(stage.drag, Drag::None);
}

#[test]
fn the_wheel_zooms_at_the_pointer_and_pans_sideways() {
    let mut stage = stage();
    let y = lane_y(&stage, 0);
    let x = at(&stage, MONDAY + DAY, y).x;
    let before = stage.view.ms_per_px();
    assert!(stage.wheel(x, y, 0.0, -100.0, false));
    assert!(stage.view.ms_per_px() < before);
    assert!((at(&stage, MONDAY + DAY, y).x - x).abs() < 1.0, "the time under the pointer stays");
    let from = stage.range().0;
    stage.wheel(x, y, 0.0, 100.0, true);
    assert!(stage.range().0 > from);
}

#[test]
fn keys_walk_from_bar_to_bar_and_from_lane_to_lane() {
    let mut stage = stage();
    let Some(Some(Ask::Story(Some(first)))) = stage.key("]", false) else { panic!("a bar is picked") };
    assert_eq!(stage.key("]", false), Some(Some(Ask::Story(Some(first + 1)))));
    assert_eq!(stage.key("[", false), Some(Some(Ask::Story(Some(first)))));
    let Some(Some(Ask::Story(Some(below)))) = stage.key("ArrowDown", false) else {
        panic!("there is a lane below")
    };
    assert!(below >= 100, "an hour of the same time");
    assert_eq!(stage.key("ArrowDown", false), Some(None), "there is no third lane");
    assert_eq!(stage.key("Enter", false), Some(Some(Ask::Story(Some(below)))));
    assert_eq!(stage.key("x", false), None);
}

#[test]
fn a_click_on_crowded_pixels_comes_closer() {
    let mut stage = stage();
    stage.set_range(Some((MONDAY - 2000 * DAY, MONDAY + 2000 * DAY)));
    let touch = at(&stage, MONDAY + 3 * DAY, lane_y(&stage, 1));
    let (x, y) = (touch.x * stage.frame.scale, touch.y * stage.frame.scale);
    assert!(matches!(stage.hit(x, y, false), Hit::Many(1, tally) if tally.bars > 50));
    let before = stage.view.ms_per_px();
    stage.press(touch);
    stage.release(touch, DAYS);
    assert!(stage.view.ms_per_px() < before / 100.0);
}

#[test]
fn lane_names_are_whole_at_every_width_and_words_of_a_row_do_not_overlap() {
    let measure = |text: &str, bold: bool| text.chars().count() as f64 * if bold { 6.6 } else { 6.0 };
    for width in [320.0, 400.0, 640.0, 1000.0, 1600.0] {
        let mut stage = Stage::new(0);
        stage.resize(width, 400.0, 1.5);
        stage.show(scene(TYPED), None, 120.0);
        let words = words(&stage, &measure);
        for name in ["18 Jul 03:00", "12 Jul 02:05"] {
            let word = words.iter().find(|word| word.text == name).unwrap();
            assert!(word.align == Align::Left && word.x >= 0.0, "{name} at {width}");
            let beside = stage.frame.gutter.w > 0;
            let room = if beside { f64::from(stage.frame.gutter.w) / 1.5 } else { width };
            assert!(word.x + measure(name, true) <= room, "{name} at {width}");
        }
        let mut rows: std::collections::BTreeMap<i64, Vec<(f64, f64)>> = Default::default();
        for word in &words {
            let w = measure(&word.text, word.bold);
            let left = match word.align {
                Align::Left => word.x,
                Align::Middle => word.x - w / 2.0,
                Align::Right => word.x - w,
            };
            rows.entry((word.y * 10.0) as i64).or_default().push((left, left + w));
        }
        for row in rows.values_mut() {
            row.sort_by(|a, b| a.0.total_cmp(&b.0));
            assert!(row.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{row:?} at {width}");
        }
    }
}
