//! The role tasks in two hands: the feature model finds where places end, draws events, places and entities around them; a tagger on an encoder is a second
//! opinion on each of these, from the passage alone or from the passage with the end of a place marked.

use fangwei::task::Item;
use fangwei_encoder::heads::Example;
use fangwei_encoder::heads::tagger::{Labels, Tagger};
use fangwei_encoder::heads::trigger::ASKED;

use super::marked::{Asked, Marked};
use super::{OPINION, Setup};
use crate::belief::Belief;
use crate::explain::Explanation;
use crate::job::Job;
use crate::linear::opinion::Opinion;
use crate::linear::roles::gold::Frame;
use crate::linear::roles::second::{Second, Weights};
use crate::linear::roles::{Passage, Question, Roles, anchor, frame};
use crate::material::Part;
use crate::options::Options;
use crate::predictor::{Model, PredictError};
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Where places end; event and places of an anchor; its entities.
const TAGGER: Tagger = Tagger { labels: &[anchor::LABELS, frame::LABELS, 2], marks: 1 };

/// What the encoder's opinion counts beside that of the features.
pub const WEIGHTS: Weights = Weights { anchor: 1.0, frame: 1.0, entity: 1.0 };

/// A feature model and a second opinion.
struct Both {
    features: Roles,
    tagger: Marked,
}

/// Learns both.
pub fn train(job: &Job<'_>, part: &Part<'_>, setup: &Setup) -> Result<Box<dyn Model>, PredictError> {
    let passages = Roles::passages(part)?;
    let features = Roles::train(job, &passages, true)?;
    let learnt = |tagger: &Marked| passages.iter().flat_map(|passage| examples(tagger, passage)).collect();
    Ok(Box::new(Both { features, tagger: Marked::train(job, TAGGER, setup, learnt)? }))
}

/// The model that was kept.
pub fn load(from: &ReadScope, length: usize) -> Result<Box<dyn Model>, PredictError> {
    let features = Roles::get(&from.scope("features"))?;
    Ok(Box::new(Both { features, tagger: Marked::get(&from.scope("network"), TAGGER, length)? }))
}

impl Both {
    fn second(&self, options: &Options) -> Second<'_> {
        Second { opinion: &self.tagger, weights: WEIGHTS.times(options.number(OPINION.name) as f32) }
    }
}

impl Model for Both {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.features.put(&mut out.scope("features"))?;
        self.tagger.put(&mut out.scope("network"))
    }

    fn believe(&self, item: &Item, options: &Options) -> Result<Belief, PredictError> {
        self.features.tuples(item, Some(&self.second(options)))
    }

    fn explain(&self, item: &Item, options: &Options) -> Result<Explanation, PredictError> {
        Ok(Explanation { points: self.features.points(item, Some(&self.second(options)))? })
    }
}

/// What is marked: nothing, or the character with which a place ends.
fn asked(question: &Question) -> Asked {
    match question {
        Question::Passage => Asked::new(),
        Question::Anchor(at) => vec![(*at..at + 1, ASKED)],
    }
}

/// The passage once, and once for each place that ends in it.
fn examples(tagger: &Marked, passage: &Passage) -> Vec<Example<Vec<Labels>>> {
    let reading = &passage.view.reading;
    let tokens = tagger.tokens(reading);
    let ends = anchor::labels(reading.chars.len(), &passage.frames);
    let mut examples = vec![tagger.example(&tokens, &asked(&Question::Passage), &[Some(&|at| ends[at]), None, None])];
    for frame in &passage.frames {
        let label = |at: usize| frame::label(frame, at);
        let entity = |at: usize| usize::from(is_entity(frame, at));
        for at in frame.places.iter().filter_map(|(_, places)| places.last()) {
            examples.push(tagger.example(&tokens, &asked(&Question::Anchor(*at)), &[None, Some(&label), Some(&entity)]));
        }
    }
    examples
}

fn is_entity(frame: &Frame, at: usize) -> bool {
    let mentions = frame.entities.iter().flat_map(|entity| std::iter::once(&entity.own).chain(&entity.others));
    mentions.into_iter().any(|mention| mention.contains(&at))
}

impl Opinion<Question> for Marked {
    fn labels(&self, reading: &Reading, questions: &[Question]) -> Vec<Vec<f32>> {
        self.ask(reading, &questions.iter().map(asked).collect::<Vec<_>>())
    }
}
