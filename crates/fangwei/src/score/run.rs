//! Scores a file of predictions against a file of gold: predictions are held in memory, gold streams past them on all cores.
//!
//! Rows are added up in the order of the gold file, so the digits are the same for any number of threads.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smol_str::SmolStr;

use super::{Measures, Total};
use crate::answer::Answer;
use crate::record::{self, Check, Defect, Fields, Json, ReadError, Severity, Source, gather};
use crate::task::{Item, Mode, Task, read_item};

/// Why there is no score.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    /// A file could not be read to its end.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Gold is malformed; nothing can be scored against it.
    #[error("the gold file has {} defects", .0.len())]
    Gold(Vec<Defect>),
}

/// The predictions of a file that could be read.
#[derive(Debug, Default)]
pub struct Predictions {
    /// By qid; of a repeated qid the last.
    pub answers: FxHashMap<SmolStr, Answer>,
    /// The qids in the order of the file, each once.
    pub order: Vec<SmolStr>,
    /// Defects that make a record or the file unusable.
    pub unusable: Vec<Defect>,
    /// Everything else that was noticed while reading.
    pub noticed: Vec<Defect>,
    /// How many records repeat a qid.
    pub repeated: u64,
}

/// qid, whether it was answered, its row, what else was asked.
type ScoredItem<T> = (SmolStr, bool, SmallVec<[f64; 8]>, T);

type ReadPred = (Option<SmolStr>, Option<Answer>, Vec<Defect>);

/// Applies `read` to a record, or to each record of a sheet.
pub(crate) fn each_record<T>(
    task: &dyn Task,
    given: &Json<'_>,
    check: &mut Check,
    mut read: impl FnMut(&Json<'_>, &mut Check) -> T,
) -> SmallVec<[T; 1]> {
    match task.unpack(given) {
        None => SmallVec::from_iter([read(given, check)]),
        Some(records) => records.iter().map(|record| read(record, check)).collect(),
    }
}

/// Reads a file of predictions.
pub fn read_preds(task: &dyn Task, source: Source) -> Result<Predictions, ReadError> {
    let read_one = |given: &Json<'_>, check: &mut Check| -> ReadPred {
        check.qid = None;
        let qid = Fields::of(given, check).and_then(|fields| fields.qid(task.about().qid_names, check));
        let answer = qid.as_ref().and_then(|_| task.read_answer(given, check));
        (qid, answer, std::mem::take(&mut check.defects))
    };
    let mut preds = Predictions::default();
    let file_defects = record::each(
        source,
        |given, check| each_record(task, &given, check, read_one),
        |records, _| {
            for (qid, answer, defects) in records {
                match (qid, answer) {
                    (Some(qid), Some(answer)) => {
                        gather(&mut preds.noticed, defects);
                        if preds.answers.insert(qid.clone(), answer).is_some() {
                            preds.repeated += 1;
                        } else {
                            preds.order.push(qid);
                        }
                    }
                    _ => gather(&mut preds.unusable, defects),
                }
            }
        },
    )?;
    let (errors, warnings) = file_defects.into_iter().partition(|defect| defect.severity() == Severity::Error);
    preds.unusable.extend::<Vec<_>>(errors);
    preds.noticed.extend::<Vec<_>>(warnings);
    Ok(preds)
}

/// Reads the items of a file, with gold where `gold_needed` or where it is there.
pub fn read_items(task: &dyn Task, source: Source, gold_needed: bool) -> Result<(Vec<Item>, Vec<Defect>), ReadError> {
    let mut items = Vec::new();
    let defects = each_item(task, source, gold_needed, |item| items.push(item))?;
    Ok((items, defects))
}

/// The same, where `take` has each item in the order of the file and nobody holds them all.
pub fn each_item(
    task: &dyn Task,
    source: Source,
    gold_needed: bool,
    mut take: impl FnMut(Item) + Send,
) -> Result<Vec<Defect>, ReadError> {
    let mut defects = Vec::new();
    let mut seen = FxHashSet::default();
    let read = |given: Json<'_>, check: &mut Check| {
        each_record(task, &given, check, |given, check| read_item(task, given, gold_needed, check))
    };
    let file_defects = record::each(source, read, |records, mut check| {
        gather(&mut defects, check.defects.drain(..));
        for item in records.into_iter().flatten() {
            if !seen.insert(item.qid.clone()) {
                check.repeated(&item.qid);
                gather(&mut defects, check.defects.drain(..));
            }
            take(item);
        }
    })?;
    defects.extend(file_defects);
    Ok(defects)
}

/// Items scored one by one, with whatever else was asked of each.
#[derive(Debug)]
pub struct Scored<T> {
    /// The task.
    pub task: &'static dyn Task,
    /// The mode.
    pub mode: Mode,
    /// The sums over all items.
    pub total: Total,
    /// The items' identifiers, in the order of the gold file.
    pub qids: Vec<SmolStr>,
    /// The rows, one after another, `task.scale().columns.len()` numbers each.
    pub rows: Vec<f64>,
    /// Whether each item has a prediction that could be read.
    pub answered: Vec<bool>,
    /// What `extra` gave for each item.
    pub extra: Vec<T>,
    /// Tolerated defects of the gold file.
    pub gold_warnings: Vec<Defect>,
    /// Qids that were predicted but are not in gold, in the order of the file.
    pub unknown: Vec<SmolStr>,
}

impl<T> Scored<T> {
    /// The measures over all items.
    pub fn measures(&self) -> Measures {
        self.task.measures(self.mode, &self.total)
    }

    /// The row of item number `i`.
    pub fn row(&self, i: usize) -> &[f64] {
        let width = self.task.scale().columns.len();
        &self.rows[i * width..(i + 1) * width]
    }

    /// The sums over some of the items.
    pub fn total_of(&self, items: impl IntoIterator<Item = usize>) -> Total {
        let mut total = Total::new(self.task.scale().columns.len());
        for i in items {
            total.add(self.answered[i], self.row(i));
        }
        total
    }
}

/// Scores predictions against a gold file. `extra` is asked about every item beside its score.
pub fn score<T: Send>(
    task: &'static dyn Task,
    mode: Mode,
    gold: Source,
    preds: &Predictions,
    extra: impl Fn(&Item, Option<&Answer>) -> T + Sync,
) -> Result<Scored<T>, ScoreError> {
    let width = task.scale().columns.len();
    let (mut scored, mut seen) = (Scored::empty(task, mode), FxHashSet::default());
    let mut defects = Vec::new();
    let score_one = |given: &Json<'_>, check: &mut Check| -> Option<ScoredItem<T>> {
        let item = read_item(task, given, true, check)?;
        let pred = preds.answers.get(&item.qid);
        let mut row = SmallVec::from_elem(0.0, width);
        task.score(mode.rules(), &item, pred, &mut row);
        let extra = extra(&item, pred);
        Some((item.qid, pred.is_some(), row, extra))
    };
    let file_defects = record::each(
        gold,
        |given, check| each_record(task, &given, check, score_one),
        |items, mut check| {
            for item in items {
                let Some((qid, answered, row, extra)) = item else {
                    gather(&mut defects, check.defects.drain(..));
                    continue;
                };
                if !seen.insert(qid.clone()) {
                    check.repeated(&qid);
                    gather(&mut defects, check.defects.drain(..));
                }
                scored.total.add(answered, &row);
                scored.rows.extend_from_slice(&row);
                scored.answered.push(answered);
                scored.qids.push(qid);
                scored.extra.push(extra);
            }
        },
    )?;
    let (errors, warnings): (Vec<_>, Vec<_>) = file_defects.into_iter().partition(|defect| defect.severity() == Severity::Error);
    defects.extend(errors);
    if defects.iter().any(|defect| defect.severity() == Severity::Error) {
        return Err(ScoreError::Gold(defects));
    }
    scored.gold_warnings = warnings;
    scored.unknown = preds.order.iter().filter(|qid| !seen.contains(*qid)).cloned().collect();
    Ok(scored)
}

impl<T> Scored<T> {
    fn empty(task: &'static dyn Task, mode: Mode) -> Scored<T> {
        Scored {
            task,
            mode,
            total: Total::new(task.scale().columns.len()),
            qids: Vec::new(),
            rows: Vec::new(),
            answered: Vec::new(),
            extra: Vec::new(),
            gold_warnings: Vec::new(),
            unknown: Vec::new(),
        }
    }
}

/// Scores answers to items in memory, one for each or none, in parallel; rows in the order of the items.
pub fn score_items(task: &'static dyn Task, mode: Mode, items: &[Item], answers: &[Option<&Answer>]) -> Scored<()> {
    let pairs: Vec<(&Item, Option<&Answer>)> = items.iter().zip(answers.iter().copied()).collect();
    let mut scored = Scored::empty(task, mode);
    for ((item, pred), row) in pairs.iter().zip(rows(task, mode, &pairs)) {
        scored.total.add(pred.is_some(), &row);
        scored.rows.extend_from_slice(&row);
        scored.answered.push(pred.is_some());
        scored.qids.push(item.qid.clone());
        scored.extra.push(());
    }
    scored
}

/// The sums of some answers to items in memory.
pub fn score_answers(task: &dyn Task, mode: Mode, pairs: &[(&Item, Option<&Answer>)]) -> Total {
    let mut total = Total::new(task.scale().columns.len());
    for ((_, pred), row) in pairs.iter().zip(rows(task, mode, pairs)) {
        total.add(pred.is_some(), &row);
    }
    total
}

fn rows(task: &dyn Task, mode: Mode, pairs: &[(&Item, Option<&Answer>)]) -> Vec<SmallVec<[f64; 8]>> {
    let score = |(item, pred): &(&Item, Option<&Answer>)| {
        let mut row = SmallVec::from_elem(0.0, task.scale().columns.len());
        task.score(mode.rules(), item, *pred, &mut row);
        row
    };
    pairs.par_iter().map(score).collect()
}
