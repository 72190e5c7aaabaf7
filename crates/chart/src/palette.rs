//! Colours as the raster needs them: one RGBA word per token, read from CSS by the console.
//!
//! A `Palette` is a plain value, so light, dark and high contrast are three values and not three code paths. The two
//! built in here repeat the tokens of the console's style sheet for tests and examples; the console brings its own.

/// One pixel: red in the lowest byte, then green, blue, alpha, as a browser's `ImageData` has them in memory on a
/// little-endian machine (every browser).
pub type Rgba = u32;

/// An opaque pixel.
pub const fn rgb(red: u8, green: u8, blue: u8) -> Rgba {
    0xff00_0000 | (blue as u32) << 16 | (green as u32) << 8 | red as u32
}

/// `base` covered by `over` with a coverage of 0 (only `base`) to 256 (only `over`). The result is opaque.
#[inline]
pub const fn mix(base: Rgba, over: Rgba, coverage: u32) -> Rgba {
    let cover = if coverage > 256 { 256 } else { coverage };
    let rest = 256 - cover;
    // Two channels at a time: red and blue lie 16 bits apart, so their products cannot meet.
    let red_blue = ((base & 0x00ff_00ff) * rest + (over & 0x00ff_00ff) * cover) >> 8 & 0x00ff_00ff;
    let green = ((base & 0x0000_ff00) * rest + (over & 0x0000_ff00) * cover) >> 8 & 0x0000_ff00;
    0xff00_0000 | red_blue | green
}

/// Lightness as the eye weighs it (Rec. 601 luma), 0 to 255: what is left of a colour in greyscale.
pub const fn luma(colour: Rgba) -> u32 {
    ((colour & 0xff) * 299 + (colour >> 8 & 0xff) * 587 + (colour >> 16 & 0xff) * 114) / 1000
}

/// Reads `#rgb`, `#rrggbb`, `rgb(r, g, b)` and `rgb(r g b)`, as a browser's computed style gives them. An alpha is
/// ignored. `None` for anything else.
pub fn parse_css(text: &str) -> Option<Rgba> {
    let text = text.trim();
    if let Some(hex) = text.strip_prefix('#') {
        let digit = |at: usize| hex.get(at..at + 1).and_then(|c| u8::from_str_radix(c, 16).ok());
        return match hex.len() {
            3 | 4 => Some(rgb(digit(0)? * 17, digit(1)? * 17, digit(2)? * 17)),
            6 | 8 => {
                let byte = |at: usize| Some(digit(at)? * 16 + digit(at + 1)?);
                Some(rgb(byte(0)?, byte(2)?, byte(4)?))
            }
            _ => None,
        };
    }
    let inner = text.strip_prefix("rgba(").or_else(|| text.strip_prefix("rgb("))?.strip_suffix(')')?;
    let mut parts = inner.split([',', ' ', '/']).filter(|part| !part.is_empty());
    let mut channel = || parts.next()?.parse::<f64>().ok().map(|value| value.round().clamp(0.0, 255.0) as u8);
    Some(rgb(channel()?, channel()?, channel()?))
}

/// The colours of one theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// What the bars lie on (`--panel`).
    pub ground: Rgba,
    /// Grid lines (`--line`).
    pub line: Rgba,
    /// Grid lines where a larger unit begins (`--line2`).
    pub line_strong: Rgba,
    /// Text and the typed bracket (`--ink`).
    pub ink: Rgba,
    /// Quiet text, the cursor line (`--ink3`).
    pub ink_quiet: Rgba,
    /// The one accent: window frame, selection (`--accent`).
    pub accent: Rgba,
    /// The effective band (`--accent-soft`).
    pub accent_soft: Rgba,
    /// Served data (`--served`).
    pub served: Rgba,
    /// Hatching of what is overshadowed (`--hid`).
    pub hidden: Rgba,
    /// What the run adds (`--new`).
    pub new: Rgba,
    /// Tombstones (`--tomb`).
    pub tomb: Rgba,
    /// Stripes of the widening (`--warn`).
    pub warn: Rgba,
    /// Ground of the widening (`--warn-soft`).
    pub warn_soft: Rgba,
    /// Locks held by others (`--stop`).
    pub stop: Rgba,
    /// Appended and doubled rows (`--dbl`).
    pub doubled: Rgba,
}

impl Palette {
    /// The light theme.
    pub const fn light() -> Palette {
        Palette {
            ground: rgb(0xff, 0xff, 0xff),
            line: rgb(0xdf, 0xe3, 0xe9),
            line_strong: rgb(0xc9, 0xd0, 0xd9),
            ink: rgb(0x17, 0x20, 0x2b),
            ink_quiet: rgb(0x7b, 0x87, 0x97),
            accent: rgb(0x0b, 0x6e, 0x6e),
            accent_soft: rgb(0xdf, 0xf0, 0xee),
            served: rgb(0x5b, 0x7c, 0x9d),
            hidden: rgb(0xaa, 0xb4, 0xc0),
            new: rgb(0x0f, 0x8b, 0x85),
            tomb: rgb(0xa8, 0x5b, 0x1b),
            warn: rgb(0xb6, 0x7c, 0x00),
            warn_soft: rgb(0xff, 0xf4, 0xd6),
            stop: rgb(0xbd, 0x2f, 0x45),
            doubled: rgb(0x7b, 0x4f, 0xb5),
        }
    }

    /// The dark theme.
    pub const fn dark() -> Palette {
        Palette {
            ground: rgb(0x1a, 0x20, 0x28),
            line: rgb(0x2b, 0x33, 0x3e),
            line_strong: rgb(0x3b, 0x46, 0x54),
            ink: rgb(0xe7, 0xeb, 0xf0),
            ink_quiet: rgb(0x7f, 0x8b, 0x99),
            accent: rgb(0x3c, 0xc3, 0xb5),
            accent_soft: rgb(0x17, 0x36, 0x34),
            served: rgb(0x7b, 0x9c, 0xbd),
            hidden: rgb(0x56, 0x61, 0x6e),
            new: rgb(0x35, 0xbf, 0xb2),
            tomb: rgb(0xd9, 0x8a, 0x4b),
            warn: rgb(0xe0, 0xb0, 0x40),
            warn_soft: rgb(0x33, 0x2a, 0x12),
            stop: rgb(0xf0, 0x70, 0x7f),
            doubled: rgb(0xb5, 0x92, 0xe6),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_a_computed_style_writes_them() {
        let blue = rgb(0x5b, 0x7c, 0x9d);
        for text in
            ["#5b7c9d", " #5B7C9D ", "rgb(91, 124, 157)", "rgb(91 124 157)", "rgba(91, 124, 157, 0.5)"]
        {
            assert_eq!(parse_css(text), Some(blue), "{text}");
        }
        assert_eq!(parse_css("#fff"), Some(rgb(255, 255, 255)));
        for text in ["", "#", "#12345", "#ééé", "blue", "rgb(1, 2)", "rgb(a, b, c)"] {
            assert_eq!(parse_css(text), None, "{text}");
        }
    }

    #[test]
    fn a_mix_ends_at_both_of_its_colours() {
        let (white, ink) = (rgb(255, 255, 255), rgb(0x17, 0x20, 0x2b));
        assert_eq!(mix(white, ink, 0), white);
        assert_eq!(mix(white, ink, 256), ink);
        assert_eq!(mix(rgb(0, 0, 0), rgb(255, 255, 255), 128), rgb(127, 127, 127));
    }
}
