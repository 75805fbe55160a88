//! Agreement on the platform is what the library says of the same marks: numbers, triage, gold.

use axum::http::{Method, StatusCode};
use fangwei::agree::{Keep, Mark, Marks, Measure, Policy, Rest, agree, triage};
use fangwei::annotate::form::BatchMode;
use fangwei::record::Source;
use fangwei::score::{read_items, score_answers};
use fangwei::task::Mode;
use fangwei_web::agree::options;
use fangwei_web::policy::Role;
use serde_json::{Value, json};

use crate::seed::{Seed, column, level};
use crate::site::{Site, on_both};

const TEXT: &str = "雨伞靠在门后。";

/// Levels of three annotators on eight items; one item of one annotator is missing.
const LEVELS: [(&str, &str, &str); 8] = [
    ("fine", "fine", "fine"),
    ("bad", "bad", "bad"),
    ("bad", "someBad", "bad"),
    ("fine", "bad", "fine"),
    ("someFine", "someFine", ""),
    ("bad", "bad", "bad"),
    ("fine", "fine", "someFine"),
    ("unfit", "bad", "bad"),
];

/// Sentences of eight origins: a release keeps equal ones together.
const PLACES: [&str; 8] = [
    "雨伞靠在门后。",
    "小猫趴到了屋顶里面。",
    "邮递员把信塞进桌子上边。",
    "湖水流下山坡。",
    "火车从隧道之间开出来。",
    "钥匙挂在墙上。",
    "她沿着河岸慢慢走远。",
    "书架中摆满旧杂志。",
];

const NAMES: [&str; 3] = ["ann", "bob", "cat"];

async fn judged(site: &Site) -> (Seed<'_>, Vec<Mark>) {
    for name in NAMES {
        site.person(name, Role::Annotator).await;
    }
    let batch = Seed::empty(site, "2022/judge", BatchMode::Agreement, &json!({})).await;
    let mut marks = Vec::new();
    for (number, (a, b, c)) in (1..).zip(LEVELS) {
        let item = batch.item(number, PLACES[number as usize - 1]).await;
        for (name, label) in NAMES.into_iter().zip([a, b, c]) {
            let account = site.id(name).await;
            let mark = match label {
                "" => continue,
                "unfit" => json!({ "version": 1, "rules": 1, "unsuitable": { "reason": "读不通", "idxes": [] } }),
                other => level(other),
            };
            batch.done(&item, &account, &mark).await;
            let (item, origin) = (format!("q{number}").into(), Some(format!("o{number}").into()));
            marks.push(Mark { item, annotator: name.into(), label: Some(label.into()), origin });
        }
    }
    (batch, marks)
}

/// A value as a program reads it: numbers go through the same text.
fn read_back(value: &impl serde::Serialize) -> Value {
    serde_json::from_str(&serde_json::to_string(value).expect("JSON")).expect("JSON")
}

on_both! {
    async fn numbers_are_those_of_the_library(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        let (batch, marks) = judged(&site).await;
        let expected = agree(&Marks::new(marks, &[]).expect("a table"), &options(500)).expect("agreement");
        let report = mia.get(&format!("/api/agree/{}?resamples=500", batch.batch)).await.json();
        let wanted = read_back(&expected);
        assert_eq!(report["agreement"]["measures"], wanted["measures"]);
        assert_eq!(report["agreement"]["pairs"], wanted["pairs"], "with intervals");
        let alpha = expected.get(Measure::AlphaOrdinal).get().expect("a number");
        let page = mia.get(&format!("/agree/{}?resamples=500", batch.batch)).await.text;
        assert!(page.contains(&format!("{alpha:.4}")), "{alpha:.4} is not in {page}");
        assert!(page.contains("Landis") || page.contains("中等") || page.contains("一般") || page.contains("较高"), "in words");
        assert_eq!(report["hundreds"][0]["items"], 8, "{}", report["hundreds"]);
        assert_eq!(report["hundreds"][0]["alpha"], read_back(&alpha), "one stretch is the whole");
        for (format, start) in [("md", "# "), ("csv", "section,row,column,value"), ("html", "<!doctype html>"), ("json", "{")] {
            let file = mia.get(&format!("/agree/{}/report/{format}?resamples=500", batch.batch)).await;
            assert!(file.status == StatusCode::OK && file.text.starts_with(start), "{format}: {}", file.text);
            assert!(file.headers["content-disposition"].to_str().expect("letters").starts_with("attachment"));
        }
        assert_eq!(mia.get(&format!("/agree/{}/report/exe", batch.batch)).await.status, StatusCode::NOT_FOUND);
    }
}

on_both! {
    async fn a_report_follows_the_marks(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        let (batch, _) = judged(&site).await;
        let path = format!("/api/agree/{}?resamples=0", batch.batch);
        let before = mia.get(&path).await.json();
        assert_eq!(mia.get(&path).await.json(), before);
        let (item, account) = (batch.item(9, TEXT).await, site.id("ann").await);
        batch.done(&item, &account, &level("bad")).await;
        assert_eq!(mia.get(&path).await.json()["agreement"]["items"], json!(before["agreement"]["items"].as_u64().expect("there") + 1));
    }
}

on_both! {
    async fn leaving_somebody_out_is_logged_and_shown_both_ways(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        let (batch, marks) = judged(&site).await;
        let path = format!("/api/agree/{}/exclude", batch.batch);
        let silent = mia.json(Method::POST, &path, &json!({ "annotators": ["cat"], "reason": " " })).await;
        assert_eq!(silent.status, StatusCode::UNPROCESSABLE_ENTITY);
        let stranger = mia.json(Method::POST, &path, &json!({ "annotators": ["dan"], "reason": "x" })).await;
        assert_eq!(stranger.status, StatusCode::UNPROCESSABLE_ENTITY);
        let done = mia.post(&format!("/agree/{}/exclude", batch.batch), &[("annotators", "cat"), ("reason", "答得太快")]).await;
        assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
        let report = mia.get(&format!("/api/agree/{}?resamples=0", batch.batch)).await.json();
        let all = Marks::new(marks, &[]).expect("a table");
        let expected = agree(&all.without(&["cat".into()]), &options(0)).expect("agreement");
        assert_eq!(report["agreement"]["measures"], read_back(&expected)["measures"]);
        let with_all = agree(&all, &options(0)).expect("agreement");
        assert_eq!(report["with_all"]["measures"], read_back(&with_all)["measures"]);
        let log = column(&site, "SELECT detail FROM audit WHERE action = 'exclude-annotators' AND object = $1", &batch.batch).await;
        let detail: Value = serde_json::from_str(&log[0]).expect("there");
        assert_eq!((&detail["annotators"], &detail["reason"]), (&json!(["cat"]), &json!("答得太快")));
        assert!(detail["rule"]["gap"].is_number(), "by which rule outliers are named: {detail}");
    }
}

on_both! {
    async fn triage_is_that_of_the_library_and_gold_says_where_it_came_from(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        let (batch, marks) = judged(&site).await;
        let marks = Marks::new(marks, &[]).expect("a table");
        let path = format!("/api/agree/{}/triage", batch.batch);
        for (keep, rest, library) in [
            ("extremes", "discard", Policy { keep: Keep::Extremes, rest: Rest::Discard, least_marks: 2 }),
            ("extremes", "adjudicate", Policy { keep: Keep::Extremes, rest: Rest::Adjudicate, least_marks: 2 }),
            ("majority", "adjudicate", Policy { keep: Keep::Majority, rest: Rest::Adjudicate, least_marks: 2 }),
            ("agreed", "discard", Policy { keep: Keep::Agreed, rest: Rest::Discard, least_marks: 2 }),
        ] {
            let plan = mia.json(Method::POST, &path, &json!({ "keep": keep, "rest": rest })).await.json();
            let expected = triage(&marks, library).expect("decided");
            assert_eq!(plan["counts"], serde_json::to_value(expected.counts(&marks)).expect("there"), "{keep} {rest}");
            let told: Vec<(String, String)> = plan["items"].as_array().expect("there").iter().map(|one| (one["qid"].as_str().expect("there").into(), one["path"].as_str().expect("there").into())).collect();
            let wanted: Vec<(String, String)> = expected.items.iter().map(|one| (marks.items()[one.item].to_string(), one.path.as_str().to_owned())).collect();
            assert_eq!(told, wanted);
            assert_eq!(plan["written"], 0, "a preview writes nothing");
        }
        assert!(column(&site, "SELECT gold.id FROM gold JOIN item ON item.id = gold.item WHERE item.batch = $1", &batch.batch).await.is_empty());
        let plan = mia.json(Method::POST, &path, &json!({ "keep": "extremes", "rest": "adjudicate", "apply": true })).await.json();
        assert_eq!(plan["written"], 8, "{plan}");
        let again = mia.json(Method::POST, &path, &json!({ "keep": "extremes", "rest": "adjudicate", "apply": true })).await.json();
        assert_eq!(again["written"], 0, "what is written already is not written again");
        // Items 1, 2 and 6: all three give the same extreme.
        let gold = column(&site, "SELECT item.qid FROM gold JOIN item ON item.id = gold.item WHERE item.batch = $1 AND gold.outcome = 'gold' ORDER BY item.number", &batch.batch).await;
        assert_eq!(gold, ["q1", "q2", "q6"]);
        let from = column(&site, "SELECT gold.from_marks FROM gold JOIN item ON item.id = gold.item WHERE item.batch = $1 AND gold.outcome = 'gold' ORDER BY item.number", &batch.batch).await;
        let from: Value = serde_json::from_str(&from[0]).expect("there");
        assert_eq!((from["marks"].as_array().map(Vec::len), from["people"].as_array().map(Vec::len)), (Some(3), Some(3)), "{from}");
        assert_eq!(mia.get("/api/adjudicate").await.json()["items"].as_array().map(Vec::len), Some(5));
        let page = mia.get(&format!("/agree/{}/triage?keep=extremes&rest=adjudicate&least_marks=2", batch.batch)).await;
        assert!(page.status == StatusCode::OK && page.text.contains("q1"), "{}", page.text);

        let file = mia.get(&format!("/api/agree/{}/gold", batch.batch)).await;
        assert_eq!(file.text.lines().count(), 3, "{}", file.text);
        let task = fangwei::tasks::find("2022/judge").expect("a task");
        let (items, defects) = read_items(task, Source::from_bytes("gold", file.text.clone()).expect("there"), true).expect("readable");
        assert!(defects.is_empty(), "{defects:?}");
        let verdicts: Vec<String> = items.iter().filter_map(|item| task.facet("gold", item)).flatten().collect();
        assert_eq!(verdicts, ["1", "0", "0"], "fine is normal, bad is not");
        assert!(file.text.contains("\"origin\":\"o1\"") && file.text.contains("\"genre\":\"G\""), "{}", file.text);
        let pairs: Vec<_> = items.iter().map(|item| (item, item.gold.as_ref())).collect();
        let total = score_answers(task, Mode::Official, &pairs);
        assert_eq!(task.measures(Mode::Official, &total).get(task.scale().ranking), Some(1.0));
        let objections = mia.get(&format!("/api/agree/{}/objections", batch.batch)).await.json();
        assert_eq!((&objections["items"], &objections["passes"]), (&json!(3), &json!(true)), "{objections}");
    }
}

on_both! {
    async fn tuples_are_scored_against_each_other_and_released_as_they_are(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        for name in ["ann", "bob"] {
            site.person(name, Role::Annotator).await;
        }
        let (ann, bob) = (site.id("ann").await, site.id("bob").await);
        let batch = Seed::empty(&site, "2023/roles", BatchMode::Annotate, &json!({})).await;
        let whole = batch.mark(TEXT, "空间实体=雨伞 事件=靠 处所=在门后");
        let narrow = batch.mark(TEXT, "空间实体=雨伞 事件=靠 处所=门后");
        for number in 1..=3 {
            let item = batch.item(number, TEXT).await;
            batch.done(&item, &ann, &whole).await;
            batch.done(&item, &bob, if number == 3 { &narrow } else { &whole }).await;
        }
        let report = mia.get(&format!("/api/agree/{}?resamples=200", batch.batch)).await.json();
        assert_eq!(report["scores"]["items"], 3, "{report}");
        let identical = report["scores"]["identical"].as_f64().expect("a share");
        assert!((identical - 2.0 / 3.0).abs() < 1e-12, "two of three are the same: {identical}");
        assert!(report["scores"]["mean"]["interval"].is_object(), "with an interval");
        let plan = mia.json(Method::POST, &format!("/api/agree/{}/triage", batch.batch), &json!({ "keep": "agreed", "rest": "adjudicate", "apply": true })).await.json();
        let decisions: Vec<&str> = plan["items"].as_array().expect("there").iter().map(|one| one["decision"].as_str().expect("there")).collect();
        assert_eq!(decisions, ["gold", "gold", "adjudicate"], "{plan}");
        let extremes = mia.json(Method::POST, &format!("/api/agree/{}/triage", batch.batch), &json!({ "keep": "extremes" })).await;
        assert_eq!(extremes.status, StatusCode::UNPROCESSABLE_ENTITY, "tuples have no extremes");
        let file = mia.get(&format!("/agree/{}/gold/file", batch.batch)).await;
        let task = fangwei::tasks::find("2023/roles").expect("a task");
        let (items, defects) = read_items(task, Source::from_bytes("gold", file.text.clone()).expect("there"), true).expect("readable");
        assert!(defects.is_empty() && items.len() == 2, "{defects:?} {}", file.text);
        let pairs: Vec<_> = items.iter().map(|item| (item, item.gold.as_ref())).collect();
        let total = score_answers(task, Mode::Official, &pairs);
        assert_eq!(task.measures(Mode::Official, &total).get(task.scale().ranking), Some(1.0));
        let page = mia.get(&format!("/agree/{}/gold", batch.batch)).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    }
}

on_both! {
    async fn approved_work_becomes_gold_without_a_second_mark(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        site.person("ann", Role::Annotator).await;
        let mut rui = site.person("rui", Role::Reviewer).await;
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        let account = site.id("ann").await;
        let work = batch.done(&batch.item(1, TEXT).await, &account, &level("bad")).await;
        batch.done(&batch.item(2, TEXT).await, &account, &level("bad")).await;
        let inspection = crate::seed::inspect(&site, &work, &site.id("rui").await, false).await;
        let approved = rui.json(Method::POST, &format!("/api/review/{inspection}"), &json!({ "verdict": "approve", "version": 1 })).await;
        assert_eq!(approved.status, StatusCode::OK, "{}", approved.text);
        let plan = mia.json(Method::POST, &format!("/api/agree/{}/triage", batch.batch), &json!({ "keep": "approved", "apply": true })).await.json();
        assert_eq!((plan["written"].clone(), &plan["items"][0]["path"]), (json!(1), &json!("approved")), "{plan}");
    }
}

on_both! {
    async fn annotators_and_reviewers_reach_no_agreement(site: Site) {
        let (mut ann, mut rui) = (site.person("ann", Role::Annotator).await, site.person("rui", Role::Reviewer).await);
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        for path in ["", "/triage", "/gold", "/gold/file", "/report/md"] {
            let path = format!("/agree/{}{path}", batch.batch);
            assert_eq!(ann.get(&path).await.status, StatusCode::FORBIDDEN, "{path}");
            assert_eq!(rui.get(&path).await.status, StatusCode::FORBIDDEN, "{path}");
        }
        for path in ["/review", "/adjudicate", "/api/review", "/api/adjudicate"] {
            assert_eq!(ann.get(path).await.status, StatusCode::FORBIDDEN, "{path}");
            assert_eq!(rui.get(path).await.status, StatusCode::OK, "{path}");
        }
    }
}

on_both! {
    async fn outliers_are_named_and_logged_once(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Agreement, &json!({})).await;
        let mut accounts = Vec::new();
        for name in ["ann", "bob", "cat", "dan", "eve"] {
            site.person(name, Role::Annotator).await;
            accounts.push(site.id(name).await);
        }
        for number in 1..=20 {
            let item = batch.item(number, TEXT).await;
            let usual = if number % 2 == 0 { "bad" } else { "fine" };
            for (place, account) in accounts.iter().enumerate() {
                // Four always agree; eve says the contrary: her mean kappa is -1, that of the others (1 + 1 + 1 - 1) / 4, far below by any rule.
                let contrary = if usual == "bad" { "fine" } else { "bad" };
                batch.done(&item, account, &level(if place == 4 { contrary } else { usual })).await;
            }
        }
        for _ in 0..2 {
            let report = mia.get(&format!("/api/agree/{}?resamples=0", batch.batch)).await.json();
            assert_eq!(report["agreement"]["outliers"][0]["name"], "eve", "{}", report["agreement"]["outliers"]);
            assert!(report["without_outliers"].is_object() && report["excluded"].is_null(), "she is named, not left out");
        }
        let log = column(&site, "SELECT detail FROM audit WHERE action = 'outliers' AND object = $1", &batch.batch).await;
        assert_eq!(log.len(), 1, "{log:?}");
        assert!(log[0].contains("eve"), "{log:?}");
    }
}

on_both! {
    async fn who_is_left_out_counts_neither_for_triage_nor_for_grades(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        let (batch, marks) = judged(&site).await;
        let all = Marks::new(marks, &[]).expect("a table");
        let exclude = async |mia: &mut crate::site::Browser, names: Value| {
            crate::site::pass(1000);
            let path = format!("/api/agree/{}/exclude", batch.batch);
            let done = mia.json(Method::POST, &path, &json!({ "annotators": names, "reason": "答得太快" })).await;
            assert_eq!(done.status, StatusCode::OK, "{}", done.text);
        };
        let path = format!("/api/agree/{}/triage", batch.batch);
        let policy = Policy { keep: Keep::Extremes, rest: Rest::Adjudicate, least_marks: 2 };
        let asked = json!({ "keep": "extremes", "rest": "adjudicate" });
        let before = mia.json(Method::POST, &path, &asked).await.json();
        exclude(&mut mia, json!(["bob"])).await;
        let without = all.without(&["bob".into()]);
        let plan = mia.json(Method::POST, &path, &asked).await.json();
        assert_eq!(plan["counts"], read_back(&triage(&without, policy).expect("triage").counts(&without)), "as the command with --exclude");
        assert_ne!(plan["counts"], before["counts"], "bob mattered");
        assert_eq!((&plan["excluded"], &before["excluded"]), (&json!(["bob"]), &json!([])));
        assert!(mia.get(&format!("/agree/{}/triage", batch.batch)).await.text.contains("bob"), "the page of triage says who is left out");
        let report = mia.get(&format!("/api/agree/{}?resamples=0", batch.batch)).await.json();
        let graded: Vec<&str> = report["grades"].as_array().expect("grades").iter().map(|one| one["name"].as_str().expect("a name")).collect();
        assert_eq!(graded, ["ann", "cat"]);
        let written = mia.json(Method::POST, &path, &json!({ "keep": "extremes", "rest": "adjudicate", "apply": true })).await.json();
        assert_eq!(written["excluded"], json!(["bob"]));
        let log = column(&site, "SELECT detail FROM audit WHERE action = 'triage' AND object = $1", &batch.batch).await;
        assert!(log[0].contains("\"excluded\":[\"bob\"]"), "{}", log[0]);
        let bob = site.id("bob").await;
        let from = column(&site, "SELECT gold.from_marks FROM gold JOIN item ON item.id = gold.item WHERE item.batch = $1", &batch.batch).await;
        assert!(from.iter().all(|from| !from.contains(&bob)), "gold comes from those who count");
        exclude(&mut mia, json!(["bob", "cat"])).await;
        exclude(&mut mia, json!([])).await;
        assert_eq!(mia.json(Method::POST, &path, &asked).await.json()["counts"], before["counts"], "taken in again");
    }
}

on_both! {
    async fn a_report_follows_the_choice_of_check_questions(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        site.person("ann", Role::Annotator).await;
        let batch = Seed::new(&site, "2022/judge", BatchMode::Annotate, 6, &json!({})).await;
        let account = site.id("ann").await;
        for (item, _) in &batch.items {
            batch.done(item, &account, &level("fine")).await;
        }
        let qids: Vec<String> = batch.items.iter().map(|(_, gold)| gold.qid.to_string()).collect();
        let flag = async |mia: &mut crate::site::Browser, qids: &[String], is_check: bool| {
            let done = mia.json(Method::POST, &format!("/api/batches/{}/checks", batch.batch), &json!({ "qids": qids, "is_check": is_check })).await;
            assert_eq!(done.status, StatusCode::OK, "{}", done.text);
        };
        let path = format!("/api/agree/{}?resamples=0", batch.batch);
        flag(&mut mia, &qids[1..], false).await;
        let one = mia.get(&path).await.json()["grades"].clone();
        // As many check questions as before, and other ones.
        flag(&mut mia, &qids[..1], false).await;
        flag(&mut mia, &qids[1..2], true).await;
        let other = mia.get(&path).await.json()["grades"].clone();
        assert_ne!(one, other, "the sample has a normal and an abnormal item");
        flag(&mut mia, &qids[1..2], false).await;
        flag(&mut mia, &qids[..1], true).await;
        assert_eq!(mia.get(&path).await.json()["grades"], one);
    }
}

on_both! {
    async fn people_who_mark_tuples_are_compared_by_the_tasks_scorer(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        for name in NAMES {
            site.person(name, Role::Annotator).await;
        }
        let batch = Seed::empty(&site, "2023/roles", BatchMode::Annotate, &json!({})).await;
        let whole = batch.mark(TEXT, "空间实体=雨伞 事件=靠 处所=在门后");
        let narrow = batch.mark(TEXT, "空间实体=雨伞 事件=靠 处所=门后");
        for number in 1..=2 {
            let item = batch.item(number, TEXT).await;
            for name in NAMES {
                batch.done(&item, &site.id(name).await, if name == "cat" && number == 2 { &narrow } else { &whole }).await;
            }
        }
        let scores = mia.get(&format!("/api/agree/{}?resamples=0", batch.batch)).await.json()["scores"].clone();
        let progress = mia.get(&format!("/api/batches/{}", batch.batch)).await.json();
        let person = |name: &str| progress["people"].as_array().expect("people").iter().find(|one| one["shown"] == name).expect("there").clone();
        for name in NAMES {
            assert_eq!(person(name)["agreement"], scores["means"][name]["value"], "{scores}");
            assert_eq!(person(name)["compared"], 4, "two others on two items");
        }
        assert!(person("ann")["agreement"].as_f64() > person("cat")["agreement"].as_f64(), "cat differs once from both, ann once from cat");
        assert_eq!(progress["agreement"], scores["mean"]["value"]);
        assert!(!mia.get(&format!("/people/{}", site.id("ann").await)).await.text.contains("<small>(0)</small></td><td"), "shown on the person's page");
    }
}

on_both! {
    async fn gold_of_candidates_says_where_it_came_from(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        for name in ["ann", "bob"] {
            site.person(name, Role::Annotator).await;
        }
        let made = mia.json(Method::POST, "/api/batches", &json!({ "name": "候选", "task": "2022/judge", "mode": "annotate", "per_item": 2 })).await;
        let batch = made.json()["id"].as_str().expect("an id").to_owned();
        let sample = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample/candidates.jsonl");
        let sample = std::fs::read_to_string(sample).expect("candidates");
        let mut seen = std::collections::BTreeSet::new();
        let origin = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["origin"].to_string();
        // Of six origins each: a release needs several.
        let lines: Vec<&str> = sample.lines().filter(|line| seen.insert(origin(line))).take(6).collect();
        let file = lines.join("\n");
        let done = mia.send(Method::POST, &format!("/api/batches/{batch}/items"), "application/json", file.clone()).await;
        assert_eq!(done.json()["items"], 6, "{}", done.text);
        let task = fangwei::tasks::find("2022/judge").expect("a task");
        let seed = Seed { site: &site, batch: batch.clone(), task, mode: BatchMode::Annotate, items: Vec::new() };
        for item in column(&site, "SELECT id FROM item WHERE batch = $1 ORDER BY number", &batch).await {
            for name in ["ann", "bob"] {
                seed.done(&item, &site.id(name).await, &level("bad")).await;
            }
        }
        mia.json(Method::POST, &format!("/api/agree/{batch}/triage"), &json!({ "keep": "extremes", "apply": true })).await;
        let gold = mia.get(&format!("/api/agree/{batch}/gold")).await.text;
        let candidates: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(gold.lines().count(), 6, "{gold}");
        for line in gold.lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let own = candidates.iter().find(|own| own["id"] == line["qid"]).unwrap_or_else(|| panic!("a candidate's own name: {line}"));
            for field in ["context", "origin", "genre", "replaced"] {
                assert_eq!(line[field], own[field], "{field} of {line}");
            }
        }
        // The release step takes it, with the candidates beside it or without.
        let inputs = |candidates: Vec<fangwei::release::Input>| fangwei::release::Inputs {
            gold: vec![fangwei::release::Gold { task: Some(task), input: fangwei::release::Input::new("gold.jsonl".to_owned(), gold.clone()) }],
            candidates,
            licence: "-".into(),
            ..fangwei::release::Inputs::default()
        };
        let config = fangwei::release::Config { name: "x".to_owned(), version: "1".into(), ..fangwei::release::Config::default() };
        for beside in [vec![], vec![fangwei::release::Input::new("candidates.jsonl".to_owned(), file.clone())]] {
            let pack = fangwei::release::release(&config, &inputs(beside), fangwei::lang::Lang::En);
            assert!(pack.is_ok(), "{:?}", pack.err());
        }
        let key = mia.get(&format!("/api/agree/{batch}/key")).await.text;
        let first: Value = serde_json::from_str(key.lines().next().expect("a line")).expect("JSON");
        assert!(first["qid"].as_str().is_some_and(|qid| qid.starts_with("b-")), "{first}");
        assert!(candidates.iter().any(|own| own["id"] == first["id"] && own["replaced"] == first["replaced"] && own["context"] == first["context"]), "{first}");
        let mut rui = site.person("rui", Role::Reviewer).await;
        for path in ["gold", "key"] {
            assert_eq!(rui.get(&format!("/api/agree/{batch}/{path}")).await.status, StatusCode::FORBIDDEN, "for managers only");
        }
    }
}
