//! Characters in roles: how 2022/attribute and 2023/anomaly hold a predicted answer against a gold one.
//!
//! Strict: a character counts where gold has it in the same role. Loose: where gold has it in any role. An item earns precision, recall and F1 of its best pair.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::align::{Alignment, Pair, RoleRow, Side};
use super::{f1, ratio};
use crate::answer::{Fragment, RoleFragment};
use crate::text::{IdxSet, Span};

/// With or without roles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// In any role.
    Loose,
    /// In the same role.
    Strict,
}

/// The choices in which the scripts and the texts differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FragmentRules {
    /// Gold roles that the prediction lacks count in recall.
    pub gold_only_roles: bool,
    /// Each copy of a repeated role is held against gold by itself; else copies are joined.
    pub copies_apart: bool,
    /// A role that only one side has counts its indexes as written; else each place once.
    pub one_sided_as_written: bool,
}

/// Characters found, predicted and wanted.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Counts {
    /// In both.
    pub hits: usize,
    /// In the prediction.
    pub pred: usize,
    /// In gold.
    pub gold: usize,
}

/// Precision, recall and their harmonic mean.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Prf {
    /// Precision.
    pub p: f64,
    /// Recall.
    pub r: f64,
    /// F1.
    pub f: f64,
}

impl Counts {
    /// The ratios; all 0 where nothing was found.
    pub fn prf(self) -> Prf {
        let (p, r) = (ratio(self.hits as f64, self.pred as f64), ratio(self.hits as f64, self.gold as f64));
        Prf { p, r, f: f1(p, r) }
    }
}

/// Holds one predicted answer against one gold answer.
pub fn count(level: Level, rules: FragmentRules, gold: &[RoleFragment], pred: &[RoleFragment]) -> Counts {
    match level {
        Level::Loose => {
            let (gold, pred) = (all_places(gold), all_places(pred));
            Counts { hits: gold.overlap(&pred), pred: pred.len(), gold: gold.len() }
        }
        Level::Strict => {
            let mut counts = Counts::default();
            strict_rows(rules, gold, pred, |_, _, row| {
                counts.hits += row.hits;
                counts.pred += row.pred;
                counts.gold += row.gold;
            });
            counts
        }
    }
}

fn all_places(fragments: &[RoleFragment]) -> IdxSet {
    fragments.iter().flat_map(|part| part.fragment.span.iter()).collect()
}

/// Role by role: the gold span, the predicted span, and what they count for.
fn strict_rows(
    rules: FragmentRules,
    gold: &[RoleFragment],
    pred: &[RoleFragment],
    mut row: impl FnMut(Option<&RoleFragment>, Option<&RoleFragment>, Counts),
) {
    let joined;
    let pred = if rules.copies_apart {
        pred
    } else {
        joined = join_copies(pred);
        &joined
    };
    let alone = |span: &Span| if rules.one_sided_as_written { span.len() } else { span.to_set().len() };
    for part in pred {
        let mut found = false;
        for wanted in gold.iter().filter(|wanted| wanted.role == part.role) {
            found = true;
            let (have, want) = (part.fragment.span.to_set(), wanted.fragment.span.to_set());
            row(Some(wanted), Some(part), Counts { hits: have.overlap(&want), pred: have.len(), gold: want.len() });
        }
        if !found {
            row(None, Some(part), Counts { hits: 0, pred: alone(&part.fragment.span), gold: 0 });
        }
    }
    for wanted in gold.iter().filter(|wanted| pred.iter().all(|part| part.role != wanted.role)) {
        let size = if rules.gold_only_roles { alone(&wanted.fragment.span) } else { 0 };
        row(Some(wanted), None, Counts { hits: 0, pred: 0, gold: size });
    }
}

/// One fragment a role: copies of a role are joined.
fn join_copies(fragments: &[RoleFragment]) -> Vec<RoleFragment> {
    let mut joined: Vec<(&SmolStr, String, Span)> = Vec::with_capacity(fragments.len());
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for part in fragments {
        let at = *places.entry(&part.role).or_insert(joined.len());
        if at == joined.len() {
            joined.push((&part.role, String::new(), Span::default()));
        }
        let (_, text, span) = &mut joined[at];
        text.push_str(&part.fragment.text);
        part.fragment.span.iter().for_each(|idx| span.push(idx));
    }
    let part = |(role, text, span): (&SmolStr, String, Span)| RoleFragment {
        role: role.clone(),
        fragment: Fragment { text: text.into(), span },
    };
    joined.into_iter().map(part).collect()
}

/// The best pair: the first with the greatest F1 above 0, predictions before gold.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Best {
    /// Number of the prediction.
    pub pred: usize,
    /// Number of the gold answer.
    pub gold: usize,
    /// What the pair counts.
    pub prf: Prf,
}

/// Looks for the best pair among those that `admit` lets through.
pub fn best<G: AsRef<[RoleFragment]>, P: AsRef<[RoleFragment]>>(
    level: Level,
    rules: FragmentRules,
    golds: &[G],
    preds: &[P],
    admit: impl Fn(usize, usize) -> bool,
) -> Option<Best> {
    let mut best: Option<Best> = None;
    for (i, pred) in preds.iter().enumerate() {
        for (j, gold) in golds.iter().enumerate() {
            if !admit(i, j) {
                continue;
            }
            let prf = count(level, rules, gold.as_ref(), pred.as_ref()).prf();
            if prf.f > best.map_or(0.0, |best| best.prf.f) {
                best = Some(Best { pred: i, gold: j, prf });
            }
        }
    }
    best
}

/// The strict comparison of the best pair, role by role.
pub fn explain(rules: FragmentRules, gold: &[RoleFragment], pred: &[RoleFragment]) -> Vec<RoleRow> {
    let side = |part: &RoleFragment| Side { text: part.fragment.text.to_string(), span: part.fragment.span.clone() };
    let mut rows = Vec::new();
    strict_rows(rules, gold, pred, |wanted, part, counts| {
        rows.push(RoleRow {
            role: wanted.or(part).map(|part| part.role.to_string()).unwrap_or_default(),
            gold: wanted.map(side),
            pred: part.map(side),
            hits: counts.hits as f64,
            gold_size: counts.gold as f64,
            pred_size: counts.pred as f64,
            note: None,
        });
    });
    rows
}

/// The alignment of an item: the best strict pair (or, without one, the best loose), the numbers of both levels.
pub fn align<G: AsRef<[RoleFragment]>, P: AsRef<[RoleFragment]>>(
    rules: FragmentRules,
    golds: &[G],
    preds: &[P],
    admit: impl Fn(usize, usize) -> bool,
) -> Alignment {
    let strict = best(Level::Strict, rules, golds, preds, admit);
    let loose = best(Level::Loose, rules, golds, preds, |_, _| true);
    let mut alignment = Alignment::default();
    for (level, best) in [("strict", strict), ("loose", loose)] {
        let prf = best.map(|best| best.prf).unwrap_or_default();
        for (name, value) in [("precision", prf.p), ("recall", prf.r), ("f1", prf.f)] {
            alignment.numbers.push((format!("{level}.{name}"), value));
        }
    }
    let shown = strict.or(loose);
    // Without any common character the first answers are shown side by side.
    let (gold, pred) = shown.map_or((0, 0), |best| (best.gold, best.pred));
    if let Some(wanted) = golds.get(gold) {
        let part = preds.get(pred);
        alignment.pairs.push(Pair {
            gold: Some(gold),
            pred: part.map(|_| pred),
            earned: strict.map_or(0.0, |best| best.prf.f),
            rows: explain(rules, wanted.as_ref(), part.map_or(&[], |part| part.as_ref())),
            note: None,
        });
    }
    alignment
}

#[cfg(test)]
mod tests {
    use super::*;

    const AS_WRITTEN: FragmentRules = FragmentRules { gold_only_roles: true, copies_apart: false, one_sided_as_written: false };

    fn part(role: &str, indexes: &[u32]) -> RoleFragment {
        RoleFragment {
            role: role.into(),
            fragment: Fragment { text: SmolStr::default(), span: indexes.iter().copied().collect() },
        }
    }

    #[test]
    fn a_character_counts_in_its_role_only() {
        let gold = [part("S1", &[0]), part("P1", &[2, 3, 4])];
        let pred = [part("S1", &[2]), part("P1", &[3, 4])];
        // strict: of 3 predicted characters 2 (3 and 4 in P1) are right, of 4 wanted 2 are found
        assert_eq!(count(Level::Strict, AS_WRITTEN, &gold, &pred), Counts { hits: 2, pred: 3, gold: 4 });
        // loose: {2,3,4} against {0,2,3,4}
        assert_eq!(count(Level::Loose, AS_WRITTEN, &gold, &pred), Counts { hits: 3, pred: 3, gold: 4 });
    }

    #[test]
    fn gold_roles_that_were_not_predicted() {
        let (gold, pred) = ([part("S1", &[0]), part("P1", &[2, 3])], [part("P1", &[2, 3])]);
        assert_eq!(count(Level::Strict, AS_WRITTEN, &gold, &pred).prf().r, 2.0 / 3.0);
        let rules = FragmentRules { gold_only_roles: false, ..AS_WRITTEN };
        assert_eq!(count(Level::Strict, rules, &gold, &pred).prf().r, 1.0);
    }

    #[test]
    fn copies_of_a_role() {
        let (gold, pred) = ([part("P1", &[0, 1])], [part("P1", &[0]), part("P1", &[1])]);
        assert_eq!(count(Level::Strict, AS_WRITTEN, &gold, &pred).prf().r, 1.0);
        let rules = FragmentRules { copies_apart: true, ..AS_WRITTEN };
        // each copy is held against both gold characters
        assert_eq!(count(Level::Strict, rules, &gold, &pred), Counts { hits: 2, pred: 2, gold: 4 });
    }

    #[test]
    fn repeated_indexes_of_a_lone_role() {
        let (gold, pred) = ([part("P1", &[0])], [part("P1", &[0]), part("E1", &[9, 9, 9])]);
        assert_eq!(count(Level::Strict, AS_WRITTEN, &gold, &pred).pred, 2);
        let rules = FragmentRules { one_sided_as_written: true, ..AS_WRITTEN };
        assert_eq!(count(Level::Strict, rules, &gold, &pred).pred, 4);
    }

    #[test]
    fn the_first_best_pair_is_kept() {
        let golds = [vec![part("P1", &[0])], vec![part("P1", &[0])]];
        let preds = [vec![part("P1", &[7])], vec![part("P1", &[0])]];
        let found = best(Level::Strict, AS_WRITTEN, &golds, &preds, |_, _| true).expect("a pair");
        assert_eq!((found.pred, found.gold), (1, 0));
        assert!(best(Level::Strict, AS_WRITTEN, &golds[..1], &preds[..1], |_, _| true).is_none());
    }
}
