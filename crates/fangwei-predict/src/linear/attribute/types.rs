//! Which types of reasons a passage has: a sparse regression over what stands around the suspicious words, and trees that see what it says
//! together with what the guesses look like. Both give chances of whole sets of types, because A, B and C seldom stand together.

use rayon::prelude::*;

use super::traits::{Case, NUMBERS};
use crate::folds;
use crate::job::{Keep, Stage};
use crate::learn::boost::{Boost, Boosting, Loss, Rows};
use crate::learn::linear::{Examples, Linear, Target};
use crate::learn::{Training, unwatched};
use crate::predictor::PredictError;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Sets of types: each number below 8 is one, bit by bit.
pub const SETS: usize = 8;

/// Folds in which the sparse model answers for passages that it has not seen, for the trees to learn from.
const INNER: usize = 4;
/// Sets seen less often have no trees of their own.
const LEAST: usize = 20;
/// How much the trees count against the sparse model.
const TREES: f32 = 0.6;

const TRAINING: Training = Training { epochs: 15, batch: 16, rate: 0.1, l2: 250.0, min_count: 3, prune: 1e-3, seed: 0 };

const BOOSTING: Boosting = Boosting {
    trees: 110,
    rate: 0.03,
    leaves: 6,
    depth: 4,
    min_child_weight: 3.0,
    min_gain: 0.0,
    l2: 5.0,
    row_share: 0.7,
    column_share: 0.4,
    bins: 64,
    seed: 0,
};

/// Columns of the trees: the numbers of a passage, then what the sparse model says of each set.
const COLUMNS: usize = NUMBERS + SETS - 1;

/// The chances of sets of types.
#[derive(Clone, Debug)]
pub struct Types {
    sparse: Linear,
    /// One for each set but the empty one; none for rare ones.
    trees: Vec<Option<Boost>>,
}

/// A passage to learn from.
#[derive(Debug)]
pub struct Lesson {
    /// Its origin group.
    pub group: u32,
    /// The set of its types.
    pub set: usize,
    keys: Vec<(u32, f32)>,
    numbers: [f32; NUMBERS],
}

impl Lesson {
    /// A passage that has these types.
    pub fn new(case: &Case<'_>, group: u32, set: usize) -> Lesson {
        Lesson { group, set, keys: case.keys(), numbers: case.numbers() }
    }
}

fn sparse(lessons: &[&Lesson], seed: u64) -> Linear {
    let mut examples = Examples::new(SETS);
    for lesson in lessons {
        examples.push_valued(&lesson.keys, Target::Class(lesson.set), 1.0);
    }
    Linear::train(&examples, &Training { seed, ..TRAINING }, &mut unwatched).0
}

fn row(numbers: &[f32; NUMBERS], said: &[f32]) -> [f32; COLUMNS] {
    let mut row = [0.0; COLUMNS];
    row[..NUMBERS].copy_from_slice(numbers);
    row[NUMBERS..].iter_mut().zip(&said[1..]).for_each(|(column, said)| *column = said.max(-9.0));
    row
}

impl Types {
    /// Learns from passages, of `groups` origin groups at most; those without any type do not count.
    pub fn train(stage: &Stage<'_>, lessons: &[Lesson], groups: usize, seed: u64) -> Result<Types, PredictError> {
        let lessons: Vec<&Lesson> = lessons.iter().filter(|lesson| lesson.set > 0).collect();
        let mut sizes = vec![0; groups];
        for lesson in &lessons {
            sizes[lesson.group as usize] += 1;
        }
        let fold_of = folds::deal(&sizes, INNER, seed ^ 0x7e5);
        let fold = |lesson: &Lesson| fold_of[lesson.group as usize];
        let inner: Vec<Linear> = (0..INNER)
            .into_par_iter()
            .map(|held| {
                let seen: Vec<&Lesson> = lessons.iter().copied().filter(|lesson| fold(lesson) != held).collect();
                sparse(&seen, seed)
            })
            .collect();
        stage.finish()?;
        let rows: Vec<[f32; COLUMNS]> = lessons
            .par_iter()
            .map(|lesson| row(&lesson.numbers, &inner[fold(lesson)].log_probabilities_valued(&lesson.keys)))
            .collect();
        let trees = (1..SETS).into_par_iter().map(|set| {
            let mut examples = Rows::new(COLUMNS);
            for (row, lesson) in rows.iter().zip(&lessons) {
                examples.push(row, f32::from(u8::from(lesson.set == set)), 1.0);
            }
            let often = lessons.iter().filter(|lesson| lesson.set == set).count() >= LEAST;
            often.then(|| Boost::train(&examples, Loss::Logistic, &Boosting { seed, ..BOOSTING }, &mut unwatched).0)
        });
        let trees = trees.collect();
        stage.finish()?;
        Ok(Types { sparse: sparse(&lessons, seed), trees })
    }

    /// The chance of each set; they sum to 1, and the empty one has none.
    pub fn chances(&self, case: &Case<'_>) -> [f64; SETS] {
        self.of(&case.keys(), &case.numbers())
    }

    fn of(&self, keys: &[(u32, f32)], numbers: &[f32; NUMBERS]) -> [f64; SETS] {
        let said = self.sparse.log_probabilities_valued(keys);
        let row = row(numbers, &said);
        let mut chances = [0.0; SETS];
        for (set, chance) in chances.iter_mut().enumerate().skip(1) {
            let log = match &self.trees[set - 1] {
                // Log-odds to the logarithm of a chance.
                Some(trees) => TREES * -(-trees.score(&row)).exp().ln_1p() + (1.0 - TREES) * said[set],
                None => said[set],
            };
            *chance = f64::from(log).exp();
        }
        let total = chances.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        chances.map(|chance| chance / total)
    }
}

impl Keep for Types {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.sparse.save(&mut out.scope("sparse"));
        out.put("there", &self.trees.iter().map(|trees| u32::from(trees.is_some())).collect::<Vec<_>>());
        for (set, trees) in self.trees.iter().enumerate() {
            if let Some(trees) = trees {
                trees.save(&mut out.scope(&format!("trees-{}", set + 1)));
            }
        }
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Types, PredictError> {
        let there = from.get::<u32>("there")?;
        if there.len() != SETS - 1 {
            return Err(from.unfit("there", SETS - 1, there.len()).into());
        }
        let trees = |(set, there): (usize, &u32)| {
            (*there == 1).then(|| Boost::load(&from.scope(&format!("trees-{}", set + 1)))).transpose()
        };
        let sparse = Linear::load(&from.scope("sparse"))?;
        let width = sparse.log_probabilities_valued(&[]).len();
        if width != SETS {
            return Err(from.unfit("sparse", format!("{SETS} sets"), width).into());
        }
        Ok(Types { sparse, trees: there.iter().enumerate().map(trees).collect::<Result<_, _>>()? })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use super::*;
    use crate::job::{Curve, Job, Unwatched};
    use crate::options::Options;
    use crate::weights::{Weights, Writer};

    /// A word tells A from C; a number that no word knows of tells B.
    fn lesson(number: u32) -> Lesson {
        let set = [1, 4, 2][number as usize % 3];
        let mut numbers = [f32::NAN; NUMBERS];
        numbers[0] = if set == 2 { 5.0 } else { 1.0 };
        Lesson { group: number / 3, set, keys: vec![(if set == 1 { 7 } else { 8 }, 1.0)], numbers }
    }

    fn trained(lessons: &[Lesson]) -> Types {
        let options = Options::new(&[], []).expect("no options");
        let curves: Mutex<BTreeMap<String, Curve>> = Mutex::default();
        let task = fangwei::tasks::find("2022/attribute").expect("a task");
        let job = Job::new(task, 1, &options, None, &Unwatched, &curves);
        job.stage("types", |stage| Types::train(stage, lessons, 200, 1)).expect("learns")
    }

    #[test]
    fn words_and_numbers_tell_the_types() {
        let lessons: Vec<Lesson> = (0..600).map(lesson).collect();
        let types = trained(&lessons);
        for lesson in &lessons[..3] {
            let chances = types.of(&lesson.keys, &lesson.numbers);
            let likeliest = (0..SETS).max_by(|a, b| chances[*a].total_cmp(&chances[*b]));
            assert_eq!(likeliest, Some(lesson.set), "{chances:?}");
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        let mut writer = Writer::new();
        types.put(&mut writer.scope("types")).expect("kept");
        let path = std::env::temp_dir().join(format!("fangwei-types-{}.fw", std::process::id()));
        writer.write(&path).expect("written");
        let again = Types::get(&Weights::open(&path).expect("open").scope("types")).expect("read");
        std::fs::remove_file(&path).ok();
        assert_eq!(again.of(&lessons[0].keys, &lessons[0].numbers), types.of(&lessons[0].keys, &lessons[0].numbers));
    }

    #[test]
    fn too_little_to_learn_from_gives_chances_all_the_same() {
        let types = trained(&[lesson(1)]);
        let chances = types.of(&[], &[f32::NAN; NUMBERS]);
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9 && chances[0] == 0.0, "{chances:?}");
    }
}
