//! Subjects: everybody's answers laid beside the items of the study, with the time that each took.

use rustc_hash::FxHashMap;
use serde::Serialize;
use smol_str::SmolStr;

use super::log::{Entry, Standing, standing};
use super::study::{Late, Study};
use crate::agree::{AnswerSet, label};
use crate::answer::Answer;
use crate::lang::Say;
use crate::record::{Check, Code, Defect, Json};
use crate::score::{Scored, score_items};
use crate::stats::{Groups, Resampling};
use crate::task::{Item, Mode, Task};

/// A subject's answers, in the order of the study's items.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Subject {
    /// Who: the name of the file.
    pub name: SmolStr,
    /// The answers.
    pub answers: Vec<Option<Answer>>,
    /// How many seconds each took, where known.
    pub seconds: Vec<Option<f64>>,
    /// Whether each came too late.
    pub late: Vec<bool>,
}

impl Subject {
    /// Lays a file of answers beside the items. Answers to other items are told and left out.
    pub fn of(set: &AnswerSet, items: &[Item], late: Late) -> (Subject, Vec<Defect>) {
        let places: FxHashMap<&SmolStr, usize> = items.iter().enumerate().map(|(at, item)| (&item.qid, at)).collect();
        let mut subject = Subject {
            name: set.annotator.clone(),
            answers: vec![None; items.len()],
            seconds: vec![None; items.len()],
            late: vec![false; items.len()],
        };
        let mut defects = Vec::new();
        for item in &set.items {
            let Some(at) = places.get(&item.qid) else {
                let mut check = Check::new(format!("{}.jsonl", set.annotator).into(), 0);
                check.qid = Some(item.qid.clone());
                check.add(Code::UnknownQid, Say::new("本次测试的题", "an item of the study"), item.qid.to_string());
                defects.append(&mut check.defects);
                continue;
            };
            let field = |name: &str| item.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value);
            let is_late = field("late") == Some(&Json::Bool(true));
            subject.late[*at] = is_late;
            subject.seconds[*at] = field("seconds").and_then(Json::as_f64).filter(|seconds| *seconds >= 0.0);
            if late == Late::Count || !is_late {
                subject.answers[*at].clone_from(&item.gold);
            }
        }
        (subject, defects)
    }

    /// How many items were answered.
    pub fn answered(&self) -> usize {
        self.answers.iter().flatten().count()
    }

    /// How many answers came too late.
    pub fn late_answers(&self) -> usize {
        self.late.iter().filter(|late| **late).count()
    }

    /// The middle of the seconds that answers took.
    pub fn median_seconds(&self) -> Option<f64> {
        super::summary::middle(self.seconds.iter().flatten().copied().collect())
    }

    /// The labels that were given, item by item, where answers have labels.
    pub fn labels(&self) -> Vec<Option<SmolStr>> {
        self.answers.iter().map(|answer| label(answer.as_ref()?).flatten()).collect()
    }

    /// The answers scored against gold; what was not answered counts as the task's rule says.
    pub fn scored(&self, task: &'static dyn Task, mode: Mode, items: &[Item]) -> Scored<()> {
        let answers: Vec<Option<&Answer>> = self.answers.iter().map(Option::as_ref).collect();
        score_items(task, mode, items, &answers)
    }
}

/// What an answer earns on an item, in the column that is the item's own value of the ranking measure.
pub(super) fn item_score(task: &dyn Task, mode: Mode, item: &Item, answer: Option<&Answer>) -> f64 {
    let mut row = vec![0.0; task.scale().columns.len()];
    task.score(mode.rules(), item, answer, &mut row);
    row[task.scale().item]
}

/// A study with everything that belongs to it.
#[derive(Clone, Debug)]
pub struct Held {
    /// What it was told.
    pub study: Study,
    /// The mode of the scorer.
    pub mode: Mode,
    /// The items with gold.
    pub items: Vec<Item>,
    /// Which items belong together.
    pub groups: Groups,
    /// Everybody, in the order of their names.
    pub subjects: Vec<Subject>,
    /// Who was excluded and readmitted.
    pub log: Vec<Entry>,
}

/// What a report is about.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Head {
    /// The study.
    pub title: String,
    /// The task.
    pub task: &'static str,
    /// The mode.
    pub mode: Mode,
    /// The measure.
    pub measure: &'static str,
    /// How many items.
    pub items: u64,
    /// How many origins.
    pub groups: usize,
    /// How it was resampled.
    pub resampling: Resampling,
}

impl Held {
    /// What a report on this study is about.
    pub fn head(&self, resampling: &Resampling) -> Head {
        Head {
            title: self.study.title.clone(),
            task: self.study.task.id(),
            mode: self.mode,
            measure: self.study.task.scale().ranking,
            items: self.items.len() as u64,
            groups: self.groups.count(),
            resampling: *resampling,
        }
    }

    /// Why somebody is excluded, if they are.
    pub fn excluded(&self, name: &str) -> Option<&Entry> {
        match standing(&self.log, name) {
            Standing::Excluded(entry) => Some(entry),
            Standing::Admitted | Standing::Readmitted(_) => None,
        }
    }

    /// Whether somebody is excluded.
    pub fn has_excluded(&self) -> bool {
        self.subjects.iter().any(|subject| self.excluded(&subject.name).is_some())
    }

    /// The subjects whose answers count.
    pub fn valid(&self) -> Vec<&Subject> {
        self.subjects.iter().filter(|subject| self.excluded(&subject.name).is_none()).collect()
    }

    /// Answers as annotators have them, with the texts, origins and coreference of the study's items.
    pub fn sets<'s>(&self, subjects: impl IntoIterator<Item = &'s Subject>) -> Vec<AnswerSet> {
        let set = |subject: &Subject| {
            let answered = (0..self.items.len()).filter_map(|at| Some((at, subject.answers[at].clone()?)));
            // The origin as the study tells it, by a field or by text.
            let origin = |at: usize| ("origin".to_owned(), Json::text(self.groups.of()[at].to_string()));
            let item = |(at, answer)| Item { gold: Some(answer), extra: vec![origin(at)], ..self.items[at].clone() };
            AnswerSet { annotator: subject.name.clone(), items: answered.map(item).collect() }
        };
        subjects.into_iter().map(set).collect()
    }
}

/// The origin of an item of [`Held::sets`].
pub(super) fn origin_of(item: &Item) -> Option<SmolStr> {
    item.extra.iter().find(|(name, _)| name == "origin").and_then(|(_, value)| value.as_str().map(SmolStr::new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::read_answers;
    use crate::record::Source;
    use crate::score::read_items;

    #[test]
    fn answers_lie_beside_the_items_with_their_times() {
        let task = crate::tasks::find("2022/judge").expect("a task");
        let gold = r#"{"qid":"a","context":"他在桌上","judge":1}
{"qid":"b","context":"他在心桌","judge":0}
{"qid":"c","context":"他在屋里","judge":1}"#;
        let (items, defects) = read_items(task, Source::from_bytes("gold", gold).expect("bytes"), true).expect("items");
        assert!(defects.is_empty());
        let said = r#"{"qid":"c","judge":0,"seconds":9.5,"late":true}
{"qid":"z","judge":1}
{"qid":"a","judge":1,"seconds":-3,"late":false}"#;
        let (set, _) = read_answers(task, "甲", Source::from_bytes("甲.jsonl", said).expect("bytes")).expect("answers");
        let (subject, defects) = Subject::of(&set, &items, Late::Count);
        assert_eq!(
            defects.iter().map(|defect| (defect.code, defect.qid.as_deref())).collect::<Vec<_>>(),
            [(Code::UnknownQid, Some("z"))]
        );
        assert_eq!(
            (subject.answered(), subject.late_answers(), subject.median_seconds()),
            (2, 1, Some(9.5)),
            "no time runs backwards"
        );
        assert_eq!(subject.labels(), [Some("true".into()), None, Some("false".into())]);
        // What came too late is no answer where the study says so; that it came late is told all the same.
        let (subject, _) = Subject::of(&set, &items, Late::Drop);
        assert_eq!((subject.answered(), subject.late_answers()), (1, 1));
        let scored = subject.scored(task, Mode::Official, &items);
        assert_eq!((scored.total.answered, scored.measures().get("accuracy")), (1, Some(1.0 / 3.0)));
    }
}
