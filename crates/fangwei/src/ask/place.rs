//! Index repair: a model gives texts, the program finds their characters. The organisers of 2023 did so too, for the indexes of models are mostly wrong.
//!
//! `placing/1`, for each tuple:
//! 1. Indexes that the model gave and that spell its text stay (`own`).
//! 2. A text that stands in the context once is there (`exact`); of several places the choice is left to step 5 (`nearest`).
//! 3. A text with `…` is looked for piece by piece; one that stands nowhere as a whole is taken as up to four pieces in rising order, at most twenty characters
//!    apart, as few as possible, or as two pieces in the other order (`split`).
//! 4. A text that stands there in another width, case, with other quotation marks or blanks is there (`folded`).
//! 5. Where there is a choice, the places of a tuple are chosen together: the sum of the square roots of the gaps between its fragments is smallest, gaps
//!    within a fragment count twice, those between the two triples of one answer a fifth; the end of a sentence between two fragments costs as much as
//!    sixteen characters, and a character that two fragments share as much as thirty-six.
//! 6. The rest is `not-found` and has no place.
//!
//! Given only the texts of gold, the step finds 97.6 % of the fragments of 2023/anomaly (2,095 train items on which its costs were not set) and 98.2 % of
//! those of 2023/roles (train, on which they were). A perfect model would score 0.990 and 0.978 by it.

use smol_str::SmolStr;

use crate::text::{Span, join};

/// The name and version of the step; results name it.
pub const PLACING: &str = "placing/1";

/// How a text was found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The model's own indexes spell it.
    Own,
    /// It stands in the text once.
    Exact,
    /// It stands in several places: the one nearest to the other fragments of its tuple.
    Nearest,
    /// It stands there in pieces.
    Split,
    /// It stands there in another width or case, or with other blanks and quotation marks.
    Folded,
    /// It does not stand there.
    NotFound,
}

impl How {
    /// Every one, best first.
    pub const ALL: [How; 6] = [How::Own, How::Exact, How::Nearest, How::Split, How::Folded, How::NotFound];

    /// `own`, `exact`, …
    pub const fn as_str(self) -> &'static str {
        match self {
            How::Own => "own",
            How::Exact => "exact",
            How::Nearest => "nearest",
            How::Split => "split",
            How::Folded => "folded",
            How::NotFound => "not-found",
        }
    }
}

/// A text that the model gave and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The tuple, candidate or reason that it belongs to, from 0 in the order of the reply.
    pub tuple: usize,
    /// Its role.
    pub role: SmolStr,
    /// As the model wrote it.
    pub text: SmolStr,
    /// How it was found.
    pub how: How,
    /// The indexes that the model gave; empty where it gave none.
    pub given: Span,
    /// The indexes that it has; empty where it was not found.
    pub span: Span,
}

/// Of more places than these, the first are looked at.
const MOST_PLACES: usize = 48;
/// Beyond these lengths a text is not looked for in pieces.
const LONGEST_SPLIT: usize = 60;
const LONGEST_CONTEXT: usize = 5000;
/// Pieces that nobody marked stand close together.
const MOST_PIECES: usize = 4;
const WIDEST_GAP: usize = 20;
/// So many combinations are tried in full; beyond, each fragment moves by itself until none does.
const MOST_COMBINATIONS: usize = 4096;

/// A fragment to place: its triple within the answer (0 where there is one only), its text, the indexes that the model gave.
pub(super) struct Wanted<'w> {
    pub triple: u8,
    pub text: &'w str,
    pub given: &'w Span,
}

type Place = Vec<u32>;

/// Places the fragments of one tuple.
pub(super) fn place(context: &[char], wanted: &[Wanted<'_>]) -> Vec<(How, Span)> {
    let found: Vec<(How, Vec<Place>)> = wanted.iter().map(|wanted| places(context, wanted)).collect();
    let chosen = choose(&found, wanted, &sentences(context));
    let span = |(how, places): &(How, Vec<Place>), at: usize| {
        let span = places.get(at).map(|place| place.iter().copied().collect()).unwrap_or_default();
        (*how, span)
    };
    found.iter().zip(chosen).map(|(found, at)| span(found, at)).collect()
}

/// The places of one text.
fn places(context: &[char], wanted: &Wanted<'_>) -> (How, Vec<Place>) {
    let text: Vec<char> = wanted.text.trim().chars().collect();
    if !wanted.given.is_empty() && join(context, wanted.given).is_some_and(|there| there.chars().eq(text.iter().copied())) {
        return (How::Own, vec![wanted.given.iter().map(|idx| idx.0).collect()]);
    }
    let whole = occurrences(context, &text);
    match whole.len() {
        0 => {}
        1 => return (How::Exact, whole),
        _ => return (How::Nearest, whole),
    }
    let pieces = marked_pieces(&text);
    if pieces.len() > 1 {
        let marked = in_pieces(context, &pieces);
        if !marked.is_empty() {
            return (How::Split, marked);
        }
    }
    // Without its marks, for marks may stand where there is no gap.
    let text: Vec<char> = if pieces.len() > 1 { pieces.concat() } else { text };
    let folded = folded(context, &text);
    if !folded.is_empty() {
        return (How::Folded, folded);
    }
    let split = split(context, &text);
    if split.is_empty() { (How::NotFound, split) } else { (How::Split, split) }
}

fn occurrences(context: &[char], text: &[char]) -> Vec<Place> {
    if text.is_empty() || text.len() > context.len() {
        return Vec::new();
    }
    let starts = context.windows(text.len()).enumerate().filter(|(_, window)| *window == text);
    starts.take(MOST_PLACES).map(|(start, _)| (start as u32..(start + text.len()) as u32).collect()).collect()
}

/// The pieces between `…`, `...` and `⋯`; one where there is no such mark.
fn marked_pieces(text: &[char]) -> Vec<Vec<char>> {
    let text: String = text.iter().collect::<String>().replace("...", "…").replace('⋯', "…");
    text.split('…').map(|piece| piece.trim().chars().collect::<Vec<char>>()).filter(|piece| !piece.is_empty()).collect()
}

/// For each place of the first piece, each next piece where it is nearest, after the one before if it can be.
fn in_pieces(context: &[char], pieces: &[Vec<char>]) -> Vec<Place> {
    let all: Vec<Vec<Place>> = pieces.iter().map(|piece| occurrences(context, piece)).collect();
    let Some((first, rest)) = all.split_first() else { return Vec::new() };
    let follow = |start: &Place| {
        let mut place = start.clone();
        for next in rest {
            let last = place.last().copied().unwrap_or_default();
            let distance = |next: &&Place| (next[0] <= last, next[0].abs_diff(last));
            place.extend(next.iter().min_by_key(distance)?);
        }
        Some(place)
    };
    first.iter().filter_map(follow).collect()
}

/// A character without its width, case and style of quotation; blanks are nothing.
fn fold(character: char) -> Option<char> {
    Some(match character {
        _ if character.is_whitespace() => return None,
        '！'..='～' => char::from_u32(u32::from(character) - 0xFEE0).unwrap_or(character).to_ascii_lowercase(),
        '“' | '”' | '‘' | '’' | '\'' | '「' | '」' | '『' | '』' => '"',
        '。' => '.',
        '、' => ',',
        '—' | '–' => '-',
        _ => character.to_ascii_lowercase(),
    })
}

fn folded(context: &[char], text: &[char]) -> Vec<Place> {
    let text: Vec<char> = text.iter().filter_map(|character| fold(*character)).collect();
    let (characters, places): (Vec<char>, Vec<u32>) =
        context.iter().enumerate().filter_map(|(place, character)| Some((fold(*character)?, place as u32))).unzip();
    let found = occurrences(&characters, &text);
    found.into_iter().map(|place| place.into_iter().map(|at| places[at as usize]).collect()).collect()
}

/// A way of reading a text up to one of its characters: where that stands, the pieces so far, where the first stands, and the way before.
#[derive(Clone, Copy)]
struct Way {
    at: usize,
    pieces: usize,
    start: usize,
    before: usize,
}

/// The text in as few rising pieces as possible; else in two pieces, the later part first.
fn split(context: &[char], text: &[char]) -> Vec<Place> {
    if text.len() < 2 || text.len() > LONGEST_SPLIT || context.len() > LONGEST_CONTEXT {
        return Vec::new();
    }
    let mut ways: Vec<Vec<Way>> = Vec::with_capacity(text.len());
    for character in text {
        let here = context.iter().enumerate().filter(|(_, there)| *there == character).map(|(at, _)| at);
        let next: Vec<Way> = match ways.last() {
            None => here.map(|at| Way { at, pieces: 1, start: at, before: 0 }).collect(),
            Some(last) => here.filter_map(|at| best_way(last, at)).collect(),
        };
        if next.is_empty() {
            return swapped(context, text);
        }
        ways.push(next);
    }
    let last = ways.len() - 1;
    let fewest = ways[last].iter().map(|way| way.pieces).min().unwrap_or_default();
    let trace = |end: usize| {
        let (mut place, mut at) = (Vec::with_capacity(text.len()), end);
        for step in ways.iter().rev() {
            place.push(step[at].at as u32);
            at = step[at].before;
        }
        place.reverse();
        place
    };
    let ends = (0..ways[last].len()).filter(|end| ways[last][*end].pieces == fewest);
    ends.take(MOST_PLACES).map(trace).collect()
}

/// The best way on to the character at `at`: few pieces, then a short stretch.
fn best_way(last: &[Way], at: usize) -> Option<Way> {
    let step = |(before, way): (usize, &Way)| {
        let pieces = way.pieces + usize::from(at != way.at + 1);
        let near = way.at < at && at - way.at <= WIDEST_GAP + 1 && pieces <= MOST_PIECES;
        near.then_some(Way { at, pieces, start: way.start, before })
    };
    last.iter().enumerate().filter_map(step).min_by_key(|way| (way.pieces, at - way.start))
}

/// 从布告牌 where the text says 布告牌…从.
fn swapped(context: &[char], text: &[char]) -> Vec<Place> {
    let mut found: Vec<(usize, Place)> = Vec::new();
    for cut in 1..text.len() {
        let (head, tail) = (occurrences(context, &text[..cut]), occurrences(context, &text[cut..]));
        for (head, tail) in head.iter().flat_map(|head| tail.iter().map(move |tail| (head, tail))) {
            let end = tail[tail.len() - 1];
            if end < head[0] && (head[0] - end) as usize <= WIDEST_GAP + 1 {
                found.push(((head[0] - end) as usize, head.iter().chain(tail).copied().collect()));
            }
        }
    }
    found.sort();
    found.into_iter().take(MOST_PLACES).map(|(_, place)| place).collect()
}

/// What a place costs by itself: the gaps within it.
fn own_cost(place: &Place) -> f64 {
    let gaps = place.windows(2).filter(|pair| pair[1] != pair[0] + 1);
    gaps.map(|pair| 2.0 * f64::from(pair[1].abs_diff(pair[0])).sqrt()).sum()
}

/// The number of its sentence for each character.
fn sentences(context: &[char]) -> Vec<u32> {
    let mut number = 0;
    let count = |character: &char| {
        let here = number;
        number += u32::from(matches!(character, '。' | '！' | '？' | '；' | '!' | '?' | ';'));
        here
    };
    context.iter().map(count).collect()
}

/// What two places of one tuple cost together.
fn pair_cost(a: &Place, b: &Place, same_triple: bool, sentences: &[u32]) -> f64 {
    let ends = |place: &Place| (place.iter().min().copied().unwrap_or_default(), place.iter().max().copied().unwrap_or_default());
    let ((a_first, a_last), (b_first, b_last)) = (ends(a), ends(b));
    let gap = b_first.saturating_sub(a_last).max(a_first.saturating_sub(b_last));
    let sentence = |idx: u32| sentences.get(idx as usize);
    let apart = sentence(a_first.min(b_first)) != sentence(a_last.max(b_last));
    let far = f64::from(gap).sqrt() + if apart { 4.0 } else { 0.0 };
    let share = a_first <= b_last && b_first <= a_last && a.iter().any(|idx| b.contains(idx));
    (if same_triple { far } else { 0.2 * f64::from(gap).sqrt() }) + if share { 6.0 } else { 0.0 }
}

/// The number of the chosen place of each fragment.
fn choose(found: &[(How, Vec<Place>)], wanted: &[Wanted<'_>], sentences: &[u32]) -> Vec<usize> {
    let mut chosen = vec![0; found.len()];
    let open: Vec<usize> = (0..found.len()).filter(|number| found[*number].1.len() > 1).collect();
    let cost_of = |number: usize, at: usize, chosen: &[usize], others: &[usize]| {
        let place = &found[number].1[at];
        let pairs = others.iter().filter(|other| **other != number && !found[**other].1.is_empty()).map(|other| {
            pair_cost(place, &found[*other].1[chosen[*other]], wanted[number].triple == wanted[*other].triple, sentences)
        });
        own_cost(place) + pairs.sum::<f64>()
    };
    let settled: Vec<usize> = (0..found.len()).filter(|number| found[*number].1.len() == 1).collect();
    let combinations = open.iter().try_fold(1_usize, |product, number| {
        product.checked_mul(found[*number].1.len()).filter(|product| *product <= MOST_COMBINATIONS)
    });
    if let Some(combinations) = combinations {
        let mut best: Option<(f64, Vec<usize>)> = None;
        for mut number in 0..combinations {
            // The last fragment turns fastest: of equal combinations the one with the earliest places is met first.
            for open in open.iter().rev() {
                let count = found[*open].1.len();
                chosen[*open] = number % count;
                number /= count;
            }
            let costs = open.iter().enumerate().map(|(rank, number)| {
                let at = chosen[*number];
                cost_of(*number, at, &chosen, &settled) + cost_of(*number, at, &chosen, &open[..rank])
                    - own_cost(&found[*number].1[at])
            });
            let cost: f64 = costs.sum();
            if best.as_ref().is_none_or(|(least, _)| cost < *least - 1e-9) {
                best = Some((cost, chosen.clone()));
            }
        }
        return best.map_or(chosen, |(_, chosen)| chosen);
    }
    let all: Vec<usize> = (0..found.len()).collect();
    for _ in 0..8 {
        let before = chosen.clone();
        for number in &open {
            let cost = |at: &usize| cost_of(*number, *at, &chosen, &all);
            let best = (0..found[*number].1.len()).min_by(|a, b| cost(a).total_cmp(&cost(b)));
            chosen[*number] = best.unwrap_or_default();
        }
        if chosen == before {
            break;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(context: &str, wanted: &[(u8, &str, &[u32])]) -> Vec<(How, String)> {
        let context: Vec<char> = context.chars().collect();
        let spans: Vec<Span> = wanted.iter().map(|(_, _, given)| given.iter().copied().collect()).collect();
        let wanted: Vec<Wanted<'_>> =
            wanted.iter().zip(&spans).map(|((triple, text, _), given)| Wanted { triple: *triple, text, given }).collect();
        place(&context, &wanted).into_iter().map(|(how, span)| (how, span.to_string())).collect()
    }

    fn one(context: &str, text: &str) -> (How, String) {
        placed(context, &[(0, text, &[])]).remove(0)
    }

    #[test]
    fn each_way_of_finding_a_text() {
        // 0雨 1水 2顺 3着 4屋 5檐 6流 7进 8了 9墙 10边 11的 12水 13缸 14外
        let text = "雨水顺着屋檐流进了墙边的水缸外";
        assert_eq!(one(text, "屋檐"), (How::Exact, "[4-5]".into()));
        assert_eq!(one(text, "进…水缸外"), (How::Split, "[7,12-14]".into()));
        assert_eq!(one(text, "进水缸外"), (How::Split, "[7,12-14]".into()));
        assert_eq!(one(text, "水缸外流"), (How::Split, "[12-14,6]".into()));
        assert_eq!(one(text, "池塘"), (How::NotFound, String::new()));
        assert_eq!(one("开往A座（东）的车", "a座(东)"), (How::Folded, "[2-6]".into()));
        assert_eq!(one("", "屋檐"), (How::NotFound, String::new()));
        assert_eq!(one(text, ""), (How::NotFound, String::new()));
        assert_eq!(one(text, "……"), (How::NotFound, String::new()));
    }

    #[test]
    fn indexes_that_spell_the_text_stay() {
        let text = "猫看猫";
        assert_eq!(placed(text, &[(0, "猫", &[2])]), [(How::Own, "[2]".into())]);
        assert_eq!(placed(text, &[(0, "看", &[0])]), [(How::Exact, "[1]".into())]);
        assert_eq!(placed(text, &[(0, "看", &[9])]), [(How::Exact, "[1]".into())]);
    }

    #[test]
    fn of_several_places_the_one_nearest_to_the_tuple() {
        // 0他 1推 2开 3门 4， 5狗 6跑 7了 8， 9他 10坐 11在 12门 13边
        let text = "他推开门，狗跑了，他坐在门边";
        let tuple = placed(text, &[(0, "他", &[]), (0, "坐", &[]), (0, "在门边", &[])]);
        assert_eq!(tuple[0], (How::Nearest, "[9]".into()));
        assert_eq!(placed(text, &[(0, "他", &[]), (0, "推", &[])])[0].1, "[0]");
        // both open: 他 and 门 stand together in either clause; the earlier pair is as near (3 apart) as the later (3 apart)
        let pair = placed(text, &[(0, "他", &[]), (0, "门", &[])]);
        assert_eq!((pair[0].1.as_str(), pair[1].1.as_str()), ("[0]", "[3]"));
    }

    #[test]
    fn a_place_in_the_same_sentence_is_nearer() {
        // 0他 1走 2了 3。 4门 5边 6坐 7着 8一 9只 10狗 11， 12是 13他 14的: 他 at 0 is 4 from 门边, at 13 it is 8 away; √4 + 4 > √8
        let text = "他走了。门边坐着一只狗，是他的";
        assert_eq!(placed(text, &[(0, "他", &[]), (0, "门边", &[])])[0].1, "[13]");
        assert_eq!(placed(&text.replace('。', "，"), &[(0, "他", &[]), (0, "门边", &[])])[0].1, "[0]");
    }

    #[test]
    fn two_triples_are_placed_apart() {
        // 0猫 1在 2树 3上 4， 5猫 6在 7树 8下
        let answer = [(1, "猫", &[] as &[u32]), (1, "在树上", &[]), (2, "猫", &[]), (2, "在树下", &[])];
        let spans: Vec<String> = placed("猫在树上，猫在树下", &answer).into_iter().map(|(_, span)| span).collect();
        assert_eq!(spans, ["[0]", "[1-3]", "[5]", "[6-8]"]);
    }

    #[test]
    fn many_places_of_many_fragments_are_soon_chosen() {
        let text = "山上".repeat(300);
        let wanted: Vec<(u8, &str, &[u32])> = (0..40).map(|_| (0, "山", &[] as &[u32])).collect();
        assert_eq!(placed(&text, &wanted).len(), 40);
    }
}
