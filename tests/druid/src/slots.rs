//! How many parallel tasks run at once. Each holds a slot for its supervisor while its sub-tasks wait for others: as
//! many of them as there are slots stand still for ever.

use std::sync::{Condvar, Mutex, PoisonError};

/// Places for parallel tasks.
pub(crate) struct Slots {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A place that is held until it is dropped.
pub(crate) struct Slot<'a>(&'a Slots);

impl Slots {
    pub(crate) fn of(free: usize) -> Slots {
        Slots { free: Mutex::new(free), freed: Condvar::new() }
    }

    /// Waits for a place.
    pub(crate) fn take(&self) -> Slot<'_> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            free = self.freed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= 1;
        Slot(self)
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}
