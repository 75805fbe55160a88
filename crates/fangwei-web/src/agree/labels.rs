//! From marks of any task to the tables that the library measures: labels where marks have them, answers where the task's scorer tells how near two are.

use std::collections::{BTreeMap, BTreeSet};

use fangwei::agree::{self, AnswerSet, CheckQuestion, UNFIT, marks_of};
use fangwei::annotate::form::BatchMode;
use fangwei::annotate::{Flaw, Level, MOST_GRADE, Mark, Problem, WrittenPair};
use fangwei::answer::{Answer, Kind};
use fangwei::record::{Check, Json};
use fangwei::score::score_answers;
use fangwei::task::{Item, Mode, Task, Texts};
use smol_str::SmolStr;

use super::gather::{Gathered, Given, Known};
use crate::batches::batch::Batch;

impl Known {
    /// The item with an answer in the place of gold. What an author wrote are its texts.
    pub fn with(&self, task: &dyn Task, mark: &Mark) -> Item {
        let corefs = task.has_corefs().then(|| mark.corefs.clone());
        let written = mark.pair.clone().map(|WrittenPair { context1, context2, .. }| Texts::Pair { context1, context2 });
        let texts = written.unwrap_or_else(|| self.item.texts.clone());
        let field = |name: &str, value: &str| (name.to_owned(), Json::text(value.to_owned()));
        let given = [("origin", &self.origin), ("genre", &self.genre)].into_iter().filter(|(_, value)| !value.is_empty());
        let extra = given.map(|(name, value)| field(name, value)).collect();
        Item { qid: self.item.qid.clone(), texts, gold: mark.answer.clone(), corefs, extra }
    }

    fn origin(&self) -> Option<SmolStr> {
        (!self.origin.is_empty()).then(|| self.origin.as_str().into())
    }

    /// The right answer of a check question: `{"gold": …}` in its secret, as the task's answer or as a whole mark.
    pub fn right(&self, task: &dyn Task) -> Option<Mark> {
        let secret = Json::parse(self.secret.as_bytes()).ok()?;
        let gold = secret.get("gold")?;
        let mut check = Check::new("secret".into(), 0);
        if gold.get("version").is_some() {
            return Mark::read(task, gold, &mut check);
        }
        Some(Mark::new(task.read_answer(gold, &mut check)?))
    }
}

/// Whether anybody used the four levels.
fn has_levels(gathered: &Gathered) -> bool {
    gathered.given.iter().any(|given| given.mark.level.is_some())
}

/// The label of a mark: `unfit`, a level, a grade, the flaws of a raw passage, a verdict, types. The outer `None`: marks of this task have none; the inner: this one
/// says nothing.
#[allow(clippy::option_option)]
pub fn label(mark: &Mark, levels: bool) -> Option<Option<SmolStr>> {
    if mark.unsuitable.is_some() {
        return Some(Some(UNFIT.into()));
    }
    if levels {
        return Some(mark.level.map(|level| level.as_str().into()));
    }
    if let Some(grade) = mark.grade {
        return Some(Some(smol_str::format_smolstr!("{grade}")));
    }
    if let Some(problems) = &mark.problems {
        return Some(Some(flaws(problems)));
    }
    let Some(answer) = mark.answer.clone() else { return Some(None) };
    let item = Item { qid: SmolStr::default(), texts: Texts::Absent, gold: Some(answer), corefs: None, extra: Vec::new() };
    let set = AnswerSet { annotator: SmolStr::default(), items: vec![item] };
    marks_of(&[set]).map(|marks| marks.into_iter().next().and_then(|mark| mark.label))
}

/// The kinds of flaws, each once, joined by `+`.
fn flaws(problems: &[Problem]) -> SmolStr {
    let kinds: BTreeSet<Flaw> = problems.iter().map(|problem| problem.flaw).collect();
    let names: Vec<&str> = kinds.iter().map(|flaw| flaw.as_str()).collect();
    if names.is_empty() { Flaw::Nothing.as_str().into() } else { names.join("+").into() }
}

/// The marks as labels, where they are such: levels, verdicts, sets of types. Authors judge each their own texts: their verdicts cannot be compared.
pub fn labels(gathered: &Gathered) -> Option<Vec<agree::Mark>> {
    if gathered.batch.mode == BatchMode::Author {
        return None;
    }
    let levels = has_levels(gathered);
    let one = |given: &Given| {
        let known = &gathered.items[given.item];
        Some(agree::Mark {
            item: known.item.qid.clone(),
            annotator: given.name.as_str().into(),
            label: label(&given.mark, levels)?,
            origin: known.origin(),
        })
    };
    gathered.given.iter().map(one).collect::<Option<Vec<_>>>().filter(|labels| labels.iter().any(|one| one.label.is_some()))
}

/// The answers of each annotator, in the order of names. Marks that set an item aside answer nothing.
pub fn answers(gathered: &Gathered) -> Vec<AnswerSet> {
    let mut sets: BTreeMap<&str, Vec<Item>> = BTreeMap::new();
    if gathered.batch.mode == BatchMode::Author {
        return Vec::new();
    }
    for given in gathered.given.iter().filter(|given| given.mark.answer.is_some() && !given.mark.sets_aside()) {
        sets.entry(&given.name).or_default().push(gathered.items[given.item].with(gathered.batch.task, &given.mark));
    }
    sets.into_iter().map(|(name, items)| AnswerSet { annotator: name.into(), items }).collect()
}

/// How near two marks are that clean, grade or write; `None` for answers.
fn craft_nearness(one: &Mark, other: &Mark) -> Option<f64> {
    if one.grade.is_some() || other.grade.is_some() {
        let steps = one.grade.zip(other.grade).map(|(one, other)| f64::from(one.abs_diff(other)));
        return Some(steps.map_or(0.0, |steps| 1.0 - steps / f64::from(MOST_GRADE)));
    }
    if one.problems.is_some() || other.problems.is_some() {
        let (own, theirs) = (one.problems.as_deref().unwrap_or_default(), other.problems.as_deref().unwrap_or_default());
        let common = own.iter().filter(|problem| theirs.contains(problem)).count();
        let all = own.len() + theirs.len();
        return Some(if all == 0 { 1.0 } else { 2.0 * common as f64 / all as f64 });
    }
    (one.pair.is_some() || other.pair.is_some())
        .then(|| f64::from(u8::from(one.pair == other.pair && one.answer == other.answer)))
}

/// How near one mark is to another, 0 to 1: by the measure that ranks the task, the mean of both directions; grades by their distance, flaws by what both found.
pub fn nearness(task: &dyn Task, known: &Known, one: &Mark, other: &Mark) -> f64 {
    if one.sets_aside() != other.sets_aside() || one.level != other.level {
        return 0.0;
    }
    if let Some(near) = craft_nearness(one, other) {
        return near;
    }
    if one.answer == other.answer {
        return 1.0;
    }
    let earned = |gold: &Mark, pred: Option<&Answer>| {
        let total = score_answers(task, Mode::Official, &[(&known.with(task, gold), pred)]);
        task.measures(Mode::Official, &total).get(task.scale().ranking).unwrap_or_default()
    };
    if one.answer.is_none() || other.answer.is_none() {
        return 0.0;
    }
    f64::midpoint(earned(one, other.answer.as_ref()), earned(other, one.answer.as_ref()))
}

/// Whether marks are told as labels, or only as equal or not: spans, tuples, written texts.
fn has_labels(batch: &Batch) -> bool {
    let is_told = matches!(batch.task.kind(), Kind::Verdict | Kind::Joint | Kind::Scene);
    is_craft(batch) || is_told && batch.mode != BatchMode::Author
}

/// Whether people clean or grade, so that the task's own answer is not what they give.
fn is_craft(batch: &Batch) -> bool {
    matches!(batch.mode, BatchMode::Clean | BatchMode::Grade)
}

/// The table by which items are decided and people graded: labels, or for spans and tuples the groups `1`, `2`, … of marks that the task's scorer holds to be the
/// same. The right answer of a check question is always in group `1`.
pub fn decisive(gathered: &Gathered) -> Vec<agree::Mark> {
    let task = gathered.batch.task;
    if has_labels(&gathered.batch) {
        return labels(gathered).unwrap_or_default();
    }
    let mut groups: BTreeMap<usize, Vec<Mark>> = BTreeMap::new();
    for (place, known) in gathered.items.iter().enumerate().filter(|(_, known)| known.is_check) {
        groups.entry(place).or_default().extend(known.right(task));
    }
    let mut all = Vec::new();
    for given in &gathered.given {
        let known = &gathered.items[given.item];
        let own = groups.entry(given.item).or_default();
        let found = own.iter().position(|one| nearness(task, known, one, &given.mark) >= 1.0);
        let group = found.unwrap_or_else(|| {
            own.push(given.mark.clone());
            own.len() - 1
        });
        let label = if given.mark.unsuitable.is_some() { UNFIT.into() } else { smol_str::format_smolstr!("={}", group + 1) };
        all.push(agree::Mark {
            item: known.item.qid.clone(),
            annotator: given.name.as_str().into(),
            label: Some(label),
            origin: known.origin(),
        });
    }
    all
}

/// The check questions with the labels that are right, in the terms of [`decisive`].
pub fn checks(gathered: &Gathered) -> Vec<CheckQuestion> {
    let (task, levels) = (gathered.batch.task, has_levels(gathered));
    let right = |known: &Known| {
        let mark = known.right(task)?;
        if is_craft(&gathered.batch) && mark.grade.is_none() && mark.problems.is_none() {
            return None;
        }
        if !has_labels(&gathered.batch) {
            return Some("=1".into());
        }
        let verdict = if let Some(Answer::Verdict(verdict)) = &mark.answer { verdict.value() } else { None };
        let level = mark.level.or(verdict.map(|normal| if normal { Level::Fine } else { Level::Bad }));
        if levels { level.map(|level| level.as_str().into()) } else { label(&mark, false)? }
    };
    let questions = gathered.items.iter().filter(|known| known.is_check);
    questions.filter_map(|known| Some((known.item.qid.clone(), right(known)?))).collect()
}

/// How far the annotators of an item differ, 0 to 1: on a scale by the distance of labels, otherwise by the task's scorer. `None` where fewer than two marked it.
pub fn disagreement(gathered: &Gathered, place: usize) -> Option<f64> {
    let marks: Vec<&Mark> = gathered.of(place).iter().map(|given| &given.mark).collect();
    let (known, task) = (&gathered.items[place], gathered.batch.task);
    let apart = |one: &Mark, other: &Mark| match (one.level, other.level) {
        (Some(one), Some(other)) if has_labels(&gathered.batch) => f64::from((one as i32 - other as i32).abs()) / 3.0,
        _ => 1.0 - nearness(task, known, one, other),
    };
    let pairs = marks.iter().enumerate().flat_map(|(at, one)| marks[at + 1..].iter().map(move |other| (one, other)));
    let distances: Vec<f64> = pairs.map(|(one, other)| apart(one, other)).collect();
    (!distances.is_empty()).then(|| distances.iter().sum::<f64>() / distances.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fangwei::text::{CharIdx, Span};

    fn graded(grade: u8) -> Mark {
        Mark { grade: Some(grade), ..Mark::default() }
    }

    fn flawed(flaws: &[(Flaw, u32)]) -> Mark {
        let problem = |(flaw, at): &(Flaw, u32)| {
            let span: Span = [CharIdx(*at)].into_iter().collect();
            Problem { flaw: *flaw, text: SmolStr::default(), span, correction: SmolStr::default() }
        };
        Mark { problems: Some(flaws.iter().map(problem).collect()), ..Mark::default() }
    }

    #[test]
    fn grades_and_flaws_are_labels() {
        assert_eq!(label(&graded(4), false), Some(Some("4".into())));
        let flaws = flawed(&[(Flaw::Locative, 7), (Flaw::Typo, 3), (Flaw::Locative, 9)]);
        assert_eq!(label(&flaws, false), Some(Some("typo+locative".into())), "each once, in the order of the list");
        assert_eq!(label(&flawed(&[]), false), Some(Some("none".into())));
        assert_eq!(label(&Mark::default(), false), Some(None));
    }

    #[test]
    fn grades_are_near_by_their_distance_and_flaws_by_what_both_found() {
        assert_eq!(craft_nearness(&graded(5), &graded(3)), Some(0.6), "two of five steps");
        assert_eq!(craft_nearness(&graded(5), &Mark::default()), Some(0.0));
        let (one, other) = (flawed(&[(Flaw::Typo, 1)]), flawed(&[(Flaw::Typo, 1), (Flaw::Typo, 2)]));
        assert_eq!(craft_nearness(&one, &other), Some(2.0 / 3.0), "one in common of three");
        assert_eq!(craft_nearness(&Mark::default(), &Mark::default()), None);
    }
}
