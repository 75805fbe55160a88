//! Which lexicon a command works with: the shipped one, or a folder of tables.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use fangwei::lexicon::Lexicon;

use crate::lang::t;
use crate::output::{errors, tell};

/// The option of every command that needs a lexicon.
#[derive(Args)]
pub struct LexiconOption {
    #[arg(long = "lexicon", value_name = "DIR", help = t("用这个文件夹里的词表；默认为自带的", "the lexicon in this folder; by default the shipped one"))]
    folder: Option<PathBuf>,
}

impl LexiconOption {
    /// The lexicon; one with errors is refused.
    pub fn load(&self) -> anyhow::Result<Cow<'static, Lexicon>> {
        load(self.folder.as_deref())
    }
}

/// The lexicon of a folder, or the shipped one.
pub fn load(folder: Option<&Path>) -> anyhow::Result<Cow<'static, Lexicon>> {
    Ok(match folder {
        None => Cow::Borrowed(Lexicon::shipped()),
        Some(folder) => Cow::Owned(read(folder)?),
    })
}

/// Reads a folder of tables. Warnings are told; a lexicon with errors is refused, because what its bad rows were meant to say is missing.
pub fn read(folder: &Path) -> anyhow::Result<Lexicon> {
    let (lexicon, defects) = Lexicon::read(folder)?;
    tell(&defects);
    let errors = errors(&defects);
    if errors > 0 {
        bail!("{}: {errors} {}", folder.display(), t("个错误，不能使用这个词表", "errors; the lexicon cannot be used"));
    }
    Ok(lexicon)
}
