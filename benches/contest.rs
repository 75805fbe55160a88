//! How long a team waits: for its score, for the defects of a bad file, with fifty others at the same moment, and for a board with its intervals.
//!
//! `cargo bench --bench contest` opens a competition in the manner of 2022 with 3,000 items a task, starts `fangwei serve` as a process of its own on an SQLite file, and lets
//! fifty teams submit over real sockets. The reference is `GET /healthz` in the same run.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, dead_code)]

#[path = "../crates/fangwei-cli/tests/it/serve/client.rs"]
mod client;

use std::time::{Duration, Instant};

use client::{Client, Served, said};
use fangwei::contest::{Moment, Zone};
use fangwei_web::accounts::token;
use fangwei_web::database::Database;
use fangwei_web::policy::Scope;
use fangwei_web::{id, now};
use serde_json::{Value, json};

const TEAMS: usize = 50;
const ITEMS: usize = 3_000;
const TASKS: [&str; 3] = ["judge", "attribute", "roles"];
const CONTEST: &str = "space2022";
/// So long may a team wait for its score or for the defects.
const MOST: Duration = Duration::from_secs(1);

fn main() {
    let folder = std::env::temp_dir().join(format!("fangwei-bench-contest-{}", std::process::id()));
    let site = folder.join("site").to_str().unwrap().to_owned();
    let files = open(folder.join("contest").to_str().unwrap(), &site);
    let tokens = make_teams(&format!("sqlite:{site}/fangwei.db"));
    let served = Served::start(&site, "0", &[]);
    println!("{TEAMS} teams, {ITEMS} items a task\n\nwhat                            requests   p50 ms   max ms  ratio p50");
    let mut nobody = served.client("");
    let reference = Times::of((0..100).map(|_| timed(|| assert_eq!(nobody.get("/healthz").unwrap().0, 200))));
    reference.print("GET /healthz", None);
    let mut slowest = Duration::ZERO;
    for (task, file) in TASKS.iter().zip(&files) {
        let mut team = served.client(&tokens[0]);
        let times = Times::of((0..20).map(|_| timed(|| assert_eq!(submit(&mut team, task, file), 201))));
        times.print(&format!("a score, {task}"), Some(&reference));
        let bad: String =
            String::from_utf8_lossy(file).lines().map(|line| line.replace("\"qid\":\"", "\"qid\":\"x") + "\n").collect();
        let bad = Times::of((0..20).map(|_| timed(|| assert_eq!(submit(&mut team, task, bad.as_bytes()), 422))));
        bad.print(&format!("every defect, {task}"), Some(&reference));
        slowest = slowest.max(times.at(1.0)).max(bad.at(1.0));
    }
    for (task, file) in TASKS.iter().zip(&files) {
        // The first has sent more than a team may in so short a time.
        let all = Times::of(at_once(&served, &tokens[1..], task, file).into_iter());
        all.print(&format!("{TEAMS} teams at once, {task}"), Some(&reference));
    }
    let board = timed(|| while nobody.get(&format!("/api/contests/{CONTEST}/boards/dev")).unwrap().1["is_settled"] != true {});
    println!("\na board of {TEAMS} teams with intervals, groups and chances: {:.1} s", board.as_secs_f64());
    let again = timed(|| drop(nobody.get(&format!("/api/contests/{CONTEST}/boards/dev")).unwrap()));
    println!("the same board once more: {:.1} ms", again.as_secs_f64() * 1000.0);
    drop(served);
    std::fs::remove_dir_all(&folder).unwrap();
    println!("\n{}", if slowest < MOST { "a score or every defect within a second" } else { "NOT as fast as it must be" });
}

fn timed(act: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    act();
    begun.elapsed()
}

/// Submits a file; the status of the answer. A score is there with it.
fn submit(team: &mut Client, task: &str, file: &[u8]) -> u16 {
    let path = format!("/api/contests/{CONTEST}/submissions?task={task}&file=p.jsonl");
    let (status, said) = team.send("POST", &path, "content-type: application/octet-stream\r\n", file).unwrap();
    assert!(status != 201 || said["submission"]["state"] == "scored", "{said}");
    status
}

/// Everybody submits at the same moment; how long each waits.
fn at_once(served: &Served, tokens: &[String], task: &str, file: &[u8]) -> Vec<Duration> {
    std::thread::scope(|threads| {
        let one = |token: &String| {
            let mut team = served.client(token);
            threads.spawn(move || timed(|| assert_eq!(submit(&mut team, task, file), 201)))
        };
        let handles: Vec<_> = tokens.iter().map(one).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    })
}

/// A competition without quotas and agreement whose development phase is open, with many items; what a team answers in each task.
fn open(contest: &str, site: &str) -> Vec<Vec<u8>> {
    let start = Moment::at(now() - 10 * 24 * 3600 * 1000, Zone::default()).to_string();
    said(&["competition", "init", contest, "--template", "2022", "--start", &start]);
    let file = format!("{contest}/competition.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = text.split_once("[agreement]").unwrap();
    let rest = rest.split_once("\n\n").unwrap().1;
    let lines = before.lines().chain(rest.lines()).filter(|line| !line.starts_with("max_submissions"));
    std::fs::write(&file, lines.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let many = |task: &&str| {
        let grown = |kind: &str| {
            let path = format!("{contest}/{kind}/{task}/dev.jsonl");
            let lines: Vec<Value> =
                std::fs::read_to_string(&path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let one = |number: usize| {
                let mut record = lines[number % lines.len()].clone();
                record["qid"] = json!(format!("q{number}"));
                record["origin"] = json!(format!("o{}", number / 2));
                format!("{record}\n")
            };
            let text: String = (0..ITEMS).map(one).collect();
            std::fs::write(&path, &text).unwrap();
            text.into_bytes()
        };
        grown("items");
        grown("gold")
    };
    let files = TASKS.iter().map(many).collect();
    said(&["competition", "open", contest, site]);
    files
}

/// Teams that may submit, made in the database itself: fifty passwords would take longer than the rest. A token for each.
fn make_teams(address: &str) -> Vec<String> {
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let database = Database::open(&address.parse().unwrap()).await.unwrap();
        let mut changes = database.begin().await.unwrap();
        let mut tokens = Vec::new();
        for number in 0..=TEAMS {
            let (account, team, name) = (id::at(now()), id::at(now()), format!("team{number}"));
            let insert = "INSERT INTO account (id, name, shown, role, password, state, tags, lang, created_at) VALUES ($1, $2, $2, 'participant', '', 'active', '', '', 0)";
            sqlx::query(insert).bind(account.clone()).bind(name.clone()).execute(&mut *changes).await.unwrap();
            let insert = "INSERT INTO team (id, contest, name, folded, kind, sort, institution, leader, people, contact, state, answer, version, made_at) \
                          VALUES ($1, $2, $3, $3, 'team', 'other', '', '', '', '{\"email\":\"\",\"phone\":\"\"}', 'approved', '', 1, 0)";
            sqlx::query(insert).bind(team.clone()).bind(CONTEST).bind(name).execute(&mut *changes).await.unwrap();
            let insert = "INSERT INTO member (id, contest, team, account, part, joined_at) VALUES ($1, $2, $3, $4, 'leader', 0)";
            sqlx::query(insert).bind(id::at(now())).bind(CONTEST).bind(team).bind(account.clone()).execute(&mut *changes).await.unwrap();
            tokens.push(token::make(&mut changes, now(), &account, "load", &Scope::ALL, 1).await.unwrap());
        }
        changes.commit().await.unwrap();
        database.close().await;
        tokens
    })
}

/// How long something took, from the shortest.
struct Times(Vec<Duration>);

impl Times {
    fn of(times: impl Iterator<Item = Duration>) -> Times {
        let mut times: Vec<Duration> = times.collect();
        times.sort();
        Times(times)
    }

    fn at(&self, share: f64) -> Duration {
        self.0[((self.0.len() as f64 * share) as usize).min(self.0.len() - 1)]
    }

    fn print(&self, what: &str, reference: Option<&Times>) {
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let ratio = reference.map_or(1.0, |other| ms(self.at(0.5)) / ms(other.at(0.5)));
        println!("{what:<30} {:>9} {:>8.1} {:>8.1} {ratio:>10.1}", self.0.len(), ms(self.at(0.5)), ms(self.at(1.0)));
    }
}
