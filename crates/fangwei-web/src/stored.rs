//! Rows as the library's own values: an item, a mark, where words were replaced.

use fangwei::annotate::form::{Given, read_given};
use fangwei::annotate::{Finding, Mark, Reading, Subject, check_subject};
use fangwei::lang::{Lang, Say};
use fangwei::record::{Check, Json};
use fangwei::task::{Item, Task};
use fangwei::text::{CharIdx, Span};
use serde_json::{Value, json};

use crate::batches::batch::Batch;
use crate::failure::Failure;

/// Why something that was stored cannot be read: the first defect.
fn unusable(what: &str, check: &Check) -> Failure {
    let why = check.defects.first().map(|defect| defect.render(Lang::En)).unwrap_or_default();
    Failure::Internal(format!("a stored {what} cannot be read: {why}"))
}

fn parse<'a>(what: &str, text: &'a str) -> Result<Json<'a>, Failure> {
    Json::parse(text.as_bytes()).map_err(|error| Failure::Internal(format!("a stored {what} cannot be read: {error}")))
}

/// An item of a batch as people see it, from its record.
pub fn given(batch: &Batch, record: &str) -> Result<Given, Failure> {
    let mut check = Check::new("item".into(), 0);
    let given = read_given(batch.task, batch.mode, &parse("item", record)?, &mut check);
    given.ok_or_else(|| unusable("item", &check))
}

/// A mark from its content.
pub fn mark(task: &dyn Task, content: &str) -> Result<Mark, Failure> {
    let mut check = Check::new("mark".into(), 0);
    let mark = Mark::read(task, &parse("mark", content)?, &mut check);
    mark.ok_or_else(|| unusable("mark", &check))
}

/// A mark from outside; refused with all defects, if it has any.
pub fn foreign_mark(task: &dyn Task, given: &Value, lang: Lang) -> Result<Mark, Failure> {
    let line = given.to_string();
    let refused = |defects: Vec<String>| {
        Failure::Defects(Say::new("这个标注读不出来", "the mark cannot be read"), json!({ "defects": defects }))
    };
    let json = Json::parse(line.as_bytes()).map_err(|error| refused(vec![error.to_string()]))?;
    let mut check = Check::new("mark".into(), 0);
    let mark = Mark::read(task, &json, &mut check).filter(|_| check.errors() == 0);
    mark.ok_or_else(|| refused(check.defects.iter().map(|defect| defect.render(lang)).collect()))
}

/// Where words were replaced, as the secret of an item tells: `{"replaced":[{"at":3,"to":"上"}]}`.
pub fn replaced(secret: &str) -> Vec<Span> {
    let secret: Value = serde_json::from_str(secret).unwrap_or_default();
    let span = |one: &Value| {
        let (at, to) = (one.get("at")?.as_u64()? as u32, one.get("to")?.as_str()?);
        Some((at..at.saturating_add(to.chars().count() as u32)).map(CharIdx).collect::<Span>())
    };
    secret.get("replaced").and_then(Value::as_array).map(|all| all.iter().filter_map(span).collect()).unwrap_or_default()
}

/// What the rules find in a mark, for somebody who may know which words were replaced.
pub fn findings(batch: &Batch, item: &Item, mark: &Mark, replaced: Vec<Span>) -> Vec<Finding> {
    let reading = Reading::of(item.texts.context());
    check_subject(&Subject::new(batch.task, item, mark, &reading).knowing(replaced), &batch.mode.rules())
}
