//! `fangwei serve` as a process: what it prints, how it ends, and that it keeps what it acknowledged whatever ends it.

pub mod client;
mod human;
mod killed;
mod nodes;
#[cfg(feature = "llm")]
mod prompts;
mod scored;

use std::time::{Duration, Instant};

use serde_json::json;

use self::client::{Client, Served, make_batch, program, said, sheet};
use crate::{Scratch, fangwei, root};

/// Runs a test on SQLite, and on PostgreSQL where a server is named. The test gets a folder and what to tell the program.
fn on_both(name: &str, test: impl Fn(&str, &[&str])) {
    let scratch = Scratch::new(&format!("serve-{name}"));
    test(&scratch.path("site"), &[]);
    let Ok(server) = std::env::var("FANGWEI_POSTGRES") else {
        eprintln!("skipped on PostgreSQL: FANGWEI_POSTGRES names no server (scripts/with-postgres starts one)");
        return;
    };
    let address = new_database(&server);
    test(&scratch.path("site-pg"), &["--database", &address]);
}

/// A database of this test's own on a server.
pub fn new_database(server: &str) -> String {
    use sqlx::{Connection, Executor};
    let name = format!("t{}", &fangwei_web::chance::secret()[..20]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        sqlx::any::install_default_drivers();
        let mut connection = sqlx::AnyConnection::connect(server).await.expect("the server answers");
        connection.execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.expect("a database can be made");
    });
    let (server, _) = server.rsplit_once('/').expect("an address with a database");
    format!("{server}/{name}")
}

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    args.iter().chain(more).copied().collect()
}

/// An admin called root, made from the printed link; a token for everything.
pub fn admin(served: &Served, folder: &str, more: &[&str]) -> String {
    served.join(served.first.as_ref().expect("the first start prints a link"), "root");
    token("root", folder, more)
}

/// A token of an account, for everything.
pub fn token(name: &str, folder: &str, more: &[&str]) -> String {
    let scopes = ["--scope", "read", "--scope", "annotate", "--scope", "manage"];
    said(&with(&with(&["account", "token", name, folder], &scopes), more)).trim().to_owned()
}

/// Invites annotators; their names.
pub fn annotators(served: &Served, folder: &str, more: &[&str], count: usize) -> Vec<String> {
    (0..count)
        .map(|at| {
            let name = format!("ann{at}");
            served.join(said(&with(&["account", "invite", folder], more)).trim(), &name);
            name
        })
        .collect()
}

pub fn roles() -> Vec<u8> {
    std::fs::read(root().join("data/sample/2023/roles/gold.jsonl")).expect("the sample")
}

/// The assignments of somebody.
pub fn queue(client: &mut Client) -> Vec<String> {
    let (_, said) = client.get("/api/work").expect("an answer");
    let rows = said["queue"].as_array().unwrap_or_else(|| panic!("{said}")).clone();
    rows.iter().map(|row| row["assignment"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn the_link_works_once_and_is_gone_when_there_is_an_admin() {
    on_both("link", |folder, more| {
        let served = Served::start(folder, "0", more);
        let token = admin(&served, folder, more);
        let link = served.first.clone().expect("a link");
        let (_, path) = link.split_once("/join/").expect("a link");
        let (status, _) = served.client("").get(&format!("/join/{path}")).expect("an answer");
        assert_eq!(status, 422, "the link is used up");
        let (status, said) = served.client(&token).get("/api/batches").expect("an answer");
        assert_eq!((status, said), (200, json!({ "batches": [] })));
        let (folder, port) = (folder.to_owned(), served.port());
        drop(served);
        assert_eq!(Served::start(&folder, &port, more).first, None, "the second start prints no link");
    });
}

#[test]
fn sigterm_finishes_what_is_under_way() {
    on_both("term", |folder, more| {
        let mut served = Served::start(folder, "0", more);
        let token = admin(&served, folder, more);
        let mut manager = served.client(&token);
        make_batch(&mut manager, "2023/roles", &roles(), &["root".to_owned()], 1);
        let id = queue(&mut manager).remove(0);

        // Half of a save is sent when the signal comes, the other half a while later.
        let mut slow = served.client(&token);
        let body = json!({ "base": 0, "sheet": sheet(1), "client": "slow" }).to_string();
        let (first, second) = body.as_bytes().split_at(body.len() / 2);
        let head = slow.head("PUT", &format!("/api/work/{id}"), "content-type: application/json\r\n", body.len());
        slow.write(&[head.as_bytes(), first].concat()).expect("sent");
        std::thread::sleep(Duration::from_millis(300));
        served.signal("TERM");
        std::thread::sleep(Duration::from_millis(700));
        assert!(Client::connect(&served.address, "").is_err(), "nobody else is let in");
        assert!(served.child.try_wait().expect("a state").is_none(), "it waits for the request");
        slow.write(second).expect("sent");
        let (status, said) = slow.answer().expect("the request is answered");
        assert_eq!((status, &said["version"]), (200, &json!(1)), "{said}");
        assert_eq!(served.ended(Duration::from_secs(15)), Some(0));

        let again = Served::start(folder, "0", more);
        let (_, work) = again.client(&token).get(&format!("/api/work/{id}")).expect("an answer");
        assert_eq!(work["sheet"], sheet(1));
    });
}

#[test]
fn what_cannot_be_served_is_said() {
    let scratch = Scratch::new("serve-refused");
    let served = Served::start(&scratch.path("one"), "0", &[]);
    let run = fangwei(&["serve", &scratch.path("two"), "--listen", &served.address]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains(&format!("cannot listen on {}: ", served.address)), "{}", run.err);
    assert_eq!(run.err.matches("in use").count(), 1, "said once: {}", run.err);
    let begun = Instant::now();
    for (database, why) in [
        ("mysql://host/name", "expected sqlite:FILE or postgres://"),
        ("sqlite::memory:", "expected sqlite:FILE or postgres://"),
        ("postgres://nobody:hidden@127.0.0.1:1/none", "cannot open postgres://…@127.0.0.1:1/none"),
    ] {
        let run = fangwei(&["serve", &scratch.path("three"), "--listen", "127.0.0.1:0", "--database", database]);
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(run.err.contains(why), "{database}: {}", run.err);
        assert!(!run.err.contains("hidden"), "passwords are not shown: {}", run.err);
    }
    let no_database = scratch.file("text.db", "this is a text, and long enough not to be taken for an empty file".repeat(20));
    let run =
        fangwei(&["serve", &scratch.path("four"), "--listen", "127.0.0.1:0", "--database", &format!("sqlite:{no_database}")]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("text.db"), "{}", run.err);
    assert!(begun.elapsed() < Duration::from_secs(20), "it is said at once, not after {:?}", begun.elapsed());
}

#[test]
fn what_looks_at_a_platform_makes_none() {
    let scratch = Scratch::new("serve-none");
    let nowhere = scratch.path("nowhere");
    for args in [["account", "list"], ["account", "invite"]] {
        let run = fangwei(&[&args[..], &[&nowhere]].concat());
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(run.err.contains("there is no database here"), "{}", run.err);
    }
    assert!(!std::path::Path::new(&nowhere).exists());
}

#[test]
fn a_backup_of_a_running_platform_makes_another() {
    on_both("backup", |folder, more| {
        let served = Served::start(folder, "0", more);
        let token = admin(&served, folder, more);
        let mut manager = served.client(&token);
        let batch = make_batch(&mut manager, "2023/roles", &roles(), &["root".to_owned()], 1);
        let ids = queue(&mut manager);
        for (at, id) in ids.iter().enumerate() {
            manager.must("PUT", &format!("/api/work/{id}"), &json!({ "base": 0, "sheet": sheet(at), "client": "a" }));
        }
        let file = format!("{folder}.fangwei.gz");
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|threads| {
            // Saves go on meanwhile.
            threads.spawn(|| {
                let (mut client, mut base) = (served.client(&token), 1);
                while !stop.load(std::sync::atomic::Ordering::SeqCst) {
                    let change = json!({ "base": base, "sheet": sheet(base), "client": format!("b{base}") });
                    let (status, said) = client.json("PUT", &format!("/api/work/{}", ids[0]), &change).expect("an answer");
                    assert!(status == 200 || status == 429, "{said}");
                    base += usize::from(status == 200);
                    std::thread::sleep(Duration::from_millis(30));
                }
            });
            std::thread::sleep(Duration::from_millis(200));
            said(&with(&["backup", folder, "-o", &file], more));
            stop.store(true, std::sync::atomic::Ordering::SeqCst);
        });
        let other = format!("{folder}-other");
        said(&["restore", &file, &other]);
        let restored = Served::start(&other, "0", &[]);
        let mut client = restored.client(&token);
        for (at, id) in ids.iter().enumerate() {
            let (_, work) = client.get(&format!("/api/work/{id}")).expect("an answer");
            let version = work["version"].as_u64().expect("a version") as usize;
            assert!(version >= 1, "{work}");
            assert_eq!(work["sheet"], sheet(if version == 1 { at } else { version - 1 }), "item {at}, version {version}");
        }
        let (status, _) = client.get(&format!("/api/batches/{batch}")).expect("an answer");
        assert_eq!(status, 200);
        let refused = program(&["restore", &file, &other]).output().expect("the program starts");
        assert_eq!(refused.status.code(), Some(1), "a platform that has something is not overwritten");
    });
}
