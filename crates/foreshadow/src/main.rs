//! Foreshadow on the command line. Thin: parsing and printing only; what is said comes from the libraries.
//!
//! Exit codes: 0 when all is well, 1 when a finding says stop, 2 when the input could not be read or the server not started.
//! What a program should read goes to stdout, what a person should know goes to stderr.
#![allow(clippy::print_stdout, clippy::print_stderr)] // the one crate whose work is to print

mod check;
mod files;
mod forecast;
mod id;
mod live;
mod print;
mod serve;
mod situation;
mod timeline;
mod timings;
mod worlds;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// See what a Druid backfill will do before it runs.
#[derive(Parser)]
#[command(name = "foreshadow", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the console, in front of a cluster or of the sandbox
    Serve(serve::Arguments),
    /// Print what is visible, overshadowed and incomplete among some segments
    Timeline(timeline::Arguments),
    /// Print what a task would do to a datasource, before it runs
    Forecast(forecast::Arguments),
    /// Print what speaks against a task file by itself
    Check(check::Arguments),
    /// Print the task id of a task file, and what it is made from
    Id(id::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Command::Serve(arguments) => serve::run(arguments),
        Command::Timeline(arguments) => timeline::run(&arguments),
        Command::Forecast(arguments) => forecast::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Id(arguments) => id::run(&arguments),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}
