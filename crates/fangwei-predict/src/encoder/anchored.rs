//! `2023/anomaly` in two hands: the feature model finds the suspicious words and draws labellings around them; a tagger on an encoder, which reads the passage
//! with that word marked, is a second opinion on every label.
//!
//! The encoder is spent where it helps: what is suspicious is told better by the cloze and its rivals, who is meant and what belongs together by a network
//! that has read a language. The topology of the field (which roles go together, and in which order) stays.

use fangwei::task::Item;
use fangwei_encoder::heads::Example;
use fangwei_encoder::heads::tagger::{Labels, Tagger};
use fangwei_encoder::heads::trigger::{ASKED, BESIDE};

use super::marked::{Asked, Marked};
use super::{OPINION, Setup};
use crate::belief::Belief;
use crate::explain::Explanation;
use crate::job::Job;
use crate::linear::anomaly::Anomaly;
use crate::linear::anomaly::features::Anchor;
use crate::linear::anomaly::gold::Lesson;
use crate::linear::anomaly::labeller::Second;
use crate::linear::anomaly::spans;
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
    tagger: Marked,
}

/// Learns both.
pub fn train(job: &Job<'_>, part: &Part<'_>, setup: &Setup) -> Result<Box<dyn Model>, PredictError> {
    let lessons = Anomaly::lessons(job, part)?;
    let features = Anomaly::train_bare(job, part, &lessons)?;
    let learnt = |tagger: &Marked| lessons.iter().flat_map(|lesson| examples(tagger, lesson)).collect();
    Ok(Box::new(Both { features, tagger: Marked::train(job, TAGGER, setup, learnt)? }))
}

/// The model that was kept.
pub fn load(from: &ReadScope, length: usize) -> Result<Box<dyn Model>, PredictError> {
    let features = Anomaly::load(&from.scope("features"))?;
    Ok(Box::new(Both { features, tagger: Marked::get(&from.scope("network"), TAGGER, length)? }))
}

impl Both {
    fn second(&self, options: &Options) -> Second<'_> {
        Second { opinion: &self.tagger, weight: WEIGHT * options.number(OPINION.name) as f32 }
    }
}

impl Model for Both {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        Model::put(&self.features, &mut out.scope("features"))?;
        self.tagger.put(&mut out.scope("network"))
    }

    fn believe(&self, item: &Item, options: &Options) -> Result<Belief, PredictError> {
        let reading = Reading::new(item.texts.context());
        Ok(Belief::Candidates(self.features.possible(&reading, Some(&self.second(options)))))
    }

    fn explain(&self, item: &Item, options: &Options) -> Result<Explanation, PredictError> {
        Ok(Explanation { points: self.features.points(item, options, Some(&self.second(options))) })
    }
}

/// What is marked for an anchor: its word, and the word that it contradicts.
fn asked(anchor: &Anchor) -> Asked {
    let partner = anchor.partner.iter().map(|(at, _)| (at.clone(), BESIDE));
    std::iter::once((anchor.at.clone(), ASKED)).chain(partner).collect()
}

/// Every triple of every answer, at the first word that it may hang at.
fn examples(tagger: &Marked, lesson: &Lesson) -> Vec<Example<Vec<Labels>>> {
    let tokens = tagger.tokens(&lesson.reading);
    let mut examples = Vec::new();
    for gold in &lesson.golds {
        let first = |number: usize| gold.anchors.get(number).and_then(|anchors| anchors.first());
        for (number, triple) in gold.spans.0.iter().enumerate() {
            let Some(at) = first(number) else { continue };
            let partner = first(1 - number.min(1)).filter(|_| gold.anchors.len() > 1);
            let anchor = Anchor { at: at.clone(), partner: partner.map(|other| (other.clone(), number == 1)) };
            let label = |at: usize| triple.iter().position(|places| places.contains(&(at as u32))).map_or(0, |role| role + 1);
            examples.push(tagger.example(&tokens, &asked(&anchor), &[Some(&label)]));
        }
    }
    examples
}

impl Opinion<Anchor> for Marked {
    fn labels(&self, reading: &Reading, questions: &[Anchor]) -> Vec<Vec<f32>> {
        self.ask(reading, &questions.iter().map(asked).collect::<Vec<_>>())
    }
}
