//! Coreference: the forms that a gold entity may take when its mentions are replaced by others that mean the same.

use super::TupleRules;
use super::cell::Piece;
use crate::answer::Fragment;
use crate::task::MentionSets;
use crate::text::{IdxSet, Span};

/// At most so many forms of an entity are tried.
const MOST_FORMS: usize = 256;

/// A form of a gold entity under coreference: its places, and which mention was replaced by which.
pub(super) struct Form {
    pub(super) places: IdxSet,
    pub(super) replaced: Vec<(Fragment, Fragment)>,
}

/// The forms that a gold entity may take, itself first.
pub(super) fn forms(entity: &Piece, corefs: &MentionSets, rules: TupleRules) -> Vec<Form> {
    let mut forms = vec![Form { places: entity.places.clone(), replaced: Vec::new() }];
    if !rules.plain_coreference {
        combine(&mut forms, &entity.places, &IdxSet::default(), corefs, 0, &mut Vec::new());
        return forms;
    }
    let mut seen: Vec<&Span> = Vec::new();
    for set in corefs {
        for mention in set {
            if seen.contains(&&mention.span) {
                continue;
            }
            seen.push(&mention.span);
            let places = mention.span.to_set();
            if places.is_subset(&entity.places) {
                let rest = entity.places.minus(&places);
                forms.extend(set.iter().map(|other| Form {
                    places: other.span.to_set().union(&rest),
                    replaced: vec![(mention.clone(), other.clone())],
                }));
            }
        }
    }
    forms
}

/// Every choice of disjoint mentions within `open`, each replaced by every member of its set.
fn combine(
    forms: &mut Vec<Form>,
    open: &IdxSet,
    filled: &IdxSet,
    corefs: &MentionSets,
    from: usize,
    replaced: &mut Vec<(Fragment, Fragment)>,
) {
    let mentions = corefs.iter().flat_map(|set| set.iter().map(move |mention| (set, mention)));
    for (number, (set, mention)) in mentions.enumerate().skip(from) {
        let places = mention.span.to_set();
        if places.is_empty() || !places.is_subset(open) {
            continue;
        }
        let rest = open.minus(&places);
        for other in set.iter().filter(|other| other.span != mention.span) {
            if forms.len() >= MOST_FORMS {
                return;
            }
            let filled = filled.union(&other.span.to_set());
            replaced.push((mention.clone(), other.clone()));
            forms.push(Form { places: filled.union(&rest), replaced: replaced.clone() });
            combine(forms, &rest, &filled, corefs, number + 1, replaced);
            replaced.pop();
        }
    }
}
