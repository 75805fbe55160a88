//! How fast the platform saves while many people work: 200 annotators at once, each saving a sheet of roles every second.
//!
//! `cargo bench --bench serve` starts `fangwei serve` as a process of its own on an SQLite file (and on PostgreSQL where `FANGWEI_POSTGRES` names a server) and
//! talks to it over 200 connections that stay open. The reference is `GET /healthz` under the same load in the same run. `FANGWEI_SECONDS` sets how long.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, dead_code)]

#[path = "../crates/fangwei-cli/tests/it/serve/client.rs"]
mod client;

use std::time::{Duration, Instant};

use client::{Client, Served, make_batch, sheet};
use fangwei_web::accounts::token;
use fangwei_web::database::Database;
use fangwei_web::policy::Scope;
use fangwei_web::{id, now};
use serde_json::json;
use sqlx::{Connection, Executor};

const PEOPLE: usize = 200;
/// Longest time that 99 of 100 saves may take.
const MOST: Duration = Duration::from_millis(100);

fn main() {
    let seconds = std::env::var("FANGWEI_SECONDS").ok().and_then(|given| given.parse().ok()).unwrap_or(20);
    let folder = std::env::temp_dir().join(format!("fangwei-bench-serve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    println!("{PEOPLE} people, a save a second each, {seconds} s\n");
    println!("database   what        requests  errors   p50 ms   p99 ms   max ms  ratio p50  ratio p99");
    let mut is_good = measure("sqlite", folder.join("site").to_str().unwrap(), &[], seconds);
    if let Ok(server) = std::env::var("FANGWEI_POSTGRES") {
        let address = new_database(&server);
        is_good &= measure("postgres", folder.join("site-pg").to_str().unwrap(), &["--database", &address], seconds);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    println!("\n{}", if is_good { "p99 below 100 ms, no error" } else { "NOT as fast as it must be" });
}

fn measure(name: &str, folder: &str, more: &[&str], seconds: u64) -> bool {
    let address = more.get(1).map_or_else(|| format!("sqlite:{folder}/fangwei.db"), ToString::to_string);
    std::fs::create_dir_all(folder).unwrap();
    let (people, tokens) = make_people(&address);
    let served = Served::start(folder, "0", more);
    let items = many_items();
    make_batch(&mut served.client(&tokens[0]), "2023/roles", &items, &people, 1);
    let works: Vec<String> = tokens.iter().map(|token| first_work(&served, token)).collect();

    // Health is asked by nobody in particular: a token is for the API alone.
    let nobody = vec![String::new(); PEOPLE];
    let reference = load(&served, &nobody, seconds, |client, _, _| matches!(client.get("/healthz"), Ok((200, _))));
    let saves = load(&served, &tokens, seconds, |client, person, round| {
        let change = json!({ "base": round, "sheet": sheet(round), "spent_ms": round * 1000, "client": format!("save {round}") });
        matches!(client.json("PUT", &format!("/api/work/{}", works[person]), &change), Ok((200, _)))
    });
    reference.print(name, "healthz", None);
    saves.print(name, "save", Some(&reference));
    saves.at(0.99) < MOST && saves.errors + reference.errors == 0
}

/// An account and a token for each, made in the database itself: two hundred passwords would take longer than the rest. The first may do everything.
fn make_people(address: &str) -> (Vec<String>, Vec<String>) {
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let database = Database::open(&address.parse().unwrap()).await.unwrap();
        let mut changes = database.begin().await.unwrap();
        let (mut people, mut tokens) = (Vec::new(), Vec::new());
        for at in 0..PEOPLE {
            let (id, name) = (id::at(now()), format!("person{at}"));
            let insert = "INSERT INTO account (id, name, shown, role, password, state, tags, lang, created_at) VALUES ($1, $2, $2, $3, '', 'active', '', '', 0)";
            let role = if at == 0 { "admin" } else { "annotator" };
            sqlx::query(insert).bind(id.clone()).bind(name.clone()).bind(role).execute(&mut *changes).await.unwrap();
            tokens.push(token::make(&mut changes, now(), &id, "load", &Scope::ALL, 1).await.unwrap());
            people.push(name);
        }
        changes.commit().await.unwrap();
        database.close().await;
        (people, tokens)
    })
}

/// As many items as people: those of the sample over and over.
fn many_items() -> Vec<u8> {
    let sample =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sample/2023/roles/gold.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = sample.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut items = String::new();
    for at in 0..PEOPLE {
        let mut record = lines[at % lines.len()].clone();
        record["qid"] = format!("2-dev-{at}").into();
        items.push_str(&format!("{record}\n"));
    }
    items.into_bytes()
}

fn first_work(served: &Served, token: &str) -> String {
    let (_, said) = served.client(token).get("/api/work").unwrap();
    let id = said["queue"][0]["assignment"].as_str().unwrap_or_else(|| panic!("everybody has work: {said}")).to_owned();
    // An editor opens the item before it saves.
    served.client(token).get(&format!("/api/work/{id}")).unwrap();
    id
}

/// What a load cost.
struct Load {
    times: Vec<Duration>,
    errors: usize,
}

impl Load {
    fn at(&self, share: f64) -> Duration {
        self.times[((self.times.len() as f64 * share) as usize).min(self.times.len() - 1)]
    }

    fn print(&self, database: &str, what: &str, reference: Option<&Load>) {
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let (p50, p99) = (self.at(0.5), self.at(0.99));
        let ratio = |share: f64| reference.map_or(1.0, |other| ms(self.at(share)) / ms(other.at(share)));
        println!(
            "{database:<10} {what:<11} {:>8} {:>7} {:>8.2} {:>8.2} {:>8.2} {:>10.1} {:>10.1}",
            self.times.len(),
            self.errors,
            ms(p50),
            ms(p99),
            ms(self.at(1.0)),
            ratio(0.5),
            ratio(0.99),
        );
    }
}

/// Everybody asks once a second, spread over it, and does not wait for others.
fn load(served: &Served, tokens: &[String], seconds: u64, ask: impl Fn(&mut Client, usize, usize) -> bool + Sync) -> Load {
    let begin = Instant::now() + Duration::from_millis(500);
    let one = |person: usize, token: &str| {
        let mut client = served.client(token);
        let (mut times, mut errors) = (Vec::new(), 0);
        for round in 0..seconds {
            let due = begin + Duration::from_micros(1_000_000 * round + 1_000_000 * person as u64 / PEOPLE as u64);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            // From when it was due: a slow answer is not hidden by the next request coming late.
            let is_good = ask(&mut client, person, round as usize);
            times.push(due.elapsed());
            errors += usize::from(!is_good);
        }
        (times, errors)
    };
    let results: Vec<(Vec<Duration>, usize)> = std::thread::scope(|threads| {
        let one = &one;
        let handles: Vec<_> =
            tokens.iter().enumerate().map(|(person, token)| threads.spawn(move || one(person, token))).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    let mut times: Vec<Duration> = results.iter().flat_map(|(times, _)| times.iter().copied()).collect();
    times.sort_unstable();
    Load { times, errors: results.iter().map(|(_, errors)| errors).sum() }
}

fn new_database(server: &str) -> String {
    let name = format!("t{}", &fangwei_web::chance::secret()[..20]);
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        sqlx::any::install_default_drivers();
        let mut connection = sqlx::AnyConnection::connect(server).await.unwrap();
        connection.execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
    });
    format!("{}/{name}", server.rsplit_once('/').unwrap().0)
}
