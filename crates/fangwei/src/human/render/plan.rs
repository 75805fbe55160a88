//! A plan for people: the reckoning in words, the strata in a table.

use serde::Serialize;

use crate::human::draw::Stratum;
use crate::human::size::{Known, Size, Wanted};
use crate::lang::{Lang, Say};
use crate::page::{Page, percent};
use crate::table::{Cell, Table};

/// A plan: how many items and why, and what was drawn.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Planned {
    /// The study.
    pub title: String,
    /// The task.
    pub task: &'static str,
    /// The size and how it came about.
    pub size: Size,
    /// The reckoning in words.
    pub reckoning: Vec<String>,
    /// The classes of the strata.
    pub by: Vec<String>,
    /// The strata.
    pub strata: Vec<Stratum>,
    /// What is to be known besides.
    pub remarks: Vec<String>,
}

impl Wanted {
    /// The reckoning in words, a step a line.
    pub fn say(&self, size: &Size, fixed: Option<u64>) -> Vec<Say> {
        let Size { z, simple, with_design, finite, items, half_width, half_width_of_mean, independent_answers } = size;
        let Wanted {
            half_width: wanted,
            confidence,
            expect,
            deviation,
            population,
            drawable,
            design_effect,
            subjects,
            agreement,
            ..
        } = self;
        let level = percent(*confidence);
        let mut lines = vec![match self.known {
            Known::Share => Say::new(
                format!(
                    "预计准确率 {expect}，要使 Wilson 区间（{level}，z = {z:.3}）的半宽不超过 {wanted}，需要 {simple} 道独立的题。"
                ),
                format!(
                    "At an expected accuracy of {expect}, Wilson's interval ({level}, z = {z:.3}) has a half width of at most {wanted} with {simple} independent items."
                ),
            ),
            Known::Run => Say::new(
                format!(
                    "参照系统各题得分的标准差为 {deviation:.4}，要使区间（{level}，z = {z:.3}）的半宽不超过 {wanted}，需要 (z·σ/{wanted})² = {simple} 道独立的题。"
                ),
                format!(
                    "Item scores of the run deviate by {deviation:.4}; an interval ({level}, z = {z:.3}) of half width {wanted} takes (z·σ/{wanted})² = {simple} independent items."
                ),
            ),
            Known::Bound => Say::new(
                format!(
                    "各题得分在 0 到 1 之间、平均 {expect} 时，标准差至多 {deviation:.4}；按这个上限，半宽 {wanted}（{level}，z = {z:.3}）需要 (z·σ/{wanted})² = {simple} 道独立的题。给出 --run 可以少用些题。"
                ),
                format!(
                    "Item scores between 0 and 1 with a mean of {expect} deviate by at most {deviation:.4}; by that bound a half width of {wanted} ({level}, z = {z:.3}) takes (z·σ/{wanted})² = {simple} independent items. A --run may show that fewer do."
                ),
            ),
        }];
        lines.push(if *design_effect > 1.0 {
            Say::new(
                format!("允许同源的题，设计效应 {design_effect:.3}：需要 {with_design} 道。"),
                format!("Siblings are allowed; their design effect of {design_effect:.3} makes it {with_design}."),
            )
        } else {
            Say::new(
                format!("每个原句至多取一题，各题独立，设计效应为 1；可抽取的原句有 {drawable} 个。"),
                format!("An origin gives one item at most, so items are independent and the design effect is 1; {drawable} origins can be drawn from."),
            )
        });
        lines.push(Say::new(
            format!("全集只有 {population} 题，经有限总体校正：{finite} 道。"),
            format!("The whole set has {population} items; with the finite population that makes {finite}."),
        ));
        if let Some(fixed) = fixed {
            lines.push(Say::new(format!("题数由 --items {fixed} 指定。"), format!("The number is told by --items {fixed}.")));
        }
        lines.push(Say::new(
            format!("抽取 {items} 道：一名被试得分的半宽为 {half_width:.4}。"),
            format!("{items} are drawn: the score of one subject has a half width of {half_width:.4}."),
        ));
        if *items < *finite && fixed.is_none() {
            lines.push(Say::new(
                "可抽取的不够：区间比所要的宽（--siblings 允许同源的题）。",
                "There are not enough to draw from: the interval is wider than wanted (--siblings allows siblings).",
            ));
        }
        lines.push(Say::new(
            format!("{subjects} 名被试、每题得分的相关为 {agreement} 时，全部答案相当于 {independent_answers:.0} 个独立答案，平均分的半宽为 {half_width_of_mean:.4}（对这些人而言；换一批人还会再变）。"),
            format!("{subjects} subjects whose scores of an item correlate by {agreement} give as much as {independent_answers:.0} independent answers; their mean has a half width of {half_width_of_mean:.4} (of these people: others would differ once more)."),
        ));
        lines
    }
}

impl Planned {
    /// The plan as a page.
    pub fn page(&self, lang: Lang) -> Page {
        let mut page = Page::new(lang, format!("{}  {}", self.title, self.task));
        page.heading(lang.say("题数", "How many items")).paragraph(self.reckoning.join("\n"));
        let head = self.by.iter().map(String::as_str);
        let counts = [
            lang.say("题数", "items"),
            lang.say("原句", "origins"),
            lang.say("应抽", "wanted"),
            lang.say("抽到", "by quota"),
            lang.say("补足后", "drawn"),
        ];
        let mut table = Table::new(head.chain(counts));
        for stratum in &self.strata {
            let classes = stratum.classes.iter().map(|class| Cell::from(class.as_str()));
            let counts = [stratum.population, stratum.origins, stratum.wanted, stratum.by_quota, stratum.drawn];
            table.row(classes.chain(counts.map(Cell::from)));
        }
        page.heading(lang.say("各层", "Strata")).table(table);
        for remark in &self.remarks {
            page.paragraph(remark.as_str());
        }
        page
    }
}
