//! Events: of the words around a place, which one happens there, or none; and which of its characters are the event.
//!
//! Two conditional logits. The first is over words, because what tells an event from its neighbours is how it stands to the place; the second cuts what the
//! segmenter left together: 看 of 看到, 放 of 放入.

use super::gold::{Frame, Places};
use super::view::{Sort, View, step};
use crate::learn::choice::{Alternatives, Choice, Examples};
use crate::learn::feature::Template;

const TEMPLATES: u16 = 500;
const NONE: u16 = 560;
const LIMITS: u16 = 590;

/// The words that may be the event of an anchor.
pub fn candidates(view: &View, anchor: usize) -> Vec<usize> {
    let word = view.word_at(anchor);
    let clause = view.clause(anchor);
    let range = word.saturating_sub(40)..(word + 41).min(view.words.len());
    let fits = |at: &usize| {
        let apart = view.clause(view.reading.tokens[*at].begin) - clause;
        match view.words[*at].sort {
            Sort::Verb => (-2..=4).contains(&apart),
            Sort::Directional => (-1..=2).contains(&apart),
            Sort::Noun | Sort::Adjective | Sort::Other | Sort::Preposition | Sort::Adverb => (0..=1).contains(&apart),
            _ => false,
        }
    };
    range.filter(|at| *at != word || view.words[*at].sort == Sort::Verb).filter(fits).collect()
}

/// What is asked of the anchor once.
struct About {
    clause: isize,
    word: usize,
    /// The word with which its phrase begins.
    begin: usize,
    sort: u64,
    text: u64,
    tail: u64,
    within: u64,
    before: Option<usize>,
    after: Option<usize>,
}

impl About {
    fn new(view: &View, anchor: usize) -> About {
        let number = view.word_at(anchor);
        let word = &view.words[number];
        About {
            clause: view.clause(anchor),
            word: number,
            begin: word.within.unwrap_or(number),
            sort: word.sort as u64,
            text: word.text,
            tail: word.tail,
            within: word.within.map_or(0, |at| view.text(at as isize)),
            before: word.verb_before,
            after: word.verb_after,
        }
    }

    fn none(&self, view: &View) -> Vec<u32> {
        let mut number = NONE;
        let mut template = || {
            number += 1;
            Template::new(number)
        };
        let (a, b) = (self.word as isize, self.begin as isize);
        let apart = |at: Option<usize>| {
            at.map_or(9, |at| (view.clause(view.reading.tokens[at].begin) - self.clause + 4).clamp(0, 8) as u64)
        };
        let gap_before = self.before.map_or(99, |at| step(self.begin as isize - at as isize));
        let gap_after = self.after.map_or(99, |at| step(at as isize - a));
        let text = |at: Option<usize>| at.map_or(0, |at| view.text(at as isize));
        vec![
            template().key(),
            template().part(self.sort).part(self.within).key(),
            template().part(self.text).part(u64::from(self.within > 0)).key(),
            template().part(view.text(a + 1)).part(self.sort).key(),
            template().part(view.sort(a + 1) as u64).part(view.sort(a + 2) as u64).part(self.sort).key(),
            template().part(view.sort(b - 1) as u64).part(view.sort(a + 1) as u64).part(self.within).key(),
            template().part(view.text(b - 1)).part(self.within).key(),
            template().part(view.sort(b - 2) as u64).part(view.sort(b - 1) as u64).part(self.sort).key(),
            template()
                .part(view.sort(a + 1) as u64)
                .part(view.sort(a + 2) as u64)
                .part(view.sort(a + 3) as u64)
                .part(view.sort(b - 1) as u64)
                .key(),
            template().part(apart(self.before)).part(gap_before).part(apart(self.after)).part(gap_after).key(),
            template().part(apart(self.before)).part(apart(self.after)).part(self.sort).part(u64::from(self.within > 0)).key(),
            template().part(text(self.before)).part(gap_before).key(),
            template().part(text(self.after)).part(gap_after).key(),
            template().part(text(self.before)).part(self.sort).key(),
            template().part(text(self.after)).part(self.sort).key(),
            template().part(u64::from(view.words[self.word].kind)).part(view.sort(a + 1) as u64).key(),
            template().part(view.sort(a - 1) as u64).part(self.text).part(view.sort(a + 1) as u64).key(),
            template().part(view.family(self.before)).part(gap_before).part(self.sort).key(),
            template().part(view.family(self.after)).part(gap_after).part(self.sort).key(),
            template().part(self.tail).part(u64::from(self.within > 0)).key(),
            template()
                .part(view.text(a + 1))
                .part(view.family((self.word + 1 < view.words.len()).then_some(self.word + 1)))
                .key(),
        ]
    }

    fn keys(&self, view: &View, w: usize) -> Vec<u32> {
        let mut number = TEMPLATES;
        let mut template = || {
            number += 1;
            Template::new(number)
        };
        let word = &view.words[w];
        let h = w as isize;
        let sort = word.sort as u64;
        let clause = (view.clause(view.reading.tokens[w].begin) - self.clause + 4) as u64;
        let is_after = w > self.word;
        let side = u64::from(is_after) + 2 * u64::from((self.begin..=self.word).contains(&w));
        let nearest = u64::from(Some(w) == self.before) + 2 * u64::from(Some(w) == self.after);
        let (low, high) = if is_after { (self.word, w) } else { (w, self.begin.max(w)) };
        let count = |sums: &[u16]| u64::from(sums[high].saturating_sub(sums[low]).min(5));
        let (verbs, nouns, marks) = (count(&view.verbs), count(&view.nominals), count(&view.marks));
        let distance = step(if is_after { h - self.word as isize } else { h - self.begin as isize });
        let (left, right) = (view.text(h - 1), view.text(h + 1));
        let (left_sort, right_sort) = (view.sort(h - 1) as u64, view.sort(h + 1) as u64);
        let mut keys = Vec::with_capacity(32);
        keys.push(template().part(word.text).key());
        keys.push(template().part(word.text).part(side).part(clause).key());
        keys.push(template().part(word.pos).part(side).part(clause).part(nearest).key());
        keys.push(template().part(sort).part(distance).part(self.sort).key());
        keys.push(template().part(sort).part(side).part(clause).part(verbs).part(nouns).key());
        keys.push(template().part(sort).part(side).part(clause).part(nearest).part(self.within).key());
        keys.push(template().part(sort).part(nearest).part(marks).part(self.sort).part(u64::from(self.within > 0)).key());
        keys.push(template().part(word.text).part(self.within).part(nearest).key());
        keys.push(template().part(word.text).part(self.text).key());
        keys.push(template().part(word.text).part(nearest).part(self.sort).key());
        keys.push(template().part(right).part(side).part(nearest).key());
        keys.push(template().part(left).part(side).part(nearest).key());
        keys.push(template().part(left_sort).part(sort).part(right_sort).part(side).part(clause).key());
        keys.push(template().part(left_sort).part(sort).part(right_sort).part(nearest).part(self.within).key());
        keys.push(template().part(word.text).part(right).key());
        keys.push(template().part(verbs).part(marks).part(side).part(sort).part(right_sort).key());
        keys.push(template().part(word.family).part(side).part(clause).part(nearest).key());
        keys.push(template().part(word.family).part(self.within).part(nearest).key());
        keys.push(template().part(word.family).part(self.text).part(side).key());
        keys.push(template().part(word.family).part(self.sort).part(right_sort).part(nearest).key());
        keys.push(template().part(word.front).part(sort).part(side).part(nearest).key());
        keys.push(template().part(word.tail).part(sort).part(side).part(nearest).key());
        keys.push(template().part(self.tail).part(sort).part(nearest).key());
        keys.push(template().part(u64::from(word.within.is_some())).part(side).part(nearest).part(sort).key());
        let between = low + 1..high;
        if between.len() <= 6 && (high > low) {
            let mut row = template().part(side).part(sort);
            let mut texts = template().part(side).part(sort);
            for at in between.clone() {
                row = row.part(view.words[at].sort as u64);
                texts = texts.part(view.words[at].text);
            }
            keys.push(row.key());
            keys.push(row.part(self.within).part(1).key());
            keys.push(row.part(right_sort).part(2).key());
            keys.push(row.part(word.text).part(3).key());
            keys.push(row.part(word.family).part(4).key());
            if between.len() <= 3 {
                keys.push(texts.key());
                keys.push(texts.part(self.sort).part(right_sort).key());
            }
        } else {
            template();
            template();
        }
        keys
    }
}

/// The ranges of characters that the event of a word may have.
fn limits(view: &View, word: usize) -> Vec<(usize, usize)> {
    let token = &view.reading.tokens[word];
    let mut ranges = vec![(token.begin, token.end)];
    let length = token.end - token.begin;
    if length > 1 {
        ranges.extend((1..length.min(3)).map(|size| (token.begin, token.begin + size)));
        ranges.push((token.begin + 1, token.end));
    }
    for next in view.reading.tokens.iter().skip(word + 1).take(2) {
        if next.is_mark() {
            break;
        }
        ranges.push((token.begin, next.end));
    }
    ranges
}

fn limit_keys(view: &View, word: usize, (begin, end): (usize, usize)) -> Vec<u32> {
    let mut number = LIMITS;
    let mut template = || {
        number += 1;
        Template::new(number)
    };
    let token = &view.reading.tokens[word];
    let h = word as isize;
    let how = if (begin, end) == (token.begin, token.end) {
        0
    } else if end > token.end {
        10 + (view.word_at(end - 1) - word) as u64
    } else if begin > token.begin {
        20
    } else {
        (end - begin) as u64
    };
    let length = (token.end - token.begin) as u64;
    let last = view.reading.chars.get(token.end - 1).map_or(0, |last| u64::from(*last));
    let after = view.reading.chars.get(end).map_or(0, |next| u64::from(*next));
    let text = super::view::number_of(&view.reading.text(begin..end));
    vec![
        template().part(how).part(length).key(),
        template().part(how).part(length).part(view.sort(h) as u64).part(view.sort(h + 1) as u64).key(),
        template().part(how).part(view.pos(h)).part(view.pos(h + 1)).key(),
        template().part(how).part(last).part(length).key(),
        template().part(how).part(view.text(h)).key(),
        template().part(how).part(view.text(h + 1)).key(),
        template().part(how).part(view.text(h)).part(view.text(h + 1)).key(),
        template().part(how).part(view.sort(h + 1) as u64).part(view.sort(h + 2) as u64).part(length).key(),
        template().part(text).key(),
        template().part(after).part(how).key(),
        template().part(text).part(after).key(),
    ]
}

/// Adds an example: the event of a frame that people marked, seen from an anchor.
pub fn learn(view: &View, anchor: usize, frame: &Frame, examples: &mut Examples) {
    let about = About::new(view, anchor);
    let right = frame.event.as_ref().and_then(|event| event.first()).map(|first| view.word_at(*first));
    examples.alternative(&about.none(view), &[], f32::from(u8::from(right.is_none())));
    for candidate in candidates(view, anchor) {
        examples.alternative(&about.keys(view, candidate), &[], f32::from(u8::from(right == Some(candidate))));
    }
    examples.close(1.0);
}

/// Adds an example: which characters of its word the event of a frame is.
pub fn learn_limits(view: &View, frame: &Frame, examples: &mut Examples) {
    let Some(event) = &frame.event else { return };
    let (Some(first), Some(last)) = (event.first(), event.last()) else { return };
    let word = view.word_at(*first);
    for range in limits(view, word) {
        examples.alternative(&limit_keys(view, word, range), &[], f32::from(u8::from(range == (*first, last + 1))));
    }
    examples.close(1.0);
}

/// How likely each word is the event of an anchor, and none; the likeliest first.
pub fn odds(model: &Choice, view: &View, anchor: usize) -> Vec<(Option<usize>, f64)> {
    let about = About::new(view, anchor);
    let candidates = candidates(view, anchor);
    let mut alternatives = Alternatives::new(0);
    alternatives.push(&about.none(view), &[]);
    for candidate in &candidates {
        alternatives.push(&about.keys(view, *candidate), &[]);
    }
    let odds = model.log_probabilities(&alternatives);
    let words = std::iter::once(None).chain(candidates.into_iter().map(Some));
    let mut odds: Vec<(Option<usize>, f64)> = words.zip(odds).map(|(word, odds)| (word, f64::from(odds).exp())).collect();
    odds.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    odds
}

/// The characters of the event of a word.
pub fn of_word(model: &Choice, view: &View, word: usize) -> Places {
    let ranges = limits(view, word);
    let mut alternatives = Alternatives::new(0);
    for range in &ranges {
        alternatives.push(&limit_keys(view, word, *range), &[]);
    }
    let scores = model.scores(&alternatives);
    let best = (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a))).unwrap_or(0);
    (ranges[best].0..ranges[best].1).collect()
}
