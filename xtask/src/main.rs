//! Every habit of development as one command.

fn main() {}
