//! What everyone knows: set phrases, where things are put, where one sits.

use fangwei::answer::ReasonType;
use fangwei::lang::{Say, words};
use fangwei::lexicon::{Class, Lexicon};

use super::locative::{core, noun_of};
use super::{Finding, Rule};
use crate::rule::scan::Scan;

/// A set phrase in which one word was exchanged.
pub const IDIOM: Rule = Rule {
    id: "idiom",
    title: words("固定说法中的一个字被换", "a set phrase with one word exchanged"),
    kind: ReasonType::A,
    odds: 0.9,
    fires: "大家饿得前胸贴左背。",
    silent: "大家饿得前胸贴后背。",
    find: idiom,
};

/// A verb whose object lies inside, or on, something.
pub const VERB_PLACE: Rule = Rule {
    id: "verb-place",
    title: words("动作的结果不会在那个位置", "what is done leaves nothing there"),
    kind: ReasonType::C,
    odds: 0.7,
    fires: "妈妈把面粉装在袋子外。",
    silent: "妈妈把面粉装在袋子里。",
    find: verb_place,
};

/// A seat is sat on.
pub const SEAT_UNDER: Rule = Rule {
    id: "seat-under",
    title: words("坐、躺、睡、骑的地方在物体上面", "one sits, lies or rides on a thing, not under it"),
    kind: ReasonType::C,
    odds: 0.7,
    fires: "爷爷坐在椅子下看报纸。",
    silent: "爷爷坐在椅子上看报纸。",
    find: seat_under,
};

/// Set phrases that hold two words of space; either may be exchanged.
const IDIOMS: &[&str] = &[
    "前胸贴后背",
    "上气不接下气",
    "里三层外三层",
    "里里外外",
    "上上下下",
    "前前后后",
    "左邻右舍",
    "前仰后合",
    "东张西望",
    "左顾右盼",
    "里应外合",
    "上蹿下跳",
    "走南闯北",
    "东奔西跑",
    "南来北往",
    "天南海北",
    "前呼后拥",
    "东倒西歪",
    "左思右想",
    "瞻前顾后",
    "四面八方",
    "眼前一亮",
    "前因后果",
    "忙里偷闲",
    "跑前跑后",
    "翻来覆去",
    "跳上跳下",
    "进进出出",
    "上下左右",
    "前后左右",
    "身前身后",
    "从上到下",
    "从里到外",
    "从头到脚",
    "由远及近",
    "居高临下",
    "由表及里",
];
/// Characters of space that are exchanged for each other.
const SPATIAL: &str = "上下里外中内前后左右旁边东南西北进出来去起回";

fn idiom(scan: &Scan<'_>) -> Vec<Finding> {
    let chars = &scan.reading.chars;
    let mut found = Vec::new();
    for phrase in IDIOMS {
        let wanted: Vec<char> = phrase.chars().collect();
        for (start, window) in chars.windows(wanted.len()).enumerate() {
            let mut wrong = window.iter().zip(&wanted).enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at);
            let (Some(at), None) = (wrong.next(), wrong.next()) else { continue };
            // Of a phrase of three or more other characters one exchanged word of space is no chance.
            let exchanged = SPATIAL.contains(window[at]) && SPATIAL.contains(wanted[at]);
            if !exchanged || IDIOMS.iter().any(|other| other.chars().eq(window.iter().copied())) {
                continue;
            }
            let Some(word) = scan.reading.token_of.get(start + at).copied() else { continue };
            let first = scan.reading.token_of[start];
            let last = scan.reading.token_of[start + wanted.len() - 1];
            let written: String = window.iter().collect();
            let why = Say::new(format!("“{written}”应为“{phrase}”"), format!("“{written}” is “{phrase}” with a word exchanged"));
            found.push(Finding::new(word, first..last + 1, why));
        }
    }
    found
}

/// Verbs, and the locatives at which their object does not end up.
const ENDS: &[(&str, &[&str])] = &[
    ("装 盛 塞 插 包 藏 关 泡 浸 埋 含 揣 装入 锁", &["外", "旁", "前", "后", "边", "左", "右"]),
    ("写 画 刻 印 贴 涂 绣 描 登 刊登 抄", &["外", "旁", "左", "右", "底"]),
    ("铺 盖 披 戴 穿 骑 落 踩", &["外", "旁", "内"]),
    ("骑 跨", &["下", "里", "旁", "前", "后"]),
];

fn verb_place(scan: &Scan<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for place in scan.places.iter().filter(|place| place.follows && scan.is(place.last, Class::Locative) && place.noun.is_some())
    {
        let Some(verb) = place.verb else { continue };
        let (word, locative) = (scan.text(verb), scan.text(place.last));
        let Some(core) = core(locative) else { continue };
        let clash = ENDS.iter().any(|(verbs, wrong)| verbs.split(' ').any(|known| known == word) && wrong.contains(&core));
        if clash && !place.modifies && noun_of(scan.text(place.noun.unwrap_or(0))).is_some() {
            let why =
                Say::new(format!("“{word}”的结果不在“{locative}”"), format!("what is “{word}” does not end up “{locative}”"));
            found.push(Finding::new(place.last, verb..verb + 1, why));
        }
    }
    found
}

fn seat_under(scan: &Scan<'_>) -> Vec<Finding> {
    const POSTURES: &[&str] = &["坐", "躺", "睡", "骑", "趴"];
    const SEATS: &[&str] =
        &["椅子", "椅", "沙发", "凳子", "凳", "床", "板凳", "座位", "马", "炕", "藤椅", "木椅", "轮椅", "床铺", "草地", "地"];
    let mut found = Vec::new();
    for place in scan.places.iter().filter(|place| scan.is(place.last, Class::Locative)) {
        let (Some(verb), Some(noun)) = (place.verb, place.noun) else { continue };
        let (word, thing, locative) = (scan.text(verb), scan.text(noun), scan.text(place.last));
        let seat = SEATS.contains(&thing)
            || noun_of(thing).is_some_and(|noun| {
                Lexicon::shipped().kind(noun).name == "support" && SEATS.iter().any(|seat| thing.ends_with(seat))
            });
        if POSTURES.contains(&word) && seat && matches!(core(locative), Some("下" | "底" | "外")) && thing != "地" {
            let why = Say::new(format!("“{word}”在“{thing}”的上面"), format!("one does “{word}” on top of “{thing}”"));
            found.push(Finding::new(place.last, verb..verb + 1, why));
        }
    }
    found
}
