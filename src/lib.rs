//! The Foreshadow console: everything a person sees.
//!
//! What always holds: a page's state is in its address; nothing the user typed is lost; every text that came
//! from a cluster, a file or a link is set as text, never as markup. What it decides is decided by `backfill`
//! and drawn by `chart`; here is only how it is shown and how it reaches the gateway and the browser's storage.

#![allow(
    unreachable_pub,
    reason = "one program: inside it `pub` only says that a module means to be used by others"
)]

mod app;
mod cluster;
mod journal;
mod kit;
mod kit_page;
mod limit;
mod part;
mod plan;
mod route;
mod runs;
mod submit;
mod theme;
mod timeline;

/// Mounts the console into the page's body, in place of the loading text.
pub fn start() {
    app::mount();
}
