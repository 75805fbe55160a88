//! Generations as they are kept, and how far each is.

use std::collections::BTreeMap;

use fangwei::contest::SCORER;
use fangwei::lang::{Lang, Words, words};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::app::App;
use crate::failure::Failure;

/// How far a generation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Its scores are being made; nobody sees them yet.
    Running,
    /// It is what everybody sees.
    Current,
    /// A later one took its place.
    Past,
}

impl Stage {
    fn parse(word: &str) -> Result<Stage, Failure> {
        match word {
            "running" => Ok(Stage::Running),
            "current" => Ok(Stage::Current),
            "past" => Ok(Stage::Past),
            other => Err(Failure::Internal(format!("a generation has the unknown state {other:?}"))),
        }
    }

    /// For people.
    pub const fn title(self) -> Words {
        match self {
            Stage::Running => words("正在评分", "being scored"),
            Stage::Current => words("现行", "current"),
            Stage::Past => words("已被取代", "past"),
        }
    }
}

/// How many submissions are how far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Progress {
    /// All of them.
    pub submissions: i64,
    /// Those that have their score.
    pub scored: i64,
    /// Those that could not be scored.
    pub failed: i64,
}

impl Progress {
    /// Whether nothing is left to do.
    pub fn is_done(self) -> bool {
        self.scored + self.failed >= self.submissions
    }
}

/// Items and gold that a generation is the first to use.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct GoldOf {
    /// The phase.
    pub phase: String,
    /// The task.
    pub task: String,
    /// The SHA-256 of the gold; for organisers, since a name confirms a guess.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// A generation of scores.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Generation {
    /// Its number.
    pub number: i64,
    /// How far it is.
    pub state: Stage,
    /// Which program scores it.
    pub scorer: String,
    /// Why it was made.
    pub reason: String,
    /// Who made it; for organisers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When it was begun.
    pub at: i64,
    /// When it became what everybody sees.
    pub current_at: Option<i64>,
    /// What it is the first to be scored with.
    pub gold: Vec<GoldOf>,
    /// How far it is.
    pub progress: Progress,
}

impl Generation {
    /// Its state, for people.
    pub fn state_in(&self, lang: &Lang) -> &'static str {
        self.state.title().get(*lang)
    }

    /// Whether something that could not be scored keeps it from taking effect.
    pub fn is_stuck(&self) -> bool {
        self.state == Stage::Running && self.progress.failed > 0 && self.progress.is_done()
    }

    /// Whether the program that runs here is another than the one that it was scored with.
    pub fn is_of_other_scorer(&self) -> bool {
        self.scorer != SCORER
    }
}

/// All generations of a competition, the latest first. Only organisers learn who, and the names of gold.
pub async fn all(app: &App, contest: &str, is_organiser: bool) -> Result<Vec<Generation>, Failure> {
    let select = "SELECT generation.number, generation.state, generation.scorer, generation.reason, account.shown, generation.at, generation.current_at \
                  FROM generation LEFT JOIN account ON account.id = generation.account WHERE generation.contest = $1 ORDER BY generation.number DESC";
    let rows = sqlx::query(select).bind(contest.to_owned()).fetch_all(app.database.read()).await?;
    let (mut progress, mut gold) = (progress(app, contest).await?, golds(app, contest, is_organiser).await?);
    let mut one = |row: &AnyRow| {
        let (number, state): (i64, String) = (row.try_get(0)?, row.try_get(1)?);
        Ok(Generation {
            number,
            state: Stage::parse(&state)?,
            scorer: row.try_get(2)?,
            reason: row.try_get(3)?,
            by: row.try_get::<Option<String>, _>(4)?.filter(|_| is_organiser),
            at: row.try_get(5)?,
            current_at: row.try_get(6)?,
            gold: gold.remove(&number).unwrap_or_default(),
            progress: progress.remove(&number).unwrap_or_default(),
        })
    };
    rows.iter().map(&mut one).collect()
}

/// One generation.
pub async fn find(app: &App, contest: &str, number: i64, is_organiser: bool) -> Result<Generation, Failure> {
    let all = all(app, contest, is_organiser).await?;
    all.into_iter().find(|generation| generation.number == number).ok_or(Failure::NotFound)
}

async fn progress(app: &App, contest: &str) -> Result<BTreeMap<i64, Progress>, Failure> {
    let select = "SELECT job.generation, job.state, COUNT(*) FROM job JOIN submission ON submission.id = job.submission \
                  WHERE submission.contest = $1 GROUP BY job.generation, job.state";
    let rows = sqlx::query(select).bind(contest.to_owned()).fetch_all(app.database.read()).await?;
    let mut all: BTreeMap<i64, Progress> = BTreeMap::new();
    for row in rows {
        let (number, state, count): (i64, String, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let one = all.entry(number).or_default();
        one.submissions += count;
        match state.as_str() {
            "scored" => one.scored += count,
            "failed" => one.failed += count,
            _ => {}
        }
    }
    Ok(all)
}

async fn golds(app: &App, contest: &str, is_organiser: bool) -> Result<BTreeMap<i64, Vec<GoldOf>>, Failure> {
    let select = "SELECT generation, phase, task, gold FROM gold_version WHERE contest = $1 AND generation > 1 ORDER BY generation, phase, task";
    let rows = sqlx::query(select).bind(contest.to_owned()).fetch_all(app.database.read()).await?;
    let mut all: BTreeMap<i64, Vec<GoldOf>> = BTreeMap::new();
    for row in rows {
        let sha256 = if is_organiser { Some(row.try_get(3)?) } else { None };
        all.entry(row.try_get(0)?).or_default().push(GoldOf { phase: row.try_get(1)?, task: row.try_get(2)?, sha256 });
    }
    Ok(all)
}
