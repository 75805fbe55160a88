//! The items' part of a report, for people.

use super::{Flag, Items, Statistic};
use crate::figure::{histogram, intervals, points};
use crate::lang::Lang;
use crate::page::{Exhibit, Page};
use crate::report::brief::brief;
use crate::report::machines::reading_text;
use crate::report::name_of;
use crate::report::sheet::Sheet;
use crate::table::{Cell, Table};

/// Pages show so many items.
const SHOWN: usize = 20;
/// Steps of hardness in the figure.
const STEP: f64 = 0.25;

impl Items {
    /// Adds everything to a page.
    pub fn show(&self, sheet: &Sheet, lang: Lang, page: &mut Page) {
        let id = sheet.task.id();
        let alpha = self.alpha.map_or_else(|| lang.say("无定义", "undefined").to_owned(), |alpha| format!("{alpha:.3}"));
        let count = |flag: Flag| self.statistics.iter().filter(|one| one.flags.contains(&flag)).count();
        let (takers, items) = (self.takers, self.statistics.len());
        let (right, wrong, bad) = (count(Flag::AllRight), count(Flag::AllWrong), self.suspects().len());
        page.paragraph(match lang {
            Lang::Zh => format!("{takers} 个系统和人，{items} 题。信度（Cronbach alpha）{alpha}。难度为平均得分；区分度为该题得分与其余题平均得分的相关；Rasch 难度与能力在同一尺度上，越大越难、越强。人人全对 {right} 题，人人零分 {wrong} 题；{bad} 题区分度为负或不合模型，值得组织者再看。"),
            Lang::En => format!("{takers} systems and people, {items} items. Reliability (Cronbach's alpha) {alpha}. Difficulty is the mean of what is earned; discrimination its correlation with the mean on the other items; Rasch hardness and ability stand on one scale, harder and abler being higher. Everybody has {right} items right, nobody earns anything on {wrong}; {bad} have negative discrimination or do not fit and deserve another look."),
        });
        if self.takers < 5 {
            page.paragraph(lang.say(
                "少于五个系统和人，区分度和拟合只是参考，不作标记。",
                "With fewer than five takers discrimination and fit are hints only, and nothing is flagged by them.",
            ));
        }
        self.abilities(id, lang, page);
        self.drawn(id, lang, page);
        let all: Vec<&Statistic> = self.statistics.iter().collect();
        let caption = match lang {
            Lang::Zh => format!("{id}：每题的难度、区分度与 Rasch 难度"),
            Lang::En => format!("{id}: difficulty, discrimination and Rasch hardness of every item"),
        };
        let table = table(sheet, &all, lang, false);
        let marks: Vec<(f64, f64)> = all.iter().filter_map(|one| Some((one.mean, one.discrimination?))).collect();
        let name = name_of(&["items", id]);
        let axes = (lang.say("平均得分（难 → 易）", "mean earned (hard → easy)"), lang.say("区分度", "discrimination"));
        let figure = points(&name, axes, &marks, &[(false, 0.0)]);
        page.exhibit(Exhibit::new(name, caption, table).drawn(figure).first(SHOWN));
        let suspects = self.suspects();
        if !suspects.is_empty() {
            let caption = match lang {
                Lang::Zh => format!("{id}：值得再看的题，区分度最低的在前"),
                Lang::En => format!("{id}: items that deserve another look, the lowest discrimination first"),
            };
            page.exhibit(
                Exhibit::new(name_of(&["suspects", id]), caption, self::table(sheet, &suspects, lang, true)).first(SHOWN),
            );
        }
    }

    fn abilities(&self, id: &str, lang: Lang, page: &mut Page) {
        let mut table = Table::new(match lang {
            Lang::Zh => ["系统或人", "类别", "题", "平均得分", "能力", "标准误"],
            Lang::En => ["taker", "kind", "items", "mean earned", "ability", "standard error"],
        });
        let mut order: Vec<&super::Ability> = self.abilities.iter().collect();
        order.sort_by(|a, b| b.ability.total_cmp(&a.ability));
        let mut rows = Vec::new();
        for one in order {
            let numbers = [Cell::Number(one.mean), Cell::Fixed(one.ability, 3), Cell::Fixed(one.error, 3)];
            table.row([one.name.as_str().into(), one.kind.word(lang).into(), Cell::Count(one.items)].into_iter().chain(numbers));
            let half = 1.96 * one.error;
            rows.push((one.name.clone(), one.ability - half, one.ability, one.ability + half));
        }
        let name = name_of(&["abilities", id]);
        let figure = intervals(&name, lang.say("Rasch 能力", "Rasch ability"), &rows);
        let caption = match lang {
            Lang::Zh => format!("{id}：系统和人的能力（Rasch 尺度，±1.96 标准误）"),
            Lang::En => format!("{id}: ability of systems and people (Rasch scale, ±1.96 standard errors)"),
        };
        page.exhibit(Exhibit::new(name, caption, table).drawn(figure));
    }

    /// How many items stand where on the scale.
    fn drawn(&self, id: &str, lang: Lang, page: &mut Page) {
        let bin = |hardness: f64| (hardness / STEP).floor();
        let least = self.statistics.iter().map(|one| bin(one.hardness)).fold(f64::INFINITY, f64::min);
        let most = self.statistics.iter().map(|one| bin(one.hardness)).fold(f64::NEG_INFINITY, f64::max);
        let bins = (most - least + 1.0).clamp(1.0, 200.0) as usize;
        let mut counts = vec![0; bins];
        for one in &self.statistics {
            counts[((bin(one.hardness) - least) as usize).min(bins - 1)] += 1;
        }
        let edges: Vec<f64> = (0..=bins).map(|number| (least + number as f64) * STEP).collect();
        let mut table = Table::new([lang.say("难度从", "hardness from"), lang.say("题", "items")]);
        for (edge, count) in edges.iter().zip(&counts) {
            table.row([Cell::Fixed(*edge, 2), Cell::Count(*count)]);
        }
        let name = name_of(&["hardness", id]);
        let axes = (lang.say("Rasch 难度", "Rasch hardness"), lang.say("题", "items"));
        let spread = self.spread;
        let caption = match lang {
            Lang::Zh => format!("{id}：题目难度的分布（与能力同一尺度，标准差 {spread:.2}）"),
            Lang::En => format!("{id}: how hard items are (on the scale of abilities; deviation {spread:.2})"),
        };
        page.exhibit(Exhibit::new(name.clone(), caption, table).drawn(histogram(&name, axes, &edges, &counts)));
    }
}

fn table(sheet: &Sheet, statistics: &[&Statistic], lang: Lang, with_text: bool) -> Table {
    let heads = match lang {
        Lang::Zh => ["题", "人数", "平均得分", "区分度", "Rasch 难度", "标准误", "infit", "outfit", "标记"],
        Lang::En => ["item", "takers", "mean earned", "discrimination", "hardness", "error", "infit", "outfit", "flags"],
    };
    let texts = [lang.say("文本", "text"), lang.say("标准答案", "gold")];
    let mut table = Table::new(heads.into_iter().chain(texts.into_iter().filter(|_| with_text)));
    for one in statistics {
        let flags: Vec<&str> = one.flags.iter().map(|flag| flag.words().get(lang)).collect();
        let discrimination = one.discrimination.map_or(Cell::Empty, |value| Cell::Fixed(value, 3));
        let fits = [one.hardness, one.error, one.infit, one.outfit].map(|value| Cell::Fixed(value, 2));
        let cells = [one.qid.as_str().into(), Cell::Count(one.takers), Cell::Fixed(one.mean, 3), discrimination];
        let item = &sheet.items[one.item];
        let gold = item.gold.as_ref().map(|gold| brief(gold, &item.texts, lang)).unwrap_or_default();
        let texts = [reading_text(item).into(), gold.into()];
        let texts = texts.into_iter().filter(|_| with_text);
        table.row(cells.into_iter().chain(fits).chain([flags.join(lang.say("、", ", ")).into()]).chain(texts));
    }
    table
}
