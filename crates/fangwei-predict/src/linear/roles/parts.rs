//! The parts of the role model: each learns one question, from passages that people marked.

use std::sync::Arc;

use super::frame::Shape;
use super::gold::Frame;
use super::view::View;
use super::{anchor, entity, event, frame, mention, time};
use crate::job::{Job, Keep, Stage};
use crate::learn::Training;
use crate::learn::choice::{Choice, Examples};
use crate::learn::crf::{Crf, Sequence, Topology};
use crate::learn::linear::{Examples as LinearExamples, Linear};
use crate::predictor::PredictError;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// A passage with what people marked in it.
#[derive(Clone, Debug)]
pub struct Passage {
    /// The passage.
    pub view: View,
    /// Its frames.
    pub frames: Vec<Frame>,
    /// Its origin group.
    pub group: u32,
}

/// What was learnt.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Where place fragments end.
    pub anchor: Crf,
    /// Event and places around an anchor.
    pub frame: Crf,
    /// Where a mention begins.
    pub mention: Choice,
    /// Which head is the entity.
    pub entity: Choice,
    /// Which word is the event.
    pub event: Choice,
    /// Which of its characters.
    pub limits: Choice,
    /// Where times are told.
    pub time: Crf,
    /// Which of them a frame has.
    pub when: Choice,
    /// Whether a frame is denied.
    pub denied: Linear,
}

fn training(seed: u64, epochs: usize, rate: f32, l2: f32, min_count: u32) -> Training {
    Training { epochs, rate, l2, min_count, seed, ..Training::default() }
}

/// Learns a field in a stage of its own.
fn field(
    job: &Job<'_>,
    name: &str,
    topology: Topology,
    training: Training,
    sequences: impl FnOnce(&Topology) -> Vec<Sequence>,
) -> Result<Crf, PredictError> {
    let Held(crf) = job.stage(name, |stage: &Stage<'_>| {
        let sequences = sequences(&topology);
        let (crf, _) = Crf::train(topology, &sequences, &training, &mut stage.progress());
        stage.finish()?;
        Ok(Held(crf))
    })?;
    Ok(crf)
}

/// Learns a choice in a stage of its own.
fn choice(job: &Job<'_>, name: &str, training: Training, examples: impl FnOnce(&mut Examples)) -> Result<Choice, PredictError> {
    let Held(choice) = job.stage(name, |stage: &Stage<'_>| {
        let mut given = Examples::new(0);
        examples(&mut given);
        let (choice, _) = Choice::train(&given, &training, &mut stage.progress());
        stage.finish()?;
        Ok(Held(choice))
    })?;
    Ok(choice)
}

impl Parts {
    /// Learns every part.
    pub fn train(job: &Job<'_>, passages: &[&Passage]) -> Result<Parts, PredictError> {
        let seed = job.seed;
        let base = |passage: &Passage| Arc::new(anchor::keys(&passage.view, 0..passage.view.reading.chars.len()));
        let whole = |of: &dyn Fn(&Passage) -> Sequence| passages.iter().map(|passage| of(passage)).collect::<Vec<_>>();
        // Each frame as it is seen from each of its places.
        let seen = || {
            passages.iter().flat_map(|passage| {
                passage
                    .frames
                    .iter()
                    .flat_map(move |frame| frame.places.iter().filter_map(move |(_, at)| Some((*passage, frame, *at.last()?))))
            })
        };
        let shape = |frame: &Frame| Shape { event: frame.event.clone().unwrap_or_default(), places: frame.places.clone() };
        Ok(Parts {
            anchor: field(job, "anchor", anchor::topology(), training(seed, 10, 0.05, 12.0, 2), |_| {
                whole(&|passage| anchor::sequence(&passage.view, base(passage), &passage.frames))
            })?,
            frame: field(job, "frame", frame::topology(), training(seed, 4, 0.1, 8.0, 8), |topology| {
                seen().map(|(passage, frame, at)| frame::sequence(topology, &passage.view, at, frame)).collect()
            })?,
            mention: choice(job, "mention", training(seed, 10, 0.1, 3.0, 2), |examples| {
                for passage in passages {
                    for mentions in passage.frames.iter().flat_map(|frame| &frame.entities) {
                        mention::learn(&passage.view, &mentions.own, examples);
                    }
                }
            })?,
            entity: choice(job, "entity", training(seed, 6, 0.1, 3.0, 3), |examples| {
                seen().for_each(|(passage, frame, at)| entity::learn(&passage.view, at, &shape(frame), frame, examples));
            })?,
            event: choice(job, "event", training(seed, 6, 0.1, 1.5, 3), |examples| {
                seen().for_each(|(passage, frame, at)| event::learn(&passage.view, at, frame, examples));
            })?,
            limits: choice(job, "limits", training(seed, 6, 0.1, 1.5, 3), |examples| {
                seen().for_each(|(passage, frame, _)| event::learn_limits(&passage.view, frame, examples));
            })?,
            time: field(job, "time", time::topology(), training(seed, 8, 0.1, 3.0, 2), |_| {
                whole(&|passage| time::sequence(&passage.view, base(passage), &passage.frames))
            })?,
            when: choice(job, "when", training(seed, 8, 0.1, 3.0, 3), |examples| {
                for passage in passages {
                    let marked = time::marked(&passage.view, &passage.frames);
                    for frame in &passage.frames {
                        for at in frame.places.iter().filter_map(|(_, at)| at.last()) {
                            time::learn(&passage.view, *at, &shape(frame), frame, &marked, examples);
                        }
                    }
                }
            })?,
            denied: {
                let Held(denied) = job.stage("denied", |stage: &Stage<'_>| {
                    let mut examples = LinearExamples::new(2);
                    seen().for_each(|(passage, frame, at)| {
                        time::learn_denied(&passage.view, at, &shape(frame), frame.denied, &mut examples);
                    });
                    let (denied, _) = Linear::train(&examples, &training(seed, 8, 0.1, 3.0, 3), &mut stage.progress());
                    stage.finish()?;
                    Ok(Held(denied))
                })?;
                denied
            },
        })
    }

    /// Puts all parts into a file.
    pub fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.anchor.save(&mut out.scope("anchor"))?;
        self.frame.save(&mut out.scope("frame"))?;
        self.time.save(&mut out.scope("time"))?;
        for (name, choice) in [
            ("mention", &self.mention),
            ("entity", &self.entity),
            ("event", &self.event),
            ("limits", &self.limits),
            ("when", &self.when),
        ] {
            choice.save(&mut out.scope(name));
        }
        self.denied.save(&mut out.scope("denied"));
        Ok(())
    }

    /// Takes them out again.
    pub fn get(from: &ReadScope) -> Result<Parts, PredictError> {
        Ok(Parts {
            anchor: Crf::load(&from.scope("anchor"))?,
            frame: Crf::load(&from.scope("frame"))?,
            mention: Choice::load(&from.scope("mention"))?,
            entity: Choice::load(&from.scope("entity"))?,
            event: Choice::load(&from.scope("event"))?,
            limits: Choice::load(&from.scope("limits"))?,
            time: Crf::load(&from.scope("time"))?,
            when: Choice::load(&from.scope("when"))?,
            denied: Linear::load(&from.scope("denied"))?,
        })
    }
}

/// A learner that a stage keeps.
struct Held<T>(T);

impl Keep for Held<Crf> {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.0.save(out)
    }

    fn get(from: &ReadScope) -> Result<Self, PredictError> {
        Ok(Held(Crf::load(from)?))
    }
}

impl Keep for Held<Choice> {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.0.save(out);
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Self, PredictError> {
        Ok(Held(Choice::load(from)?))
    }
}

impl Keep for Held<Linear> {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.0.save(out);
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Self, PredictError> {
        Ok(Held(Linear::load(from)?))
    }
}
