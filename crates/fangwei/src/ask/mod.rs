//! Asking a language model: from an item to the messages that are sent, and from a reply to an answer that can be scored.
//!
//! A model is good at texts and bad at counting characters. So the prompts ask for texts, [`read`] finds their characters by a named step
//! ([`PLACING`]), and what the model itself gave is kept beside it, so that both can be scored. Nothing here opens a connection.
//!
//! ```
//! use fangwei::ask::{self, Pool, Prompt, Shots};
//! use fangwei::record::{Check, Json};
//!
//! let task = fangwei::tasks::find("2022/judge")?;
//! let given = Json::parse("{\"qid\":\"1\",\"context\":\"他跳进山洞外\"}".as_bytes())?;
//! let item = fangwei::task::read_item(task, &given, false, &mut Check::new("".into(), 1)).ok_or("no item")?;
//!
//! let prompt = Prompt::shipped(task, "ours")?;
//! let shots = Shots::new(task, &prompt, Pool::shipped(task), 1)?;
//! let messages = ask::messages(&prompt, &item, &shots.of(&item));
//! assert!(messages.last().is_some_and(|message| message.content.contains("他跳进山洞外")));
//!
//! let reading = ask::read(task, &item, "```json\n{\"judge\": 0,}\n```", Some("stop"));
//! assert_eq!(reading.state.as_str(), "repaired");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod draft;
mod lenient;
mod message;
mod place;
mod prompt;
mod reading;
mod schema;
mod shape;
mod shots;
mod slip;
mod verdict;
mod write;

pub use message::{Message, Speaker, messages};
pub use place::{How, PLACING, Placed};
pub use prompt::{Plan, Prompt, PromptError, Reply, WAYS, ways};
pub use reading::{Mend, Reading, State, read};
pub use schema::reply_schema;
pub use shots::{Choice, Pool, PoolError, Shot, Shots};
pub use slip::{Slip, SlipKind};
pub use write::write_reply;
