//! Work in batches: brought in whole or not at all, given out as previewed, taken back, watched, talked about, pre-annotated, exported.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::{Method, StatusCode};
use fangwei_web::id;
use fangwei_web::policy::Role;
use serde_json::{Value, json};
use sqlx::Row;

use crate::site::{Answer, Browser, Site, on_both};

const POST: Method = Method::POST;

fn sample(file: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

async fn make(manager: &mut Browser, name: &str, task: &str, mode: &str, per_item: usize) -> String {
    let body = json!({ "name": name, "task": task, "mode": mode, "per_item": per_item });
    let made = manager.json(POST, "/api/batches", &body).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    made.json()["id"].as_str().expect("an id").to_owned()
}

async fn import(manager: &mut Browser, batch: &str, query: &str, lines: &str) -> Answer {
    manager.send(POST, &format!("/api/batches/{batch}/items{query}"), "application/json", lines.to_owned()).await
}

/// Judgement items of our own: 1, 2, …, with gold where asked.
fn judgements(from: usize, count: usize, with_gold: bool) -> String {
    let line = |number: usize| {
        let gold = if with_gold { format!(",\"judge\":{}", number % 2) } else { String::new() };
        format!(
            "{{\"qid\":\"1-dev-{number}\",\"context\":\"小猫在第{number}个箱子里睡觉。\",\"origin\":\"o{}\"{gold}}}\n",
            number / 3
        )
    };
    (from..from + count).map(line).collect()
}

async fn open(manager: &mut Browser, batch: &str) {
    let opened = manager.json(POST, &format!("/api/batches/{batch}/state"), &json!({ "state": "open" })).await;
    assert_eq!(opened.status, StatusCode::OK, "{}", opened.text);
}

/// Previews and carries out.
async fn assign(manager: &mut Browser, batch: &str, request: &Value) -> Value {
    let plan = manager.json(POST, &format!("/api/batches/{batch}/plan"), request).await;
    assert_eq!(plan.status, StatusCode::OK, "{}", plan.text);
    let order = json!({ "request": request, "hash": plan.json()["hash"] });
    let done = manager.json(POST, &format!("/api/batches/{batch}/assign"), &order).await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    done.json()
}

/// Assignment, qid and state of somebody, in the order of the batch.
async fn work_of(site: &Site, account: &str) -> Vec<(String, String, String)> {
    let select = "SELECT assignment.id, item.qid, assignment.state FROM assignment JOIN item ON item.id = assignment.item WHERE assignment.account = $1 ORDER BY item.number";
    let rows = sqlx::query(select).bind(account.to_owned()).fetch_all(site.app.database.read()).await.expect("rows");
    rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect()
}

async fn count(site: &Site, select: &'static str) -> i64 {
    sqlx::query_scalar(select).fetch_one(site.app.database.read()).await.expect("a number")
}

async fn set_state(site: &Site, assignment: &str, state: &str) {
    let mut changes = site.app.database.begin().await.expect("changes");
    let update = sqlx::query("UPDATE assignment SET state = $1 WHERE id = $2").bind(state.to_owned()).bind(assignment.to_owned());
    update.execute(&mut *changes).await.expect("set");
    changes.commit().await.expect("kept");
}

/// Saves a mark as an annotator would: a verdict, finished or not.
async fn mark(site: &Site, assignment: &str, author: &str, judge: i64, finished: bool) {
    let (mut changes, now) = (site.app.database.begin().await.expect("changes"), site.app.now());
    let content = json!({ "version": 1, "rules": 1, "answer": { "judge": judge } }).to_string();
    let select = sqlx::query_scalar("SELECT version FROM assignment WHERE id = $1").bind(assignment.to_owned());
    let version: i64 = select.fetch_one(&mut *changes).await.expect("a version");
    sqlx::query("INSERT INTO mark (id, assignment, version, author, source, content, finished, at, client) VALUES ($1, $2, $3, $4, 'person', $5, $6, $7, $1)")
        .bind(id::at(now))
        .bind(assignment.to_owned())
        .bind(version + 1)
        .bind(author.to_owned())
        .bind(content)
        .bind(i64::from(finished))
        .bind(now)
        .execute(&mut *changes)
        .await
        .expect("a mark");
    let update = "UPDATE assignment SET version = version + 1, state = $1, spent_ms = 5000, changed_at = $2, finished_at = $2 WHERE id = $3";
    sqlx::query(update)
        .bind(if finished { "done" } else { "draft" })
        .bind(now)
        .bind(assignment.to_owned())
        .execute(&mut *changes)
        .await
        .expect("set");
    changes.commit().await.expect("kept");
}

async fn say(site: &Site, batch: &str, item_qid: &str, author: &str, kind: &str, text: &str) -> String {
    let (mut changes, now) = (site.app.database.begin().await.expect("changes"), site.app.now());
    let id = id::at(now);
    let insert = "INSERT INTO message (id, batch, item, author, kind, text, at) SELECT $1, $2, item.id, $4, $5, $6, $7 FROM item WHERE item.batch = $2 AND item.qid = $3";
    sqlx::query(insert)
        .bind(id.clone())
        .bind(batch.to_owned())
        .bind(item_qid.to_owned())
        .bind(author.to_owned())
        .bind(kind.to_owned())
        .bind(text.to_owned())
        .bind(now)
        .execute(&mut *changes)
        .await
        .expect("a message");
    changes.commit().await.expect("kept");
    id
}

on_both! {
    async fn official_files_come_in_with_their_gold_apart(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        let files = [
            ("2021/judge", "2021/judge/gold.json"), ("2021/reason", "2021/reason/gold.json"), ("2022/judge", "2022/judge/gold.jsonl"),
            ("2022/attribute", "2022/attribute/gold.jsonl"), ("2022/roles", "2022/roles/gold.jsonl"),
            ("2023/anomaly", "2023/anomaly/gold.jsonl"), ("2023/roles", "2023/roles/gold.jsonl"), ("2023/scene", "2023/scene/gold.jsonl"),
        ];
        for (task, file) in files {
            let answer = fangwei::tasks::find(task).expect("a task").about().answer;
            let batch = make(&mut manager, task, task, "annotate", 2).await;
            let done = import(&mut manager, &batch, "", &sample(file)).await;
            assert_eq!(done.status, StatusCode::CREATED, "{task}: {}", done.text);
            let listed = manager.get(&format!("/api/batches/{batch}/items")).await.json();
            let listed = listed["items"].as_array().expect("items").clone();
            assert_eq!(done.json()["items"], listed.len(), "{task}");
            assert_eq!(done.json()["with_gold"], listed.len(), "{task}: every item of a gold file has gold");
            let rows = sqlx::query("SELECT record, secret, origin, genre FROM item WHERE batch = $1").bind(batch).fetch_all(site.app.database.read()).await.expect("rows");
            for row in &rows {
                let (record, secret): (String, String) = (row.get(0), row.get(1));
                let (record, secret): (Value, Value) = (serde_json::from_str(&record).expect("JSON"), serde_json::from_str(&secret).expect("JSON"));
                assert!(record.get(answer).is_none() && record.get("origin").is_none(), "{task}: {record}");
                assert!(secret["gold"].get(answer).is_some(), "{task}: {secret}");
            }
            if task == "2022/judge" {
                assert_eq!((listed[0]["origin"].as_str(), listed[0]["genre"].as_str()), (Some("o01"), Some("报刊")));
            }
        }
    }
}

on_both! {
    async fn a_file_with_errors_is_refused_whole_with_every_line(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        let batch = make(&mut manager, "bad", "2022/judge", "annotate", 1).await;
        let lines = "{\"qid\":\"a\",\"context\":\"灯在桌上。\"}\n{\"qid\":\"b\"}\nnonsense\n{\"qid\":\"a\",\"context\":\"灯在桌下。\"}\n{\"qid\":\"c\",\"context\":\"灯在墙上。\",\"judge\":[]}\n";
        let refused = import(&mut manager, &batch, "?file=my.jsonl", lines).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
        let detail = refused.json()["detail"].clone();
        let told: Vec<(u64, &str, &str)> = detail["defects"].as_array().expect("defects").iter()
            .map(|defect| (defect["line"].as_u64().unwrap_or(0), defect["qid"].as_str().unwrap_or("-"), defect["code"].as_str().unwrap_or(""))).collect();
        assert_eq!(told, [(2, "b", "missing-field"), (3, "-", "bad-json"), (4, "a", "duplicate-qid"), (5, "c", "bad-verdict")], "{detail}");
        assert_eq!(detail["defects"][0]["file"], "my.jsonl");
        assert_eq!(count(&site, "SELECT COUNT(*) FROM item").await, 0, "nothing comes in half");
        assert_eq!(import(&mut manager, &batch, "", "{\"qid\":\"a\",\"context\":\"灯在桌上。\"}\n").await.status, StatusCode::CREATED);
        let again = import(&mut manager, &batch, "", "{\"qid\":\"z\",\"context\":\"灯在床下。\"}\n{\"qid\":\"a\",\"context\":\"灯在桌上。\"}\n").await;
        assert_eq!(again.json()["detail"]["defects"][0]["line"], 2, "{}", again.text);
        assert_eq!(count(&site, "SELECT COUNT(*) FROM item").await, 1, "a qid that the batch has is refused with its file");
        assert_eq!(import(&mut manager, &batch, "", "").await.status, StatusCode::UNPROCESSABLE_ENTITY, "an empty file");
        assert_eq!(import(&mut manager, &batch, "?checks=true", "{\"qid\":\"y\",\"context\":\"灯在床下。\"}\n").await.status, StatusCode::UNPROCESSABLE_ENTITY, "a check question needs gold");
    }
}

on_both! {
    async fn a_large_file_comes_in_and_other_routes_stay_small(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        let batch = make(&mut manager, "large", "2022/judge", "annotate", 1).await;
        let long = "山".repeat(1_000_000);
        let done = import(&mut manager, &batch, "", &format!("{{\"qid\":\"a\",\"context\":\"{long}\"}}\n")).await;
        assert_eq!(done.status, StatusCode::CREATED, "3 MB: {}", done.text);
        let other = manager.json(POST, &format!("/api/batches/{batch}/plan"), &json!({ "people": [long] })).await;
        assert!(other.status.is_client_error(), "{}", other.status);
    }
}

on_both! {
    async fn candidates_come_in_blind(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        let batch = make(&mut manager, "candidates", "2022/judge", "annotate", 2).await;
        let lines: String = sample("candidates.jsonl").lines().take(30).map(|line| format!("{line}\n")).collect();
        let done = import(&mut manager, &batch, "", &lines).await;
        assert_eq!(done.json()["items"], 30, "{}", done.text);
        let rows = sqlx::query("SELECT qid, record, secret, origin, genre FROM item").fetch_all(site.app.database.read()).await.expect("rows");
        for row in &rows {
            let (qid, record, secret): (String, String, String) = (row.get(0), row.get(1), row.get(2));
            let record: Value = serde_json::from_str(&record).expect("JSON");
            let fields: Vec<&String> = record.as_object().expect("a map").keys().collect();
            assert_eq!(fields, ["qid", "context"], "only what an annotator may see");
            assert!(qid.starts_with("b-") && !qid.contains('@'), "the name tells nothing: {qid}");
            let secret: Value = serde_json::from_str(&secret).expect("JSON");
            let (at, to) = (secret["replaced"][0]["at"].as_u64().expect("a place"), secret["replaced"][0]["to"].as_str().expect("a word"));
            let found: String = record["context"].as_str().expect("a text").chars().skip(at as usize).take(to.chars().count()).collect();
            assert_eq!(found, to);
            assert!(!row.get::<String, _>(3).is_empty() && !row.get::<String, _>(4).is_empty(), "origin and genre are kept");
        }
        let again = import(&mut manager, &batch, "", &lines).await;
        assert_eq!(again.json()["detail"]["count"], 30, "the same candidates are known again: {}", again.text);
        let scene = make(&mut manager, "scene", "2023/scene", "annotate", 2).await;
        assert_eq!(import(&mut manager, &scene, "", &lines).await.status, StatusCode::UNPROCESSABLE_ENTITY, "a scene needs two texts");
        let author = make(&mut manager, "author", "2023/scene", "author", 1).await;
        assert_eq!(import(&mut manager, &author, "", "{\"qid\":\"w1\",\"pair\":[\"上\",\"里\"]}\n").await.status, StatusCode::CREATED);
        assert_eq!(import(&mut manager, &author, "", "{\"qid\":\"w2\",\"pair\":[\"上\"]}\n").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

on_both! {
    async fn what_the_preview_said_is_done_once(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        for name in ["anna", "bert", "cara"] {
            site.person(name, Role::Annotator).await;
        }
        let batch = make(&mut manager, "plan", "2022/judge", "annotate", 2).await;
        import(&mut manager, &batch, "", &judgements(1, 12, false)).await;
        let request = json!({ "people": ["anna", "bert", "cara"], "load": 20, "seed": 3 });
        let path = format!("/api/batches/{batch}");
        let plan = manager.json(POST, &format!("{path}/plan"), &request).await.json();
        assert_eq!(plan["given"].as_array().map(Vec::len), Some(24), "12 items for two people each");
        assert_eq!(plan, manager.json(POST, &format!("{path}/plan"), &request).await.json(), "a preview changes nothing");
        assert_eq!(count(&site, "SELECT COUNT(*) FROM assignment").await, 0);
        let order = json!({ "request": request, "hash": plan["hash"] });
        let done = manager.json(POST, &format!("{path}/assign"), &order).await;
        assert_eq!(done.json()["given"], plan["given"]);
        assert_eq!(count(&site, "SELECT COUNT(*) FROM assignment WHERE state = 'new' AND version = 0").await, 24);
        assert_eq!(manager.json(POST, &format!("{path}/assign"), &order).await.status, StatusCode::CONFLICT, "the same order again");
        let again = manager.json(POST, &format!("{path}/plan"), &request).await.json();
        assert_eq!(again["given"], json!([]), "everything is given");
        for name in ["anna", "bert", "cara"] {
            assert_eq!(work_of(&site, &site.id(name).await).await.len(), 8, "work is even");
        }
        // More items come in between a preview and its order.
        let request = json!({ "people": ["anna", "bert"], "load": 20, "seed": 3 });
        let stale = manager.json(POST, &format!("{path}/plan"), &request).await.json();
        import(&mut manager, &batch, "", &judgements(13, 2, false)).await;
        let order = json!({ "request": request, "hash": stale["hash"] });
        let refused = manager.json(POST, &format!("{path}/assign"), &order).await;
        assert_eq!((refused.status, refused.json()["error"].as_str()), (StatusCode::CONFLICT, Some("conflict")));
        let unknown = manager.json(POST, &format!("{path}/plan"), &json!({ "people": ["nobody"], "load": 1 })).await;
        assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
        let noted = count(&site, "SELECT COUNT(*) FROM audit WHERE action IN ('make-batch', 'import-items', 'assign')").await;
        assert_eq!(noted, 4, "one batch, two imports, one assignment are noted; refusals are not");
    }
}

on_both! {
    async fn of_two_orders_at_once_one_wins(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        for name in ["anna", "bert", "cara", "dora"] {
            site.person(name, Role::Annotator).await;
        }
        let batch = make(&mut manager, "race", "2022/judge", "annotate", 2).await;
        import(&mut manager, &batch, "", &judgements(1, 30, false)).await;
        let path = format!("/api/batches/{batch}");
        let mut orders = Vec::new();
        for seed in [1, 2] {
            let request = json!({ "people": ["anna", "bert", "cara", "dora"], "load": 30, "seed": seed });
            let plan = manager.json(POST, &format!("{path}/plan"), &request).await.json();
            orders.push(json!({ "request": request, "hash": plan["hash"] }));
        }
        let (mut one, mut other) = (manager.clone(), manager.clone());
        let address = format!("{path}/assign");
        let (first, second) = tokio::join!(one.json(POST, &address, &orders[0]), other.json(POST, &address, &orders[1]));
        let mut told = [first.status, second.status];
        told.sort();
        assert_eq!(told, [StatusCode::OK, StatusCode::CONFLICT], "{} {}", first.text, second.text);
        assert_eq!(count(&site, "SELECT COUNT(*) FROM assignment").await, 60, "no item has more than two people");
    }
}

on_both! {
    async fn unfinished_work_comes_back_and_passes_to_others(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        for name in ["anna", "bert", "cara"] {
            site.person(name, Role::Annotator).await;
        }
        let (anna, bert) = (site.id("anna").await, site.id("bert").await);
        let batch = make(&mut manager, "recall", "2022/judge", "annotate", 1).await;
        import(&mut manager, &batch, "", &judgements(1, 6, false)).await;
        assign(&mut manager, &batch, &json!({ "people": ["anna"], "load": 6, "seed": 1 })).await;
        let work = work_of(&site, &anna).await;
        mark(&site, &work[0].0, &anna, 1, true).await;
        mark(&site, &work[1].0, &anna, 1, false).await;
        // Hand over what is untouched: the finished and the begun stay.
        let request = json!({ "people": ["anna", "bert", "cara"], "load": 6, "seed": 1, "recall": "untouched", "from": ["anna"], "hand_over": true });
        let done = assign(&mut manager, &batch, &request).await;
        assert_eq!((done["recalled"].as_array().map(Vec::len), done["given"].as_array().map(Vec::len)), (Some(4), Some(4)));
        let states: Vec<String> = work_of(&site, &anna).await.into_iter().map(|(.., state)| state).collect();
        assert_eq!(states, ["done", "draft", "recalled", "recalled", "recalled", "recalled"]);
        assert_eq!(work_of(&site, &bert).await.len(), 2, "two each for the two others, none back to anna");
        // The begun one too; nobody gets anything.
        let done = assign(&mut manager, &batch, &json!({ "recall": "unfinished", "from": ["anna"] })).await;
        assert_eq!((done["recalled"].as_array().map(Vec::len), done["given"].as_array().map(Vec::len)), (Some(1), Some(0)));
        assert_eq!(count(&site, "SELECT COUNT(*) FROM mark").await, 2, "what was saved stays");
        // Anna gets it again, as she left it.
        let done = assign(&mut manager, &batch, &json!({ "people": ["anna"], "load": 6 })).await;
        assert_eq!(done["given"].as_array().map(Vec::len), Some(1));
        assert_eq!(work_of(&site, &anna).await[1].2, "draft");
        // Who would get back what is taken from them just keeps it.
        let request = json!({ "people": ["anna", "bert", "cara"], "load": 6, "seed": 9, "recall": "unfinished" });
        let plan = manager.json(POST, &format!("/api/batches/{batch}/plan"), &request).await.json();
        let pairs = |name: &str| -> BTreeSet<String> { plan[name].as_array().expect("pairs").iter().map(ToString::to_string).collect() };
        assert!(pairs("given").is_disjoint(&pairs("recalled")), "{plan}");
        assert_eq!(pairs("given").len(), pairs("recalled").len(), "five items change hands or stay: {plan}");
        // Somebody who saves after the preview keeps their work.
        let request = json!({ "recall": "untouched", "from": ["bert"] });
        let plan = manager.json(POST, &format!("/api/batches/{batch}/plan"), &request).await.json();
        mark(&site, &work_of(&site, &bert).await[0].0, &bert, 1, false).await;
        let order = json!({ "request": request, "hash": plan["hash"] });
        assert_eq!(manager.json(POST, &format!("/api/batches/{batch}/assign"), &order).await.status, StatusCode::CONFLICT);
    }
}

on_both! {
    async fn check_questions_look_like_all_others(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        let mut anna = site.person("anna", Role::Annotator).await;
        let batch = make(&mut manager, "checks", "2022/judge", "annotate", 1).await;
        import(&mut manager, &batch, "", &judgements(1, 60, false)).await;
        let checks = judgements(900, 5, true).replace("1-dev-", "gold-train-");
        assert_eq!(import(&mut manager, &batch, "?checks=true", &checks).await.status, StatusCode::CREATED);
        let rows = sqlx::query("SELECT qid, number, record, secret FROM item WHERE is_check = 1 ORDER BY number").fetch_all(site.app.database.read()).await.expect("rows");
        assert_eq!(rows.len(), 5);
        for row in &rows {
            let (qid, record, secret): (String, String, String) = (row.get(0), row.get(2), row.get(3));
            assert!(qid.starts_with("1-dev-"), "named like the others: {qid}");
            assert!(record.contains(&qid) && !record.contains("judge") && !record.contains("gold"), "{record}");
            assert!(secret.contains("gold-train-9"), "what it was called is kept: {secret}");
        }
        let known: BTreeSet<String> = rows.iter().map(|row| row.get(0)).collect();
        assert_eq!(known, (61..=65).map(|number| format!("1-dev-{number}")).collect(), "and numbered where the others end");
        let numbers: BTreeSet<i64> = sqlx::query("SELECT number FROM item").fetch_all(site.app.database.read()).await.expect("rows").iter().map(|row| row.get(0)).collect();
        assert_eq!(numbers, (1..=65).collect(), "numbers have no gap");
        assert!(rows.iter().any(|row| row.get::<i64, _>(1) <= 60), "and check questions are not the last ones");
        open(&mut manager, &batch).await;
        assign(&mut manager, &batch, &json!({ "people": ["anna"], "load": 10, "checks": 3, "seed": 5 })).await;
        let select = "SELECT COUNT(*) FROM assignment JOIN item ON item.id = assignment.item WHERE item.is_check = 1";
        assert_eq!((work_of(&site, &site.id("anna").await).await.len(), count(&site, select).await), (13, 3));
        for path in ["/", "/me/work"] {
            let page = anna.get(path).await;
            assert_eq!(page.status, StatusCode::OK, "{}", page.text);
            for word in ["is_check", "tile-check", "gold-train", "check question"] {
                assert!(!page.text.contains(word), "{path} tells {word}");
            }
        }
        // Thirteen tiles that differ in nothing but their place and address.
        let page = anna.get("/").await.text;
        let kinds: BTreeSet<&str> = page.split("<a class=\"tile ").skip(1).map(|rest| rest.split('"').next().expect("a class")).collect();
        assert_eq!((page.matches("<a class=\"tile ").count(), kinds), (13, ["tile-new"].into()));
        // Existing items become check questions only with gold.
        let path = format!("/api/batches/{batch}/checks");
        let refused = manager.json(POST, &path, &json!({ "qids": ["1-dev-1"], "is_check": true })).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        let qid: String = rows[0].get(0);
        assert_eq!(manager.json(POST, &path, &json!({ "qids": [qid], "is_check": false })).await.json()["changed"], 1);
    }
}

on_both! {
    async fn home_shows_first_what_needs_one_first(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        let mut anna = site.person("anna", Role::Annotator).await;
        let id = site.id("anna").await;
        assert!(!anna.get("/").await.text.contains("/work/"), "nothing waits");
        let batch = make(&mut manager, "home", "2022/judge", "annotate", 1).await;
        import(&mut manager, &batch, "", &judgements(1, 5, false)).await;
        assign(&mut manager, &batch, &json!({ "people": ["anna"], "load": 5 })).await;
        assert!(!anna.get("/").await.text.contains("/work/"), "a batch that is not open shows nothing");
        open(&mut manager, &batch).await;
        let work = work_of(&site, &id).await;
        let next = |page: Answer| page.between("<a class=\"button\" href=\"/work/", "\"");
        assert_eq!(next(anna.get("/").await), work[0].0, "the first new one");
        mark(&site, &work[3].0, &id, 1, false).await;
        assert_eq!(next(anna.get("/").await), work[3].0, "a draft before new ones");
        let question = say(&site, &batch, "1-dev-3", &id, "question", "箱子算处所吗").await;
        crate::site::pass(1000);
        let answer = json!({ "to": question, "text": "算" });
        assert_eq!(manager.json(POST, &format!("/api/batches/{batch}/threads"), &answer).await.status, StatusCode::CREATED);
        assert_eq!(next(anna.get("/").await), work[2].0, "an answer before a draft");
        set_state(&site, &work[4].0, "returned").await;
        assert_eq!(next(anna.get("/").await), work[4].0, "what came back before all");
        mark(&site, &work[2].0, &id, 1, true).await;
        crate::site::pass(1000);
        set_state(&site, &work[4].0, "approved").await;
        assert_eq!(next(anna.get("/").await), work[3].0, "who went on after the answer has seen it");
        let page = anna.get("/").await.text;
        assert!(page.contains("2 / 5"), "done and approved: {page}");
        assert!(!page.contains("href=\"/batches"), "annotators see only their own");
        assert!(manager.get("/").await.text.contains(&format!("/batches/{batch}")), "managers see how batches are");
        manager.json(POST, &format!("/api/batches/{batch}/state"), &json!({ "state": "closed" })).await;
        assert!(!anna.get("/").await.text.contains("/work/"), "a closed batch is over");
    }
}

on_both! {
    async fn questions_are_found_and_answered(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        site.person("anna", Role::Annotator).await;
        site.person("bert", Role::Annotator).await;
        let (anna, bert) = (site.id("anna").await, site.id("bert").await);
        let batch = make(&mut manager, "talk", "2022/judge", "annotate", 1).await;
        import(&mut manager, &batch, "", &judgements(1, 3, false)).await;
        let first = say(&site, &batch, "1-dev-1", &anna, "question", "100% 的把握要不要 <b>标</b>").await;
        crate::site::pass(1000);
        say(&site, &batch, "1-dev-2", &bert, "report", "Typo in the text").await;
        let path = format!("/api/batches/{batch}/threads");
        let qids = |answer: Answer| -> Vec<String> {
            let threads = answer.json()["threads"].as_array().expect("threads").clone();
            threads.iter().map(|thread| format!("{} {}", thread["qid"].as_str().expect("a qid"), thread["state"].as_str().expect("a state"))).collect()
        };
        assert_eq!(qids(manager.get(&path).await), ["1-dev-1 open", "1-dev-2 open"], "what waits longest first");
        for (words, found) in [("typo", "1-dev-2 open"), ("DEV-1", "1-dev-1 open"), ("BERT", "1-dev-2 open"), ("100%25", "1-dev-1 open"), ("把握", "1-dev-1 open")] {
            let words: String = words.chars().map(|letter| if letter.is_ascii() { letter.to_string() } else { letter.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect() }).collect();
            assert_eq!(qids(manager.get(&format!("{path}?q={words}")).await), [found], "{words}");
        }
        assert_eq!(qids(manager.get(&format!("{path}?q=0_0")).await), Vec::<String>::new(), "signs of LIKE are letters");
        let answered = manager.json(POST, &path, &json!({ "to": first, "text": "不用" })).await;
        assert_eq!(answered.status, StatusCode::CREATED, "{}", answered.text);
        assert_eq!(qids(manager.get(&path).await), ["1-dev-2 open", "1-dev-1 answered"]);
        assert_eq!(manager.json(POST, &path, &json!({ "to": first, "text": "" })).await.status, StatusCode::UNPROCESSABLE_ENTITY);
        manager.json(POST, &path, &json!({ "to": first, "text": "完", "resolved": true })).await;
        assert_eq!(qids(manager.get(&path).await), ["1-dev-2 open", "1-dev-1 resolved"]);
        assert_eq!(manager.get(&format!("/api/batches/{batch}")).await.json()["open_threads"], 1);
        let page = manager.get(&format!("/batches/{batch}/threads")).await.text;
        assert!(page.contains("&#60;b&#62;") || page.contains("&lt;b&gt;"), "what people write is text: {page}");
        let other = make(&mut manager, "other", "2022/judge", "annotate", 1).await;
        let foreign = manager.json(POST, &format!("/api/batches/{other}/threads"), &json!({ "to": first, "text": "x" })).await;
        assert_eq!(foreign.status, StatusCode::NOT_FOUND, "a thread belongs to its batch");
    }
}

on_both! {
    async fn predictors_suggest_where_they_may(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        for (mode, task) in [("human", "2022/judge"), ("agreement", "2022/judge"), ("grade", "2023/scene")] {
            let batch = make(&mut manager, mode, task, mode, 1).await;
            let refused = manager.json(POST, &format!("/api/batches/{batch}/suggestions"), &json!({ "predictor": "rule" })).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{mode}: {}", refused.text);
            let settings = [("predictor", "rule"), ("check_share", "0.1")];
            assert_eq!(manager.post(&format!("/batches/{batch}/settings"), &settings).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{mode}");
        }
        assert_eq!(count(&site, "SELECT COUNT(*) FROM suggestion").await, 0);
        for (task, file) in [("2022/judge", "2022/judge/gold.jsonl"), ("2023/roles", "2023/roles/gold.jsonl")] {
            let batch = make(&mut manager, task, task, "annotate", 1).await;
            let path = format!("/api/batches/{batch}/suggestions");
            let items = import(&mut manager, &batch, "", &sample(file)).await.json()["items"].as_i64();
            for unknown in ["nothing-there", "linear", "../models"] {
                assert_eq!(manager.json(POST, &path, &json!({ "predictor": unknown })).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{unknown}");
            }
            let begun = manager.json(POST, &path, &json!({ "predictor": "rule" })).await;
            assert_eq!(begun.status, StatusCode::ACCEPTED, "{}", begun.text);
            let mut run = Value::Null;
            for _ in 0..600 {
                run = manager.get(&path).await.json();
                if run["run"]["state"] != "running" {
                    break;
                }
                crate::site::pass(1000);
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            assert_eq!((run["run"]["state"].as_str(), run["kept"]["rule"].as_i64()), (Some("done"), items), "{run}");
            let select = "SELECT suggestion.content FROM suggestion JOIN item ON item.id = suggestion.item WHERE item.batch = $1";
            let rows = sqlx::query(select).bind(batch).fetch_all(site.app.database.read()).await.expect("rows");
            for row in &rows {
                let content: String = row.get(0);
                let given = fangwei::record::Json::parse(content.as_bytes()).expect("JSON");
                let mut check = fangwei::record::Check::new("mark".into(), 0);
                let task = fangwei::tasks::find(task).expect("a task");
                let mark = fangwei::annotate::Mark::read(task, &given, &mut check).expect("a mark");
                assert!(mark.answer.is_some(), "{content}");
            }
            let again = manager.json(POST, &path, &json!({ "predictor": "rule" })).await.json();
            assert_eq!(again["done"], again["items"], "what is answered is not asked again");
        }
    }
}

on_both! {
    async fn a_model_of_the_site_suggests(site: Site) {
        if !site.app.settings.models.is_absolute() {
            return; // the site on PostgreSQL has no folder of its own
        }
        let task = fangwei::tasks::find("2022/judge").expect("a task");
        let predictor = fangwei_predict::find("rule").expect("a predictor");
        let options = fangwei_predict::options::Options::new(predictor.options(), []).expect("options");
        let model = predictor.ready(task, &options).expect("a model");
        let record = fangwei_predict::folder::record(task, predictor, &options, 1, Vec::new(), BTreeMap::new(), None);
        fangwei_predict::folder::save(&site.app.settings.models.join("own-1"), record, model.as_ref()).expect("a folder");
        let mut manager = site.person("boss", Role::Manager).await;
        let other = make(&mut manager, "other", "2023/roles", "annotate", 1).await;
        let refused = manager.json(POST, &format!("/api/batches/{other}/suggestions"), &json!({ "predictor": "own-1" })).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "a model of another task: {}", refused.text);
        let batch = make(&mut manager, "model", "2022/judge", "annotate", 1).await;
        import(&mut manager, &batch, "", &judgements(1, 120, false)).await;
        let settings = [("predictor", "own-1"), ("check_share", "0")];
        assert_eq!(manager.post(&format!("/batches/{batch}/settings"), &settings).await.status, StatusCode::SEE_OTHER);
        let begun = manager.json(POST, &format!("/api/batches/{batch}/suggestions"), &json!({})).await;
        assert_eq!((begun.status, begun.json()["predictor"].as_str()), (StatusCode::ACCEPTED, Some("own-1")), "by default that of the settings");
        for _ in 0..600 {
            if count(&site, "SELECT COUNT(*) FROM suggestion WHERE predictor = 'own-1'").await == 120 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert_eq!(count(&site, "SELECT COUNT(*) FROM suggestion WHERE predictor = 'own-1'").await, 120, "in chunks of fifty, all");
    }
}

on_both! {
    async fn numbers_and_files_tell_what_people_did(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        let mut anna_browser = site.person("anna", Role::Annotator).await;
        site.person("bert", Role::Annotator).await;
        let batch = make(&mut manager, "numbers", "2022/judge", "annotate", 2).await;
        import(&mut manager, &batch, "", &judgements(1, 4, true)).await;
        manager.json(POST, &format!("/api/batches/{batch}/checks"), &json!({ "qids": ["1-dev-3", "1-dev-4"], "is_check": true })).await;
        open(&mut manager, &batch).await;
        assign(&mut manager, &batch, &json!({ "people": ["anna", "bert"], "load": 10, "checks": 2 })).await;
        // Gold is 1 for odd items: anna says 1 of all, bert 0 of all; anna's first is a second thought.
        for (name, judge) in [("anna", 1), ("bert", 0)] {
            let id = site.id(name).await;
            for (assignment, qid, _) in work_of(&site, &id).await {
                if qid == "1-dev-1" && name == "anna" {
                    mark(&site, &assignment, &id, 0, true).await;
                }
                mark(&site, &assignment, &id, judge, true).await;
                crate::site::pass(1000);
            }
        }
        let progress = manager.get(&format!("/api/batches/{batch}")).await.json();
        assert_eq!((&progress["done"], &progress["wanted"], &progress["checks"]), (&json!(8), &json!(8), &json!(2)));
        let labels: BTreeMap<&str, u64> = progress["labels"].as_array().expect("labels").iter().map(|label| (label["name"].as_str().expect("a name"), label["count"].as_u64().expect("a count"))).collect();
        assert_eq!(labels, [("true", 4), ("false", 4)].into(), "the last word counts");
        for person in progress["people"].as_array().expect("people") {
            assert_eq!(person["agreement"], json!(0.0), "they never agree: {person}");
            assert_eq!(person["check_score"], json!(0.5), "one of two check questions: {person}");
            assert_eq!(person["median_ms"], 5000);
        }
        let marks = manager.get(&format!("/api/batches/{batch}/marks")).await;
        assert_eq!(marks.text.lines().count(), 9, "every version");
        let first: Value = serde_json::from_str(marks.text.lines().next().expect("a line")).expect("JSON");
        assert_eq!((first["qid"].as_str(), first["annotator"].as_str(), first["state"].as_str(), first["content"]["answer"]["judge"].as_i64()), (Some("1-dev-1"), Some("anna"), Some("done"), Some(0)));
        let labels = manager.get(&format!("/api/batches/{batch}/labels")).await.text;
        let source = fangwei::record::Source::from_bytes("labels", labels).expect("a source");
        let (read, defects) = fangwei::agree::read_marks(source).expect("marks");
        assert!(defects.is_empty(), "{defects:?}");
        assert_eq!(read.len(), 8);
        assert!(read.iter().all(|mark| mark.label.as_deref() == Some(if mark.annotator == "anna" { "true" } else { "false" }) && mark.origin.is_some()));
        let own = manager.get(&format!("/api/batches/{batch}/labels?annotator=anna")).await.text;
        let task = fangwei::tasks::find("2022/judge").expect("a task");
        let source = fangwei::record::Source::from_bytes("anna", own).expect("a source");
        let (set, defects) = fangwei::agree::read_answers(task, "anna", source).expect("answers");
        assert_eq!((set.items.len(), defects.len()), (4, 0));
        let anna = site.id("anna").await;
        for path in [format!("/batches/{batch}"), format!("/batches/{batch}/items"), format!("/people/{anna}"), "/batches".to_owned()] {
            let page = manager.get(&path).await;
            assert_eq!(page.status, StatusCode::OK, "{path}: {}", page.text);
            assert_eq!(anna_browser.get(&path).await.status, StatusCode::FORBIDDEN, "{path}");
        }
        assert!(manager.get(&format!("/people/{anna}")).await.text.contains("50 %"), "check questions for managers");
        assert!(!anna_browser.get("/me/work").await.text.contains("50 %"), "not for oneself: it would tell which they are");
    }
}

on_both! {
    async fn forms_do_what_programs_do(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        site.person("anna", Role::Annotator).await;
        let anna = site.id("anna").await;
        let made = manager.post("/batches", &[("name", "表单"), ("task", "2022/judge"), ("mode", "annotate"), ("per_item", "1")]).await;
        assert_eq!(made.status, StatusCode::SEE_OTHER, "{}", made.text);
        let batch = made.location().split('/').nth(2).expect("an id").to_owned();
        let twice = manager.post("/batches", &[("name", "表单"), ("task", "2022/judge"), ("mode", "annotate"), ("per_item", "1")]).await;
        assert_eq!(twice.status, StatusCode::CONFLICT, "names are unique");
        import(&mut manager, &batch, "", &judgements(1, 4, true)).await;
        let flagged = manager.post(&format!("/batches/{batch}/checks"), &[("qid", "1-dev-2"), ("qid", "1-dev-3"), ("is_check", "1")]).await;
        assert_eq!(flagged.status, StatusCode::SEE_OTHER, "{}", flagged.text);
        let settings = [("predictor", "rule"), ("instructions", "先读全文"), ("check_share", "0.2"), ("time_limit_s", "")];
        assert_eq!(manager.post(&format!("/batches/{batch}/settings"), &settings).await.status, StatusCode::SEE_OTHER);
        assert_eq!(manager.post(&format!("/batches/{batch}/state"), &[("state", "open")]).await.status, StatusCode::SEE_OTHER);
        let query = format!("people={anna}&load=9&checks=1&seed=4&recall=none");
        assert_eq!(manager.get(&format!("/batches/{batch}/assign")).await.status, StatusCode::OK);
        let page = manager.get(&format!("/batches/{batch}/assign?{query}")).await;
        let hash = page.between("name=\"hash\" value=\"", "\"");
        let fields = [("people", anna.as_str()), ("load", "9"), ("checks", "1"), ("seed", "4"), ("recall", "none"), ("hash", hash.as_str())];
        let path = format!("/batches/{batch}/assign");
        assert_eq!(manager.post(&path, &fields).await.status, StatusCode::SEE_OTHER);
        assert_eq!(work_of(&site, &anna).await.len(), 3, "two items and a check question");
        assert_eq!(manager.post(&path, &fields).await.status, StatusCode::CONFLICT);
        assert_eq!(manager.post(&format!("/batches/{batch}/state"), &[("state", "closed")]).await.status, StatusCode::SEE_OTHER);
        assert_eq!(manager.post(&path, &fields).await.status, StatusCode::UNPROCESSABLE_ENTITY, "a closed batch gives nothing");
    }
}

on_both! {
    async fn strange_requests_are_refused_politely(site: Site) {
        let mut manager = site.person("boss", Role::Manager).await;
        let batch = make(&mut manager, "strange", "2022/judge", "annotate", 1).await;
        let path = format!("/api/batches/{batch}");
        let packed = import(&mut manager, &batch, "", "\u{1f}\u{8b}").await;
        assert!(packed.status.is_client_error());
        let bad = [
            import(&mut manager, &batch, "?checks=perhaps", "{}").await,
            manager.get("/api/batches/%00").await,
            manager.get(&format!("{path}/threads?q=%00")).await,
            manager.json(POST, "/api/batches", &json!({ "name": "a\u{0}b", "task": "2022/judge", "mode": "annotate" })).await,
            manager.json(POST, "/api/batches", &json!({ "name": "a", "task": "2022/jugde", "mode": "annotate" })).await,
            manager.json(POST, "/api/batches", &json!({ "name": "a", "task": "2022/judge", "mode": "dance" })).await,
            manager.json(POST, "/api/batches", &json!({ "name": "a", "task": "2022/judge", "mode": "annotate", "per_item": 0 })).await,
            manager.json(POST, "/api/batches", &json!({ "name": "a", "task": "2022/judge", "mode": "human", "settings": { "predictor": "rule" } })).await,
            manager.json(POST, &format!("{path}/state"), &json!({ "state": "lost" })).await,
            manager.json(POST, &format!("{path}/plan"), &json!({ "load": -1 })).await,
            manager.json(POST, &format!("{path}/checks"), &json!({ "qids": ["\u{0}"], "is_check": true })).await,
            manager.json(POST, &format!("{path}/threads"), &json!({ "to": "\u{0}", "text": "x" })).await,
        ];
        for (number, answer) in bad.iter().enumerate() {
            let is_polite = answer.status.is_client_error() && answer.json()["message"].is_string();
            // SQLite finds nothing where PostgreSQL refuses to look.
            assert!(is_polite || answer.status == StatusCode::OK && number == 2, "{number}: {} {}", answer.status, answer.text);
        }
        assert!(bad[4].text.contains("2022/judge"), "an unknown task is answered with the nearest: {}", bad[4].text);
    }
}
