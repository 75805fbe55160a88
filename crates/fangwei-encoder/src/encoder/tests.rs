use std::collections::BTreeMap;

use serde::Deserialize;

use super::*;
use crate::parameters::to_numbers;

/// An encoder with numbers from a formula, tokens, and the values that `tests/forward.py`, which shares no code with this, computed for them.
#[derive(Deserialize)]
struct Case {
    config: Config,
    ids: Vec<Vec<u32>>,
    second: Vec<usize>,
    expected: Vec<Vec<Vec<f32>>>,
}

fn cases() -> BTreeMap<String, Case> {
    serde_json::from_str(include_str!("../../tests/forward.json")).expect("the fixture is sound")
}

/// The formula of the fixture: parameter by parameter, row by row in the layout of the files.
fn formula(config: &Config) -> Parameters {
    let mut parameters = Parameters::default();
    for (number, (name, shape)) in config.shapes().iter().enumerate() {
        let wave = |place: usize| (0.7 * number as f64 + 1.3 * place as f64).sin();
        let count: usize = shape.iter().product();
        let numbers = if name.ends_with("LayerNorm.weight") {
            (0..count).map(|place| (1.0 + 0.1 * wave(place)) as f32).collect()
        } else if name.contains("embeddings.") || shape.len() == 1 {
            (0..count).map(|place| (0.3 * wave(place)) as f32).collect()
        } else {
            // The files keep linear maps with the output first.
            let (from, to) = (shape[0], shape[1]);
            (0..count).map(|place| (0.3 * wave(place % to * from + place / to)) as f32).collect()
        };
        parameters.put(name.as_str(), shape, numbers);
    }
    parameters
}

fn batch(case: &Case) -> Batch {
    let sequences: Vec<Sequence> = case
        .ids
        .iter()
        .zip(&case.second)
        .map(|(ids, second)| Sequence { ids: ids.clone(), second: *second, marks: Vec::new() })
        .collect();
    Batch::new(&case.config, 0, sequences.iter())
}

#[test]
fn values_are_those_of_another_implementation() {
    for (name, case) in cases() {
        let parameters = formula(&case.config);
        let state = encode(&case.config, &parameters, &batch(&case), &mut Dropout::off());
        let [_, places, width] = state.dims();
        let found = to_numbers(state);
        for (text, rows) in case.expected.iter().enumerate() {
            for (place, row) in rows.iter().enumerate() {
                for (column, expected) in row.iter().enumerate() {
                    let found = found[(text * places + place) * width + column];
                    assert!(
                        (found - expected).abs() < 2e-5,
                        "{name}: text {text}, place {place}, column {column}: {found}, expected {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn padding_changes_nothing() {
    let case = &cases()["roformer"];
    let parameters = formula(&case.config);
    let alone = Sequence { ids: case.ids[0].clone(), second: case.second[0], marks: Vec::new() };
    let mut long = alone.clone();
    long.ids.extend([3; 5]);
    let width = case.config.hidden_size * alone.ids.len();
    let one =
        to_numbers(encode(&case.config, &parameters, &Batch::new(&case.config, 0, std::iter::once(&alone)), &mut Dropout::off()));
    let two = to_numbers(encode(
        &case.config,
        &parameters,
        &Batch::new(&case.config, 0, [&alone, &long].into_iter()),
        &mut Dropout::off(),
    ));
    for (a, b) in one.iter().zip(&two[..width]) {
        assert!((a - b).abs() < 1e-6, "{a} became {b}");
    }
}

/// A gradient that is dropped in silence would leave the loss falling and the encoder untrained; so every family is asked for all of them.
#[test]
fn every_parameter_gets_a_gradient() {
    for (name, case) in cases() {
        let parameters = formula(&case.config).watched();
        let state = encode(&case.config, &parameters, &batch(&case), &mut Dropout::at(7, 1));
        // A weighted sum: the plain sum of a normed vector does not depend on anything before the norm.
        let [_, _, width] = state.dims();
        let weights: Vec<f32> = (0..width).map(|column| (column as f32).cos()).collect();
        let loss = (state * Tensor::from_data(TensorData::new(weights, [1, 1, width]), &device())).sum();
        let gradients = parameters.gradients(loss.backward());
        for (parameter, _) in parameters.iter() {
            let gradient = gradients.get(parameter).unwrap_or_else(|| panic!("{name}: {parameter} has no gradient"));
            let numbers = to_numbers(gradient.clone());
            let size = numbers.iter().map(|number| number.abs()).fold(0.0, f32::max);
            // A bias of the keys adds the same to all scores of a query, which softmax forgets: its gradient is there, and nought.
            let forgotten = parameter.ends_with("key.bias") && case.config.model_type != Family::Roformer;
            assert!(size > 1e-7 || forgotten, "{name}: the gradient of {parameter} is nought");
            assert!(numbers.iter().all(|number| number.is_finite()));
        }
    }
}

#[test]
fn gradients_are_those_of_differences() {
    let case = &cases()["electra"];
    let parameters = formula(&case.config);
    let loss = |parameters: &Parameters| {
        let state = encode(&case.config, parameters, &batch(case), &mut Dropout::off());
        (state.clone() * state.powi_scalar(2)).sum()
    };
    let watched = parameters.watched();
    let gradients = watched.gradients(loss(&watched).backward());
    for name in [
        "embeddings.word_embeddings.weight",
        "embeddings_project.weight",
        "encoder.layer.0.attention.self.query.weight",
        "encoder.layer.1.output.LayerNorm.bias",
    ] {
        let gradient = to_numbers(gradients[name].clone());
        let place = gradient.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).map_or(0, |(place, _)| place);
        let moved = |by: f32| {
            let changed = parameters.map(|own, tensor| {
                if own != name {
                    return tensor;
                }
                let shape = tensor.dims();
                let mut numbers = to_numbers(tensor);
                numbers[place] += by;
                Tensor::from_data(TensorData::new(numbers, shape), &device())
            });
            f64::from(to_numbers(loss(&changed))[0])
        };
        let step = 1e-2_f32;
        let slope = (moved(step) - moved(-step)) / (2.0 * f64::from(step));
        let found = f64::from(gradient[place]);
        assert!((slope - found).abs() < 0.02 * found.abs() + 1e-3, "{name}: {found}, by differences {slope}");
    }
}
