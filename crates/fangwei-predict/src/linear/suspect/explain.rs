//! Why a word is suspicious: its rivals with their odds, and which locatives its noun takes.

use fangwei::lang::Say;
use fangwei::lexicon::Lexicon;

use super::view::View;
use super::{Suspect, Suspicion};
use crate::explain::Point;
use crate::reading::Reading;

/// So many suspicious words are told of, and so many rivals of each.
const WORDS: usize = 3;
const RIVALS: usize = 5;

impl Suspicion {
    /// The most suspicious words, the likeliest first.
    pub fn explain(&self, reading: &Reading) -> Vec<Point> {
        let suspects = self.suspects(reading);
        let sites: Vec<_> = suspects.sites.iter().map(|suspect| suspect.site.clone()).collect();
        let view = View::new(reading, &sites);
        suspects.best(WORDS).into_iter().map(|number| self.point(&suspects.sites[number], view.around[number].noun)).collect()
    }

    fn point(&self, suspect: &Suspect, noun: Option<&str>) -> Point {
        let percent = |log: f32| f64::from(log).exp() * 100.0;
        let own = percent(suspect.log_p);
        let mut parts: Vec<Point> = suspect
            .rivals
            .iter()
            .take(RIVALS)
            .map(|(word, log)| {
                let say = Say::new("也可以在这里".to_owned(), "may stand here as well".to_owned());
                Point::new("rival", word.as_str(), say).odds(f64::from(*log).exp())
            })
            .collect();
        parts.extend(noun.map(|noun| self.noun_point(noun)));
        let say = Say::new(
            format!("可疑；在这里出现的可能为 {own:.1} %"),
            format!("suspicious; here an author writes it in {own:.1} % of cases"),
        );
        let at = suspect.site.range.clone().map(|place| place as u32);
        Point::new("anchor", suspect.site.word.as_str(), say).at(at).odds(suspect.odds).with(parts)
    }

    /// The locatives that a noun takes, by the lexicon and as they were seen.
    fn noun_point(&self, noun: &str) -> Point {
        let takes: Vec<&str> = Lexicon::shipped()
            .noun(noun)
            .map(|noun| noun.takes.iter().map(smol_str::SmolStr::as_str).collect())
            .unwrap_or_default();
        let seen: Vec<String> =
            self.memory.after(noun).into_iter().take(8).map(|(word, count)| format!("{word} {count}")).collect();
        let or = |list: String, none: &str| if list.is_empty() { none.to_owned() } else { list };
        let say = Say::new(
            format!("词表中可带：{}；训练中见过：{}", or(takes.join(" "), "不详"), or(seen.join("，"), "无")),
            format!(
                "takes by the lexicon: {}; seen in training: {}",
                or(takes.join(" "), "unknown"),
                or(seen.join(", "), "none")
            ),
        );
        Point::new("noun", noun, say)
    }
}
