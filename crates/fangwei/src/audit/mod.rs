//! Audit: what a dataset gives away. Looks across any number of files, tasks and years for texts of one origin, and for labels that can be guessed without reading.
//!
//! The way: texts of one origin are grouped by shared five-character sequences ([`crate::origin`]); within a group, texts that differ by short replacements are
//! aligned character by character, and the majority at each place is the original; so the replaced words are known, and with them how labels lean
//! on words. Shortcuts learn these leanings on some origins and are tried on the others.

mod align;
mod crossing;
mod input;
mod kin;
mod labels;
mod original;
mod pool;
mod render;
mod shortcut;
mod skew;
mod texts;
mod word;

pub use crossing::Crossing;
pub use input::Dataset;
pub use original::{Originals, Replacement};
pub use shortcut::{Shortcut, Statement};
pub use skew::{KindSkew, PairSkew};
pub use texts::{Texts, WrongGroups};
pub use word::is_spatial_word;

use serde::Serialize;
use serde_json::{Value, json};

use crate::lang::Lang;
use crate::record::{Code, Defect, Severity};
use pool::Pool;

/// How to audit; together with the files it fixes every digit of the result.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// Seed of folds and resamples.
    pub seed: u64,
    /// Number of folds, from 2.
    pub folds: usize,
    /// Whether a string is a word, to widen differing characters to words.
    pub is_word: &'o (dyn Fn(&str) -> bool + Sync),
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { seed: 2023, folds: 10, is_word: &is_spatial_word }
    }
}

/// A file of an audit.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FileSummary {
    /// The file, as it was named.
    pub file: String,
    /// Its task, where the records tell it.
    pub task: Option<&'static str>,
    /// How many records it has.
    pub records: u64,
    /// How many items could be read.
    pub items: u64,
    /// How many of them have an answer.
    pub answered: u64,
    /// How many origin groups they belong to.
    pub groups: u64,
    /// How many of its records have errors.
    pub errors: u64,
}

/// The origin groups of all files together.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GroupSummary {
    /// How many groups there are.
    pub count: u64,
    /// How many items they hold.
    pub items: u64,
    /// How many distinct texts those have.
    pub texts: u64,
    /// How many groups lie in more than one file.
    pub crossing: u64,
    /// Items whose text stands in another file, character for character.
    pub verbatim_items: u64,
    /// Other items that have a sibling in another file.
    pub sibling_items: u64,
    /// Texts of the largest group.
    pub largest: u64,
    /// How many groups have 1, 2, 3, 4, 5 to 9, and 10 or more texts.
    pub sizes: [u64; 6],
    /// How the originals of aligned sets were found.
    pub originals: Originals,
}

/// What an audit found.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The files, in the order given.
    pub files: Vec<FileSummary>,
    /// The origin groups.
    pub groups: GroupSummary,
    /// Pairs of files with something in common.
    pub crossing: Vec<Crossing>,
    /// Labels by replaced pair, most frequent first.
    pub pairs: Vec<PairSkew>,
    /// Labels by word, number of replacements, length and genre.
    pub skew: Vec<KindSkew>,
    /// What shortcuts earn.
    pub shortcuts: Vec<Shortcut>,
    /// How much of each task needs no understanding.
    pub statements: Vec<Statement>,
    /// Malformed records, duplicates and contradictions.
    pub defects: Vec<Defect>,
}

/// The words of each text that stand in place of an original's, per file, item and text, inferred from siblings with the help of labels; `None` where the
/// original is not known. This is what a learner may know of its training data, and nobody of the items that are to be answered.
pub fn replaced(files: &[Dataset]) -> Vec<Vec<Vec<Option<Vec<Replacement>>>>> {
    let pool = Pool::of(files);
    let kinships = original::kinships(&pool);
    let (replaced, _) = original::replacements(&pool, &kinships, &original::known(&pool), &is_spatial_word);
    let of_item = |texts: &smallvec::SmallVec<[u32; 2]>| texts.iter().map(|text| replaced[*text as usize].clone()).collect();
    pool.of.iter().map(|items| items.iter().map(of_item).collect()).collect()
}

/// Audits files together.
pub fn audit(files: &[Dataset], options: &Options<'_>) -> Audit {
    audit_pool(&Pool::of(files), options)
}

/// Audits files whose texts were grouped elsewhere: `groups` has the number of each text's group, as [`crate::origin::numbers`] gives it.
pub fn audit_grouped(texts: Texts<'_>, groups: Vec<u32>, options: &Options<'_>) -> Result<Audit, WrongGroups> {
    texts.check(&groups)?;
    Ok(audit_pool(&Pool::new(texts, groups), options))
}

fn audit_pool(pool: &Pool<'_>, options: &Options<'_>) -> Audit {
    let kinships = original::kinships(pool);
    let known = original::known(pool);
    let (replaced, originals) = original::replacements(pool, &kinships, &known, options.is_word);
    let (pairs, skew) = skew::skew(pool, &skew::judged(pool), &replaced);
    // What guesses labels must not have seen them.
    let (unlabelled, _) = original::replacements(pool, &kinships, &original::without_labels(&known), options.is_word);
    let (shortcuts, statements) = shortcut::shortcuts(pool, &unlabelled, options);
    let files = pool.files;
    let mut defects: Vec<Defect> = files.iter().flat_map(|set| set.defects.iter().cloned()).collect();
    defects.extend(labels::labels(pool));
    Audit {
        files: files.iter().enumerate().map(|(number, set)| summary(pool, number, set)).collect(),
        groups: groups(pool, originals),
        crossing: crossing::crossing(pool),
        pairs,
        skew,
        shortcuts,
        statements,
        defects,
    }
}

fn summary(pool: &Pool<'_>, number: usize, set: &Dataset) -> FileSummary {
    let mut groups: Vec<u32> = pool.of[number].iter().flatten().map(|text| pool.group[*text as usize]).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut wrong: Vec<u64> =
        set.defects.iter().filter(|defect| defect.severity() == Severity::Error).map(|defect| defect.line).collect();
    wrong.dedup();
    FileSummary {
        file: set.name.to_string(),
        task: set.task.map(crate::task::Task::id),
        records: set.records,
        items: set.items.len() as u64,
        answered: set.items.iter().filter(|item| item.gold.is_some()).count() as u64,
        groups: groups.len() as u64,
        errors: wrong.len() as u64,
    }
}

fn groups(pool: &Pool<'_>, originals: Originals) -> GroupSummary {
    let members = pool.members();
    let mut sizes = [0; 6];
    for group in &members {
        let class = match group.len() {
            0..=4 => group.len().saturating_sub(1),
            5..=9 => 4,
            _ => 5,
        };
        sizes[class] += 1;
    }
    // The files of each group, each once.
    let mut files: Vec<Vec<usize>> = vec![Vec::new(); pool.groups];
    for (text, group) in pool.group.iter().enumerate() {
        files[*group as usize].extend(pool.places[text].iter().map(|place| place.file));
    }
    for files in &mut files {
        files.sort_unstable();
        files.dedup();
    }
    let (mut verbatim_items, mut sibling_items) = (0, 0);
    for (file, items) in pool.of.iter().enumerate() {
        for texts in items {
            let there = |text: &u32| pool.places[*text as usize].iter().any(|place| place.file != file);
            if texts.iter().any(there) {
                verbatim_items += 1;
            } else if texts.iter().any(|text| files[pool.group[*text as usize] as usize].len() > 1) {
                sibling_items += 1;
            }
        }
    }
    GroupSummary {
        count: pool.groups as u64,
        items: pool.files.iter().map(|set| set.items.len() as u64).sum(),
        texts: pool.texts.len() as u64,
        crossing: files.iter().filter(|files| files.len() > 1).count() as u64,
        verbatim_items,
        sibling_items,
        largest: members.iter().map(Vec::len).max().unwrap_or(0) as u64,
        sizes,
        originals,
    }
}

impl Audit {
    /// Defects of single records: malformed ones, errors only.
    pub fn malformed(&self) -> usize {
        let of_items = [Code::DuplicateItem, Code::ContradictoryGold];
        let malformed = |defect: &&Defect| defect.severity() == Severity::Error && !of_items.contains(&defect.code);
        self.defects.iter().filter(malformed).count()
    }

    /// Items that occur twice in a file.
    pub fn duplicates(&self) -> usize {
        self.defects.iter().filter(|defect| defect.code == Code::DuplicateItem).count()
    }

    /// Answers that contradict others.
    pub fn contradictions(&self) -> usize {
        self.defects.iter().filter(|defect| defect.code == Code::ContradictoryGold).count()
    }

    /// The whole audit as JSON; words of defects in one language.
    pub fn to_json(&self, lang: Lang) -> Value {
        json!({
            "files": self.files,
            "groups": self.groups,
            "crossing": self.crossing,
            "pairs": self.pairs,
            "skew": self.skew,
            "shortcuts": self.shortcuts,
            "statements": self.statements,
            "defects": self.defects.iter().map(|defect| json!(defect.in_lang(lang))).collect::<Vec<_>>(),
        })
    }
}
