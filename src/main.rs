//! Starts the console in the page.

fn main() {
    console_error_panic_hook::set_once();
    foreshadow_console::start();
}
