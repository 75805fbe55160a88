//! The track as its teams and the organisers may see it, for programs. A team sees its own prompts; what the judgements come to where the phase shows scores; a
//! transcript once its gate is open.

use axum::Json;
use axum::extract::{Path, State};
use fangwei::contest::{PromptTrack, Sight};
use fangwei::lang::{Lang, Words, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::entry::{self, Entry};
use super::grading::{self, Made, Order};
use super::run::{self, Run};
use crate::app::App;
use crate::contests::head::clock;
use crate::contests::{Kept, kept};
use crate::failure::Failure;
use crate::policy::Role;
use crate::sent::Sent;
use crate::store;
use crate::submit::look::need_sight;
use crate::submit::queue;
use crate::teams::team;
use crate::who::Who;

/// How far a prompt is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Progress {
    /// The organisers have not run it yet.
    Received,
    /// They are running it.
    Running,
    /// Its run was stopped and will go on.
    Stopped,
    /// Its run has used up its budget.
    Spent,
    /// It was run.
    Finished,
    /// People grade its reasons.
    Grading,
    /// It has its score.
    Scored,
}

impl Progress {
    fn of(entry: &Entry) -> Progress {
        if entry.is_scored {
            return Progress::Scored;
        }
        let Some(run) = entry.done().or(entry.runs.last()) else { return Progress::Received };
        match run.state {
            _ if run.batch.is_some() => Progress::Grading,
            run::State::Running => Progress::Running,
            run::State::Stopped => Progress::Stopped,
            run::State::Spent => Progress::Spent,
            run::State::Finished => Progress::Finished,
        }
    }

    /// For people.
    pub const fn title(self) -> Words {
        match self {
            Progress::Received => words("等待组织者运行", "to be run by the organisers"),
            Progress::Running => words("正在运行", "being run"),
            Progress::Stopped => words("运行中断，将继续", "run interrupted, will go on"),
            Progress::Spent => words("预算用完，其余的题没有回答", "budget used up; the rest has no answer"),
            Progress::Finished => words("已运行，等待评分", "run; to be graded"),
            Progress::Grading => words("评分员正在评分", "being graded"),
            Progress::Scored => words("已有成绩", "scored"),
        }
    }
}

/// A run, as far as it may be seen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunShown {
    /// Its id.
    pub id: String,
    /// The model.
    pub model: String,
    /// How far it is.
    pub state: run::State,
    /// How many items there are; 0 while it runs for the first time.
    pub items: i64,
    /// How many have an answer that could be read.
    pub answered: i64,
    /// So many tokens may it spend.
    pub budget_tokens: i64,
    /// So many has it spent.
    pub spent_tokens: i64,
    /// So much money has it spent; for organisers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent_money: Option<f64>,
    /// What the judgements alone come to, where the phase shows scores.
    pub judged: Option<Value>,
    /// Whether its transcript may be read.
    pub has_transcript: bool,
    /// The batch in which its reasons are graded; for organisers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// When it was last changed, in milliseconds since 1970.
    pub changed_at: i64,
}

/// A prompt.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PromptShown {
    /// The submission.
    pub submission: String,
    /// The team: its id.
    pub team: String,
    /// Its name.
    pub team_name: String,
    /// The how manieth of its team.
    pub number: i64,
    /// What the file was called.
    pub file: String,
    /// When it had arrived, in milliseconds since 1970.
    pub at: i64,
    /// Whether it counts by the rule of the phase.
    pub counts: bool,
    /// How far it is.
    pub state: Progress,
    /// Its runs.
    pub runs: Vec<RunShown>,
}

impl PromptShown {
    /// Its state, for people.
    pub fn state_in(&self, lang: &Lang) -> &'static str {
        self.state.title().get(*lang)
    }
}

/// The track and its prompts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Track {
    /// The phase.
    pub phase: String,
    /// The task.
    pub task: String,
    /// The model; empty where the organisers have not said.
    pub model: String,
    /// So many tokens may a run spend.
    pub budget_tokens: u64,
    /// So many characters may a prompt have.
    pub most_characters: u32,
    /// So many people grade a reason.
    pub raters: u32,
    /// Whether teams may read their transcripts.
    pub is_unsealed: bool,
    /// When they may, where that is known.
    pub unsealed_at: Option<String>,
    /// The prompts, newest last.
    pub prompts: Vec<PromptShown>,
}

/// Whether somebody may read the transcripts of a team that they belong to.
fn is_unsealed(app: &App, kept: &Kept, track: &PromptTrack) -> bool {
    track.transcripts.is_open(&kept.contest, app.now())
}

/// What somebody may see of the track.
pub async fn shown(app: &App, who: &Who, kept: &Kept) -> Result<Track, Failure> {
    let (track, place) = super::track(kept)?;
    let is_organiser = who.is_at_least(Role::Organiser);
    let own = team::of_account(app, &kept.contest.id, &who.me()?.id).await?.map(|team| team.id);
    let entries = entry::all(app, kept).await?;
    let seen = entries.iter().filter(|entry| is_organiser || own.as_ref() == Some(&entry.team));
    let (shows, unsealed) = (kept.contest.shows(&place.phase, app.now()), is_unsealed(app, kept, track));
    let run = |run: &Run| RunShown {
        id: run.id.clone(),
        model: run.model.clone(),
        state: run.state,
        items: run.items,
        answered: run.answered,
        budget_tokens: run.budget_tokens,
        spent_tokens: run.spent_tokens,
        spent_money: is_organiser.then_some(run.spent_money),
        judged: (is_organiser || shows.scores >= Sight::Team)
            .then(|| run.judged.as_ref().map(|parts| parts.shown(is_organiser || shows.private).measures.clone()))
            .flatten(),
        has_transcript: run.transcript.is_some() && (is_organiser || unsealed),
        batch: run.batch.clone().filter(|_| is_organiser),
        changed_at: run.changed_at,
    };
    let prompt = |entry: &Entry| PromptShown {
        submission: entry.submission.clone(),
        team: entry.team.clone(),
        team_name: entry.name.clone(),
        number: entry.number,
        file: entry.file.clone(),
        at: entry.at,
        counts: entry.counts,
        state: Progress::of(entry),
        runs: entry.runs.iter().map(run).collect(),
    };
    Ok(Track {
        phase: track.phase.clone(),
        task: track.task.clone(),
        model: track.model.clone(),
        budget_tokens: track.budget_tokens,
        most_characters: track.most_characters,
        raters: track.raters,
        is_unsealed: unsealed,
        unsealed_at: track.transcripts.moment(&kept.contest).filter(|moment| moment.ms > 0).map(clock),
        prompts: seen.map(prompt).collect(),
    })
}

/// The track, for programs.
pub async fn track(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Json<Track>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(shown(&app, &who, &kept).await?))
}

/// Somebody says something.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Said {
    /// `system`, `user` or `assistant`.
    pub role: String,
    /// The text.
    pub content: String,
}

/// What was asked about an item, and what came back.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Exchange {
    /// The item.
    pub qid: String,
    /// What was sent.
    pub messages: Vec<Said>,
    /// What came back; `null` where nothing did.
    pub reply: Option<String>,
    /// Why the reply ends.
    #[serde(default)]
    pub finish: Option<String>,
    /// What became of it: `parsed`, `repaired`, `unparsed`, `refused`, `truncated`, `empty`.
    #[serde(default)]
    pub state: Option<String>,
}

/// A transcript.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Transcript {
    /// The submission.
    pub submission: String,
    /// The model.
    pub model: String,
    /// The SHA-256 of the prompt.
    pub prompt: String,
    /// Item by item.
    pub exchanges: Vec<Exchange>,
}

/// A run and its transcript: for organisers always, for its team once the gate is open; for others neither is there.
pub async fn unseal(app: &App, who: &Who, kept: &Kept, id: &str) -> Result<(Run, Transcript), Failure> {
    let (track, _) = super::track(kept)?;
    let run = run::find(app, &kept.contest.id, id).await?;
    let select = "SELECT team FROM submission WHERE id = $1";
    let team: String = sqlx::query_scalar(select).bind(run.submission.clone()).fetch_one(app.database.read()).await?;
    need_sight(app, who, kept, &team).await?;
    if !who.is_at_least(Role::Organiser) && !is_unsealed(app, kept, track) {
        let at = track.transcripts.moment(&kept.contest).map(clock);
        return Err(Failure::forbidden(
            format!("运行记录还没有公开{}", at.as_ref().map(|at| format!("，{at} 起可以查看")).unwrap_or_default()),
            format!("the transcript is sealed{}", at.map(|at| format!(" until {at}")).unwrap_or_default()),
        ));
    }
    let name = run.transcript.clone().ok_or(Failure::NotFound)?;
    let text = store::get(app.database.read(), &name).await?;
    let broken = |error| Failure::Internal(format!("a transcript cannot be read: {error}"));
    Ok((run, serde_json::from_slice(&text).map_err(broken)?))
}

/// The transcript of a run, for programs.
pub async fn transcript(
    State(app): State<App>,
    who: Who,
    Path((id, run)): Path<(String, String)>,
) -> Result<Json<Transcript>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(unseal(&app, &who, &kept, &run).await?.1))
}

/// Makes a batch of the reasons, for programs.
pub async fn grade(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(order): Sent<Order>,
) -> Result<Json<Made>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let made = grading::make(&app, &kept, Some(&who.me()?.id), &order).await?;
    queue::wake(&app);
    Ok(Json(made))
}
