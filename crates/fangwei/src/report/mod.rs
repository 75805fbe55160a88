//! Reports: every table and figure that the papers of the evaluations show, for any dataset, any systems and any people.
//!
//! A report is computed once ([`Report`], which programs read as JSON) and shown as one [`Page`]: HTML, Markdown, and every table and figure in files of their own.
//! Its parts: [`data`] (splits, genres, lengths, labels, words), [`machines`], [`people`], [`items`] (which items are hard, and which tell takers apart), boards.

mod brief;
pub mod data;
pub mod items;
pub mod label;
pub mod machines;
pub mod people;
mod sheet;
mod trace;

pub use brief::brief;
pub use sheet::{Sheet, Taker};
pub use trace::Traces;

use serde::Serialize;
use serde_json::{Value, json};

use crate::agree;
use crate::compare::CompareError;
use crate::lang::Lang;
use crate::page::{Exhibit, Page};
use crate::rank::{Ranking, remarks, table};
use crate::stats::{Interval, Resampling, StatsError};
use crate::table::Cell;
use crate::task::Mode;
use data::Data;
use items::Items;
use machines::Machines;
use people::People;

/// Why a report cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Systems cannot be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// Intervals cannot be drawn.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// People's answers are no labels that can be compared.
    #[error(transparent)]
    Agree(#[from] agree::AgreeError),
}

/// One task with everybody who took it.
#[derive(Debug, Serialize)]
pub struct TaskReport {
    /// The task.
    pub task: &'static str,
    /// How it was scored.
    pub mode: Mode,
    /// How many items.
    pub items: u64,
    /// The systems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machines: Option<Machines>,
    /// The people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
    /// The items, by everybody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Items>,
    /// What was answered to what, for reading lists.
    #[serde(skip)]
    pub sheet: Sheet,
}

impl TaskReport {
    /// Looks at a sheet.
    pub fn of(sheet: Sheet, resampling: &Resampling) -> Result<TaskReport, ReportError> {
        Ok(TaskReport {
            task: sheet.task.id(),
            mode: sheet.mode,
            items: sheet.items.len() as u64,
            machines: Machines::of(&sheet, resampling)?,
            people: People::of(&sheet, resampling)?,
            statistics: Items::of(&sheet),
            sheet,
        })
    }
}

/// Everything that is known about a dataset, its systems and its people.
#[derive(Debug, Default)]
pub struct Report {
    /// What the report is called; empty for a plain name.
    pub title: String,
    /// The data.
    pub data: Option<Data>,
    /// The agreement of annotators.
    pub agreement: Option<agree::Report>,
    /// Boards in order, with their names.
    pub boards: Vec<(String, Ranking)>,
    /// Tasks with their takers.
    pub tasks: Vec<TaskReport>,
}

impl Report {
    /// The report for people.
    pub fn page(&self, lang: Lang) -> Page {
        let title = if self.title.is_empty() { lang.say("评测报告", "Report of an evaluation") } else { self.title.as_str() };
        let mut page = Page::new(lang, title);
        page.paragraph(self.opening(lang));
        if let Some(data) = &self.data {
            data.show(lang, &mut page);
        }
        if let Some(agreement) = &self.agreement {
            page.append(agreement.page(lang, &agree::OutlierRule::default(), &agree::GradeRule::default()));
        }
        if !self.boards.is_empty() {
            page.heading(lang.say("排名", "Boards"));
        }
        for (number, (name, ranking)) in self.boards.iter().enumerate() {
            let caption = match lang {
                Lang::Zh => format!("{name}：各任务标准分与名次"),
                Lang::En => format!("{name}: Z scores and ranks"),
            };
            page.subheading(name.as_str());
            page.exhibit(Exhibit::new(name_of(&["board", &(number + 1).to_string()]), caption, table(ranking, lang)));
            page.paragraph(remarks(ranking, lang).join("\n"));
        }
        for task in &self.tasks {
            let id = task.task;
            if let Some(machines) = &task.machines {
                page.heading(match lang {
                    Lang::Zh => format!("机器：{id}"),
                    Lang::En => format!("Machines: {id}"),
                });
                machines.show(&task.sheet, lang, &mut page);
            }
            if let Some(people) = &task.people {
                page.heading(match lang {
                    Lang::Zh => format!("人：{id}"),
                    Lang::En => format!("People: {id}"),
                });
                people.show(&task.sheet, lang, &mut page);
            }
            if let Some(statistics) = &task.statistics {
                page.heading(match lang {
                    Lang::Zh => format!("题目：{id}"),
                    Lang::En => format!("Items: {id}"),
                });
                statistics.show(&task.sheet, lang, &mut page);
            }
        }
        page
    }

    /// What the report is about, in a line.
    fn opening(&self, lang: Lang) -> String {
        let mut parts = Vec::new();
        if let Some(data) = &self.data {
            let items: u64 = data.tasks.iter().flat_map(|task| &task.splits).map(|split| split.items).sum();
            parts.push(match lang {
                Lang::Zh => format!("数据：{} 个任务，{items} 题", data.tasks.len()),
                Lang::En => format!("data: {} tasks, {items} items", data.tasks.len()),
            });
        }
        for task in &self.tasks {
            let (machines, people) = (task.sheet.machines().len(), task.sheet.people().len());
            parts.push(match lang {
                Lang::Zh => {
                    format!("{}：{} 题，{machines} 个系统，{people} 名被试（{}）", task.task, task.items, task.mode.as_str())
                }
                Lang::En => {
                    format!("{}: {} items, {machines} systems, {people} people ({})", task.task, task.items, task.mode.as_str())
                }
            });
        }
        parts.join(lang.say("；", "; ")) + lang.say("。", ".")
    }

    /// The report for programs.
    pub fn to_json(&self) -> Value {
        let boards: Vec<Value> = self.boards.iter().map(|(name, ranking)| json!({ "name": name, "ranking": ranking })).collect();
        json!({ "title": self.title, "data": self.data, "agreement": self.agreement, "boards": boards, "tasks": self.tasks })
    }
}

/// A name for files out of words: `labels-2022-judge-types`.
fn name_of(parts: &[&str]) -> String {
    let joined = parts.join("-").to_lowercase();
    let mut name = String::new();
    for c in joined.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }) {
        if c != '-' || !name.ends_with('-') {
            name.push(c);
        }
    }
    name.trim_matches('-').to_owned()
}

/// `[0.6954, 0.7412]`
fn range(interval: Interval) -> Cell {
    format!("[{:.4}, {:.4}]", interval.low, interval.high).into()
}
