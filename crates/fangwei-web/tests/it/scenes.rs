//! Scenes: pairs that authors write become whole records and are cross-checked by others; reasons are graded by two, behind the gate.

use axum::http::{Method, StatusCode};
use fangwei::annotate::form::BatchMode;
use fangwei::record::Source;
use fangwei::score::{Rubric, grade_scenes, read_grades, read_items};
use fangwei_web::policy::Role;
use serde_json::{Value, json};

use crate::seed::{Seed, column};
use crate::site::{Site, on_both};

const POST: Method = Method::POST;

/// What an author finishes: two texts and whether they can be one scene.
fn written(one: &str, other: &str, same: bool) -> Value {
    let pair = json!({ "context1": one, "context2": other, "entities": ["票"], "deciding": "处所" });
    let reason = "两段文本的差别在于“上”和“里”。";
    json!({ "version": 1, "rules": 1, "pair": pair, "answer": { "results": [{ "judge": same.to_string(), "reason": reason }] } })
}

/// An author batch of five pairs of words; of the third two people wrote, and the fifth is not written yet.
async fn authored(site: &Site) -> Seed<'_> {
    for name in ["ann", "bob", "cat"] {
        site.person(name, Role::Annotator).await;
    }
    let mut batch = Seed::empty(site, "2023/scene", BatchMode::Author, &json!({})).await;
    let (ann, bob) = (site.id("ann").await, site.id("bob").await);
    for number in 1..=5 {
        let item = batch.words(number, ["上", "里"]).await;
        batch.items.push((item, crate::seed::golds(batch.task).remove(0)));
    }
    let item = |number: usize| batch.items[number].0.clone();
    batch.done(&item(0), &ann, &written("票在老王手上。", "票在老王手里。", true)).await;
    batch.done(&item(1), &bob, &written("雨滴落在篮子上。", "雨滴落在篮子里。", false)).await;
    batch.done(&item(2), &ann, &written("猫趴在箱子上。", "猫趴在箱子里。", false)).await;
    batch.done(&item(2), &bob, &written("权在他手上。", "权在他手里。", true)).await;
    // Without a reason.
    let mut bare = written("信塞在门缝上。", "信塞在门缝里。", false);
    bare["answer"] = json!({ "results": [{ "judge": "false" }] });
    batch.done(&item(3), &ann, &bare).await;
    batch
}

on_both! {
    async fn gold_of_authors_is_whole_records(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        let batch = authored(&site).await;
        let triage = json!({ "keep": "agreed", "rest": "adjudicate", "least_marks": 1, "apply": true });
        let plan = mia.json(POST, &format!("/api/agree/{}/triage", batch.batch), &triage).await.json();
        let decisions: Vec<&str> = plan["items"].as_array().expect("there").iter().map(|one| one["decision"].as_str().expect("there")).collect();
        assert_eq!(decisions, ["gold", "gold", "adjudicate", "gold"], "two pairs from the same words are two pairs, whatever their verdicts: {plan}");
        let file = mia.get(&format!("/api/agree/{}/gold", batch.batch)).await;
        let (items, defects) = read_items(batch.task, Source::from_bytes("gold", file.text.clone()).expect("there"), true).expect("readable");
        assert!(defects.is_empty(), "{defects:?} {}", file.text);
        assert_eq!(items[0].texts.joined(), "票在老王手上。票在老王手里。", "{}", file.text);
        let objections = mia.get(&format!("/api/agree/{}/objections", batch.batch)).await.json();
        let blocked = (&objections["items"], &objections["survey"]["blocked"], &objections["survey"]["rules"][0]["examples"][0]["qid"]);
        assert_eq!(blocked, (&json!(3), &json!(1), &json!("q4")), "only what has no reason is objected to: {objections}");
        assert!(!objections["told"].to_string().contains("context"), "{objections}");
        let report = mia.get(&format!("/api/agree/{}?resamples=0", batch.batch)).await.json();
        assert!(report["agreement"].is_null() && report["scores"].is_null(), "authors judge their own texts, which nobody else has: {report}");
    }
}

on_both! {
    async fn written_pairs_are_cross_checked_by_others(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        let from = authored(&site).await;
        let path = format!("/api/batches/{}/cross-check", from.batch);
        for (wrong, why) in [(json!({ "name": "x", "mode": "human" }), "mode"), (json!({ "name": "x", "per_item": 1 }), "nobody but the author")] {
            assert_eq!(mia.json(POST, &path, &wrong).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{why}");
        }
        let made = mia.json(POST, &path, &json!({ "name": "互审" })).await;
        assert_eq!((made.status, &made.json()["items"]), (StatusCode::CREATED, &json!(5)), "{}", made.text);
        let batch = made.json()["id"].as_str().expect("an id").to_owned();
        let records = column(&site, "SELECT record FROM item WHERE batch = $1 ORDER BY number", &batch).await;
        let first: Value = serde_json::from_str(&records[0]).expect("JSON");
        assert_eq!((&first["context1"], first.get("results")), (&json!("票在老王手上。"), None), "without the author's verdict");
        let qids = column(&site, "SELECT qid FROM item WHERE batch = $1 ORDER BY number", &batch).await;
        assert_eq!(qids, ["q1", "q2", "q3-1", "q3-2", "q4"]);

        let request = json!({ "people": ["ann", "bob", "cat"], "load": 9, "seed": 1 });
        let plan = mia.json(POST, &format!("/api/batches/{batch}/plan"), &request).await.json();
        let given = plan["given"].as_array().expect("a list");
        assert_eq!((given.len(), &plan["short"]), (5, &json!([])), "one more person for each pair: {plan}");
        for one in given {
            let select = "SELECT account FROM assignment WHERE item = $1 AND version > 0";
            let author = column(&site, select, one["item"].as_str().expect("an item")).await;
            assert_ne!(json!(author[0]), one["account"], "nobody checks what they wrote");
        }
        let order = json!({ "request": request, "hash": plan["hash"] });
        assert_eq!(mia.json(POST, &format!("/api/batches/{batch}/assign"), &order).await.status, StatusCode::OK);

        // Everybody says "not one scene": that is what the authors of q2, q3-1 and q4 said.
        let task = from.task;
        let check = Seed { site: &site, batch: batch.clone(), task, mode: BatchMode::Agreement, items: Vec::new() };
        for work in column(&site, "SELECT id FROM assignment WHERE batch = $1 AND version = 0", &batch).await {
            let mark = json!({ "version": 1, "rules": 1, "answer": { "results": [{ "judge": "false", "reason": "差别在于“上”和“里”，位置不同。" }] } });
            check.finish(&work, &mark).await;
        }
        let triage = json!({ "keep": "agreed", "rest": "adjudicate", "apply": true });
        let plan = mia.json(POST, &format!("/api/agree/{batch}/triage"), &triage).await.json();
        let decisions: Vec<&str> = plan["items"].as_array().expect("there").iter().map(|one| one["decision"].as_str().expect("there")).collect();
        assert_eq!(decisions, ["adjudicate", "gold", "gold", "adjudicate", "gold"], "{plan}");
        let gold = mia.get(&format!("/api/agree/{batch}/gold")).await.text;
        let line: Value = serde_json::from_str(gold.lines().last().expect("a line")).expect("JSON");
        let reason = json!("差别在于“上”和“里”，位置不同。");
        assert_eq!((&line["context2"], &line["results"][0]["reason"]), (&json!("信塞在门缝里。"), &reason), "the mark with a reason stands for both");
        let objections = mia.get(&format!("/api/agree/{batch}/objections")).await.json();
        assert_eq!((&objections["items"], &objections["passes"]), (&json!(3), &json!(true)), "whole records that can be released: {objections}");
        let page = mia.post(&format!("/batches/{}/cross-check", from.batch), &[("name", "互审二"), ("mode", "annotate"), ("per_item", "3")]).await;
        assert_eq!(page.status, StatusCode::SEE_OTHER, "{}", page.text);
        assert!(mia.get(&format!("/batches/{}", from.batch)).await.text.contains("cross-check"), "the batch page offers it");
        let again = mia.json(POST, &format!("/api/batches/{batch}/cross-check"), &json!({ "name": "y" })).await;
        assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY, "nothing was written in a cross-check");
    }
}

on_both! {
    async fn grades_count_behind_the_gate_and_score_reads_them(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        for name in ["ann", "bob", "cat"] {
            site.person(name, Role::Annotator).await;
        }
        let made = mia.json(POST, "/api/batches", &json!({ "name": "理由", "task": "2023/scene", "mode": "grade", "per_item": 2 })).await;
        let batch = made.json()["id"].as_str().expect("an id").to_owned();
        let scene = |number: usize, judge: bool, reason: &str| {
            let line = json!({ "qid": format!("s{number}"), "context1": format!("第{number}盏灯挂在桌子上。"), "context2": format!("第{number}盏灯挂在桌子上方。"), "results": [{ "judge": judge.to_string(), "reason": reason }] });
            line.to_string() + "\n"
        };
        let answers: String = [scene(1, true, "都在上面"), scene(2, true, "没有差别"), scene(3, false, "高低不同"), scene(4, true, "都挂着")].concat();
        let items = format!("/api/batches/{batch}/items");
        assert_eq!(mia.send(POST, &items, "application/json", answers).await.json()["items"], 4);
        // s2 is judged wrong; of s4 nobody knows.
        let gold: String = [scene(1, true, ""), scene(2, false, ""), scene(3, false, ""), scene(9, true, "")].concat();
        let told = mia.send(POST, &format!("{items}?gold=true"), "application/json", gold.clone()).await;
        assert_eq!((told.status, &told.json()["items"]), (StatusCode::CREATED, &json!(3)), "{}", told.text);
        let other = scene(1, true, "").replace("桌子", "凳子");
        let refused = mia.send(POST, &format!("{items}?gold=true"), "application/json", other).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "other texts under the same name: {}", refused.text);

        let task = fangwei::tasks::find("2023/scene").expect("a task");
        let seed = Seed { site: &site, batch: batch.clone(), task, mode: BatchMode::Grade, items: Vec::new() };
        let ids = column(&site, "SELECT id FROM item WHERE batch = $1 ORDER BY number", &batch).await;
        let grade = |grade: u8| json!({ "version": 1, "rules": 1, "grade": grade });
        // Who grades differs from item to item: a file of two raters' names would not do.
        for (item, name, given) in [(0, "ann", 5), (0, "bob", 4), (1, "bob", 5), (1, "cat", 5), (2, "ann", 2), (2, "cat", 4), (3, "ann", 1), (3, "bob", 1)] {
            seed.done(&ids[item], &site.id(name).await, &grade(given)).await;
        }
        let file = mia.get(&format!("/api/batches/{batch}/grades")).await;
        let (read, defects) = read_grades("grades.csv", &file.text);
        assert!(defects.is_empty(), "{defects:?}");
        let raters: Vec<[f64; 2]> = read.iter().map(|one| one.raters).collect();
        assert_eq!(raters, [[5.0, 4.0], [0.0, 0.0], [2.0, 4.0], [1.0, 1.0]], "a wrong judgement is worth nothing: {}", file.text);

        let sums = mia.get(&format!("/api/batches/{batch}")).await.json()["grades"].clone();
        assert_eq!((&sums["items"], &sums["gated"], &sums["without_gold"], &sums["waiting"]), (&json!(3), &json!(1), &json!(1), &json!(0)), "{sums}");
        // (5 + 0 + 2) / 3 and (4 + 0 + 4) / 3, and the mean of both.
        assert!((sums["paper_mean"].as_f64().expect("a number") - 2.5).abs() < 1e-12, "{sums}");
        let golds = read_items(task, Source::from_bytes("gold", gold).expect("there"), true).expect("readable").0;
        let preds: Vec<_> = golds[..3].iter().zip([true, true, false]).map(|(gold, judge)| {
            let verdict = fangwei::answer::Verdict::Plain(judge);
            (gold.clone(), Some(fangwei::answer::Answer::Scene(fangwei::answer::Scene { judge: verdict, reason: Some("x".into()) })))
        }).collect();
        assert!((grade_scenes(Rubric::Paper, &preds, &read).0.mean - 2.5).abs() < 1e-12, "as the command counts");
        let page = mia.get(&format!("/batches/{batch}")).await.text;
        assert!(page.contains("2.5000") && page.contains(&format!("/api/batches/{batch}/grades")), "{page}");
        let labels = mia.get(&format!("/api/batches/{batch}/labels")).await.text;
        assert!(labels.contains(r#""label":"5""#), "labels are what raters said, for their agreement: {labels}");
        let mut ann = site.person("dan", Role::Annotator).await;
        assert_eq!(ann.get(&format!("/api/batches/{batch}/grades")).await.status, StatusCode::FORBIDDEN);
    }
}
