//! A board made of runs: what systems scored in tasks, one result each.

use super::board::{Board, Entry, Kind, Reading};

/// The result of a system in a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Whose.
    pub name: String,
    /// Who that is; a team where it is not said.
    pub kind: Option<Kind>,
    /// The task.
    pub task: String,
    /// The mode in which it was scored.
    pub mode: String,
    /// The measure that ranks.
    pub score: f64,
}

/// Why runs make no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunsError {
    /// Scores of different modes cannot be compared.
    #[error("{name} {task}: expected a score in mode {expected}, found {found}")]
    Mode {
        /// Whose run.
        name: String,
        /// In which task.
        task: String,
        /// The mode of the first run.
        expected: String,
        /// The mode of this one.
        found: String,
    },
    /// Two runs of one name in one task.
    #[error("{name} {task}: expected one result, found two")]
    Twice {
        /// Whose runs.
        name: String,
        /// In which task.
        task: String,
    },
}

impl Board {
    /// The board of runs: tasks and rows in the order in which they first occur.
    pub fn from_runs(runs: &[Run]) -> Result<Reading, RunsError> {
        let (mut tasks, mut entries): (Vec<&str>, Vec<Entry>) = (Vec::new(), Vec::new());
        for run in runs {
            let Run { name, task, mode, .. } = run;
            if *mode != runs[0].mode {
                let (expected, found) = (runs[0].mode.clone(), mode.clone());
                return Err(RunsError::Mode { name: name.clone(), task: task.clone(), expected, found });
            }
            if !tasks.contains(&task.as_str()) {
                tasks.push(task);
            }
        }
        for run in runs {
            let at = entries.iter().position(|entry| entry.name == run.name).unwrap_or_else(|| {
                entries.push(Entry { name: run.name.clone(), kind: Kind::Team, scores: vec![None; tasks.len()], jury: None });
                entries.len() - 1
            });
            let column = tasks.iter().position(|task| *task == run.task).unwrap_or_default();
            if entries[at].scores[column].replace(run.score).is_some() {
                return Err(RunsError::Twice { name: run.name.clone(), task: run.task.clone() });
            }
            entries[at].kind = run.kind.unwrap_or(entries[at].kind);
        }
        Ok(Board::from_scores(&tasks, entries))
    }
}
