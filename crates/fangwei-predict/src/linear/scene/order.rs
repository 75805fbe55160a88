//! Orders and converse relations: 从左到右依次是甲、乙 and 从右到左依次是乙、甲 show one scene, so do 甲在乙左边 and 乙在甲右边.
//!
//! Whoever turns the direction must turn what is named as well; who turns only one of them tells another scene.

use super::tables::opposite;
use crate::reading::Reading;
use std::ops::Range;

/// Two tellings of an order.
#[derive(Clone, PartialEq, Debug)]
pub struct Order {
    /// Whether they show one scene.
    pub same: bool,
    /// The things, as the first text has them.
    pub first: Vec<String>,
    /// The things, as the second has them.
    pub second: Vec<String>,
    /// The direction of the first text: from here,
    pub from: char,
    /// to there; of a converse relation the opposite.
    pub to: char,
    /// Whether the direction was turned.
    pub turned: bool,
    /// Whether it is a row (从左到右), not a relation of two (在左边).
    pub row: bool,
}

/// A direction in a text: 从左到右, 由东向西.
fn line(text: &str) -> Option<(char, char)> {
    let characters: Vec<char> = text.chars().filter(|character| !"边面侧方头".contains(*character)).collect();
    let windows = characters.windows(4);
    windows
        .filter(|window| "从自由".contains(window[0]) && "到至向往朝".contains(window[2]))
        .find_map(|window| (opposite(window[1]) == Some(window[3])).then_some((window[1], window[3])))
}

/// What a list names, cut at 、 和 与 及; what stands before its colon or 是 is no part.
fn list(text: &str) -> Vec<String> {
    let tail = text.rsplit(['：', ':', '是', '为']).next().unwrap_or(text);
    let cut = tail.split(['、', '和', '与', '及', '，', '跟', '同']);
    cut.map(|part| part.trim_matches(|character: char| !character.is_alphanumeric()).to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// Most characters of a sentence that are read as an order.
const LONGEST: usize = 400;

/// The sentence that holds the difference in each text.
pub fn sentence(reading: &Reading, range: &Range<usize>) -> Range<usize> {
    let number = |place: usize| reading.sentence_of.get(place.min(reading.chars.len().saturating_sub(1))).copied().unwrap_or(0);
    let (low, high) = (number(range.start), number(range.end.saturating_sub(1).max(range.start)));
    let start = (0..=range.start.min(reading.chars.len()))
        .rev()
        .take(LONGEST)
        .take_while(|place| number(*place) == low)
        .last()
        .unwrap_or(range.start);
    let end = (range.end..reading.chars.len())
        .take(LONGEST)
        .take_while(|place| number(*place) == high)
        .last()
        .map_or(range.end, |last| last + 1);
    start..end
}

/// Reads both texts as an order or a relation of two; `None` where they tell neither.
pub fn order(one: &Reading, two: &Reading, ranges: (&Range<usize>, &Range<usize>)) -> Option<Order> {
    let (text1, text2) = (one.text(sentence(one, ranges.0)), two.text(sentence(two, ranges.1)));
    let text = |text: &str| text.trim_end_matches(|character: char| !character.is_alphanumeric()).to_owned();
    let (text1, text2) = (text(&text1), text(&text2));
    if let (Some(line1), Some(line2)) = (line(&text1), line(&text2)) {
        let turned = (line1.0, line1.1) == (line2.1, line2.0);
        let (first, second) = (list(&text1), list(&text2));
        let sorted = |things: &[String]| {
            let mut things = things.to_vec();
            things.sort_unstable();
            things
        };
        // The same things must be named, else it is no order that differs.
        if first.len() < 2 || sorted(&first) != sorted(&second) || !(turned || line1 == line2) {
            return None;
        }
        let reversed: Vec<String> = second.iter().rev().cloned().collect();
        let same = if turned { reversed == first && (first != second) } else { first == second };
        // A palindrome of things is the same from both sides.
        let same = same || turned && first == second && first == reversed;
        return (turned || first != second).then_some(Order {
            same,
            first,
            second,
            from: line1.0,
            to: line1.1,
            turned,
            row: true,
        });
    }
    converse(&text1, &text2)
}

/// 甲在乙的左边 and 乙在甲的右边: things and direction both turned.
fn converse(text1: &str, text2: &str) -> Option<Order> {
    let (clause1, clause2) = differing_clause(text1, text2)?;
    let parse = |clause: &str| -> Option<(String, String, char)> {
        let (subject, rest) = clause.split_once('在')?;
        let direction = rest.chars().rev().find(|character| opposite(*character).is_some())?;
        let at = rest.rfind(direction)?;
        let thing = rest[..at].trim_end_matches(['的', '之']).to_owned();
        let subject =
            subject.trim_end_matches(['站', '坐', '位', '就', '正', '立', '放', '摆', '躺', '排', '走', '停']).to_owned();
        (!thing.is_empty() && !subject.is_empty()).then_some((subject, thing, direction))
    };
    let ((a, b, from), (c, d, to)) = (parse(&clause1)?, parse(&clause2)?);
    // The things must have changed places; else it is a plain difference of words.
    if a != d || b != c || a == b {
        return None;
    }
    let turned = opposite(from) == Some(to);
    if !turned && from != to {
        return None;
    }
    Some(Order { same: turned, first: vec![a, b.clone()], second: vec![c, d], from, to: opposite(from)?, turned, row: false })
}

/// The clauses that differ, if it is one of each.
fn differing_clause(text1: &str, text2: &str) -> Option<(String, String)> {
    let cut = |text: &str| text.split(['，', '。', '；', '！', '？', ',']).map(str::to_owned).collect::<Vec<_>>();
    let (clauses1, clauses2) = (cut(text1), cut(text2));
    if clauses1.len() != clauses2.len() {
        return None;
    }
    let mut differing = clauses1.into_iter().zip(clauses2).filter(|(a, b)| a != b);
    let first = differing.next()?;
    differing.next().is_none().then_some(first)
}

impl Order {
    /// How the things stand by the first or the second text.
    pub fn says(&self, second: bool) -> String {
        let things = if second { &self.second } else { &self.first };
        if !self.row {
            let direction = if second && self.turned { self.to } else { self.from };
            return format!("{}处在{}的{direction}边", things[0], things[1]);
        }
        let from = if second && self.turned { self.to } else { self.from };
        let to = opposite(from).unwrap_or(self.to);
        let (head, tail) = (&things[0], &things[things.len() - 1]);
        let middle =
            if things.len() > 2 { format!("{}位于中间，", things[1..things.len() - 1].join("、")) } else { String::new() };
        format!("{head}位于最{from}边，{middle}{tail}位于最{to}边")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::scene::difference::Difference;

    fn told(one: &str, two: &str) -> Option<Order> {
        let (one, two) = (Reading::new(one), Reading::new(two));
        let at = Difference::between(&one.chars, &two.chars).expect("differ");
        order(&one, &two, (&at.first(), &at.second()))
    }

    #[test]
    fn turning_both_keeps_the_scene() {
        let same = told("书架上从上到下放着：词典、画册和小说。", "书架上从下到上放着：小说、画册和词典。").expect("an order");
        assert!(same.same, "{same:?}");
        assert_eq!(same.says(false), "词典位于最上边，画册位于中间，小说位于最下边");
        let other = told("书架上从上到下放着：词典、画册和小说。", "书架上从下到上放着：词典、画册和小说。").expect("an order");
        assert!(!other.same);
        assert!(told("甲楼在乙楼的东边。", "乙楼在甲楼的西边。").expect("converse").same);
        assert!(!told("甲楼在乙楼的东边。", "乙楼在甲楼的东边。").expect("converse").same);
        assert_eq!(told("猫在桌子左边。", "猫在桌子右边。"), None);
        // A direction somewhere in the sentence makes no order of what differs.
        assert_eq!(told("车从左到右驶过，停在路上，熄了火。", "车从左到右驶过，停在路边，熄了火。"), None);
    }
}
