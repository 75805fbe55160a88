//! Who and what the difference is about: the thing that is placed or moved, what it is placed by, the verb and the preposition, and the entities that both
//! texts name.

use std::ops::Range;

use fangwei::lexicon::{Class, Lexicon};

use super::tables::kind_of;
use crate::reading::{Reading, Token};

/// The actors of the clause of a difference.
#[derive(Clone, Debug, Default)]
pub struct Actors {
    /// What is placed or moved.
    pub figure: String,
    /// What it is placed by; empty where nothing is named.
    pub ground: String,
    /// Where that stands.
    pub ground_at: Option<Range<usize>>,
    /// The verb.
    pub verb: String,
    /// Where that stands.
    pub verb_at: Option<Range<usize>>,
    /// The preposition before the ground.
    pub preposition: String,
    /// Every verb of the clause.
    pub verbs: Vec<String>,
    /// Entities, the figure first.
    pub entities: Vec<String>,
}

/// How many tokens around the difference are looked at.
const REACH: usize = 40;
/// Most entities that a reason names.
const MOST_ENTITIES: usize = 4;
/// Particles that may stand between a thing and its locative.
const LINKS: &str = "的之";

/// Whether a token can name a thing in space.
fn is_thing(token: &Token) -> bool {
    let personal = token.text.starts_with(['我', '你', '他', '她', '它', '您', '咱']) && token.text.chars().count() <= 3;
    let named = token.is('n') && !token.is_mark() && token.pos != "nz" && !Lexicon::shipped().is_temporal(&token.text);
    let concrete = !Lexicon::shipped().is_abstract(&token.text);
    token.class.is_none() && (named && concrete || token.is('r') && personal)
}

/// Whether a token can be what something is placed by: also a morpheme that is no word alone (身 in 身前), a place, a building named by one character.
fn is_ground(token: &Token) -> bool {
    is_thing(token)
        || !token.is_mark()
            && (token.is('N') || token.is('s') || token.class == Some(Class::Place) || kind_of(&token.text).is_some())
}

/// The tokens of one noun phrase that ends before `end`: the noun, and nouns that stand right before it (潜水 桥).
fn phrase(reading: &Reading, end: usize) -> Option<Range<usize>> {
    let last = end.checked_sub(1)?;
    if !is_ground(reading.tokens.get(last)?) {
        return None;
    }
    let own = &reading.tokens[last];
    let mut first = last;
    while first > 0 && !own.is('r') {
        let before = &reading.tokens[first - 1];
        let familiar = own.text.chars().count() == 1 && matches!(before.text.as_str(), "小" | "老" | "阿");
        let joins = (before.is('n') || before.is('b') || familiar) && before.class.is_none() && !before.is_mark();
        let long: usize = reading.tokens[first - 1..=last].iter().map(|token| token.end - token.begin).sum();
        // A long common noun before another is mostly a verb's object or a topic of its own.
        let heavy =
            before.end - before.begin > 2 && !before.pos.starts_with("nr") && !before.pos.starts_with("ns") && last > first;
        let heavy = heavy || before.end - before.begin > 3;
        if !joins || heavy || last - first >= 3 || long > 6 {
            break;
        }
        first -= 1;
    }
    Some(first..last + 1)
}

fn text_of(reading: &Reading, tokens: &Range<usize>) -> String {
    reading.tokens[tokens.clone()].iter().map(|token| token.text.as_str()).collect()
}

/// The actors around a word at some characters. Before a directional verb stands what moves, not what it is placed by.
pub fn actors(reading: &Reading, word: &Range<usize>, directional: bool) -> Actors {
    let mut actors = Actors::default();
    let Some(own) = reading.token_of.get(word.start).copied() else { return actors };
    let clause = reading.tokens[own].clause;
    let last_own = reading.token_of.get(word.end.saturating_sub(1)).copied().unwrap_or(own);
    let low = own.saturating_sub(REACH);
    let high = (last_own + REACH).min(reading.tokens.len());
    let first = (low..=own).rev().take_while(|number| reading.tokens[*number].clause == clause).last().unwrap_or(own);
    let last = (last_own..high).take_while(|number| reading.tokens[*number].clause == clause).last().unwrap_or(last_own);
    actors.verbs = (first..=last)
        .map(|number| &reading.tokens[number])
        .filter(|token| token.is('v'))
        .map(|token| token.text.to_string())
        .collect();
    if !directional {
        find_ground(&mut actors, reading, word, own);
    }
    let ground_start = actors.ground_at.as_ref().map_or(own, |at| reading.token_of[at.start]);
    let preposition = (first..ground_start).rev().take(5).find(|number| {
        let token = &reading.tokens[*number];
        token.is('p')
            || token.class == Some(Class::Preposition)
            || matches!(token.text.as_str(), "在" | "到" | "从" | "向" | "往" | "朝")
    });
    actors.preposition = preposition.map(|number| reading.tokens[number].text.to_string()).unwrap_or_default();
    find_verb(&mut actors, reading, (first, preposition.unwrap_or(ground_start)), (last_own + 1, last + 1));
    find_figure(&mut actors, reading, (first, ground_start), (last_own + 1, last + 1));
    find_entities(&mut actors, reading, clause);
    actors
}

/// The ground: the noun right before the word, or the part of the word's own token before it (地 in 地下).
fn find_ground(actors: &mut Actors, reading: &Reading, word: &Range<usize>, own: usize) {
    let token = &reading.tokens[own];
    if token.begin < word.start {
        actors.ground_at = Some(token.begin..word.start);
        actors.ground = reading.text(token.begin..word.start);
        return;
    }
    let mut end = own;
    if end > 0 && LINKS.contains(reading.tokens[end - 1].text.as_str()) {
        end -= 1;
    }
    if let Some(found) = phrase(reading, end) {
        actors.ground_at = Some(reading.tokens[found.start].begin..reading.tokens[found.end - 1].end);
        actors.ground = text_of(reading, &found);
    }
}

/// The verb: the nearest before the prepositional phrase, else the first after the word.
fn find_verb(actors: &mut Actors, reading: &Reading, before: (usize, usize), after: (usize, usize)) {
    let is_verb = |number: &usize| {
        let token = &reading.tokens[*number];
        token.is('v')
            && token.class != Some(Class::Directional)
            && !matches!(token.text.as_str(), "是" | "有" | "在" | "到" | "要" | "能" | "会" | "来" | "去")
    };
    // 站在桥上: right before the preposition, with at most a particle between; 在桥上站着: after.
    let near = (before.0..before.1).rev().take(2).find(is_verb);
    let found = near.or_else(|| (after.0..after.1).find(is_verb)).or_else(|| (before.0..before.1).rev().find(is_verb));
    if let Some(number) = found {
        actors.verb = reading.tokens[number].text.to_string();
        actors.verb_at = Some(reading.tokens[number].range());
    }
}

/// The figure. After the word stands the thing that is there (墙上挂着画, 桌上的书); after 把 the thing that is moved, after 着 the thing that is taken along; else it
/// is the subject, if need be of an earlier clause.
fn find_figure(actors: &mut Actors, reading: &Reading, before: (usize, usize), after: (usize, usize)) {
    let text = |number: usize| reading.tokens.get(number).map_or("", |token| token.text.as_str());
    let head = |from: usize, to: usize| {
        // The head of a Chinese noun phrase is its last noun before a verb or a mark.
        let mut found = None;
        for number in from..to {
            let token = &reading.tokens[number];
            if is_thing(token) {
                found = Some(number);
            } else if found.is_some() && !LINKS.contains(token.text.as_str()) {
                break;
            }
        }
        // A thing with a locative after it is a place.
        let place =
            found.and_then(|number| reading.tokens.get(number + 1)).is_some_and(|next| next.class == Some(Class::Locative));
        found.filter(|_| !place).and_then(|number| phrase(reading, number + 1))
    };
    let moved =
        (before.0..before.1).rev().find(|number| matches!(text(*number), "把" | "将" | "让" | "着" | "拉着" | "带着" | "推着"));
    let carried = moved.and_then(|number| head(number + 1, before.1));
    let next = reading.tokens.get(after.0).filter(|_| after.0 < after.1);
    let linked = next.is_some_and(|token| token.text == "的");
    let counted = next.is_some_and(|token| token.is('m'));
    let existential = next.is_some_and(|token| token.is('v')) && actors.preposition.is_empty();
    let there = || if linked || counted || existential { head(after.0 + usize::from(!counted), after.1) } else { None };
    let found = carried.or_else(there).or_else(|| subject(actors, reading, before, after).and_then(|end| phrase(reading, end)));
    actors.figure = found.map(|tokens| text_of(reading, &tokens)).unwrap_or_default();
}

/// The end of the subject: of the clause, else of an earlier one of the sentence, else who acted last, else what comes next.
fn subject(actors: &Actors, reading: &Reading, before: (usize, usize), after: (usize, usize)) -> Option<usize> {
    let free = |number: &usize| {
        let token = &reading.tokens[*number];
        let governed = number
            .checked_sub(1)
            .is_some_and(|number| reading.tokens[number].is('p') || reading.tokens[number].class == Some(Class::Preposition));
        let place = reading.tokens.get(number + 1).is_some_and(|next| next.class == Some(Class::Locative));
        is_thing(token) && !within(actors, token) && !governed && !place
    };
    if let Some(own) = (before.0..before.1).find(free) {
        return Some(last_of_phrase(reading, own));
    }
    let sentence = |number: usize| reading.sentence_of.get(reading.tokens[number].begin).copied();
    let here = sentence(before.0.min(reading.tokens.len() - 1));
    let earlier: Vec<usize> = (0..before.0).rev().take(REACH).filter(free).collect();
    let in_sentence: Vec<usize> = earlier.iter().copied().filter(|number| sentence(*number) == here).collect();
    if let Some(nearest) = in_sentence.first() {
        let clause = reading.tokens[*nearest].clause;
        let first = in_sentence.iter().rev().find(|number| reading.tokens[**number].clause == clause);
        return first.map(|number| last_of_phrase(reading, *number));
    }
    let agent = earlier.iter().find(|number| is_agent(&reading.tokens[**number])).or(earlier.first());
    let later = || (after.0..(after.1 + REACH).min(reading.tokens.len())).find(free);
    agent.map(|number| last_of_phrase(reading, *number)).or_else(|| later().map(|number| last_of_phrase(reading, number)))
}

/// The token after the noun phrase that begins here: nouns in a row, and what 的 adds (祖父的书房).
fn last_of_phrase(reading: &Reading, number: usize) -> usize {
    let thing = |at: usize| reading.tokens.get(at).is_some_and(is_thing);
    let mut end = number + 1;
    while end - number < 5 {
        if thing(end) && !reading.tokens[end - 1].is('r') {
            end += 1;
        } else if reading.tokens.get(end).is_some_and(|token| token.text == "的") && thing(end + 1) {
            end += 2;
        } else {
            break;
        }
    }
    end
}

/// Whether the lexicon has the noun, or the two characters that it ends in.
fn is_listed(noun: &str) -> bool {
    let head = noun.char_indices().rev().nth(1).map_or(noun, |(at, _)| &noun[at..]);
    Lexicon::shipped().noun(noun).is_some() || noun != head && Lexicon::shipped().noun(head).is_some()
}

fn within(actors: &Actors, token: &Token) -> bool {
    actors.ground_at.as_ref().is_some_and(|at| token.begin < at.end && token.end > at.start)
}

/// Whether a token names someone who acts.
fn is_agent(token: &Token) -> bool {
    token.pos.starts_with("nr") || token.is('r') || matches!(kind_of(&token.text), Some("person" | "animal" | "vehicle"))
}

/// The figure, the ground and other things of the clause and its neighbours that both texts name.
fn find_entities(actors: &mut Actors, reading: &Reading, clause: usize) {
    let mut entities: Vec<String> = Vec::new();
    let mut put = |name: String| {
        let held = entities.iter().any(|other| other.contains(&name) || name.contains(other.as_str()));
        if !name.is_empty() && !held && entities.len() < MOST_ENTITIES {
            entities.push(name);
        }
    };
    put(actors.figure.clone());
    put(actors.ground.clone());
    let near = |distance: usize| {
        reading.tokens.iter().enumerate().filter(move |(_, token)| token.clause.abs_diff(clause) == distance && is_thing(token))
    };
    for distance in 0..3 {
        for (number, token) in near(distance).take(8) {
            if (is_agent(token) || distance == 0) && is_listed(&token.text) || token.pos.starts_with("nr") {
                put(phrase(reading, number + 1).map_or_else(|| token.text.to_string(), |tokens| text_of(reading, &tokens)));
            }
        }
    }
    actors.entities = entities;
}
