//! `fangwei llm mock`: a server without a model, to try things out against.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei::task::Task;
use fangwei_llm::mock::{Book, Fault, Mock as Provider, Saying, Server};

use super::super::parse_task;
use crate::lang::t;
use crate::output::{Output, Status, Usage, tell};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei llm mock --port 8123\n  fangwei llm mock --port 8123 --task 2023/anomaly --gold gold.jsonl --noise 0.3\n  fangwei llm mock --port 8123 --fault 429=2@first:20 --fault drop@5% --fault half@5% --fault slow=0.2@10%\n\n故障：429[=秒]、其他状态码、drop（断线）、half（半个 JSON）、silence=秒（不回答）、slow=秒（慢速流）；\n时机：@all、@first:N、@every:N、@N%。--refuse 参数名 模拟不支持该参数的服务器。",
    "Examples:\n  fangwei llm mock --port 8123\n  fangwei llm mock --port 8123 --task 2023/anomaly --gold gold.jsonl --noise 0.3\n  fangwei llm mock --port 8123 --fault 429=2@first:20 --fault drop@5% --fault half@5% --fault slow=0.2@10%\n\nFailures: 429[=SECONDS], any other status, drop (the connection), half (of the JSON), silence=SECONDS, slow=SECONDS (between pieces);\nwhen: @all, @first:N, @every:N, @N%. --refuse PARAMETER acts as a server that does not take it."
))]
pub struct Mock {
    #[arg(long, default_value_t = 0, help = t("端口；0 为任意空闲端口", "port; 0 takes any that is free"))]
    port: u16,
    #[arg(long, value_parser = parse_task, value_name = "TASK", requires = "gold", help = t("任务；不写则回声", "the task; without it the mock echoes"))]
    task: Option<&'static dyn Task>,
    #[arg(long, value_name = "FILE", requires = "task", help = t("答案文件", "gold file"))]
    gold: Option<PathBuf>,
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", help = t("弄坏多大比例的回复，0 到 1", "the share of spoiled replies, 0 to 1"))]
    noise: f64,
    #[arg(long = "fault", value_name = "WHAT@WHEN", help = t("故障，可以多次", "a failure, repeatable"))]
    faults: Vec<Fault>,
    #[arg(long = "refuse", value_name = "PARAMETER", help = t("以 400 拒绝这个参数，可以多次", "refuse this parameter with 400, repeatable"))]
    refuses: Vec<String>,
    #[arg(long, default_value_t = 0.0, value_name = "SECONDS", help = t("每个回复想多久", "how long each reply takes"))]
    delay: f64,
    #[arg(long, default_value_t = 1, help = t("种子", "seed"))]
    seed: u64,
}

impl Mock {
    pub fn run(self) -> anyhow::Result<Status> {
        let Ok(delay) = Duration::try_from_secs_f64(self.delay) else {
            bail!(Usage(format!("--delay {}: {}", self.delay, t("应为秒数", "expected seconds"))));
        };
        let saying = match (self.task, &self.gold) {
            (Some(task), Some(gold)) => {
                let (items, defects) = read_items(task, Source::open(gold)?, true)?;
                tell(&defects);
                Saying::Gold(Book::new(task, items))
            }
            _ => Saying::Echo,
        };
        let mut mock = Provider::new(saying);
        mock.noise = self.noise;
        mock.faults = self.faults;
        mock.refuses = self.refuses;
        mock.delay = delay;
        mock.seed = self.seed;
        let server = Server::start(Arc::new(mock), self.port)?;
        Output::stdout().line(&server.base_url());
        server.wait();
        Ok(Status::Clean)
    }
}
