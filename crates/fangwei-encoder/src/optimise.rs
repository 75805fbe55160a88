//! AdamW with warm-up and clipped gradients.
//!
//! Parameters of the head, which begin at random, take larger steps than those of the encoder, which only need a nudge. Vectors (biases, norms) do not decay.

use std::collections::BTreeMap;

use burn_tensor::{IndexingUpdateOp, Int, Tensor, TensorData};

use crate::encoder::WORDS;
use crate::heads::HEAD;
use crate::parameters::{Parameters, device, to_numbers};

/// How large the steps are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// Rate of the encoder at its highest.
    pub rate: f64,
    /// How many times as large that of the head is.
    pub head: f64,
    /// Share of all steps in which the rate climbs from nought; after it, it falls in a line.
    pub warm_up: f64,
    /// Steps of the whole training.
    pub steps: usize,
    /// Longest gradient.
    pub longest: f64,
    /// Share of a matrix that a rate of one would take away in a step.
    pub decay: f64,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { rate: 5e-5, head: 10.0, warm_up: 0.1, steps: 1, longest: 1.0, decay: 0.01 }
    }
}

impl Schedule {
    /// The rate of the encoder at a step, counted from nought.
    pub fn rate_at(&self, step: usize) -> f64 {
        let (step, steps) = (step as f64 + 1.0, self.steps.max(1) as f64);
        let warm = (self.warm_up * steps).max(1.0);
        let share = if step <= warm { step / warm } else { (steps - step) / (steps - warm).max(1.0) };
        self.rate * share.max(0.0)
    }
}

/// The two running means of AdamW for every parameter.
#[derive(Clone, Debug, Default)]
pub struct Moments {
    /// Of the gradient.
    pub first: Parameters,
    /// Of its square.
    pub second: Parameters,
}

const FIRST: f64 = 0.9;
const SECOND: f64 = 0.999;
const SMALL: f64 = 1e-8;

impl Moments {
    /// Nought for every parameter.
    pub fn new(parameters: &Parameters) -> Moments {
        let nought = parameters.map(|_, tensor| tensor.inner().zeros_like());
        Moments { first: nought.clone(), second: nought }
    }

    /// Takes the parameters a step along their gradients.
    ///
    /// `words`: the rows of the table of words that the batch touched, where its gradient is of these alone. Only they move, and only their means change: the rest of a
    /// large table would be most of the work of a step, and its gradient is nought.
    pub fn step(
        &mut self,
        parameters: &mut Parameters,
        gradients: &BTreeMap<String, Tensor<2>>,
        words: Option<&[u32]>,
        schedule: &Schedule,
        step: usize,
    ) {
        let length = gradients.values().map(|gradient| f64::from(squares(gradient))).sum::<f64>().sqrt();
        // A step whose gradient is no number would end the training for good; it is left out.
        if !length.is_finite() {
            return;
        }
        let clip = if length > schedule.longest { schedule.longest / length } else { 1.0 };
        let (base, count) = (schedule.rate_at(step), step as i32 + 1);
        let (unbias_first, unbias_second) = (1.0 / (1.0 - FIRST.powi(count)), 1.0 / (1.0 - SECOND.powi(count)));
        for (name, gradient) in gradients {
            let rows = words.filter(|_| name == WORDS).map(numbers);
            let rate = if name.starts_with(HEAD) { base * schedule.head } else { base };
            let gradient = gradient.clone() * clip;
            let first = change(&mut self.first, name, rows.as_ref(), |mean| mean * FIRST + gradient.clone() * (1.0 - FIRST));
            let square = gradient.square() * (1.0 - SECOND);
            let second = change(&mut self.second, name, rows.as_ref(), |mean| mean * SECOND + square);
            let step = first * (unbias_first * rate) / ((second * unbias_second).sqrt() + SMALL);
            let kept = if parameters.is_vector(name) { 1.0 } else { 1.0 - rate * schedule.decay };
            change(parameters, name, rows.as_ref(), |tensor| tensor * kept - step);
        }
    }
}

/// Changes a parameter, or some of its rows, and tells what they are then.
fn change(
    table: &mut Parameters,
    name: &str,
    rows: Option<&Tensor<1, Int>>,
    to: impl FnOnce(Tensor<2>) -> Tensor<2>,
) -> Tensor<2> {
    let Some(rows) = rows else {
        table.update(name, to);
        return table.matrix(name);
    };
    let before = table.matrix(name).select(0, rows.clone());
    let after = to(before.clone());
    let difference = after.clone() - before;
    table.update(name, |tensor| tensor.select_assign(0, rows.clone(), difference, IndexingUpdateOp::Add));
    after
}

fn numbers(rows: &[u32]) -> Tensor<1, Int> {
    let rows: Vec<i64> = rows.iter().map(|row| i64::from(*row)).collect();
    let count = rows.len();
    Tensor::from_data(TensorData::new(rows, [count]), &device())
}

fn squares(gradient: &Tensor<2>) -> f32 {
    to_numbers(gradient.clone().square().sum()).first().copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_climb_and_fall() {
        let schedule = Schedule { rate: 1.0, warm_up: 0.2, steps: 10, ..Schedule::default() };
        let rates: Vec<f64> = (0..10).map(|step| schedule.rate_at(step)).collect();
        // Two of ten steps climb: 1/2, 1; eight fall by an eighth each.
        assert_eq!(&rates[..4], &[0.5, 1.0, 0.875, 0.75]);
        assert_eq!(rates[9], 0.0);
    }

    #[test]
    fn a_first_step_has_the_length_of_the_rate() {
        let mut parameters = Parameters::default();
        parameters.put("weight", &[2, 1], vec![1.0, -2.0]);
        parameters.put("bias", &[1], vec![5.0]);
        let gradient = |numbers: Vec<f32>| {
            let rows = numbers.len();
            Tensor::from_data(TensorData::new(numbers, [rows, 1]), &device())
        };
        let gradients = BTreeMap::from([("weight".to_owned(), gradient(vec![0.03, -0.04]))]);
        let schedule = Schedule { rate: 0.1, warm_up: 0.0, steps: 1_000_000, decay: 0.5, ..Schedule::default() };
        let mut moments = Moments::new(&parameters);
        moments.step(&mut parameters, &gradients, None, &schedule, 0);
        let weight = to_numbers(parameters.matrix("weight"));
        // After one step the means are the gradient and its square, so the step is the rate with the gradient's sign; decay takes 0.1 x 0.5 of each before.
        assert!((weight[0] - (1.0 * 0.95 - 0.1)).abs() < 1e-4, "{weight:?}");
        assert!((weight[1] - (-2.0 * 0.95 + 0.1)).abs() < 1e-4, "{weight:?}");
        // What has no gradient stays.
        assert_eq!(to_numbers(parameters.matrix("bias")), [5.0]);
        // A gradient that is no number changes nothing.
        let broken = BTreeMap::from([("weight".to_owned(), gradient(vec![f32::NAN, 1.0]))]);
        moments.step(&mut parameters, &broken, None, &schedule, 1);
        assert_eq!(to_numbers(parameters.matrix("weight")), weight);
    }

    #[test]
    fn rows_that_a_batch_did_not_touch_stay() {
        let table: Vec<f32> = (0..8_u8).map(f32::from).collect();
        let gradient = |numbers: Vec<f32>| -> Tensor<2> { Tensor::from_data(TensorData::new(numbers, [2, 2]), &device()) };
        let schedule = Schedule { rate: 0.1, warm_up: 0.0, steps: 1_000_000, decay: 0.0, ..Schedule::default() };
        let mut some = Parameters::default();
        some.put(WORDS, &[4, 2], table.clone());
        let mut moments = Moments::new(&some);
        let gradients = BTreeMap::from([(WORDS.to_owned(), gradient(vec![0.1, -0.1, 0.2, 0.3]))]);
        moments.step(&mut some, &gradients, Some(&[3, 1]), &schedule, 0);
        let found = to_numbers(some.matrix(WORDS));
        // The first gradient is of row 3, the second of row 1; each step has the length of the rate.
        for (found, expected) in found.iter().zip([0.0, 1.0, 1.9, 2.9, 4.0, 5.0, 5.9, 7.1]) {
            assert!((found - expected).abs() < 1e-4, "{found}, expected {expected}");
        }
        let moved = to_numbers(moments.first.matrix(WORDS));
        assert_eq!((moved[0], moved[4], moved[2] > 0.0), (0.0, 0.0, true));
    }
}
