//! `fangwei competition prompts`: the organisers run what teams submitted on the hidden items, within the budget of the track. `grade` gives the reasons to raters.
//!
//! Responses are on the disk before anything else happens, in a folder for each submission; whoever is killed goes on with the same command and pays for nothing
//! twice. Neither gold nor what models said is printed: both stay on the platform, sealed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, bail};
use clap::Args;
use fangwei::ask::{Pool, Prompt, Shots, reply_schema};
use fangwei::contest::PromptTrack;
use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei::table::{Format, Table};
use fangwei::task::{Item, Task};
use fangwei_llm::asking::Asking;
use fangwei_llm::folder::{File, Folder, Line, Record, Requests, read_lines};
use fangwei_llm::key::Key;
use fangwei_llm::runner::{Budget, End, Options, Price, Progress};
use fangwei_llm::score::Run as Finished;
use fangwei_llm::shelf::Shelf;
use fangwei_web::App;
use fangwei_web::contests::{Kept, kept};
use fangwei_web::failure::Failure;
use fangwei_web::prompts::entry::{self, Entry};
use fangwei_web::prompts::grading::{self, Order};
use fangwei_web::prompts::run::{self, Ended, Run, State};
use fangwei_web::prompts::{Exchange, Said, Transcript, track};
use fangwei_web::store;
use fangwei_web::submit::queue;
use serde_json::json;

use super::site::{Of, open, told};
use crate::commands::llm::run::Questions;
use crate::commands::llm::server::{Server, stopper, unfinished};
use crate::commands::serve::place::Place;
use crate::lang::t;
use crate::output::{Output, Status, Usage};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  export OPENAI_API_KEY=…\n  fangwei competition prompts space2023 fangwei-site --model qwen-max --base-url https://host/v1 --price 2,6\n  fangwei competition prompts space2023 fangwei-site --submission ID --model qwen-max --base-url https://host/v1 --budget 800k\n\n默认运行计入的提示词（按阶段的规则：最后一次，或选定的）。每个运行的预算由比赛规定，--budget 可以改。\n用完预算就停下，其余的题算没有回答；预算放宽后再运行，从停下的地方继续。\n运行文件夹里有不公开的题目和模型的回复，不要外传。",
    "Examples:\n  export OPENAI_API_KEY=…\n  fangwei competition prompts space2023 fangwei-site --model qwen-max --base-url https://host/v1 --price 2,6\n  fangwei competition prompts space2023 fangwei-site --submission ID --model qwen-max --base-url https://host/v1 --budget 800k\n\nBy default the prompts that count are run (by the rule of the phase: the last ones, or those that were chosen). The budget of a run is the competition's; --budget sets another.\nWhere it is used up the run stops, and what was not asked has no answer; with a larger one it goes on from there.\nThe folder of the runs holds hidden items and what the model said: keep it to yourself."
))]
pub struct Prompts {
    #[command(flatten)]
    of: Of,
    #[command(flatten)]
    place: Place,
    #[arg(long, value_name = "SUBMISSION", conflicts_with = "all", help = t("只运行这一个提交", "run this submission only"))]
    submission: Option<String>,
    #[arg(long, help = t("运行全部提交，不计入的也运行", "run all submissions, those that do not count too"))]
    all: bool,
    #[arg(long, value_name = "DIR", help = t("运行的文件夹；默认是平台文件夹里的 prompt-runs", "the folder of the runs; by default prompt-runs in the platform's folder"))]
    work: Option<PathBuf>,
    #[arg(long, help = t("有请求失败也算完成，那些题没有答案", "take a run as finished though requests failed: those items have no answer"))]
    finish: bool,
    #[command(flatten)]
    server: Server,
}

/// What all runs of a track share.
struct Setting<'s> {
    runtime: &'s tokio::runtime::Runtime,
    app: &'s App,
    kept: &'s Kept,
    task: &'static dyn Task,
    /// The hidden items, without answers.
    items: Vec<Item>,
    /// The hash of their file.
    input: String,
    options: Options,
    work: PathBuf,
}

impl Prompts {
    pub fn run(self) -> anyhow::Result<Status> {
        self.server.check()?;
        let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
        let app = runtime.block_on(open(&self.place))?;
        let kept = runtime.block_on(kept::load(&app, &self.of.contest)).map_err(|failure| told(&failure))?;
        let (track, place) = track(&kept).map_err(|_| no_track())?;
        if !track.model.is_empty() && track.model != self.server.model {
            bail!(Usage(format!(
                "--model {}: {} {}",
                self.server.model,
                t("比赛规定的模型是", "the competition names"),
                track.model
            )));
        }
        if track.budget_money > 0.0 && self.server.price() == Price::default() {
            bail!(Usage(
                t("比赛规定了费用上限，需要 --price", "the competition bounds the money of a run: --price is needed").to_owned()
            ));
        }
        let task = place.task.task;
        let bytes = runtime.block_on(entry::items(&app, &kept)).map_err(|failure| told(&failure))?;
        let input = store::name(&bytes);
        let (items, _) = read_items(task, Source::from_bytes("items", bytes)?, false)?;
        let items = items.into_iter().map(|item| Item { gold: None, corefs: None, ..item }).collect();
        let work = self.work.clone().unwrap_or_else(|| self.place.folder.join("prompt-runs")).join(&self.of.contest);
        make_private(&work)?;
        let options = self.options(track);
        let setting = Setting { runtime: &runtime, app: &app, kept: &kept, task, items, input, options, work };
        let (status, ended) = self.run_all(&setting)?;
        // What has no reasons to be graded is scored at once.
        runtime.block_on(queue::drain(&app)).map_err(|failure| told(&failure))?;
        tell(&ended);
        Ok(status)
    }

    /// The bounds of the track; what is said here counts before that of its kind.
    fn options(&self, track: &PromptTrack) -> Options {
        let options = self.server.options();
        let tokens = Budget::Tokens(track.budget_tokens);
        let money = (track.budget_money > 0.0).then_some(Budget::Money(track.budget_money));
        match options.budget {
            None => Options { budget: Some(tokens), also: money, ..options },
            Some(Budget::Tokens(_)) => Options { also: money, ..options },
            Some(Budget::Money(_)) => Options { also: Some(tokens), ..options },
        }
    }

    fn run_all(&self, setting: &Setting<'_>) -> anyhow::Result<(Status, Vec<(Entry, Run)>)> {
        let entries = setting.wait(entry::all(setting.app, setting.kept))?;
        if let Some(id) = &self.submission
            && !entries.iter().any(|entry| entry.submission == *id)
        {
            bail!(Usage(format!("--submission {id}: {}", t("没有这个提示词", "there is no such prompt"))));
        }
        let wanted = |entry: &Entry| match &self.submission {
            Some(id) => entry.submission == *id,
            None => self.all || entry.counts,
        };
        let (stop, mut status, mut ended) = (stopper(), Status::Clean, Vec::new());
        for entry in entries.into_iter().filter(wanted) {
            if stop.load(Ordering::Relaxed) {
                status = Status::Defects;
                break;
            }
            if let Some(done) = entry.done().filter(|done| !self.goes_on(done, &setting.options)) {
                if done.state == State::Spent {
                    status = Status::Defects;
                }
                ended.push((entry.clone(), done.clone()));
                continue;
            }
            match self.run_one(setting, &entry, &stop) {
                Ok(run) => {
                    if run.state != State::Finished {
                        status = Status::Defects;
                    }
                    ended.push((entry, run));
                }
                Err(error) => {
                    // One team's trouble does not keep the others from being run.
                    Output::stderr().line(&format!("{} #{}: {error:#}", entry.name, entry.number));
                    status = Status::Defects;
                }
            }
        }
        Ok((status, ended))
    }

    /// Whether a run that its budget ended goes on: nobody grades it yet, and it may spend more.
    fn goes_on(&self, run: &Run, options: &Options) -> bool {
        run.state == State::Spent
            && run.batch.is_none()
            && run.model == self.server.model
            && tokens(options) > run.budget_tokens as u64
    }

    fn run_one(&self, setting: &Setting<'_>, entry: &Entry, stop: &AtomicBool) -> anyhow::Result<Run> {
        let text = setting.wait(entry::text(setting.app, entry))?;
        let begun = run::begin(setting.app, setting.kept, &entry.submission, &self.server.model, tokens(&setting.options));
        let begun = setting.wait(begun)?;
        let (asking, mut record) = self.plan(setting, &text)?;
        let path = setting.work.join(&begun.id);
        let known = Folder { path: path.clone() }.capabilities();
        let provider = self.server.chat(known)?;
        let questions = Questions { asking: &asking, prompt: &text, record: &mut record, folder: &path };
        Output::stderr().line(&format!("{} #{} {}", entry.name, entry.number, entry.submission));
        let (folder, end, progress) = questions.ask(&provider, &setting.options, stop)?;
        let state = self.state(&end, &progress);
        if let Some(why) = unfinished(&end, &progress).filter(|_| state != State::Finished) {
            Output::stderr().line(&format!("{} #{}: {why}", entry.name, entry.number));
        }
        let ended = gather(setting, entry, &folder, state)?;
        setting.wait(run::keep(setting.app, setting.kept, &begun, &ended))
    }

    fn state(&self, end: &End, progress: &Progress) -> State {
        match end {
            End::Done if progress.failures == 0 || self.finish => State::Finished,
            End::Budget => State::Spent,
            _ => State::Stopped,
        }
    }

    fn plan(&self, setting: &Setting<'_>, text: &str) -> anyhow::Result<(Asking, Record)> {
        let (task, seed) = (setting.task, self.server.seed());
        let prompt = Prompt::parse(task, "prompt.md", text)?;
        let shots = Shots::new(task, &prompt, Pool::shipped(task), seed)?;
        let schema = reply_schema(task, &prompt).map(Arc::new);
        let asking = Asking {
            task,
            items: Shelf::of(task, &setting.items)?,
            prompt,
            shots,
            model: self.server.model.clone(),
            shape: self.server.reply.into(),
            schema,
            sampling: self.server.sampling(),
            repeats: 1,
        };
        let mut record =
            asking.record("openai", seed, File { file: PathBuf::from("items.jsonl"), sha256: setting.input.clone() });
        record.stream = self.server.stream;
        Ok((asking, record))
    }
}

impl Setting<'_> {
    fn wait<T>(&self, work: impl Future<Output = Result<T, Failure>>) -> anyhow::Result<T> {
        self.runtime.block_on(work).map_err(|failure| told(&failure))
    }
}

fn no_track() -> Usage {
    Usage(t("这个比赛没有提示词赛道", "the competition has no track of prompts").to_owned())
}

/// The bound on tokens, as large as can be where there is none.
fn tokens(options: &Options) -> u64 {
    let bound = |budget: Budget| if let Budget::Tokens(most) = budget { Some(most) } else { None };
    [options.budget, options.also].into_iter().flatten().find_map(bound).unwrap_or(i64::MAX as u64)
}

/// A folder that only its owner may look into: it holds hidden items.
fn make_private(path: &Path) -> anyhow::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).with_context(|| path.display().to_string())
}

/// What came of a run, from its folder.
fn gather(setting: &Setting<'_>, entry: &Entry, folder: &Folder, state: State) -> anyhow::Result<Ended> {
    let finished = Finished::load(folder, None)?;
    let transcript = json!(transcript(entry, folder, &finished)?).to_string();
    let spent = finished.spent;
    Ok(Ended {
        state,
        spent_tokens: spent.tokens(),
        spent_money: spent.money(setting.options.price),
        items: setting.items.len(),
        answers: finished.predictions(),
        transcript,
    })
}

fn transcript(entry: &Entry, folder: &Folder, finished: &Finished) -> anyhow::Result<Transcript> {
    let mut replies: HashMap<Key, (String, Option<String>)> = HashMap::new();
    read_lines(&folder.file("responses.jsonl"), |line: Line| {
        replies.insert(line.key, (line.response.text, line.response.finish));
    })?;
    let mut requests = Requests::open(&folder.file("requests.jsonl"))?;
    let outcomes: HashMap<_, _> = finished.outcomes.iter().map(|outcome| (outcome.item.qid.as_str(), outcome)).collect();
    let mut exchanges = Vec::with_capacity(requests.len());
    for number in 0..requests.len() {
        let Some(question) = requests.get(number)? else { continue };
        let (reply, outcome) = (replies.get(&question.key), outcomes.get(question.qid.as_str()));
        let mut messages = Vec::with_capacity(question.messages.len());
        for (role, text) in &question.messages {
            let role = json!(role).as_str().unwrap_or_default().to_owned();
            messages.push(Said { role, content: requests.text(*text)? });
        }
        exchanges.push(Exchange {
            qid: question.qid.to_string(),
            messages,
            reply: reply.map(|(text, _)| text.clone()),
            finish: reply.and_then(|(_, finish)| finish.clone()),
            state: outcome.and_then(|outcome| outcome.first()).map(|read| read.reading.state.as_str().to_owned()),
        });
    }
    Ok(Transcript {
        submission: entry.submission.clone(),
        model: finished.record.model.clone(),
        prompt: finished.record.prompt.version.clone(),
        exchanges,
    })
}

/// What was run, without a word of what was said.
fn tell(ended: &[(Entry, Run)]) {
    let mut table = Table::new([
        t("队伍", "team"),
        t("第几次", "number"),
        t("提交", "submission"),
        t("状态", "state"),
        t("有答案", "answered"),
        t("词元", "tokens"),
    ]);
    for (entry, run) in ended {
        table.row([
            entry.name.as_str().into(),
            entry.number.to_string().into(),
            entry.submission.as_str().into(),
            run.state.as_str().into(),
            format!("{}/{}", run.answered, run.items).into(),
            run.spent_tokens.to_string().into(),
        ]);
    }
    Output::stdout().text(&table.render(Format::Text));
}

#[derive(Args)]
pub struct Grade {
    #[command(flatten)]
    of: Of,
    #[command(flatten)]
    place: Place,
    #[arg(long, default_value_t = 1, help = t("种子：决定理由的次序", "seed: the order of the reasons follows from it"))]
    seed: u64,
    #[arg(long, help = t("还有提示词没有运行也继续", "go ahead though prompts were not run"))]
    partial: bool,
}

impl Grade {
    pub async fn run(self) -> anyhow::Result<Status> {
        let app = open(&self.place).await?;
        let kept = kept::load(&app, &self.of.contest).await.map_err(|failure| told(&failure))?;
        track(&kept).map_err(|_| no_track())?;
        let order = Order { seed: self.seed, partial: self.partial };
        let made = grading::make(&app, &kept, None, &order).await.map_err(|failure| told(&failure))?;
        queue::drain(&app).await.map_err(|failure| told(&failure))?;
        let mut output = Output::stdout();
        if let Some(batch) = &made.batch {
            output.line(&format!("{}: {} ({batch})", t("评分批次", "batch"), made.name));
        }
        for (count, what) in [
            (made.runs, t("个运行", "runs")),
            (made.spent, t("个运行的预算用完", "of them ended with their budget")),
            (made.reasons, t("条理由待评分", "reasons to grade")),
            (made.wrong, t("个判断错误或没有答案，记 0", "judged wrong or not at all: 0")),
            (made.silent, t("个没有理由，记 0", "without a reason: 0")),
            (made.scored, t("个提交已有成绩", "submissions scored")),
        ] {
            output.line(&format!("{count} {what}"));
        }
        Ok(Status::Clean)
    }
}
