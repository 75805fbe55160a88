//! Who is at a place: the noun that the clause tells of, by its grammar.

use std::ops::Range;

use fangwei::lexicon::Class;

use super::scan::{Move, Place, Scan};

/// Verbs of taking and bringing: with 从 it is their object that comes from there.
const TAKING: &[&str] =
    &["拿", "取", "抓", "掏", "抽", "拔", "捡", "摸", "带", "端", "搬", "拉", "推", "抱", "捧", "挖", "摘", "牵"];
/// So many words are looked at: a text without marks is one clause.
const FAR: usize = 100;
/// So many clauses back is a subject looked for.
const CARRIED: usize = 4;

/// The words of whoever or whatever is at a place.
pub fn of_place(scan: &Scan<'_>, place: &Place) -> Option<Range<usize>> {
    let start = place.governor.unwrap_or(place.first);
    if place.modifies {
        return thing_after(scan, place.last + 1);
    }
    if let Some(object) = disposed(scan, place.verb.unwrap_or(start).min(start), place.last) {
        return Some(object);
    }
    let from = place.governor.is_some_and(|governor| matches!(scan.text(governor), "从" | "自" | "由"));
    if let Some(verb) = place.verb.filter(|verb| from && TAKING.contains(&scan.text(*verb)))
        && let Some(object) = thing_after(scan, verb + 1)
    {
        return Some(object);
    }
    let before = place.verb.filter(|_| place.follows).unwrap_or(start).min(start);
    if let Some(subject) = thing_before(scan, before) {
        return Some(subject);
    }
    // 桌上有一本书, 墙上挂着画: the place comes first, the thing last.
    let exists = place.verb.filter(|_| !place.follows).filter(|verb| {
        matches!(scan.text(*verb), "有" | "是")
            || scan.after(*verb, &[]).is_some_and(|after| matches!(scan.text(after), "着" | "了" | "满"))
    });
    if let Some(object) = exists.and_then(|verb| thing_after(scan, verb + 1)) {
        return Some(object);
    }
    carried(scan, before)
}

/// The words of whoever or whatever moves.
pub fn of_move(scan: &Scan<'_>, one: Move) -> Option<Range<usize>> {
    let verb = one.verb.unwrap_or(one.direction);
    if let Some(object) = disposed(scan, verb, verb) {
        return Some(object);
    }
    let taking = TAKING.contains(&scan.text(verb));
    if let Some(object) = taking.then(|| thing_after(scan, one.direction + 1)).flatten() {
        return Some(object);
    }
    thing_before(scan, verb).or_else(|| carried(scan, verb))
}

/// What stands after 把 or 将 in the clause before a word: that is what is moved.
fn disposed(scan: &Scan<'_>, from: usize, to: usize) -> Option<Range<usize>> {
    let clause = scan.token(from)?.clause;
    let sign = (0..=to)
        .rev()
        .take(FAR)
        .take_while(|number| scan.token(*number).is_some_and(|token| token.clause == clause))
        .find(|number| {
            matches!(scan.text(*number), "把" | "将") && scan.token(*number).is_some_and(|token| !token.is('n') && !token.is('q'))
        })?;
    thing_after(scan, sign + 1)
}

/// The noun phrase that begins about here, by its head with the nouns before it.
fn thing_after(scan: &Scan<'_>, from: usize) -> Option<Range<usize>> {
    let clause = scan.token(from)?.clause;
    let in_clause = |number: &usize| scan.token(*number).is_some_and(|token| token.clause == clause);
    let mut found: Option<Range<usize>> = None;
    for number in (from..scan.reading.tokens.len()).take(16).take_while(in_clause) {
        // 一块手帕: what follows a bare number is its measure, whatever else it may be.
        if found.is_none() && number > from && is_number(scan.text(number - 1)) {
            continue;
        }
        if is_entity(scan, number) {
            found = Some(found.filter(|run| run.end == number).map_or(number, |run| run.start)..number + 1);
        } else if scan.is_verb(number) && !(found.is_none() && scan.is(number, Class::Directional))
            || scan.is(number, Class::Preposition)
            || found.is_some() && scan.text(number) != "的"
        {
            break;
        }
    }
    found
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|character| "一二三四五六七八九十百千万两几半".contains(character))
}

/// The nearest noun before a word in its clause that is no place.
fn thing_before(scan: &Scan<'_>, before: usize) -> Option<Range<usize>> {
    let clause = scan.token(before)?.clause;
    let in_clause = |number: &usize| scan.token(*number).is_some_and(|token| token.clause == clause);
    let last =
        (0..before).rev().take(FAR).take_while(in_clause).find(|number| is_entity(scan, *number) && !scan.is_inside(*number))?;
    Some(widened(scan, last))
}

/// The first noun of an earlier clause: what is told goes on about it.
fn carried(scan: &Scan<'_>, before: usize) -> Option<Range<usize>> {
    let clause = scan.token(before)?.clause;
    let mut best: Option<usize> = None;
    let mut own = clause;
    for number in (0..before).rev().take(FAR) {
        let Some(token) = scan.token(number) else { continue };
        if token.clause + CARRIED < clause {
            break;
        }
        if token.clause == clause {
            continue;
        }
        // The first noun of the nearest clause that has one.
        if token.clause != own && best.is_some() {
            break;
        }
        own = token.clause;
        if is_entity(scan, number) && !scan.is_inside(number) {
            best = Some(number);
        }
    }
    let first = best?;
    let run = (first + 1..scan.reading.tokens.len())
        .take(FAR)
        .take_while(|number| is_noun(scan, *number) && scan.together(first, *number));
    Some(first..first + 1 + run.count())
}

fn widened(scan: &Scan<'_>, last: usize) -> Range<usize> {
    let first = (0..last)
        .rev()
        .take(FAR)
        .take_while(|number| is_noun(scan, *number) && is_noun(scan, last) && scan.together(*number, last))
        .last();
    first.unwrap_or(last)..last + 1
}

fn is_noun(scan: &Scan<'_>, number: usize) -> bool {
    scan.token(number).is_some_and(|token| token.class.is_none() && token.is('n') && !token.is_mark())
}

/// A noun, name or person; no question word, and nothing that only points at a word.
pub fn is_entity(scan: &Scan<'_>, number: usize) -> bool {
    let pronoun = |text: &str| {
        matches!(
            text,
            "我" | "你" | "他" | "她" | "它" | "我们" | "你们" | "他们" | "她们" | "它们" | "您" | "咱们" | "自己" | "人家"
        )
    };
    is_noun(scan, number) || scan.token(number).is_some_and(|token| token.class.is_none() && pronoun(&token.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Reading;

    fn who(text: &str) -> String {
        let reading = Reading::new(text);
        let scan = Scan::new(&reading);
        let entity = scan.places.first().and_then(|place| of_place(&scan, place));
        entity.map_or(String::new(), |words| reading.text(scan.chars(words)))
    }

    #[test]
    fn the_clause_tells_who() {
        assert_eq!(who("孩子躲在门后。"), "孩子");
        assert_eq!(who("他把钥匙放在桌子上。"), "钥匙");
        assert_eq!(who("桌子下面有一只猫。"), "猫");
        assert_eq!(who("他从口袋里掏出手帕。"), "手帕");
        assert_eq!(who("他从口袋里掏出一块手帕。"), "手帕");
        assert_eq!(who("老师走了很久，在树下坐着。"), "老师");
        assert_eq!(who("在树下坐着。"), "");
    }
}
