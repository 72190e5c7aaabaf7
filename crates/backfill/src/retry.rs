//! When to try again, how long to wait before it, and when to stop trying.
//!
//! [`Policy`] holds the numbers (six attempts, 2 s doubling to 30 s, full jitter, poison after three), [`FailureClass`]
//! says what kind of failure an answer or a FAILED run was, [`surge`] what many pipelines do to a cluster together.
//!
//! Always true: no clock is read and no dice are rolled here. A random number in `[0, 1)` comes in, milliseconds go
//! out, and every sum saturates, so that a policy read from a hostile file can be slow but never wrong or endless.
//!
//! Not here: what to *do* after a failure (that is `submission`) and how an HTTP answer is read (`druid::answer`).

mod failure;
mod policy;
pub mod surge;

pub use failure::{FailureClass, Remedy};
pub use policy::{Policy, PolicyField, PolicyProblem};
