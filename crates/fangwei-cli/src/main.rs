//! `fangwei`: one program for the whole life of a Chinese spatial-understanding evaluation.
//!
//! Arguments pass two stages: as typed (clap), then ready to use (the command). Exit codes: 0 done, 1 the input has defects, 2 usage.

mod commands;
mod folder;
mod groups;
mod lang;
mod lexicon;
mod lines;
mod output;
mod progress;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use fangwei::record::{OpenError, ReadError};

fn main() -> ExitCode {
    lang::choose(std::env::args_os());
    let matches = match commands::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return refuse(&error),
    };
    let cli = match commands::Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error.format(&mut commands::Cli::command())),
    };
    match cli.run() {
        Ok(status) => status.into(),
        Err(error) => {
            let mut output = output::Output::stderr();
            output.line(&format!("{}: {}", lang::t("错误", "error"), words_of(&error)));
            ExitCode::from(if error.is::<output::Usage>() { 2 } else { 1 })
        }
    }
}

/// What went wrong, in the language of this run.
fn words_of(error: &anyhow::Error) -> String {
    let file = match (error.downcast_ref::<OpenError>(), error.downcast_ref::<ReadError>()) {
        (Some(open), _) => Some((open.file.as_str(), &open.error)),
        (_, Some(read)) => Some((read.file.as_ref(), &read.error)),
        _ => None,
    };
    match file {
        Some((file, error)) => format!("{} {file}: {error}", lang::t("读不了", "cannot read")),
        None => format!("{error:#}"),
    }
}

/// Help, version and usage errors, in the language of this run.
fn refuse(error: &clap::Error) -> ExitCode {
    let mut output = if error.use_stderr() { output::Output::stderr() } else { output::Output::stdout() };
    let text = error.render();
    let text = if output.color { text.ansi().to_string() } else { text.to_string() };
    output.text(&lang::localize(&text));
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}
