//! Where output goes: standard output or a file, written whole or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use anyhow::Context as _;
use clap::ValueEnum;
use fangwei::record::{Defect, Severity};

use crate::lang::{lang, t};

/// How a command ended, where it did not fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Everything was in order.
    Clean,
    /// The command did its work, and the input has defects.
    Defects,
}

impl Status {
    /// Whether there are errors among defects; warnings are none.
    pub fn of(defects: &[Defect]) -> Status {
        if errors(defects) == 0 { Status::Clean } else { Status::Defects }
    }
}

/// How many of these are errors.
pub fn errors(defects: &[Defect]) -> usize {
    defects.iter().filter(|defect| defect.severity() == Severity::Error).count()
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(u8::from(status == Status::Defects))
    }
}

/// Arguments that do not go together; exit code 2.
#[derive(Debug)]
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// The formats of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    #[default]
    #[value(help = t("给人看", "for people"))]
    Text,
    #[value(help = t("给程序用", "for programs"))]
    Json,
    #[value(help = t("给表格软件用", "for spreadsheets"))]
    Csv,
    #[value(help = t("给论文和网页用", "for papers and pages"))]
    Markdown,
}

impl Format {
    /// The table format; JSON is none.
    pub fn table(self) -> fangwei::table::Format {
        match self {
            Format::Csv => fangwei::table::Format::Csv,
            Format::Markdown => fangwei::table::Format::Markdown,
            Format::Text | Format::Json => fangwei::table::Format::Text,
        }
    }
}

/// A page in one of its formats, or everything for programs.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum PageFormat {
    #[default]
    #[value(help = t("给人看", "for people"))]
    Text,
    #[value(help = t("给程序用，内容最全", "for programs, with everything"))]
    Json,
    #[value(help = t("给论文和网页用", "for papers and pages"))]
    Markdown,
    #[value(help = t("一个网页文件", "one file for a browser"))]
    Html,
}

impl PageFormat {
    /// The format of the page; JSON is none.
    pub fn page(self) -> Option<fangwei::page::Format> {
        match self {
            PageFormat::Json => None,
            PageFormat::Text => Some(fangwei::page::Format::Text),
            PageFormat::Markdown => Some(fangwei::page::Format::Markdown),
            PageFormat::Html => Some(fangwei::page::Format::Html),
        }
    }
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Color {
    #[default]
    #[value(help = t("终端上用", "on a terminal"))]
    Auto,
    #[value(help = t("总是", "always"))]
    Always,
    #[value(help = t("从不", "never"))]
    Never,
}

static COLOR: OnceLock<Color> = OnceLock::new();

impl Color {
    /// Chooses for this run.
    pub fn choose(self) {
        // Set once at the start.
        let _ = COLOR.set(self);
    }

    fn on_stdout() -> bool {
        match COLOR.get().copied().unwrap_or_default() {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        }
    }
}

/// A stream for people.
pub struct Output {
    stream: Box<dyn Write>,
    /// Whether colours are wanted and can be shown.
    pub color: bool,
}

impl Output {
    /// Standard output.
    pub fn stdout() -> Output {
        let color = Color::on_stdout();
        Output { stream: Box::new(BufWriter::new(io::stdout().lock())), color }
    }

    /// Standard error.
    pub fn stderr() -> Output {
        Output { stream: Box::new(io::stderr().lock()), color: false }
    }

    /// Writes text as it is. A reader that went away (`| head`) ends the program quietly, a full disk does not.
    pub fn text(&mut self, text: &str) {
        if let Err(error) = self.stream.write_all(text.as_bytes()) {
            leave(&error);
        }
    }

    /// Writes a line.
    pub fn line(&mut self, line: &str) {
        self.text(line);
        self.text("\n");
    }

    /// Writes a value as indented JSON.
    pub fn json(&mut self, value: &impl serde::Serialize) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(value)?;
        self.line(&text);
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Err(error) = self.stream.flush() {
            leave(&error);
        }
    }
}

/// Ends the program where nothing more can be written: quietly if nobody reads any more, else with an error.
fn leave(error: &io::Error) -> ! {
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    let _ = writeln!(io::stderr(), "{}: {error}", t("写不了", "cannot write"));
    std::process::exit(1);
}

/// Whether two paths lead to one file. What is no regular file (`/dev/null`, a pipe) can be written to twice.
pub fn same_place(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b && a.is_file(),
        // Standard input and standard output are both called `-`.
        _ => a == b && a.as_os_str() != "-",
    }
}

/// Refuses to write over what is read, and two outputs in one place: both would be lost work.
pub fn check_files<'p>(read: impl IntoIterator<Item = &'p Path>, written: &[&Path]) -> Result<(), Usage> {
    let read: Vec<&Path> = read.into_iter().collect();
    for (number, out) in written.iter().enumerate() {
        if read.iter().any(|input| same_place(input, out)) {
            return Err(Usage(format!("{}: {}", out.display(), t("输出就是输入", "the output is an input"))));
        }
        if written[..number].iter().any(|other| same_place(other, out)) {
            return Err(Usage(format!("{}: {}", out.display(), t("输出重复", "the output is given twice"))));
        }
    }
    Ok(())
}

/// Writes a file whole or not at all: see [`FileSink`].
pub fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut sink = FileSink::create(path)?;
    sink.write_all(bytes).with_context(|| path.display().to_string())?;
    sink.finish()
}

/// A file that is written piece by piece beside its place and moved there at the end, so that nobody ever finds half of it. `-` is standard output.
///
/// A link is followed, and what is no regular file (`/dev/null`, a named pipe) is written to as it is: moving a file there would take its place.
pub struct FileSink {
    stream: BufWriter<Box<dyn Sink>>,
    path: PathBuf,
    /// Where the bytes are until they are moved.
    beside: Option<PathBuf>,
}

/// A stream that can be brought to the disk.
trait Sink: Write + Send {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for io::Stdout {}

impl Sink for File {
    fn sync(&mut self) -> io::Result<()> {
        // A pipe or a device has nothing to bring to the disk.
        if self.metadata()?.is_file() { self.sync_all() } else { Ok(()) }
    }
}

impl FileSink {
    /// Begins to write.
    pub fn create(path: &Path) -> anyhow::Result<FileSink> {
        let sink = |stream, beside, path| FileSink { stream: BufWriter::with_capacity(1 << 18, stream), path, beside };
        if path.as_os_str() == "-" {
            return Ok(sink(Box::new(io::stdout()), None, path.to_owned()));
        }
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if target.metadata().is_ok_and(|there| !there.is_file()) {
            let file = OpenOptions::new().write(true).open(&target).with_context(|| path.display().to_string())?;
            return Ok(sink(Box::new(file), None, target));
        }
        let mut name = target.file_name().context("a file name is needed")?.to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let beside = target.with_file_name(name);
        let file = File::create(&beside).with_context(|| target.display().to_string())?;
        Ok(sink(Box::new(file), Some(beside), target))
    }

    /// Ends the file and moves it to its place.
    pub fn finish(mut self) -> anyhow::Result<()> {
        let mut end = || -> io::Result<()> {
            self.stream.flush()?;
            self.stream.get_mut().sync()?;
            match &self.beside {
                Some(beside) => std::fs::rename(beside, &self.path),
                None => Ok(()),
            }
        };
        match end() {
            // A reader of standard output that went away.
            Err(error) if self.beside.is_none() && error.kind() == io::ErrorKind::BrokenPipe => leave(&error),
            ended => ended.with_context(|| self.path.display().to_string())?,
        }
        self.beside = None;
        Ok(())
    }
}

impl Write for FileSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes).inspect_err(|error| {
            if self.beside.is_none() && error.kind() == io::ErrorKind::BrokenPipe {
                leave(error);
            }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Drop for FileSink {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            let _ = std::fs::remove_file(beside);
        }
    }
}

/// Tells defects on standard error, one a line.
pub fn tell(defects: &[Defect]) {
    let mut output = Output::stderr();
    for defect in defects {
        output.line(&defect.render(lang()));
    }
}
