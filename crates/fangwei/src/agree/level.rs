//! The four levels of a judgement, from normal to abnormal, and the way out for texts that cannot be judged.

use crate::lang::{Words, words};

/// How a text sounds to a reader who does not know which word was replaced.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// 完全正常
    Fine,
    /// 尚能说通
    SomeFine,
    /// 比较牵强
    SomeBad,
    /// 显然异常
    Bad,
}

/// The name of the judgement that has no level: the text is unsuitable for the task.
pub const UNFIT: &str = "unfit";

/// Names under which [`UNFIT`] is read.
const UNFIT_NAMES: [&str; 4] = [UNFIT, "unsuitable", "不适合", "无法判断"];

impl Level {
    /// All, in order.
    pub const ALL: [Level; 4] = [Level::Fine, Level::SomeFine, Level::SomeBad, Level::Bad];

    /// The name in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Level::Fine => "fine",
            Level::SomeFine => "someFine",
            Level::SomeBad => "someBad",
            Level::Bad => "bad",
        }
    }

    /// The name for people.
    pub const fn words(self) -> Words {
        match self {
            Level::Fine => words("完全正常", "fine"),
            Level::SomeFine => words("尚能说通", "acceptable"),
            Level::SomeBad => words("比较牵强", "far-fetched"),
            Level::Bad => words("显然异常", "abnormal"),
        }
    }

    /// 1 to 4.
    pub const fn value(self) -> u8 {
        self as u8 + 1
    }

    /// Whether nothing lies beyond it: only such judgements became gold in 2022.
    pub const fn is_extreme(self) -> bool {
        matches!(self, Level::Fine | Level::Bad)
    }

    /// Which of two sides it is on.
    pub const fn is_normal(self) -> bool {
        matches!(self, Level::Fine | Level::SomeFine)
    }

    /// Reads a name of either language.
    pub fn parse(text: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.as_str() == text || level.words().zh == text)
    }
}

/// Whether a label says that the text is unsuitable.
pub fn is_unfit(text: &str) -> bool {
    UNFIT_NAMES.contains(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_in_both_languages_and_ordered() {
        assert_eq!(Level::parse("比较牵强"), Some(Level::SomeBad));
        assert_eq!(Level::parse("someFine"), Some(Level::SomeFine));
        assert_eq!(Level::parse("正常"), None);
        assert_eq!(Level::ALL.map(Level::value), [1, 2, 3, 4]);
        assert_eq!(Level::ALL.map(Level::is_normal), [true, true, false, false]);
        assert!(is_unfit("不适合") && !is_unfit("bad"));
    }
}
