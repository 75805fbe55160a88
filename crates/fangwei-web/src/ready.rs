//! Items as forms need them. A text is cut into words once and checked often: what was read last stays in memory.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use fangwei::annotate::form::{Form, Given, Sheet, SheetFinding};
use fangwei::annotate::{Mark, Reading};
use fangwei::lang::{Lang, Say};
use fangwei::task::Task;
use serde_json::{Value, json};

use crate::batches::batch::Batch;
use crate::failure::Failure;
use crate::stored;
use crate::thread::on_thread;

/// So many items stay in memory: a few hundred people at work, some kilobytes an item.
const MOST_KEPT: usize = 1000;

/// An item, its texts cut into words, and its form.
#[derive(Debug)]
pub struct Ready {
    /// The task.
    pub task: &'static dyn Task,
    /// The form.
    pub form: Form,
    /// The item as people may see it.
    pub given: Given,
    /// Each of its texts.
    pub readings: Vec<Reading>,
}

/// A sheet as it would be kept.
#[derive(Debug)]
pub struct Read {
    /// The mark that it stands for.
    pub mark: Mark,
    /// The mark with the sheet beside it, as it is stored: the sheet keeps the numbers of its records.
    pub content: String,
    /// What is to be said of it.
    pub findings: Vec<SheetFinding>,
}

impl Read {
    /// Refuses what cannot be finished, with all reasons.
    pub fn finished(self) -> Result<Read, Failure> {
        if self.findings.iter().any(SheetFinding::blocks) {
            let say = Say::new("还有错误，改正后才能完成", "there are errors; mend them to finish");
            return Err(Failure::Defects(say, json!({ "findings": self.findings })));
        }
        Ok(self)
    }
}

impl Ready {
    fn of(batch: &Batch, record: &str) -> Result<Ready, Failure> {
        let given = stored::given(batch, record)?;
        let readings = given.texts.iter().map(|text| Reading::of(&text.text)).collect();
        Ok(Ready { task: batch.task, form: Form::of(batch.task, batch.mode), given, readings })
    }

    /// What is to be said of a sheet.
    pub fn findings(&self, sheet: &Sheet, lang: Lang) -> Result<Vec<SheetFinding>, Failure> {
        let nothing = Reading::default();
        let reading = self.readings.first().unwrap_or(&nothing);
        let found = self.form.findings(self.task, sheet, &self.given.item, reading, lang);
        found.map_err(|error| Failure::Invalid(error.say()))
    }

    /// Reads a sheet. This is the only way by which what people say becomes a mark that is kept.
    pub fn read(&self, sheet: &Sheet, draft: bool, lang: Lang) -> Result<Read, Failure> {
        let mark = self.form.mark(sheet, &self.given.item).map_err(|error| {
            let detail = json!({ "record": error.record, "field": error.field, "fault": error.fault.to_string() });
            Failure::Defects(error.say(), detail)
        })?;
        let mark = Mark { draft, ..mark };
        // The mark is what counts; the sheet beside it is what the editor shows again, record by record.
        let mut content = serde_json::to_value(mark.write(self.task)).map_err(|error| Failure::Internal(error.to_string()))?;
        content["sheet"] = json!(sheet);
        Ok(Read { content: content.to_string(), findings: self.findings(sheet, lang)?, mark })
    }

    /// Reads a mark from outside as the sheet that says the same.
    pub fn read_mark(&self, given: &Value, draft: bool, lang: Lang) -> Result<Read, Failure> {
        let mark = stored::foreign_mark(self.task, given, lang)?;
        self.read(&self.form.sheet(&mark, &self.given.item), draft, lang)
    }
}

/// What was read last, by item; the oldest goes first.
#[derive(Debug, Default)]
pub struct Readings(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    items: HashMap<String, Arc<Ready>>,
    order: VecDeque<String>,
}

impl Readings {
    fn get(&self, item: &str) -> Option<Arc<Ready>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).items.get(item).cloned()
    }

    fn keep(&self, item: &str, ready: &Arc<Ready>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.items.insert(item.to_owned(), Arc::clone(ready)).is_none() {
            kept.order.push_back(item.to_owned());
        }
        if kept.order.len() > MOST_KEPT
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.items.remove(&oldest);
        }
    }

    /// An item of a batch, made ready on a thread of its own if it is not. Items never change: nothing here grows stale.
    pub async fn of(self: &Arc<Readings>, batch: &Batch, item: &str, record: &str) -> Result<Arc<Ready>, Failure> {
        if let Some(ready) = self.get(item) {
            return Ok(ready);
        }
        let (batch, record) = (batch.clone(), record.to_owned());
        let ready = Arc::new(on_thread(move || Ready::of(&batch, &record)).await?);
        self.keep(item, &ready);
        Ok(ready)
    }
}
