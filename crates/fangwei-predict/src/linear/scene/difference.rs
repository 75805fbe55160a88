//! What differs between two texts: the fewest characters, the words that they make, and the phrase that a reason quotes.

use std::ops::Range;

use super::motion::Way;
use super::tables::{Family, tables};
use crate::reading::Reading;

/// The place of a difference in both texts: what stands before and after it is the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Characters before it.
    pub before: usize,
    /// Its end in the first text,
    pub end1: usize,
    /// and in the second.
    pub end2: usize,
}

impl Difference {
    /// The fewest characters that differ; `None` for equal texts.
    pub fn between(one: &[char], two: &[char]) -> Option<Difference> {
        if one == two {
            return None;
        }
        let before = one.iter().zip(two).take_while(|(a, b)| a == b).count();
        let after = one[before..].iter().rev().zip(two[before..].iter().rev()).take_while(|(a, b)| a == b).count();
        Some(Difference { before, end1: one.len() - after, end2: two.len() - after })
    }

    /// Its characters in the first text.
    pub fn first(&self) -> Range<usize> {
        self.before..self.end1
    }

    /// Its characters in the second.
    pub fn second(&self) -> Range<usize> {
        self.before..self.end2
    }

    /// The same with more of what stands around it: the place where it begins, and how many characters after it.
    #[must_use]
    pub fn wider(&self, begin: usize, after: usize) -> Difference {
        Difference { before: begin.min(self.before), end1: self.end1 + after, end2: self.end2 + after }
    }
}

/// The two words that differ.
#[derive(Clone, PartialEq, Debug)]
pub struct Words {
    /// Where they stand.
    pub at: Difference,
    /// The word of the first text,
    pub one: String,
    /// and of the second.
    pub two: String,
}

/// What a word is to the tables.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Known {
    /// A word of a family.
    Family(Family),
    /// A directional verb.
    Way(Way),
    /// A locative made of directions.
    Directions,
}

/// What the tables know of a word that stands after a character.
pub fn known(word: &str) -> Option<Known> {
    if let Some(way) = Way::of(word)
        && tables().family(word).is_none()
    {
        return Some(Known::Way(way));
    }
    tables().family(word).map(Known::Family).or_else(|| super::tables::directions(word).map(|_| Known::Directions))
}

/// Most characters that are shared by the two words on either side.
const MOST_SHARED: usize = 3;

/// The words that differ: the longest that the tables know and that hold the difference, the same characters around it in both; else the words of the
/// segmenter.
pub fn words(one: &Reading, two: &Reading, at: &Difference) -> Words {
    let make = |at: Difference| Words { one: one.text(at.first()), two: two.text(at.second()), at };
    let mut best: Option<(usize, Words)> = None;
    for left in 0..=MOST_SHARED.min(at.before) {
        for right in 0..=MOST_SHARED.min(one.chars.len() - at.end1) {
            let words = make(at.wider(at.before - left, right));
            let long = left + right;
            if known(&words.one).is_some() && known(&words.two).is_some() && best.as_ref().is_none_or(|(most, _)| long > *most) {
                best = Some((long, words));
            }
        }
    }
    if let Some((_, words)) = best {
        return words;
    }
    let begin = one
        .token_at(at.before)
        .map_or(at.before, |token| token.begin)
        .min(two.token_at(at.before).map_or(at.before, |token| token.begin));
    let last = |reading: &Reading, end: usize| {
        end.checked_sub(1).and_then(|place| reading.token_at(place)).map_or(end, |token| token.end)
    };
    let after = (last(one, at.end1).saturating_sub(at.end1)).max(last(two, at.end2).saturating_sub(at.end2));
    make(at.wider(begin, after.min(one.chars.len() - at.end1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(one: &str, two: &str) -> (String, String) {
        let (one, two) = (Reading::new(one), Reading::new(two));
        let at = Difference::between(&one.chars, &two.chars).expect("texts differ");
        let words = words(&one, &two, &at);
        (words.one, words.two)
    }

    #[test]
    fn words_are_found_around_the_difference() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(found("猫睡在柜子上面。", "猫睡在柜子里面。"), pair("上面", "里面"));
        assert_eq!(found("她跑出来了。", "她跑出去了。"), pair("出来", "出去"));
        assert_eq!(found("灯在车把上方。", "灯在车把上头。"), pair("上方", "上头"));
        assert_eq!(found("车在楼的正后方。", "车在楼的左后方。"), pair("正后方", "左后方"));
        assert_eq!(Difference::between(&['上'], &['上']), None);
    }

    #[test]
    fn repeated_characters_do_not_overlap() {
        // 上上 and 上: the prefix takes one character, the suffix may not take it again.
        let at = Difference::between(&['上', '上'], &['上']).expect("differ");
        assert_eq!((at.first(), at.second()), (1..2, 1..1));
    }
}
