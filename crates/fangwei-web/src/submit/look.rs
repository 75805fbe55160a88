//! Submissions as their team and the organisers may see them. What a phase keeps back (scores, results of items, the private part) leaves the server for organisers only.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use fangwei::contest::{Contest, ItemRow, Parts, Shows, Sight};
use fangwei::lang::{Lang, Words, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::log::{self, Line};
use crate::app::App;
use crate::contests::Kept;
use crate::failure::Failure;
use crate::policy::Role;
use crate::prompts;
use crate::store;
use crate::teams::team;
use crate::who::Who;

/// So long an answer waits for a score.
const MOST_WAIT: Duration = Duration::from_secs(8);

/// How far a submission is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Progress {
    /// It is kept; organisers run it, nothing scores it by itself.
    Received,
    /// It is to be scored.
    Waiting,
    /// It is being scored.
    Running,
    /// It has its score.
    Scored,
    /// It could not be scored, which is the organisers' matter.
    Failed,
}

impl Progress {
    fn of(job: Option<&str>, is_scored: bool) -> Progress {
        match job {
            _ if is_scored => Progress::Scored,
            Some("running") => Progress::Running,
            Some("failed") => Progress::Failed,
            Some(_) => Progress::Waiting,
            None => Progress::Received,
        }
    }

    /// For people.
    pub const fn title(self) -> Words {
        match self {
            Progress::Received => words("已收到，等待组织者运行", "received; to be run by the organisers"),
            Progress::Waiting => words("等待评分", "waiting to be scored"),
            Progress::Running => words("正在评分", "being scored"),
            Progress::Scored => words("已评分", "scored"),
            Progress::Failed => {
                words("评分失败（不占用次数，组织者会处理）", "scoring failed (costs no quota; the organisers will see to it)")
            }
        }
    }
}

/// The measures that may be seen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ShownScore {
    /// The value that ranks.
    pub ranking: f64,
    /// The path of the measure that ranks.
    pub measure: String,
    /// How many items it is over.
    pub items: u64,
    /// How many of these were answered.
    pub answered: u64,
    /// Whether part of the items is kept back.
    pub is_part: bool,
    /// All measures, under the names of the official script.
    pub measures: Value,
    /// The generation of scores.
    pub generation: i64,
    /// What scored it.
    pub scorer: String,
    /// The name of the gold that it was scored with; for organisers, since a name confirms a guess.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold: Option<String>,
    /// When it was scored.
    pub at: i64,
}

/// A submission.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Shown {
    /// Its id.
    pub id: String,
    /// The team: its id.
    pub team: String,
    /// The file that it came as.
    #[serde(skip)]
    pub upload: String,
    /// The phase.
    pub phase: String,
    /// The task.
    pub task: String,
    /// The how manieth of its team for this task and phase.
    pub number: i64,
    /// What the file was called.
    pub file: String,
    /// What the team wants to remember of it.
    pub note: String,
    /// How it came: `page`, `api` or `cli`.
    pub channel: String,
    /// Its size as it was sent.
    pub bytes: i64,
    /// The SHA-256 of the file as it was sent.
    pub sha256: String,
    /// How many warnings the validator had.
    pub warnings: i64,
    /// When it had arrived.
    pub at: i64,
    /// How far it is.
    pub state: Progress,
    /// Its score, where there is one and the phase shows it.
    pub score: Option<ShownScore>,
    /// Whether the results of its items may be seen.
    pub has_items: bool,
    /// Whether the team chose it to count.
    pub is_chosen: bool,
}

impl Shown {
    /// Its state, for people.
    pub fn state_in(&self, lang: &Lang) -> &'static str {
        self.state.title().get(*lang)
    }

    /// The value that ranks, as far as it may be seen.
    pub fn ranking(&self) -> String {
        self.score.as_ref().map(|score| format!("{:.4}", score.ranking)).unwrap_or_default()
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT submission.id, submission.team, submission.upload, submission.phase, submission.task, submission.number, submission.at, ",
            "upload.file_name, upload.note, upload.channel, upload.bytes, upload.hash, upload.warnings, ",
            "job.state, score.measures, score.generation, score.scorer, score.gold, score.at, score.items ",
            "FROM submission JOIN upload ON upload.id = submission.upload ",
            "LEFT JOIN job ON job.submission = submission.id AND job.generation = $1 ",
            "LEFT JOIN score ON score.submission = submission.id AND score.generation = $1 ",
            $rest
        )
    };
}

/// The generation of scores that counts at this moment.
pub async fn generation(app: &App, contest: &str) -> Result<i64, Failure> {
    let select = "SELECT COALESCE(MAX(number), 1) FROM generation WHERE contest = $1 AND state = 'current'";
    Ok(sqlx::query_scalar(select).bind(contest.to_owned()).fetch_one(app.database.read()).await?)
}

/// Who looks: what they may see of a phase.
struct Eyes<'c> {
    contest: &'c Contest,
    now: i64,
    is_organiser: bool,
}

impl Eyes<'_> {
    fn shows(&self, phase: &str) -> Shows {
        let nothing = Shows { scores: Sight::Organisers, items: Sight::Organisers, board: Sight::Organisers, private: false };
        let shows = self.contest.phase(phase).map_or(nothing, |phase| self.contest.shows(phase, self.now));
        if self.is_organiser {
            Shows { scores: Sight::Everybody, items: Sight::Everybody, board: Sight::Everybody, private: true }
        } else {
            shows
        }
    }

    fn read(&self, row: &AnyRow, chosen: &BTreeMap<String, bool>) -> Result<Shown, Failure> {
        let (id, phase, task): (String, String, String) = (row.try_get(0)?, row.try_get(3)?, row.try_get(4)?);
        let (job, measures): (Option<String>, Option<String>) = (row.try_get(13)?, row.try_get(14)?);
        let shows = self.shows(&phase);
        let state = Progress::of(job.as_deref(), measures.is_some());
        let score = match &measures {
            Some(measures) if shows.scores >= Sight::Team => Some(self.score(row, measures, (&phase, &task), shows)?),
            _ => None,
        };
        Ok(Shown {
            has_items: row.try_get::<Option<String>, _>(19)?.is_some() && shows.items >= Sight::Team,
            is_chosen: chosen.get(&id).copied().unwrap_or_default(),
            id,
            team: row.try_get(1)?,
            upload: row.try_get(2)?,
            phase,
            task,
            number: row.try_get(5)?,
            at: row.try_get(6)?,
            file: row.try_get(7)?,
            note: row.try_get(8)?,
            channel: row.try_get(9)?,
            bytes: row.try_get(10)?,
            sha256: row.try_get(11)?,
            warnings: row.try_get(12)?,
            state,
            score,
        })
    }

    fn score(&self, row: &AnyRow, measures: &str, (phase, task): (&str, &str), shows: Shows) -> Result<ShownScore, Failure> {
        let parts: Parts =
            serde_json::from_str(measures).map_err(|error| Failure::Internal(format!("a score cannot be read: {error}")))?;
        let part = parts.shown(shows.private).clone();
        let measure = fangwei::tasks::find(task).map(|task| prompts::measure(self.contest, phase, task)).unwrap_or_default();
        Ok(ShownScore {
            ranking: part.ranking,
            measure,
            items: part.items,
            answered: part.answered,
            is_part: part.items < parts.all.items,
            measures: part.measures,
            generation: row.try_get(15)?,
            scorer: row.try_get(16)?,
            gold: if self.is_organiser { row.try_get(17)? } else { None },
            at: row.try_get(18)?,
        })
    }
}

fn eyes<'c>(app: &App, who: &Who, kept: &'c Kept) -> Eyes<'c> {
    Eyes { contest: &kept.contest, now: app.now(), is_organiser: who.is_at_least(Role::Organiser) }
}

/// The submissions of a team, newest first.
pub async fn of_team(app: &App, who: &Who, kept: &Kept, team: &str) -> Result<Vec<Shown>, Failure> {
    let generation = generation(app, &kept.contest.id).await?;
    let select = select!(
        "WHERE submission.contest = $2 AND submission.team = $3 ORDER BY submission.at DESC, submission.id DESC LIMIT 1000"
    );
    let rows = sqlx::query(select)
        .bind(generation)
        .bind(kept.contest.id.clone())
        .bind(team.to_owned())
        .fetch_all(app.database.read())
        .await?;
    let chosen = choices(app, team).await?;
    let eyes = eyes(app, who, kept);
    rows.iter().map(|row| eyes.read(row, &chosen)).collect()
}

/// One submission, for its team and the organisers; for others it is not there.
pub async fn one(app: &App, who: &Who, kept: &Kept, id: &str) -> Result<Shown, Failure> {
    let generation = generation(app, &kept.contest.id).await?;
    let select = select!("WHERE submission.contest = $2 AND submission.id = $3");
    let row = sqlx::query(select)
        .bind(generation)
        .bind(kept.contest.id.clone())
        .bind(id.to_owned())
        .fetch_optional(app.database.read())
        .await?
        .ok_or(Failure::NotFound)?;
    let team: String = row.try_get(1)?;
    need_sight(app, who, kept, &team).await?;
    eyes(app, who, kept).read(&row, &choices(app, &team).await?)
}

/// Refuses who is neither of the team nor an organiser, as if there were nothing.
pub async fn need_sight(app: &App, who: &Who, kept: &Kept, team: &str) -> Result<(), Failure> {
    if who.is_at_least(Role::Organiser) {
        return Ok(());
    }
    let own = team::of_account(app, &kept.contest.id, &who.me()?.id).await?;
    if own.is_some_and(|own| own.id == team) { Ok(()) } else { Err(Failure::NotFound) }
}

/// One submission, once it is scored, or as it is after a while.
pub async fn when_scored(app: &App, who: &Who, kept: &Kept, id: &str) -> Result<Shown, Failure> {
    let begun = Instant::now();
    let mut pause = Duration::from_millis(10);
    loop {
        let shown = one(app, who, kept, id).await?;
        if !matches!(shown.state, Progress::Waiting | Progress::Running) || begun.elapsed() > MOST_WAIT {
            return Ok(shown);
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(300));
    }
}

/// Which submissions of a team are chosen: the last word on each.
async fn choices(app: &App, team: &str) -> Result<BTreeMap<String, bool>, Failure> {
    let select = "SELECT choice.submission, choice.is_chosen FROM choice JOIN submission ON submission.id = choice.submission \
                  WHERE submission.team = $1 ORDER BY choice.id";
    let rows = sqlx::query(select).bind(team.to_owned()).fetch_all(app.database.read()).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get::<i64, _>(1)? > 0))).collect()
}

/// What the validator said of a file: some of its defects, and how many there are.
pub async fn defects_of(app: &App, upload: &str, lang: Lang, most: usize) -> Result<(Vec<Value>, usize), Failure> {
    let select = "SELECT defects FROM upload WHERE id = $1";
    let hash: Option<Option<String>> =
        sqlx::query_scalar(select).bind(upload.to_owned()).fetch_optional(app.database.read()).await?;
    let Some(hash) = hash.ok_or(Failure::NotFound)? else { return Ok((Vec::new(), 0)) };
    let text = store::get(app.database.read(), &hash).await?;
    let mut told: Value =
        serde_json::from_slice(&text).map_err(|error| Failure::Internal(format!("a report cannot be read: {error}")))?;
    let count = told["count"].as_u64().unwrap_or_default() as usize;
    let mut defects = match told[lang.say("zh", "en")].take() {
        Value::Array(defects) => defects,
        _ => Vec::new(),
    };
    defects.truncate(most);
    Ok((defects, count))
}

/// The result of an item as it is kept.
#[derive(Serialize, Deserialize)]
pub struct KeptRow {
    /// Its row.
    #[serde(flatten)]
    pub row: ItemRow,
    /// What raters gave, where people graded it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grades: Option<Vec<f64>>,
}

/// The results of the items of a submission: those that may be seen.
pub async fn items(app: &App, who: &Who, kept: &Kept, shown: &Shown) -> Result<Vec<Value>, Failure> {
    if !shown.has_items {
        return Err(Failure::forbidden("这个阶段不显示逐题结果", "this phase does not show the results of items"));
    }
    let generation = generation(app, &kept.contest.id).await?;
    let select = "SELECT items FROM score WHERE submission = $1 AND generation = $2";
    let hash: Option<Option<String>> =
        sqlx::query_scalar(select).bind(shown.id.clone()).bind(generation).fetch_optional(app.database.read()).await?;
    let text = store::get(app.database.read(), &hash.flatten().ok_or(Failure::NotFound)?).await?;
    let task = fangwei::tasks::find(&shown.task).map_err(|error| Failure::Internal(error.to_string()))?;
    let private_counts = eyes(app, who, kept).shows(&shown.phase).private;
    let broken = |error: serde_json::Error| Failure::Internal(format!("results cannot be read: {error}"));
    let rows = serde_json::Deserializer::from_slice(&text).into_iter::<KeptRow>();
    let rows = rows.collect::<Result<Vec<KeptRow>, _>>().map_err(broken)?;
    let own = |kept: &KeptRow| match &kept.grades {
        None => kept.row.own(task),
        Some(grades) => {
            json!({ "qid": kept.row.qid, "answered": kept.row.answered, "score": kept.row.row.first(), "columns": { "grades": grades } })
        }
    };
    Ok(rows.iter().filter(|kept| private_counts || !kept.row.private).map(own).collect())
}

/// A submission with its log.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Whole {
    /// The submission.
    pub submission: Shown,
    /// What happened to it.
    pub log: Vec<Line>,
}

/// One submission with its log.
pub async fn whole(app: &App, who: &Who, kept: &Kept, id: &str) -> Result<Whole, Failure> {
    let submission = one(app, who, kept, id).await?;
    Ok(Whole { log: log::of(app, id).await?, submission })
}
