//! An answer whose texts have no places yet, and what becomes of it: the answer with places, and the one with the model's own indexes.

use smol_str::SmolStr;

use super::place::{How, Placed, Wanted, place};
use crate::answer::{Answer, Element, Fragment, Kind, Part, Reason, ReasonType, RoleFragment, Slot};
use crate::task::{Item, Task};
use crate::tasks::{LABEL_SLOTS, ROLES, SLOTS, TRIPLE_ROLES};
use crate::text::{Span, join};

/// A role with what the model put there.
#[derive(Clone, Default, Debug)]
pub(super) struct Given {
    pub role: SmolStr,
    pub text: Option<SmolStr>,
    pub label: Option<SmolStr>,
    pub span: Span,
}

/// A candidate, a reason or a tuple.
#[derive(Clone, Default, Debug)]
pub(super) struct Group {
    pub kind: Option<ReasonType>,
    pub parts: Vec<Given>,
}

/// An answer whose texts have no places yet.
#[derive(Clone, Debug)]
pub(super) enum Draft {
    /// Nothing in it needs a place.
    Whole(Answer),
    /// Fragments in roles.
    Groups(Vec<Group>),
}

/// The triple of a role: 1 or 2 for S1 … E2, else 0.
fn triple(role: &str) -> u8 {
    if TRIPLE_ROLES.contains(&role) { role.as_bytes()[1] - b'0' } else { 0 }
}

impl Draft {
    /// Whether it says that there is nothing to label.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Draft::Groups(groups) if groups.iter().all(|group| group.parts.is_empty()))
    }

    /// The answer with its texts placed, the answer with the model's own indexes, and how each text was found.
    pub(super) fn finish(self, task: &dyn Task, item: &Item) -> (Answer, Answer, Vec<Placed>) {
        let groups = match self {
            Draft::Whole(answer) => return (answer.clone(), answer, Vec::new()),
            Draft::Groups(groups) => groups,
        };
        let context: Vec<char> = item.texts.context().chars().collect();
        let mut placed = Vec::new();
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for (number, group) in groups.into_iter().enumerate() {
            let texts: Vec<usize> = (0..group.parts.len()).filter(|at| group.parts[*at].text.is_some()).collect();
            let wanted: Vec<Wanted<'_>> = texts
                .iter()
                .map(|at| &group.parts[*at])
                .map(|part| Wanted {
                    triple: triple(&part.role),
                    text: part.text.as_deref().unwrap_or_default(),
                    given: &part.span,
                })
                .collect();
            let places = place(&context, &wanted);
            let (mut found, mut own) = (group.clone(), group.clone());
            for (at, (how, span)) in texts.into_iter().zip(places) {
                let part = &group.parts[at];
                let text = part.text.clone().unwrap_or_default();
                let plain: SmolStr = text.replace("...", "").replace(['…', '⋯'], "").trim().into();
                // A text that was found is written as it stands there.
                let there = if how == How::NotFound { None } else { join(&context, &span).map(SmolStr::from) };
                found.parts[at].text = Some(there.unwrap_or_else(|| plain.clone()));
                found.parts[at].span = span.clone();
                own.parts[at].text = Some(plain);
                placed.push(Placed { tuple: number, role: part.role.clone(), text, how, given: part.span.clone(), span });
            }
            with.push(found);
            without.push(own);
        }
        (answer(task.kind(), with), answer(task.kind(), without), placed)
    }
}

fn answer(kind: Kind, groups: Vec<Group>) -> Answer {
    match kind {
        Kind::Reasons => Answer::Reasons(groups.into_iter().map(reason).collect()),
        Kind::Slots => Answer::Slots(groups.iter().map(slot_tuple).collect()),
        Kind::Tuples => {
            let mut tuples: Vec<Vec<Element>> = groups.into_iter().map(element_tuple).collect();
            let entity = |tuple: &Vec<Element>| {
                let entity = tuple.iter().find(|element| element.role == ROLES[0]);
                entity.and_then(|element| element.fragment.value()?.span.first())
            };
            // The page of 2023 asks for this order. What has no place stays behind the others.
            tuples.sort_by_key(|tuple| entity(tuple).map_or(u32::MAX, |idx| idx.0));
            Answer::Tuples(tuples)
        }
        _ => Answer::Candidates(groups.into_iter().map(|group| group.parts.into_iter().map(role_fragment).collect()).collect()),
    }
}

fn fragment(part: &Given) -> Option<Fragment> {
    Some(Fragment { text: part.text.clone()?, span: part.span.clone() })
}

fn role_fragment(part: Given) -> RoleFragment {
    // A role of the anomaly tasks has a text; where a model gave only a label, that is its text.
    let text = part.text.or(part.label).unwrap_or_default();
    RoleFragment { role: part.role, fragment: Fragment { text, span: part.span } }
}

fn reason(group: Group) -> Reason {
    let fragments = group.parts.into_iter().map(role_fragment).collect();
    Reason { kind: group.kind.unwrap_or(ReasonType::C), fragments }
}

fn element_tuple(group: Group) -> Vec<Element> {
    let element = |part: Given| {
        let fragment = fragment(&part).map_or(Part::Absent, Part::Value);
        let label = part.label.map_or(Part::Absent, Part::Value);
        // 事实性 has a label only, whichever way it was given.
        match (part.role.as_str(), &fragment, &label) {
            ("事实性", Part::Value(text), Part::Absent) => {
                Element { role: part.role, label: Part::Value(text.text.clone()), fragment: Part::Absent }
            }
            _ => Element { role: part.role, label, fragment },
        }
    };
    let mut tuple: Vec<Element> = group.parts.into_iter().map(element).collect();
    let rank = |role: &str| ROLES.iter().position(|known| *known == role).unwrap_or(ROLES.len());
    tuple.sort_by_key(|element| rank(&element.role));
    tuple
}

/// A tuple of 2022: of a role that came twice the first counts, and there is no place for invented roles.
fn slot_tuple(group: &Group) -> Vec<Slot> {
    let mut tuple = vec![Slot::Empty; SLOTS.len()];
    let put = |tuple: &mut Vec<Slot>, at: usize, slot: Slot| {
        if tuple[at] == Slot::Empty {
            tuple[at] = slot;
        }
    };
    let [_, (time_label, _), (distance_label, _)] = LABEL_SLOTS;
    for part in &group.parts {
        let (text, label) = (fragment(part).map(Slot::Fragment), part.label.clone().map(Slot::Label));
        let (text_at, label_at) = match part.role.as_str() {
            // A time with a label is told by an event.
            "时间" if text.is_some() && label.is_some() => (Some(5), Some(time_label)),
            "时间" => (Some(4), Some(time_label)),
            "距离" => (Some(16), Some(distance_label)),
            "事实性" => {
                let label = part.label.clone().or(part.text.clone());
                if let Some(label) = label {
                    put(&mut tuple, 3, Slot::Label(label));
                }
                continue;
            }
            role => (SLOTS.iter().position(|slot| *slot == role), None),
        };
        for (at, slot) in [(text_at, text), (label_at, label)] {
            if let (Some(at), Some(slot)) = (at, slot) {
                put(&mut tuple, at, slot);
            }
        }
    }
    tuple
}
