//! Several nodes on one database at the same moment: what each would do alone is done once. Two that would meet once in a thousand times are made to meet: what both
//! need is held until both are there.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, header};
use fangwei::annotate::form::BatchMode;
use fangwei::contest::Template;
use fangwei_web::accounts::link;
use fangwei_web::contests::put;
use fangwei_web::failure::Failure;
use fangwei_web::policy::Role;
use fangwei_web::submit::queue;
use fangwei_web::{App, Settings, app};
use serde_json::json;
use tower::ServiceExt;

use crate::rescore::{node, with_other_gold};
use crate::seed::{Seed, column, level};
use crate::site::{Site, on_both};
use crate::submit::{sample, send};
use crate::teams::{entered, running};

const TEXT: &str = "小猫躲在桌子下面，小狗趴在门外。";

/// So long whoever is on the way to something that is held is given to get there.
const A_WHILE: Duration = Duration::from_millis(300);

on_both! {
    async fn of_links_for_the_first_admin_that_are_made_at_once_one_works(site: Site) {
        let making: Vec<_> = (0..8).map(|_| node(&site)).map(|node| tokio::spawn(async move { link::first(&node).await })).collect();
        let mut links = Vec::new();
        for made in making {
            links.push(made.await.expect("no panic").expect("a database").expect("no account yet"));
        }
        let mut works = 0;
        for made in links {
            let secret = made.strip_prefix("http://site/join/").expect("our own");
            works += usize::from(link::find(&site.app, secret).await.expect("a database").is_some());
        }
        assert_eq!(works, 1);
    }
}

on_both! {
    async fn the_address_is_what_our_own_proxy_wrote(site: Site) {
        let settings = Settings { behind_proxy: true, ..(*site.app.settings).clone() };
        let router = app(App::new(site.app.database.clone(), settings));
        // A proxy adds to the header that is there, or writes one of its own after it.
        for claimed in [&["9.9.9.9, 10.0.0.7"][..], &["9.9.9.9", "10.0.0.7"], &["10.0.0.7"]] {
            let mut request = Request::post("/login").header("host", "site").header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
            for value in claimed {
                request = request.header("x-forwarded-for", *value);
            }
            let body = Body::from("name=nobody&password=wrong");
            router.clone().oneshot(request.body(body).expect("a request")).await.expect("a router does not fail");
        }
        assert_eq!(column(&site, "SELECT address FROM attempt WHERE name = $1", "nobody").await, ["10.0.0.7"; 3]);
    }
}

on_both! {
    async fn work_is_drawn_for_review_and_for_adjudication_once(site: Site) {
        let mia = site.person("mia", Role::Manager).await;
        for name in ["ann", "bob"] {
            site.person(name, Role::Annotator).await;
        }
        let reviewers = ["rui", "roy", "ren", "rao"];
        for name in reviewers {
            site.person(name, Role::Reviewer).await;
        }
        let (ann, bob) = (site.id("ann").await, site.id("bob").await);
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        for number in 1..=6 {
            let item = batch.item(number, TEXT).await;
            batch.done(&item, &ann, &level("bad")).await;
            batch.done(&item, &bob, &level("fine")).await;
        }
        let triage = json!({ "keep": "agreed", "rest": "adjudicate", "apply": true });
        let plan = mia.clone().json(Method::POST, &format!("/api/agree/{}/triage", batch.batch), &triage).await.json();
        assert_eq!(plan["written"], 6, "{plan}");
        let all_at_once = async |path: String, body: fn(&str) -> serde_json::Value| {
            let mut held = site.app.database.begin().await.expect("changes");
            let hold = sqlx::query("UPDATE batch SET state = state WHERE id = $1").bind(batch.batch.clone());
            hold.execute(&mut *held).await.expect("held");
            let ask = |name: &'static str| {
                let (mut mia, path) = (mia.clone(), path.clone());
                tokio::spawn(async move { mia.json(Method::POST, &path, &body(name)).await.json()["given"].as_u64().expect("a number") })
            };
            let asking: Vec<_> = reviewers.into_iter().map(ask).collect();
            tokio::time::sleep(A_WHILE).await;
            held.commit().await.expect("let go");
            let mut given = 0;
            for asked in asking {
                given += asked.await.expect("no panic");
            }
            given
        };
        let hand_out = all_at_once(format!("/api/adjudicate/hand-out/{}", batch.batch), |name| json!({ "to": [name] })).await;
        assert_eq!(hand_out, 6, "each item has one adjudicator");
        let drawn = all_at_once(format!("/api/review/sample/{}", batch.batch), |name| json!({ "rate": 1.0, "seed": 1, "reviewers": [name], "apply": true })).await;
        let twice = column(&site, "SELECT assignment FROM inspection WHERE state = $1 GROUP BY assignment HAVING COUNT(*) > 1", "open").await;
        assert_eq!((drawn > 0, twice), (true, Vec::<String>::new()), "nobody's work has two first reviewers");
    }
}

on_both! {
    async fn a_competition_that_two_make_at_once_is_made_once(site: Site) {
        // Both have seen that there is none of this id, and wait for somebody who gives up making it.
        let mut held = site.app.database.begin().await.expect("changes");
        let insert = "INSERT INTO contest (id, state, version, events, made_at) VALUES ('space2022', 'draft', 1, 0, 0)";
        sqlx::query(insert).execute(&mut *held).await.expect("held");
        let files = Template::find("2022").expect("a template").files(site.app.now());
        let make = |node: App| {
            let files = files.clone();
            tokio::spawn(async move { put::put(&node, &files, None, "").await })
        };
        let making = [make(node(&site)), make(node(&site))];
        tokio::time::sleep(A_WHILE).await;
        held.rollback().await.expect("let go");
        let mut made = 0;
        for one in making {
            match one.await.expect("no panic") {
                Ok(put) => made += usize::from(put.contest == "space2022"),
                Err(failure) => assert!(matches!(failure, Failure::Conflict(..)), "{failure}"),
            }
        }
        assert_eq!(made, 1);
        assert_eq!(column(&site, "SELECT scorer FROM generation WHERE contest = $1", "space2022").await.len(), 1);
    }
}

/// On PostgreSQL only, as the tests below: a file has no server that could end anything.
#[tokio::test]
async fn what_a_vanished_machine_held_is_let_go() {
    let Some(site) = Site::postgres().await else { return };
    let mut changes = site.app.database.begin().await.expect("changes");
    let show = sqlx::query_scalar("SHOW idle_in_transaction_session_timeout");
    let limit: String = show.fetch_one(&mut *changes).await.expect("a setting");
    assert_eq!(limit, "2min");
}

/// A node is silent for longer than it may hold a job, another takes it; then the first one wakes up and cannot score it.
#[tokio::test]
async fn who_lost_a_job_says_nothing_of_it_any_more() {
    let Some(site) = Site::postgres().await else { return };
    let contest = running(&site, "2022").await;
    let (team, _) = entered(&site, &contest, "ann", "山外山").await;
    let taken = send(&team, &contest, "task=judge", sample("2022/judge")).await.json();
    assert_eq!(taken["submission"]["score"]["measures"]["correct"], 7, "{taken}");
    // To be scored once more, when the worker that has done it rests, by a node that has the job and waits for the files, which it will find broken.
    tokio::time::sleep(A_WHILE).await;
    let mut changes = site.app.database.begin().await.expect("changes");
    sqlx::query("UPDATE job SET state = 'waiting', tries = 0").execute(&mut *changes).await.expect("it waits");
    changes.commit().await.expect("it waits");
    let mut held = site.app.database.begin().await.expect("changes");
    for statement in [
        "LOCK TABLE blob IN ACCESS EXCLUSIVE MODE",
        "SET LOCAL session_replication_role = replica",
        "UPDATE blob SET content = 'broken'",
    ] {
        sqlx::query(statement).execute(&mut *held).await.expect(statement);
    }
    let slow = node(&site);
    let scoring = tokio::spawn(async move { queue::step(&slow).await });
    tokio::time::sleep(A_WHILE).await;
    let mut other = site.app.database.begin().await.expect("changes");
    let take =
        sqlx::query("UPDATE job SET holder = 'other', held_until = $1 WHERE state = 'running'").bind(site.app.now() + 60_000);
    assert_eq!(take.execute(&mut *other).await.expect("taken over").rows_affected(), 1, "the first node has it");
    other.commit().await.expect("taken over");
    held.commit().await.expect("let go");
    assert!(scoring.await.expect("no panic").expect("no error"), "there was a job");
    assert_eq!(column(&site, "SELECT state FROM job WHERE holder = $1", "other").await, ["running"], "it is the other's");
    assert!(
        column(&site, "SELECT id FROM submission_log WHERE kind = $1", "failed").await.is_empty(),
        "nobody was told that it failed"
    );
}

/// SQLite has one writer, so nothing can come between.
#[tokio::test]
async fn a_first_file_and_corrected_gold_at_once_fit_each_other() {
    let Some(site) = Site::postgres().await else { return };
    let contest = running(&site, "2022").await;
    let (team, _) = entered(&site, &contest, "ann", "山外山").await;
    let folder = with_other_gold(&site, &contest).await;
    // The revision is on its way and waits for the competition; meanwhile the first file comes in and is scored with the gold of before.
    let mut held = site.app.database.begin().await.expect("changes");
    let hold = sqlx::query("UPDATE contest SET version = version WHERE id = $1").bind(contest.clone());
    hold.execute(&mut *held).await.expect("held");
    let other = node(&site);
    let revising = tokio::spawn(async move { put::put(&other, &folder, None, "答案录反").await });
    tokio::time::sleep(A_WHILE).await;
    let taken = send(&team, &contest, "task=judge", sample("2022/judge")).await.json();
    assert_eq!(taken["submission"]["score"]["measures"]["correct"], 7, "of twelve: {taken}");
    held.commit().await.expect("let go");
    let put = revising.await.expect("no panic").expect("a revision");
    assert_eq!(put.generation, Some(2), "what was scored with the gold of before is scored anew");
    queue::drain(&site.app).await.expect("scored");
    let select = "SELECT score.ranking FROM score JOIN generation ON generation.number = score.generation WHERE generation.state = 'current'";
    let scores: Vec<f64> = sqlx::query_scalar(select).fetch_all(site.app.database.read()).await.expect("scores");
    assert!(scores.len() == 1 && (scores[0] - 5.0 / 12.0).abs() < 1e-9, "{scores:?}");
}
