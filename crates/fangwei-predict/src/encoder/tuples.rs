//! The role tasks in two steps, as [`trigger`](super::trigger) and [`entity`](super::entity) share them: a first tagger finds topics (events, or entities); a
//! second one reads the text once for each topic, which is marked, and labels what belongs to it.
//!
//! Where one topic has several counterparts (entities of an event, events of an entity), each is a tuple. Labels of times and distances are not answered, as in
//! the systems of the seeds; a denial is what the second tagger says at the first token of the sequence.

use std::marker::PhantomData;
use std::ops::Range;

use fangwei::answer::{Element, Part as Given};
use fangwei::score::tuples::{ENTITY, TIME};
use fangwei::task::Item;
use fangwei_encoder::encoder::Sequence;
use fangwei_encoder::heads::tagger::{Labels, Tagger};
use fangwei_encoder::heads::{Example, Network};
use fangwei_encoder::tokenise::{Tokens, tokenise};
use fangwei_encoder::vocabulary::Vocabulary;

use super::windows::{AT_ONCE, Windows, around, best_label, runs};
use super::{Setup, kept, skill, stages};
use crate::belief::{Belief, Tuple};
use crate::explain::Explanation;
use crate::job::Job;
use crate::linear::roles::gold::{Frame, PLACES, Places};
use crate::linear::roles::{self, Roles};
use crate::material::Part;
use crate::options::Options;
use crate::predictor::{Model, PredictError};
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Labels: outside, first of a topic or counterpart, further of it; then time and the places.
const BEGINS: usize = 1;
const GOES_ON: usize = 2;
const WHEN: usize = 3;
const PLACE: usize = 4;
const LABELS: usize = PLACE + PLACES.len();

/// Finds topics.
const FIRST: Tagger = Tagger { labels: &[GOES_ON + 1], marks: 0 };
/// Labels what belongs to one, and says at the first token whether it is denied.
const SECOND: Tagger = Tagger { labels: &[LABELS, 2], marks: 1 };

/// Topics of a text that are asked about at most: more tuples than a hundred earn nothing.
const MOST_TOPICS: usize = 100;
/// Counterparts of a topic at most.
const MOST_COUNTERPARTS: usize = 6;
/// Tokens that may lie between two pieces of one fragment.
const GAP: usize = 6;
/// Longest topic in tokens.
const LONGEST: usize = 16;

/// Which comes first.
pub trait Order: Send + Sync + 'static {
    /// The topics of frames.
    fn topics(frames: &[Frame]) -> Vec<Topic>;

    /// The sequence that asks about some tokens of a text, and where the text begins in it.
    fn ask_about(vocabulary: &Vocabulary, text: &[u32], topic: &[Range<usize>]) -> (Sequence, usize);

    /// Places that the question takes beside the text and the marks around it.
    fn extra(topic: &[usize]) -> usize;

    /// The tuples of what was found about a topic.
    fn tuples(found: &Found) -> Vec<Parts>;
}

/// A topic and what was marked about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topic {
    /// Its characters.
    pub at: Places,
    /// Its counterparts.
    pub counterparts: Vec<Places>,
    /// Places by role.
    pub places: Vec<(usize, Places)>,
    /// Its times.
    pub times: Vec<Places>,
    /// Whether it is marked as not so.
    pub denied: bool,
}

impl Topic {
    /// Adds what a frame says of a topic to the list.
    pub fn hear(topics: &mut Vec<Topic>, at: &Places, frame: &Frame, counterparts: impl Iterator<Item = Places>) {
        let number = topics.iter().position(|topic| topic.at == *at).unwrap_or_else(|| {
            topics.push(Topic { at: at.clone(), ..Topic::default() });
            topics.len() - 1
        });
        let topic = &mut topics[number];
        topic.counterparts.extend(counterparts);
        topic.places.extend(frame.places.iter().cloned());
        topic.times.extend(frame.time.as_ref().map(|time| time.at.clone()));
        topic.denied |= frame.denied;
    }

    /// The label of a character.
    fn label(&self, at: usize) -> usize {
        let counterpart = begun(&self.counterparts, at);
        let place = || self.places.iter().find(|(_, places)| places.contains(&at)).map(|(role, _)| PLACE + role);
        let time = || self.times.iter().any(|time| time.contains(&at)).then_some(WHEN);
        if counterpart > 0 { counterpart } else { place().or_else(time).unwrap_or(0) }
    }
}

/// Whether a character begins one of some fragments, or goes on with it.
fn begun(fragments: &[Places], at: usize) -> usize {
    let own = fragments.iter().find(|places| places.contains(&at));
    own.map_or(0, |places| if places.iter().min() == Some(&at) { BEGINS } else { GOES_ON })
}

/// The label of a token: that of the first of its characters that has one.
fn of_token(chars: &Range<usize>, label: impl Fn(usize) -> usize) -> usize {
    chars.clone().map(label).find(|label| *label > 0).unwrap_or(0)
}

/// A fragment: its tokens in order, and how likely it is.
pub type Piece = (Vec<usize>, f64);

/// What was found about a topic.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The topic.
    pub topic: Piece,
    /// Its counterparts.
    pub counterparts: Vec<Piece>,
    /// The token that is the likeliest beginning of a counterpart, where none is likelier than not to be one.
    pub likeliest: Option<Piece>,
    /// Tokens with the label of a time or a place, and how likely they have it.
    pub rest: Vec<(usize, usize, f64)>,
    /// How likely it is denied.
    pub denied: f64,
}

/// A tuple in tokens.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The entity.
    pub entity: Piece,
    /// The event.
    pub event: Option<Piece>,
    /// Tokens of times and places.
    pub rest: Vec<(usize, usize, f64)>,
}

/// Fragments from the labels of tokens: a beginning and what goes on with it, over gaps; further tokens too far from any beginning begin anew.
fn pieces(labels: impl Iterator<Item = (usize, usize, f64)>) -> Vec<Piece> {
    let mut pieces: Vec<(Vec<usize>, Vec<f64>)> = Vec::new();
    for (token, label, odds) in labels.filter(|(_, label, _)| matches!(*label, BEGINS | GOES_ON)) {
        let near =
            |own: &&mut (Vec<usize>, Vec<f64>)| own.0.len() < LONGEST && own.0.last().is_some_and(|last| token - last <= GAP + 1);
        match pieces.last_mut().filter(|_| label == GOES_ON).filter(near) {
            Some((tokens, all)) => {
                tokens.push(token);
                all.push(odds);
            }
            None => pieces.push((vec![token], vec![odds])),
        }
    }
    pieces.into_iter().map(|(tokens, all)| (tokens, all.iter().sum::<f64>() / all.len().max(1) as f64)).collect()
}

/// The likeliest of some fragments, in the order of the text.
fn likeliest(mut pieces: Vec<Piece>, most: usize) -> Vec<Piece> {
    pieces.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    pieces.truncate(most);
    pieces.sort_by(|a, b| a.0.cmp(&b.0));
    pieces
}

/// Two networks, one for each step.
struct Steps<O> {
    first: Network,
    second: Network,
    length: usize,
    order: PhantomData<fn() -> O>,
}

/// Learns both steps.
pub fn train<O: Order>(job: &Job<'_>, part: &Part<'_>, setup: &Setup) -> Result<Box<dyn Model>, PredictError> {
    let network = |tagger: &Tagger| Network::new(&setup.encoder, tagger, job.seed);
    let mut own = Steps::<O> { first: network(&FIRST), second: network(&SECOND), length: setup.length, order: PhantomData };
    let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
    for passage in Roles::passages(part)? {
        let text: String = passage.view.reading.chars.iter().collect();
        let topics = O::topics(&passage.frames);
        firsts.extend(own.find_lessons(&text, &topics));
        let tokens = tokenise(&own.second.vocabulary, &text);
        seconds.extend(topics.iter().map(|topic| own.lesson(&tokens, topic)));
    }
    let learn = |name: &str, tagger: &Tagger, network: Network, examples: &[Example<Vec<Labels>>]| {
        let network = stages::train(&job.within(name), tagger, network, examples, &setup.plan)?;
        Ok::<Network, PredictError>(Network { parameters: stages::halved(&network.parameters), ..network })
    };
    own.first = learn("first", &FIRST, own.first, &firsts)?;
    own.second = learn("second", &SECOND, own.second, &seconds)?;
    Ok(Box::new(own))
}

/// The model that was kept.
pub fn load<O: Order>(from: &ReadScope, length: usize) -> Result<Box<dyn Model>, PredictError> {
    let (first, second) = (kept::get(&from.scope("first"), &FIRST)?, kept::get(&from.scope("second"), &SECOND)?);
    Ok(Box::new(Steps::<O> { first, second, length, order: PhantomData }))
}

impl<O: Order> Steps<O> {
    /// The text with its topics.
    fn find_lessons(&self, text: &str, topics: &[Topic]) -> Vec<Example<Vec<Labels>>> {
        let windows = Windows::new(&self.first, text, None, self.length);
        let all: Vec<Places> = topics.iter().map(|topic| topic.at.clone()).collect();
        let labels: Vec<usize> = windows.tokens.chars.iter().map(|chars| of_token(chars, |at| begun(&all, at))).collect();
        windows.labelled(&labels)
    }

    /// The text with one topic marked, and what belongs to it.
    fn lesson(&self, tokens: &Tokens, topic: &Topic) -> Example<Vec<Labels>> {
        let mut own: Vec<usize> = topic.at.iter().filter_map(|at| tokens.token_of.get(*at).copied().flatten()).collect();
        own.sort_unstable();
        own.dedup();
        let (sequence, window, offset) = self.question(tokens, &own);
        let mut labels: Labels = vec![None; sequence.ids.len()];
        for (token, label) in window.zip(labels.iter_mut().skip(offset)) {
            // What the topic itself is need not be told.
            *label = (!own.contains(&token)).then(|| of_token(&tokens.chars[token], |at| topic.label(at)));
        }
        let denied = vec![Some(usize::from(topic.denied))];
        Example { sequence, gold: vec![labels, denied] }
    }

    /// The sequence that asks about a topic, which tokens of the text are in it, and where they begin.
    fn question(&self, tokens: &Tokens, topic: &[usize]) -> (Sequence, Range<usize>, usize) {
        let topic = &topic[..topic.len().min(LONGEST)];
        let length = self.length.min(self.second.config.max_position_embeddings).saturating_sub(O::extra(topic));
        let window = around(tokens.len(), topic.first().copied().unwrap_or(0), length);
        let within: Vec<usize> = topic.iter().filter(|token| window.contains(token)).map(|token| token - window.start).collect();
        let (sequence, offset) = O::ask_about(&self.second.vocabulary, &tokens.ids[window.clone()], &runs(&within));
        (sequence, window, offset)
    }

    /// What is found about each topic of a text.
    fn find(&self, text: &str) -> (Tokens, Vec<Found>) {
        let windows = Windows::new(&self.first, text, None, self.length);
        let rows: Vec<Vec<Vec<f32>>> = windows.sequences.chunks(AT_ONCE).flat_map(|some| FIRST.ask(&self.first, some)).collect();
        let labels = windows.rows(&rows).map(|(token, row)| {
            let (label, odds) = best_label(row);
            (token, label, odds)
        });
        let topics = likeliest(pieces(labels), MOST_TOPICS);
        let tokens = windows.tokens;
        let mut found = Vec::with_capacity(topics.len());
        for some in topics.chunks(AT_ONCE) {
            let questions: Vec<_> = some.iter().map(|(topic, _)| self.question(&tokens, topic)).collect();
            let sequences: Vec<Sequence> = questions.iter().map(|(sequence, ..)| sequence.clone()).collect();
            let answers = SECOND.ask(&self.second, &sequences);
            for ((topic, (_, window, offset)), rows) in some.iter().zip(questions).zip(answers) {
                found.push(about(topic, window, rows.get(offset..).unwrap_or_default(), rows.first()));
            }
        }
        (tokens, found)
    }

    fn tuples(&self, item: &Item) -> Vec<(Tuple, f64)> {
        let text = item.texts.context();
        let chars: Vec<char> = text.chars().collect();
        let (tokens, found) = self.find(text);
        let of_topic = |found: &Found| -> Vec<(Tuple, f64)> {
            O::tuples(found).iter().filter_map(|parts| tuple(&chars, &tokens, parts, found.denied)).collect()
        };
        found.iter().flat_map(of_topic).collect()
    }
}

/// What the rows of a window say about a topic.
fn about(topic: &Piece, window: Range<usize>, rows: &[Vec<f32>], first: Option<&Vec<f32>>) -> Found {
    let rows = || window.clone().zip(rows).filter(|(token, _)| !topic.0.contains(token));
    let labels: Vec<(usize, usize, f64)> = rows()
        .map(|(token, row)| {
            let (label, odds) = best_label(&row[..LABELS.min(row.len())]);
            (token, label, odds)
        })
        .collect();
    let begins = |row: &[f32]| row.get(BEGINS).map_or(0.0, |log| f64::from(*log).exp().min(1.0));
    let best = rows().map(|(token, row)| (token, begins(row))).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    Found {
        topic: topic.clone(),
        counterparts: likeliest(pieces(labels.iter().copied()), MOST_COUNTERPARTS),
        likeliest: best.map(|(token, odds)| (vec![token], odds)),
        rest: labels.into_iter().filter(|(_, label, _)| *label >= WHEN).collect(),
        denied: first.and_then(|row| row.get(LABELS + 1)).map_or(0.0, |log| f64::from(*log).exp().min(1.0)),
    }
}

fn element(chars: &[char], tokens: &Tokens, role: &'static str, own: impl Iterator<Item = usize>) -> Option<Element> {
    let at: Places = own.flat_map(|token| tokens.chars[token].clone()).collect();
    (!at.is_empty()).then(|| roles::element(chars, role, &at))
}

/// A tuple of 2023, roles in the order of the task, and what it is expected to earn; nothing without a place.
fn tuple(chars: &[char], tokens: &Tokens, parts: &Parts, denied: f64) -> Option<(Tuple, f64)> {
    let labelled = |label: usize| parts.rest.iter().filter(move |own| own.1 == label).map(|own| own.0);
    let mut tuple = vec![element(chars, tokens, ENTITY, parts.entity.0.iter().copied())?];
    tuple.extend(parts.event.as_ref().and_then(|(event, _)| element(chars, tokens, "事件", event.iter().copied())));
    if denied > 0.5 {
        tuple.push(Element { role: "事实性".into(), label: Given::Value("假".into()), fragment: Given::Absent });
    }
    tuple.extend(element(chars, tokens, TIME, labelled(WHEN)));
    let before = tuple.len();
    tuple.extend(PLACES.iter().enumerate().filter_map(|(role, name)| element(chars, tokens, name, labelled(PLACE + role))));
    if tuple.len() == before {
        return None;
    }
    let rest = parts.rest.iter().map(|own| own.2).sum::<f64>() / parts.rest.len().max(1) as f64;
    let worth = parts.entity.1 * parts.event.as_ref().map_or(1.0, |event| event.1) * rest;
    Some((tuple, worth.clamp(0.0, 1.0)))
}

impl<O: Order> Model for Steps<O> {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        kept::put(&self.first, &mut out.scope("first"))?;
        kept::put(&self.second, &mut out.scope("second"))
    }

    fn believe(&self, item: &Item, _: &Options) -> Result<Belief, PredictError> {
        Ok(Belief::Tuples(self.tuples(item)))
    }

    fn explain(&self, item: &Item, options: &Options) -> Result<Explanation, PredictError> {
        Ok(Explanation { points: skill::told(self.believe(item, options)?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_goes_on_over_a_gap() {
        let labels = [(0, BEGINS, 0.9), (1, 0, 0.9), (2, GOES_ON, 0.5), (3, BEGINS, 0.8), (20, GOES_ON, 0.7)];
        // The mean of 0.9 and 0.5; what goes on seventeen tokens later begins anew.
        let found = pieces(labels.into_iter());
        assert_eq!(found, [(vec![0, 2], 0.7), (vec![3], 0.8), (vec![20], 0.7)]);
        assert_eq!(likeliest(found, 1), [(vec![3], 0.8)]);
        // However many go on, a fragment has an end.
        let long = pieces((0..100).map(|token| (token, GOES_ON, 0.5)));
        assert!(long.iter().all(|(tokens, _)| tokens.len() <= LONGEST));
    }

    #[test]
    fn frames_of_one_topic_are_heard_together() {
        let frame = |place: usize, denied: bool| Frame {
            event: Some(vec![4]),
            places: vec![(0, vec![place])],
            time: None,
            denied,
            entities: Vec::new(),
        };
        let mut topics = Vec::new();
        Topic::hear(&mut topics, &vec![4], &frame(5, false), [vec![0, 1]].into_iter());
        Topic::hear(&mut topics, &vec![4], &frame(6, true), [vec![2]].into_iter());
        assert_eq!((topics.len(), topics[0].denied), (1, true));
        let labels: Vec<usize> = (0..8).map(|at| topics[0].label(at)).collect();
        assert_eq!(labels, [BEGINS, GOES_ON, BEGINS, 0, 0, PLACE, PLACE, 0]);
    }
}
