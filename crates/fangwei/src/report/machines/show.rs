//! The systems' part of a report, for people.

use super::{Agreed, Confusion, FacetScores, Machines};
use crate::figure::{Bars, bars, heat, intervals};
use crate::lang::Lang;
use crate::page::{Exhibit, Page, percent};
use crate::report::brief::brief;
use crate::report::sheet::Sheet;
use crate::report::{name_of, range};
use crate::score::{Measure, ratio, title};
use crate::table::{Cell, Table};

/// Pages show so many items of a reading list.
const READ: usize = 20;
/// More systems than this are told in tables only.
const DRAWN: usize = 8;

impl Machines {
    /// Adds everything to a page.
    pub fn show(&self, sheet: &Sheet, lang: Lang, page: &mut Page) {
        let id = sheet.task.id();
        self.scores(id, lang, page);
        self.agreed.show(id, lang, page);
        for facet in &self.facets {
            facet.show(id, &self.comparison.measure, lang, page);
        }
        page.subheading(lang.say("系统的回答与标准答案", "What systems say, beside gold"));
        for said in &self.said {
            page.exhibit(said.exhibit(&name_of(&["said", id, said.dimension.name]), id, lang));
        }
        for (number, confusion) in self.confusions.iter().enumerate() {
            confusion.show(&name_of(&["confusion", id, &(number + 1).to_string()]), id, lang, page);
        }
        self.reading(sheet, lang, page);
    }

    fn scores(&self, id: &str, lang: Lang, page: &mut Page) {
        let found = &self.comparison;
        page.subheading(lang.say("成绩", "Scores"));
        let others: Vec<String> = found.systems.first().map_or_else(Vec::new, |system| {
            let numbers = system.measures.flat().into_iter().filter(|(_, measure)| matches!(measure, Measure::Number(_)));
            numbers.map(|(path, _)| path).filter(|path| *path != found.measure).collect()
        });
        let heads: [&str; 4] = match lang {
            Lang::Zh => ["系统", "类别", "作答", "得分"],
            Lang::En => ["system", "kind", "answered", "score"],
        };
        let ends = [lang.say("95% 区间", "95% interval"), lang.say("第一的概率", "P(first)")];
        let head = heads.iter().chain(&ends).map(|head| (*head).to_owned()).chain(others.iter().cloned());
        let mut table = Table::new(head);
        let mut order: Vec<usize> = (0..found.systems.len()).collect();
        order.sort_by(|a, b| found.systems[*b].score.total_cmp(&found.systems[*a].score));
        let mut rows = Vec::new();
        for number in order {
            let system = &found.systems[number];
            let cells = [
                system.name.as_str().into(),
                self.kinds[number].word(lang).into(),
                Cell::Count(system.answered),
                Cell::Number(system.score),
                range(system.interval),
                Cell::Fixed(system.first, 3),
            ];
            table.row(cells.into_iter().chain(others.iter().map(|path| Cell::from(system.measures.get(path)))));
            rows.push((system.name.clone(), system.interval.low, system.score, system.interval.high));
        }
        let (measure, items, groups, draws) = (&found.measure, found.items, found.groups, found.resamples);
        let what = title(measure).get(lang);
        let caption = match lang {
            Lang::Zh => format!("{id}：{measure}（{what}），{items} 题；区间按 {groups} 个同源组重抽样 {draws} 次"),
            Lang::En => format!("{id}: {measure} ({what}) on {items} items; intervals over {groups} origins, {draws} resamples"),
        };
        let name = name_of(&["scores", id]);
        let figure = intervals(&name, measure, &rows);
        page.exhibit(Exhibit::new(name, caption, table).drawn(figure));
        if found.pairs.is_empty() {
            return;
        }
        let mut table = Table::new(["A", "B", "A − B", lang.say("95% 区间", "95% interval"), "p", "p Holm", "p McNemar"]);
        for pair in &found.pairs {
            let numbers = [Cell::Number(pair.p_permutation), Cell::Number(pair.p_holm)];
            let mcnemar = Cell::from(pair.mcnemar.as_ref().map(|mcnemar| mcnemar.p));
            let words = [pair.a.as_str().into(), pair.b.as_str().into(), Cell::Number(pair.difference), range(pair.interval)];
            table.row(words.into_iter().chain(numbers).chain([mcnemar]));
        }
        let caption = match lang {
            Lang::Zh => format!("{id}：两两比较（成对置换检验，按同源组；Holm 校正；McNemar 视各题为独立）"),
            Lang::En => {
                format!("{id}: each against each (paired permutation over origins; Holm; McNemar takes items for independent)")
            }
        };
        page.exhibit(Exhibit::new(name_of(&["pairs", id]), caption, table).first(30));
    }

    fn reading(&self, sheet: &Sheet, lang: Lang, page: &mut Page) {
        page.subheading(lang.say("所有系统都答错的题", "Items that every system gets wrong"));
        let share = percent(ratio(self.failed.len() as f64, sheet.items.len() as f64));
        page.paragraph(match lang {
            Lang::Zh => format!("{} 题（{share}）没有一个系统得分。", self.failed.len()),
            Lang::En => format!("No system earns anything on {} items ({share}).", self.failed.len()),
        });
        if self.failed.is_empty() {
            return;
        }
        let mut table = Table::new(match lang {
            Lang::Zh => ["题", "文本", "标准答案", "系统最多的回答", "系统数"],
            Lang::En => ["item", "text", "gold", "what most systems say", "systems"],
        });
        for failed in &self.failed {
            let item = &sheet.items[failed.item];
            let gold = item.gold.as_ref().map(|gold| brief(gold, &item.texts, lang)).unwrap_or_default();
            let said = failed.answers.first();
            let answer = said.and_then(|(taker, _)| sheet.answer(*taker, failed.item));
            table.row([
                failed.qid.as_str().into(),
                reading_text(item).into(),
                gold.into(),
                answer.map(|answer| brief(answer, &item.texts, lang)).into(),
                Cell::from(said.map(|(_, count)| *count)),
            ]);
        }
        let id = sheet.task.id();
        let caption = match lang {
            Lang::Zh => format!("{id}：阅读清单，所有系统都得零分的题"),
            Lang::En => format!("{id}: a reading list of items on which every system earns nothing"),
        };
        page.exhibit(Exhibit::new(name_of(&["failed", id]), caption, table).first(READ));
    }
}

/// What an item asks about, in one cell.
pub(in crate::report) fn reading_text(item: &crate::task::Item) -> String {
    match &item.texts {
        crate::task::Texts::Reason { context, reason } => format!("{context} ‖ {reason}"),
        texts => texts.each().join(" ‖ "),
    }
}

impl Agreed {
    fn show(&self, id: &str, lang: Lang, page: &mut Page) {
        if self.systems < 2 {
            return;
        }
        page.subheading(lang.say("系统一致的题", "Items on which systems agree"));
        let (right, wrong) = self.unanimous();
        let share = |count: u64| percent(ratio(count as f64, self.items as f64));
        page.paragraph(match lang {
            Lang::Zh => format!(
                "{} 个系统全部答对 {right} 题（{}），全部得零分 {wrong} 题（{}）。",
                self.systems,
                share(right),
                share(wrong)
            ),
            Lang::En => format!(
                "All {} systems are right on {right} items ({}), none earns anything on {wrong} ({}).",
                self.systems,
                share(right),
                share(wrong)
            ),
        });
        if !self.corners.is_empty() {
            let mut table = Table::new(match lang {
                Lang::Zh => ["机器答案", "标准答案", "全部系统", "至多一个例外"],
                Lang::En => ["systems say", "gold", "all systems", "all, or all but one"],
            });
            for corner in &self.corners {
                let word = |value: bool| if value { "True" } else { "False" };
                table.row([
                    word(corner.said).into(),
                    word(corner.gold).into(),
                    Cell::Count(corner.all),
                    Cell::Count(corner.all_but_one),
                ]);
            }
            let caption = match lang {
                Lang::Zh => format!("{id}：机器答案一致的题目数量"),
                Lang::En => format!("{id}: items on which systems give one answer"),
            };
            page.exhibit(Exhibit::new(name_of(&["agreed", id]), caption, table));
        }
        let mut table = Table::new(match lang {
            Lang::Zh => ["系统数", "这么多系统全对", "这么多系统得零分"],
            Lang::En => ["systems", "items that so many have wholly right", "items on which so many earn nothing"],
        });
        let mut rows = Vec::new();
        for (count, (right, wrong)) in self.right.iter().zip(&self.wrong).enumerate() {
            table.row([Cell::Count(count as u64), Cell::Count(*right), Cell::Count(*wrong)]);
            rows.push((count.to_string(), vec![*right as f64, *wrong as f64]));
        }
        let series = [lang.say("全对", "wholly right").to_owned(), lang.say("零分", "nothing earned").to_owned()];
        let name = name_of(&["systems-right", id]);
        let figure = bars(&Bars { name: &name, axis: lang.say("题", "items"), series: &series, rows: &rows, stacked: false });
        let caption = match lang {
            Lang::Zh => format!("{id}：多少系统答对、多少系统得零分的题数"),
            Lang::En => format!("{id}: items by how many systems have them right, and by how many earn nothing"),
        };
        page.exhibit(Exhibit::new(name, caption, table).drawn(figure));
    }
}

impl FacetScores {
    fn show(&self, id: &str, measure: &str, lang: Lang, page: &mut Page) {
        let facet = match self.facet.as_str() {
            "type" => lang.say("归因类型", "type of reason"),
            "gold" => lang.say("标准答案", "gold answer"),
            "type×gold" => lang.say("归因类型与标准答案", "type of reason and gold answer"),
            "genre" => lang.say("语料来源", "genre"),
            "length" => lang.say("文本长度", "length of the text"),
            "fragments" => lang.say("片段数", "number of fragments"),
            "answers" => lang.say("答案数", "number of answers"),
            "tuples" => lang.say("元组数", "number of tuples"),
            "roles" => lang.say("出现的角色", "roles that occur"),
            other => other,
        };
        let many = self.systems.len() > 1;
        let mean = many.then(|| lang.say("平均", "mean").to_owned());
        let head = [facet.to_owned(), lang.say("题", "items").to_owned()].into_iter().chain(self.systems.iter().cloned());
        let mut table = Table::new(head.chain(mean));
        for class in &self.classes {
            let scores = class.scores.iter().map(|score| Cell::Number(*score));
            let mean = many.then_some(Cell::Number(class.mean));
            table.row([class.class.as_str().into(), Cell::Count(class.items)].into_iter().chain(scores).chain(mean));
        }
        let name = name_of(&["by", &self.facet.replace('×', " "), id]);
        let drawn = self.systems.len() <= DRAWN && self.classes.len() <= 24;
        let rows: Vec<(String, Vec<f64>)> =
            self.classes.iter().map(|class| (class.class.clone(), class.scores.clone())).collect();
        let means: Vec<(String, Vec<f64>)> = self.classes.iter().map(|class| (class.class.clone(), vec![class.mean])).collect();
        let (series, rows) =
            if drawn { (self.systems.clone(), rows) } else { (vec![lang.say("平均", "mean").to_owned()], means) };
        let figure = bars(&Bars { name: &name, axis: measure, series: &series, rows: &rows, stacked: false });
        let caption = match lang {
            Lang::Zh => format!("{id}：按{facet}的{measure}"),
            Lang::En => format!("{id}: {measure} by {facet}"),
        };
        page.subheading(match lang {
            Lang::Zh => format!("按{facet}"),
            Lang::En => format!("By {facet}"),
        });
        page.exhibit(Exhibit::new(name, caption, table).drawn(figure));
    }
}

impl Confusion {
    fn show(&self, name: &str, id: &str, lang: Lang, page: &mut Page) {
        let (missed, extra) = (lang.say("漏", "missed"), lang.say("多", "extra"));
        let head = std::iter::once(lang.say("标准答案", "gold")).chain(self.roles.iter().map(String::as_str)).chain([missed]);
        let mut table = Table::new(head);
        for ((role, counts), missed) in self.roles.iter().zip(&self.counts).zip(&self.missed) {
            let counts = counts.iter().chain([missed]).map(|count| Cell::Count(*count));
            table.row(std::iter::once(role.as_str().into()).chain(counts));
        }
        table.row(std::iter::once(extra.into()).chain(self.extra.iter().map(|count| Cell::Count(*count))));
        let shares: Vec<Vec<Option<f64>>> = self
            .counts
            .iter()
            .zip(&self.missed)
            .map(|(counts, missed)| {
                let all: u64 = counts.iter().sum::<u64>() + missed;
                let share = |count: &u64| (*count > 0).then(|| *count as f64 / all as f64);
                counts.iter().chain([missed]).map(share).collect()
            })
            .collect();
        let columns: Vec<String> = self.roles.iter().cloned().chain([missed.to_owned()]).collect();
        let figure = heat(name, &self.roles, &columns, &shares, (0.0, 1.0));
        let system = &self.system;
        let caption = match lang {
            Lang::Zh => {
                format!("{id}，{system}：配对的答案或元组里，标准答案的角色（行）被标成什么（列）；图为行内占比，表为次数")
            }
            Lang::En => format!(
                "{id}, {system}: in matched answers or tuples, what gold roles (rows) are labelled as (columns); shares of rows drawn, counts in the table"
            ),
        };
        page.exhibit(Exhibit::new(name, caption, table).drawn(figure));
    }
}
