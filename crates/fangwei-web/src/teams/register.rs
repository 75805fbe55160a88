//! Registration: a team says who it is and accepts the agreement; organisers approve it where the competition asks for that.

use askama::Template;
use axum::Form;
use axum::extract::{Path, State as Of};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use fangwei::contest::Registration;
use fangwei::lang::{Say, Words};
use serde::Deserialize;
use serde_json::json;

use super::team::{self, Contact, SORTS, State, fold};
use crate::app::App;
use crate::contests::{self, Head, Kept, accept, kept};
use crate::database::Changes;
use crate::failure::Failure;
use crate::markdown::Markdown;
use crate::page::{Page, show};
use crate::who::{Account, Who};
use crate::{audit, id};

/// What the form sends.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Given {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) sort: String,
    #[serde(default)]
    pub(super) institution: String,
    #[serde(default)]
    pub(super) leader: String,
    #[serde(default)]
    pub(super) people: String,
    #[serde(default)]
    pub(super) email: String,
    #[serde(default)]
    pub(super) phone: String,
    /// The version of the agreement, where the box is ticked.
    #[serde(default)]
    pub(super) agree: String,
}

#[derive(Template)]
#[template(path = "teams/register.html")]
struct RegisterPage {
    page: Page,
    head: Head,
    agreement: Markdown,
    version: String,
    registration: Registration,
    sorts: &'static [(&'static str, Words)],
    given: Given,
    message: String,
}

impl RegisterPage {
    fn words(&self, words: &Words) -> &'static str {
        words.get(self.page.who.lang)
    }
}

/// The form.
pub async fn page(Of(app): Of<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let me = who.me()?;
    let kept = kept::find(&app, &who, &id).await?;
    if team::of_account(&app, &id, &me.id).await?.is_some() {
        return Ok(Redirect::to(&format!("/contests/{id}/team")).into_response());
    }
    check_open(&app, &kept)?;
    show(&form(&app, &who, &kept, Given::default(), String::new()).await?)
}

async fn form(app: &App, who: &Who, kept: &Kept, given: Given, message: String) -> Result<RegisterPage, Failure> {
    let contest = &kept.contest;
    let (version, agreement) = accept::today(app, who, kept).await?;
    Ok(RegisterPage {
        page: Page::new(who, "报名", "Register"),
        head: Head::new(app, who, kept),
        agreement,
        version,
        registration: contest.registration.clone(),
        sorts: &SORTS,
        given,
        message,
    })
}

/// Refuses where teams cannot register at this moment.
pub(super) fn check_open(app: &App, kept: &Kept) -> Result<(), Failure> {
    if kept.state == contests::State::Open && kept.contest.registration.is_open(app.now()) {
        return Ok(());
    }
    Err(Failure::forbidden("现在不能报名，报名时间见日程", "registration is not open; the schedule says when it is"))
}

/// Registers a team with who asks as its leader.
pub async fn register(Of(app): Of<App>, who: Who, Path(id): Path<String>, Form(given): Form<Given>) -> Result<Response, Failure> {
    let me = who.me()?;
    let kept = kept::find(&app, &who, &id).await?;
    check_open(&app, &kept)?;
    match make(&app, me, &kept, &given).await {
        Ok(()) => Ok(Redirect::to(&format!("/contests/{id}/team")).into_response()),
        Err(Failure::Invalid(say) | Failure::Conflict(say, _)) => {
            let message = say.get(who.lang).to_owned();
            let shown = show(&form(&app, &who, &kept, given, message).await?)?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, shown).into_response())
        }
        Err(failure) => Err(failure),
    }
}

async fn make(app: &App, me: &Account, kept: &Kept, given: &Given) -> Result<(), Failure> {
    let new = checked(&kept.contest.registration, given)?;
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let state = if kept.contest.registration.approval { State::Waiting } else { State::Approved };
    let team = insert(&mut changes, now, kept, &new, state, Some(&me.id)).await?;
    add_member(&mut changes, now, &kept.contest.id, &team, &me.id, "leader").await?;
    accept::accept_for(&mut changes, now, kept, (&me.id, &team), &given.agree).await?;
    let detail = json!({ "contest": kept.contest.id, "name": new.name, "agreement": given.agree, "state": state });
    audit::note(&mut changes, now, Some(&me.id), "register-team", &team, &detail).await?;
    changes.commit().await?;
    Ok(())
}

/// A team to be, as it is kept.
#[derive(Clone, Debug)]
pub(super) struct New {
    pub name: String,
    pub kind: &'static str,
    pub sort: String,
    pub institution: String,
    pub leader: String,
    pub people: String,
    pub contact: Contact,
}

/// Appends a team; refused where its name looks like that of another.
pub(super) async fn insert(
    changes: &mut Changes,
    now: i64,
    kept: &Kept,
    new: &New,
    state: State,
    by: Option<&str>,
) -> Result<String, Failure> {
    // A team that is new while a generation begins would be in neither.
    kept::hold(changes, &kept.contest.id).await?;
    let team = id::at(now);
    let insert = "INSERT INTO team (id, contest, name, folded, kind, sort, institution, leader, people, contact, state, answer, version, made_by, made_at) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '', 0, $12, $13) ON CONFLICT (contest, folded) DO NOTHING";
    let done = sqlx::query(insert)
        .bind(team.clone())
        .bind(kept.contest.id.clone())
        .bind(new.name.clone())
        .bind(fold(&new.name))
        .bind(new.kind)
        .bind(new.sort.clone())
        .bind(new.institution.clone())
        .bind(new.leader.clone())
        .bind(new.people.clone())
        .bind(json!(new.contact).to_string())
        .bind(state.as_str())
        .bind(by.map(ToOwned::to_owned))
        .bind(now)
        .execute(&mut **changes)
        .await?;
    if done.rows_affected() == 0 {
        let say = Say::new(
            "已有同名（或看起来一样）的队伍，请换一个队名",
            "a team of this name, or one that looks like it, exists; choose another",
        );
        return Err(Failure::Conflict(say, json!({ "name": new.name })));
    }
    Ok(team)
}

/// Lets an account act for a team; refused where it acts for another.
pub(super) async fn add_member(
    changes: &mut Changes,
    now: i64,
    contest: &str,
    team: &str,
    account: &str,
    part: &str,
) -> Result<(), Failure> {
    let insert = "INSERT INTO member (id, contest, team, account, part, joined_at) VALUES ($1, $2, $3, $4, $5, $6) \
                  ON CONFLICT (contest, account) DO NOTHING";
    let done = sqlx::query(insert)
        .bind(id::at(now))
        .bind(contest.to_owned())
        .bind(team.to_owned())
        .bind(account.to_owned())
        .bind(part.to_owned())
        .bind(now)
        .execute(&mut **changes)
        .await?;
    if done.rows_affected() == 0 {
        let say = Say::new("你已经在本次比赛的一支队伍里", "you are in a team of this competition already");
        return Err(Failure::Conflict(say, json!({})));
    }
    Ok(())
}

/// The most characters of a field that is not the name.
const MOST_FIELD: usize = 100;

/// What was given as a team to be.
fn checked(rules: &Registration, given: &Given) -> Result<New, Failure> {
    let name = checked_team_name(rules, &given.name)?;
    let institution = line(&given.institution, ("单位", "an institution"))?;
    let leader = line(&given.leader, ("队长姓名", "the name of the leader"))?;
    let people: Vec<&str> =
        given.people.split(['\n', ',', '，', '、', ';', '；']).map(str::trim).filter(|name| !name.is_empty()).collect();
    let most = rules.most_members as usize;
    if people.len() > most || people.iter().any(|name| name.chars().count() > MOST_FIELD || name.chars().any(char::is_control)) {
        return Err(Failure::invalid(
            format!("成员应至多 {most} 人，每人一行"),
            format!("expected at most {most} people, one a line, found {}", people.len()),
        ));
    }
    if !SORTS.iter().any(|(sort, _)| *sort == given.sort) {
        return Err(Failure::invalid("请选择队伍类型", "choose what sort of team it is"));
    }
    let contact = Contact { email: email(&given.email)?, phone: phone(&given.phone)? };
    Ok(New { name, kind: "team", sort: given.sort.clone(), institution, leader, people: people.join("\n"), contact })
}

/// The name of a team: visible letters, no longer than the competition lets it be.
pub(super) fn checked_team_name(rules: &Registration, given: &str) -> Result<String, Failure> {
    let name = given.trim();
    let (length, most) = (name.chars().count(), rules.most_name as usize);
    // Marks that turn the direction of what follows would let one name look like another.
    let is_hidden = |letter: char| {
        letter.is_control()
            || ('\u{200b}'..='\u{200f}').contains(&letter)
            || ('\u{202a}'..='\u{202e}').contains(&letter)
            || ('\u{2060}'..='\u{206f}').contains(&letter)
            || letter == '\u{feff}'
    };
    if length > most || fold(name).is_empty() || name.chars().any(is_hidden) {
        return Err(Failure::invalid(
            format!("队名应为 1 到 {most} 个字，至少有一个字母、数字或汉字"),
            format!("expected a name of 1 to {most} characters with a letter or digit among them, found {length}"),
        ));
    }
    Ok(name.to_owned())
}

fn line(given: &str, (zh, en): (&str, &str)) -> Result<String, Failure> {
    let text = given.trim();
    if text.is_empty() || text.chars().count() > MOST_FIELD || text.chars().any(char::is_control) {
        return Err(Failure::invalid(
            format!("请填写{zh}（至多 {MOST_FIELD} 字）"),
            format!("expected {en} of at most {MOST_FIELD} characters"),
        ));
    }
    Ok(text.to_owned())
}

fn email(given: &str) -> Result<String, Failure> {
    let text = given.trim();
    let is_plain = text.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !host.contains('@') && !host.starts_with('.') && !host.ends_with('.')
    });
    if !is_plain || text.len() > 200 || text.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
        return Err(Failure::invalid("请填写可用的电子邮箱", "expected an address for mail"));
    }
    Ok(text.to_owned())
}

/// A number in any country's way of writing it, or none.
fn phone(given: &str) -> Result<String, Failure> {
    let text = given.trim();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_plain = text.chars().all(|letter| letter.is_ascii_digit() || "+-() ".contains(letter));
    if text.is_empty() || (is_plain && (5..=20).contains(&digits) && text.len() <= 40) {
        return Ok(text.to_owned());
    }
    Err(Failure::invalid("电话号码应为 5 到 20 位数字", "expected a telephone number of 5 to 20 digits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_team_says_is_checked() {
        let good = Given {
            name: " 山外山 ".into(),
            sort: "university".into(),
            institution: "某大学".into(),
            leader: "甲".into(),
            people: "甲\n乙，丙".into(),
            email: "a@b.cn".into(),
            phone: "+86 138-0000-0000".into(),
            agree: "1".into(),
        };
        let new = checked(&Registration::default(), &good).expect("good");
        assert_eq!((new.name.as_str(), new.people.as_str()), ("山外山", "甲\n乙\n丙"));
        let bad = [
            Given { name: "——".into(), ..good.clone() },
            Given { name: "长".repeat(21), ..good.clone() },
            Given { name: "甲\u{202e}队".into(), ..good.clone() },
            Given { sort: "army".into(), ..good.clone() },
            Given { institution: " ".into(), ..good.clone() },
            Given { email: "a@b".into(), ..good.clone() },
            Given { email: "a b@c.d".into(), ..good.clone() },
            Given { phone: "12".into(), ..good.clone() },
            Given { people: "甲\n".repeat(11), ..good.clone() },
        ];
        for given in bad {
            assert!(checked(&Registration::default(), &given).is_err(), "{given:?}");
        }
    }
}
