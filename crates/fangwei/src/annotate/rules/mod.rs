//! The rules, grouped by what they look at. Their names are those of the specification; `FM` rules are about form and are ours.

mod attribution;
mod collocation;
mod coreference;
mod form;
mod item;
mod places;
mod prepositions;
mod records;
mod spans;
mod times;
mod words;

use super::Rule;
use super::finding::Hit;
use super::fix::Fix;
use super::subject::{Subject, Value};
use crate::answer::Kind;
use crate::text::{CharIdx, Span};

/// Every rule, in the order of the manual.
pub const RULES: &[&Rule] = &[
    &form::FM01,
    &form::FM02,
    &form::FM03,
    &attribution::AT01,
    &attribution::AT02,
    &attribution::AT03,
    &attribution::AT04,
    &attribution::AT05,
    &attribution::AT06,
    &attribution::AT07,
    &collocation::AT08,
    &collocation::AT09,
    &collocation::AT10,
    &attribution::AT11,
    &attribution::AT12,
    &attribution::AT13,
    &collocation::AT14,
    &collocation::AT15,
    &collocation::AT16,
    &attribution::AT17,
    &collocation::AT18,
    &attribution::AT19,
    &attribution::AT20,
    &spans::AT21,
    &words::AT22,
    &words::SF01,
    &words::SF02,
    &words::SF03,
    &places::SF04,
    &places::SF05,
    &words::SF06,
    &places::SF07,
    &places::SF08,
    &places::SF09,
    &places::SF10,
    &spans::SF11,
    &words::SF12,
    &words::SF13,
    &places::SF14,
    &prepositions::SF15,
    &spans::SF16,
    &spans::SF17,
    &spans::SF18,
    &places::SF19,
    &spans::SF20,
    &records::SR01,
    &records::SR02,
    &records::SR03,
    &records::SR04,
    &times::SR05,
    &times::SR06,
    &times::SR07,
    &times::SR08,
    &times::SR09,
    &records::SR10,
    &records::SR11,
    &prepositions::SR12,
    &records::SR13,
    &records::SR14,
    &records::SR15,
    &records::SR16,
    &times::SR17,
    &times::SR18,
    &prepositions::SR19,
    &records::SR20,
    &records::SR21,
    &prepositions::SR22,
    &coreference::CR01,
    &coreference::CR02,
    &coreference::CR03,
    &coreference::CR04,
    &coreference::CR05,
    &item::IT01,
    &item::IT02,
    &item::IT03,
];

/// The tasks of tuples.
const TUPLES: &[Kind] = &[Kind::Slots, Kind::Tuples];
/// The tasks of anomalies.
const ANOMALIES: &[Kind] = &[Kind::Reasons, Kind::Candidates];

/// A hit at each value that `wrong` gives one for.
fn each_value(subject: &Subject<'_>, mut wrong: impl FnMut(&Value<'_>) -> Option<Hit>) -> Vec<Hit> {
    subject.values().filter_map(|(_, value)| wrong(value)).collect()
}

/// The span without its first word; `None` where nothing would be left.
fn without_first(value: &Value<'_>) -> Option<Fix> {
    let drop = value.first()?.text.chars().count();
    let rest: Span = value.span().iter().skip(drop).collect();
    (!rest.is_empty()).then_some(Fix::Cover(value.spot, rest))
}

/// The span without its last word; `None` where nothing would be left.
fn without_last(value: &Value<'_>) -> Option<Fix> {
    let span = value.span();
    let keep = span.len().saturating_sub(value.last()?.text.chars().count());
    let rest: Span = span.iter().take(keep).collect();
    (!rest.is_empty()).then_some(Fix::Cover(value.spot, rest))
}

/// A span of consecutive places.
fn run(start: u32, end: u32) -> Span {
    (start..end).collect()
}

/// One span after another.
fn joined(one: &Span, other: &Span) -> Span {
    one.iter().chain(other.iter()).collect::<Vec<CharIdx>>().into_iter().collect()
}
