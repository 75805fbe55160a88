//! Killed at any moment under load, the platform has every save that it acknowledged.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Served, make_batch, sheet};
use super::{admin, annotators, on_both, queue, roles, token};

const ROUNDS: usize = 16;
const PEOPLE: usize = 4;

/// The saves of one annotator's item: the last version that was acknowledged, and what every acknowledged one says.
#[derive(Default)]
struct Saves {
    last: usize,
    acknowledged: BTreeMap<usize, Value>,
    /// What was sent and not answered: it may be there or not.
    open: Option<Value>,
    sent: usize,
}

/// Saves until the server is gone.
fn save_on(served: &Served, token: &str, id: &str, saves: &mut Saves) {
    let mut client = served.client(token);
    loop {
        saves.sent += 1;
        let sheet = sheet(saves.sent);
        saves.open = Some(sheet.clone());
        let change = json!({ "base": saves.last, "sheet": sheet, "client": format!("save {}", saves.sent) });
        match client.json("PUT", &format!("/api/work/{id}"), &change) {
            Ok((200, said)) => {
                assert_eq!(said["version"], saves.last + 1, "{said}");
                saves.last += 1;
                saves.acknowledged.insert(saves.last, sheet);
                saves.open = None;
            }
            Ok((429, _)) => {
                saves.open = None;
                std::thread::sleep(Duration::from_millis(40));
            }
            Ok((status, said)) => panic!("{status}: {said}"),
            Err(_) => return,
        }
    }
}

/// After a restart the item stands at the last acknowledged version, or at the one that was under way.
fn check(served: &Served, token: &str, id: &str, saves: &mut Saves) {
    let (status, work) = served.client(token).get(&format!("/api/work/{id}")).expect("an answer");
    assert_eq!(status, 200, "{work}");
    let version = work["version"].as_u64().expect("a version") as usize;
    if version == saves.last + 1 {
        let open = saves.open.take().unwrap_or_else(|| panic!("version {version} was never sent"));
        saves.last = version;
        saves.acknowledged.insert(version, open);
    }
    assert_eq!(version, saves.last, "an acknowledged save is lost");
    if version > 0 {
        assert_eq!(work["sheet"], saves.acknowledged[&version]);
    }
}

#[test]
fn killed_at_any_moment_it_has_every_acknowledged_save() {
    on_both("killed", |folder, more| {
        let mut served = Served::start(folder, "0", more);
        let (root, port) = (admin(&served, folder, more), served.port());
        let people = annotators(&served, folder, more, PEOPLE);
        let batch = make_batch(&mut served.client(&root), "2023/roles", &roles(), &people, PEOPLE);
        let tokens: Vec<String> = people.iter().map(|name| token(name, folder, more)).collect();
        let ids: Vec<String> = tokens.iter().map(|token| queue(&mut served.client(token)).remove(0)).collect();
        let saves: Vec<Mutex<Saves>> = (0..PEOPLE).map(|_| Mutex::default()).collect();
        let mut chance = 2023_u64;
        for round in 0..ROUNDS {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moment = Duration::from_millis(20 + (chance >> 33) % 400);
            std::thread::scope(|threads| {
                for ((token, id), saves) in tokens.iter().zip(&ids).zip(&saves) {
                    let served = &served;
                    threads.spawn(move || save_on(served, token, id, &mut saves.lock().expect("no panic")));
                }
                std::thread::sleep(moment);
                served.signal("KILL");
            });
            drop(served);
            served = Served::start(folder, &port, more);
            for ((token, id), saves) in tokens.iter().zip(&ids).zip(&saves) {
                check(&served, token, id, &mut saves.lock().expect("no panic"));
            }
            eprintln!("round {round}: killed after {moment:?}");
        }

        // Not only the last version: every one of them, as it was sent.
        let (_, lines) = served.client(&root).get(&format!("/api/batches/{batch}/marks")).expect("an answer");
        let lines = lines.as_str().expect("lines of JSON");
        let mut kept: BTreeMap<(String, usize), Value> = BTreeMap::new();
        for line in lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")) {
            let version = line["version"].as_u64().expect("a version") as usize;
            kept.insert((line["annotator"].as_str().expect("a name").to_owned(), version), line["content"]["sheet"].clone());
        }
        let mut total = 0;
        for (name, saves) in people.iter().zip(&saves) {
            for (version, sheet) in &saves.lock().expect("no panic").acknowledged {
                assert_eq!(kept.get(&(name.clone(), *version)), Some(sheet), "{name}, version {version}");
                total += 1;
            }
        }
        assert_eq!(kept.len(), total, "and nothing that nobody sent");
        assert!(total > ROUNDS * PEOPLE, "the load was real: {total} saves");
        eprintln!("{total} saves in {ROUNDS} rounds");
    });
}
