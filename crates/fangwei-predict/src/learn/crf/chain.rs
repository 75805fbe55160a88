//! The weights of a chain that do not depend on keys, laid out in one list, and their exponentials.
//!
//! The list holds the transitions, then for each class of positions the transitions again, then for each state its bias, its start
//! and its end weight.

use super::Topology;

/// Transition weights ready for inference.
#[derive(Debug, Clone)]
pub struct Chain {
    pub(super) topology: Topology,
    /// By class, in the order of [`Topology::incoming`]: base + class.
    logs: Vec<f64>,
    exps: Vec<f64>,
    /// By state.
    pub(super) bias: Vec<f64>,
    pub(super) start: Vec<f64>,
    pub(super) end: Vec<f64>,
    pub(super) bias_exp: Vec<f64>,
    pub(super) start_exp: Vec<f64>,
    pub(super) end_exp: Vec<f64>,
}

impl Chain {
    /// How many weights a topology needs.
    pub(super) fn weights(topology: &Topology) -> usize {
        topology.transitions() * (1 + topology.classes()) + 3 * topology.states()
    }

    /// `weights` has [`Chain::weights`] numbers.
    pub(super) fn new(topology: Topology, weights: &[f32]) -> Self {
        let (edges, states) = (topology.transitions(), topology.states());
        let (transitions, rest) = weights.split_at(edges * (1 + topology.classes()));
        let weight =
            |class: usize, edge: usize| f64::from(transitions[edge]) + f64::from(transitions[(1 + class) * edges + edge]);
        let logs: Vec<f64> = (0..topology.classes())
            .flat_map(|class| topology.incoming.iter().map(move |&(_, edge)| (class, usize::from(edge))))
            .map(|(class, edge)| weight(class, edge))
            .collect();
        let part =
            |index: usize| -> Vec<f64> { rest[index * states..][..states].iter().map(|&weight| f64::from(weight)).collect() };
        let exp = |logs: &[f64]| logs.iter().map(|log| log.exp()).collect();
        let (bias, start, end) = (part(0), part(1), part(2));
        let (bias_exp, start_exp, end_exp) = (exp(&bias), exp(&start), exp(&end));
        Self { exps: exp(&logs), logs, topology, bias, start, end, bias_exp, start_exp, end_exp }
    }

    /// The topology that the weights belong to.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Logs and exponentials of the transitions into positions of a class, in the order of [`Topology::incoming`].
    pub(super) fn class(&self, class: u8) -> (&[f64], &[f64]) {
        let class = if usize::from(class) < self.topology.classes() { usize::from(class) } else { 0 };
        let edges = self.topology.transitions();
        (&self.logs[class * edges..][..edges], &self.exps[class * edges..][..edges])
    }

    /// Where in the list of weights these stand.
    pub(super) fn places(&self) -> Places {
        let edges = self.topology.transitions();
        Places { edges, states: edges * (1 + self.topology.classes()), count: self.topology.states() }
    }
}

/// The layout of the list of weights.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    pub edges: usize,
    states: usize,
    count: usize,
}

impl Places {
    pub fn bias(self, state: usize) -> usize {
        self.states + state
    }

    pub fn start(self, state: usize) -> usize {
        self.states + self.count + state
    }

    pub fn end(self, state: usize) -> usize {
        self.states + 2 * self.count + state
    }
}
