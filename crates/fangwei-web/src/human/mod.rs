//! Studies of how people do, on the platform: a batch of mode `human` that every subject is given whole, and what they answered.
//!
//! Only what subjects may see is brought here; gold stays in the folder of the study. Opening a study once more changes nothing but adds who is new.

mod open;
mod take;

pub use open::{Opened, Seat, Sitting, open};
pub use take::{Taken, TakenAnswer, take};

use fangwei::annotate::form::BatchMode;
use fangwei::task::Task;
use sqlx::{Any, Executor};

use crate::batches::batch::{self, Batch};
use crate::database::Changes;
use crate::failure::Failure;

/// The id of the batch that a study has, if there is one of its name.
async fn id_of<'e>(executor: impl Executor<'e, Database = Any>, name: &str) -> Result<Option<String>, Failure> {
    let select = sqlx::query_scalar("SELECT id FROM batch WHERE name = $1").bind(name.trim().to_owned());
    Ok(select.fetch_optional(executor).await?)
}

/// The batch of a study; refused where the batch of this name is something else.
async fn batch_of(changes: &mut Changes, name: &str, task: &dyn Task) -> Result<Option<Batch>, Failure> {
    let Some(id) = id_of(&mut **changes, name).await? else { return Ok(None) };
    let batch = batch::hold(changes, &id).await?;
    if batch.task.id() != task.id() || batch.mode != BatchMode::Human {
        return Err(Failure::invalid(
            format!("平台上名为“{name}”的批次不是 {} 的人类测试；请改 study.toml 的 title", task.id()),
            format!("the batch named {name:?} is no human test of {}; change the title in study.toml", task.id()),
        ));
    }
    Ok(Some(batch))
}
