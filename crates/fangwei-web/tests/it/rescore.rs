//! Rescoring: corrected gold makes a generation that takes effect whole, exactly once, whatever dies in between; who gained and lost is told, and why.

use axum::http::{Method, StatusCode};
use fangwei::contest::{Change, Edge, Folder, Granted, Moment};
use fangwei_web::App;
use fangwei_web::contests::{kept, put};
use fangwei_web::policy::Role;
use fangwei_web::rescore::{self, Rescoring};
use fangwei_web::submit::{look, queue};
use serde_json::{Value, json};

use crate::seed::{column, write_rows};
use crate::site::{Browser, Site, on_both, pass};
use crate::submit::{sample, send};
use crate::teams::{entered, running};

const DAY: i64 = 24 * 60 * 60 * 1000;

async fn count(site: &Site, select: &'static str) -> i64 {
    sqlx::query_scalar(select).fetch_one(site.app.database.read()).await.expect("a number")
}

/// The sample's answers to judge, all the same. Seven of its twelve items are 1 in gold.
fn all(judge: u8) -> Vec<u8> {
    String::from_utf8(sample("2022/judge")).expect("UTF-8").replace("\"judge\":1", &format!("\"judge\":{judge}")).into_bytes()
}

/// The files of a competition as they are kept, with the gold of judge turned into its opposite.
pub async fn with_other_gold(site: &Site, contest: &str) -> Folder {
    let kept = kept::load(&site.app, contest).await.expect("there");
    let mut folder = Folder::new();
    for path in kept.files.keys() {
        folder.insert(path.clone(), kept.file(&site.app, path).await.expect("a file"));
    }
    let gold = folder.get_mut("gold/judge/dev.jsonl").expect("gold");
    let text = String::from_utf8(gold.clone()).expect("UTF-8");
    *gold = text
        .replace("\"judge\":1", "\"judge\":2")
        .replace("\"judge\":0", "\"judge\":1")
        .replace("\"judge\":2", "\"judge\":0")
        .into();
    folder
}

/// Another process on the same database.
pub fn node(site: &Site) -> App {
    App::new(site.app.database.clone(), (*site.app.settings).clone())
}

/// Scores what waits, and waits for what the worker of this process is scoring.
async fn rest(site: &Site) {
    loop {
        queue::drain(&site.app).await.expect("scored");
        if count(site, "SELECT COUNT(*) FROM job WHERE state = 'waiting' OR (state = 'running' AND holder <> 'dead')").await == 0
        {
            return queue::drain(&site.app).await.expect("settled");
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

async fn own_score(browser: &mut Browser, contest: &str, task: &str) -> f64 {
    let said = browser.get(&format!("/api/contests/{contest}/submissions")).await.json();
    let found = said["submissions"].as_array().expect("a list").iter().find(|one| one["task"] == format!("2022/{task}"));
    found.expect("one of the task")["score"]["ranking"].as_f64().unwrap_or_else(|| panic!("no score: {said}"))
}

fn close(found: &Value, expected: f64) -> bool {
    found.as_f64().is_some_and(|found| (found - expected).abs() < 1e-9)
}

on_both! {
    async fn corrected_gold_takes_effect_whole_and_says_whose_rank_changed(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut ones, _) = entered(&site, &contest, "ann", "山外山").await;
        let (mut zeros, _) = entered(&site, &contest, "bob", "楼外楼").await;
        for (team, judge) in [(&ones, 1), (&zeros, 0)] {
            let taken = send(team, &contest, "task=judge", all(judge)).await;
            assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text);
        }
        let roles = send(&ones, &contest, "task=roles", sample("2022/roles")).await.json()["submission"]["id"].as_str().expect("an id").to_owned();
        let (high, low) = (7.0 / 12.0, 5.0 / 12.0);
        assert!((own_score(&mut ones, &contest, "judge").await - high).abs() < 1e-9);

        let put = put::put(&site.app, &with_other_gold(&site, &contest).await, None, "答案录反").await.expect("a revision");
        assert_eq!(put.generation, Some(2), "submissions were scored with the gold before");
        assert_eq!(look::generation(&site.app, &contest).await.expect("one"), 1, "until all is scored, the former one counts");
        assert_eq!(count(&site, "SELECT COUNT(*) FROM job WHERE generation = 2 AND state = 'waiting'").await, 2);
        let reused: (String, i64) = sqlx::query_as("SELECT gold, at FROM score WHERE submission = $1 AND generation = 2").bind(roles.clone()).fetch_one(site.app.database.read()).await.expect("kept");
        let first: (String, i64) = sqlx::query_as("SELECT gold, at FROM score WHERE submission = $1 AND generation = 1").bind(roles.clone()).fetch_one(site.app.database.read()).await.expect("a score");
        assert_eq!(reused, first, "gold of roles is the same, so its score goes along");

        // One job is held by a process that was killed. Meanwhile somebody submits: scored in both generations, each with its own gold.
        let until = site.app.now() + 15_000;
        let dead = column(&site, "SELECT submission FROM job WHERE generation = 2 AND state = 'waiting' AND $1 <> '' ORDER BY id LIMIT 1", "x").await.remove(0);
        write_rows!(site, "UPDATE job SET state = 'running', holder = 'dead', held_until = $1, tries = 1 WHERE generation = 2 AND submission = $2", until, dead.clone());
        let taken = send(&ones, &contest, "task=judge", all(1)).await.json();
        assert!(close(&taken["submission"]["score"]["ranking"], high) && taken["submission"]["score"]["generation"] == 1, "{taken}");
        rest(&site).await;
        let late = taken["submission"]["id"].as_str().expect("an id").to_owned();
        let rankings: Vec<f64> = sqlx::query_scalar("SELECT ranking FROM score WHERE submission = $1 ORDER BY generation").bind(late).fetch_all(site.app.database.read()).await.expect("two");
        assert!((rankings[0] - high).abs() < 1e-9 && (rankings[1] - low).abs() < 1e-9 && rankings.len() == 2, "{rankings:?}");
        assert_eq!(look::generation(&site.app, &contest).await.expect("one"), 1, "one is still to be scored");
        assert!((own_score(&mut zeros, &contest, "judge").await - low).abs() < 1e-9);
        let running = site.browser().get(&format!("/api/contests/{contest}/generations")).await.json();
        assert_eq!((&running["generations"][0]["state"], &running["generations"][0]["progress"]), (&json!("running"), &json!({ "submissions": 4, "scored": 3, "failed": 0 })), "{running}");
        let hidden = site.browser().get(&format!("/api/contests/{contest}/generations/2")).await.json();
        assert_eq!((&hidden["difference"]["boards"], &hidden["difference"]["why"]), (&json!([]), &json!([])), "nobody sees numbers of what runs");

        // The process is gone; several others take up what it left, and it happens once.
        pass(15_000);
        let nodes: Vec<_> = (0..3).map(|_| node(&site)).map(|node| tokio::spawn(async move { queue::drain(&node).await })).collect();
        for done in nodes {
            done.await.expect("no panic").expect("scored");
        }
        rest(&site).await;
        assert_eq!(look::generation(&site.app, &contest).await.expect("one"), 2);
        assert_eq!(count(&site, "SELECT COUNT(*) FROM score WHERE generation = 2").await, 4);
        assert_eq!(count(&site, "SELECT COUNT(*) FROM score WHERE generation = 1").await, 4, "the former one is kept");
        assert_eq!(count(&site, "SELECT COUNT(*) FROM audit WHERE action = 'rescore-current'").await, 1);
        assert_eq!(count(&site, "SELECT COUNT(*) FROM generation WHERE state = 'current'").await, 1);
        assert!((own_score(&mut ones, &contest, "judge").await - low).abs() < 1e-9);
        assert!((own_score(&mut zeros, &contest, "judge").await - high).abs() < 1e-9);

        let mut olga = site.person("olga", Role::Organiser).await;
        let said = olga.get(&format!("/api/contests/{contest}/generations/2")).await.json();
        let board = &said["difference"]["boards"][0];
        assert_eq!((&said["difference"]["from"], &board["board"], &board["unchanged"]), (&json!(1), &json!("dev"), &json!(0)), "{said}");
        let row = |name: &str| board["rows"].as_array().expect("rows").iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name} in {board}")).clone();
        let (ones_row, zeros_row) = (row("山外山"), row("楼外楼"));
        assert!(close(&ones_row["tasks"][0]["from"], high) && close(&ones_row["tasks"][0]["to"], low), "{ones_row}");
        assert_eq!((&ones_row["tasks"][0]["rank_from"], &ones_row["tasks"][0]["rank_to"]), (&json!(1), &json!(2)));
        assert_eq!((&zeros_row["tasks"][0]["rank_from"], &zeros_row["tasks"][0]["rank_to"]), (&json!(2), &json!(1)));
        assert_eq!(ones_row["tasks"][2]["from"], ones_row["tasks"][2]["to"], "roles did not change");
        // Two teams: mean 0.5 and sample deviation sqrt(2)/12, so Z is ±1/sqrt(2); alone in roles, the first has a Z of 0 there.
        let z = 0.5_f64.sqrt();
        assert!(close(&zeros_row["overall"]["from"], -z) && close(&zeros_row["overall"]["to"], z), "{zeros_row}");
        assert!(close(&ones_row["overall"]["from"], z / 2.0) && close(&ones_row["overall"]["to"], -z / 2.0), "{ones_row}");
        let why = &said["difference"]["why"];
        assert_eq!((&why[0]["task"], &why[0]["gold"]["answers"], &why[0]["gold"]["items"], why.as_array().map(Vec::len)), (&json!("2022/judge"), &json!(12), &json!(12), Some(1)), "{why}");
        assert_eq!(why[0]["gold"]["qids"].as_array().map(Vec::len), Some(12));

        let public = site.browser().get(&format!("/api/contests/{contest}/generations/2")).await;
        let shown = public.json();
        assert_eq!(shown["difference"]["boards"].as_array().map(Vec::len), Some(1), "the board of the test is hidden: {shown}");
        assert!(shown["difference"]["why"][0]["gold"]["qids"].is_null() && shown["generation"]["gold"][0]["sha256"].is_null() && shown["generation"]["by"].is_null(), "{shown}");
        assert!(public.text.contains("山**") && !public.text.contains("山外山"), "names are masked on this board: {shown}");
        assert!(ones.get(&format!("/api/contests/{contest}/generations/2")).await.text.contains("山外山"), "a team sees its own");
        for path in ["generations", "generations/1", "generations/2"] {
            for browser in [&mut site.browser(), &mut ones, &mut olga] {
                let page = browser.get(&format!("/contests/{contest}/{path}")).await;
                assert_eq!(page.status, StatusCode::OK, "{path}: {}", page.text);
            }
        }
        let page = olga.get(&format!("/contests/{contest}/generations/2")).await.text;
        for expected in ["0.5833 → 0.4167", "1 → 2", "▼1", "▲1", "答案录反"] {
            assert!(page.contains(expected), "{expected} is not in {page}");
        }
        for path in ["generations/3", "generations/x", "generations/01"] {
            assert_eq!(olga.get(&format!("/contests/{contest}/{path}")).await.status, StatusCode::NOT_FOUND, "{path}");
        }
        let news = site.browser().get(&format!("/contests/{contest}/news")).await.text;
        assert!(news.contains("重新评分（第 2 代）") && news.contains(&format!("/contests/{contest}/generations")) && news.contains("答案录反"), "{news}");
    }
}

on_both! {
    async fn what_cannot_be_scored_anew_keeps_its_score(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut ones, _) = entered(&site, &contest, "ann", "山外山").await;
        send(&ones, &contest, "task=judge", all(1)).await;
        let before = own_score(&mut ones, &contest, "judge").await;
        // Gold that cannot be read, which the check of a competition would have refused.
        let mut changes = site.app.database.begin().await.expect("changes");
        let gold = fangwei_web::store::put(&mut changes, site.app.now(), b"no gold").await.expect("kept");
        changes.commit().await.expect("kept");
        let insert = "INSERT INTO gold_version (id, contest, phase, task, number, items, gold, generation, at) SELECT 'broken', contest, phase, task, 2, items, $1, 2, at FROM gold_version WHERE phase = 'dev' AND task = '2022/judge'";
        write_rows!(site, insert, gold);
        let mut olga = site.person("olga", Role::Organiser).await;
        let begun = olga.json(Method::POST, &format!("/api/contests/{contest}/generations"), &json!({ "reason": "try" })).await;
        assert_eq!((begun.status, &begun.json()["number"]), (StatusCode::CREATED, &json!(2)), "{}", begun.text);
        rest(&site).await;
        let one = olga.get(&format!("/api/contests/{contest}/generations/2")).await.json()["generation"].clone();
        assert_eq!((&one["state"], &one["progress"], &one["by"]), (&json!("running"), &json!({ "submissions": 1, "scored": 0, "failed": 1 }), &json!("olga")), "{one}");
        assert_eq!(own_score(&mut ones, &contest, "judge").await, before, "nobody falls off because gold was broken");
        assert_eq!(count(&site, "SELECT COUNT(*) FROM audit WHERE action = 'scoring-failed'").await, 1, "the organisers are told");
        let page = olga.get(&format!("/contests/{contest}/generations/2")).await.text;
        assert!(page.contains("generations/2/retry"), "{page}");
        assert!(!ones.get(&format!("/contests/{contest}/generations/2")).await.text.contains("retry"));

        write_rows!(site, "INSERT INTO gold_version (id, contest, phase, task, number, items, gold, generation, at) SELECT 'mended', contest, phase, task, 3, items, gold, $1, at FROM gold_version WHERE phase = 'dev' AND task = '2022/judge' AND number = 1", 2_i64);
        let retried = olga.post(&format!("/contests/{contest}/generations/2/retry"), &[]).await;
        assert_eq!(retried.status, StatusCode::SEE_OTHER, "{}", retried.text);
        rest(&site).await;
        assert_eq!(look::generation(&site.app, &contest).await.expect("one"), 2);
        assert_eq!(own_score(&mut ones, &contest, "judge").await, before, "the same gold gives the same score");
        let unchanged = olga.get(&format!("/api/contests/{contest}/generations/2")).await.json()["difference"].clone();
        assert_eq!((&unchanged["why"], &unchanged["boards"][0]["rows"], &unchanged["boards"][0]["unchanged"]), (&json!([]), &json!([]), &json!(1)), "{unchanged}");
    }
}

on_both! {
    async fn a_later_generation_passes_over_one_that_still_runs(site: Site) {
        let contest = running(&site, "2022").await;
        let (ones, _) = entered(&site, &contest, "ann", "山外山").await;
        send(&ones, &contest, "task=judge", all(1)).await;
        let kept = kept::load(&site.app, &contest).await.expect("there");
        let first = put::put(&site.app, &with_other_gold(&site, &contest).await, None, "").await.expect("a revision");
        let until = site.app.now() + 15_000;
        write_rows!(site, "UPDATE job SET state = 'running', holder = 'dead', held_until = $1, tries = 1 WHERE generation = 2", until);
        let second = put::put(&site.app, &with_other_gold(&site, &contest).await, None, "").await.expect("back again");
        assert_eq!((first.generation, second.generation), (Some(2), Some(3)));
        rest(&site).await;
        assert_eq!(look::generation(&site.app, &contest).await.expect("one"), 3);
        assert_eq!(column(&site, "SELECT state FROM generation WHERE contest = $1 ORDER BY number", &contest).await, ["past", "past", "current"]);
        pass(15_000);
        rest(&site).await;
        assert_eq!(look::generation(&site.app, &contest).await.expect("one"), 3, "what is scored later changes nothing any more");
        let gold = column(&site, "SELECT score.gold FROM score JOIN submission ON submission.id = score.submission WHERE submission.contest = $1 ORDER BY score.generation", &contest).await;
        assert_eq!(gold.len(), 3);
        assert!(gold[0] == gold[2] && gold[0] != gold[1], "each generation has its own gold: {gold:?}");
        let said = site.browser().get(&format!("/api/contests/{contest}/generations/3")).await.json();
        assert_eq!((&said["difference"]["from"], &said["difference"]["why"]), (&json!(1), &json!([])), "compared with what everybody saw: {said}");
        // Who loaded the competition before others changed it is told so, and nothing is begun twice.
        let late = rescore::begin(&site.app, &kept, None, &Rescoring::default()).await;
        assert!(matches!(late, Err(fangwei_web::failure::Failure::Conflict(..))), "{late:?}");
        assert_eq!(count(&site, "SELECT COUNT(*) FROM generation").await, 3);
    }
}

on_both! {
    async fn teams_get_their_submissions_back(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut ones, team) = entered(&site, &contest, "ann", "山外山").await;
        for _ in 0..5 {
            assert_eq!(send(&ones, &contest, "task=judge", all(1)).await.status, StatusCode::CREATED);
        }
        send(&ones, &contest, "task=attribute", sample("2022/attribute")).await;
        assert_eq!(send(&ones, &contest, "task=judge", all(1)).await.status, StatusCode::UNPROCESSABLE_ENTITY, "five a day");
        pass(1000);
        let mut olga = site.person("olga", Role::Organiser).await;
        for (bad, word) in [(json!({ "phase": "final" }), "final"), (json!({ "task": "jugde" }), "judge")] {
            let refused = olga.json(Method::POST, &format!("/api/contests/{contest}/generations"), &bad).await;
            assert!(refused.status == StatusCode::UNPROCESSABLE_ENTITY && refused.text.contains(word), "{}", refused.text);
        }
        let fields = [("reason", "评测脚本更正"), ("phase", "dev"), ("task", "2022/judge"), ("reset_quota", "1")];
        let begun = olga.post(&format!("/contests/{contest}/generations"), &fields).await;
        assert_eq!(begun.location(), format!("/contests/{contest}/generations/2"), "{}", begun.text);
        rest(&site).await;
        assert_eq!(look::generation(&site.app, &contest).await.expect("one"), 2);
        assert_eq!(count(&site, "SELECT COUNT(*) FROM submission_log WHERE kind = 'scored'").await, 6 + 5, "attribute was not asked for and keeps its score");
        assert_eq!(count(&site, "SELECT COUNT(*) FROM score WHERE generation = 2").await, 6);
        let quota = ones.get(&format!("/api/contests/{contest}/quota")).await.json();
        assert_eq!((&quota["places"][0]["left"]["today"], &quota["places"][0]["left"]["total"]), (&json!(5), &json!(60)), "{quota}");
        assert_eq!(send(&ones, &contest, "task=judge", all(1)).await.status, StatusCode::CREATED);

        // Everything that organisers do to a competition is told, publicly and in the log.
        let grant = Change::Grant(Granted { team, phase: "dev".to_owned(), task: None, extra: 2 });
        kept::change_now(&site.app, &contest, None, &grant).await.expect("granted");
        let end = kept::load(&site.app, &contest).await.expect("there").contest.phase("dev").expect("a phase").end;
        let to = Moment::at(end.ms + DAY, end.zone);
        let moved = Change::Move { phase: "dev".to_owned(), edge: Edge::End, from: end, to, reason: "停电".to_owned() };
        kept::change_now(&site.app, &contest, None, &moved).await.expect("moved");
        put::put(&site.app, &with_other_gold(&site, &contest).await, None, "更正数据").await.expect("a revision");
        let news = site.browser().get(&format!("/contests/{contest}/news")).await.text;
        for expected in ["评测脚本更正", "提交次数重新计算", "重新评分（第 2 代）", "山** 在", "增加 2 次提交", &to.to_string(), "停电", "gold/judge/dev.jsonl", "更正数据", "重新评分（第 3 代）"] {
            assert!(news.contains(expected), "{expected} is not in {news}");
        }
        assert!(!news.contains("山外山"), "teams are named as the boards name them");
        let log = olga.get("/api/log").await.text;
        for action in ["contest-rescore", "contest-reset-quota", "contest-grant", "contest-move", "contest-revise", "\"rescore\""] {
            assert!(log.contains(action), "{action} is not in {log}");
        }
    }
}

on_both! {
    async fn gold_that_nothing_was_scored_with_begins_nothing(site: Site) {
        let contest = running(&site, "2022").await;
        let put = put::put(&site.app, &with_other_gold(&site, &contest).await, None, "").await.expect("a revision");
        assert_eq!((put.version, put.generation), (2, None));
        let (ones, _) = entered(&site, &contest, "ann", "山外山").await;
        let taken = send(&ones, &contest, "task=judge", all(1)).await.json();
        assert!(close(&taken["submission"]["score"]["ranking"], 5.0 / 12.0), "scored with the last gold: {taken}");
        // A competition whose boards are hidden has nothing to show to others.
        let kept = kept::load(&site.app, &contest).await.expect("there");
        let hidden = String::from_utf8(kept.file(&site.app, "competition.toml").await.expect("a file")).expect("UTF-8").replace("board = \"everybody\"", "board = \"organisers\"");
        let mut folder = with_other_gold(&site, &contest).await;
        folder.insert("competition.toml".to_owned(), hidden.into_bytes());
        put::put(&site.app, &folder, None, "").await.expect("a revision");
        rest(&site).await;
        let mut olga = site.person("olga", Role::Organiser).await;
        for path in ["generations", "generations/2"] {
            let (page, api) = (format!("/contests/{contest}/{path}"), format!("/api/contests/{contest}/{path}"));
            for address in [page, api] {
                assert_eq!(site.browser().get(&address).await.status, StatusCode::NOT_FOUND, "{address}");
                assert_eq!(ones.clone().get(&address).await.status, StatusCode::NOT_FOUND, "{address}");
                assert_eq!(olga.get(&address).await.status, StatusCode::OK, "{address}");
            }
        }
        assert_eq!(ones.clone().post(&format!("/contests/{contest}/generations"), &[]).await.status, StatusCode::FORBIDDEN);
    }
}

on_both! {
    async fn a_command_that_begins_holds_no_job_that_it_would_leave_behind(site: Site) {
        let contest = running(&site, "2022").await;
        let (ones, _) = entered(&site, &contest, "ann", "山外山").await;
        assert_eq!(send(&ones, &contest, "task=judge", all(1)).await.status, StatusCode::CREATED);
        rest(&site).await;
        let command = node(&site);
        let kept = kept::load(&command, &contest).await.expect("there");
        let number = rescore::begin(&command, &kept, None, &Rescoring::default()).await.expect("begun");
        // A worker would have taken the job by now, and a command that ends would leave it held.
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        assert_eq!(count(&site, "SELECT COUNT(*) FROM job WHERE state = 'waiting' AND holder = ''").await, 1);
        queue::drain(&command).await.expect("scored");
        assert_eq!(look::generation(&command, &contest).await.expect("one"), number);
        // Scored to its end by somebody who had no time to say so: who finds nothing left to score says it.
        sqlx::query("UPDATE generation SET state = 'running' WHERE number = 2").execute(site.app.database.read()).await.expect("written");
        queue::drain(&command).await.expect("settled");
        assert_eq!(look::generation(&site.app, &contest).await.expect("one"), number);
    }
}
