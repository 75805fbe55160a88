//! `fangwei explore`: one passage or many, looked at from all sides: spatial words, roles, errors, rivals; on the terminal, as JSON, as a page.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use fangwei::record::{Code, Json, Source, each_frame, parse};
use fangwei_predict::explore::{Ask, ExploreError, Explored, Sources, explore, html, text};
use rayon::prelude::*;

use crate::lang::{lang, t};
use crate::output::{Output, Status, Usage, check_files, tell, write_file};
use crate::progress::Bar;

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei explore 他跳进山洞外。\n  fangwei explore 书放在桌子上，猫躺在桌子下。 --rivals all\n  fangwei explore 段落.txt --format html -o 探查.html\n  fangwei explore items.jsonl --model models --format json\n  echo 雨伞靠在门后。 | fangwei explore -\n\n参数若是文件：每个非空行是一段，或是带 context 的题目（JSON 行或数组；context1、context2 各是一段）。每段至多 2000 字；太长的逐段报告，其余照常（退出码 1）。\n没有模型时由规则回答；--model 给的模型顶替它所学的任务，输出里写明谁回答了什么。",
    "Examples:\n  fangwei explore 他跳进山洞外。\n  fangwei explore 书放在桌子上，猫躺在桌子下。 --rivals all\n  fangwei explore passages.txt --format html -o explored.html\n  fangwei explore items.jsonl --model models --format json\n  echo 雨伞靠在门后。 | fangwei explore -\n\nA file holds a passage on each line that is not blank, or items with a context (JSON lines or an array; context1 and context2 are a passage each). A passage has at most 2000 characters; longer ones are told, the others are explored (exit code 1).\nRules answer where there is no model; a model given by --model takes their place for the task that it learnt, and the output says who answered what."
))]
pub struct Explore {
    #[arg(value_name = "TEXT|FILE|-", required = true, help = t("文本，或文件，或 - 表示标准输入；可以多个", "a text, a file, or - for standard input; several may be given"))]
    given: Vec<String>,
    #[arg(long, value_name = "DIR", help = t("模型文件夹，或装着几个模型的文件夹；可以多次", "a model folder, or a folder of such; repeatable"))]
    model: Vec<PathBuf>,
    #[arg(long, value_enum, default_value_t, value_name = "WHICH", help = t("给哪些空间词找可换的词", "which spatial words to find rivals for"))]
    rivals: Rivals,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "the format of the output"))]
    format: Shown,
    #[arg(short, long, value_name = "FILE", help = t("写到文件；默认写到标准输出", "the file to write; by default standard output"))]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Rivals {
    #[default]
    #[value(help = t("有错的", "those that are wrong"))]
    Wrong,
    #[value(help = t("全部", "all of them"))]
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Shown {
    #[default]
    #[value(help = t("给人看", "for people"))]
    Text,
    #[value(help = t("给程序用，一段一行", "for programs, a passage a line"))]
    Json,
    #[value(help = t("一个网页文件", "one file for a browser"))]
    Html,
}

/// A passage with its name: where it comes from.
struct Passage {
    name: String,
    text: String,
}

impl Explore {
    pub fn run(self) -> anyhow::Result<Status> {
        let files: Vec<PathBuf> = self.given.iter().filter(|given| is_file(given)).map(PathBuf::from).collect();
        check_files(files.iter().map(PathBuf::as_path), &self.out.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        let (passages, mut status) = self.passages()?;
        let sources = Sources::load(&self.model).map_err(|error| anyhow::anyhow!("{}", error.say(lang())))?;
        for (folder, task) in &sources.unused {
            let what = t("这个任务的模型在这里用不上", "a model of this task has nothing to say here");
            Output::stderr().line(&format!("{}: {task}: {what}", folder.display()));
        }
        let bar = Bar::items(t("探查", "exploring"));
        bar.begin(passages.len() as u64);
        let ask = Ask { all_rivals: self.rivals == Rivals::All };
        let look = |passage: &Passage| {
            let looked = explore(&passage.text, &sources, ask);
            bar.step();
            looked
        };
        let looked: Vec<Result<Explored, ExploreError>> = passages.par_iter().map(look).collect();
        bar.end();
        let mut explored: Vec<(String, Explored)> = Vec::with_capacity(looked.len());
        for (passage, looked) in passages.into_iter().zip(looked) {
            match looked {
                Ok(one) => explored.push((passage.name, one)),
                Err(error) => {
                    let name = if passage.name.is_empty() { String::new() } else { format!("{}: ", passage.name) };
                    Output::stderr().line(&format!("{name}{}", error.say(lang())));
                    status = Status::Defects;
                }
            }
        }
        self.show(&explored)?;
        Ok(status)
    }

    fn passages(&self) -> anyhow::Result<(Vec<Passage>, Status)> {
        let (mut passages, mut status) = (Vec::new(), Status::Clean);
        for given in &self.given {
            if is_file(given) {
                if read(Path::new(given), &mut passages)? == Status::Defects {
                    status = Status::Defects;
                }
            } else if looks_like_a_file(given) {
                bail!(Usage(format!("{given}: {}", t("没有这个文件", "there is no such file"))));
            } else {
                passages.push(Passage { name: String::new(), text: given.clone() });
            }
        }
        if passages.is_empty() && status == Status::Clean {
            bail!(t("没有可看的文本", "there is no passage to look at"));
        }
        Ok((passages, status))
    }

    fn show(&self, explored: &[(String, Explored)]) -> anyhow::Result<()> {
        let mut output = Output::stdout();
        let to_file = self.out.as_deref().filter(|path| path.as_os_str() != "-");
        let shown = match self.format {
            Shown::Html => html::page(explored, lang()),
            Shown::Json => {
                let mut lines = String::new();
                for (name, one) in explored {
                    lines.push_str(&json(name, one)?);
                    lines.push('\n');
                }
                lines
            }
            Shown::Text => {
                let color = output.color && to_file.is_none();
                let one = |(name, one): &(String, Explored)| {
                    let name = if name.is_empty() { String::new() } else { format!("== {name}\n\n") };
                    format!("{name}{}", text::text(one, lang(), color))
                };
                explored.iter().map(one).collect::<Vec<_>>().join("\n")
            }
        };
        match to_file {
            Some(path) => write_file(path, shown.as_bytes()),
            None if explored.is_empty() => Ok(()),
            None if self.format == Shown::Html && std::io::stdout().is_terminal() => {
                bail!(Usage(t("网页要写到文件：-o 文件.html", "a page needs a file: -o FILE.html").to_owned()))
            }
            None => {
                output.text(&shown);
                Ok(())
            }
        }
    }
}

/// A line for programs: what was explored, with its name where it has one.
fn json(name: &str, explored: &Explored) -> anyhow::Result<String> {
    let mut value = serde_json::to_value(explored)?;
    if let Some(fields) = value.as_object_mut().filter(|_| !name.is_empty()) {
        fields.insert("name".to_owned(), name.into());
    }
    Ok(value.to_string())
}

fn is_file(given: &str) -> bool {
    given == "-" || Path::new(given).is_file()
}

/// Whether somebody meant a file: a path of letters with an ending, and nothing Chinese that could be looked at.
fn looks_like_a_file(given: &str) -> bool {
    let ends = [".txt", ".jsonl", ".json", ".gz", ".zst"].iter().any(|end| given.ends_with(end));
    ends || given.contains('/') && given.is_ascii()
}

/// The passages of a file, named by file and line.
fn read(path: &Path, passages: &mut Vec<Passage>) -> anyhow::Result<Status> {
    let mut bytes = Vec::new();
    let mut source = Source::open(path)?;
    let name = source.name.to_string();
    source.read_to_end(&mut bytes).with_context(|| name.clone())?;
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace() && !matches!(byte, 0xef | 0xbb | 0xbf));
    if matches!(first, Some(b'{' | b'[')) {
        return read_items(&name, bytes, passages);
    }
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => {
            let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
            bail!("{name}:{line}: {}", t("应为 UTF-8 文本", "expected text in UTF-8"));
        }
    };
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        passages.push(Passage { name: format!("{name}:{}", number + 1), text: line.trim_end_matches('\r').to_owned() });
    }
    Ok(Status::Clean)
}

/// The texts of items.
fn read_items(name: &str, bytes: Vec<u8>, passages: &mut Vec<Passage>) -> anyhow::Result<Status> {
    let mut wrong = Vec::new();
    let mut defects = each_frame(
        Source::from_bytes(name, bytes)?,
        |bytes, check| {
            let Some(item) = parse(bytes, check) else { return Vec::new() };
            let texts: Vec<(String, String)> = ["context", "context1", "context2"]
                .iter()
                .filter_map(|field| Some(((*field).to_owned(), item.get(field)?.as_str()?.to_owned())))
                .collect();
            if texts.is_empty() {
                check.add(Code::MissingField, "context", item.brief());
            }
            let qid = item.get("qid").map(|qid| qid.as_str().map_or_else(|| Json::brief(qid), str::to_owned));
            let named = |(field, text): (String, String)| {
                let qid = qid.clone().unwrap_or_default();
                let name = if field == "context" { qid } else { format!("{qid} {field}").trim().to_owned() };
                Passage { name, text }
            };
            texts.into_iter().map(named).collect()
        },
        |found: Vec<Passage>, check| {
            passages.extend(found);
            wrong.extend(check.defects);
        },
    )?;
    defects.extend(wrong);
    tell(&defects);
    Ok(Status::of(&defects))
}
