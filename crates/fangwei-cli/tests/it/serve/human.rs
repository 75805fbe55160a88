//! A study on the platform and back: opened, answered by subjects over the JSON API, taken, scored.

use serde_json::{Value, json};

use super::client::{Client, Served, said};
use super::{admin, on_both, queue, token, with};
use crate::human::{gold, records};
use crate::{Scratch, fangwei};

/// Sets a password by a printed link.
fn welcome(served: &Served, link: &str) -> u16 {
    let (_, secret) = link.split_once("/reset/").unwrap_or_else(|| panic!("expected a link, found {link:?}"));
    let form = "password=bamboo-and-river-7&again=bamboo-and-river-7";
    let about = "content-type: application/x-www-form-urlencoded\r\n";
    served.client("").send("POST", &format!("/reset/{secret}"), about, form.as_bytes()).expect("an answer").0
}

fn finish(subject: &mut Client, id: &str, says: bool, spent_ms: u64) -> (u16, Value) {
    let sheet = json!({ "choices": { "judge": [says.to_string()] } });
    let change = json!({ "base": 0, "sheet": sheet, "spent_ms": spent_ms, "client": "once" });
    subject.json("POST", &format!("/api/work/{id}/finish"), &change).expect("an answer")
}

#[test]
fn a_study_goes_to_the_platform_and_comes_back() {
    on_both("human", |folder, more| {
        let scratch = Scratch::new(&format!("human-site-{}", more.len()));
        let (file, study) = (scratch.file("gold.jsonl", gold()), scratch.path("春季测试"));
        said(&["human", "plan", "2022/judge", "--gold", &file, "--out", &study, "--items", "6", "--time-limit", "60"]);
        let served = Served::start(folder, "0", more);
        let root = admin(&served, folder, more);
        let open = |args: &[&str]| -> Value {
            let all = with(&with(&["human", "open", &study, folder, "--json"], more), args);
            serde_json::from_str(&said(&all)).expect("JSON")
        };
        let opened = open(&["--subjects", "2", "--subject", "root"]);
        assert_eq!(
            (&opened["made"], &opened["items"], opened["subjects"].as_array().map(Vec::len)),
            (&json!(true), &json!(6), Some(3))
        );
        let link = |opened: &Value, name: &str| {
            let seat = opened["subjects"]
                .as_array()
                .expect("subjects")
                .iter()
                .find(|seat| seat["name"] == name)
                .expect("a seat")
                .clone();
            seat["link"].as_str().map(ToOwned::to_owned)
        };
        let first = link(&opened, "被试1").expect("a link");
        assert_eq!(link(&opened, "root"), None, "who has an account needs none");
        // Again: nothing is made or given twice, and a new link takes the place of the old one.
        let again = open(&["--subjects", "2"]);
        assert_eq!(
            (&again["made"], &again["batch"], &again["subjects"][0]["given"]),
            (&json!(false), &opened["batch"], &json!(0))
        );
        assert_eq!(welcome(&served, &first), 422, "the first link has ended");
        assert_eq!(welcome(&served, &link(&again, "被试1").expect("a link")), 303);
        assert_eq!(link(&open(&["--subjects", "2"]), "被试1"), None, "who has a password needs no link");

        // Subjects see texts and nothing of gold; the order is that of the file.
        let mut subject = served.client(&token("被试1", folder, more));
        let items = records(&format!("{study}/items.jsonl"));
        let given = queue(&mut subject);
        assert_eq!(given.len(), 6);
        for (id, item) in given.iter().zip(&items) {
            let (_, work) = subject.get(&format!("/api/work/{id}")).expect("an answer");
            assert_eq!((&work["texts"][0]["text"], &work["time_limit_s"]), (&item["context"], &json!(60)), "{work}");
            assert!(!work.to_string().contains("报刊") && !work.to_string().contains("origin"), "{work}");
        }
        let take = || said(&with(&["human", "take", &study, folder], more));
        assert!(take().lines().all(|line| !line.contains('5')), "nobody has answered");
        for (at, id) in given.iter().enumerate().take(5) {
            let (status, answer) = finish(&mut subject, id, at % 2 == 0, 4000 + at as u64);
            assert_eq!((status, &answer["late"]), (200, &json!(false)), "{answer}");
            assert_eq!(finish(&mut subject, id, at % 2 == 1, 1).1["version"], answer["version"], "sent twice is once");
        }
        let (status, _) = subject
            .json("PUT", &format!("/api/work/{}", given[0]), &json!({ "base": 1, "sheet": {}, "client": "two" }))
            .expect("an answer");
        assert_eq!(status, 403, "answered is answered");
        take();
        let answers = format!("{study}/answers/被试1.jsonl");
        let taken = records(&answers);
        assert_eq!(taken.len(), 5);
        for (at, (answer, item)) in taken.iter().zip(&items).enumerate() {
            let expected = json!({ "qid": item["qid"], "judge": u8::from(at % 2 == 0), "seconds": (4000 + at) as f64 / 1000.0, "late": false });
            assert_eq!(*answer, expected);
        }
        assert!(!std::path::Path::new(&format!("{study}/answers/被试2.jsonl")).exists(), "who said nothing has no file");
        let scores: Value =
            serde_json::from_str(&said(&["human", "score", &study, "--resamples", "50", "--format", "json"])).expect("JSON");
        assert_eq!((&scores["subjects"][0]["name"], &scores["subjects"][0]["answered"]), (&json!("被试1"), &json!(5)));

        // The last answer comes, what was taken stays, and a line that only the file has is kept.
        assert_eq!(finish(&mut subject, &given[5], true, 7000).0, 200);
        let text = std::fs::read_to_string(&answers).expect("a file");
        std::fs::write(&answers, text.clone() + "{\"qid\":\"by-hand\",\"judge\":0}\n").expect("written");
        take();
        let (now, names) =
            (records(&answers), |records: &[Value]| records.iter().map(|one| one["qid"].clone()).collect::<Vec<_>>());
        assert_eq!((names(&now[..6]), &now[6]["qid"]), (names(&items), &json!("by-hand")));
        // A file that says otherwise is not written over.
        let changed = text.replace("\"judge\":1", "\"judge\":0");
        std::fs::write(&answers, &changed).expect("written");
        let refused = fangwei(&with(&["human", "take", &study, folder], more));
        assert!(refused.code == 2 && refused.err.contains("not what the platform has"), "{}", refused.err);
        assert_eq!(std::fs::read_to_string(&answers).expect("a file"), changed);

        // Other items under the same title are another study.
        let other = scratch.path("other/春季测试");
        said(&[
            "human",
            "plan",
            "2022/judge",
            "--gold",
            &file,
            "--out",
            &other,
            "--items",
            "6",
            "--time-limit",
            "60",
            "--seed",
            "5",
        ]);
        let refused = fangwei(&with(&["human", "open", &other, folder], more));
        assert!(refused.code == 1 && refused.err.contains("another title"), "{}", refused.err);
        let unknown = fangwei(&with(&["human", "open", &study, folder, "--subject", "nobody"], more));
        assert!(unknown.code == 1 && unknown.err.contains("no account"), "{}", unknown.err);
        let (_, batches) = served.client(&root).get("/api/batches").expect("an answer");
        assert_eq!(batches["batches"].as_array().map(Vec::len), Some(1), "{batches}");
    });
}
