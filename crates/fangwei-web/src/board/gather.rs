//! The rows of a board out of the database: for every team the submissions that count, and the rows that organisers typed in.

use std::collections::{BTreeMap, HashMap};

use fangwei::contest::{Parts, Sent};
use fangwei::rank::{Board, Entry, Kind};
use serde_json::json;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::sight::Eyes;
use crate::app::App;
use crate::failure::Failure;
use crate::submit::look;

/// A row of a board beside its scores.
#[derive(Clone, Debug)]
pub struct Contender {
    /// The id of its team; nothing for a row of the board's file.
    pub team: Option<String>,
    /// Its name in the file; that of a team is told by [`super::shown`], to each as they may see it.
    pub name: String,
    /// Who it is about.
    pub kind: Kind,
    /// What became of each task.
    pub tasks: Vec<Tried>,
    /// When the last submission that counts came in.
    pub last_at: Option<i64>,
}

/// What a row did in a task.
#[derive(Clone, Debug, Default)]
pub struct Tried {
    /// How many submissions were scored.
    pub submissions: usize,
    /// What stood on the board after each of them.
    pub history: Vec<f64>,
    /// The blob with the results of the items of the one that counts.
    pub items: Option<String>,
    /// The gold that it was scored with.
    pub gold: Option<String>,
    /// The file itself.
    pub sent: Option<String>,
}

/// Everything that a board is made of, in one order.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// Names are keys, scores in the order of the board's tasks.
    pub entries: Vec<Entry>,
    /// The same rows.
    pub contenders: Vec<Contender>,
    /// The generation of scores.
    pub generation: i64,
    /// When the newest score was made.
    pub scored_at: Option<i64>,
}

/// The moment until which submissions count.
fn until(eyes: &Eyes) -> i64 {
    eyes.view.until.unwrap_or(i64::MAX)
}

/// The generation that counts: the current one, or for a frozen board the one of that moment.
async fn generation(app: &App, eyes: &Eyes) -> Result<i64, Failure> {
    let contest = &eyes.kept.contest.id;
    let Some(until) = eyes.view.until else { return look::generation(app, contest).await };
    let select = "SELECT COALESCE(MAX(number), 1) FROM generation WHERE contest = $1 AND at <= $2 AND state <> 'running'";
    Ok(sqlx::query_scalar(select).bind(contest.clone()).bind(until).fetch_one(app.database.read()).await?)
}

/// What a board depends on, in a word. Rows are only ever appended, so their numbers tell whether anything is new.
pub async fn stamp(app: &App, eyes: &Eyes) -> Result<String, Failure> {
    let (contest, generation) = (&eyes.kept.contest.id, generation(app, eyes).await?);
    let select = "SELECT (SELECT COUNT(*) FROM score JOIN submission ON submission.id = score.submission \
                  WHERE score.generation = $1 AND submission.contest = $2 AND submission.phase = $3 AND submission.at <= $4), \
                  (SELECT COUNT(*) FROM choice JOIN submission ON submission.id = choice.submission \
                  WHERE submission.contest = $2 AND submission.phase = $3 AND choice.at <= $4), \
                  (SELECT COUNT(*) FROM team WHERE contest = $2 AND state = 'approved'), \
                  (SELECT CAST(COALESCE(SUM(version), 0) AS BIGINT) FROM team WHERE contest = $2)";
    let row = sqlx::query(select)
        .bind(generation)
        .bind(contest.clone())
        .bind(eyes.phase.id.clone())
        .bind(until(eyes))
        .fetch_one(app.database.read())
        .await?;
    let numbers: [i64; 4] = [row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?];
    let [scores, choices, approved, teams] = numbers;
    Ok(format!("{}.{generation}.{scores}.{choices}.{approved}.{teams}", eyes.kept.version))
}

/// Reads the rows of a board.
pub async fn gather(app: &App, eyes: &Eyes) -> Result<Gathered, Failure> {
    gather_in(app, eyes, generation(app, eyes).await?, None).await
}

/// Reads the rows of a board as they are in a generation; where another one is given, of submissions that were scored in it as well.
pub async fn gather_in(app: &App, eyes: &Eyes, generation: i64, also: Option<i64>) -> Result<Gathered, Failure> {
    let chosen = chosen(app, eyes).await?;
    let select = "SELECT submission.id, submission.team, submission.task, submission.at, team.kind, score.measures, score.items, score.gold, score.at, submission.hash \
                  FROM submission JOIN team ON team.id = submission.team \
                  JOIN score ON score.submission = submission.id AND score.generation = $1 \
                  WHERE submission.contest = $2 AND submission.phase = $3 AND submission.at <= $4 AND team.state = 'approved' \
                  AND EXISTS (SELECT 1 FROM score AS other WHERE other.submission = submission.id AND other.generation = $5) \
                  ORDER BY submission.at, submission.id";
    let rows = sqlx::query(select)
        .bind(generation)
        .bind(eyes.kept.contest.id.clone())
        .bind(eyes.phase.id.clone())
        .bind(until(eyes))
        .bind(also.unwrap_or(generation))
        .fetch_all(app.database.read())
        .await?;
    let mut teams: BTreeMap<String, Vec<Scored>> = BTreeMap::new();
    for row in &rows {
        let scored = Scored::read(row, eyes.view.private, &chosen)?;
        teams.entry(row.try_get(1)?).or_default().push(scored);
    }
    let scored_at = teams.values().flatten().map(|scored| scored.made_at).max();
    let (mut entries, mut contenders) = (Vec::new(), Vec::new());
    for (team, scored) in teams {
        let (entry, contender) = of_team(eyes, team, &scored);
        entries.push(entry);
        contenders.push(contender);
    }
    for (number, entry) in typed(app, eyes).await?.into_iter().enumerate() {
        let tasks = vec![Tried::default(); eyes.plan.tasks.len()];
        contenders.push(Contender { team: None, name: entry.name.clone(), kind: entry.kind, tasks, last_at: None });
        entries.push(Entry { name: format!("row {number}"), ..entry });
    }
    Ok(Gathered { entries, contenders, generation, scored_at })
}

/// A submission with its score.
struct Scored {
    task: String,
    at: i64,
    kind: String,
    sent: Sent,
    items: Option<String>,
    gold: String,
    made_at: i64,
    file: String,
}

impl Scored {
    fn read(row: &AnyRow, private_counts: bool, chosen: &HashMap<String, bool>) -> Result<Scored, Failure> {
        let (id, measures): (String, String) = (row.try_get(0)?, row.try_get(5)?);
        let parts: Parts =
            serde_json::from_str(&measures).map_err(|error| Failure::Internal(format!("a score cannot be read: {error}")))?;
        let is_chosen = chosen.get(&id).copied().unwrap_or_default();
        Ok(Scored {
            task: row.try_get(2)?,
            at: row.try_get(3)?,
            kind: row.try_get(4)?,
            sent: Sent { is_chosen, ranking: parts.shown(private_counts).ranking },
            items: row.try_get(6)?,
            gold: row.try_get(7)?,
            made_at: row.try_get(8)?,
            file: row.try_get(9)?,
        })
    }
}

/// The last word on each submission.
async fn chosen(app: &App, eyes: &Eyes) -> Result<HashMap<String, bool>, Failure> {
    let select = "SELECT choice.submission, choice.is_chosen FROM choice JOIN submission ON submission.id = choice.submission \
                  WHERE submission.contest = $1 AND submission.phase = $2 AND choice.at <= $3 ORDER BY choice.id";
    let rows = sqlx::query(select)
        .bind(eyes.kept.contest.id.clone())
        .bind(eyes.phase.id.clone())
        .bind(until(eyes))
        .fetch_all(app.database.read())
        .await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get::<i64, _>(1)? > 0))).collect()
}

fn of_team(eyes: &Eyes, team: String, scored: &[Scored]) -> (Entry, Contender) {
    let kind = scored.first().and_then(|scored| serde_json::from_value(json!(scored.kind)).ok()).unwrap_or(Kind::Team);
    let (mut scores, mut tasks, mut last_at) = (Vec::new(), Vec::new(), None);
    for task in &eyes.plan.tasks {
        let of_task: Vec<&Scored> = scored.iter().filter(|scored| scored.task == task.id()).collect();
        let sent: Vec<Sent> = of_task.iter().map(|scored| scored.sent).collect();
        let counted = eyes.phase.rule.counted(&sent).map(|number| of_task[number]);
        scores.push(counted.map(|scored| scored.sent.ranking));
        last_at = last_at.max(counted.map(|scored| scored.at));
        tasks.push(Tried {
            submissions: of_task.len(),
            history: eyes.phase.rule.history(&sent),
            items: counted.and_then(|scored| scored.items.clone()),
            gold: counted.map(|scored| scored.gold.clone()),
            sent: counted.map(|scored| scored.file.clone()),
        });
    }
    let entry = Entry { name: team.clone(), kind, scores, jury: None };
    (entry, Contender { team: Some(team), name: String::new(), kind, tasks, last_at })
}

/// The rows of the board's file. What was wrong with it was told when it was brought.
async fn typed(app: &App, eyes: &Eyes) -> Result<Vec<Entry>, Failure> {
    if eyes.plan.rows.is_empty() {
        return Ok(Vec::new());
    }
    let text = eyes.kept.text(app, &eyes.plan.rows).await?;
    Ok(eyes.plan.entries_of(&Board::from_csv(&text).board))
}
