//! Attention of Qwen2: queries, keys and values with bias, turned by their position, several heads of queries to one of keys; nobody looks ahead.

use candle_core::quantized::QMatMul;
use candle_core::{D, Device, Module as _, Result, Tensor};

use super::LocalError;
use super::cache::Cache;
use super::model::{Dimensions, Run};
use super::weights::Weights;

/// So many tokens look back at a time: their weights over all earlier tokens are the largest thing in memory.
const LOOKING: usize = 128;

/// One layer's attention.
#[derive(Debug)]
pub(super) struct Attention {
    query: Biased,
    key: Biased,
    value: Biased,
    output: QMatMul,
    heads: usize,
    key_heads: usize,
    width: usize,
}

/// A matrix and what is added after it.
#[derive(Debug)]
struct Biased {
    matrix: QMatMul,
    bias: Tensor,
}

impl Biased {
    fn load(weights: &mut Weights, name: &str, rows: usize, columns: usize) -> std::result::Result<Biased, LocalError> {
        Ok(Biased {
            matrix: weights.matrix(&format!("{name}.weight"), rows, columns)?,
            bias: weights.vector(&format!("{name}.bias"), rows)?,
        })
    }

    fn of(&self, rows: &Tensor) -> Result<Tensor> {
        self.matrix.forward(rows)?.broadcast_add(&self.bias)
    }
}

impl Attention {
    pub(super) fn load(weights: &mut Weights, layer: usize, of: &Dimensions) -> std::result::Result<Attention, LocalError> {
        let name = |part: &str| format!("blk.{layer}.attn_{part}");
        let (all, few) = (of.heads * of.head, of.key_heads * of.head);
        Ok(Attention {
            query: Biased::load(weights, &name("q"), all, of.width)?,
            key: Biased::load(weights, &name("k"), few, of.width)?,
            value: Biased::load(weights, &name("v"), few, of.width)?,
            output: weights.matrix(&name("output.weight"), of.width, all)?,
            heads: of.heads,
            key_heads: of.key_heads,
            width: of.head,
        })
    }

    /// What each row takes from the rows before it. The rows of all runs stand one below the other; only here do they part.
    pub(super) fn of(&self, rows: &Tensor, layer: usize, turns: &Turns, runs: &mut [Run<'_>]) -> Result<Tensor> {
        let query = turns.turn(&self.split(&self.query.of(rows)?, self.heads)?)?;
        let key = turns.turn(&self.split(&self.key.of(rows)?, self.key_heads)?)?;
        let value = self.split(&self.value.of(rows)?, self.key_heads)?;
        let mut taken = Vec::with_capacity(runs.len());
        let mut begin = 0;
        for run in runs {
            let count = run.tokens.len();
            let part = |all: &Tensor| all.narrow(1, begin, count)?.contiguous();
            let (keys, values) = run.cache.extend(layer, part(&key)?, part(&value)?)?;
            taken.push(self.look(&part(&query)?, &keys, &values, run.cache)?);
            begin += count;
        }
        self.output.forward(&Tensor::cat(&taken, 0)?)
    }

    /// tokens × (heads × width) as heads × tokens × width.
    fn split(&self, rows: &Tensor, heads: usize) -> Result<Tensor> {
        rows.reshape(((), heads, self.width))?.transpose(0, 1)?.contiguous()
    }

    /// The values that queries take, as tokens × (heads × width).
    fn look(&self, query: &Tensor, keys: &Tensor, values: &Tensor, cache: &Cache) -> Result<Tensor> {
        let (count, before, group) = (query.dim(1)?, cache.len(), self.heads / self.key_heads);
        let scale = 1.0 / (self.width as f64).sqrt();
        let mut taken = Vec::with_capacity(count.div_ceil(LOOKING));
        for begin in (0..count).step_by(LOOKING) {
            let some = LOOKING.min(count - begin);
            let seen = before + begin + some;
            // Heads of queries stand in the order of their heads of keys, so that a group of them is one longer list.
            let query = query.narrow(1, begin, some)?.contiguous()?.reshape((self.key_heads, group * some, self.width))?;
            let keys = keys.narrow(1, 0, seen)?.contiguous()?;
            let values = values.narrow(1, 0, seen)?.contiguous()?;
            let scores = (query.matmul(&keys.transpose(1, 2)?.contiguous()?)? * scale)?;
            let scores = scores.reshape((self.key_heads, group, some, seen))?;
            let shares = softmax(&scores.broadcast_add(&mask(some, seen)?)?)?;
            let shares = shares.reshape((self.key_heads, group * some, seen))?;
            let heads = shares.matmul(&values)?.reshape((self.heads, some, self.width))?;
            taken.push(heads.transpose(0, 1)?.contiguous()?.reshape((some, self.heads * self.width))?);
        }
        Tensor::cat(&taken, 0)
    }
}

/// Zero where the last `some` of `seen` tokens may look, else minus infinity.
fn mask(some: usize, seen: usize) -> Result<Tensor> {
    let before = seen - some;
    let rows = (0..some).flat_map(|row| (0..seen).map(move |column| if column > before + row { f32::NEG_INFINITY } else { 0.0 }));
    Tensor::from_vec(rows.collect::<Vec<f32>>(), (some, seen), &Device::Cpu)
}

fn softmax(scores: &Tensor) -> Result<Tensor> {
    let powers = scores.broadcast_sub(&scores.max_keepdim(D::Minus1)?)?.exp()?;
    powers.broadcast_div(&powers.sum_keepdim(D::Minus1)?)
}

/// How far each row's queries and keys are turned: pairs half a head apart (as in NeoX), by an angle that grows with the position.
#[derive(Debug)]
pub(super) struct Turns {
    cosines: Tensor,
    sines: Tensor,
}

impl Turns {
    /// The turns of rows at these positions.
    pub(super) fn new(positions: impl Iterator<Item = usize>, of: &Dimensions) -> Result<Turns> {
        let half = of.head / 2;
        let speeds: Vec<f64> = (0..half).map(|pair| of.base.powf(-2.0 * pair as f64 / of.head as f64)).collect();
        // In 64 bits: a position of thousands leaves 32 too few digits for the fast pairs.
        let angles: Vec<f64> = positions.flat_map(|at| speeds.iter().map(move |speed| at as f64 * speed)).collect();
        let table = |of: fn(f64) -> f64| {
            Tensor::from_vec(
                angles.iter().map(|angle| of(*angle) as f32).collect::<Vec<f32>>(),
                (angles.len() / half, half),
                &Device::Cpu,
            )
        };
        Ok(Turns { cosines: table(f64::cos)?, sines: table(f64::sin)? })
    }

    /// Heads, turned.
    pub(super) fn turn(&self, heads: &Tensor) -> Result<Tensor> {
        let half = heads.dim(D::Minus1)? / 2;
        let (first, second) = (heads.narrow(D::Minus1, 0, half)?, heads.narrow(D::Minus1, half, half)?);
        let times = |part: &Tensor, table: &Tensor| part.broadcast_mul(table);
        let turned = [
            (times(&first, &self.cosines)? - times(&second, &self.sines)?)?,
            (times(&first, &self.sines)? + times(&second, &self.cosines)?)?,
        ];
        Tensor::cat(&turned, D::Minus1)
    }
}
