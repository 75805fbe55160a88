//! From label paths to answers and back: the states that remember which roles a triple has, and the characters of each role.

use std::ops::Range;

use fangwei::answer::{Fragment, RoleFragment};
use smol_str::SmolStr;

use crate::learn::crf::{Topology, TopologyError};

/// Subject, place and event of a triple.
pub const ROLES: usize = 3;

/// Label 0 is "outside"; then the roles. States know which roles have been seen, so the chain learns which roles go together, in
/// which order, and how rarely one is taken up again (a fragment in pieces).
pub fn topology(classes: usize) -> Result<Topology, TopologyError> {
    let states: Vec<(usize, usize)> = (0..=ROLES)
        .flat_map(|label| (0..1 << ROLES).map(move |seen| (label, seen)))
        .filter(|(label, seen)| *label == 0 || seen >> (label - 1) & 1 == 1)
        .collect();
    let labels: Vec<usize> = states.iter().map(|(label, _)| *label).collect();
    let after = |seen: usize, label: usize| if label == 0 { seen } else { seen | 1 << (label - 1) };
    let mut transitions = Vec::new();
    for (from, (_, seen)) in states.iter().enumerate() {
        for (to, (label, now)) in states.iter().enumerate() {
            if *now == after(*seen, *label) {
                transitions.push((from, to));
            }
        }
    }
    let numbers = |keep: &dyn Fn(usize, usize) -> bool| -> Vec<usize> {
        states.iter().enumerate().filter(|(_, (label, seen))| keep(*label, *seen)).map(|(number, _)| number).collect()
    };
    let starts = numbers(&|label, seen| seen == after(0, label));
    let ends = numbers(&|_, seen| seen != 0);
    Ok(Topology::new(ROLES + 1, &labels, &transitions, &starts, &ends)?.with_classes(classes))
}

/// The characters of the roles of a triple, each in rising order.
pub type Triple = [Vec<u32>; ROLES];

/// The characters that a path gives to each role.
pub fn triple(topology: &Topology, path: &[usize]) -> Triple {
    let mut triple = Triple::default();
    for (at, state) in path.iter().enumerate() {
        if let Some(role) = topology.label_of(*state).checked_sub(1) {
            triple[role].push(at as u32);
        }
    }
    triple
}

/// The set of states that a triple allows at each position.
pub fn allowed(topology: &Topology, triple: &Triple, length: usize) -> Vec<u64> {
    let sets: Vec<u64> = (0..=ROLES).map(|label| topology.states_of(label)).collect();
    let mut allowed = vec![sets[0]; length];
    // A character in two roles of one triple counts for the first.
    for (role, places) in triple.iter().enumerate().rev() {
        for at in places {
            if let Some(set) = allowed.get_mut(*at as usize) {
                *set = sets[role + 1];
            }
        }
    }
    allowed
}

/// An answer: one triple or two.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Spans(pub Vec<Triple>);

impl Spans {
    /// The characters of gold fragments by the last sign of their role's name: `S`, `S1`, `S2`.
    pub fn of(fragments: &[RoleFragment]) -> Spans {
        let mut triples = vec![Triple::default(); 1];
        for part in fragments {
            let Some(role) = part.role.chars().next().and_then(|role| "SPE".find(role)) else { continue };
            let second = usize::from(part.role.ends_with('2'));
            triples.resize(triples.len().max(second + 1), Triple::default());
            let places = &mut triples[second][role];
            places.extend(part.fragment.span.iter().map(|idx| idx.0));
            places.sort_unstable();
            places.dedup();
        }
        Spans(triples)
    }

    /// As fragments; names are `S1 P1 E1 S2 P2 E2`, or without numbers.
    pub fn fragments(&self, chars: &[char], numbered: bool) -> Vec<RoleFragment> {
        let mut fragments = Vec::new();
        for (number, triple) in self.0.iter().enumerate() {
            for (role, places) in triple.iter().enumerate().filter(|(_, places)| !places.is_empty()) {
                let name = ["S", "P", "E"][role];
                let role = if numbered { SmolStr::from(format!("{name}{}", number + 1)) } else { name.into() };
                let text: String = places.iter().filter_map(|at| chars.get(*at as usize)).collect();
                fragments.push(RoleFragment {
                    role,
                    fragment: Fragment { text: text.into(), span: places.iter().copied().collect() },
                });
            }
        }
        fragments
    }

    /// Whether some role holds a character of the range.
    pub fn touches(&self, range: &Range<usize>) -> bool {
        self.0.iter().any(|triple| touches(triple, range))
    }
}

/// Whether some role of the triple holds a character of the range.
pub fn touches(triple: &Triple, range: &Range<usize>) -> bool {
    triple.iter().flatten().any(|at| range.contains(&(*at as usize)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_remember_the_roles() {
        // Outside with 8 sets of seen roles, each role with the 4 sets that hold it.
        let topology = topology(3).expect("sound");
        assert_eq!((topology.states(), topology.labels()), (20, 4));
        let triple: Triple = [vec![0], vec![2, 4], vec![]];
        let allowed = allowed(&topology, &triple, 5);
        assert_eq!(allowed[1], topology.states_of(0));
        assert_eq!(allowed[4], topology.states_of(2));
        let path: Vec<usize> = allowed.iter().map(|set| set.trailing_zeros() as usize).collect();
        assert_eq!(super::triple(&topology, &path), triple);
    }

    #[test]
    fn fragments_and_back() {
        let chars: Vec<char> = "鸟从树上飞下来".chars().collect();
        let spans = Spans(vec![[vec![0], vec![1, 2, 3], vec![4, 5, 6]]]);
        let fragments = spans.fragments(&chars, true);
        assert_eq!(fragments[1].role, "P1");
        assert_eq!(fragments[1].fragment.text, "从树上");
        assert_eq!(Spans::of(&fragments), spans);
    }
}
