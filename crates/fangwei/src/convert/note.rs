//! What a tool cannot say about a record, written beside it so that it comes back.
//!
//! For each group that differs from its shadow (see [`shadow`]) the note holds the group itself: unsorted and repeated indexes, the order of roles, texts that are
//! not what the indexes point at, roles and labels that the task does not know. When a record is read again, a group of the note takes the place
//! of what the tool shows only if its shadow is just that: who edits an annotation is never overruled by its note. Groups without any
//! shadow come back at their old place. The note also holds the identifier, the place in the file and fields that are not the task's.

use smol_str::SmolStr;

use super::doc::{Doc, Filler, Group, Groups, shadow};
use super::names::RoleName;
use crate::answer::{Fragment, ReasonType};
use crate::lang::Say;
use crate::record::{Check, Code, Fields, Json, read_fragment, read_list};
use crate::task::write_fragment;

/// A group and its place among the groups of its kind.
type Exact = (usize, Group);

/// The note of a record.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Note {
    /// The identifier.
    pub qid: SmolStr,
    /// The place of the record in its file, from 1.
    pub number: u64,
    /// Whether it has gold.
    pub answered: bool,
    answers: Vec<Exact>,
    same: Vec<Exact>,
    different: Vec<Exact>,
    extra: Vec<(String, Json<'static>)>,
}

fn unsaid(groups: &[Group], chars: &[char], names: &[RoleName]) -> Vec<Exact> {
    let differs = |(_, group): &(usize, &Group)| shadow(group, chars, names).as_ref() != Some(*group);
    groups.iter().enumerate().filter(differs).map(|(i, group)| (i, group.clone())).collect()
}

impl Note {
    /// What the shadows of `doc` leave unsaid.
    pub fn of(doc: &Doc, number: u64, chars: &[char], names: &[RoleName]) -> Note {
        Note {
            qid: doc.qid.clone(),
            number,
            answered: doc.answered,
            answers: unsaid(&doc.groups.answers, chars, names),
            same: unsaid(&doc.groups.same, chars, names),
            different: unsaid(&doc.groups.different, chars, names),
            extra: doc.extra.clone(),
        }
    }

    /// The record that was meant, out of what the tool shows; and what the note knew of groups that are not there any more.
    pub fn apply(self, context: SmolStr, shown: Groups, names: &[RoleName], losses: &mut Vec<&'static str>) -> Doc {
        let chars: Vec<char> = context.chars().collect();
        let mut restore = |shown, exact| restore(shown, exact, &chars, names, losses);
        let groups = Groups {
            answers: restore(shown.answers, self.answers),
            same: restore(shown.same, self.same),
            different: restore(shown.different, self.different),
        };
        let answered = self.answered || groups != Groups::default();
        Doc { qid: self.qid, context, answered, groups, extra: self.extra }
    }

    /// The note as JSON.
    pub fn to_json(&self) -> Json<'static> {
        let list = |groups: &[Exact]| Json::List(groups.iter().map(write_exact).collect());
        let mut fields = vec![
            ("qid", Json::text(self.qid.to_string())),
            ("number", Json::Int(self.number as i64)),
            ("answered", Json::Bool(self.answered)),
        ];
        for (name, groups) in [("answers", &self.answers), ("same", &self.same), ("different", &self.different)] {
            if !groups.is_empty() {
                fields.push((name, list(groups)));
            }
        }
        if !self.extra.is_empty() {
            fields.push(("extra", Json::map(self.extra.iter().cloned())));
        }
        Json::map(fields)
    }

    /// Reads a note.
    pub fn read(given: &Json<'_>, check: &mut Check) -> Option<Note> {
        let fields = Fields::of(given, check)?;
        let mut list = |name: &str| {
            if given.get(name).is_none() { Some(Vec::new()) } else { read_list(&fields, name, check, read_exact) }
        };
        let (answers, same, different) = (list("answers")?, list("same")?, list("different")?);
        let answered = given.get("answered") == Some(&Json::Bool(true));
        let number = match given.get("number") {
            Some(Json::Int(number)) => u64::try_from(*number).unwrap_or_default(),
            _ => 0,
        };
        let extra = given.get("extra").map(|extra| Fields(extra).extra(&[])).unwrap_or_default();
        Some(Note { qid: fields.qid(&["qid"], check)?, number, answered, answers, same, different, extra })
    }
}

fn restore(
    shown: Vec<Group>,
    exact: Vec<Exact>,
    chars: &[char],
    names: &[RoleName],
    losses: &mut Vec<&'static str>,
) -> Vec<Group> {
    let (mut hidden, mut waiting): (Vec<Exact>, Vec<(usize, Group, Group)>) = (Vec::new(), Vec::new());
    for (at, group) in exact {
        match shadow(&group, chars, names) {
            // Where it stands among the groups that are shown.
            Some(shade) => waiting.push((at.saturating_sub(hidden.len()), group, shade)),
            None => hidden.push((at, group)),
        }
    }
    let mut groups: Vec<Option<Group>> = vec![None; shown.len()];
    // At its own place first: another group may have the same shadow.
    waiting.retain(|(at, group, shade)| {
        let there = shown.get(*at) == Some(shade) && groups[*at].is_none();
        if there {
            groups[*at] = Some(group.clone());
        }
        !there
    });
    for (_, group, shade) in waiting {
        match (0..shown.len()).find(|at| groups[*at].is_none() && shown[*at] == shade) {
            Some(at) => groups[at] = Some(group),
            None => losses.push("stale-note"),
        }
    }
    let mut groups: Vec<Group> = groups.into_iter().zip(shown).map(|(group, shown)| group.unwrap_or(shown)).collect();
    for (at, group) in hidden {
        groups.insert(at.min(groups.len()), group);
    }
    groups
}

fn write_exact((at, group): &Exact) -> Json<'static> {
    let text = |text: Option<&str>| text.map_or(Json::Null, |text| Json::text(text.to_owned()));
    let filler = |filler: &Filler| {
        let mut fields = vec![("role", text(Some(&filler.role)))];
        if let Some(label) = &filler.label {
            fields.push(("label", text(Some(label))));
        }
        fields.extend(filler.fragment.iter().flat_map(write_fragment));
        Json::map(fields)
    };
    let mut fields = vec![("at", Json::Int(*at as i64))];
    if let Some(kind) = group.kind {
        fields.push(("type", text(Some(kind.as_str()))));
    }
    fields.push(("parts", Json::List(group.fillers.iter().map(filler).collect())));
    Json::map(fields)
}

fn read_exact(given: &Json<'_>, check: &mut Check) -> Option<Exact> {
    let fields = Fields::of(given, check)?;
    let at = match fields.need("at", check)? {
        Json::Int(at) => usize::try_from(*at).ok(),
        _ => None,
    };
    let Some(at) = at else {
        check.at("at", |check| check.add(Code::BadType, Say::new("从 0 起的整数", "a whole number from 0"), given.brief()));
        return None;
    };
    let kind = given.get("type").and_then(Json::as_str).and_then(ReasonType::parse);
    let fillers = read_list(&fields, "parts", check, read_filler)?;
    Some((at, Group { kind, fillers }))
}

fn read_filler(given: &Json<'_>, check: &mut Check) -> Option<Filler> {
    let role = Fields::of(given, check)?.text("role", check)?;
    let label = given.get("label").and_then(Json::as_str).map(SmolStr::new);
    let fragment: Option<Fragment> = if given.get("idxes").is_some() { Some(read_fragment(given, false, check)?) } else { None };
    Some(Filler { role, label, fragment })
}

/// Reads an array of groups that stand in a note by themselves; for tests of what is refused.
#[cfg(test)]
fn read_groups(text: &str) -> Option<Vec<Exact>> {
    let given = Json::parse(text.as_bytes()).ok()?;
    crate::record::list_of(&given, &mut Check::new("note".into(), 1), read_exact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::names::roles;

    #[test]
    fn a_note_never_overrules_what_is_shown() {
        let names = roles("2023/anomaly");
        let chars: Vec<char> = "猫在箱子里".chars().collect();
        let exact = read_groups(r#"[{"at":0,"parts":[{"role":"P1","text":"里在","idxes":[4,1]}]},{"at":1,"parts":[]}]"#);
        let exact = exact.expect("two groups");
        let shade = shadow(&exact[0].1, &chars, &names).expect("places inside the text");
        assert_eq!(shade.fillers[0].fragment.as_ref().map(|fragment| fragment.text.as_str()), Some("在里"));
        let mut losses = Vec::new();
        let same = restore(vec![shade.clone()], exact.clone(), &chars, &names, &mut losses);
        assert_eq!((same, losses.len()), (vec![exact[0].1.clone(), exact[1].1.clone()], 0));
        let mut edited = shade;
        edited.fillers[0].role = "E1".into();
        let kept = restore(vec![edited.clone()], exact.clone(), &chars, &names, &mut losses);
        assert_eq!((kept, losses), (vec![edited, exact[1].1.clone()], vec!["stale-note"]));
    }

    #[test]
    fn malformed_notes_are_refused() {
        for text in ["[1]", r#"[{"at":-1,"parts":[]}]"#, r#"[{"at":0}]"#, r#"[{"at":0,"parts":[{"role":1}]}]"#] {
            assert_eq!(read_groups(text), None, "{text}");
        }
    }
}
