//! `2023/anomaly` in two hands: the feature model finds the suspicious words and draws labellings around them; a tagger on an encoder, which reads the passage
//! with that word marked, is a second opinion on every label.
//!
//! The encoder is spent where it helps: what is suspicious is told better by the cloze and its rivals, who is meant and what belongs together by a network
//! that has read a language. The topology of the field (which roles go together, and in which order) stays.

use std::ops::Range;

use fangwei::task::Item;
use fangwei_encoder::encoder::Sequence;
use fangwei_encoder::heads::tagger::{Labels, Tagger};
use fangwei_encoder::heads::trigger::{ASKED, BESIDE, ask_about};
use fangwei_encoder::heads::{Example, Network};
use fangwei_encoder::tokenise::{Tokens, tokenise};

use super::windows::{AT_ONCE, around, to_characters, tokens_of};
use super::{OPINION, Setup, kept, stages};
use crate::belief::Belief;
use crate::explain::Explanation;
use crate::job::Job;
use crate::linear::anomaly::Anomaly;
use crate::linear::anomaly::features::Anchor;
use crate::linear::anomaly::gold::Lesson;
use crate::linear::anomaly::labeller::Second;
use crate::linear::anomaly::spans::{self, Triple};
use crate::linear::opinion::Opinion;
use crate::material::Part;
use crate::options::Options;
use crate::predictor::{Model, PredictError};
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Labels of a triple: outside, subject, place, event.
pub const TAGGER: Tagger = Tagger { labels: &[spans::ROLES + 1], marks: BESIDE as usize };

/// What the encoder's opinion counts beside that of the field.
pub const WEIGHT: f32 = 0.7;

/// A feature model and a second opinion.
struct Both {
    features: Anomaly,
    tagger: Anchored,
}

/// Learns both.
pub fn train(job: &Job<'_>, part: &Part<'_>, setup: &Setup) -> Result<Box<dyn Model>, PredictError> {
    let lessons = Anomaly::lessons(job, part)?;
    let features = Anomaly::train_bare(job, part, &lessons)?;
    Ok(Box::new(Both { features, tagger: Anchored::train(job, &lessons, setup)? }))
}

/// The model that was kept.
pub fn load(from: &ReadScope, length: usize) -> Result<Box<dyn Model>, PredictError> {
    let features = Anomaly::load(&from.scope("features"))?;
    let network = kept::get(&from.scope("network"), &TAGGER)?;
    Ok(Box::new(Both { features, tagger: Anchored { network, length } }))
}

impl Both {
    fn second(&self, options: &Options) -> Second<'_> {
        Second { opinion: &self.tagger, weight: WEIGHT * options.number(OPINION.name) as f32 }
    }
}

impl Model for Both {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        Model::put(&self.features, &mut out.scope("features"))?;
        kept::put(&self.tagger.network, &mut out.scope("network"))
    }

    fn believe(&self, item: &Item, options: &Options) -> Result<Belief, PredictError> {
        let reading = Reading::new(item.texts.context());
        Ok(Belief::Candidates(self.features.possible(&reading, Some(&self.second(options)))))
    }

    fn explain(&self, item: &Item, options: &Options) -> Result<Explanation, PredictError> {
        Ok(Explanation { points: self.features.points(item, options, Some(&self.second(options))) })
    }
}

/// A tagger of triples around an anchor.
#[derive(Clone, Debug)]
pub struct Anchored {
    /// The network.
    pub network: Network,
    /// Most tokens that it reads at once.
    pub length: usize,
}

impl Anchored {
    /// Learns from passages whose anchors people's answers tell.
    pub fn train(job: &Job<'_>, lessons: &[Lesson], setup: &Setup) -> Result<Anchored, PredictError> {
        let mut own = Anchored { network: Network::new(&setup.encoder, &TAGGER, job.seed), length: setup.length };
        let examples: Vec<Example<Vec<Labels>>> = lessons.iter().flat_map(|lesson| own.examples(lesson)).collect();
        let network = stages::train(job, &TAGGER, own.network, &examples, &setup.plan)?;
        own.network = Network { parameters: stages::halved(&network.parameters), ..network };
        Ok(own)
    }

    fn examples(&self, lesson: &Lesson) -> Vec<Example<Vec<Labels>>> {
        let tokens = self.tokens(&lesson.reading);
        let mut examples = Vec::new();
        for gold in &lesson.golds {
            let first = |number: usize| gold.anchors.get(number).and_then(|anchors| anchors.first());
            let anchors: Vec<Anchor> = match (first(0), first(1)) {
                (Some(one), Some(two)) => vec![
                    Anchor { at: one.clone(), partner: Some((two.clone(), false)) },
                    Anchor { at: two.clone(), partner: Some((one.clone(), true)) },
                ],
                (Some(one), None) => vec![Anchor::lone(one.clone())],
                _ => Vec::new(),
            };
            for (triple, anchor) in gold.spans.0.iter().zip(&anchors) {
                let (sequence, window) = self.sequence(&tokens, anchor);
                let labels = labels(&tokens, triple);
                let gold = std::iter::once(None).chain(labels[window].iter().copied().map(Some)).chain([None]).collect();
                examples.push(Example { sequence, gold: vec![gold] });
            }
        }
        examples
    }

    fn tokens(&self, reading: &Reading) -> Tokens {
        tokenise(&self.network.vocabulary, &reading.chars.iter().collect::<String>())
    }

    /// The tokens around an anchor, with it marked, and which tokens they are.
    fn sequence(&self, tokens: &Tokens, anchor: &Anchor) -> (Sequence, Range<usize>) {
        let marked = |at: &Range<usize>| tokens_of(tokens, at.clone());
        let at = marked(&anchor.at);
        let window = around(tokens.len(), at.start, self.length.min(self.network.config.max_position_embeddings));
        let within = |range: Range<usize>| {
            range.start.max(window.start) - window.start..range.end.min(window.end).max(window.start) - window.start
        };
        let mut about = Vec::new();
        if let Some((partner, _)) = &anchor.partner {
            about.push((within(marked(partner)), BESIDE));
        }
        about.push((within(at), ASKED));
        (ask_about(&self.network.vocabulary, &tokens.ids[window.clone()], &about), window)
    }
}

/// The label of each token: that of the first of its characters that has one.
fn labels(tokens: &Tokens, triple: &Triple) -> Vec<usize> {
    let role = |at: usize| triple.iter().position(|places| places.binary_search(&(at as u32)).is_ok());
    tokens.chars.iter().map(|chars| chars.clone().find_map(role).map_or(0, |role| role + 1)).collect()
}

impl Opinion<Anchor> for Anchored {
    fn labels(&self, reading: &Reading, questions: &[Anchor]) -> Vec<Vec<f32>> {
        let tokens = self.tokens(reading);
        let (sequences, windows): (Vec<Sequence>, Vec<Range<usize>>) =
            questions.iter().map(|anchor| self.sequence(&tokens, anchor)).unzip();
        let rows = sequences.chunks(AT_ONCE).flat_map(|some| TAGGER.ask(&self.network, some));
        rows.zip(windows).map(|(rows, window)| to_characters(&tokens, window, &rows, spans::ROLES + 1)).collect()
    }
}
