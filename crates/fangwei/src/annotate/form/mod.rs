//! Forms: what an editor shows of a task in a batch's mode, and what people fill in.
//!
//! A [`Form`] is derived from what the task's answers are made of and from the mode; it is the only thing about a task that an editor knows. A [`Sheet`] is a form
//! as filled in. [`Form::mark`] reads a sheet as a [`Mark`](super::Mark), [`Form::sheet`] writes a mark as a sheet, [`Form::findings`] tells a mark's findings by the
//! sheet's records and fields.

mod build;
mod check;
mod craft;
mod finding;
mod given;
mod look;
mod make;
mod parts;
mod read;
mod refuse;
mod sheet;
mod tuples;
mod write;

pub use finding::{SheetFinding, SheetFix};
pub use given::{Given, GivenText, read_given};
pub use look::{Look, of_fragment, of_role};
pub use parts::{Choice, ChoicePart, Field, FieldKind, Part, RecordType, RecordsPart, Shape, TextPart, When};
pub use refuse::{MOST_TEXT, SheetError, SheetFault};
pub use sheet::{Sheet, SheetRecord, SheetValue, SheetWaiver};

use super::{RULES, Rule};
use crate::answer::Kind;
use crate::lang::{Lang, Unknown, Words, words};
use crate::lexicon::names;
use crate::task::Task;

names! {
    /// What a batch is for.
    BatchMode, words("没有这种模式", "unknown mode");
    /// People make the data.
    Annotate "annotate" "标注" "annotation",
    /// The same, several people an item, never with a machine's suggestion.
    Agreement "agreement" "一致性" "agreement",
    /// People answer what machines are asked.
    Human "human" "人类测试" "human test",
    /// Raw passages are cleaned.
    Clean "clean" "清洗" "cleaning",
    /// Pairs of texts are written around two words.
    Author "author" "写作" "authoring",
    /// Reasons are graded.
    Grade "grade" "评分" "grading",
}

impl BatchMode {
    /// Whether a task has this mode: scenes alone are written and graded.
    pub fn suits(self, task: &dyn Task) -> bool {
        !matches!(self, BatchMode::Author | BatchMode::Grade) || task.kind() == Kind::Scene
    }

    /// Whether what people mark is checked by the rules of annotation.
    pub const fn has_rules(self) -> bool {
        matches!(self, BatchMode::Annotate | BatchMode::Agreement)
    }

    /// The rules that marks are held to. A human test asks for what machines are asked for: only the rules of form count there, whatever the words. Cleaning,
    /// writing and grading give no answer that rules know.
    pub fn rules(self) -> Vec<&'static Rule> {
        let counts = |rule: &&Rule| self.has_rules() || self == BatchMode::Human && rule.id.starts_with("FM");
        RULES.iter().copied().filter(counts).collect()
    }

    /// Whether a machine's suggestion may be shown: never where people are compared with each other or with machines.
    pub const fn allows_suggestions(self) -> bool {
        matches!(self, BatchMode::Annotate | BatchMode::Clean | BatchMode::Author)
    }
}

/// A form.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Form {
    /// The task.
    pub task: &'static str,
    /// The mode.
    pub mode: BatchMode,
    /// What there is to fill in, from top to bottom.
    pub parts: Vec<Part>,
    #[serde(skip)]
    kind: Kind,
    /// Whether an item has a reason that is to be judged.
    #[serde(skip)]
    judges_reason: bool,
}

impl Form {
    /// The form of a task in a mode. A mode that does not suit the task (see [`BatchMode::suits`]) gives the form of annotation.
    pub fn of(task: &dyn Task, mode: BatchMode) -> Form {
        let shown = if mode.suits(task) { mode } else { BatchMode::Annotate };
        let about = task.about();
        let judges_reason = about.answer != "reason" && about.fields.contains(&"reason");
        let parts = build::parts(task.kind(), shown, judges_reason);
        Form { task: task.id(), mode: shown, parts, kind: task.kind(), judges_reason }
    }

    /// Whether people give one of the four levels.
    fn has_levels(&self) -> bool {
        self.kind == Kind::Verdict && !self.judges_reason && self.mode.has_rules()
    }

    /// Whether the answer is filled in: in cleaning, writing and grading something else is.
    fn has_answer(&self) -> bool {
        self.mode.has_rules() || self.mode == BatchMode::Human
    }

    /// A record type of the form.
    fn record_type(&self, name: &str) -> Option<&RecordType> {
        self.record_parts().flat_map(|part| &part.types).find(|kind| kind.name == name)
    }

    fn record_parts(&self) -> impl Iterator<Item = &RecordsPart> {
        self.parts.iter().filter_map(|part| if let Part::Records(part) = part { Some(part) } else { None })
    }
}
