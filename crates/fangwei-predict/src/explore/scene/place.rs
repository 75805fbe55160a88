//! A place phrase as a ground and a side of it: 在门后 is behind the door, 桌子上 on the table, 在学校 at the school.

use fangwei::lexicon::Class;

use crate::linear::scene::tables::tables;
use crate::reading::{Reading, Token};

/// Where something is, seen from the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Inside of it, or simply there.
    In,
    /// On it, or above it.
    On,
    /// Below it.
    Under,
    /// To the left; in the west.
    Left,
    /// To the right; in the east.
    Right,
    /// Beside it, near it, outside of it.
    Beside,
    /// Before it.
    Front,
    /// Behind it.
    Back,
}

/// The ground of a phrase and the side of it. What cannot be taken apart is its own ground.
pub fn place(phrase: &str) -> (String, Side) {
    let reading = Reading::new(phrase);
    let first = usize::from(reading.tokens.first().is_some_and(|token| token.class == Some(Class::Preposition)));
    let rest = reading.tokens.get(first..).unwrap_or_default();
    match rest {
        [ground @ .., last] if last.class == Some(Class::Locative) && !ground.is_empty() => {
            (text(ground), side(&last.text).unwrap_or(Side::In))
        }
        // 在前面: there is a side, and nothing that it is a side of.
        [last] if last.class == Some(Class::Locative) => (last.text.to_string(), Side::In),
        [] => (phrase.to_owned(), Side::In),
        rest => (text(rest), Side::In),
    }
}

fn text(tokens: &[Token]) -> String {
    let text: String = tokens.iter().map(|token| token.text.as_str()).collect();
    text.trim_end_matches('的').to_owned()
}

/// The side that a locative names.
fn side(locative: &str) -> Option<Side> {
    let family = tables().family(locative).map_or("", |family| family.name);
    Some(match family {
        "in" | "between" | "middle" | "face" | "everywhere" => Side::In,
        "up" | "above" | "top" => Side::On,
        "down" | "below" | "bottom" | "foot" => Side::Under,
        "left" => Side::Left,
        "right" => Side::Right,
        "front" | "opposite" => Side::Front,
        "back" => Side::Back,
        "" => compass(locative)?,
        _ => Side::Beside,
    })
}

/// As on a map: north is up.
fn compass(locative: &str) -> Option<Side> {
    locative.chars().find_map(|character| match character {
        '北' => Some(Side::On),
        '南' => Some(Side::Under),
        '西' => Some(Side::Left),
        '东' => Some(Side::Right),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_have_a_ground_and_a_side() {
        let read = |phrase: &str| {
            let (ground, side) = place(phrase);
            format!("{ground} {side:?}")
        };
        assert_eq!(read("在门后"), "门 Back");
        assert_eq!(read("桌子上"), "桌子 On");
        assert_eq!(read("在山洞里面"), "山洞 In");
        assert_eq!(read("在树下"), "树 Under");
        assert_eq!(read("在河边"), "河 Beside");
        assert_eq!(read("在学校"), "学校 In");
        assert_eq!(read("在村子东边"), "村子 Right");
        assert_eq!(read(""), " In");
    }
}
