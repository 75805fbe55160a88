//! Anomalies by labelling every token with its role: the counterpart of the taggers of the baselines of 2022 (task 2) and 2023 (task 1), and of Soochow's
//! S/P/E/O tagger of 2022.

use fangwei::task::Item;
use fangwei_encoder::heads::tagger::{Labels, Tagger};
use fangwei_encoder::heads::{Example, Network};

use super::skill::{Skill, of_items};
use super::triples::{ROLES, fragments, gold};
use super::windows::{AT_ONCE, Windows, best_label};
use crate::belief::Belief;
use crate::job::Job;
use crate::material::Part;

/// Label every token with its role in the anomaly; 0 is none.
pub struct Label;

impl Skill for Label {
    type Head = Tagger;
    const HEAD: Tagger = Tagger { labels: &[ROLES.len() + 1], marks: 0 };

    fn examples(job: &Job<'_>, part: &Part<'_>, network: &Network, length: usize) -> Vec<Example<Vec<Labels>>> {
        of_items(job, part, |item| {
            let Some(gold) = gold(item) else { return Vec::new() };
            let windows = Windows::new(network, item.texts.context(), None, length);
            let mut labels = vec![0; windows.tokens.len()];
            for (role, places) in &gold {
                for token in places.iter().filter_map(|at| windows.tokens.token_of.get(*at).copied().flatten()) {
                    labels[token] = role + 1;
                }
            }
            windows.labelled(&labels)
        })
    }

    /// One candidate: every token in its likeliest role. Its odds are those of its weakest role, each being as sure as its surest token.
    fn believe(network: &Network, item: &Item, length: usize) -> Belief {
        let windows = Windows::new(network, item.texts.context(), None, length);
        let rows: Vec<Vec<Vec<f32>>> = windows.sequences.chunks(AT_ONCE).flat_map(|some| Self::HEAD.ask(network, some)).collect();
        let mut places: [Vec<u32>; ROLES.len()] = Default::default();
        let mut sure = [0.0_f64; ROLES.len()];
        for (token, row) in windows.rows(&rows) {
            let (label, odds) = best_label(row);
            if let Some(role) = label.checked_sub(1) {
                places[role].extend(windows.tokens.chars[token].clone().map(|at| at as u32));
                sure[role] = sure[role].max(odds);
            }
        }
        let odds = places.iter().zip(sure).filter(|(places, _)| !places.is_empty()).map(|(_, sure)| sure).fold(1.0, f64::min);
        let candidate = fragments(item, places.iter().map(Vec::as_slice));
        Belief::Candidates(if candidate.is_empty() { Vec::new() } else { vec![(candidate, odds)] })
    }
}
