//! `fangwei lexicon export`: the shipped tables as files, to be edited.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use fangwei::lexicon::SHIPPED;

use crate::lang::t;
use crate::output::{Output, Status, Usage, write_file};

/// What the tables mean; it goes along with them.
const README: (&str, &str) = ("README.md", include_str!("../../../../../data/lexicon/README.md"));

#[derive(Args)]
pub struct Export {
    #[arg(value_name = "DIR", help = t("写入的文件夹；没有则创建", "folder to write to; made if it is not there"))]
    folder: PathBuf,
    #[arg(long, help = t("覆盖已有的文件", "replace files that are there"))]
    force: bool,
}

impl Export {
    pub fn run(self) -> anyhow::Result<Status> {
        let files: Vec<_> = SHIPPED.into_iter().chain([README]).map(|(name, text)| (self.folder.join(name), text)).collect();
        // Looked for before anything is written: somebody's work may be in there.
        if !self.force
            && let Some((there, _)) = files.iter().find(|(path, _)| path.exists())
        {
            bail!(Usage(format!(
                "{} {}",
                there.display(),
                t("已经存在；用 --force 覆盖", "is there already; --force replaces it")
            )));
        }
        std::fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        for (path, text) in &files {
            write_file(path, text.as_bytes())?;
        }
        Output::stdout().line(&format!("{}: {} {}", self.folder.display(), files.len(), t("个文件", "files")));
        Ok(Status::Clean)
    }
}
