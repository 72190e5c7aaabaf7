//! Which pixels carry the meaning of each mark. One bar is drawn alone and its pixels are asked, in colour and in grey.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, missing_docs)] // a missing pixel is the failure of the test

use chart::{Bar, Frame, Mark, Overlays, Palette, Raster, Rgba, Scene, Span, Store, View, Wish, luma, mix};

/// The pixels of one bar, without its gap to the right neighbour.
struct Drawn {
    rows: Vec<Vec<Rgba>>,
    palette: Palette,
}

/// Draws a bar of `mark`, `w` × `h` pixels.
fn draw(mark: Mark, w: i32, h: i32, scale: f64, palette: Palette) -> Drawn {
    // Grid lines would shine through what is empty.
    let palette = Palette { line: palette.ground, line_strong: palette.ground, ..palette };
    let margin = 20;
    let wish = |height: i32| Wish {
        width: 400.0,
        height: f64::from(height),
        scale,
        lanes: 1,
        names: 40.0,
        bracket_row: false,
        lock_row: false,
        overview: false,
    };
    let frame =
        (40..200).map(|height| Frame::of(&wish(height))).find(|frame| frame.lanes.height == h).unwrap();
    // One second a pixel, and no grid line near.
    let start = 40_000_000;
    let gap = frame.px(1.0);
    let bar = Bar {
        lane: 0,
        start: start + i64::from(margin) * 1000,
        end: start + i64::from(margin + w + gap) * 1000,
        id: 0,
        weight: 1.0,
        mark,
    };
    let store = Store::build(1, vec![bar]);
    let view = View::of(Span::new(start, start + i64::from(frame.plot.w) * 1000), frame.plot.w as u32);
    let mut raster = Raster::new();
    let scene = Scene {
        store: &store,
        view: &view,
        frame: &frame,
        palette: &palette,
        overlays: Overlays::default(),
        overview: None,
    };
    let pixels = raster.draw(&scene);
    let (y0, y1) = frame.lanes.bars(0, 0);
    let x0 = frame.plot.x + margin;
    let rows = (y0..y1)
        .map(|y| {
            let row = (y * frame.width) as usize;
            pixels[row + x0 as usize..row + (x0 + w) as usize].to_vec()
        })
        .collect();
    Drawn { rows, palette }
}

fn light(mark: Mark) -> Drawn {
    draw(mark, 84, 40, 1.0, Palette::light())
}

impl Drawn {
    fn w(&self) -> usize {
        self.rows[0].len()
    }

    fn h(&self) -> usize {
        self.rows.len()
    }

    /// The pixel at these shares of width and height.
    fn at(&self, x: f64, y: f64) -> Rgba {
        self.rows[(y * self.h() as f64) as usize][(x * self.w() as f64) as usize]
    }

    /// The least lightness within two rows of this place.
    fn darkest(&self, x: f64, y: f64) -> u32 {
        let rows = (-2..=2).map(|off| luma(self.at(x, y + f64::from(off) / self.h() as f64)));
        rows.min().unwrap()
    }

    /// Whether every pixel of a part is one colour.
    fn all(&self, x: std::ops::Range<usize>, y: std::ops::Range<usize>, colour: Rgba) -> bool {
        self.rows[y].iter().all(|row| row[x.clone()].iter().all(|pixel| *pixel == colour))
    }

    fn share(&self, colour: Rgba) -> f64 {
        let count = self.rows.iter().flatten().filter(|pixel| **pixel == colour).count();
        count as f64 / (self.w() * self.h()) as f64
    }

    /// Whether a part is hatched at 45°: each row is the one above moved a pixel to the left, and no row is plain.
    fn hatched(&self, x: std::ops::Range<usize>, y: std::ops::Range<usize>) -> bool {
        let parts: Vec<&[Rgba]> = self.rows[y].iter().map(|row| &row[x.clone()]).collect();
        let moved = parts.windows(2).all(|pair| pair[0][1..] == pair[1][..pair[1].len() - 1]);
        let plain = |row: &&[Rgba]| row.iter().all(|pixel| *pixel == row[0]);
        moved && !parts.iter().any(plain)
    }

    /// Changes between ground and something along the uppermost row: dashes have many, a line has none.
    fn breaks_on_top(&self) -> usize {
        let ground = self.palette.ground;
        self.rows[0].windows(2).filter(|pair| (pair[0] == ground) != (pair[1] == ground)).count()
    }
}

#[test]
fn served_is_solid() {
    let drawn = light(Mark::Served);
    assert!(drawn.all(3..81, 0..40, drawn.palette.served));
    assert!(drawn.rows[0][0] != drawn.palette.served, "corners are rounded");
}

#[test]
fn hidden_is_hatched_at_45_degrees_in_a_thin_frame() {
    let drawn = light(Mark::Hidden);
    assert!(drawn.hatched(4..80, 4..36));
    assert!(drawn.all(4..80, 0..1, drawn.palette.hidden), "upper edge");
    let middle = (luma(drawn.palette.ground) + luma(drawn.palette.hidden)) / 2;
    let ground = drawn.rows.iter().flatten().filter(|pixel| luma(**pixel) > middle).count();
    assert!(ground * 2 > 84 * 40, "more ground than line");
}

#[test]
fn new_data_is_solid_with_a_light_line_inside_its_edge() {
    let drawn = light(Mark::New);
    assert!(drawn.all(5..79, 5..35, drawn.palette.new));
    let line = drawn.rows[2][40];
    assert!(drawn.all(2..82, 2..3, line) && drawn.all(2..3, 2..38, line), "the line runs around");
    assert!(luma(line) > luma(drawn.palette.new) + 80);
    assert!(drawn.all(5..79, 0..2, drawn.palette.new), "outside of it is the colour again");
}

#[test]
fn a_tombstone_is_an_empty_frame_with_a_cross() {
    let drawn = light(Mark::Tombstone);
    assert!(drawn.share(drawn.palette.ground) > 0.75, "nothing is in it");
    assert!(drawn.all(4..80, 0..2, drawn.palette.tomb) && drawn.all(0..2, 4..36, drawn.palette.tomb));
    let dark = |x: f64, y: f64| drawn.darkest(x, y) + 40 < luma(drawn.palette.ground);
    for (x, y) in [(0.5, 0.5), (0.25, 0.25), (0.75, 0.75), (0.25, 0.75), (0.75, 0.25)] {
        assert!(dark(x, y), "the cross passes {x}, {y}");
    }
    assert_eq!(drawn.at(0.5, 0.2), drawn.palette.ground, "between its arms is nothing");
}

#[test]
fn appended_is_dotted_under_a_bar_that_stands_off() {
    let drawn = light(Mark::Appended);
    assert!(drawn.all(4..80, 0..3, drawn.palette.doubled), "the bar");
    assert!(drawn.all(4..80, 3..5, drawn.palette.ground), "air under it");
    let dots = drawn.rows[6..40].iter().flatten().filter(|pixel| luma(**pixel) > 200).count();
    assert!(dots > 60, "{dots} bright pixels of dots");
    assert!(drawn.share(drawn.palette.served) > 0.5, "on what is served");
}

#[test]
fn doubled_is_dotted_in_a_frame_with_a_bar_on_top_of_it() {
    let drawn = light(Mark::Doubled);
    assert!(drawn.all(4..80, 0..4, drawn.palette.doubled), "the bar touches the body");
    assert!(drawn.all(0..2, 4..36, drawn.palette.doubled) && drawn.all(82..84, 4..36, drawn.palette.doubled));
    assert!(drawn.rows[8..36].iter().flatten().filter(|pixel| luma(**pixel) > 200).count() > 60, "dots");
}

#[test]
fn either_or_is_split_from_the_lower_left_to_the_upper_right() {
    for (mark, upper) in [
        (Mark::EitherTomb, Palette::light().new),
        (Mark::EitherKept, Palette::light().new),
        (Mark::EitherHidden, Palette::light().served),
    ] {
        let drawn = light(mark);
        assert_eq!(drawn.at(0.2, 0.2), upper, "{mark:?}");
        assert_eq!(drawn.at(0.45, 0.4), upper, "{mark:?}");
        assert_ne!(drawn.at(0.8, 0.8), upper, "{mark:?}");
        assert_ne!(drawn.at(0.6, 0.6), upper, "{mark:?}");
    }
    let tomb = light(Mark::EitherTomb);
    assert!(tomb.all(64..78, 28..36, tomb.palette.ground), "empty like a tombstone");
    for mark in [Mark::EitherTomb, Mark::EitherKept] {
        let drawn = light(mark);
        assert!(luma(drawn.rows[2][20]) > luma(drawn.palette.new) + 80, "{mark:?}: the line of new data");
    }
    for mark in [Mark::EitherKept, Mark::EitherHidden] {
        assert!(light(mark).hatched(60..80, 26..37), "{mark:?}: hatched like what is hidden");
    }
}

#[test]
fn incomplete_is_dashed_and_a_third_full() {
    let drawn = light(Mark::Incomplete);
    assert!(drawn.breaks_on_top() > 10);
    let filled = drawn.at(0.15, 0.5);
    assert_ne!(filled, drawn.palette.ground);
    assert_eq!(drawn.at(0.27, 0.5), filled);
    assert!(drawn.all(32..80, 4..36, drawn.palette.ground), "two thirds are missing");
}

#[test]
fn hidden_at_birth_is_hatched_in_a_dashed_frame_of_the_runs_colour() {
    let drawn = light(Mark::BornHidden);
    assert!(drawn.hatched(4..80, 4..36));
    let accent = |row: &[Rgba]| row.iter().filter(|pixel| **pixel == drawn.palette.new).count();
    let on_top = accent(&drawn.rows[0]);
    assert!((30..70).contains(&on_top), "{on_top} of 84 pixels: dashes");
}

#[test]
fn a_hidden_tombstone_is_hatched_and_crossed() {
    let drawn = light(Mark::HiddenTombstone);
    assert!(!drawn.hatched(4..80, 4..36), "the cross breaks the hatching");
    for (x, y) in [(0.5, 0.5), (0.25, 0.25), (0.75, 0.25)] {
        assert!(drawn.darkest(x, y) + 30 < luma(drawn.palette.hidden), "the cross passes {x}, {y}");
    }
}

#[test]
fn what_is_removed_is_struck_through() {
    let drawn = light(Mark::Removed);
    assert!(drawn.all(4..80, 19..21, drawn.palette.stop));
    let body = drawn.at(0.5, 0.25);
    assert!(drawn.all(4..80, 3..18, body) && drawn.all(4..80, 22..37, body));
    assert!(luma(body) > luma(drawn.palette.stop) + 80, "pale");
}

#[test]
fn what_is_not_loaded_is_pale_in_a_dotted_frame() {
    let drawn = light(Mark::Unavailable);
    let body = drawn.at(0.5, 0.5);
    assert!(drawn.all(3..81, 3..37, body));
    let dots = drawn.rows[0].windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(dots > 30, "{dots} changes along the edge");
    assert!(luma(body) > luma(drawn.palette.served) + 60);
}

#[test]
fn what_the_run_does_not_touch_is_pale_and_plain() {
    let drawn = light(Mark::Untouched);
    assert!(drawn.all(3..81, 0..40, drawn.at(0.5, 0.5)));
    assert!(luma(drawn.at(0.5, 0.5)) > luma(drawn.palette.served) + 60);
}

/// The share of pixels that two pictures show in clearly different greys.
fn apart(one: &Drawn, other: &Drawn) -> f64 {
    let pairs = one.rows.iter().flatten().zip(other.rows.iter().flatten());
    let different = pairs.filter(|(a, b)| luma(**a).abs_diff(luma(**b)) >= 24).count();
    different as f64 / (one.w() * one.h()) as f64
}

#[test]
fn all_marks_stay_apart_in_greyscale_in_both_themes_and_at_all_sizes() {
    for palette in [Palette::light(), Palette::dark()] {
        for (w, h, scale) in [(84, 40, 1.0), (168, 80, 2.0), (40, 24, 1.0), (16, 20, 1.0)] {
            let pictures: Vec<Drawn> =
                Mark::ALL.into_iter().map(|mark| draw(mark, w, h, scale, palette)).collect();
            for (at, one) in pictures.iter().enumerate() {
                for (other_at, other) in pictures.iter().enumerate().skip(at + 1) {
                    let share = apart(one, other);
                    let (a, b) = (Mark::ALL[at], Mark::ALL[other_at]);
                    assert!(share >= 0.03, "{a:?} and {b:?} differ in {share:.3} of {w}x{h} at {scale}");
                }
            }
        }
    }
}

#[test]
fn nothing_is_so_narrow_that_it_vanishes() {
    for palette in [Palette::light(), Palette::dark()] {
        for mark in Mark::ALL {
            for w in [0, 1, 2, 3] {
                // The gap is only kept from four pixels on, so a bar of w + 1 pixels is drawn.
                let drawn = draw(mark, w + 1, 20, 1.0, palette);
                let seen =
                    drawn.rows[10].iter().any(|pixel| luma(*pixel).abs_diff(luma(palette.ground)) >= 12);
                assert!(seen, "{mark:?} at {w}");
            }
        }
    }
}

#[test]
fn narrow_tombstones_have_a_foot_and_narrow_appends_a_cap() {
    let palette = Palette::light();
    for w in [1, 2] {
        let tomb = draw(Mark::Tombstone, w, 20, 1.0, palette);
        assert!(tomb.rows[19].contains(&palette.tomb) && !tomb.rows[10].contains(&palette.tomb), "{w}");
        for mark in [Mark::Appended, Mark::Doubled] {
            let cap = draw(mark, w, 20, 1.0, palette);
            assert!(
                cap.rows[0].contains(&palette.doubled) && !cap.rows[10].contains(&palette.doubled),
                "{mark:?} {w}"
            );
        }
    }
}

#[test]
fn the_mixed_colour_of_a_narrow_hidden_bar_lies_between_its_line_and_the_ground() {
    let palette = Palette::light();
    let drawn = draw(Mark::Hidden, 2, 20, 1.0, palette);
    assert_eq!(drawn.rows[10][0], mix(palette.ground, palette.hidden, 140));
}
