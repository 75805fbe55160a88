//! Roles in matched tuples: how 2022/roles and 2023/roles hold two lists of tuples against each other.
//!
//! Both years' tuples are seen alike: a list of [`Cell`]s, each a role with a label, a fragment or both. Every gold tuple is held against every predicted one, the
//! best matching is taken, and precision and recall are what it earns out of either side.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use smol_str::SmolStr;

use super::align::{Alignment, Pair, RoleRow, Side};
use super::assign::assign;
use super::fragments::Prf;
use super::{f1, ratio};
use crate::answer::{Element, Fragment, Part, Slot};
use crate::lang::{Say, Words, words};
use crate::task::MentionSets;
use crate::text::{IdxSet, Span};

/// The entity that is somewhere.
pub const ENTITY: &str = "空间实体";
/// The entity that it is near to or far from.
pub const REFERENCE: &str = "参照实体";
/// The role with a fragment, a label or both.
pub const TIME: &str = "时间";

/// More tuples than this are taken for an attack by the official scripts.
pub const MOST_TUPLES: usize = 100;

/// At most so many forms of an entity are tried under coreference.
const MOST_FORMS: usize = 256;

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

/// A role of a tuple, ready to be compared.
#[derive(Clone, Debug)]
pub struct Cell {
    role: SmolStr,
    label: Part<SmolStr>,
    fragment: Part<Piece>,
    /// Whether no cell before it in its tuple has its role.
    first: bool,
}

/// A fragment, ready to be compared.
#[derive(Clone, Debug)]
struct Piece {
    text: SmolStr,
    span: Span,
    places: IdxSet,
    /// Sorted characters.
    characters: SmallVec<[char; 8]>,
}

impl Cell {
    fn is_entity(&self) -> bool {
        self.role == ENTITY || self.role == REFERENCE
    }
}

impl Piece {
    fn new(fragment: &Fragment, rules: TupleRules) -> Piece {
        let mut characters: SmallVec<[char; 8]> = fragment.text.chars().collect();
        characters.sort_unstable();
        if rules.characters_once {
            characters.dedup();
        }
        Piece { text: fragment.text.clone(), span: fragment.span.clone(), places: fragment.span.to_set(), characters }
    }
}

/// Marks the first cell of each role.
fn mark_first(mut cells: Vec<Cell>) -> Vec<Cell> {
    let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
    for number in 0..cells.len() {
        // A tuple has few roles, unless it is an attack.
        cells[number].first = if cells.len() <= 32 {
            cells[..number].iter().all(|before| before.role != cells[number].role)
        } else {
            seen.insert(cells[number].role.clone())
        };
    }
    cells
}

/// A tuple of 2023 as cells.
pub fn cells_of_elements(tuple: &[Element], rules: TupleRules) -> Vec<Cell> {
    let cell = |element: &Element| Cell {
        role: element.role.clone(),
        label: element.label.clone(),
        fragment: match &element.fragment {
            Part::Absent => Part::Absent,
            Part::Unusable => Part::Unusable,
            Part::Value(fragment) => Part::Value(Piece::new(fragment, rules)),
        },
        first: true,
    };
    mark_first(tuple.iter().map(cell).collect())
}

/// A tuple of 2022 as cells: each slot that is not empty is a role of its own. In a tuple of the wrong length no slot has a meaning, so none can match.
pub fn cells_of_slots(tuple: &[Slot], names: &[&'static str], rules: TupleRules) -> Vec<Cell> {
    let sound = tuple.len() == names.len();
    let cell = |(number, slot): (usize, &Slot)| {
        let (label, fragment) = match slot {
            Slot::Empty => return None,
            Slot::Label(label) => (Part::Value(label.clone()), Part::Absent),
            Slot::Fragment(fragment) => (Part::Absent, Part::Value(Piece::new(fragment, rules))),
            Slot::Unusable => (Part::Unusable, Part::Absent),
        };
        let role = names.get(number).filter(|_| sound).copied().unwrap_or("?");
        Some(Cell { role: SmolStr::new_static(role), label, fragment, first: true })
    };
    mark_first(tuple.iter().enumerate().filter_map(cell).collect())
}

/// A form of a gold entity under coreference: its places, and which mention was replaced by which.
struct Form {
    places: IdxSet,
    replaced: Vec<(Fragment, Fragment)>,
}

/// The forms that a gold entity may take, itself first.
fn forms(entity: &Piece, corefs: &MentionSets, rules: TupleRules) -> Vec<Form> {
    let mut forms = vec![Form { places: entity.places.clone(), replaced: Vec::new() }];
    if !rules.plain_coreference {
        combine(&mut forms, &entity.places, &IdxSet::default(), corefs, 0, &mut Vec::new());
        return forms;
    }
    let mut seen: Vec<&Span> = Vec::new();
    for set in corefs {
        for mention in set {
            if seen.contains(&&mention.span) {
                continue;
            }
            seen.push(&mention.span);
            let places = mention.span.to_set();
            if places.is_subset(&entity.places) {
                let rest = entity.places.minus(&places);
                forms.extend(set.iter().map(|other| Form {
                    places: other.span.to_set().union(&rest),
                    replaced: vec![(mention.clone(), other.clone())],
                }));
            }
        }
    }
    forms
}

/// Every choice of disjoint mentions within `open`, each replaced by every member of its set.
fn combine(
    forms: &mut Vec<Form>,
    open: &IdxSet,
    filled: &IdxSet,
    corefs: &MentionSets,
    from: usize,
    replaced: &mut Vec<(Fragment, Fragment)>,
) {
    let mentions = corefs.iter().flat_map(|set| set.iter().map(move |mention| (set, mention)));
    for (number, (set, mention)) in mentions.enumerate().skip(from) {
        let places = mention.span.to_set();
        if places.is_empty() || !places.is_subset(open) {
            continue;
        }
        let rest = open.minus(&places);
        for other in set.iter().filter(|other| other.span != mention.span) {
            if forms.len() >= MOST_FORMS {
                return;
            }
            let filled = filled.union(&other.span.to_set());
            replaced.push((mention.clone(), other.clone()));
            forms.push(Form { places: filled.union(&rest), replaced: replaced.clone() });
            combine(forms, &rest, &filled, corefs, number + 1, replaced);
            replaced.pop();
        }
    }
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

/// The rows of an alignment are wanted.
struct Writer(Vec<RoleRow>);

impl<'c> Watch<'c> for Writer {
    const HURRIED: bool = false;

    fn see(&mut self, want: Option<&'c Cell>, have: Option<&'c Cell>, earned: Earned, forms: Option<&[Form]>) {
        let mut row = lone(want, have);
        row.hits = earned.score;
        let used = forms.and_then(|forms| forms.get(earned.form)).filter(|form| !form.replaced.is_empty());
        row.note = used.map(|form| {
            let shown = form.replaced.iter().map(|(from, to)| format!("{}{} = {}{}", from.text, from.span, to.text, to.span));
            let shown = shown.collect::<Vec<_>>().join(", ");
            Say::new(format!("同指 {shown}"), format!("coreference {shown}"))
        });
        self.0.push(row);
    }
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

/// How an item was matched, role by role.
pub fn align(golds: &[Vec<Cell>], preds: &[Vec<Cell>], corefs: &MentionSets, rules: TupleRules) -> Alignment {
    let item = score(golds, preds, corefs, rules);
    let mut alignment = Alignment {
        numbers: [("precision", item.prf.p), ("recall", item.prf.r), ("f1", item.prf.f)]
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec(),
        ..Alignment::default()
    };
    if rules.hundred_at_most && preds.len() > MOST_TUPLES {
        let note = words("元组超过一百个，整题计零分", "more than a hundred tuples: the item earns 0");
        alignment.notes.push(note.into());
    }
    let wanted: Vec<Wanted<'_>> = golds.iter().map(|cells| Wanted::new(cells, corefs, rules)).collect();
    let matching = matching(&wanted, preds, rules);
    let mut left: Vec<bool> = vec![true; preds.len()];
    for (row, column) in matching.columns.iter().enumerate() {
        // A matching of nothing with nothing is none.
        let column = column.filter(|column| matching.scores[row * preds.len() + column] > 0.0);
        if let Some(column) = column {
            left[column] = false;
        }
        alignment.pairs.push(explain(&wanted[row], row, column, preds, rules));
    }
    for (number, pred) in preds.iter().enumerate().filter(|(number, _)| left[*number]) {
        let rows = pred.iter().map(|cell| lone(None, Some(cell))).collect();
        alignment.pairs.push(Pair { gold: None, pred: Some(number), earned: 0.0, rows, note: None });
    }
    alignment
}

fn explain(gold: &Wanted<'_>, row: usize, column: Option<usize>, preds: &[Vec<Cell>], rules: TupleRules) -> Pair {
    let Some(column) = column else {
        let rows = gold.cells.iter().map(|cell| lone(Some(cell), None)).collect();
        return Pair { gold: Some(row), pred: None, earned: 0.0, rows, note: None };
    };
    let mut writer = Writer(Vec::new());
    let earned = pair(gold, &preds[column], rules, &mut writer);
    let note = earned.err().map(Say::from);
    Pair { gold: Some(row), pred: Some(column), earned: earned.unwrap_or(0.0), rows: writer.0, note }
}

fn lone(want: Option<&Cell>, have: Option<&Cell>) -> RoleRow {
    let side = |cell: &Cell| {
        let fragment = cell.fragment.value();
        let mut text = fragment.map(|piece| piece.text.to_string()).unwrap_or_default();
        match &cell.label {
            Part::Value(label) => text.push_str(&format!("〔{label}〕")),
            Part::Unusable => text.push_str("〔?〕"),
            Part::Absent => {}
        }
        Side { text, span: fragment.map(|piece| piece.span.clone()).unwrap_or_default() }
    };
    RoleRow {
        role: want.or(have).map(|cell| cell.role.to_string()).unwrap_or_default(),
        gold: want.map(side),
        pred: have.map(side),
        hits: 0.0,
        gold_size: f64::from(u8::from(want.is_some())),
        pred_size: f64::from(u8::from(have.is_some())),
        note: None,
    }
}
