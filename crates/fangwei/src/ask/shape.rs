//! From JSON to an answer of the task's kind: as the prompts ask for it, as the official format has it, and in the shapes into which models slip.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use super::draft::{Draft, Given, Group};
use super::reading::Mend;
use super::verdict::{field, read_joint, read_scene, verdict};
use super::write::LABEL_KEYS;
use crate::answer::{Answer, Kind, ReasonType, Verdict};
use crate::record::{Check, Json, read_span};
use crate::task::{Item, Task};
use crate::tasks::{ROLES, SLOTS, TRIPLE_ROLES, labels_of};

/// Reads a value; `None` where it is no answer to the task. Liberties are noted in `mends`.
pub(super) fn read(task: &dyn Task, item: &Item, value: &Json<'_>, mends: &mut BTreeSet<Mend>) -> Option<Draft> {
    let whole = |answer: Answer| Some(Draft::Whole(answer));
    match task.kind() {
        Kind::Verdict => {
            let given = field(
                value,
                &[task.about().answer, "judge", "judge1", "judge2", "answer", "判断", "答案", "结果", "results"],
                mends,
            );
            whole(Answer::Verdict(Verdict::Plain(verdict(given?, mends)?)))
        }
        Kind::Joint => read_joint(value, mends).and_then(whole),
        Kind::Scene => read_scene(value, mends).and_then(whole),
        Kind::DraftReason | Kind::Graph => {
            let given = value.get(task.about().answer).unwrap_or(value).clone();
            let record = Json::map([(task.about().answer, given)]);
            whole(task.read_answer(&record, &mut Check::new("".into(), 0))?)
        }
        kind @ (Kind::Reasons | Kind::Candidates | Kind::Slots | Kind::Tuples) => {
            let context: Vec<char> = item.texts.context().chars().collect();
            Shape { kind, context: &context }.groups(task.about().answer, value, mends).map(Draft::Groups)
        }
    }
}

/// Fields of comment that are no roles.
const REMARKS: [&str; 16] = [
    "type",
    "类型",
    "kind",
    "id",
    "qid",
    "note",
    "notes",
    "reason",
    "explanation",
    "analysis",
    "说明",
    "理由",
    "分析",
    "解释",
    "备注",
    "序号",
];
/// Texts that say that there is none.
const NOTHING: [&str; 8] = ["无", "null", "none", "None", "空", "-", "—", "未提及"];

struct Shape<'c> {
    kind: Kind,
    context: &'c [char],
}

impl Shape<'_> {
    fn groups(&self, answer: &str, value: &Json<'_>, mends: &mut BTreeSet<Mend>) -> Option<Vec<Group>> {
        let names =
            [answer, "results", "outputs", "reasons", "answers", "answer", "tuples", "candidates", "结果", "答案", "元组"];
        let looks_like_one = |value: &Json<'_>| {
            value.fields().iter().any(|(name, _)| matches!(name.as_ref(), "role" | "fragments" | "type") || self.knows(name))
        };
        let body = match value {
            Json::Map(_) => match field(value, &names, mends) {
                Some(body) => body,
                None if looks_like_one(value) => {
                    mends.insert(Mend::Shape);
                    return Some(vec![self.group(value, mends)?]);
                }
                None => return None,
            },
            Json::List(list) if list.iter().all(|one| matches!(one, Json::Map(_) | Json::List(_))) => {
                mends.insert(Mend::Shape);
                value
            }
            _ => return None,
        };
        match body {
            // A flat list of roles is one group.
            Json::List(list) if !list.is_empty() && list.iter().all(|part| part.get("role").is_some()) => {
                mends.insert(Mend::Shape);
                Some(vec![self.group(body, mends)?])
            }
            Json::List(list) => Some(list.iter().filter_map(|one| self.group(one, mends)).collect()),
            Json::Map(_) => {
                mends.insert(Mend::Shape);
                Some(vec![self.group(body, mends)?])
            }
            Json::Null => Some(Vec::new()),
            _ => None,
        }
    }

    /// Whether a name is that of a role of the task.
    fn knows(&self, name: &str) -> bool {
        let (role, _) = self.role(name);
        match self.kind {
            Kind::Candidates => TRIPLE_ROLES.contains(&role.as_str()),
            Kind::Reasons => ReasonType::ALL.iter().any(|kind| crate::tasks::reason_roles(*kind).contains(&role.as_str())),
            _ => ROLES.contains(&role.as_str()) || SLOTS.contains(&role.as_str()),
        }
    }

    /// The name of a role as the task writes it, and whether it is the label that is named: 时间（标签）, 时间标签.
    fn role(&self, name: &str) -> (SmolStr, bool) {
        let name: String = name
            .trim()
            .chars()
            .map(|c| match c {
                '（' => '(',
                '）' => ')',
                '０'..='９' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
                _ => c,
            })
            .collect();
        if let Some((role, _)) = LABEL_KEYS.iter().find(|(role, key)| name == *key || name == format!("{role}(标签)")) {
            return (SmolStr::new(role), true);
        }
        let name = name.trim_end_matches("(文本)").trim_end_matches("(片段)");
        let upper = name.to_ascii_uppercase();
        let plain = match (self.kind, upper.as_str()) {
            (Kind::Candidates, "S" | "P" | "E") => format!("{upper}1"),
            (Kind::Candidates | Kind::Reasons, _) if name.len() <= 2 => upper,
            (Kind::Tuples, _) if name == "参照事件" => "时间".to_owned(),
            _ => name.to_owned(),
        };
        (plain.into(), false)
    }

    fn group(&self, value: &Json<'_>, mends: &mut BTreeSet<Mend>) -> Option<Group> {
        let mut group = Group::default();
        match value {
            Json::List(list) if self.kind == Kind::Slots && list.iter().all(|one| one.get("role").is_none()) => {
                self.slots(list, &mut group, mends);
            }
            Json::List(list) => list.iter().for_each(|part| self.part(part, &mut group)),
            Json::Map(fields) => {
                let inner = ["fragments", "roles", "elements", "片段", "角色"].iter().find_map(|name| value.get(name));
                match inner {
                    Some(Json::List(list)) => list.iter().for_each(|part| self.part(part, &mut group)),
                    Some(inner) => inner.fields().iter().for_each(|(name, given)| self.value(name, given, &mut group)),
                    None if value.get("role").is_some() => self.part(value, &mut group),
                    None => fields.iter().for_each(|(name, given)| self.value(name, given, &mut group)),
                }
            }
            _ => return None,
        }
        if self.kind == Kind::Reasons {
            group.kind = value.get("type").or_else(|| value.get("类型")).and_then(Json::as_str).and_then(reason_type);
            settle_type(&mut group, mends);
        }
        (!group.parts.is_empty()).then_some(group)
    }

    /// The eighteen places of 2022.
    fn slots(&self, list: &[Json<'_>], group: &mut Group, mends: &mut BTreeSet<Mend>) {
        if list.len() != SLOTS.len() {
            mends.insert(Mend::Shape);
        }
        for (slot, given) in SLOTS.iter().zip(list) {
            self.value(slot, given, group);
        }
    }

    /// `{"role": …, "text": …}`, or `{"处所": …}`.
    fn part(&self, part: &Json<'_>, group: &mut Group) {
        match part.get("role").and_then(Json::as_str) {
            Some(role) => self.value(role, part, group),
            None => part.fields().iter().for_each(|(name, given)| self.value(name, given, group)),
        }
    }

    /// Adds what stands under a role: a text, an object with text, indexes or label, or several of them.
    fn value(&self, name: &str, given: &Json<'_>, group: &mut Group) {
        if REMARKS.contains(&name) {
            return;
        }
        let (role, labelled) = self.role(name);
        match given {
            Json::List(list) => list.iter().for_each(|one| self.value(name, one, group)),
            Json::Map(_) => {
                let fragment = given.get("fragment").unwrap_or(given);
                let text = fragment.as_str().or_else(|| fragment.get("text").and_then(Json::as_str)).map(SmolStr::new);
                let span = fragment.get("idxes").and_then(|idxes| read_span(idxes, &mut Check::new("".into(), 0)));
                let label = given.get("label").and_then(Json::as_str).map(SmolStr::new);
                self.add(Given { role, text, label, span: span.unwrap_or_default() }, group, false);
            }
            Json::Text(text) if labelled || self.is_label(&role, text) => {
                self.add(Given { role, label: Some(text.trim().into()), ..Given::default() }, group, true);
            }
            Json::Text(text) => {
                self.add(Given { role, text: Some(text.as_ref().into()), ..Given::default() }, group, true);
            }
            _ => {}
        }
    }

    /// Whether a text under a role can only be its label.
    fn is_label(&self, role: &str, text: &str) -> bool {
        let known = labels_of(role, false).contains(&text.trim());
        let there = || self.context.iter().collect::<String>().contains(text.trim());
        known && (role != "时间" || !there())
    }

    /// Adds a part; a label and a text that came under two keys become one.
    fn add(&self, mut part: Given, group: &mut Group, by_key: bool) {
        let nothing = |text: &SmolStr| text.trim_matches([' ', '…', '.']).is_empty() || NOTHING.contains(&text.trim());
        part.text = part.text.filter(|text| !nothing(text));
        part.label = part.label.filter(|label| !nothing(label));
        if part.text.is_none() && part.label.is_none() {
            return;
        }
        let pair = self.kind != Kind::Candidates && by_key && LABEL_KEYS.iter().any(|(role, _)| part.role == *role);
        let half = |known: &&mut Given| {
            known.role == part.role
                && (known.text.is_none() && part.label.is_none() || known.label.is_none() && part.text.is_none())
        };
        match group.parts.iter_mut().find(half) {
            Some(known) if pair => {
                known.text = known.text.take().or(part.text);
                known.label = known.label.take().or(part.label);
            }
            _ => group.parts.push(part),
        }
    }
}

/// The type of a reason where it was left out, and its roles where they are those of another type.
fn settle_type(group: &mut Group, mends: &mut BTreeSet<Mend>) {
    let has = |end: &str| group.parts.iter().any(|part| part.role.ends_with(end));
    let kind = group.kind.unwrap_or_else(|| {
        mends.insert(Mend::Shape);
        if has("text1") || has("text2") {
            ReasonType::A
        } else if has("2") {
            ReasonType::B
        } else {
            ReasonType::C
        }
    });
    group.kind = Some(kind);
    for part in &mut group.parts {
        let role = match (kind, part.role.as_str()) {
            (ReasonType::C, "S1") | (ReasonType::B, "S") => ["S", "S1"],
            (ReasonType::C, "P1") | (ReasonType::B, "P") => ["P", "P1"],
            (ReasonType::C, "E1") | (ReasonType::B, "E") => ["E", "E1"],
            _ => continue,
        };
        mends.insert(Mend::Shape);
        part.role = role[usize::from(kind == ReasonType::B)].into();
    }
}

fn reason_type(text: &str) -> Option<ReasonType> {
    let names = ["搭配不当", "语义冲突", "不符合常识"];
    let letter = text.trim().chars().next().map(|c| c.to_ascii_uppercase().to_string())?;
    let by_name = names.iter().position(|name| text.contains(name)).map(|at| ReasonType::ALL[at]);
    ReasonType::parse(&letter).or(by_name)
}
