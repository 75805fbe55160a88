//! Entities: of all nouns, names and pronouns around a frame, which one is there or moves.
//!
//! A conditional logit over heads. What counts: where the head stands to the place and to the event, what governs it, whether a subject is carried over from
//! clauses before, what kind of thing it is, and what the event does to what stands before and after it.

use super::frame::{Shape, words_of};
use super::gold::{Frame, Mentions};
use super::mention::can_head;
use super::view::{Sort, View, step};
use crate::learn::choice::{Alternatives, Choice, Examples};
use crate::learn::feature::Template;

/// How far from the anchor an entity may stand, in words.
const REACH: usize = 90;
/// How far back a clause is looked at; longer ones are no clauses.
const CLAUSE: usize = 40;
const TEMPLATES: u16 = 400;

/// The words that may be the entity of a shape, nearest to the anchor or not.
pub fn heads(view: &View, anchor: usize) -> Vec<usize> {
    let word = view.word_at(anchor);
    let range = word.saturating_sub(REACH)..(word + REACH + 1).min(view.words.len());
    range.filter(|word| can_head(view, *word)).collect()
}

/// What is asked of a shape once.
struct About {
    anchor: usize,
    /// The words of the anchor's fragment, first and last.
    place: (usize, usize),
    role: u64,
    roles: u64,
    event: Option<(usize, usize)>,
    event_text: u64,
    /// The first word of all of the shape, and the last.
    span: (usize, usize),
    within: u64,
    /// How the clause of the event begins: whether a nominal stands before the event.
    subject: u64,
    clause: isize,
    event_clause: isize,
    person: u8,
    animal: u8,
    family: u64,
}

impl About {
    fn new(view: &View, anchor: usize, shape: &Shape) -> About {
        let of = |at: &[usize]| words_of(view, anchor, at);
        let (own, place, event) = shape.around(view, anchor);
        let event_text = if event.is_some() {
            let text: String = shape.event.iter().filter_map(|place| view.reading.chars.get(*place)).collect();
            super::view::number_of(&text)
        } else {
            0
        };
        let main = event.map_or(place.0, |(first, _)| first.min(place.0));
        let all = shape.places.iter().map(|(_, at)| of(at)).chain(event);
        let span = all.fold(place, |span, other| (span.0.min(other.0), span.1.max(other.1)));
        let clause = view.clause(anchor);
        let event_clause = shape.event.first().map_or(clause, |place| view.clause(*place));
        let begin = (main.saturating_sub(CLAUSE)..main)
            .rev()
            .take_while(|word| view.clause(view.reading.tokens[*word].begin) == view.clause(view.reading.tokens[main].begin))
            .last();
        let subject = begin.map_or(0, |begin| {
            let nominals = (begin..main).filter(|word| {
                matches!(view.words[*word].sort, Sort::Noun | Sort::Pronoun) && view.words[*word].within.is_none()
            });
            nominals.count().min(2) as u64
        });
        let within = view.words[place.0].sort;
        About {
            anchor,
            place,
            role: own.map_or(9, |(role, _)| *role as u64),
            roles: shape.places.iter().fold(0, |set, (role, _)| set | 1 << role),
            event,
            event_text,
            span,
            within: if within == Sort::Preposition { view.words[place.0].text } else { 1 },
            subject,
            clause,
            event_clause,
            person: super::view::kind_named("person"),
            animal: super::view::kind_named("animal"),
            family: view.family(event.map(|(first, _)| first)),
        }
    }

    fn keys(&self, view: &View, head: usize) -> Vec<u32> {
        let mut number = TEMPLATES;
        let mut template = || {
            number += 1;
            Template::new(number)
        };
        let word = &view.words[head];
        let h = head as isize;
        let place = view.reading.tokens[head].begin;
        let sort = word.sort as u64;
        let kind = u64::from(word.kind);
        let clause = (view.clause(place) - self.clause).clamp(-5, 5) as u64;
        let event_clause = (view.clause(place) - self.event_clause).clamp(-5, 5) as u64;
        let inside = head >= self.place.0 && head <= self.place.1;
        // Where it stands: before all, within the fragment, between fragment and event, after all.
        let stand = if inside {
            0
        } else if head < self.span.0 {
            1
        } else if head > self.span.1 {
            2
        } else {
            3
        };
        let to_event = self.event.map_or(0, |(first, last)| {
            if head < first {
                1
            } else if head > last {
                2
            } else {
                3
            }
        });
        let (near, far) = if head < self.place.0 { (head, self.place.0) } else { (self.place.1.min(head), head) };
        let between = |sums: &[u16]| u64::from(sums[far].saturating_sub(sums[near]).min(6));
        let nouns = between(&view.nominals);
        let verbs = between(&view.verbs);
        let words = step(h - if head < self.place.0 { self.place.0 as isize } else { self.place.1 as isize });
        let event_gap = self.event.map_or(0, |(first, last)| step(h - if head < first { first as isize } else { last as isize }));
        let left = view.text(h - 1);
        let right = view.text(h + 1);
        let (left_sort, right_sort) = (view.sort(h - 1) as u64, view.sort(h + 1) as u64);
        let governed = word.within.map_or(0, |at| view.text(at as isize));
        let has_event = u64::from(self.event.is_some());
        let same_sentence = u64::from(view.reading.sentence_of.get(place) == view.reading.sentence_of.get(self.anchor));
        let quotes = u64::from(word.quoted) + 2 * u64::from(view.words[self.place.1].quoted);
        // The first nominal of its clause is its subject, more often than not.
        let opens = (head.saturating_sub(CLAUSE)..head)
            .rev()
            .take_while(|other| view.clause(view.reading.tokens[*other].begin) == view.clause(place))
            .all(|other| !matches!(view.words[other].sort, Sort::Noun | Sort::Pronoun | Sort::Verb));
        let opens = u64::from(opens);
        let mut keys = Vec::with_capacity(48);
        keys.push(template().part(word.text).key());
        keys.push(template().part(word.pos).part(stand).part(to_event).key());
        keys.push(template().part(kind).part(stand).part(to_event).part(self.role).key());
        keys.push(template().part(sort).part(stand).part(clause).part(to_event).key());
        keys.push(template().part(words).part(stand).part(has_event).key());
        keys.push(template().part(words).part(sort).part(stand).part(left_sort).part(right_sort).key());
        keys.push(template().part(event_gap).part(event_clause).part(stand).key());
        keys.push(template().part(nouns).part(verbs).part(stand).part(clause).part(to_event).key());
        keys.push(template().part(nouns).part(stand).part(self.role).part(has_event).part(clause).key());
        keys.push(template().part(nouns).part(stand).part(self.within).part(has_event).key());
        keys.push(template().part(stand).part(to_event).part(self.event_text).part(clause).key());
        keys.push(template().part(to_event).part(self.event_text).part(governed).key());
        keys.push(template().part(to_event).part(self.event_text).part(kind).part(sort).key());
        keys.push(template().part(to_event).part(self.event_text).part(word.text).key());
        keys.push(template().part(stand).part(to_event).part(self.roles).part(self.subject).part(clause).key());
        keys.push(
            template()
                .part(stand)
                .part(to_event)
                .part(event_clause)
                .part(self.subject)
                .part(opens)
                .part(has_event)
                .part(self.role)
                .key(),
        );
        keys.push(template().part(opens).part(stand).part(event_clause).part(sort).key());
        keys.push(template().part(governed).part(stand).part(to_event).part(clause).key());
        keys.push(template().part(governed).part(self.role).part(event_clause).key());
        keys.push(template().part(left).part(stand).part(to_event).key());
        keys.push(template().part(right).part(stand).part(to_event).key());
        keys.push(template().part(right_sort).part(right).part(sort).part(clause).key());
        keys.push(template().part(left_sort).part(right_sort).part(stand).part(clause).part(to_event).part(nouns).key());
        keys.push(template().part(same_sentence).part(stand).part(sort).part(self.subject).key());
        keys.push(template().part(quotes).part(sort).part(stand).key());
        keys.push(template().part(quotes).part(word.text).key());
        // Back off to the last character of the head and to the family of the event: most words are rare.
        keys.push(template().part(word.tail).part(sort).key());
        keys.push(template().part(word.tail).part(to_event).part(stand).part(u64::from(clause == 0)).key());
        keys.push(template().part(word.tail).part(self.family).part(to_event).key());
        keys.push(template().part(self.family).part(stand).part(to_event).part(clause).key());
        keys.push(template().part(self.family).part(to_event).part(governed).part(nouns).key());
        keys.push(template().part(self.family).part(to_event).part(kind).key());
        keys.push(template().part(self.family).part(to_event).part(event_clause).part(self.subject).part(opens).key());
        keys.push(template().part(self.family).part(self.role).part(stand).part(to_event).key());
        // Animacy: who can do it.
        let alive = match word.kind {
            255 => 1,
            kind if kind == self.person => 1,
            kind if kind == self.animal => 2,
            0 => 3,
            _ => 4,
        };
        let alive = if word.sort == Sort::Pronoun { 5 } else { alive };
        keys.push(template().part(alive).part(self.event_text).part(to_event).part(u64::from(clause == 0)).key());
        keys.push(template().part(alive).part(self.family).part(to_event).part(stand).key());
        keys.push(template().part(alive).part(self.family).part(to_event).part(self.subject).part(clause).key());
        keys.push(template().part(alive).part(self.roles).part(to_event).part(stand).part(clause).key());
        keys.push(template().part(alive).part(opens).part(event_clause).part(self.subject).part(governed).key());
        keys.push(template().part(alive).part(nouns).part(to_event).part(stand).part(self.role).key());
        // The last of its kind before the frame: carried over.
        let last_alive = head < self.span.0
            && (head + 1..self.span.0).all(|at| {
                !matches!(view.words[at].kind, 255) && view.words[at].sort != Sort::Pronoun && view.words[at].kind != self.person
            });
        keys.push(template().part(alive).part(u64::from(last_alive)).part(clause).part(self.subject).part(has_event).key());
        let said = u64::from(matches!(view.sort(h + 1), Sort::Verb)) + 2 * u64::from(view.words[head].within.is_some());
        keys.push(template().part(said).part(opens).part(alive).part(clause).part(self.role).key());
        keys.push(
            template()
                .part(u64::from(word.earlier.min(3)))
                .part(u64::from(word.later.min(3)))
                .part(sort)
                .part(stand)
                .part(clause)
                .key(),
        );
        // 在桌上的书: what the place tells more about.
        let after = h - self.place.1 as isize;
        if (1..=6).contains(&after) {
            let mut row = template().part(has_event);
            let mut texts = template().part(has_event);
            for at in self.place.1 + 1..head {
                row = row.part(view.words[at].sort as u64);
                texts = texts.part(view.words[at].text);
            }
            keys.push(row.key());
            keys.push(row.part(self.role).part(right_sort).key());
            keys.push(texts.part(self.role).key());
        } else {
            template();
            template();
        }
        let before = self.place.0 as isize - h;
        if (1..=6).contains(&before) {
            let mut row = template().part(has_event);
            let mut texts = template().part(has_event);
            for at in head + 1..self.place.0 {
                row = row.part(view.words[at].sort as u64);
                texts = texts.part(view.words[at].text);
            }
            keys.push(row.key());
            keys.push(row.part(self.role).part(self.within).key());
            keys.push(texts.part(self.role).key());
        } else {
            template();
            template();
        }
        // The same seen from the event.
        if let Some((first, last)) = self.event {
            let range = if head < first { head + 1..first } else { last + 1..head.max(last + 1) };
            if range.len() <= 5 {
                let mut row = template().part(to_event);
                for at in range {
                    row = row.part(view.words[at].sort as u64);
                }
                keys.push(row.key());
                keys.push(row.part(self.role).key());
                keys.push(row.part(self.event_text).key());
                keys.push(row.part(self.family).part(1).key());
            }
        } else {
            template();
        }
        keys
    }
}

/// The heads that are right for an entity: as marked, and of mentions as good, with their shares.
fn right(view: &View, mentions: &Mentions) -> Vec<(usize, f32)> {
    let head = |at: &Vec<usize>| at.last().map(|last| view.word_at(*last));
    let own = head(&mentions.own).map(|head| (head, 1.0));
    let others = mentions.others.iter().filter_map(head).map(|head| (head, 0.3));
    own.into_iter().chain(others).collect()
}

/// Adds an example: a frame that people marked, seen from an anchor, with the shape that is known or thought.
pub fn learn(view: &View, anchor: usize, shape: &Shape, frame: &Frame, examples: &mut Examples) {
    let about = About::new(view, anchor, shape);
    let mut right: Vec<(usize, f32)> = frame.entities.iter().flat_map(|mentions| right(view, mentions)).collect();
    right.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    right.dedup_by_key(|(head, _)| *head);
    for head in heads(view, anchor) {
        let share = right.iter().find(|(known, _)| *known == head).map_or(0.0, |(_, share)| *share);
        examples.alternative(&about.keys(view, head), &[], share);
    }
    examples.close(1.0);
}

/// How likely each head is the entity of a shape, the likeliest first.
pub fn odds(model: &Choice, view: &View, anchor: usize, shape: &Shape) -> Vec<(usize, f64)> {
    let about = About::new(view, anchor, shape);
    let heads = heads(view, anchor);
    let mut alternatives = Alternatives::new(0);
    for head in &heads {
        alternatives.push(&about.keys(view, *head), &[]);
    }
    let odds = model.log_probabilities(&alternatives);
    let mut odds: Vec<(usize, f64)> = heads.into_iter().zip(odds).map(|(head, odds)| (head, f64::from(odds).exp())).collect();
    odds.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    odds
}
