//! Gold as a good model would write it: the replies of shots, and what the mock provider answers.
//!
//! In [`Reply::Texts`] a tuple is an object from role to text, so that no role can come twice; the pieces of a discontinuous fragment are joined by `…`;
//! and what a careful reader settles first stands first: whether two places contradict each other, which entities there are.

use super::prompt::Reply;
use crate::answer::{Answer, Element, Fragment, Part, Reason, RoleFragment, Slot};
use crate::record::Json;
use crate::task::{Item, Task};
use crate::tasks::SLOTS;
use crate::text::CharIdx;

/// Joins the pieces of a fragment.
pub(super) const GAP: char = '…';
/// Whether the answer needs two triples.
pub(super) const CONFLICT: &str = "两处矛盾";
/// The entities whose place the text tells.
pub(super) const ENTITIES: &str = "实体";
/// The labels that may stand beside or in place of a text.
pub(super) const LABEL_KEYS: [(&str, &str); 2] = [("时间", "时间标签"), ("距离", "距离标签")];
/// Of more answers only these count.
const MOST_CANDIDATES: usize = 3;

/// What a perfect model replies to an item that has gold; an empty text without gold.
pub fn write_reply(task: &dyn Task, reply: Reply, item: &Item) -> String {
    let Some(gold) = &item.gold else { return String::new() };
    let answer = match (reply, gold) {
        (Reply::Texts, Answer::Candidates(candidates)) => {
            let shown = &candidates[..candidates.len().min(MOST_CANDIDATES)];
            let conflict = shown.first().is_some_and(|parts| parts.len() > 3);
            let results = shown.iter().map(|parts| Json::map(parts.iter().map(role_text))).collect();
            Json::map([(CONFLICT, Json::Bool(conflict)), (task.about().answer, Json::List(results))])
        }
        (Reply::Texts, Answer::Reasons(reasons)) => {
            let first = |(number, reason): &(usize, &Reason)| reasons[..*number].iter().all(|before| before.kind != reason.kind);
            let counted = reasons.iter().enumerate().filter(first);
            let object = |(_, reason): (usize, &Reason)| {
                let kind = [("type".to_owned(), Json::text(reason.kind.as_str()))];
                Json::map(kind.into_iter().chain(reason.fragments.iter().map(role_text)))
            };
            Json::map([(task.about().answer, Json::List(counted.map(object).collect()))])
        }
        (Reply::Texts, Answer::Tuples(tuples)) => {
            let rows = tuples.iter().map(|tuple| tuple.iter().flat_map(element).collect());
            entities_first(task, rows.collect())
        }
        (Reply::Texts, Answer::Slots(tuples)) => {
            let row = |tuple: &Vec<Slot>| tuple.iter().enumerate().filter_map(|(number, given)| slot(number, given)).collect();
            entities_first(task, tuples.iter().map(row).collect())
        }
        (Reply::Texts, Answer::Scene(scene)) => {
            let judge = Json::text(scene.judge.value().unwrap_or_default().to_string());
            let reason = scene.reason.as_ref().map(|reason| ("reason", Json::text(reason.to_string())));
            Json::map([("judge", judge)].into_iter().chain(reason))
        }
        _ => Json::map(task.write_answer(gold)),
    };
    answer.to_line()
}

type Row = Vec<(String, Json<'static>)>;

fn entities_first(task: &dyn Task, rows: Vec<Row>) -> Json<'static> {
    let mut entities: Vec<Json<'static>> = Vec::new();
    for (role, text) in rows.iter().flatten() {
        if role == SLOTS[0] && !entities.contains(text) {
            entities.push(text.clone());
        }
    }
    let rows = rows.into_iter().map(Json::map).collect();
    Json::map([(ENTITIES, Json::List(entities)), (task.about().answer, Json::List(rows))])
}

fn role_text(part: &RoleFragment) -> (String, Json<'static>) {
    (part.role.to_string(), Json::text(pieces(&part.fragment)))
}

fn element(element: &Element) -> Row {
    let role = element.role.as_str();
    let text = element.fragment.value().map(|fragment| (role.to_owned(), Json::text(pieces(fragment))));
    let label = element.label.value().map(|label| (label_key(role).to_owned(), Json::text(label.to_string())));
    debug_assert!(matches!(element.label, Part::Absent | Part::Value(_)), "gold has no unusable parts");
    text.into_iter().chain(label).collect()
}

fn slot(number: usize, slot: &Slot) -> Option<(String, Json<'static>)> {
    // 时间(文本) is 时间 in a reply, and 时间(标签) is 时间标签.
    let name = SLOTS.get(number)?;
    let role = name.split('(').next().unwrap_or(name);
    match slot {
        Slot::Fragment(fragment) => Some((role.to_owned(), Json::text(pieces(fragment)))),
        Slot::Label(label) => Some((label_key(role).to_owned(), Json::text(label.to_string()))),
        Slot::Empty | Slot::Unusable => None,
    }
}

fn label_key(role: &str) -> &str {
    LABEL_KEYS.iter().find(|(name, _)| *name == role).map_or(role, |(_, key)| key)
}

/// The text of a fragment, its pieces joined by [`GAP`].
fn pieces(fragment: &Fragment) -> String {
    let mut text = String::with_capacity(fragment.text.len() + 3);
    let mut before: Option<CharIdx> = None;
    let mut places = fragment.span.iter();
    for character in fragment.text.chars() {
        let place = places.next();
        if let (Some(CharIdx(before)), Some(CharIdx(place))) = (before, place)
            && place != before.wrapping_add(1)
        {
            text.push(GAP);
        }
        text.push(character);
        before = place;
    }
    text
}
