//! `fangwei competition rescore`: scores everything anew, with other gold or another scorer, and shows whose place changed.
//!
//! It works on the database, beside a server or without one: both take jobs from the same queue, each job once.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use fangwei::lang::Say;
use fangwei::table::Table;
use fangwei_web::App;
use fangwei_web::contests::kept;
use fangwei_web::policy::Role;
use fangwei_web::rescore::difference::Cell;
use fangwei_web::rescore::generation::{self, Generation, Stage};
use fangwei_web::rescore::{self, Rescoring, Whole};
use fangwei_web::submit::queue;
use fangwei_web::who::{Account, By, Who};

use super::site::{Of, open, told};
use crate::commands::serve::place::Place;
use crate::lang::{lang, t};
use crate::output::{Format, Output, Status};

#[derive(Args)]
pub struct Rescore {
    #[command(flatten)]
    of: Of,
    #[command(flatten)]
    place: Place,
    #[arg(long, default_value = "", help = t("原因，写在消息页上", "why, for the news page"))]
    reason: String,
    #[arg(long, default_value = "", help = t("只评这个阶段", "only this phase"))]
    phase: String,
    #[arg(long, default_value = "", help = t("只评这个任务", "only this task"))]
    task: String,
    #[arg(long, value_name = "PHASE/TASK=FILE", value_parser = parse_gold, conflicts_with_all = ["phase", "task"], help = t("改正的答案，可以多次", "corrected gold; more than once"))]
    gold: Vec<Gold>,
    #[arg(long, help = t("提交次数也重新计算", "quotas begin anew, too"))]
    reset_quota: bool,
    #[arg(long, conflicts_with_all = ["gold", "phase", "task", "reset_quota"], help = t("再试最近一代里不能评分的提交", "try again what could not be scored in the latest generation"))]
    retry: bool,
    #[arg(long, help = t("不等评完", "do not wait until it is done"))]
    no_wait: bool,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
}

/// A file of gold and what it is for.
#[derive(Clone, Debug)]
struct Gold {
    phase: String,
    task: String,
    file: PathBuf,
}

fn parse_gold(text: &str) -> Result<Gold, String> {
    let parts = text.split_once('=').and_then(|(at, file)| at.split_once('/').map(|(phase, task)| (phase, task, file)));
    match parts {
        Some((phase, task, file)) if !phase.is_empty() && !task.is_empty() && !file.is_empty() => {
            Ok(Gold { phase: phase.to_owned(), task: task.to_owned(), file: file.into() })
        }
        _ => Err(t("应为 阶段/任务=文件", "expected PHASE/TASK=FILE").to_owned()),
    }
}

impl Rescore {
    pub async fn run(self) -> anyhow::Result<Status> {
        let app = open(&self.place).await?;
        let Some(number) = self.begin(&app).await? else {
            Output::stdout().line(t(
                "还没有用这些答案评过的提交，换上即可，不必重新评分",
                "nothing was scored with this gold before; it is in place, and nothing has to be scored anew",
            ));
            return Ok(Status::Clean);
        };
        let contest = &self.of.contest;
        if !self.no_wait {
            finish(&app, contest, number).await?;
        }
        let whole = whole(&app, contest, number).await?;
        let mut output = Output::stdout();
        match self.format {
            Format::Json => output.json(&whole)?,
            format => show(&mut output, &whole, format),
        }
        // What could not be scored is a defect of gold or of the platform, and needs somebody.
        Ok(if whole.generation.progress.failed > 0 { Status::Defects } else { Status::Clean })
    }

    /// Begins a generation; its number. `None` where nothing has to be scored.
    async fn begin(&self, app: &App) -> anyhow::Result<Option<i64>> {
        let contest = &self.of.contest;
        let kept = kept::load(app, contest).await.map_err(|failure| told(&failure))?;
        if self.retry {
            let latest = generation::all(app, contest, true).await.map_err(|failure| told(&failure))?;
            let number = latest.first().map(|one| one.number).ok_or_else(|| anyhow!("{contest}"))?;
            rescore::retry(app, contest, number, None).await.map_err(|failure| told(&failure))?;
            return Ok(Some(number));
        }
        let wanted = Rescoring {
            reason: self.reason.clone(),
            phase: self.phase.clone(),
            task: self.task.clone(),
            reset_quota: self.reset_quota,
        };
        if self.gold.is_empty() {
            return Ok(Some(rescore::begin(app, &kept, None, &wanted).await.map_err(|failure| told(&failure))?));
        }
        let mut golds = Vec::new();
        for gold in &self.gold {
            let bytes = std::fs::read(&gold.file).with_context(|| format!("cannot read {}", gold.file.display()))?;
            golds.push(((gold.phase.clone(), gold.task.clone()), bytes));
        }
        rescore::correct(app, &kept, None, &wanted, golds).await.map_err(|failure| told(&failure))
    }
}

/// Scores what waits, and waits for what a server is scoring; says how far it is.
async fn finish(app: &App, contest: &str, number: i64) -> anyhow::Result<()> {
    let mut said = None;
    loop {
        let worked = queue::step(app).await.map_err(|failure| told(&failure))?;
        if !worked {
            queue::drain(app).await.map_err(|failure| told(&failure))?;
        }
        let one = generation::find(app, contest, number, true).await.map_err(|failure| told(&failure))?;
        let done = (one.progress.scored, one.progress.failed);
        if said != Some(done) {
            Output::stderr().line(&progress(&one));
            said = Some(done);
        }
        if one.state != Stage::Running {
            return Ok(());
        }
        if one.progress.is_done() {
            // A server that scored the last one may not have let the generation take effect yet.
            return queue::drain(app).await.map_err(|failure| told(&failure));
        }
        if !worked {
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }
}

fn progress(one: &Generation) -> String {
    let failed = match one.progress.failed {
        0 => String::new(),
        failed => format!("  {} {failed}", t("失败", "failed")),
    };
    let title = Say::new(format!("第 {} 代", one.number), format!("generation {}", one.number));
    format!("{}  {} / {}{failed}", title.get(lang()), one.progress.scored, one.progress.submissions)
}

/// A generation with what it changed, as organisers see it.
async fn whole(app: &App, contest: &str, number: i64) -> anyhow::Result<Whole> {
    let nobody = Account { id: String::new(), name: String::new(), shown: String::new(), role: Role::Organiser };
    let who = Who { account: Some((nobody, By::Token(Vec::new()))), lang: lang() };
    let kept = kept::load(app, contest).await.map_err(|failure| told(&failure))?;
    rescore::whole(app, &who, &kept, &number.to_string()).await.map_err(|failure| told(&failure))
}

fn show(output: &mut Output, whole: &Whole, format: Format) {
    let (one, difference) = (&whole.generation, &whole.difference);
    output.line(&format!("{}  {}", progress(one), one.state_in(&lang())));
    for why in &difference.why {
        let gold = why.gold.as_ref().map(|gold| {
            let answers = t("答案改了的题", "items with another answer");
            format!("  {answers} {} / {}", gold.answers, gold.items)
        });
        let scorer =
            if why.scorer_from == why.scorer_to { String::new() } else { format!("  {} → {}", why.scorer_from, why.scorer_to) };
        output.line(&format!("{} {}{}{scorer}", why.phase, why.task, gold.unwrap_or_default()));
    }
    for board in difference.boards.iter().filter(|board| !board.rows.is_empty()) {
        output.line(&format!("\n{}", board.title));
        let mut titles = vec![t("队伍", "team").to_owned(), t("名次", "rank").to_owned(), t("总分", "overall").to_owned()];
        titles.extend(board.tasks.iter().cloned());
        let mut table = Table::new(titles.iter().map(String::as_str));
        for row in &board.rows {
            let cells = [row.name.clone(), row.overall.ranks(), row.overall.values()];
            table.row(cells.into_iter().chain(row.tasks.iter().map(Cell::values)).map(Into::into).collect::<Vec<_>>());
        }
        output.text(&table.render(format.table()));
    }
}
