//! Submissions over real sockets: killed at any moment while it scores, the platform scores every accepted file exactly once; slow clients are cut off.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use fangwei::contest::{Moment, Zone};
use serde_json::{Value, json};

use super::client::{Page, Served, program, said};
use super::{admin, on_both, with};
use crate::{Scratch, root};

const ROUNDS: usize = 8;
const SENDERS: usize = 4;

/// Answers to all items of the shipped sample: its gold.
pub fn sample(task: &str) -> Vec<u8> {
    std::fs::read(root().join("data/sample").join(task).join("gold.jsonl")).expect("the sample")
}

/// A competition without bounds on submissions, whose development phase is open; its id.
fn open_contest(folder: &str, more: &[&str]) -> String {
    open_changed(folder, more, without_bounds)
}

/// Takes the bounds on submissions out of the folder of a competition.
pub fn without_bounds(contest: &str) {
    let file = format!("{contest}/competition.toml");
    let text = std::fs::read_to_string(&file).expect("a file");
    let lines = text.lines().filter(|line| !line.starts_with("max_submissions"));
    std::fs::write(&file, lines.map(|line| format!("{line}\n")).collect::<String>()).expect("written");
}

/// Gold of 2022/judge with the opposite of every answer.
pub fn opposite(gold: &str) -> String {
    let away = gold.replace("\"judge\":1", "\"judge\":2").replace("\"judge\":0", "\"judge\":1");
    away.replace("\"judge\":2", "\"judge\":0")
}

/// The same of a folder that a test changes before it is put on the platform; five submissions a day, where it does not.
pub fn open_changed(folder: &str, more: &[&str], change: impl FnOnce(&str)) -> String {
    let contest = format!("{folder}-contest");
    let day = 24 * 3600 * 1000;
    let start = Moment::at(fangwei_web::now() - 10 * day, Zone::default()).to_string();
    said(&["competition", "init", &contest, "--template", "2022", "--start", &start]);
    change(&contest);
    said(&with(&["competition", "open", &contest, folder], more));
    "space2022".to_owned()
}

/// A team that may submit; a token of its leader.
pub fn enter(served: &Served, contest: &str, folder: &str, more: &[&str], root: &str, number: usize) -> String {
    let name = format!("leader{number}");
    served.join(said(&with(&["account", "invite", folder, "--role", "participant"], more)).trim(), &name);
    let scopes = ["--scope", "read", "--scope", "submit"];
    let token = said(&with(&with(&["account", "token", &name, folder], &scopes), more)).trim().to_owned();
    // Registration is by page: a session, and the secret of its forms.
    let page = Page::sign_in(&served.address, &name);
    let fields = format!("name=team{number}&sort=other&institution=x&leader=x&people=&email=a%40b.cn&phone=&agree=1");
    assert_eq!(page.post(&format!("/contests/{contest}/register"), &fields).0, 303);
    let (_, own) = served.client(&token).get(&format!("/api/contests/{contest}/team")).expect("an answer");
    let team = own["team"]["id"].as_str().unwrap_or_else(|| panic!("{own}")).to_owned();
    served.client(root).must(
        "POST",
        &format!("/api/contests/{contest}/teams/{team}"),
        &json!({ "state": "approved", "version": 0 }),
    );
    token
}

/// What a sender knows: files that were acknowledged, and the one that was under way when the server died.
#[derive(Default)]
struct Sent {
    acknowledged: BTreeSet<String>,
    number: usize,
}

#[test]
fn killed_while_scoring_every_file_is_scored_once() {
    on_both("scored", |folder, more| {
        let mut served = Served::start(folder, "0", more);
        let (root, port) = (admin(&served, folder, more), served.port());
        let contest = open_contest(folder, more);
        let tokens: Vec<String> = (0..SENDERS).map(|number| enter(&served, &contest, folder, more, &root, number)).collect();
        let sent: Vec<Mutex<Sent>> = (0..SENDERS).map(|_| Mutex::default()).collect();
        let file = sample("2022/roles");
        let mut chance = 7_u64;
        for round in 0..ROUNDS {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moment = Duration::from_millis(30 + (chance >> 33) % 500);
            std::thread::scope(|threads| {
                for (token, sent) in tokens.iter().zip(&sent) {
                    let (served, file, contest) = (&served, &file, &contest);
                    threads.spawn(move || {
                        let (mut client, mut sent) = (served.client(token), sent.lock().expect("no panic"));
                        loop {
                            // A name of its own for each file; the one that is not answered is sent again under the same name.
                            let path = format!("/api/contests/{contest}/submissions?task=roles&client=f{}", sent.number);
                            match client.send("POST", &path, "", file) {
                                Ok((201, said)) => {
                                    sent.acknowledged.insert(said["submission"]["id"].as_str().expect("an id").to_owned());
                                    sent.number += 1;
                                }
                                Ok((409 | 429, _)) => std::thread::sleep(Duration::from_millis(40)),
                                Ok((status, said)) => panic!("{status}: {said}"),
                                Err(_) => return,
                            }
                        }
                    });
                }
                std::thread::sleep(moment);
                served.signal("KILL");
            });
            drop(served);
            served = Served::start(folder, &port, more);
            eprintln!("round {round}: killed after {moment:?}");
        }
        let mut total = 0;
        for (token, sent) in tokens.iter().zip(&sent) {
            let sent = sent.lock().expect("no panic");
            let kept = all_scored(&served, &contest, token);
            let ids: BTreeSet<String> = kept.iter().map(|one| one["id"].as_str().expect("an id").to_owned()).collect();
            assert!(sent.acknowledged.is_subset(&ids), "an acknowledged submission is lost");
            // The one that was under way may be there or not; nothing else is.
            assert!(ids.len() - sent.acknowledged.len() <= 1, "{} kept, {} acknowledged", ids.len(), sent.acknowledged.len());
            let numbers: Vec<u64> = kept.iter().rev().filter_map(|one| one["number"].as_u64()).collect();
            assert_eq!(numbers, (1..=ids.len() as u64).collect::<Vec<_>>(), "charged once each");
            let rankings: BTreeSet<String> = kept.iter().map(|one| one["score"]["ranking"].to_string()).collect();
            assert_eq!(rankings.len(), 1, "one file has one score: {rankings:?}");
            for id in &ids {
                let (_, whole) =
                    served.client(token).get(&format!("/api/contests/{contest}/submissions/{id}")).expect("an answer");
                let times = whole["log"].as_array().expect("a log").iter().filter(|line| line["kind"] == "scored").count();
                assert_eq!(times, 1, "{whole}");
                std::thread::sleep(Duration::from_millis(35));
            }
            total += ids.len();
        }
        assert!(total >= ROUNDS, "the load was real: {total} submissions");
        eprintln!("{total} submissions in {ROUNDS} rounds");
    });
}

#[test]
fn killed_while_scoring_anew_the_generation_is_whole_in_the_end() {
    on_both("rescored", |folder, more| {
        let mut served = Served::start(folder, "0", more);
        let (root, port) = (admin(&served, folder, more), served.port());
        let contest = open_contest(folder, more);
        let token = enter(&served, &contest, folder, more, &root, 0);
        for number in 0..12 {
            let path = format!("/api/contests/{contest}/submissions?task=judge&client=f{number}");
            let (status, said) = served.client(&token).send("POST", &path, "", &sample("2022/judge")).expect("an answer");
            assert_eq!(status, 201, "{said}");
        }
        let score = |one: &Value| (one["score"]["ranking"].as_f64(), one["score"]["generation"].as_i64());
        assert!(all_scored(&served, &contest, &token).iter().all(|one| score(one) == (Some(1.0), Some(1))), "the gold itself");
        // The opposite of every answer. The command begins and leaves it to the server, which is killed at once.
        let scratch = Scratch::new(&format!("rescored-gold{}", more.len()));
        let other = opposite(&String::from_utf8(sample("2022/judge")).expect("UTF-8"));
        let gold = format!("dev/judge={}", scratch.file("gold.jsonl", other));
        let begin =
            ["competition", "rescore", &contest, folder, "--gold", &gold, "--reset-quota", "--no-wait", "--format", "json"];
        let begun: Value = serde_json::from_str(&said(&with(&begin, more))).expect("JSON");
        assert_eq!(begun["generation"]["number"], 2, "{begun}");
        served.signal("KILL");
        drop(served);
        served = Served::start(folder, &port, more);
        let waits = Instant::now();
        loop {
            let (_, said) = served.client("").get(&format!("/api/contests/{contest}/generations")).expect("an answer");
            if said["generations"][0]["state"] == "current" {
                break;
            }
            assert!(waits.elapsed() < Duration::from_mins(1), "{said}");
            std::thread::sleep(Duration::from_millis(200));
        }
        for one in all_scored(&served, &contest, &token) {
            assert_eq!(score(&one), (Some(0.0), Some(2)), "{one}");
            let path = format!("/api/contests/{contest}/submissions/{}", one["id"].as_str().expect("an id"));
            let (_, whole) = served.client(&token).get(&path).expect("an answer");
            let times = whole["log"].as_array().expect("a log").iter().filter(|line| line["kind"] == "scored").count();
            assert_eq!(times, 2, "once in each generation: {whole}");
            std::thread::sleep(Duration::from_millis(35));
        }
        // Without a server the command does all of it.
        served.signal("KILL");
        drop(served);
        let done = said(&with(&["competition", "rescore", &contest, folder, "--reason", "again"], more));
        assert!(done.contains("generation 3  12 / 12  current"), "{done}");
        let wrong = program(&with(&["competition", "rescore", &contest, folder, "--gold", "judge.jsonl"], more)).output();
        assert_eq!(wrong.expect("the program starts").status.code(), Some(2), "PHASE/TASK=FILE");
    });
}

/// The submissions of a team, once all are scored.
fn all_scored(served: &Served, contest: &str, token: &str) -> Vec<Value> {
    let begun = Instant::now();
    loop {
        let (status, said) = served.client(token).get(&format!("/api/contests/{contest}/submissions")).expect("an answer");
        assert_eq!(status, 200, "{said}");
        let all = said["submissions"].as_array().expect("a list").clone();
        if all.iter().all(|one| one["state"] == "scored") {
            return all;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "not all are scored: {said}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn the_command_submits_and_says_every_defect() {
    on_both("submit", |folder, more| {
        let served = Served::start(folder, "0", more);
        let root = admin(&served, folder, more);
        let contest = open_contest(folder, more);
        let token = enter(&served, &contest, folder, more, &root, 0);
        let scratch = Scratch::new(&format!("submit-files{}", more.len()));
        let good = scratch.file("team0-task3-dev-1-0812.jsonl", sample("2022/roles"));
        let bad = scratch.file("bad.jsonl", "{\"qid\":\"x\"}\noops\n");
        let url = format!("http://{}", served.address);
        let submit = |args: &[&str]| {
            let mut command = program(&[&["submit"], args].concat());
            let output = command.env("FANGWEI_URL", &url).env("FANGWEI_TOKEN", &token).output().expect("the program starts");
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
            (output.status.code(), text(output.stdout), text(output.stderr))
        };
        // Neither competition nor task are told: the account is in one team, and the name of the file says the rest.
        let (code, out, err) = submit(&["-f", &good, "-m", "first try"]);
        assert_eq!(code, Some(0), "{out}{err}");
        assert!(out.contains("dev 2022/roles #1: 1.0000"), "{out}");
        let (code, out, _) = submit(&["-f", &bad, "--task", "roles", "--contest", &contest]);
        assert_eq!(code, Some(1));
        for code in ["unknown-qid", "bad-json", "missing-qid"] {
            assert!(out.contains(code), "{code}: {out}");
        }
        let (code, out, _) = submit(&["-f", &good, "--check", "--contest", &contest]);
        assert_eq!((code, out.contains("0 errors")), (Some(0), true), "{out}");
        let (_, out, _) = submit(&["-f", &good, "--json", "--contest", &contest]);
        let said: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(
            (&said["submission"]["number"], &said["submission"]["channel"]),
            (&json!(2), &json!("cli")),
            "refused and checked files took no number"
        );
        let (code, _, err) = submit(&["-f", &good, "--contest", "nowhere"]);
        assert_eq!(code, Some(1), "{err}");
        let (code, _, err) = submit(&["-f", &good, "--token", "wrong"]);
        assert_eq!((code, err.contains("sign in")), (Some(1), true), "{err}");
        // Organisers report on what counts, from the database.
        let asked = [
            "report",
            "--contest",
            &contest,
            "--contest-board",
            "dev",
            "--site",
            folder,
            "--resamples",
            "50",
            "--format",
            "json",
        ];
        let report: Value = serde_json::from_str(&super::client::said(&with(&asked, more))).expect("JSON");
        let task = &report["tasks"][0];
        assert_eq!((&task["task"], &task["machines"]["comparison"]["systems"][0]["score"]), (&json!("2022/roles"), &json!(1.0)));
        assert_eq!(task["machines"]["comparison"]["systems"][0]["name"], "team0");
        assert_eq!(report["boards"][0]["ranking"]["rows"][0]["name"], "team0");
        let nowhere =
            program(&with(&["report", "--contest", "nowhere", "--site", folder], more)).output().expect("the program starts");
        assert_eq!(nowhere.status.code(), Some(1));
        let none = program(&["submit", "-f", &good]).env_remove("FANGWEI_URL").output().expect("the program starts");
        assert_eq!(none.status.code(), Some(2));
    });
}

#[test]
fn slow_clients_are_cut_off_and_hold_nobody_up() {
    let scratch = Scratch::new("serve-slow");
    let folder = scratch.path("site");
    let served = Served::start(&folder, "0", &[]);
    let root = admin(&served, &folder, &[]);
    let contest = open_contest(&folder, &[]);
    let token = enter(&served, &contest, &folder, &[], &root, 0);
    let path = format!("/api/contests/{contest}/submissions?task=roles");
    let file = sample("2022/roles");
    // One that never ends its head, and more than are received together of one account that stop in the middle of a file.
    let mut heads = served.client(&token);
    heads.write(b"GET /healthz HTTP/1.1\r\nhost: si").expect("sent");
    let begun = Instant::now();
    let mut slow: Vec<_> = (0..6)
        .map(|number| {
            let mut client = served.client(&token);
            let head = client.head("POST", &format!("{path}&client=slow{number}"), "", file.len());
            client.write(&[head.as_bytes(), &file[..100]].concat()).expect("sent");
            client
        })
        .collect();
    let (status, _) = served.client("").get("/healthz").expect("others are served");
    assert_eq!(status, 200);
    // Half a minute of silence ends a file. What is read of it is an answer or the end of the connection; no file is taken.
    for client in &mut slow {
        let mut ended = client.answer();
        while ended
            .as_ref()
            .is_err_and(|error| matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut))
        {
            assert!(begun.elapsed() < Duration::from_secs(150), "a slow file is never ended");
            ended = client.answer();
        }
        assert!(ended.is_err() || ended.is_ok_and(|(status, _)| (400..500).contains(&status)));
    }
    while heads.answer().is_err_and(|error| matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut))
    {
        assert!(begun.elapsed() < Duration::from_secs(150), "a slow head is never ended");
    }
    let (status, said) = served.client(&token).send("POST", &format!("{path}&client=good"), "", &file).expect("an answer");
    assert_eq!((status, &said["submission"]["number"]), (201, &json!(1)), "{said}");
}
