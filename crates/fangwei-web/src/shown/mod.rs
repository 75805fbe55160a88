//! Marks as people read them: cards of roles and words with their places, and the text with its spans. Read-only; the same for reviewers, adjudicators and editors.

mod craft;
mod difference;
mod draw;

pub use difference::{Line, compare, difference};
pub use draw::{Piece, draw};

use fangwei::annotate::{Mark, Reading, Subject, Value};
use fangwei::answer::{Answer, ReasonType, Verdict};
use fangwei::lang::{Lang, Say, Words, words};
use fangwei::task::{Item, Task, Texts};
use fangwei::tasks::{ROLES, SLOTS};
use fangwei::text::Span;
use schemars::JsonSchema;
use serde::Serialize;

/// A line of a card: a role and what fills it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The role, or what the line is about.
    pub name: Say,
    /// What fills it.
    pub text: Say,
    /// Its place in the text, as `[3-5,8]`; empty where it has none.
    pub place: String,
    /// The same as code-point indexes, in the order written.
    pub idxes: Vec<u32>,
    /// JSON pointer into the mark.
    pub pointer: String,
    /// The classes of its role: colour and line.
    pub look: String,
    /// Whether another mark says it differently.
    pub differs: bool,
}

/// A part of a mark: a tuple, a reason, a level, a set of mentions, a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// `record`, `coref`, `level`, `answer`, `problem`, `pair`, `grade`, `special`, `note`, `waiver`.
    pub kind: &'static str,
    /// Its title.
    pub title: Say,
    /// JSON pointer into the mark.
    pub pointer: String,
    /// Its lines.
    pub rows: Vec<Row>,
}

/// A card for programs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CardTold {
    /// Its kind.
    pub kind: &'static str,
    /// Its title.
    pub title: String,
    /// JSON pointer into the mark.
    pub pointer: String,
    /// Its lines.
    pub rows: Vec<RowTold>,
}

/// A line of a card for programs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RowTold {
    /// The role, or what the line is about.
    pub name: String,
    /// What fills it.
    pub text: String,
    /// Its places in the text, in the order written.
    pub idxes: Vec<u32>,
    /// JSON pointer into the mark.
    pub pointer: String,
    /// Whether another mark says it differently.
    pub differs: bool,
}

/// A text of an item for programs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TextTold {
    /// Its name.
    pub name: String,
    /// The text.
    pub text: String,
}

/// The texts of an item for programs.
pub fn texts_told(item: &Item) -> Vec<TextTold> {
    item.texts.write().iter().map(|(name, text)| TextTold { name: (*name).to_string(), text: (*text).to_string() }).collect()
}

/// A mark with its texts, ready to be drawn.
#[derive(Clone, Debug)]
pub struct View {
    /// The texts by name, the first with the spans of the mark.
    pub texts: Vec<(&'static str, Vec<Piece>)>,
    /// The cards.
    pub cards: Vec<Card>,
}

impl Row {
    fn new(name: impl Into<Say>, text: impl Into<Say>, pointer: impl Into<String>) -> Row {
        let (place, idxes, look) = (String::new(), Vec::new(), String::new());
        Row { name: name.into(), text: text.into(), place, idxes, pointer: pointer.into(), look, differs: false }
    }

    fn placed(mut self, span: &Span, look: String) -> Row {
        self.place = span.to_string();
        self.idxes = span.iter().map(|idx| idx.0).collect();
        self.look = look;
        self
    }

    /// What makes two lines the same: role, words, places.
    fn key(&self) -> (&str, &str, &[u32]) {
        (&self.name.zh, &self.text.zh, &self.idxes)
    }
}

impl Card {
    fn new(kind: &'static str, title: impl Into<Say>, pointer: impl Into<String>, rows: Vec<Row>) -> Card {
        Card { kind, title: title.into(), pointer: pointer.into(), rows }
    }

    /// The card in one language.
    pub fn told(&self, lang: Lang) -> CardTold {
        let row = |row: &Row| RowTold {
            name: row.name.get(lang).to_owned(),
            text: row.text.get(lang).to_owned(),
            idxes: row.idxes.clone(),
            pointer: row.pointer.clone(),
            differs: row.differs,
        };
        let (title, pointer) = (self.title.get(lang).to_owned(), self.pointer.clone());
        CardTold { kind: self.kind, title, pointer, rows: self.rows.iter().map(row).collect() }
    }
}

/// The look of a mention of coreference.
const MENTION: &str = "c7 s2";

/// A mark as cards.
pub fn shown(task: &dyn Task, item: &Item, mark: &Mark) -> Vec<Card> {
    let reading = Reading::of(item.texts.context());
    let subject = Subject::new(task, item, mark, &reading);
    let mut cards = Vec::new();
    if let Some(level) = mark.level {
        let text = Say::new(level.title(Lang::Zh), level.title(Lang::En));
        cards.push(Card::new("level", words("级别", "Level"), "/level", vec![Row::new(words("级别", "level"), text, "/level")]));
    }
    cards.extend(answer(task, mark));
    cards.extend(records(&subject));
    for set in &subject.sets {
        let title = if set.same { words("同指", "Same entity") } else { words("异指", "Different entities") };
        let mention = |mention: &fangwei::annotate::Mention<'_>| {
            let fragment = mention.fragment;
            Row::new(words("提及", "mention"), fragment.text.as_str(), subject.pointer(mention.spot))
                .placed(&fragment.span, MENTION.to_owned())
        };
        cards.push(Card::new("coref", title, subject.pointer(set.spot), set.mentions.iter().map(mention).collect()));
    }
    cards.extend(craft::cards(mark));
    cards.extend(besides(mark));
    cards
}

/// A mark with the texts that it is about.
pub fn view(task: &dyn Task, item: &Item, mark: &Mark) -> View {
    let cards = shown(task, item, mark);
    View { texts: texts(item, &cards, &[]), cards }
}

/// The texts of an item, the first with spans. Places at which `others` have other roles stand out.
pub fn texts(item: &Item, cards: &[Card], others: &[&[Card]]) -> Vec<(&'static str, Vec<Piece>)> {
    let plain = |text: &str| draw(text, &[], &[]);
    match &item.texts {
        Texts::One { context } => vec![("context", draw(context, cards, others))],
        Texts::Reason { context, reason } => vec![("context", draw(context, cards, others)), ("reason", plain(reason))],
        Texts::Pair { context1, context2 } => vec![("context1", draw(context1, cards, others)), ("context2", plain(context2))],
        Texts::Absent => Vec::new(),
    }
}

/// Answers that are no records.
fn answer(task: &dyn Task, mark: &Mark) -> Vec<Card> {
    let field = task.about().answer;
    let pointer = format!("/answer/{field}");
    let verdict = |verdict: Verdict| match verdict.value() {
        Some(true) => Say::new("是（true）", "true"),
        Some(false) => Say::new("否（false）", "false"),
        None => Say::new("未答", "no answer"),
    };
    let rows = match &mark.answer {
        Some(Answer::Verdict(judge)) => vec![Row::new(field, verdict(*judge), &pointer)],
        Some(Answer::Joint(normal, explains)) => vec![
            Row::new(words("文本正常", "the text is normal"), verdict(*normal), &pointer),
            Row::new(words("理由成立", "the reason explains it"), verdict(*explains), "/answer"),
        ],
        Some(Answer::Scene(scene)) => {
            let judge = Row::new(words("判断", "judge"), verdict(scene.judge), "/answer/judge");
            let reason = scene.reason.as_ref().map(|reason| Row::new(words("理由", "reason"), reason.as_str(), "/answer/reason"));
            std::iter::once(judge).chain(reason).collect()
        }
        Some(Answer::DraftReason(reason)) => {
            let texts = reason.texts.iter().map(|text| Row::new("text", text.as_str(), "/answer"));
            std::iter::once(Row::new("type", reason.kind.as_str(), "/answer")).chain(texts).collect()
        }
        Some(Answer::Graph(graph)) => graph
            .events
            .iter()
            .chain(&graph.relations)
            .map(|(head, roles)| {
                let roles: Vec<String> = roles.iter().map(|(role, values)| format!("{role}={}", values.join("/"))).collect();
                Row::new(head.as_str(), roles.join(" "), "/answer")
            })
            .collect(),
        _ => return Vec::new(),
    };
    vec![Card::new("answer", words("答案", "Answer"), "/answer", rows)]
}

/// Tuples, reasons and candidates.
fn records(subject: &Subject<'_>) -> Vec<Card> {
    let card = |record: &fangwei::annotate::Record<'_>| {
        let number = record.number + 1;
        let title = match record.reason {
            Some(kind) => {
                let Words { zh, en } = reason_words(kind);
                Say::new(format!("{} {zh}", kind.as_str()), format!("{} {en}", kind.as_str()))
            }
            None => Say::new(format!("第 {number} 组"), format!("No. {number}")),
        };
        Card::new(
            "record",
            title,
            subject.pointer(record.spot()),
            record.values.iter().map(|value| row(subject, value)).collect(),
        )
    };
    subject.records.iter().map(card).collect()
}

fn row(subject: &Subject<'_>, value: &Value<'_>) -> Row {
    let pointer = subject.pointer(value.spot);
    match (value.fragment, value.label) {
        (Some(fragment), _) => Row::new(value.name, fragment.text.as_str(), pointer).placed(&fragment.span, look(value.name)),
        (None, label) => Row::new(value.name, label.unwrap_or_default(), pointer),
    }
}

/// The type of a reason, in words.
const fn reason_words(kind: ReasonType) -> Words {
    match kind {
        ReasonType::A => words("搭配不当", "do not go together"),
        ReasonType::B => words("语义冲突", "contradict each other"),
        ReasonType::C => words("不符合常识或背景", "against common sense or the setting"),
    }
}

/// Colour and line of a role: eight colours, and another line for each further eight, so that no two roles of a task look the same without colour either.
fn look(role: &str) -> String {
    let known = |names: &[&str]| names.iter().position(|name| *name == role);
    let fragment = match role.as_bytes() {
        [b'S', ..] => 0,
        [b'P', ..] => 5,
        [b'E', ..] => 2,
        [.., b'1'] => 3,
        _ => 4,
    };
    let number = known(&ROLES).or_else(|| known(&SLOTS)).unwrap_or(fragment);
    format!("c{} s{}", number % 8, number / 8)
}

/// What a mark says besides its answer.
fn besides(mark: &Mark) -> Vec<Card> {
    let mut cards = Vec::new();
    if let Some(unsuitable) = &mark.unsuitable {
        let row = Row::new(words("不适合的原因", "why not"), unsuitable.reason.as_str(), "/unsuitable");
        let row = row.placed(&unsuitable.span, "c6 s1".to_owned());
        cards.push(Card::new("special", words("不适合", "Unsuitable"), "/unsuitable", vec![row]));
    }
    if !mark.special.is_empty() {
        let rows = mark.special.iter().enumerate().map(|(at, special)| {
            let text = Say::new(special.title(Lang::Zh), special.title(Lang::En));
            Row::new(words("特殊情况", "special case"), text, format!("/special/{at}"))
        });
        cards.push(Card::new("special", words("特殊情况", "Special case"), "/special", rows.collect()));
    }
    if !mark.note.is_empty() {
        let row = Row::new(words("备注", "note"), mark.note.as_str(), "/note");
        cards.push(Card::new("note", words("备注", "Note"), "/note", vec![row]));
    }
    if !mark.waivers.is_empty() {
        let waiver = |(at, waiver): (usize, &fangwei::annotate::Waiver)| {
            Row::new(format!("{} {}", waiver.rule, waiver.at), waiver.reason.as_str(), format!("/waivers/{at}"))
        };
        let rows = mark.waivers.iter().enumerate().map(waiver).collect();
        cards.push(Card::new("waiver", words("认为不成立的检查", "Findings held to be wrong"), "/waivers", rows));
    }
    cards
}

#[cfg(test)]
mod tests {
    use super::*;
    use fangwei::annotate::example;

    fn read(task: &str, text: &'static str, mark: &'static str) -> (&'static dyn Task, Item, Mark) {
        let task = fangwei::tasks::find(task).expect("a task");
        let read = example(text, mark).read(task.kind()).expect("an example");
        (task, read.item, read.mark)
    }

    #[test]
    fn a_tuple_is_a_card_with_places() {
        let (task, item, mark) = read("2023/roles", "雨伞靠在门后。", "空间实体=雨伞 事件=靠 处所=在门后");
        let cards = shown(task, &item, &mark);
        let record = cards.iter().find(|card| card.kind == "record").expect("a record");
        let rows: Vec<(&str, &str, &str)> =
            record.rows.iter().map(|row| (row.name.zh.as_str(), row.text.zh.as_str(), row.place.as_str())).collect();
        assert_eq!(rows, [("空间实体", "雨伞", "[0-1]"), ("事件", "靠", "[2]"), ("处所", "在门后", "[3-5]")]);
        assert_eq!(record.rows[2].pointer, "/answer/results/0/2/fragment");
        assert_ne!(record.rows[0].look, record.rows[2].look, "roles look different");
    }

    #[test]
    fn the_text_is_cut_where_spans_begin_and_end_in_code_points() {
        let (task, item, mark) = read("2023/roles", "𠀀雨伞靠在门后。", "空间实体=雨伞 事件=靠 处所=在门后");
        let view = view(task, &item, &mark);
        let pieces: Vec<(&str, bool)> =
            view.texts[0].1.iter().map(|piece| (piece.text.as_str(), piece.class.is_empty())).collect();
        assert_eq!(pieces, [("𠀀", true), ("雨伞", false), ("靠", false), ("在门后", false), ("。", true)]);
    }

    #[test]
    fn differences_are_told_by_line_and_by_place() {
        let (task, item, one) = read("2023/roles", "雨伞靠在门后。", "空间实体=雨伞 事件=靠 处所=在门后");
        let (_, _, other) = read("2023/roles", "雨伞靠在门后。", "空间实体=雨伞 事件=靠 处所=门后");
        let mut cards = vec![shown(task, &item, &one), shown(task, &item, &other)];
        compare(&mut cards);
        let differing: Vec<bool> =
            cards[0].iter().find(|card| card.kind == "record").expect("one").rows.iter().map(|row| row.differs).collect();
        assert_eq!(differing, [false, false, true]);
        let texts = texts(&item, &cards[0], &[&cards[1]]);
        let stand_out: String = texts[0].1.iter().filter(|piece| piece.differs).map(|piece| piece.text.as_str()).collect();
        assert_eq!(stand_out, "在", "only the preposition is in the place of one and not of the other");
        let lines = difference(&cards[0], &cards[1], Lang::Zh);
        let changed: Vec<String> =
            lines.iter().filter(|line| line.sign != ' ').map(|line| format!("{}{}", line.sign, line.text)).collect();
        assert_eq!(changed, ["-处所：在门后 [3-5]", "+处所：门后 [4-5]"]);
    }
}
