//! Named steps with their times, on stderr: what runs now, how long it took, and how to repeat one that failed.

use std::time::{Duration, Instant};

use anyhow::Result;

/// Runs one step under its name. On failure the error names the command that repeats just this step.
pub(crate) fn step<T>(name: &str, repeat: &str, work: impl FnOnce() -> Result<T>) -> Result<(T, Duration)> {
    eprintln!("\n── {name}");
    let begun = Instant::now();
    match work() {
        Ok(value) => {
            let taken = begun.elapsed();
            eprintln!("── {name}: done in {}", spoken(taken));
            Ok((value, taken))
        }
        Err(error) => {
            eprintln!("── {name}: FAILED after {}", spoken(begun.elapsed()));
            Err(error.context(format!("{name} failed. To repeat only this step: {repeat}")))
        }
    }
}

/// A duration as people say it: `0.4 s`, `12 s`, `3 min 05 s`.
pub(crate) fn spoken(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        _ => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_said_with_no_more_digits_than_matter() {
        assert_eq!(spoken(Duration::from_millis(420)), "0.4 s");
        assert_eq!(spoken(Duration::from_millis(12_700)), "12 s");
        assert_eq!(spoken(Duration::from_secs(185)), "3 min 05 s");
    }
}
