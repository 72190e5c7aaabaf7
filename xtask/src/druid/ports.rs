//! Ports for a new cluster: one free base, and everything at a fixed distance from it.

use std::net::TcpListener;

use anyhow::{Context, Result};

/// Distances that are used, from the base on.
const USED: [u16; 8] = [1, 2, 81, 82, 83, 88, 91, 92];
/// Bases that are tried, below the ports that systems give to outgoing connections.
const FIRST: u16 = 18_000;
const LAST: u16 = 31_900;
const APART: usize = 100;

/// A base whose used ports are all free right now, leaving out those in `taken`.
pub(crate) fn free_base(taken: &[u16]) -> Result<u16> {
    (FIRST..=LAST)
        .step_by(APART)
        .filter(|base| !taken.contains(base))
        .find(|base| USED.iter().all(|distance| is_free(base + distance)))
        .with_context(|| format!("no free range of ports between {FIRST} and {LAST}"))
}

fn is_free(port: u16) -> bool {
    TcpListener::bind(("127.0.0.1", port)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_with_one_used_port_taken_is_passed_over() {
        let base = free_base(&[]).unwrap();
        let _held = TcpListener::bind(("127.0.0.1", base + 83)).unwrap();
        assert!(free_base(&[]).unwrap() > base);
    }
}
