//! What the rules look at: an item, a mark of it, and the mark's answer in one view for all tasks.
//!
//! Four tasks mark spans in roles: the tuples of two years, the reasons of 2022 and the candidates of 2023. The view calls all of them records of values, so that
//! a rule is written once.

use smol_str::SmolStr;

use super::mark::Mark;
use super::reading::{Reading, Token};
use super::role::Role;
use crate::answer::{Answer, Fragment, Kind, Part, ReasonType, Slot};
use crate::task::{Item, Task};
use crate::text::{IdxSet, Span};

/// So many records are looked at: twice what a submission may hold.
pub const MOST_RECORDS: usize = 200;

/// A place in a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spot {
    /// A field of the mark; the mark itself where the name is empty.
    Field(&'static str),
    /// A tuple, a reason or a candidate.
    Record(usize),
    /// A value of a record: its number there, and which part of it.
    Value(usize, usize, Side),
    /// A coreference set: whether of those that mean the same, and its number.
    Set(bool, usize),
    /// A mention in such a set.
    Mention(bool, usize, usize),
}

/// A part of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// All of it.
    Whole,
    /// The fragment of an element of 2023.
    Fragment,
    /// The label of an element of 2023.
    Label,
}

/// A fragment or a label in a role.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    /// The role.
    pub role: Role,
    /// What the file calls the role.
    pub name: &'a str,
    /// The fragment, unless it is a label.
    pub fragment: Option<&'a Fragment>,
    /// The label.
    pub label: Option<&'a str>,
    /// The words of the fragment; none where it lies outside of the text.
    pub tokens: Vec<Token>,
    /// Where it stands.
    pub spot: Spot,
    set: IdxSet,
}

impl Value<'_> {
    /// The first word.
    pub fn first(&self) -> Option<&Token> {
        self.tokens.first()
    }

    /// The last word.
    pub fn last(&self) -> Option<&Token> {
        self.tokens.last()
    }

    /// The places as a set.
    pub fn set(&self) -> &IdxSet {
        &self.set
    }

    /// The span; an empty one for labels.
    pub fn span(&self) -> Span {
        self.fragment.map(|fragment| fragment.span.clone()).unwrap_or_default()
    }
}

/// A tuple, a reason or a candidate.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// Its number.
    pub number: usize,
    /// The type of a reason.
    pub reason: Option<ReasonType>,
    /// What fills it, in the order of the answer.
    pub values: Vec<Value<'a>>,
}

impl<'a> Record<'a> {
    /// Where it stands.
    pub fn spot(&self) -> Spot {
        Spot::Record(self.number)
    }

    /// The first value in a role.
    pub fn get(&self, role: Role) -> Option<&Value<'a>> {
        self.values.iter().find(|value| value.role == role)
    }

    /// Whether there is a value in the role.
    pub fn has(&self, role: Role) -> bool {
        self.get(role).is_some()
    }

    /// The values whose role is in the group.
    pub fn of(&self, group: fn(Role) -> bool) -> impl Iterator<Item = &Value<'a>> {
        self.values.iter().filter(move |value| group(value.role))
    }

    /// The fragments that have at least one character.
    pub fn filled(&self) -> impl Iterator<Item = &Value<'a>> {
        self.values.iter().filter(|value| value.fragment.is_some_and(|fragment| !fragment.span.is_empty()))
    }
}

/// A mention in a coreference set.
#[derive(Clone, Debug)]
pub struct Mention<'a> {
    /// The mention.
    pub fragment: &'a Fragment,
    /// Its words.
    pub tokens: Vec<Token>,
    /// Where it stands.
    pub spot: Spot,
}

/// Mentions that mean the same, or that do not.
#[derive(Clone, Debug)]
pub struct MentionSet<'a> {
    /// Whether they mean the same.
    pub same: bool,
    /// Where the set stands.
    pub spot: Spot,
    /// The mentions.
    pub mentions: Vec<Mention<'a>>,
}

/// An item, a mark of it, and the mark's answer as records.
#[derive(Clone)]
pub struct Subject<'a> {
    /// The task.
    pub task: &'a dyn Task,
    /// The item.
    pub item: &'a Item,
    /// The mark.
    pub mark: &'a Mark,
    /// The item's text; of a pair, the first.
    pub reading: &'a Reading,
    /// The answer's records.
    pub records: Vec<Record<'a>>,
    /// The coreference sets.
    pub sets: Vec<MentionSet<'a>>,
    /// The places of replaced words, where whoever asks may know them.
    pub replaced: Vec<Span>,
}

impl<'a> Subject<'a> {
    /// Views a mark.
    pub fn new(task: &'a dyn Task, item: &'a Item, mark: &'a Mark, reading: &'a Reading) -> Subject<'a> {
        let records = records(mark, reading);
        Subject { task, item, mark, reading, records, sets: sets(mark, reading), replaced: Vec::new() }
    }

    /// The same for somebody who may know which words were replaced: reviewers and the release, never an annotator.
    #[must_use]
    pub fn knowing(mut self, replaced: Vec<Span>) -> Subject<'a> {
        self.replaced = replaced;
        self
    }

    /// What the task's answers are.
    pub fn kind(&self) -> Kind {
        self.task.kind()
    }

    /// Every value of every record, with its record.
    pub fn values(&self) -> impl Iterator<Item = (&Record<'a>, &Value<'a>)> {
        self.records.iter().flat_map(|record| record.values.iter().map(move |value| (record, value)))
    }

    /// The value at a spot.
    pub fn value(&self, spot: Spot) -> Option<&Value<'a>> {
        let Spot::Value(record, ..) = spot else { return None };
        self.records.get(record)?.values.iter().find(|value| value.spot == spot)
    }

    /// The JSON pointer to a place in the mark as [`Mark::write`] writes it.
    pub fn pointer(&self, spot: Spot) -> String {
        let field = self.task.about().answer;
        let sets = |same: bool| if same { "corefs" } else { "non_corefs" };
        match spot {
            Spot::Field("") => String::new(),
            Spot::Field(name) => format!("/{name}"),
            Spot::Record(record) => format!("/answer/{field}/{record}"),
            Spot::Value(record, value, side) => {
                let within = if self.kind() == Kind::Reasons { "/fragments" } else { "" };
                let side = match side {
                    Side::Whole => "",
                    Side::Fragment => "/fragment",
                    Side::Label => "/label",
                };
                format!("/answer/{field}/{record}{within}/{value}{side}")
            }
            Spot::Set(same, set) => format!("/{}/{set}", sets(same)),
            Spot::Mention(same, set, mention) => format!("/{}/{set}/{mention}", sets(same)),
        }
    }
}

fn records<'a>(mark: &'a Mark, reading: &Reading) -> Vec<Record<'a>> {
    let plain = |number: usize, at: usize, name: &'a SmolStr, fragment: &'a Fragment| Value {
        role: Role::of_fragment(name),
        name,
        fragment: Some(fragment),
        label: None,
        tokens: reading.tokens(&fragment.span),
        spot: Spot::Value(number, at, Side::Whole),
        set: fragment.span.to_set(),
    };
    match &mark.answer {
        Some(Answer::Reasons(reasons)) => {
            let record = |(number, reason): (usize, &'a crate::answer::Reason)| {
                let values = reason.fragments.iter().enumerate();
                let values = values.map(|(at, part)| plain(number, at, &part.role, &part.fragment)).collect();
                Record { number, reason: Some(reason.kind), values }
            };
            reasons.iter().take(MOST_RECORDS).enumerate().map(record).collect()
        }
        Some(Answer::Candidates(candidates)) => {
            let record = |(number, parts): (usize, &'a Vec<crate::answer::RoleFragment>)| {
                let values = parts.iter().enumerate().map(|(at, part)| plain(number, at, &part.role, &part.fragment)).collect();
                Record { number, reason: None, values }
            };
            candidates.iter().take(MOST_RECORDS).enumerate().map(record).collect()
        }
        Some(Answer::Slots(tuples)) => {
            let record = |(number, slots): (usize, &'a Vec<Slot>)| {
                let values = slots.iter().enumerate().filter_map(|(at, slot)| slot_value(number, at, slot, reading)).collect();
                Record { number, reason: None, values }
            };
            tuples.iter().take(MOST_RECORDS).enumerate().map(record).collect()
        }
        Some(Answer::Tuples(tuples)) => {
            let record = |(number, elements): (usize, &'a Vec<crate::answer::Element>)| {
                let values = elements.iter().enumerate().flat_map(|(at, element)| element_values(number, at, element, reading));
                Record { number, reason: None, values: values.collect() }
            };
            tuples.iter().take(MOST_RECORDS).enumerate().map(record).collect()
        }
        _ => Vec::new(),
    }
}

fn slot_value<'a>(number: usize, at: usize, slot: &'a Slot, reading: &Reading) -> Option<Value<'a>> {
    let (role, name) = (Role::of_slot(at)?, crate::tasks::SLOTS.get(at)?);
    let spot = Spot::Value(number, at, Side::Whole);
    let (fragment, label) = match slot {
        Slot::Empty | Slot::Unusable => return None,
        Slot::Label(label) => (None, Some(label.as_str())),
        Slot::Fragment(fragment) => (Some(fragment), None),
    };
    let tokens = fragment.map(|fragment| reading.tokens(&fragment.span)).unwrap_or_default();
    let set = fragment.map(|fragment| fragment.span.to_set()).unwrap_or_default();
    Some(Value { role, name, fragment, label, tokens, spot, set })
}

/// An element of 2023 that has both a fragment and a label is two values, as it was in 2022.
fn element_values<'a>(
    number: usize,
    at: usize,
    element: &'a crate::answer::Element,
    reading: &Reading,
) -> impl Iterator<Item = Value<'a>> {
    let name = element.role.as_str();
    let labelled = matches!(element.label, Part::Value(_));
    let fragment = element.fragment.value().map(|fragment| Value {
        role: Role::of_element(name, true, labelled),
        name,
        fragment: Some(fragment),
        label: None,
        tokens: reading.tokens(&fragment.span),
        spot: Spot::Value(number, at, Side::Fragment),
        set: fragment.span.to_set(),
    });
    let label = element.label.value().map(|label| Value {
        role: Role::of_element(name, false, labelled),
        name,
        fragment: None,
        label: Some(label),
        tokens: Vec::new(),
        spot: Spot::Value(number, at, Side::Label),
        set: IdxSet::default(),
    });
    fragment.into_iter().chain(label)
}

fn sets<'a>(mark: &'a Mark, reading: &Reading) -> Vec<MentionSet<'a>> {
    let mut sets = Vec::new();
    for (same, all) in [(true, &mark.corefs.same), (false, &mark.corefs.different)] {
        for (number, mentions) in all.iter().take(MOST_RECORDS).enumerate() {
            let mention = |(at, fragment): (usize, &'a Fragment)| Mention {
                fragment,
                tokens: reading.tokens(&fragment.span),
                spot: Spot::Mention(same, number, at),
            };
            let mentions = mentions.iter().take(MOST_RECORDS).enumerate().map(mention).collect();
            sets.push(MentionSet { same, spot: Spot::Set(same, number), mentions });
        }
    }
    sets
}
