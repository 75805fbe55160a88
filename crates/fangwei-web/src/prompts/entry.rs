//! The prompts that were submitted, and which of them count by the rule of the phase.

use std::collections::BTreeMap;

use fangwei::contest::Rule;
use sqlx::Row;

use super::run::{self, Run};
use super::track;
use crate::app::App;
use crate::contests::Kept;
use crate::failure::Failure;
use crate::store;

/// A submitted prompt.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The submission.
    pub submission: String,
    /// The team: its id.
    pub team: String,
    /// Its name.
    pub name: String,
    /// The how manieth of its team.
    pub number: i64,
    /// What the file was called.
    pub file: String,
    /// The name of its bytes in the store.
    pub hash: String,
    /// When it had arrived.
    pub at: i64,
    /// Whether it counts. Where the best one does all do, for nobody knows which that is before they are run.
    pub counts: bool,
    /// Its runs, the latest last.
    pub runs: Vec<Run>,
    /// Whether it has its score in the generation that counts.
    pub is_scored: bool,
}

impl Entry {
    /// The run that is graded and scored: one that came to its end, else one that its budget ended.
    pub fn done(&self) -> Option<&Run> {
        Entry::done_of(&self.runs)
    }

    /// The same of runs, the latest last.
    pub fn done_of(runs: &[Run]) -> Option<&Run> {
        let last = |state: run::State| runs.iter().rev().find(|run| run.state == state);
        last(run::State::Finished).or_else(|| last(run::State::Spent))
    }
}

/// All prompts of a competition, by team and number. Those of teams that do not take part are left out.
pub async fn all(app: &App, kept: &Kept) -> Result<Vec<Entry>, Failure> {
    let (_, place) = track(kept)?;
    let generation = crate::submit::look::generation(app, &kept.contest.id).await?;
    let select = "SELECT submission.id, submission.team, team.name, submission.number, upload.file_name, submission.hash, submission.at, \
                  (SELECT COUNT(*) FROM score WHERE score.submission = submission.id AND score.generation = $4) \
                  FROM submission JOIN team ON team.id = submission.team JOIN upload ON upload.id = submission.upload \
                  WHERE submission.contest = $1 AND submission.phase = $2 AND submission.task = $3 AND team.state = 'approved' \
                  ORDER BY team.name, submission.team, submission.number";
    let rows = sqlx::query(select)
        .bind(kept.contest.id.clone())
        .bind(place.phase.id.clone())
        .bind(place.task.task.id())
        .bind(generation)
        .fetch_all(app.database.read())
        .await?;
    let mut runs = run::of_contest(app, &kept.contest.id).await?;
    let mut entries = Vec::new();
    for row in &rows {
        let submission: String = row.try_get(0)?;
        entries.push(Entry {
            team: row.try_get(1)?,
            name: row.try_get(2)?,
            number: row.try_get(3)?,
            file: row.try_get(4)?,
            hash: row.try_get(5)?,
            at: row.try_get(6)?,
            is_scored: row.try_get::<i64, _>(7)? > 0,
            counts: false,
            runs: runs.remove(&submission).unwrap_or_default(),
            submission,
        });
    }
    let chosen = choices(app, &kept.contest.id).await?;
    mark(place.phase.rule, &chosen, &mut entries);
    Ok(entries)
}

/// Says which count. The entries of a team stand together, the last one last.
fn mark(rule: Rule, chosen: &BTreeMap<String, bool>, entries: &mut [Entry]) {
    let is_chosen = |entry: &Entry| chosen.get(&entry.submission).copied().unwrap_or_default();
    for team in entries.chunk_by_mut(|one, next| one.team == next.team) {
        let any_chosen = team.iter().any(is_chosen);
        let last = team.len() - 1;
        for (number, entry) in team.iter_mut().enumerate() {
            entry.counts = match rule {
                Rule::Best => true,
                Rule::Chosen if any_chosen => is_chosen(entry),
                Rule::Last | Rule::Chosen => number == last,
            };
        }
    }
}

/// The last word on each submission.
async fn choices(app: &App, contest: &str) -> Result<BTreeMap<String, bool>, Failure> {
    let select = "SELECT choice.submission, choice.is_chosen FROM choice JOIN submission ON submission.id = choice.submission \
                  WHERE submission.contest = $1 ORDER BY choice.id";
    let rows = sqlx::query(select).bind(contest.to_owned()).fetch_all(app.database.read()).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get::<i64, _>(1)? > 0))).collect()
}

/// The text of a prompt.
pub async fn text(app: &App, entry: &Entry) -> Result<String, Failure> {
    let bytes = store::get(app.database.read(), &entry.hash).await?;
    String::from_utf8(bytes).map_err(|_| Failure::Internal(format!("the prompt {} is no text", entry.submission)))
}

/// The hidden items, as a file without answers.
pub async fn items(app: &App, kept: &Kept) -> Result<Vec<u8>, Failure> {
    let (_, place) = track(kept)?;
    let files = crate::submit::files(app, kept, &place).await?;
    store::get(app.database.read(), &files.items).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(submission: &str, team: &str) -> Entry {
        let text = |text: &str| text.to_owned();
        let (name, file, hash) = (text(team), text("p.md"), String::new());
        Entry {
            submission: text(submission),
            team: text(team),
            name,
            number: 1,
            file,
            hash,
            at: 0,
            counts: false,
            runs: Vec::new(),
            is_scored: false,
        }
    }

    #[test]
    fn the_rule_of_the_phase_says_which_count() {
        let counted = |rule: Rule, chosen: &[(&str, bool)]| {
            let mut entries = vec![entry("a1", "a"), entry("a2", "a"), entry("a3", "a"), entry("b1", "b"), entry("b2", "b")];
            let chosen = chosen.iter().map(|(id, is)| ((*id).to_owned(), *is)).collect();
            mark(rule, &chosen, &mut entries);
            entries.iter().filter(|entry| entry.counts).map(|entry| entry.submission.clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(counted(Rule::Last, &[("a1", true)]), "a3 b2");
        assert_eq!(counted(Rule::Best, &[]), "a1 a2 a3 b1 b2");
        assert_eq!(counted(Rule::Chosen, &[("a1", true), ("a2", false)]), "a1 b2", "b chose none, so its last one counts");
    }
}
