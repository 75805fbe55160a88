//! Lines under a text, one for each tuple: tuples that do not reach into each other share a line, as in an interlinear gloss.

use super::explored::Tuple;

/// The line of each tuple, from 0, and how many lines there are.
pub fn lanes(tuples: &[Tuple]) -> (Vec<usize>, usize) {
    // Where each line is taken, as pairs of first and last place.
    let mut taken: Vec<Vec<(u32, u32)>> = Vec::new();
    let mut lanes = Vec::with_capacity(tuples.len());
    for tuple in tuples {
        let places = || tuple.roles.iter().flat_map(|role| role.idxes.iter().copied());
        let (Some(first), Some(last)) = (places().min(), places().max()) else {
            lanes.push(0);
            continue;
        };
        let is_free = |line: &Vec<(u32, u32)>| line.iter().all(|(begin, end)| last < *begin || first > *end);
        let lane = taken.iter().position(is_free).unwrap_or(taken.len());
        if lane == taken.len() {
            taken.push(Vec::new());
        }
        taken[lane].push((first, last));
        lanes.push(lane);
    }
    (lanes, taken.len())
}

#[cfg(test)]
mod tests {
    use super::super::explored::Role;
    use super::*;

    fn tuple(idxes: &[u32]) -> Tuple {
        let role = Role { role: "空间实体".into(), text: String::new(), label: None, idxes: idxes.to_vec() };
        Tuple { roles: vec![role], odds: 1.0 }
    }

    #[test]
    fn tuples_apart_share_a_line_and_others_do_not() {
        let (lines, count) = lanes(&[tuple(&[0, 4]), tuple(&[2]), tuple(&[5, 6]), tuple(&[1, 9])]);
        assert_eq!((lines, count), (vec![0, 1, 0, 2], 3));
        assert_eq!(lanes(&[]), (Vec::new(), 0));
    }
}
