//! Collects the defects of a record while it is read, each with the pointer to the value at hand, and of a file no more than anybody reads.

use std::sync::Arc;

use smol_str::SmolStr;

use super::defect::{Code, Defect, Severity};
use crate::lang::Say;

/// So many defects of one record are kept. A record of a million bad indexes would otherwise weigh a thousand times its bytes.
pub const MOST_OF_RECORD: usize = 1000;

/// So many defects of one file are kept: more than anybody reads, and little memory.
pub const MOST_OF_FILE: usize = 100_000;

/// The longest step of a pointer in characters; only the early 2022 page lets users name fields.
const LONGEST_STEP: usize = 200;

/// Notes that defects are left out, in the place of the first of them.
fn close(last: &Defect, most: usize) -> Defect {
    let (file, line, qid) = (last.file.clone(), last.line, last.qid.clone());
    let expected = Say::new(format!("至多 {most} 个缺陷"), format!("at most {most} defects"));
    let found = Say::new("更多", "more");
    Defect { code: Code::TooManyDefects, file, line, qid, pointer: String::new(), expected, found }
}

/// Moves defects to those of their file, of which [`MOST_OF_FILE`] are kept and one that says so.
pub(crate) fn gather(kept: &mut Vec<Defect>, found: impl IntoIterator<Item = Defect>) {
    for defect in found {
        match kept.len() {
            MOST_OF_FILE => kept.push(close(&defect, MOST_OF_FILE)),
            length if length > MOST_OF_FILE => return,
            _ => kept.push(defect),
        }
    }
}

/// A step of the way to a value: the number of an element or the name of a field. Steps are written out only where there is a defect.
#[derive(Clone, Debug)]
pub enum Step {
    /// Of an array.
    Element(usize),
    /// Of an object.
    Field(SmolStr),
}

impl From<usize> for Step {
    fn from(number: usize) -> Step {
        Step::Element(number)
    }
}

impl From<&str> for Step {
    fn from(name: &str) -> Step {
        Step::Field(SmolStr::new(name))
    }
}

impl From<&SmolStr> for Step {
    fn from(name: &SmolStr) -> Step {
        Step::Field(name.clone())
    }
}

impl From<String> for Step {
    fn from(name: String) -> Step {
        Step::Field(name.into())
    }
}

impl Step {
    /// Writes the step of a JSON pointer: `~` and `/` escaped, the rest of a very long name cut.
    fn write(&self, pointer: &mut String) {
        pointer.push('/');
        match self {
            Step::Element(number) => pointer.push_str(&number.to_string()),
            Step::Field(name) => {
                for (at, character) in name.chars().enumerate() {
                    match character {
                        _ if at == LONGEST_STEP => {
                            pointer.push('…');
                            return;
                        }
                        '~' => pointer.push_str("~0"),
                        '/' => pointer.push_str("~1"),
                        _ => pointer.push(character),
                    }
                }
            }
        }
    }
}

/// Collects the defects of one record while it is read: knows the record's place and the pointer to the value at hand.
#[derive(Debug)]
pub struct Check {
    file: Arc<str>,
    line: u64,
    /// The record's qid, once it was read.
    pub qid: Option<SmolStr>,
    steps: Vec<Step>,
    errors: usize,
    /// What was found so far.
    pub defects: Vec<Defect>,
}

impl Check {
    /// A check of the record that begins on `line` of `file`.
    pub fn new(file: Arc<str>, line: u64) -> Check {
        Check { file, line, qid: None, steps: Vec::new(), errors: 0, defects: Vec::new() }
    }

    /// The line on which the record begins.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Notes a defect of the value at hand. After [`MOST_OF_RECORD`] one more says that the rest is left out.
    pub fn add(&mut self, code: Code, expected: impl Into<Say>, found: impl Into<Say>) {
        self.errors += usize::from(code.severity() == Severity::Error);
        if self.defects.len() > MOST_OF_RECORD {
            return;
        }
        if let (MOST_OF_RECORD, Some(last)) = (self.defects.len(), self.defects.last()) {
            let closing = close(last, MOST_OF_RECORD);
            self.defects.push(closing);
            return;
        }
        let mut pointer = String::new();
        self.steps.iter().for_each(|step| step.write(&mut pointer));
        self.defects.push(Defect {
            code,
            file: self.file.clone(),
            line: self.line,
            qid: self.qid.clone(),
            pointer,
            expected: expected.into(),
            found: found.into(),
        });
    }

    /// Notes that an earlier record has this qid.
    pub fn repeated(&mut self, qid: &SmolStr) {
        self.qid = Some(qid.clone());
        self.add(Code::DuplicateQid, Say::new("每个 qid 一次", "each qid once"), qid.to_string());
    }

    /// Takes over what was noted at another place of the same record.
    pub fn join(&mut self, other: Check) {
        self.errors += other.errors;
        self.defects.extend(other.defects);
        self.defects.truncate(MOST_OF_RECORD + 1);
    }

    /// How many errors were noted, kept or not.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Runs `read` on a part of the value at hand: the pointer leads to it meanwhile.
    pub fn at<T>(&mut self, step: impl Into<Step>, read: impl FnOnce(&mut Check) -> T) -> T {
        self.steps.push(step.into());
        let value = read(self);
        self.steps.pop();
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_keeps_a_thousand_defects_and_says_so() {
        let mut check = Check::new("p.jsonl".into(), 7);
        for idx in 0..1_000_000 {
            check.at(idx, |check| check.add(Code::BadIdx, "a whole number", "\"x\""));
        }
        assert_eq!(check.defects.len(), MOST_OF_RECORD + 1);
        assert_eq!(check.defects[MOST_OF_RECORD - 1].pointer, "/999");
        let last = &check.defects[MOST_OF_RECORD];
        assert_eq!((last.code.as_str(), last.line, last.severity()), ("too-many-defects", 7, Severity::Error));
        // exactly as many as are kept need no closing word
        let mut check = Check::new("p.jsonl".into(), 7);
        (0..MOST_OF_RECORD).for_each(|_| check.add(Code::BadIdx, "", ""));
        assert!(check.defects.iter().all(|defect| defect.code == Code::BadIdx));
    }

    #[test]
    fn a_file_keeps_a_hundred_thousand() {
        let mut check = Check::new("p.jsonl".into(), 7);
        check.add(Code::BlankLine, "", "");
        let mut kept = Vec::new();
        gather(&mut kept, std::iter::repeat_n(check.defects[0].clone(), MOST_OF_FILE + 5));
        gather(&mut kept, check.defects);
        assert_eq!(kept.len(), MOST_OF_FILE + 1);
        assert_eq!(kept.iter().filter(|defect| defect.code == Code::TooManyDefects).count(), 1);
    }

    #[test]
    fn pointers_are_escaped_and_short() {
        let mut check = Check::new("p.jsonl".into(), 7);
        check.at("a/b~c", |check| check.at(0, |check| check.add(Code::BadType, "", "")));
        check.at("长".repeat(5000), |check| check.at(1, |check| check.add(Code::BadType, "", "")));
        assert_eq!(check.defects[0].pointer, "/a~1b~0c/0");
        assert_eq!(check.defects[1].pointer, format!("/{}…/1", "长".repeat(LONGEST_STEP)));
    }
}
