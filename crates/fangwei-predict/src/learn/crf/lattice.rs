//! Inference over all paths through one sequence: sums, marginals, the best path, samples.
//!
//! Sums run in probabilities that are scaled at every position, which needs one exponential a label instead of one a transition. Where
//! a position's share falls so low that smaller ones might have been lost (emissions hundreds of nats apart), the sequence is run
//! again in log space. The numbers are those of exact sums either way.

use rand_core::Rng;

use super::chain::Chain;
use crate::learn::unit;

/// Below this share at one position, the scaled sums are not trusted.
const TRUST: f64 = 1e-100;

/// The paths through one sequence; its memory is used again by the next [`Lattice::run`].
///
/// Emissions are `positions × labels` scores. Paths are lists of states. `allowed` holds the set of states allowed at each position,
/// bit by bit (see [`super::Topology::states_of`]); an empty list allows all.
///
/// ```
/// use fangwei_predict::learn::crf::{Crf, Topology};
///
/// let crf = Crf::untrained(Topology::free(2)?);
/// let mut lattice = crf.lattice();
/// let emissions = [0.0, 3f32.ln(), 0.0, 0.0]; // two positions of two labels
/// let log_partition = lattice.run(&emissions, &[], &[]);
/// assert!((log_partition - 8f64.ln()).abs() < 1e-6); // (1 + 3) · (1 + 1)
/// assert!((lattice.marginals()[1] - 0.75).abs() < 1e-6);
/// assert_eq!(lattice.viterbi().map(|(path, _)| path[0]), Some(1));
/// # Ok::<(), fangwei_predict::learn::crf::TopologyError>(())
/// ```
#[derive(Debug)]
pub struct Lattice<'a> {
    chain: &'a Chain,
    len: usize,
    emissions: Vec<f32>,
    classes: Vec<u8>,
    allowed: Vec<u64>,
    /// `exp(emission - top)` by position and label, and the top of each position.
    observed: Vec<f64>,
    /// By position and state: shares that sum up to 1, or logs.
    alpha: Vec<f64>,
    beta: Vec<f64>,
    scales: Vec<f64>,
    log_partition: f64,
    pub(super) in_logs: bool,
    backward_done: bool,
    marginals: Vec<f32>,
    back: Vec<u8>,
}

impl<'a> Lattice<'a> {
    /// A lattice for sequences of this chain.
    pub fn new(chain: &'a Chain) -> Self {
        Self {
            chain,
            len: 0,
            emissions: Vec::new(),
            classes: Vec::new(),
            allowed: Vec::new(),
            observed: Vec::new(),
            alpha: Vec::new(),
            beta: Vec::new(),
            scales: Vec::new(),
            log_partition: 0.0,
            in_logs: false,
            backward_done: false,
            marginals: Vec::new(),
            back: Vec::new(),
        }
    }

    /// Sums over all allowed paths; returns the log partition, `-inf` where no path is allowed.
    ///
    /// A position beyond the end of `classes` is of class 0; one beyond the end of `allowed` may have any state.
    pub fn run(&mut self, emissions: &[f32], classes: &[u8], allowed: &[u64]) -> f64 {
        let labels = self.chain.topology.labels();
        self.len = emissions.len() / labels;
        self.emissions.clear();
        self.emissions.extend_from_slice(&emissions[..self.len * labels]);
        self.classes.clear();
        self.classes.extend((0..self.len).map(|at| classes.get(at).copied().unwrap_or(0)));
        self.observed.clear();
        self.constrain(allowed)
    }

    /// Sums again over the same emissions with other sets of allowed states.
    pub fn constrain(&mut self, allowed: &[u64]) -> f64 {
        let states = self.chain.topology.states();
        let every = u64::MAX >> (64 - states);
        self.allowed.clear();
        self.allowed.extend((0..self.len).map(|at| allowed.get(at).map_or(every, |set| set & every)));
        if let Some(first) = self.allowed.first_mut() {
            *first &= self.chain.topology.starts;
        }
        if let Some(last) = self.allowed.last_mut() {
            *last &= self.chain.topology.ends;
        }
        self.backward_done = false;
        self.in_logs = false;
        self.log_partition = if self.len == 0 { 0.0 } else { self.forward().unwrap_or(f64::NAN) };
        if !self.log_partition.is_finite() {
            self.in_logs = true;
            self.log_partition = self.forward_in_logs();
        }
        self.log_partition
    }

    /// The log of the sum of all paths, as the last run found it.
    pub fn log_partition(&self) -> f64 {
        self.log_partition
    }

    /// How many positions the sequence has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the sequence has no positions.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The chance of each label at each position: `positions × labels`; all 0 where no path is allowed.
    pub fn marginals(&mut self) -> &[f32] {
        self.backward();
        let (labels, states) = (self.chain.topology.labels(), self.chain.topology.states());
        let mut marginals = std::mem::take(&mut self.marginals);
        marginals.clear();
        marginals.resize(self.len * labels, 0.0);
        for (at, row) in marginals.chunks_exact_mut(labels).enumerate() {
            for state in 0..states {
                row[self.chain.topology.plan.states[state]] += self.share(at, state) as f32;
            }
        }
        self.marginals = marginals;
        &self.marginals
    }

    /// The best allowed path and its score; none where no path is allowed. Of equals, the one with the smaller states from the end.
    pub fn viterbi(&mut self) -> Option<(Vec<usize>, f64)> {
        let topology = &self.chain.topology;
        let states = topology.states();
        let mut back = std::mem::take(&mut self.back);
        back.clear();
        back.resize(self.len * states, 0);
        let (mut best, mut next) = (vec![f64::NEG_INFINITY; states], vec![f64::NEG_INFINITY; states]);
        for at in 0..self.len {
            let (logs, _) = self.chain.class(self.classes[at]);
            for (to, next) in next.iter_mut().enumerate() {
                *next = f64::NEG_INFINITY;
                if self.allowed[at] >> to & 1 == 0 {
                    continue;
                }
                let mut top = (f64::NEG_INFINITY, 0);
                if at == 0 {
                    top.0 = self.chain.start[to];
                } else {
                    let begin = topology.incoming_at[to];
                    for (&(from, _), log) in topology.incoming(to).iter().zip(&logs[begin..]) {
                        let score = best[usize::from(from)] + log;
                        if score > top.0 {
                            top = (score, from as u8);
                        }
                    }
                }
                back[at * states + to] = top.1;
                *next = top.0 + self.emission(at, to);
            }
            std::mem::swap(&mut best, &mut next);
        }
        let mut found = (f64::NEG_INFINITY, None);
        for (state, (best, end)) in best.iter().zip(&self.chain.end).enumerate() {
            let score = best + end;
            if score > found.0 {
                found = (score, Some(state));
            }
        }
        let path = if self.len == 0 {
            found.0 = 0.0;
            Some(Vec::new())
        } else {
            found.1.map(|last| {
                let mut path = vec![last; self.len];
                for at in (1..self.len).rev() {
                    path[at - 1] = usize::from(back[at * states + path[at]]);
                }
                path
            })
        };
        self.back = back;
        path.map(|path| (path, found.0))
    }

    /// A path by its probability; none where no path is allowed.
    pub fn sample(&mut self, rng: &mut impl Rng) -> Option<Vec<usize>> {
        if !self.log_partition.is_finite() {
            return None;
        }
        let topology = &self.chain.topology;
        let states = topology.states();
        let mut path = vec![0; self.len];
        let mut weights: Vec<(usize, f64)> = Vec::with_capacity(states);
        for at in (0..self.len).rev() {
            weights.clear();
            let alpha = &self.alpha[at * states..][..states];
            if at + 1 == self.len {
                let (logs, exps) = (&self.chain.end, &self.chain.end_exp);
                weights.extend((0..states).map(|state| (state, self.join(alpha[state], logs[state], exps[state]))));
            } else {
                let to = path[at + 1];
                let (logs, exps) = self.chain.class(self.classes[at + 1]);
                let begin = topology.incoming_at[to];
                weights.extend(topology.incoming(to).iter().enumerate().map(|(edge, &(from, _))| {
                    let from = usize::from(from);
                    (from, self.join(alpha[from], logs[begin + edge], exps[begin + edge]))
                }));
            }
            path[at] = self.draw(&mut weights, rng);
        }
        Some(path)
    }

    /// `count` independent samples.
    pub fn samples(&mut self, count: usize, rng: &mut impl Rng) -> Vec<Vec<usize>> {
        (0..count).filter_map(|_| self.sample(rng)).collect()
    }

    /// The score of a path; `-inf` if it is not allowed.
    pub fn score(&self, path: &[usize]) -> f64 {
        let topology = &self.chain.topology;
        if path.len() != self.len || path.iter().any(|&state| state >= topology.states()) {
            return f64::NEG_INFINITY;
        }
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return 0.0 };
        let mut score = self.chain.start[first] + self.chain.end[last];
        for (at, &to) in path.iter().enumerate() {
            if self.allowed[at] >> to & 1 == 0 {
                return f64::NEG_INFINITY;
            }
            if at > 0 {
                let edge = topology.incoming(to).iter().position(|&(from, _)| usize::from(from) == path[at - 1]);
                let Some(edge) = edge else { return f64::NEG_INFINITY };
                score += self.chain.class(self.classes[at]).0[topology.incoming_at[to] + edge];
            }
            score += self.emission(at, to);
        }
        score
    }

    /// The log-probability of a path among the allowed ones.
    pub fn log_probability(&self, path: &[usize]) -> f64 {
        let score = self.score(path);
        if score == f64::NEG_INFINITY { score } else { score - self.log_partition }
    }

    /// Adds `factor` times the expected number of times that each weight of the chain is used.
    pub(super) fn expect(&mut self, factor: f64, sums: &mut [f64]) {
        if self.len == 0 || !self.log_partition.is_finite() {
            return;
        }
        self.backward();
        let topology = &self.chain.topology;
        let (states, places) = (topology.states(), self.chain.places());
        for at in 0..self.len {
            for state in 0..states {
                let share = factor * self.share(at, state);
                sums[places.bias(state)] += share;
                if at == 0 {
                    sums[places.start(state)] += share;
                }
                if at + 1 == self.len {
                    sums[places.end(state)] += share;
                }
            }
            if at == 0 {
                continue;
            }
            let class = usize::from(self.classes[at]);
            let class = if class < topology.classes() { class } else { 0 };
            let (logs, exps) = self.chain.class(class as u8);
            let (own, rest) = sums.split_at_mut(places.edges);
            let of_class = &mut rest[class * places.edges..][..places.edges];
            for to in (0..states).filter(|&to| self.allowed[at] >> to & 1 == 1) {
                let beta = self.beta[at * states + to];
                let emission = self.emission(at, to);
                let observed = factor * self.observe(at, to) * beta / self.scales.get(at).copied().unwrap_or(1.0);
                let begin = topology.incoming_at[to];
                for (edge, &(from, index)) in topology.incoming(to).iter().enumerate() {
                    let alpha = self.alpha[(at - 1) * states + usize::from(from)];
                    let share = if self.in_logs {
                        factor * (alpha + logs[begin + edge] + emission + beta - self.log_partition).exp()
                    } else {
                        alpha * exps[begin + edge] * observed
                    };
                    own[usize::from(index)] += share;
                    of_class[usize::from(index)] += share;
                }
            }
        }
    }

    /// Emission and bias of a state.
    fn emission(&self, at: usize, state: usize) -> f64 {
        let topology = &self.chain.topology;
        f64::from(self.emissions[at * topology.labels() + topology.plan.states[state]]) + self.chain.bias[state]
    }

    /// Its scaled exponential; nothing in log space, which does not use it.
    fn observe(&self, at: usize, state: usize) -> f64 {
        let topology = &self.chain.topology;
        self.observed[at * topology.labels() + topology.plan.states[state]] * self.chain.bias_exp[state]
    }

    /// The chance of a state at a position; the backward pass must be done.
    fn share(&self, at: usize, state: usize) -> f64 {
        if !self.log_partition.is_finite() {
            return 0.0;
        }
        let place = at * self.chain.topology.states() + state;
        let (alpha, beta) = (self.alpha[place], self.beta[place]);
        if self.in_logs { (alpha + beta - self.log_partition).exp() } else { alpha * beta }
    }

    /// A forward value and a weight: a product, or a sum of logs.
    fn join(&self, alpha: f64, log: f64, exp: f64) -> f64 {
        if self.in_logs { alpha + log } else { alpha * exp }
    }

    fn draw(&self, weights: &mut [(usize, f64)], rng: &mut impl Rng) -> usize {
        if self.in_logs {
            let top = weights.iter().map(|&(_, log)| log).fold(f64::NEG_INFINITY, f64::max);
            for (_, weight) in weights.iter_mut() {
                *weight = (*weight - top).exp();
            }
        }
        let sum: f64 = weights.iter().map(|&(_, weight)| weight).sum();
        let mut left = unit(rng) * sum;
        let mut chosen = 0;
        for &(state, weight) in weights.iter().filter(|&&(_, weight)| weight > 0.0) {
            chosen = state;
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        chosen
    }

    /// Scaled forward sums; none where they cannot be trusted.
    fn forward(&mut self) -> Option<f64> {
        let topology = &self.chain.topology;
        let (labels, states) = (topology.labels(), topology.states());
        if self.observed.is_empty() {
            for row in self.emissions.chunks_exact(labels) {
                let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                self.observed.extend(row.iter().map(|&emission| f64::from(emission - top).exp()));
            }
        }
        self.alpha.clear();
        self.alpha.resize(self.len * states, 0.0);
        self.scales.clear();
        let mut log = 0.0;
        // Logs are costly: scales are multiplied until their product might leave the range.
        let mut product = 1.0;
        for at in 0..self.len {
            let (before, alpha) = self.alpha.split_at_mut(at * states);
            let before = at.checked_sub(1).map_or(&[][..], |previous| &before[previous * states..]);
            let alpha = &mut alpha[..states];
            let observed = &self.observed[at * labels..][..labels];
            let (_, exps) = self.chain.class(self.classes[at]);
            let mut sum = 0.0;
            let mut set = self.allowed[at];
            while set != 0 {
                let to = set.trailing_zeros() as usize;
                set &= set - 1;
                let mut share = 0.0;
                if at == 0 {
                    share = self.chain.start_exp[to];
                } else {
                    let begin = topology.incoming_at[to];
                    for (&(from, _), exp) in topology.incoming(to).iter().zip(&exps[begin..]) {
                        share += before[usize::from(from)] * exp;
                    }
                }
                share *= observed[topology.plan.states[to]] * self.chain.bias_exp[to];
                alpha[to] = share;
                sum += share;
            }
            if !(sum > TRUST && sum < 1.0 / TRUST) {
                return None;
            }
            let inverse = 1.0 / sum;
            for share in alpha {
                *share *= inverse;
            }
            self.scales.push(sum);
            product *= sum;
            if !(1e-150..1e150).contains(&product) {
                log += product.ln();
                product = 1.0;
            }
            log += f64::from(self.emissions[at * labels..][..labels].iter().copied().fold(f32::NEG_INFINITY, f32::max));
        }
        let last = &self.alpha[(self.len - 1) * states..];
        let end: f64 = last.iter().zip(&self.chain.end_exp).map(|(share, end)| share * end).sum();
        if !(end > TRUST && end < 1.0 / TRUST) {
            return None;
        }
        self.scales.push(end);
        Some(log + product.ln() + end.ln())
    }

    /// Forward sums in log space.
    fn forward_in_logs(&mut self) -> f64 {
        let topology = &self.chain.topology;
        let states = topology.states();
        let mut alpha = std::mem::take(&mut self.alpha);
        alpha.clear();
        alpha.resize(self.len * states, f64::NEG_INFINITY);
        let mut terms = Vec::with_capacity(states);
        for at in 0..self.len {
            let (logs, _) = self.chain.class(self.classes[at]);
            for to in (0..states).filter(|&to| self.allowed[at] >> to & 1 == 1) {
                let sum = if at == 0 {
                    self.chain.start[to]
                } else {
                    terms.clear();
                    let begin = topology.incoming_at[to];
                    let from = |from: u16| alpha[(at - 1) * states + usize::from(from)];
                    terms.extend(topology.incoming(to).iter().zip(&logs[begin..]).map(|(edge, log)| from(edge.0) + log));
                    log_sum(&terms)
                };
                alpha[at * states + to] = sum + self.emission(at, to);
            }
        }
        terms.clear();
        let last = self.len.checked_sub(1).and_then(|last| alpha.get(last * states..)).unwrap_or_default();
        terms.extend(last.iter().zip(&self.chain.end).map(|(alpha, end)| alpha + end));
        self.alpha = alpha;
        if self.len == 0 { 0.0 } else { log_sum(&terms) }
    }

    fn backward(&mut self) {
        if self.backward_done || self.len == 0 {
            return;
        }
        self.backward_done = true;
        let topology = &self.chain.topology;
        let states = topology.states();
        let mut beta = std::mem::take(&mut self.beta);
        beta.clear();
        beta.resize(self.len * states, if self.in_logs { f64::NEG_INFINITY } else { 0.0 });
        for state in (0..states).filter(|&state| self.allowed[self.len - 1] >> state & 1 == 1) {
            let last = &mut beta[(self.len - 1) * states + state];
            *last = if self.in_logs { self.chain.end[state] } else { self.chain.end_exp[state] / self.scales[self.len] };
        }
        for at in (1..self.len).rev() {
            let (before, after) = beta.split_at_mut(at * states);
            let before = &mut before[(at - 1) * states..];
            let (logs, exps) = self.chain.class(self.classes[at]);
            for to in (0..states).filter(|&to| self.allowed[at] >> to & 1 == 1) {
                let begin = topology.incoming_at[to];
                let edges = topology.incoming(to).iter().enumerate();
                if self.in_logs {
                    let tail = self.emission(at, to) + after[to];
                    for (edge, &(from, _)) in edges {
                        let sum = &mut before[usize::from(from)];
                        *sum = log_sum(&[*sum, logs[begin + edge] + tail]);
                    }
                } else {
                    let tail = self.observe(at, to) * after[to] / self.scales[at];
                    for (edge, &(from, _)) in edges {
                        before[usize::from(from)] += exps[begin + edge] * tail;
                    }
                }
            }
        }
        self.beta = beta;
    }
}

/// `ln Σ exp` of the terms.
fn log_sum(terms: &[f64]) -> f64 {
    let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !top.is_finite() {
        return top;
    }
    top + terms.iter().map(|term| (term - top).exp()).sum::<f64>().ln()
}
