//! Shots: examples with their answers, shown before the question; never a sibling of the asked item.
//!
//! They are chosen once for a run, so that all requests begin alike and servers can cache what they share. Where one of them is a sibling of the asked
//! item (the same origin, or near-identical text), another takes its place.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::prompt::{Plan, Prompt, Reply};
use super::write::write_reply;
use crate::chance::Dice;
use crate::lang::{Unknown, words};
use crate::origin::Grams;
use crate::record::{Json, Source};
use crate::score::{Facet, read_items};
use crate::task::{Item, Task, Texts};

/// How shots are chosen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// Those that the prompt file writes down.
    #[default]
    Own,
    /// These identifiers of the pool, in this order.
    Ids(Vec<SmolStr>),
    /// By chance, from a seed.
    Seeded,
    /// By chance from a seed, spread over the classes of these facets or fields (`genre`, `fragments`).
    Stratified(Vec<String>),
}

/// `own`, `ids 1-dev-3 1-dev-7`, `seeded`, `stratified genre fragments`; commas and a colon are as good as blanks.
impl std::str::FromStr for Choice {
    type Err = Unknown;

    fn from_str(text: &str) -> Result<Choice, Unknown> {
        let mut names = text.split([' ', ',', ':', '，']).filter(|name| !name.is_empty());
        Ok(match names.next().unwrap_or_default() {
            "own" => Choice::Own,
            "ids" => Choice::Ids(names.map(SmolStr::new).collect()),
            "seeded" => Choice::Seeded,
            "stratified" => Choice::Stratified(names.map(ToOwned::to_owned).collect()),
            other => {
                let what = words("没有这种选例方式", "unknown way of choosing shots");
                return Err(Unknown::new(what, other, ["own", "ids", "seeded", "stratified"]));
            }
        })
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Choice::Own => f.write_str("own"),
            Choice::Ids(ids) => write!(f, "ids {}", ids.join(" ")),
            Choice::Seeded => f.write_str("seeded"),
            Choice::Stratified(by) => write!(f, "stratified {}", by.join(" ")),
        }
    }
}

/// An example: what is asked about and what a good model would reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shot {
    /// The item's identifier; empty for shots that a prompt file writes down.
    pub qid: SmolStr,
    /// What is asked about.
    pub texts: Texts,
    /// The reply.
    pub reply: String,
}

/// Answered items from which shots are taken.
#[derive(Clone, Debug, Default)]
pub struct Pool(Vec<Item>);

impl Pool {
    /// The sample that comes with the program: a few items of every task, with their genres.
    pub fn shipped(task: &dyn Task) -> Pool {
        let sample = SAMPLE.iter().find(|(id, _)| *id == task.id()).map_or("", |(_, text)| text);
        let source = Source::from_bytes(task.id(), sample).ok();
        // A test reads every sample; one that could not be read would be an empty pool.
        let items = source.and_then(|source| read_items(task, source, true).ok());
        Pool::of(items.map(|(items, _)| items).unwrap_or_default())
    }

    /// Items of a train file; those without gold are left out.
    pub fn of(items: impl IntoIterator<Item = Item>) -> Pool {
        Pool(items.into_iter().filter(|item| item.gold.is_some()).collect())
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The items.
    pub fn items(&self) -> &[Item] {
        &self.0
    }
}

macro_rules! sample {
    ($($id:literal $file:literal),+ $(,)?) => {
        &[$(($id, include_str!(concat!("../../../../data/sample/", $file)))),+]
    };
}

const SAMPLE: &[(&str, &str)] = sample!(
    "2021/judge" "2021/judge/gold.json",
    "2021/reason" "2021/reason/gold.json",
    "2021/joint" "2021/joint/gold.json",
    "2022-draft/attribute" "2022-draft/attribute/gold.jsonl",
    "2022-draft/relations" "2022-draft/relations/gold.jsonl",
    "2022/judge" "2022/judge/gold.jsonl",
    "2022/attribute" "2022/attribute/gold.jsonl",
    "2022/roles" "2022/roles/gold.jsonl",
    "2023/anomaly" "2023/anomaly/gold.jsonl",
    "2023/roles" "2023/roles/gold.jsonl",
    "2023/scene" "gold/scene.jsonl",
);

/// Why the shots that were asked for cannot be had.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PoolError {
    /// Too few items.
    #[error("expected {wanted} shots of different origins, found {found} among {items} items with answers")]
    TooFew {
        /// How many shots were asked for.
        wanted: usize,
        /// How many there are.
        found: usize,
        /// How many items there are.
        items: usize,
    },
    /// No such item.
    #[error("no item {0} among those that shots are taken from")]
    NoSuchItem(SmolStr),
}

/// What tells whether items are siblings.
#[derive(Clone, Debug)]
struct Kin {
    origin: Option<String>,
    grams: Grams,
}

impl Kin {
    fn of(texts: &Texts, extra: &[(String, Json<'static>)]) -> Kin {
        let origin = extra.iter().find(|(name, _)| name == "origin").map(|(_, value)| value.to_line());
        Kin { origin, grams: Grams::of(&texts.joined()) }
    }

    fn is_sibling(&self, other: &Kin) -> bool {
        self.origin.is_some() && self.origin == other.origin || self.grams.near(&other.grams)
    }
}

/// An item of the pool, what tells its siblings, and the numbers of its classes by facet.
type Row = (Item, Kin, Vec<Vec<u32>>);

/// The shots of a run.
#[derive(Clone, Debug)]
pub struct Shots {
    task: &'static dyn Task,
    reply: Reply,
    plan: Plan,
    own: Vec<(Shot, Kin)>,
    /// The items of the pool in the order of chance, with what tells their siblings and their classes.
    pool: Arc<Vec<Row>>,
    /// The numbers of those that were chosen.
    chosen: Vec<usize>,
}

impl Shots {
    /// Chooses by the prompt's plan.
    pub fn new(task: &'static dyn Task, prompt: &Prompt, pool: Pool, seed: u64) -> Result<Shots, PoolError> {
        let (reply, plan) = (prompt.reply, prompt.plan.clone());
        let own = match plan.choice {
            Choice::Own => prompt.own.iter().map(|shot| (shot.clone(), Kin::of(&shot.texts, &[]))).collect(),
            _ => Vec::new(),
        };
        let mut shots = Shots { task, reply, plan, own, pool: Arc::default(), chosen: Vec::new() };
        let mut items = match shots.plan.choice {
            Choice::Own => Vec::new(),
            _ => pool.0,
        };
        if let Choice::Ids(ids) = &shots.plan.choice {
            items = named(&items, ids)?;
            shots.plan.count = items.len();
        } else {
            Dice::new(seed, 7).shuffle(&mut items);
        }
        let (found, wanted) = (items.len(), shots.plan.count);
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let facets: Vec<Facet> = match &shots.plan.choice {
            Choice::Stratified(names) => names.iter().map(|name| Facet::parse(name, task)).collect(),
            _ => Vec::new(),
        };
        let mut row = |item: Item| {
            let mut number = |class: String| {
                let next = numbers.len() as u32;
                *numbers.entry(class).or_insert(next)
            };
            let classes = facets
                .iter()
                .enumerate()
                .map(|(facet, by)| by.classes(task, &item).iter().map(|class| number(format!("{facet} {class}"))).collect());
            let classes = classes.collect();
            let kin = Kin::of(&item.texts, &item.extra);
            (item, kin, classes)
        };
        shots.pool = Arc::new(items.into_iter().map(&mut row).collect());
        if shots.plan.choice != Choice::Own {
            let named = matches!(shots.plan.choice, Choice::Ids(_));
            shots.chosen = if named { (0..found).collect() } else { shots.choose(Vec::new(), None) };
            if shots.chosen.len() < wanted {
                return Err(PoolError::TooFew { wanted, found: shots.chosen.len(), items: found });
            }
        }
        Ok(shots)
    }

    /// The shots for an item. Where the pool has no other to take a sibling's place, there is one less.
    pub fn of(&self, item: &Item) -> Vec<Shot> {
        let asked = Kin::of(&item.texts, &item.extra);
        if self.plan.choice == Choice::Own {
            return self.own.iter().filter(|(_, kin)| !kin.is_sibling(&asked)).map(|(shot, _)| shot.clone()).collect();
        }
        let mut kept = self.chosen.clone();
        kept.retain(|number| !self.pool[*number].1.is_sibling(&asked));
        if kept.len() < self.chosen.len() && !matches!(self.plan.choice, Choice::Ids(_)) {
            kept = self.choose(kept, Some(&asked));
        }
        let shot = |number: usize| {
            let (item, ..) = &self.pool[number];
            let reply = write_reply(self.task, self.reply, item);
            Shot { qid: item.qid.clone(), texts: item.texts.clone(), reply }
        };
        kept.into_iter().map(shot).collect()
    }

    /// Adds to `chosen` until there are enough: each time the item whose classes were shown least, the first by chance among equals.
    fn choose(&self, mut chosen: Vec<usize>, asked: Option<&Kin>) -> Vec<usize> {
        let mut shown: FxHashMap<u32, f64> = FxHashMap::default();
        let count = |shown: &mut FxHashMap<u32, f64>, number: usize| {
            for class in self.pool[number].2.iter().flatten() {
                *shown.entry(*class).or_default() += 1.0;
            }
        };
        for number in &chosen {
            count(&mut shown, *number);
        }
        while chosen.len() < self.plan.count {
            let mut best: Option<(f64, usize)> = None;
            for (number, (_, kin, classes)) in self.pool.iter().enumerate() {
                // A class that was never shown is worth more than any number of classes that were. The mean, not the sum: an item of many classes
                // shows the common ones once more, and models copy what they are shown.
                let new = |class: &u32| 100_f64.powf(-shown.get(class).copied().unwrap_or_default());
                let mean = |classes: &Vec<u32>| classes.iter().map(new).sum::<f64>() / classes.len().max(1) as f64;
                let worth: f64 = classes.iter().map(mean).sum();
                if best.is_some_and(|(most, _)| worth <= most) {
                    continue;
                }
                let near = |other: &usize| *other == number || self.pool[*other].1.is_sibling(kin);
                if !chosen.iter().any(near) && !asked.is_some_and(|asked| asked.is_sibling(kin)) {
                    best = Some((worth, number));
                }
            }
            let Some((_, number)) = best else { break };
            count(&mut shown, number);
            chosen.push(number);
        }
        chosen
    }
}

/// The items with these identifiers.
fn named(items: &[Item], ids: &[SmolStr]) -> Result<Vec<Item>, PoolError> {
    let find = |id: &SmolStr| items.iter().find(|item| item.qid == *id).cloned();
    ids.iter().map(|id| find(id).ok_or_else(|| PoolError::NoSuchItem(id.clone()))).collect()
}
