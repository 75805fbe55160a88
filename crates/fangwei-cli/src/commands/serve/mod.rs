//! `fangwei serve`: the web platform, on an SQLite file in a folder or on PostgreSQL.

mod account;
mod backup;
pub mod place;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use fangwei_predict::explore::Sources;
use fangwei_web::database::Database;
use fangwei_web::serve::{listen, serve, signal};
use fangwei_web::{App, Settings};

use self::place::{Place, block_on};
use crate::lang::{lang, t};
use crate::output::{Output, Status};

pub use self::account::Account;
pub use self::backup::{Backup, Restore};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei serve                                在 fangwei-site/ 里建立平台，打印一次性的管理员链接\n  fangwei serve 数据 --listen 0.0.0.0:8000 --public-url https://annotate.example.edu --secure\n  fangwei serve --database postgres://user:password@host/fangwei\n\n第一次启动打印管理员链接；没有默认密码。SIGTERM 或 Ctrl-C 停止，正在处理的请求会做完。",
    "Examples:\n  fangwei serve                                a platform in fangwei-site/; prints a link for the first admin\n  fangwei serve data --listen 0.0.0.0:8000 --public-url https://annotate.example.edu --secure\n  fangwei serve --database postgres://user:password@host/fangwei\n\nThe first start prints a link for the admin; there is no default password. SIGTERM or Ctrl-C stops it, and requests under way are finished."
))]
pub struct Serve {
    #[command(flatten)]
    place: Place,
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8000", help = t("监听的地址", "the address to listen on"))]
    listen: SocketAddr,
    #[arg(long, value_name = "URL", help = t("用户看到的网址，用在邀请链接里", "the address that users see, for the links that are given out"))]
    public_url: Option<String>,
    #[arg(long, help = t("cookie 只通过 TLS 发送", "send cookies over TLS only"))]
    secure: bool,
    #[arg(long, help = t("在代理之后：用户地址取自 X-Forwarded-For", "behind a proxy: take the asker's address from X-Forwarded-For"))]
    behind_proxy: bool,
    #[arg(long, value_name = "DIR", help = t("“探查”页面所用的模型文件夹，或装着几个模型的文件夹；可以多次；默认只用规则", "models for the page “Explore”: a model folder or a folder of such; repeatable; by default rules alone"))]
    explore_model: Vec<PathBuf>,
}

impl Serve {
    pub fn run(self) -> anyhow::Result<Status> {
        block_on(self.serve(|_| ()))?;
        Ok(Status::Clean)
    }

    /// A platform in a folder, for this machine only.
    pub fn here(folder: PathBuf, port: u16, explore_model: Vec<PathBuf>) -> Serve {
        Serve {
            place: Place { folder, database: None },
            listen: SocketAddr::from(([127, 0, 0, 1], port)),
            public_url: None,
            secure: false,
            behind_proxy: false,
            explore_model,
        }
    }

    /// Serves until it is told to stop; `greet` gets the address when everything is ready.
    pub async fn serve(self, greet: impl FnOnce(&str)) -> anyhow::Result<()> {
        log();
        let sources = Sources::load(&self.explore_model).map_err(|error| anyhow::anyhow!("{}", error.say(lang())))?;
        let address = self.place.address()?;
        self.place.make()?;
        let listener = listen(self.listen).await?;
        let bound = listener.local_addr()?;
        let database = Database::open(&address).await?;
        let public_url = self.public_url.clone().unwrap_or_else(|| address_for_people(bound));
        let settings = Settings {
            secure: self.secure,
            behind_proxy: self.behind_proxy,
            models: self.place.folder.join("models"),
            ..Settings::new(&public_url)
        };
        let ready = |first: Option<String>| {
            let mut output = Output::stdout();
            output.text(&format!("{} {public_url}  ({address})\n", t("平台已启动：", "the platform is ready:")));
            if let Some(link) = first {
                output.text(&format!(
                    "{}\n  {link}\n",
                    t(
                        "还没有帐户。用这个链接建立管理员，只能用一次：",
                        "no account yet. Make the admin with this link, which works once:"
                    )
                ));
            }
            drop(output);
            greet(&public_url);
        };
        let stop = async {
            if let Err(error) = signal().await {
                tracing::error!("signals cannot be heard: {error}");
                std::future::pending::<()>().await;
            }
        };
        serve(listener, App::new(database, settings).exploring_with(sources), ready, stop).await?;
        Ok(())
    }
}

/// Writes what the platform has to say beside its answers to stderr: failures with their reasons.
fn log() {
    let lines = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).with_ansi(false);
    // Where a program that embeds this one has a log already, that one stays.
    let _ = lines.with_max_level(tracing::Level::WARN).try_init();
}

/// An address that a browser on this machine can open.
fn address_for_people(bound: SocketAddr) -> String {
    let host = match bound.ip() {
        ip if ip.is_unspecified() => "localhost".to_owned(),
        IpAddr::V6(ip) => format!("[{ip}]"),
        IpAddr::V4(ip) => ip.to_string(),
    };
    format!("http://{host}:{}", bound.port())
}
