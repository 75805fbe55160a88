//! The whole of what is known about some annotators, as one value for programs and one page for people.

use serde::Serialize;
use smol_str::SmolStr;

use super::answers::PairScores;
use super::band::Band;
use super::grade::{GradeRule, Graded, Rate};
use super::kappa::Weights;
use super::level::{Level, UNFIT};
use super::matrix::Matrix;
use super::outcome::Outcome;
use super::outlier::{Outlier, OutlierRule};
use super::report::Agreement;
use super::triage::{PathCount, Policy};
use crate::lang::{Lang, words};
use crate::page::{Page, percent};
use crate::stats::Interval;
use crate::table::{Cell, Table};

/// More annotators than this make a square that nobody reads; the pairs are listed in JSON.
const WIDEST: usize = 20;

/// What triage did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TriageReport {
    /// How.
    pub policy: Policy,
    /// How many items left by each path.
    pub paths: Vec<PathCount>,
}

/// Everything about some annotators.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Report {
    /// The agreement, without those who were excluded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// Who was excluded, by the user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<SmolStr>,
    /// The agreement with everybody, where somebody was excluded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_all: Option<Agreement>,
    /// The agreement without those who stand apart; they are not excluded by that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_outliers: Option<Agreement>,
    /// Everybody scored against everybody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<PairScores>,
    /// The same with everybody, where somebody was excluded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores_with_all: Option<PairScores>,
    /// Who stands apart by the scores.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub score_outliers: Vec<Outlier>,
    /// The scores without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores_without_outliers: Option<PairScores>,
    /// What triage did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triage: Option<TriageReport>,
    /// The annotators' grades.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grades: Vec<Graded>,
}

impl Report {
    /// The report as a page.
    pub fn page(&self, lang: Lang, outliers: &OutlierRule, grades: &GradeRule) -> Page {
        let mut page = Page::new(lang, lang.say("标注一致性", "Agreement of annotators"));
        if let Some(agreement) = &self.agreement {
            page.paragraph(opening(lang, agreement, &self.excluded));
            page.table(self.measures(lang, agreement));
            page.heading(lang.say("标注者", "Annotators")).table(annotators(lang, agreement));
            if agreement.annotators.len() <= WIDEST {
                matrix(&mut page, lang, &agreement.matrix(), &kappa_title(lang, agreement.weights));
            }
            stand_apart(&mut page, lang, &agreement.outliers, outliers);
            page.heading(lang.say("一题上有多少人意见相同", "How many agree on an item")).table(camps(lang, agreement));
        }
        if let Some(scores) = &self.scores {
            self.scored(&mut page, lang, scores);
            stand_apart(&mut page, lang, &self.score_outliers, outliers);
        }
        if let Some(triage) = &self.triage {
            page.heading(lang.say("分流", "Triage")).table(paths(lang, triage));
        }
        if !self.grades.is_empty() {
            page.heading(lang.say("标注者等级", "Grades")).paragraph(grades.say().get(lang)).table(graded(lang, &self.grades));
        }
        page
    }

    /// The measures, and beside them what they are with everybody or without those who stand apart.
    fn measures(&self, lang: Lang, agreement: &Agreement) -> Table {
        let beside = [
            (&self.with_all, words("包括所排除的人", "with those excluded")),
            (&self.without_outliers, words("不计离群者", "without outliers")),
        ];
        let beside: Vec<_> = beside.into_iter().filter_map(|(other, head)| Some((other.as_ref()?, head.get(lang)))).collect();
        let head =
            [words("指标", "measure"), words("值", "value"), words("95% 区间", "95% interval"), words("等级或原因", "in words")];
        let head = head.map(|head| head.get(lang)).into_iter().chain(beside.iter().map(|(_, head)| *head));
        let mut table = Table::new(head);
        for (measure, outcome) in &agreement.measures {
            let word = match outcome.value {
                Ok(value) if measure.is_corrected() => Band::of(value).words().get(lang),
                Ok(_) => "",
                Err(why) => why.words().get(lang),
            };
            let others = beside.iter().map(|(other, _)| value(lang, other.get(*measure)));
            let cells = [measure.words().get(lang).into(), value(lang, outcome), interval(outcome.interval), word.into()];
            table.row(cells.into_iter().chain(others));
        }
        table
    }

    /// Everybody against everybody, and the means with and without some.
    fn scored(&self, page: &mut Page, lang: Lang, scores: &PairScores) {
        let PairScores { task, measure, items, mean, identical, above_80, .. } = scores;
        let title = match lang {
            Lang::Zh => format!("互为答案的得分：{task} {measure}（行为答案）"),
            Lang::En => format!("Scored against each other: {task} {measure} (rows are gold)"),
        };
        matrix(page, lang, &scores.matrix(), &title);
        let mut table =
            Table::new([lang.say("标注者", "annotator"), lang.say("平均", "mean"), lang.say("95% 区间", "95% interval")]);
        for (name, outcome) in &scores.means {
            table.row([name.as_str().into(), value(lang, outcome), interval(outcome.interval)]);
        }
        table.row([lang.say("全部", "all").into(), value(lang, mean), interval(mean.interval)]);
        let beside = [
            (&self.scores_with_all, words("全部，包括所排除的人", "all, with those excluded")),
            (&self.scores_without_outliers, words("全部，不计离群者", "all, without outliers")),
        ];
        for (other, name) in beside {
            if let Some(PairScores { mean, .. }) = other {
                table.row([name.get(lang).into(), value(lang, mean), interval(mean.interval)]);
            }
        }
        page.table(table);
        if let Some((identical, above)) = identical.zip(*above_80) {
            let (identical, above) = (percent(identical), percent(above));
            page.paragraph(match lang {
                Lang::Zh => format!("{items} 题有两份以上的答案；{identical} 完全一致，{above} 的平均得分高于 0.8。"),
                Lang::En => {
                    format!("{items} items with two answers or more; identical on {identical}, mean score above 0.8 on {above}.")
                }
            });
        }
    }
}

fn value(lang: Lang, outcome: &Outcome) -> Cell {
    outcome.get().map_or_else(|| lang.say("无定义", "undefined").into(), |value| Cell::from(format!("{value:.4}")))
}

fn interval(interval: Option<Interval>) -> Cell {
    interval.map_or(Cell::Empty, |interval| format!("[{:.4}, {:.4}]", interval.low, interval.high).into())
}

fn opening(lang: Lang, agreement: &Agreement, excluded: &[SmolStr]) -> String {
    let (items, shared, people) = (agreement.items, agreement.items_shared, agreement.annotators.len());
    let mut text = match lang {
        Lang::Zh => format!("{items} 题，其中 {shared} 题有两个以上的标注；{people} 名标注者。"),
        Lang::En => format!("{items} items, {shared} of them with two marks or more; {people} annotators."),
    };
    if let Some(resampling) = &agreement.resampling {
        text.push_str(&match lang {
            Lang::Zh => {
                format!("区间：按同源组重抽样，{} 组，{} 次，种子 {}。", agreement.groups, resampling.resamples, resampling.seed)
            }
            Lang::En => format!(
                " Intervals: {} groups of one origin, {} resamples, seed {}.",
                agreement.groups, resampling.resamples, resampling.seed
            ),
        });
    }
    if !excluded.is_empty() {
        text.push_str(lang.say("已排除：", " Excluded: "));
        text.push_str(&excluded.join(lang.say("、", ", ")));
        text.push_str(lang.say("。", "."));
    }
    text
}

fn kappa_title(lang: Lang, weights: Weights) -> String {
    let name = match weights {
        Weights::Plain => words("两两之间的 Cohen kappa", "Cohen's kappa of every pair"),
        Weights::Linear => words("两两之间的 Cohen kappa，线性加权", "Cohen's kappa of every pair, linear weights"),
        Weights::Quadratic => words("两两之间的 Cohen kappa，平方加权", "Cohen's kappa of every pair, quadratic weights"),
    };
    name.get(lang).to_owned()
}

/// The name of a label for people.
fn label_word(lang: Lang, label: &str) -> String {
    match Level::parse(label) {
        Some(level) => level.words().get(lang).to_owned(),
        None if label == UNFIT => lang.say("不适合", "unsuitable").to_owned(),
        None => label.to_owned(),
    }
}

fn annotators(lang: Lang, agreement: &Agreement) -> Table {
    let mean = match lang {
        Lang::Zh => "与他人的平均 kappa",
        Lang::En => "mean kappa with others",
    };
    let head = [lang.say("标注者", "annotator"), lang.say("题数", "items"), mean, lang.say("95% 区间", "95% interval")];
    let labels = agreement.labels.iter().map(|label| label_word(lang, label));
    // Many labels would make a table wider than any page.
    let labels: Vec<String> = if agreement.labels.len() <= 8 { labels.collect() } else { Vec::new() };
    let mut table = Table::new(head.into_iter().map(str::to_owned).chain(labels.iter().cloned()));
    for annotator in &agreement.annotators {
        let outcome = &annotator.mean;
        let cells = [annotator.name.as_str().into(), annotator.marked.into(), value(lang, outcome), interval(outcome.interval)];
        let counts = annotator.labels.iter().take(labels.len()).map(|count| Cell::from(*count));
        table.row(cells.into_iter().chain(counts));
    }
    table
}

fn matrix(page: &mut Page, lang: Lang, matrix: &Matrix, title: &str) {
    if !(2..=WIDEST).contains(&matrix.names.len()) {
        return;
    }
    let mut table =
        Table::new(std::iter::once("").chain(matrix.names.iter().map(SmolStr::as_str)).chain([lang.say("平均", "mean")]));
    for (number, (name, cells)) in matrix.names.iter().zip(&matrix.cells).enumerate() {
        let cells = cells.iter().map(|cell| Cell::from(*cell));
        table.row(std::iter::once(name.as_str().into()).chain(cells).chain([matrix.mean_of(number).into()]));
    }
    page.heading(title).table(table);
}

fn stand_apart(page: &mut Page, lang: Lang, outliers: &[Outlier], rule: &OutlierRule) {
    page.heading(lang.say("离群的标注者", "Annotators who stand apart")).paragraph(rule.say().get(lang));
    if outliers.is_empty() {
        page.paragraph(lang.say("没有。", "None."));
        return;
    }
    let mut table = Table::new([lang.say("标注者", "annotator"), lang.say("原因", "reason")]);
    for outlier in outliers {
        table.row([outlier.name.as_str().into(), outlier.say().get(lang).into()]);
    }
    page.table(table);
    page.paragraph(lang.say("他们没有被排除；要排除，请用 --exclude。", "They are not excluded; --exclude does that."));
}

fn camps(lang: Lang, agreement: &Agreement) -> Table {
    let mut table = Table::new([
        lang.say("标注数", "marks"),
        lang.say("最多相同", "equal at most"),
        lang.say("题数", "items"),
        lang.say("占比", "share"),
    ]);
    for camp in &agreement.camps {
        let share = percent(crate::score::ratio(camp.items as f64, agreement.items_shared as f64));
        table.row([camp.marks.into(), camp.equal.into(), camp.items.into(), share.into()]);
    }
    table
}

fn paths(lang: Lang, triage: &TriageReport) -> Table {
    let mut table = Table::new([
        lang.say("去向", "decision"),
        lang.say("标签", "label"),
        lang.say("原因", "reason"),
        lang.say("题数", "items"),
    ]);
    for path in &triage.paths {
        let label = path.label.as_ref().map(|label| label_word(lang, label)).unwrap_or_default();
        table.row([path.decision.words().get(lang).into(), label.into(), path.path.words().get(lang).into(), path.items.into()]);
    }
    table
}

fn graded(lang: Lang, grades: &[Graded]) -> Table {
    let rates = Graded::default().rates();
    let head =
        [lang.say("标注者", "annotator"), lang.say("题数", "items"), lang.say("等级", "grade"), lang.say("一致率", "agreement")];
    let mut table = Table::new(head.into_iter().chain(rates.iter().map(|(_, name, _)| name.get(lang))));
    let cell = |rate: Rate| rate.share().map_or(Cell::Empty, |share| format!("{share:.4} ({}/{})", rate.hits, rate.of).into());
    for graded in grades {
        let grade = graded.grade.map_or(Cell::Empty, |grade| format!("{grade:?}").into());
        let cells = [graded.name.as_str().into(), graded.marked.into(), grade, cell(graded.agreement)];
        table.row(cells.into_iter().chain(graded.rates().into_iter().map(|(.., rate)| cell(rate))));
    }
    table
}
