//! Providers, runner and folder over loopback HTTP, with every failure that servers are known for.

#![allow(missing_docs)]

mod chat;
mod runner;
mod score;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fangwei::ask::{Message, Speaker};
use fangwei_llm::chat::{Chat, Connection, Model};
use fangwei_llm::folder::{Line, Log, read_lines};
use fangwei_llm::key::Key;
use fangwei_llm::mock::{Mock, Saying, Server};
use fangwei_llm::provider::{Provider, Request};
use fangwei_llm::runner::{End, Failure, Job, Options, Progress, Sinks, Spent, run};

/// A mock that echoes, with failures by script.
pub(crate) fn mock(faults: &[&str]) -> Mock {
    let mut mock = Mock::new(Saying::Echo);
    mock.faults = faults.iter().map(|fault| fault.parse().expect("a fault")).collect();
    mock
}

/// A mock behind HTTP and a client for it.
pub struct World {
    pub mock: Arc<Mock>,
    pub server: Server,
}

impl World {
    pub(crate) fn new(mock: Mock) -> World {
        let mock = Arc::new(mock);
        let server = Server::start(mock.clone(), 0).expect("a port");
        World { mock, server }
    }

    pub(crate) fn chat(&self, timeout: Duration, stream: bool) -> Chat {
        let model = Model { name: "mock".into(), stream, firm: false };
        Chat::new(&connection(&self.server.base_url(), timeout), model, None).expect("an address")
    }
}

pub(crate) fn connection(base_url: &str, timeout: Duration) -> Connection {
    Connection { base_url: base_url.into(), key: Some("sk-secret".into()), timeout, proxy: None, pool: 64 }
}

pub(crate) fn question(number: usize) -> Request {
    let messages = vec![Message { role: Speaker::User, content: format!("第 {number} 题：猫在箱子的哪一边？") }];
    Request { messages, ..Request::default() }
}

pub(crate) fn jobs(count: usize) -> Vec<Job> {
    let job = |index: usize| {
        let qid = index.to_string();
        Job { key: Key::of("mock", &question(index), &qid, 0), qid: qid.into(), repeat: 0, index }
    };
    (0..count).map(job).collect()
}

/// A folder of a test, removed at the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("fangwei-llm-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }

    pub(crate) fn responses(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        assert_eq!(read_lines(&self.0.join("responses.jsonl"), |line| lines.push(line)).expect("readable"), 0);
        lines
    }

    pub(crate) fn failures(&self) -> Vec<Failure> {
        let mut lines = Vec::new();
        assert_eq!(read_lines(&self.0.join("failures.jsonl"), |line| lines.push(line)).expect("readable"), 0);
        lines
    }

    /// Runs jobs with this folder's logs.
    pub(crate) fn run(&self, provider: &dyn Provider, jobs: &[Job], options: &Options) -> (End, Progress) {
        let open = |name: &str| Log::open(&self.0.join(name)).expect("a log");
        let (responses, failures) = (open("responses.jsonl"), open("failures.jsonl"));
        let mut before = Spent::default();
        self.responses().iter().for_each(|line| before.add(line.response.usage));
        let sinks = Sinks { responses: &responses, failures: &failures, before };
        run(provider, jobs, &|job| Ok(question(job.index)), sinks, options, &AtomicBool::new(false), &|_| ())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Patience for tests: waits are short.
pub(crate) fn hasty() -> Options {
    Options { connections: 8, back_off: Duration::from_millis(5), patience: Duration::from_secs(20), ..Options::default() }
}
