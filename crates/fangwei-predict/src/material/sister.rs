//! Tasks of different years that ask the same: an item of one, with its answer, is an item of the other.

use std::borrow::Cow;

use fangwei::answer::{Answer, Reason, ReasonType, RoleFragment};
use fangwei::convert::roles::{back_tuple, forward_tuple};
use fangwei::record::Check;
use fangwei::task::{Item, Task};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::{Example, Merged, Part};

/// Own items first, then those of sister tasks whose text none has yet.
pub(super) fn merged<'m>(part: &Part<'m>, task: &'static dyn Task) -> Vec<Merged<'m>> {
    let own = part.of(task.id());
    let mut seen: FxHashSet<&'m str> = own.iter().map(|example| example.item.texts.context()).collect();
    let mut all: Vec<Merged<'m>> = own.into_iter().map(|example| with(example, Cow::Borrowed(example.item))).collect();
    for sister in SISTERS.iter().filter(|sister| sister.to == task.id()) {
        for example in part.of(sister.from) {
            let Some(gold) = example.item.gold.as_ref().and_then(sister.turn) else { continue };
            if seen.insert(example.item.texts.context()) {
                all.push(with(example, Cow::Owned(Item { gold: Some(gold), ..example.item.clone() })));
            }
        }
    }
    all
}

fn with<'m>(example: Example<'m>, item: Cow<'m, Item>) -> Merged<'m> {
    Merged { item, group: example.group, replaced: example.replaced }
}

struct Sister {
    from: &'static str,
    to: &'static str,
    /// The answer in the other task's form; `None` where it has none.
    turn: fn(&Answer) -> Option<Answer>,
}

const SISTERS: &[Sister] = &[
    Sister { from: "2022/roles", to: "2023/roles", turn: tuples },
    Sister { from: "2023/roles", to: "2022/roles", turn: slots },
    Sister { from: "2022/attribute", to: "2023/anomaly", turn: candidates },
];

fn tuples(answer: &Answer) -> Option<Answer> {
    let Answer::Slots(given) = answer else { return None };
    let mut check = Check::new("".into(), 0);
    let tuples: Option<Vec<_>> = given.iter().map(|tuple| forward_tuple(tuple, &mut check)).collect();
    tuples.map(Answer::Tuples)
}

fn slots(answer: &Answer) -> Option<Answer> {
    let Answer::Tuples(given) = answer else { return None };
    let mut check = Check::new("".into(), 0);
    let slots: Option<Vec<_>> = given.iter().map(|tuple| back_tuple(tuple, &mut check)).collect();
    slots.map(Answer::Slots)
}

/// B and C became S-P-E triples character by character; what was of type A was marked anew by people, so an item with one is left to them.
fn candidates(answer: &Answer) -> Option<Answer> {
    let Answer::Reasons(reasons) = answer else { return None };
    let candidate = |reason: &Reason| {
        let renamed = |part: &RoleFragment| match part.role.as_str() {
            role @ ("S" | "P" | "E") => RoleFragment { role: SmolStr::from(format!("{role}1")), fragment: part.fragment.clone() },
            _ => part.clone(),
        };
        (reason.kind != ReasonType::A).then(|| reason.fragments.iter().map(renamed).collect::<Vec<_>>())
    };
    reasons.iter().map(candidate).collect::<Option<Vec<_>>>().map(Answer::Candidates)
}
