//! Signs of typing and conversion errors that can be seen without understanding the text.

use crate::corpus::{Passage, Word};

/// How often each sign of an error occurs in a passage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surface {
    /// Characters that do not belong into plain Chinese text.
    pub strange: usize,
    /// Quotation marks and brackets without their other half.
    pub unpaired: usize,
    /// Places where a stop or a particle is written twice.
    pub doubled: usize,
    /// The share of characters that are Latin letters or digits.
    pub foreign: f64,
    /// Whether the passage ends as a sentence does.
    pub ended: bool,
    /// The share of words that are a single character, spatial words aside.
    pub crumbs: f64,
}

impl Surface {
    /// Looks at a passage.
    pub fn of(passage: &Passage) -> Surface {
        let text = &passage.text;
        Surface {
            strange: text.chars().filter(|c| is_strange(*c)).count(),
            unpaired: unpaired(text),
            doubled: doubled_stops(text) + doubled_particles(&passage.words),
            foreign: share(text.chars().filter(|c| is_foreign(*c)).count(), text.chars().count()),
            ended: text.ends_with(['。', '！', '？', '…', '”', '’', '」', '』', '）', '!', '?', '"']),
            crumbs: crumbs(&passage.words),
        }
    }
}

/// Signs that occur in plain Chinese text beside its characters, letters and digits.
const SIGNS: &str = "，。、；：？！…—─―～·“”‘’「」『』（）《》〈〉【】〔〕－–〇 .,:;?!()[]'\"-~%/&+*=<>#@_％‰℃°′″×÷±／＋＝．²³";

fn is_foreign(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ')
}

/// Characters outside of the first twenty thousand (U+4E00 to U+9FA5) are rarer than the errors that bring them in.
fn is_strange(c: char) -> bool {
    !matches!(c, '\u{4e00}'..='\u{9fa5}') && !is_foreign(c) && !SIGNS.contains(c)
}

/// Opening and closing signs.
const PAIRS: [(char, char); 13] = [
    ('“', '”'),
    ('‘', '’'),
    ('「', '」'),
    ('『', '』'),
    ('（', '）'),
    ('《', '》'),
    ('〈', '〉'),
    ('【', '】'),
    ('〔', '〕'),
    ('(', ')'),
    ('[', ']'),
    ('{', '}'),
    ('｛', '｝'),
];

fn unpaired(text: &str) -> usize {
    let (mut open, mut lonely, mut straight, mut before) = (Vec::new(), 0, 0, ' ');
    for c in text.chars() {
        if let Some((_, closing)) = PAIRS.iter().find(|(opening, _)| *opening == c) {
            open.push(*closing);
        } else if PAIRS.iter().any(|(_, closing)| *closing == c) {
            if open.last() == Some(&c) {
                open.pop();
            // it’s: an apostrophe closes nothing.
            } else if !(c == '’' && before.is_ascii_alphabetic()) {
                lonely += 1;
            }
        }
        straight += usize::from(c == '"');
        before = c;
    }
    open.len() + lonely + straight % 2
}

/// Stops of which no two stand side by side.
fn is_stop(c: char) -> bool {
    matches!(c, '，' | '。' | '、' | '；' | '：' | ',' | ';')
}

fn doubled_stops(text: &str) -> usize {
    text.chars().zip(text.chars().skip(1)).filter(|(a, b)| is_stop(*a) && is_stop(*b)).count()
}

/// Words that nobody writes twice in a row.
const PARTICLES: [&str; 12] = ["的", "了", "着", "在", "把", "被", "是", "和", "从", "向", "与", "地"];

fn doubled_particles(words: &[Word]) -> usize {
    words.windows(2).filter(|pair| pair[0].text == pair[1].text && PARTICLES.contains(&pair[0].text.as_str())).count()
}

/// The share of Chinese words that are a single character, spatial words aside: they are single characters by nature.
fn crumbs(words: &[Word]) -> f64 {
    let chinese = words.iter().filter(|word| word.text.chars().all(|c| matches!(c, '\u{4e00}'..='\u{9fff}')));
    let (mut all, mut single) = (0, 0);
    for word in chinese {
        all += 1;
        single += usize::from(word.class.is_none() && word.text.chars().nth(1).is_none());
    }
    share(single, all)
}

fn share(count: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { count as f64 / of as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tag::Tagger;
    use crate::lexicon::Lexicon;
    use std::sync::OnceLock;

    fn look(text: &str) -> Surface {
        static TAGGER: OnceLock<Tagger> = OnceLock::new();
        let (words, doubts) = TAGGER.get_or_init(|| Tagger::new(Lexicon::shipped())).tag(text);
        let passage =
            Passage { id: "a#1".into(), genre: "news".into(), source: "a".into(), line: 1, text: text.into(), words, doubts };
        Surface::of(&passage)
    }

    #[test]
    fn signs_of_errors_are_counted() {
        assert_eq!(look("猫在桌子上，狗在桌子下。").strange, 0);
        // A replacement character, a private one, a kana and a rare ideograph.
        assert_eq!(look("猫在桌\u{fffd}上，\u{e000}狗のほ在𠀀下。").strange, 5);
        for (text, unpaired) in [
            ("“猫呢？”“在桌上（左边）。”", 0),
            ("猫呢？”“在桌上。”", 1),
            ("“猫呢？“在桌上。”", 1),
            ("（猫在）桌）上。", 1),
            ("他说：\"猫在桌上。", 1),
            ("It’s 一只猫。", 0),
            // 「 is not closed by 』: both are without their half.
            ("「猫在桌上』", 2),
        ] {
            assert_eq!(look(text).unpaired, unpaired, "{text}");
        }
        for (text, doubled) in [("猫在桌上。", 0), ("猫，，在桌上。。", 2), ("桌上的的猫。", 1), ("猫呢？！在……桌上——", 0)]
        {
            assert_eq!(look(text).doubled, doubled, "{text}");
        }
        // Two of eight characters.
        assert_eq!(look("A座在B座旁边。").foreign, 0.25);
        for (text, ended) in
            [("猫在桌上。", true), ("“猫在桌上。”", true), ("猫在桌上", false), ("猫在桌上，", false), ("", false)]
        {
            assert_eq!(look(text).ended, ended, "{text}");
        }
    }

    /// 倚 for 椅 and 沪 for 户: the words fall into characters. Of 他 把 椅子 搬 到 窗户 旁边 the words 他 and 把 are single and not spatial: 2 of 7; of the
    /// other 他 把 倚 子 搬 到 窗 沪 旁边, all but 搬, 到 and 旁边: at least 5 of 9.
    #[test]
    fn wrong_characters_leave_crumbs() {
        assert_eq!(look("他把椅子搬到窗户旁边。").crumbs, 2.0 / 7.0);
        assert!(look("他把倚子搬到窗沪旁边。").crumbs >= 5.0 / 9.0);
    }
}
