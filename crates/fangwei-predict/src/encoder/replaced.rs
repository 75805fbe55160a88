//! Verdicts by a detector of replaced words: the counterpart of Soochow's system of 2022 (task 1), ELECTRA over the words of a lexicon.
//!
//! It learns from words that siblings show to be replaced, from verdicts, and from words that it replaces itself in sound texts; and a text is as sound as its
//! oddest spatial word.

use std::ops::Range;

use fangwei::chance::Dice;
use fangwei::lang::Say;
use fangwei::lexicon::Lexicon;
use fangwei::task::Item;
use fangwei_encoder::encoder::Sequence;
use fangwei_encoder::heads::replaced::{Known, Replaced, Site as Places};
use fangwei_encoder::heads::{Example, Network};

use super::skill::{self, Skill};
use super::windows::{AT_ONCE, Windows, tokens_of};
use crate::belief::Belief;
use crate::explain::Point;
use crate::job::Job;
use crate::linear::suspect::passage::{Passage, passages};
use crate::linear::suspect::rivals::Rivals;
use crate::linear::suspect::site::{Site, sites};
use crate::material::Part;
use crate::reading::Reading;

/// Say of every spatial word whether it stands in place of another.
pub struct Detect;

/// A word as surely sound as this is taken for sound.
const SOUND: f32 = 0.9;
/// A replacement that does harm less often than this is not made: what reads as well as the original is not odd.
const HARMFUL: f32 = 0.5;
/// How many words are told as a reason.
const TOLD: usize = 3;

impl Skill for Detect {
    type Head = Replaced;
    const HEAD: Replaced = Replaced;

    fn examples(job: &Job<'_>, part: &Part<'_>, network: &Network, length: usize) -> Vec<Example<Known>> {
        let passages = passages(part);
        let rivals = Rivals::count(passages.iter());
        let mut dice = Dice::new(job.seed, 0x5e7a_ced0);
        let mut examples = Vec::new();
        for passage in &passages {
            let text: String = passage.reading.chars.iter().collect();
            let known = passage.sites.iter().enumerate().map(|(number, site)| (site.range.clone(), is_replaced(passage, number)));
            let known: Words = known.collect();
            learn(network, &text, &known, passage.normal, length, &mut examples);
            if let Some((text, known)) = made_up(passage, &rivals, &mut dice) {
                learn(network, &text, &known, None, length, &mut examples);
            }
        }
        examples
    }

    fn believe(network: &Network, item: &Item, length: usize) -> Belief {
        Belief::Verdict(1.0 - odds(network, item, length).iter().map(|(_, odds)| *odds).fold(0.0, f64::max))
    }

    fn points(network: &Network, item: &Item, length: usize) -> Vec<Point> {
        let mut words = odds(network, item, length);
        words.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.range.start.cmp(&b.0.range.start)));
        let yes = 1.0 - words.first().map_or(0.0, |(_, odds)| *odds);
        let told = |(site, odds): &(Site, f64)| {
            let say = Say::new("可能替换了别的词", "may stand in place of another word");
            Point::new("anchor", site.word.as_str(), say).at(site.range.clone().map(|at| at as u32)).odds(*odds)
        };
        vec![skill::verdict(yes).with(words.iter().take(TOLD).map(told).collect())]
    }
}

/// What is known of a word: of a sound text all are sound; of another, those that siblings or people point at are not.
fn is_replaced(passage: &Passage, number: usize) -> Option<bool> {
    if passage.normal == Some(true) {
        return Some(false);
    }
    if passage.gold.iter().any(|(at, _)| *at == number) {
        // One of several that may be wrong is not known to be.
        return (passage.before[number].is_some() || passage.gold.len() == 1).then_some(true);
    }
    (passage.before[number].is_none() && passage.sound[number] > SOUND).then_some(false)
}

/// The spatial words of a text, and whether each was replaced, where that is known.
type Words = Vec<(Range<usize>, Option<bool>)>;

/// A sound text with one of its words replaced by a rival; nothing where there is none that does harm.
fn made_up(passage: &Passage, rivals: &Rivals, dice: &mut Dice) -> Option<(String, Words)> {
    let is_sound = |number: usize| is_replaced(passage, number) == Some(false) && passage.before[number].is_none();
    if passage.normal == Some(false) || passage.sites.is_empty() || !(0..passage.sites.len()).all(is_sound) {
        return None;
    }
    let chosen = dice.below(passage.sites.len());
    let site = &passage.sites[chosen];
    let harmful = Lexicon::shipped().rivals(&site.word, site.class).into_iter().map(|rival| rival.word.as_str());
    let harmful: Vec<&str> = harmful.filter(|rival| rivals.standing(rival).harms(&site.word) >= HARMFUL).collect();
    let rival = *harmful.get(dice.below(harmful.len()))?;
    let chars = &passage.reading.chars;
    let text = chars[..site.range.start].iter().copied().chain(rival.chars()).chain(chars[site.range.end..].iter().copied());
    let end = site.range.start + rival.chars().count();
    let moved = |at: usize| if at >= site.range.end { at - site.range.end + end } else { at };
    let known = passage.sites.iter().enumerate().map(|(number, own)| {
        let range = if number == chosen { site.range.start..end } else { moved(own.range.start)..moved(own.range.end) };
        (range, Some(number == chosen))
    });
    Some((text.collect(), known.collect()))
}

/// The examples of a text: of each window what is known of its words, and of a text in one window the verdict.
fn learn(
    network: &Network,
    text: &str,
    known: &Words,
    is_sound: Option<bool>,
    length: usize,
    examples: &mut Vec<Example<Known>>,
) {
    let windows = Windows::new(network, text, None, length);
    // A window of a sound text is sound; which window of another is not, nobody said.
    let is_sound = is_sound.filter(|is_sound| *is_sound || windows.sequences.len() == 1);
    for (window, sequence) in windows.sequences.iter().enumerate() {
        let site =
            |(range, is_replaced): &(Range<usize>, Option<bool>)| Some((places(&windows, window, range.clone())?, *is_replaced));
        let sites: Vec<(Places, Option<bool>)> = known.iter().filter_map(site).collect();
        if !sites.is_empty() && (is_sound.is_some() || sites.iter().any(|(_, known)| known.is_some())) {
            examples.push(Example { sequence: sequence.clone(), gold: Known { sites, is_sound } });
        }
    }
}

/// The places of a word in a window's sequence, if it is in it as a whole.
fn places(windows: &Windows, window: usize, range: Range<usize>) -> Option<Places> {
    let tokens = tokens_of(&windows.tokens, range);
    let last = tokens.end.checked_sub(1).filter(|last| *last >= tokens.start)?;
    Some(windows.place(window, tokens.start)?..windows.place(window, last)? + 1)
}

/// The spatial words of an item, each with how likely it is replaced. Only windows with such words are read.
fn odds(network: &Network, item: &Item, length: usize) -> Vec<(Site, f64)> {
    let windows = Windows::new(network, item.texts.context(), None, length);
    let mut asked: Vec<(Sequence, Vec<Places>)> = windows.sequences.iter().map(|own| (own.clone(), Vec::new())).collect();
    let mut owners: Vec<Vec<Site>> = vec![Vec::new(); asked.len()];
    for site in sites(&Reading::new(item.texts.context())) {
        let window = windows.best(tokens_of(&windows.tokens, site.range.clone()).start);
        if let Some(places) = places(&windows, window, site.range.clone()) {
            asked[window].1.push(places);
            owners[window].push(site);
        }
    }
    asked.retain(|(_, sites)| !sites.is_empty());
    let odds = asked.chunks(AT_ONCE).flat_map(|some| Replaced.ask(network, some));
    owners.into_iter().filter(|sites| !sites.is_empty()).zip(odds).flat_map(|(sites, odds)| sites.into_iter().zip(odds)).collect()
}

#[cfg(test)]
mod tests {
    use fangwei::audit::Dataset;
    use fangwei::record::Source;

    use super::*;
    use crate::material::Material;

    fn material() -> Material {
        let lines = "{\"qid\":\"1\",\"context\":\"猫从屋里走出来，坐在椅子上面。\",\"judge\":1}\n\
                     {\"qid\":\"2\",\"context\":\"老人把信放进抽屉外。\",\"judge\":0}\n";
        let task = fangwei::tasks::find("2022/judge").ok();
        Material::new(vec![Dataset::read(Source::from_bytes("x.jsonl", lines).expect("reads"), task).expect("reads")])
    }

    #[test]
    fn one_word_of_a_sound_text_is_replaced_and_the_others_keep_their_places() {
        let material = material();
        let passages = passages(&material.whole());
        let rivals = Rivals::count(passages.iter());
        let sound = passages.iter().find(|own| own.normal == Some(true)).expect("is there");
        let mut made = std::collections::BTreeSet::new();
        for seed in 0..40 {
            let Some((text, known)) = made_up(sound, &rivals, &mut Dice::new(seed, 1)) else { continue };
            let chars: Vec<char> = text.chars().collect();
            let of = |range: &Range<usize>| chars[range.clone()].iter().collect::<String>();
            let changed: Vec<usize> = (0..known.len()).filter(|number| known[*number].1 == Some(true)).collect();
            assert_eq!(changed.len(), 1, "{text}");
            for (number, ((range, _), site)) in known.iter().zip(&sound.sites).enumerate() {
                assert_eq!(of(range) == site.word, number != changed[0], "{text}: {:?} at {range:?}", site.word);
            }
            made.insert(text);
        }
        assert!(made.len() > 3, "{made:?}");
        // Of an odd text nobody knows what a replacement would do to it.
        let odd = passages.iter().find(|own| own.normal == Some(false)).expect("is there");
        assert!(made_up(odd, &rivals, &mut Dice::new(1, 1)).is_none());
    }
}
