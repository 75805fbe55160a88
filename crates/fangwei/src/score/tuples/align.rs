//! How an item was matched, role by role: what the alignment view shows.

use super::cell::Cell;
use super::forms::Form;
use super::{Earned, MOST_TUPLES, TupleRules, Wanted, Watch, matching, pair, score};
use crate::answer::Part;
use crate::lang::{Say, words};
use crate::score::align::{Alignment, Pair, RoleRow, Side};
use crate::task::MentionSets;

/// The rows of an alignment are wanted.
struct Writer(Vec<RoleRow>);

impl<'c> Watch<'c> for Writer {
    const HURRIED: bool = false;

    fn see(&mut self, want: Option<&'c Cell>, have: Option<&'c Cell>, earned: Earned, forms: Option<&[Form]>) {
        let mut row = lone(want, have);
        row.hits = earned.score;
        let used = forms.and_then(|forms| forms.get(earned.form)).filter(|form| !form.replaced.is_empty());
        row.note = used.map(|form| {
            let shown = form.replaced.iter().map(|(from, to)| format!("{}{} = {}{}", from.text, from.span, to.text, to.span));
            let shown = shown.collect::<Vec<_>>().join(", ");
            Say::new(format!("同指 {shown}"), format!("coreference {shown}"))
        });
        self.0.push(row);
    }
}

/// How an item was matched, role by role.
pub fn align(golds: &[Vec<Cell>], preds: &[Vec<Cell>], corefs: &MentionSets, rules: TupleRules) -> Alignment {
    let item = score(golds, preds, corefs, rules);
    let mut alignment = Alignment {
        numbers: [("precision", item.prf.p), ("recall", item.prf.r), ("f1", item.prf.f)]
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec(),
        ..Alignment::default()
    };
    if rules.hundred_at_most && preds.len() > MOST_TUPLES {
        let note = words("元组超过一百个，整题计零分", "more than a hundred tuples: the item earns 0");
        alignment.notes.push(note.into());
    }
    let wanted: Vec<Wanted<'_>> = golds.iter().map(|cells| Wanted::new(cells, corefs, rules)).collect();
    let matching = matching(&wanted, preds, rules);
    let mut left: Vec<bool> = vec![true; preds.len()];
    for (row, column) in matching.columns.iter().enumerate() {
        // A matching of nothing with nothing is none.
        let column = column.filter(|column| matching.scores[row * preds.len() + column] > 0.0);
        if let Some(column) = column {
            left[column] = false;
        }
        alignment.pairs.push(explain(&wanted[row], row, column, preds, rules));
    }
    for (number, pred) in preds.iter().enumerate().filter(|(number, _)| left[*number]) {
        let rows = pred.iter().map(|cell| lone(None, Some(cell))).collect();
        alignment.pairs.push(Pair { gold: None, pred: Some(number), earned: 0.0, rows, note: None });
    }
    alignment
}

fn explain(gold: &Wanted<'_>, row: usize, column: Option<usize>, preds: &[Vec<Cell>], rules: TupleRules) -> Pair {
    let Some(column) = column else {
        let rows = gold.cells.iter().map(|cell| lone(Some(cell), None)).collect();
        return Pair { gold: Some(row), pred: None, earned: 0.0, rows, note: None };
    };
    let mut writer = Writer(Vec::new());
    let earned = pair(gold, &preds[column], rules, &mut writer);
    let note = earned.err().map(Say::from);
    Pair { gold: Some(row), pred: Some(column), earned: earned.unwrap_or(0.0), rows: writer.0, note }
}

fn lone(want: Option<&Cell>, have: Option<&Cell>) -> RoleRow {
    let side = |cell: &Cell| {
        let fragment = cell.fragment.value();
        let mut text = fragment.map(|piece| piece.text.to_string()).unwrap_or_default();
        match &cell.label {
            Part::Value(label) => text.push_str(&format!("〔{label}〕")),
            Part::Unusable => text.push_str("〔?〕"),
            Part::Absent => {}
        }
        Side { text, span: fragment.map(|piece| piece.span.clone()).unwrap_or_default() }
    };
    RoleRow {
        role: want.or(have).map(|cell| cell.role.to_string()).unwrap_or_default(),
        gold: want.map(side),
        pred: have.map(side),
        hits: 0.0,
        gold_size: f64::from(u8::from(want.is_some())),
        pred_size: f64::from(u8::from(have.is_some())),
        note: None,
    }
}
