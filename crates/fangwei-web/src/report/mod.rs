//! What the platform gives to a report: the board of a competition with the gold and the submissions that count, and the agreement of a batch.
//!
//! It is for organisers, on the machine itself: gold leaves by no address.

use std::sync::Arc;

use fangwei::agree;
use fangwei::rank::{Kind, Ranking};
use fangwei::task::Task;

use crate::agree::look;
use crate::app::App;
use crate::batches::batch;
use crate::board::gather::gather;
use crate::board::sight::Eyes;
use crate::contests::kept;
use crate::failure::Failure;
use crate::store;
use crate::teams::team;

/// Who took a task: name, kind, and the file that counts.
pub type Taken = (String, Kind, Vec<u8>);

/// A task of a board, with everybody whose submission counts.
#[derive(Debug)]
pub struct TaskTaken {
    /// The task.
    pub task: &'static dyn Task,
    /// The gold of the scores that count.
    pub gold: Vec<u8>,
    /// Who took it.
    pub takers: Vec<Taken>,
}

/// A board of a competition.
#[derive(Debug)]
pub struct BoardTaken {
    /// Its name in addresses.
    pub board: String,
    /// The ranking, rows by the names that organisers see.
    pub ranking: Ranking,
    /// Its tasks that somebody took.
    pub tasks: Vec<TaskTaken>,
}

/// The board of a competition; without a name, its last, which is that of the last phase.
pub async fn of_contest(app: &App, contest: &str, board: Option<&str>) -> Result<BoardTaken, Failure> {
    let kept = kept::load(app, contest).await?;
    let board = match board {
        Some(board) => board.to_owned(),
        None => kept.contest.boards.last().map(|plan| plan.id.clone()).ok_or(Failure::NotFound)?,
    };
    let eyes = Eyes::whole(&Arc::clone(&kept), &board)?;
    let gathered = gather(app, &eyes).await?;
    let names = eyes.names(&gathered, &team::all(app, contest).await?);
    let name = |key: &str| names.get(key).cloned().unwrap_or_else(|| key.to_owned());
    let mut ranking = eyes.plan.standings(&gathered.entries).overall;
    for row in &mut ranking.rows {
        row.name = name(&row.name);
    }
    let mut tasks = Vec::new();
    for (number, task) in eyes.plan.tasks.iter().enumerate() {
        let (mut gold, mut takers) = (None, Vec::new());
        for (entry, contender) in gathered.entries.iter().zip(&gathered.contenders) {
            let tried = &contender.tasks[number];
            let (Some(sent), Some(with)) = (&tried.sent, &tried.gold) else { continue };
            // What was scored with another gold is not of these items.
            if *gold.get_or_insert_with(|| with.clone()) == *with {
                takers.push((name(&entry.name), contender.kind, store::get(app.database.read(), sent).await?));
            }
        }
        if let Some(gold) = gold {
            tasks.push(TaskTaken { task: *task, gold: store::get(app.database.read(), &gold).await?, takers });
        }
    }
    Ok(BoardTaken { board, ranking, tasks })
}

/// The agreement of a batch, by its id.
pub async fn of_batch(app: &App, id: &str, resamples: usize) -> Result<agree::Report, Failure> {
    let batch = batch::find(app.database.read(), id).await?;
    Ok(look(app, &batch, resamples).await?.report.clone())
}
