//! Replaced-word detector: how likely is it that a spatial word of the text stands in place of another of its substitution group?
//!
//! The counterpart of Soochow's system of 2022 (task 1): ELECTRA, which was trained to tell replaced tokens, looks at the spatial words alone, and a text is as odd
//! as its oddest word. Any sound text gives examples: replace one of its spatial words, and the detector knows which; and a verdict on a text is one on its oddest word.

use burn_tensor::{Tensor, TensorData};

use super::prompt::binary_loss;
use super::{Example, Head, Network, Shaped};
use crate::config::Config;
use crate::encoder::{Dropout, Sequence};
use crate::parameters::{device, to_numbers};

/// A detector of replaced words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replaced;

/// A spatial word: its places in the sequence.
pub type Site = std::ops::Range<usize>;

impl Shaped for Replaced {
    fn shapes(&self, config: &Config) -> Vec<(String, Vec<usize>)> {
        let wide = config.hidden_size;
        // As in ELECTRA: a map, a bend, a score.
        vec![
            ("dense.weight".into(), vec![wide, wide]),
            ("dense.bias".into(), vec![wide]),
            ("replaced.weight".into(), vec![wide, 1]),
            ("replaced.bias".into(), vec![1]),
        ]
    }
}

impl Replaced {
    fn scores<'s>(network: &Network, sequences: impl Iterator<Item = &'s Sequence> + Clone, dropout: &mut Dropout) -> Tensor<2> {
        let state = network.encode(&network.batch(sequences), dropout);
        let [texts, places, _] = state.dims();
        let bent = burn_tensor::activation::gelu(network.map("dense", dropout.apply(state, network.config.hidden_dropout_prob)));
        network.map("replaced", bent).reshape([texts, places])
    }

    /// How likely each site of each sequence is replaced: a word is as odd as its oddest token.
    pub fn ask(self, network: &Network, asked: &[(Sequence, Vec<Site>)]) -> Vec<Vec<f64>> {
        if asked.is_empty() {
            return Vec::new();
        }
        let scores = Self::scores(network, asked.iter().map(|(sequence, _)| sequence), &mut Dropout::off());
        let places = scores.dims()[1];
        let numbers = to_numbers(scores);
        let odds = |text: usize, site: &Site| {
            let most = site
                .clone()
                .filter(|place| *place < places)
                .map(|place| numbers[text * places + place])
                .fold(f32::NEG_INFINITY, f32::max);
            1.0 / (1.0 + f64::from(-most).exp())
        };
        asked.iter().enumerate().map(|(text, (_, sites))| sites.iter().map(|site| odds(text, site)).collect()).collect()
    }
}

/// What is known of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// Its spatial words, and whether each was replaced, where that is known.
    pub sites: Vec<(Site, Option<bool>)>,
    /// Whether it is sound, where someone said so.
    pub is_sound: Option<bool>,
}

/// Added to the scores of what is no spatial word, so that it is never the oddest.
const NO_SITE: f32 = -1e4;

impl Head for Replaced {
    type Gold = Known;

    /// Of the words that are known, and of the oddest word of each text whose verdict is known: where nobody tells which word it is, the verdict finds it.
    fn loss(&self, network: &Network, batch: &[&Example<Known>], dropout: &mut Dropout) -> Tensor<1> {
        let scores = Self::scores(network, batch.iter().map(|example| &example.sequence), dropout);
        let [texts, places] = scores.dims();
        let (mut right, mut weights) = (vec![0.0; texts * places], vec![0.0; texts * places]);
        let mut elsewhere = vec![0.0; texts * places];
        let (mut odd, mut judged) = (vec![0.0; texts], vec![0.0; texts]);
        for (text, example) in batch.iter().enumerate() {
            let sites = example.gold.sites.iter().filter(|(site, _)| site.end <= places && !site.is_empty());
            if let Some(is_sound) = example.gold.is_sound.filter(|_| sites.clone().next().is_some()) {
                (odd[text], judged[text]) = (f32::from(u8::from(!is_sound)), 1.0);
                elsewhere[text * places..][..places].fill(NO_SITE);
            }
            for (site, is_replaced) in sites {
                for cell in site.clone().map(|place| text * places + place) {
                    elsewhere[cell] = 0.0;
                    if let Some(is_replaced) = is_replaced {
                        (right[cell], weights[cell]) = (f32::from(u8::from(*is_replaced)), 1.0 / site.len() as f32);
                    }
                }
            }
        }
        let elsewhere: Tensor<2> = Tensor::from_data(TensorData::new(elsewhere, [texts, places]), &device());
        let oddest = (scores.clone() + elsewhere).max_dim(1);
        binary_loss(scores, right, &weights) + binary_loss(oddest, odd, &judged)
    }
}
