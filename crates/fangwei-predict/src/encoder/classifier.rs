//! Verdicts by a classifier of whole texts: the counterpart of the baselines of 2021 (`judge`, `reason`) and 2022 (task 1), and of the ELECTRA entries of 2022.

use fangwei::answer::{Answer, Verdict};
use fangwei::task::{Item, Texts};
use fangwei_encoder::heads::classifier::Classifier;
use fangwei_encoder::heads::{Example, Network};

use super::skill::{Skill, of_items};
use super::windows::{AT_ONCE, Windows};
use crate::belief::Belief;
use crate::job::Job;
use crate::material::Part;

/// Yes or no on a text, or on a text and a reason.
pub struct Judge;

impl Skill for Judge {
    type Head = Classifier;
    const HEAD: Classifier = Classifier { classes: 2 };

    /// A text that is too long teaches with its first window: what is wrong in it may stand in any.
    fn examples(job: &Job<'_>, part: &Part<'_>, network: &Network, length: usize) -> Vec<Example<usize>> {
        of_items(job, part, |item| {
            let Some(Answer::Verdict(gold)) = &item.gold else { return Vec::new() };
            let Some(gold) = Verdict::value(*gold) else { return Vec::new() };
            let first = windows(network, item, length).sequences.into_iter().next();
            first.map(|sequence| Example { sequence, gold: gold.into() }).into_iter().collect()
        })
    }

    /// A text is as sound as its worst window.
    fn believe(network: &Network, item: &Item, length: usize) -> Belief {
        let windows = windows(network, item, length);
        let odds = windows.sequences.chunks(AT_ONCE).flat_map(|some| Self::HEAD.ask(network, some)).map(|odds| odds[1]);
        Belief::Verdict(odds.fold(1.0, f64::min))
    }
}

/// An item's text and the reason beside it.
fn windows(network: &Network, item: &Item, length: usize) -> Windows {
    let beside = if let Texts::Reason { reason, .. } = &item.texts { Some(reason.as_str()) } else { None };
    Windows::new(network, item.texts.context(), beside, length)
}
