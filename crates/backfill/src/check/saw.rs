//! A fingerprint of what a rule looked at: equal values, equal number, on every machine and in every session.

/// FNV-1a over values with their lengths, so that neighbours cannot run into each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saw(u64);

impl Saw {
    pub(super) fn new(check: &str) -> Saw {
        Saw(0xcbf2_9ce4_8422_2325).text(check)
    }

    pub(super) fn text(self, text: &str) -> Saw {
        text.bytes().fold(self.number(text.len() as u64), Saw::byte)
    }

    pub(super) fn number(self, number: u64) -> Saw {
        number.to_le_bytes().into_iter().fold(self, Saw::byte)
    }

    pub(super) fn finish(self) -> u64 {
        self.0
    }

    fn byte(self, byte: u8) -> Saw {
        Saw((self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}
