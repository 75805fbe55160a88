//! What is wrong with a file: every defect with its place, what was expected and what was found, under a code that never changes.

use std::sync::Arc;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use smol_str::SmolStr;

use crate::lang::{Lang, Say, Words, words};

/// How much a defect matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Tolerated: the file is read as it was meant.
    Warning,
    /// Wrong: it costs points, or the record cannot be used.
    Error,
}

macro_rules! codes {
    ($($name:ident $code:literal $severity:ident $zh:literal $en:literal;)*) => {
        /// The kinds of defects. [`Code::as_str`] gives the stable name.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code { $(#[doc = $en] $name,)* }

        impl Code {
            /// Every code, in the order of the manual.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// The stable name, in kebab case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            /// Whether it is an error or a warning.
            pub const fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }

            /// What it means, in words.
            pub const fn meaning(self) -> Words {
                match self { $(Code::$name => words($zh, $en),)* }
            }
        }
    };
}

codes! {
    // the file
    BadEncoding "bad-encoding" Error "不是 UTF-8 编码" "not UTF-8";
    LineTooLong "line-too-long" Error "一条记录过长" "a record is too long";
    BadJson "bad-json" Error "不是合法的 JSON" "not valid JSON";
    UnclosedArray "unclosed-array" Error "JSON 数组没有结束" "the JSON array does not end";
    EmptyFile "empty-file" Error "文件里没有记录" "no record in the file";
    ByteOrderMark "byte-order-mark" Warning "文件以 BOM 开头" "the file begins with a byte order mark";
    BlankLine "blank-line" Warning "有空行" "blank line";
    Unreadable "unreadable" Error "读不了" "cannot be read";
    BinaryFile "binary-file" Error "不是文本" "not text";
    UnknownEncoding "unknown-encoding" Error "认不出编码" "the encoding is not known";
    ConvertedEncoding "converted-encoding" Warning "已从其他编码转换" "converted from another encoding";
    GarbledText "garbled-text" Error "有乱码，所在的段落不用" "garbled text; its paragraphs are not used";
    // the record
    NotAnObject "not-an-object" Error "记录不是 JSON 对象" "the record is not an object";
    NoQid "no-qid" Error "记录没有 qid" "the record has no qid";
    BadQid "bad-qid" Error "qid 的格式不对" "malformed qid";
    DuplicateQid "duplicate-qid" Error "qid 重复" "a qid occurs twice";
    UnknownQid "unknown-qid" Error "题目中没有这个 qid" "the items have no such qid";
    MissingQid "missing-qid" Error "有题目没有作答" "an item has no answer";
    TooManyDefects "too-many-defects" Error "缺陷过多，其余不再列出" "too many defects; the rest is not listed";
    MissingField "missing-field" Error "缺少字段" "a field is missing";
    BadType "bad-type" Error "字段的类型不对" "a field has the wrong type";
    BadVerdict "bad-verdict" Error "判断值不对" "not a verdict";
    LooseVerdict "loose-verdict" Warning "判断值不规范，旧脚本能读" "an irregular verdict, which the old script reads";
    ContextMismatch "context-mismatch" Warning "context 与题目不一致" "the context differs from the item's";
    // fragments
    BadRole "bad-role" Error "没有这个角色" "no such role";
    RepeatedRole "repeated-role" Error "角色重复" "a role occurs twice";
    BadIdx "bad-idx" Error "字序不是非负整数" "an index is not a whole number from 0";
    IdxOutOfRange "idx-out-of-range" Error "字序超出文本" "an index points outside the text";
    RepeatedIdx "repeated-idx" Warning "字序重复" "an index occurs twice";
    TextMismatch "text-mismatch" Error "text 与 idxes 指向的文字不一致" "the text is not what the indexes point at";
    EmptyFragment "empty-fragment" Error "片段为空" "an empty fragment";
    // answers
    EmptyAnswer "empty-answer" Error "答案为空" "an empty answer";
    TooManyCandidates "too-many-candidates" Error "候选答案超过三个" "more than three candidates";
    RepeatedType "repeated-type" Error "同一归因类型出现多次，只计第一个" "a type occurs twice; only the first counts";
    TooManyTuples "too-many-tuples" Error "元组超过一百个，整题计零分" "more than a hundred tuples: the item scores 0";
    RepeatedTuple "repeated-tuple" Warning "元组重复" "a tuple occurs twice";
    UnsortedTuples "unsorted-tuples" Warning "元组没有按空间实体的字序排列" "tuples are not sorted by the entity's place";
    BadLength "bad-length" Error "元组的长度不对" "a tuple has the wrong length";
    BadLabel "bad-label" Error "没有这个标签" "no such label";
    RoleConflict "role-conflict" Error "角色之间有冲突" "roles that exclude or need each other";
    MissingEntity "missing-entity" Error "元组没有空间实体" "a tuple without 空间实体";
    BadDifference "bad-difference" Warning "理由引用的差异文本不在两段文本中" "the reason quotes a difference that is not in the texts";
    BadNotation "bad-notation" Error "标注符号不对" "malformed notation";
    // items of several files
    DuplicateItem "duplicate-item" Warning "同一道题出现两次" "an item occurs twice";
    ContradictoryGold "contradictory-gold" Error "同一文本的答案互相矛盾" "answers to one text contradict each other";
    // grades and boards
    BadHeader "bad-header" Error "表头不对" "a bad header";
    BadRow "bad-row" Error "一行的列数不对" "a row of the wrong length";
    BadKind "bad-kind" Error "没有这个类别" "no such kind";
    BadNumber "bad-number" Error "不是有限的数" "not a finite number";
    MissingName "missing-name" Error "没有名称" "a row without a name";
    DuplicateName "duplicate-name" Error "名称重复" "a name occurs twice";
    DuplicateTask "duplicate-task" Error "任务重复" "a task occurs twice";
    NoTaskColumns "no-task-columns" Error "没有任务列" "no task column";
    // the lexicon
    UnknownWord "unknown-word" Error "词表中没有这个词（或不属于这个词类）" "the lexicon has no such word (in this class)";
    RepeatedEntry "repeated-entry" Error "条目重复" "an entry occurs twice";
    UnevenGroup "uneven-group" Error "替换组里的词音节数不一" "words of a group differ in their number of syllables";
    LonelyWord "lonely-word" Warning "不在任何替换组里" "a word in no substitution group";
    // passages
    WordsMismatch "words-mismatch" Error "words 连起来不是 text" "the words do not make up the text";
    // competitions
    BadToml "bad-toml" Error "不是合法的 TOML" "not valid TOML";
    UnknownKey "unknown-key" Error "没有这一项" "no such key";
    BadValue "bad-value" Error "值不对" "a value that cannot be";
    BadTime "bad-time" Error "时间不对" "not a time with its offset";
    UnknownName "unknown-name" Error "没有这个名称" "nothing has this name";
    MissingFile "missing-file" Error "没有这个文件" "a file is not there";
    LeakedGold "leaked-gold" Error "标准答案会泄漏" "gold that anybody could have";
    // grades
    BadGrade "bad-grade" Error "评分不是 0 到 5 的数" "a grade is not a number from 0 to 5";
}

impl Code {
    /// Whether it breaks a rule for submissions that gold need not keep: released gold has more than three answers to an item, several of one type, and
    /// tuples in any order.
    pub const fn is_for_submissions(self) -> bool {
        matches!(self, Code::TooManyCandidates | Code::RepeatedType | Code::UnsortedTuples)
    }
}

/// One defect of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Defect {
    /// What kind.
    pub code: Code,
    /// The file, as it was named; `-` is standard input.
    pub file: Arc<str>,
    /// The line on which the record begins, from 1; 0 where no line is meant.
    pub line: u64,
    /// The record's qid, where one was read.
    pub qid: Option<SmolStr>,
    /// JSON pointer (RFC 6901) to the value within the record; empty for the record itself.
    pub pointer: String,
    /// What would have been right.
    pub expected: Say,
    /// What stood there.
    pub found: Say,
}

impl Defect {
    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// One line for people: place, code, meaning, expected, found.
    pub fn render(&self, lang: Lang) -> String {
        let mut place = self.file.to_string();
        if self.line > 0 {
            place.push_str(&format!(":{}", self.line));
        }
        if let Some(qid) = &self.qid {
            place.push_str(&format!(" {qid}"));
        }
        if !self.pointer.is_empty() {
            place.push_str(&format!(" {}", self.pointer));
        }
        let (severity, expected, found) = match (lang, self.severity()) {
            (Lang::Zh, Severity::Error) => ("错误", "应为", "实为"),
            (Lang::Zh, Severity::Warning) => ("警告", "应为", "实为"),
            (Lang::En, Severity::Error) => ("error", "expected", "found"),
            (Lang::En, Severity::Warning) => ("warning", "expected", "found"),
        };
        format!(
            "{place}: {severity} [{}] {}; {expected} {}; {found} {}",
            self.code.as_str(),
            self.code.meaning().get(lang),
            self.expected.get(lang),
            self.found.get(lang)
        )
    }

    /// The defect as a JSON object in one language.
    pub fn in_lang(&self, lang: Lang) -> impl Serialize + '_ {
        DefectJson { defect: self, lang }
    }
}

struct DefectJson<'d> {
    defect: &'d Defect,
    lang: Lang,
}

impl Serialize for DefectJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Defect { code, file, line, qid, pointer, expected, found } = self.defect;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("severity", &code.severity())?;
        map.serialize_entry("code", code.as_str())?;
        map.serialize_entry("file", file.as_ref())?;
        map.serialize_entry("line", &(*line > 0).then_some(line))?;
        map.serialize_entry("qid", &qid.as_deref())?;
        map.serialize_entry("pointer", pointer)?;
        map.serialize_entry("message", code.meaning().get(self.lang))?;
        map.serialize_entry("expected", expected.get(self.lang))?;
        map.serialize_entry("found", found.get(self.lang))?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Check;
    use super::*;

    #[test]
    fn codes_are_unique_kebab_case() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }

    #[test]
    fn a_defect_names_its_place() {
        let mut check = Check::new("p.jsonl".into(), 7);
        check.qid = Some("1-dev-3".into());
        check.at("results", |check| check.at(0, |check| check.add(Code::BadRole, "S1 P1 E1", "\"X1\"")));
        let defect = &check.defects[0];
        assert_eq!(
            defect.render(Lang::En),
            "p.jsonl:7 1-dev-3 /results/0: error [bad-role] no such role; expected S1 P1 E1; found \"X1\""
        );
        let json = serde_json::to_value(defect.in_lang(Lang::Zh)).expect("serializable");
        assert_eq!(json["code"], "bad-role");
        assert_eq!(json["pointer"], "/results/0");
        assert_eq!(json["line"], 7);
    }
}
