//! A task: the question, the answer, what is malformed, how one answer is scored, how totals are read.
//!
//! Everything that differs between tasks and years is behind [`Task`]; everything else (reading, validating, scoring, comparing, ranking, converting)
//! walks `crate::tasks::YEARS` and knows no task by name.

use smol_str::SmolStr;

use crate::answer::{Answer, Fragment, Kind};
use crate::lang::Words;
use crate::record::{Check, Fields, Json, list_of, read_fragment};
use crate::score::{Alignment, Measures, Total};

/// What an item asks about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Texts {
    /// One text.
    One {
        /// The text; never trimmed, for indexes count from its first character.
        context: SmolStr,
    },
    /// A text and a reason why it would be wrong (2021).
    Reason {
        /// The text.
        context: SmolStr,
        /// The reason that is to be judged.
        reason: SmolStr,
    },
    /// A prediction without its text: only what needs no text can be done with it.
    Absent,
    /// Two texts to compare (2023/scene).
    Pair {
        /// The first.
        context1: SmolStr,
        /// The second.
        context2: SmolStr,
    },
}

impl Texts {
    /// The text that indexes count in; of a pair, the first.
    pub fn context(&self) -> &str {
        match self {
            Texts::One { context } | Texts::Reason { context, .. } => context,
            Texts::Pair { context1, .. } => context1,
            Texts::Absent => "",
        }
    }

    /// Each text by itself: of a pair, both.
    pub fn each(&self) -> Vec<&str> {
        match self {
            Texts::Pair { context1, context2 } => vec![context1, context2],
            one => vec![one.context()],
        }
    }

    /// All of the text: of a pair, one after the other.
    pub fn joined(&self) -> String {
        match self {
            Texts::Pair { context1, context2 } => format!("{context1}{context2}"),
            one => one.context().to_owned(),
        }
    }
}

/// Sets of mentions of one entity.
pub type MentionSets = Vec<Vec<Fragment>>;

/// What only gold of the role tasks carries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Corefs {
    /// Mentions that mean the same.
    pub same: MentionSets,
    /// Mentions of one form that do not; no scorer reads them.
    pub different: MentionSets,
}

/// An item, with its gold where the file has it.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Its identifier.
    pub qid: SmolStr,
    /// What it asks about.
    pub texts: Texts,
    /// The gold.
    pub gold: Option<Answer>,
    /// Coreference, in gold of the role tasks.
    pub corefs: Option<Corefs>,
    /// Fields that are not the task's (`genre`, `origin`, …), kept as written.
    pub extra: Vec<(String, Json<'static>)>,
}

/// Does what the year's script does, or what the year's text says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Equal to the script, oddities included: scores can be compared with published ones.
    #[default]
    Official,
    /// As the text says.
    Spec,
}

impl Mode {
    /// `official` or `spec`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Mode::Official => "official",
            Mode::Spec => "spec",
        }
    }

    /// The rules of this mode.
    pub const fn rules(self) -> Rules {
        match self {
            Mode::Official => Rules(u32::MAX),
            Mode::Spec => Rules(0),
        }
    }
}

/// A place where an official script departs from its text.
#[derive(Debug)]
pub struct Quirk {
    /// Its name, in kebab case.
    pub name: &'static str,
    /// What the script does.
    pub official: Words,
    /// What the text says.
    pub spec: Words,
}

/// Which quirks are on: quirk number i of the task is bit i.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules(u32);

impl Rules {
    /// Whether quirk number `i` is on.
    pub const fn has(self, i: usize) -> bool {
        self.0 & (1 << i) != 0
    }

    /// The same rules with quirk number `i` the other way.
    #[must_use]
    pub const fn flip(self, i: usize) -> Rules {
        Rules(self.0 ^ (1 << i))
    }
}

/// What a task is called and how its records look.
#[derive(Debug)]
pub struct About {
    /// `2023/anomaly`
    pub id: &'static str,
    /// The official number: `2023/task1`.
    pub alias: &'static str,
    /// The official name.
    pub title: Words,
    /// What the task asks, for people, in Markdown.
    pub guide: Words,
    /// What a language model is asked, by way of asking (see `crate::ask`); the default first.
    pub prompts: &'static [(&'static str, &'static str)],
    /// The names under which the identifier stands, the official one first.
    pub qid_names: &'static [&'static str],
    /// The fields that a record of this task may have.
    pub fields: &'static [&'static str],
    /// The field whose presence makes a record an answered one.
    pub answer: &'static str,
}

impl About {
    /// Whether a column of a board is this task's: by its id, its short id or its official number.
    pub fn is_called(&self, column: &str) -> bool {
        [self.id, self.alias].iter().any(|name| *name == column || name.rsplit('/').next() == Some(column))
    }
}

/// The numbers that [`Task::score`] gives for an item and that are summed over items.
#[derive(Debug)]
pub struct Scale {
    /// Their names.
    pub columns: &'static [&'static str],
    /// How many of the leading ones are the item's own; the rest only serve pooled measures.
    pub own: usize,
    /// Which holds the item's own value of the ranking measure.
    pub item: usize,
    /// The path of the measure that ranks: `strict.macro_f1`.
    pub ranking: &'static str,
    /// Whether that measure is an accuracy: a share of items that are right.
    pub accuracy: bool,
}

/// How the numbers of identifiers run over the files of a release.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Numbering {
    /// `2-dev-4967`: on from one split to the next.
    #[default]
    RunsOn,
    /// `2-dev-1`: from 1 in each file.
    PerFile,
    /// `3-7`: on, and without the split.
    WithoutSplit,
}

/// How the official files of a task look, besides their records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// One JSON array; otherwise a record a line.
    pub array: bool,
    /// The numbers of identifiers.
    pub numbering: Numbering,
}

/// One of the tasks of a year.
pub trait Task: Sync + Send {
    /// What it is called and how its records look.
    fn about(&self) -> &About;

    /// The numbers of an item.
    fn scale(&self) -> &Scale;

    /// `2023/anomaly`
    fn id(&self) -> &'static str {
        self.about().id
    }

    /// How its official files look.
    fn form(&self) -> Form {
        Form::default()
    }

    /// The official number of the task, of which identifiers begin: `1` for `2023/task1`.
    fn number(&self) -> &'static str {
        self.about().alias.rsplit("task").next().unwrap_or_default()
    }

    /// Records out of a file that holds several tasks in one value (the 2021 answer sheet); `None` where `given` is a record itself.
    fn unpack(&self, given: &Json<'_>) -> Option<Vec<Json<'static>>> {
        let _ = given;
        None
    }

    /// Reads what the item asks about; in most tasks one text.
    fn read_texts(&self, given: &Json<'_>, check: &mut Check) -> Option<Texts> {
        Some(Texts::One { context: Fields(given).text("context", check)? })
    }

    /// What its answers are.
    fn kind(&self) -> Kind;

    /// Reads the answer of a record. `None` where the official script would fail; lesser defects are only noted.
    fn read_answer(&self, given: &Json<'_>, check: &mut Check) -> Option<Answer>;

    /// Whether gold of this task must have coreference sets.
    fn has_corefs(&self) -> bool {
        false
    }

    /// The fields of an answer, as the year wrote them.
    fn write_answer(&self, answer: &Answer) -> Vec<(&'static str, Json<'static>)>;

    /// Notes everything about an answer that breaks the task's rules. With `texts`, also what does not fit the text.
    fn check_answer(&self, answer: &Answer, texts: Option<&Texts>, check: &mut Check);

    /// Where the official script and the text part.
    fn quirks(&self) -> &'static [Quirk];

    /// What the answer `pred` to `item` earns: one number a column, all 0 at first. A missing prediction is a value, scored by rule.
    fn score(&self, rules: Rules, item: &Item, pred: Option<&Answer>, row: &mut [f64]);

    /// Reads the measures off the sums.
    fn measures(&self, mode: Mode, total: &Total) -> Measures;

    /// How gold and prediction were matched and what each part earned.
    fn align(&self, rules: Rules, item: &Item, pred: Option<&Answer>) -> Alignment;

    /// The values of a facet that only this task knows (`type`, `fragments`, `roles`, …); `None` where it does not know the facet.
    fn facet(&self, name: &str, item: &Item) -> Option<Vec<String>> {
        let _ = (name, item);
        None
    }

    /// The facets that [`Task::facet`] knows.
    fn facets(&self) -> &'static [&'static str] {
        &[]
    }
}

impl Texts {
    /// The fields of the texts, as every year wrote them.
    pub fn write(&self) -> Vec<(&'static str, Json<'static>)> {
        let field = |name, text: &str| (name, Json::text(text.to_owned()));
        match self {
            Texts::One { context } => vec![field("context", context)],
            Texts::Reason { context, reason } => vec![field("context", context), field("reason", reason)],
            Texts::Pair { context1, context2 } => vec![field("context1", context1), field("context2", context2)],
            Texts::Absent => Vec::new(),
        }
    }
}

impl std::fmt::Debug for dyn Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

/// Reads an item of `task` with its gold, if it has one. `None` where the record cannot be used; why is in `check`.
pub fn read_item(task: &dyn Task, given: &Json<'_>, gold_needed: bool, check: &mut Check) -> Option<Item> {
    let fields = Fields::of(given, check)?;
    let qid = fields.qid(task.about().qid_names, check);
    let texts = task.read_texts(given, check);
    let has_gold = gold_needed || given.get(task.about().answer).is_some();
    let gold = if has_gold { Some(task.read_answer(given, check)?) } else { None };
    let corefs = if has_gold && task.has_corefs() { Some(read_corefs(given, check)?) } else { None };
    Some(Item { qid: qid?, texts: texts?, gold, corefs, extra: fields.extra(task.about().fields) })
}

/// Reads a prediction as an item without text.
pub fn read_pred(task: &dyn Task, given: &Json<'_>, check: &mut Check) -> Option<Item> {
    let fields = Fields::of(given, check)?;
    let qid = fields.qid(task.about().qid_names, check);
    let gold = task.read_answer(given, check)?;
    Some(Item { qid: qid?, texts: Texts::Absent, gold: Some(gold), corefs: None, extra: fields.extra(task.about().fields) })
}

/// Reads `corefs` and `non_corefs`; the latter are optional.
pub(crate) fn read_corefs(given: &Json<'_>, check: &mut Check) -> Option<Corefs> {
    let mut sets = |name: &str| {
        let value = Fields(given).need(name, check)?;
        let mention = |given: &Json<'_>, check: &mut Check| read_fragment(given, true, check);
        check.at(name, |check| list_of(value, check, |set, check| list_of(set, check, mention)))
    };
    let same = sets("corefs");
    let different = if given.get("non_corefs").is_some() { sets("non_corefs") } else { Some(Vec::new()) };
    Some(Corefs { same: same?, different: different? })
}

/// An item as a record of its task, fields in the official order.
pub fn write_item(task: &dyn Task, item: &Item) -> Json<'static> {
    let mut fields = vec![(task.about().qid_names[0], Json::text(item.qid.to_string()))];
    fields.extend(item.texts.write());
    if let Some(corefs) = &item.corefs {
        fields.extend(write_corefs(corefs));
    }
    if let Some(gold) = &item.gold {
        fields.extend(task.write_answer(gold));
    }
    let mut record = Json::map(fields);
    if let Json::Map(fields) = &mut record {
        fields.extend(item.extra.iter().map(|(name, value)| (name.clone().into(), value.clone())));
    }
    record
}

/// A prediction as a record of its task.
pub fn write_pred(task: &dyn Task, qid: &str, pred: &Answer) -> Json<'static> {
    let mut fields = vec![(task.about().qid_names[0], Json::text(qid.to_owned()))];
    fields.extend(task.write_answer(pred));
    Json::map(fields)
}

/// The fields `corefs` and `non_corefs`.
pub(crate) fn write_corefs(corefs: &Corefs) -> [(&'static str, Json<'static>); 2] {
    [("corefs", write_mentions(&corefs.same)), ("non_corefs", write_mentions(&corefs.different))]
}

fn write_mentions(sets: &MentionSets) -> Json<'static> {
    let mention = |mention: &Fragment| Json::map(write_fragment(mention));
    Json::List(sets.iter().map(|set| Json::List(set.iter().map(mention).collect())).collect())
}

/// The fields `text` and `idxes`.
pub fn write_fragment(fragment: &Fragment) -> Vec<(&'static str, Json<'static>)> {
    let idxes = fragment.span.iter().map(|idx| Json::Int(i64::from(idx.0))).collect();
    vec![("text", Json::text(fragment.text.to_string())), ("idxes", Json::List(idxes))]
}
