//! Every habit of development as one command: `cargo xtask serve`, `cargo xtask test` and their smaller parts.
//!
//! What always holds: whatever a command needs is brought by the command itself, into the ignored folder
//! `.tools/` (nothing global is changed, save Debian packages where the user is root), and what is there
//! already is not fetched again. A step that fails says what to type to see it fail again.
//!
//! What this does not do: decide anything about the product. It runs cargo, wasm-bindgen, node and Chromium.

mod bench;
mod browser_suite;
mod check;
mod command;
mod console;
mod dev;
mod druid;
mod fuzz;
mod gateway_binary;
mod mutants;
mod serve;
mod shots;
mod step;
mod tools;
mod tree;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::tree::Tree;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    about = "Every habit of development as one command.",
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    habit: Habit,
}

#[derive(Subcommand)]
enum Habit {
    /// Build the console, embed it in `foreshadow` and serve it; arguments go to `foreshadow serve`
    /// (--port, --cluster URL, --credentials-file FILE, --open …)
    #[command(disable_help_flag = true)]
    Serve {
        /// Passed through to `foreshadow serve`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// As `serve`, with an unoptimised console, rebuilding whatever changes on disk
    #[command(disable_help_flag = true)]
    Dev {
        /// Passed through to `foreshadow serve`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// All checks: formatting, clippy, native tests, wasm tests, journeys in a real browser
    Test {
        /// Only these steps, by name; see `--list`. With `--druid`: scenarios or journeys
        #[arg(long, value_name = "STEP", value_delimiter = ',')]
        only: Vec<String>,
        /// Name the steps and stop
        #[arg(long)]
        list: bool,
        /// With `--only journeys`: only tests whose name matches this pattern
        #[arg(long, value_name = "PATTERN")]
        name: Option<String>,
        /// In place of all that, on a running Druid: the forecast held against fresh scenarios, then journeys
        #[arg(long, conflicts_with = "list")]
        druid: bool,
        /// With `--druid`: how many scenarios
        #[arg(long, requires = "druid", default_value_t = druid::reality::IN_FULL)]
        scenarios: u64,
        /// With `--druid`: draws the same scenarios again; from the clock where none is given
        #[arg(long, requires = "druid")]
        seed: Option<u64>,
        /// With `--druid` and `--seed`: only this scenario
        #[arg(long, requires = "seed")]
        number: Option<u64>,
        /// With `--druid`: the release
        #[arg(long, requires = "druid", default_value = druid::WHOLE, value_name = "RELEASE")]
        version: String,
    },
    /// Bring the tools that the named command needs, or all of them
    Setup {
        /// `serve`, `test` (all tools)
        #[arg(value_enum, default_value = "test")]
        for_what: tools::Purpose,
    },
    /// Build the console (`dist/`, precompressed) and the `foreshadow` binary that carries it
    Build,
    /// Measure: criterion benchmarks, then the console in a browser against its budgets
    Bench {
        /// Only the browser part, or only the native part
        #[arg(long, value_enum)]
        only: Option<bench::Part>,
    },
    /// Take a picture of every page in every state that matters into `shots/`
    Shots {
        /// Only pictures whose name contains this text
        #[arg(long)]
        only: Option<String>,
        /// Then copy the picture that README.md shows to docs/pictures/plan.png
        #[arg(long)]
        readme: bool,
    },
    /// A real Apache Druid from Maven's jars: up, down, status, logs
    Druid {
        #[command(subcommand)]
        order: druid::Order,
    },
    /// Give the readers of outside text what a fuzzer makes up, one after the other
    Fuzz {
        /// Only this reader: a folder of crates/*/tests/outside/corpus
        reader: Option<String>,
        /// For each of them
        #[arg(long, default_value_t = 60)]
        seconds: u64,
    },
    /// Change the code in one small place at a time and see whether a test notices
    Mutants {
        /// Only these rooms: a folder of crates/*/src
        rooms: Vec<String>,
        /// Of each room at most so many mutants
        #[arg(long, default_value_t = 200)]
        sample: usize,
        /// Another number draws another sample
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Format all Rust files
    Fmt,
    /// Clippy as `test` runs it, for the host and for wasm
    Lint,
}

fn main() -> ExitCode {
    let Cli { habit } = Cli::parse();
    let outcome = Tree::find().and_then(|tree| match habit {
        Habit::Serve { arguments } => serve::run(&tree, &arguments),
        Habit::Dev { arguments } => dev::run(&tree, &arguments),
        Habit::Test { list: true, .. } => check::list(),
        Habit::Test { druid: true, only, name, scenarios, seed, number, version, .. } => {
            let release = version.parse()?;
            let season = druid::reality::Season { release, scenarios, seed, number };
            check::on_druid(&tree, &season, &only, name.as_deref())
        }
        Habit::Test { only, name, .. } => check::run(&tree, &only, name.as_deref()),
        Habit::Setup { for_what } => tools::set_up(&tree, for_what).map(|_| ExitCode::SUCCESS),
        Habit::Build => serve::build(&tree).map(|_| ExitCode::SUCCESS),
        Habit::Bench { only } => bench::run(&tree, only),
        Habit::Shots { only, readme } => shots::run(&tree, only.as_deref(), readme),
        Habit::Druid { order } => druid::run(&tree, &order),
        Habit::Fuzz { reader, seconds } => fuzz::run(&tree, reader.as_deref(), seconds),
        Habit::Mutants { rooms, sample, seed } => mutants::run(&tree, &rooms, sample, seed),
        Habit::Fmt => check::format(&tree),
        Habit::Lint => check::run(&tree, &["clippy".to_owned(), "clippy-wasm".to_owned()], None),
    });
    outcome.unwrap_or_else(|error| {
        eprintln!("\nerror: {error:#}");
        ExitCode::FAILURE
    })
}
