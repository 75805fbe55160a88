//! Competitions as people meet them: drafts that nobody else sees, pages, data behind gates and the agreement, moved deadlines on the news page.

use axum::http::{Method, StatusCode};
use fangwei::contest::{Change, Folder, Template};
use fangwei_web::contests::{kept, put};
use fangwei_web::policy::Role;
use serde_json::json;

use crate::site::{Site, on_both, pass};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// A competition of a template, with the sample data, opened. Registration begins today; the development phase in seven days.
pub async fn open(site: &Site, template: &str) -> String {
    open_at(site, template, site.app.now()).await
}

/// The same, with a schedule that began at another moment.
pub async fn open_at(site: &Site, template: &str, now: i64) -> String {
    let files = Template::find(template).expect("a template").files(now);
    let put = put::put(&site.app, &files, None, "").await.expect("a sound competition");
    kept::change_now(&site.app, &put.contest, None, &Change::Open {}).await.expect("opened");
    put.contest
}

fn text_of(folder: &Folder) -> String {
    String::from_utf8_lossy(&folder["competition.toml"]).into_owned()
}

on_both! {
    async fn a_draft_is_seen_by_organisers_only(site: Site) {
        let mut organiser = site.person("olga", Role::Organiser).await;
        let made = organiser.post("/contests", &[("template", "2022")]).await;
        assert_eq!((made.status, made.location()), (StatusCode::SEE_OTHER, "/contests/space2022/manage"), "{}", made.text);
        let again = organiser.post("/contests", &[("template", "2022")]).await;
        assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY, "there is one of this id");
        assert_eq!(organiser.post("/contests", &[("template", "1999")]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
        let paths = ["", "/pages/rules", "/tasks/judge", "/data", "/agreement", "/schedule", "/news"];
        let (mut team, mut nobody) = (site.person("tom", Role::Participant).await, site.browser());
        for path in paths {
            let path = format!("/contests/space2022{path}");
            assert_eq!(organiser.get(&path).await.status, StatusCode::OK, "{path}");
            assert_eq!(team.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
            assert_eq!(nobody.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
        }
        assert!(!nobody.get("/contests").await.text.contains("space2022"));
        assert!(!nobody.get("/api/contests").await.text.contains("space2022"));
        assert_eq!(organiser.post("/contests/space2022/manage", &[("kind", "open")]).await.status, StatusCode::SEE_OTHER);
        for path in paths {
            let path = format!("/contests/space2022{path}");
            let answer = nobody.get(&path).await;
            assert_eq!(answer.status, StatusCode::OK, "{path}");
            assert!(!answer.text.contains("<script>") && !answer.text.contains("style=\""), "{path}");
        }
        assert!(nobody.get("/contests").await.text.contains("space2022"));
        assert_eq!(team.get("/contests/space2022/manage").await.status, StatusCode::FORBIDDEN);
        assert_eq!(team.get("/").await.location(), "/contests", "a participant has no work, but competitions");
        let english = nobody.get("/lang/en").await;
        assert_eq!(english.status, StatusCode::SEE_OTHER);
        for name in ["", "/pages/x", "/tasks/x", "/data/x"] {
            assert_eq!(team.get(&format!("/contests/nowhere{name}")).await.status, StatusCode::NOT_FOUND);
        }
        assert_eq!(team.get("/contests/space2022/tasks/anomaly").await.status, StatusCode::NOT_FOUND, "a task of another year");
    }
}

on_both! {
    async fn data_is_behind_its_gate_and_the_agreement(site: Site) {
        // The development phase begins at the next midnight in China: sessions last that long.
        let id = open_at(&site, "2022", site.app.now() - 6 * DAY).await;
        let (mut tom, mut olga) = (site.person("tom", Role::Participant).await, site.person("olga", Role::Organiser).await);
        let file = format!("/contests/{id}/data/judge-dev");
        let api = format!("/api/contests/{id}/data/judge-dev");
        assert_eq!(site.browser().get(&file).await.location(), format!("/login?next=/contests/{id}/data/judge-dev"));
        assert_eq!(tom.get(&file).await.status, StatusCode::NOT_FOUND, "before its gate it is not there");
        assert!(!tom.get(&format!("/contests/{id}/data")).await.text.contains(&format!("href=\"{file}\"")));
        assert_eq!(olga.get(&file).await.status, StatusCode::OK, "organisers try what they let out");
        let dev = kept::load(&site.app, &id).await.expect("there").contest.phase("dev").expect("there").start.ms;
        let before = site.app.now();
        pass(dev - before - 1);
        assert_eq!(tom.get(&file).await.status, StatusCode::NOT_FOUND, "a millisecond before");
        pass(1);
        let led = tom.get(&file).await;
        assert_eq!(led.status, StatusCode::SEE_OTHER, "{}", led.text);
        assert!(led.location().starts_with(&format!("/contests/{id}/agreement")));
        assert_eq!(tom.get(&api).await.status, StatusCode::FORBIDDEN);
        assert_eq!(tom.post(&format!("/contests/{id}/agreement"), &[("version", "0")]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
        for next in ["//evil.example", "https://evil.example", "/\\evil"] {
            let accepted = tom.post(&format!("/contests/{id}/agreement"), &[("version", "1"), ("next", next)]).await;
            assert_eq!(accepted.location(), format!("/contests/{id}/data"), "{next}");
        }
        let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM acceptance").fetch_one(site.app.database.read()).await.expect("a number");
        assert_eq!(count, 1, "accepted once");
        let answer = tom.get(&file).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert!(answer.text.contains("\"context\"") && !answer.text.contains("\"judge\""), "items without answers: {}", answer.text);
        assert_eq!(tom.get(&api).await.text, answer.text);
        let gold = tom.get(&format!("/contests/{id}/data/roles-dev-answers")).await;
        assert_eq!(gold.status, StatusCode::NOT_FOUND, "answers wait for the end of the phase");
        let listed = tom.get(&format!("/api/contests/{id}")).await.json();
        for file in listed["data"].as_array().expect("files") {
            assert_eq!(file["sha256"].is_null(), file["is_released"] == false, "{file}");
        }
    }
}

on_both! {
    async fn what_organisers_do_is_on_the_news_page_and_in_the_log(site: Site) {
        let id = open(&site, "2022").await;
        let mut olga = site.person("olga", Role::Organiser).await;
        let manage = format!("/contests/{id}/manage");
        let page = olga.get(&manage).await;
        assert_eq!(page.status, StatusCode::OK);
        let kept = kept::load(&site.app, &id).await.expect("there");
        let end = kept.contest.phase("dev").expect("there").end;
        let later = fangwei::contest::Moment::at(end.ms + 3 * DAY, end.zone).to_string();
        let moved = olga.post(&manage, &[("kind", "move"), ("phase", "dev"), ("edge", "end"), ("to", &later), ("reason", "校园网 <b>中断</b>")]).await;
        assert_eq!(moved.status, StatusCode::SEE_OTHER, "{}", moved.text);
        for (fields, why) in [
            (vec![("kind", "move"), ("phase", "dev"), ("edge", "end"), ("to", "2022-08-12")], "a day is no time"),
            (vec![("kind", "move"), ("phase", "dev"), ("edge", "end"), ("to", "1999-08-12T00:00:00Z")], "the end would be before the start"),
            (vec![("kind", "move"), ("phase", "final"), ("edge", "end"), ("to", later.as_str())], "no such phase"),
            (vec![("kind", "release"), ("file", "gold")], "no such file"),
            (vec![("kind", "freeze"), ("board", "x")], "no such board"),
            (vec![("kind", "news")], "no title"),
            (vec![("kind", "rescore")], "not by this page"),
        ] {
            let refused = olga.post(&manage, &fields).await.status;
            assert!(refused == StatusCode::UNPROCESSABLE_ENTITY || refused == StatusCode::NOT_FOUND, "{why}: {refused}");
        }
        for fields in [
            vec![("kind", "release"), ("file", "roles-dev-answers")],
            vec![("kind", "freeze"), ("board", "dev")],
            vec![("kind", "news"), ("title_zh", "答疑"), ("text_zh", "周三**下午** <script>x</script>")],
        ] {
            assert_eq!(olga.post(&manage, &fields).await.status, StatusCode::SEE_OTHER, "{fields:?}");
        }
        let news = site.browser().get(&format!("/contests/{id}/news")).await.text;
        for expected in [later.as_str(), "改为", "任务三开发集答案", "冻结", "答疑", "<strong>下午</strong>", "&lt;script&gt;", "&lt;b&gt;"] {
            assert!(news.contains(expected), "{expected} is not in {news}");
        }
        assert!(!news.contains("<script>x") && !news.contains("<b>"));
        let kept = kept::load(&site.app, &id).await.expect("there");
        assert_eq!(kept.contest.phase("dev").expect("there").end.to_string(), later);
        assert_eq!(kept.contest.phase("test").expect("there").start.ms, end.ms, "other edges stay");
        assert!(kept.contest.board("dev").expect("there").frozen_at.is_some());
        let log = olga.get("/api/log").await.text;
        for action in ["contest-move", "contest-release", "contest-freeze", "contest-news", "contest-open"] {
            assert!(log.contains(action), "{action} is not in {log}");
        }
        let schedule = site.browser().get(&format!("/contests/{id}/schedule")).await.text;
        assert!(schedule.contains(&later[..10]), "{schedule}");
    }
}

on_both! {
    async fn programs_make_changes_and_two_at_once_do_not_both_count(site: Site) {
        let id = open(&site, "2023").await;
        let mut olga = site.person("olga", Role::Organiser).await;
        let path = format!("/api/contests/{id}/changes");
        let kept = kept::load(&site.app, &id).await.expect("there");
        let end = kept.contest.phase("dev").expect("there").end;
        let to = fangwei::contest::Moment::at(end.ms + DAY, end.zone);
        let change = json!({ "kind": "move", "phase": "dev", "edge": "end", "from": end, "to": to });
        let done = olga.json(Method::POST, &path, &change).await;
        assert_eq!(done.status, StatusCode::OK, "{}", done.text);
        assert_eq!(done.json()["phases"][0]["end"], to.to_string());
        let again = olga.json(Method::POST, &path, &change).await;
        assert_eq!(again.status, StatusCode::CONFLICT, "it no longer ends where the sender thought");
        for bad in [json!({}), json!({ "kind": "rescore", "generation": 2 }), json!({ "kind": "move" }), json!({ "kind": "grant", "team": "x", "phase": "dev", "extra": 1 })] {
            assert_eq!(olga.json(Method::POST, &path, &bad).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}");
        }
        // One who has loaded it before cannot write over what came in between.
        let mut changes = site.app.database.begin().await.expect("changes");
        let late = kept::change(&site.app, &mut changes, &kept, None, &Change::Freeze { board: "dev".to_owned() }).await;
        assert!(matches!(late, Err(fangwei_web::failure::Failure::Conflict(..))), "{late:?}");
    }
}

on_both! {
    async fn a_revision_keeps_what_was_moved_and_tells_what_differs(site: Site) {
        let now = site.app.now();
        let mut files = Template::find("2022").expect("a template").files(now);
        let id = open_at(&site, "2022", now).await;
        let phase = |kept: &kept::Kept, phase: &str| kept.contest.phase(phase).expect("there").clone();
        let first = kept::load(&site.app, &id).await.expect("there");
        let end = phase(&first, "dev").end;
        let to = fangwei::contest::Moment::at(end.ms + 5 * DAY, end.zone);
        let moved = Change::Move { phase: "dev".to_owned(), edge: fangwei::contest::Edge::End, from: end, to, reason: String::new() };
        kept::change_now(&site.app, &id, None, &moved).await.expect("moved");
        let same = put::put(&site.app, &files, None, "").await.expect("the same");
        assert_eq!((same.version, same.files.len()), (1, 0), "nothing differs, nothing is kept");

        files.insert("home.zh.md".to_owned(), "# 换过的首页\n".into());
        let test_end = phase(&first, "test").end;
        let shorter = fangwei::contest::Moment::at(test_end.ms - DAY, test_end.zone);
        let toml = text_of(&files).replace(&format!("end = \"{test_end}\""), &format!("end = \"{shorter}\""));
        files.insert("competition.toml".to_owned(), toml.into_bytes());
        let put = put::put(&site.app, &files, None, "排版").await.expect("a revision");
        assert_eq!((put.version, put.files.as_slice()), (2, ["competition.toml".to_owned(), "home.zh.md".to_owned()].as_slice()));
        let kept = kept::load(&site.app, &id).await.expect("there");
        assert_eq!(phase(&kept, "dev").end, to, "the file does not touch it, so it stays where it was moved to");
        assert_eq!(phase(&kept, "test").end, shorter, "the file moved it");
        let news = site.browser().get(&format!("/contests/{id}/news")).await.text;
        assert!(news.contains("修订") && news.contains(&shorter.to_string()) && news.contains("排版"), "{news}");
        assert!(site.browser().get(&format!("/contests/{id}")).await.text.contains("换过的首页"));

        let gold: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM gold_version").fetch_one(site.app.database.read()).await.expect("a number");
        assert_eq!(gold, 6, "three tasks of two phases, none of which differs");
        let half: String = String::from_utf8_lossy(&files["gold/judge/test.jsonl"]).replace("\"judge\":1", "\"judge\":0");
        files.insert("gold/judge/test.jsonl".to_owned(), half.into_bytes());
        put::put(&site.app, &files, None, "更正答案").await.expect("a revision");
        let last: i64 = sqlx::query_scalar("SELECT MAX(number) FROM gold_version WHERE phase = 'test' AND task = '2022/judge'").fetch_one(site.app.database.read()).await.expect("a number");
        assert_eq!(last, 2);

        files.insert("competition.toml".to_owned(), text_of(&files).replace("max_submissions = 60", "max_submissions = 0").into_bytes());
        let refused = put::put(&site.app, &files, None, "").await.expect_err("a defect");
        assert!(refused.say().en.contains("/phases/0/max_submissions"), "{refused:?}");
        assert_eq!(kept::load(&site.app, &id).await.expect("there").version, 3, "nothing of it was kept");
    }
}

on_both! {
    async fn rows_that_were_appended_stay(site: Site) {
        let id = open(&site, "2021").await;
        for statement in [
            "UPDATE contest_event SET detail = '{}'",
            "DELETE FROM contest_event",
            "UPDATE blob SET content = ''",
            "DELETE FROM contest_file",
            "UPDATE gold_version SET gold = items",
        ] {
            let mut changes = site.app.database.begin().await.expect("changes");
            let refused = sqlx::query(statement).execute(&mut *changes).await;
            assert!(refused.is_err_and(|error| error.to_string().contains("never changed")), "{statement}");
        }
        assert_eq!(kept::load(&site.app, &id).await.expect("there").events, 1);
    }
}

on_both! {
    async fn gold_is_in_no_answer(site: Site) {
        let id = open(&site, "2022").await;
        let folder = Template::find("2022").expect("a template").files(0);
        // What only gold has: the reasons of attribute.
        let gold = String::from_utf8_lossy(&folder["gold/attribute/test.jsonl"]).into_owned();
        let secret = gold.split("\"reasons\":").nth(1).expect("an answer").chars().take(60).collect::<String>();
        pass(70 * DAY);
        let mut people = vec![site.browser(), site.person("tom", Role::Participant).await, site.person("ann", Role::Annotator).await];
        for browser in &mut people[1..] {
            browser.post(&format!("/contests/{id}/agreement"), &[("version", "1")]).await;
        }
        let files = kept::load(&site.app, &id).await.expect("there");
        let mut paths: Vec<String> = ["", "/data", "/schedule", "/news", "/agreement", "/tasks/attribute", "/manage"].iter().map(|path| format!("/contests/{id}{path}")).collect();
        paths.extend(files.contest.data.iter().map(|file| format!("/contests/{id}/data/{}", file.id)));
        paths.extend(files.files.keys().map(|path| format!("/contests/{id}/data/{}", path.replace('/', "%2F"))));
        paths.push(format!("/api/contests/{id}"));
        for browser in &mut people {
            for path in &paths {
                let answer = browser.get(path).await;
                assert!(!answer.text.contains(&secret), "{path}");
                pass(1000);
            }
        }
    }
}

on_both! {
    async fn a_folder_comes_as_an_archive(site: Site) {
        let files = Template::find("2021").expect("a template").files(site.app.now());
        let zipped = |files: &Folder| {
            use std::io::Write;
            let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
            for (path, bytes) in files {
                archive.start_file(format!("contest/{path}"), zip::write::SimpleFileOptions::default()).expect("an entry");
                archive.write_all(bytes).expect("written");
            }
            archive.finish().expect("an archive").into_inner()
        };
        let olga = site.person("olga", Role::Organiser).await;
        let send = async |bytes: Vec<u8>| {
            let request = axum::http::Request::post("/api/contests?reason=x").header("host", "site").header("cookie", &olga.cookie).header("x-csrf-token", &olga.csrf);
            let request = request.header("content-type", "application/zip").body(axum::body::Body::from(bytes)).expect("a request");
            olga.call(request).await
        };
        let made = send(zipped(&files)).await;
        assert_eq!(made.status, StatusCode::OK, "{}", made.text);
        assert_eq!((&made.json()["contest"], &made.json()["version"]), (&json!("space2021"), &json!(1)));
        assert_eq!(kept::load(&site.app, "space2021").await.expect("there").state, fangwei_web::contests::State::Draft);
        let mut broken = files.clone();
        broken.remove("gold/judge/dev.jsonl");
        let refused = send(zipped(&broken)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.json()["detail"]["defects"][0]["code"], "missing-file", "{}", refused.text);
        assert_eq!(send(b"no archive".to_vec()).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}
