//! `fangwei human score`: how well people did, and how far they agree.

use std::path::PathBuf;

use clap::Args;
use fangwei::human::{score_page, score_study};

use super::Look;
use super::folder::{explained, read_held};
use crate::lang::{lang, t};
use crate::output::{Output, Status};

#[derive(Args)]
#[command(after_help = t(
    "每名被试的得分和区间，均值、标准差（除以人数，同 2021 年的表）、最高；kappa 矩阵，或片段和元组的互评得分；各题有多少人意见相同；主观性强的题连同文本。有人被排除时，包括和不包括他们的数都给出。\n例：fangwei human score 测试 --format html > 报告.html",
    "Everybody's score with its interval; mean, deviation (by the number of people, as in the tables of 2021) and maximum; the square of kappas, or of scores against each other for spans and tuples; how many agree on items; subjective items with their texts. Where somebody is excluded, all is given with and without them.\nExample: fangwei human score study --format html > report.html"
))]
pub struct Score {
    #[arg(value_name = "STUDY", help = t("测试的文件夹", "the folder of the study"))]
    study: PathBuf,
    #[command(flatten)]
    look: Look,
}

impl Score {
    pub fn run(self) -> anyhow::Result<Status> {
        let (held, status) = read_held(&self.study, self.look.mode.into())?;
        let scores = score_study(&held, &self.look.resampling(&held.study)).map_err(|error| explained(&error))?;
        let mut output = Output::stdout();
        match self.look.format.page() {
            None => output.json(&scores)?,
            Some(format) => output.text(&score_page(&scores, lang()).render(format)),
        }
        Ok(status)
    }
}
