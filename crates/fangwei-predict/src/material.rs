//! Material: what is learnt from. Files of several tasks and years together, each question once, with the origin group of every item and, where siblings
//! tell it, the words that were replaced.
//!
//! Nothing is ever held out by itself: an origin group stays whole, over all files ([`Part`]).

mod sister;

use std::sync::Arc;

use fangwei::answer::Answer;
use fangwei::audit::{Dataset, Replacement, replaced};
use fangwei::lang::Say;
use fangwei::origin;
use fangwei::task::{Item, Task, Texts, write_item};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::folder::hex;

/// Where the material of a model came from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The file, as it was named.
    pub file: String,
    /// Its task; none for texts without answers.
    pub task: Option<String>,
    /// How many items with an answer were used.
    pub answered: u64,
    /// How many texts without one.
    pub unanswered: u64,
    /// Hash of the records that were used, whatever the file was called and however it was packed.
    pub sha256: String,
}

/// The files of a training.
#[derive(Debug)]
pub struct Material {
    sets: Vec<Dataset>,
    /// Per set and item, whether it is used, its group, and its replaced words.
    used: Vec<Vec<bool>>,
    group: Vec<Vec<u32>>,
    replaced: Vec<Vec<Option<Vec<Replacement>>>>,
    groups: usize,
    /// What was left out, and why.
    pub notes: Vec<Say>,
}

/// An item to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Example<'m> {
    /// The item.
    pub item: &'m Item,
    /// Its task; none where the file did not tell.
    pub task: Option<&'static dyn Task>,
    /// Its origin group.
    pub group: u32,
    /// Words that stand in place of an original's, inferred from siblings; `None` where nothing is known.
    pub replaced: Option<&'m [Replacement]>,
}

impl Material {
    /// Joins files. Repeated questions are used once; verdicts that contradict each other are not used at all.
    pub fn new(sets: Vec<Dataset>) -> Material {
        let texts: Vec<String> = sets.iter().flat_map(|set| set.items.iter().map(|item| item.texts.joined())).collect();
        let names: Vec<Option<String>> = sets.iter().flat_map(|set| set.items.iter().map(origin_name)).collect();
        let families = origin::families(&texts, &names.iter().map(Option::as_deref).collect::<Vec<_>>());
        let groups = families.iter().max().map_or(0, |last| *last as usize + 1);
        let mut families = families.into_iter();
        let group = sets.iter().map(|set| families.by_ref().take(set.items.len()).collect()).collect();
        let replaced = replaced(&sets)
            .into_iter()
            .map(|items| items.into_iter().map(|texts| texts.into_iter().next().flatten()).collect())
            .collect();
        let mut material = Material { used: Vec::new(), sets, group, replaced, groups, notes: Vec::new() };
        material.choose();
        material
    }

    /// Decides which items are used.
    fn choose(&mut self) {
        type Question<'q> = (Option<&'static str>, &'q Texts);
        let mut first: FxHashMap<Question<'_>, (usize, usize)> = FxHashMap::default();
        let mut contradicted: FxHashSet<(usize, usize)> = FxHashSet::default();
        let mut used: Vec<Vec<bool>> = Vec::new();
        let (mut repeated, mut differing) = (0_u64, 0_u64);
        for (file, set) in self.sets.iter().enumerate() {
            let mut of_set = Vec::with_capacity(set.items.len());
            for (number, item) in set.items.iter().enumerate() {
                let key = (set.task.map(Task::id), &item.texts);
                let place = *first.entry(key).or_insert((file, number));
                let is_first = place == (file, number);
                of_set.push(is_first);
                if is_first {
                    continue;
                }
                let before = &self.sets[place.0].items[place.1].gold;
                match (before, &item.gold) {
                    (Some(a), Some(b)) if a == b => repeated += 1,
                    (Some(Answer::Verdict(_) | Answer::Joint(..)), Some(_)) => {
                        contradicted.insert(place);
                        differing += 1;
                    }
                    (Some(_), Some(_)) => differing += 1,
                    // The answered one of the two is used.
                    (None, Some(_)) => {
                        *of_set.last_mut().expect("just pushed") = true;
                        first.insert(key, (file, number));
                    }
                    (_, None) => repeated += 1,
                }
            }
            used.push(of_set);
        }
        let mut places: Vec<&(usize, usize)> = contradicted.iter().collect();
        places.sort_unstable();
        for (file, number) in places {
            used[*file][*number] = false;
        }
        self.used = used;
        let missing =
            self.sets.iter().filter(|set| set.task.is_some()).flat_map(|set| &set.items).filter(|item| item.gold.is_none());
        let missing = missing.count() as u64;
        let malformed: u64 = self.sets.iter().map(|set| set.records - set.items.len() as u64).sum();
        for (count, zh, en) in [
            (repeated, "条重复，只用一次", "repeated items are used once"),
            (
                differing,
                "条与前面同题的答案不同：判断题两条都不用，其余用前一条",
                "items differ from an earlier answer to the same question: of verdicts neither is used, else the earlier one",
            ),
            (missing, "条没有答案或答案读不了，只用其文本", "items lack a readable answer; only their text is used"),
            (malformed, "条记录读不了，不用", "records cannot be read and are not used"),
        ] {
            if count > 0 {
                self.notes.push(Say::new(format!("{count} {zh}"), format!("{count} {en}")));
            }
        }
    }

    /// How many origin groups there are.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// Every used item.
    pub fn all(&self) -> impl Iterator<Item = Example<'_>> {
        self.sets.iter().enumerate().flat_map(move |(file, set)| {
            let used = set.items.iter().enumerate().filter(move |(number, _)| self.used[file][*number]);
            used.map(move |(number, item)| Example {
                item,
                task: set.task,
                group: self.group[file][number],
                replaced: self.replaced[file][number].as_deref(),
            })
        })
    }

    /// All of it.
    pub fn whole(&self) -> Part<'_> {
        self.part(|_| true)
    }

    /// The items of some origin groups.
    pub fn part(&self, keep: impl Fn(u32) -> bool) -> Part<'_> {
        Part { material: self, keep: (0..self.groups as u32).map(keep).collect::<Vec<_>>().into() }
    }

    /// Where it came from, for the record of a model.
    pub fn origins(&self) -> Vec<Origin> {
        let origin = |(file, set): (usize, &Dataset)| {
            let mut hash = Sha256::new();
            let (mut answered, mut unanswered) = (0, 0);
            for (_, item) in set.items.iter().enumerate().filter(|(number, _)| self.used[file][*number]) {
                let line = set.task.map_or_else(|| item.texts.joined(), |task| write_item(task, item).to_line());
                hash.update(line.as_bytes());
                hash.update(b"\n");
                *(if item.gold.is_some() { &mut answered } else { &mut unanswered }) += 1;
            }
            let sha256 = hex(&hash.finalize());
            Origin { file: set.name.to_string(), task: set.task.map(|task| task.id().to_owned()), answered, unanswered, sha256 }
        };
        self.sets.iter().enumerate().map(origin).collect()
    }
}

/// The field `origin`, where a release wrote it.
fn origin_name(item: &Item) -> Option<String> {
    item.extra.iter().find(|(name, _)| name == "origin").map(|(_, value)| value.to_line())
}

/// The items of some origin groups.
#[derive(Clone, Debug)]
pub struct Part<'m> {
    material: &'m Material,
    keep: Arc<[bool]>,
}

impl<'m> Part<'m> {
    /// Every item of this part.
    pub fn all(&self) -> impl Iterator<Item = Example<'m>> + '_ {
        self.material.all().filter(|example| self.has(example.group))
    }

    /// Whether the part holds an origin group.
    pub fn has(&self, group: u32) -> bool {
        self.keep[group as usize]
    }

    /// The answered items of a task.
    pub fn of(&self, task: &str) -> Vec<Example<'m>> {
        self.all().filter(|example| example.item.gold.is_some() && example.task.is_some_and(|own| own.id() == task)).collect()
    }

    /// The answered items of a task, and those of other years' tasks that ask the same, turned into items of this one; each text once.
    pub fn merged(&self, task: &'static dyn Task) -> Vec<Merged<'m>> {
        sister::merged(self, task)
    }

    /// A smaller part: the groups of this one that `keep` accepts.
    #[must_use]
    pub fn only(&self, keep: impl Fn(u32) -> bool) -> Part<'m> {
        let both = |group: u32| self.has(group) && keep(group);
        Part { material: self.material, keep: (0..self.keep.len() as u32).map(both).collect() }
    }

    /// How many origin groups the material has, held by this part or not.
    pub fn groups(&self) -> usize {
        self.keep.len()
    }
}

/// An item of one task, perhaps made from another year's.
#[derive(Clone, Debug)]
pub struct Merged<'m> {
    /// The item.
    pub item: std::borrow::Cow<'m, Item>,
    /// Its origin group.
    pub group: u32,
    /// Words that stand in place of an original's.
    pub replaced: Option<&'m [Replacement]>,
}
