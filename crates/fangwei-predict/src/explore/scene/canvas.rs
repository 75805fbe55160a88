//! Words and boxes on a sheet that grows with them. Widths are counted in columns, for no font can be asked: a Chinese character is as wide as the font is high.

use fangwei::lang::columns;
use fangwei::page::escape;

use super::Sign;

/// The sizes of what names things, of what tells of them, and of numbers.
pub const NAME: f64 = 16.0;
pub const NOTE: f64 = 12.0;
pub const SMALL: f64 = 10.0;
/// Longer words are cut; their title says them in full.
const LONGEST: usize = 14;

/// The width that a text takes at a size.
pub fn width(text: &str, size: f64) -> f64 {
    columns(&short(text)) as f64 * size * 0.52
}

/// The text, not too long for a picture.
pub fn short(text: &str) -> String {
    let line: String = text.chars().map(|character| if character == '\n' { ' ' } else { character }).collect();
    if line.chars().count() > LONGEST { line.chars().take(LONGEST - 1).chain(['…']).collect() } else { line }
}

/// Shapes, one after another.
#[derive(Debug, Default)]
pub struct Canvas(pub String);

impl Canvas {
    /// A text around a middle.
    pub fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let text = escape(&short(text));
        self.0.push_str(&format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"));
    }

    /// A box.
    pub fn rect(&mut self, class: &str, at: (f64, f64), size: (f64, f64), round: f64) {
        let ((x, y), (width, height)) = (at, size);
        self.0.push_str(&format!(
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{round:.1}\"/>"
        ));
    }

    /// An arrow to the right.
    pub fn arrow(&mut self, class: &str, from: f64, to: f64, y: f64) {
        let (line, tip) = (to - 9.0, to);
        self.0.push_str(&format!(
            "<path class=\"line {class}\" d=\"M{from:.1} {y:.1}H{line:.1}\"/><path class=\"tip {class}\" d=\"M{tip:.1} {y:.1}l-12 -6v12z\"/>"
        ));
    }

    /// Opens a group with the look of a sign; whoever points at it reads it in full.
    pub fn open(&mut self, sign: &Sign) {
        let wrong = if sign.wrong { " wrong" } else { "" };
        let title = escape(&format!("{}：{}", sign.role, sign.text));
        self.0.push_str(&format!("<g class=\"colour-{}{wrong}\"><title>{title}</title>", sign.colour));
    }

    /// Closes a group.
    pub fn close(&mut self) {
        self.0.push_str("</g>");
    }
}
