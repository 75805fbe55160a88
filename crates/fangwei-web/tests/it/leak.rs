//! Hidden gold never leaves the server: every route is asked as every role, with the ids of things that exist, and no answer may hold gold.
//!
//! Each record of gold carries a mark that nothing else has, so that a record that slips out is seen whatever it is wrapped in; answers are looked for as well.

use std::collections::BTreeMap;

use axum::http::{Method, StatusCode};
use fangwei::contest::{Change, Folder, Template};
use fangwei::lang::Lang;
use fangwei_web::contests::{kept, put};
use fangwei_web::policy::Role;
use fangwei_web::route::Route;
use fangwei_web::routes::ROUTES;
use fangwei_web::submit::{look, queue};
use serde_json::{Value, json};

use crate::seed::column;
use crate::site::{Answer, Browser, Site, on_both, pass};
use crate::submit::{send, sign_in};
use crate::teams::entered;

const DAY: i64 = 24 * 60 * 60 * 1000;
/// Stands in every record of gold.
const MARK: &str = "金丝雀";
/// The id of nothing.
const NOTHING: &str = "0000000000000000";
const TASKS: [&str; 3] = ["judge", "attribute", "roles"];

/// The competition of a template whose gold is marked.
fn marked(template: &str, now: i64) -> Folder {
    let mut folder = Template::find(template).expect("a template").files(now);
    for (path, bytes) in folder.iter_mut().filter(|(path, _)| path.starts_with("gold/")) {
        let mut lines = String::new();
        for (number, line) in String::from_utf8_lossy(bytes).lines().enumerate() {
            let mut record: Value = serde_json::from_str(line).expect("JSON");
            record["remark"] = json!(format!("{MARK}{}{number}", path.replace(['/', '.'], "")));
            lines += &format!("{record}\n");
        }
        *bytes = lines.into_bytes();
    }
    folder
}

/// The answers of gold that say more than yes or no, as they would be written.
fn answers(folder: &Folder, split: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (_, bytes) in folder.iter().filter(|(path, _)| path.starts_with("gold/") && path.ends_with(&format!("{split}.jsonl"))) {
        for line in String::from_utf8_lossy(bytes).lines() {
            let record: Value = serde_json::from_str(line).expect("JSON");
            let fields = ["reasons", "outputs", "results"].map(|field| record[field].clone());
            found.extend(fields.into_iter().filter(|field| !field.is_null()).map(|field| bare(&field.to_string())));
        }
    }
    found
}

/// A text without what JSON, HTML and people put around letters.
fn bare(text: &str) -> String {
    let text = text.replace("&quot;", "\"").replace("&#34;", "\"").replace("&#x22;", "\"").replace("\\\"", "\"");
    text.chars().filter(|char| !char.is_whitespace()).collect()
}

/// Predictions that are valid and are not gold: the same judgement everywhere, and the first characters of each text as whatever is asked for.
fn guesses(folder: &Folder, task: &str, split: &str) -> Vec<u8> {
    let items = String::from_utf8_lossy(&folder[&format!("items/{task}/{split}.jsonl")]).into_owned();
    let guess = |line: &str| {
        let item: Value = serde_json::from_str(line).expect("JSON");
        let chars: Vec<char> = item["context"].as_str().expect("a text").chars().collect();
        let span = |number: usize| json!({ "text": chars[number], "idxes": [number] });
        let fragment = |role: &str, number: usize| json!({ "role": role, "text": chars[number], "idxes": [number] });
        let tuple = |number: usize| if matches!(number, 0 | 2 | 7) { span(number) } else { Value::Null };
        let answer = match task {
            "judge" => json!({ "qid": item["qid"], "judge": 1 }),
            "attribute" => {
                json!({ "qid": item["qid"], "reasons": [{ "type": "A", "fragments": [fragment("text1", 0), fragment("text2", 1)] }] })
            }
            "roles" => json!({ "qid": item["qid"], "outputs": [(0..18).map(tuple).collect::<Vec<Value>>()] }),
            other => panic!("no guess for {other}"),
        };
        format!("{answer}\n")
    };
    items.lines().map(guess).collect::<String>().into_bytes()
}

/// What the parts of addresses in braces may be.
struct Ids(BTreeMap<&'static str, Vec<String>>);

impl Ids {
    async fn of(site: &Site, contest: &str) -> Ids {
        let kept = kept::load(&site.app, contest).await.expect("there");
        let rows = |select| column(site, select, contest);
        let mut ids = BTreeMap::new();
        ids.insert("contest", vec![contest.to_owned()]);
        ids.insert("file", kept.contest.data.iter().map(|file| file.id.clone()).collect());
        ids.insert("task", vec!["judge".to_owned(), "roles".to_owned()]);
        ids.insert("page", vec!["rules".to_owned()]);
        ids.insert("team", rows("SELECT id FROM team WHERE contest = $1").await);
        ids.insert("submissions", rows("SELECT id FROM submission WHERE contest = $1").await);
        ids.insert("uploads", rows("SELECT id FROM upload WHERE contest = $1").await);
        ids.insert("board", kept.contest.boards.iter().map(|board| board.id.clone()).collect());
        ids.insert("number", vec!["1".to_owned(), "2".to_owned()]);
        ids.insert(
            "document",
            kept.contest.awards.iter().flat_map(|awards| awards.documents.iter().map(|one| one.id.clone())).collect(),
        );
        // Of these there is none in this competition; they have tests of their own.
        ids.insert("version", vec![NOTHING.to_owned()]);
        ids.insert("run", vec![NOTHING.to_owned()]);
        Ids(ids)
    }

    /// The addresses of a route with things that exist; `{id}` is of the kind that stands before it.
    fn addresses(&self, route: &Route) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut before = "";
        for part in route.path.split('/').skip(1) {
            let known = |name: &str| self.0.get(name).cloned().filter(|ids| !ids.is_empty());
            let choices = match part.strip_prefix('{').map(|name| name.trim_end_matches('}')) {
                Some("id") => known(before),
                Some(name) => known(name),
                None => Some(vec![part.to_owned()]),
            };
            let is_contest = route.path.contains("{contest}");
            let choices = choices.unwrap_or_else(|| {
                assert!(!is_contest, "{}: nothing is known to ask for {part}", route.path);
                vec![NOTHING.to_owned()]
            });
            all = all.iter().flat_map(|path| choices.iter().map(move |choice| format!("{path}/{choice}"))).collect();
            before = part;
        }
        if route.path.ends_with("{contest}/items") {
            let spots =
                ["dev", "test"].iter().flat_map(|phase| TASKS.map(|task| format!("{}?phase={phase}&task={task}", all[0])));
            all.extend(spots.collect::<Vec<_>>());
        }
        all
    }
}

/// Asks everything as everybody; gives how many answers were looked at.
async fn ask_everything(people: &mut [(&str, Browser)], ids: &Ids, hidden: &[String]) -> usize {
    let mut seen = 0;
    let is_kept_from = |answer: &Answer, who: &str, path: &str| {
        let text = bare(&answer.text);
        for needle in hidden {
            assert!(!text.contains(needle.as_str()), "{path} gives gold to {who}: {needle} in {}", answer.text);
        }
    };
    // Questions first: what changes things may end sessions.
    for is_safe in [true, false] {
        for route in ROUTES.iter().flat_map(|routes| routes.iter()).filter(|route| route.method.is_safe() == is_safe) {
            if ["/logout", "/contests/{contest}/team/leave"].contains(&route.path) {
                continue;
            }
            for path in ids.addresses(route) {
                for (who, browser) in people.iter_mut() {
                    pass(1000);
                    let body = if is_safe { String::new() } else { "{}".to_owned() };
                    let answer = browser.send(route.method.clone(), &path, "application/json", body).await;
                    assert_ne!(answer.status, StatusCode::TOO_MANY_REQUESTS, "{path} was not asked");
                    assert!(!answer.status.is_server_error(), "{} {path} fails for {who}: {}", route.method, answer.text);
                    is_kept_from(&answer, who, &format!("{} {path}", route.method));
                    seen += 1;
                }
            }
        }
    }
    seen
}

on_both! {
    async fn gold_never_leaves_the_server(site: Site) {
        let folder = marked("2022", site.app.now() - 10 * DAY);
        let contest = put::put(&site.app, &folder, None, "").await.expect("a sound competition").contest;
        kept::change_now(&site.app, &contest, None, &Change::Open {}).await.expect("opened");
        let (team, _) = entered(&site, &contest, "leader", "山外山").await;
        let (rival, _) = entered(&site, &contest, "rival", "楼外楼").await;
        let mut people = vec![("nobody", site.browser()), ("the team", team.clone()), ("another team", rival)];
        for role in Role::ALL {
            people.push((role.as_str(), site.person(role.as_str(), role).await));
        }
        for task in TASKS {
            let taken = send(&team, &contest, &format!("task={task}&file=p.jsonl"), guesses(&folder, task, "dev")).await;
            assert_eq!(taken.status, StatusCode::CREATED, "{task}: {}", taken.text);
        }
        let refused = send(&team, &contest, "task=roles&file=p.jsonl", "{\"qid\":\"3-dev-1\",\"outputs\":7}\n").await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
        let mut hidden = answers(&folder, "dev");
        // Guides explain their task with an item of the sample, answer and all.
        let guides = TASKS.map(|task| bare(fangwei::tasks::find(&format!("2022/{task}")).expect("a task").about().guide.get(Lang::Zh))).concat();
        hidden.retain(|answer| !guides.contains(answer.as_str()));
        assert!(hidden.len() > 15, "{} answers to look for", hidden.len());
        hidden.push(MARK.to_owned());
        // Corrected gold: a second generation, and a page of what changed.
        let mut corrected = folder.clone();
        let gold = corrected.get_mut("gold/judge/dev.jsonl").expect("gold");
        *gold = String::from_utf8_lossy(gold).replacen("\"judge\":1", "\"judge\":0", 1).into_bytes();
        put::put(&site.app, &corrected, None, "一题答案有误").await.expect("a revision");
        queue::drain(&site.app).await.expect("scored");
        assert_eq!(look::generation(&site.app, &contest).await.expect("one"), 2);
        let ids = Ids::of(&site, &contest).await;
        let seen = ask_everything(&mut people, &ids, &hidden).await;
        assert!(seen > 1000, "{seen} answers");

        // While the test runs, answers of the phase before it are out, those of the test are not.
        let test = kept::load(&site.app, &contest).await.expect("there").contest.phase("test").expect("there").start.ms;
        pass(test - site.app.now() + 1000);
        for (who, browser) in &mut people {
            let name = match *who { "nobody" => continue, "the team" => "leader", "another team" => "rival", role => role };
            sign_in(browser, name).await;
        }
        let team = people[1].1.clone();
        let taken = send(&team, &contest, "task=roles&file=p.jsonl", guesses(&folder, "roles", "test")).await;
        assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text);
        let hidden: Vec<String> = TASKS.map(|task| format!("{MARK}gold{task}testjsonl")).into();
        ask_everything(&mut people, &Ids::of(&site, &contest).await, &hidden).await;
        let out = people[1].1.send(Method::GET, &format!("/api/contests/{contest}/data/roles-dev-answers"), "", String::new()).await;
        assert!(out.status == StatusCode::OK && out.text.contains(MARK), "what is released can be had, marks and all: {}", out.text);
    }
}

on_both! {
    async fn the_other_years_keep_their_gold_as_well(site: Site) {
        for template in ["2021", "2023"] {
            let folder = marked(template, site.app.now() - 10 * DAY);
            let contest = put::put(&site.app, &folder, None, "").await.expect("a sound competition").contest;
            kept::change_now(&site.app, &contest, None, &Change::Open {}).await.expect("opened");
            let (team, _) = entered(&site, &contest, &format!("leader{template}"), "山外山").await;
            let mut people = vec![("nobody", site.browser()), ("the team", team)];
            let manager = format!("manager{template}");
            people.push((&manager, site.person(&manager, Role::Manager).await));
            let organiser = format!("organiser{template}");
            people.push((&organiser, site.person(&organiser, Role::Organiser).await));
            let mut ids = Ids::of(&site, &contest).await;
            for missing in ["submissions", "uploads", "document"] {
                ids.0.entry(missing).or_default().push(NOTHING.to_owned());
            }
            ids.0.insert("task", kept::load(&site.app, &contest).await.expect("there").contest.tasks.iter().map(|entry| entry.task.id().rsplit('/').next().expect("a name").to_owned()).collect());
            ask_everything(&mut people, &ids, &[MARK.to_owned()]).await;
        }
    }
}
