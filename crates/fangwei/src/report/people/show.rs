//! The people's part of a report, for people.

use super::People;
use crate::agree::{Matrix, Measure as Agreeing};
use crate::figure::{Bars, bars, heat, intervals};
use crate::lang::Lang;
use crate::page::{Exhibit, Page, percent};
use crate::report::brief::brief;
use crate::report::machines::reading_text;
use crate::report::sheet::Sheet;
use crate::report::{name_of, range};
use crate::score::{ratio, title};
use crate::stats::Moments;
use crate::table::{Cell, Table};

/// Pages show so many items of a reading list.
const READ: usize = 20;
/// Items on which people earn less than this against each other are called subjective: of five people, three against two.
const SUBJECTIVE: f64 = 0.5;

impl People {
    /// Adds everything to a page.
    pub fn show(&self, sheet: &Sheet, lang: Lang, page: &mut Page) {
        let id = sheet.task.id();
        self.subjects(id, lang, page);
        self.agreement(id, lang, page);
        self.camps(id, lang, page);
        self.reading(sheet, lang, page);
    }

    fn subjects(&self, id: &str, lang: Lang, page: &mut Page) {
        page.subheading(lang.say("被试的成绩", "Scores of people"));
        if !self.excluded.is_empty() {
            let names: Vec<String> = self.excluded.iter().map(|(name, rule)| format!("{name} ({rule})")).collect();
            let names = names.join(lang.say("、", ", "));
            page.paragraph(match lang {
                Lang::Zh => format!("按测试的规则排除，以下不计：{names}。"),
                Lang::En => format!("Excluded by the rules of the study, and not counted below: {names}."),
            });
        }
        let heads = match lang {
            Lang::Zh => ["被试", "作答", "得分", "95% 区间"],
            Lang::En => ["person", "answered", "score", "95% interval"],
        };
        let mut table = Table::new(heads.into_iter().map(str::to_owned).chain(self.others.iter().map(|(path, _)| path.clone())));
        let mut rows = Vec::new();
        for subject in &self.subjects {
            let cells = [
                subject.name.as_str().into(),
                Cell::Count(subject.answered),
                Cell::Number(subject.score),
                range(subject.interval),
            ];
            table.row(cells.into_iter().chain(subject.others.iter().map(|(_, value)| Cell::Number(*value))));
            rows.push((subject.name.clone(), subject.interval.low, subject.score, subject.interval.high));
        }
        let mut last = |word: &str, read: fn(&Moments) -> f64| {
            let others = self.others.iter().map(|(_, moments)| Cell::Number(read(moments)));
            let score = Cell::from(self.summary.as_ref().map(read));
            table.row([word.into(), Cell::Empty, score, Cell::Empty].into_iter().chain(others));
        };
        last(lang.say("最大值", "maximum"), |moments| moments.most);
        last(lang.say("均值", "mean"), |moments| moments.mean);
        last(lang.say("标准差", "deviation"), |moments| moments.deviation);
        let (measure, items) = (self.measure, self.items);
        let what = title(measure).get(lang);
        let caption = match lang {
            Lang::Zh => format!("{id}：被试的{measure}（{what}），{items} 题；标准差为总体标准差"),
            Lang::En => format!("{id}: {measure} ({what}) of people on {items} items; population deviation"),
        };
        let name = name_of(&["people", id]);
        let figure = intervals(&name, measure, &rows);
        page.exhibit(Exhibit::new(name, caption, table).drawn(figure));
    }

    fn agreement(&self, id: &str, lang: Lang, page: &mut Page) {
        if let Some(agreement) = &self.agreement {
            let kappa = agreement.get(Agreeing::Cohen).get();
            let mean = kappa.map(|kappa| format!("{kappa:.2}")).unwrap_or_default();
            let caption = match lang {
                Lang::Zh => format!("{id}：被试两两之间的 Cohen kappa；平均 {mean}"),
                Lang::En => format!("{id}: Cohen's kappa of every two people; mean {mean}"),
            };
            square(&name_of(&["kappa", id]), caption, &agreement.matrix(), lang, page);
        }
        if let Some(pairs) = &self.pairs {
            let mean = pairs.mean.get().map(|mean| format!("{mean:.2}")).unwrap_or_default();
            let measure = pairs.measure;
            let caption = match lang {
                Lang::Zh => format!("{id}：被试互为答案的{measure}（行为答案）；平均 {mean}"),
                Lang::En => format!("{id}: {measure} of people against each other (rows are gold); mean {mean}"),
            };
            square(&name_of(&["against-each-other", id]), caption, &pairs.matrix(), lang, page);
        }
    }

    fn camps(&self, id: &str, lang: Lang, page: &mut Page) {
        let Some(agreement) = &self.agreement else { return };
        let most = agreement.camps.iter().map(|camp| camp.marks).max().unwrap_or(0);
        let mut table = Table::new(match lang {
            Lang::Zh => ["作答人数", "最多相同", "题数", "占比"],
            Lang::En => ["people", "equal at most", "items", "share"],
        });
        let all: u64 = agreement.camps.iter().map(|camp| camp.items).sum();
        let mut rows = Vec::new();
        for camp in &agreement.camps {
            let share = percent(ratio(camp.items as f64, all as f64));
            table.row([Cell::Count(camp.marks), Cell::Count(camp.equal), Cell::Count(camp.items), share.into()]);
            if camp.marks == most {
                rows.push((format!("{}/{most}", camp.equal), vec![camp.items as f64]));
            }
        }
        let series = [lang.say("题", "items").to_owned()];
        let name = name_of(&["camps", id]);
        let figure = bars(&Bars { name: &name, axis: &series[0], series: &series, rows: &rows, stacked: false });
        let caption = match lang {
            Lang::Zh => format!("{id}：一题上有多少人意见相同（图为 {most} 人都作答的题）"),
            Lang::En => format!("{id}: how many people agree on an item (drawn: items that {most} people answered)"),
        };
        page.exhibit(Exhibit::new(name, caption, table).drawn(figure));
    }

    fn reading(&self, sheet: &Sheet, lang: Lang, page: &mut Page) {
        let subjective: Vec<_> = self.seen.iter().filter(|seen| seen.agreement < SUBJECTIVE).collect();
        page.subheading(lang.say("主观性强的题", "Items that people see differently"));
        let share = percent(ratio(subjective.len() as f64, self.seen.len() as f64));
        page.paragraph(match lang {
            Lang::Zh => format!(
                "{} 题中有 {} 题（{share}），被试互为答案的平均得分低于 {SUBJECTIVE}。",
                self.seen.len(),
                subjective.len()
            ),
            Lang::En => format!(
                "On {} of {} items ({share}) people earn less than {SUBJECTIVE} against each other.",
                subjective.len(),
                self.seen.len()
            ),
        });
        if subjective.is_empty() {
            return;
        }
        let heads = match lang {
            Lang::Zh => ["题", "文本", "标准答案", "一致程度", "答对程度", "各人的回答"],
            Lang::En => ["item", "text", "gold", "agreement", "earned", "answers"],
        };
        let mut table = Table::new(heads);
        for seen in subjective {
            let item = &sheet.items[seen.item];
            let said = sheet.people().into_iter().filter_map(|taker| {
                let answer = sheet.answer(taker, seen.item)?;
                Some(format!("{}: {}", sheet.takers[taker].name, brief(answer, &item.texts, lang)))
            });
            table.row([
                seen.qid.as_str().into(),
                reading_text(item).into(),
                item.gold.as_ref().map(|gold| brief(gold, &item.texts, lang)).into(),
                Cell::Fixed(seen.agreement, 2),
                Cell::Fixed(seen.earned, 2),
                said.collect::<Vec<_>>().join("; ").into(),
            ]);
        }
        let id = sheet.task.id();
        let caption = match lang {
            Lang::Zh => format!("{id}：阅读清单，被试看法不同的题"),
            Lang::En => format!("{id}: a reading list of items that people see differently"),
        };
        page.exhibit(Exhibit::new(name_of(&["subjective", id]), caption, table).first(READ));
    }
}

fn square(name: &str, caption: String, matrix: &Matrix, lang: Lang, page: &mut Page) {
    let names: Vec<String> = matrix.names.iter().map(ToString::to_string).collect();
    let head = std::iter::once("").chain(names.iter().map(String::as_str)).chain([lang.say("均值", "mean")]);
    let mut table = Table::new(head);
    for (number, (name, cells)) in names.iter().zip(&matrix.cells).enumerate() {
        let cells = cells.iter().map(|cell| cell.map_or(Cell::Empty, |value| Cell::Fixed(value, 2)));
        let mean = matrix.mean_of(number).map_or(Cell::Empty, |mean| Cell::Fixed(mean, 2));
        table.row(std::iter::once(name.as_str().into()).chain(cells).chain([mean]));
    }
    page.exhibit(Exhibit::new(name, caption, table).drawn(heat(name, &names, &names, &matrix.cells, (0.0, 1.0))));
}
