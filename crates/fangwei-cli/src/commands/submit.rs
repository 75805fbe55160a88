//! `fangwei submit`: a file to a competition on a platform, and its score or every defect back.

use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use fangwei_web::chance;
use fangwei_web::guard::escape;
use fangwei_web::submit::MOST_SENT;
use serde_json::Value;

use crate::lang::{lang, t};
use crate::output::{Output, Status, Usage};

/// So often a file is sent where the network fails: under one name, so that it is taken once.
const TRIES: u32 = 4;

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei submit -f 山外山-task1-dev-1-0812.jsonl -m \"第一次\"\n  fangwei submit -f 预测.jsonl --task judge --contest space2022 --url https://contest.example.edu\n  fangwei submit -f 预测.jsonl --task judge --check\n\n地址、令牌和比赛也可以放在环境变量 FANGWEI_URL、FANGWEI_TOKEN、FANGWEI_CONTEST 里。令牌在网页的“我的帐户”里生成，要有 submit 权限。\n文件名如“队名-taskN-阶段-序号-月日.jsonl”时，不必给出任务和阶段。有缺陷的文件不占用提交次数。\n退出码：0 已提交，1 文件有缺陷或没有提交成功，2 用法不对。",
    "Examples:\n  fangwei submit -f TEAM-task1-dev-1-0812.jsonl -m \"first\"\n  fangwei submit -f preds.jsonl --task judge --contest space2022 --url https://contest.example.edu\n  fangwei submit -f preds.jsonl --task judge --check\n\nAddress, token and competition may stand in the environment: FANGWEI_URL, FANGWEI_TOKEN, FANGWEI_CONTEST. Tokens are made on the page “My account”, with the scope submit.\nA file named TEAM-taskN-PHASE-NUMBER-MMDD.jsonl needs no task and phase. A file with defects costs nothing of the quota.\nExit codes: 0 submitted, 1 the file has defects or could not be submitted, 2 usage."
))]
pub struct Submit {
    #[arg(short, long, value_name = "FILE", help = t("要提交的文件；- 表示标准输入", "the file; - is standard input"))]
    file: PathBuf,
    #[arg(short = 'm', long, default_value = "", value_name = "NOTE", help = t("备注", "a note to remember it by"))]
    note: String,
    #[arg(long, default_value = "", help = t("任务，如 judge 或 2022/task1", "the task, such as judge or 2022/task1"))]
    task: String,
    #[arg(long, default_value = "", help = t("阶段，如 dev", "the phase, such as dev"))]
    phase: String,
    #[arg(long, value_name = "ID", help = t("比赛的 id；只参加一个比赛时不必给出", "the id of the competition; not needed by who takes part in one"))]
    contest: Option<String>,
    #[arg(long, value_name = "URL", help = t("平台的网址", "the address of the platform"))]
    url: Option<String>,
    #[arg(long, value_name = "TOKEN", help = t("令牌；放在环境变量里更安全", "the token; safer in the environment"))]
    token: Option<String>,
    #[arg(long, help = t("只检查，不提交", "check only, do not submit"))]
    check: bool,
    #[arg(long, help = t("输出 JSON", "print JSON"))]
    json: bool,
}

/// A flag, or else a variable of the environment.
fn given(flag: Option<String>, variable: &str) -> Option<String> {
    flag.or_else(|| std::env::var(variable).ok()).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

impl Submit {
    pub fn run(self) -> anyhow::Result<Status> {
        let missing = |flag: &str, variable: &str| Usage(format!("{} {flag} / {variable}", t("缺少", "missing")));
        let url = given(self.url.clone(), "FANGWEI_URL").ok_or_else(|| missing("--url", "FANGWEI_URL"))?;
        let token = given(self.token.clone(), "FANGWEI_TOKEN").ok_or_else(|| missing("--token", "FANGWEI_TOKEN"))?;
        let site = Site::new(&url, &token);
        let bytes = self.read()?;
        let contest = match given(self.contest.clone(), "FANGWEI_CONTEST") {
            Some(contest) => contest,
            None => site.only_contest()?,
        };
        let what = if self.check { "check" } else { "submissions" };
        let name = self.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let query: Vec<String> = [
            ("file", name.as_str()),
            ("note", &self.note),
            ("task", &self.task),
            ("phase", &self.phase),
            ("client", &chance::secret()[..32]),
        ]
        .iter()
        .map(|(key, value)| format!("{key}={}", escape(value)))
        .collect();
        let (status, said) = site.send(&format!("/api/contests/{}/{what}?{}", escape(&contest), query.join("&")), &bytes)?;
        self.tell(status, &said, &format!("{url}/contests/{contest}"))
    }

    fn read(&self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let most = MOST_SENT as u64 + 1;
        if self.file.as_os_str() == "-" {
            std::io::stdin().take(most).read_to_end(&mut bytes)?;
        } else {
            let file = std::fs::File::open(&self.file).with_context(|| self.file.display().to_string())?;
            file.take(most).read_to_end(&mut bytes).with_context(|| self.file.display().to_string())?;
        }
        if bytes.len() > MOST_SENT {
            bail!("{}: {} {} MB", self.file.display(), t("文件应不超过", "the file may have at most"), MOST_SENT >> 20);
        }
        Ok(bytes)
    }

    /// Prints what came of it.
    fn tell(&self, status: u16, said: &Value, address: &str) -> anyhow::Result<Status> {
        let (mut output, good) = (Output::stdout(), (200..300).contains(&status));
        let good = good && said["ok"] != false;
        if self.json {
            output.json(said)?;
            return Ok(if good { Status::Clean } else { Status::Defects });
        }
        let defects = [&said["detail"]["defects"], &said["defects"], &said["warnings"]].into_iter().find_map(Value::as_array);
        for defect in defects.into_iter().flatten() {
            output.line(&line(defect));
        }
        let told = defects.map_or(0, Vec::len) as u64;
        let count = said["detail"]["count"].as_u64().unwrap_or(told);
        if count > told {
            output.line(&format!(
                "… {} {count}: {address}/uploads/{}",
                t("共", "in all"),
                said["detail"]["upload"].as_str().unwrap_or_default()
            ));
        }
        if !good && said["ok"].is_null() {
            bail!("{}", said["message"].as_str().map_or_else(|| format!("HTTP {status}"), ToOwned::to_owned));
        }
        if self.check {
            let number = |name: &str| said[name].as_u64().unwrap_or_default();
            output.line(&format!(
                "{} {}: {} {}, {} {}, {} {}",
                said["phase"].as_str().unwrap_or_default(),
                said["task"].as_str().unwrap_or_default(),
                number("records"),
                t("条记录", "records"),
                number("errors"),
                t("个错误", "errors"),
                number("warnings"),
                t("个警告", "warnings")
            ));
            return Ok(if good { Status::Clean } else { Status::Defects });
        }
        let shown = &said["submission"];
        let text = |name: &str| shown[name].as_str().unwrap_or_default();
        let score = match shown["score"]["ranking"].as_f64() {
            Some(ranking) => format!("{ranking:.4} ({})", shown["score"]["measure"].as_str().unwrap_or_default()),
            None => text("state").to_owned(),
        };
        output.line(&format!("{} {} #{}: {score}", text("phase"), text("task"), shown["number"]));
        output.line(&format!("{address}/submissions/{}", text("id")));
        let left =
            |name: &str| said["left"][name].as_u64().map_or_else(|| t("不限", "no bound").to_owned(), |left| left.to_string());
        output.line(&format!("{} {}, {} {}", t("今天还可提交", "left today"), left("today"), t("共", "in all"), left("total")));
        Ok(Status::Clean)
    }
}

/// A defect on a line, as `fangwei validate` writes it.
fn line(defect: &Value) -> String {
    let text = |name: &str| match &defect[name] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let place = [text("line"), text("qid"), text("pointer")].into_iter().filter(|part| !part.is_empty());
    let place = place.fold(text("file"), |place, part| format!("{place} {part}"));
    format!(
        "{place}: {} [{}] {}; {} {}; {} {}",
        text("severity"),
        text("code"),
        text("message"),
        t("应为", "expected"),
        text("expected"),
        t("实为", "found"),
        text("found")
    )
}

/// A platform.
struct Site {
    url: String,
    token: String,
    agent: ureq::Agent,
}

impl Site {
    fn new(url: &str, token: &str) -> Site {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_mins(4)))
            .user_agent(concat!("fangwei/", env!("CARGO_PKG_VERSION")))
            .build();
        Site { url: url.trim_end_matches('/').to_owned(), token: token.to_owned(), agent: config.into() }
    }

    /// The one competition that the owner of the token takes part in.
    fn only_contest(&self) -> anyhow::Result<String> {
        let (status, said) = self.again(|| {
            let request = self.agent.get(format!("{}/api/teams", self.url));
            read(request.header("authorization", self.bearer()).header("accept-language", tag()).call())
        })?;
        if status != 200 {
            bail!("{}", said["message"].as_str().map_or_else(|| format!("HTTP {status}"), ToOwned::to_owned));
        }
        let teams = said["teams"].as_array().cloned().unwrap_or_default();
        let ids: Vec<&str> = teams.iter().filter_map(|team| team["contest"].as_str()).collect();
        match ids.as_slice() {
            [only] => Ok((*only).to_owned()),
            [] => bail!(t(
                "这个帐户没有参加任何比赛，请先在网页上报名",
                "the account takes part in no competition; register on its page first"
            )),
            several => Err(Usage(format!("--contest: {}", several.join(" / "))).into()),
        }
    }

    /// Sends a file.
    fn send(&self, path: &str, bytes: &[u8]) -> anyhow::Result<(u16, Value)> {
        self.again(|| {
            let request = self.agent.post(format!("{}{path}", self.url)).content_type("application/octet-stream");
            read(request.header("authorization", self.bearer()).header("accept-language", tag()).send(bytes))
        })
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    /// Asks again where the network failed, or where the same file is just being taken.
    fn again(&self, ask: impl Fn() -> anyhow::Result<(u16, Value)>) -> anyhow::Result<(u16, Value)> {
        for number in 1..TRIES {
            match ask() {
                Ok((409 | 502 | 503 | 504, _)) | Err(_) => std::thread::sleep(Duration::from_secs(u64::from(number))),
                Ok(answer) => return Ok(answer),
            }
        }
        ask().map_err(|error| anyhow!("{}: {error:#}", self.url))
    }
}

fn tag() -> &'static str {
    lang().say("zh", "en")
}

fn read(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> anyhow::Result<(u16, Value)> {
    let mut answer = answer?;
    let text = answer.body_mut().read_to_string()?;
    Ok((answer.status().as_u16(), serde_json::from_str(&text).unwrap_or_default()))
}
