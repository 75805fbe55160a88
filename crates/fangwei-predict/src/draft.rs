//! The two tasks of the early page of 2022, answered by what their successors think: a reason without places, and tuples as a graph.

use fangwei::answer::{Answer, DraftReason, DraftRole, Fragment, Graph, Reason, ReasonType};
use fangwei::lexicon::{Class, Lexicon};
use fangwei::task::{Item, Task};
use smol_str::SmolStr;

use crate::belief::{self, Belief, Tuple};
use crate::options::Options;

/// The answer that follows from a belief: in the tasks of the early page by conversion, else by [`belief::decide`].
pub fn answer(task: &dyn Task, item: &Item, belief: &Belief, options: &Options) -> Answer {
    match (task.id(), belief) {
        ("2022-draft/attribute", Belief::Reasons(types)) => {
            let best = types
                .iter()
                .filter(|one| !one.reasons.is_empty())
                .reduce(|best, next| if next.odds > best.odds { next } else { best });
            let best = best.and_then(|one| one.reasons.iter().reduce(|best, next| if next.1 > best.1 { next } else { best }));
            Answer::DraftReason(best.map_or_else(|| nothing(item), |(reason, _)| of_reason(reason)))
        }
        ("2022-draft/relations", Belief::Tuples(tuples)) => Answer::Graph(graph(&belief::tuples::choose(tuples))),
        _ => belief::decide(task, item, belief, options),
    }
}

/// A text in which nothing can be named.
fn nothing(item: &Item) -> DraftReason {
    DraftReason { texts: vec![item.texts.context().into()], kind: "C".into() }
}

/// A reason of 2022 as one of the early page: A names two texts, B two statements, C one.
pub fn of_reason(reason: &Reason) -> DraftReason {
    let joined = |wanted: &dyn Fn(&str) -> bool| -> SmolStr {
        let mut parts: Vec<&Fragment> =
            reason.fragments.iter().filter(|part| wanted(&part.role)).map(|part| &part.fragment).collect();
        parts.sort_by_key(|fragment| fragment.span.first());
        parts.iter().map(|fragment| fragment.text.as_str()).collect::<String>().into()
    };
    let texts: Vec<SmolStr> = match reason.kind {
        ReasonType::C => vec![joined(&|_| true)],
        ReasonType::A | ReasonType::B => vec![joined(&|role| role.ends_with('1')), joined(&|role| role.ends_with('2'))],
    };
    DraftReason { texts, kind: reason.kind.as_str().into() }
}

/// Tuples as events and relations: the event with who or what is there and where; the entity with its event and place.
pub fn graph<'t>(tuples: impl IntoIterator<Item = &'t Tuple>) -> Graph {
    let mut graph = Graph::default();
    for tuple in tuples {
        let text = |role: &str| {
            let element = tuple.iter().find(|element| element.role == role)?;
            element.fragment.value().map(|fragment| fragment.text.clone())
        };
        let Some(entity) = text("空间实体").filter(|entity| is_plain(entity)) else { continue };
        let event = text("事件").filter(|event| is_plain(event));
        let places: Vec<DraftRole> = ["处所", "起点", "终点", "方向", "路径"]
            .iter()
            .filter_map(|role| Some((SmolStr::new_static(role), vec![place(&text(role).filter(|text| is_plain(text))?)])))
            .collect();
        if let Some(event) = &event {
            let mut roles: Vec<DraftRole> = vec![("施事".into(), vec![entity.clone()])];
            roles.extend(places.iter().cloned());
            graph.events.push((format!("%{event}%").into(), roles));
        }
        let mut roles: Vec<DraftRole> = event.iter().map(|event| ("事件".into(), vec![format!("%{event}%").into()])).collect();
        roles.extend(places);
        if !roles.is_empty() {
            graph.relations.push((format!("#{entity}#").into(), roles));
        }
    }
    graph
}

/// Whether a text has none of the signs of the notation.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains(['%', '#', '<', '>', '^'])
}

/// A place in the notation: the preposition in angle brackets, the locative behind `##`.
fn place(text: &str) -> SmolStr {
    let lexicon = Lexicon::shipped();
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let governed = starts.iter().skip(1).take(2).rev().find(|at| lexicon.has(&text[..**at], Class::Preposition));
    let (before, rest) = governed.map_or(("", text), |at| text.split_at(*at));
    let ends = rest.char_indices().map(|(at, _)| at).skip(1).find(|at| lexicon.has(&rest[*at..], Class::Locative));
    let marked = ends.map_or_else(|| rest.to_owned(), |at| format!("{}##{}", &rest[..at], &rest[at..]));
    if before.is_empty() { marked.into() } else { format!("<{before}>{marked}").into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_in_the_notation() {
        assert_eq!(place("在枕头底下"), "<在>枕头##底下");
        assert_eq!(place("信封里"), "信封##里");
        assert_eq!(place("出来"), "出来");
        assert_eq!(place("里"), "里");
    }
}
