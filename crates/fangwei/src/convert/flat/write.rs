//! Writes an item as a flat record.

use super::super::doc::{Doc, Filler, Group};
use crate::answer::{Answer, Fragment, ReasonType, Verdict};
use crate::record::{Check, Json};
use crate::task::{Item, Texts};

fn text(text: &str) -> Json<'static> {
    Json::text(text.to_owned())
}

fn number(number: usize) -> Json<'static> {
    Json::Int(number as i64)
}

fn verdict(verdict: Verdict) -> Json<'static> {
    verdict.value().map_or(Json::Null, Json::Bool)
}

/// `start`, `end`, `text`, `piece`, `idxes` of each row of a fragment.
fn rows(fragment: Option<&Fragment>) -> Vec<[(&'static str, Json<'static>); 5]> {
    let row = |start: Json<'static>, end: Json<'static>, piece: usize| {
        let idxes = fragment.map(|fragment| {
            let places: Vec<String> = fragment.span.iter().map(|idx| idx.0.to_string()).collect();
            Json::text(places.join(" "))
        });
        [
            ("start", start),
            ("end", end),
            ("text", fragment.map_or(Json::Null, |fragment| text(&fragment.text))),
            ("piece", number(piece)),
            ("idxes", idxes.unwrap_or(Json::Null)),
        ]
    };
    let pieces = fragment.map(|fragment| fragment.span.pieces()).unwrap_or_default();
    if pieces.is_empty() {
        return vec![row(Json::Null, Json::Null, 0)];
    }
    let place = |idx: u32| Json::Int(i64::from(idx));
    pieces.iter().enumerate().map(|(i, piece)| row(place(piece.start), place(piece.end), i)).collect()
}

fn spans(groups: &[Group]) -> Json<'static> {
    let mut list = Vec::new();
    for (answer, group) in groups.iter().enumerate() {
        for Filler { role, label, fragment } in &group.fillers {
            for row in rows(fragment.as_ref()) {
                let label = label.as_ref().map_or(Json::Null, |label| text(label));
                let fields = [("answer", number(answer)), ("role", text(role)), ("label", label)];
                list.push(Json::map(fields.into_iter().chain(row)));
            }
        }
    }
    Json::List(list)
}

fn mentions(same: &[Group], different: &[Group]) -> Json<'static> {
    let mut list = Vec::new();
    for (is_same, groups) in [(true, same), (false, different)] {
        for (set, group) in groups.iter().enumerate() {
            for row in group.fillers.iter().flat_map(|filler| rows(filler.fragment.as_ref())) {
                list.push(Json::map([("set", number(set)), ("same", Json::Bool(is_same))].into_iter().chain(row)));
            }
        }
    }
    Json::List(list)
}

/// The record of an item; `None` where it holds something that was unusable when it was read.
pub fn record(task: &str, item: &Item, check: &mut Check) -> Option<Json<'static>> {
    let doc = Doc::of(item, check)?;
    let (context2, reason) = match &item.texts {
        Texts::One { .. } | Texts::Absent => (Json::Null, Json::Null),
        Texts::Reason { reason, .. } => (Json::Null, text(reason)),
        Texts::Pair { context2, .. } => (text(context2), Json::Null),
    };
    let (judge, judge2, why) = match &item.gold {
        Some(Answer::Verdict(judge)) => (verdict(*judge), Json::Null, Json::Null),
        Some(Answer::Joint(first, second)) => (verdict(*first), verdict(*second), Json::Null),
        Some(Answer::Scene(scene)) => {
            (verdict(scene.judge), Json::Null, scene.reason.as_ref().map_or(Json::Null, |reason| text(reason)))
        }
        _ => (Json::Null, Json::Null, Json::Null),
    };
    let extra = if doc.extra.is_empty() { Json::Null } else { Json::text(Json::map(doc.extra.iter().cloned()).to_line()) };
    let groups = &doc.groups;
    let kinds = groups.answers.iter().map(|group| text(group.kind.map_or("", ReasonType::as_str))).collect();
    Some(Json::map([
        ("task", text(task)),
        ("qid", text(&doc.qid)),
        ("context", text(&doc.context)),
        ("context2", context2),
        ("reason", reason),
        ("answered", Json::Bool(doc.answered)),
        ("judge", judge),
        ("judge2", judge2),
        ("why", why),
        ("kinds", Json::List(kinds)),
        ("spans", spans(&groups.answers)),
        ("corefs", number(groups.same.len())),
        ("non_corefs", number(groups.different.len())),
        ("mentions", mentions(&groups.same, &groups.different)),
        ("extra", extra),
    ]))
}
