//! Who reviews and decides: everybody from reviewers upwards who has not left.

use crate::accounts::{self, Kept, people};
use crate::app::App;
use crate::failure::Failure;
use crate::policy::Role;
use crate::who::Account;

fn may(kept: &Kept) -> bool {
    kept.state == "active" && kept.account.role >= Role::Reviewer
}

/// The names of all of them.
pub async fn all(app: &App) -> Result<Vec<String>, Failure> {
    Ok(people::all(app).await?.into_iter().filter(may).map(|kept| kept.account.name).collect())
}

/// The accounts of some names; refused where one of them may not review.
pub async fn find(app: &App, names: &[String]) -> Result<Vec<Account>, Failure> {
    let mut found = Vec::new();
    for name in names {
        let kept = accounts::find(app.database.read(), name).await?.filter(may);
        let stranger =
            || Failure::invalid(format!("{name} 不是在岗的审核员"), format!("expected an active reviewer, found {name}"));
        found.push(kept.ok_or_else(stranger)?.account);
    }
    Ok(found)
}
