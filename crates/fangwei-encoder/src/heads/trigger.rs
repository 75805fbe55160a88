//! Trigger, then elements: a first tagger finds triggers, a second labels what belongs to one of them, which is marked in the text.
//!
//! The counterpart of the baselines of 2022 (task 3) and 2023 (task 2): triggers are events, and both steps a [`Tagger`](super::tagger::Tagger). The same mark tells
//! a tagger of anomalies or places which anchor it is about.

use std::ops::Range;

use crate::encoder::Sequence;
use crate::vocabulary::Vocabulary;

/// The mark of what is asked about.
pub const ASKED: u8 = 1;
/// The mark of something else that belongs to the question.
pub const BESIDE: u8 = 2;

/// The sequence that asks about some tokens of a text, marked; they may be several pieces. The text is not cut: callers give one window. Token `n` of the text is
/// at place `n + 1`.
pub fn ask_about(vocabulary: &Vocabulary, text: &[u32], about: &[(Range<usize>, u8)]) -> Sequence {
    let mut sequence = Sequence::new(vocabulary, text, None);
    for (range, mark) in about {
        sequence.mark(range.start + 1..range.end.min(text.len()).max(range.start) + 1, *mark);
    }
    sequence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_about_is_marked_in_its_place() {
        let vocabulary = Vocabulary::parse("[PAD]\n[UNK]\n[CLS]\n[SEP]\n", true, "vocab.txt").expect("has the marks");
        // An event of two pieces: 11, and 13 to 14.
        let made = ask_about(&vocabulary, &[10, 11, 12, 13, 14], &[(1..2, ASKED), (3..5, ASKED), (0..1, BESIDE)]);
        assert_eq!(made.ids, [2, 10, 11, 12, 13, 14, 3]);
        assert_eq!(made.marks, [0, 2, 1, 0, 1, 1, 0]);
        // A range outside of the text is no panic.
        assert_eq!(ask_about(&vocabulary, &[10], &[(5..9, ASKED)]).marks, [0, 0, 0]);
    }
}
