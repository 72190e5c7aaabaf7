//! Draws the vocabulary of marks and a week of a datasource as PNG files, to be looked at.
//!
//!     cargo run -p chart --example marks -- target/marks
//!
//! Writes light and dark, at one and two device pixels a CSS pixel, wide and narrow. No text: that is the console's.
#![allow(clippy::print_stdout, clippy::expect_used, clippy::unwrap_used)] // a program for people; it may stop

use chart::{
    Bar, Frame, LockMark, Mark, Overlays, Overview, Palette, Raster, Scene, Span, Store, View, Wish,
};
use std::path::Path;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// 2026-07-13T00:00Z, a Monday.
const MONDAY: i64 = 1_783_900_800_000;

fn bar(lane: u32, start: i64, end: i64, mark: Mark) -> Bar {
    Bar { lane, start, end, mark, id: 0, weight: ((end - start) / HOUR) as f32 }
}

/// A week like the one in the design's mock: a first load by day, a reprocessing by hour, and the run.
fn week() -> Store {
    let day = |n: i64| MONDAY + n * DAY;
    let mut bars = vec![bar(0, day(3), day(4), Mark::New), bar(0, day(4), day(5), Mark::Tombstone)];
    for hour in 24..6 * 24 - 10 {
        if (81..83).contains(&hour) {
            continue;
        }
        let start = MONDAY + hour * HOUR;
        let hidden = (72..120).contains(&hour);
        bars.push(bar(1, start, start + HOUR, if hidden { Mark::Hidden } else { Mark::Served }));
    }
    for n in -40..8 {
        if n == 5 {
            bars.push(bar(2, day(5), day(5) + 14 * HOUR, Mark::Hidden));
            bars.push(bar(2, day(5) + 14 * HOUR, day(6), Mark::Served));
        } else {
            bars.push(bar(
                2,
                day(n),
                day(n + 1),
                if (1..5).contains(&n) { Mark::Hidden } else { Mark::Served },
            ));
        }
    }
    Store::build(3, bars)
}

/// One lane a mark, at widths from three days down to a few pixels, and shared columns on the right.
fn marks() -> Store {
    let mut bars = Vec::new();
    for (lane, mark) in Mark::ALL.into_iter().enumerate() {
        let lane = lane as u32;
        let mut t = MONDAY;
        for length in [48, 30, 16, 8, 4, 3, 2, 2, 1, 1, 1] {
            bars.push(bar(lane, t, t + length * HOUR, mark));
            t += length * HOUR + if length < 4 { HOUR } else { 0 };
        }
        let t = MONDAY + 6 * DAY;
        for n in 0..200 {
            let other = if n % 2 == 0 { mark } else { Mark::Served };
            bars.push(bar(lane, t + n * HOUR / 20, t + (n + 1) * HOUR / 20, other));
        }
        for n in 0..20 {
            let start = t + 14 * HOUR + n * HOUR;
            bars.push(bar(lane, start, start + HOUR * (n + 1) / 30, mark));
        }
    }
    Store::build(Mark::COUNT, bars)
}

fn picture(name: &str, store: &Store, size: (f64, f64, f64), palette: &Palette, span: Span, over: Overlays) {
    let (width, height, scale) = size;
    let wish = Wish {
        width,
        height,
        scale,
        lanes: store.lanes() as u32,
        names: 140.0,
        bracket_row: !over.typed.is_empty(),
        lock_row: !over.locks.is_empty(),
        overview: true,
    };
    let frame = Frame::of(&wish);
    let view = View::of(span, frame.plot.w as u32);
    let overview = Overview::of(store, Span::new(MONDAY - 40 * DAY, MONDAY + 9 * DAY), &frame);
    let mut raster = Raster::new();
    let scene =
        Scene { store, view: &view, frame: &frame, palette, overlays: over, overview: Some(&overview) };
    let pixels = raster.draw(&scene);
    let bytes: Vec<u8> = pixels.iter().flat_map(|pixel| pixel.to_le_bytes()).collect();
    std::fs::write(name, png(frame.width as u32, frame.height as u32, &bytes))
        .expect("the folder can be written to");
    println!("{name} {}x{}", frame.width, frame.height);
}

fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "target/marks".to_owned());
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let path = |name: &str| Path::new(&folder).join(name).to_string_lossy().into_owned();
    let (week, marks) = (week(), marks());
    let typed = [Span::new(MONDAY + 3 * DAY + 6 * HOUR, MONDAY + 4 * DAY + 18 * HOUR)];
    let effective = [Span::new(MONDAY + 3 * DAY, MONDAY + 5 * DAY)];
    let widened = [Span::new(effective[0].start, typed[0].start), Span::new(typed[0].end, effective[0].end)];
    let locks = [
        LockMark { span: Span::new(MONDAY + DAY, MONDAY + 2 * DAY + 7 * HOUR), blocks: true },
        LockMark { span: Span::new(MONDAY + 6 * DAY, MONDAY + 7 * DAY), blocks: false },
    ];
    let eight_days = Span::new(MONDAY, MONDAY + 8 * DAY);
    let plan = Overlays { typed: &typed, effective: &effective, widened: &widened, ..Overlays::default() };
    let busy = Overlays {
        locks: &locks,
        selection: Some(chart::Pick { lane: 1, span: Span::new(MONDAY + 2 * DAY, MONDAY + 2 * DAY + HOUR) }),
        sweep: Some(Span::new(MONDAY + 5 * DAY, MONDAY + 5 * DAY + 9 * HOUR)),
        ..plan
    };
    for (theme, palette) in [("light", Palette::light()), ("dark", Palette::dark())] {
        for scale in [1.0, 2.0] {
            let name = |what: &str| path(&format!("{what}-{theme}-{scale}x.png"));
            picture(&name("plan"), &week, (1060.0, 436.0, scale), &palette, eight_days, plan);
            picture(&name("narrow"), &week, (400.0, 320.0, scale), &palette, eight_days, plan);
            picture(&name("busy"), &week, (1060.0, 436.0, scale), &palette, eight_days, busy);
            let month = Span::new(MONDAY - 38 * DAY, MONDAY + 9 * DAY);
            picture(&name("far"), &week, (1060.0, 300.0, scale), &palette, month, plan);
            picture(
                &name("marks"),
                &marks,
                (1060.0, 900.0, scale),
                &palette,
                eight_days,
                Overlays::default(),
            );
        }
    }
}

/// A PNG file without compression: enough to look at, and no dependency.
fn png(width: u32, height: u32, rgba: &[u8]) -> Vec<u8> {
    let mut raw = Vec::new();
    for row in rgba.chunks(width as usize * 4) {
        raw.push(0);
        raw.extend_from_slice(row);
    }
    let mut zlib = vec![0x78, 0x01];
    let mut blocks = raw.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        zlib.push(u8::from(blocks.peek().is_none()));
        zlib.extend_from_slice(&(block.len() as u16).to_le_bytes());
        zlib.extend_from_slice(&(!(block.len() as u16)).to_le_bytes());
        zlib.extend_from_slice(block);
    }
    let (mut a, mut b) = (1u32, 0u32);
    for byte in &raw {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    zlib.extend_from_slice(&(b << 16 | a).to_be_bytes());
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    header.extend_from_slice(&width.to_be_bytes());
    header.extend_from_slice(&height.to_be_bytes());
    header.extend_from_slice(&[8, 6, 0, 0, 0]);
    for (kind, body) in [(b"IHDR", header), (b"IDAT", zlib), (b"IEND", Vec::new())] {
        file.extend_from_slice(&(body.len() as u32).to_be_bytes());
        let from = file.len();
        file.extend_from_slice(kind);
        file.extend_from_slice(&body);
        let mut crc = !0u32;
        for byte in file.iter().skip(from) {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
            }
        }
        file.extend_from_slice(&(!crc).to_be_bytes());
    }
    file
}
