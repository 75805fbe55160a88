//! What became of a corpus, in numbers.

use serde::Serialize;

use super::cut::Cuts;
use super::near::Verdict;
use crate::lang::{Words, words};

macro_rules! counts {
    ($($name:ident $zh:literal $en:literal;)*) => {
        /// What was read, kept and left out.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct Counts { $(#[doc = $en] pub $name: u64,)* }

        impl Counts {
            /// Every number with its name for people.
            pub fn rows(&self) -> impl Iterator<Item = (Words, u64)> {
                [$((words($zh, $en), self.$name),)*].into_iter()
            }
        }

        impl std::ops::AddAssign for Counts {
            fn add_assign(&mut self, other: Counts) {
                $(self.$name += other.$name;)*
            }
        }
    };
}

counts! {
    files "读入的文件" "files read";
    skipped_files "跳过的文件" "files skipped";
    converted_files "转换了编码的文件" "files converted from another encoding";
    bytes "读入的字节" "bytes read";
    records "JSON 记录" "JSON records";
    bad_records "跳过的记录" "records skipped";
    paragraphs "段落" "paragraphs";
    garbled "有乱码的段落" "garbled paragraphs";
    characters "字" "characters";
    too_short "太短的片段" "stretches too short";
    too_long "太长的句子" "sentences too long";
    exact_duplicates "完全重复的片段" "exact duplicates";
    near_duplicates "近似重复的片段" "near duplicates";
    passages "写出的片段" "passages written";
}

impl Counts {
    /// Counts what [`Seen`](super::Seen) says of a passage; whether the passage stays.
    pub fn judge(&mut self, verdict: Verdict) -> bool {
        match verdict {
            Verdict::First => self.passages += 1,
            Verdict::Exact => self.exact_duplicates += 1,
            Verdict::Near => self.near_duplicates += 1,
        }
        verdict == Verdict::First
    }

    /// Adds what the cutter counted in a file.
    pub(super) fn add(&mut self, cuts: &Cuts) {
        self.paragraphs += cuts.paragraphs;
        self.characters += cuts.characters;
        self.too_short += cuts.too_short;
        self.too_long += cuts.too_long;
        self.garbled += cuts.garbled;
    }
}
