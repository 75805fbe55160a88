//! The demo's platform: a competition on the dataset that was just built, the study as a human test, and accounts with random passwords, for this machine only.

use std::path::Path;

use fangwei::contest::{Moment, Zone};
use fangwei::lang::Lang;
use fangwei_web::accounts::{make, password};
use fangwei_web::database::{Address, Database};
use fangwei_web::policy::Role;
use fangwei_web::{App, Settings, chance, now};

use super::walk::{Step, Walk};
use super::{PACK, RANKED};
use crate::commands::serve::Serve;
use crate::commands::serve::place::block_on;
use crate::lang::{lang, t};
use crate::output::{Output, Status, write_file};

/// The accounts of the demo: name and role.
const PEOPLE: [(&str, Role); 3] =
    [("demo-admin", Role::Admin), ("demo-annotator", Role::Annotator), ("demo-team", Role::Participant)];
const DAY: i64 = 86_400_000;

/// A platform that is ready to be started: names and passwords.
pub struct Ready(Vec<(&'static str, Role, String)>);

/// Makes the platform's folder.
pub fn prepare(walk: &mut Walk) -> anyhow::Result<Ready> {
    let mut step = walk.step(t("平台", "platform"), 4);
    // In the middle of the development phase.
    let start = Moment::at(now() - 20 * DAY, Zone(480)).to_string();
    step.run(&["competition", "init", "contest", "--template", "2022", "--start", &start])?;
    furnish(&step)?;
    step.run(&["competition", "open", "contest", "site"])?;
    let people = accounts(&step.folder().join("site"))?;
    step.advance();
    step.run(&["human", "open", "study", "site", "--subject", PEOPLE[1].0])?;
    step.end(t("一个比赛、一次人类测试、三个帐户", "a competition, a study of people, three accounts"));
    Ok(Ready(people))
}

/// Puts the built dataset in the place of the template's items, and the demo's rows on its board.
fn furnish(step: &Step<'_>) -> anyhow::Result<()> {
    let (contest, pack) = (step.folder().join("contest"), step.folder().join(PACK));
    for (name, task) in RANKED {
        // The phase that is open asks for what the demo has answered, the test split.
        for (split, phase) in [("test", "dev"), ("dev", "test")] {
            for (from, to) in [("inputs", "items"), ("answers", "gold")] {
                let (from, to) = (pack.join(from).join(task), contest.join(to).join(name));
                std::fs::copy(from.join(format!("{split}.jsonl")), to.join(format!("{phase}.jsonl")))?;
            }
        }
    }
    std::fs::copy(step.folder().join("board.csv"), contest.join("rows.csv"))?;
    let file = contest.join("competition.toml");
    let text = std::fs::read_to_string(&file)?;
    let text = text.replace("approval = true", "approval = false");
    let text = text.replacen("policy = \"2022\"\n", "policy = \"2022\"\nrows = \"rows.csv\"\n", 1);
    write_file(&file, text.as_bytes())
}

fn accounts(site: &Path) -> anyhow::Result<Vec<(&'static str, Role, String)>> {
    block_on(async {
        let database = Database::open(&Address::Sqlite(site.join("fangwei.db"))).await?;
        let app = App::new(database, Settings::new(""));
        let mut people = Vec::new();
        for (name, role) in PEOPLE {
            let secret: String = chance::secret().chars().take(16).collect();
            let hash = password::hash(&secret, app.settings.cost).await?;
            let mut changes = app.database.begin().await?;
            make(&mut changes, now(), name, hash, role).await?;
            changes.commit().await?;
            people.push((name, role, secret));
        }
        app.database.close().await;
        Ok(people)
    })
}

/// Starts the platform and says what to try.
pub fn serve(ready: &Ready, folder: &Path, port: u16) -> anyhow::Result<Status> {
    let models = vec![folder.join("models/linear")];
    let greet = |url: &str| {
        let mut output = Output::stdout();
        output.line(&format!("\n{}", t("帐户（密码只显示这一次）：", "Accounts (passwords are shown this once):")));
        for (name, role, password) in &ready.0 {
            output.line(&format!("  {name:<16} {password}  {}", role.title(lang())));
        }
        output.line(&format!("\n{}", t("试试看：", "Three things to try:")));
        for line in tries(url, folder) {
            output.line(&line);
        }
        output.line(&format!("\n{}", t("Ctrl-C 停止。", "Ctrl-C stops it.")));
    };
    block_on(Serve::here(folder.join("site"), port, models).serve(greet))?;
    Ok(Status::Clean)
}

fn tries(url: &str, folder: &Path) -> [String; 3] {
    let folder = folder.display();
    match lang() {
        Lang::Zh => [
            format!("  1. 打开 {url}/explore ，输入一段话，看它的空间词、角色、场景和异常；报告在 {folder}/report/report.html"),
            format!("  2. 以 demo-annotator 登录 {url}/login ，像被试一样判断几句话"),
            format!(
                "  3. 以 demo-team 登录，在 {url}/contests/space2022 报名，提交 {folder}/predictions/linear/2022/ 里的预测，看分数和排行榜"
            ),
        ],
        Lang::En => [
            format!(
                "  1. open {url}/explore and type a passage: spatial words, roles, scene, anomalies; the report is {folder}/report/report.html"
            ),
            format!("  2. sign in as demo-annotator at {url}/login and judge some sentences as a subject does"),
            format!(
                "  3. sign in as demo-team, register at {url}/contests/space2022, submit predictions of {folder}/predictions/linear/2022/, and see score and board"
            ),
        ],
    }
}
