//! The track of prompts from end to end: submitted by `fangwei submit`, run against a mock over loopback HTTP, killed and gone on with, graded, scored.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fangwei::contest::{Moment, Zone};
use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei_llm::mock::{Book, Mock, Saying, Server};
use serde_json::{Value, json};

use super::client::{Served, program, said};
use super::scored::enter;
use super::{admin, annotators, on_both, token, with};

const ITEMS: usize = 24;
/// Items whose gold says the opposite of what the mock says.
const WRONG: usize = 4;
const CONTEST: &str = "space2023";
const PROMPT: &str = "# user\n甲：{{context1}}\n乙：{{context2}}\n两段话说的是同一个场景吗？\n";

/// Hidden items; what the mock knows is the same, but for the first ones, which it judges wrong.
fn gold(number: usize, judge: bool) -> Value {
    let (one, other) = (format!("第{number}盏灯挂在第{number}张桌子上。"), format!("第{number}盏灯挂在第{number}张桌子上方。"));
    let reason = format!("差别在于“上”和“上方”，第{number}题的理由。");
    json!({ "qid": format!("3-{number}"), "context1": one, "context2": other, "results": [{ "judge": judge.to_string(), "reason": reason }] })
}

fn lines(of: impl Fn(usize) -> Value) -> String {
    (1..=ITEMS).map(|number| of(number).to_string() + "\n").collect()
}

/// A competition in the manner of 2023 with its registration and its prompt phase open.
fn open_contest(folder: &str, more: &[&str]) {
    let (contest, now) = (format!("{folder}-contest"), fangwei_web::now());
    let at = |ms: i64| Moment::at(ms, Zone::default()).to_string();
    said(&["competition", "init", &contest, "--template", "2023", "--start", &at(now - 10 * 24 * 3600 * 1000)]);
    let hidden = |name: &str| format!("{contest}/{name}/scene/test.jsonl");
    std::fs::write(hidden("gold"), lines(|number| gold(number, number > WRONG))).expect("written");
    let bare = |number: usize| {
        let mut item = gold(number, true);
        item.as_object_mut().expect("a record").remove("results");
        item
    };
    std::fs::write(hidden("items"), lines(bare)).expect("written");
    said(&with(&["competition", "open", &contest, folder], more));
    said(&with(&["competition", "move", CONTEST, "prompts", "start", &at(now - 3_600_000), folder], more));
}

/// A model that says that everything is one scene, slowly.
fn model() -> (Arc<Mock>, Server) {
    let task = fangwei::tasks::find("2023/scene").expect("a task");
    let known = Source::from_bytes("gold", lines(|number| gold(number, true))).expect("memory");
    let mut mock = Mock::new(Saying::Gold(Book::new(task, read_items(task, known, true).expect("readable").0)));
    mock.delay = Duration::from_millis(30);
    let mock = Arc::new(mock);
    let server = Server::start(mock.clone(), 0).expect("a port");
    (mock, server)
}

/// How many responses there are in all folders of runs.
fn responses(work: &str) -> usize {
    let runs = std::fs::read_dir(Path::new(work).join(CONTEST)).into_iter().flatten().flatten();
    let count = |path: std::path::PathBuf| {
        std::fs::read_to_string(path.join("responses.jsonl")).map_or(0, |text| text.matches('\n').count())
    };
    runs.map(|run| count(run.path())).sum()
}

#[test]
fn prompts_are_run_once_graded_blind_and_scored() {
    on_both("prompts", |folder, more| {
        let served = Served::start(folder, "0", more);
        let root = admin(&served, folder, more);
        open_contest(folder, more);
        let url = format!("http://{}", served.address);
        let tokens = [0, 1].map(|number| enter(&served, CONTEST, folder, more, &root, number));
        let (good, bad, work) = (format!("{folder}-p.md"), format!("{folder}-bad.md"), format!("{folder}-work"));
        std::fs::write(&good, PROMPT).expect("written");
        std::fs::write(&bad, "# usr\n{{context}}\n").expect("written");
        for token in &tokens {
            let submit = |file: &str| {
                let args = [
                    "submit",
                    "-f",
                    file,
                    "--task",
                    "scene",
                    "--phase",
                    "prompts",
                    "--contest",
                    CONTEST,
                    "--url",
                    &url,
                    "--token",
                    token,
                ];
                program(&args).output().expect("the program starts")
            };
            let refused = submit(&bad);
            let told = String::from_utf8_lossy(&refused.stdout).into_owned();
            assert_eq!(refused.status.code(), Some(1), "{told}");
            assert!(told.contains("[unknown-name]") && told.contains("[missing-field]"), "every defect: {told}");
            let taken = submit(&good);
            let told = String::from_utf8_lossy(&taken.stdout).into_owned();
            assert!(taken.status.success() && told.contains("received") && told.contains("in all 2"), "{told}");
        }

        let (mock, server) = model();
        let base = server.base_url();
        let run = [
            "competition",
            "prompts",
            CONTEST,
            folder,
            "--model",
            "m",
            "--base-url",
            &base,
            "--work",
            &work,
            "--connections",
            "2",
        ];
        let run = with(&run, more);
        let mut child = program(&run).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        let began = Instant::now();
        while responses(&work) < 5 && began.elapsed() < Duration::from_mins(2) {
            std::thread::sleep(Duration::from_millis(3));
        }
        // SIGKILL: the program cannot do anything about it.
        child.kill().expect("killed");
        child.wait().expect("ended");
        let kept = responses(&work);
        assert!((5..2 * ITEMS).contains(&kept), "killed in the middle, found {kept}");
        let state = |client: &str| {
            served.client(client).get(&format!("/api/contests/{CONTEST}/prompts")).expect("an answer").1["prompts"].clone()
        };
        assert_eq!(state(&tokens[0])[0]["state"], "running");

        // Little money: the first run ends where it is, and the second is not begun beyond its own budget.
        let poor = program(&with(&run, &["--budget", "10"])).output().expect("the program starts");
        let told = String::from_utf8_lossy(&poor.stderr).into_owned();
        assert!(poor.status.code() == Some(1) && told.contains("the budget is used up"), "{told}");
        assert_eq!((&state(&root)[0]["state"], &state(&root)[1]["state"]), (&json!("spent"), &json!("spent")));
        let rich = program(&run).output().expect("the program starts");
        let told = format!("{}{}", String::from_utf8_lossy(&rich.stdout), String::from_utf8_lossy(&rich.stderr));
        assert!(rich.status.success(), "{told}");
        assert!(
            told.contains("are answered already and not asked again") && !told.contains("的理由"),
            "goes on, and tells nothing of what was said: {told}"
        );
        // Only what was under way when the program was killed was asked again.
        assert!(mock.requests() <= 2 * ITEMS as u64 + 2, "{} requests", mock.requests());
        let asked = mock.requests();
        assert!(program(&run).output().expect("the program starts").status.success());
        assert_eq!(mock.requests(), asked, "what is finished is not run again");
        let own = state(&tokens[0]);
        assert_eq!(
            (own.as_array().map(Vec::len), &own[0]["state"], &own[0]["runs"][0]["answered"]),
            (Some(1), &json!("finished"), &json!(ITEMS)),
            "{own}"
        );
        assert!(own[0]["runs"][0]["judged"].is_null() && own[0]["runs"][0]["has_transcript"] == false, "{own}");
        assert_eq!(state(&root)[0]["runs"][0]["judged"]["correct"], ITEMS - WRONG);

        let batch = grade(&served, folder, more, &root);
        let path = format!("/api/contests/{CONTEST}/submissions?team={}", own[0]["team"].as_str().expect("an id"));
        let began = Instant::now();
        let shown = loop {
            let shown = served.client(&root).get(&path).expect("an answer").1["submissions"][0].clone();
            if shown["state"] == "scored" || began.elapsed() > Duration::from_mins(1) {
                break shown;
            }
            std::thread::sleep(Duration::from_millis(100));
        };
        // 20 of 24 judged right, and 5 and 4 of 5 for each reason: 20/24 of 90 points.
        let points = shown["score"]["measures"]["paper"]["points"].as_f64().unwrap_or_else(|| panic!("{shown} {batch}"));
        assert!((points - 75.0).abs() < 1e-9, "{shown}");
        assert!((shown["score"]["ranking"].as_f64().expect("a number") - 0.75).abs() < 1e-12);
        assert_eq!(shown["score"]["measure"], "paper.points");
    });
}

/// Gives the reasons to two raters, who give 5 and 4 to each; the batch.
fn grade(served: &Served, folder: &str, more: &[&str], root: &str) -> String {
    let told = said(&with(&["competition", "grade", CONTEST, folder, "--seed", "3"], more));
    assert!(
        told.contains(&format!("{} reasons to grade", 2 * (ITEMS - WRONG)))
            && told.contains(&format!("{} judged wrong", 2 * WRONG)),
        "{told}"
    );
    let batch = told.split_once('(').and_then(|(_, rest)| rest.split_once(')')).expect("a batch").0.to_owned();
    let people = annotators(served, folder, more, 2);
    let mut manager = served.client(root);
    let request = json!({ "people": people, "load": 1000, "seed": 1 });
    let plan = manager.must("POST", &format!("/api/batches/{batch}/plan"), &request);
    manager.must("POST", &format!("/api/batches/{batch}/assign"), &json!({ "request": request, "hash": plan["hash"] }));
    manager.must("POST", &format!("/api/batches/{batch}/state"), &json!({ "state": "open" }));
    for (name, grade) in people.iter().zip(["5", "4"]) {
        let mut rater = served.client(&token(name, folder, more));
        for id in super::queue(&mut rater) {
            let sheet = json!({ "choices": { "grade": [grade] } });
            let body = json!({ "base": 0, "sheet": sheet, "spent_ms": 1000, "client": "x" });
            rater.must("POST", &format!("/api/work/{id}/finish"), &body);
        }
    }
    batch
}
