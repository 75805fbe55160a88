//! The best matching of gold and predicted tuples: an exact maximum of the sum of pair scores.
//!
//! Shortest augmenting paths with potentials (Jonker and Volgenant), for rectangular matrices. The official score depends on the optimal sum only; of several optima the one
//! found here is fixed by the order of rows and columns.

/// For each row the column that it is matched with, so that the sum of `score(row, column)` is greatest. The smaller side is matched wholly.
pub fn assign(rows: usize, columns: usize, score: impl Fn(usize, usize) -> f64) -> Vec<Option<usize>> {
    if rows <= columns {
        return shortest_paths(rows, columns, |row, column| -score(row, column)).into_iter().map(Some).collect();
    }
    let mut matched = vec![None; rows];
    for (column, row) in shortest_paths(columns, rows, |column, row| -score(row, column)).into_iter().enumerate() {
        matched[row] = Some(column);
    }
    matched
}

/// The least-cost column of each row; `rows <= columns`. Row and column 0 of the working arrays are sentinels.
fn shortest_paths(rows: usize, columns: usize, cost: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let (mut row_potential, mut column_potential) = (vec![0.0; rows + 1], vec![0.0; columns + 1]);
    // owner[column]: the row that holds it, 0 if none.
    let mut owner = vec![0; columns + 1];
    let mut previous = vec![0; columns + 1];
    let mut distance = vec![f64::INFINITY; columns + 1];
    let mut visited = vec![false; columns + 1];
    for row in 1..=rows {
        owner[0] = row;
        distance.fill(f64::INFINITY);
        visited.fill(false);
        let mut column = 0;
        while owner[column] != 0 {
            visited[column] = true;
            let from = owner[column];
            let (mut least, mut next) = (f64::INFINITY, 0);
            for to in 1..=columns {
                if visited[to] {
                    continue;
                }
                let reduced = cost(from - 1, to - 1) - row_potential[from] - column_potential[to];
                if reduced < distance[to] {
                    distance[to] = reduced;
                    previous[to] = column;
                }
                if distance[to] < least {
                    least = distance[to];
                    next = to;
                }
            }
            for to in 0..=columns {
                if visited[to] {
                    row_potential[owner[to]] += least;
                    column_potential[to] -= least;
                } else {
                    distance[to] -= least;
                }
            }
            column = next;
        }
        while column != 0 {
            let before = previous[column];
            owner[column] = owner[before];
            column = before;
        }
    }
    let mut matched = vec![0; rows];
    for column in 1..=columns {
        if owner[column] > 0 {
            matched[owner[column] - 1] = column - 1;
        }
    }
    matched
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn total(matrix: &[Vec<f64>], matched: &[Option<usize>]) -> f64 {
        matched.iter().enumerate().filter_map(|(row, column)| column.map(|column| matrix[row][column])).sum()
    }

    /// The best sum by trying everything.
    fn exhaustive(matrix: &[Vec<f64>], row: usize, used: &mut Vec<bool>) -> f64 {
        if row == matrix.len() {
            return 0.0;
        }
        let mut best = exhaustive(matrix, row + 1, used);
        for column in 0..used.len() {
            if !used[column] {
                used[column] = true;
                best = best.max(matrix[row][column] + exhaustive(matrix, row + 1, used));
                used[column] = false;
            }
        }
        best
    }

    #[test]
    fn the_greedy_choice_is_not_the_best() {
        let matrix = [vec![0.9, 0.8], vec![0.8, 0.1]];
        let matched = assign(2, 2, |i, j| matrix[i][j]);
        assert_eq!(matched, [Some(1), Some(0)]);
    }

    #[test]
    fn empty_sides() {
        assert!(assign(0, 3, |_, _| 1.0).is_empty());
        assert_eq!(assign(2, 0, |_, _| 1.0), [None, None]);
    }

    proptest! {
        #[test]
        fn equals_exhaustive_search(
            (rows, columns, values) in (0_usize..6, 0_usize..6)
                .prop_flat_map(|(m, n)| (Just(m), Just(n), proptest::collection::vec(prop_oneof![Just(0.0), Just(0.5), 0.0..1.0], m * n)))
        ) {
            let matrix: Vec<Vec<f64>> = (0..rows).map(|row| values[row * columns..(row + 1) * columns].to_vec()).collect();
            let matched = assign(rows, columns, |i, j| matrix[i][j]);
            let mut seen: Vec<_> = matched.iter().flatten().collect();
            prop_assert_eq!(seen.len(), rows.min(columns));
            seen.sort_unstable();
            seen.dedup();
            prop_assert_eq!(seen.len(), rows.min(columns));
            let best = exhaustive(&matrix, 0, &mut vec![false; columns]);
            prop_assert!((total(&matrix, &matched) - best).abs() < 1e-12);
        }
    }
}
