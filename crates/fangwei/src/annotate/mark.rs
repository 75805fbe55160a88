//! A mark: what one person says of one item. It holds the task's answer and what annotation has and answers lack.

use smol_str::SmolStr;

use super::craft::{Problem, WrittenPair, read_grade, read_pair, read_problem, write_pair, write_problem};
use crate::answer::Answer;
use crate::lang::{Lang, Say, Unknown, Words, words};
use crate::lexicon::names;
use crate::record::{Check, Code, Fields, Json, list_of, read_span};
use crate::task::{Corefs, Task, read_corefs, write_corefs};
use crate::text::Span;

/// The version of the written form.
pub const FORMAT: i64 = 1;

/// The version of [`super::RULES`] and of the decisions behind them: a mark says under which it was made.
pub const RULES_VERSION: i64 = 1;

names! {
    /// The four levels of judgement.
    Level, words("没有这个等级", "unknown level");
    /// Nobody would object.
    Fine "fine" "完全正常" "normal",
    /// Acceptable, though a more natural wording exists.
    SomeFine "someFine" "尚能说通" "acceptable",
    /// Wrong, unless one makes up a rare scene.
    SomeBad "someBad" "比较牵强" "far-fetched",
    /// Wrong beyond dispute.
    Bad "bad" "显然异常" "wrong",
}

names! {
    /// Why an item of the role tasks has no ordinary annotation.
    Special, words("没有这种特殊情况", "unknown special case");
    /// Nothing in the text is about space.
    NoSpace "no-space" "没有空间意义" "no spatial meaning",
    /// The text has an error.
    TextError "text-error" "文本有错误" "error in the text",
    /// The item is an example of the guide.
    Used "used" "已用作例子" "used as an example",
    /// Something else; the note says what.
    Other "other" "其他" "other",
}

impl Level {
    /// The verdict that the level stands for; the two in the middle are no gold.
    pub const fn verdict(self) -> Option<bool> {
        match self {
            Level::Fine => Some(true),
            Level::Bad => Some(false),
            Level::SomeFine | Level::SomeBad => None,
        }
    }
}

/// The item should not be used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unsuitable {
    /// Why, in words.
    pub reason: SmolStr,
    /// Where, if one place is to blame.
    pub span: Span,
}

/// Somebody holds a finding to be wrong here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiver {
    /// The rule.
    pub rule: SmolStr,
    /// What it was found at: [`super::Finding::at`].
    pub at: SmolStr,
    /// Why it does not hold.
    pub reason: SmolStr,
}

/// What one person says of one item.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Mark {
    /// The answer, in the task's own form.
    pub answer: Option<Answer>,
    /// Coreference, in the role tasks.
    pub corefs: Corefs,
    /// The level of judgement. `fine` in a task about anomalies says that there is none.
    pub level: Option<Level>,
    /// The item should not be used.
    pub unsuitable: Option<Unsuitable>,
    /// Special cases.
    pub special: Vec<Special>,
    /// What is wrong with a raw passage; `None` where nobody has looked.
    pub problems: Option<Vec<Problem>>,
    /// What was written around a pair of words.
    pub pair: Option<WrittenPair>,
    /// The grade of a reason.
    pub grade: Option<u8>,
    /// A remark for whoever reads the mark.
    pub note: SmolStr,
    /// Whether the person is still at it.
    pub draft: bool,
    /// Findings that the person holds to be wrong.
    pub waivers: Vec<Waiver>,
    /// The version of the rules under which it was made; 0 where none is told.
    pub rules: i64,
}

impl Mark {
    /// A finished mark with an answer, under the rules of today.
    pub fn new(answer: Answer) -> Mark {
        Mark { answer: Some(answer), rules: RULES_VERSION, ..Mark::default() }
    }

    /// Gold as a mark.
    pub fn of_gold(item: &crate::task::Item) -> Mark {
        let corefs = item.corefs.clone().unwrap_or_default();
        Mark { answer: item.gold.clone(), corefs, rules: RULES_VERSION, ..Mark::default() }
    }

    /// Whether the mark says why the item has no answer.
    pub fn sets_aside(&self) -> bool {
        self.unsuitable.is_some() || !self.special.is_empty()
    }

    /// The mark as JSON: the answer in the fields of its task, what is empty left out.
    pub fn write(&self, task: &dyn Task) -> Json<'static> {
        let text = |text: &SmolStr| Json::text(text.to_string());
        let mut fields = vec![("version", Json::Int(FORMAT)), ("rules", Json::Int(self.rules))];
        if let Some(answer) = &self.answer {
            fields.push(("answer", Json::map(task.write_answer(answer))));
        }
        if task.has_corefs() {
            fields.extend(write_corefs(&self.corefs));
        }
        if let Some(level) = self.level {
            fields.push(("level", Json::text(level.as_str())));
        }
        if let Some(Unsuitable { reason, span }) = &self.unsuitable {
            fields.push(("unsuitable", Json::map([("reason", text(reason)), ("idxes", write_span(span))])));
        }
        if !self.special.is_empty() {
            fields.push(("special", Json::List(self.special.iter().map(|one| Json::text(one.as_str())).collect())));
        }
        if let Some(problems) = &self.problems {
            fields.push(("problems", Json::List(problems.iter().map(write_problem).collect())));
        }
        if let Some(pair) = &self.pair {
            fields.push(("pair", write_pair(pair)));
        }
        if let Some(grade) = self.grade {
            fields.push(("grade", Json::Int(i64::from(grade))));
        }
        if !self.note.is_empty() {
            fields.push(("note", text(&self.note)));
        }
        if self.draft {
            fields.push(("draft", Json::Bool(true)));
        }
        if !self.waivers.is_empty() {
            let waiver = |w: &Waiver| Json::map([("rule", text(&w.rule)), ("at", text(&w.at)), ("reason", text(&w.reason))]);
            fields.push(("waivers", Json::List(self.waivers.iter().map(waiver).collect())));
        }
        Json::map(fields)
    }

    /// Reads a mark; `None` where it cannot be used, and why is in `check`.
    pub fn read(task: &dyn Task, given: &Json<'_>, check: &mut Check) -> Option<Mark> {
        let fields = Fields::of(given, check)?;
        let version = fields.need("version", check)?;
        if *version != Json::Int(FORMAT) {
            check.at("version", |check| check.add(Code::BadType, FORMAT.to_string(), version.brief()));
            return None;
        }
        let mut mark =
            Mark { rules: if let Some(Json::Int(rules)) = given.get("rules") { *rules } else { 0 }, ..Mark::default() };
        if let Some(answer) = given.get("answer") {
            mark.answer = Some(check.at("answer", |check| task.read_answer(answer, check))?);
        }
        if task.has_corefs() && given.get("corefs").is_some() {
            mark.corefs = read_corefs(given, check)?;
        }
        if let Some(level) = given.get("level") {
            mark.level = Some(check.at("level", |check| read_name(level, check))?);
        }
        if let Some(given) = given.get("unsuitable") {
            mark.unsuitable = Some(check.at("unsuitable", |check| read_unsuitable(given, check))?);
        }
        if let Some(special) = given.get("special") {
            mark.special = check.at("special", |check| list_of(special, check, read_name))?;
        }
        if let Some(problems) = given.get("problems") {
            mark.problems = Some(check.at("problems", |check| list_of(problems, check, read_problem))?);
        }
        if let Some(pair) = given.get("pair") {
            mark.pair = Some(check.at("pair", |check| read_pair(pair, check))?);
        }
        if let Some(grade) = given.get("grade") {
            mark.grade = Some(check.at("grade", |check| read_grade(grade, check))?);
        }
        if given.get("note").is_some() {
            mark.note = fields.text("note", check)?;
        }
        mark.draft = given.get("draft") == Some(&Json::Bool(true));
        if let Some(waivers) = given.get("waivers") {
            mark.waivers = check.at("waivers", |check| list_of(waivers, check, read_waiver))?;
        }
        Some(mark)
    }
}

pub(super) fn write_span(span: &Span) -> Json<'static> {
    Json::List(span.iter().map(|idx| Json::Int(i64::from(idx.0))).collect())
}

pub(super) fn read_name<T: std::str::FromStr<Err = Unknown>>(given: &Json<'_>, check: &mut Check) -> Option<T> {
    let Some(name) = given.as_str() else {
        check.add(Code::BadType, Say::new("字符串", "a string"), given.brief());
        return None;
    };
    match name.parse() {
        Ok(value) => Some(value),
        Err(unknown) => {
            check.add(Code::BadLabel, unknown.known.join(" "), given.brief());
            None
        }
    }
}

fn read_unsuitable(given: &Json<'_>, check: &mut Check) -> Option<Unsuitable> {
    let reason = Fields::of(given, check)?.text("reason", check)?;
    let span = match given.get("idxes") {
        Some(idxes) => check.at("idxes", |check| read_span(idxes, check))?,
        None => Span::default(),
    };
    Some(Unsuitable { reason, span })
}

fn read_waiver(given: &Json<'_>, check: &mut Check) -> Option<Waiver> {
    let fields = Fields::of(given, check)?;
    let (rule, at, reason) = (fields.text("rule", check), fields.text("at", check), fields.text("reason", check));
    let waiver = Waiver { rule: rule?, at: at?, reason: reason? };
    if waiver.reason.trim().is_empty() {
        let expected = Say::new("一个理由", "a reason");
        check.at("reason", |check| check.add(Code::EmptyAnswer, expected, "\"\""));
        return None;
    }
    Some(waiver)
}
