//! `fangwei llm run`: from items to a score, one folder a task.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use fangwei::ask::{Choice, Pool, Prompt, Shots, reply_schema};
use fangwei::record::{Defect, Source};
use fangwei::score::{each_item, read_items};
use fangwei::task::{Item, Task};
use fangwei_llm::asking::Asking;
use fangwei_llm::chat::Capabilities;
use fangwei_llm::folder::{File, Folder, FolderError, Log, Record, RequestsSink};
use fangwei_llm::mock::{Book, Mock, Saying};
use fangwei_llm::provider::Provider;
use fangwei_llm::runner::{End, Options, Progress, Sinks, about, run};
use fangwei_llm::score::{score, summary_text};
use fangwei_llm::shelf::Shelf;
use fangwei_llm::view::{self, System};

use super::super::{Given, ModeName, parse_given, parse_task};
use super::local::LocalFiles;
use super::server::{Server, ShapeName, Watch, remember, stopper, unfinished};
use super::{file_of, loaded};
use crate::lang::{lang, t};
use crate::output::{Format, Output, Status, Usage, tell};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  export OPENAI_API_KEY=…\n  fangwei llm run --task 2023/anomaly --model qwen-max --base-url https://host/v1 --input dev.jsonl --out runs/qwen\n  fangwei llm run --task 2023/scene --prompt fudan --model M --input items.jsonl --gold gold.jsonl --out runs/m --budget 200k\n  fangwei llm run --task 2022/judge 2023/roles --input 2022/judge=j.jsonl --input 2023/roles=r.jsonl --model M --out runs/both\n  fangwei llm run --task 2023/roles --model M --input items.jsonl --out runs/m --dry-run\n  fangwei llm run --task 2022/judge --provider local --gguf qwen2.gguf --tokenizer tokenizer.json --model qwen2 --input items.jsonl --out runs/local\n\n每个回复先写入磁盘，再做别的事；中断后再次运行同一条命令，不会重复提问。\n多个任务各占一个子文件夹。退出码 1 表示有题没有回复，或题目有缺陷。",
    "Examples:\n  export OPENAI_API_KEY=…\n  fangwei llm run --task 2023/anomaly --model qwen-max --base-url https://host/v1 --input dev.jsonl --out runs/qwen\n  fangwei llm run --task 2023/scene --prompt fudan --model M --input items.jsonl --gold gold.jsonl --out runs/m --budget 200k\n  fangwei llm run --task 2022/judge 2023/roles --input 2022/judge=j.jsonl --input 2023/roles=r.jsonl --model M --out runs/both\n  fangwei llm run --task 2023/roles --model M --input items.jsonl --out runs/m --dry-run\n  fangwei llm run --task 2022/judge --provider local --gguf qwen2.gguf --tokenizer tokenizer.json --model qwen2 --input items.jsonl --out runs/local\n\nEvery response is on the disk before anything else happens; an interrupted run goes on with the same command and asks nothing twice.\nSeveral tasks have a folder each. Exit code 1: items without a response, or items with defects."
))]
pub struct Run {
    #[arg(long = "task", value_parser = parse_task, value_name = "TASK", num_args = 1.., required = true, help = t("任务，如 2023/anomaly；可以多个", "the task, such as 2023/anomaly; one or more"))]
    tasks: Vec<&'static dyn Task>,
    #[arg(long, value_parser = parse_given, value_name = "[TASK=]FILE", required = true, help = t("题目；若带答案，不会发给模型", "the items; answers in them are never sent"))]
    input: Vec<Given>,
    #[arg(long, value_parser = parse_given, value_name = "[TASK=]FILE", help = t("答案文件；默认用题目里的答案", "gold; by default that in the items"))]
    gold: Vec<Given>,
    #[arg(short, long, value_name = "DIR", help = t("运行的文件夹", "the folder of the run"))]
    out: PathBuf,
    #[arg(long, default_value = "ours", value_name = "NAME|FILE", help = t("提示词：ours、organisers、fudan，或文件；fangwei llm prompts 列出", "prompt: ours, organisers, fudan, or a file; fangwei llm prompts lists them"))]
    prompt: String,
    #[arg(long, value_name = "N", help = t("示例个数；默认由提示词决定", "number of shots; by default the prompt's"))]
    shots: Option<usize>,
    #[arg(long, value_name = "HOW", value_parser = parse_choice, help = t("选例：own、seeded、“stratified genre fragments”、“ids A B”", "choice of shots: own, seeded, 'stratified genre fragments', 'ids A B'"))]
    choose: Option<Choice>,
    #[arg(long, value_parser = parse_given, value_name = "[TASK=]FILE", help = t("从哪个训练文件选例；默认用自带的样例。与题目同源的不选", "train file to take shots from; by default the bundled sample. Siblings of the asked item are never shown"))]
    pool: Vec<Given>,
    #[arg(long, value_name = "N", help = t("只问前 N 题", "ask the first N items only"))]
    limit: Option<usize>,
    #[arg(long, default_value_t = 1, value_name = "N", help = t("每题问几遍，给出一致性", "ask each item so often, and measure the consistency"))]
    repeats: u32,
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", help = t("只显示前 N 个请求和费用估计，不提问", "show the first N requests and an estimate, and ask nothing"))]
    dry_run: Option<usize>,
    #[arg(long, value_enum, default_value = "openai", help = t("谁来回答", "who answers"))]
    provider: ProviderName,
    #[command(flatten)]
    local: LocalFiles,
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", help = t("mock：有多大比例的回复被弄坏", "mock: the share of spoiled replies"))]
    noise: f64,
    #[arg(long, value_enum, default_value = "official", help = t("按脚本还是按文本评分", "score as the script does, or as the text says"))]
    mode: ModeName,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
    #[command(flatten)]
    server: Server,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ProviderName {
    #[value(help = t("OpenAI 兼容接口", "an OpenAI-compatible endpoint"))]
    Openai,
    #[value(help = t("模拟：答案加噪声，不联网", "a mock: gold with noise, no network"))]
    Mock,
    #[value(help = t("本机的 GGUF 模型，不联网；需要 --gguf 和 --tokenizer", "a GGUF model on this machine, no network; needs --gguf and --tokenizer"))]
    Local,
}

impl ProviderName {
    const fn as_str(self) -> &'static str {
        match self {
            ProviderName::Openai => "openai",
            ProviderName::Mock => "mock",
            ProviderName::Local => "local",
        }
    }
}

fn parse_choice(text: &str) -> Result<Choice, String> {
    text.parse().map_err(|unknown: fangwei::lang::Unknown| unknown.say(lang()))
}

/// What is asked about one task, and where it goes.
struct Planned {
    asking: Asking,
    prompt_text: String,
    record: Record,
    /// The items with their gold, for the mock.
    answered: Vec<Item>,
    folder: PathBuf,
    status: Status,
}

/// What a file of items holds.
struct Read {
    items: Shelf,
    has_gold: bool,
    defects: Vec<Defect>,
}

impl Run {
    pub fn run(self) -> anyhow::Result<Status> {
        self.server.check()?;
        if self.repeats == 0 || self.limit == Some(0) {
            bail!(Usage(t("--repeats 和 --limit 至少为 1", "--repeats and --limit: expected at least 1").to_owned()));
        }
        if self.out.is_file() {
            bail!(Usage(format!("{}: {}", self.out.display(), t("--out 应为文件夹", "--out: expected a folder"))));
        }
        let model = self.model()?;
        let planned: Vec<Planned> = self.tasks.iter().map(|task| self.plan(*task, &model)).collect::<anyhow::Result<_>>()?;
        if let Some(count) = self.dry_run {
            for planned in &planned {
                self.show(planned, count)?;
            }
            return Ok(Status::Clean);
        }
        // Read once for all tasks.
        let local = if self.provider == ProviderName::Local { Some(self.local.provider()?) } else { None };
        let stop = stopper();
        let (mut status, mut values, mut folders) = (Status::Clean, Vec::new(), Vec::new());
        // What the server does not take is learned once, not once a task.
        let mut learned = None;
        for mut planned in planned {
            if planned.status == Status::Defects {
                status = Status::Defects;
            }
            if self.ask(&mut planned, local.as_deref(), learned, &stop)? == Status::Defects {
                status = Status::Defects;
            }
            let folder = Folder { path: std::mem::take(&mut planned.folder) };
            // The items are read again from the folder, as by any later scoring.
            drop(planned);
            learned = folder.capabilities();
            let summary = loaded(score(&folder, None, self.mode.into()))?;
            if self.format == Format::Json {
                values.push(summary.to_json());
            } else {
                Output::stdout().text(&summary_text(&summary, self.format.table(), lang()));
            }
            folders.push(folder);
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        if self.format == Format::Json {
            let one = (values.len() == 1).then(|| values.remove(0));
            Output::stdout().json(&one.unwrap_or_else(|| values.into()))?;
        }
        // After the scores: what goes wrong here takes none of them away.
        let pages = self.out.join("view");
        loaded(view::write(loaded(System::open(&folders, &|_| None))?, self.mode.into(), &pages, lang()))?;
        Output::stderr().line(&format!("{} {}", t("逐题查看：", "item by item:"), pages.join("index.html").display()));
        Ok(status)
    }

    /// The name of the model. That of a file has its hash in it: another file is another model, and never goes on in the folder of the first.
    fn model(&self) -> anyhow::Result<String> {
        let name = &self.server.model;
        if self.provider != ProviderName::Local {
            self.local.check_unused()?;
            return Ok(name.clone());
        }
        if self.server.stream || self.server.reply != ShapeName::Text {
            let what = t(
                "--provider local 只回复自由文本：不能用 --stream 和 --reply",
                "--provider local replies in free text: --stream and --reply cannot be used",
            );
            bail!(Usage(what.to_owned()));
        }
        Ok(format!("{name}@{}", self.local.brief_hash()?))
    }

    fn plan(&self, task: &'static dyn Task, model: &str) -> anyhow::Result<Planned> {
        let count = self.tasks.len();
        let Some(input) = file_of(&self.input, task, count, "--input")? else {
            bail!(Usage(format!("--input {}=FILE: {}", task.id(), t("缺少", "missing"))));
        };
        let Read { items, has_gold, defects } = self.read(task, &input)?;
        let gold = match file_of(&self.gold, task, count, "--gold")? {
            Some(gold) => Some(gold),
            None => has_gold.then(|| input.clone()),
        };
        let (prompt, prompt_text) = self.prompt(task)?;
        let pool_file = file_of(&self.pool, task, count, "--pool")?;
        let pool = match &pool_file {
            Some(file) => Pool::of(read_items(task, Source::open(file)?, true)?.0),
            None => Pool::shipped(task),
        };
        let seed = self.server.seed();
        let shots = Shots::new(task, &prompt, pool, seed).map_err(|error| Usage(error.to_string()))?;
        let schema = reply_schema(task, &prompt).map(Arc::new);
        let asking = Asking {
            task,
            items,
            prompt,
            shots,
            model: model.to_owned(),
            shape: self.server.reply.into(),
            schema,
            sampling: self.server.sampling(),
            repeats: self.repeats,
        };
        let mut record = asking.record(self.provider.as_str(), seed, File::at(&input)?);
        (record.stream, record.limit) = (self.server.stream, self.limit);
        record.prompt.pool = pool_file.as_deref().map(File::at).transpose()?;
        record.gold = gold.as_deref().map(File::at).transpose()?;
        let answered = match &gold {
            Some(gold) if self.provider == ProviderName::Mock => read_items(task, Source::open(gold)?, true)?.0,
            // A server is not told, and memory is for responses.
            _ => Vec::new(),
        };
        let folder = if count == 1 { self.out.clone() } else { self.out.join(task.id()) };
        Ok(Planned { asking, prompt_text, record, answered, folder, status: Status::of(&defects) })
    }

    /// The items that are asked about, without their gold.
    fn read(&self, task: &'static dyn Task, input: &Path) -> anyhow::Result<Read> {
        let most = self.limit.unwrap_or(usize::MAX);
        let (mut items, mut has_gold, mut put) = (Shelf::new(task)?, false, Ok(0));
        let defects = each_item(task, Source::open(input)?, false, |item| {
            if items.len() < most && put.is_ok() {
                has_gold |= item.gold.is_some();
                put = items.put(&Item { gold: None, corefs: None, ..item });
            }
        })?;
        put?;
        tell(&defects);
        if items.is_empty() {
            bail!("{}: {}", input.display(), t("没有可用的题目", "no items that can be used"));
        }
        Ok(Read { items, has_gold, defects })
    }

    /// The prompt by name or from a file, with the plan of this run.
    fn prompt(&self, task: &dyn Task) -> anyhow::Result<(Prompt, String)> {
        let shipped = task.about().prompts.iter().find(|(way, _)| *way == self.prompt);
        let (prompt, text) = match shipped {
            Some((way, text)) => (Prompt::shipped(task, way).map_err(|unknown| Usage(unknown.say(lang())))?, (*text).to_owned()),
            None if Path::new(&self.prompt).is_file() => {
                let text = std::fs::read_to_string(&self.prompt).with_context(|| self.prompt.clone())?;
                let prompt = Prompt::parse(task, &self.prompt, &text).map_err(|error| Usage(error.to_string()))?;
                (prompt, text)
            }
            None => {
                let unknown = Prompt::shipped(task, &self.prompt).err().map(|unknown| unknown.say(lang())).unwrap_or_default();
                bail!(Usage(format!("{}: {unknown}", task.id())))
            }
        };
        let prompt = prompt.with_shots(self.shots, self.choose.clone());
        Ok((prompt, text))
    }

    /// The first requests, and what all would take.
    fn show(&self, planned: &Planned, count: usize) -> anyhow::Result<()> {
        let asking = &planned.asking;
        let mut output = Output::stdout();
        for (number, item) in asking.items.iter().enumerate().take(count) {
            output.line(&format!("=== {} {}", asking.task.id(), item?.qid));
            for message in asking.request(number, 0)?.messages {
                output.line(&format!(
                    "--- {}\n{}",
                    serde_json::json!(message.role).as_str().unwrap_or_default(),
                    message.content
                ));
            }
        }
        let (mut prompt, mut completion) = (0, 0);
        for number in 0..asking.items.len() {
            let usage = about(&asking.request(number, 0)?);
            prompt += usage.prompt * u64::from(self.repeats);
            completion += usage.completion * u64::from(self.repeats);
        }
        let usage = fangwei_llm::provider::Usage { prompt, completion, estimated: true };
        let money = self.server.price().of(usage);
        let cost = if money > 0.0 { format!(", {} {money:.2}", t("费用约", "cost about")) } else { String::new() };
        output.line(&format!(
            "=== {}: {} {}, {} {prompt} + {completion} {}{cost}",
            asking.task.id(),
            asking.items.len() as u64 * u64::from(self.repeats),
            t("个请求", "requests"),
            t("约", "about"),
            t("词元", "tokens"),
        ));
        Ok(())
    }

    /// A model on this machine answers one request at a time; others would only wait.
    fn options(&self) -> Options {
        let options = self.server.options();
        if self.provider == ProviderName::Local { Options { connections: 1, ..options } } else { options }
    }

    /// Asks what has no response yet.
    fn ask(
        &self,
        planned: &mut Planned,
        local: Option<&dyn Provider>,
        learned: Option<Capabilities>,
        stop: &AtomicBool,
    ) -> anyhow::Result<Status> {
        let known = Folder { path: planned.folder.clone() }.capabilities().or(learned);
        let made: Box<dyn Provider>;
        let provider: &dyn Provider = match (self.provider, local) {
            (_, Some(local)) => local,
            (ProviderName::Mock, None) => {
                let book = Book::new(planned.asking.task, std::mem::take(&mut planned.answered));
                let mut mock = Mock::new(if book.is_empty() { Saying::Echo } else { Saying::Gold(book) });
                mock.noise = self.noise;
                mock.seed = self.server.seed();
                made = Box::new(mock);
                &*made
            }
            (ProviderName::Openai | ProviderName::Local, None) => {
                made = Box::new(self.server.chat(known)?);
                &*made
            }
        };
        let questions = Questions {
            asking: &planned.asking,
            prompt: &planned.prompt_text,
            record: &mut planned.record,
            folder: &planned.folder,
        };
        let (folder, end, progress) = questions.ask(provider, &self.options(), stop)?;
        match unfinished(&end, &progress) {
            None => Ok(Status::Clean),
            Some(why) => {
                Output::stderr().line(&format!("{}: {why}", folder.path.display()));
                Ok(Status::Defects)
            }
        }
    }
}

/// What is to be asked, and the folder that it goes to.
pub struct Questions<'q> {
    pub asking: &'q Asking,
    /// The text of the prompt.
    pub prompt: &'q str,
    pub record: &'q mut Record,
    pub folder: &'q Path,
}

impl Questions<'_> {
    /// Asks what has no response in the folder yet.
    pub fn ask(self, provider: &dyn Provider, options: &Options, stop: &AtomicBool) -> anyhow::Result<(Folder, End, Progress)> {
        let Questions { asking, prompt, record, folder } = self;
        record.place = provider.place();
        let folder = Folder::of(folder, record).map_err(|error| Usage(error.to_string()))?;
        let responses = Log::open(&folder.file("responses.jsonl"))?;
        let failures = Log::open(&folder.file("failures.jsonl"))?;
        folder.write("prompt.md", prompt.as_bytes())?;
        let path = folder.file("items.jsonl");
        folder.write_by("items.jsonl", |file| asking.items.write_to(file).map_err(FolderError::io(&path)))?;
        let (answered, before) = folder.answered()?;
        let mut sink = RequestsSink::create(&folder.file("requests.jsonl"))?;
        let jobs = asking.jobs(&answered, &mut sink)?;
        sink.finish()?;
        let all = asking.items.len() as u64 * u64::from(asking.repeats);
        let there = all - jobs.len() as u64;
        if there > 0 {
            Output::stderr().line(&format!(
                "{}: {there}/{all} {}",
                folder.path.display(),
                t("已有回复，不再提问", "are answered already and not asked again")
            ));
        }
        let sinks = Sinks { responses: &responses, failures: &failures, before };
        let watch = Watch::new(jobs.len(), options.price);
        let request = |job: &fangwei_llm::runner::Job| asking.request(job.index, job.repeat);
        let (end, progress) = run(provider, &jobs, &request, sinks, options, stop, &|progress| watch.see(progress));
        watch.end(&progress);
        remember(&folder, provider)?;
        Ok((folder, end, progress))
    }
}
