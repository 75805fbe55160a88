//! What would mend a finding: a small change of the mark that one key applies.

use super::mark::Mark;
use super::reading::Reading;
use super::role::Role;
use super::subject::{Side, Spot};
use crate::answer::{Answer, Element, Fragment, Part, Slot};
use crate::lang::Say;
use crate::tasks::ROLES;
use crate::text::Span;

/// A change of a mark.
#[derive(Clone, PartialEq, Debug)]
pub enum Fix {
    /// The fragment covers these places instead.
    Cover(Spot, Span),
    /// The value, record, set or mention goes.
    Remove(Spot),
    /// The value of a tuple takes another role.
    Move(Spot, Role),
    /// Two fragments of a reason change places.
    Swap(usize, usize, usize),
    /// The tuple says that it is not so.
    Deny(usize),
}

impl Fix {
    /// What it does, for people.
    pub fn say(&self, reading: &Reading) -> Say {
        match self {
            Fix::Cover(_, span) => {
                let text = reading.text(span);
                Say::new(format!("改为“{text}”"), format!("mark “{text}” instead"))
            }
            Fix::Remove(_) => Say::new("删除", "remove"),
            Fix::Move(_, role) => {
                let name = role.element().unwrap_or_default();
                Say::new(format!("改为{name}"), format!("make it {name}"))
            }
            Fix::Swap(..) => Say::new("对调", "swap"),
            Fix::Deny(_) => Say::new("加上 事实性 假", "add 事实性 假"),
        }
    }

    /// The mark with the change; as it was, where the change does not fit it.
    pub fn apply(&self, mark: &Mark, reading: &Reading) -> Mark {
        let mut mark = mark.clone();
        match *self {
            Fix::Cover(spot, ref span) => {
                if let Some(fragment) = fragment(&mut mark, spot) {
                    *fragment = Fragment { text: reading.text(span).into(), span: span.clone() };
                }
            }
            Fix::Remove(spot) => remove(&mut mark, spot),
            Fix::Move(spot, role) => shift(&mut mark, spot, role),
            Fix::Swap(record, one, other) => {
                if let Some(Answer::Reasons(reasons)) = &mut mark.answer
                    && let Some(reason) = reasons.get_mut(record)
                    && one.max(other) < reason.fragments.len()
                {
                    let fragment = reason.fragments[one].fragment.clone();
                    reason.fragments[one].fragment = std::mem::replace(&mut reason.fragments[other].fragment, fragment);
                }
            }
            Fix::Deny(record) => deny(&mut mark, record),
        }
        mark
    }
}

fn fragment(mark: &mut Mark, spot: Spot) -> Option<&mut Fragment> {
    match spot {
        Spot::Value(record, value, _) => match mark.answer.as_mut()? {
            Answer::Reasons(reasons) => Some(&mut reasons.get_mut(record)?.fragments.get_mut(value)?.fragment),
            Answer::Candidates(candidates) => Some(&mut candidates.get_mut(record)?.get_mut(value)?.fragment),
            Answer::Slots(tuples) => match tuples.get_mut(record)?.get_mut(value)? {
                Slot::Fragment(fragment) => Some(fragment),
                _ => None,
            },
            Answer::Tuples(tuples) => match &mut tuples.get_mut(record)?.get_mut(value)?.fragment {
                Part::Value(fragment) => Some(fragment),
                _ => None,
            },
            _ => None,
        },
        Spot::Mention(same, set, mention) => {
            let sets = if same { &mut mark.corefs.same } else { &mut mark.corefs.different };
            sets.get_mut(set)?.get_mut(mention)
        }
        _ => None,
    }
}

fn remove(mark: &mut Mark, spot: Spot) {
    fn drop_at<T>(list: &mut Vec<T>, at: usize) {
        if at < list.len() {
            list.remove(at);
        }
    }
    match (spot, &mut mark.answer) {
        (Spot::Record(record), Some(Answer::Reasons(reasons))) => drop_at(reasons, record),
        (Spot::Record(record), Some(Answer::Candidates(candidates))) => drop_at(candidates, record),
        (Spot::Record(record), Some(Answer::Slots(tuples))) => drop_at(tuples, record),
        (Spot::Record(record), Some(Answer::Tuples(tuples))) => drop_at(tuples, record),
        (Spot::Value(record, value, _), Some(Answer::Reasons(reasons))) => {
            if let Some(reason) = reasons.get_mut(record) {
                drop_at(&mut reason.fragments, value);
            }
        }
        (Spot::Value(record, value, _), Some(Answer::Candidates(candidates))) => {
            if let Some(parts) = candidates.get_mut(record) {
                drop_at(parts, value);
            }
        }
        (Spot::Value(record, value, _), Some(Answer::Slots(tuples))) => {
            if let Some(slot) = tuples.get_mut(record).and_then(|tuple| tuple.get_mut(value)) {
                *slot = Slot::Empty;
            }
        }
        (Spot::Value(record, value, side), Some(Answer::Tuples(tuples))) => {
            let Some(tuple) = tuples.get_mut(record) else { return };
            let Some(element) = tuple.get_mut(value) else { return };
            match side {
                Side::Fragment if element.label.is_given() => element.fragment = Part::Absent,
                Side::Label if element.fragment.is_given() => element.label = Part::Absent,
                _ => drop_at(tuple, value),
            }
        }
        (Spot::Set(same, set), _) => drop_at(if same { &mut mark.corefs.same } else { &mut mark.corefs.different }, set),
        (Spot::Mention(same, set, mention), _) => {
            let sets = if same { &mut mark.corefs.same } else { &mut mark.corefs.different };
            if let Some(set) = sets.get_mut(set) {
                drop_at(set, mention);
            }
        }
        _ => {}
    }
}

/// Gives the value of a tuple another role, if that role is free.
fn shift(mark: &mut Mark, spot: Spot, role: Role) {
    let Spot::Value(record, value, _) = spot else { return };
    match &mut mark.answer {
        Some(Answer::Slots(tuples)) => {
            let Some(tuple) = tuples.get_mut(record) else { return };
            if let Some(to) = role.slot().filter(|to| tuple.get(*to) == Some(&Slot::Empty) && value < tuple.len()) {
                tuple.swap(value, to);
            }
        }
        Some(Answer::Tuples(tuples)) => {
            let (Some(tuple), Some(name)) = (tuples.get_mut(record), role.element()) else { return };
            if value < tuple.len() && tuple.iter().all(|element| element.role != name) {
                tuple[value].role = name.into();
                sort(tuple);
            }
        }
        _ => {}
    }
}

fn deny(mark: &mut Mark, record: usize) {
    match &mut mark.answer {
        Some(Answer::Slots(tuples)) => {
            if let Some(slot) = tuples.get_mut(record).and_then(|tuple| tuple.get_mut(3)) {
                *slot = Slot::Label("假".into());
            }
        }
        Some(Answer::Tuples(tuples)) => {
            if let Some(tuple) = tuples.get_mut(record) {
                tuple.push(Element { role: "事实性".into(), label: Part::Value("假".into()), fragment: Part::Absent });
                sort(tuple);
            }
        }
        _ => {}
    }
}

/// Elements stand in the official order; unknown roles at the end.
fn sort(tuple: &mut [Element]) {
    tuple.sort_by_key(|element| ROLES.iter().position(|role| *role == element.role).unwrap_or(ROLES.len()));
}
