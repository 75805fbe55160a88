//! A tagger that reads a passage with some of its characters marked: what both second opinions ([`anchored`](super::anchored), [`roles`](super::roles)) are
//! made of. Questions are in characters; tokens and windows stay here.

use std::ops::Range;

use fangwei_encoder::encoder::Sequence;
use fangwei_encoder::heads::tagger::{Labels, Tagger};
use fangwei_encoder::heads::trigger::ask_about;
use fangwei_encoder::heads::{Example, Network};
use fangwei_encoder::tokenise::{Tokens, tokenise};

use super::windows::{AT_ONCE, around, to_characters, tokens_of};
use super::{Setup, kept, stages};
use crate::job::Job;
use crate::predictor::PredictError;
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Characters with their marks. The first are what is asked about: they stand in the middle of what is read, and their mark wins.
pub type Asked = Vec<(Range<usize>, u8)>;

/// The label of a character; none where a question does not count.
pub type Label<'l> = Option<&'l dyn Fn(usize) -> usize>;

/// A tagger with its network.
#[derive(Clone, Debug)]
pub struct Marked {
    head: Tagger,
    network: Network,
    length: usize,
}

impl Marked {
    /// Learns from examples, which are made with a network that has not learnt yet.
    pub fn train(
        job: &Job<'_>,
        head: Tagger,
        setup: &Setup,
        examples: impl FnOnce(&Marked) -> Vec<Example<Vec<Labels>>>,
    ) -> Result<Marked, PredictError> {
        let mut own = Marked { head, network: Network::new(&setup.encoder, &head, job.seed), length: setup.length };
        let examples = examples(&own);
        let network = stages::train(job, &head, own.network, &examples, &setup.plan)?;
        own.network = Network { parameters: stages::halved(&network.parameters), ..network };
        Ok(own)
    }

    /// Puts it into a file.
    pub fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        kept::put(&self.network, out)
    }

    /// Takes it out again.
    pub fn get(from: &ReadScope, head: Tagger, length: usize) -> Result<Marked, PredictError> {
        Ok(Marked { head, network: kept::get(from, &head)?, length })
    }

    /// The tokens of a passage.
    pub fn tokens(&self, reading: &Reading) -> Tokens {
        tokenise(&self.network.vocabulary, &reading.chars.iter().collect::<String>())
    }

    /// An example: a question and what is right. A token has the greatest label of its characters.
    pub fn example(&self, tokens: &Tokens, asked: &Asked, labels: &[Label<'_>]) -> Example<Vec<Labels>> {
        let (sequence, window) = self.sequence(tokens, asked);
        let of = |label: &Label<'_>| -> Labels {
            let Some(label) = label else { return Vec::new() };
            let own = tokens.chars[window.clone()].iter().map(|chars| chars.clone().map(label).max());
            std::iter::once(None).chain(own).chain([None]).collect()
        };
        Example { sequence, gold: labels.iter().map(of).collect() }
    }

    /// The logarithms of all labels, character by character, for each question.
    pub fn ask(&self, reading: &Reading, asked: &[Asked]) -> Vec<Vec<f32>> {
        let tokens = self.tokens(reading);
        let (sequences, windows): (Vec<Sequence>, Vec<Range<usize>>) =
            asked.iter().map(|own| self.sequence(&tokens, own)).unzip();
        let rows = sequences.chunks(AT_ONCE).flat_map(|some| self.head.ask(&self.network, some));
        let width = self.head.labels.iter().sum();
        rows.zip(windows).map(|(rows, window)| to_characters(&tokens, window, &rows, width)).collect()
    }

    /// The tokens around what is asked about, marked, and which tokens they are.
    fn sequence(&self, tokens: &Tokens, asked: &Asked) -> (Sequence, Range<usize>) {
        let marked: Vec<(Range<usize>, u8)> = asked.iter().map(|(at, mark)| (tokens_of(tokens, at.clone()), *mark)).collect();
        let middle = marked.first().map_or(0, |(at, _)| at.start);
        let window = around(tokens.len(), middle, self.length.min(self.network.config.max_position_embeddings));
        let within = |at: usize| at.clamp(window.start, window.end) - window.start;
        let about: Vec<(Range<usize>, u8)> =
            marked.into_iter().rev().map(|(at, mark)| (within(at.start)..within(at.end), mark)).collect();
        (ask_about(&self.network.vocabulary, &tokens.ids[window.clone()], &about), window)
    }
}
