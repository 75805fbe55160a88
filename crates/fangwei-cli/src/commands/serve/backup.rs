//! `fangwei backup` and `fangwei restore`: the whole database as one file, while the platform runs.

use std::fs::File;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use fangwei::table::{Format, Table};
use fangwei_web::archive::{self, Summary};
use fangwei_web::database::Database;
use fangwei_web::now;

use super::place::{Place, block_on};
use crate::lang::t;
use crate::output::{FileSink, Output, Status};
use crate::progress::Bar;

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei backup -o 备份.fangwei.gz\n  fangwei backup --database postgres://user:password@host/fangwei -o 备份.fangwei.gz\n\n平台可以同时运行；备份是某一时刻的完整状态，两种数据库都能恢复。模型文件夹（models/）不在其中。",
    "Examples:\n  fangwei backup -o backup.fangwei.gz\n  fangwei backup --database postgres://user:password@host/fangwei -o backup.fangwei.gz\n\nThe platform may run meanwhile; the backup is its state at one moment, and fills either kind of database. The folder of models (models/) is not in it."
))]
pub struct Backup {
    #[command(flatten)]
    place: Place,
    #[arg(short, long, value_name = "FILE", help = t("写到哪个文件", "the file to write"))]
    out: PathBuf,
    #[arg(long, help = t("输出 JSON", "print JSON"))]
    json: bool,
}

impl Backup {
    pub fn run(self) -> anyhow::Result<Status> {
        let address = self.place.existing()?;
        let mut sink = FileSink::create(&self.out)?;
        let bar = Bar::items(t("备份", "backup"));
        let summary = block_on(async {
            let database = Database::open(&address).await?;
            let summary = archive::backup(&database, now(), &mut sink, |rows| bar.at(rows, rows)).await?;
            database.close().await;
            Ok(summary)
        })?;
        bar.end();
        sink.finish()?;
        show(&summary, self.json)
    }
}

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei restore 备份.fangwei.gz 新平台\n  fangwei restore 备份.fangwei.gz --database postgres://user:password@host/empty\n\n只恢复到空的数据库；文件不完整或被改动过，就什么也不写。",
    "Examples:\n  fangwei restore backup.fangwei.gz new-site\n  fangwei restore backup.fangwei.gz --database postgres://user:password@host/empty\n\nOnly an empty database is filled; of a file that was cut short or altered nothing is written."
))]
pub struct Restore {
    #[arg(value_name = "FILE", help = t("备份文件", "the backup"))]
    file: PathBuf,
    #[command(flatten)]
    place: Place,
    #[arg(long, help = t("输出 JSON", "print JSON"))]
    json: bool,
}

impl Restore {
    pub fn run(self) -> anyhow::Result<Status> {
        let file = File::open(&self.file).with_context(|| self.file.display().to_string())?;
        let address = self.place.address()?;
        self.place.make()?;
        let bar = Bar::bytes_of(t("恢复", "restore"), file.metadata()?.len());
        let given = bar.wrap_read(file);
        let summary = block_on(async {
            let database = Database::open(&address).await?;
            let summary = archive::restore(&database, given, |_| ()).await.with_context(|| self.file.display().to_string())?;
            database.close().await;
            Ok(summary)
        })?;
        bar.end();
        show(&summary, self.json)
    }
}

fn show(summary: &Summary, json: bool) -> anyhow::Result<Status> {
    let mut output = Output::stdout();
    if json {
        output.json(summary)?;
        return Ok(Status::Clean);
    }
    let mut table = Table::new([t("表", "table"), t("行", "rows")]);
    for (name, rows) in &summary.rows {
        table.row([name.as_str().into(), (*rows).into()]);
    }
    output.text(&table.render(Format::Text));
    output.line(&format!("sha256 {}", summary.sha256));
    Ok(Status::Clean)
}
