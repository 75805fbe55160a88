//! A board as it is told: names as who looks may see them, places, scores, and how far they can be trusted.

use std::collections::HashMap;

use fangwei::contest::{BOARD_RESAMPLING, Standings};
use fangwei::lang::Lang;
use fangwei::rank::{By, Doubt, LeftOut, POLICIES, Ranking, Row, remarks};
use fangwei::stats::Interval;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::sight::Eyes;
use super::trust::Trusted;
use crate::app::App;
use crate::failure::Failure;
use crate::prompts;
use crate::teams::team;

/// The boards of a competition.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardList {
    /// Those that you may see.
    pub boards: Vec<BoardName>,
}

/// A board in a list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardName {
    /// Its name in addresses.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The phase whose submissions it ranks.
    pub phase: String,
    /// Since when it stands still, in milliseconds since 1970.
    pub frozen_at: Option<i64>,
}

/// Whether a board has moved.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Live {
    /// Another one when the board has moved.
    pub stamp: String,
    /// When the newest score was made, in milliseconds since 1970.
    pub scored_at: Option<i64>,
}

/// A board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardShown {
    /// The competition.
    pub contest: String,
    /// Its name in addresses.
    pub board: String,
    /// Its title.
    pub title: String,
    /// The phase whose submissions it ranks.
    pub phase: String,
    /// The name of the policy, or `custom`.
    pub policy: String,
    /// What decides: `z-mean`, `mean-rank` or `mean-score`.
    pub by: String,
    /// Since when it stands still for everybody but organisers, in milliseconds since 1970.
    pub frozen_at: Option<i64>,
    /// Whether only part of the items counts, until the results are revealed.
    pub is_part: bool,
    /// The generation of scores.
    pub generation: i64,
    /// When the newest score was made, in milliseconds since 1970.
    pub scored_at: Option<i64>,
    /// Another one when the board has moved.
    pub stamp: String,
    /// Whether intervals, chances and groups are there; otherwise they are being computed.
    pub is_settled: bool,
    /// How many draws they are from.
    pub resamples: usize,
    /// Digits after the point.
    pub precision: u8,
    /// The tasks.
    pub tasks: Vec<TaskShown>,
    /// The rows, ranked ones first.
    pub rows: Vec<RowShown>,
    /// What explains the numbers, in a language.
    pub remarks: Vec<String>,
}

/// A task of a board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskShown {
    /// Its id.
    pub task: String,
    /// Its name.
    pub title: String,
    /// The measure that ranks.
    pub measure: String,
    /// Mean over those who are ranked.
    pub mean: Option<f64>,
    /// Deviation over the same.
    pub deviation: f64,
    /// How many origins of items were drawn from.
    pub families: Option<usize>,
}

/// A row of a board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RowShown {
    /// The id of its team; nothing for a row of the organisers.
    pub team: Option<String>,
    /// Its name, as you may see it.
    pub name: String,
    /// `team`, `baseline`, `human` or `llm`.
    pub kind: String,
    /// Whether it is your own.
    pub is_own: bool,
    /// Its place, and how far that can be trusted.
    #[serde(flatten)]
    pub place: Place,
    /// Mean of the Z scores.
    pub z_mean: Option<f64>,
    /// Mean of the ranks within the tasks.
    pub mean_rank: Option<f64>,
    /// Mean of the scores.
    pub mean_score: Option<f64>,
    /// Best and worst rank when any one task or other row is left out.
    pub rank_range: Option<[u32; 2]>,
    /// `tied`, `incomplete`, `filled`, `outside`, `no-score`.
    pub flags: Vec<String>,
    /// Each task.
    pub tasks: Vec<CellShown>,
    /// When the last submission that counts came in, in milliseconds since 1970.
    pub last_at: Option<i64>,
}

impl RowShown {
    /// Leaves out what could not be known from this row alone, but for its place.
    fn alone(&mut self) {
        (self.z_mean, self.mean_rank, self.rank_range) = (None, None, None);
        self.place = Place { rank: self.place.rank, ..Place::default() };
        for cell in &mut self.tasks {
            (cell.z, cell.place.first) = (None, None);
            cell.place.groups.clear();
        }
    }
}

/// A place, and how far it can be trusted.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Place {
    /// From 1; nothing for who is not ranked.
    pub rank: Option<u32>,
    /// What decides.
    pub value: Option<f64>,
    /// The 95 % interval of what decides: from and to.
    pub interval: Option<[f64; 2]>,
    /// The chance of being first.
    pub first: Option<f64>,
    /// The groups that it belongs to: rows of one group cannot be told apart.
    pub groups: Vec<u32>,
}

/// A row in a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CellShown {
    /// The task.
    pub task: String,
    /// Its place there; what decides is the score.
    #[serde(flatten)]
    pub place: Place,
    /// Its Z score.
    pub z: Option<f64>,
    /// How many submissions were scored.
    pub submissions: usize,
    /// What stood on the board after each of them.
    pub history: Vec<f64>,
}

/// What a board of somebody says.
pub async fn tell(app: &App, eyes: &Eyes, trusted: &Trusted, lang: Lang) -> Result<BoardShown, Failure> {
    let teams = team::all(app, &eyes.kept.contest.id).await?;
    let gathered = &trusted.gathered;
    let names = eyes.names(gathered, &teams);
    let Standings { mut overall, tasks } = eyes.plan.standings(&gathered.entries);
    let teller = Teller { eyes, trusted, names: &names, lang };
    let mut rows: Vec<RowShown> =
        overall.rows.iter().filter(|row| eyes.sees(row)).filter_map(|row| teller.row(row, &tasks)).collect();
    let mut task_rows = teller.tasks(&overall);
    teller.rename(&mut overall);
    if eyes.own_only {
        // Means and deviations tell the scores of others, and so does what is measured by them.
        rows.iter_mut().for_each(RowShown::alone);
        for task in &mut task_rows {
            (task.mean, task.deviation) = (None, 0.0);
        }
        overall.tasks.clear();
        overall.first_changes.clear();
    }
    Ok(BoardShown {
        contest: eyes.kept.contest.id.clone(),
        board: eyes.plan.id.clone(),
        title: eyes.plan.title.get(lang).to_owned(),
        phase: eyes.phase.id.clone(),
        policy: eyes.plan.policy.name.to_owned(),
        by: word(eyes.plan.policy.by),
        frozen_at: eyes.plan.frozen_at,
        is_part: eyes.is_part(),
        generation: gathered.generation,
        scored_at: gathered.scored_at,
        stamp: stamp(eyes, trusted),
        is_settled: trusted.doubts.is_some(),
        resamples: BOARD_RESAMPLING.resamples,
        precision: eyes.plan.precision,
        tasks: task_rows,
        rows,
        remarks: teller.remarks(&overall),
    })
}

/// What tells one state of a board, as somebody sees it, from another.
pub fn stamp(eyes: &Eyes, trusted: &Trusted) -> String {
    let (view, settled) = (eyes.view, u8::from(trusted.doubts.is_some()));
    format!("{}.{}.{}.{settled}", trusted.stamp, u8::from(view.private), view.until.unwrap_or_default())
}

/// The word of an enum as in its JSON.
pub fn word(value: impl Serialize) -> String {
    json!(value).as_str().unwrap_or_default().to_owned()
}

struct Teller<'t> {
    eyes: &'t Eyes,
    trusted: &'t Trusted,
    names: &'t HashMap<String, String>,
    lang: Lang,
}

impl Teller<'_> {
    fn row(&self, row: &Row, tasks: &[Ranking]) -> Option<RowShown> {
        let number = self.trusted.gathered.entries.iter().position(|entry| entry.name == row.name)?;
        let contender = &self.trusted.gathered.contenders[number];
        let doubts = self.trusted.doubts.as_deref();
        let cell = |(task, ranking): (usize, &Ranking)| {
            let id = self.eyes.plan.tasks[task].id();
            let of_task = ranking.rows.iter().find(|other| other.name == row.name);
            let doubt = doubts.and_then(|doubts| doubts.tasks[task].get(number));
            CellShown {
                task: id.to_owned(),
                place: place(of_task.and_then(|row| row.rank), row.scores.get(id), doubt),
                z: row.z.get(id),
                submissions: contender.tasks[task].submissions,
                history: contender.tasks[task].history.clone(),
            }
        };
        let value = row.decides(self.eyes.plan.policy.by);
        Some(RowShown {
            team: contender.team.clone(),
            name: self.names.get(row.name.as_str()).cloned().unwrap_or_default(),
            kind: word(row.kind),
            is_own: self.eyes.own.as_ref().is_some_and(|own| contender.team.as_ref() == Some(&own.id)),
            place: place(row.rank, value, doubts.and_then(|doubts| doubts.overall.get(number))),
            z_mean: row.z_mean,
            mean_rank: row.mean_rank,
            mean_score: row.mean_score,
            rank_range: row.rank_range,
            flags: row.flags.iter().map(word).collect(),
            tasks: tasks.iter().enumerate().map(cell).collect(),
            last_at: contender.last_at,
        })
    }

    fn title(&self, task: &str) -> String {
        let entry = self.eyes.kept.contest.task(task);
        entry.map_or_else(|| task.to_owned(), |entry| entry.title.get(self.lang).to_owned())
    }

    fn tasks(&self, overall: &Ranking) -> Vec<TaskShown> {
        let one = |(number, spread): (usize, &fangwei::rank::TaskSpread)| TaskShown {
            task: spread.task.clone(),
            title: self.title(&spread.task),
            measure: prompts::measure(&self.eyes.kept.contest, &self.eyes.phase.id, self.eyes.plan.tasks[number]),
            mean: spread.mean,
            deviation: spread.deviation,
            families: self.trusted.doubts.as_ref().map(|doubts| doubts.families[number]),
        };
        overall.tasks.iter().enumerate().map(one).collect()
    }

    /// Gives a ranking the names that may be seen.
    fn rename(&self, ranking: &mut Ranking) {
        let name = |key: &str| self.names.get(key).cloned().unwrap_or_default();
        for task in &mut ranking.tasks {
            task.task = self.title(&task.task);
        }
        for change in &mut ranking.first_changes {
            change.first = change.first.iter().map(|key| name(key)).collect();
            change.left_out = match &change.left_out {
                LeftOut::Task(task) => LeftOut::Task(self.title(task)),
                LeftOut::Row(key) => LeftOut::Row(name(key)),
            };
        }
    }

    /// What explains the numbers: which submission counts, which items, the policy, and how luck was measured.
    fn remarks(&self, overall: &Ranking) -> Vec<String> {
        let (eyes, say) = (self.eyes, |zh: &'static str, en: &'static str| self.lang.say(zh, en).to_owned());
        let mut lines = vec![eyes.phase.rule.title().get(self.lang).to_owned()];
        if eyes.is_part() {
            lines.push(say(
                "测试集的一部分题目暂不计分，结果公布时才计入，名次可能变动",
                "part of the items does not count until the results are revealed; places may change then",
            ));
        }
        if eyes.plan.policy.by == By::MeanRank && POLICIES.iter().all(|known| known.policy != eyes.plan.policy) {
            lines.push(say(
                "按各任务名次的平均值排名，越小越好",
                "the mean of the ranks within the tasks decides, lower is better",
            ));
        }
        lines.extend(remarks(overall, self.lang));
        let (draws, percent) = (BOARD_RESAMPLING.resamples, (BOARD_RESAMPLING.confidence * 100.0).round());
        lines.push(match self.lang {
            Lang::Zh => format!("区间、第一名的概率和分组来自 {draws} 次重抽样：同源的题目一起抽取，每次重新评分、重新排名；区间为 {percent}%。同组（字母相同）的系统不能区分高下。手工填写的行没有逐题结果，不参与抽样。"),
            Lang::En => format!("Intervals, chances of being first and groups are from {draws} resamples: items of one origin are drawn together, and every draw is scored and ranked anew; intervals are at {percent} %. Systems that share a letter cannot be told apart. Typed rows have no results of items and stand still."),
        });
        lines
    }
}

fn place(rank: Option<u32>, value: Option<f64>, doubt: Option<&Doubt>) -> Place {
    let interval = doubt.and_then(|doubt| doubt.interval).map(|Interval { low, high, .. }| [low, high]);
    let groups = doubt.map(|doubt| doubt.groups.clone()).unwrap_or_default();
    Place { rank, value, interval, first: doubt.and_then(|doubt| doubt.first), groups }
}
