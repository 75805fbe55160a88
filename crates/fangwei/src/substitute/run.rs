//! The step itself: drafts are made on all cores, a batch at a time, and served in the order that the seed gives.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::chooser::{Chooser, mark};
use super::draft::{Draft, draft, lot};
use super::keep::Misfit;
use super::{Candidate, Config, Funnel};
use crate::corpus::Passage;
use crate::lexicon::Lexicon;

/// Drafts that are in memory at a time: they are several times as large as their originals.
const BATCH: usize = 4096;

/// Makes the candidates of all originals, in the order of the originals.
///
/// Originals are served in an order that the seed gives, so that those at the end of a corpus find the caps no fuller than those at its beginning; among
/// the substitutions of an original those with the rarest pair so far come first. Candidates in `keep` were given to people before: they stay as they are,
/// fill the caps first, and must still fit their originals. `progress` is told after each original.
pub fn substitute(
    originals: &[Passage],
    lexicon: &Lexicon,
    config: &Config,
    keep: &[Candidate],
    mut progress: impl FnMut(),
) -> Result<(Vec<Candidate>, Funnel), Misfit> {
    let mut chooser = Chooser::new(config.clone());
    for passage in originals {
        chooser.see(mark(&passage.text));
    }
    let texts: FxHashMap<&str, &str> = originals.iter().map(|passage| (passage.id.as_str(), passage.text.as_str())).collect();
    for candidate in keep {
        chooser.keep(candidate.clone(), texts.get(candidate.origin.as_str()).copied())?;
    }
    let mut order: Vec<(u64, &str, usize)> =
        originals.iter().enumerate().map(|(number, passage)| (lot(passage, config), passage.id.as_str(), number)).collect();
    order.sort_unstable();
    let mut made: Vec<Vec<Candidate>> = vec![Vec::new(); originals.len()];
    for batch in order.chunks(BATCH) {
        let drafts: Vec<Draft> = batch.par_iter().map(|(.., number)| draft(&originals[*number], lexicon, config)).collect();
        for ((.., number), draft) in batch.iter().zip(&drafts) {
            made[*number] = chooser.serve(draft);
            progress();
        }
    }
    Ok((made.into_iter().flatten().collect(), chooser.finish()))
}
