//! The desk of an annotator: opening, saving, retries, conflicts, finishing, skipping, talking; blind, and each at their own desk.

use std::time::Instant;

use axum::http::{Method, StatusCode};
use fangwei::annotate::Mark;
use fangwei::annotate::form::BatchMode;
use fangwei_web::policy::Role;
use serde_json::{Value, json};
use sqlx::Row;

use crate::seed::{SECRET, Seed, write_rows};
use crate::site::{Answer, Browser, Site, on_both};

const PUT: Method = Method::PUT;
const POST: Method = Method::POST;

async fn save(browser: &mut Browser, id: &str, base: i64, sheet: &Value, client: &str) -> Answer {
    let body = json!({ "base": base, "sheet": sheet, "spent_ms": 1000 * (base + 1), "client": client });
    browser.json(PUT, &format!("/api/work/{id}"), &body).await
}

async fn finish(browser: &mut Browser, id: &str, base: i64, sheet: &Value, client: &str) -> Answer {
    let body = json!({ "base": base, "sheet": sheet, "spent_ms": 9000, "client": client });
    browser.json(POST, &format!("/api/work/{id}/finish"), &body).await
}

fn level(level: &str) -> Value {
    json!({ "choices": { "level": [level] } })
}

async fn judge<'s>(site: &'s Site, name: &str) -> (Browser, Seed<'s>, Vec<String>) {
    let browser = site.person(name, Role::Annotator).await;
    let seed = Seed::new(site, "2022/judge", BatchMode::Annotate, 3, &json!({ "instructions": "先读完" })).await;
    let given = seed.give(name).await;
    (browser, seed, given)
}

on_both! {
    async fn versions_follow_each_other_and_nothing_is_lost(site: Site) {
        let (mut ann, _, given) = judge(&site, "ann").await;
        let opened = ann.get(&format!("/api/work/{}", given[0])).await.json();
        assert_eq!((&opened["version"], &opened["source"], &opened["state"]), (&json!(0), &json!("empty"), &json!("new")));
        assert_eq!(opened["item"]["number"], 1);
        assert_eq!((&opened["next"], &opened["previous"]), (&json!(given[1]), &Value::Null));
        assert_eq!(opened["batch"]["instructions"], "先读完");
        let text = opened["texts"][0]["text"].as_str().expect("a text");
        let words = opened["texts"][0]["words"].as_array().expect("words");
        assert_eq!(words.last().expect("a word")[1], text.chars().count(), "words cover the text");
        assert!(words.iter().any(|word| word[2] == "preposition"), "spatial words are classed");

        let first = save(&mut ann, &given[0], 0, &level("bad"), "a").await;
        assert_eq!(first.status, StatusCode::OK, "{}", first.text);
        assert_eq!(first.json()["version"], 1);
        let again = save(&mut ann, &given[0], 0, &level("bad"), "a").await;
        assert_eq!((again.status, &again.json()["version"]), (StatusCode::OK, &json!(1)), "a retry is answered like the first time");
        let other = save(&mut ann, &given[0], 0, &level("fine"), "b").await;
        assert_eq!(other.status, StatusCode::CONFLICT, "another change on the same version");
        let there = &other.json()["detail"];
        assert_eq!((&there["version"], &there["sheet"]["choices"]["level"][0], &there["author"]), (&json!(1), &json!("bad"), &json!("ann")));
        assert_eq!(save(&mut ann, &given[0], 1, &level("fine"), "c").await.json()["version"], 2);
        assert_eq!(save(&mut ann, &given[0], 7, &level("fine"), "d").await.status, StatusCode::CONFLICT, "a version that never was");

        let now = ann.get(&format!("/api/work/{}", given[0])).await.json();
        assert_eq!((&now["version"], &now["source"], &now["state"], &now["spent_ms"]), (&json!(2), &json!("person"), &json!("draft"), &json!(2000)));
        let kept: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM mark").fetch_one(site.app.database.read()).await.expect("a number");
        assert_eq!(kept, 2, "every version stays, and none twice");
    }
}

on_both! {
    async fn what_has_errors_is_not_finished(site: Site) {
        let (mut ann, _, given) = judge(&site, "ann").await;
        let refused = finish(&mut ann, &given[0], 0, &json!({}), "a").await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.json()["detail"]["findings"][0]["rule"], "FM02", "{}", refused.text);
        let broken = json!({ "choices": { "level": ["best"] } });
        let unreadable = finish(&mut ann, &given[0], 0, &broken, "b").await;
        assert_eq!((unreadable.status, &unreadable.json()["detail"]["field"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("level")));

        let done = finish(&mut ann, &given[0], 0, &level("someBad"), "c").await;
        assert_eq!((done.status, &done.json()), (StatusCode::OK, &json!({ "version": 1, "late": false, "next": given[1] })), "{}", done.text);
        let again = finish(&mut ann, &given[0], 0, &level("someBad"), "c").await;
        assert_eq!(again.json()["version"], 1, "a retry");
        let row = sqlx::query("SELECT state, spent_ms, finished_at IS NOT NULL, (SELECT finished FROM mark) FROM assignment WHERE id = $1");
        let row = row.bind(given[0].clone()).fetch_one(site.app.database.read()).await.expect("a row");
        assert_eq!((row.get::<String, _>(0), row.get::<i64, _>(1), row.get::<i64, _>(3)), ("done".to_owned(), 9000, 1));

        let later = save(&mut ann, &given[0], 1, &level("bad"), "d").await;
        assert_eq!(later.status, StatusCode::OK, "one may think again until a reviewer has approved");
        write_rows!(site, "UPDATE assignment SET state = 'approved' WHERE id = $1", given[0].clone());
        assert_eq!(save(&mut ann, &given[0], 2, &level("fine"), "e").await.status, StatusCode::FORBIDDEN);
        write_rows!(site, "UPDATE batch SET state = 'closed' WHERE state = $1", "open");
        assert_eq!(save(&mut ann, &given[1], 0, &level("fine"), "f").await.status, StatusCode::FORBIDDEN, "the batch is closed");
    }
}

on_both! {
    async fn of_twenty_saves_at_once_one_wins_each_version(site: Site) {
        let (mut ann, _, given) = judge(&site, "ann").await;
        let mut all = tokio::task::JoinSet::new();
        for number in 0..20 {
            let (mut tab, id) = (ann.clone(), given[0].clone());
            all.spawn(async move {
                // Each tab goes on from what it is told, like an editor whose user keeps their own version.
                let (mut base, mut refused) = (0, 0);
                loop {
                    let answer = save(&mut tab, &id, base, &json!({ "texts": { "note": format!("tab {number}") } }), &format!("client {number}")).await;
                    match answer.status {
                        StatusCode::OK => return (answer.json()["version"].as_i64().expect("a version"), refused),
                        StatusCode::CONFLICT => base = answer.json()["detail"]["version"].as_i64().expect("a version"),
                        StatusCode::TOO_MANY_REQUESTS => crate::site::pass(1000),
                        _ => panic!("{answer:?}"),
                    }
                    refused += 1;
                }
            });
        }
        let mut versions: Vec<i64> = all.join_all().await.into_iter().map(|(version, _)| version).collect();
        versions.sort_unstable();
        assert_eq!(versions, (1..=20).collect::<Vec<i64>>(), "each version has one winner");
        let rows = sqlx::query("SELECT version, client FROM mark ORDER BY version").fetch_all(site.app.database.read()).await.expect("rows");
        let kept: std::collections::BTreeSet<String> = rows.iter().map(|row| row.get(1)).collect();
        assert_eq!((rows.len(), kept.len()), (20, 20), "nothing is lost, nothing twice");
        crate::site::pass(10_000);
        assert_eq!(ann.get(&format!("/api/work/{}", given[0])).await.json()["version"], 20);
    }
}

on_both! {
    async fn the_same_change_sent_twice_at_once_is_kept_once(site: Site) {
        let (ann, _, given) = judge(&site, "ann").await;
        let mut all = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let (mut tab, id) = (ann.clone(), given[0].clone());
            all.spawn(async move { save(&mut tab, &id, 0, &level("bad"), "one").await });
        }
        for answer in all.join_all().await {
            assert_eq!((answer.status, &answer.json()["version"]), (StatusCode::OK, &json!(1)), "{answer:?}");
        }
        let kept: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM mark").fetch_one(site.app.database.read()).await.expect("a number");
        assert_eq!(kept, 1);
    }
}

on_both! {
    async fn nobody_reaches_anothers_desk(site: Site) {
        let (mut ann, _, given) = judge(&site, "ann").await;
        let mut others = vec![site.person("bob", Role::Annotator).await, site.person("rev", Role::Reviewer).await, site.person("root", Role::Admin).await];
        let id = &given[0];
        save(&mut ann, id, 0, &level("bad"), "a").await;
        for other in &mut others {
            let change = json!({ "base": 1, "sheet": {}, "client": "x" });
            for (method, path, body) in [
                (Method::GET, format!("/work/{id}"), Value::Null),
                (Method::GET, format!("/api/work/{id}"), Value::Null),
                (PUT, format!("/api/work/{id}"), change.clone()),
                (POST, format!("/api/work/{id}/finish"), change.clone()),
                (POST, format!("/api/work/{id}/check"), json!({ "sheet": {} })),
                (POST, format!("/api/work/{id}/skip"), json!({ "reason": "x" })),
                (POST, format!("/api/work/{id}/report"), json!({ "text": "x" })),
                (POST, format!("/api/work/{id}/ask"), json!({ "text": "x" })),
                (POST, format!("/api/work/{id}/reply"), json!({ "to": "x", "text": "x" })),
            ] {
                let answer = other.json(method, &path, &body).await;
                assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}: {}", answer.text);
            }
            assert_eq!(other.get("/api/work").await.json()["queue"], json!([]));
        }
        write_rows!(site, "UPDATE assignment SET state = 'recalled' WHERE id = $1", id.clone());
        assert_eq!(ann.get(&format!("/api/work/{id}")).await.status, StatusCode::NOT_FOUND, "what was taken back is gone");
    }
}

on_both! {
    async fn every_form_opens_and_is_finished_with_its_sample_gold(site: Site) {
        let mut ann = site.person("ann", Role::Annotator).await;
        let mut told = String::new();
        for task in fangwei::tasks::all() {
            for mode in BatchMode::ALL.iter().copied().filter(|mode| mode.suits(task)) {
                crate::site::pass(60_000);
                let seed = Seed::new(&site, task.id(), mode, 3, &json!({})).await;
                for (number, id) in seed.give("ann").await.iter().enumerate() {
                    let opened = ann.get(&format!("/api/work/{id}")).await;
                    assert_eq!(opened.status, StatusCode::OK, "{} {mode}: {}", task.id(), opened.text);
                    told.push_str(&opened.text);
                    let page = ann.get(&format!("/work/{id}")).await;
                    assert!(page.text.contains(&format!("data-assignment=\"{id}\"")), "{}", page.text);
                    told.push_str(&page.text);
                    let sheet = json!(seed.sheet(number));
                    let saved = save(&mut ann, id, 0, &sheet, "a").await;
                    assert_eq!(saved.status, StatusCode::OK, "{} {mode}: {}", task.id(), saved.text);
                    told.push_str(&saved.text);
                    let done = finish(&mut ann, id, 1, &sheet, "b").await;
                    assert_eq!(done.status, StatusCode::OK, "{} {mode} {sheet}: {}", task.id(), done.text);
                    told.push_str(&done.text);
                    let again = ann.get(&format!("/api/work/{id}")).await.json();
                    assert_eq!((&again["sheet"], &again["state"]), (&sheet, &json!("done")), "{} {mode}", task.id());
                }
            }
        }
        told.push_str(&ann.get("/").await.text);
        told.push_str(&ann.get("/me/work").await.text);
        assert!(!told.contains(SECRET), "what is secret stays on the server");
        assert!(!told.contains("is_check") && !told.contains("replaced"), "not even the names of secrets");
    }
}

on_both! {
    async fn gold_and_replaced_words_reach_no_annotator(site: Site) {
        let mut ann = site.person("ann", Role::Annotator).await;
        let seed = Seed::new(&site, "2023/anomaly", BatchMode::Annotate, 1, &json!({})).await;
        let id = seed.give("ann").await.remove(0);
        let path = format!("/api/work/{id}");
        let other = json!({ "choices": { "level": ["bad"] }, "records": [{ "id": 1, "type": "candidate", "fields": { "S1": [{ "idxes": [0] }], "P1": [{ "idxes": [1] }] } }] });
        let answers = [
            ann.get("/api/work").await,
            ann.get(&path).await,
            ann.get(&format!("/work/{id}")).await,
            save(&mut ann, &id, 0, &other, "a").await,
            save(&mut ann, &id, 0, &other, "b").await,
            ann.json(POST, &format!("{path}/check"), &json!({ "sheet": other })).await,
            finish(&mut ann, &id, 1, &json!({}), "c").await,
            ann.json(POST, &format!("{path}/ask"), &json!({ "text": "?" })).await,
            ann.json(POST, &format!("{path}/report"), &json!({ "text": "?" })).await,
            ann.json(POST, &format!("{path}/skip"), &json!({ "reason": "?" })).await,
            ann.get(&path).await,
            ann.get("/").await,
        ];
        for answer in answers {
            assert!(!answer.status.is_server_error() && !answer.text.contains(SECRET), "{answer:?}");
            assert!(!answer.text.contains("AT07"), "the rule about replaced words is for reviewers: {}", answer.text);
        }
    }
}

on_both! {
    async fn suggestions_show_where_they_may_and_stay_the_predictors_until_confirmed(site: Site) {
        let mut ann = site.person("ann", Role::Annotator).await;
        for (mode, settings, shown) in [
            (BatchMode::Annotate, json!({ "predictor": "rule" }), true),
            (BatchMode::Annotate, json!({}), false),
            (BatchMode::Annotate, json!({ "predictor": "other" }), false),
            (BatchMode::Agreement, json!({ "predictor": "rule" }), false),
            (BatchMode::Human, json!({ "predictor": "rule" }), false),
        ] {
            let seed = Seed::new(&site, "2023/roles", mode, 1, &settings).await;
            seed.suggest(0, "rule", &Mark::of_gold(&seed.items[0].1)).await;
            let id = seed.give("ann").await.remove(0);
            let opened = ann.get(&format!("/api/work/{id}")).await.json();
            assert_eq!((!opened["suggestion"].is_null(), &opened["source"]), (shown, &json!("empty")), "{mode} {settings}");
            if !shown {
                continue;
            }
            let taken = opened["suggestion"]["sheet"].clone();
            assert_eq!(save(&mut ann, &id, 0, &taken, "a").await.status, StatusCode::OK);
            assert_eq!(ann.get(&format!("/api/work/{id}")).await.json()["source"], "predictor:rule", "taken over, not confirmed");
            let mut mended = taken.clone();
            mended["records"][0]["fields"]["空间实体"] = json!([{ "idxes": [0] }]);
            save(&mut ann, &id, 1, &mended, "b").await;
            assert_eq!(ann.get(&format!("/api/work/{id}")).await.json()["source"], "person", "changed by hand");
            save(&mut ann, &id, 2, &taken, "c").await;
            finish(&mut ann, &id, 3, &taken, "d").await;
            assert_eq!(ann.get(&format!("/api/work/{id}")).await.json()["source"], "person", "confirmed by finishing");
        }
    }
}

on_both! {
    async fn a_second_annotator_sees_no_suggestion_where_the_batch_says_so(site: Site) {
        for (suggest_to, shown) in [("all", [true, true]), ("first", [true, false])] {
            let seed = Seed::new(&site, "2023/roles", BatchMode::Annotate, 1, &json!({ "predictor": "rule", "suggest_to": suggest_to })).await;
            seed.suggest(0, "rule", &Mark::of_gold(&seed.items[0].1)).await;
            for (name, shown) in ["ann", "bob"].into_iter().zip(shown) {
                let name = format!("{name}-{suggest_to}");
                let mut browser = site.person(&name, Role::Annotator).await;
                crate::site::pass(10);
                let id = seed.give(&name).await.remove(0);
                let opened = browser.get(&format!("/api/work/{id}")).await.json();
                assert_eq!(!opened["suggestion"].is_null(), shown, "{suggest_to} {name}");
            }
        }
    }
}

on_both! {
    async fn human_tests_are_timed_plain_and_final(site: Site) {
        let mut ann = site.person("ann", Role::Annotator).await;
        let seed = Seed::new(&site, "2023/anomaly", BatchMode::Human, 2, &json!({ "time_limit_s": 60 })).await;
        let given = seed.give("ann").await;
        let opened = ann.get(&format!("/api/work/{}", given[0])).await.json();
        assert_eq!(opened["time_limit_s"], 60);
        assert!(opened["texts"][0]["words"].as_array().expect("words").iter().all(|word| word[2] == ""), "no help from the lexicon");
        // No spatial word, half a word, a lone entity: what annotation forbids, a test takes.
        let odd = json!({ "records": [{ "id": 1, "type": "candidate", "fields": { "S1": [{ "idxes": [1] }] } }] });
        assert_eq!(save(&mut ann, &given[0], 0, &odd, "a").await.json()["findings"], json!([]));
        assert_eq!(finish(&mut ann, &given[0], 1, &odd, "b").await.status, StatusCode::OK);
        assert_eq!(save(&mut ann, &given[0], 2, &odd, "c").await.status, StatusCode::FORBIDDEN, "answered is answered");
        assert_eq!(ann.get(&format!("/api/work/{}", given[0])).await.json()["spent_ms"], 9000);
    }
}

on_both! {
    async fn people_skip_ask_and_hear_back(site: Site) {
        let (mut ann, seed, given) = judge(&site, "ann").await;
        let mut bob = site.person("bob", Role::Annotator).await;
        let mut boss = site.person("boss", Role::Manager).await;
        let bobs = seed.give("bob").await;
        let path = format!("/api/work/{}", given[1]);
        let asked = ann.json(POST, &format!("{path}/ask"), &json!({ "text": "这里算异常吗" })).await;
        assert_eq!(asked.status, StatusCode::CREATED, "{}", asked.text);
        bob.json(POST, &format!("/api/work/{}/ask", bobs[1]), &json!({ "text": "另一个问题" })).await;
        assert_eq!(ann.json(POST, &format!("{path}/ask"), &json!({ "text": "  " })).await.status, StatusCode::UNPROCESSABLE_ENTITY);
        crate::site::pass(1000);
        let answer = json!({ "to": asked.json()["id"], "text": "算" });
        assert_eq!(boss.json(POST, &format!("/api/batches/{}/threads", seed.batch), &answer).await.status, StatusCode::CREATED);
        let opened = ann.get(&path).await.json();
        let thread: Vec<(&str, bool)> = opened["thread"].as_array().expect("posts").iter()
            .map(|post| (post["text"].as_str().expect("a text"), post["mine"].as_bool().expect("a truth"))).collect();
        assert_eq!(thread, [("这里算异常吗", true), ("算", false)], "not what others asked");
        let queue = ann.get("/api/work").await.json();
        assert_eq!((&queue["queue"][0]["assignment"], &queue["queue"][0]["needs"]), (&json!(given[1]), &json!("answered")));

        assert_eq!(bob.get("/api/work").await.json()["queue"][0]["needs"], "new", "nobody answered bob, though he asked about the same item");

        crate::site::pass(1000);
        let reply = json!({ "to": opened["thread"][1]["id"], "text": "明白了" });
        assert_eq!(ann.json(POST, &format!("{path}/reply"), &reply).await.status, StatusCode::CREATED);
        let foreign = bob.json(POST, &format!("/api/work/{}/reply", bobs[1]), &reply).await;
        assert_eq!(foreign.status, StatusCode::NOT_FOUND, "a thread of somebody else");

        let skipped = ann.json(POST, &format!("/api/work/{}/skip", given[0]), &json!({ "reason": "看不懂" })).await;
        assert_eq!((skipped.status, &skipped.json()["next"]), (StatusCode::OK, &json!(given[1])));
        let queue = ann.get("/api/work").await.json();
        let states: Vec<(&str, &str)> = queue["queue"].as_array().expect("a queue").iter()
            .map(|work| (work["state"].as_str().expect("a state"), work["needs"].as_str().expect("a need"))).collect();
        assert_eq!(states, [("new", "answered"), ("new", "new"), ("skipped", "done")]);
        assert_eq!(ann.get(&format!("/api/work/{}", given[0])).await.json()["thread"][0]["kind"], "skip");
        let threads = boss.get(&format!("/api/batches/{}/threads", seed.batch)).await.json();
        let first: Vec<&str> = threads["threads"].as_array().expect("threads").iter()
            .map(|thread| thread["messages"][0]["kind"].as_str().expect("a kind")).collect();
        assert_eq!(first.iter().filter(|kind| **kind == "skip").count(), 1, "managers see why an item was laid aside: {threads}");
        assert_eq!(save(&mut ann, &given[0], 0, &level("fine"), "z").await.status, StatusCode::OK, "one may come back to it");
    }
}

on_both! {
    async fn what_came_back_comes_first_and_stays_so_until_done(site: Site) {
        let (mut ann, _, given) = judge(&site, "ann").await;
        let boss = { site.person("boss", Role::Manager).await; site.id("boss").await };
        finish(&mut ann, &given[2], 0, &level("bad"), "a").await;
        write_rows!(site, "UPDATE assignment SET state = 'returned', round = 1 WHERE id = $1", given[2].clone());
        let review = "INSERT INTO review (id, assignment, round, blind, reviewer, version, verdict, comment, pointer, at) VALUES ('r', $1, 1, 0, $2, 1, 'return', '再看看', '/level', 5)";
        write_rows!(site, review, given[2].clone(), boss.clone());
        let blind = "INSERT INTO review (id, assignment, round, blind, reviewer, version, verdict, comment, pointer, at) VALUES ('s', $1, 1, 1, $2, 1, 'approve', '盲审', '', 6)";
        write_rows!(site, blind, given[2].clone(), boss);
        let queue = ann.get("/api/work").await.json();
        assert_eq!((&queue["queue"][0]["assignment"], &queue["queue"][0]["needs"]), (&json!(given[2]), &json!("returned")));
        save(&mut ann, &given[2], 1, &level("someBad"), "b").await;
        let opened = ann.get(&format!("/api/work/{}", given[2])).await.json();
        assert_eq!((&opened["state"], &opened["reviews"][0]["comment"]), (&json!("returned"), &json!("再看看")));
        assert_eq!(opened["reviews"].as_array().map(Vec::len), Some(1), "a blind second review is not for annotators");
        finish(&mut ann, &given[2], 2, &level("someBad"), "c").await;
        assert_eq!(ann.get(&format!("/api/work/{}", given[2])).await.json()["state"], "done");
    }
}

on_both! {
    async fn a_reviewers_version_opens_as_a_sheet(site: Site) {
        let (mut ann, _, given) = judge(&site, "ann").await;
        save(&mut ann, &given[0], 0, &level("bad"), "a").await;
        let mark = "INSERT INTO mark (id, assignment, version, source, content, finished, at, client) VALUES ('m', $1, 2, 'revision', $2, 1, 5, '')";
        write_rows!(site, mark, given[0].clone(), r#"{"version":1,"rules":1,"answer":{"judge":1}}"#);
        write_rows!(site, "UPDATE assignment SET version = 2 WHERE id = $1", given[0].clone());
        let opened = ann.get(&format!("/api/work/{}", given[0])).await.json();
        assert_eq!((&opened["source"], &opened["sheet"]["choices"]["level"]), (&json!("revision"), &json!(["fine"])));
    }
}

on_both! {
    async fn checks_are_fast(site: Site) {
        let mut ann = site.person("ann", Role::Annotator).await;
        let seed = Seed::new(&site, "2022/roles", BatchMode::Annotate, 1, &json!({})).await;
        let id = seed.give("ann").await.remove(0);
        let body = json!({ "sheet": seed.sheet(0) });
        // The first check reads the dictionary and the text.
        ann.json(POST, &format!("/api/work/{id}/check"), &body).await;
        let mut times = Vec::new();
        for _ in 0..15 {
            let began = Instant::now();
            let answer = ann.json(POST, &format!("/api/work/{id}/check"), &body).await;
            times.push(began.elapsed().as_millis());
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        }
        times.sort_unstable();
        assert!(times[7] < 100, "half of the checks took more than {} ms", times[7]);
    }
}

on_both! {
    async fn bodies_that_are_no_sheets_are_refused(site: Site) {
        let (mut ann, _, given) = judge(&site, "ann").await;
        let path = format!("/api/work/{}", given[0]);
        for body in [json!({}), json!([]), json!({ "base": "1", "sheet": {}, "client": "a" }), json!({ "base": 0, "sheet": { "records": [{}] }, "client": "a" }),
            json!({ "base": 0, "sheet": {}, "client": "" }), json!({ "base": 0, "sheet": {}, "client": "a".repeat(200) }), json!({ "base": i64::MAX, "sheet": {}, "client": "a" })] {
            let answer = ann.json(PUT, &path, &body).await;
            assert!(answer.status.is_client_error() && answer.json()["error"].is_string(), "{body}: {answer:?}");
        }
    }
}

on_both! {
    async fn what_comes_after_the_time_of_a_test_is_kept_and_marked_late(site: Site) {
        let (mut ann, mut mia) = (site.person("ann", Role::Annotator).await, site.person("mia", Role::Manager).await);
        let seed = Seed::new(&site, "2023/anomaly", BatchMode::Human, 2, &json!({ "time_limit_s": 60 })).await;
        let given = seed.give("ann").await;
        let answer = json!(seed.sheet(0));
        ann.get(&format!("/api/work/{}", given[0])).await;
        crate::site::pass(50_000);
        assert_eq!(save(&mut ann, &given[0], 0, &answer, "a").await.json()["late"], false);
        let again = ann.get(&format!("/api/work/{}", given[0])).await.json();
        assert!(again["spent_ms"].as_i64().expect("a time") >= 50_000, "the time runs from the first look: {again}");
        crate::site::pass(14_000);
        assert_eq!(finish(&mut ann, &given[0], 1, &answer, "b").await.json()["late"], false, "64 s: a few seconds are for the way");
        ann.get(&format!("/api/work/{}", given[1])).await;
        crate::site::pass(66_000);
        let late = finish(&mut ann, &given[1], 0, &json!(seed.sheet(1)), "c").await;
        assert_eq!((late.status, &late.json()["late"]), (StatusCode::OK, &json!(true)), "{}", late.text);
        assert_eq!(finish(&mut ann, &given[1], 0, &json!(seed.sheet(1)), "c").await.json()["late"], true, "a retry is told the same");
        let lines: Vec<Value> = mia.get(&format!("/api/batches/{}/marks", seed.batch)).await.text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let told: Vec<&Value> = lines.iter().map(|line| &line["late"]).collect();
        assert_eq!(told, [&json!(false), &json!(false), &json!(true)]);
        let labels = mia.get(&format!("/api/batches/{}/labels", seed.batch)).await.text;
        assert_eq!(labels.matches("\"late\":true").count(), 1, "{labels}");
        let person = mia.get(&format!("/api/batches/{}", seed.batch)).await.json()["people"][0].clone();
        assert_eq!((&person["done"], &person["late"]), (&json!(2), &json!(1)), "{person}");
    }
}
