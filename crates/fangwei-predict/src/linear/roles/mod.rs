//! Who is where: tuples around places.
//!
//! Every place fragment ends somewhere. [`anchor`] says how likely each character is such an end; around each likely one, [`event`] and [`frame`] say what
//! happens and which places belong together, [`entity`] and [`mention`] who it is, [`time`] when and whether it is denied. [`draft`] makes tuples of all this
//! and says what each is expected to earn.
//!
//! All in the shape of 2023; 2022 is a way of writing it.

pub mod anchor;
pub mod draft;
pub mod entity;
pub mod event;
pub mod frame;
pub mod gold;
pub mod mention;
mod model;
pub mod parts;
pub mod time;
pub mod view;

use fangwei::answer::{Element, Fragment, Part as Given};
use fangwei::score::tuples::{ENTITY, TIME};

use self::draft::{Draft, Memory};
use self::frame::Sheet;
use self::gold::{PLACES, Places};
pub use self::parts::{Parts, Passage};
use self::view::View;
use crate::belief::Tuple;
use crate::job::Job;
use crate::learn::feature::Keys;
use crate::predictor::PredictError;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Anchors less likely are not looked at.
const LEAST_ANCHOR: f32 = 0.06;
/// The most anchors of a passage; more tuples than a hundred earn nothing.
const MOST_ANCHORS: usize = 90;
/// A time less likely is left out: it costs more than it earns.
const LEAST_TIME: f64 = 0.45;
/// A denial less likely is left out.
const LEAST_DENIAL: f64 = 0.5;
/// The model of the role tasks.
#[derive(Clone, Debug)]
pub struct Roles {
    parts: Parts,
}

impl Roles {
    /// Learns from passages.
    pub fn train(job: &Job<'_>, passages: &[Passage]) -> Result<Roles, PredictError> {
        Ok(Roles { parts: Parts::train(job, &passages.iter().collect::<Vec<_>>())? })
    }

    /// The drafts of a passage, each with what it is expected to earn, the worthiest first.
    pub fn drafts(&self, view: &View) -> Vec<Draft> {
        let keys = anchor::keys(view, 0..view.reading.chars.len());
        let odds = anchor::odds(&self.parts.anchor, view, &keys);
        let mut drafts = draft::settle(drafts(&self.parts, view, &keys, &odds));
        draft::companions(&self.parts, view, &mut drafts);
        let times = time::fragments(&self.parts.time, view, &keys);
        for draft in &mut drafts {
            draft::complete(&self.parts, view, &times, draft);
        }
        drafts
    }

    /// Puts it into a file.
    pub fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.parts.put(out)
    }

    /// Takes it out again.
    pub fn get(from: &ReadScope) -> Result<Roles, PredictError> {
        Ok(Roles { parts: Parts::get(from)? })
    }
}

/// The best draft of every likely anchor.
fn drafts(parts: &Parts, view: &View, keys: &Keys, odds: &[[f32; 6]]) -> Vec<Draft> {
    let mut anchors: Vec<usize> = (0..odds.len()).filter(|place| odds[*place][0] > LEAST_ANCHOR).collect();
    anchors.sort_by(|a, b| odds[*b][0].total_cmp(&odds[*a][0]).then(a.cmp(b)));
    anchors.truncate(MOST_ANCHORS);
    anchors.sort_unstable();
    let sheet = Sheet::new(&parts.frame, view, keys);
    let mut memory = Memory::default();
    anchors.into_iter().filter_map(|place| draft::draft(parts, view, &sheet, &mut memory, place, odds[place])).collect()
}

fn element(view: &View, role: &'static str, at: &Places) -> Element {
    let text: String = at.iter().filter_map(|place| view.reading.chars.get(*place)).collect();
    let fragment = Fragment { text: text.into(), span: at.iter().map(|place| *place as u32).collect() };
    Element { role: role.into(), label: Given::Absent, fragment: Given::Value(fragment) }
}

/// A draft as a tuple of 2023, roles in the order of the task.
pub fn tuple(view: &View, draft: &Draft) -> Tuple {
    let mut tuple = vec![element(view, ENTITY, &draft.entity)];
    if !draft.shape.event.is_empty() {
        tuple.push(element(view, "事件", &draft.shape.event));
    }
    if draft.denied > LEAST_DENIAL {
        tuple.push(Element { role: "事实性".into(), label: Given::Value("假".into()), fragment: Given::Absent });
    }
    if let Some((at, _)) = draft.time.as_ref().filter(|(_, odds)| *odds > LEAST_TIME) {
        tuple.push(element(view, TIME, at));
    }
    tuple.extend(draft.shape.places.iter().map(|(role, at)| element(view, PLACES[*role], at)));
    tuple
}

#[cfg(test)]
mod tests;
