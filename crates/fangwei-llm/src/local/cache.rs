//! What a model keeps of the tokens that it has read: keys and values of every layer. It is never written over, so that texts with the same beginning share it.

use candle_core::{Result, Tensor};

/// Keys and values of the tokens so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    /// Of each layer: heads × tokens × width of a head. Empty before the first token.
    layers: Vec<(Tensor, Tensor)>,
    tokens: usize,
}

impl Cache {
    /// How many tokens it holds.
    pub(super) fn len(&self) -> usize {
        self.tokens
    }

    /// The same after its first `count` tokens.
    pub(super) fn first(&self, count: usize) -> Result<Cache> {
        let tokens = count.min(self.tokens);
        if tokens == 0 {
            return Ok(Cache::default());
        }
        let cut = |(keys, values): &(Tensor, Tensor)| Ok((keys.narrow(1, 0, tokens)?, values.narrow(1, 0, tokens)?));
        Ok(Cache { layers: self.layers.iter().map(cut).collect::<Result<_>>()?, tokens })
    }

    /// Adds the keys and values of further tokens to a layer, and gives all of it.
    pub(super) fn extend(&mut self, layer: usize, keys: Tensor, values: Tensor) -> Result<(Tensor, Tensor)> {
        let both = match self.layers.get(layer) {
            None => (keys, values),
            Some((before_keys, before_values)) => {
                (Tensor::cat(&[before_keys, &keys], 1)?, Tensor::cat(&[before_values, &values], 1)?)
            }
        };
        if layer < self.layers.len() {
            self.layers[layer] = both.clone();
        } else {
            self.layers.push(both.clone());
        }
        Ok(both)
    }

    /// Counts tokens that all layers have seen.
    pub(super) fn count(&mut self, tokens: usize) {
        self.tokens += tokens;
    }
}
