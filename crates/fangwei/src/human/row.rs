//! The rows of people on a board: their mean and their best, one column a task, as `fangwei rank` and a competition read them.
//!
//! Several studies of one task are one column: a subject has the mean of the studies that they took part in, as in 2021. Remarks beside the columns (`#`, which no
//! ranking reads) tell how many people it were, and what the numbers are with those who are excluded.

use smol_str::SmolStr;

use super::score::StudyScores;
use super::summary::{Summary, over_studies, summary};
use crate::rank::{Board, Entry};
use crate::table::{Cell, Table};

/// The usual names of the two rows, as in the paper of 2021.
pub const NAMES: [&str; 2] = ["人类平均水平", "人类最高水平"];

/// A task with the scores of people.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// The task.
    pub task: String,
    /// Without the excluded; `None` where nobody is left.
    pub valid: Option<Summary>,
    /// With them.
    pub all: Option<Summary>,
}

/// A column a task, in the order in which they are first studied.
pub fn columns(studies: &[StudyScores]) -> Vec<Column> {
    let mut tasks: Vec<&str> = Vec::new();
    for study in studies {
        if !tasks.contains(&study.head.task) {
            tasks.push(study.head.task);
        }
    }
    let column = |task: &str| {
        let of_task: Vec<&StudyScores> = studies.iter().filter(|study| study.head.task == task).collect();
        let scores = |valid: bool| {
            let kept = |study: &&StudyScores| -> Vec<(SmolStr, f64)> {
                let kept = study.subjects.iter().filter(|subject| !valid || subject.excluded.is_none());
                kept.map(|subject| (subject.name.clone(), subject.score)).collect()
            };
            let kept: Vec<Vec<(SmolStr, f64)>> = of_task.iter().map(kept).collect();
            let named: Vec<Vec<(&str, f64)>> =
                kept.iter().map(|study| study.iter().map(|(name, score)| (name.as_str(), *score)).collect()).collect();
            summary(&over_studies(&named).into_iter().map(|(_, score)| score).collect::<Vec<_>>())
        };
        Column { task: task.to_owned(), valid: scores(true), all: scores(false) }
    };
    tasks.into_iter().map(column).collect()
}

/// The mean or the best.
fn value(summary: Option<&Summary>, best: bool) -> Option<f64> {
    summary.map(|summary| if best { summary.maximum } else { summary.mean })
}

/// The two rows with their remarks.
pub fn rows(columns: &[Column], names: [&str; 2]) -> Table {
    let remarks =
        columns.iter().flat_map(|column| [format!("#people {}", column.task), format!("#with-excluded {}", column.task)]);
    let head = ["name".to_owned(), "kind".to_owned()].into_iter().chain(columns.iter().map(|column| column.task.clone()));
    let mut table = Table::new(head.chain(remarks));
    for (name, best) in names.into_iter().zip([false, true]) {
        let scores = columns.iter().map(|column| Cell::from(value(column.valid.as_ref(), best)));
        let remarks = columns.iter().flat_map(|column| {
            let people = column.valid.map(|summary| summary.people as u64);
            [Cell::from(people), Cell::from(value(column.all.as_ref(), best))]
        });
        table.row([Cell::from(name), Cell::from("human")].into_iter().chain(scores).chain(remarks));
    }
    table
}

/// A board with the two rows; rows of these names that it has are replaced. Columns are found by any name of their task; new ones stand at the end.
pub fn onto(board: &Board, columns: &[Column], names: [&str; 2]) -> Table {
    let is_of = |column: &Column, name: &str| {
        name == column.task || crate::tasks::find(&column.task).is_ok_and(|task| task.about().is_called(name))
    };
    let mut tasks: Vec<String> = board.tasks().to_vec();
    for column in columns {
        if !tasks.iter().any(|name| is_of(column, name)) {
            tasks.push(column.task.clone());
        }
    }
    let has_jury = board.entries().iter().any(|entry| entry.jury.is_some());
    let head = ["name", "kind"].into_iter().map(ToOwned::to_owned).chain(tasks.iter().cloned());
    let mut table = Table::new(head.chain(has_jury.then(|| "jury".to_owned())));
    for entry in board.entries().iter().filter(|entry| !names.contains(&entry.name.as_str())) {
        let Entry { name, kind, scores, jury } = entry;
        let scores = (0..tasks.len()).map(|task| Cell::from(scores.get(task).copied().flatten()));
        table.row(
            [Cell::from(name.as_str()), Cell::from(kind.as_str())]
                .into_iter()
                .chain(scores)
                .chain([Cell::from(*jury)])
                .take(table.head.len()),
        );
    }
    for (name, best) in names.into_iter().zip([false, true]) {
        let score = |task: &String| {
            let column = columns.iter().find(|column| is_of(column, task));
            Cell::from(column.and_then(|column| value(column.valid.as_ref(), best)))
        };
        table.row([Cell::from(name), Cell::from("human")].into_iter().chain(tasks.iter().map(score)));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::{Kind, Policy, rank};
    use crate::table::Format;

    /// The people of 2021 by table 4.
    fn people() -> Vec<Column> {
        let column = |task: &str, scores: &[f64]| {
            let found = summary(scores);
            Column { task: task.to_owned(), valid: found, all: found }
        };
        vec![
            column("2021/judge", &[0.8400, 0.6600, 0.6000, 0.7600]),
            column("2021/reason", &[0.8200, 0.7825, 0.8425, 0.7675, 0.7850, 0.7650]),
            column("2021/joint", &[0.6878, 0.5770, 0.6077, 0.6955, 0.6164, 0.6615]),
        ]
    }

    const TEAMS: &str = "name,kind,task1,task2,task3\n队伍1,team,0.734257,0.841189,0.647574\n基线系统,baseline,0.672544,0.728996,0.526651\n人类平均水平,human,0,0,0\n";

    #[test]
    fn the_rows_of_2021_stand_on_its_board() {
        let board = Board::read(TEAMS).board;
        let whole = onto(&board, &people(), NAMES).render(Format::Csv);
        let reading = Board::read(&whole);
        assert_eq!((reading.defects.len(), reading.board.tasks().len(), reading.board.entries().len()), (0, 3, 4), "{whole}");
        // Table 5 prints 0.7150 0.7938 0.6410 and 0.8400 0.8425 0.6955.
        let near = |at: usize, printed: [f64; 3]| {
            let scores = &reading.board.entries()[at].scores;
            // Half a unit of the last digit, and the rounding of what table 4 prints.
            scores.iter().zip(printed).all(|(score, printed)| score.is_some_and(|score| (score - printed).abs() < 0.000_11))
        };
        assert!(near(2, [0.7150, 0.7938, 0.6410]) && near(3, [0.8400, 0.8425, 0.6955]), "{whole}");
        let ranking = rank(&reading.board, &Policy::named("2021").expect("a policy"));
        let human = ranking.rows.iter().find(|row| row.name == NAMES[0]).expect("a row");
        assert_eq!((human.kind, human.rank), (Kind::Human, None), "people stand on the board and are not ranked");
    }

    #[test]
    fn rows_alone_are_a_board_with_remarks() {
        let text = rows(&people(), NAMES).render(Format::Csv);
        let reading = Board::read(&text);
        assert_eq!(
            (reading.defects, reading.board.tasks()),
            (Vec::new(), &["2021/judge", "2021/reason", "2021/joint"].map(str::to_owned)[..])
        );
        assert!(reading.board.entries().iter().all(|entry| entry.kind == Kind::Human));
        assert!(text.contains("#people 2021/judge,#with-excluded 2021/judge"), "{text}");
    }
}
