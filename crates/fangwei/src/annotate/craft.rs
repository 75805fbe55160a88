//! What people do besides answering: clean raw passages, write pairs of texts, grade reasons.

use smol_str::SmolStr;

use super::mark::{read_name, write_span};
use crate::lang::{Lang, Say, Unknown, Words, words};
use crate::lexicon::names;
use crate::record::{Check, Code, Fields, Json, list_of, read_span};
use crate::text::Span;

names! {
    /// What is wrong with a raw passage, or that nothing is.
    Flaw, words("没有这种问题", "unknown problem");
    /// No spatial meaning, cannot be understood, or cut off: the passage goes.
    Drop "drop" "整段弃用" "drop the passage",
    /// A wrong character or mark.
    Typo "typo" "错字或标点错误" "wrong character or mark",
    /// A locative that is not about space.
    Locative "locative" "方位词不表空间" "locative not about space",
    /// A directional verb that is not about space.
    Directional "directional" "趋向动词不表空间" "directional verb not about space",
    /// What is marked as a word is none.
    Segmentation "segmentation" "分词错误" "not a word",
    /// Nothing is wrong.
    Nothing "none" "没有问题" "nothing is wrong",
}

names! {
    /// What decides whether two texts show one scene.
    Deciding, words("没有这个要素", "unknown element");
    /// 处所
    Place "处所" "处所" "place",
    /// 朝向
    Facing "朝向" "朝向" "facing",
    /// 终点
    End "终点" "终点" "end",
    /// 方向
    Direction "方向" "方向" "direction",
    /// 路径
    Path "路径" "路径" "path",
    /// 位置关系
    Relation "位置关系" "位置关系" "relative position",
}

/// A flaw of a raw passage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What is wrong.
    pub flaw: Flaw,
    /// The name of the text, where the item has two; empty otherwise.
    pub text: SmolStr,
    /// Where.
    pub span: Span,
    /// What should stand there.
    pub correction: SmolStr,
}

/// Two texts that somebody wrote around a pair of words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WrittenPair {
    /// The first.
    pub context1: SmolStr,
    /// The second.
    pub context2: SmolStr,
    /// The spatial entities in them.
    pub entities: Vec<SmolStr>,
    /// What decides whether both show one scene.
    pub deciding: Option<Deciding>,
}

/// The best grade of a reason; the worst is 0.
pub const MOST_GRADE: u8 = 5;

pub(super) fn write_problem(problem: &Problem) -> Json<'static> {
    let mut fields = vec![("flaw", Json::text(problem.flaw.as_str()))];
    if !problem.text.is_empty() {
        fields.push(("text", Json::text(problem.text.to_string())));
    }
    if !problem.span.is_empty() {
        fields.push(("idxes", write_span(&problem.span)));
    }
    if !problem.correction.is_empty() {
        fields.push(("correction", Json::text(problem.correction.to_string())));
    }
    Json::map(fields)
}

pub(super) fn write_pair(pair: &WrittenPair) -> Json<'static> {
    let text = |text: &SmolStr| Json::text(text.to_string());
    let entities = Json::List(pair.entities.iter().map(text).collect());
    let mut fields = vec![("context1", text(&pair.context1)), ("context2", text(&pair.context2)), ("entities", entities)];
    if let Some(deciding) = pair.deciding {
        fields.push(("deciding", Json::text(deciding.as_str())));
    }
    Json::map(fields)
}

pub(super) fn read_problem(given: &Json<'_>, check: &mut Check) -> Option<Problem> {
    let fields = Fields::of(given, check)?;
    let flaw = fields.need("flaw", check)?;
    let flaw = check.at("flaw", |check| read_name(flaw, check))?;
    let span = match given.get("idxes") {
        Some(idxes) => check.at("idxes", |check| read_span(idxes, check))?,
        None => Span::default(),
    };
    let mut text = |name: &str| if given.get(name).is_some() { fields.text(name, check) } else { Some(SmolStr::default()) };
    let (name, correction) = (text("text"), text("correction"));
    Some(Problem { flaw, text: name?, span, correction: correction? })
}

pub(super) fn read_pair(given: &Json<'_>, check: &mut Check) -> Option<WrittenPair> {
    let fields = Fields::of(given, check)?;
    let (context1, context2) = (fields.text("context1", check), fields.text("context2", check));
    let entities = fields.need("entities", check)?;
    let entity = |given: &Json<'_>, check: &mut Check| {
        if given.as_str().is_none() {
            check.add(Code::BadType, Say::new("字符串", "a string"), given.brief());
        }
        given.as_str().map(SmolStr::new)
    };
    let entities = check.at("entities", |check| list_of(entities, check, entity))?;
    let deciding = match given.get("deciding") {
        Some(deciding) => Some(check.at("deciding", |check| read_name(deciding, check))?),
        None => None,
    };
    Some(WrittenPair { context1: context1?, context2: context2?, entities, deciding })
}

pub(super) fn read_grade(given: &Json<'_>, check: &mut Check) -> Option<u8> {
    let grade = if let Json::Int(grade) = given { u8::try_from(*grade).ok().filter(|grade| *grade <= MOST_GRADE) } else { None };
    if grade.is_none() {
        check.add(Code::BadType, format!("0..={MOST_GRADE}"), given.brief());
    }
    grade
}
