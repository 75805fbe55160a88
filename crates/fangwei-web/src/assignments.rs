//! Giving an item to somebody, to annotate or to adjudicate.

use crate::database::Changes;
use crate::failure::Failure;
use crate::id;

/// What is given to whom.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The batch.
    pub batch: &'a str,
    /// The item.
    pub item: &'a str,
    /// The account.
    pub account: &'a str,
    /// `annotate` or `adjudicate`.
    pub part: &'static str,
}

/// Gives an item to somebody; who had it once gets it back as it was left. False where they have it already.
pub async fn give(changes: &mut Changes, now: i64, given: Given<'_>) -> Result<bool, Failure> {
    let update = "UPDATE assignment SET state = CASE WHEN version > 0 THEN 'draft' ELSE 'new' END, given_at = $1, changed_at = $1 \
                  WHERE item = $2 AND account = $3 AND part = $4 AND state = 'recalled'";
    let (item, account) = (given.item.to_owned(), given.account.to_owned());
    let update = sqlx::query(update).bind(now).bind(item.clone()).bind(account.clone()).bind(given.part);
    if update.execute(&mut **changes).await?.rows_affected() == 1 {
        return Ok(true);
    }
    let insert = "INSERT INTO assignment (id, batch, item, account, part, state, version, round, spent_ms, given_at, changed_at) \
                  VALUES ($1, $2, $3, $4, $5, 'new', 0, 1, 0, $6, $6) ON CONFLICT (item, account, part) DO NOTHING";
    let insert = sqlx::query(insert).bind(id::at(now)).bind(given.batch.to_owned()).bind(item).bind(account);
    Ok(insert.bind(given.part).bind(now).execute(&mut **changes).await?.rows_affected() == 1)
}
