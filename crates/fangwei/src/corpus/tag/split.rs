//! Where the dictionary writes as one word what are two: 桌上, 走进, 放在.

use jieba_rs::Jieba;

use super::marks::Marks;
use super::{Tagger, Token};
use crate::lexicon::{Class, Lexicon};

/// What follows a verb without a gap: prepositions (坐在, 走到) and results (站满, 抓住).
const AFTER_VERBS: [&str; 24] = [
    "在", "到", "向", "往", "至", "于", "自", "给", "住", "成", "满", "走", "完", "倒", "紧", "稳", "着", "过身", "起身", "过头",
    "过脸", "球", "车", "船",
];

/// Words of the dictionary that join what does not belong together: 探出头来 is no 出头.
const NEVER: &[&str] = &[
    "洗衣服",
    "出头",
    "中去",
    "上有",
    "里有",
    "下有",
    "中来",
    "里去",
    "里来",
    "到门",
    "到家",
    "先上去",
    "地走了",
    "门里门外",
    "把手",
    "上前",
    "到场",
    "各站",
    "时会",
    "一来",
    "靠左边",
    "靠右边",
    "两者之间",
    "前屋",
    "树底",
    "去过",
    "来过",
    "随身带",
    "横穿马路",
    "下楼去",
    "上楼去",
    "左一闪",
    "开来",
    "环海",
    "坐不下",
    "放不下",
    "站不下",
    "装不下",
    "不下",
    "离海",
    "乱窜",
    "高高挂",
    "随处可见",
    "席地而坐",
    "枪架",
    "一前一后",
    "水漫",
    "装有",
    "最前面",
    "去不去",
    "来不来",
    "置身其中",
    "回过头来",
];

/// Prepositions that stand before a locative: 往上, 由东.
const BEFORE_LOCATIVES: [&str; 10] = ["往", "向", "朝", "由", "从", "自", "到", "至", "在", "靠"];

/// Locatives that stand alone after a preposition. 底 does not: 到底 is no place.
const CORE: [&str; 15] = ["上", "下", "里", "外", "中", "内", "前", "后", "左", "右", "旁", "东", "南", "西", "北"];

/// Teaches the segmenter the lexicon: its words stay whole, its compounds fall apart.
pub(super) fn prepare(jieba: &mut Jieba, lexicon: &Lexicon) {
    teach(jieba, lexicon);
    let words_of = |class: Class| -> Vec<&str> {
        lexicon.entries().iter().filter(|entry| entry.class == class).map(|entry| entry.word.as_str()).collect()
    };
    let short = |words: Vec<&'_ str>| -> Vec<String> {
        words.into_iter().filter(|word| word.chars().count() == 1).map(str::to_owned).collect()
    };
    let (locatives, verbs) = (short(words_of(Class::Locative)), words_of(Class::Verb));
    let directionals = words_of(Class::Directional);
    let mut forget = |compound: &str| {
        let meant = lexicon.look_up(compound).next().is_some()
            || [Lexicon::is_temporal, Lexicon::is_fixed].iter().any(|is| is(lexicon, compound))
            || lexicon.noun(compound).is_some();
        if !meant && jieba.has_word(compound) {
            jieba.add_word(compound, Some(0), None);
        }
    };
    for noun in lexicon.nouns() {
        for locative in &locatives {
            forget(&format!("{}{locative}", noun.word));
        }
        if noun.word.chars().nth(1).is_none() {
            for preposition in BEFORE_LOCATIVES {
                forget(&format!("{preposition}{}", noun.word));
            }
        }
        for directional in directionals.iter().filter(|word| word.chars().count() == 1) {
            forget(&format!("{directional}{}", noun.word));
        }
        forget(&format!("入{}", noun.word));
    }
    for verb in &verbs {
        for second in directionals.iter().chain(&AFTER_VERBS) {
            forget(&format!("{verb}{second}"));
        }
        forget(&format!("{verb}来{verb}去"));
    }
    let short_verbs = short(verbs);
    for locative in CORE {
        for verb in &short_verbs {
            forget(&format!("{locative}{verb}"));
        }
        for preposition in BEFORE_LOCATIVES {
            forget(&format!("{preposition}{locative}"));
            forget(&format!("{locative}{preposition}"));
            for other in CORE {
                forget(&format!("{other}{preposition}{locative}"));
                forget(&format!("由{other}{preposition}{locative}"));
                forget(&format!("从{other}{preposition}{locative}"));
            }
            for verb in &short_verbs {
                forget(&format!("{preposition}{locative}{verb}"));
            }
        }
    }
    for first in ["上", "下", "进", "出", "回", "过", "起"] {
        for (middle, last) in [("不", "来"), ("不", "去"), ("得", "来"), ("得", "去")] {
            forget(&format!("{first}{middle}{last}"));
        }
    }
    for word in lexicon.entries().iter().filter(|entry| matches!(entry.class, Class::Locative | Class::Place)) {
        forget(&format!("最{}", word.word));
    }
    for word in NEVER {
        jieba.add_word(word, Some(0), None);
    }
}

/// Makes the lexicon's words as likely as they must be to stay whole.
fn teach(jieba: &mut Jieba, lexicon: &Lexicon) {
    for entry in lexicon.entries().iter().filter(|entry| entry.word.chars().nth(1).is_some()) {
        // 对着 is more than 对 and 着 beside each other.
        let least = match entry.class {
            Class::Preposition | Class::Demonstrative | Class::Adverb => 2000,
            _ => 0,
        };
        let frequency = jieba.suggest_freq(&entry.word).max(least);
        jieba.add_word(&entry.word, Some(frequency), Some(super::pos_of(entry.class)));
    }
    for (word, tag) in lexicon.temporals().map(|word| (word, "t")).chain(lexicon.fixed().map(|word| (word, "v"))) {
        let frequency = jieba.suggest_freq(word);
        jieba.add_word(word, Some(frequency), Some(tag));
    }
    for noun in lexicon.nouns() {
        if noun.word.chars().nth(1).is_some() && !jieba.has_word(&noun.word) {
            jieba.add_word(&noun.word, None, Some("n"));
        }
    }
}

/// The byte at which the last `count` characters of a word begin.
fn tail(word: &str, count: usize) -> usize {
    word.char_indices().rev().nth(count - 1).map_or(0, |(at, _)| at)
}

impl Tagger {
    /// Adds a word of the draft, in two where it is two.
    pub(super) fn cut<'t>(&'t self, word: &'t str, pos: &'t str, tokens: &mut Vec<Token<'t>>) {
        let whole = self.token(word, pos);
        if !whole.marks.any(Marks::SPATIAL) && !whole.marks.any(Marks::TEMPORAL.or(Marks::ENTITY)) {
            // Only the dictionary's place words may hide a locative, only its verbs and phrases a direction.
            let parts = match pos {
                "s" => self.part(word, tail(word, 1), Marks::LOCATIVE, "n"),
                "l" | "i" | "v" | "t" => self.part(word, tail(word, 2), Marks::DIRECTIONAL, "v"),
                _ => None,
            };
            if let Some([stem, rest]) = parts {
                self.cut(stem.text, stem.pos, tokens);
                tokens.push(rest);
                return;
            }
        }
        // 站起身来: after a verb it is a direction and the body.
        if whole.text == "起身" && tokens.last().is_some_and(|last| last.marks.any(Marks::VERB)) {
            let (direction, body) = whole.text.split_at(tail(whole.text, 1));
            tokens.extend([self.token(direction, "v"), self.token(body, "n")]);
            return;
        }
        if self.phrase(&whole, tokens) || self.join(&whole, tokens) {
            return;
        }
        // 掉在地上: before a locative it is the ground, not the particle.
        if let Some(last) = tokens.last_mut().filter(|last| last.text == "地" && whole.marks.any(Marks::LOCATIVE)) {
            *last = self.token(last.text, "n");
        }
        tokens.push(whole);
    }

    /// 在思想上, 拿在手里: what the dictionary holds as one phrase is cut at its preposition or locative and drafted again.
    fn phrase<'t>(&'t self, whole: &Token<'t>, tokens: &mut Vec<Token<'t>>) -> bool {
        let known = whole.marks.any(Marks::SPATIAL) || whole.marks.any(Marks::TEMPORAL.or(Marks::ENTITY));
        if known || !matches!(whole.pos, "l" | "v" | "n") || whole.text.chars().nth(2).is_none() {
            return false;
        }
        let (first, last) =
            (whole.text.split_at(tail(whole.text, whole.text.chars().count() - 1)), whole.text.split_at(tail(whole.text, 1)));
        if matches!(first.0, "在" | "从" | "往" | "向" | "朝") {
            tokens.push(self.token(first.0, "p"));
            self.draft(first.1, tokens);
        } else if CORE.contains(&last.1) {
            self.draft(last.0, tokens);
            tokens.push(self.token(last.1, "f"));
        } else {
            return false;
        }
        true
    }

    /// A word in two at a byte, if the second part is what it should be.
    fn part<'t>(&'t self, word: &'t str, at: usize, mark: Marks, pos: &'static str) -> Option<[Token<'t>; 2]> {
        let (stem, rest) = word.split_at(at);
        let rest = self.token(rest, if pos == "n" { "f" } else { "v" });
        (at > 0 && rest.marks.any(mark)).then(|| [self.token(stem, pos), rest])
    }

    /// 到 凳子 | 上来: after a place that something moves to, the direction's first half is a locative.
    fn join<'t>(&'t self, whole: &Token<'t>, tokens: &mut Vec<Token<'t>>) -> bool {
        if !matches!(whole.text, "上来" | "上去" | "下来" | "下去")
            || !tokens.last().is_some_and(|last| last.marks.any(Marks::GROUND))
        {
            return false;
        }
        let clause = tokens.iter().rev().take(6).take_while(|token| !token.marks.any(Marks::PUNCTUATION));
        let toward = |token: &Token<'_>| matches!(token.text, "到" | "往" | "向" | "朝");
        let moved = clause.take_while(|token| toward(token) || !token.marks.any(Marks::VERB)).any(toward);
        if moved {
            let (locative, directional) = whole.text.split_at(tail(whole.text, 1));
            tokens.extend([self.token(locative, "f"), self.token(directional, "v")]);
        }
        moved
    }
}
