//! Submitting: validator first, quota by constraints, scored exactly once, nothing shown that the phase keeps back.

use std::io::Write;
use std::path::Path;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use fangwei::contest::{Change, Granted, Outcome};
use fangwei::record::Source;
use fangwei_web::App;
use fangwei_web::contests::kept;
use fangwei_web::policy::Role;
use fangwei_web::submit::queue;
use serde_json::{Value, json};

use crate::seed::{column, write_rows};
use crate::site::{Answer, Browser, PASSWORD, Site, on_both, pass};
use crate::teams::{entered, running};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Answers to all items of the shipped sample of a task: 1 to every judgement, the gold itself to everything else.
pub fn sample(task: &str) -> Vec<u8> {
    let gold = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(task).join("gold.jsonl");
    let gold = std::fs::read(gold).expect("a sample");
    if task != "2022/judge" {
        return gold;
    }
    let one =
        |line: &str| json!({ "qid": serde_json::from_str::<Value>(line).expect("JSON")["qid"], "judge": 1 }).to_string() + "\n";
    String::from_utf8(gold).expect("UTF-8").lines().map(one).collect::<String>().into_bytes()
}

/// Signs in again, as people do after weeks.
pub async fn sign_in(browser: &mut Browser, name: &str) {
    let done = browser.post("/login", &[("name", name), ("password", PASSWORD)]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
}

/// Sends a file, as a page does.
pub async fn send(browser: &Browser, contest: &str, query: &str, bytes: impl Into<Body>) -> Answer {
    post(browser, &format!("/api/contests/{contest}/submissions?{query}"), bytes).await
}

/// Has a file looked at without submitting it.
pub async fn check(browser: &Browser, contest: &str, query: &str, bytes: impl Into<Body>) -> Answer {
    post(browser, &format!("/api/contests/{contest}/check?{query}"), bytes).await
}

async fn post(browser: &Browser, path: &str, bytes: impl Into<Body>) -> Answer {
    let request = Request::builder().method(Method::POST).uri(path).header("host", "site");
    let request = request.header("cookie", &browser.cookie).header("x-csrf-token", &browser.csrf);
    browser.call(request.header("content-type", "application/octet-stream").body(bytes.into()).expect("a request")).await
}

async fn count(site: &Site, select: &'static str) -> i64 {
    sqlx::query_scalar(select).fetch_one(site.app.database.read()).await.expect("a number")
}

/// A file packed with gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(bytes).expect("memory");
    packed.finish().expect("memory")
}

on_both! {
    async fn a_good_file_has_its_score_at_once(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut team, _) = entered(&site, &contest, "leader", "山外山").await;
        let taken = send(&team, &contest, "task=judge&note=first&file=p.jsonl", sample("2022/judge")).await;
        assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text);
        let said = taken.json();
        let (shown, left) = (&said["submission"], &said["left"]);
        assert_eq!((&shown["state"], &shown["number"], &shown["note"], &shown["phase"]), (&json!("scored"), &json!(1), &json!("first"), &json!("dev")), "{said}");
        assert_eq!((&left["today"], &left["total"]), (&json!(4), &json!(59)), "five a day and sixty in all, one of which is used");
        // The same number as the library gives for the same two files.
        let kept = kept::load(&site.app, &contest).await.expect("there");
        let gold = kept.file(&site.app, "gold/judge/dev.jsonl").await.expect("gold");
        let source = |bytes: Vec<u8>| Source::from_bytes("x", bytes).expect("memory");
        let task = fangwei::tasks::find("2022/judge").expect("a task");
        let outcome = Outcome::of(task, source(sample("2022/judge")), source(gold.clone()), None).expect("scores");
        assert_eq!(shown["score"]["ranking"], json!(outcome.parts.all.ranking), "{said}");
        assert!(shown["score"]["gold"].is_null(), "the name of gold is the organisers'");
        let id = shown["id"].as_str().expect("an id");
        let kept_score: (String, String, i64) = sqlx::query_as("SELECT scorer, gold, generation FROM score WHERE submission = $1").bind(id.to_owned()).fetch_one(site.app.database.read()).await.expect("a score");
        assert_eq!(kept_score, (fangwei::contest::SCORER.to_owned(), fangwei_web::store::name(&gold), 1));

        let page = team.get(&format!("/contests/{contest}/submissions/{id}")).await;
        assert!(page.status == StatusCode::OK && page.text.contains("已评分"), "{}", page.text);
        assert!(team.get(&format!("/contests/{contest}/submissions")).await.text.contains("p.jsonl"));
        assert_eq!(team.get(&format!("/contests/{contest}/submit")).await.status, StatusCode::OK);
        let file = team.get(&format!("/api/contests/{contest}/submissions/{id}/file")).await;
        assert_eq!(file.text.as_bytes(), sample("2022/judge"), "the file as it was sent");
        let items = team.get(&format!("/api/contests/{contest}/submissions/{id}/items")).await;
        assert_eq!(items.text.lines().count(), outcome.rows.len(), "the development phase shows results of items");
        assert!(!items.text.contains("context") && !items.text.contains("gold"), "{}", items.text);
        let log = team.get(&format!("/api/contests/{contest}/submissions/{id}")).await.json()["log"].clone();
        let kinds: Vec<&str> = log.as_array().expect("lines").iter().filter_map(|line| line["kind"].as_str()).collect();
        assert_eq!(kinds, ["received", "scored"]);
        // Packed, it is the same submission.
        for (name, packed) in [("p.jsonl.gz", gzip(&sample("2022/judge"))), ("p.zip", zipped(&[("a/p.jsonl", &sample("2022/judge"))]))] {
            let again = send(&team, &contest, &format!("task=task1&file={name}"), packed).await.json();
            assert_eq!(again["submission"]["score"]["ranking"], shown["score"]["ranking"], "{again}");
        }
        let (_, _) = entered(&site, &contest, "rival", "楼外楼").await;
        let mut rival = team.clone();
        rival.post("/logout", &[]).await;
        sign_in(&mut rival, "rival").await;
        for path in [format!("/contests/{contest}/submissions/{id}"), format!("/api/contests/{contest}/submissions/{id}"), format!("/api/contests/{contest}/submissions/{id}/file"), format!("/api/contests/{contest}/submissions/{id}/items")] {
            assert_eq!(rival.get(&path).await.status, StatusCode::NOT_FOUND, "{path} is another team's");
        }
        assert_eq!(rival.get(&format!("/api/contests/{contest}/submissions?team=x")).await.json(), json!({ "submissions": [] }));
    }
}

/// Files in an archive.
pub fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, bytes) in files {
        archive.start_file(*path, zip::write::SimpleFileOptions::default()).expect("an entry");
        archive.write_all(bytes).expect("written");
    }
    archive.finish().expect("an archive").into_inner()
}

on_both! {
    async fn old_file_names_say_what_a_file_is(site: Site) {
        let contest = running(&site, "2022").await;
        let (team, _) = entered(&site, &contest, "leader", "山外山").await;
        let name = "%E5%B1%B1%E5%A4%96%E5%B1%B1-task3-dev-1-0812.jsonl";
        let taken = send(&team, &contest, &format!("file={name}"), sample("2022/roles")).await;
        assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text);
        assert_eq!(taken.json()["submission"]["task"], "2022/roles");
        for (query, word) in [("file=p.jsonl", "task"), ("file=p.jsonl&task=rolls", "roles"), ("task=judge&phase=final", "final"), ("file=x-task1-test-1-0812.jsonl", "测试阶段")] {
            let refused = send(&team, &contest, query, sample("2022/judge")).await;
            assert!(refused.status.is_client_error() && refused.text.contains(word), "{query}: {}", refused.text);
        }
        // What is said counts before the name.
        let taken = send(&team, &contest, &format!("task=2022/judge&file={name}"), sample("2022/judge")).await;
        assert_eq!(taken.json()["submission"]["task"], "2022/judge", "{}", taken.text);
    }
}

on_both! {
    async fn a_refused_file_costs_nothing_and_lists_every_defect(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut team, _) = entered(&site, &contest, "leader", "山外山").await;
        let good = String::from_utf8(sample("2022/judge")).expect("UTF-8");
        let mut lines: Vec<&str> = good.lines().collect();
        let last = lines.pop().expect("a line");
        let bad = format!("{}\n{{\"qid\":\"nobody\",\"judge\":1}}\noops\n{}\n{{\"judge\":1}}\n", lines.join("\n"), lines[0]);
        let checked = check(&team, &contest, "task=judge", bad.clone()).await;
        assert_eq!(checked.status, StatusCode::OK, "{}", checked.text);
        let refused = send(&team, &contest, "task=judge&client=a", bad.clone()).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        let detail = refused.json()["detail"].clone();
        let codes: Vec<&str> = detail["defects"].as_array().expect("a list").iter().filter_map(|defect| defect["code"].as_str()).collect();
        for code in ["unknown-qid", "bad-json", "duplicate-qid", "no-qid", "missing-qid"] {
            assert_eq!(codes.iter().filter(|found| **found == code).count(), 1, "{code} in {codes:?}, without {last}");
        }
        assert_eq!((detail["errors"].as_u64(), checked.json()["errors"].as_u64()), (Some(5), Some(5)), "{detail}");
        let again = send(&team, &contest, "task=judge&client=a", bad.clone()).await;
        assert_eq!((again.status, &again.json()["detail"]["upload"]), (StatusCode::UNPROCESSABLE_ENTITY, &detail["upload"]), "a retry is the same upload");
        let page = team.get(&format!("/contests/{contest}/uploads/{}", detail["upload"].as_str().expect("an id"))).await;
        assert!(page.text.contains("nobody"), "{}", page.text);
        let quota = team.get(&format!("/api/contests/{contest}/quota")).await.json();
        assert_eq!((&quota["places"][0]["left"]["today"], &quota["places"][0]["left"]["total"]), (&json!(5), &json!(60)), "{quota}");
        assert_eq!(count(&site, "SELECT COUNT(*) FROM submission").await, 0);
        // Sixty broken files in ten minutes, then a pause.
        for number in 1..60 {
            let refused = send(&team, &contest, "task=judge", format!("broken {number}")).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{number}: {}", refused.text);
            pass(100);
        }
        assert_eq!(send(&team, &contest, "task=judge", "broken").await.status, StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(count(&site, "SELECT COUNT(*) FROM upload WHERE verdict = 'rejected'").await, 60);
        pass(10 * 60 * 1000);
        assert_eq!(send(&team, &contest, "task=judge", good).await.status, StatusCode::CREATED);
    }
}

on_both! {
    async fn a_hundred_at_once_take_five_places(site: Site) {
        let contest = running(&site, "2022").await;
        let (team, id) = entered(&site, &contest, "leader", "山外山").await;
        // The hundred take what the bucket of requests holds; those before them must not.
        pass(10_000);
        let sending: Vec<_> = (0..100)
            .map(|number| {
                let (team, contest) = (team.clone(), contest.clone());
                tokio::spawn(async move { send(&team, &contest, &format!("task=judge&client=c{number}"), sample("2022/judge")).await })
            })
            .collect();
        let (mut taken, mut refused) = (Vec::new(), 0);
        for sent in sending {
            let answer = sent.await.expect("no panic");
            match answer.status {
                StatusCode::CREATED => taken.push(answer.json()["submission"]["number"].as_i64().expect("a number")),
                StatusCode::UNPROCESSABLE_ENTITY => {
                    assert_eq!(answer.json()["detail"]["quota"]["today"], 0, "{}", answer.text);
                    refused += 1;
                }
                other => panic!("{other}: {}", answer.text),
            }
        }
        taken.sort_unstable();
        assert_eq!((taken, refused), (vec![1, 2, 3, 4, 5], 95), "five a day, neither more nor less");
        queue::drain(&site.app).await.expect("scored");
        assert_eq!(count(&site, "SELECT COUNT(*) FROM score").await, 5);
        assert_eq!(count(&site, "SELECT COUNT(*) FROM upload").await, 5, "what found no place was not kept");
        pass(60_000);
        // One file sent a hundred times under one name is one submission; a grant makes room for it alone.
        let grant = Change::Grant(Granted { team: id.clone(), phase: "dev".to_owned(), task: None, extra: 1 });
        kept::change_now(&site.app, &contest, None, &grant).await.expect("granted");
        let sending: Vec<_> = (0..100)
            .map(|_| {
                let (team, contest) = (team.clone(), contest.clone());
                tokio::spawn(async move { send(&team, &contest, "task=judge&client=same", sample("2022/judge")).await })
            })
            .collect();
        let mut ids = std::collections::BTreeSet::new();
        for sent in sending {
            let answer = sent.await.expect("no panic");
            assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
            ids.insert(answer.json()["submission"]["id"].to_string());
        }
        assert_eq!((ids.len(), count(&site, "SELECT COUNT(*) FROM submission").await), (1, 6));
        pass(DAY);
        assert_eq!(send(&team, &contest, "task=judge", sample("2022/judge")).await.status, StatusCode::CREATED, "a day later there is room again");
    }
}

on_both! {
    async fn phases_open_and_close_to_the_millisecond(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut team, _) = entered(&site, &contest, "leader", "山外山").await;
        let kept = kept::load(&site.app, &contest).await.expect("there");
        let (dev, test) = (kept.contest.phase("dev").expect("a phase"), kept.contest.phase("test").expect("a phase"));
        assert_eq!(dev.end, test.start, "the test begins where development ends");
        pass(dev.end.ms - 1 - site.app.now());
        sign_in(&mut team, "leader").await;
        let taken = send(&team, &contest, "task=judge", sample("2022/judge")).await;
        assert_eq!((taken.status, &taken.json()["submission"]["phase"]), (StatusCode::CREATED, &json!("dev")), "the last millisecond belongs to it");
        pass(1);
        let late = send(&team, &contest, "task=judge&phase=dev", sample("2022/judge")).await;
        assert_eq!(late.status, StatusCode::FORBIDDEN, "{}", late.text);
        // The items of the test are every second of the sample: its predictions have too many.
        let test_items = String::from_utf8(kept.file(&site.app, "items/judge/test.jsonl").await.expect("items")).expect("UTF-8");
        let answers: String = test_items.lines().map(|line| {
            let item: Value = serde_json::from_str(line).expect("JSON");
            json!({ "qid": item["qid"], "judge": 1 }).to_string() + "\n"
        }).collect();
        let first = send(&team, &contest, "task=judge", answers.clone()).await;
        assert_eq!((first.status, &first.json()["submission"]["phase"]), (StatusCode::CREATED, &json!("test")), "{}", first.text);

        // Half of the test set is kept back, and so are the results of its items.
        let shown = first.json()["submission"].clone();
        let id = shown["id"].as_str().expect("an id");
        let mut olga = site.person("olga", Role::Organiser).await;
        let whole = olga.get(&format!("/api/contests/{contest}/submissions/{id}")).await.json()["submission"].clone();
        assert_eq!(whole["score"]["items"], test_items.lines().count(), "{whole}");
        assert!(shown["score"]["is_part"] == true && shown["score"]["items"].as_u64() < whole["score"]["items"].as_u64(), "{shown}");
        let items = format!("/api/contests/{contest}/submissions/{id}/items");
        assert_eq!(team.get(&items).await.status, StatusCode::FORBIDDEN);
        assert_eq!(olga.get(&items).await.text.lines().count(), test_items.lines().count());
        kept::change_now(&site.app, &contest, None, &Change::Reveal { phase: "test".to_owned() }).await.expect("revealed");
        let revealed = team.get(&format!("/api/contests/{contest}/submissions/{id}")).await.json()["submission"]["score"].clone();
        assert_eq!((&revealed["items"], &revealed["ranking"]), (&whole["score"]["items"], &whole["score"]["ranking"]));
        pass(test.end.ms - 1 - site.app.now());
        assert_eq!(send(&team, &contest, "task=judge", answers.clone()).await.status, StatusCode::CREATED);
        pass(1);
        assert_eq!(send(&team, &contest, "task=judge", answers).await.status, StatusCode::FORBIDDEN, "nothing after the end");
    }
}

on_both! {
    async fn what_a_dead_process_left_is_scored_once(site: Site) {
        let contest = running(&site, "2022").await;
        let (team, _) = entered(&site, &contest, "leader", "山外山").await;
        for task in ["judge", "attribute", "roles"] {
            let taken = send(&team, &contest, &format!("task={task}"), sample(&format!("2022/{task}"))).await;
            assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text);
        }
        // A generation of its own, whose jobs are as a process that was killed leaves them: two held, one not begun, one scored but not ended.
        let ids = column(&site, "SELECT id FROM submission WHERE contest = $1 ORDER BY id", &contest).await;
        let mut changes = site.app.database.begin().await.expect("changes");
        for id in &ids {
            queue::put_in(&mut changes, site.app.now(), id, 2).await.expect("put");
            queue::put_in(&mut changes, site.app.now(), id, 2).await.expect("put once");
        }
        changes.commit().await.expect("kept");
        let until = site.app.now() + 15_000;
        write_rows!(site, "UPDATE job SET state = 'running', holder = 'dead', held_until = $1, tries = 1 WHERE generation = 2 AND submission <> $2", until, ids[0].clone());
        queue::drain(&site.app).await.expect("scored");
        let scored = "SELECT COUNT(*) FROM score WHERE generation = 2";
        assert_eq!(count(&site, scored).await, 1, "what is held is left alone");
        pass(15_000);
        // Several nodes on one database take up the same jobs.
        let nodes: Vec<App> = (0..4).map(|_| App::new(site.app.database.clone(), (*site.app.settings).clone())).collect();
        let draining: Vec<_> = nodes.into_iter().map(|node| tokio::spawn(async move { queue::drain(&node).await })).collect();
        for drain in draining {
            drain.await.expect("no panic").expect("scored");
        }
        assert_eq!(count(&site, scored).await, 3);
        assert_eq!(count(&site, "SELECT COUNT(*) FROM job WHERE state <> 'scored'").await, 0);
        assert_eq!(count(&site, "SELECT COUNT(*) FROM submission_log WHERE kind = 'scored'").await, 6, "three submissions, two generations");

        // Begun again though its score is there: the score stays as it is.
        write_rows!(site, "UPDATE job SET state = 'waiting' WHERE generation = $1", 2_i64);
        queue::drain(&site.app).await.expect("scored");
        assert_eq!((count(&site, scored).await, count(&site, "SELECT COUNT(*) FROM submission_log WHERE kind = 'scored'").await), (3, 6));

        // What ends its process each time is given up; its team is told, the organisers why.
        let mut changes = site.app.database.begin().await.expect("changes");
        queue::put_in(&mut changes, site.app.now(), &ids[0], 3).await.expect("put");
        changes.commit().await.expect("kept");
        write_rows!(site, "UPDATE job SET state = 'running', holder = 'dead', held_until = 0, tries = 5 WHERE generation = $1", 3_i64);
        queue::drain(&site.app).await.expect("given up");
        assert_eq!(count(&site, "SELECT COUNT(*) FROM job WHERE state = 'failed'").await, 1);
        assert_eq!(column(&site, "SELECT kind FROM submission_log WHERE submission = $1 AND kind = 'failed'", &ids[0]).await, ["failed"]);
        assert_eq!(column(&site, "SELECT action FROM audit WHERE object = $1", &ids[0]).await, ["scoring-failed"]);
    }
}

on_both! {
    async fn what_cannot_be_scored_costs_nothing(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut team, _) = entered(&site, &contest, "leader", "山外山").await;
        // Gold that organisers broke: no fault of the team.
        let mut changes = site.app.database.begin().await.expect("changes");
        let gold = fangwei_web::store::put(&mut changes, site.app.now(), b"no gold").await.expect("kept");
        changes.commit().await.expect("kept");
        let insert = "INSERT INTO gold_version (id, contest, phase, task, number, items, gold, at) SELECT 'broken', contest, phase, task, number + 1, items, $1, at FROM gold_version WHERE phase = 'dev' AND task = '2022/judge'";
        write_rows!(site, insert, gold);
        let taken = send(&team, &contest, "task=judge", sample("2022/judge")).await;
        assert_eq!((taken.status, &taken.json()["submission"]["state"]), (StatusCode::CREATED, &json!("failed")), "{}", taken.text);
        assert_eq!(taken.json()["left"]["today"], 5, "what could not be scored is not charged: {}", taken.text);
        let page = team.get(&format!("/contests/{contest}/submissions")).await;
        assert!(page.text.contains("评分失败") && !page.text.contains("no gold"), "{}", page.text);
    }
}
