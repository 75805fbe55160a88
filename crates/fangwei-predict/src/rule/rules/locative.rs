//! Nouns and the locatives that they take: by the shape of the thing one can be 在水里, not 在水顶.

use fangwei::answer::ReasonType;
use fangwei::lang::{Say, words};
use fangwei::lexicon::{Class, Lexicon, Noun};

use super::{Finding, Rule};
use crate::rule::scan::Scan;

/// The noun does not take its locative.
pub const NOUN_LOCATIVE: Rule = Rule {
    id: "noun-locative",
    title: words("名词不能带这个方位词", "the noun does not take the locative"),
    kind: ReasonType::A,
    odds: 0.85,
    fires: "阳光旁有几只小鸟在飞。",
    silent: "阳光下有几只小鸟在飞。",
    find: noun_locative,
};

/// What holds things is named for what it holds: its other sides are seldom spoken of.
pub const HOLDER_SIDE: Rule = Rule {
    id: "holder-side",
    title: words("容纳物的外侧很少用来定位", "the outer side of what holds things is seldom a place"),
    kind: ReasonType::C,
    odds: 0.6,
    fires: "姐姐把信收在抽屉后。",
    silent: "姐姐把信收在抽屉里。",
    find: holder_side,
};

/// A locative of one syllable after a preposition, without a noun.
pub const BARE_LOCATIVE: Rule = Rule {
    id: "bare-locative",
    title: words("单音节方位词前面缺少名词", "a locative of one syllable stands without a noun"),
    kind: ReasonType::A,
    odds: 0.7,
    fires: "弟弟走在里，姐姐跟着他。",
    silent: "弟弟走在前，姐姐跟着他。",
    find: bare_locative,
};

/// Locatives that may stand without a noun: 走在前, 站在外.
const FREE: &[&str] = &["前", "后", "上", "下", "左", "右", "先", "外", "内", "旁", "东", "南", "西", "北", "中", "边"];

/// The locative of one syllable that a longer one stands for: 上面 is 上. Those that any noun takes are none.
pub fn core(locative: &str) -> Option<&'static str> {
    const CORES: &[(&str, &str)] = &[
        ("上", "上面 上边 上头 上方 之上"),
        ("下", "下面 下边 下头 下方 之下 底下"),
        ("里", "里面 里边 里头"),
        ("外", "外面 外边 外头 之外"),
        ("中", "之中 当中"),
        ("内", "之内"),
        ("顶", "顶上"),
        ("底", "底部"),
        ("旁", ""),
        ("边", ""),
        ("前", ""),
        ("后", ""),
        ("左", ""),
        ("右", ""),
        ("侧", ""),
        ("间", ""),
    ];
    let is = |(core, longer): &&(&'static str, &str)| *core == locative || longer.split(' ').any(|word| word == locative);
    CORES.iter().find(is).map(|(core, _)| *core)
}

/// The noun that a word is, or ends in: 办公桌 is a 桌.
pub fn noun_of(word: &str) -> Option<&'static Noun> {
    let lexicon = Lexicon::shipped();
    let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
    starts.into_iter().take(4).find_map(|at| lexicon.noun(&word[at..]))
}

/// How odd a locative is after a noun, from 0 to 1: 1 where the noun does not take it, else by how far from typical it is. Of an unknown noun, nothing.
pub fn oddity(noun: &str, locative: &str) -> Option<f64> {
    let (noun, core) = (noun_of(noun)?, core(locative)?);
    let same = |taken: &str| taken == core || taken == "里" && matches!(core, "内" | "中");
    let rank = noun.takes.iter().position(|taken| same(taken));
    Some(rank.map_or(1.0, |rank| rank as f64 / (noun.takes.len() + 1) as f64))
}

fn noun_locative(scan: &Scan<'_>) -> Vec<Finding> {
    let lexicon = Lexicon::shipped();
    let mut found = Vec::new();
    for place in &scan.places {
        let Some(noun) = place.noun.filter(|_| scan.is(place.last, Class::Locative)) else { continue };
        let (word, locative) = (scan.text(noun), scan.text(place.last));
        // Between two things there is a 间 whatever they are; after a number it is a measure.
        if locative == "间" || scan.token(noun).is_none_or(|token| !token.is('n')) || noun + 1 != place.last {
            continue;
        }
        let Some(known) = noun_of(word).filter(|_| oddity(word, locative) == Some(1.0)) else { continue };
        let kind = lexicon.kind(known);
        let takes = known.takes.join("、");
        let why = Say::new(
            format!("“{word}”（{}）带 {takes}，不带“{locative}”", kind.zh),
            format!("“{word}” ({}) takes {takes}, not “{locative}”", kind.name),
        );
        found.push(Finding::new(place.last, noun..noun + 1, why));
    }
    found
}

/// Kinds of things that hold, with the sides that are seldom meant. Which sides these are was settled on replaced sentences of 2022, where the rule tells
/// something; on those of 2021 it tells nothing.
const SIDES: &[(&str, &[&str])] = &[
    ("container", &["后", "外", "旁", "下", "边"]),
    ("vessel", &["后", "前", "旁"]),
    ("volume", &["后", "外", "边"]),
    ("carrier", &["后", "下", "旁"]),
    ("support", &["后"]),
    ("device", &["后", "下"]),
    ("boundary", &["里"]),
    ("surface", &["下"]),
];

fn holder_side(scan: &Scan<'_>) -> Vec<Finding> {
    let lexicon = Lexicon::shipped();
    let mut found = Vec::new();
    for place in scan.places.iter().filter(|place| scan.is(place.last, Class::Locative)) {
        let Some(noun) = place.noun.filter(|noun| noun + 1 == place.last) else { continue };
        let (word, locative) = (scan.text(noun), scan.text(place.last));
        let (Some(known), Some(side)) = (noun_of(word), core(locative)) else { continue };
        let kind = lexicon.kind(known);
        let seldom = SIDES.iter().any(|(name, sides)| *name == kind.name && sides.contains(&side));
        // Where the noun does not take the locative at all, the other rule has said so.
        if seldom && oddity(word, locative) != Some(1.0) {
            let usual = known.takes.first().map_or("里", |taken| taken.as_str());
            let why = Say::new(
                format!("“{word}”（{}）多说“{usual}”，少说“{locative}”", kind.zh),
                format!("of “{word}” ({}) one says “{usual}”, seldom “{locative}”", kind.name),
            );
            found.push(Finding::new(place.last, noun..noun + 1, why));
        }
    }
    found
}

fn bare_locative(scan: &Scan<'_>) -> Vec<Finding> {
    let bare = scan.places.iter().filter(|place| place.noun.is_none() && place.first == place.last && !place.modifies);
    let bare = bare.filter(|place| {
        place.governor.is_some_and(|governor| governor + 1 == place.last && matches!(scan.text(governor), "在" | "到" | "从"))
    });
    let bare = bare.filter(|place| {
        let text = scan.text(place.last);
        scan.is(place.last, Class::Locative) && text.chars().count() == 1 && !FREE.contains(&text)
    });
    bare.filter_map(|place| {
        let (governor, text) = (place.governor?, scan.text(place.last));
        let why = Say::new(format!("“{text}”前面没有名词"), format!("no noun stands before “{text}”"));
        Some(Finding::new(place.last, governor..governor + 1, why))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typical_locatives_are_less_odd() {
        let (inside, side) = (oddity("屋子", "里面").expect("known"), oddity("屋子", "旁").expect("known"));
        assert!(inside < side && side < 1.0, "{inside} {side}");
        assert_eq!(oddity("阳光", "旁"), Some(1.0));
        assert_eq!(oddity("不知何物", "旁"), None);
        assert_eq!((core("上面"), core("附近")), (Some("上"), None));
    }
}
