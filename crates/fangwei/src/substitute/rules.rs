//! The filter rules: which words are left alone, and which substitutions make no question worth asking.
//!
//! Each rule has a name that the configuration and the funnel use, and an example that its test runs.

use crate::corpus::{Passage, Word};
use crate::lang::{Words, words};
use crate::lexicon::{Class, Lexicon, Rival};

/// A word of an original that the lexicon knows.
#[derive(Clone, Copy, Debug)]
pub struct Slot<'p> {
    /// The original.
    pub passage: &'p Passage,
    /// The number of the word.
    pub number: usize,
    /// The number of its first character.
    pub at: usize,
    /// The class in which it would be replaced.
    pub class: Class,
}

impl<'p> Slot<'p> {
    /// The word.
    pub fn word(&self) -> &'p Word {
        &self.passage.words[self.number]
    }

    /// The word before, if there is one.
    pub fn before(&self) -> Option<&'p Word> {
        self.number.checked_sub(1).map(|number| &self.passage.words[number])
    }

    /// The word after, if there is one.
    pub fn after(&self) -> Option<&'p Word> {
        self.passage.words.get(self.number + 1)
    }
}

/// A word and what would take its place.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'p> {
    /// The place.
    pub slot: Slot<'p>,
    /// The rival.
    pub rival: Rival<'p>,
}

/// What a rule looks at.
#[derive(Clone, Copy)]
pub enum Looks {
    /// Words, before rivals are looked for: true where the word may be replaced.
    Word(fn(&Slot<'_>, &Lexicon) -> bool),
    /// Substitutions: true where it may be made.
    Substitution(fn(&Trial<'_>, &Lexicon) -> bool),
}

impl std::fmt::Debug for Looks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if matches!(self, Looks::Word(_)) { "Word" } else { "Substitution" })
    }
}

/// A filter rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name in configurations and funnels.
    pub name: &'static str,
    /// What it puts aside, and why.
    pub about: Words,
    /// The rule itself.
    pub looks: Looks,
}

/// Prepositions that can follow a verb at once.
const AFTER_VERBS: [&str; 8] = ["在", "到", "向", "往", "至", "于", "自", "朝"];

/// The rules, in the order in which they are asked.
pub const RULES: &[Rule] = &[
    Rule {
        name: "mentioned",
        about: words("引号里只有这个词：它被提及而不是被使用", "alone in quotation marks: mentioned, not used"),
        looks: Looks::Word(|slot, _| {
            let open = slot.before().is_some_and(|before| matches!(before.text.as_str(), "“" | "‘" | "「" | "《"));
            let close = slot.after().is_some_and(|after| matches!(after.text.as_str(), "”" | "’" | "」" | "》"));
            !(open && close)
        }),
    },
    Rule {
        name: "abstract-noun",
        about: words("抽象名词后的方位词不表示空间：思想上", "a locative after an abstract noun is not spatial: 思想上"),
        looks: Looks::Word(|slot, lexicon| {
            // 心里边, 记忆的深处: over locatives and 的 to what the place is a place of.
            let passed = |word: &&Word| word.pos == "f" || word.text == "的";
            let ground = slot.passage.words[..slot.number].iter().rev().find(|word| !passed(word));
            !matches!(slot.class, Class::Locative | Class::Place)
                || !ground.is_some_and(|ground| lexicon.is_abstract(&ground.text))
        }),
    },
    Rule {
        name: "temporal",
        about: words("时间词后的方位词表示时间：三点前", "a locative after a word of time tells a time: 三点前"),
        looks: Looks::Word(|slot, lexicon| {
            let time = |word: &Word| word.pos.starts_with('t') || lexicon.is_temporal(&word.text);
            slot.class != Class::Locative || slot.word().class.is_some() || !slot.before().is_some_and(time)
        }),
    },
    Rule {
        name: "not-spatial",
        about: words("不是空间用法：想起来", "not in spatial use: 想起来"),
        looks: Looks::Word(|slot, _| slot.word().class == Some(slot.class)),
    },
    Rule {
        name: "doubtful",
        about: words("词性标注可疑", "its tagging is doubtful"),
        looks: Looks::Word(|slot, _| !slot.passage.doubts.contains(&(slot.number as u32))),
    },
    Rule {
        name: "paired",
        about: words("与对立词成对出现：门里门外、由东向西", "stands in a pair with its opposite: 门里门外, 由东向西"),
        looks: Looks::Word(|slot, lexicon| !is_paired(slot, lexicon)),
    },
    Rule {
        name: "repeats-neighbour",
        about: words("新词与相邻的词相同：走来来", "the new word repeats its neighbour: 走来来"),
        looks: Looks::Substitution(|trial, _| {
            let (to, slot) = (trial.rival.word.as_str(), &trial.slot);
            let before = slot.before().is_some_and(|before| before.text.ends_with(to));
            !before && !slot.after().is_some_and(|after| after.text.starts_with(to))
        }),
    },
    Rule {
        name: "makes-a-word",
        about: words("新词与前一个词合成别的词：手下、网上", "the new word and the one before make another word: 手下, 网上"),
        looks: Looks::Substitution(|trial, lexicon| {
            let joined = |before: &Word| lexicon.is_fixed(&format!("{}{}", before.text, trial.rival.word));
            !trial.slot.before().is_some_and(joined)
        }),
    },
    Rule {
        name: "becomes-temporal",
        about: words("新词会读成时间：走进屋里 → 走进屋后", "the new word would be read as a time: 走进屋里 → 走进屋后"),
        looks: Looks::Substitution(|trial, _| {
            let after_motion = || {
                let words = &trial.slot.passage.words[..trial.slot.number];
                let mut clause = words.iter().rev().take_while(|word| word.pos != "x");
                clause.nth(1).is_some_and(|word| matches!(word.class, Some(Class::Directional | Class::Verb)))
            };
            trial.slot.class != Class::Locative || !matches!(trial.rival.word.as_str(), "后" | "前") || !after_motion()
        }),
    },
    Rule {
        name: "no-place-follows",
        about: words("介词后面是标点，没有宾语", "punctuation follows the preposition: it has no object"),
        looks: Looks::Substitution(|trial, _| {
            trial.slot.class != Class::Preposition || trial.slot.after().is_some_and(|after| after.pos != "x")
        }),
    },
    Rule {
        name: "after-verb",
        about: words(
            "动词后的介词只换成能放在那里的：停在 → 停到，不换成 停沿",
            "a preposition after a verb gives way only to one that can stand there: 停在 → 停到, not 停沿",
        ),
        looks: Looks::Substitution(|trial, _| {
            let after_verb = trial.slot.before().is_some_and(|before| before.class == Some(Class::Verb) || before.pos == "v");
            trial.slot.class != Class::Preposition || !after_verb || AFTER_VERBS.contains(&trial.rival.word.as_str())
        }),
    },
    Rule {
        name: "second-direction",
        about: words(
            "后面还有来、去的趋向动词不换成来、去、开、拢：跑开去 → 跑来去",
            "a direction that 来 or 去 follows does not become 来, 去, 开 or 拢: 跑开去 → 跑来去",
        ),
        looks: Looks::Substitution(|trial, _| {
            let follows = trial.slot.after().is_some_and(|after| matches!(after.text.as_str(), "来" | "去"));
            trial.slot.class != Class::Directional || !follows || !matches!(trial.rival.word.as_str(), "来" | "去" | "开" | "拢")
        }),
    },
];

/// Whether the clause holds a rival of the word in the same frame: 里 and 外 in 门里门外, 东 and 西 in 由东向西.
fn is_paired(slot: &Slot<'_>, lexicon: &Lexicon) -> bool {
    if slot.class != Class::Locative || slot.word().text.chars().nth(1).is_some() {
        return false;
    }
    let words = &slot.passage.words;
    let rivals = lexicon.rivals(&slot.word().text, slot.class);
    let matching = |other: usize| {
        let same_frame = match (slot.before(), other.checked_sub(1).and_then(|before| words.get(before))) {
            (Some(mine), Some(theirs)) => {
                mine.text == theirs.text || (mine.class == Some(Class::Preposition) && theirs.class == Some(Class::Preposition))
            }
            _ => false,
        };
        same_frame && words.get(other).is_some_and(|word| rivals.iter().any(|rival| *rival.word == word.text))
    };
    matching(slot.number + 2) || slot.number >= 2 && matching(slot.number - 2)
}
