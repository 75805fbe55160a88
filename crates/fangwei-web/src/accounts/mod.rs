//! Accounts: who may sign in, how they prove it, what links and tokens they hold.

pub mod link;
pub mod me;
pub mod password;
pub mod people;
pub mod session;
pub mod sign;
pub mod token;

use serde_json::json;
use sqlx::{Any, Executor, Row};

use crate::database::Changes;
use crate::failure::Failure;
use crate::policy::Role;
use crate::who::Account;
use crate::{audit, id};

/// An account as it is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Who it is.
    pub account: Account,
    /// The hash of its password.
    pub password: String,
    /// Whether it may sign in: `active` or `left`.
    pub state: String,
    /// Words by which managers find it, separated by spaces.
    pub tags: String,
    /// When it was made.
    pub created_at: i64,
}

/// What is read of an account, in this order.
pub const COLUMNS: &str = "account.id, account.name, account.shown, account.role";

/// The account of a row that begins with [`COLUMNS`].
pub fn account_of(row: &sqlx::any::AnyRow) -> Result<Account, Failure> {
    let role: String = row.try_get(3)?;
    let role = Role::parse(&role).ok_or_else(|| Failure::Internal(format!("an account has the unknown role {role:?}")))?;
    Ok(Account { id: row.try_get(0)?, name: row.try_get(1)?, shown: row.try_get(2)?, role })
}

/// Makes an account with the hash of its password; its id. Pages ask for a link first, the machine itself for none.
pub async fn make(changes: &mut Changes, now: i64, name: &str, password: String, role: Role) -> Result<String, Failure> {
    if find(&mut **changes, name).await?.is_some() {
        return Err(Failure::invalid("这个用户名已经有人用了", "the name is taken"));
    }
    let id = id::at(now);
    sqlx::query("INSERT INTO account (id, name, shown, role, password, state, tags, lang, created_at) VALUES ($1, $2, $2, $3, $4, 'active', '', '', $5)")
        .bind(id.clone())
        .bind(name.to_owned())
        .bind(role.as_str())
        .bind(password)
        .bind(now)
        .execute(&mut **changes)
        .await?;
    audit::note(changes, now, Some(&id), "join", &id, &json!({ "name": name, "role": role })).await?;
    Ok(id)
}

/// The account of an id or a name.
pub async fn find<'e>(executor: impl Executor<'e, Database = Any>, id_or_name: &str) -> Result<Option<Kept>, Failure> {
    let select = "SELECT account.id, account.name, account.shown, account.role, password, state, tags, created_at FROM account \
                  WHERE account.id = $1 OR account.name = $1";
    let Some(row) = sqlx::query(select).bind(id_or_name.to_owned()).fetch_optional(executor).await? else { return Ok(None) };
    Ok(Some(Kept {
        account: account_of(&row)?,
        password: row.try_get(4)?,
        state: row.try_get(5)?,
        tags: row.try_get(6)?,
        created_at: row.try_get(7)?,
    }))
}

/// The longest name.
const MOST_NAME: usize = 40;

/// A name to sign in with, as it is kept: no blanks around it, nothing invisible in it, not like an id.
pub fn checked_name(given: &str) -> Result<String, Failure> {
    let name = given.trim();
    let letters = name.chars().count();
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.@ ".contains(letter);
    if !(2..=MOST_NAME).contains(&letters) || !name.chars().all(is_plain) {
        return Err(Failure::invalid(
            format!("用户名应为 2 到 {MOST_NAME} 个字，可用汉字、字母、数字、空格和 - _ . @"),
            format!("expected a name of 2 to {MOST_NAME} letters, digits, blanks or - _ . @, found {letters}"),
        ));
    }
    if letters == 16 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return Err(Failure::invalid("这个用户名像一个编号，请换一个", "the name looks like an id, choose another"));
    }
    Ok(name.to_owned())
}
