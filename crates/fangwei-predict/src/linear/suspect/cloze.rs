//! Cloze: how likely the written word is at its site, against its rivals, by what stands around.
//!
//! A conditional logit over the rivals, learnt from sites that stand as their authors wrote them. Words of two syllables share what their root shows: 里面
//! and 里边 are also 里.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::context::Surroundings;
use super::passage::Passage;
use super::rivals::Rivals;
use super::site::Site;
use super::view::View;
use crate::learn::choice::{Alternatives, Choice, Examples};
use crate::learn::feature::Template;
use crate::learn::{Training, Watch};

/// A trained cloze model.
#[derive(Clone, Debug, Default)]
pub struct Cloze {
    pub(super) choice: Choice,
}

/// The word as parts of features: itself, and what it shares with others.
pub(super) fn faces(word: &str) -> Vec<u64> {
    let hash = |text: &str, kind: u64| u64::from(Template::new(1000).text(text).part(kind).key()) << 1 | 1;
    let mut characters = word.chars();
    let (first, second) = (characters.next(), characters.next());
    let mut faces = vec![hash(word, 0)];
    let (Some(first), Some(second)) = (first, second) else {
        // A single word is its own root, so that roots of longer words learn from it.
        faces[0] = hash(word, 1);
        return faces;
    };
    let mut buffer = [0; 4];
    if "面边头方侧部端首".contains(second) && !"旁".contains(first) {
        faces.push(hash(first.encode_utf8(&mut buffer), 1));
    } else if "来去".contains(second) {
        faces.push(hash(first.encode_utf8(&mut buffer), 2));
        faces.push(hash(second.encode_utf8(&mut buffer), 3));
    } else if "之以".contains(first) {
        faces.push(hash(second.encode_utf8(&mut buffer), 1));
    } else if let Some(last) = word.chars().next_back() {
        faces.push(hash(last.encode_utf8(&mut buffer), 1));
    }
    faces
}

/// The keys of a word in its surroundings.
pub(in crate::linear) fn keys(around: &Surroundings<'_>, word: &str, keys: &mut Vec<u32>) {
    keys.clear();
    for face in faces(word) {
        keys.extend(around.templates.iter().map(|template| template.part(face).key()));
    }
}

impl Cloze {
    /// Learns from the sound sites of passages. Siblings repeat each other: a site counts once for its origin group and the characters around it.
    pub fn train<'p>(views: impl Iterator<Item = (&'p Passage, &'p View<'p>)>, rivals: &Rivals, watch: &mut Watch<'_>) -> Cloze {
        let mut examples = Examples::new(0);
        let mut seen: FxHashSet<(u32, SmolStr, String)> = FxHashSet::default();
        let mut buffer = Vec::new();
        for (passage, view) in views {
            for (number, site) in passage.sites.iter().enumerate() {
                let weight = passage.sound[number];
                if weight <= 0.0 {
                    continue;
                }
                let range = site.range.start.saturating_sub(5)..(site.range.end + 5).min(passage.reading.chars.len());
                if !seen.insert((passage.group, site.word.clone(), passage.reading.text(range))) {
                    continue;
                }
                let words = rivals.of(&site.word, site.class);
                if words.len() < 2 {
                    continue;
                }
                for (at, word) in words.iter().enumerate() {
                    keys(&view.around[number], word, &mut buffer);
                    examples.alternative(&buffer, &[], f32::from(u8::from(at == 0)));
                }
                examples.close(weight);
            }
        }
        let training = Training { epochs: 5, batch: 64, rate: 0.06, l2: 12.0, min_count: 3, prune: 5e-3, seed: 1 };
        Cloze { choice: Choice::train(&examples, &training, watch).0 }
    }

    /// Log-probabilities of the word and its rivals, the word first.
    pub fn weigh(&self, site: &Site, around: &Surroundings<'_>, rivals: &Rivals) -> Vec<(SmolStr, f32)> {
        let words = rivals.of(&site.word, site.class);
        let mut alternatives = Alternatives::new(0);
        let mut buffer = Vec::new();
        for word in &words {
            keys(around, word, &mut buffer);
            alternatives.push(&buffer, &[]);
        }
        words.into_iter().zip(self.choice.log_probabilities(&alternatives)).collect()
    }
}
