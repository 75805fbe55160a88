//! One inspection and one case for programs: what the pages show, as JSON.

use axum::Json;
use axum::extract::{Path, State};
use fangwei::annotate::Reading;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::adjudicate::{Case, Side};
use super::cases::drawn;
use super::inspection::{Inspection, Round};
use super::page::{Step, look};
use crate::app::App;
use crate::batches::batch::BatchName;
use crate::failure::Failure;
use crate::shown::{CardTold, TextTold, texts_told};
use crate::stored;
use crate::who::Who;

/// An inspection with the version that is looked at.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InspectionTold {
    /// Its id.
    pub inspection: String,
    /// The batch.
    pub batch: BatchName,
    /// The item.
    pub item: ItemTold,
    /// Whether it is a blind review.
    pub blind: bool,
    /// Whether the reader is to say something.
    pub waits: bool,
    /// The version that is looked at.
    pub version: i64,
    /// The texts.
    pub texts: Vec<TextTold>,
    /// The mark.
    pub mark: Value,
    /// The mark as people read it.
    pub cards: Vec<CardTold>,
    /// What the rules find.
    pub findings: Vec<Value>,
    /// The versions, the last first.
    pub versions: Vec<StepTold>,
    /// What was said before.
    pub rounds: Vec<Round>,
    /// Whose work; not in a blind review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotator: Option<String>,
    /// The state of the work; not in a blind review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The assignment; not in a blind review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignment: Option<String>,
}

/// An item.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ItemTold {
    /// Its id.
    pub id: String,
    /// Its name.
    pub qid: String,
    /// Its number.
    pub number: i64,
}

/// A version and what it changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StepTold {
    /// Its number.
    pub version: i64,
    /// `person`, `revision`, `predictor:NAME`.
    pub source: String,
    /// Who; empty where that is not told.
    pub author: String,
    /// When.
    pub at: i64,
    /// Whether it was finished.
    pub finished: bool,
    /// What it changed.
    pub changes: Vec<ChangeTold>,
}

/// A line that came or went.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangeTold {
    /// `+` or `-`.
    pub sign: char,
    /// The line.
    pub text: String,
    /// JSON pointer into the mark.
    pub pointer: String,
}

impl StepTold {
    fn of(step: &Step) -> StepTold {
        let change =
            |line: &crate::shown::Line| ChangeTold { sign: line.sign, text: line.text.clone(), pointer: line.pointer.clone() };
        StepTold {
            version: step.version,
            source: step.source.clone(),
            author: step.author.clone(),
            at: step.at,
            finished: step.finished,
            changes: step.lines.iter().map(change).collect(),
        }
    }
}

/// Tells an inspection.
pub async fn inspection(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Json<InspectionTold>, Failure> {
    let inspection = Inspection::find(&app, who.me()?, &id).await?;
    let seen = inspection.seen(&app, who.me()?).await?;
    let looked = look(&inspection, &seen, &who).await?;
    let (task, lang) = (inspection.batch.task, who.lang);
    let item = stored::given(&inspection.batch, &inspection.record)?.item;
    let mark = stored::mark(task, &looked.content)?;
    let reading = Reading::of(item.texts.context());
    let open = |text: &str| (!inspection.blind).then(|| text.to_owned());
    Ok(Json(InspectionTold {
        batch: inspection.batch.named(),
        item: ItemTold { id: inspection.item.clone(), qid: inspection.qid.clone(), number: inspection.number },
        blind: inspection.blind,
        waits: seen.waits,
        version: seen.version,
        texts: texts_told(&item),
        mark: serde_json::from_str(&looked.content).unwrap_or_default(),
        cards: looked.view.cards.iter().map(|card| card.told(lang)).collect(),
        findings: looked.findings.iter().map(|finding| finding.to_json(task, &mark, &reading, lang)).collect(),
        versions: looked.steps.iter().map(StepTold::of).collect(),
        rounds: seen.rounds,
        annotator: open(&inspection.annotator_shown),
        state: open(&inspection.state),
        assignment: open(&inspection.assignment),
        inspection: inspection.id,
    }))
}

/// A case: the marks of an item side by side.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CaseTold {
    /// The item.
    pub item: String,
    /// Its name.
    pub qid: String,
    /// The batch.
    pub batch: BatchName,
    /// The texts.
    pub texts: Vec<TextTold>,
    /// The marks.
    pub marks: Vec<MarkTold>,
    /// How near each two are.
    pub near: Vec<NearTold>,
    /// The version of the last gold; 0 before the first.
    pub gold: i64,
    /// What that says.
    pub outcome: String,
}

/// A mark of a case.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MarkTold {
    /// The row of the mark.
    pub id: String,
    /// Whether it is what you finished in the editor: it can be taken, and is not among the `marks` that a decision names.
    pub own: bool,
    /// A letter; for a manager the name.
    pub annotator: String,
    /// The mark as people read it.
    pub cards: Vec<CardTold>,
    /// The mark.
    pub mark: Value,
}

/// How near two marks are.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NearTold {
    /// One annotator.
    pub one: String,
    /// The other.
    pub other: String,
    /// From 0 to 1.
    pub near: f64,
}

/// Tells a case. Annotators have letters, unless a manager asks.
pub async fn case(State(app): State<App>, who: Who, Path(item): Path<String>) -> Result<Json<CaseTold>, Failure> {
    let (case, sides, near) = drawn(&who, Case::find(&app, who.me()?, &item).await?).await?;
    let side = |side: &Side| MarkTold {
        id: side.id.clone(),
        own: side.is_own,
        annotator: side.name.clone(),
        cards: side.view.cards.iter().map(|card| card.told(who.lang)).collect(),
        mark: serde_json::from_str(&side.json).unwrap_or_default(),
    };
    Ok(Json(CaseTold {
        qid: case.known.item.qid.to_string(),
        batch: case.batch.named(),
        texts: texts_told(&case.known.item),
        marks: sides.iter().map(side).collect(),
        near: near.into_iter().map(|(one, other, near)| NearTold { one, other, near }).collect(),
        gold: case.gold,
        outcome: case.outcome,
        item: case.known.id,
    }))
}
