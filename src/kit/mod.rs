//! The kit: the components that pages are made of. Each is shown in all its states on `#/kit`.
//!
//! A component knows no page and no Druid. Looks live in `style/`, by class; a component sets no colours.

mod button;
mod choice;
mod dialog;
mod field;
mod icon;
mod notice;
mod pick;

pub use button::{Button, CopyButton, Kind};
pub use choice::{Segmented, Tabs};
pub use dialog::Dialog;
pub use field::{Check, SelectField, State, TextArea, TextField};
pub use icon::{Icon, Shape};
pub use notice::{Banner, Empty, Pill, Progress, Spinner, Tone, VerdictIcon};
pub use pick::Pick;
