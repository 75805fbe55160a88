//! What a language model is asked about an item, and its reply as an answer: the same prompts and the same reading as `fangwei llm`.

use fangwei::ask::{Pool, Prompt, Shots, messages, read, reply_schema, write_reply};
use fangwei::record::{Check, Json};
use fangwei::score::read_items;
use fangwei::task::{Item, Task, read_item, write_pred};
use pyo3::prelude::*;
use serde_json::json;

use crate::Made;
use crate::errors::{Raised, lang};
use crate::given::Given;
use crate::settings;

/// A way of asking a task.
#[pyclass(frozen, module = "fangwei._fangwei")]
pub struct Asker {
    task: &'static dyn Task,
    prompt: Prompt,
    shots: Shots,
}

impl Asker {
    /// The item that a record is.
    fn item(&self, record: &str) -> Made<Item> {
        let mut check = Check::new("record".into(), 1);
        let given = fangwei::record::parse(record.as_bytes(), &mut check);
        let item = given.as_ref().and_then(|given: &Json<'_>| read_item(self.task, given, false, &mut check));
        item.ok_or_else(|| {
            Raised::defects("ItemError", lang().say("不是这个任务的题目", "not an item of the task"), &check.defects)
        })
    }
}

#[pymethods]
impl Asker {
    /// A shipped way (`way`) or the text of a prompt file (`prompt`); shots are drawn from `pool`, or from the shipped sample.
    #[new]
    #[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)] // Python hands over texts of its own, and all settings at once
    fn new(
        py: Python<'_>,
        task: &str,
        way: &str,
        prompt: Option<(String, String)>,
        pool: Option<Given<'_>>,
        shots: Option<usize>,
        choose: Option<&str>,
        seed: u64,
    ) -> PyResult<Asker> {
        let pool = pool.map(Given::hold).transpose()?;
        let work = || -> Made<Asker> {
            let task = settings::task(task)?;
            let prompt = match &prompt {
                Some((name, text)) => Prompt::parse(task, name, text)?,
                None => Prompt::shipped(task, way)?,
            };
            let prompt = prompt.with_shots(shots, choose.map(str::parse).transpose()?);
            let pool = match &pool {
                Some(held) => Pool::of(read_items(task, held.open()?, true)?.0),
                None => Pool::shipped(task),
            };
            let shots = Shots::new(task, &prompt, pool, seed)?;
            Ok(Asker { task, prompt, shots })
        };
        Ok(py.detach(work)?)
    }

    /// The version of the prompt: a hash of its text.
    #[getter]
    fn version(&self) -> &str {
        &self.prompt.version
    }

    /// The schema of replies, where they have one.
    fn schema(&self) -> Option<String> {
        reply_schema(self.task, &self.prompt).map(|schema| schema.to_string())
    }

    /// The messages about an item.
    fn messages(&self, record: &str) -> PyResult<String> {
        let item = self.item(record)?;
        Ok(json!(messages(&self.prompt, &item, &self.shots.of(&item))).to_string())
    }

    /// The reply that a perfect model would give to an answered item.
    fn ideal(&self, record: &str) -> PyResult<String> {
        let item = self.item(record)?;
        Ok(write_reply(self.task, self.prompt.reply, &item))
    }

    /// What a reply says: its state, what was mended, and the prediction as a record, if there is one.
    fn read(&self, record: &str, reply: &str, finish: Option<&str>) -> PyResult<String> {
        let item = self.item(record)?;
        let reading = read(self.task, &item, reply, finish);
        let pred = |answer: &fangwei::answer::Answer| write_pred(self.task, &item.qid, answer);
        Ok(json!({
            "state": reading.state, "mends": reading.mends, "pred": reading.answer.as_ref().map(pred),
            "unplaced": reading.unplaced.as_ref().map(pred),
        })
        .to_string())
    }
}
