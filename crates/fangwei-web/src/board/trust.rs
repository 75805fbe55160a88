//! Intervals, chances and groups: what takes seconds is computed beside the requests, once for every state of a board, one board at a time.
//!
//! Who asks waits a little and then gets the board without them; the page asks again and gets them when they are there.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fangwei::contest::{BOARD_RESAMPLING, BoardDoubts, Evidence, ItemRow, families_of};
use fangwei::record::Source;
use fangwei::task::Task;
use smol_str::SmolStr;
use tokio::sync::{Semaphore, watch};

use super::gather::{self, Gathered};
use super::sight::{Eyes, View};
use crate::app::App;
use crate::failure::Failure;
use crate::store;
use crate::thread::on_thread;

/// So long a page waits for intervals.
const MOST_WAIT: Duration = Duration::from_secs(3);
/// So many boards stay in memory, and so many sets of families.
const MOST_KEPT: usize = 64;

/// A board as somebody sees it: competition, board, view.
type Key = (String, String, View);
/// The family of every item.
type Families = Arc<HashMap<SmolStr, u32>>;

/// Boards that were computed before.
#[derive(Debug)]
pub struct Boards {
    known: Mutex<BTreeMap<Key, Known>>,
    /// Families by task and gold.
    families: Mutex<BTreeMap<(String, String), Families>>,
    /// One board is resampled at a time; it uses all cores.
    place: Semaphore,
}

impl Default for Boards {
    fn default() -> Boards {
        Boards { known: Mutex::default(), families: Mutex::default(), place: Semaphore::new(1) }
    }
}

/// A state of a board.
#[derive(Clone, Debug)]
struct Known {
    stamp: String,
    gathered: Arc<Gathered>,
    doubts: watch::Receiver<Option<Arc<BoardDoubts>>>,
}

/// A board with its numbers of this moment, and how far they can be trusted as soon as that is known.
#[derive(Clone, Debug)]
pub struct Trusted {
    /// What it depends on, in a word.
    pub stamp: String,
    /// Its rows.
    pub gathered: Arc<Gathered>,
    /// Intervals, chances and groups.
    pub doubts: Option<Arc<BoardDoubts>>,
}

/// Whether to wait for intervals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// A little.
    Little,
    /// Until they are there.
    Endless,
    /// Not at all.
    No,
}

/// The board of this moment.
pub async fn board(app: &App, eyes: &Eyes, patience: Patience) -> Result<Trusted, Failure> {
    let stamp = gather::stamp(app, eyes).await?;
    let key = (eyes.kept.contest.id.clone(), eyes.plan.id.clone(), eyes.view);
    let found = app.boards.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    let mut known = match found.filter(|known| known.stamp == stamp) {
        Some(known) => known,
        None => begin(app, eyes, key, stamp.clone()).await?,
    };
    let most = match patience {
        Patience::Endless => Duration::MAX,
        Patience::Little => MOST_WAIT,
        Patience::No => Duration::ZERO,
    };
    let there = async { known.doubts.wait_for(Option::is_some).await.ok().and_then(|doubts| doubts.clone()) };
    let doubts = tokio::time::timeout(most, there).await.ok().flatten();
    Ok(Trusted { stamp, gathered: known.gathered, doubts })
}

/// Reads the rows of a new state, and has its draws made, unless another request was faster.
async fn begin(app: &App, eyes: &Eyes, key: Key, stamp: String) -> Result<Known, Failure> {
    let gathered = Arc::new(gather::gather(app, eyes).await?);
    let (tell, doubts) = watch::channel(None);
    let known = Known { stamp, gathered, doubts };
    {
        let mut all = app.boards.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(faster) = all.get(&key).filter(|other| other.stamp == known.stamp) {
            return Ok(faster.clone());
        }
        if all.len() >= MOST_KEPT {
            all.pop_first();
        }
        all.insert(key.clone(), known.clone());
    }
    tokio::spawn(work(app.clone(), eyes.clone(), key, known.clone(), tell));
    Ok(known)
}

async fn work(app: App, eyes: Eyes, key: Key, known: Known, tell: watch::Sender<Option<Arc<BoardDoubts>>>) {
    let Ok(_place) = app.boards.place.acquire().await else { return };
    let is_of_this = |other: Option<&Known>| other.is_some_and(|other| other.stamp == known.stamp);
    // While it waited for its turn the board may have moved on.
    if !is_of_this(app.boards.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key)) {
        return;
    }
    match doubts(&app, &eyes, &known.gathered).await {
        Ok(doubts) => drop(tell.send(Some(Arc::new(doubts)))),
        Err(failure) => {
            tracing::error!("board {} of {}: {failure}", eyes.plan.id, eyes.kept.contest.id);
            // The next request tries again.
            let mut all = app.boards.known.lock().unwrap_or_else(PoisonError::into_inner);
            if is_of_this(all.get(&key)) {
                all.remove(&key);
            }
        }
    }
}

async fn doubts(app: &App, eyes: &Eyes, gathered: &Arc<Gathered>) -> Result<BoardDoubts, Failure> {
    let mut evidence = Vec::new();
    for (number, task) in eyes.plan.tasks.iter().enumerate() {
        evidence.push(gather_evidence(app, *task, gathered, number, eyes.view.private).await?);
    }
    let (plan, gathered) = (eyes.plan.clone(), gathered.clone());
    on_thread(move || {
        let doubts = plan.doubts(&gathered.entries, &evidence, &BOARD_RESAMPLING);
        doubts.map_err(|error| Failure::Internal(format!("a board cannot be resampled: {error}")))
    })
    .await
}

async fn gather_evidence(
    app: &App,
    task: &'static dyn Task,
    gathered: &Gathered,
    number: usize,
    private_counts: bool,
) -> Result<Evidence, Failure> {
    let mut rows = Vec::new();
    for contender in &gathered.contenders {
        rows.push(match &contender.tasks[number].items {
            Some(items) => Some(item_rows(app, items, private_counts).await?),
            None => None,
        });
    }
    let gold = gathered.contenders.iter().find_map(|contender| contender.tasks[number].gold.clone());
    let families = match gold {
        Some(gold) => families(app, task, gold).await?.as_ref().clone(),
        None => HashMap::new(),
    };
    Ok(Evidence { families, rows })
}

async fn item_rows(app: &App, name: &str, private_counts: bool) -> Result<Vec<ItemRow>, Failure> {
    let text = store::get(app.database.read(), name).await?;
    on_thread(move || {
        let rows = serde_json::Deserializer::from_slice(&text).into_iter::<ItemRow>();
        let rows = rows.filter(|row| private_counts || !row.as_ref().is_ok_and(|row| row.private));
        rows.collect::<Result<_, _>>().map_err(|error| Failure::Internal(format!("results cannot be read: {error}")))
    })
    .await
}

async fn families(app: &App, task: &'static dyn Task, gold: String) -> Result<Families, Failure> {
    let key = (task.id().to_owned(), gold);
    let found = app.boards.families.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    if let Some(families) = found {
        return Ok(families);
    }
    let bytes = store::get(app.database.read(), &key.1).await?;
    let families = on_thread(move || {
        let source = Source::from_bytes("gold", bytes).map_err(|error| Failure::Internal(error.to_string()))?;
        families_of(task, source).map_err(|error| Failure::Internal(error.to_string()))
    });
    let families = Arc::new(families.await?);
    let mut all = app.boards.families.lock().unwrap_or_else(PoisonError::into_inner);
    if all.len() >= MOST_KEPT {
        all.pop_first();
    }
    all.insert(key, families.clone());
    Ok(families)
}
