//! Who is where: tuples around places.
//!
//! Every place fragment ends somewhere. [`anchor`] says how likely each character is such an end; around each likely one, [`event`] and [`frame`] say what
//! happens and which places belong together, [`entity`] and [`mention`] who it is, [`time`] when and whether it is denied. That is a [`sketch`]; when all are there,
//! [`rank`] looks again at who it is. [`draft`] makes tuples of all this and says what each is expected to earn.
//!
//! All in the shape of 2023; 2022 is a way of writing it.

pub mod anchor;
pub mod draft;
pub mod entity;
pub mod event;
pub mod frame;
pub mod gold;
pub mod looked;
pub mod mention;
mod model;
pub mod parts;
pub mod rank;
pub mod second;
pub mod sketch;
pub mod time;
pub mod view;

use fangwei::answer::{Element, Fragment, Part as Given};
use fangwei::score::tuples::{ENTITY, TIME};

use rayon::prelude::*;

use self::draft::{Draft, Mentioned};
use self::frame::Sheet;
use self::gold::PLACES;
use self::looked::Looked;
pub use self::parts::{Parts, Passage};
use self::rank::Crowd;
pub use self::second::Question;
use self::second::{Heard, Second};
use self::sketch::{Heads, Memory, Sketch};
use self::view::View;
use crate::belief::Tuple;
use crate::job::{Job, Stage};
use crate::learn::boost::{Boost, Rows};
use crate::learn::feature::Keys;
use crate::predictor::PredictError;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Anchors less likely are not looked at.
const LEAST_ANCHOR: f32 = 0.1;
/// The most anchors of a passage; more tuples than a hundred earn nothing.
const MOST_ANCHORS: usize = 90;
/// A time less likely is left out: it costs more than it earns.
const LEAST_TIME: f64 = 0.45;
/// A denial less likely is left out.
const LEAST_DENIAL: f64 = 0.5;
/// In how many parts the passages are cut to see how far the first choice can be trusted.
const INNER: usize = 3;
/// Fewer origin groups than this teach nothing about that.
const LEAST_GROUPS: usize = 60;

/// The model of the role tasks.
#[derive(Clone, Debug)]
pub struct Roles {
    parts: Parts,
    /// Trees for the second look; none where there was too little to learn from.
    rank: Option<Boost>,
}

impl Roles {
    /// Learns from passages; `again` says whether trees learn to look again at who it is.
    pub fn train(job: &Job<'_>, passages: &[Passage], again: bool) -> Result<Roles, PredictError> {
        let all: Vec<&Passage> = passages.iter().collect();
        let groups = passages.iter().map(|passage| passage.group as usize + 1).max().unwrap_or(0);
        let mut sizes = vec![0; groups];
        for passage in passages {
            sizes[passage.group as usize] += 1;
        }
        let fold_of = crate::folds::deal(&sizes, INNER, job.seed ^ 0x1a7e);
        let held = sizes.iter().filter(|size| **size > 0).count();
        let looks_again = again && held >= LEAST_GROUPS;
        let inner = if looks_again { INNER } else { 0 };
        // The parts learn from all; and, to see how far they can be trusted, from all but those that are looked at.
        let learn = |number: usize| {
            if number == inner {
                return Parts::train(job, &all).map(|parts| (Some(parts), None));
            }
            let job = job.within(&format!("inner-{}", number + 1));
            let looked = job.stage("looked", |stage: &Stage<'_>| {
                let (out, rest): (Vec<&Passage>, Vec<&Passage>) =
                    all.iter().partition(|passage| fold_of[passage.group as usize] == number);
                let parts = Parts::train(stage.job(), &rest)?;
                Ok(Looked::new(&parts, &out))
            })?;
            Ok((None, Some(looked)))
        };
        let learnt: Vec<(Option<Parts>, Option<Looked>)> =
            (0..=inner).into_par_iter().map(learn).collect::<Result<_, PredictError>>()?;
        let (mut parts, mut rows) = (None, Rows::new(rank::COLUMNS));
        for (own, looked) in learnt {
            parts = own.or(parts);
            if let Some(looked) = looked {
                looked.add_to(&mut rows);
            }
        }
        let Some(parts) = parts else { return Err(PredictError::Interrupted) };
        let rank = if rows.is_empty() { None } else { Some(looked::train(job, &rows)?) };
        Ok(Roles { parts, rank })
    }

    /// The drafts of a passage, each with what it is expected to earn, the worthiest first.
    pub fn drafts(&self, view: &View, second: Option<&Second<'_>>) -> Vec<Draft> {
        let keys = anchor::keys(view, 0..view.reading.chars.len());
        let (timed, time_ends) = time::characters(&self.parts.time, view, &keys);
        let mut heard = Heard::passage(view, second);
        let (mut sketches, placed) = sketches(&self.parts, view, &keys, &mut heard, second);
        if let Some(trees) = &self.rank {
            let crowd = Crowd::new(view, &sketches, &placed, &timed);
            let again = |number: usize| rank::again(trees, view, &crowd, &sketches, number);
            let again: Vec<Vec<Heads>> = (0..sketches.len()).map(again).collect();
            for (sketch, asked) in sketches.iter_mut().zip(again) {
                sketch.asked = asked;
            }
        }
        // The trees have learnt what the first choice is worth; another opinion on who it is comes after them.
        for sketch in &mut sketches {
            let anchor = sketch.anchor;
            sketch.asked.iter_mut().for_each(|heads| heard.weigh(view, anchor, heads));
            sketch.gather();
        }
        let mut mentioned = Mentioned::default();
        let drafts = sketches.into_iter().filter_map(|sketch| draft::draft(&self.parts, view, &mut mentioned, sketch));
        let mut drafts = draft::settle(drafts.collect());
        draft::companions(&self.parts, view, &mut drafts);
        let times = time::fragments(&timed, &time_ends);
        for draft in &mut drafts {
            draft::complete(&self.parts, view, &times, draft);
        }
        drafts
    }

    /// Puts it into a file.
    pub fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        out.put_json("ranks", &self.rank.is_some())?;
        if let Some(rank) = &self.rank {
            rank.save(&mut out.scope("rank"));
        }
        self.parts.put(out)
    }

    /// Takes it out again.
    pub fn get(from: &ReadScope) -> Result<Roles, PredictError> {
        let rank = if from.get_json::<bool>("ranks")? { Some(Boost::load(&from.scope("rank"))?) } else { None };
        Ok(Roles { parts: Parts::get(from)?, rank })
    }
}

/// The sketch of every likely anchor, in the order of the text; and how likely each character is in a place.
pub fn sketches(
    parts: &Parts,
    view: &View,
    keys: &Keys,
    heard: &mut Heard,
    second: Option<&Second<'_>>,
) -> (Vec<Sketch>, Vec<f32>) {
    let (odds, placed) = anchor::odds(&parts.anchor, view, keys, heard);
    let mut anchors: Vec<usize> = (0..odds.len()).filter(|place| odds[*place][0] > LEAST_ANCHOR).collect();
    anchors.sort_by(|a, b| odds[*b][0].total_cmp(&odds[*a][0]).then(a.cmp(b)));
    anchors.truncate(MOST_ANCHORS);
    anchors.sort_unstable();
    heard.ask(view, second, &anchors);
    let sheet = Sheet::new(&parts.frame, view, keys, heard);
    let mut memory = Memory::default();
    let of = |place: usize| Sketch::new(parts, view, &sheet, &mut memory, place, odds[place]);
    (anchors.into_iter().map(of).collect(), placed)
}

/// An element of some characters.
pub fn element(chars: &[char], role: &'static str, at: &[usize]) -> Element {
    let text: String = at.iter().filter_map(|place| chars.get(*place)).collect();
    let fragment = Fragment { text: text.into(), span: at.iter().map(|place| *place as u32).collect() };
    Element { role: role.into(), label: Given::Absent, fragment: Given::Value(fragment) }
}

/// A draft as a tuple of 2023, roles in the order of the task.
pub fn tuple(view: &View, draft: &Draft) -> Tuple {
    let mut tuple = vec![element(&view.reading.chars, ENTITY, &draft.entity)];
    if !draft.shape.event.is_empty() {
        tuple.push(element(&view.reading.chars, "事件", &draft.shape.event));
    }
    if draft.denied > LEAST_DENIAL {
        tuple.push(Element { role: "事实性".into(), label: Given::Value("假".into()), fragment: Given::Absent });
    }
    if let Some((at, _)) = draft.time.as_ref().filter(|(_, odds)| *odds > LEAST_TIME) {
        tuple.push(element(&view.reading.chars, TIME, at));
    }
    tuple.extend(draft.shape.places.iter().map(|(role, at)| element(&view.reading.chars, PLACES[*role], at)));
    tuple
}

#[cfg(test)]
mod tests;
