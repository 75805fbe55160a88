//! Which states there are, what label each one shows, and which may follow which.

use serde::{Deserialize, Serialize};

/// Why a topology cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TopologyError {
    /// Sets of states are kept in 64 bits.
    #[error("expected 1 to 64 states, found {0}")]
    States(usize),
    /// A state shows a label that there is not.
    #[error("state {state}: expected a label below {labels}, found {found}")]
    Label {
        /// The state.
        state: usize,
        /// How many labels there are.
        labels: usize,
        /// The label given.
        found: usize,
    },
    /// A transition, start or end names a state that there is not.
    #[error("expected a state below {states}, found {found}")]
    State {
        /// How many states there are.
        states: usize,
        /// The state named.
        found: usize,
    },
    /// A transition is given twice.
    #[error("the transition from state {from} to state {to} is given twice")]
    Twice {
        /// From this state.
        from: usize,
        /// To this one.
        to: usize,
    },
}

/// The states of a chain, each with a label, and the allowed starts, transitions and ends.
///
/// States of one label share its emission weights: "outside, before the noun" and "outside, after it" can be two states of one label,
/// so that the chain remembers what the label does not say.
///
/// ```
/// use fangwei_predict::learn::crf::Topology;
///
/// // O, B and I; I only after B or I.
/// let transitions = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)];
/// let topology = Topology::new(3, &[0, 1, 2], &transitions, &[0, 1], &[0, 1, 2])?.with_classes(2);
/// assert_eq!(topology.states(), 3);
/// assert_eq!(topology.states_of(1), 0b010);
/// # Ok::<(), fangwei_predict::learn::crf::TopologyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Plan", into = "Plan")]
pub struct Topology {
    pub(super) plan: Plan,
    /// Transitions into a state: `(from, transition)`, and where each state's begin.
    pub(super) incoming: Vec<(u16, u16)>,
    pub(super) incoming_at: Vec<usize>,
    pub(super) starts: u64,
    pub(super) ends: u64,
}

/// The topology as it is written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Plan {
    pub labels: usize,
    pub states: Vec<usize>,
    pub transitions: Vec<(usize, usize)>,
    pub starts: Vec<usize>,
    pub ends: Vec<usize>,
    pub classes: usize,
}

impl Topology {
    /// `states[s]` is the label of state `s`.
    pub fn new(
        labels: usize,
        states: &[usize],
        transitions: &[(usize, usize)],
        starts: &[usize],
        ends: &[usize],
    ) -> Result<Self, TopologyError> {
        let (states, transitions) = (states.to_vec(), transitions.to_vec());
        Plan { labels, states, transitions, starts: starts.to_vec(), ends: ends.to_vec(), classes: 1 }.try_into()
    }

    /// A state a label, anything after anything.
    pub fn free(labels: usize) -> Result<Self, TopologyError> {
        let all: Vec<usize> = (0..labels).collect();
        let transitions: Vec<(usize, usize)> = all.iter().flat_map(|&from| all.iter().map(move |&to| (from, to))).collect();
        Self::new(labels, &all, &transitions, &all, &all)
    }

    /// Positions are of this many classes (at most 256); each class adds its own weights to the transitions *into* its positions.
    #[must_use]
    pub fn with_classes(mut self, classes: usize) -> Self {
        self.plan.classes = classes.clamp(1, 256);
        self
    }

    /// How many labels there are.
    pub fn labels(&self) -> usize {
        self.plan.labels
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.plan.states.len()
    }

    /// How many classes of positions there are.
    pub fn classes(&self) -> usize {
        self.plan.classes
    }

    /// The label of a state; that of state 0 if there is no such state.
    pub fn label_of(&self, state: usize) -> usize {
        self.plan.states.get(state).copied().unwrap_or(self.plan.states[0])
    }

    /// The set of the states of a label, bit by bit.
    pub fn states_of(&self, label: usize) -> u64 {
        self.plan.states.iter().enumerate().filter(|&(_, &of)| of == label).fold(0, |set, (state, _)| set | 1 << state)
    }

    pub(super) fn transitions(&self) -> usize {
        self.plan.transitions.len()
    }

    pub(super) fn incoming(&self, to: usize) -> &[(u16, u16)] {
        &self.incoming[self.incoming_at[to]..self.incoming_at[to + 1]]
    }
}

impl TryFrom<Plan> for Topology {
    type Error = TopologyError;

    fn try_from(plan: Plan) -> Result<Self, TopologyError> {
        let states = plan.states.len();
        if !(1..=64).contains(&states) {
            return Err(TopologyError::States(states));
        }
        let wrong = plan.states.iter().enumerate().find(|&(_, &label)| label >= plan.labels);
        if let Some((state, &found)) = wrong {
            return Err(TopologyError::Label { state, labels: plan.labels, found });
        }
        let named =
            plan.transitions.iter().flat_map(|&(from, to)| [from, to]).chain(plan.starts.iter().chain(&plan.ends).copied());
        if let Some(found) = named.into_iter().find(|&state| state >= states) {
            return Err(TopologyError::State { states, found });
        }
        let mut sorted: Vec<(usize, usize, usize)> =
            plan.transitions.iter().enumerate().map(|(index, &(from, to))| (to, from, index)).collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            return Err(TopologyError::Twice { from: pair[0].1, to: pair[0].0 });
        }
        let incoming_at = (0..=states).map(|state| sorted.partition_point(|&(to, ..)| to < state)).collect();
        let incoming = sorted.iter().map(|&(_, from, index)| (from as u16, index as u16)).collect();
        let set = |list: &[usize]| list.iter().fold(0, |set, &state| set | 1u64 << state);
        let (starts, ends) = (set(&plan.starts), set(&plan.ends));
        let mut plan = plan;
        plan.classes = plan.classes.clamp(1, 256);
        Ok(Self { plan, incoming, incoming_at, starts, ends })
    }
}

impl From<Topology> for Plan {
    fn from(topology: Topology) -> Self {
        topology.plan
    }
}

#[cfg(test)]
mod tests {
    use super::{Topology, TopologyError};

    #[test]
    fn impossible_plans_are_told() {
        assert_eq!(Topology::new(2, &[], &[], &[], &[]), Err(TopologyError::States(0)));
        assert_eq!(Topology::new(2, &[0; 65], &[], &[], &[]), Err(TopologyError::States(65)));
        assert_eq!(Topology::new(2, &[0, 2], &[], &[], &[]), Err(TopologyError::Label { state: 1, labels: 2, found: 2 }));
        assert_eq!(Topology::new(1, &[0], &[(0, 1)], &[], &[]), Err(TopologyError::State { states: 1, found: 1 }));
        assert_eq!(Topology::new(1, &[0], &[(0, 0), (0, 0)], &[], &[]), Err(TopologyError::Twice { from: 0, to: 0 }));
    }

    #[test]
    fn a_topology_survives_json() {
        let topology = Topology::free(3).unwrap().with_classes(4);
        let json = serde_json::to_string(&topology).unwrap();
        assert_eq!(serde_json::from_str::<Topology>(&json).unwrap(), topology);
        assert!(serde_json::from_str::<Topology>(&json.replace("\"labels\":3", "\"labels\":2")).is_err());
    }
}
