//! Roles in matched tuples: how 2022/roles and 2023/roles hold two lists of tuples against each other.
//!
//! Both years' tuples are seen alike: a list of [`Cell`]s, each a role with a label, a fragment or both. Every gold tuple is held against every predicted one, the
//! best matching is taken, and precision and recall are what it earns out of either side.

mod align;
mod cell;
mod forms;

pub use align::align;
pub use cell::{Cell, cells_of_elements, cells_of_slots};

use super::assign::assign;
use super::fragments::Prf;
use super::{f1, ratio};
use crate::answer::Part;
use crate::lang::{Words, words};
use crate::task::MentionSets;
use cell::Piece;
use forms::{Form, forms};

/// The entity that is somewhere.
pub const ENTITY: &str = "空间实体";
/// The entity that it is near to or far from.
pub const REFERENCE: &str = "参照实体";
/// The role with a fragment, a label or both.
pub const TIME: &str = "时间";

/// More tuples than this are taken for an attack by the official scripts.
pub const MOST_TUPLES: usize = 100;

/// The choices in which the scripts and the texts differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TupleRules {
    /// Similarity is the Jaccard index; else F1.
    pub jaccard: bool,
    /// A text is the set of its characters; else repeats count.
    pub characters_once: bool,
    /// A mention belongs to the first coreference set that has it, and only one mention of an entity is replaced; else every set and every combination.
    pub plain_coreference: bool,
    /// A pair earns the mean over its roles and an item is counted in tuples; else a pair earns the sum and an item is counted in roles.
    pub mean_over_roles: bool,
    /// A pair in which the prediction lacks 空间实体 earns nothing.
    pub entity_needed: bool,
    /// A pair in which only one side has 参照实体 earns nothing.
    pub reference_on_both: bool,
    /// Of a repeated role the best copy counts, unless an entity's copy misses; else the first.
    pub best_copy: bool,
    /// A label or fragment that gold lacks is an error in 时间 only; else in any role.
    pub extra_part_free: bool,
    /// More than a hundred tuples earn nothing.
    pub hundred_at_most: bool,
    /// An item without gold tuples earns nothing even if the prediction has none; else such agreement is right.
    pub empty_is_wrong: bool,
}

/// A gold tuple with the forms of its entities.
struct Wanted<'c> {
    cells: &'c [Cell],
    forms: Vec<Option<Vec<Form>>>,
}

impl<'c> Wanted<'c> {
    fn new(cells: &'c [Cell], corefs: &MentionSets, rules: TupleRules) -> Wanted<'c> {
        let forms =
            cells.iter().map(|cell| cell.fragment.value().filter(|_| cell.is_entity()).map(|piece| forms(piece, corefs, rules)));
        Wanted { cells, forms: forms.collect() }
    }
}

fn similarity(common: usize, a: usize, b: usize, rules: TupleRules) -> f64 {
    if rules.jaccard { ratio(common as f64, (a + b - common) as f64) } else { ratio(2.0 * common as f64, (a + b) as f64) }
}

/// The best similarity of a predicted entity with a form of the gold one, and the number of that form.
fn entity_similarity(pred: &Piece, forms: &[Form], rules: TupleRules) -> (f64, usize) {
    let (mut best, mut used) = (0.0, 0);
    for (number, form) in forms.iter().enumerate() {
        let common = pred.places.overlap(&form.places);
        let value = similarity(common, pred.places.len(), form.places.len(), rules);
        if value > best {
            (best, used) = (value, number);
        }
    }
    (best, used)
}

/// How many characters two sorted lists have in common, repeats counted.
fn common_characters(a: &[char], b: &[char]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    common
}

/// What a role earned: its score, the form of the entity that was used, and whether an entity missed wholly.
#[derive(Clone, Copy, Default)]
struct Earned {
    score: f64,
    form: usize,
    missed: bool,
}

/// Holds a predicted role against the gold role of the same name.
fn element(gold: &Cell, forms: Option<&[Form]>, pred: &Cell, rules: TupleRules) -> Earned {
    let (mut sum, mut parts, mut earned) = (0.0, 0, Earned::default());
    let extra_counts = !rules.extra_part_free || gold.role == TIME;
    if gold.label.is_given() {
        parts += 1;
        if let (Part::Value(want), Part::Value(have)) = (&gold.label, &pred.label) {
            sum += f64::from(u8::from(want == have));
        }
    } else if pred.label.is_given() && extra_counts {
        parts += 1;
    }
    if gold.fragment.is_given() {
        parts += 1;
        if let (Part::Value(want), Part::Value(have)) = (&gold.fragment, &pred.fragment) {
            if let Some(forms) = forms {
                let (value, form) = entity_similarity(have, forms, rules);
                sum += value;
                earned.form = form;
                earned.missed = value == 0.0;
            } else {
                let common = common_characters(&want.characters, &have.characters);
                sum += similarity(common, want.characters.len(), have.characters.len(), rules);
            }
        }
    } else if pred.fragment.is_given() && extra_counts {
        parts += 1;
    }
    earned.score = ratio(sum, f64::from(parts));
    earned
}

/// What is done with the roles of a pair on the way.
trait Watch<'c> {
    /// Whether the rest of the roles is of no interest once the pair has failed.
    const HURRIED: bool;

    /// Sees a role of either side with what it earned, even where the pair as a whole earns nothing.
    fn see(&mut self, want: Option<&'c Cell>, have: Option<&'c Cell>, earned: Earned, forms: Option<&[Form]>);
}

/// Only the score is wanted.
struct Nobody;

impl<'c> Watch<'c> for Nobody {
    const HURRIED: bool = true;

    fn see(&mut self, _: Option<&'c Cell>, _: Option<&'c Cell>, _: Earned, _: Option<&[Form]>) {}
}

const MISSED: Words = words("实体完全不匹配，元组计零分", "the entity misses wholly: the tuple earns 0");
const NO_ENTITY: Words = words("预测没有空间实体，元组计零分", "no 空间实体 was predicted: the tuple earns 0");
const ONE_SIDED: Words = words("只有一方有参照实体，元组计零分", "only one side has 参照实体: the tuple earns 0");

/// Holds a predicted tuple against a gold one; an error says why the pair earns nothing.
fn pair<'c, W: Watch<'c>>(gold: &Wanted<'c>, pred: &'c [Cell], rules: TupleRules, watch: &mut W) -> Result<f64, Words> {
    let (mut sum, mut roles, mut failed) = (0.0, 0_u32, None);
    for (want, forms) in gold.cells.iter().zip(&gold.forms) {
        if let (true, Some(why)) = (W::HURRIED, failed) {
            return Err(why);
        }
        if !want.first && !rules.best_copy {
            // Gold repeats no role; where it does, its first occurrence counts, as in a prediction.
            watch.see(Some(want), None, Earned::default(), None);
            continue;
        }
        roles += 1;
        let forms = forms.as_deref();
        let copies = pred.iter().filter(|have| have.role == want.role);
        let mut best: Option<(&Cell, Earned)> = None;
        for have in copies.take(if rules.best_copy { usize::MAX } else { 1 }) {
            let earned = element(want, forms, have, rules);
            if earned.missed {
                failed = failed.or(Some(MISSED));
            }
            if best.is_none_or(|(_, known)| earned.score > known.score) {
                best = Some((have, earned));
            }
        }
        let has_fragment = best.is_some_and(|(have, _)| have.fragment.value().is_some());
        if want.role == ENTITY && !has_fragment && rules.entity_needed {
            failed = failed.or(Some(NO_ENTITY));
        }
        if want.role == REFERENCE && best.is_none() && rules.reference_on_both {
            failed = failed.or(Some(ONE_SIDED));
        }
        let (have, earned) = best.map_or((None, Earned::default()), |(have, earned)| (Some(have), earned));
        sum += earned.score;
        watch.see(Some(want), have, earned, forms);
    }
    for have in pred {
        if gold.cells.iter().any(|want| want.role == have.role) {
            continue;
        }
        if have.first {
            roles += 1;
        }
        if have.role == REFERENCE && rules.reference_on_both {
            failed = failed.or(Some(ONE_SIDED));
        }
        watch.see(None, Some(have), Earned::default(), None);
    }
    match failed {
        Some(why) => Err(why),
        None => Ok(if rules.mean_over_roles { ratio(sum, f64::from(roles)) } else { sum }),
    }
}

/// What an item earns, with the sums for pooled measures.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ItemScore {
    /// Precision, recall, F1 of the item.
    pub prf: Prf,
    /// What the matching earned.
    pub earned: f64,
    /// The size of the prediction: tuples or roles.
    pub pred: f64,
    /// The size of gold.
    pub gold: f64,
}

/// The size of one side of an item: its tuples, or its roles.
pub fn size(tuples: &[Vec<Cell>], rules: TupleRules) -> f64 {
    let size = if rules.mean_over_roles { tuples.len() } else { tuples.iter().map(Vec::len).sum() };
    size as f64
}

struct Matching {
    columns: Vec<Option<usize>>,
    scores: Vec<f64>,
}

fn matching(golds: &[Wanted<'_>], preds: &[Vec<Cell>], rules: TupleRules) -> Matching {
    let mut scores = Vec::with_capacity(golds.len() * preds.len());
    for gold in golds {
        scores.extend(preds.iter().map(|pred| pair(gold, pred, rules, &mut Nobody).unwrap_or(0.0)));
    }
    let columns = assign(golds.len(), preds.len(), |row, column| scores[row * preds.len() + column]);
    Matching { columns, scores }
}

/// Scores an item.
pub fn score(golds: &[Vec<Cell>], preds: &[Vec<Cell>], corefs: &MentionSets, rules: TupleRules) -> ItemScore {
    let (gold, pred) = (size(golds, rules), size(preds, rules));
    if golds.is_empty() && preds.is_empty() && !rules.empty_is_wrong {
        return ItemScore { prf: Prf { p: 1.0, r: 1.0, f: 1.0 }, earned: 0.0, pred, gold };
    }
    if rules.hundred_at_most && preds.len() > MOST_TUPLES {
        return ItemScore { prf: Prf::default(), earned: 0.0, pred, gold };
    }
    let golds: Vec<Wanted<'_>> = golds.iter().map(|cells| Wanted::new(cells, corefs, rules)).collect();
    let matching = matching(&golds, preds, rules);
    let pairs = matching.columns.iter().enumerate().filter_map(|(row, column)| Some((row, (*column)?)));
    let earned: f64 = pairs.map(|(row, column)| matching.scores[row * preds.len() + column]).sum();
    let (p, r) = (ratio(earned, pred), ratio(earned, gold));
    ItemScore { prf: Prf { p, r, f: f1(p, r) }, earned, pred, gold }
}
