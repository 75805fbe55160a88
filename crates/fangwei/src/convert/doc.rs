//! An item as annotation tools see one: a text, and groups of marked fragments.
//!
//! A reason, a candidate, a tuple and a set of coreferent mentions are all a [`Group`] of [`Filler`]s: roles with a fragment, a label or both. [`Doc::of`] and
//! [`Doc::into_item`] go between an item and its groups without loss. A tool shows less than that; [`shadow`] says how much.

use smol_str::SmolStr;

use super::names::{MENTION, RoleName};
use crate::answer::{Answer, Element, Fragment, Part, Reason, ReasonType, RoleFragment, Slot};
use crate::lang::Say;
use crate::record::{Check, Code, Json};
use crate::task::{Corefs, Item, MentionSets, Task, Texts};
use crate::tasks::SLOTS;
use crate::text::{CharIdx, NOWHERE, Span, join};

/// A role and what fills it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filler {
    /// The role, as the task writes it.
    pub role: SmolStr,
    /// Its label.
    pub label: Option<SmolStr>,
    /// Its fragment.
    pub fragment: Option<Fragment>,
}

/// An answer (reason, candidate, tuple) or a set of mentions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Group {
    /// The type of a reason; where a tool did not say it, it is told by the roles.
    pub kind: Option<ReasonType>,
    /// What it consists of, in order.
    pub fillers: Vec<Filler>,
}

/// The groups of an item.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Groups {
    /// Reasons, candidates or tuples.
    pub answers: Vec<Group>,
    /// Sets of mentions that mean the same.
    pub same: Vec<Group>,
    /// Sets of mentions that do not.
    pub different: Vec<Group>,
}

/// An item with its groups.
#[derive(Clone, PartialEq, Debug)]
pub struct Doc {
    /// The identifier.
    pub qid: SmolStr,
    /// The text.
    pub context: SmolStr,
    /// Whether it has gold; a gold without answers is not the same as none.
    pub answered: bool,
    /// The gold.
    pub groups: Groups,
    /// Fields that are not the task's.
    pub extra: Vec<(String, Json<'static>)>,
}

fn filler(role: &str, fragment: &Fragment) -> Filler {
    Filler { role: role.into(), label: None, fragment: Some(fragment.clone()) }
}

fn sets(sets: &MentionSets) -> Vec<Group> {
    let group = |set: &Vec<Fragment>| Group { kind: None, fillers: set.iter().map(|mention| filler(MENTION, mention)).collect() };
    sets.iter().map(group).collect()
}

fn of_role_fragments(kind: Option<ReasonType>, parts: &[RoleFragment]) -> Group {
    Group { kind, fillers: parts.iter().map(|part| filler(&part.role, &part.fragment)).collect() }
}

/// The slots that are filled; a tuple of another length cannot be told from one with empty slots, so it is a defect.
fn of_slots(tuple: &[Slot], check: &mut Check) -> Option<Group> {
    if tuple.len() != SLOTS.len() {
        check.add(Code::BadLength, Say::new("18 个槽位", "18 slots"), tuple.len().to_string());
        return None;
    }
    let mut fillers = Vec::new();
    for (role, slot) in SLOTS.iter().zip(tuple) {
        match slot {
            Slot::Empty => {}
            Slot::Label(label) => {
                fillers.push(Filler { role: SmolStr::new_static(role), label: Some(label.clone()), fragment: None });
            }
            Slot::Fragment(fragment) => fillers.push(filler(role, fragment)),
            // Noted when it was read.
            Slot::Unusable => return None,
        }
    }
    Some(Group { kind: None, fillers })
}

fn of_elements(tuple: &[Element]) -> Option<Group> {
    let filler = |element: &Element| {
        let unusable = element.label == Part::Unusable || element.fragment == Part::Unusable;
        (!unusable).then(|| Filler {
            role: element.role.clone(),
            label: element.label.value().cloned(),
            fragment: element.fragment.value().cloned(),
        })
    };
    Some(Group { kind: None, fillers: tuple.iter().map(filler).collect::<Option<_>>()? })
}

impl Doc {
    /// The groups of an item. `None` where the item holds something that was unusable when it was read; the defect is in `check`.
    pub fn of(item: &Item, check: &mut Check) -> Option<Doc> {
        let answers = match &item.gold {
            Some(Answer::Reasons(reasons)) => {
                reasons.iter().map(|reason| of_role_fragments(Some(reason.kind), &reason.fragments)).collect()
            }
            Some(Answer::Candidates(candidates)) => candidates.iter().map(|parts| of_role_fragments(None, parts)).collect(),
            Some(Answer::Slots(tuples)) => check.at("outputs", |check| {
                let one = |(i, tuple): (usize, &Vec<Slot>)| check.at(i, |check| of_slots(tuple, check));
                tuples.iter().enumerate().map(one).collect::<Vec<_>>().into_iter().collect::<Option<_>>()
            })?,
            Some(Answer::Tuples(tuples)) => tuples.iter().map(|tuple| of_elements(tuple)).collect::<Option<_>>()?,
            _ => Vec::new(),
        };
        let mut groups = Groups { answers, ..Groups::default() };
        if let Some(corefs) = &item.corefs {
            groups.same = sets(&corefs.same);
            groups.different = sets(&corefs.different);
        }
        let all = groups.answers.iter().chain(&groups.same).chain(&groups.different);
        let mut indexes = all.flat_map(|group| &group.fillers).filter_map(|filler| filler.fragment.as_ref());
        if indexes.any(|fragment| fragment.span.iter().any(|idx| idx.0 >= NOWHERE)) {
            return None;
        }
        Some(Doc {
            qid: item.qid.clone(),
            context: item.texts.context().into(),
            answered: item.gold.is_some(),
            groups,
            extra: item.extra.clone(),
        })
    }

    /// The item of a task; `None` where the task has no place for something, with the defect in `check`.
    pub fn into_item(self, task: &dyn Task, check: &mut Check) -> Option<Item> {
        let gold = if self.answered { Some(answer(task.id(), &self.groups.answers, check)?) } else { None };
        let mentions = |groups: Vec<Group>| -> MentionSets {
            let set = |group: Group| group.fillers.into_iter().filter_map(|filler| filler.fragment).collect();
            groups.into_iter().map(set).collect()
        };
        let corefs = (self.answered && task.id().ends_with("/roles"))
            .then(|| Corefs { same: mentions(self.groups.same), different: mentions(self.groups.different) });
        Some(Item { qid: self.qid, texts: Texts::One { context: self.context }, gold, corefs, extra: self.extra })
    }
}

/// The answer that groups make in a task.
fn answer(task: &str, groups: &[Group], check: &mut Check) -> Option<Answer> {
    fn each<T>(groups: &[Group], check: &mut Check, make: impl Fn(&Group, &mut Check) -> Option<T>) -> Option<Vec<T>> {
        let made: Vec<Option<T>> = groups.iter().enumerate().map(|(i, group)| check.at(i, |check| make(group, check))).collect();
        made.into_iter().collect()
    }
    Some(match task {
        "2022/attribute" => Answer::Reasons(each(groups, check, |group, check| {
            let fragments = role_fragments(group, check)?;
            Some(Reason { kind: group.kind.or_else(|| told_by_roles(group)).unwrap_or(ReasonType::B), fragments })
        })?),
        "2023/anomaly" => Answer::Candidates(each(groups, check, role_fragments)?),
        "2022/roles" => Answer::Slots(each(groups, check, slots)?),
        _ => Answer::Tuples(each(groups, check, |group, _| Some(group.fillers.iter().map(element).collect()))?),
    })
}

/// text1 and text2 make a reason of type A, S-P-E one of type C; all else is of type B.
fn told_by_roles(group: &Group) -> Option<ReasonType> {
    let all = |roles: &[&str]| group.fillers.iter().all(|filler| roles.contains(&filler.role.as_str()));
    if all(&["text1", "text2"]) { Some(ReasonType::A) } else { all(&["S", "P", "E"]).then_some(ReasonType::C) }
}

fn role_fragments(group: &Group, check: &mut Check) -> Option<Vec<RoleFragment>> {
    let mut parts = Vec::new();
    for (number, filler) in group.fillers.iter().enumerate() {
        match (&filler.fragment, &filler.label) {
            (Some(fragment), None) => parts.push(RoleFragment { role: filler.role.clone(), fragment: fragment.clone() }),
            (_, Some(label)) => check.at(number, |check| {
                check.add(Code::BadLabel, Say::new("没有标签", "no label"), format!("“{label}”"));
            }),
            (None, None) => check.at(number, |check| {
                check.add(Code::EmptyFragment, Say::new("片段", "a fragment"), format!("“{}”", filler.role));
            }),
        }
    }
    (parts.len() == group.fillers.len()).then_some(parts)
}

fn slots(group: &Group, check: &mut Check) -> Option<Vec<Slot>> {
    let mut tuple = vec![Slot::Empty; SLOTS.len()];
    let before = check.errors();
    for (number, filler) in group.fillers.iter().enumerate() {
        let found = format!("“{}”", filler.role);
        check.at(number, |check| {
            let Some(slot) = SLOTS.iter().position(|slot| *slot == filler.role) else {
                check.add(Code::BadRole, SLOTS.join(" "), found);
                return;
            };
            if tuple[slot] != Slot::Empty {
                check.add(Code::RepeatedRole, Say::new("每个角色至多一次", "each role at most once"), found);
                return;
            }
            tuple[slot] = match (&filler.fragment, &filler.label) {
                (Some(fragment), None) => Slot::Fragment(fragment.clone()),
                (None, Some(label)) => Slot::Label(label.clone()),
                _ => {
                    check.add(Code::BadType, Say::new("片段或标签", "a fragment or a label"), found);
                    return;
                }
            };
        });
    }
    (check.errors() == before).then_some(tuple)
}

fn element(filler: &Filler) -> Element {
    fn part<T: Clone>(value: Option<&T>) -> Part<T> {
        value.map_or(Part::Absent, |value| Part::Value(value.clone()))
    }
    Element { role: filler.role.clone(), label: part(filler.label.as_ref()), fragment: part(filler.fragment.as_ref()) }
}

/// Puts fillers into the order in which tools are read: by role, then by place. Tools keep no order of their own.
pub fn sort_fillers(fillers: &mut [Filler], names: &[RoleName]) {
    let rank = |filler: &Filler| names.iter().position(|name| name.role == filler.role);
    let places = |filler: &Filler| filler.fragment.as_ref().map(|fragment| fragment.span.iter().collect::<Vec<_>>());
    fillers.sort_by_cached_key(|filler| (rank(filler), places(filler), filler.label.clone()));
}

/// Characters that end a line or a column somewhere: a mark over one would break the line that tells of it.
fn breaks(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

/// What a tool shows of a group: known roles and labels, places inside the text in rising order, each once and not of line ends,
/// and the characters that stand there. `None` where
/// nothing would be left to mark; a set of mentions needs two of them.
pub fn shadow(group: &Group, chars: &[char], names: &[RoleName]) -> Option<Group> {
    let mut fillers: Vec<Filler> = Vec::new();
    for filler in &group.fillers {
        let labels = match names.iter().find(|name| name.role == filler.role) {
            Some(name) => name.labels,
            None if filler.role == MENTION => &[],
            None => continue,
        };
        let label = filler.label.clone().filter(|label| labels.contains(&label.as_str()));
        let fragment = filler.fragment.as_ref().and_then(|fragment| {
            join(chars, &fragment.span)?;
            let shows = |CharIdx(idx): &CharIdx| chars.get(*idx as usize).is_some_and(|c| !breaks(*c));
            let span: Span = fragment.span.to_set().iter().filter(shows).collect();
            let text = join(chars, &span).filter(|text| !text.is_empty())?;
            Some(Fragment { text: text.into(), span })
        });
        let shown = Filler { role: filler.role.clone(), label, fragment };
        let repeated = shown.fragment.is_none() && fillers.contains(&shown);
        if (shown.label.is_some() || shown.fragment.is_some()) && !repeated {
            fillers.push(shown);
        }
    }
    let marked = fillers.iter().filter(|filler| filler.fragment.is_some()).count();
    let mentions = fillers.iter().any(|filler| filler.role == MENTION);
    sort_fillers(&mut fillers, names);
    (marked > usize::from(mentions)).then_some(Group { kind: group.kind, fillers })
}
