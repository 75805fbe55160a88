//! The audit as a page for people.

use super::{Audit, KindSkew, Statement};
use crate::lang::Lang;
use crate::page::{Page, percent};
use crate::stats::Interval;
use crate::table::{Cell, Table};

impl Statement {
    /// How much of a task needs no understanding, in words.
    pub fn say(&self, lang: Lang) -> String {
        let (task, best, floor) = (self.task, name(self.best, lang), name(self.floor, lang));
        let (measure, from, to, share) =
            (measure(self.measure, lang), percent(self.floor_value), percent(self.best_value), percent(self.share));
        match (lang, self.best == self.floor) {
            (Lang::Zh, true) => format!("{task}：{measure}，{floor}即得 {from}；没有捷径可以胜过它。"),
            (Lang::En, true) => format!("{task}: {measure} of {floor} is {from}; no shortcut beats it."),
            (Lang::Zh, false) => format!(
                "{task}：{measure}，{floor}得 {from}，最好的捷径（{best}）得 {to}；从前者到满分的距离，有 {share} 不需要理解。"
            ),
            (Lang::En, false) => format!(
                "{task}: {measure} of {floor} is {from}, of the best shortcut ({best}) {to}; {share} of the way from the former to 1 needs no understanding."
            ),
        }
    }
}

impl Audit {
    /// The page; tables of words and defects show their first `top` rows.
    pub fn page(&self, lang: Lang, top: usize) -> Page {
        let mut page = Page::new(lang, lang.say("数据集审查", "Audit of a dataset"));
        self.conclusions(lang, &mut page);
        self.files_and_groups(lang, &mut page);
        self.crossings(lang, &mut page);
        self.skews(lang, top, &mut page);
        self.shortcut_table(lang, &mut page);
        self.defect_list(lang, top, &mut page);
        page
    }

    fn conclusions(&self, lang: Lang, page: &mut Page) {
        page.heading(lang.say("结论", "In short"));
        let (verbatim, siblings) = (self.groups.verbatim_items, self.groups.sibling_items);
        page.paragraph(match lang {
            Lang::Zh => format!(
                "{} 个文件，{} 题，{} 段不同的文本，出自 {} 个原句；{} 个原句横跨多个文件：{verbatim} 题的文本逐字出现在另一文件里，另有 {siblings} 题在另一文件里有同源题。格式错误 {}，重复 {}，矛盾 {}。",
                self.files.len(), self.groups.items, self.groups.texts, self.groups.count, self.groups.crossing,
                self.malformed(), self.duplicates(), self.contradictions()
            ),
            Lang::En => format!(
                "{} files, {} items, {} distinct texts of {} origins; {} origins lie in several files: the text of {verbatim} items stands in another file, and {siblings} more have a sibling there. {} errors of format, {} duplicates, {} contradictions.",
                self.files.len(), self.groups.items, self.groups.texts, self.groups.count, self.groups.crossing,
                self.malformed(), self.duplicates(), self.contradictions()
            ),
        });
        for statement in &self.statements {
            page.paragraph(statement.say(lang));
        }
    }

    fn files_and_groups(&self, lang: Lang, page: &mut Page) {
        page.heading(lang.say("文件", "Files"));
        let heads = match lang {
            Lang::Zh => ["文件", "任务", "记录", "题", "有答案", "原句", "有错误的记录"],
            Lang::En => ["file", "task", "records", "items", "answered", "origins", "records with errors"],
        };
        let mut table = Table::new(heads);
        for file in &self.files {
            let counts = [file.records, file.items, file.answered, file.groups, file.errors].map(Cell::Count);
            let task = file.task.unwrap_or(lang.say("未知", "unknown"));
            table.row([Cell::from(file.file.as_str()), Cell::from(task)].into_iter().chain(counts));
        }
        page.table(table);

        page.heading(lang.say("同源组", "Origin groups"));
        page.paragraph(lang.say(
            "较短文本的五字序列（不计标点）有一半以上出现在另一段文本里，两段文本就属于一组，并且可以传递。组内差异很短的文本逐字对齐：每个差异处多数文本的写法是原文；只有空间关系标注、没有人判断过的文本就是原文。",
            "Two texts belong together if at least half of the shorter one's five-character sequences (punctuation aside) stand in the other, and so do theirs. Texts of a group that differ by short replacements are aligned by characters: at each place the majority has the original word; a text whose scene is described and which nobody was asked to judge is the original itself.",
        ));
        let mut table = Table::new([lang.say("一组的文本数", "texts of a group"), lang.say("组", "groups")]);
        for (size, count) in ["1", "2", "3", "4", "5-9", "10+"].into_iter().zip(self.groups.sizes) {
            table.row([Cell::from(size), Cell::Count(count)]);
        }
        page.table(table);
        let found = self.groups.originals;
        page.paragraph(match lang {
            Lang::Zh => format!(
                "对齐的文本集：{} 个由空间关系标注得到原文，{} 个由多数得到，{} 个由唯一判为正常的文本得到，{} 个无法确定；另有 {} 段文本没有可对齐的文本。",
                found.described, found.majority, found.judged_normal, found.unresolved, found.alone
            ),
            Lang::En => format!(
                "Aligned sets: the original of {} is told by a description, of {} by the majority, of {} by the only text judged normal; {} stay unresolved; {} texts have none to align with.",
                found.described, found.majority, found.judged_normal, found.unresolved, found.alone
            ),
        });
    }

    fn crossings(&self, lang: Lang, page: &mut Page) {
        page.heading(lang.say("跨文件", "Across files"));
        if self.crossing.is_empty() {
            page.paragraph(lang.say("没有文本或原句横跨两个文件。", "No text and no origin lies in two files."));
            return;
        }
        page.paragraph(lang.say(
            "逐字相同的文本，以及文本不同但同出一源的题。用其中一个文件训练的系统，见过另一个文件里这一部分题。",
            "Texts that stand in both files, and items of either whose text does not, but which have a sibling in the other. A system trained on one file has seen this share of the other.",
        ));
        let heads = match lang {
            Lang::Zh => ["文件甲", "文件乙", "逐字相同", "同源题", "占甲", "占乙"],
            Lang::En => ["a", "b", "verbatim", "siblings", "share of a", "share of b"],
        };
        let mut table = Table::new(heads);
        for pair in &self.crossing {
            table.row([
                Cell::from(pair.a.as_str()),
                Cell::from(pair.b.as_str()),
                Cell::Count(pair.verbatim),
                Cell::Count(pair.siblings),
                Cell::from(percent(pair.share_a)),
                Cell::from(percent(pair.share_b)),
            ]);
        }
        page.table(table);
    }

    fn skews(&self, lang: Lang, top: usize, page: &mut Page) {
        if self.skew.is_empty() {
            return;
        }
        page.heading(lang.say("替换词对与异常率", "Replaced pairs and labels"));
        page.paragraph(lang.say(
            "只统计有人判断过、且只替换了这一个词的文本，每段文本每个任务计一次；异常归因题按定义都是异常的，只用来对齐，不计入。",
            "Texts that people judged and in which this is the only replacement, each once a task. Items that ask what is wrong are abnormal by definition: they serve the alignment and are not counted.",
        ));
        let heads = match lang {
            Lang::Zh => ["任务", "原词", "替换为", "文本", "异常", "异常率", "95% 区间"],
            Lang::En => ["task", "from", "to", "texts", "abnormal", "rate", "95% interval"],
        };
        let mut table = Table::new(heads);
        for pair in self.pairs.iter().take(top) {
            table.row([
                Cell::from(pair.task),
                Cell::from(pair.from.as_str()),
                Cell::from(pair.to.as_str()),
                Cell::Count(pair.n),
                Cell::Count(pair.abnormal),
                Cell::from(percent(pair.rate)),
                Cell::from(range(&pair.interval)),
            ]);
        }
        page.table(table);
        more(lang, self.pairs.len(), top, page);
        for (by, title) in [
            ("replacements", lang.say("按替换词数", "By number of replacements")),
            ("to", lang.say("按替换后的词", "By the word put in")),
            ("from", lang.say("按原词", "By the original word")),
            ("length", lang.say("按长度", "By length")),
            ("genre", lang.say("按体裁", "By genre")),
        ] {
            let rows: Vec<&KindSkew> = self.skew.iter().filter(|kind| kind.by == by).collect();
            if rows.is_empty() {
                continue;
            }
            page.heading(title);
            page.bars(rows.iter().take(top).map(|kind| {
                let note = match lang {
                    Lang::Zh => format!("{}（{} / {}）", percent(kind.rate), kind.abnormal, kind.n),
                    Lang::En => format!("{} ({} of {})", percent(kind.rate), kind.abnormal, kind.n),
                };
                (format!("{} {}", kind.task, kind.value), kind.rate, note)
            }));
            more(lang, rows.len(), top, page);
        }
    }

    fn shortcut_table(&self, lang: Lang, page: &mut Page) {
        if self.shortcuts.is_empty() {
            return;
        }
        page.heading(lang.say("捷径", "Shortcuts"));
        page.paragraph(lang.say(
            "不理解文本也能得到的分数。按原句分组交叉验证：学的和答的没有同源题，推断原文时不看标签；区间按组重抽样。",
            "What can be earned without understanding a text. Cross-validated by origin: what is learnt from and what is answered share no origin, and originals are inferred without labels. Intervals are resampled by origin.",
        ));
        let heads = match lang {
            Lang::Zh => ["任务", "捷径", "指标", "值", "95% 区间", "题"],
            Lang::En => ["task", "shortcut", "measure", "value", "95% interval", "items"],
        };
        let mut table = Table::new(heads);
        for one in &self.shortcuts {
            table.row([
                Cell::from(one.task),
                Cell::from(name(one.name, lang)),
                Cell::from(measure(one.measure, lang)),
                Cell::Number(one.value),
                Cell::from(format!("[{:.4}, {:.4}]", one.interval.low, one.interval.high)),
                Cell::Count(one.items),
            ]);
        }
        page.table(table);
        page.paragraph(lang.say(
            "多数：最常见的答案。词对：这一对词（没见过时看替换后的词）多半正常还是异常。同源差异：与同源文本的差异（词对、个数、位置、前后的字）。字串：一到三字的序列。出现位置：同一文本还在哪些文件里。理由类型：理由的句式。在答案之内：替换处全部落在参考答案标出的字里；随机：参考答案占全文的比例。",
            "majority: the most common answer. pair prior: whether this pair of words (if unseen, the word put in) is mostly harmless. sibling difference: where and in which words the text differs from its siblings. n-gram: sequences of one to three characters. membership: which other files hold the same text. reason type: the frame of the reason. inside gold: a replaced word lies within the characters that gold marks; chance: the share of the text that gold marks.",
        ));
    }

    fn defect_list(&self, lang: Lang, top: usize, page: &mut Page) {
        page.heading(lang.say("缺陷", "Defects"));
        if self.defects.is_empty() {
            page.paragraph(lang.say("没有格式错误、重复或矛盾。", "No malformed record, no duplicate, no contradiction."));
            return;
        }
        let mut table = Table::new(match lang {
            Lang::Zh => ["文件", "行", "qid", "代码", "应为", "实为"],
            Lang::En => ["file", "line", "qid", "code", "expected", "found"],
        });
        // Errors first; stable, so that files keep their order.
        let mut defects: Vec<_> = self.defects.iter().collect();
        defects.sort_by_key(|defect| std::cmp::Reverse(defect.severity()));
        for defect in defects.iter().take(top) {
            table.row([
                Cell::from(defect.file.as_ref()),
                Cell::from((defect.line > 0).then_some(defect.line)),
                Cell::from(defect.qid.as_deref()),
                Cell::from(defect.code.as_str()),
                Cell::from(defect.expected.get(lang)),
                Cell::from(defect.found.get(lang)),
            ]);
        }
        page.table(table);
        more(lang, defects.len(), top, page);
    }
}

/// Says that rows were left out.
fn more(lang: Lang, all: usize, top: usize, page: &mut Page) {
    if all > top {
        page.paragraph(match lang {
            Lang::Zh => format!("共 {all} 行，这里是前 {top} 行。"),
            Lang::En => format!("The first {top} of {all} rows."),
        });
    }
}

fn range(interval: &Interval) -> String {
    format!("{:.0}–{:.0} %", interval.low * 100.0, interval.high * 100.0)
}

fn name(shortcut: &'static str, lang: Lang) -> &'static str {
    match shortcut {
        "majority" => lang.say("多数", "majority"),
        "pair-prior" => lang.say("词对", "pair prior"),
        "sibling-difference" => lang.say("同源差异", "sibling difference"),
        "n-gram" => lang.say("字串", "n-gram"),
        "membership" => lang.say("出现位置", "membership"),
        "combined" => lang.say("差异加出现位置", "difference and membership"),
        "type-prior" => lang.say("理由类型", "reason type"),
        "majority-type" => lang.say("多数类型", "majority type"),
        "chance" => lang.say("随机", "chance"),
        other => other,
    }
}

fn measure(name: &'static str, lang: Lang) -> &'static str {
    match name {
        "accuracy" => lang.say("准确率", "accuracy"),
        "macro_f1" => lang.say("宏平均 F1", "macro F1"),
        "inside_gold" => lang.say("在答案之内", "inside gold"),
        other => other,
    }
}
