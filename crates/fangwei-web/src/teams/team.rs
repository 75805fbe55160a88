//! A team as it is kept: who it is, who acts for it, how far its registration is. Its contact is for itself and the organisers.

use fangwei::contest::{Names, mask};
use fangwei::lang::{Lang, Words, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::app::App;
use crate::database::Changes;
use crate::failure::Failure;

/// How far a registration is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Nobody has decided yet.
    Waiting,
    /// It takes part.
    Approved,
    /// It does not.
    Refused,
    /// It took part and does no more.
    Left,
}

impl State {
    const ALL: [State; 4] = [State::Waiting, State::Approved, State::Refused, State::Left];

    /// The word in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Approved => "approved",
            State::Refused => "refused",
            State::Left => "left",
        }
    }

    /// The state of a word.
    pub fn parse(word: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// For people.
    pub const fn title(self) -> Words {
        match self {
            State::Waiting => words("等待审核", "waiting for approval"),
            State::Approved => words("已通过", "approved"),
            State::Refused => words("未通过", "refused"),
            State::Left => words("已退出", "left"),
        }
    }
}

/// How to reach a team.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Contact {
    /// An address for mail.
    #[serde(default)]
    pub email: String,
    /// A telephone number.
    #[serde(default)]
    pub phone: String,
}

/// A team.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Team {
    /// Its id.
    pub id: String,
    /// The competition.
    pub contest: String,
    /// Its name.
    pub name: String,
    /// `team`, `baseline`, `human` or `llm`.
    pub kind: String,
    /// What sort of team: `university`, `company`, `person`, `other`.
    pub sort: String,
    /// Where its people work or study.
    pub institution: String,
    /// The name of its leader.
    pub leader: String,
    /// The names of its people, one a line.
    pub people: String,
    /// How to reach it.
    pub contact: Contact,
    /// How far its registration is.
    pub state: State,
    /// What the organisers said when they decided.
    pub answer: String,
    /// How often the registration was changed.
    pub version: i64,
    /// When it registered.
    pub made_at: i64,
    /// When the organisers decided.
    pub decided_at: Option<i64>,
}

/// The sorts of teams.
pub const SORTS: [(&str, Words); 4] = [
    ("university", words("高校或研究所", "university or institute")),
    ("company", words("企业", "company")),
    ("person", words("个人", "individual")),
    ("other", words("其他", "other")),
];

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT team.id, team.contest, team.name, team.kind, team.sort, team.institution, team.leader, team.people, team.contact, team.state, ",
            "team.answer, team.version, team.made_at, team.decided_at FROM team ",
            $rest
        )
    };
}

impl Team {
    fn of(row: &AnyRow) -> Result<Team, Failure> {
        let (contact, state): (String, String) = (row.try_get(8)?, row.try_get(9)?);
        let broken = |what: &str| Failure::Internal(format!("a team has an unknown {what}"));
        Ok(Team {
            id: row.try_get(0)?,
            contest: row.try_get(1)?,
            name: row.try_get(2)?,
            kind: row.try_get(3)?,
            sort: row.try_get(4)?,
            institution: row.try_get(5)?,
            leader: row.try_get(6)?,
            people: row.try_get(7)?,
            contact: serde_json::from_str(&contact).map_err(|_| broken("contact"))?,
            state: State::parse(&state).ok_or_else(|| broken("state"))?,
            answer: row.try_get(10)?,
            version: row.try_get(11)?,
            made_at: row.try_get(12)?,
            decided_at: row.try_get(13)?,
        })
    }

    /// Its name as somebody else may see it: a team sees its own in full, and so do the organisers.
    pub fn named(&self, names: Names, in_full: bool) -> String {
        match names {
            Names::Masked if !in_full && self.kind == "team" => mask(&self.name),
            _ => self.name.clone(),
        }
    }

    /// What sort of team it is, for people.
    pub fn sort_in(&self, lang: &Lang) -> &'static str {
        SORTS.iter().find(|(sort, _)| *sort == self.sort).map_or("", |(_, title)| title.get(*lang))
    }

    /// Its state, for people.
    pub fn state_in(&self, lang: &Lang) -> &'static str {
        self.state.title().get(*lang)
    }
}

/// The team that an account acts for in a competition, if any.
pub async fn of_account(app: &App, contest: &str, account: &str) -> Result<Option<Team>, Failure> {
    let select = select!("JOIN member ON member.team = team.id WHERE member.contest = $1 AND member.account = $2");
    let row = sqlx::query(select).bind(contest.to_owned()).bind(account.to_owned()).fetch_optional(app.database.read()).await?;
    row.as_ref().map(Team::of).transpose()
}

/// The teams that an account acts for in any competition.
pub async fn all_of_account(app: &App, account: &str) -> Result<Vec<Team>, Failure> {
    let select = select!("JOIN member ON member.team = team.id WHERE member.account = $1 ORDER BY team.id");
    let rows = sqlx::query(select).bind(account.to_owned()).fetch_all(app.database.read()).await?;
    rows.iter().map(Team::of).collect()
}

/// A team of a competition.
pub async fn find(app: &App, contest: &str, id: &str) -> Result<Team, Failure> {
    let select = select!("WHERE team.contest = $1 AND team.id = $2");
    let row = sqlx::query(select).bind(contest.to_owned()).bind(id.to_owned()).fetch_optional(app.database.read()).await?;
    Team::of(&row.ok_or(Failure::NotFound)?)
}

/// All teams of a competition: those that wait first, then by the time of their registration.
pub async fn all(app: &App, contest: &str) -> Result<Vec<Team>, Failure> {
    let select = select!("WHERE team.contest = $1 ORDER BY CASE team.state WHEN 'waiting' THEN 0 ELSE 1 END, team.id");
    let rows = sqlx::query(select).bind(contest.to_owned()).fetch_all(app.database.read()).await?;
    rows.iter().map(Team::of).collect()
}

/// Holds a team until the changes are done, so that what is counted meanwhile stays so; whether it is there.
pub async fn hold(changes: &mut Changes, id: &str) -> Result<bool, Failure> {
    let touch = "UPDATE team SET version = version WHERE id = $1";
    let done = sqlx::query(touch).bind(id.to_owned()).execute(&mut **changes).await?;
    Ok(done.rows_affected() == 1)
}

/// Who acts for a team.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Member {
    /// The account.
    pub account: String,
    /// The name that is shown.
    pub name: String,
    /// `leader` or `member`.
    pub part: String,
    /// Since when.
    pub joined_at: i64,
}

/// Who acts for a team, the leader first.
pub async fn members(app: &App, team: &str) -> Result<Vec<Member>, Failure> {
    let select = "SELECT member.account, account.shown, member.part, member.joined_at FROM member JOIN account ON account.id = member.account \
                  WHERE member.team = $1 ORDER BY CASE member.part WHEN 'leader' THEN 0 ELSE 1 END, member.id";
    let rows = sqlx::query(select).bind(team.to_owned()).fetch_all(app.database.read()).await?;
    let one = |row: &AnyRow| {
        Ok(Member { account: row.try_get(0)?, name: row.try_get(1)?, part: row.try_get(2)?, joined_at: row.try_get(3)? })
    };
    rows.iter().map(one).collect()
}

/// A name without what eyes pass over: case, width, blanks and signs. Two teams whose names fold to the same look alike.
pub fn fold(name: &str) -> String {
    let narrow = |letter: char| match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        other => other,
    };
    name.chars().map(narrow).flat_map(char::to_lowercase).filter(|letter| letter.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_fold_to_the_same() {
        assert_eq!(fold("山外山 Ａ队"), fold("山外山-a队"));
        assert_eq!(fold("Team\u{200b}One"), fold("team one"));
        assert_ne!(fold("山外山"), fold("楼外楼"));
        assert_eq!(fold("——"), "", "signs alone are no name");
    }
}
