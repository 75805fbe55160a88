//! The validator first: the same that `fangwei validate` runs, on the file unpacked within its bounds, against the items of the phase.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fangwei::ask::{Pool, Prompt, PromptError, Shots};
use fangwei::contest::PromptTrack;
use fangwei::lang::{Lang, Say};
use fangwei::record::{Check, Code, Defect, Severity, Source};
use fangwei::score::read_items;
use fangwei::task::{Item, Task};
use fangwei::validate::{Report, validate};
use serde_json::{Value, json};
use sqlx::Row;
use tokio::sync::Semaphore;

use super::bounds;
use super::place::Place;
use crate::app::App;
use crate::contests::Kept;
use crate::failure::Failure;
use crate::store;
use crate::thread::on_thread;

/// So many defects of a file are kept for its team: more than anybody mends by hand.
pub const MOST_KEPT: usize = 10_000;
/// So many are told at once.
pub const MOST_TOLD: usize = 500;
/// So many characters of a name or a value are quoted: a hostile one may be as long as its file, and stand in every defect.
const MOST_QUOTED: usize = 200;
/// So long may looking at a file take.
const MOST_TIME: Duration = Duration::from_secs(30);
/// So many sets of items stay in memory.
const MOST_SETS: usize = 24;

/// What limits and speeds up looking at files.
#[derive(Debug)]
pub struct Examiners {
    /// So many files are looked at together; each uses all cores.
    places: Arc<Semaphore>,
    /// Items by the name of their file.
    items: Mutex<BTreeMap<String, Arc<Vec<Item>>>>,
}

impl Default for Examiners {
    fn default() -> Examiners {
        Examiners { places: Arc::new(Semaphore::new(2)), items: Mutex::default() }
    }
}

/// What was found in a file.
#[derive(Debug)]
pub struct Examined {
    /// The file unpacked; empty where it could not be.
    pub plain: Vec<u8>,
    /// How many records it has.
    pub records: u64,
    /// What is wrong with it, errors first.
    pub defects: Vec<Defect>,
    /// How many of these are errors.
    pub errors: usize,
}

impl Examined {
    fn of(plain: Vec<u8>, report: Report) -> Examined {
        let (errors, records) = (report.errors(), report.records);
        let mut defects = report.defects;
        defects.iter_mut().for_each(shorten);
        // Stable: errors come first, each kind in the order of the file.
        defects.sort_by_key(|defect| defect.severity() == Severity::Warning);
        Examined { plain, records, defects, errors }
    }

    fn refused(defect: Defect) -> Examined {
        Examined { plain: Vec::new(), records: 0, defects: vec![defect], errors: 1 }
    }

    /// Whether it can be taken.
    pub fn is_good(&self) -> bool {
        self.errors == 0
    }

    /// How many warnings there are.
    pub fn warnings(&self) -> usize {
        self.defects.len() - self.errors
    }

    /// Its defects in a language.
    pub fn told(&self, lang: Lang, most: usize) -> Vec<Value> {
        self.defects.iter().take(most).map(|defect| json!(defect.in_lang(lang))).collect()
    }

    /// Its defects as they are kept: in both languages.
    pub fn kept(&self) -> String {
        json!({ "zh": self.told(Lang::Zh, MOST_KEPT), "en": self.told(Lang::En, MOST_KEPT), "count": self.defects.len() })
            .to_string()
    }
}

/// Cuts what a defect quotes.
fn shorten(defect: &mut Defect) {
    let cut = |text: &str| {
        (text.chars().nth(MOST_QUOTED).is_some()).then(|| text.chars().take(MOST_QUOTED).chain(['…']).collect::<String>())
    };
    if let Some(short) = defect.qid.as_deref().and_then(cut) {
        defect.qid = Some(short.into());
    }
    for text in [&mut defect.expected.zh, &mut defect.expected.en, &mut defect.found.zh, &mut defect.found.en] {
        if let Some(short) = cut(text) {
            *text = short;
        }
    }
}

/// The files that a task of a phase is judged by: items and gold, as named in the store.
#[derive(Clone, Debug)]
pub struct Files {
    /// The items.
    pub items: String,
    /// The gold.
    pub gold: String,
}

/// The files of a place: the last that organisers gave it, or those of the competition's file.
pub async fn files(app: &App, kept: &Kept, place: &Place) -> Result<Files, Failure> {
    files_in(app, kept, place, i64::MAX).await
}

/// The files that a generation of scores is made with: what organisers corrected later counts from the generation on that they began with it.
pub async fn files_in(app: &App, kept: &Kept, place: &Place, generation: i64) -> Result<Files, Failure> {
    let select = "SELECT items, gold FROM gold_version WHERE contest = $1 AND phase = $2 AND task = $3 AND generation <= $4 \
                  ORDER BY number DESC LIMIT 1";
    let row = sqlx::query(select)
        .bind(kept.contest.id.clone())
        .bind(place.phase.id.clone())
        .bind(place.task.task.id())
        .bind(generation)
        .fetch_optional(app.database.read())
        .await?;
    if let Some(row) = row {
        return Ok(Files { items: row.try_get(0)?, gold: row.try_get(1)? });
    }
    let name = |path: &str| kept.files.get(path).cloned().ok_or_else(|| Failure::Internal(format!("a competition lacks {path}")));
    Ok(Files { items: name(&place.task.items)?, gold: name(&place.task.gold)? })
}

/// The items of a file in the store, without gold.
pub async fn items(app: &App, task: &'static dyn Task, name: &str) -> Result<Arc<Vec<Item>>, Failure> {
    let key = format!("{} {name}", task.id());
    let known = app.examiners.items.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    if let Some(items) = known {
        return Ok(items);
    }
    let bytes = store::get(app.database.read(), name).await?;
    let read = on_thread(move || {
        let source = Source::from_bytes("items", bytes).map_err(|error| Failure::Internal(error.to_string()))?;
        let (items, _) = read_items(task, source, false).map_err(|error| Failure::Internal(error.to_string()))?;
        // Gold is no part of checking: what a defect quotes must never come from it.
        Ok(items.into_iter().map(|item| Item { gold: None, corefs: None, ..item }).collect::<Vec<Item>>())
    });
    let items = Arc::new(read.await?);
    let mut kept = app.examiners.items.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() >= MOST_SETS {
        kept.pop_first();
    }
    kept.insert(key, items.clone());
    Ok(items)
}

/// Looks at a file that was sent to a place.
pub async fn examine(app: &App, kept: &Kept, place: &Place, name: &str, sent: Arc<Vec<u8>>) -> Result<Examined, Failure> {
    let busy = |_| Failure::Internal("no file is looked at any more".to_owned());
    let permit = app.examiners.places.clone().acquire_owned().await.map_err(busy)?;
    let (task, name) = (place.task.task, name.to_owned());
    let prompts = kept.contest.prompts.clone().filter(|_| place.is_for_prompts(&kept.contest));
    let items = match &prompts {
        None => items(app, task, &files(app, kept, place).await?.items).await?,
        Some(_) => Arc::default(),
    };
    let shown = name.clone();
    let looking = on_thread(move || {
        // Held by the thread itself: one that goes on after its time is up still takes its place.
        let _permit = permit;
        let plain = match bounds::unpack(&name, &sent) {
            Ok(plain) => plain,
            Err(defect) => return Ok(Examined::refused(*defect)),
        };
        let report = match &prompts {
            Some(track) => check_prompt(task, track, &name, &plain),
            None => check_answers(task, &name, &plain, &items)?,
        };
        Ok(Examined::of(plain, report))
    });
    match tokio::time::timeout(MOST_TIME, looking).await {
        Ok(examined) => examined,
        Err(_) => {
            let mut check = Check::new(shown.as_str().into(), 0);
            let seconds = MOST_TIME.as_secs();
            check.add(
                Code::Unreadable,
                Say::new(format!("{seconds} 秒内可以读完的文件"), format!("a file that is read within {seconds} s")),
                Say::new("更久", "longer"),
            );
            Ok(Examined::refused(check.defects.remove(0)))
        }
    }
}

fn check_answers(task: &dyn Task, name: &str, plain: &[u8], items: &[Item]) -> Result<Report, Failure> {
    let source = Source::from_bytes(name, plain).map_err(|error| Failure::Internal(error.to_string()))?;
    validate(task, source, Some(items)).map_err(|error| Failure::Internal(error.to_string()))
}

/// A prompt is a text, not longer than the track lets it be, and one that `fangwei llm` can ask with.
fn check_prompt(task: &'static dyn Task, track: &PromptTrack, name: &str, plain: &[u8]) -> Report {
    let mut check = Check::new(name.into(), 0);
    match std::str::from_utf8(plain) {
        Err(error) => {
            let at = error.valid_up_to() + 1;
            check.add(Code::BadEncoding, "UTF-8", Say::new(format!("第 {at} 字节不是"), format!("another byte at {at}")));
        }
        Ok(text) => {
            let (length, most) = (text.chars().count(), track.most_characters as usize);
            if text.trim().is_empty() {
                check.add(Code::EmptyFile, Say::new("提示词", "a prompt"), Say::new("空文件", "an empty file"));
            }
            if length > most {
                let expected = Say::new(format!("至多 {most} 字"), format!("at most {most} characters"));
                check.add(Code::LineTooLong, expected, Say::same(length.to_string()));
            }
            if text.contains('\0') {
                check.add(Code::BinaryFile, Say::new("文本", "a text"), "NUL");
            }
            if check.defects.is_empty() {
                check.defects = unusable(task, name, text);
            }
        }
    }
    Report { records: 1, defects: check.defects }
}

/// Why a prompt cannot be asked with: its sections, its places, its shots.
fn unusable(task: &'static dyn Task, name: &str, text: &str) -> Vec<Defect> {
    let (prompt, errors) = Prompt::read(task, name, text);
    if !errors.is_empty() {
        return errors.iter().map(PromptError::defect).collect();
    }
    match Shots::new(task, &prompt, Pool::shipped(task), 1) {
        Ok(_) => Vec::new(),
        Err(error) => {
            let mut check = Check::new(name.into(), 0);
            let expected = Say::new("可以从样例中选出的示例", "shots that can be taken from the sample");
            check.add(Code::BadValue, expected, error.to_string());
            check.defects
        }
    }
}
