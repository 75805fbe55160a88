//! The data part of a report, for people.

use super::length::STEP;
use super::{Data, Leaning, Substitution, TaskData};
use crate::audit::PairSkew;
use crate::figure::{Bars, bars, histogram, intervals};
use crate::lang::Lang;
use crate::page::{Exhibit, Page, percent};
use crate::report::label::SUM;
use crate::report::{name_of, range};
use crate::score::ratio;
use crate::stats::Moments;
use crate::table::{Cell, Table};

/// Pages and figures show so many pairs of words.
const PAIRS: usize = 20;

impl Data {
    /// Adds everything to a page.
    pub fn show(&self, lang: Lang, page: &mut Page) {
        page.heading(lang.say("数据", "Data"));
        self.splits(lang, page);
        self.genres(lang, page);
        self.lengths(lang, page);
        for task in &self.tasks {
            labels(task, lang, page);
        }
        if let Some(leaning) = &self.leaning {
            leaning.show(lang, page);
        }
        if let Some(substitution) = &self.substitution {
            substitution.show(lang, page);
        }
    }

    fn splits(&self, lang: Lang, page: &mut Page) {
        let names = self.split_names();
        let head = std::iter::once(lang.say("任务", "task")).chain(names.iter().copied());
        let mut table = Table::new(head.chain([lang.say("合计", "all"), lang.say("有答案", "answered")]));
        let mut rows = Vec::new();
        for task in &self.tasks {
            let count =
                |name: &&str| task.splits.iter().filter(|split| split.name == **name).map(|split| split.items).sum::<u64>();
            let counts: Vec<u64> = names.iter().map(count).collect();
            let answered = task.splits.iter().map(|split| split.answered).sum::<u64>();
            let ends = [Cell::Count(counts.iter().sum()), Cell::Count(answered)];
            table.row(std::iter::once(task.name(lang).into()).chain(counts.iter().map(|count| Cell::Count(*count))).chain(ends));
            rows.push((task.name(lang), counts.iter().map(|count| *count as f64).collect()));
        }
        let series: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let figure = bars(&Bars { name: "splits", axis: lang.say("题", "items"), series: &series, rows: &rows, stacked: true });
        let caption = lang.say("各任务各集合的题数", "Items of each task and split");
        page.subheading(lang.say("集合", "Splits")).exhibit(Exhibit::new("splits", caption, table).drawn(figure));
    }

    fn genres(&self, lang: Lang, page: &mut Page) {
        let mut genres: Vec<&str> = Vec::new();
        for genre in self.tasks.iter().flat_map(|task| &task.splits).flat_map(|split| split.genres.keys()) {
            if !genres.contains(&genre.as_str()) {
                genres.push(genre);
            }
        }
        if genres.is_empty() {
            return;
        }
        let count = |task: &TaskData, genre: &str| task.splits.iter().filter_map(|split| split.genres.get(genre)).sum::<u64>();
        let sum = |genre: &str| self.tasks.iter().map(|task| count(task, genre)).sum::<u64>();
        // The most frequent first; the sort is stable.
        genres.sort_by_key(|genre| std::cmp::Reverse(sum(genre)));
        let heads = genres.iter().flat_map(|genre| [(*genre).to_owned(), "%".to_owned()]);
        let mut table = Table::new(std::iter::once(lang.say("任务", "task").to_owned()).chain(heads));
        let mut rows = Vec::new();
        for task in &self.tasks {
            let counts: Vec<u64> = genres.iter().map(|genre| count(task, genre)).collect();
            let all = counts.iter().sum::<u64>() as f64;
            let share = |count: &u64| 100.0 * ratio(*count as f64, all);
            let cells = counts.iter().flat_map(|count| [Cell::Count(*count), Cell::Fixed(share(count), 1)]);
            table.row(std::iter::once(task.name(lang).into()).chain(cells));
            rows.push((task.name(lang), counts.iter().map(share).collect()));
        }
        let series: Vec<String> = genres.iter().map(|genre| (*genre).to_owned()).collect();
        let figure = bars(&Bars { name: "genres", axis: "%", series: &series, rows: &rows, stacked: true });
        let caption = lang.say("各任务的语料来源：题数及占比", "Genres of each task: items and shares");
        page.subheading(lang.say("语料来源", "Genres")).exhibit(Exhibit::new("genres", caption, table).drawn(figure));
    }

    fn lengths(&self, lang: Lang, page: &mut Page) {
        page.subheading(lang.say("长度", "Lengths"));
        let mut table = Table::new(match lang {
            Lang::Zh => ["任务", "集合", "文本", "篇数", "平均", "标准差", "最短", "最长"],
            Lang::En => ["task", "split", "text", "texts", "mean", "deviation", "shortest", "longest"],
        });
        let mut row = |task: &str, split: &str, text: &str, moments: Option<Moments>| {
            if let Some(Moments { n, mean, deviation, least, most }) = moments {
                let numbers = [Cell::Count(n), Cell::Fixed(mean, 2), Cell::Fixed(deviation, 2)];
                let ends = [Cell::Count(least as u64), Cell::Count(most as u64)];
                table.row([task.into(), split.into(), text.into()].into_iter().chain(numbers).chain(ends));
            }
        };
        let (context, reason) = (lang.say("题干", "context"), lang.say("归因", "reason"));
        for task in &self.tasks {
            for split in &task.splits {
                row(&task.name(lang), &split.name, context, split.lengths.texts);
                row(&task.name(lang), &split.name, reason, split.lengths.reasons);
            }
        }
        row(SUM, "", context, self.lengths.texts);
        row(SUM, "", reason, self.lengths.reasons);
        let characters = self.lengths.characters;
        let caption = match lang {
            Lang::Zh => format!("文本长度（字）；标准差为总体标准差；题干共 {characters} 字"),
            Lang::En => format!("Lengths in characters; population deviation; {characters} characters of context in all"),
        };
        page.exhibit(Exhibit::new("lengths", caption, table));
        let mut edges: Vec<f64> = self.lengths.bins.iter().map(|bin| bin.from as f64).collect();
        edges.extend(self.lengths.bins.last().map(|bin| (bin.from + STEP) as f64));
        let counts: Vec<u64> = self.lengths.bins.iter().map(|bin| bin.texts).collect();
        let axes = (lang.say("字", "characters"), lang.say("篇", "texts"));
        let mut table = Table::new([lang.say("字数从", "characters from"), lang.say("篇数", "texts")]);
        for bin in &self.lengths.bins {
            table.row([Cell::Count(bin.from), Cell::Count(bin.texts)]);
        }
        let caption = lang.say("文本长度的分布，每格 20 字", "How long texts are, in steps of 20 characters");
        page.exhibit(Exhibit::new("length-bins", caption, table).drawn(histogram("length-bins", axes, &edges, &counts)));
    }
}

impl TaskData {
    fn name(&self, lang: Lang) -> String {
        self.task.unwrap_or(lang.say("未知任务", "unknown task")).to_owned()
    }
}

fn labels(task: &TaskData, lang: Lang, page: &mut Page) {
    let Some(id) = task.task else { return };
    if task.labels.is_empty() {
        return;
    }
    page.subheading(match lang {
        Lang::Zh => format!("标签：{id}"),
        Lang::En => format!("Labels: {id}"),
    });
    for distribution in &task.labels {
        page.exhibit(distribution.exhibit(&name_of(&["labels", id, distribution.dimension.name]), id, lang));
    }
}

impl Leaning {
    fn show(&self, lang: Lang, page: &mut Page) {
        page.subheading(lang.say("标签对词的偏斜", "How labels lean on words"));
        for statement in &self.shortcuts {
            page.paragraph(statement.say(lang));
        }
        if self.pairs.is_empty() {
            return;
        }
        let mut table = Table::new(match lang {
            Lang::Zh => ["任务", "原词", "替换词", "文本", "异常", "异常率", "95% 下限", "95% 上限"],
            Lang::En => ["task", "from", "to", "texts", "abnormal", "rate", "95% low", "95% high"],
        });
        for pair in &self.pairs {
            let counts = [Cell::Count(pair.n), Cell::Count(pair.abnormal)];
            let numbers = [pair.rate, pair.interval.low, pair.interval.high].map(|share| Cell::Fixed(share, 3));
            table.row(
                [pair.task.into(), pair.from.as_str().into(), pair.to.as_str().into()].into_iter().chain(counts).chain(numbers),
            );
        }
        // One sentence may be an item of several tasks: the one with most judged texts is drawn.
        let texts = |task: &str| self.pairs.iter().filter(|pair| pair.task == task).map(|pair| pair.n).sum::<u64>();
        let drawn = self.pairs.iter().map(|pair| pair.task).max_by_key(|task| (texts(task), *task)).unwrap_or_default();
        let row = |pair: &PairSkew| {
            (format!("{}→{} ({})", pair.from, pair.to, pair.n), pair.interval.low, pair.rate, pair.interval.high)
        };
        let rows: Vec<_> = self.pairs.iter().filter(|pair| pair.task == drawn).take(PAIRS).map(row).collect();
        let figure = intervals("skew-pairs", lang.say("判为异常的比例", "share judged abnormal"), &rows);
        let caption = match lang {
            Lang::Zh => format!(
                "替换词对与标签：只有这一处替换的文本里，判为异常的比例（Wilson 区间；图为 {drawn}）；词对由同源题对齐推断"
            ),
            Lang::En => format!(
                "Pairs of words and labels: of texts with this one replacement, the share judged abnormal (Wilson; drawn: {drawn}); pairs are inferred by aligning siblings"
            ),
        };
        page.exhibit(Exhibit::new("skew-pairs", caption, table).drawn(figure).first(PAIRS));
        let mut table = Table::new(match lang {
            Lang::Zh => ["任务", "依据", "值", "文本", "异常率", "95% 区间"],
            Lang::En => ["task", "by", "value", "texts", "rate", "95% interval"],
        });
        for kind in self.kinds.iter().filter(|kind| !matches!(kind.by, "from" | "to")) {
            let words = [kind.task.into(), kind.by.into(), kind.value.as_str().into()];
            table.row(words.into_iter().chain([Cell::Count(kind.n), Cell::Fixed(kind.rate, 3), range(kind.interval)]));
        }
        let caption = lang.say(
            "替换数、长度、体裁与标签：判为异常的比例",
            "Number of replacements, length and genre: the share judged abnormal",
        );
        page.exhibit(Exhibit::new("skew-kinds", caption, table));
    }
}

impl Substitution {
    fn show(&self, lang: Lang, page: &mut Page) {
        page.subheading(lang.say("替换", "Substitution"));
        let mean = |moments: Option<Moments>| moments.map(|moments| format!("{:.2}", moments.mean)).unwrap_or_default();
        let (per_original, per_word, per_pair) = (mean(self.per_original), mean(self.per_word), mean(self.per_pair));
        let (candidates, originals) = (self.candidates, self.originals);
        let double = percent(ratio(self.double as f64, candidates as f64));
        page.paragraph(match lang {
            Lang::Zh => format!("{originals} 个原句得到 {candidates} 个替换句，平均每句 {per_original} 个；{double} 替换了两个词。每个替换词平均用 {per_word} 次，每个词对平均用 {per_pair} 次，共 {} 对。", self.pairs.len()),
            Lang::En => format!("{originals} originals gave {candidates} candidates, {per_original} each on average; {double} have two words replaced. A new word is used {per_word} times on average, a pair {per_pair} times; there are {} pairs.", self.pairs.len()),
        });
        let mut table = Table::new(match lang {
            Lang::Zh => ["原词", "替换词", "词类", "次数"],
            Lang::En => ["from", "to", "class", "uses"],
        });
        for pair in &self.pairs {
            table.row([pair.from.as_str().into(), pair.to.as_str().into(), pair.class.into(), Cell::Count(pair.uses)]);
        }
        let rows: Vec<(String, Vec<f64>)> =
            self.pairs.iter().take(PAIRS).map(|pair| (format!("{}→{}", pair.from, pair.to), vec![pair.uses as f64])).collect();
        let series = [lang.say("次数", "uses").to_owned()];
        let figure = bars(&Bars { name: "substitution", axis: &series[0], series: &series, rows: &rows, stacked: false });
        let caption = lang.say("替换词对的使用次数", "How often pairs of words were exchanged");
        page.exhibit(Exhibit::new("substitution", caption, table).drawn(figure).first(PAIRS));
    }
}
