//! What the timeline says about what is under the pointer. Pure: a bar's own words are an argument.

use super::{
    stage::{Drag, Stage},
    words::instant,
};
use chart::{Hit, Mark, Part, Side};

/// A note beside the pointer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tip {
    /// From the canvas' left side, CSS pixels; from its right side where the note stands left of the pointer.
    pub(super) x: f64,
    /// CSS pixels from the canvas' upper side.
    pub(super) y: f64,
    /// Whether it stands left of the pointer, because there is more room.
    pub(super) left: bool,
    /// How wide it may be, CSS pixels.
    pub(super) room: f64,
    /// Whether it stands above the pointer, because below is full.
    pub(super) up: bool,
    pub(super) lines: Vec<String>,
}

/// Between the pointer and the note, CSS pixels.
const APART: f64 = 14.0;
/// Wider than this no note is easy to read, CSS pixels.
const WIDEST: f64 = 320.0;
/// A note says what a bar is; all the rest is its story.
const MOST_LINES: usize = 3;

/// The note for what is under the pointer now, if there is something to say.
pub(super) fn tip(stage: &Stage, describe: &dyn Fn(u32) -> String) -> Option<Tip> {
    let (x, y) = stage.pointer?;
    if stage.drag != Drag::None {
        return None;
    }
    let lines = lines(stage, x, y, describe)?;
    let scale = stage.frame.scale;
    let (x, y) = (x / scale, y / scale);
    let (width, height) = (f64::from(stage.frame.width) / scale, f64::from(stage.frame.height) / scale);
    let left = x > width * 0.5;
    let side = if left { width - x } else { x };
    let room = (width - side - APART).min(WIDEST);
    Some(Tip { x: side + APART, y, left, room, up: y > height * 0.5, lines })
}

fn lines(stage: &Stage, x: f64, y: f64, describe: &dyn Fn(u32) -> String) -> Option<Vec<String>> {
    let one = |text: &str| Some(vec![text.to_owned()]);
    match stage.hit(x, y, false) {
        Hit::Bar(at) => {
            let bar = stage.scene.store.bar(at)?;
            let mut lines: Vec<String> =
                describe(bar.id).lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
            if lines.is_empty() {
                lines.push(format!("{} → {} UTC", instant(bar.start), instant(bar.end)));
            }
            if lines.len() > MOST_LINES {
                lines.truncate(MOST_LINES);
                lines.push("Click for its story".to_owned());
            }
            Some(lines)
        }
        Hit::Many(_, tally) => {
            let parts: Vec<String> = Mark::ALL
                .into_iter()
                .zip(tally.by_mark)
                .filter(|(_, count)| *count > 0)
                .map(|(mark, count)| format!("{count} {}", word(mark)))
                .collect();
            Some(vec![
                format!("{} chunks in one pixel: {}", tally.bars, parts.join(", ")),
                format!("{} → {} UTC", instant(tally.span.start), instant(tally.span.end)),
                "Click to come closer".to_owned(),
            ])
        }
        Hit::Name(lane) => {
            let name = stage.scene.lanes.get(lane as usize)?;
            let squeezed = f64::from(stage.frame.lanes.height) < 28.0 * stage.frame.scale;
            (squeezed && !name.sub.is_empty()).then(|| vec![name.name.clone(), name.sub.clone()])
        }
        Hit::Grip(_, side) => {
            let end = if side == Side::Start { "start" } else { "end" };
            Some(vec![format!("Drag the {end} of the typed range"), "Alt: not by whole chunks".to_owned()])
        }
        Hit::Bracket(_) => one("Drag to move the typed range"),
        Hit::Overview(Part::Outside) => one("Click to look there"),
        _ => None,
    }
}

/// What a bar of a mark is, in a count.
fn word(mark: Mark) -> &'static str {
    match mark {
        Mark::Served => "served",
        Mark::Hidden => "hidden",
        Mark::New => "new",
        Mark::Tombstone => "emptied",
        Mark::Appended => "added to",
        Mark::Doubled => "perhaps doubled",
        Mark::EitherTomb => "new or emptied",
        Mark::EitherKept => "new or as now",
        Mark::EitherHidden => "hidden or served",
        Mark::Incomplete => "incomplete",
        Mark::BornHidden => "hidden at birth",
        Mark::HiddenTombstone => "hidden tombstones",
        Mark::Removed => "deleted",
        Mark::Unavailable => "not loaded",
        Mark::Untouched => "untouched",
    }
}

/// How the pointer looks over what is under it.
pub(super) fn cursor(stage: &Stage) -> &'static str {
    match stage.drag {
        Drag::Pan { moved: true, .. } | Drag::Window(_) | Drag::Bracket(..) | Drag::Scroll(_) => {
            return "grabbing";
        }
        Drag::Grip(..) | Drag::Edge(_) => return "ew-resize",
        Drag::Sweep(_) => return "crosshair",
        Drag::None | Drag::Pan { .. } | Drag::Pinch(..) => {}
    }
    let Some((x, y)) = stage.pointer else { return "default" };
    match stage.hit(x, y, false) {
        Hit::Bar(_) => "pointer",
        Hit::Many(..) => "zoom-in",
        Hit::Grip(..) | Hit::Overview(Part::Edge(_)) => "ew-resize",
        Hit::Bracket(_) | Hit::Overview(Part::Window) => "grab",
        Hit::Overview(Part::Outside) => "pointer",
        Hit::Plot if y < f64::from(stage.frame.lanes.area.y) => "crosshair",
        Hit::Lane(_) | Hit::Plot => "grab",
        Hit::Name(_) | Hit::Nothing => "default",
    }
}
