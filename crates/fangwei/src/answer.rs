//! Answers: what people (gold) and systems (predictions) say about an item, read and shape-checked, not yet judged.
//!
//! The types keep what the official scripts can see: unknown roles, repeated roles, indexes in any order. Whether an answer obeys the task's rules is asked
//! by `validate`; what it earns, by `score`.

use smol_str::SmolStr;

use crate::text::Span;

/// A piece of the text: its characters and their places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fragment {
    /// The characters, as written by whoever marked them.
    pub text: SmolStr,
    /// Their places, in the order of `text`.
    pub span: Span,
}

/// A fragment in a role: `P1 在脑袋上面`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoleFragment {
    /// `text1`, `S`, `P1`, …
    pub role: SmolStr,
    /// What fills it.
    pub fragment: Fragment,
}

/// Yes or no, in the ways in which three years wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// As the task asks.
    Plain(bool),
    /// Something that Python's `int()` turns into 0 or 1: `"1"`, 0.9. The script of 2021 reads it.
    Cast(bool),
    /// A value that equals neither; wrong, but not an error to the script of 2022.
    Neither,
}

impl Verdict {
    /// The value, where there is one.
    pub fn value(self) -> Option<bool> {
        match self {
            Verdict::Plain(value) | Verdict::Cast(value) => Some(value),
            Verdict::Neither => None,
        }
    }
}

/// The three types of 2022.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ReasonType {
    /// 搭配不当: two fragments that do not go together.
    A,
    /// 语义冲突: two S-P-E triples that contradict each other.
    B,
    /// 不符合常识: one S-P-E triple against common sense.
    C,
}

impl ReasonType {
    /// All, in order.
    pub const ALL: [ReasonType; 3] = [ReasonType::A, ReasonType::B, ReasonType::C];

    /// `A`, `B` or `C`.
    pub const fn as_str(self) -> &'static str {
        match self {
            ReasonType::A => "A",
            ReasonType::B => "B",
            ReasonType::C => "C",
        }
    }

    /// Reads `A`, `B` or `C`.
    pub fn parse(text: &str) -> Option<ReasonType> {
        ReasonType::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Why a text is wrong: a type and its fragments (2022).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The type.
    pub kind: ReasonType,
    /// The fragments, roles by type: `text1 text2`, or `S P E`, or `S1 … E2`.
    pub fragments: Vec<RoleFragment>,
}

/// One of the eighteen places of a 2022 tuple.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Slot {
    /// `null`
    Empty,
    /// A label.
    Label(SmolStr),
    /// A fragment.
    Fragment(Fragment),
    /// Something else that is not `null`.
    Unusable,
}

/// A part of a role of 2023 that may be there or not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Part<T> {
    /// The field is not there.
    #[default]
    Absent,
    /// The field is there, but not of its type.
    Unusable,
    /// The value.
    Value(T),
}

impl<T> Part<T> {
    /// The value, if there is one.
    pub fn value(&self) -> Option<&T> {
        if let Part::Value(value) = self { Some(value) } else { None }
    }

    /// Whether the field is there at all.
    pub fn is_given(&self) -> bool {
        !matches!(self, Part::Absent)
    }
}

/// A role of a 2023 tuple with its fragment, its label, or both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// 空间实体, 处所, …
    pub role: SmolStr,
    /// The label.
    pub label: Part<SmolStr>,
    /// The fragment.
    pub fragment: Part<Fragment>,
}

/// Whether two texts can show the same scene, and why (2023).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scene {
    /// The judgement.
    pub judge: Verdict,
    /// The explanation, graded by people.
    pub reason: Option<SmolStr>,
}

/// A reason of the early 2022 page: one or two texts and a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DraftReason {
    /// `text1` and, for A and B, `text2`.
    pub texts: Vec<SmolStr>,
    /// The type.
    pub kind: SmolStr,
}

/// A role and what fills it, in the notation of the early 2022 page.
pub type DraftRole = (SmolStr, Vec<SmolStr>);

/// Events and relations of the early 2022 page: heads with their roles, as written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// `%放%` with 施事, 受事, …
    pub events: Vec<(SmolStr, Vec<DraftRole>)>,
    /// `#瓷碗#` with 事件, 处所, …
    pub relations: Vec<(SmolStr, Vec<DraftRole>)>,
}

/// An answer to an item of any task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// 2021/judge, 2021/reason, 2022/judge.
    Verdict(Verdict),
    /// 2021/joint: is the text normal; if not, does the reason explain it.
    Joint(Verdict, Verdict),
    /// 2022/attribute.
    Reasons(Vec<Reason>),
    /// 2023/anomaly.
    Candidates(Vec<Vec<RoleFragment>>),
    /// 2022/roles.
    Slots(Vec<Vec<Slot>>),
    /// 2023/roles.
    Tuples(Vec<Vec<Element>>),
    /// 2023/scene.
    Scene(Scene),
    /// 2022-draft/attribute.
    DraftReason(DraftReason),
    /// 2022-draft/relations.
    Graph(Graph),
}

/// What an answer is made of: one for each member of [`Answer`]. Forms, rules and agreement follow it, not the task's name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// [`Answer::Verdict`]
    Verdict,
    /// [`Answer::Joint`]
    Joint,
    /// [`Answer::Reasons`]
    Reasons,
    /// [`Answer::Candidates`]
    Candidates,
    /// [`Answer::Slots`]
    Slots,
    /// [`Answer::Tuples`]
    Tuples,
    /// [`Answer::Scene`]
    Scene,
    /// [`Answer::DraftReason`]
    DraftReason,
    /// [`Answer::Graph`]
    Graph,
}

impl Answer {
    /// What it is made of.
    pub const fn kind(&self) -> Kind {
        match self {
            Answer::Verdict(_) => Kind::Verdict,
            Answer::Joint(..) => Kind::Joint,
            Answer::Reasons(_) => Kind::Reasons,
            Answer::Candidates(_) => Kind::Candidates,
            Answer::Slots(_) => Kind::Slots,
            Answer::Tuples(_) => Kind::Tuples,
            Answer::Scene(_) => Kind::Scene,
            Answer::DraftReason(_) => Kind::DraftReason,
            Answer::Graph(_) => Kind::Graph,
        }
    }
}
