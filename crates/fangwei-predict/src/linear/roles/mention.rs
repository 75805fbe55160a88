//! Mentions: which words an entity is told with, once its head is known: 母亲 or 她母亲, 炊烟 or 第一缕炊烟.

use super::gold::Places;
use super::view::{Sort, View};
use crate::learn::choice::{Alternatives, Choice, Examples};
use crate::learn::feature::Template;

/// The most words before a head that may belong to it.
const MOST: usize = 6;

const TEMPLATES: u16 = 300;

/// Whether a word can be the head of an entity.
pub fn can_head(view: &View, word: usize) -> bool {
    match view.words[word].sort {
        Sort::Noun | Sort::Pronoun => true,
        Sort::Adjective | Sort::Number | Sort::Place | Sort::Other | Sort::Time => {
            view.reading.tokens[word].text.chars().any(char::is_alphanumeric)
        }
        _ => false,
    }
}

/// The words with which a mention of this head may begin, the head first.
fn begins(view: &View, head: usize) -> Vec<usize> {
    let mut begins = vec![head];
    for begin in (head.saturating_sub(MOST)..head).rev() {
        if matches!(view.words[begin].sort, Sort::Comma | Sort::Stop | Sort::Preposition) {
            break;
        }
        begins.push(begin);
    }
    begins
}

/// How often the passage has the text of some characters, up to three.
fn occurrences(view: &View, begin: usize, end: usize) -> u64 {
    let chars = &view.reading.chars;
    // Far away in a long text is another passage.
    let range = begin.saturating_sub(300)..(end + 300).min(chars.len());
    let wanted = &chars[begin..end];
    chars[range].windows(wanted.len().max(1)).filter(|window| *window == wanted).take(3).count() as u64
}

fn keys(view: &View, begin: usize, head: usize) -> Vec<u32> {
    let mut number = TEMPLATES;
    let mut template = || {
        number += 1;
        Template::new(number)
    };
    let (b, h) = (begin as isize, head as isize);
    let length = (head - begin) as u64;
    let word = |at: isize| view.text(at);
    let sort = |at: isize| view.sort(at) as u64;
    let mut row = template().part(length);
    for at in b..=h {
        row = row.part(sort(at));
    }
    let alone = template().part(length).key();
    let mut keys = vec![
        alone,
        row.key(),
        row.part(sort(b - 1)).key(),
        template().part(word(b)).part(length.min(1)).key(),
        template().part(word(b)).part(word(h)).key(),
        template().part(word(b)).part(word(b + 1)).part(length.min(2)).key(),
        template().part(word(b - 1)).part(length.min(2)).key(),
        template().part(word(b - 1)).part(sort(b)).part(length.min(2)).key(),
        template().part(word(b - 1)).part(word(b)).key(),
        template().part(sort(b - 2)).part(sort(b - 1)).part(sort(b)).part(length).key(),
        template().part(view.pos(b - 1)).part(view.pos(b)).part(view.pos(b + 1)).part(length).key(),
        template().part(view.pos(h)).part(length).key(),
        template().part(word(h)).part(length.min(3)).key(),
        template().part(u64::from(view.words[head].kind)).part(view.pos(b)).part(length).key(),
    ];
    // What the passage says again in the same words is a name.
    let tokens = &view.reading.tokens;
    let again = occurrences(view, tokens[begin].begin, tokens[head].end);
    let head_again = occurrences(view, tokens[head].begin, tokens[head].end);
    let wider = if begin > 0 { occurrences(view, tokens[begin - 1].begin, tokens[head].end) } else { 0 };
    keys.push(template().part(again).part(head_again).part(wider).part(length.min(2)).key());
    keys.push(template().part(again).part(length).part(view.pos(b)).key());
    keys.push(
        template()
            .part(u64::from(again == head_again))
            .part(u64::from(wider == again))
            .part(length.min(2))
            .part(view.pos(b))
            .part(view.pos(h))
            .key(),
    );
    keys.push(template().part(view.words[head].tail).part(sort(b)).part(length).key());
    keys.push(template().part(view.words[begin].front).part(sort(b - 1)).part(length.min(2)).key());
    // What joins the parts: 的, a number, a measure.
    let mut joints = template().part(length);
    for at in begin..head {
        let text = view.reading.tokens[at].text.as_str();
        joints = joints.part(
            if matches!(text, "的" | "和" | "与" | "、" | "一" | "这" | "那" | "我" | "他" | "她" | "自己") {
                view.words[at].text
            } else {
                sort(at as isize)
            },
        );
    }
    keys.push(joints.key());
    keys
}

/// Adds an example: a mention that people marked.
pub fn learn(view: &View, at: &Places, examples: &mut Examples) {
    let (Some(first), Some(last)) = (at.first(), at.last()) else { return };
    let head = view.word_at(*last);
    let first = view.word_at(*first);
    let begins = begins(view, head);
    if view.reading.tokens[head].end != last + 1 || !begins.contains(&first) {
        return;
    }
    for begin in begins {
        examples.alternative(&keys(view, begin, head), &[], f32::from(u8::from(begin == first)));
    }
    examples.close(1.0);
}

/// The characters of a mention of a head, and what share of them is expected to be right.
pub fn of_head(model: &Choice, view: &View, head: usize) -> (Places, f64) {
    let begins = begins(view, head);
    let mut alternatives = Alternatives::new(0);
    for begin in &begins {
        alternatives.push(&keys(view, *begin, head), &[]);
    }
    let odds = model.log_probabilities(&alternatives);
    // Half of a mention is worth half: the limits are taken that share most with all that are likely.
    let tokens = &view.reading.tokens;
    let length = |begin: usize| (tokens[head].end - tokens[begin].begin) as f64;
    let worth = |own: usize| -> f64 {
        let share = |other: usize| {
            let (a, b) = (length(begins[own]), length(begins[other]));
            f64::from(odds[other]).exp() * a.min(b) / a.max(b)
        };
        (0..odds.len()).map(share).sum()
    };
    let best = (0..odds.len()).map(|own| (own, worth(own))).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    let (best, worth) = best.unwrap_or((0, 0.0));
    let range = tokens[begins[best]].begin..tokens[head].end;
    // Odds that were rounded may sum to a little more than one.
    (range.collect(), worth.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mentions_do_not_reach_over_marks_and_prepositions() {
        let view = View::new("山上，他在老旧的木屋里。");
        let at = |text: &str| view.reading.tokens.iter().position(|token| token.text == text).expect("is a word");
        let begins: Vec<&str> =
            begins(&view, at("木屋")).into_iter().map(|word| view.reading.tokens[word].text.as_str()).collect();
        assert_eq!(begins.first(), Some(&"木屋"));
        assert!(begins.contains(&"的") && !begins.contains(&"在"), "{begins:?}");
        assert_eq!(occurrences(&View::new("猫追猫，猫跑了，猫"), 0, 1), 3);
    }
}
