//! Boards: places and numbers against those worked out by hand, what a freeze and a reveal change, who sees what, and that a new score is seen at once.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use fangwei::contest::{Change, Template};
use fangwei_web::contests::{kept, put};
use fangwei_web::copy;
use fangwei_web::policy::Role;
use serde_json::{Value, json};

use crate::seed::write_rows;
use crate::site::{Site, on_both, pass};
use crate::submit::{send, sign_in};
use crate::teams::{entered, running};

/// Answers to the judgement task of a phase: right for the first so many items, wrong for the others.
async fn answers(site: &Site, contest: &str, phase: &str, right: usize) -> String {
    let kept = kept::load(&site.app, contest).await.expect("there");
    let gold = kept.text(&site.app, &format!("gold/judge/{phase}.jsonl")).await.expect("gold");
    let answer = |(number, line): (usize, &str)| {
        let item: Value = serde_json::from_str(line).expect("JSON");
        let judge = item["judge"].as_i64().expect("a judgement");
        json!({ "qid": item["qid"], "judge": if number < right { judge } else { 1 - judge } }).to_string() + "\n"
    };
    gold.lines().enumerate().map(answer).collect()
}

async fn items(site: &Site, contest: &str, phase: &str) -> usize {
    let kept = kept::load(&site.app, contest).await.expect("there");
    kept.text(&site.app, &format!("gold/judge/{phase}.jsonl")).await.expect("gold").lines().count()
}

fn row<'b>(board: &'b Value, name: &str) -> &'b Value {
    board["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .find(|row| row["name"] == name)
        .unwrap_or_else(|| panic!("no {name} in {board}"))
}

fn names(board: &Value) -> Vec<(&str, Option<u64>)> {
    let rows = board["rows"].as_array().expect("rows").iter();
    rows.map(|row| (row["name"].as_str().expect("a name"), row["rank"].as_u64())).collect()
}

/// A competition whose development board also has rows that were typed in, and shows names in full.
async fn with_rows(site: &Site, rows: &str) -> String {
    let mut files = Template::find("2022").expect("a template").files(site.app.now() - 10 * 24 * 60 * 60 * 1000);
    let text = String::from_utf8_lossy(&files["competition.toml"]).replacen("names = \"masked\"", "rows = \"rows.csv\"", 1);
    let text = text.replace("id = \"judge-dev\"\n", "id = \"judge-dev\"\nagreement = false\n");
    files.insert("competition.toml".to_owned(), text.into_bytes());
    files.insert("rows.csv".to_owned(), rows.as_bytes().to_vec());
    let put = put::put(&site.app, &files, None, "").await.expect("a sound competition");
    kept::change_now(&site.app, &put.contest, None, &Change::Open {}).await.expect("opened");
    put.contest
}

on_both! {
    async fn places_and_numbers_as_worked_out_by_hand(site: Site) {
        let contest = with_rows(&site, "name,kind,judge,roles\n基线,baseline,0.5,0.25\n人,human,0.95,n/a\n").await;
        let count = items(&site, &contest, "dev").await;
        assert!(count >= 8, "the sample has too few items: {count}");
        let (high, low) = (count - 1, count / 2);
        let (mut tall, tall_id) = entered(&site, &contest, "leader", "山外山").await;
        let (small, _) = entered(&site, &contest, "rival", "楼外楼").await;
        let (_, _) = entered(&site, &contest, "idle", "天外天").await;
        for (team, right) in [(&tall, 1), (&tall, high), (&small, low)] {
            let taken = send(team, &contest, "task=judge", answers(&site, &contest, "dev", right).await).await;
            assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text);
            pass(1000);
        }
        let path = format!("/api/contests/{contest}/boards/dev");
        let board = site.browser().get(&path).await.json();
        let share = |right: usize| right as f64 / count as f64;
        // Only one task was sent, so both are incomplete; who has sent nothing is not there; typed rows are placed, not ranked.
        assert_eq!(names(&board), [("山外山", Some(1)), ("楼外楼", Some(2)), ("基线", None), ("人", None)]);
        let (first, second) = (row(&board, "山外山"), row(&board, "楼外楼"));
        assert_eq!((&first["tasks"][0]["value"], &second["tasks"][0]["value"]), (&json!(share(high)), &json!(share(low))), "the last submission counts");
        assert_eq!((&first["tasks"][0]["submissions"], &first["tasks"][0]["history"]), (&json!(2), &json!([share(1), share(high)])));
        // Two teams, deviation by N - 1: each is half of the square root of two from the mean.
        let z = first["tasks"][0]["z"].as_f64().expect("a Z");
        assert!((z - 0.5_f64.sqrt()).abs() < 1e-9, "{z}");
        assert!((second["z_mean"].as_f64().expect("a Z") + 0.5_f64.sqrt()).abs() < 1e-9);
        let mean = f64::midpoint(share(high), share(low));
        let deviation = (share(high) - share(low)) / 2.0_f64.sqrt();
        let baseline = row(&board, "基线")["tasks"][0]["z"].as_f64().expect("a Z");
        assert!((baseline - (0.5 - mean) / deviation).abs() < 1e-9, "{baseline}");
        assert_eq!((&row(&board, "人")["tasks"][2]["value"], &row(&board, "人")["kind"]), (&Value::Null, &json!("human")), "n/a stays n/a");
        assert!(first["flags"].as_array().is_some_and(|flags| flags.contains(&json!("incomplete"))), "{first}");
        assert_eq!(board["is_settled"], true, "{board}");
        let chances: f64 = board["rows"].as_array().expect("rows").iter().filter_map(|row| row["first"].as_f64()).sum();
        assert!((chances - 1.0).abs() < 1e-9 && first["first"].as_f64() > second["first"].as_f64(), "{board}");
        let interval = first["tasks"][0]["interval"].as_array().expect("an interval");
        assert!(interval[0].as_f64() <= Some(share(high)) && interval[1].as_f64() >= Some(share(high)), "{first}");
        assert_eq!((&row(&board, "基线")["interval"], &row(&board, "基线")["first"]), (&Value::Null, &Value::Null), "typed rows stand still");

        let page = tall.get(&format!("/contests/{contest}/boards/dev")).await;
        assert_eq!(page.status, StatusCode::OK);
        for expected in ["class=\"own\"", "<polyline points=", "class=\"kind baseline\"", "n/a", "居首概率", "/static/board/live.js", "平均标准分"] {
            assert!(page.text.contains(expected), "{expected} is not in {}", page.text);
        }
        assert!(tall.get(&format!("/contests/{contest}/boards")).await.text.contains("boards/dev"));
        let csv = site.browser().get(&format!("/contests/{contest}/boards/dev/board.csv")).await;
        assert_eq!(csv.headers["content-type"], "text/csv; charset=utf-8");
        assert!(csv.text.starts_with("rank,name,kind,z_mean") && csv.text.lines().count() == 5, "{}", csv.text);
        let badge = site.browser().get(&format!("/contests/{contest}/boards/dev/badge.svg?team={tall_id}&task=judge")).await;
        assert_eq!((badge.status, badge.headers["content-type"].to_str().expect("letters")), (StatusCode::OK, "image/svg+xml; charset=utf-8"));
        assert!(badge.text.contains("#1 山外山") && !badge.text.contains("script"), "{}", badge.text);
        assert_eq!(site.browser().get(&format!("/contests/{contest}/boards/dev/badge.svg?team=nobody")).await.status, StatusCode::NOT_FOUND);
        assert_eq!(site.browser().get(&format!("/contests/{contest}/boards/none")).await.status, StatusCode::NOT_FOUND);
    }
}

on_both! {
    async fn a_new_score_is_seen_at_once(site: Site) {
        let contest = running(&site, "2022").await;
        let (team, _) = entered(&site, &contest, "leader", "山外山").await;
        let (rival, rival_id) = entered(&site, &contest, "rival", "楼外楼").await;
        let count = items(&site, &contest, "dev").await;
        let mut nobody = site.browser();
        let (path, live) = (format!("/api/contests/{contest}/boards/dev"), format!("/api/contests/{contest}/boards/dev/live"));
        assert_eq!(nobody.get(&path).await.json()["rows"], json!([]));
        send(&team, &contest, "task=judge", answers(&site, &contest, "dev", count - 2).await).await;
        let before = nobody.get(&path).await.json();
        assert_eq!(names(&before), [("山**", Some(1))]);
        assert_eq!(row(&before, "山**")["tasks"][0]["z"], 0.0, "one team has no deviation: Z is 0, and said so");
        assert!(before["remarks"].to_string().contains("标准差为零"), "{before}");
        let asked = nobody.get(&live).await;
        let tag = asked.headers["etag"].to_str().expect("letters").to_owned();
        assert_eq!(asked.json()["stamp"], before["stamp"]);
        let request = |tag: &str| Request::get(&live).header("host", "site").header("if-none-match", tag).body(Body::empty()).expect("a request");
        assert_eq!(nobody.call(request(&tag)).await.status, StatusCode::NOT_MODIFIED);
        pass(1000);
        send(&rival, &contest, "task=judge", answers(&site, &contest, "dev", count).await).await;
        assert_eq!(nobody.call(request(&tag)).await.status, StatusCode::OK, "it has moved");
        let after = nobody.get(&path).await.json();
        assert_eq!(names(&after), [("楼**", Some(1)), ("山**", Some(2))]);
        assert_ne!(after["stamp"], before["stamp"]);
        assert_eq!(after["is_settled"], true);
        // Many at once: one computation serves them all, and all are told the same.
        pass(1000);
        send(&team, &contest, "task=judge", answers(&site, &contest, "dev", 1).await).await;
        let asking: Vec<_> = (0..20).map(|_| { let (mut browser, path) = (site.browser(), path.clone()); tokio::spawn(async move { browser.get(&path).await.text }) }).collect();
        let mut told = std::collections::BTreeSet::new();
        for asked in asking {
            told.insert(asked.await.expect("no panic"));
        }
        assert_eq!(told.len(), 1, "{told:?}");
        // A team that leaves is no longer there.
        write_rows!(site, "UPDATE team SET state = 'left', version = version + 1 WHERE id = $1", rival_id);
        assert_eq!(names(&nobody.get(&path).await.json()), [("山**", Some(1))]);
    }
}

on_both! {
    async fn a_frozen_board_stands_still_for_all_but_organisers(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut team, _) = entered(&site, &contest, "leader", "山外山").await;
        let mut olga = site.person("olga", Role::Organiser).await;
        let count = items(&site, &contest, "dev").await;
        send(&team, &contest, "task=judge", answers(&site, &contest, "dev", 2).await).await;
        pass(1000);
        kept::change_now(&site.app, &contest, None, &Change::Freeze { board: "dev".to_owned() }).await.expect("frozen");
        pass(1000);
        send(&team, &contest, "task=judge", answers(&site, &contest, "dev", count).await).await;
        let path = format!("/api/contests/{contest}/boards/dev");
        let value = |board: Value| board["rows"][0]["tasks"][0]["value"].as_f64().expect("a score");
        let two = 2.0 / count as f64;
        for browser in [&mut site.browser(), &mut team] {
            let board = browser.get(&path).await.json();
            assert_eq!((value(board.clone()), &board["rows"][0]["tasks"][0]["history"]), (two, &json!([two])), "{board}");
            assert!(board["frozen_at"].is_i64());
        }
        assert_eq!(value(olga.get(&path).await.json()), 1.0, "organisers see it move");
        let badge = olga.get(&format!("/contests/{contest}/boards/dev/badge.svg?task=judge")).await.text;
        assert!(badge.contains(&format!("{two:.4}")) && badge.contains("山**"), "a badge shows what everybody sees: {badge}");
        // Scored anew after the freeze: those who look from outside still see what stood.
        let now = site.app.now();
        write_rows!(site, "INSERT INTO generation (id, contest, number, scorer, reason, state, at) VALUES ('g2', $1, 2, 's', '', 'current', $2)", contest.clone(), now);
        assert_eq!(value(site.browser().get(&path).await.json()), two);
        assert_eq!(olga.get(&path).await.json()["rows"], json!([]), "nothing is scored in the new generation yet");
        write_rows!(site, "UPDATE generation SET state = 'past' WHERE id = $1", "g2");
        kept::change_now(&site.app, &contest, None, &Change::Thaw { board: "dev".to_owned() }).await.expect("thawed");
        assert_eq!(value(site.browser().get(&path).await.json()), 1.0);
    }
}

on_both! {
    async fn what_is_kept_back_appears_with_the_reveal(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut team, team_id) = entered(&site, &contest, "leader", "山外山").await;
        let kept = kept::load(&site.app, &contest).await.expect("there");
        pass(kept.contest.phase("test").expect("a phase").start.ms + 1 - site.app.now());
        sign_in(&mut team, "leader").await;
        let mut olga = site.person("olga", Role::Organiser).await;
        let mut other = site.person("passer-by", Role::Participant).await;
        let count = items(&site, &contest, "test").await;
        let taken = send(&team, &contest, "task=judge&phase=test", answers(&site, &contest, "test", count / 2).await).await;
        assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text);
        let public = taken.json()["submission"]["score"]["ranking"].clone();
        let paths = [
            format!("/api/contests/{contest}/boards/test"),
            format!("/api/contests/{contest}/boards/test/live"),
            format!("/contests/{contest}/boards/test"),
            format!("/contests/{contest}/boards/test/board.csv"),
            format!("/contests/{contest}/boards/test/badge.svg"),
        ];
        for path in &paths {
            for browser in [&mut team, &mut other, &mut site.browser()] {
                assert_eq!(browser.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
            }
        }
        assert!(!team.get(&format!("/contests/{contest}/boards")).await.text.contains("boards/test"));
        assert_eq!(olga.get(&paths[4]).await.status, StatusCode::NOT_FOUND, "a badge is for everybody or nobody");
        let whole = olga.get(&paths[0]).await.json();
        assert_eq!((&whole["is_part"], &whole["rows"][0]["tasks"][0]["value"]), (&json!(false), &json!((count / 2) as f64 / count as f64)));

        // Shown to everybody, but not revealed: the public part counts, in numbers and in intervals.
        let mut files = Template::find("2022").expect("a template").files(site.app.now() - 70 * 24 * 60 * 60 * 1000);
        let open = String::from_utf8_lossy(&files["competition.toml"]).replace("shows = { scores = \"team\", items = \"organisers\", board = \"organisers\" }", "shows = { scores = \"team\", items = \"organisers\", board = \"everybody\" }");
        files.insert("competition.toml".to_owned(), open.clone().into_bytes());
        put::put(&site.app, &files, None, "").await.expect("revised");
        let part = site.browser().get(&paths[0]).await.json();
        assert_eq!((&part["is_part"], &part["rows"][0]["tasks"][0]["value"]), (&json!(true), &public), "{part}");
        assert!(site.browser().get(&paths[2]).await.text.contains("公开的部分"));
        // Shown to teams: each sees its own row.
        files.insert("competition.toml".to_owned(), open.replace("board = \"everybody\" }\nreveal", "board = \"team\" }\nreveal").into_bytes());
        put::put(&site.app, &files, None, "").await.expect("revised");
        assert_eq!(other.get(&paths[0]).await.status, StatusCode::NOT_FOUND);
        let own = team.get(&paths[0]).await.json();
        assert_eq!((&own["rows"][0]["team"], &own["rows"][0]["rank"], &own["rows"][0]["tasks"][0]["value"]), (&json!(team_id), &json!(1), &public), "{own}");
        assert!(own["rows"][0]["z_mean"].is_null() && own["tasks"][0]["mean"].is_null() && !own.to_string().contains("均值 "), "nothing that tells of others: {own}");
        kept::change_now(&site.app, &contest, None, &Change::Reveal { phase: "test".to_owned() }).await.expect("revealed");
        let revealed = site.browser().get(&paths[0]).await.json();
        assert_eq!((&revealed["is_part"], &revealed["rows"][0]["tasks"][0]["value"]), (&json!(false), &whole["rows"][0]["tasks"][0]["value"]));
    }
}

on_both! {
    async fn names_are_masked_but_for_oneself_and_organisers(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut team, _) = entered(&site, &contest, "leader", "山外山").await;
        let (mut rival, _) = entered(&site, &contest, "rival", "山中人").await;
        for browser in [&team, &rival] {
            send(browser, &contest, "task=judge", answers(&site, &contest, "dev", 2).await).await;
        }
        let mut olga = site.person("olga", Role::Organiser).await;
        let paths = ["", "/board.csv", "/badge.svg"].map(|end| format!("/contests/{contest}/boards/dev{end}"));
        for path in paths.iter().chain([&format!("/api/contests/{contest}/boards/dev")]) {
            let text = site.browser().get(path).await.text;
            assert!(text.contains("山**") && !text.contains("山外山") && !text.contains("山中人"), "{path}: {text}");
            for (browser, own, other) in [(&mut team, "山外山", "山中人"), (&mut rival, "山中人", "山外山")] {
                let text = browser.get(path).await.text;
                assert!(!text.contains(other) && (path.contains("badge") || text.contains(own)), "{path}: {text}");
            }
            let all = olga.get(path).await.text;
            assert!(path.contains("badge") || all.contains("山外山") && all.contains("山中人"), "{path}: {all}");
            assert!(!text.contains("team@example.org") && !all.contains("8888"), "contacts are on no board");
        }
        // Equal scores share a place.
        assert_eq!(names(&site.browser().get(&format!("/api/contests/{contest}/boards/dev")).await.json()), [("山**", Some(1)), ("山**", Some(1))]);
    }
}

on_both! {
    async fn the_published_boards_are_as_they_were(site: Site) {
        // The boards of the papers as rows of a competition in the manner of each year: ranks and Z to the published decimals.
        let years = [("2021", include_str!("../../../../data/boards/2021.csv")), ("2022", include_str!("../../../../data/boards/2022.csv"))];
        for (year, rows) in years {
            let mut files = Template::find(year).expect("a template").files(site.app.now() - 10 * 24 * 60 * 60 * 1000);
            let text = String::from_utf8_lossy(&files["competition.toml"]).replacen("title = { zh = \"开发集排行榜\"", "rows = \"rows.csv\"\ntitle = { zh = \"开发集排行榜\"", 1);
            files.insert("competition.toml".to_owned(), text.into_bytes());
            files.insert("rows.csv".to_owned(), rows.as_bytes().to_vec());
            let contest = put::put(&site.app, &files, None, "").await.expect("a sound competition").contest;
            kept::change_now(&site.app, &contest, None, &Change::Open {}).await.expect("opened");
            let board = site.browser().get(&format!("/api/contests/{contest}/boards/dev")).await.json();
            let page = site.browser().get(&format!("/contests/{contest}/boards/dev")).await.text;
            for line in rows.lines().skip(1) {
                let cells: Vec<&str> = line.split(',').collect();
                let row = row(&board, cells[0]);
                assert_eq!(row["rank"].as_u64().map_or_else(|| "/".to_owned(), |rank| rank.to_string()), cells[5], "{year} {line}");
                let z = if year == "2021" { &row["z_mean"] } else { &row["tasks"][0]["z"] };
                let decimals = cells[6].split('.').nth(1).map(str::len);
                if let Some(decimals) = decimals {
                    assert_eq!(format!("{:.decimals$}", z.as_f64().expect("a Z")), cells[6], "{year} {line}");
                }
                assert!(page.contains(cells[0]), "{}", cells[0]);
            }
        }
    }
}

on_both! {
    async fn items_are_seen_once_released_and_accepted(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut team, _) = entered(&site, &contest, "leader", "山外山").await;
        let mut other = site.person("passer-by", Role::Participant).await;
        let (path, api) = (format!("/contests/{contest}/items"), format!("/api/contests/{contest}/items"));
        assert_eq!(other.get(&api).await.json()["count"], 0, "who has not accepted the agreement sees nothing");
        assert_eq!(other.get(&format!("{api}?phase=dev&task=judge")).await.status, StatusCode::NOT_FOUND);
        assert!(site.browser().get(&path).await.location().starts_with("/login"));
        let count = items(&site, &contest, "dev").await;
        send(&team, &contest, "task=judge", answers(&site, &contest, "dev", count).await).await;
        let seen = team.get(&format!("{api}?phase=dev&task=judge")).await;
        let page = seen.json();
        assert_eq!((page["count"].as_u64(), page["items"].as_array().map(Vec::len)), (Some(count as u64), Some(count.min(50))), "{page}");
        let first = &page["items"][0];
        assert!(first["texts"]["context"].as_str().is_some_and(|text| !text.is_empty()), "{first}");
        assert_eq!((&first["result"]["score"], &first["answer"]), (&json!(1.0), &Value::Null), "its own result, and no answer");
        assert!(!seen.text.contains("judge\":1") && !seen.text.contains("origin"), "{}", seen.text);
        assert_eq!(team.get(&format!("{api}?phase=test&task=judge")).await.status, StatusCode::NOT_FOUND, "the test is not released");
        let one = team.get(&format!("{api}?phase=dev&task=judge&find={}", first["qid"].as_str().expect("an id"))).await.json();
        assert!(one["count"].as_u64() >= Some(1) && one["count"].as_u64() < Some(count as u64), "{one}");
        let html = team.get(&format!("{path}?phase=dev&task=roles")).await;
        assert!(html.status == StatusCode::OK && !html.text.contains("<details>"), "{}", html.text);
        // Answers with their gate.
        kept::change_now(&site.app, &contest, None, &Change::Release { file: "roles-dev-answers".to_owned() }).await.expect("released");
        assert!(team.get(&format!("{path}?phase=dev&task=roles")).await.text.contains("<details>"));
        let roles = team.get(&format!("{api}?phase=dev&task=roles")).await.json();
        assert!(roles["items"][0]["answer"].is_object(), "{roles}");
        assert_eq!(team.get(&format!("{api}?phase=dev&task=judge")).await.json()["items"][0]["answer"], Value::Null, "only those that were let out");
        assert_eq!(other.get(&api).await.json()["count"], 0);
    }
}

on_both! {
    async fn a_copy_leads_nowhere_else_and_has_no_gold(site: Site) {
        let contest = with_rows(&site, "name,kind,judge\n基线,baseline,0.5\n").await;
        let (team, team_id) = entered(&site, &contest, "leader", "山外山").await;
        send(&team, &contest, "task=judge", answers(&site, &contest, "dev", 3).await).await;
        assert!(copy::copy(&site.app, "nowhere", false).await.is_err());
        for with_data in [false, true] {
            let files = copy::copy(&site.app, &contest, with_data).await.expect("a copy");
            for expected in ["index.html", "en/index.html", "pages/rules.html", "tasks/judge.html", "schedule.html", "en/news.html", "boards/dev.html", "en/boards/dev.html", "boards/dev.csv", "boards/dev.json", "boards/dev.svg", &format!("boards/dev-{team_id}.svg"), "static/fangwei.css", "static/board/board.css"] {
                assert!(files.contains_key(expected), "{expected} is not in {:?}", files.keys());
            }
            assert!(!files.contains_key("boards/test.html"), "what a stranger does not see is not copied");
            let data: Vec<&String> = files.keys().filter(|path| path.starts_with("data/")).collect();
            assert_eq!(data, if with_data { vec!["data/judge-dev-dev.jsonl"] } else { Vec::new() }, "the others ask for the agreement");
            assert!(data.iter().all(|path| !String::from_utf8_lossy(&files[*path]).contains("\"judge\"")), "items, not answers");
            let gold = kept::load(&site.app, &contest).await.expect("there").text(&site.app, "gold/roles/dev.jsonl").await.expect("gold");
            let context = |line: &str| serde_json::from_str::<Value>(line).ok()?["context"].as_str().map(ToOwned::to_owned);
            // Some items of the sample are examples of the guide, which everybody may read.
            let guide = fangwei::tasks::find("2022/roles").expect("a task").about().guide;
            let contexts: Vec<String> = gold.lines().filter_map(context).filter(|text| !guide.zh.contains(text) && !guide.en.contains(text)).collect();
            assert!(!contexts.is_empty());
            for (path, bytes) in &files {
                let text = String::from_utf8_lossy(bytes);
                assert!(path.starts_with("data/") || !contexts.iter().any(|context| text.contains(context.as_str())), "{path} has an item that asks for the agreement");
                assert!(!text.contains("team@example.org"), "{path}");
                if !path.contains(".html") {
                    continue;
                }
                assert!(!text.contains("\"/static") && !text.contains("<script") && !text.contains("<form") && !text.contains("\"/contests") && !text.contains("/api/"), "{path}: {text}");
                for link in text.split(" href=\"").skip(1).chain(text.split(" src=\"").skip(1)) {
                    let link = link.split('"').next().expect("an end").split('#').next().expect("a part");
                    if link.is_empty() || link.contains("://") || link.starts_with("mailto:") {
                        continue;
                    }
                    let mut parts: Vec<&str> = path.split('/').collect();
                    parts.pop();
                    for part in link.split('/') {
                        if part == ".." { parts.pop(); } else { parts.push(part); }
                    }
                    assert!(files.contains_key(&parts.join("/")), "{path} leads to {link}, which is not there");
                }
            }
            assert!(String::from_utf8_lossy(&files["en/boards/dev.html"]).contains("How it is ranked"));
            assert!(String::from_utf8_lossy(&files["boards/dev.html"]).contains("class=\"bar\""), "with intervals");
        }
    }
}
