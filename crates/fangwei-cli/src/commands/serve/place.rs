//! Where a platform keeps its things: its folder, and the database in it or elsewhere.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use fangwei_web::database::Address;

use crate::lang::t;

#[derive(Args)]
pub struct Place {
    #[arg(value_name = "DIR", default_value = "fangwei-site", help = t("平台的文件夹", "the platform's folder"))]
    pub folder: PathBuf,
    #[arg(long, value_name = "URL", help = t("数据库：sqlite:FILE 或 postgres://…；默认是文件夹里的 fangwei.db", "the database: sqlite:FILE or postgres://…; by default fangwei.db in the folder"))]
    pub database: Option<String>,
}

impl Place {
    /// The address of the database.
    pub fn address(&self) -> anyhow::Result<Address> {
        Ok(match &self.database {
            Some(given) => given.parse()?,
            None => Address::Sqlite(self.folder.join("fangwei.db")),
        })
    }

    /// The address of a database that is there: what looks at a platform must not make an empty one.
    pub fn existing(&self) -> anyhow::Result<Address> {
        let address = self.address()?;
        if let Address::Sqlite(file) = &address
            && !file.is_file()
        {
            bail!("{}: {}", file.display(), t("这里没有数据库", "there is no database here"));
        }
        Ok(address)
    }

    /// Makes the folder where it is missing.
    pub fn make(&self) -> anyhow::Result<()> {
        std::fs::create_dir_all(&self.folder).with_context(|| format!("cannot make the folder {}", self.folder.display()))
    }
}

/// Runs what waits for the database or the network.
pub fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Runtime::new().context("cannot start the runtime")?.block_on(work)
}
