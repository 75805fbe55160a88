//! The numbers on agreement that the papers print, as far as they can be made again from what they print.

use fangwei::agree::{Band, Matrix, Measure, Options, agree};

use super::{near, table};

fn matrix(upper: &[&[f64]]) -> Matrix {
    let size = upper.len() + 1;
    let names: Vec<_> = (0..size).map(|number| number.to_string().into()).collect();
    let mut matrix = Matrix::new(&names);
    for (a, row) in upper.iter().enumerate() {
        for (b, value) in row.iter().enumerate() {
            matrix.set(a, a + 1 + b, Some(*value));
            matrix.set(a + 1 + b, a, Some(*value));
        }
    }
    matrix
}

fn means(matrix: &Matrix) -> Vec<f64> {
    (0..matrix.names.len()).map(|number| (matrix.mean_of(number).expect("a mean") * 100.0).round() / 100.0).collect()
}

#[test]
fn kappas_of_2022() {
    // Table 8: five subjects judge a hundred items.
    let kappas = matrix(&[&[0.53, 0.57, 0.49, 0.42], &[0.51, 0.56, 0.37], &[0.76, 0.48], &[0.59]]);
    let mean = kappas.mean().expect("a mean");
    // Printed as 0.53, "moderate".
    assert!(near(mean, 0.528) && Band::of(mean) == Band::Moderate);
    // The printed means of subjects (0.43 0.47 0.52 0.54 0.41) are not those of the printed rows.
    assert_eq!(means(&kappas), [0.50, 0.49, 0.58, 0.60, 0.47]);
}

#[test]
fn scores_between_reviewers_of_2022() {
    // Table 10: four reviewers, the scorer of 2022/roles; printed means 0.90 0.87 0.88 0.89, all in all 0.88.
    let scores = matrix(&[&[0.89, 0.89, 0.92], &[0.86, 0.87], &[0.88]]);
    assert_eq!(means(&scores), [0.90, 0.87, 0.88, 0.89]);
    assert!(scores.mean().is_some_and(|mean| near(mean, 0.885)));
}

#[test]
fn camps_of_2022() {
    // "76 of 100 items were judged alike by at least four of five, 38 of them by all": 38 items 5:0, 38 items 4:1, 24 items 3:2.
    let row = |person: usize| -> String {
        let label = |item: usize| match item {
            0..38 => item.is_multiple_of(2),
            38..76 => item.is_multiple_of(2) ^ (item % 5 == person),
            _ => item.is_multiple_of(2) ^ (item % 5 == person || (item + 1) % 5 == person),
        };
        (0..100).map(|item| if label(item) { '1' } else { '0' }).collect()
    };
    let rows: Vec<String> = (0..5).map(row).collect();
    let marks = table(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let agreement = agree(&marks, &Options { resampling: None, ..Options::default() }).expect("a table");
    let camps: Vec<_> = agreement.camps.iter().map(|camp| (camp.equal, camp.items)).collect();
    assert_eq!(camps, [(5, 38), (4, 38), (3, 24)]);
    // 10, 6 and 4 of ten pairs agree. With labels half and half chance gives 0.5, so these counts go with a kappa near 0.41, below the 0.53 of Table 8.
    let raw = (38.0 * 10.0 + 38.0 * 6.0 + 24.0 * 4.0) / 1000.0;
    assert!(near(agreement.get(Measure::Agreement).get().expect("a share"), raw));
    assert!((agreement.get(Measure::Fleiss).get().expect("a kappa") - 0.408).abs() < 0.001);
}
