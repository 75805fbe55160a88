//! How far long work has come: a bar on standard error, where that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar with the name of a step.
pub struct Bar(ProgressBar);

impl Bar {
    /// Counts bytes.
    pub fn bytes(name: &str) -> Bar {
        Bar::new(name, "{msg} {bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}")
    }

    /// Counts the bytes of what is read through it.
    pub fn bytes_of(name: &str, total: u64) -> Bar {
        let bar = Bar::bytes(name);
        bar.begin(total);
        bar
    }

    /// The reader, counted.
    pub fn wrap_read<R: std::io::Read>(&self, reader: R) -> impl std::io::Read + use<R> {
        self.0.wrap_read(reader)
    }

    /// Counts things.
    pub fn items(name: &str) -> Bar {
        Bar::new(name, "{msg} {bar:40} {pos}/{len} {eta}")
    }

    /// Counts parts of a training, with a message that changes.
    pub fn training(name: &str) -> Bar {
        Bar::new(name, "{bar:40} {percent}% {eta} {msg}")
    }

    /// Counts requests to a model, with a message that changes.
    #[cfg(feature = "llm")]
    pub fn requests() -> Bar {
        Bar::new("", "{bar:24} {pos}/{len}  {msg}")
    }

    /// Changes the message.
    pub fn say(&self, message: &str) {
        self.0.set_message(message.to_owned());
    }

    fn new(name: &str, template: &str) -> Bar {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        // Nothing is drawn where standard error is no terminal.
        Bar(ProgressBar::new(0).with_style(style).with_message(name.to_owned()))
    }

    pub fn begin(&self, length: u64) {
        self.0.set_length(length);
    }

    pub fn step(&self) {
        self.0.inc(1);
    }

    pub fn at(&self, done: u64, length: u64) {
        self.0.set_length(length.max(done));
        self.0.set_position(done);
    }

    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}
