//! Which finished work a reviewer looks at: a share of everybody's, more of weaker grades, or what annotators differ most about. Seeded, and shown before it is given out.

use std::collections::{BTreeMap, HashMap, HashSet};

use fangwei::agree::Grade;
use fangwei::chance::Dice;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::Row;

use super::reviewers;
use crate::agree::gather::{Gathered, Which, gather, reviews};
use crate::agree::labels::disagreement;
use crate::app::App;
use crate::batches::batch::{self, Batch};
use crate::failure::Failure;
use crate::thread::on_thread;
use crate::who::Account;
use crate::{audit, id};

/// By what work is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// The same share of every annotator.
    #[default]
    Rate,
    /// A share that depends on the annotator's grade.
    Grade,
    /// The items about which annotators differ most.
    Disagreement,
}

/// How to sample.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Sample {
    /// By what.
    #[serde(default)]
    pub by: By,
    /// The share, 0 to 1; of annotators by rate, of items by disagreement. By grade it is that of people without one.
    pub rate: f64,
    /// Makes the choice repeatable.
    #[serde(default)]
    pub seed: u64,
    /// The names of the reviewers, each of whom gets about as many.
    pub reviewers: Vec<String>,
    /// A blind second review of what another reviewer was given.
    #[serde(default)]
    pub blind: bool,
    /// Give it out; without, a preview.
    #[serde(default)]
    pub apply: bool,
}

/// One assignment and who is to look at it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Chosen {
    /// The assignment.
    pub assignment: String,
    /// The item's name.
    pub qid: String,
    /// Whose work.
    pub annotator: String,
    /// The name of the reviewer.
    pub reviewer: String,
    /// The version that is given.
    pub version: i64,
    /// Why it was chosen: a grade, or how far annotators differ.
    pub why: String,
    #[serde(skip)]
    reviewer_id: String,
}

/// What a sample gives.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Sampled {
    /// How much there was to choose from.
    pub of: usize,
    /// What was chosen.
    pub chosen: Vec<Chosen>,
    /// Work for which there is no reviewer: all of them have it, or mark the item themselves.
    pub without_reviewer: usize,
    /// How many were given out; none in a preview.
    pub given: usize,
}

/// Work that can be given to a reviewer.
#[derive(Clone, Debug)]
struct Candidate {
    assignment: String,
    account: String,
    annotator: String,
    qid: String,
    item: String,
    version: i64,
    /// Who has it already, and who has marked the item or is to mark it: they must not see what others said.
    barred: HashSet<String>,
}

/// The share of each grade: nothing of the good is left unseen, and the weak are looked at whole.
pub const fn share_of(grade: Option<Grade>, usual: f64) -> f64 {
    match grade {
        Some(Grade::A) => 0.05,
        Some(Grade::B) => 0.15,
        Some(Grade::C) => 0.5,
        Some(Grade::D) => 1.0,
        None => usual,
    }
}

/// So much of `count`, rounded up: a share above 0 is at least one. Halves of the last bit do not make one more.
fn part(count: usize, share: f64) -> usize {
    ((count as f64 * share - 1e-9).ceil().max(0.0) as usize).min(count)
}

/// Chooses, and gives out where that is asked for.
pub async fn sample(app: &App, me: &Account, batch: &Batch, asked: &Sample) -> Result<Sampled, Failure> {
    if !(asked.rate.is_finite() && (0.0..=1.0).contains(&asked.rate)) {
        return Err(Failure::invalid("比例应在 0 和 1 之间", "expected a rate from 0 to 1"));
    }
    let reviewers = reviewers::find(app, &asked.reviewers).await?;
    if reviewers.is_empty() {
        return Err(Failure::invalid("请选至少一名审核员", "choose a reviewer"));
    }
    let candidates = candidates(app, batch, asked.blind).await?;
    let of = candidates.len();
    let gathered = if asked.by == By::Rate { None } else { Some(gather(app, batch, Which::Own).await?) };
    let reviewed = if asked.by == By::Grade { reviews(app, batch).await? } else { Vec::new() };
    let (by, rate, seed) = (asked.by, asked.rate, asked.seed);
    let chosen = on_thread(move || match (by, gathered) {
        (By::Grade, Some(gathered)) => by_grade(candidates, &gathered, &reviewed, rate, seed),
        (By::Disagreement, Some(gathered)) => Ok(by_disagreement(candidates, &gathered, rate)),
        _ => Ok(by_share(candidates, seed, |_| (rate, String::new()))),
    });
    let chosen = chosen.await?;
    let mut sampled = hand_out(chosen, &reviewers, seed);
    sampled.of = of;
    if asked.apply {
        sampled.given = give(app, me, batch, asked, &sampled.chosen).await?;
    }
    Ok(sampled)
}

/// Finished work that nobody is to look at yet; for a blind second review, what exactly one other reviewer has.
async fn candidates(app: &App, batch: &Batch, blind: bool) -> Result<Vec<Candidate>, Failure> {
    let select = "SELECT assignment.id, assignment.account, account.name, item.qid, item.id, assignment.state, assignment.version, \
                  (SELECT COALESCE(MAX(review.version), 0) FROM review WHERE review.assignment = assignment.id AND review.blind = 0) \
                  FROM assignment JOIN account ON account.id = assignment.account JOIN item ON item.id = assignment.item \
                  WHERE assignment.batch = $1 AND assignment.part = 'annotate' AND assignment.version > 0 ORDER BY item.number, assignment.id";
    let rows = sqlx::query(select).bind(batch.id.clone()).fetch_all(app.database.read()).await?;
    let (mut given, marking) = (given_out(app, batch).await?, marking(app, batch).await?);
    let mut all = Vec::new();
    for row in &rows {
        let (id, state, version, reviewed): (String, String, i64, i64) =
            (row.try_get(0)?, row.try_get(5)?, row.try_get(6)?, row.try_get(7)?);
        let (mut barred, is_first, is_second) = given.remove(&id).unwrap_or_default();
        // What was reviewed is given as it was then; what waits, as it is.
        let version = if state == "done" { version } else { reviewed };
        let fits = if blind { is_first && !is_second && version > 0 } else { !is_first && state == "done" };
        if fits {
            let (account, annotator, qid, item) = (row.try_get(1)?, row.try_get(2)?, row.try_get(3)?, row.try_get(4)?);
            barred.extend(marking.get::<String>(&item).into_iter().flatten().cloned());
            all.push(Candidate { assignment: id, account, annotator, qid, item, version, barred });
        }
    }
    Ok(all)
}

/// Who has marked each item or is to mark it; who gave it back untouched has not.
async fn marking(app: &App, batch: &Batch) -> Result<HashMap<String, Vec<String>>, Failure> {
    let select =
        "SELECT item, account FROM assignment WHERE batch = $1 AND part = 'annotate' AND (state <> 'recalled' OR version > 0)";
    let mut marking: HashMap<String, Vec<String>> = HashMap::new();
    for row in sqlx::query(select).bind(batch.id.clone()).fetch_all(app.database.read()).await? {
        marking.entry(row.try_get(0)?).or_default().push(row.try_get(1)?);
    }
    Ok(marking)
}

/// Who has which assignment, and whether as a first or a blind second reviewer.
async fn given_out(app: &App, batch: &Batch) -> Result<HashMap<String, (HashSet<String>, bool, bool)>, Failure> {
    let select = "SELECT inspection.assignment, inspection.reviewer, inspection.blind FROM inspection JOIN assignment ON assignment.id = inspection.assignment WHERE assignment.batch = $1";
    let mut given: HashMap<String, (HashSet<String>, bool, bool)> = HashMap::new();
    for row in sqlx::query(select).bind(batch.id.clone()).fetch_all(app.database.read()).await? {
        let (assignment, reviewer, blind): (String, String, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let (reviewers, is_first, is_second) = given.entry(assignment).or_default();
        reviewers.insert(reviewer);
        if blind == 0 { *is_first = true } else { *is_second = true }
    }
    Ok(given)
}

/// A share of each annotator's work.
fn by_share(candidates: Vec<Candidate>, seed: u64, share: impl Fn(&str) -> (f64, String)) -> Vec<(Candidate, String)> {
    let mut by_annotator: BTreeMap<String, Vec<Candidate>> = BTreeMap::new();
    for candidate in candidates {
        by_annotator.entry(candidate.annotator.clone()).or_default().push(candidate);
    }
    let mut chosen = Vec::new();
    for (stream, (annotator, mut own)) in by_annotator.into_iter().enumerate() {
        let (share, why) = share(&annotator);
        Dice::new(seed, stream as u64).shuffle(&mut own);
        let count = part(own.len(), share);
        chosen.extend(own.into_iter().take(count).map(|candidate| (candidate, why.clone())));
    }
    chosen
}

fn by_grade(
    candidates: Vec<Candidate>,
    gathered: &Gathered,
    reviewed: &[fangwei::agree::Review],
    usual: f64,
    seed: u64,
) -> Result<Vec<(Candidate, String)>, Failure> {
    let grades = crate::agree::grades(gathered, reviewed, &[])?;
    let of = |annotator: &str| grades.iter().find(|graded| graded.name == annotator).and_then(|graded| graded.grade);
    let why = |grade: Option<Grade>| grade.map_or("–".to_owned(), |grade| format!("{grade:?}"));
    Ok(by_share(candidates, seed, |annotator| (share_of(of(annotator), usual), why(of(annotator)))))
}

/// The share of items about which annotators differ most; where they do not differ there is nothing to choose.
fn by_disagreement(candidates: Vec<Candidate>, gathered: &Gathered, rate: f64) -> Vec<(Candidate, String)> {
    let places = gathered.items.iter().enumerate();
    let mut items: Vec<(f64, &str)> =
        places.filter_map(|(place, known)| Some((disagreement(gathered, place)?, known.id.as_str()))).collect();
    // Stable: of equal ones the first item comes first.
    items.sort_by(|a, b| b.0.total_cmp(&a.0));
    let count = part(items.len(), rate);
    let most: HashMap<&str, f64> =
        items.into_iter().take(count).filter(|(apart, _)| *apart > 0.0).map(|(apart, item)| (item, apart)).collect();
    let one = |candidate: Candidate| most.get(candidate.item.as_str()).map(|apart| (candidate.clone(), format!("{apart:.2}")));
    let mut chosen: Vec<(Candidate, String)> = candidates.into_iter().filter_map(one).collect();
    chosen.sort_by(|a, b| b.1.cmp(&a.1));
    chosen
}

/// Gives each to the reviewer who has least, of those who do not have it and do not mark the item themselves.
fn hand_out(chosen: Vec<(Candidate, String)>, reviewers: &[Account], seed: u64) -> Sampled {
    let mut order: Vec<&Account> = reviewers.iter().collect();
    Dice::new(seed, u64::MAX).shuffle(&mut order);
    let mut loads = vec![0_usize; order.len()];
    let mut sampled = Sampled { of: 0, chosen: Vec::new(), without_reviewer: 0, given: 0 };
    for (candidate, why) in chosen {
        let may = |reviewer: &Account| reviewer.id != candidate.account && !candidate.barred.contains(&reviewer.id);
        let Some(place) = (0..order.len()).filter(|place| may(order[*place])).min_by_key(|place| loads[*place]) else {
            sampled.without_reviewer += 1;
            continue;
        };
        loads[place] += 1;
        sampled.chosen.push(Chosen {
            assignment: candidate.assignment,
            qid: candidate.qid,
            annotator: candidate.annotator,
            reviewer: order[place].name.clone(),
            version: candidate.version,
            why,
            reviewer_id: order[place].id.clone(),
        });
    }
    sampled
}

/// Writes inspections. What another sample has given out since this one was chosen is left as it is.
async fn give(app: &App, me: &Account, batch: &Batch, asked: &Sample, chosen: &[Chosen]) -> Result<usize, Failure> {
    let (mut changes, now) = (app.database.begin().await?, app.now());
    batch::hold(&mut changes, &batch.id).await?;
    let mut given = 0;
    for one in chosen {
        let insert = "INSERT INTO inspection (id, assignment, reviewer, blind, version, state, given_at) SELECT $1, $2, $3, $4, $5, 'open', $6 \
                      WHERE NOT EXISTS (SELECT 1 FROM inspection WHERE assignment = $2 AND (blind = $4 OR reviewer = $3))";
        let done = sqlx::query(insert)
            .bind(id::at(now))
            .bind(one.assignment.clone())
            .bind(one.reviewer_id.clone())
            .bind(i64::from(asked.blind))
            .bind(one.version)
            .bind(now)
            .execute(&mut *changes)
            .await?;
        given += done.rows_affected() as usize;
    }
    audit::note(&mut changes, now, Some(&me.id), "sample-reviews", &batch.id, &json!({ "sample": asked, "given": given }))
        .await?;
    changes.commit().await?;
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_rounded_up_once() {
        assert_eq!(part(20, 0.15), 3, "0.15 * 20 is 3 and not a bit more");
        assert_eq!((part(7, 0.15), part(7, 0.0), part(7, 1.0), part(0, 1.0)), (2, 0, 7, 0));
    }
}
