//! Suspicion: which spatial word of a passage stands in place of another, and whether the passage is abnormal for it.
//!
//! | room | what it does |
//! | --- | --- |
//! | [`site`] | the places where a word could have been replaced |
//! | [`context`], [`view`] | what stands around them |
//! | [`rivals`], [`memory`] | what stands for what; what was seen beside what |
//! | [`cloze`] | how likely the written word is, against its rivals |
//! | [`evidence`], [`ranker`] | which of the sites is wrong, or none |
//! | [`passage`] | what is known of the texts that are learnt from |
//! | [`explain`](Suspicion::explain) | why a word is suspicious |
//!
//! Each model learns from what those before it say of texts that they have not seen: origin groups are dealt into [`INNER`] folds.

pub mod cloze;
pub mod context;
pub mod evidence;
mod explain;
pub mod memory;
pub mod passage;
pub mod ranker;
pub mod rivals;
pub mod site;
mod train;
pub mod view;

pub use passage::gold_sites;
pub use site::Site;
pub use train::HeldOut;

use smol_str::SmolStr;

use self::cloze::Cloze;
use self::evidence::{COLUMNS, Case, Weighed, ratio, rows};
use self::memory::Memory;
use self::ranker::{Hints, score_sparse};
use self::rivals::Rivals;
use self::site::sites;
use self::view::View;
use crate::job::{Job, Keep};
use crate::learn::boost::Boost;
use crate::learn::choice::Choice;
use crate::material::Part;
use crate::predictor::PredictError;
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Folds within the training.
pub const INNER: usize = 4;

/// A suspicious site.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// Where and what.
    pub site: Site,
    /// The log-probability of the written word by the cloze.
    pub log_p: f32,
    /// The other words that might stand there with their log-probabilities, the likeliest first.
    pub rivals: Vec<(SmolStr, f32)>,
    /// How likely this site makes the text abnormal, if one does; they sum to 1.
    pub odds: f64,
    /// How strongly a replacement explains the word: the logarithm of a likelihood ratio.
    pub ratio: f32,
}

/// The sites of a text with what is thought of them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Suspects {
    /// In the order of the text.
    pub sites: Vec<Suspect>,
    /// How likely the text is abnormal, if one of two texts is.
    pub abnormal: f64,
}

impl Suspects {
    /// Numbers of the sites, the likeliest first, at most `most`.
    pub fn best(&self, most: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.sites.len()).collect();
        order.sort_by(|a, b| self.sites[*b].odds.total_cmp(&self.sites[*a].odds).then(a.cmp(b)));
        order.truncate(most);
        order
    }
}

/// What suspicion thinks of a text, and why.
#[derive(Debug)]
pub struct Study<'s> {
    /// The sites with what is thought of them.
    pub suspects: Suspects,
    /// What stands around each.
    pub view: &'s View<'s>,
    /// The evidence of each, then that of no site at all.
    pub rows: Vec<[f32; COLUMNS]>,
}

/// A trained suspicion.
#[derive(Clone, Debug)]
pub struct Suspicion {
    rivals: Rivals,
    memory: Memory,
    cloze: Cloze,
    sparse: Choice,
    trees: Boost,
}

impl Suspicion {
    /// Learns from everything that a part says of words that were replaced.
    pub fn train(job: &Job<'_>, part: &Part<'_>) -> Result<Suspicion, PredictError> {
        Ok(train::train(job, part)?.0)
    }

    /// The same, with models for the texts of the part that have not seen their origin groups: what stands on suspicion must learn from these.
    pub fn train_held_out(job: &Job<'_>, part: &Part<'_>) -> Result<(Suspicion, HeldOut), PredictError> {
        train::train(job, part)
    }

    /// What is thought of the spatial words of a text.
    pub fn suspects(&self, reading: &Reading) -> Suspects {
        self.study(reading, |study| study.suspects.clone())
    }

    /// The same, with what it rests on, for models that stand on suspicion.
    pub fn study<T>(&self, reading: &Reading, read: impl FnOnce(&Study<'_>) -> T) -> T {
        let sites = sites(reading);
        let view = View::new(reading, &sites);
        let (weighed, rows) = self.look(reading, &sites, &view);
        let mut scores: Vec<f32> = rows.iter().map(|row| self.trees.score(row)).collect();
        crate::learn::log_softmax(&mut scores);
        let none = f64::from(scores.pop().unwrap_or(0.0)).exp();
        let sum: f64 = scores.iter().map(|score| f64::from(*score).exp()).sum();
        let suspect = |((site, mut weighed), score): ((&Site, Weighed), f32)| {
            let ratio = ratio(&weighed, &self.rivals).harmful;
            let log_p = if weighed.is_empty() { 0.0 } else { weighed.remove(0).1 };
            weighed.sort_by(|a, b| b.1.total_cmp(&a.1));
            Suspect {
                site: site.clone(),
                log_p,
                rivals: weighed,
                odds: f64::from(score).exp() / sum.max(f64::MIN_POSITIVE),
                ratio,
            }
        };
        let suspects = Suspects { sites: sites.iter().zip(weighed).zip(scores).map(suspect).collect(), abnormal: 1.0 - none };
        read(&Study { suspects, view: &view, rows })
    }

    /// What the models say of a text before the trees decide: of the cloze, and the rows of evidence.
    fn look(&self, reading: &Reading, sites: &[Site], view: &View<'_>) -> (Vec<Weighed>, Vec<[f32; COLUMNS]>) {
        let (weighed, hints) = hints(&self.cloze, &self.rivals, sites, view);
        let sparse = score_sparse(&self.sparse, sites.iter().map(|site| site.word.clone()), view, &hints);
        let rows = rows(&Case { reading, sites, view, weighed: &weighed, sparse: &sparse }, &self.rivals, &self.memory);
        (weighed, rows)
    }
}

/// What the cloze says of the sites of a text.
fn hints(cloze: &Cloze, rivals: &Rivals, sites: &[Site], view: &View<'_>) -> (Vec<Weighed>, Hints) {
    let weighed: Vec<Weighed> = sites.iter().zip(&view.around).map(|(site, around)| cloze.weigh(site, around, rivals)).collect();
    let hint = |(site, weighed): (&Site, &Weighed)| {
        (ratio(weighed, rivals), weighed.first().map_or(0.0, |own| own.1), rivals.suspicion(&site.word))
    };
    let hints = Hints { sites: sites.iter().zip(&weighed).map(hint).collect() };
    (weighed, hints)
}

impl Keep for Suspicion {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        out.put_json("rivals", &self.rivals)?;
        out.put_json("memory", &self.memory)?;
        self.cloze.choice.save(&mut out.scope("cloze"));
        self.sparse.save(&mut out.scope("sparse"));
        self.trees.save(&mut out.scope("trees"));
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Suspicion, PredictError> {
        Ok(Suspicion {
            rivals: from.get_json("rivals")?,
            memory: from.get_json("memory")?,
            cloze: Cloze { choice: Choice::load(&from.scope("cloze"))? },
            sparse: Choice::load(&from.scope("sparse"))?,
            trees: Boost::load(&from.scope("trees"))?,
        })
    }
}

#[cfg(test)]
pub(crate) mod made_up;
#[cfg(test)]
mod tests;
