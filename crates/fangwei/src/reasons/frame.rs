//! The four sentence frames in which 2021 says why a text is wrong.

use crate::answer::ReasonType;

/// A frame, with the two or one quotations that it takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Frame {
    /// `“X”和“Y”不宜搭配`
    Match,
    /// `“X”和“Y”语义冲突`
    Meaning,
    /// `“X”与上下文“Y”存在信息冲突`
    Information,
    /// `“X”不符合常识`, perhaps with `：Z`
    Sense,
}

impl Frame {
    /// All, in the order of the paper of 2021.
    pub const ALL: [Frame; 4] = [Frame::Match, Frame::Meaning, Frame::Information, Frame::Sense];

    /// Its name, which closes the sentence.
    pub const fn as_str(self) -> &'static str {
        match self {
            Frame::Match => "不宜搭配",
            Frame::Meaning => "语义冲突",
            Frame::Information => "信息冲突",
            Frame::Sense => "不符合常识",
        }
    }

    /// The type of 2022 that took its place: 2022 no longer tells conflicts of meaning from conflicts of information.
    pub const fn kind(self) -> ReasonType {
        match self {
            Frame::Match => ReasonType::A,
            Frame::Meaning | Frame::Information => ReasonType::B,
            Frame::Sense => ReasonType::C,
        }
    }

    /// What stands between the quotations and after them.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Frame::Match => ("”和“", "”不宜搭配"),
            Frame::Meaning => ("”和“", "”语义冲突"),
            Frame::Information => ("”与上下文“", "”存在信息冲突"),
            Frame::Sense => ("", "”不符合常识"),
        }
    }
}

/// A reason in its frame.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Statement {
    /// The frame.
    pub frame: Frame,
    /// The first quotation.
    pub x: String,
    /// The second; a reason of common sense has none.
    pub y: Option<String>,
    /// What common sense says, where it is said.
    pub sense: Option<String>,
}

impl Statement {
    /// A reason with one quotation or two.
    pub fn new(frame: Frame, x: impl Into<String>, y: Option<String>) -> Statement {
        Statement { frame, x: x.into(), y, sense: None }
    }

    /// Reads a reason of 2021. Blanks around it are left out; anything else than the four frames is `None`.
    pub fn parse(text: &str) -> Option<Statement> {
        let inner = text.trim().strip_prefix('“')?;
        if let Some((x, rest)) = inner.split_once(Frame::Sense.words().1) {
            let sense = rest.strip_prefix('：').map(ToOwned::to_owned);
            return (rest.is_empty() || sense.is_some()).then(|| Statement {
                frame: Frame::Sense,
                x: x.to_owned(),
                y: None,
                sense,
            });
        }
        [Frame::Match, Frame::Meaning, Frame::Information].into_iter().find_map(|frame| {
            let (between, after) = frame.words();
            let (x, y) = inner.strip_suffix(after)?.split_once(between)?;
            Some(Statement::new(frame, x, Some(y.to_owned())))
        })
    }

    /// What it says: the type of 2022 and the quotations, whatever their order. Two reasons with one key say the same.
    pub fn key(&self) -> (ReasonType, Vec<&str>) {
        let mut quotations: Vec<&str> = self.quotations().collect();
        quotations.sort_unstable();
        (self.frame.kind(), quotations)
    }

    /// Whether both say the same.
    pub fn same_as(&self, other: &Statement) -> bool {
        self.key() == other.key()
    }

    /// Whether it says what the other says and more: each quotation of the other lies in another one of its own.
    pub fn contains(&self, other: &Statement) -> bool {
        let (mine, theirs): (Vec<&str>, Vec<&str>) = (self.quotations().collect(), other.quotations().collect());
        let within =
            |order: &[&str]| order.len() == theirs.len() && order.iter().zip(&theirs).all(|(wide, text)| wide.contains(text));
        let turned: Vec<&str> = mine.iter().rev().copied().collect();
        self.frame.kind() == other.frame.kind() && (within(&mine) || within(&turned))
    }

    /// Its quotations, one or two.
    pub fn quotations(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.x.as_str()).chain(self.y.as_deref())
    }
}

impl std::fmt::Display for Statement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (between, after) = self.frame.words();
        write!(f, "“{}", self.x)?;
        if let Some(y) = &self.y {
            write!(f, "{between}{y}")?;
        }
        f.write_str(after)?;
        self.sense.iter().try_for_each(|sense| write!(f, "：{sense}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_and_written() {
        for text in [
            "“竹竿”和“里”不宜搭配",
            "“走进”和“门外”语义冲突",
            "“往岸下走去”与上下文“渡船靠岸以后”存在信息冲突",
            "“船停在树上”不符合常识",
            "“船停在树上”不符合常识：船停在水里",
        ] {
            let statement = Statement::parse(&format!("{text} ")).expect("a frame");
            assert_eq!(statement.to_string(), text);
        }
        for text in ["", "竹竿和里不宜搭配", "“竹竿”不宜搭配", "“船”不符合常识。", "“竹竿”和“里”不和谐"]
        {
            assert_eq!(Statement::parse(text), None, "{text}");
        }
    }

    #[test]
    fn order_and_the_two_conflicts_make_no_difference() {
        let read = |text| Statement::parse(text).expect("a frame");
        assert!(read("“竹竿”和“里”不宜搭配").same_as(&read("“里”和“竹竿”不宜搭配")));
        assert!(read("“竹竿”和“里”语义冲突").same_as(&read("“竹竿”与上下文“里”存在信息冲突")));
        assert!(!read("“竹竿”和“里”语义冲突").same_as(&read("“竹竿”和“里”不宜搭配")));
        assert!(read("“船”不符合常识：甲").same_as(&read("“船”不符合常识")));
    }

    #[test]
    fn a_reason_may_hold_another() {
        let read = |text| Statement::parse(text).expect("a frame");
        let narrow = read("“墙”和“里”不宜搭配");
        assert!(read("“院墙”和“里”不宜搭配").contains(&narrow) && read("“里面”和“院墙”不宜搭配").contains(&narrow));
        assert!(!read("“院墙里”和“外”不宜搭配").contains(&narrow) && !read("“院墙”和“里”语义冲突").contains(&narrow));
    }
}
