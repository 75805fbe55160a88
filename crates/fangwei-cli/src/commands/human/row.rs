//! `fangwei human row`: the rows of people on a board.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use fangwei::human::{NAMES, columns, onto, rows, score_study};
use fangwei::rank::Board;
use fangwei::stats::Resampling;
use fangwei::table::Format;

use super::folder::{explained, read_held};
use crate::commands::ModeName;
use crate::commands::rank::read_text;
use crate::lang::t;
use crate::output::{Status, Usage, check_files, tell, write_file};

#[derive(Args)]
#[command(after_help = t(
    "写出 CSV：人类平均水平、人类最高水平（kind 为 human），每个任务一列，fangwei rank 和比赛的 rows 都能读。多次测试合成一行；同一任务的几次测试，每人取各次的平均，与 2021 年相同。# 开头的列是备注：人数，以及包括所排除的人时的数。\n例：\n  fangwei human row 判断 角色 -o 人类.csv\n  fangwei human row 判断 --board 排行榜.csv -o 全部.csv   加到已有的排行榜上",
    "Writes a CSV: mean and best of people (kind human), a column a task, as `fangwei rank` and the rows of a competition read it. Several studies make one row; of several studies of one task everybody has the mean, as in 2021. Columns that begin with # are remarks: how many people, and the numbers with those who are excluded.\nExamples:\n  fangwei human row judge roles -o human.csv\n  fangwei human row judge --board board.csv -o whole.csv   added to a board"
))]
pub struct Row {
    #[arg(value_name = "STUDY", required = true, num_args = 1.., help = t("测试的文件夹，一个或多个", "folders of studies, one or more"))]
    studies: Vec<PathBuf>,
    #[arg(short, long, value_name = "FILE", default_value = "-", help = t("写到哪个文件", "the file to write"))]
    out: PathBuf,
    #[arg(long, value_name = "FILE", help = t("加到这个排行榜上，写出整个排行榜", "a board to add the rows to; the whole is written"))]
    board: Option<PathBuf>,
    #[arg(long, value_delimiter = ',', num_args = 1, value_name = "MEAN,BEST", help = t("两行的名称", "the names of the two rows"))]
    names: Option<Vec<String>>,
    #[arg(long, value_enum, default_value = "official", help = t("按脚本还是按文本", "as the script does, or as the text says"))]
    mode: ModeName,
}

impl Row {
    pub fn run(self) -> anyhow::Result<Status> {
        check_files(self.board.iter().map(PathBuf::as_path), &[&self.out])?;
        let names = match self.names.as_deref() {
            None => NAMES,
            Some([mean, best]) if !mean.is_empty() && !best.is_empty() && mean != best => [mean.as_str(), best.as_str()],
            Some(_) => bail!(Usage(t("--names 应为两个不同的名称", "--names: expected two different names").to_owned())),
        };
        let (mut studies, mut status) = (Vec::new(), Status::Clean);
        for folder in &self.studies {
            let (held, read) = read_held(folder, self.mode.into())?;
            if read == Status::Defects {
                status = read;
            }
            // The rows have no intervals: one draw is enough.
            let resampling = Resampling { resamples: 1, seed: held.study.seed, confidence: held.study.plan.confidence };
            studies.push(score_study(&held, &resampling).map_err(|error| explained(&error))?);
        }
        let columns = columns(&studies);
        if let Some(empty) = columns.iter().find(|column| column.valid.is_none()) {
            bail!("{}: {}", empty.task, t("所有被试都被排除了", "every subject is excluded"));
        }
        let table = match &self.board {
            None => rows(&columns, names),
            Some(path) => {
                let mut reading = Board::read(&read_text(path)?);
                for defect in &mut reading.defects {
                    defect.file = path.display().to_string().into();
                }
                tell(&reading.defects);
                if !reading.defects.is_empty() {
                    status = Status::Defects;
                }
                onto(&reading.board, &columns, names)
            }
        };
        write_file(&self.out, table.render(Format::Csv).as_bytes())?;
        Ok(status)
    }
}
