//! How people did: each person's score with mean, deviation and maximum, how far they agree, which items they see differently.

mod show;

use serde::Serialize;
use smol_str::SmolStr;

use super::ReportError;
use super::sheet::Sheet;
use crate::agree::{self, Agreement, AnswerSet, Marks, Options, PairScores, marks_of, score_pairs};
use crate::compare::{measure_at, rows_of};
use crate::stats::{Groups, Interval, Moments, Resampling, bootstrap};
use crate::task::Item;

/// One person.
#[derive(Clone, Debug, Serialize)]
pub struct Subject {
    /// Who.
    pub name: String,
    /// How many of the study's items they answered.
    pub answered: u64,
    /// The ranking measure over the study's items.
    pub score: f64,
    /// Its interval.
    pub interval: Interval,
    /// The other measures that are no counts, by path.
    pub others: Vec<(String, f64)>,
}

/// How people see one item.
#[derive(Clone, Debug, Serialize)]
pub struct Seen {
    /// The item.
    pub qid: String,
    /// Its number in the gold file, from 0.
    #[serde(skip)]
    pub item: usize,
    /// How many answered it.
    pub answers: u64,
    /// What they earn against each other on average: for labels the share of equal pairs.
    pub agreement: f64,
    /// What they earn against gold on average.
    pub earned: f64,
}

/// Everything about the people who took a task.
#[derive(Clone, Debug, Serialize)]
pub struct People {
    /// How many items they were given.
    pub items: u64,
    /// The measure.
    pub measure: &'static str,
    /// Who was excluded, and by which rule.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<(String, String)>,
    /// Each of them.
    pub subjects: Vec<Subject>,
    /// Mean, deviation and maximum of their scores.
    pub summary: Option<Moments>,
    /// The same of the other measures, by path.
    pub others: Vec<(String, Moments)>,
    /// How far their labels agree, where answers are labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// Everybody scored against everybody, where they are more than labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<PairScores>,
    /// The items that two or more answered, those first on which people agree least.
    pub seen: Vec<Seen>,
}

impl People {
    /// Looks at the people of a sheet; `None` where it has none.
    pub fn of(sheet: &Sheet, resampling: &Resampling) -> Result<Option<People>, ReportError> {
        let (people, items) = (sheet.people(), sheet.studied());
        if people.is_empty() || items.is_empty() {
            return Ok(None);
        }
        let groups = Groups::from_keys(items.iter().map(|item| sheet.groups.of()[*item]));
        let subjects =
            people.iter().map(|taker| subject(sheet, *taker, &items, &groups, resampling)).collect::<Result<Vec<_>, _>>()?;
        let sets: Vec<AnswerSet> = people.iter().map(|taker| answers(sheet, *taker, &items)).collect();
        let (mut agreement, mut pairs) = (None, None);
        if sets.len() > 1 {
            let options = Options { resampling: Some(*resampling), ..Options::default() };
            if let Some(marks) = marks_of(&sets) {
                agreement = Some(agree::agree(&Marks::new(marks, &[])?, &options)?);
            }
            if !sheet.task.scale().accuracy {
                let origin = |item: &Item| {
                    let number = sheet.items.iter().position(|other| other.qid == item.qid)?;
                    Some(SmolStr::from(sheet.groups.of()[number].to_string()))
                };
                pairs = Some(score_pairs(sheet.task, sheet.mode, &sets, Some(resampling), origin)?);
            }
        }
        let other = |number: usize| {
            let path = subjects[0].others[number].0.clone();
            Some((path, Moments::of(subjects.iter().map(|subject| subject.others[number].1))?))
        };
        Ok(Some(People {
            items: items.len() as u64,
            measure: sheet.task.scale().ranking,
            summary: Moments::of(subjects.iter().map(|subject| subject.score)),
            others: (0..subjects[0].others.len()).filter_map(other).collect(),
            excluded: sheet.excluded.clone(),
            seen: seen(sheet, &people, &items),
            agreement,
            pairs,
            subjects,
        }))
    }
}

fn subject(
    sheet: &Sheet,
    taker: usize,
    items: &[usize],
    groups: &Groups,
    resampling: &Resampling,
) -> Result<Subject, ReportError> {
    let (task, scored) = (sheet.task, &sheet.scored[taker]);
    let path = task.scale().ranking;
    let all = rows_of(scored)?;
    let mut rows = crate::stats::Rows::new(all.width());
    for item in items {
        rows.push(scored.row(*item))?;
    }
    let total = scored.total_of(items.iter().copied());
    let measures = task.measures(sheet.mode, &total);
    let numbers = measures.flat().into_iter().filter_map(|(name, measure)| match measure {
        crate::score::Measure::Number(value) if name != path => Some((name, value)),
        _ => None,
    });
    Ok(Subject {
        name: sheet.takers[taker].name.clone(),
        answered: total.answered,
        score: measures.get(path).unwrap_or(0.0),
        interval: bootstrap(&rows, groups, &measure_at(task, sheet.mode, path), resampling)?,
        others: numbers.collect(),
    })
}

/// A person's answers as gold, with the item's texts and coreference.
fn answers(sheet: &Sheet, taker: usize, items: &[usize]) -> AnswerSet {
    let answered = items.iter().filter_map(|item| {
        let gold = sheet.answer(taker, *item)?.clone();
        Some(Item { gold: Some(gold), ..sheet.items[*item].clone() })
    });
    AnswerSet { annotator: sheet.takers[taker].name.as_str().into(), items: answered.collect() }
}

fn seen(sheet: &Sheet, people: &[usize], items: &[usize]) -> Vec<Seen> {
    let (task, rules) = (sheet.task, sheet.mode.rules());
    let mut seen: Vec<Seen> = items
        .iter()
        .filter_map(|number| {
            let who: Vec<usize> = people.iter().copied().filter(|taker| sheet.answer(*taker, *number).is_some()).collect();
            let mut earned = Vec::new();
            for gold in &who {
                let item = Item { gold: sheet.answer(*gold, *number).cloned(), ..sheet.items[*number].clone() };
                for pred in who.iter().filter(|pred| *pred != gold) {
                    let mut row = vec![0.0; task.scale().columns.len()];
                    task.score(rules, &item, sheet.answer(*pred, *number), &mut row);
                    earned.push(row[task.scale().item]);
                }
            }
            let own = who.iter().map(|taker| sheet.earned(*taker, *number));
            Some(Seen {
                qid: sheet.items[*number].qid.to_string(),
                item: *number,
                answers: who.len() as u64,
                agreement: Moments::of(earned)?.mean,
                earned: Moments::of(own)?.mean,
            })
        })
        .collect();
    // Stable: items of equal agreement stay in the order of the file.
    seen.sort_by(|a, b| a.agreement.total_cmp(&b.agreement));
    seen
}
