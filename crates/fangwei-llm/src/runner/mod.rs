//! Asks many requests at once, patiently: what may pass is tried again, what cannot is told in the server's own words, and what came is on the disk before
//! anything else happens.

mod budget;
mod pace;
mod progress;

pub use budget::{Budget, Price, Spent};
pub use pace::{Pace, Standing, back_off};
pub use progress::Progress;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::folder::{FolderError, Line, Log};
use crate::key::Key;
use crate::provider::{Provider, ProviderError, Request, Response, Usage};

/// One request to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// The key of its content.
    pub key: Key,
    /// The item.
    pub qid: SmolStr,
    /// Which of the repeats.
    pub repeat: u32,
    /// The item's number.
    pub index: usize,
}

/// How patiently, and for how much.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The most requests at once.
    pub connections: usize,
    /// How often something that may pass is tried again. 429 is not counted: it is waited out.
    pub retries: u32,
    /// How long a run goes on without a single response.
    pub patience: Duration,
    /// The first wait after something that may pass.
    pub back_off: Duration,
    /// The most that may be spent, everything in the folder included.
    pub budget: Option<Budget>,
    /// Another bound beside it: tokens and money may both be bounded.
    pub also: Option<Budget>,
    /// What tokens cost.
    pub price: Price,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            connections: 16,
            retries: 5,
            patience: Duration::from_mins(10),
            back_off: Duration::from_secs(1),
            budget: None,
            also: None,
            price: Price::default(),
        }
    }
}

/// A request that got no response in the end; a later run asks it again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// The key of its content.
    pub key: Key,
    /// The item.
    pub qid: SmolStr,
    /// Which of the repeats.
    pub repeat: u32,
    /// How often was asked.
    pub attempts: u32,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Why.
    pub error: String,
}

/// Why a run ended.
#[derive(Debug)]
pub enum End {
    /// Every request was made.
    Done,
    /// Somebody stopped it.
    Stopped,
    /// Another request would have gone over the budget.
    Budget,
    /// No response came for too long; the last error.
    NoProgress(ProviderError),
    /// The server will have none of it.
    Refused(ProviderError),
    /// Items cannot be read or responses not be kept, so none is paid for any more.
    Disk(FolderError),
}

/// After so many refusals in a row it is not the items' fault.
const REFUSALS_IN_A_ROW: u64 = 10;
/// How often progress is told and a stop looked for.
const TICK: Duration = Duration::from_millis(100);
/// A first guess at how long a reply is.
const ABOUT_REPLY: u64 = 400;

/// Where responses and failures go.
#[derive(Clone, Copy, Debug)]
pub struct Sinks<'r> {
    /// `responses.jsonl`
    pub responses: &'r Log,
    /// `failures.jsonl`
    pub failures: &'r Log,
    /// What is already there.
    pub before: Spent,
}

/// Makes a request.
pub type Making<'r> = dyn Fn(&Job) -> Result<Request, FolderError> + Sync + 'r;

/// Makes the requests of `jobs`. `request` makes one when its turn comes, so that memory does not grow with the jobs; `watch` is told how far things are.
pub fn run(
    provider: &dyn Provider,
    jobs: &[Job],
    request: &Making<'_>,
    sinks: Sinks<'_>,
    options: &Options,
    stop: &AtomicBool,
    watch: &(dyn Fn(&Progress) + Sync),
) -> (End, Progress) {
    let run = Run {
        provider,
        jobs,
        request,
        sinks,
        options,
        pace: Pace::new(options.connections),
        next: AtomicUsize::new(0),
        retries: AtomicU64::new(0),
        failures: AtomicU64::new(0),
        refusals: AtomicU64::new(0),
        books: Mutex::new(Books { spent: sinks.before, done: 0, reserved: 0, last_success: None, end: None }),
        began: Instant::now(),
        place: provider.place(),
    };
    let over = AtomicBool::new(jobs.is_empty());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.connections.max(1).min(jobs.len())).map(|_| scope.spawn(|| run.work())).collect();
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                if stop.load(Ordering::Relaxed) {
                    run.end(End::Stopped);
                }
                watch(&run.progress());
                std::thread::park_timeout(TICK);
            }
        });
        for worker in workers {
            // A worker that panicked has nothing under way any more; the others go on, and its item is asked by the next run.
            let _ = worker.join();
        }
        over.store(true, Ordering::Relaxed);
    });
    let progress = run.progress();
    watch(&progress);
    let books = run.books.into_inner().unwrap_or_else(PoisonError::into_inner);
    (books.end.unwrap_or(End::Done), progress)
}

struct Books {
    spent: Spent,
    done: u64,
    /// Requests for which the budget is reserved.
    reserved: u64,
    last_success: Option<Instant>,
    end: Option<End>,
}

struct Run<'r> {
    provider: &'r dyn Provider,
    jobs: &'r [Job],
    request: &'r Making<'r>,
    sinks: Sinks<'r>,
    options: &'r Options,
    pace: Pace,
    next: AtomicUsize,
    retries: AtomicU64,
    failures: AtomicU64,
    refusals: AtomicU64,
    books: Mutex<Books>,
    began: Instant,
    place: String,
}

impl Run<'_> {
    fn work(&self) {
        while let Some(job) = self.jobs.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let request = match (self.request)(job) {
                Ok(request) => request,
                Err(error) => return self.end(End::Disk(error)),
            };
            if !self.reserve(&request) {
                return;
            }
            let goes_on = self.ask(job, &request);
            self.books().reserved -= 1;
            if !goes_on {
                return;
            }
        }
    }

    /// Asks until there is a response or no hope; `false` once the run has ended.
    fn ask(&self, job: &Job, request: &Request) -> bool {
        let mut attempts = 0;
        let mut troubles = 0;
        let mut inside = false;
        loop {
            if !inside && !self.pace.enter() {
                return false;
            }
            inside = false;
            attempts += 1;
            let began = Instant::now();
            let error = match self.provider.ask(request) {
                Ok(response) => return self.keep(job, attempts, began, response),
                Err(error) => error,
            };
            match &error {
                ProviderError::Busy { after, .. } => {
                    self.pace.busy(began, *after);
                    if self.is_patient() {
                        self.retries.fetch_add(1, Ordering::Relaxed);
                        continue;
                    }
                    self.end(End::NoProgress(error));
                    return false;
                }
                ProviderError::Passing { after, .. } => {
                    troubles += 1;
                    if troubles <= self.options.retries && self.is_patient() {
                        self.retries.fetch_add(1, Ordering::Relaxed);
                        let wait = after.unwrap_or_else(|| back_off(troubles, job.key.number(), self.options.back_off));
                        // Until a first response has come, one request tries alone: it keeps its place while it waits.
                        inside = !self.is_proved() && !self.pace.is_stopped();
                        if !inside {
                            self.pace.failed();
                        }
                        self.pace.sleep(wait);
                        continue;
                    }
                }
                ProviderError::Refused { .. } | ProviderError::Parameter { .. } => {}
            }
            // The place is left after the decision: nobody takes it in between to meet the same refusal.
            let goes_on = self.give_up(job, attempts, error);
            self.pace.failed();
            return goes_on;
        }
    }

    fn keep(&self, job: &Job, attempts: u32, began: Instant, response: Response) -> bool {
        let usage = response.usage;
        let line = Line {
            key: job.key,
            qid: job.qid.clone(),
            repeat: job.repeat,
            attempts,
            at: now(),
            seconds: (began.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
            from: self.place.clone(),
            response,
        };
        if let Err(error) = self.sinks.responses.append(&line) {
            self.pace.failed();
            self.end(End::Disk(error));
            return false;
        }
        self.refusals.store(0, Ordering::Relaxed);
        let mut books = self.books();
        books.spent.add(usage);
        books.done += 1;
        books.last_success = Some(Instant::now());
        drop(books);
        self.pace.succeeded();
        true
    }

    /// Notes a failure; `false` where it is everybody's.
    fn give_up(&self, job: &Job, attempts: u32, error: ProviderError) -> bool {
        let failure =
            Failure { key: job.key, qid: job.qid.clone(), repeat: job.repeat, attempts, at: now(), error: error.to_string() };
        if let Err(error) = self.sinks.failures.append(&failure) {
            self.end(End::Disk(error));
            return false;
        }
        self.failures.fetch_add(1, Ordering::Relaxed);
        // Where nothing has ever come back, the first failure is the settings' fault, not the item's.
        let proved = self.is_proved();
        let passing = matches!(error, ProviderError::Passing { .. });
        let refusals = self.refusals.fetch_add(u64::from(!passing), Ordering::Relaxed) + u64::from(!passing);
        if passing && (!proved || !self.is_patient()) {
            self.end(End::NoProgress(error));
            return false;
        }
        if !passing && (!proved || error.concerns_all() || refusals >= REFUSALS_IN_A_ROW) {
            self.end(End::Refused(error));
            return false;
        }
        true
    }

    /// Whether the last response is not too long ago.
    fn is_patient(&self) -> bool {
        self.books().last_success.unwrap_or(self.began).elapsed() < self.options.patience
    }

    /// Whether there ever was a response.
    fn is_proved(&self) -> bool {
        self.books().spent.requests > 0
    }

    /// Reserves what a request will take, about; `false` where the run has ended. What others have reserved may turn out to be less, so it is waited for.
    fn reserve(&self, request: &Request) -> bool {
        loop {
            let mut books = self.books();
            let bounds = [self.options.budget, self.options.also];
            let allowed = bounds.into_iter().flatten().all(|budget| {
                let longest = request.sampling.max_tokens.map_or(ABOUT_REPLY, u64::from).min(ABOUT_REPLY);
                let about = Usage { prompt: request.about_tokens(), completion: longest, estimated: true };
                books.spent.allows(budget, self.options.price, books.reserved, about)
            });
            if allowed {
                books.reserved += 1;
                return true;
            }
            let nobody = books.reserved == 0;
            drop(books);
            if nobody {
                self.end(End::Budget);
            }
            if self.pace.is_stopped() {
                return false;
            }
            self.pace.sleep(TICK / 10);
        }
    }

    fn end(&self, end: End) {
        // The first reason counts; those that follow are its consequences.
        self.books().end.get_or_insert(end);
        self.pace.stop();
    }

    fn books(&self) -> std::sync::MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn progress(&self) -> Progress {
        let books = self.books();
        Progress {
            done: books.done,
            total: self.jobs.len() as u64,
            failures: self.failures.load(Ordering::Relaxed),
            retries: self.retries.load(Ordering::Relaxed),
            spent: books.spent,
            standing: self.pace.standing(),
            elapsed: self.began.elapsed(),
        }
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

/// About what a request will take, for estimates before anything was asked.
pub fn about(request: &Request) -> Usage {
    Usage { prompt: request.about_tokens(), completion: ABOUT_REPLY, estimated: true }
}
