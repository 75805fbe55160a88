//! Anomalies by asking for each role by its name: the counterpart of UIE, with which Soochow took part in 2022 (task 3).
//!
//! There the prompts are the elements of the role task; here they are what the guide calls the parts of a triple. A fragment with gaps is asked for as its pieces.

use fangwei::task::Item;
use fangwei_encoder::folder::Pretrained;
use fangwei_encoder::heads::prompt::{Extracted, Prompt};
use fangwei_encoder::heads::{Example, Network};

use super::skill::{Skill, of_items};
use super::triples::{Choices, ROLES, candidates, gold, weighed};
use super::windows::{AT_ONCE, Windows, runs};
use crate::belief::Belief;
use crate::job::Job;
use crate::material::Part;

/// The name of each role.
const PROMPTS: [&str; ROLES.len()] =
    ["第一个空间实体", "第一个空间方位", "第一个事件", "第二个空间实体", "第二个空间方位", "第二个事件"];

/// Pieces less likely are not looked at.
const LEAST: f64 = 0.1;
/// Pieces at least so likely belong to one fragment.
const SURE: f64 = 0.5;

/// Mark where what the prompt names begins and ends.
pub struct Ask;

impl Skill for Ask {
    type Head = Prompt;
    const HEAD: Prompt = Prompt;

    /// With the pointers that the encoder brought, where it did.
    fn network(encoder: &Pretrained, seed: u64) -> Network {
        Prompt.network(encoder, seed)
    }

    fn examples(job: &Job<'_>, part: &Part<'_>, network: &Network, length: usize) -> Vec<Example<Vec<(usize, usize)>>> {
        of_items(job, part, |item| {
            let Some(gold) = gold(item) else { return Vec::new() };
            let mut examples = Vec::new();
            for (role, windows) in Windows::behind(network, &PROMPTS, item.texts.context(), length).iter().enumerate() {
                let at = gold.iter().filter(|(own, _)| *own == role).flat_map(|(_, at)| at.iter().copied()).collect::<Vec<_>>();
                for (window, sequence) in windows.sequences.iter().enumerate() {
                    let pieces = runs(&windows.places(window, &at));
                    let gold = pieces.iter().map(|run| (run.start, run.end - 1)).collect();
                    examples.push(Example { sequence: sequence.clone(), gold });
                }
            }
            examples
        })
    }

    fn believe(network: &Network, item: &Item, length: usize) -> Belief {
        let roles = Windows::behind(network, &PROMPTS, item.texts.context(), length);
        let of_role = |windows: &Windows| -> Vec<Choices> {
            let asked = windows.sequences.chunks(AT_ONCE).flat_map(|some| Prompt.ask(network, some, LEAST));
            asked.enumerate().map(|(window, found)| weighed(choices(windows, window, &found))).collect()
        };
        let by_role: Vec<Vec<Choices>> = roles.iter().map(of_role).collect();
        let count = by_role.iter().map(Vec::len).min().unwrap_or(0);
        let windows: Vec<Vec<Choices>> =
            (0..count).map(|window| by_role.iter().map(|role| role[window].clone()).collect()).collect();
        Belief::Candidates(candidates(item, &windows))
    }
}

/// What pieces make: all sure ones together are one fragment, as likely as the weakest of them; and each piece may be one alone.
fn choices(windows: &Windows, window: usize, found: &[Extracted]) -> Choices {
    // Beginning and end are both this likely where they are equally so.
    let odds = |own: &Extracted| own.2.sqrt();
    let mut sure: Vec<&Extracted> = found.iter().filter(|own| odds(own) >= SURE).collect();
    sure.sort_by_key(|own| own.0);
    let mut choices: Choices = found.iter().map(|own| (windows.characters(window, own.0..=own.1), odds(own))).collect();
    if sure.len() > 1 {
        let weakest = sure.iter().map(|own| odds(own)).fold(1.0, f64::min);
        choices.push((windows.characters(window, sure.iter().flat_map(|own| own.0..=own.1)), weakest));
        // The pieces alone are less likely than that they belong together.
        let alone = choices.len() - 1;
        for (_, odds) in &mut choices[..alone] {
            *odds *= 1.0 - weakest;
        }
    }
    choices.retain(|(places, _)| !places.is_empty());
    choices
}
