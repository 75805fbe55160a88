//! Answer files of several annotators, one file each: labels where the answer is a verdict, and scores of everybody against everybody where it is spans or tuples.
//!
//! Each annotator serves as gold for each of the others, under the official scorer of the task; only items that both answered count, for an item that
//! somebody was not given is no mistake.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer};
use smol_str::SmolStr;

use super::Undefined;
use super::marks::Mark;
use super::matrix::{Matrix, mean};
use super::measure::mean_of;
use super::outcome::Outcome;
use super::report::MOST_PAIRS;
use crate::answer::{Answer, ReasonType, Verdict};
use crate::record::{self, Check, Code, Defect, Json, ReadError, Source};
use crate::score::{Total, each_record};
use crate::stats::{Groups, Resampling, StatsError, redraw};
use crate::task::{Item, Mode, Task, Texts, read_item, read_pred};

/// The answers of one annotator.
#[derive(Clone, Debug, Default)]
pub struct AnswerSet {
    /// Who.
    pub annotator: SmolStr,
    /// The items with this annotator's answer as their gold, in the order of the file.
    pub items: Vec<Item>,
}

/// Reads one annotator's file of answers, with texts or without. Of a repeated item the last counts; it is told.
pub fn read_answers(task: &dyn Task, annotator: &str, source: Source) -> Result<(AnswerSet, Vec<Defect>), ReadError> {
    let (mut set, mut defects) = (AnswerSet { annotator: annotator.into(), items: Vec::new() }, Vec::new());
    let mut places: FxHashMap<SmolStr, usize> = FxHashMap::default();
    let read = |given: Json<'_>, check: &mut Check| each_record(task, &given, check, |given, check| read_one(task, given, check));
    let file_defects = record::each(source, read, |items, mut check| {
        for item in items.into_iter().flatten() {
            match places.get(&item.qid) {
                Some(place) => {
                    check.repeated(&item.qid);
                    set.items[*place] = item;
                }
                None => {
                    places.insert(item.qid.clone(), set.items.len());
                    set.items.push(item);
                }
            }
        }
        record::gather(&mut defects, check.defects);
    })?;
    record::gather(&mut defects, file_defects);
    Ok((set, defects))
}

/// An item as predictions are, name and answer; with text and coreference where the record has them, which is no defect where it has not.
fn read_one(task: &dyn Task, given: &Json<'_>, check: &mut Check) -> Option<Item> {
    let bare = read_pred(task, given, check)?;
    let whole = read_item(task, given, true, &mut Check::new("".into(), check.line()));
    Some(whole.unwrap_or(bare))
}

/// Items to which annotators were given different texts: whoever answers another question cannot agree.
pub fn differing_texts(sets: &[AnswerSet]) -> Vec<Defect> {
    let mut texts: FxHashMap<&SmolStr, (&Texts, &SmolStr)> = FxHashMap::default();
    let mut defects = Vec::new();
    for (set, item) in sets.iter().flat_map(|set| set.items.iter().map(move |item| (set, item))) {
        if item.texts == Texts::Absent {
            continue;
        }
        let (first, whose) = *texts.entry(&item.qid).or_insert((&item.texts, &set.annotator));
        if *first != item.texts {
            let mut check = Check::new(set.annotator.as_str().into(), 0);
            check.qid = Some(item.qid.clone());
            let brief = |texts: &Texts| texts.joined().chars().take(40).collect::<String>();
            check.add(Code::ContextMismatch, format!("{} ({whose})", brief(first)), brief(&item.texts));
            record::gather(&mut defects, check.defects);
        }
    }
    defects
}

/// The marks that answers are, where they can be told as a label: a verdict, or the set of types of 2022/attribute.
pub fn marks_of(sets: &[AnswerSet]) -> Option<Vec<Mark>> {
    let mut marks = Vec::new();
    for set in sets {
        for item in &set.items {
            let origin = item.extra.iter().find(|(name, _)| name == "origin").and_then(|(_, value)| value.as_str());
            marks.push(Mark {
                item: item.qid.clone(),
                annotator: set.annotator.clone(),
                label: label(item.gold.as_ref()?)?,
                origin: origin.map(SmolStr::new),
            });
        }
    }
    Some(marks)
}

/// The label of an answer. The outer `None`: answers of this kind have none; the inner: this one says nothing.
#[allow(clippy::option_option)]
pub(crate) fn label(answer: &Answer) -> Option<Option<SmolStr>> {
    let word = |verdict: Verdict| verdict.value().map(|value| if value { "true" } else { "false" });
    match answer {
        Answer::Verdict(verdict) => Some(word(*verdict).map(SmolStr::new)),
        Answer::Scene(scene) => Some(word(scene.judge).map(SmolStr::new)),
        Answer::Joint(first, second) => {
            let both = word(*first).zip(word(*second));
            Some(both.map(|(first, second)| smol_str::format_smolstr!("{first} {second}")))
        }
        Answer::Reasons(reasons) => {
            let types = ReasonType::ALL.iter().filter(|kind| reasons.iter().any(|reason| reason.kind == **kind));
            Some(Some(types.map(|kind| kind.as_str()).collect::<String>().into()).filter(|types: &SmolStr| !types.is_empty()))
        }
        _ => None,
    }
}

/// One annotator scored against another.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ScoredPair {
    /// Whose answers served as gold.
    pub gold: SmolStr,
    /// Whose answers were scored.
    pub pred: SmolStr,
    /// How many items both answered.
    pub shared: u64,
    /// The measure that ranks the task.
    pub score: Outcome,
}

/// Everybody scored against everybody.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PairScores {
    /// The task.
    pub task: &'static str,
    /// The mode of its scorer.
    pub mode: Mode,
    /// The measure.
    pub measure: &'static str,
    /// How many items two or more answered.
    pub items: u64,
    /// How many groups were resampled.
    pub groups: usize,
    /// The annotators, with the mean of their scores against the others, both ways.
    #[serde(serialize_with = "by_annotator")]
    pub means: Vec<(SmolStr, Outcome)>,
    /// The mean over all pairs and both directions.
    pub mean: Outcome,
    /// The share of items on which all who answered score 1 against each other.
    pub identical: Option<f64>,
    /// The share of items whose mean score is above 0.8.
    pub above_80: Option<f64>,
    /// Every pair in both directions.
    pub pairs: Vec<ScoredPair>,
}

fn by_annotator<S: Serializer>(means: &[(SmolStr, Outcome)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(means.iter().map(|(name, mean)| (name, mean)))
}

impl PairScores {
    /// The scores as a square: rows are gold.
    pub fn matrix(&self) -> Matrix {
        let names: Vec<SmolStr> = self.means.iter().map(|(name, _)| name.clone()).collect();
        let numbers: BTreeMap<&SmolStr, usize> = names.iter().enumerate().map(|(number, name)| (name, number)).collect();
        let mut matrix = Matrix::new(&names);
        for pair in &self.pairs {
            if let (Some(gold), Some(pred)) = (numbers.get(&pair.gold), numbers.get(&pair.pred)) {
                matrix.set(*gold, *pred, pair.score.get());
            }
        }
        matrix
    }
}

/// One direction of a pair: number of the item, what it earned.
struct Direction {
    gold: usize,
    pred: usize,
    earned: Vec<(usize, Vec<f64>)>,
}

/// Scores everybody against everybody. `origin` tells which items belong together when they are resampled.
pub fn score_pairs(
    task: &'static dyn Task,
    mode: Mode,
    sets: &[AnswerSet],
    resampling: Option<&Resampling>,
    origin: impl Fn(&Item) -> Option<SmolStr>,
) -> Result<PairScores, StatsError> {
    let mut numbers: FxHashMap<&SmolStr, usize> = FxHashMap::default();
    let mut keys: Vec<(bool, SmolStr)> = Vec::new();
    for item in sets.iter().flat_map(|set| &set.items) {
        numbers.entry(&item.qid).or_insert_with(|| {
            keys.push(origin(item).map_or_else(|| (false, item.qid.clone()), |origin| (true, origin)));
            keys.len() - 1
        });
    }
    let groups = Groups::from_keys(&keys);
    let directions: Vec<(usize, usize)> = (0..sets.len())
        .flat_map(|gold| (0..sets.len()).map(move |pred| (gold, pred)))
        .filter(|(gold, pred)| gold != pred)
        .collect();
    let scored: Vec<Direction> =
        directions.par_iter().map(|(gold, pred)| rows(task, mode, sets, (*gold, *pred), &numbers)).collect();
    let read = |direction: &Direction, drawn: Option<&[u32]>| {
        let mut total = Total::new(task.scale().columns.len());
        for (item, row) in &direction.earned {
            for _ in 0..drawn.map_or(1, |drawn| drawn[*item]) {
                total.add(true, row);
            }
        }
        let score = task.measures(mode, &total).get(task.scale().ranking).filter(|score| score.is_finite());
        score.filter(|_| total.items > 0).ok_or(Undefined::NoOverlap)
    };
    let values = |drawn: Option<&[u32]>| scored.iter().map(|direction| read(direction, drawn)).collect::<Vec<_>>();
    let own = |values: &[super::Value], number: usize| {
        let own = scored.iter().zip(values).filter(|(direction, _)| direction.gold == number || direction.pred == number);
        mean_of(own.map(|(_, value)| *value))
    };
    let with_pairs = scored.len() <= 2 * MOST_PAIRS;
    let redrawn = match resampling {
        Some(resampling) if !groups.is_empty() => redraw(&groups, resampling, |drawn| {
            let values = values(Some(drawn));
            let whole = std::iter::once(mean_of(values.iter().copied()));
            let people = (0..sets.len()).map(|number| own(&values, number));
            let pairs = values.iter().copied().filter(|_| with_pairs);
            whole.chain(people).chain(pairs).map(Result::ok).collect()
        })?,
        _ => Vec::new(),
    };
    let observed = values(None);
    let outcome = |at: usize, value| Outcome::new(value, redrawn.get(at));
    let pair = |(number, direction): (usize, &Direction)| ScoredPair {
        gold: sets[direction.gold].annotator.clone(),
        pred: sets[direction.pred].annotator.clone(),
        shared: direction.earned.len() as u64,
        score: outcome(1 + sets.len() + number, observed[number]),
    };
    let (items, identical, above_80) = alike(task, &scored, keys.len());
    Ok(PairScores {
        task: task.id(),
        mode,
        measure: task.scale().ranking,
        items,
        groups: groups.count(),
        mean: outcome(0, mean_of(observed.iter().copied())),
        means: (0..sets.len()).map(|at| (sets[at].annotator.clone(), outcome(1 + at, own(&observed, at)))).collect(),
        identical,
        above_80,
        pairs: scored.iter().enumerate().map(pair).collect(),
    })
}

/// What `pred` earns on each item that `gold` answered too. Coreference is that of gold; where gold has none, as in files of mere answers, the other's.
fn rows(
    task: &dyn Task,
    mode: Mode,
    sets: &[AnswerSet],
    pair: (usize, usize),
    numbers: &FxHashMap<&SmolStr, usize>,
) -> Direction {
    let others: FxHashMap<&SmolStr, &Item> = sets[pair.1].items.iter().map(|item| (&item.qid, item)).collect();
    let score = |item: &Item| {
        let other = others.get(&item.qid)?;
        let pred = other.gold.as_ref()?;
        let mut row = vec![0.0; task.scale().columns.len()];
        match (&item.corefs, &other.corefs) {
            (None, Some(corefs)) => {
                let gold = Item { corefs: Some(corefs.clone()), ..item.clone() };
                task.score(mode.rules(), &gold, Some(pred), &mut row);
            }
            _ => task.score(mode.rules(), item, Some(pred), &mut row),
        }
        Some((*numbers.get(&item.qid)?, row))
    };
    Direction { gold: pair.0, pred: pair.1, earned: sets[pair.0].items.iter().filter_map(score).collect() }
}

/// How many items were compared, the share on which all are alike, the share whose mean score is above 0.8.
fn alike(task: &dyn Task, scored: &[Direction], items: usize) -> (u64, Option<f64>, Option<f64>) {
    let mut earned: Vec<Vec<f64>> = vec![Vec::new(); items];
    for (item, row) in scored.iter().flat_map(|direction| &direction.earned) {
        earned[*item].push(row[task.scale().item]);
    }
    earned.retain(|earned| !earned.is_empty());
    let share = |of: &dyn Fn(&Vec<f64>) -> bool| mean(earned.iter().map(|earned| f64::from(u8::from(of(earned)))));
    let identical = share(&|earned| earned.iter().all(|score| *score > 1.0 - 1e-9));
    let above = share(&|earned| mean(earned.iter().copied()).is_some_and(|mean| mean > 0.8));
    (earned.len() as u64, identical, above)
}
