//! Reports on what a platform holds: a competition's board with everybody's counted submissions, and the agreement of annotation batches.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use fangwei::record::{Severity, Source};
use fangwei::report::{Report, Taker};
use fangwei::score::{read_items, read_preds};
use fangwei_web::database::Database;
use fangwei_web::report::{BoardTaken, of_batch, of_contest};
use fangwei_web::{App, Settings};

use super::read::{How, sheet};
use crate::commands::competition::site::told;
use crate::commands::serve::place::{Place, block_on};
use crate::lang::t;
use crate::output::tell;

#[derive(Args)]
pub struct Site {
    #[arg(long = "site", value_name = "DIR", default_value = "fangwei-site", help = t("平台的文件夹，用于 --contest 和 --batch", "the platform's folder, for --contest and --batch"))]
    folder: PathBuf,
    #[arg(long, value_name = "URL", help = t("平台的数据库；默认在文件夹里", "the platform's database; by default in the folder"))]
    database: Option<String>,
    #[arg(long, value_name = "ID", help = t("平台上的比赛：排行榜，以及计分的提交和答案", "a competition of the platform: its board, the submissions that count, and their gold"))]
    contest: Option<String>,
    #[arg(long, value_name = "ID", requires = "contest", help = t("哪个排行榜；默认最后一个", "which of its boards; by default the last"))]
    contest_board: Option<String>,
    #[arg(long, value_name = "ID", help = t("平台上的标注批次：一致性", "an annotation batch of the platform: agreement"))]
    batch: Option<String>,
}

impl Site {
    /// Whether anything of a platform is asked for.
    pub fn is_given(&self) -> bool {
        self.contest.is_some() || self.batch.is_some()
    }

    /// Adds what the platform holds; whether some records could not be used.
    pub fn add(&self, report: &mut Report, how: &How) -> anyhow::Result<bool> {
        if !self.is_given() {
            return Ok(false);
        }
        let place = Place { folder: self.folder.clone(), database: self.database.clone() };
        let (board, agreement) = block_on(async {
            let app = App::new(Database::open(&place.existing()?).await?, Settings::new(""));
            let board = match &self.contest {
                Some(contest) => {
                    let missing = || format!("{contest}: {}", t("没有这个比赛或排行榜", "no such competition or board"));
                    Some(
                        of_contest(&app, contest, self.contest_board.as_deref())
                            .await
                            .map_err(|failure| told(&failure))
                            .with_context(missing)?,
                    )
                }
                None => None,
            };
            let agreement = match &self.batch {
                Some(batch) => {
                    let missing = || format!("{batch}: {}", t("没有这个批次", "no such batch"));
                    Some(
                        of_batch(&app, batch, how.resampling.resamples)
                            .await
                            .map_err(|failure| told(&failure))
                            .with_context(missing)?,
                    )
                }
                None => None,
            };
            app.database.close().await;
            Ok((board, agreement))
        })?;
        if agreement.is_some() {
            report.agreement = agreement;
        }
        match board {
            Some(board) => add_board(report, board, self.contest.as_deref().unwrap_or_default(), how),
            None => Ok(false),
        }
    }
}

fn add_board(report: &mut Report, taken: BoardTaken, contest: &str, how: &How) -> anyhow::Result<bool> {
    let mut defective = false;
    report.boards.push((format!("{contest} / {}", taken.board), taken.ranking));
    for one in taken.tasks {
        let (items, defects) = read_items(one.task, Source::from_bytes("gold", one.gold)?, true)?;
        defective |= defects.iter().any(|defect| defect.severity() == Severity::Error);
        tell(&defects);
        let mut takers = Vec::new();
        for (name, kind, bytes) in one.takers {
            let preds = read_preds(one.task, Source::from_bytes(&name, bytes)?)?;
            takers.push(Taker { name, kind, preds });
        }
        report.tasks.push(sheet(one.task, items, takers, &[], how)?);
    }
    Ok(defective)
}
