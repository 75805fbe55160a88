//! The text of an item, cut where spans begin and end. Places are code points; where spans overlap, all roles are named.

use super::{Card, MENTION};

/// A run of characters that are in the same spans.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// The characters.
    pub text: String,
    /// The classes of its roles; empty outside of spans.
    pub class: String,
    /// The roles, for readers who do not see colours.
    pub roles: String,
    /// Whether another mark has other roles here.
    pub differs: bool,
}

/// The roles at each place: name and look, sorted, each once.
fn roles_at(cards: &[Card], length: usize) -> Vec<Vec<(&str, &str)>> {
    let mut at = vec![Vec::new(); length];
    for row in cards.iter().flat_map(|card| &card.rows) {
        for idx in &row.idxes {
            if let Some(place) = at.get_mut(*idx as usize) {
                place.push((row.name.zh.as_str(), row.look.as_str()));
            }
        }
    }
    for place in &mut at {
        place.sort_unstable();
        place.dedup();
    }
    at
}

/// The classes of a place: the look of its first role, which stands before a mere mention of coreference; `many` where roles overlap. All are told by name.
fn class(roles: &[(&str, &str)]) -> String {
    let mut looks: Vec<&str> = roles.iter().map(|(_, look)| *look).filter(|look| *look != MENTION).collect();
    looks.dedup();
    match looks.as_slice() {
        [] if roles.is_empty() => String::new(),
        [] => format!("span {MENTION}"),
        [one] => format!("span {one}"),
        [first, ..] => format!("span {first} many"),
    }
}

/// Cuts a text by the spans of some cards.
pub fn draw(text: &str, cards: &[Card], others: &[&[Card]]) -> Vec<Piece> {
    let length = text.chars().count();
    let own = roles_at(cards, length);
    let others: Vec<_> = others.iter().map(|cards| roles_at(cards, length)).collect();
    let mut pieces: Vec<Piece> = Vec::new();
    for (at, character) in text.chars().enumerate() {
        let differs = others.iter().any(|other| other[at] != own[at]);
        let continues = at > 0 && own[at] == own[at - 1] && pieces.last().is_some_and(|piece| piece.differs == differs);
        match pieces.last_mut().filter(|_| continues) {
            Some(piece) => piece.text.push(character),
            None => {
                let roles: Vec<&str> = own[at].iter().map(|(role, _)| *role).collect();
                let class = class(&own[at]);
                pieces.push(Piece { text: character.to_string(), class, roles: roles.join(" "), differs });
            }
        }
    }
    pieces
}
