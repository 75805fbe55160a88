//! The track of prompts: checked as `fangwei llm` reads them, run by the organisers, graded by people who do not know whose they are, sealed until released.

use axum::http::{Method, StatusCode};
use fangwei::annotate::Mark;
use fangwei::annotate::form::{BatchMode, Form};
use fangwei::contest::{Change, Template};
use fangwei::task::Item;
use fangwei_web::contests::{kept, put};
use fangwei_web::policy::Role;
use fangwei_web::prompts::run::{self, Ended, Run, State};
use fangwei_web::submit::look;
use fangwei_web::submit::queue;
use serde_json::{Value, json};

use crate::seed::{column, golds};
use crate::site::{Browser, Site, on_both, pass};
use crate::submit::{send, sign_in};
use crate::teams::entered;

const DAY: i64 = 24 * 60 * 60 * 1000;
const POST: Method = Method::POST;
const GOOD: &str = "words for people\n\n# shots\n- count: 1\n- choose: seeded\n\n# system\n想象两段文本的场景。\n\n# user\n甲：{{context1}}\n乙：{{context2}}\n";

/// A competition in the manner of 2023, ten days old; transcripts are released at the gate.
async fn contest(site: &Site, gate: &str) -> String {
    let mut files = Template::find("2023").expect("a template").files(site.app.now() - 10 * DAY);
    let toml = String::from_utf8(files["competition.toml"].clone()).expect("UTF-8");
    let toml = toml.replace("transcripts = \"hand\"", &format!("transcripts = \"{gate}\""));
    files.insert("competition.toml".to_owned(), toml.into_bytes());
    let put = put::put(&site.app, &files, None, "").await.expect("sound");
    kept::change_now(&site.app, &put.contest, None, &Change::Open {}).await.expect("opened");
    put.contest
}

/// Two teams in the phase of prompts, and an organiser.
async fn in_phase(site: &Site, gate: &str) -> (String, Browser, Browser, Browser) {
    let contest = contest(site, gate).await;
    let (mut one, _) = entered(site, &contest, "one", "山外山").await;
    let (mut other, _) = entered(site, &contest, "other", "楼外楼").await;
    let start = kept::load(&site.app, &contest).await.expect("there").contest.phase("prompts").expect("a phase").start.ms;
    pass(start - site.app.now());
    sign_in(&mut one, "one").await;
    sign_in(&mut other, "other").await;
    let olga = site.person("olga", Role::Organiser).await;
    (contest, one, other, olga)
}

async fn submit(team: &Browser, contest: &str, text: &str) -> String {
    let taken = send(team, contest, "task=scene&phase=prompts&file=p.md", text.to_owned()).await;
    assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text);
    taken.json()["submission"]["id"].as_str().expect("an id").to_owned()
}

/// The hidden items: every second of the sample.
fn hidden() -> Vec<Item> {
    golds(fangwei::tasks::find("2023/scene").expect("a task")).into_iter().step_by(2).collect()
}

/// Runs a prompt: whether each item is judged right, and why. What was asked says something that stands nowhere else.
async fn ran(site: &Site, contest: &str, submission: &str, state: State, said: &[(bool, &str)]) -> Run {
    let kept = kept::load(&site.app, contest).await.expect("there");
    let run = run::begin(&site.app, &kept, submission, "secret-model", 1000).await.expect("begun");
    let task = fangwei::tasks::find("2023/scene").expect("a task");
    let line = |(item, (right, reason)): (&Item, &(bool, &str))| {
        let gold: Value = serde_json::from_str(&fangwei::task::write_item(task, item).to_line()).expect("JSON");
        let is_true = (gold["results"][0]["judge"] == "true") == *right;
        json!({ "qid": item.qid, "results": [{ "judge": is_true.to_string(), "reason": reason }] }).to_string() + "\n"
    };
    let answers = hidden().iter().zip(said).map(line).collect();
    let exchange = json!({ "qid": "3-1", "messages": [{ "role": "user", "content": "只在记录里" }], "reply": "场景" });
    let transcript =
        json!({ "submission": submission, "model": "secret-model", "prompt": "0", "exchanges": [exchange] }).to_string();
    let ended = Ended { state, spent_tokens: 900, spent_money: 0.5, items: hidden().len(), answers, transcript };
    run::keep(&site.app, &kept, &run, &ended).await.expect("kept")
}

/// Ranking, measures, scorer, gold and generation of the one score of a submission.
async fn score(site: &Site, submission: &str) -> (f64, String, String, String, i64) {
    let select = "SELECT ranking, measures, scorer, gold, generation FROM score WHERE submission = $1";
    sqlx::query_as(select).bind(submission.to_owned()).fetch_one(site.app.database.read()).await.expect("a score")
}

/// Waits until the worker, which the last grade sets going, has scored so many.
async fn scored(site: &Site, number: i64) {
    for _ in 0..200 {
        if count(site, "SELECT COUNT(*) FROM score").await == number {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("no score after the last grade");
}

async fn count(site: &Site, select: &'static str) -> i64 {
    sqlx::query_scalar(select).fetch_one(site.app.database.read()).await.expect("a number")
}

/// Gives a batch to both raters, who give every reason their own grade. They see nothing of what they must not.
async fn grade(olga: &mut Browser, raters: &mut [Browser], batch: &str, grades: [u8; 2], secrets: &[String]) {
    let request = json!({ "people": ["ann", "bob"], "load": 9, "seed": 1 });
    let plan = olga.json(POST, &format!("/api/batches/{batch}/plan"), &request).await.json();
    let order = json!({ "request": request, "hash": plan["hash"] });
    assert_eq!(olga.json(POST, &format!("/api/batches/{batch}/assign"), &order).await.status, StatusCode::OK, "{plan}");
    assert_eq!(olga.json(POST, &format!("/api/batches/{batch}/state"), &json!({ "state": "open" })).await.status, StatusCode::OK);
    let task = fangwei::tasks::find("2023/scene").expect("a task");
    for (rater, grade) in raters.iter_mut().zip(grades) {
        let queue = rater.get("/api/work").await;
        let fresh = |work: &&Value| work["state"] == "new";
        for work in queue.json()["queue"].as_array().expect("a list").iter().filter(fresh) {
            let id = work["assignment"].as_str().expect("an id");
            let opened = rater.get(&format!("/api/work/{id}")).await.text;
            for secret in secrets {
                assert!(!opened.contains(secret) && !queue.text.contains(secret), "{secret} in {opened}");
            }
            let sheet = Form::of(task, BatchMode::Grade).sheet(&Mark { grade: Some(grade), ..Mark::default() }, &hidden()[0]);
            let body = json!({ "base": 0, "sheet": sheet, "spent_ms": 9000, "client": "x" });
            let done = rater.json(POST, &format!("/api/work/{id}/finish"), &body).await;
            assert_eq!(done.status, StatusCode::OK, "{}", done.text);
        }
    }
}

on_both! {
    async fn a_prompt_is_checked_as_it_will_be_read(site: Site) {
        let (contest, mut one, mut other, mut olga) = in_phase(&site, "hand").await;
        let query = "task=scene&phase=prompts&file=p.md";
        for (bad, codes) in [
            ("# usr\n# user\n{{context1}} {{contxt}}\n# shots\n- count: many\n", vec!["unknown-name", "unknown-name", "bad-value"]),
            ("提示词", vec!["missing-field"]),
            ("# user\n没有题目", vec!["bad-value"]),
            ("# shots\n- count: 2\n- choose: ids nowhere\n# user\n{{context1}}{{context2}}", vec!["bad-value"]),
            ("  \n", vec!["empty-file"]),
            ("{\"qid\":\"3-1\"}\n", vec!["missing-field"]),
        ] {
            let refused = send(&one, &contest, query, bad).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}: {}", refused.text);
            let detail = refused.json()["detail"].clone();
            let found: Vec<&str> = detail["defects"].as_array().expect("a list").iter().filter_map(|defect| defect["code"].as_str()).collect();
            assert_eq!(found, codes, "{bad}: {detail}");
        }
        let long = format!("{GOOD}{}", "长".repeat(20_001));
        let refused = send(&one, &contest, query, long).await;
        assert!(refused.status == StatusCode::UNPROCESSABLE_ENTITY && refused.text.contains("20000"), "{}", refused.text);
        assert_eq!(count(&site, "SELECT COUNT(*) FROM submission").await, 0, "what is refused costs nothing");
        for way in ["ours", "organisers", "fudan"] {
            let task = fangwei::tasks::find("2023/scene").expect("a task");
            let text = task.about().prompts.iter().find(|(name, _)| *name == way).expect("shipped").1;
            let checked = one.send(POST, &format!("/api/contests/{contest}/check?{query}"), "application/json", text.to_owned()).await;
            assert_eq!(checked.json()["ok"], true, "{way}: {}", checked.text);
        }

        let taken = send(&one, &contest, query, GOOD).await.json();
        assert_eq!((&taken["submission"]["state"], &taken["left"]["total"]), (&json!("received"), &json!(2)), "{taken}");
        assert_eq!(count(&site, "SELECT COUNT(*) FROM job").await, 0, "nothing scores it by itself");
        let second = submit(&one, &contest, GOOD).await;
        let page = one.get(&format!("/contests/{contest}/submissions/{second}")).await.text;
        assert!(page.contains("等待组织者运行"), "{page}");
        let track = one.get(&format!("/api/contests/{contest}/prompts")).await.json();
        let states: Vec<(&Value, &Value)> = track["prompts"].as_array().expect("a list").iter().map(|prompt| (&prompt["state"], &prompt["counts"])).collect();
        assert_eq!(states, [(&json!("received"), &json!(false)), (&json!("received"), &json!(true))], "the last one counts: {track}");
        assert!(one.get(&format!("/contests/{contest}/prompts")).await.text.contains("p.md"));
        assert_eq!(other.get(&format!("/api/contests/{contest}/prompts")).await.json()["prompts"], json!([]), "another team's are not there");
        assert_eq!(olga.get(&format!("/api/contests/{contest}/prompts")).await.json()["prompts"].as_array().map(Vec::len), Some(2));
        assert_eq!(one.post(&format!("/contests/{contest}/prompts"), &[("what", "grade")]).await.status, StatusCode::FORBIDDEN);
        let early = olga.json(POST, &format!("/api/contests/{contest}/prompts/grading"), &json!({})).await;
        assert_eq!(early.status, StatusCode::UNPROCESSABLE_ENTITY, "nothing was run: {}", early.text);
    }
}

on_both! {
    async fn reasons_are_graded_blind_and_scores_reach_the_board(site: Site) {
        let (contest, mut one, other, mut olga) = in_phase(&site, "hand").await;
        let (first, second) = (submit(&one, &contest, GOOD).await, submit(&other, &contest, GOOD).await);
        // The first team: right, wrong, right without a word. The second: all right.
        ran(&site, &contest, &first, State::Finished, &[(true, "甲的理由一"), (false, "甲的理由二"), (true, " ")]).await;
        ran(&site, &contest, &second, State::Spent, &[(true, "乙的理由一"), (true, "乙的理由二")]).await;
        let seen = olga.get(&format!("/api/contests/{contest}/prompts")).await.json();
        let runs: Vec<(&Value, &Value, &Value)> = seen["prompts"].as_array().expect("a list").iter().map(|prompt| (&prompt["state"], &prompt["runs"][0]["answered"], &prompt["runs"][0]["judged"]["correct"])).collect();
        assert_eq!(runs, [(&json!("finished"), &json!(3), &json!(2)), (&json!("spent"), &json!(2), &json!(2))], "judgements are scored at once: {seen}");
        let own = one.get(&format!("/api/contests/{contest}/prompts")).await.json();
        assert_eq!((&own["prompts"][0]["runs"][0]["judged"], &own["prompts"][0]["runs"][0]["spent_tokens"]), (&Value::Null, &json!(900)), "scores of this phase are the organisers': {own}");
        assert!(own["prompts"][0]["runs"][0].get("spent_money").is_none() && !own.to_string().contains("楼外楼"), "{own}");

        let made = olga.json(POST, &format!("/api/contests/{contest}/prompts/grading"), &json!({ "seed": 7 })).await;
        let said = made.json();
        // Wrong: one of the first, and the one that the second could not pay for.
        assert_eq!((&said["reasons"], &said["wrong"], &said["silent"], &said["spent"], &said["scored"]), (&json!(3), &json!(2), &json!(1), &json!(1), &json!(0)), "{said}");
        let batch = said["batch"].as_str().expect("a batch").to_owned();
        let again = olga.json(POST, &format!("/api/contests/{contest}/prompts/grading"), &json!({ "seed": 7 })).await.json();
        assert_eq!((&again["reasons"], &again["batch"]), (&json!(0), &Value::Null), "no reason is given out twice: {again}");
        for record in column(&site, "SELECT record || qid || origin FROM item WHERE batch = $1 ORDER BY number", &batch).await {
            for secret in ["secret-model", "山外山", "楼外楼", "理由二\",\"", &first, &second, "3-"] {
                assert!(!record.contains(secret), "{secret} in {record}");
            }
        }
        let shown = column(&site, "SELECT record FROM item WHERE batch = $1", &batch).await.concat();
        assert!(!shown.contains("甲的理由二") && shown.contains("乙的理由二"), "a wrong judgement is not shown to raters: {shown}");

        let mut raters = vec![site.person("ann", Role::Annotator).await, site.person("bob", Role::Annotator).await];
        let secrets = ["secret-model".to_owned(), "山外山".to_owned(), "楼外楼".to_owned(), contest_gold(&site, &contest).await];
        grade(&mut olga, &mut raters, &batch, [5, 4], &secrets).await;
        scored(&site, 2).await;
        // 4.5 of 5 for one of three reasons, 30 points; for two of three, 60 points.
        let (ranking, measures, scorer, gold, generation) = score(&site, &first).await;
        assert!((ranking - 0.3).abs() < 1e-12, "{ranking}");
        let measures: Value = serde_json::from_str(&measures).expect("JSON");
        assert_eq!((measures["all"]["measures"]["paper"]["points"].as_f64().map(f64::round), &measures["all"]["measures"]["judge"]["correct"]), (Some(30.0), &json!(2)), "{measures}");
        let kept = kept::load(&site.app, &contest).await.expect("there");
        let name = fangwei_web::store::name(&kept.file(&site.app, "gold/scene/test.jsonl").await.expect("gold"));
        assert_eq!((scorer.as_str(), gold, generation), (fangwei::contest::SCORER, name, 1));
        assert!((score(&site, &second).await.0 - 0.6).abs() < 1e-12);
        let items = olga.get(&format!("/api/contests/{contest}/submissions/{first}/items")).await.text;
        let rows: Vec<Value> = items.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let rows: Vec<(&Value, &Value)> = rows.iter().map(|row| (&row["score"], &row["columns"]["grades"])).collect();
        assert_eq!(rows, [(&json!(0.9), &json!([5.0, 4.0])), (&json!(0.0), &json!([])), (&json!(0.0), &json!([]))]);
        assert_eq!(one.get(&format!("/api/contests/{contest}/submissions/{first}")).await.json()["submission"]["score"], Value::Null, "not revealed");
        kept::change_now(&site.app, &contest, None, &Change::Reveal { phase: "prompts".to_owned() }).await.expect("revealed");
        let shown = one.get(&format!("/api/contests/{contest}/submissions/{first}")).await.json()["submission"].clone();
        assert_eq!((&shown["state"], &shown["score"]["measure"]), (&json!("scored"), &json!("paper.points")), "{shown}");
        let board = site.browser().get(&format!("/api/contests/{contest}/boards/prompts")).await;
        assert!(board.status == StatusCode::OK && board.text.contains("paper.points") && board.text.contains("0.6"), "{}", board.text);

        // Gold of the second item is corrected: what the first team said of it is right, and nobody has graded why.
        let mut files = fangwei::contest::Folder::new();
        for path in kept.files.keys() {
            files.insert(path.clone(), kept.file(&site.app, path).await.expect("a file"));
        }
        let gold = String::from_utf8(files["gold/scene/test.jsonl"].clone()).expect("UTF-8");
        let turned = |(number, line): (usize, &str)| match number {
            1 if line.contains("\"judge\":\"true\"") => line.replace("\"judge\":\"true\"", "\"judge\":\"false\"") + "\n",
            1 => line.replace("\"judge\":\"false\"", "\"judge\":\"true\"") + "\n",
            _ => format!("{line}\n"),
        };
        files.insert("gold/scene/test.jsonl".to_owned(), gold.lines().enumerate().map(turned).collect::<String>().into_bytes());
        assert_eq!(put::put(&site.app, &files, None, "更正").await.expect("a revision").generation, Some(2));
        queue::drain(&site.app).await.expect("scored");
        scored(&site, 3).await;
        assert_eq!(look::generation(&site.app, &contest).await.expect("one"), 1, "it waits for the reason that counts since then");
        let made = olga.json(POST, &format!("/api/contests/{contest}/prompts/grading"), &json!({ "seed": 8 })).await.json();
        assert_eq!((&made["reasons"], &made["wrong"]), (&json!(1), &json!(2)), "{made}");
        grade(&mut olga, &mut raters, made["batch"].as_str().expect("a batch"), [2, 2], &[]).await;
        scored(&site, 4).await;
        queue::drain(&site.app).await.expect("settled");
        assert_eq!(look::generation(&site.app, &contest).await.expect("one"), 2);
        let rankings: Vec<f64> = sqlx::query_scalar("SELECT ranking FROM score WHERE generation = 2 ORDER BY ranking").fetch_all(site.app.database.read()).await.expect("two");
        // (0 + 0.9) / 3 for the second team, which has lost its second item; (0.9 + 0.4) / 3 for the first.
        assert!((rankings[0] - 0.3).abs() < 1e-12 && (rankings[1] - 1.3 / 3.0).abs() < 1e-12, "{rankings:?}");
    }
}

/// The first reason of gold: it is nobody's to see.
async fn contest_gold(site: &Site, contest: &str) -> String {
    let kept = kept::load(&site.app, contest).await.expect("there");
    let gold = String::from_utf8(kept.file(&site.app, "gold/scene/test.jsonl").await.expect("gold")).expect("UTF-8");
    let first: Value = serde_json::from_str(gold.lines().next().expect("a line")).expect("JSON");
    first["results"][0]["reason"].as_str().expect("a reason").to_owned()
}

on_both! {
    async fn transcripts_are_sealed_to_the_millisecond(site: Site) {
        let (contest, mut one, mut other, mut olga) = in_phase(&site, "end:prompts").await;
        let submission = submit(&one, &contest, GOOD).await;
        let run = ran(&site, &contest, &submission, State::Finished, &[(true, "理由")]).await;
        let (page, api) = (format!("/contests/{contest}/prompts/{}", run.id), format!("/api/contests/{contest}/prompts/{}/transcript", run.id));
        let end = kept::load(&site.app, &contest).await.expect("there").contest.phase("prompts").expect("a phase").end.ms;
        pass(end - 1 - site.app.now());
        for (browser, name) in [(&mut one, "one"), (&mut other, "other"), (&mut olga, "olga")] {
            sign_in(browser, name).await;
        }
        let mut manager = site.person("mia", Role::Manager).await;
        for path in [&page, &api] {
            assert_eq!(one.get(path).await.status, StatusCode::FORBIDDEN, "a millisecond before: {path}");
            assert_eq!((other.get(path).await.status, manager.get(path).await.status), (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND), "{path}");
            assert!(olga.get(path).await.text.contains("只在记录里"), "organisers always: {path}");
        }
        assert!(!one.get(&format!("/contests/{contest}/prompts")).await.text.contains(&run.id), "no way to it");
        pass(1);
        for path in [&page, &api] {
            let read = one.get(path).await;
            assert!(read.status == StatusCode::OK && read.text.contains("只在记录里"), "{path}: {}", read.text);
            assert_eq!((other.get(path).await.status, manager.get(path).await.status), (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND), "another team's stays sealed: {path}");
            assert!(site.browser().get(path).await.status != StatusCode::OK, "{path}");
        }
        assert!(one.get(&format!("/contests/{contest}/prompts")).await.text.contains(&run.id));
    }
}

on_both! {
    async fn an_organiser_unseals_by_hand(site: Site) {
        let (contest, mut one, _, mut olga) = in_phase(&site, "hand").await;
        let submission = submit(&one, &contest, GOOD).await;
        let run = ran(&site, &contest, &submission, State::Finished, &[(true, "理由")]).await;
        let api = format!("/api/contests/{contest}/prompts/{}/transcript", run.id);
        pass(300 * DAY);
        sign_in(&mut one, "one").await;
        sign_in(&mut olga, "olga").await;
        assert_eq!(one.get(&api).await.status, StatusCode::FORBIDDEN, "time does not open it");
        assert_eq!(olga.post(&format!("/contests/{contest}/prompts"), &[("what", "unseal")]).await.status, StatusCode::SEE_OTHER);
        assert_eq!(one.get(&api).await.status, StatusCode::OK);
        assert!(one.get(&format!("/contests/{contest}/news")).await.text.contains("运行记录"));
        let plain = crate::contests::open(&site, "2022").await;
        assert_eq!(one.get(&format!("/contests/{plain}/prompts")).await.status, StatusCode::NOT_FOUND, "a competition without prompts");
        assert_eq!(olga.json(POST, &format!("/api/contests/{plain}/changes"), &json!({ "kind": "unseal" })).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

on_both! {
    async fn a_run_goes_on_until_it_is_done_and_rescoring_waits_for_grades(site: Site) {
        let (contest, one, _, mut olga) = in_phase(&site, "hand").await;
        let submission = submit(&one, &contest, GOOD).await;
        let kept = kept::load(&site.app, &contest).await.expect("there");
        let begun = run::begin(&site.app, &kept, &submission, "secret-model", 1000).await.expect("begun");
        let stopped = ran(&site, &contest, &submission, State::Stopped, &[]).await;
        assert_eq!((&stopped.id, stopped.state, stopped.answers), (&begun.id, State::Stopped, None), "killed or stopped, it is the same run");
        // A rescore that comes before the grades leaves it as it is, and costs nothing.
        let mut changes = site.app.database.begin().await.expect("changes");
        queue::put_in(&mut changes, site.app.now(), &submission, 1).await.expect("put");
        changes.commit().await.expect("kept");
        queue::drain(&site.app).await.expect("nothing to score");
        assert_eq!((count(&site, "SELECT COUNT(*) FROM job").await, count(&site, "SELECT COUNT(*) FROM score").await), (0, 0));
        let spent = ran(&site, &contest, &submission, State::Spent, &[(false, "理由")]).await;
        let done = ran(&site, &contest, &submission, State::Finished, &[(false, "理由"), (false, ""), (true, "")]).await;
        assert_eq!((spent.id == done.id, done.answered, done.state), (true, 3, State::Finished), "with more to spend it goes on");
        assert!(run::begin(&site.app, &kept, &submission, "secret-model", 1000).await.is_err(), "it is not run again");
        // Nothing to grade: two judged wrong, one without a reason. So it has its score, which is 0.
        let made = olga.json(POST, &format!("/api/contests/{contest}/prompts/grading"), &json!({})).await.json();
        assert_eq!((&made["batch"], &made["scored"], &made["silent"]), (&Value::Null, &json!(1), &json!(1)), "{made}");
        scored(&site, 1).await;
        let rankings: Vec<f64> = sqlx::query_scalar("SELECT ranking FROM score").fetch_all(site.app.database.read()).await.expect("rows");
        assert_eq!(rankings, [0.0]);
    }
}
