//! The files of a model on this machine. Their options are there in every build; one without the feature says how to make one with it.

use std::path::PathBuf;

use clap::Args;
use fangwei_llm::folder::File;
use fangwei_llm::provider::Provider;

use crate::lang::t;
use crate::output::Usage;

#[derive(Args)]
pub struct LocalFiles {
    #[arg(long, value_name = "FILE", help = t("本机模型的 GGUF 文件（Qwen2 类）", "the GGUF file of a model on this machine (of the Qwen2 kind)"))]
    gguf: Option<PathBuf>,
    #[arg(long, value_name = "FILE", help = t("本机模型的 tokenizer.json", "its tokenizer.json"))]
    tokenizer: Option<PathBuf>,
}

impl LocalFiles {
    /// Both files, or what is missing.
    fn files(&self) -> Result<(&PathBuf, &PathBuf), Usage> {
        match (&self.gguf, &self.tokenizer) {
            (Some(gguf), Some(tokenizer)) => Ok((gguf, tokenizer)),
            _ => Err(Usage(
                t("本机模型需要 --gguf 和 --tokenizer", "a model on this machine needs --gguf and --tokenizer").to_owned(),
            )),
        }
    }

    /// Refuses files that nobody would read.
    pub fn check_unused(&self) -> Result<(), Usage> {
        if self.gguf.is_none() && self.tokenizer.is_none() {
            return Ok(());
        }
        Err(Usage(t("--gguf 和 --tokenizer 需要 --provider local", "--gguf and --tokenizer need --provider local").to_owned()))
    }

    /// The beginning of the model's hash.
    pub fn brief_hash(&self) -> anyhow::Result<String> {
        let hash = File::at(self.files()?.0)?.sha256;
        Ok(hash.chars().take(12).collect())
    }

    /// The model.
    #[cfg(feature = "local")]
    pub fn load(&self) -> anyhow::Result<fangwei_llm::local::Local> {
        let (gguf, tokenizer) = self.files()?;
        Ok(fangwei_llm::local::Local::load(gguf, tokenizer)?)
    }

    /// The model, to be asked.
    #[cfg(feature = "local")]
    pub fn provider(&self) -> anyhow::Result<Box<dyn Provider>> {
        Ok(Box::new(self.load()?))
    }

    /// How to have one.
    #[cfg(not(feature = "local"))]
    pub fn provider(&self) -> anyhow::Result<Box<dyn Provider>> {
        self.files()?;
        Err(without().into())
    }
}

/// What a program without models says.
#[cfg(not(feature = "local"))]
pub fn without() -> Usage {
    Usage(
        t(
            "这个程序编译时没有带本机模型；请用 cargo build --release -p fangwei-cli --features local 编译",
            "this program was built without models on this machine; build it with cargo build --release -p fangwei-cli --features local",
        )
        .to_owned(),
    )
}
