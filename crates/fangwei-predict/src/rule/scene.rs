//! Do two texts show one scene? They do where the words in which they differ mean the same place: 里 and 中, 上车 and 车里, 出来 and 出去 seen from two sides.

use std::ops::Range;

use fangwei::lexicon::Class;

use super::entity;
use super::rules::locative::{core, noun_of};
use super::scan::Scan;
use crate::reading::Reading;
use fangwei::lexicon::Lexicon;

/// What is thought of two texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// How likely they show one scene.
    pub same: f64,
    /// The strings in which they differ, widened to words.
    pub differ: (String, String),
    /// The reason, if they do,
    pub if_same: String,
    /// and if they do not.
    pub if_not: String,
    /// What decided.
    pub why: &'static str,
}

/// Words that mean the same place or way, after any noun.
const SAME: &[&str] = &[
    "里 中 内 里面 里边 里头 之中 之内 当中 内部",
    "旁 边 旁边 一旁 边上 侧 侧边 近旁 之旁",
    "附近 周围 四周 旁边 周边 四处",
    "上 上面 上边 上头 之上 顶上",
    "下 下面 下边 下头 底下 之下",
    "前 前面 前边 前头 前方 之前",
    "后 后面 后边 后头 后方 之后 背后",
    "外 外面 外边 外头 之外",
    "左 左边 左面 左侧 左方",
    "右 右边 右面 右侧 右方",
    "中间 当中 正中 中央 之间",
    "沿 沿着 顺着 循着 顺",
    "从 自 由 打",
    "向 朝 往 向着 朝着",
    "到 至",
    "来 去",
    "上来 上去",
    "下来 下去",
    "进来 进去",
    "出来 出去",
    "过来 过去",
    "回来 回去",
];

/// Compares two texts.
pub fn compare(one: &str, two: &str) -> Comparison {
    let reading = Reading::new(one);
    let scan = Scan::new(&reading);
    let other: Vec<char> = two.chars().collect();
    let (narrow, narrow_two) = difference(&reading.chars, &other);
    let (wide, wide_two) = widen(&scan, &narrow, &narrow_two, &other);
    let cut = |range: &Range<usize>| other.get(range.clone()).unwrap_or_default().iter().collect::<String>();
    let words = word_pair(&reading, &Reading::new(two), &narrow, &narrow_two);
    let noun = noun_before(&scan, &narrow);
    let (same, why) = judge(&words, noun.as_deref(), one == two);
    let differ = (reading.text(wide), cut(&wide_two));
    let who = subject(&scan, &narrow);
    let entities = entities(&scan, two);
    let (if_same, if_not) = (told(true, &differ, &who, &entities, &words), told(false, &differ, &who, &entities, &words));
    Comparison { same, differ, if_same, if_not, why }
}

/// Where two texts differ: what lies between their common beginning and their common end.
fn difference(one: &[char], two: &[char]) -> (Range<usize>, Range<usize>) {
    let before = one.iter().zip(two).take_while(|(a, b)| a == b).count();
    let rest = one.len().min(two.len()) - before;
    let after = one.iter().rev().zip(two.iter().rev()).take_while(|(a, b)| a == b).count().min(rest);
    (before..one.len() - after, before..two.len() - after)
}

/// The difference widened to whole words of the first text, with the noun of a locative; the same characters on both sides.
fn widen(scan: &Scan<'_>, one: &Range<usize>, two: &Range<usize>, other: &[char]) -> (Range<usize>, Range<usize>) {
    let length = scan.reading.chars.len();
    let (mut start, mut end) = (one.start, one.end);
    if let Some(token) = scan.reading.token_at(start.min(length.saturating_sub(1))) {
        start = start.min(token.begin);
    }
    if let Some(token) = end.checked_sub(1).and_then(|last| scan.reading.token_at(last)).filter(|_| !one.is_empty()) {
        end = end.max(token.end);
    }
    let place = scan
        .places
        .iter()
        .find(|place| scan.token(place.last).is_some_and(|token| token.begin < end.max(start + 1) && token.end > start));
    if let Some(noun) = place.and_then(|place| place.noun).and_then(|noun| scan.token(noun)) {
        start = start.min(noun.begin);
    }
    let (left, right) = (one.start - start, end - one.end);
    let mut wide = (start..end, two.start.saturating_sub(left)..(two.end + right).min(other.len()));
    // Both strings must be there: a word that only one text has is shown with its neighbour.
    if wide.0.is_empty() || wide.1.is_empty() {
        if wide.0.start > 0 {
            wide = (wide.0.start - 1..wide.0.end, wide.1.start - 1..wide.1.end);
        } else if wide.0.end < length {
            wide = (wide.0.start..wide.0.end + 1, wide.1.start..wide.1.end + 1);
        }
    }
    wide
}

/// The words in which two texts differ, without what both have.
fn word_pair(one: &Reading, two: &Reading, at: &Range<usize>, at_two: &Range<usize>) -> (String, String) {
    let word = |reading: &Reading, at: &Range<usize>| {
        let first = reading.token_at(at.start).map_or(at.start, |token| token.begin);
        let last = at.end.checked_sub(1).and_then(|last| reading.token_at(last)).map_or(at.end, |token| token.end);
        reading.text(first..last.max(first))
    };
    (word(one, at), word(two, at_two))
}

fn noun_before(scan: &Scan<'_>, at: &Range<usize>) -> Option<String> {
    let place = scan
        .places
        .iter()
        .find(|place| scan.token(place.last).is_some_and(|token| token.begin <= at.start && at.start < token.end))?;
    place.noun.map(|noun| scan.text(noun).to_owned())
}

/// How likely the words mean one place, and why.
fn judge(words: &(String, String), noun: Option<&str>, equal: bool) -> (f64, &'static str) {
    if equal {
        return (0.95, "equal");
    }
    let together = |line: &str| [&words.0, &words.1].iter().all(|word| line.split(' ').any(|known| known == word.as_str()));
    if SAME.iter().any(|line| together(line)) {
        return (0.8, "synonyms");
    }
    let kind = noun.and_then(noun_of).map(|noun| Lexicon::shipped().kind(noun).name.as_str());
    let cores = (core(&words.0), core(&words.1));
    let either = |a: &str, b: &str| cores == (Some(a), Some(b)) || cores == (Some(b), Some(a));
    match kind {
        // 车上 and 车里, 书上 and 书里.
        Some("vehicle" | "carrier" | "body-volume") if either("上", "里") || either("上", "中") => (0.75, "on-is-in"),
        Some("clothing") if either("上", "里") => (0.6, "on-is-in"),
        Some("plant") if either("上", "里") || either("上", "中") => (0.6, "on-is-in"),
        _ if noun == Some("地") && either("上", "下") => (0.6, "ground"),
        _ => (0.15, "opposed"),
    }
}

fn subject(scan: &Scan<'_>, at: &Range<usize>) -> String {
    let place = scan.places.iter().find(|place| scan.chars(place.first..place.last + 1).end > at.start);
    let words = place.and_then(|place| entity::of_place(scan, place));
    let first = || scan.reading.tokens.iter().position(crate::reading::Token::is_nominal).map(|number| number..number + 1);
    words
        .or_else(first)
        .map_or_else(|| scan.reading.text(0..scan.reading.chars.len().min(4)), |words| scan.reading.text(scan.chars(words)))
}

/// Things that both texts name, at most four.
fn entities(scan: &Scan<'_>, two: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (number, token) in scan.reading.tokens.iter().enumerate() {
        let known = noun_of(&token.text).is_some() || token.pos.starts_with("nr") || token.is('r');
        if entity::is_entity(scan, number)
            && known
            && two.contains(token.text.as_str())
            && !all.iter().any(|other| *other == token.text)
        {
            all.push(token.text.to_string());
        }
        if all.len() == 4 {
            break;
        }
    }
    all
}

fn told(same: bool, differ: &(String, String), who: &str, entities: &[String], words: &(String, String)) -> String {
    let (one, two) = differ;
    let quoted: Vec<String> = entities.iter().map(|entity| format!("“{entity}”")).collect();
    let listed = if quoted.is_empty() {
        String::new()
    } else {
        format!("两段文本里都有这些空间实体：{}。", quoted.join("、"))
    };
    let moves = Lexicon::shipped().has(&words.0, Class::Directional);
    let what = if moves { "位移方向" } else { "处所" };
    let (a, b) = (meaning(&words.0), meaning(&words.1));
    let begin = format!("两段文本的差别在于“{one}”和“{two}”。{listed}描述“{who}”的位置时用词不一，");
    if same {
        format!("{begin}不过“{one}”和“{two}”描述“{who}”的{what}并无不同，都是{a}。所以，两段文本可以描述同一个空间场景。")
    } else {
        format!(
            "{begin}这说明“{one}”和“{two}”描述“{who}”的{what}并不相同，前者{a}，后者{b}。所以，两段文本不能描述同一个空间场景。"
        )
    }
}

/// A word of space in other words.
fn meaning(word: &str) -> String {
    let told = match core(word).unwrap_or(word) {
        "里" | "中" | "内" => "在它的内部",
        "外" => "在它的外部",
        "上" | "顶" => "在它的表面或上方",
        "下" | "底" => "在它的下方",
        "前" => "在它的正面一方",
        "后" => "在它的背面一方",
        "左" => "在靠左手的一侧",
        "右" => "在靠右手的一侧",
        "旁" | "边" | "侧" => "在它的近处",
        "进" | "进来" | "进去" => "从外部到内部",
        "出" | "出来" | "出去" => "从内部到外部",
        "上来" | "上去" => "从低处到高处",
        "下来" | "下去" => "从高处到低处",
        "过来" | "过去" => "从一处到另一处",
        other => return format!("“{other}”所指的位置"),
    };
    told.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fangwei::tasks::{is_difference, quoted_difference};

    #[test]
    fn differences_are_quoted_as_words_and_judged() {
        for (one, two, same, quoted) in [
            ("猫睡在沙发上。", "猫睡在沙发旁。", false, ("沙发上", "沙发旁")),
            ("米放在柜子里面。", "米放在柜子中。", true, ("柜子里面", "柜子中")),
            ("汽车上坐满了人。", "汽车里坐满了人。", true, ("汽车上", "汽车里")),
            ("小狗跑出来了。", "小狗跑出去了。", true, ("出来", "出去")),
        ] {
            let compared = compare(one, two);
            assert_eq!(compared.same > 0.5, same, "{one} {two} {compared:?}");
            assert_eq!((compared.differ.0.as_str(), compared.differ.1.as_str()), quoted);
            for reason in [&compared.if_same, &compared.if_not] {
                let quoted = quoted_difference(reason).expect("quotes");
                assert!(is_difference((one, two), quoted), "{reason}");
            }
        }
    }

    #[test]
    fn odd_pairs_are_compared_too() {
        for (one, two) in [("", ""), ("", "猫"), ("猫", ""), ("猫猫猫", "猫猫"), ("𠮷😀", "😀𠮷"), ("，", "。")]
        {
            let compared = compare(one, two);
            assert!((0.0..=1.0).contains(&compared.same), "{one} {two}");
        }
    }
}
