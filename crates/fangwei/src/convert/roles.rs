//! `2022/roles` ↔ `2023/roles`: eighteen slots against fifteen roles, without loss.
//!
//! 2023 joined the three slots of time and the two of distance: 时间(文本) is 时间 with a fragment, 参照事件 and 时间(标签) are 时间 with a fragment and a label,
//! 时间(标签) alone is 时间 with a label; 距离(文本) and 距离(标签) are 距离. All else keeps its name. Whatever has an image is converted, also where a rule of
//! the other year forbids it; `validate` says so. Without image, and so kept out: 时间(文本) beside the other two (both would be the fragment of 时间), 参照事件
//! without label (it would come back as 时间(文本)), and whatever is malformed. Tuples are sorted by the first place of 空间实体 and roles put in
//! order, as the file of 2023 has them; the way back keeps the order of tuples.

use smol_str::SmolStr;

use super::read::{each_item_or_pred, lines};
use super::{Conversion, Converted, Options, OutFile, Report};
use crate::answer::{Answer, Element, Part, Slot};
use crate::lang::{Say, words};
use crate::record::{Check, Code, ReadError, Source};
use crate::score::tuples::ENTITY;
use crate::task::{Item, Task, write_item};
use crate::tasks::{LABEL_SLOTS, ROLES, SLOTS};

const TIME_TEXT: usize = 4;
const TIME_EVENT: usize = 5;
const TIME_LABEL: usize = 6;

/// The slots of a role: for its fragment and for its label. 时间 has a second slot for a fragment, which [`back_element`] knows.
fn slots_of(role: &str) -> (Option<usize>, Option<usize>) {
    match role {
        "事实性" => (None, Some(3)),
        "时间" => (Some(TIME_TEXT), Some(TIME_LABEL)),
        "距离" => (Some(16), Some(17)),
        _ => (SLOTS.iter().position(|slot| *slot == role), None),
    }
}

fn labels(slot: usize) -> &'static [&'static str] {
    LABEL_SLOTS.iter().find(|(known, _)| *known == slot).map_or(&[], |(_, labels)| labels)
}

/// A tuple of 2022 as one of 2023.
pub fn forward_tuple(tuple: &[Slot], check: &mut Check) -> Option<Vec<Element>> {
    if tuple.len() != SLOTS.len() {
        check.add(Code::BadLength, Say::new("18 个槽位", "18 slots"), tuple.len().to_string());
        return None;
    }
    let before = check.errors();
    let mut whole = true;
    for (number, slot) in tuple.iter().enumerate() {
        let known = labels(number);
        check.at(number, |check| match slot {
            // Noted when it was read.
            Slot::Unusable => whole = false,
            Slot::Label(label) if known.is_empty() => {
                let expected = Say::new(format!("{} 是片段", SLOTS[number]), format!("a fragment for {}", SLOTS[number]));
                check.add(Code::BadType, expected, format!("“{label}”"));
            }
            Slot::Label(label) if !known.contains(&label.as_str()) => {
                check.add(Code::BadLabel, known.join(" "), format!("“{label}”"));
            }
            Slot::Fragment(fragment) if !known.is_empty() => {
                check.add(Code::BadType, known.join(" "), format!("“{}”", fragment.text));
            }
            Slot::Empty | Slot::Label(_) | Slot::Fragment(_) => {}
        });
    }
    let has = |slot: usize| tuple[slot] != Slot::Empty;
    if has(TIME_TEXT) && (has(TIME_EVENT) || has(TIME_LABEL)) {
        check.add(Code::RoleConflict, Say::new("时间只写一处", "one way of telling the time"), "时间(文本)");
    }
    if has(TIME_EVENT) && !has(TIME_LABEL) {
        check.add(Code::RoleConflict, Say::new("参照事件与时间标签同现", "时间(标签) beside 参照事件"), "参照事件");
    }
    if !whole || check.errors() > before {
        return None;
    }
    let fragment = |slot: Option<usize>| match slot.map(|slot| &tuple[slot]) {
        Some(Slot::Fragment(fragment)) => Part::Value(fragment.clone()),
        _ => Part::Absent,
    };
    let label = |slot: Option<usize>| match slot.map(|slot| &tuple[slot]) {
        Some(Slot::Label(label)) => Part::Value(label.clone()),
        _ => Part::Absent,
    };
    let element = |role: &&'static str| {
        let (for_fragment, for_label) = slots_of(role);
        let event = for_fragment == Some(TIME_TEXT) && has(TIME_EVENT);
        let for_fragment = if event { Some(TIME_EVENT) } else { for_fragment };
        Element { role: SmolStr::new_static(role), label: label(for_label), fragment: fragment(for_fragment) }
    };
    Some(ROLES.iter().map(element).filter(|element| element.label.is_given() || element.fragment.is_given()).collect())
}

/// A tuple of 2023 as one of 2022.
pub fn back_tuple(tuple: &[Element], check: &mut Check) -> Option<Vec<Slot>> {
    let before = check.errors();
    let mut slots = vec![Slot::Empty; SLOTS.len()];
    let (mut seen, mut whole): (Vec<&str>, bool) = (Vec::new(), true);
    for (number, element) in tuple.iter().enumerate() {
        check.at(number, |check| {
            let role = element.role.as_str();
            if !ROLES.contains(&role) {
                check.at("role", |check| check.add(Code::BadRole, ROLES.join(" "), format!("“{role}”")));
            } else if seen.contains(&role) {
                let expected = Say::new("每个角色至多一次", "each role at most once");
                check.at("role", |check| check.add(Code::RepeatedRole, expected, format!("“{role}”")));
            } else {
                whole &= back_element(element, &mut slots, check);
            }
            seen.push(role);
        });
    }
    (whole && check.errors() == before).then_some(slots)
}

/// Puts an element into its slots; false where it was unusable from the start.
fn back_element(element: &Element, slots: &mut [Slot], check: &mut Check) -> bool {
    let (for_fragment, for_label) = slots_of(&element.role);
    match (&element.fragment, for_fragment) {
        (Part::Unusable, _) => return false,
        (Part::Value(fragment), Some(slot)) => {
            let event = slot == TIME_TEXT && element.label.is_given();
            slots[if event { TIME_EVENT } else { slot }] = Slot::Fragment(fragment.clone());
        }
        (Part::Value(_), None) => {
            let expected = Say::new("只有标签", "a label only");
            check.at("fragment", |check| check.add(Code::BadType, expected, "fragment"));
        }
        (Part::Absent, _) if element.label == Part::Absent => {
            check.add(Code::MissingField, "fragment / label", format!("“{}”", element.role));
        }
        (Part::Absent, _) => {}
    }
    match (&element.label, for_label) {
        (Part::Unusable, _) => return false,
        (Part::Value(label), Some(slot)) if labels(slot).contains(&label.as_str()) => {
            slots[slot] = Slot::Label(label.clone());
        }
        (Part::Value(label), slot) => {
            let known = slot.map(labels).unwrap_or_default();
            let expected = if known.is_empty() { Say::new("没有标签", "no label") } else { Say::same(known.join(" ")) };
            check.at("label", |check| check.add(Code::BadLabel, expected, format!("“{label}”")));
        }
        (Part::Absent, _) => {}
    }
    true
}

/// Every tuple through `convert`, all of them, so that every defect is found.
fn each_tuple<A, B>(
    field: &str,
    tuples: &[Vec<A>],
    check: &mut Check,
    convert: impl Fn(&[A], &mut Check) -> Option<Vec<B>>,
) -> Option<Vec<Vec<B>>> {
    let convert = |check: &mut Check| -> Vec<Option<Vec<B>>> {
        tuples.iter().enumerate().map(|(i, tuple)| check.at(i, |check| convert(tuple, check))).collect()
    };
    check.at(field, convert).into_iter().collect()
}

/// A converted item and what its order lost.
pub type Reordered = (Item, Vec<&'static str>);

/// An item of 2022 as one of 2023; and what its order lost.
pub fn forward(mut item: Item, check: &mut Check) -> Option<Reordered> {
    let mut losses = Vec::new();
    if let Some(Answer::Slots(tuples)) = &item.gold {
        let mut converted = each_tuple("outputs", tuples, check, forward_tuple)?;
        let key = |tuple: &Vec<Element>| {
            let entity = tuple.iter().find(|element| element.role == ENTITY);
            entity.and_then(|element| element.fragment.value()).and_then(|fragment| fragment.span.first())
        };
        if !converted.is_sorted_by_key(key) {
            losses.push("order-of-tuples");
            converted.sort_by_key(key);
        }
        item.gold = Some(Answer::Tuples(converted));
    }
    Some((item, losses))
}

/// An item of 2023 as one of 2022; and what its order lost.
pub fn back(mut item: Item, check: &mut Check) -> Option<Reordered> {
    let mut losses = Vec::new();
    if let Some(Answer::Tuples(tuples)) = &item.gold {
        let rank = |element: &Element| ROLES.iter().position(|role| *role == element.role);
        losses.extend(tuples.iter().filter(|tuple| !tuple.is_sorted_by_key(rank)).map(|_| "order-of-roles"));
        item.gold = Some(Answer::Slots(each_tuple("results", tuples, check, back_tuple)?));
    }
    Some((item, losses))
}

/// The identifier under the other year's number of the task: `3-train-7` of 2022 is `2-train-7` of 2023.
fn renumber(qid: &SmolStr, from: &dyn Task, to: &dyn Task) -> SmolStr {
    match qid.split_once('-') {
        Some((task, rest)) if task == from.number() => SmolStr::from(format!("{}-{rest}", to.number())),
        _ => qid.clone(),
    }
}

/// Reads items of one task and writes those of another.
fn run(
    conversion: &Conversion,
    inputs: Vec<Source>,
    options: &Options,
    convert: fn(Item, &mut Check) -> Option<Reordered>,
) -> Result<Converted, ReadError> {
    let (from, to) = (super::names::task(conversion.from), super::names::task(conversion.to));
    let taken = each_item_or_pred(from, inputs, |item, check| {
        let (mut item, losses) = convert(item, check)?;
        if options.renumber {
            item.qid = renumber(&item.qid, from, to);
        }
        Some((write_item(to, &item), losses))
    })?;
    let mut report = Report::new(conversion, taken.read, taken.values.len());
    for (_, losses) in &taken.values {
        report.lose(losses.iter().copied());
    }
    let name = format!("{}.jsonl", to.id().replace('/', "-"));
    let file = OutFile::new(name, lines(taken.values.iter().map(|(record, _)| record)));
    Ok(Converted { files: vec![file], defects: taken.defects, report })
}

/// `2022/roles` → `2023/roles`.
pub(super) const FORWARD: Conversion = Conversion {
    from: "2022/roles",
    to: "2023/roles",
    title: words("十八个槽位改写为十五个角色，无损", "eighteen slots as fifteen roles, without loss"),
    run: |conversion, inputs, options| run(conversion, inputs, options, forward),
};

/// `2023/roles` → `2022/roles`.
pub(super) const BACK: Conversion = Conversion {
    from: "2023/roles",
    to: "2022/roles",
    title: words("十五个角色改写为十八个槽位，无损", "fifteen roles as eighteen slots, without loss"),
    run: |conversion, inputs, options| run(conversion, inputs, options, back),
};
