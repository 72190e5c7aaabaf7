//! Foreshadow on the command line. Thin: parsing and printing only.

fn main() {}
