//! Competitions on the platform, from the machine itself: for whoever may touch the database, as `fangwei account` is.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand};
use fangwei::contest::{Change, Edge, Granted, Moment, Text};
use fangwei::lang::Say;
use fangwei::table::{Format, Table};
use fangwei_web::contests::kept::{self, Kept, State};
use fangwei_web::contests::put;
use fangwei_web::database::Database;
use fangwei_web::failure::Failure;
use fangwei_web::{App, Settings};
use serde_json::json;

use super::files::{self, parse_time};
use super::rescore::Rescore;
use crate::commands::serve::place::Place;
use crate::lang::{lang, t};
use crate::output::{Output, Status};

#[derive(Args)]
pub struct Of {
    #[arg(value_name = "ID", help = t("比赛的 id", "the id of the competition"))]
    pub(super) contest: String,
}

#[derive(Subcommand)]
pub enum Command {
    #[command(about = t("放上平台并开放；已有的比赛则为修订", "bring it to the platform and open it; a revision where it is there"))]
    Open {
        #[arg(id = "brought", value_name = "FOLDER", help = t("比赛的文件夹", "the folder of the competition"))]
        folder: PathBuf,
        #[command(flatten)]
        place: Place,
        #[arg(long, help = t("只放上去，先不开放", "bring it, but do not open it yet"))]
        draft: bool,
        #[arg(long, default_value = "", help = t("修订的原因，写在消息页上", "why it is revised, for the news page"))]
        reason: String,
    },
    #[command(about = t("结束比赛，不再接收提交", "close a competition: nothing more is taken"))]
    Close {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        place: Place,
    },
    #[command(name = "list", about = t("列出平台上的比赛", "list the competitions of the platform"))]
    List {
        #[command(flatten)]
        place: Place,
        #[arg(long, help = t("输出 JSON", "print JSON"))]
        json: bool,
    },
    #[command(about = t("改阶段的开始或结束时间", "move the start or the end of a phase"))]
    Move {
        #[command(flatten)]
        of: Of,
        #[arg(value_name = "PHASE", help = t("阶段", "the phase"))]
        phase: String,
        #[arg(value_name = "start|end", value_parser = parse_edge, help = t("开始或结束", "which edge"))]
        edge: Edge,
        #[arg(value_name = "TIME", value_parser = parse_time, help = t("带时差的时间（RFC 3339）", "a time with its offset (RFC 3339)"))]
        to: Moment,
        #[command(flatten)]
        place: Place,
        #[arg(long, default_value = "", help = t("原因，写在消息页上", "why, for the news page"))]
        reason: String,
    },
    #[command(about = t("发布一个文件，或公布一个阶段的结果", "let a file out, or reveal the results of a phase"))]
    Release {
        #[command(flatten)]
        of: Of,
        #[arg(value_name = "FILE|PHASE", help = t("文件的 id；加 --results 时为阶段", "the id of the file; with --results that of a phase"))]
        name: String,
        #[command(flatten)]
        place: Place,
        #[arg(long, conflicts_with = "back", help = t("公布这个阶段的结果", "reveal the results of this phase"))]
        results: bool,
        #[arg(long, help = t("收回这个文件", "take the file back"))]
        back: bool,
    },
    #[command(about = t("冻结排行榜", "freeze a board"))]
    Freeze {
        #[command(flatten)]
        of: Of,
        #[arg(value_name = "BOARD", help = t("排行榜", "the board"))]
        board: String,
        #[command(flatten)]
        place: Place,
        #[arg(long, help = t("解冻", "let it move again"))]
        thaw: bool,
    },
    #[command(about = t("把公开的网站存成一个文件夹，不用服务器也能打开", "keep the public site as a folder that opens without a server"))]
    Export {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        place: Place,
        #[arg(long, value_name = "FOLDER", help = t("存到哪里；应为空，或还没有", "where to; empty, or not there yet"))]
        out: PathBuf,
        #[arg(long, help = t("也存已发布且不要求同意协议的数据", "with the data that is released and asks for no agreement"))]
        data: bool,
    },
    #[command(about = t("给一支队伍增加提交次数，或让一个阶段的次数重新计算", "give a team more submissions, or begin the quota of a phase anew"))]
    Grant {
        #[command(flatten)]
        of: Of,
        #[arg(value_name = "PHASE", help = t("阶段", "the phase"))]
        phase: String,
        #[command(flatten)]
        place: Place,
        #[arg(long, requires = "extra", help = t("队名或编号", "name or id of the team"))]
        team: Option<String>,
        #[arg(long, value_name = "N", requires = "team", help = t("增加几次", "how many more"))]
        extra: Option<u32>,
        #[arg(long, requires = "team", help = t("只用于这个任务", "for this task only"))]
        task: Option<String>,
        #[arg(long, conflicts_with = "team", help = t("所有队伍重新计算", "all teams begin anew"))]
        reset: bool,
        #[arg(long, default_value = "", help = t("原因，写在消息页上", "why, for the news page"))]
        reason: String,
    },
    #[command(about = t("重新评分：改正了答案，或换了评分程序", "score everything anew: gold was corrected, or the scorer is another"))]
    Rescore(Rescore),
    #[command(about = t("发布一条消息", "tell news"))]
    News {
        #[command(flatten)]
        of: Of,
        #[arg(value_name = "TITLE", help = t("标题", "the title"))]
        title: String,
        #[command(flatten)]
        place: Place,
        #[arg(long, default_value = "", help = t("内容，Markdown", "the text, in Markdown"))]
        text: String,
        #[arg(long, default_value = "", help = t("英文标题", "the title in English"))]
        title_en: String,
        #[arg(long, default_value = "", help = t("英文内容", "the text in English"))]
        text_en: String,
    },
}

fn parse_edge(word: &str) -> Result<Edge, String> {
    Edge::parse(word).ok_or_else(|| "start / end".to_owned())
}

/// What the platform refuses, in the language of this run, with every defect where it names them.
pub fn told(failure: &Failure) -> anyhow::Error {
    if let Failure::Defects(_, detail) = failure {
        let defects = detail["defects"].as_array().into_iter().flatten();
        for defect in defects {
            let text = |key: &str| defect[key].as_str().unwrap_or_default().to_owned();
            Output::stderr().line(&format!(
                "{} {}: [{}] {}; {}",
                text("file"),
                text("pointer"),
                text("code"),
                text("expected"),
                text("found")
            ));
        }
    }
    match failure {
        Failure::NotFound => anyhow!(t(
            "平台上没有这个比赛（fangwei competition list 列出全部）",
            "the platform has no such competition (fangwei competition list lists them)"
        )),
        failure => anyhow!("{}", failure.say().get(lang())),
    }
}

pub(super) async fn open(place: &Place) -> anyhow::Result<App> {
    let address = place.address()?;
    place.make()?;
    Ok(App::new(Database::open(&address).await?, Settings::new("")))
}

impl Command {
    pub async fn run(self) -> anyhow::Result<Status> {
        match self {
            Command::Open { folder, place, draft, reason } => bring(&folder, &place, draft, &reason).await,
            Command::List { place, json } => list(&place, json).await,
            Command::Close { of, place } => done(&place, &of, |_| Ok(Change::Close {})).await,
            Command::Move { of, phase, edge, to, place, reason } => {
                done(&place, &of, |kept| {
                    let from = kept.contest.phase(&phase).map_or(to, |phase| phase.edge(edge));
                    Ok(Change::Move { phase, edge, from, to, reason })
                })
                .await
            }
            Command::Release { of, name, place, results, back } => {
                let change = match (results, back) {
                    (true, _) => Change::Reveal { phase: name },
                    (_, true) => Change::Withhold { file: name, reason: String::new() },
                    _ => Change::Release { file: name },
                };
                done(&place, &of, |_| Ok(change)).await
            }
            Command::Freeze { of, board, place, thaw } => {
                done(&place, &of, |_| Ok(if thaw { Change::Thaw { board } } else { Change::Freeze { board } })).await
            }
            Command::Export { of, place, out, data } => export(&place, &of, &out, data).await,
            Command::Grant { of, phase, place, team, extra, task, reset: _, reason } => match team {
                Some(team) => {
                    let team = team_id(&place, &of.contest, &team).await?;
                    let granted = Granted { team, phase, task, extra: extra.unwrap_or(1) };
                    done(&place, &of, |_| Ok(Change::Grant(granted))).await
                }
                None => done(&place, &of, |_| Ok(Change::ResetQuota { phase, reason })).await,
            },
            Command::Rescore(rescore) => rescore.run().await,
            Command::News { of, title, place, text, title_en, text_en } => {
                let news = Change::News { title: Text { zh: title, en: title_en }, text: Text { zh: text, en: text_en } };
                done(&place, &of, |_| Ok(news)).await
            }
        }
    }
}

async fn bring(folder: &Path, place: &Place, draft: bool, reason: &str) -> anyhow::Result<Status> {
    let files = files::read(folder)?;
    let app = open(place).await?;
    let put = put::put(&app, &files, None, reason).await.map_err(|failure| told(&failure))?;
    let kept = kept::load(&app, &put.contest).await.map_err(|failure| told(&failure))?;
    if !draft && kept.state != State::Open {
        kept::change_now(&app, &put.contest, None, &Change::Open {}).await.map_err(|failure| told(&failure))?;
    }
    let mut output = Output::stdout();
    output.line(&format!(
        "{}  {} {}  {} {}",
        put.contest,
        t("版本", "version"),
        put.version,
        put.files.len(),
        t("个文件有变动", "files differ")
    ));
    if let Some(number) = put.generation {
        let id = &put.contest;
        let say = Say::new(
            format!("答案有变动，开始第 {number} 代评分：由运行中的平台完成，或用 fangwei competition rescore {id} --retry"),
            format!(
                "gold differs: generation {number} of scores is made by the platform that runs, or by fangwei competition rescore {id} --retry"
            ),
        );
        output.line(say.get(lang()));
    }
    Ok(Status::Clean)
}

/// Writes the public site of a competition into a folder.
async fn export(place: &Place, of: &Of, out: &Path, data: bool) -> anyhow::Result<Status> {
    if std::fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("{}: {}", out.display(), t("文件夹里已有东西，请换一个", "the folder has something in it; take another"));
    }
    let app = App::new(Database::open(&place.existing()?).await?, Settings::new(""));
    let kept = kept::load(&app, &of.contest).await.map_err(|failure| told(&failure))?;
    if kept.state == State::Draft {
        bail!("{}: {}", of.contest, t("还是草稿，没有公开的网站", "it is a draft and has no public site"));
    }
    let files = fangwei_web::copy::copy(&app, &of.contest, data).await.map_err(|failure| told(&failure))?;
    for (path, bytes) in &files {
        let file = out.join(path);
        let folder = file.parent().unwrap_or(out);
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        std::fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let (count, first) = (files.len(), out.join("index.html"));
    Output::stdout().line(&format!("{count} {}: {}", t("个文件，从这里打开", "files, begin with"), first.display()));
    Ok(Status::Clean)
}

/// Makes a change to a competition and says what happened.
async fn done(place: &Place, of: &Of, change: impl FnOnce(&Kept) -> anyhow::Result<Change>) -> anyhow::Result<Status> {
    let app = open(place).await?;
    let kept = kept::load(&app, &of.contest).await.map_err(|failure| told(&failure))?;
    let change = change(&kept)?;
    kept::change_now(&app, &of.contest, None, &change).await.map_err(|failure| told(&failure))?;
    Output::stdout().line(change.say(&kept.contest, ToOwned::to_owned).get(lang()));
    Ok(Status::Clean)
}

async fn team_id(place: &Place, contest: &str, name: &str) -> anyhow::Result<String> {
    let app = open(place).await?;
    let team = kept::team_id(&app, contest, name).await.map_err(|failure| told(&failure))?;
    team.ok_or_else(|| anyhow!("{}: {name}", t("没有这支队伍", "there is no such team")))
}

async fn list(place: &Place, json: bool) -> anyhow::Result<Status> {
    let app = open(place).await?;
    let all = kept::every(&app).await.map_err(|failure| told(&failure))?;
    let mut output = Output::stdout();
    if json {
        let row = |kept: &std::sync::Arc<Kept>| json!({ "id": kept.contest.id, "name": kept.contest.name.get(lang()), "state": kept.state, "version": kept.version });
        output.json(&all.iter().map(row).collect::<Vec<_>>())?;
        return Ok(Status::Clean);
    }
    let mut table = Table::new(["id", t("名称", "name"), t("状态", "state"), t("版本", "version")]);
    for kept in &all {
        let (contest, state) = (&kept.contest, kept.state.title().get(lang()));
        table.row([contest.id.as_str().into(), contest.name.get(lang()).into(), state.into(), (kept.version as u64).into()]);
    }
    output.text(&table.render(Format::Text));
    Ok(Status::Clean)
}
