//! Looking around in a draft: the neighbours of a word within its clause, and the noun phrase after a preposition.

use super::Token;
use super::marks::Marks;

/// Signs that stand between a word and its neighbour without parting them.
const TRANSPARENT: [&str; 8] = ["“", "”", "‘", "’", "《", "》", "「", "」"];

/// The number of the word before `at` in the same clause.
pub(super) fn before(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let number = (0..at).rev().find(|number| !TRANSPARENT.contains(&tokens[*number].text))?;
    (!tokens[number].marks.any(Marks::PUNCTUATION)).then_some(number)
}

/// The number of the word after `at` in the same clause.
pub(super) fn after(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let number = (at + 1..tokens.len()).find(|number| !TRANSPARENT.contains(&tokens[*number].text))?;
    (!tokens[number].marks.any(Marks::PUNCTUATION)).then_some(number)
}

/// Small words between a verb and its direction: 蹿了出来, 捡不起来.
const BETWEEN: [&str; 9] = ["了", "着", "过", "得", "不", "没", "一", "没有", "住"];

/// The number of the word before `at`, small words between a verb and its direction aside.
pub(super) fn verb_before(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let number = before(tokens, at)?;
    if BETWEEN.contains(&tokens[number].text) { verb_before(tokens, number) } else { Some(number) }
}

/// Whether a word can be the head of a noun phrase.
pub(super) fn is_nominal(token: &Token<'_>) -> bool {
    token
        .marks
        .any(Marks::NOMINAL.or(Marks::ENTITY).or(Marks::PRONOUN).or(Marks::PLACE).or(Marks::DEMONSTRATIVE).or(Marks::ABSTRACT))
        || matches!(token.pos, "s" | "eng" | "j")
}

/// Whether a word tells a time.
pub(super) fn is_time(token: &Token<'_>) -> bool {
    token.marks.any(Marks::TIME.or(Marks::TEMPORAL)) && !token.marks.is_spatial()
}

/// What a preposition introduces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Phrase {
    /// The last noun or pronoun.
    pub head: Option<usize>,
    /// A locative, place word or demonstrative.
    pub place: Option<usize>,
    /// The first word after the phrase, in the same clause.
    pub next: Option<usize>,
}

/// The noun phrase that begins after `at`: up to the first verb outside of an attribute, or the end of the clause.
pub(super) fn phrase(tokens: &[Token<'_>], at: usize) -> Phrase {
    let mut phrase = Phrase::default();
    let mut current = after(tokens, at);
    // An attribute may hold a verb (在他住的屋里): look for 的 ahead before the phrase is closed.
    while let Some(number) = current {
        let token = &tokens[number];
        let located =
            phrase.head.is_some() && token.marks.any(Marks::LOCATIVE) && !token.marks.any(Marks::VERBAL.or(Marks::PREPOSITION));
        if token.marks.any(Marks::LOCATIVE.or(Marks::PLACE).or(Marks::DEMONSTRATIVE))
            && !(token.marks.any(Marks::DIRECTIONAL)
                && phrase.head.is_none()
                && phrase.place.is_none()
                && before(tokens, number) != Some(at))
            || located
        {
            phrase.place = Some(number);
            let closes = after(tokens, number).is_none_or(|next| {
                tokens[next].text != "的" && !is_nominal(&tokens[next]) && !tokens[next].marks.any(Marks::LOCATIVE)
            });
            if closes {
                phrase.next = after(tokens, number);
                return phrase;
            }
        } else if is_nominal(token) && !(token.marks.any(Marks::VERBAL) && !token.marks.any(Marks::ENTITY)) {
            phrase.head = Some(number);
        } else if closes(tokens, number) {
            phrase.next = Some(number);
            return phrase;
        }
        current = after(tokens, number);
    }
    phrase
}

/// Whether a word ends a noun phrase: a verb or preposition that no 的 turns into an attribute.
fn closes(tokens: &[Token<'_>], at: usize) -> bool {
    let token = &tokens[at];
    if matches!(token.text, "最" | "更" | "很" | "较" | "正" | "太") {
        return false;
    }
    if token.marks.any(Marks::ADVERBIAL.or(Marks::CONJUNCTION)) && !token.marks.any(Marks::ADJECTIVE) {
        return true;
    }
    if !token.marks.any(Marks::VERBAL.or(Marks::VERB).or(Marks::PREPOSITION).or(Marks::DIRECTIONAL)) && token.pos != "p" {
        return matches!(token.text, "把" | "被" | "将" | "了" | "着");
    }
    let mut next = after(tokens, at);
    for _ in 0..6 {
        match next {
            Some(number) if tokens[number].text == "的" => return false,
            Some(number) => next = after(tokens, number),
            None => return true,
        }
    }
    true
}
