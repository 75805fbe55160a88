//! `fangwei llm surprisal`: how surprising texts are to a model on this machine, and each spatial word in them against its rivals. Nobody is asked anything:
//! probabilities are read off.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use fangwei::task::Task;

use super::super::parse_task;
use super::local::LocalFiles;
use crate::lang::t;
use crate::lexicon::LexiconOption;
use crate::output::Status;

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei llm surprisal --gguf qwen2.gguf --tokenizer tokenizer.json --text 他跳进山洞外。\n  fangwei llm surprisal --gguf qwen2.gguf --tokenizer tokenizer.json --task 2022/judge --input items.jsonl --format json\n  fangwei llm surprisal --gguf qwen2.gguf --tokenizer tokenizer.json --task 2022/judge --input items.jsonl --out preds.jsonl --margin 10\n\n意外程度以比特计：概率每减半多一比特。词的名次按整段文本的比特数排：把词换成词表里同组的每个词，再算一遍。\n--out 只用于 2021/judge 和 2022/judge：有词可以换得使文本减少超过 --margin 比特，就判为异常。这个界限没有用任何数据调过。",
    "Examples:\n  fangwei llm surprisal --gguf qwen2.gguf --tokenizer tokenizer.json --text 他跳进山洞外。\n  fangwei llm surprisal --gguf qwen2.gguf --tokenizer tokenizer.json --task 2022/judge --input items.jsonl --format json\n  fangwei llm surprisal --gguf qwen2.gguf --tokenizer tokenizer.json --task 2022/judge --input items.jsonl --out preds.jsonl --margin 10\n\nSurprise is told in bits: one more for each halving of the probability. Words are ranked by the bits of the whole text, with each word of the same group of the lexicon in their place.\n--out is for 2021/judge and 2022/judge: a text is judged abnormal where a rival of some word takes more than --margin bits off it. That threshold was fitted on nothing."
))]
// Without the feature nothing of it is read.
#[cfg_attr(not(feature = "local"), allow(dead_code))]
pub struct Surprisal {
    #[command(flatten)]
    files: LocalFiles,
    #[arg(long, value_name = "TEXT", num_args = 1.., conflicts_with = "input", required_unless_present = "input", help = t("文本，可以多个", "texts, one or more"))]
    text: Vec<String>,
    #[arg(long, value_parser = parse_task, value_name = "TASK", requires = "input", help = t("题目的任务", "the task of the items"))]
    task: Option<&'static dyn Task>,
    #[arg(long, value_name = "FILE", requires = "task", help = t("题目；其中的答案不看", "the items; answers in them are not looked at"))]
    input: Option<PathBuf>,
    #[arg(long, value_name = "N", requires = "input", help = t("只看前 N 题", "the first N items only"))]
    limit: Option<usize>,
    #[arg(short, long, value_name = "FILE", requires = "input", help = t("按 --margin 判断，写成官方格式的预测文件", "judge by --margin, and write predictions in the official format"))]
    out: Option<PathBuf>,
    #[arg(long, default_value_t = 10.0, value_name = "BITS", allow_negative_numbers = true, help = t("换词减少多少比特以上算异常", "how many bits a rival must take off for a text to be abnormal"))]
    margin: f64,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Form,
    #[command(flatten)]
    lexicon: LexiconOption,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Form {
    #[default]
    #[value(help = t("给人看", "for people"))]
    Text,
    #[value(help = t("给程序用，一段文本一行", "for programs, a text a line"))]
    Json,
}

impl Surprisal {
    #[cfg(not(feature = "local"))]
    pub fn run(self) -> anyhow::Result<Status> {
        Err(super::local::without().into())
    }

    #[cfg(feature = "local")]
    pub fn run(self) -> anyhow::Result<Status> {
        self.weigh()
    }
}

#[cfg(feature = "local")]
mod weigh {
    use anyhow::bail;
    use fangwei::answer::{Answer, Kind, Verdict};
    use fangwei::corpus::tag::Tagger;
    use fangwei::lang::expected_found;
    use fangwei::record::Source;
    use fangwei::score::read_items;
    use fangwei::table::{Cell, Format as TableFormat, Table};
    use fangwei::task::{Task, write_pred};
    use fangwei_llm::local::Weighed;
    use serde_json::json;

    use super::{Form, Surprisal};
    use crate::lang::{lang, t};
    use crate::lines::LineSink;
    use crate::output::{Output, Status, Usage, check_files, tell};
    use crate::progress::Bar;

    /// Whether a threshold can answer a task: it asks whether a text is normal, and not about a reason beside it.
    fn is_judged(task: &dyn Task) -> bool {
        task.kind() == Kind::Verdict && !task.about().fields.contains(&"reason")
    }

    /// A text and the item that it is of.
    struct Named {
        name: String,
        text: String,
    }

    impl Surprisal {
        pub(super) fn weigh(&self) -> anyhow::Result<Status> {
            self.check()?;
            let (texts, mut status) = self.texts()?;
            let local = self.files.load()?;
            let lexicon = self.lexicon.load()?;
            let tagger = Tagger::new(&lexicon);
            let mut sink = self.out.as_deref().map(LineSink::create).transpose()?;
            let bar = Bar::items(t("意外程度", "surprisal"));
            bar.begin(texts.len() as u64);
            let (mut abnormal, mut judged) = (0, 0);
            for Named { name, text } in &texts {
                match local.weigh(text, &tagger, &lexicon) {
                    Ok(weighed) => {
                        self.show(name, text, &weighed)?;
                        if let (Some(sink), Some(task)) = (&mut sink, self.task) {
                            let odd = weighed.is_abnormal(self.margin);
                            (abnormal, judged) = (abnormal + usize::from(odd), judged + 1);
                            let answer = Answer::Verdict(Verdict::Plain(!odd));
                            sink.line(write_pred(task, name, &answer).to_line().as_bytes())?;
                        }
                    }
                    Err(error) => {
                        Output::stderr().line(&format!("{name}: {error}"));
                        status = Status::Defects;
                    }
                }
                bar.step();
            }
            bar.end();
            if let (Some(sink), Some(path)) = (sink, &self.out) {
                sink.finish()?;
                Output::stderr().line(&format!(
                    "{}: {}",
                    path.display(),
                    match lang() {
                        fangwei::lang::Lang::Zh => format!(
                            "{judged} 题中 {abnormal} 题判为异常：有词可以换得使文本减少超过 {} 比特。这个界限没有用任何数据调过",
                            self.margin
                        ),
                        fangwei::lang::Lang::En => format!(
                            "{abnormal} of {judged} judged abnormal: a rival takes more than {} bits off the text. That threshold was fitted on nothing",
                            self.margin
                        ),
                    }
                ));
            }
            Ok(status)
        }

        fn check(&self) -> anyhow::Result<()> {
            if let (Some(_), Some(task)) = (&self.out, self.task)
                && !is_judged(task)
            {
                let judged: Vec<&str> = fangwei::tasks::all().filter(|task| is_judged(*task)).map(Task::id).collect();
                bail!(Usage(expected_found(lang(), "--out", &judged.join(" / "), task.id())));
            }
            if !self.margin.is_finite() {
                bail!(Usage(format!("--margin {}: {}", self.margin, t("应为比特数", "expected a number of bits"))));
            }
            Ok(check_files(
                self.input.iter().map(std::path::PathBuf::as_path),
                &self.out.iter().map(std::path::PathBuf::as_path).collect::<Vec<_>>(),
            )?)
        }

        fn texts(&self) -> anyhow::Result<(Vec<Named>, Status)> {
            let (Some(task), Some(input)) = (self.task, &self.input) else {
                let typed = self
                    .text
                    .iter()
                    .zip(1..)
                    .map(|(text, number): (&String, u32)| Named { name: number.to_string(), text: text.clone() });
                return Ok((typed.collect(), Status::Clean));
            };
            let (items, defects) = read_items(task, Source::open(input)?, false)?;
            tell(&defects);
            let some = items.iter().take(self.limit.unwrap_or(usize::MAX));
            // The two texts of a pair have the name of their item.
            let named = some.flat_map(|item| {
                item.texts.each().into_iter().map(|text| Named { name: item.qid.to_string(), text: text.to_owned() })
            });
            Ok((named.collect(), Status::of(&defects)))
        }

        fn show(&self, name: &str, text: &str, weighed: &Weighed) -> anyhow::Result<()> {
            // Predictions on standard output leave no room for anything else there.
            let is_taken = self.out.as_deref().is_some_and(|path| path.as_os_str() == "-");
            let mut output = if is_taken { Output::stderr() } else { Output::stdout() };
            if self.format == Form::Json {
                let mut value = json!({ "qid": name, "text": text });
                if let (Some(all), serde_json::Value::Object(more)) = (value.as_object_mut(), serde_json::to_value(weighed)?) {
                    all.extend(more);
                }
                output.line(&value.to_string());
                return Ok(());
            }
            output.line(&format!("{name}  {text}"));
            let (bits, each) = (t("比特", "bits"), t("比特每字", "bits a character"));
            output.line(&format!("  {:.1} {bits}, {:.2} {each}", weighed.bits, weighed.per_character));
            if weighed.words.is_empty() {
                return Ok(());
            }
            let mut table = Table::new([
                t("词", "word"),
                t("字序", "at"),
                t("词类", "class"),
                t("比特", "bits"),
                t("名次", "rank"),
                t("最好的替换", "best rival"),
                t("少多少比特", "bits less"),
            ]);
            for word in &weighed.words {
                let best = word.rivals.first().map(|rival| rival.word.to_string());
                table.row([
                    Cell::from(word.word.as_str()),
                    Cell::Count(word.at as u64),
                    Cell::from(word.class.title(lang())),
                    Cell::from(format!("{:.1}", word.bits)),
                    Cell::from(format!("{}/{}", word.rank, word.rivals.len() + 1)),
                    Cell::from(best),
                    Cell::from(format!("{:.1}", word.gap)),
                ]);
            }
            output.text(&table.render(TableFormat::Text));
            Ok(())
        }
    }
}
