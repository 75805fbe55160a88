//! How a model is reached: arguments that `run` and `judge` share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::{Args, ValueEnum};
use fangwei_llm::chat::{Capabilities, Chat, Connection, KEY_VARIABLE, Model, URL_VARIABLE};
use fangwei_llm::provider::{Provider, Sampling, Shape};
use fangwei_llm::runner::{Budget, End, Options, Price, Progress};

use crate::lang::{lang, t};
use crate::output::{Output, Usage};
use crate::progress::Bar;

#[derive(Args)]
pub struct Server {
    #[arg(long, value_name = "NAME", help = t("模型的名称", "name of the model"))]
    pub model: String,
    #[arg(long, value_name = "URL", help = t("OpenAI 兼容接口的地址，如 http://localhost:8000/v1；默认看 OPENAI_BASE_URL", "address of an OpenAI-compatible endpoint, such as http://localhost:8000/v1; by default that of OPENAI_BASE_URL"))]
    pub base_url: Option<String>,
    #[arg(long, value_name = "NAME", default_value = KEY_VARIABLE, help = t("存放密钥的环境变量；密钥不能写在命令行上", "the variable that holds the key; keys are never arguments"))]
    key_env: String,
    #[arg(long, help = t("流式接收回复", "let replies come piece by piece"))]
    pub stream: bool,
    #[arg(long, value_enum, default_value = "text", help = t("回复的形式；服务器不提供的会自动退回前一种", "form of replies; what the server does not offer falls back to the one before"))]
    pub reply: ShapeName,
    #[arg(long, help = t("温度；默认 0，服务器不接受时略去", "temperature; by default 0, left out where the server does not take it"))]
    temperature: Option<f64>,
    #[arg(long, value_name = "N", help = t("回复最多多少词元；默认由服务器决定", "the most tokens of a reply; by default the server's own limit"))]
    max_tokens: Option<u32>,
    #[arg(long, help = t("种子：选例用；写明时也发给服务器", "seed for choosing shots; given by name, it is also sent to the server"))]
    seed: Option<u64>,
    #[arg(long, default_value_t = 16, value_name = "N", help = t("最多同时多少个请求；从一个开始，遇到 429 减半", "the most requests at once; begins with one, halved by 429"))]
    connections: usize,
    #[arg(long, default_value_t = 5, value_name = "N", help = t("超时、断线、5xx 最多重试几次；429 不计", "how often time-outs, lost connections and 5xx are tried again; 429 is not counted"))]
    retries: u32,
    #[arg(long, default_value_t = 300.0, value_name = "SECONDS", help = t("多久没有回复算超时", "how long to wait for an answer"))]
    timeout: f64,
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS", help = t("多久没有任何回复就停下", "stop after so long without any response"))]
    patience: f64,
    #[arg(long, value_name = "URL", help = t("代理；默认看 HTTPS_PROXY、HTTP_PROXY、ALL_PROXY、NO_PROXY", "proxy; by default that of HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY"))]
    proxy: Option<String>,
    #[arg(long, value_parser = parse_budget, value_name = "200k|$3", help = t("最多用多少词元或钱（钱需要 --price）", "the most tokens or money to spend (money needs --price)"))]
    budget: Option<Budget>,
    #[arg(long, value_parser = parse_price, value_name = "IN,OUT", help = t("每百万词元的价格：输入,输出", "price of a million tokens: of messages, of replies"))]
    price: Option<Price>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShapeName {
    #[value(help = t("自由文本", "free text"))]
    Text,
    #[value(help = t("JSON 模式", "JSON mode"))]
    Json,
    #[value(help = t("按任务的 JSON Schema", "by the task's JSON schema"))]
    Schema,
    #[value(help = t("函数调用", "a function call"))]
    Tools,
}

impl From<ShapeName> for Shape {
    fn from(name: ShapeName) -> Shape {
        match name {
            ShapeName::Text => Shape::Text,
            ShapeName::Json => Shape::Json,
            ShapeName::Schema => Shape::Schema,
            ShapeName::Tools => Shape::Tools,
        }
    }
}

fn parse_budget(text: &str) -> Result<Budget, String> {
    Budget::parse(text).ok_or_else(|| {
        t("应为词元数（200000、200k、2M）或钱（$3、20元）", "expected tokens (200000, 200k, 2M) or money ($3, 20元)").to_owned()
    })
}

fn parse_price(text: &str) -> Result<Price, String> {
    Price::parse(text).ok_or_else(|| t("应为 输入,输出，如 0.5,1.5", "expected IN,OUT, such as 0.5,1.5").to_owned())
}

impl Server {
    /// Checks what clap cannot.
    pub fn check(&self) -> Result<(), Usage> {
        if matches!(self.budget, Some(Budget::Money(_))) && self.price.is_none() {
            return Err(Usage(t("用钱作 --budget 需要 --price", "a --budget of money needs --price").to_owned()));
        }
        for (name, value) in [("--timeout", self.timeout), ("--patience", self.patience)] {
            if !(value > 0.0 && value < 1e6) {
                return Err(Usage(format!("{name} {value}: {}", t("应为正的秒数", "expected a positive number of seconds"))));
            }
        }
        if self.temperature.is_some_and(|temperature| !(0.0..=2.0).contains(&temperature)) {
            return Err(Usage(t("--temperature 应在 0 到 2 之间", "--temperature: expected 0 to 2").to_owned()));
        }
        Ok(())
    }

    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    pub fn sampling(&self) -> Sampling {
        Sampling { temperature: Some(self.temperature.unwrap_or(0.0)), seed: self.seed, max_tokens: self.max_tokens }
    }

    pub fn price(&self) -> Price {
        self.price.unwrap_or_default()
    }

    pub fn options(&self) -> Options {
        Options {
            connections: self.connections.clamp(1, 1024),
            retries: self.retries,
            patience: Duration::from_secs_f64(self.patience),
            budget: self.budget,
            price: self.price(),
            ..Options::default()
        }
    }

    /// The server at the address.
    pub fn chat(&self, known: Option<Capabilities>) -> anyhow::Result<Chat> {
        let base_url = self.base_url.clone().or_else(|| std::env::var(URL_VARIABLE).ok().filter(|url| !url.is_empty()));
        let Some(base_url) = base_url else {
            bail!(Usage(
                t("需要 --base-url，或环境变量 OPENAI_BASE_URL", "--base-url is needed, or the variable OPENAI_BASE_URL")
                    .to_owned()
            ));
        };
        let connection = Connection {
            base_url,
            key: std::env::var(&self.key_env).ok().filter(|key| !key.is_empty()),
            timeout: Duration::from_secs_f64(self.timeout),
            proxy: self.proxy.clone(),
            pool: self.connections,
        };
        let firm = self.temperature.is_some() || self.seed.is_some();
        let model = Model { name: self.model.clone(), stream: self.stream, firm };
        Chat::new(&connection, model, known).map_err(|error| Usage(error.to_string()).into())
    }
}

/// How often progress is told where there is no bar.
const TOLD: Duration = Duration::from_secs(30);

/// Shows progress as a bar, or as a line now and then where standard error is no terminal.
pub struct Watch {
    bar: Bar,
    price: Price,
    told: std::sync::Mutex<Instant>,
    terminal: bool,
}

impl Watch {
    pub fn new(total: usize, price: Price) -> Watch {
        let bar = Bar::requests();
        bar.begin(total as u64);
        Watch {
            bar,
            price,
            told: std::sync::Mutex::new(Instant::now()),
            terminal: std::io::IsTerminal::is_terminal(&std::io::stderr()),
        }
    }

    pub fn see(&self, progress: &Progress) {
        if self.terminal {
            self.bar.at(progress.done, progress.total);
            self.bar.say(&progress.line(self.price, lang()));
            return;
        }
        let mut told = self.told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if told.elapsed() >= TOLD {
            *told = Instant::now();
            Output::stderr().line(&format!("{}/{}  {}", progress.done, progress.total, progress.line(self.price, lang())));
        }
    }

    pub fn end(&self, progress: &Progress) {
        self.bar.end();
        if progress.total > 0 {
            Output::stderr().line(&format!("{}/{}  {}", progress.done, progress.total, progress.line(self.price, lang())));
        }
    }
}

/// Stops on the first Ctrl-C after what is under way, and at once on the second: everything that came is on the disk.
pub fn stopper() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    // Only a second handler in one process could fail.
    let _ = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        Output::stderr().line(t(
            "正在停下，等待已发出的请求；再按一次立即退出",
            "stopping after what is under way; once more to stop at once",
        ));
    });
    stop
}

/// Why a run is not complete, and what to do; `None` where it is.
pub fn unfinished(end: &End, progress: &Progress) -> Option<String> {
    let again =
        t("已收到的都已保存，再次运行同一条命令即可继续", "everything that came is kept; the same command goes on from here");
    let why = match end {
        End::Done if progress.failures == 0 => return None,
        End::Done => {
            format!("{} {}", progress.failures, t("个请求失败，见 failures.jsonl", "requests failed, see failures.jsonl"))
        }
        End::Stopped => t("已停下", "stopped").to_owned(),
        End::Budget => t("预算用完", "the budget is used up").to_owned(),
        End::NoProgress(error) => format!("{}: {error}", t("没有进展", "no progress")),
        End::Refused(error) => error.to_string(),
        End::Disk(error) => error.to_string(),
    };
    Some(format!("{why}\n{again}"))
}

/// Writes down what the provider has learned.
pub fn remember(folder: &fangwei_llm::folder::Folder, provider: &dyn Provider) -> anyhow::Result<()> {
    if let Some(learned) = provider.learned() {
        folder.write("capabilities.json", (serde_json::to_string_pretty(&learned)? + "\n").as_bytes())?;
    }
    Ok(())
}
