//! The role tasks in two hands: the feature model finds where places end, draws events, places and entities around them; a tagger on an encoder is a second
//! opinion on each of these, from the passage alone or from the passage with the end of a place marked.

use std::ops::Range;

use fangwei::task::Item;
use fangwei_encoder::encoder::Sequence;
use fangwei_encoder::heads::tagger::{Labels, Tagger};
use fangwei_encoder::heads::trigger::{ASKED, ask_about};
use fangwei_encoder::heads::{Example, Network};
use fangwei_encoder::tokenise::{Tokens, tokenise};

use super::windows::{AT_ONCE, around, to_characters, tokens_of};
use super::{OPINION, Setup, kept, stages};
use crate::belief::Belief;
use crate::explain::Explanation;
use crate::job::Job;
use crate::linear::opinion::Opinion;
use crate::linear::roles::gold::Frame;
use crate::linear::roles::second::{self, Second, Weights};
use crate::linear::roles::{Passage, Question, Roles, anchor, frame};
use crate::material::Part;
use crate::options::Options;
use crate::predictor::{Model, PredictError};
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Where places end; event and places of an anchor; its entities.
const TAGGER: Tagger = Tagger { labels: &[anchor::LABELS, frame::LABELS, 2], marks: 1 };

/// What the encoder's opinion counts beside that of the features.
pub const WEIGHTS: Weights = Weights { anchor: 0.5, frame: 0.5, entity: 0.5 };

/// A feature model and a second opinion.
struct Both {
    features: Roles,
    reader: Reader,
}

/// Learns both.
pub fn train(job: &Job<'_>, part: &Part<'_>, setup: &Setup) -> Result<Box<dyn Model>, PredictError> {
    let passages = Roles::passages(part)?;
    let features = Roles::train(job, &passages)?;
    Ok(Box::new(Both { features, reader: Reader::train(job, &passages, setup)? }))
}

/// The model that was kept.
pub fn load(from: &ReadScope, length: usize) -> Result<Box<dyn Model>, PredictError> {
    let features = Roles::get(&from.scope("features"))?;
    let network = kept::get(&from.scope("network"), &TAGGER)?;
    Ok(Box::new(Both { features, reader: Reader { network, length } }))
}

impl Both {
    fn second(&self, options: &Options) -> Second<'_> {
        Second { opinion: &self.reader, weights: WEIGHTS.times(options.number(OPINION.name) as f32) }
    }
}

impl Model for Both {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.features.put(&mut out.scope("features"))?;
        kept::put(&self.reader.network, &mut out.scope("network"))
    }

    fn believe(&self, item: &Item, options: &Options) -> Result<Belief, PredictError> {
        self.features.tuples(item, Some(&self.second(options)))
    }

    fn explain(&self, item: &Item, options: &Options) -> Result<Explanation, PredictError> {
        Ok(Explanation { points: self.features.points(item, Some(&self.second(options)))? })
    }
}

/// A tagger of places, events and entities.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The network.
    pub network: Network,
    /// Most tokens that it reads at once.
    pub length: usize,
}

impl Reader {
    /// Learns from passages that people marked.
    pub fn train(job: &Job<'_>, passages: &[Passage], setup: &Setup) -> Result<Reader, PredictError> {
        let mut own = Reader { network: Network::new(&setup.encoder, &TAGGER, job.seed), length: setup.length };
        let examples: Vec<Example<Vec<Labels>>> = passages.iter().flat_map(|passage| own.examples(passage)).collect();
        let network = stages::train(job, &TAGGER, own.network, &examples, &setup.plan)?;
        own.network = Network { parameters: stages::halved(&network.parameters), ..network };
        Ok(own)
    }

    /// The passage once, and once for each place that ends in it.
    fn examples(&self, passage: &Passage) -> Vec<Example<Vec<Labels>>> {
        let reading = &passage.view.reading;
        let tokens = self.tokens(reading);
        let ends = anchor::labels(reading.chars.len(), &passage.frames);
        let mut examples = Vec::new();
        let mut add = |question: Question, labels: [Option<&dyn Fn(usize) -> usize>; 3]| {
            let (sequence, window) = self.sequence(&tokens, question);
            let of = |label: Option<&dyn Fn(usize) -> usize>| -> Labels {
                let Some(label) = label else { return Vec::new() };
                let own = tokens.chars[window.clone()].iter().map(|chars| chars.clone().map(label).max());
                std::iter::once(None).chain(own).chain([None]).collect()
            };
            examples.push(Example { sequence, gold: labels.map(of).into() });
        };
        add(Question::Passage, [Some(&|at| ends[at]), None, None]);
        for frame in &passage.frames {
            let entity = |at: usize| usize::from(is_entity(frame, at));
            for at in frame.places.iter().filter_map(|(_, places)| places.last()) {
                add(Question::Anchor(*at), [None, Some(&|at| frame::label(frame, at)), Some(&entity)]);
            }
        }
        examples
    }

    fn tokens(&self, reading: &Reading) -> Tokens {
        tokenise(&self.network.vocabulary, &reading.chars.iter().collect::<String>())
    }

    /// The tokens around what is asked about, with it marked, and which tokens they are.
    fn sequence(&self, tokens: &Tokens, question: Question) -> (Sequence, Range<usize>) {
        let length = self.length.min(self.network.config.max_position_embeddings);
        let asked = match question {
            Question::Passage => 0..0,
            Question::Anchor(at) => tokens_of(tokens, at..at + 1),
        };
        let window = around(tokens.len(), asked.start, length);
        let asked = asked.start.saturating_sub(window.start)..asked.end.saturating_sub(window.start);
        (ask_about(&self.network.vocabulary, &tokens.ids[window.clone()], &[(asked, ASKED)]), window)
    }
}

fn is_entity(frame: &Frame, at: usize) -> bool {
    let mentions = frame.entities.iter().flat_map(|entity| std::iter::once(&entity.own).chain(&entity.others));
    mentions.into_iter().any(|mention| mention.contains(&at))
}

impl Opinion<Question> for Reader {
    fn labels(&self, reading: &Reading, questions: &[Question]) -> Vec<Vec<f32>> {
        let tokens = self.tokens(reading);
        let (sequences, windows): (Vec<Sequence>, Vec<Range<usize>>) =
            questions.iter().map(|question| self.sequence(&tokens, *question)).unzip();
        let rows = sequences.chunks(AT_ONCE).flat_map(|some| TAGGER.ask(&self.network, some));
        rows.zip(windows).map(|(rows, window)| to_characters(&tokens, window, &rows, second::WIDTH)).collect()
    }
}
