//! How a million intervals become pixels.
//!
//! Pure: no browser, no clock, no I/O, no dependency; and it does not know Druid: bars lie on lanes, have a mark and an
//! id, and that is all. The path of a frame: [`Store`] (bars in columns, indexed once) + [`View`] (which times) +
//! [`Frame`] (where on the canvas) + [`Palette`] + [`Overlays`] → [`Raster`] → one RGBA word a pixel. A frame costs work
//! per pixel column, not per bar.
//!
//! Text is not drawn here (a browser has better fonts): [`axis`] and [`labels`] say what to write where.

pub mod axis;
mod civil;
mod frame;
mod hit;
mod index;
pub mod labels;
mod mark;
mod overlays;
mod overview;
mod palette;
mod raster;
mod store;
mod view;
mod weave;

pub use civil::Civil;
pub use frame::{Frame, Lanes, Rect, Wish};
pub use hit::{Hit, Part, Side, Tally, hit};
pub use mark::Mark;
pub use overlays::{LockMark, Overlays, Pick, Span};
pub use overview::Overview;
pub use palette::{Palette, Rgba, luma, mix, parse_css, rgb};
pub use raster::{Raster, Scene, tick_spacing, ticks};
pub use store::{Bar, Store};
pub use view::{ETERNITY, FINEST_MS_PER_PX, View};
