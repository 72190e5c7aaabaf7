//! One column of whole numbers, in whichever of four ways is shortest: all equal, runs, steps over a common divisor
//! (time chunks step by an hour, so a step is one byte), or plain.

use super::DecodeError;

const EQUAL: u8 = 0;
const RUNS: u8 = 1;
const STEPS: u8 = 2;
const PLAIN: u8 = 3;

pub(super) fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Small numbers of either sign become small unsigned ones.
fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63).cast_unsigned()
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
}

/// Writes a column. Its length is known to the reader.
pub(super) fn put_column(out: &mut Vec<u8>, numbers: &[i64]) {
    let Some(first) = numbers.first() else { return };
    if numbers.iter().all(|number| number == first) {
        out.push(EQUAL);
        put_varint(out, zigzag(*first));
        return;
    }
    let mut runs = vec![RUNS];
    for run in numbers.chunk_by(|a, b| a == b) {
        put_varint(&mut runs, zigzag(run.first().copied().unwrap_or(0)));
        put_varint(&mut runs, run.len() as u64);
    }
    let mut steps = vec![STEPS];
    let step = |pair: &[i64]| match pair {
        [before, after] => after.wrapping_sub(*before),
        _ => 0,
    };
    let divisor =
        numbers.windows(2).map(step).fold(0u64, |divisor, step| common(divisor, step.unsigned_abs()));
    // A step of i64::MIN has no positive twin to divide by.
    let divisor = i64::try_from(divisor).ok().filter(|divisor| *divisor > 0).unwrap_or(1);
    put_varint(&mut steps, divisor.cast_unsigned());
    put_varint(&mut steps, zigzag(*first));
    for pair in numbers.windows(2) {
        put_varint(&mut steps, zigzag(step(pair) / divisor));
    }
    let mut plain = Vec::new();
    put_plain(&mut plain, numbers);
    let shortest = [runs, steps, plain].into_iter().min_by_key(Vec::len);
    out.extend_from_slice(&shortest.unwrap_or_default());
}

/// Writes a column number by number.
pub(super) fn put_plain(out: &mut Vec<u8>, numbers: &[i64]) {
    out.push(PLAIN);
    for number in numbers {
        put_varint(out, zigzag(*number));
    }
}

/// Greatest common divisor; of 0 and a number that number.
fn common(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Reads from a payload, and never past it.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn byte(&mut self) -> Result<u8, DecodeError> {
        let (first, rest) = self.bytes.split_first().ok_or(DecodeError::Short)?;
        self.bytes = rest;
        Ok(*first)
    }

    pub(super) fn varint(&mut self) -> Result<u64, DecodeError> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(DecodeError::Malformed("a number that is too long"))
    }

    /// A number that counts things of at least one byte each in what is left, so that a lie cannot make us allocate.
    pub(super) fn count(&mut self) -> Result<usize, DecodeError> {
        let count = self.varint()?;
        usize::try_from(count).ok().filter(|count| *count <= self.left()).ok_or(DecodeError::Short)
    }

    pub(super) fn bytes(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(DecodeError::Short)?;
        self.bytes = rest;
        Ok(taken)
    }

    pub(super) fn text(&mut self) -> Result<&'a str, DecodeError> {
        let length = self.count()?;
        std::str::from_utf8(self.bytes(length)?)
            .map_err(|_| DecodeError::Malformed("a text that is not UTF-8"))
    }

    /// Reads a column of `count` numbers.
    pub(super) fn column(&mut self, count: usize) -> Result<Vec<i64>, DecodeError> {
        let mut numbers = Vec::with_capacity(count);
        if count == 0 {
            return Ok(numbers);
        }
        match self.byte()? {
            EQUAL => numbers.resize(count, unzigzag(self.varint()?)),
            RUNS => {
                while numbers.len() < count {
                    let number = unzigzag(self.varint()?);
                    let run = usize::try_from(self.varint()?).unwrap_or(usize::MAX);
                    if run == 0 || run > count - numbers.len() {
                        return Err(DecodeError::Malformed("a run of the wrong length"));
                    }
                    numbers.resize(numbers.len() + run, number);
                }
            }
            STEPS => {
                let divisor = self.varint()?.cast_signed();
                let mut number = unzigzag(self.varint()?);
                numbers.push(number);
                for _ in 1..count {
                    number = number.wrapping_add(unzigzag(self.varint()?).wrapping_mul(divisor));
                    numbers.push(number);
                }
            }
            PLAIN => {
                for _ in 0..count {
                    numbers.push(unzigzag(self.varint()?));
                }
            }
            _ => return Err(DecodeError::Malformed("a column of an unknown kind")),
        }
        Ok(numbers)
    }
}
