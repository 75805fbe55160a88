//! `fangwei account`: accounts from the machine itself, for whoever may touch the database: links, tokens, a list.

use anyhow::bail;
use clap::{Args, Subcommand};
use fangwei::table::{Format, Table};
use fangwei_web::accounts::{find, link, people, token};
use fangwei_web::database::Database;
use fangwei_web::policy::{Role, Scope};
use fangwei_web::{App, Settings, audit, now};
use serde_json::json;

use super::place::{Place, block_on};
use crate::lang::{lang, t};
use crate::output::{Output, Status};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei account invite --role annotator          打印一个一次性的邀请链接\n  fangwei account reset 张三                        打印一个设置新密码的链接\n  fangwei account token 张三 --scope read --days 30  打印一个给程序用的令牌\n\n不需要密码：能读写数据库的人就能用，每一步都记入日志。",
    "Examples:\n  fangwei account invite --role annotator          prints an invitation that works once\n  fangwei account reset ann                         prints a link for a new password\n  fangwei account token ann --scope read --days 30   prints a token for programs\n\nNo password is asked: who can write the database may. Every step is in the log."
))]
pub struct Account {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(about = t("列出帐户", "list accounts"))]
    List {
        #[command(flatten)]
        place: Place,
        #[arg(long, help = t("输出 JSON", "print JSON"))]
        json: bool,
    },
    #[command(about = t("打印邀请链接", "print an invitation"))]
    Invite {
        #[command(flatten)]
        place: Place,
        #[arg(long, value_parser = parse_role, default_value = "annotator", help = t("角色：participant、annotator、reviewer、manager、organiser、admin", "role: participant, annotator, reviewer, manager, organiser, admin"))]
        role: Role,
        #[command(flatten)]
        links: Links,
    },
    #[command(about = t("打印设置新密码的链接", "print a link for a new password"))]
    Reset {
        #[arg(value_name = "NAME", help = t("用户名", "the account's name"))]
        name: String,
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        links: Links,
    },
    #[command(about = t("打印给程序用的令牌", "print a token for programs"))]
    Token {
        #[arg(value_name = "NAME", help = t("用户名", "the account's name"))]
        name: String,
        #[command(flatten)]
        place: Place,
        #[arg(long = "scope", value_parser = parse_scope, default_values = ["read"], help = t("权限，可重复：read、submit、annotate、manage", "scope, repeatable: read, submit, annotate, manage"))]
        scopes: Vec<Scope>,
        #[arg(long, default_value_t = 90, value_parser = clap::value_parser!(i64).range(1..=366), help = t("有效天数", "days"))]
        days: i64,
    },
}

#[derive(Args)]
struct Links {
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8000", help = t("用户看到的网址", "the address that users see"))]
    public_url: String,
}

fn parse_role(name: &str) -> Result<Role, String> {
    Role::parse(name).ok_or_else(|| Role::ALL.map(Role::as_str).join(" / "))
}

fn parse_scope(name: &str) -> Result<Scope, String> {
    Scope::parse(name).ok_or_else(|| Scope::ALL.map(Scope::as_str).join(" / "))
}

impl Account {
    pub fn run(self) -> anyhow::Result<Status> {
        block_on(self.command.run())
    }
}

impl Command {
    async fn run(self) -> anyhow::Result<Status> {
        let mut output = Output::stdout();
        match self {
            Command::List { place, json } => {
                let people = people::all(&open(&place, "").await?).await?;
                let row = |kept: &fangwei_web::accounts::Kept| json!({ "name": kept.account.name, "role": kept.account.role, "state": kept.state, "tags": kept.tags, "created_at": kept.created_at });
                if json {
                    output.json(&people.iter().map(row).collect::<Vec<_>>())?;
                } else {
                    let mut table = Table::new([t("用户名", "name"), t("角色", "role"), t("状态", "state"), t("标签", "tags")]);
                    for kept in &people {
                        let role = kept.account.role.title(lang());
                        table.row([
                            kept.account.name.as_str().into(),
                            role.into(),
                            kept.state.as_str().into(),
                            kept.tags.as_str().into(),
                        ]);
                    }
                    output.text(&table.render(Format::Text));
                }
            }
            Command::Invite { place, role, links } => {
                let app = open(&place, &links.public_url).await?;
                let mut changes = app.database.begin().await?;
                let address = link::make(&app, &mut changes, &link::Purpose::Join(role), None).await?;
                audit::note(&mut changes, now(), None, "invite", "", &json!({ "role": role })).await?;
                changes.commit().await?;
                output.line(&address);
            }
            Command::Reset { name, place, links } => {
                let app = open(&place, &links.public_url).await?;
                let mut changes = app.database.begin().await?;
                let Some(kept) = find(&mut *changes, &name).await? else { bail!(unknown(&name)) };
                let purpose = link::Purpose::Reset(kept.account.id.clone());
                let address = link::make(&app, &mut changes, &purpose, None).await?;
                audit::note(&mut changes, now(), None, "reset-link", &kept.account.id, &json!({})).await?;
                changes.commit().await?;
                output.line(&address);
            }
            Command::Token { name, place, scopes, days } => {
                let app = open(&place, "").await?;
                let mut changes = app.database.begin().await?;
                let Some(kept) = find(&mut *changes, &name).await? else { bail!(unknown(&name)) };
                let secret = token::make(&mut changes, now(), &kept.account.id, "fangwei account", &scopes, days).await?;
                audit::note(&mut changes, now(), None, "make-token", &kept.account.id, &json!({ "scopes": scopes })).await?;
                changes.commit().await?;
                output.line(&secret);
            }
        }
        Ok(Status::Clean)
    }
}

async fn open(place: &Place, public_url: &str) -> anyhow::Result<App> {
    Ok(App::new(Database::open(&place.existing()?).await?, Settings::new(public_url)))
}

fn unknown(name: &str) -> String {
    format!("{}: {name}", t("没有这个帐户（fangwei account list 列出全部）", "no such account (fangwei account list lists them)"))
}
