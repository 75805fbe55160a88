//! Entity, then elements: a first tagger finds entities, a second reads one of them before the text and labels what is said of it.
//!
//! The counterpart of Fudan's systems of 2022 and 2023 (a token classifier for 空间实体, then one pass for each entity with `[CLS] entity [SEP] context`) and of
//! System4SpaCE2022; where they generate the elements, here a [`Tagger`](super::tagger::Tagger) labels them. Two mentions of the same words look alike in a first segment,
//! so the mention that is meant is marked in the text as well.

use std::ops::Range;

use super::trigger::ASKED;
use crate::encoder::Sequence;
use crate::vocabulary::Vocabulary;

/// The sequence that asks about an entity: its words, then the text with the mention marked; and the place of the text's first token.
pub fn ask_about(vocabulary: &Vocabulary, text: &[u32], entity: &[Range<usize>]) -> (Sequence, usize) {
    let words: Vec<u32> = entity.iter().flat_map(|range| text.get(range.clone()).unwrap_or_default()).copied().collect();
    let offset = words.len() + 2;
    let mut sequence = Sequence::new(vocabulary, &words, Some(text));
    for range in entity.iter().filter(|range| range.end <= text.len()) {
        sequence.mark(range.start + offset..range.end + offset, ASKED);
    }
    (sequence, offset)
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "lists of one range are meant")]
mod tests {
    use super::*;

    #[test]
    fn the_mention_that_is_meant_is_marked() {
        let vocabulary = Vocabulary::parse("[PAD]\n[UNK]\n[CLS]\n[SEP]\n", true, "vocab.txt").expect("has the marks");
        let (made, offset) = ask_about(&vocabulary, &[10, 11, 12, 11], &[3..4]);
        assert_eq!(made.ids, [2, 11, 3, 10, 11, 12, 11, 3]);
        assert_eq!((made.second, offset), (3, 3));
        assert_eq!(made.marks, [0, 0, 0, 0, 0, 0, 1, 0]);
        // A range outside of the text is no panic.
        assert_eq!(ask_about(&vocabulary, &[10], &[5..9]).0.ids, [2, 3, 10, 3]);
    }
}
