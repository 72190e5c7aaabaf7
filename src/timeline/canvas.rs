//! From a stage to two canvases: pixels below (one `putImageData` a frame), words and light shapes above.
//!
//! Nothing is drawn that is not out of date: a pointer that only moves costs the upper canvas alone.

use super::{
    stage::Stage,
    words::{Align, Ink, Shape, Word, names_width, shapes, words},
};
use chart::{Palette, Raster};
use wasm_bindgen::{Clamped, JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// Colours of words, as CSS texts.
#[derive(Clone, Debug, Default)]
struct Inks {
    strong: String,
    plain: String,
    quiet: String,
    panel: String,
    tomb: String,
    warn: String,
    stop: String,
    doubled: String,
    font: String,
}

/// The two canvases and what is needed to fill them.
pub(super) struct Easel {
    pixels: HtmlCanvasElement,
    words: HtmlCanvasElement,
    below: CanvasRenderingContext2d,
    above: CanvasRenderingContext2d,
    raster: Raster,
    palette: Palette,
    inks: Inks,
}

fn context(canvas: &HtmlCanvasElement, alpha: bool) -> Option<CanvasRenderingContext2d> {
    let options = js_sys::Object::new();
    let _ = js_sys::Reflect::set(&options, &JsValue::from_str("alpha"), &JsValue::from_bool(alpha));
    canvas.get_context_with_context_options("2d", &options).ok()??.dyn_into().ok()
}

impl Easel {
    /// `None` where the browser gives no drawing context.
    pub(super) fn new(pixels: HtmlCanvasElement, words: HtmlCanvasElement) -> Option<Easel> {
        let (below, above) = (context(&pixels, false)?, context(&words, true)?);
        let mut easel = Easel {
            pixels,
            words,
            below,
            above,
            raster: Raster::new(),
            palette: Palette::light(),
            inks: Inks::default(),
        };
        easel.read_tokens();
        Some(easel)
    }

    /// Reads the colours of the theme that is on.
    pub(super) fn read_tokens(&mut self) {
        let style =
            web_sys::window().and_then(|window| window.get_computed_style(&self.words).ok().flatten());
        let Some(style) = style else { return };
        let text = |name: &str| style.get_property_value(name).unwrap_or_default().trim().to_owned();
        let colour = |name: &str, other: chart::Rgba| chart::parse_css(&text(name)).unwrap_or(other);
        let spare = Palette::light();
        self.palette = Palette {
            ground: colour("--panel", spare.ground),
            line: colour("--line", spare.line),
            line_strong: colour("--line2", spare.line_strong),
            ink: colour("--ink", spare.ink),
            ink_quiet: colour("--ink3", spare.ink_quiet),
            accent: colour("--accent", spare.accent),
            accent_soft: colour("--accent-soft", spare.accent_soft),
            served: colour("--served", spare.served),
            hidden: colour("--hid", spare.hidden),
            new: colour("--new", spare.new),
            tomb: colour("--tomb", spare.tomb),
            warn: colour("--warn-mark", spare.warn),
            warn_soft: colour("--warn-soft", spare.warn_soft),
            stop: colour("--stop", spare.stop),
            doubled: colour("--dbl", spare.doubled),
        };
        self.inks = Inks {
            strong: text("--ink"),
            plain: text("--ink2"),
            quiet: text("--ink3"),
            panel: text("--panel"),
            tomb: text("--tomb"),
            warn: text("--warn"),
            stop: text("--stop"),
            doubled: text("--dbl"),
            font: style.get_property_value("font-family").unwrap_or_else(|_| "sans-serif".to_owned()),
        };
    }

    /// Width that the names of the lanes need, CSS pixels.
    pub(super) fn names_width(&self, lanes: &[super::scene::LaneName]) -> f64 {
        names_width(lanes, &|text, bold| self.measure(text, bold))
    }

    fn font(&self, bold: bool) -> String {
        format!("{} 11px {}", if bold { 600 } else { 400 }, self.inks.font)
    }

    fn measure(&self, text: &str, bold: bool) -> f64 {
        self.above.set_font(&self.font(bold));
        self.above.measure_text(text).map_or(text.len() as f64 * 6.5, |size| size.width())
    }

    /// Draws what is out of date. Answers whether pixels were drawn.
    pub(super) fn draw(&mut self, stage: &mut Stage) -> bool {
        let (width, height) = (stage.frame.width.max(1) as u32, stage.frame.height.max(1) as u32);
        let pixels = stage.stale_pixels;
        if pixels {
            for canvas in [&self.pixels, &self.words] {
                if (canvas.width(), canvas.height()) != (width, height) {
                    canvas.set_width(width);
                    canvas.set_height(height);
                    let css = |px: u32| format!("{}px", f64::from(px) / stage.frame.scale);
                    let _ = canvas.style().set_property("width", &css(width));
                    let _ = canvas.style().set_property("height", &css(height));
                }
            }
            let drawn = self.raster.draw(&stage.picture(&self.palette));
            // The pixels are handed over where they lie in memory: no copy before the canvas' own.
            let bytes: &[u8] = bytemuck::cast_slice(drawn);
            if let Ok(image) = ImageData::new_with_u8_clamped_array_and_sh(Clamped(bytes), width, height) {
                let _ = self.below.put_image_data(&image, 0.0, 0.0);
            }
        }
        if pixels || stage.stale_words {
            self.write(stage);
        }
        stage.stale_pixels = false;
        stage.stale_words = false;
        pixels
    }

    fn write(&self, stage: &Stage) {
        let scale = stage.frame.scale;
        let context = &self.above;
        let _ = context.set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0);
        context.clear_rect(
            0.0,
            0.0,
            f64::from(stage.frame.width) / scale,
            f64::from(stage.frame.height) / scale,
        );
        for shape in shapes(stage) {
            self.shape(shape);
        }
        context.set_line_join("round");
        // Setting a font is dear: all plain words first, then all bold ones.
        let all = words(stage, &|text, bold| self.measure(text, bold));
        for bold in [false, true] {
            context.set_font(&self.font(bold));
            for word in all.iter().filter(|word| word.bold == bold) {
                self.word(word);
            }
        }
    }

    fn shape(&self, shape: Shape) {
        let context = &self.above;
        match shape {
            Shape::Line { x, top, bottom } => {
                context.set_stroke_style_str(&self.inks.quiet);
                context.set_line_width(1.0);
                context.begin_path();
                context.move_to(x, top);
                context.line_to(x, bottom);
                context.stroke();
            }
            Shape::Frame { x, y, w, h } => {
                context.set_stroke_style_str(&self.inks.strong);
                context.set_line_width(1.0);
                context.stroke_rect(x, y, w, h);
            }
            Shape::Thumb { x, y, w, h } => {
                context.set_fill_style_str(&self.inks.quiet);
                context.fill_rect(x, y, w, h);
            }
        }
    }

    fn word(&self, word: &Word) {
        let context = &self.above;
        context.set_text_align(match word.align {
            Align::Left => "left",
            Align::Middle => "center",
            Align::Right => "right",
        });
        if word.halo {
            context.set_stroke_style_str(&self.inks.panel);
            context.set_line_width(4.0);
            let _ = context.stroke_text(&word.text, word.x, word.y);
        }
        context.set_fill_style_str(match word.ink {
            Ink::Strong => &self.inks.strong,
            Ink::Plain => &self.inks.plain,
            Ink::Quiet => &self.inks.quiet,
            Ink::OnFill => &self.inks.panel,
            Ink::Tomb => &self.inks.tomb,
            Ink::Warn => &self.inks.warn,
            Ink::Stop => &self.inks.stop,
            Ink::Doubled => &self.inks.doubled,
        });
        let _ = context.fill_text(&word.text, word.x, word.y);
    }
}
