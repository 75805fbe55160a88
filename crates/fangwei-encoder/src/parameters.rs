//! Parameters: the table of named matrices that a network is.
//!
//! Everything that happens to all parameters (loading, saving, gradients, optimising, keeping) is a loop over this table. Vectors are matrices of one row.

use std::collections::BTreeMap;

use burn_tensor::{Device, Gradients, Tensor, TensorData};
use fangwei::chance::Dice;

use crate::encoder::MARKS;

/// Where tensors live: the processor, or with the feature `cuda` the first graphics card.
pub fn device() -> Device {
    #[cfg(feature = "cuda")]
    {
        Device::cuda(0)
    }
    #[cfg(not(feature = "cuda"))]
    {
        Device::flex()
    }
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its numbers; a vector is one row.
    pub tensor: Tensor<2>,
    /// Whether it is a vector.
    pub is_vector: bool,
}

/// The parameters of a network, by name.
#[derive(Clone, Debug, Default)]
pub struct Parameters(BTreeMap<String, Parameter>);

/// How a parameter begins that nobody trained yet.
const SPREAD: f32 = 0.02;

impl Parameters {
    /// Adds a parameter from its numbers, row by row. `numbers` has as many as `shape` (one or two lengths) says.
    pub fn put(&mut self, name: impl Into<String>, shape: &[usize], numbers: Vec<f32>) {
        let is_vector = shape.len() == 1;
        let rows = if is_vector { 1 } else { shape.first().copied().unwrap_or(1) };
        let columns = numbers.len() / rows.max(1);
        let tensor = Tensor::from_data(TensorData::new(numbers, [rows, columns]), &device());
        self.0.insert(name.into(), Parameter { tensor, is_vector });
    }

    /// Adds a parameter as training begins: norms at one, biases at zero, all else small random numbers that follow from the seed and the name.
    pub fn begin(&mut self, name: &str, shape: &[usize], seed: u64) {
        let count = shape.iter().product();
        let numbers = if name == MARKS {
            // Nothing is marked before training says what a mark is worth.
            vec![0.0; count]
        } else if shape.len() == 1 {
            vec![if name.ends_with("Norm.weight") { 1.0 } else { 0.0 }; count]
        } else {
            let stream = name
                .bytes()
                .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            let mut dice = Dice::new(seed, stream);
            let mut uniform = || dice.below(1 << 24) as f32 / (1 << 24) as f32 - 0.5;
            // The sum of four uniform numbers is near enough to normal, and has its variance of 4/12.
            (0..count).map(|_| (uniform() + uniform() + uniform() + uniform()) * SPREAD * 3.0_f32.sqrt()).collect()
        };
        self.put(name, shape, numbers);
    }

    /// The numbers of a matrix. A name that is not there is a mistake of the network's code, and reads as an empty matrix.
    pub fn matrix(&self, name: &str) -> Tensor<2> {
        self.0.get(name).map_or_else(|| Tensor::zeros([0, 0], &device()), |parameter| parameter.tensor.clone())
    }

    /// The numbers of a vector.
    pub fn vector(&self, name: &str) -> Tensor<1> {
        let row = self.matrix(name);
        let count = row.dims().iter().product::<usize>();
        row.reshape([count])
    }

    /// All, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Parameter)> {
        self.0.iter().map(|(name, parameter)| (name.as_str(), parameter))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is one of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Whether the parameter of this name is a vector.
    pub fn is_vector(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|parameter| parameter.is_vector)
    }

    /// Changes one. Its numbers are handed over, so that they can be changed in their place.
    pub fn update(&mut self, name: &str, change: impl FnOnce(Tensor<2>) -> Tensor<2>) {
        if let Some(parameter) = self.0.get_mut(name) {
            let taken = std::mem::replace(&mut parameter.tensor, Tensor::zeros([0, 0], &device()));
            parameter.tensor = change(taken);
        }
    }

    /// The lengths of one; `None` where there is none of this name.
    pub fn shape(&self, name: &str) -> Option<Vec<usize>> {
        self.0.get(name).map(lengths)
    }

    /// Takes over the parameters of another table.
    pub fn join(&mut self, other: Parameters) {
        self.0.extend(other.0);
    }

    /// The parameters that `keep` accepts.
    #[must_use]
    pub fn only(&self, keep: impl Fn(&str) -> bool) -> Parameters {
        Parameters(
            self.0.iter().filter(|(name, _)| keep(name)).map(|(name, parameter)| (name.clone(), parameter.clone())).collect(),
        )
    }

    /// The same parameters, watched: what is computed from them can tell their gradients.
    #[must_use]
    pub fn watched(&self) -> Parameters {
        self.map(|_, tensor| tensor.inner().autodiff().require_grad())
    }

    /// The same parameters, unwatched, for answering.
    #[must_use]
    pub fn still(&self) -> Parameters {
        self.map(|_, tensor| tensor.inner())
    }

    /// Each parameter changed by a function of its name and numbers.
    #[must_use]
    pub fn map(&self, mut change: impl FnMut(&str, Tensor<2>) -> Tensor<2>) -> Parameters {
        let changed = self.0.iter().map(|(name, parameter)| {
            let tensor = change(name, parameter.tensor.clone());
            (name.clone(), Parameter { tensor, is_vector: parameter.is_vector })
        });
        Parameters(changed.collect())
    }

    /// The gradient of each parameter that has one.
    pub fn gradients(&self, mut all: Gradients) -> BTreeMap<String, Tensor<2>> {
        let gradient = |(name, parameter): (&String, &Parameter)| Some((name.clone(), parameter.tensor.grad_remove(&mut all)?));
        self.0.iter().filter_map(gradient).collect()
    }

    /// Names, shapes and numbers of all, row by row.
    pub fn numbers(&self) -> impl Iterator<Item = (&str, Vec<usize>, Vec<f32>)> {
        self.iter().map(|(name, parameter)| (name, lengths(parameter), to_numbers(parameter.tensor.clone())))
    }
}

fn lengths(parameter: &Parameter) -> Vec<usize> {
    let [rows, columns] = parameter.tensor.dims();
    if parameter.is_vector { vec![columns] } else { vec![rows, columns] }
}

/// The numbers of a tensor, row by row.
pub fn to_numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    // Every tensor here is made of 32-bit numbers, and the device holds it.
    tensor.inner().try_into_vec_as::<f32>().unwrap_or_default()
}
