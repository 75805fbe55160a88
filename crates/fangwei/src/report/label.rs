//! What answers say, counted: verdicts, types, numbers of fragments, roles. The same counting tells how gold is distributed over splits and how systems differ from it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::answer::{Answer, Part, ReasonType, Slot, Verdict};
use crate::figure::{Bars, bars};
use crate::lang::{Lang, Words, words};
use crate::page::Exhibit;
use crate::score::ratio;
use crate::table::{Cell, Table};
use crate::task::{Item, Task, Texts};
use crate::tasks::{ROLES, SLOTS, TRIPLE_ROLES};

/// Something that can be counted in answers.
#[derive(Debug)]
pub struct Dimension {
    /// Its name in files and JSON.
    pub name: &'static str,
    /// What is counted.
    pub title: Words,
    /// The labels in their order; others follow by name.
    order: &'static [&'static str],
}

const NUMBERS: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
const ANSWER: Dimension = Dimension {
    name: "answer",
    title: words("答案", "answers"),
    order: &["normal", "abnormal", "abnormal-holds", "abnormal-fails", "holds", "fails", "same", "different", "none"],
};
const REASON: Dimension = Dimension {
    name: "type",
    title: words("归因类型与答案", "types of reasons and answers"),
    order: &[
        "不宜搭配 holds",
        "不宜搭配 fails",
        "语义冲突 holds",
        "语义冲突 fails",
        "信息冲突 holds",
        "信息冲突 fails",
        "不符合常识 holds",
        "不符合常识 fails",
    ],
};
const TYPES: Dimension = Dimension {
    name: "types",
    title: words("归因类型", "types of reasons"),
    order: &["A", "B", "C", "A&B", "A&C", "B&C", "A&B&C"],
};
const FRAGMENTS: Dimension =
    Dimension { name: "fragments", title: words("一条答案的片段数", "fragments of an answer"), order: NUMBERS };
const ANSWERS: Dimension =
    Dimension { name: "answers", title: words("一题的答案数", "answers of an item"), order: NUMBERS };
const PARTS: Dimension = Dimension { name: "parts", title: words("S-P-E 标签", "S-P-E labels"), order: &TRIPLE_ROLES };
const ELEMENTS: Dimension =
    Dimension { name: "elements", title: words("十八个元素", "the eighteen elements"), order: &SLOTS };
const ROLE: Dimension = Dimension { name: "roles", title: words("语义角色", "semantic roles"), order: &ROLES };
const LABELS: Dimension = Dimension {
    name: "labels",
    title: words("时间、距离和事实性的标签", "labels of time, distance and factuality"),
    order: &["之时", "之前", "之后", "之间", "说话时", "过去", "将来", "远", "近", "变远", "变近", "假"],
};
const EVENTS: Dimension =
    Dimension {
        name: "events", title: words("元组有没有事件", "tuples with and without an event"), order: &["with", "without"]
    };

/// In JSON a dimension is its name.
impl Serialize for Dimension {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

/// What people read in place of a label that programs use.
fn word(label: &str, lang: Lang) -> String {
    let plain = |label: &str| match label {
        "normal" => lang.say("正常", "normal").to_owned(),
        "abnormal" => lang.say("异常", "abnormal").to_owned(),
        "abnormal-holds" => lang.say("异常，归因成立", "abnormal, the reason holds").to_owned(),
        "abnormal-fails" => lang.say("异常，归因不成立", "abnormal, the reason does not hold").to_owned(),
        "holds" => lang.say("成立", "holds").to_owned(),
        "fails" => lang.say("不成立", "does not hold").to_owned(),
        "same" => lang.say("场景相同", "the same scene").to_owned(),
        "different" => lang.say("场景不同", "different scenes").to_owned(),
        "none" => lang.say("无", "none").to_owned(),
        "with" => lang.say("有事件", "with an event").to_owned(),
        "without" => lang.say("没有事件", "without an event").to_owned(),
        other => other.to_owned(),
    };
    match label.split_once(' ') {
        Some((kind, answer)) => format!("{} {}", plain(kind), plain(answer)),
        None => plain(label),
    }
}

fn verdict_of(verdict: Verdict, yes: &'static str, no: &'static str) -> &'static str {
    verdict.value().map_or("none", |value| if value { yes } else { no })
}

/// Calls `count` with everything that an answer to an item says.
fn each_label(task: &dyn Task, item: &Item, answer: &Answer, mut count: impl FnMut(&'static Dimension, String)) {
    match (answer, &item.texts) {
        (Answer::Verdict(verdict), Texts::Reason { .. }) => {
            let answer = verdict_of(*verdict, "holds", "fails");
            count(&ANSWER, answer.to_owned());
            for kind in task.facet("type", item).unwrap_or_default() {
                count(&REASON, format!("{kind} {answer}"));
            }
        }
        (Answer::Verdict(verdict), _) => count(&ANSWER, verdict_of(*verdict, "normal", "abnormal").to_owned()),
        (Answer::Joint(first, second), _) => {
            let second = verdict_of(*second, "abnormal-holds", "abnormal-fails");
            count(&ANSWER, verdict_of(*first, "normal", second).to_owned());
        }
        (Answer::Scene(scene), _) => count(&ANSWER, verdict_of(scene.judge, "same", "different").to_owned()),
        (Answer::Reasons(reasons), _) => {
            let kinds = ReasonType::ALL.into_iter().filter(|kind| reasons.iter().any(|reason| reason.kind == *kind));
            let kinds = kinds.map(ReasonType::as_str).collect::<Vec<_>>().join("&");
            count(&TYPES, if kinds.is_empty() { "none".to_owned() } else { kinds });
            for reason in reasons {
                count(&FRAGMENTS, reason.fragments.len().to_string());
            }
            count(&ANSWERS, reasons.len().to_string());
        }
        (Answer::Candidates(candidates), _) => {
            for parts in candidates {
                count(&FRAGMENTS, parts.len().to_string());
            }
            count(&ANSWERS, candidates.len().to_string());
            candidates.iter().flatten().for_each(|part| count(&PARTS, part.role.to_string()));
        }
        (Answer::Slots(tuples), _) => {
            for tuple in tuples {
                for (slot, name) in tuple.iter().zip(SLOTS).filter(|(slot, _)| **slot != Slot::Empty) {
                    count(&ELEMENTS, name.to_owned());
                    if let Slot::Label(label) = slot {
                        count(&LABELS, label.to_string());
                    }
                }
                let event = SLOTS.iter().position(|name| *name == "事件").and_then(|at| tuple.get(at));
                let has_event = event.is_some_and(|slot| *slot != Slot::Empty);
                count(&EVENTS, if has_event { "with" } else { "without" }.to_owned());
            }
        }
        (Answer::Tuples(tuples), _) => {
            for tuple in tuples {
                for element in tuple {
                    count(&ROLE, element.role.to_string());
                    if let Part::Value(label) = &element.label {
                        count(&LABELS, label.to_string());
                    }
                }
                let has_event = tuple.iter().any(|element| element.role == "事件");
                count(&EVENTS, if has_event { "with" } else { "without" }.to_owned());
            }
        }
        (Answer::DraftReason(reason), _) => count(&TYPES, reason.kind.to_string()),
        (Answer::Graph(graph), _) => {
            let roles = graph.events.iter().chain(&graph.relations).flat_map(|(_, roles)| roles);
            roles.for_each(|(role, _)| count(&ROLE, role.to_string()));
        }
    }
}

/// How often each label occurs in each column: a split, or a system beside gold.
#[derive(Clone, Debug, Serialize)]
pub struct Distribution {
    /// What is counted.
    pub dimension: &'static Dimension,
    /// The columns.
    pub columns: Vec<String>,
    /// The labels with a count for each column.
    pub rows: Vec<(String, Vec<u64>)>,
}

/// The name of the column that adds up the others.
pub(super) const SUM: &str = "∑";

/// A column: its name, and items with the answer that is counted.
pub type Column<'c> = (String, Vec<(&'c Item, &'c Answer)>);

/// Labels in their order, with a count for each column.
type Counts = BTreeMap<(usize, String), Vec<u64>>;

/// Every distribution that the answers of a task have.
pub fn distributions(task: &dyn Task, columns: &[Column<'_>]) -> Vec<Distribution> {
    let mut counts: Vec<(&'static Dimension, Counts)> = Vec::new();
    for (column, (_, answers)) in columns.iter().enumerate() {
        for (item, answer) in answers {
            each_label(task, item, answer, |dimension, label| {
                let known = counts.iter().position(|(one, _)| one.name == dimension.name);
                let at = known.unwrap_or_else(|| {
                    counts.push((dimension, BTreeMap::new()));
                    counts.len() - 1
                });
                let rank = dimension.order.iter().position(|name| *name == label).unwrap_or(usize::MAX);
                counts[at].1.entry((rank, label)).or_insert_with(|| vec![0; columns.len()])[column] += 1;
            });
        }
    }
    let names = || columns.iter().map(|(name, _)| name.clone()).collect();
    let rows = |counts: Counts| counts.into_iter().map(|((_, label), row)| (label, row)).collect();
    counts.into_iter().map(|(dimension, counts)| Distribution { dimension, columns: names(), rows: rows(counts) }).collect()
}

impl Distribution {
    /// The sum of a column.
    pub fn total(&self, column: usize) -> u64 {
        self.rows.iter().map(|(_, row)| row[column]).sum()
    }

    /// The count of a label in a column.
    pub fn count(&self, label: &str, column: usize) -> u64 {
        self.rows.iter().find(|(name, _)| name == label).map_or(0, |(_, row)| row[column])
    }

    /// Counts and shares side by side, drawn as shares.
    pub fn exhibit(&self, name: &str, subject: &str, lang: Lang) -> Exhibit {
        let totals: Vec<u64> = (0..self.columns.len()).map(|column| self.total(column)).collect();
        let share = |count: u64, column: usize| ratio(count as f64, totals[column] as f64);
        let heads = self.columns.iter().flat_map(|column| [column.clone(), "%".to_owned()]);
        let mut table = Table::new(std::iter::once(self.dimension.title.get(lang).to_owned()).chain(heads));
        for (label, row) in &self.rows {
            let cells = row
                .iter()
                .enumerate()
                .flat_map(|(column, count)| [Cell::Count(*count), Cell::Fixed(100.0 * share(*count, column), 2)]);
            table.row(std::iter::once(word(label, lang).into()).chain(cells));
        }
        let sums = totals.iter().flat_map(|total| [Cell::Count(*total), Cell::Empty]);
        table.row(std::iter::once(lang.say("合计", "all").into()).chain(sums));
        if let [(_, yes), (_, no)] = &self.rows[..] {
            // As table 4 of the 2022 paper: how many normal texts there are to one that is not.
            let ratios = yes.iter().zip(no).flat_map(|(yes, no)| {
                [if *no == 0 { Cell::Empty } else { Cell::Fixed(*yes as f64 / *no as f64, 2) }, Cell::Empty]
            });
            let name = format!("{} : {}", word(&self.rows[0].0, lang), word(&self.rows[1].0, lang));
            table.row(std::iter::once(name.into()).chain(ratios));
        }
        let title = self.dimension.title.get(lang);
        let caption = match lang {
            Lang::Zh => format!("{subject}：{title}，数量及占比"),
            Lang::En => format!("{subject}: {title}, counts and shares"),
        };
        let figure = self.drawn(name, lang, share);
        Exhibit::new(name, caption, table).drawn(figure)
    }

    /// The shares of every column but the sum; where a table says it better, nothing.
    fn drawn(&self, name: &str, lang: Lang, share: impl Fn(u64, usize) -> f64) -> Option<String> {
        let columns: Vec<usize> = (0..self.columns.len()).filter(|column| self.columns[*column] != SUM).collect();
        let row = |(label, row): &(String, Vec<u64>)| {
            (word(label, lang), columns.iter().map(|column| 100.0 * share(row[*column], *column)).collect())
        };
        let rows: Vec<(String, Vec<f64>)> = self.rows.iter().map(row).collect();
        let series: Vec<String> = columns.iter().map(|column| self.columns[*column].clone()).collect();
        let is_readable = rows.len() <= 24;
        is_readable.then(|| bars(&Bars { name, axis: "%", series: &series, rows: &rows, stacked: false })).flatten()
    }
}
