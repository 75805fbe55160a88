use std::sync::Arc;

use fangwei::chance::Dice;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::train::slope;
use super::{Chain, Crf, Lattice, Sequence, Topology};
use crate::learn::feature::Keys;
use crate::learn::{Training, unit, unwatched};
use crate::weights::{Weights, Writer};

/// Four states of three labels (0 and 3 both show label 0), some transitions, starts and ends missing, two classes.
fn topology() -> Topology {
    let transitions = [(0, 0), (0, 1), (1, 2), (1, 1), (2, 3), (2, 1), (3, 3), (3, 1), (1, 3)];
    Topology::new(3, &[0, 1, 2, 0], &transitions, &[0, 1], &[0, 2, 3]).unwrap().with_classes(2)
}

fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(|_| unit(&mut rng) as f32 * 4.0 - 2.0).collect()
}

/// All paths with their scores, from the definition: a sum of weights, by the layout that `chain.rs` documents.
fn enumerate(topology: &Topology, weights: &[f32], emissions: &[f32], classes: &[u8], allowed: &[u64]) -> Vec<(Vec<usize>, f64)> {
    let plan = &topology.plan;
    let (edges, states, len) = (plan.transitions.len(), plan.states.len(), emissions.len() / plan.labels);
    let at_state = edges * (1 + plan.classes);
    let weight = |at: usize| f64::from(weights[at]);
    let mut found = Vec::new();
    for number in 0..states.pow(len as u32) {
        let path: Vec<usize> = (0..len).map(|at| number / states.pow(at as u32) % states).collect();
        let (first, last) = (path[0], path[len - 1]);
        if !plan.starts.contains(&first) || !plan.ends.contains(&last) {
            continue;
        }
        if path.iter().enumerate().any(|(at, state)| allowed.get(at).is_some_and(|set| set >> state & 1 == 0)) {
            continue;
        }
        let mut score = weight(at_state + states + first) + weight(at_state + 2 * states + last);
        let mut possible = true;
        for at in 0..len {
            score += weight(at_state + path[at]) + f64::from(emissions[at * plan.labels + plan.states[path[at]]]);
            if at > 0 {
                match plan.transitions.iter().position(|&pair| pair == (path[at - 1], path[at])) {
                    Some(edge) => score += weight(edge) + weight((1 + usize::from(classes[at])) * edges + edge),
                    None => possible = false,
                }
            }
        }
        if possible {
            found.push((path, score));
        }
    }
    found
}

fn log_sum(paths: &[(Vec<usize>, f64)]) -> f64 {
    let top = paths.iter().map(|path| path.1).fold(f64::NEG_INFINITY, f64::max);
    top + paths.iter().map(|path| (path.1 - top).exp()).sum::<f64>().ln()
}

#[test]
fn sums_marginals_and_best_path_are_those_of_all_paths() {
    let topology = topology();
    let mut in_logs = 0;
    for len in 1..=6 {
        // Stretched emissions force log space; the answers must not depend on it.
        for stretch in [1.0, 400.0] {
            for (seed, allowed) in [(1, vec![]), (2, vec![u64::MAX, 0b1010]), (3, vec![0b0001, u64::MAX, 0b1010])] {
                let weights = numbers(Chain::weights(&topology), seed);
                let emissions: Vec<f32> = numbers(len * 3, seed + 10).iter().map(|emission| emission * stretch).collect();
                let classes = [0, 1, 1, 0, 1, 0];
                let paths = enumerate(&topology, &weights, &emissions, &classes, &allowed);
                let chain = Chain::new(topology.clone(), &weights);
                let mut lattice = Lattice::new(&chain);
                let log_partition = lattice.run(&emissions, &classes, &allowed);
                if paths.is_empty() {
                    assert_eq!(log_partition, f64::NEG_INFINITY);
                    assert_eq!(lattice.viterbi(), None);
                    assert!(lattice.marginals().iter().all(|&share| share == 0.0));
                    continue;
                }
                in_logs += usize::from(lattice.in_logs);
                assert!(!lattice.in_logs || stretch > 1.0);
                let expected = log_sum(&paths);
                assert!((log_partition - expected).abs() < 1e-6 * f64::from(stretch), "{len}: {log_partition}, not {expected}");
                let mut marginals = vec![0.0; len * 3];
                for (path, score) in &paths {
                    assert!((lattice.score(path) - score).abs() < 1e-6 * f64::from(stretch));
                    for (at, &state) in path.iter().enumerate() {
                        marginals[at * 3 + topology.label_of(state)] += (score - expected).exp();
                    }
                }
                for (found, expected) in lattice.marginals().iter().zip(&marginals) {
                    assert!((f64::from(*found) - expected).abs() < 1e-5, "{len} {stretch}: {found}, not {expected}");
                }
                let best = paths.iter().max_by(|left, right| left.1.total_cmp(&right.1)).unwrap();
                let (path, score) = lattice.viterbi().unwrap();
                assert_eq!(path, best.0);
                assert!((score - best.1).abs() < 1e-6 * f64::from(stretch));
            }
        }
    }
    assert!(in_logs > 3, "log space was tested {in_logs} times");
}

#[test]
fn samples_come_as_often_as_their_probability_says() {
    let topology = topology();
    let weights = numbers(Chain::weights(&topology), 5);
    let chain = Chain::new(topology.clone(), &weights);
    for stretch in [0.5, 300.0] {
        let emissions: Vec<f32> = numbers(12, 6).iter().map(|emission| emission * stretch).collect();
        let classes = [0, 1, 0, 1];
        let paths = enumerate(&topology, &weights, &emissions, &classes, &[]);
        let mut lattice = Lattice::new(&chain);
        let log_partition = lattice.run(&emissions, &classes, &[]);
        let drawn = lattice.samples(20_000, &mut ChaCha8Rng::seed_from_u64(7));
        for (path, score) in paths {
            let expected = (score - log_partition).exp();
            assert!((lattice.log_probability(&path).exp() - expected).abs() < 1e-6);
            let found = drawn.iter().filter(|&other| *other == path).count() as f64 / 20_000.0;
            // Four and a half standard deviations.
            let margin = 4.5 * (expected * (1.0 - expected) / 20_000.0).sqrt() + 1e-4;
            assert!((found - expected).abs() < margin, "{path:?}: {found}, not {expected}");
        }
    }
}

/// Loss of one sequence for given weights.
fn loss(topology: &Topology, weights: &[f32], emissions: &[f32], sequence: &Sequence) -> f64 {
    let all = log_sum(&enumerate(topology, weights, emissions, &sequence.classes, &[]));
    all - log_sum(&enumerate(topology, weights, emissions, &sequence.classes, &sequence.allowed))
}

#[test]
fn gradients_are_numeric_differences() {
    let topology = topology();
    let size = Chain::weights(&topology);
    // A known path, a path of labels (label 0 leaves two states), and positions of which nothing is known.
    for allowed in [vec![1, 2, 4, 8, 8], vec![0b1001, 0b0010, 0b0100, 0b1001, 0b1001], vec![u64::MAX, 0b0010, u64::MAX]] {
        for stretch in [1.0, 200.0] {
            let weights = numbers(size, 8);
            let emissions: Vec<f32> = numbers(15, 9).iter().map(|emission| emission * stretch).collect();
            let sequence = Sequence { parts: vec![], classes: vec![0, 1, 1, 0, 1], allowed: allowed.clone(), weight: 1.0 };
            let chain = Chain::new(topology.clone(), &weights);
            let slope = slope(&mut Lattice::new(&chain), &emissions, &sequence, 1.0, size).unwrap();
            let here = loss(&topology, &weights, &emissions, &sequence);
            assert!((slope.loss - here).abs() < 1e-5 * f64::from(stretch));
            let step = 1.0 / 128.0; // exact in f32 beside numbers of this size
            let check = |found: f64, name: &str, at: usize, change: &dyn Fn(f32) -> f64| {
                let expected = (change(step) - change(-step)) / (2.0 * f64::from(step));
                // The error of central differences is of the order of step², that of stretched emissions of their last bits.
                assert!((found - expected).abs() < 1e-4 + 1e-5 * f64::from(stretch), "{name} {at}: {found}, not {expected}");
            };
            for at in 0..15 {
                check(f64::from(slope.error[at]), "emission", at, &|step| {
                    let mut moved = emissions.clone();
                    moved[at] += step;
                    loss(&topology, &weights, &moved, &sequence)
                });
            }
            for at in 0..size {
                check(slope.chain[at], "chain", at, &|step| {
                    let mut moved = weights.clone();
                    moved[at] += step;
                    loss(&topology, &moved, &emissions, &sequence)
                });
            }
        }
    }
}

/// Sequences whose label is told by one key, with noise keys, and I (2) only after B (1).
fn sequences(count: usize) -> Vec<Sequence> {
    let mut dice = Dice::new(11, 0);
    (0..count)
        .map(|_| {
            let mut keys = Keys::new();
            let mut allowed = Vec::new();
            let mut label = 0;
            for _ in 0..12 {
                label = if label == 0 { dice.below(2) } else { [0, 2][dice.below(2)] };
                let told = if dice.below(10) == 0 { dice.below(3) } else { label };
                keys.extend(&[told as u32, 10 + dice.below(50) as u32, 100 + dice.below(50) as u32]);
                allowed.push(1 << label);
            }
            Sequence { parts: vec![Arc::new(keys)], classes: vec![], allowed, weight: 1.0 }
        })
        .collect()
}

fn chain_of_three() -> Topology {
    Topology::new(3, &[0, 1, 2], &[(0, 0), (0, 1), (1, 0), (1, 2), (2, 0), (2, 2)], &[0, 1], &[0, 1, 2]).unwrap()
}

#[test]
fn threads_change_no_bit_and_a_loaded_model_answers_the_same() {
    let data = sequences(120);
    let training = Training { epochs: 3, batch: 16, ..Training::default() };
    let train = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Crf::train(chain_of_three(), &data, &training, &mut unwatched))
    };
    let ((one, curve), (three, other_curve)) = (train(1), train(3));
    assert_eq!(curve, other_curve);
    assert_eq!(*one.weights, *three.weights);
    assert!(curve.losses[2] < curve.losses[0] * 0.8, "{:?}", curve.losses);

    let path = std::env::temp_dir().join(format!("fangwei-crf-{}.fw", std::process::id()));
    let mut writer = Writer::new();
    three.save(&mut writer.scope("crf")).unwrap();
    writer.write(&path).unwrap();
    let loaded = Crf::load(&Weights::open(&path).unwrap().scope("crf")).unwrap();
    std::fs::remove_file(&path).ok();
    let mut right = 0;
    for sequence in &data {
        let emissions = one.emissions(&sequence.parts[0]);
        assert_eq!(emissions, loaded.emissions(&sequence.parts[0]));
        let mut lattice = loaded.lattice();
        lattice.run(&emissions, &[], &[]);
        let (path, _) = lattice.viterbi().unwrap();
        right += path.iter().zip(&sequence.allowed).filter(|&(&state, &allowed)| 1 << state == allowed).count();
    }
    // The telling key is right nine times in ten; the chain corrects some of the rest.
    assert!(right as f64 / 1440.0 > 0.93, "{right} of 1440");
}

#[test]
fn odd_sequences_are_skipped_and_an_interrupt_keeps_what_is_learned() {
    let mut data = sequences(20);
    data[3].allowed = vec![0b100]; // cannot start there
    data[4].weight = f32::NAN;
    data[5].parts.clear();
    let mut steps = 0;
    let (_, curve) = Crf::train(chain_of_three(), &data, &Training { batch: 4, ..Training::default() }, &mut |progress| {
        steps += 1;
        assert_eq!((progress.step, progress.steps), (steps, 8 * 5));
        if steps == 7 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    });
    assert_eq!((curve.skipped, curve.finished, curve.losses.len(), steps), (3, false, 2, 7));
    let untrained = Crf::untrained(chain_of_three());
    let mut lattice = untrained.lattice();
    assert_eq!(lattice.run(&[], &[], &[]), 0.0);
    assert_eq!(lattice.viterbi(), Some((vec![], 0.0)));
    assert!(!lattice.run(&[f32::NAN; 6], &[9], &[]).is_finite());
    assert!(lattice.marginals().iter().all(|&share| share == 0.0));
    assert_eq!(lattice.sample(&mut ChaCha8Rng::seed_from_u64(0)), None);
    lattice.viterbi();
}
