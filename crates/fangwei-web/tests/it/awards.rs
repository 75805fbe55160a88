//! Awards: documents to the second, a jury whose members do not influence each other, and the result of 2021 from its published board.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use fangwei::contest::{Change, Moment};
use fangwei_web::contests::kept;
use fangwei_web::id;
use fangwei_web::policy::Role;
use serde_json::{Value, json};

use crate::seed::{column, write_rows};
use crate::site::{Answer, Browser, Site, on_both, pass};
use crate::submit::sign_in;
use crate::teams::{entered, running};

async fn hand_in(browser: &Browser, contest: &str, document: &str, query: &str, bytes: &'static str) -> Answer {
    let path = format!("/api/contests/{contest}/documents/{document}?{query}");
    let request = Request::builder().method(Method::POST).uri(path).header("host", "site");
    let request = request.header("cookie", &browser.cookie).header("x-csrf-token", &browser.csrf);
    browser.call(request.header("content-type", "application/octet-stream").body(Body::from(bytes)).expect("a request")).await
}

on_both! {
    async fn documents_come_before_their_deadline_and_are_seen_by_few(site: Site) {
        let contest = running(&site, "2021").await;
        let (mut team, id) = entered(&site, &contest, "ann", "山外山").await;
        let (mut rival, _) = entered(&site, &contest, "bob", "楼外楼").await;
        let first = hand_in(&team, &contest, "report", "file=report.pdf", "draft").await;
        assert_eq!((first.status, &first.json()["version"]), (StatusCode::CREATED, &json!(1)), "{}", first.text);
        let second = hand_in(&team, &contest, "report", "file=../report.pdf", "the whole report").await.json();
        assert_eq!((&second["version"], &second["document"]), (&json!(2), &json!("report")), "{second}");
        let page = format!("/contests/{contest}/documents");
        for bad in ["javascript:alert(1)", "", "example.org"] {
            assert_eq!(team.post(&format!("{page}/code"), &[("link", bad)]).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}");
        }
        for (document, word) in [("model", "report"), ("report", "文件")] {
            let refused = hand_in(&team, &contest, document, "", "").await;
            assert!(refused.status == StatusCode::UNPROCESSABLE_ENTITY && refused.text.contains(word), "{document}: {}", refused.text);
        }
        assert_eq!(team.post(&format!("{page}/code"), &[("link", "https://example.org/code")]).await.status, StatusCode::SEE_OTHER);
        let own = team.get(&page).await;
        assert!(own.status == StatusCode::OK && own.text.contains("https://example.org/code") && own.text.contains("report.pdf"), "{}", own.text);

        let file = format!("/api/contests/{contest}/documents/{}/file", second["id"].as_str().expect("an id"));
        let list = format!("/api/contests/{contest}/documents");
        assert_eq!(team.get(&file).await.text, "the whole report");
        assert_eq!(team.get(&list).await.json()["documents"].as_array().map(Vec::len), Some(3), "every version is kept");
        let (mut olga, mut rae, mut ron) = (site.person("olga", Role::Organiser).await, site.person("rae", Role::Reviewer).await, site.person("ron", Role::Reviewer).await);
        assert_eq!(rival.get(&file).await.status, StatusCode::NOT_FOUND, "another team's");
        assert_eq!(rival.get(&list).await.json(), json!({ "documents": [] }));
        assert_eq!(rae.get(&file).await.status, StatusCode::NOT_FOUND, "a reviewer who does not judge");
        assert_eq!(rae.get(&format!("/contests/{contest}/jury")).await.status, StatusCode::NOT_FOUND);
        assert!(site.browser().get(&file).await.status == StatusCode::UNAUTHORIZED);
        assert_eq!(olga.get(&file).await.text, "the whole report");

        let naming = format!("/contests/{contest}/awards/jury");
        for refused in ["nobody", "ann"] {
            assert_eq!(olga.post(&naming, &[("account", refused), ("is_member", "true")]).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
        }
        for member in ["rae", "ron"] {
            let named = olga.json(Method::POST, &format!("/api{naming}"), &json!({ "account": member })).await;
            assert_eq!(named.status, StatusCode::OK, "{}", named.text);
        }
        assert_eq!(rae.get(&file).await.text, "the whole report");
        assert!(!site.browser().get(&format!("/contests/{contest}/news")).await.text.contains("评审组"), "who judges is no news");
        assert!(olga.get("/api/log").await.text.contains("contest-jury"));

        // Points: within their bounds, all at once, and blind until one's own are given.
        let give = format!("/api/contests/{contest}/jury/{id}");
        for bad in [json!({ "points": { "method": 51, "report": 1 } }), json!({ "points": { "method": -1, "report": 1 } }), json!({ "points": { "method": 1 } }), json!({ "points": { "method": 1, "report": 1, "style": 1 } }), json!({})] {
            assert_eq!(rae.json(Method::POST, &give, &bad).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}");
        }
        let given = rae.json(Method::POST, &give, &json!({ "points": { "method": 40, "report": 30 }, "comments": { "method": "扎实" } })).await;
        assert_eq!(given.status, StatusCode::OK, "{}", given.text);
        assert!(!ron.get(&format!("/contests/{contest}/jury")).await.text.contains("扎实"), "not before one's own");
        assert!(ron.get(&format!("/api/contests/{contest}/jury")).await.json()["teams"][0]["others"] == json!([]));
        let fields = [("points-method", "20"), ("points-report", "25.5"), ("comment-report", "简略")];
        assert_eq!(ron.post(&format!("/contests/{contest}/jury/{id}"), &fields).await.status, StatusCode::SEE_OTHER);
        assert!(ron.get(&format!("/contests/{contest}/jury")).await.text.contains("扎实"), "after");
        rae.json(Method::POST, &give, &json!({ "points": { "method": 41, "report": 30 } })).await;
        assert_eq!(column(&site, "SELECT CAST(version AS TEXT) FROM jury_score WHERE team = $1 AND criterion = 'method' ORDER BY version, account", &id).await.len(), 3, "what was given stays");
        for browser in [&mut team, &mut rival] {
            assert_eq!(browser.get(&format!("/contests/{contest}/jury")).await.status, StatusCode::FORBIDDEN);
            assert_eq!(browser.get(&format!("/contests/{contest}/awards")).await.status, StatusCode::NOT_FOUND, "nothing is public");
            assert_eq!(browser.get(&format!("/api/contests/{contest}/awards")).await.status, StatusCode::NOT_FOUND);
        }
        let preview = olga.get(&format!("/api/contests/{contest}/awards")).await.json();
        let reason = |name: &str| preview["left_out"].as_array().expect("a list").iter().find(|one| one["name"] == name).map(|one| one["reason"].clone());
        assert_eq!((reason("山外山"), reason("楼外楼"), &preview["rows"]), (Some(json!("scores")), Some(json!("documents")), &json!([])), "{preview}");
        assert_eq!(olga.post(&format!("/contests/{contest}/awards/release"), &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY, "no candidate, no award");
        assert_eq!(olga.get(&format!("/contests/{contest}/awards")).await.status, StatusCode::OK);

        // To the millisecond; and a deadline that is moved is moved.
        let deadline = kept::load(&site.app, &contest).await.expect("there").contest.awards.as_ref().expect("awards").documents[0].deadline;
        pass(deadline.ms - 1 - site.app.now());
        sign_in(&mut team, "ann").await;
        assert_eq!(hand_in(&team, &contest, "report", "file=a", "x").await.status, StatusCode::CREATED, "the last millisecond");
        pass(1);
        let late = hand_in(&team, &contest, "report", "file=a", "y").await;
        assert!(late.status == StatusCode::FORBIDDEN && late.text.contains(&deadline.to_string()), "{}", late.text);
        let to = Moment::at(deadline.ms + 1000, deadline.zone);
        let moved = Change::MoveDocument { document: "report".to_owned(), from: deadline, to, reason: "停电".to_owned() };
        kept::change_now(&site.app, &contest, None, &moved).await.expect("moved");
        assert_eq!(hand_in(&team, &contest, "report", "file=a", "y").await.json()["version"], 4);
        assert_eq!(hand_in(&team, &contest, "code", "link=https%3A%2F%2Fexample.org", "").await.status, StatusCode::FORBIDDEN, "the other one was not moved");
    }
}

/// Test scores and mean Z of 2021 as published (table 5 of its paper), and points that a jury of the test gives to the first six.
const TABLE: [(&str, [f64; 3], f64, Option<f64>); 9] = [
    ("t1", [0.734_257, 0.841_189, 0.647_574], 1.328, Some(80.0)),
    ("t2", [0.720_403, 0.813_012, 0.622_041], 0.709, Some(90.0)),
    ("t3", [0.729_219, 0.752_561, 0.657_812], 0.451, Some(85.0)),
    ("t4", [0.680_101, 0.768_955, 0.660_972], 0.103, Some(70.0)),
    ("t5", [0.692_695, 0.797_643, 0.584_027], -0.021, Some(75.0)),
    ("t6", [0.678_841, 0.804_816, 0.554_873], -0.308, Some(60.0)),
    ("t7", [0.630_982, 0.806_352, 0.616_521], -0.373, None),
    ("t8", [0.692_695, 0.764_857, 0.557_329], -0.543, None),
    ("baseline", [0.672_544, 0.728_996, 0.526_651], -1.346, None),
];

/// A row of the board with its scores, put straight into the database.
async fn board_row(site: &Site, contest: &str, name: &str, scores: [f64; 3], blob: &str) {
    let (now, kind) = (site.app.now(), if name == "baseline" { "baseline" } else { "team" });
    let team = "INSERT INTO team (id, contest, name, folded, kind, sort, institution, leader, people, contact, state, answer, version, made_at) VALUES ($1, $2, $1, $1, $3, 'other', '', '', '', '{}', 'approved', '', 0, $4)";
    write_rows!(site, team, name.to_owned(), contest.to_owned(), kind, now);
    for (task, score) in ["2021/judge", "2021/reason", "2021/joint"].into_iter().zip(scores) {
        let (upload, submission) = (id::at(now), id::at(now));
        let insert = "INSERT INTO upload (id, contest, team, phase, task, channel, client, file_name, note, bytes, hash, verdict, errors, warnings, at) VALUES ($1, $2, $3, 'test', $4, 'api', $1, '', '', 0, '', 'accepted', 0, 0, $5)";
        write_rows!(site, insert, upload.clone(), contest.to_owned(), name.to_owned(), task, now);
        let insert = "INSERT INTO submission (id, contest, team, upload, phase, task, number, day, day_number, hash, at) VALUES ($1, $2, $3, $4, 'test', $5, 1, '', 1, $6, $7)";
        write_rows!(site, insert, submission.clone(), contest.to_owned(), name.to_owned(), upload, task, blob.to_owned(), now);
        let part =
            json!({ "all": { "items": 1, "answered": 1, "ranking": score, "measures": {} }, "public": null, "private": null });
        let insert = "INSERT INTO score (id, submission, generation, scorer, gold, ranking, measures, spent_ms, at) VALUES ($1, $1, 1, 'x', $2, $3, $4, 0, $5)";
        write_rows!(site, insert, submission, blob.to_owned(), score, part.to_string(), now);
    }
}

on_both! {
    async fn the_awards_of_2021(site: Site) {
        let contest = running(&site, "2021").await;
        let blob = kept::load(&site.app, &contest).await.expect("there").files["gold/judge/test.jsonl"].clone();
        let (mut olga, mut rae) = (site.person("olga", Role::Organiser).await, site.person("rae", Role::Reviewer).await);
        olga.post(&format!("/contests/{contest}/awards/jury"), &[("account", "rae"), ("is_member", "true")]).await;
        for (name, scores, _, jury) in TABLE {
            board_row(&site, &contest, name, scores, &blob).await;
            let Some(points) = jury else { continue };
            for document in ["report", "code"] {
                let insert = "INSERT INTO document (id, contest, team, document, version, file_name, hash, link, at) VALUES ($1, $2, $3, $4, 1, 'f', $5, '', $6)";
                write_rows!(site, insert, id::at(site.app.now()), contest.clone(), name, document, blob.clone(), site.app.now());
            }
            let given = rae.json(Method::POST, &format!("/api/contests/{contest}/jury/{name}"), &json!({ "points": { "method": points / 2.0, "report": points / 2.0 } })).await;
            assert_eq!(given.status, StatusCode::OK, "{}", given.text);
        }
        let released = olga.json(Method::POST, &format!("/api/contests/{contest}/awards/release"), &json!({})).await;
        assert_eq!(released.status, StatusCode::OK, "{}", released.text);
        let mut nobody = site.browser();
        let awards = nobody.get(&format!("/api/contests/{contest}/awards")).await.json();
        let rows = awards["rows"].as_array().expect("rows");
        assert_eq!((rows.len(), &awards["flat_board"], &awards["flat_jury"], &awards["is_jury_incomplete"]), (6, &json!(false), &json!(false), &json!(false)), "{awards}");
        for (name, _, z_mean, jury) in &TABLE[..6] {
            let row = rows.iter().find(|row| row["name"] == *name).unwrap_or_else(|| panic!("no {name}: {awards}"));
            let number = |key: &str| row[key].as_f64().expect("a number");
            assert_eq!(format!("{:.3}", number("z_mean")), format!("{z_mean:.3}"), "as published");
            // Between the least and the greatest of the six: Z from -0.308 to 1.328, points from 60 to 90. Published Z are rounded to three digits.
            let expected = 0.8 * (z_mean + 0.308) / (1.328 + 0.308) + 0.2 * (jury.expect("points") - 60.0) / 30.0;
            assert!((number("total") - expected).abs() < 1e-3, "{name}: {row} against {expected}");
        }
        let order: Vec<(&str, i64)> = rows.iter().filter_map(|row| Some((row["name"].as_str()?, row["place"].as_i64()?))).collect();
        // 0.933, 0.697, 0.538, 0.268, 0.240, 0
        assert_eq!(order, [("t1", 1), ("t2", 2), ("t3", 3), ("t4", 4), ("t5", 5), ("t6", 6)]);
        assert!(awards["left_out"].is_null(), "who is no candidate is the organisers' matter");
        let csv = nobody.get(&format!("/api/contests/{contest}/awards.csv")).await;
        assert!(csv.status == StatusCode::OK && csv.text.lines().count() == 7 && csv.text.starts_with("place,name,z_mean"), "{}", csv.text);
        assert!(nobody.get(&format!("/contests/{contest}/awards")).await.text.contains("0.9333"));
        assert!(nobody.get(&format!("/contests/{contest}/news")).await.text.contains("公布获奖结果"));
        let page = olga.get(&format!("/contests/{contest}/awards")).await;
        assert!(page.status == StatusCode::OK && page.text.contains("没有交齐文件"), "{}", page.text);

        // What is public stays: neither the jury nor other scores move it.
        let late = rae.json(Method::POST, &format!("/api/contests/{contest}/jury/t6"), &json!({ "points": { "method": 50, "report": 50 } })).await;
        assert_eq!(late.status, StatusCode::FORBIDDEN, "{}", late.text);
        write_rows!(site, "UPDATE team SET state = 'left' WHERE id = $1", "t1");
        assert_eq!(nobody.get(&format!("/api/contests/{contest}/awards")).await.json(), awards);
        let preview: Value = olga.get(&format!("/api/contests/{contest}/awards")).await.json();
        assert_eq!(preview["rows"][0]["name"], "t2", "the organisers see what would be: {preview}");
    }
}
