//! What holds for any table.

use fangwei::agree::{Mark, Marks, Measure, Undefined};
use proptest::prelude::*;

/// Labels 1 to 4 or none, of 2 to 5 annotators on 1 to 30 items.
fn tables() -> impl Strategy<Value = Vec<Vec<Option<u8>>>> {
    (2..6_usize, 1..30_usize).prop_flat_map(|(annotators, items)| {
        proptest::collection::vec(proptest::collection::vec(proptest::option::weighted(0.9, 1..5_u8), items), annotators)
    })
}

fn marks(rows: &[Vec<Option<u8>>], name: impl Fn(u8) -> String) -> Marks {
    let mark = |(annotator, row): (usize, &Vec<Option<u8>>)| {
        let mark = |(item, label): (usize, &Option<u8>)| Mark {
            item: item.to_string().into(),
            annotator: annotator.to_string().into(),
            label: label.map(|label| name(label).into()),
            origin: None,
        };
        row.iter().enumerate().map(mark).collect::<Vec<_>>()
    };
    Marks::new(rows.iter().enumerate().flat_map(mark), &[]).expect("four labels")
}

fn same(a: Result<f64, Undefined>, b: Result<f64, Undefined>) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => (a - b).abs() < 1e-9,
        (a, b) => a.is_err() == b.is_err(),
    }
}

proptest! {
    #[test]
    fn values_are_numbers_up_to_one(rows in tables()) {
        let marks = marks(&rows, |label| label.to_string());
        for measure in Measure::ALL {
            if let Ok(value) = measure.of(&marks) {
                prop_assert!(value.is_finite() && value <= 1.0 + 1e-12, "{} {}", measure.as_str(), value);
            }
        }
    }

    #[test]
    fn the_order_of_annotators_does_not_matter(rows in tables()) {
        let turned: Vec<_> = rows.iter().rev().cloned().collect();
        let (marks, turned) = (marks(&rows, |label| label.to_string()), marks(&turned, |label| label.to_string()));
        for measure in Measure::ALL {
            prop_assert!(same(measure.of(&marks), measure.of(&turned)), "{}", measure.as_str());
        }
    }

    #[test]
    fn names_do_not_matter_and_turning_a_scale_does_not_either(rows in tables()) {
        let plain = marks(&rows, |label| label.to_string());
        let renamed = marks(&rows, |label| ["", "d", "b", "a", "c"][label as usize].to_owned());
        for measure in [Measure::Agreement, Measure::Cohen, Measure::Fleiss, Measure::AlphaNominal] {
            prop_assert!(same(measure.of(&plain), measure.of(&renamed)), "{}", measure.as_str());
        }
        let turned = marks(&rows, |label| (5 - label).to_string());
        for measure in Measure::ALL {
            prop_assert!(same(measure.of(&plain), measure.of(&turned)), "{}", measure.as_str());
        }
    }

    #[test]
    fn every_item_twice_changes_no_kappa(rows in tables()) {
        let twice: Vec<Vec<_>> = rows.iter().map(|row| row.iter().chain(row).copied().collect()).collect();
        let (once, twice) = (marks(&rows, |label| label.to_string()), marks(&twice, |label| label.to_string()));
        // Alpha corrects for the number of marks and does change.
        for measure in [Measure::Agreement, Measure::Near, Measure::Cohen, Measure::Linear, Measure::Quadratic, Measure::Fleiss] {
            prop_assert!(same(measure.of(&once), measure.of(&twice)), "{}", measure.as_str());
        }
    }

    #[test]
    fn who_always_agrees_has_one(row in proptest::collection::vec(1..5_u8, 2..30), annotators in 2..5_usize) {
        let row: Vec<Option<u8>> = row.into_iter().map(Some).collect();
        let constant = row.iter().all(|label| *label == row[0]);
        let marks = marks(&vec![row; annotators], |label| label.to_string());
        for measure in Measure::ALL.into_iter().filter(|measure| measure.is_corrected()) {
            let expected = if constant { Err(Undefined::OneLabel) } else { Ok(1.0) };
            prop_assert!(same(measure.of(&marks), expected), "{} {:?}", measure.as_str(), measure.of(&marks));
        }
    }
}
