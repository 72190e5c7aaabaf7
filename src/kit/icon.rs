//! Small line pictures, drawn in the current text colour. Always beside a text or inside a named button.

use leptos::prelude::*;

/// What the picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Two sheets: copy.
    Copy,
    /// A tick: done.
    Tick,
    /// A bent arrow back: undo.
    Undo,
    /// A bent arrow forward: redo.
    Redo,
    /// A circling arrow: read again.
    Refresh,
    /// An arrow into a tray: import.
    Import,
    /// An arrow out of a tray: export.
    Export,
    /// A cross: close, remove.
    Close,
    /// A half-filled disc: theme.
    Theme,
    /// A small triangle: opens a list.
    Caret,
}

/// One picture of 16 × 16.
#[component]
pub fn Icon(
    /// What it shows.
    shape: Shape,
) -> impl IntoView {
    let path = match shape {
        Shape::Copy => {
            "M5.5 5.5h7a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM2.500 10.500v-7a2 2 0 0 1 2-2h6"
        }
        Shape::Tick => "M3 8.500l3.500 3.500L13 5",
        Shape::Undo => "M6 3L3 6l3 3M3 6h6.500a3.500 3.500 0 0 1 0 7H6",
        Shape::Redo => "M10 3l3 3-3 3M13 6H6.500a3.500 3.500 0 0 0 0 7H10",
        Shape::Refresh => "M13 8a5 5 0 1 1-1.500-3.600M13 2v3h-3",
        Shape::Import => "M8 2v7M5 6.500L8 9.500l3-3M2.500 10v3.500h11V10",
        Shape::Export => "M8 9.500v-7M5 5l3-3 3 3M2.500 10v3.500h11V10",
        Shape::Close => "M4 4l8 8M12 4l-8 8",
        Shape::Theme => "M8 2.500a5.500 5.500 0 1 0 0 11zM8 2.500a5.500 5.500 0 0 1 0 11",
        Shape::Caret => "M4.500 6.500L8 10l3.500-3.500",
    };
    view! {
        <svg viewBox="0 0 16 16" width="15" height="15" fill="none" stroke="currentColor" stroke-width="1.5"
            stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
            <path d=path />
        </svg>
    }
}
