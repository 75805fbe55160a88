//! The file and its defects, phases to the second, quotas by the day, gates, changes, and what becomes of a bundle.

use super::*;
use crate::lang::Lang;
use crate::record::Code;

/// A small competition that is sound.
const SMALL: &str = r#"
id = "small"
name = { zh = "小", en = "small" }
year = "2022"

[[phases]]
id = "dev"
name = { zh = "开发", en = "dev" }
start = "2022-07-01T00:00:00+08:00"
end = "2022-08-01T00:00:00+08:00"
max_submissions = 5
max_submissions_per_day = 2
tasks = [{ task = "2022/judge", items = "items.jsonl", gold = "gold.jsonl" }]

[[phases]]
id = "test"
start = 2022-08-01T00:00:00+08:00
end = "2022-08-08T12:30:00Z"
submission_rule = "best"
reveal = "end:test"
tasks = [{ task = "2022/judge", items = "items.jsonl", gold = "gold.jsonl", private = 0.5 }]

[[data]]
id = "items"
file = "items.jsonl"
gate = "start:dev"

[[data]]
id = "answers"
file = "gold.jsonl"
holds = "answers"
gate = "end:test"
"#;

fn small() -> Contest {
    let reading = read(SMALL);
    assert!(reading.defects.is_empty(), "{:?}", reading.defects);
    reading.contest.expect("it is sound")
}

fn ms(text: &str) -> i64 {
    text.parse::<Moment>().expect(text).ms
}

fn folder(toml: &str) -> Folder {
    let item = |judge: &str| format!("{{\"qid\":\"1\",\"context\":\"猫在箱子里\"{judge}}}\n").into_bytes();
    Folder::from([
        (FILE.to_owned(), toml.as_bytes().to_vec()),
        ("items.jsonl".to_owned(), item("")),
        ("gold.jsonl".to_owned(), item(",\"judge\":1")),
    ])
}

/// Codes and keys of the defects of a text.
fn defects(toml: &str) -> Vec<(&'static str, String)> {
    check(&folder(toml)).defects.iter().map(|defect| (defect.code.as_str(), defect.pointer.clone())).collect()
}

#[test]
fn a_phase_is_open_from_its_first_moment_until_just_before_its_end() {
    let contest = small();
    let phase = |at: i64| contest.phase_at(at).map(|phase| phase.id.as_str());
    let start = ms("2022-07-01T00:00:00+08:00");
    assert_eq!(start, ms("2022-06-30T16:00:00Z"), "midnight in China is the afternoon before in UTC");
    for (at, expected) in [
        (start - 1, None),
        (start, Some("dev")),
        (ms("2022-07-31T23:59:59+08:00"), Some("dev")),
        (ms("2022-07-31T23:59:59.999+08:00"), Some("dev")),
        // The edge belongs to the later phase and to no other.
        (ms("2022-08-01T00:00:00+08:00"), Some("test")),
        (ms("2022-07-31T16:00:00Z"), Some("test")),
        (ms("2022-08-08T20:29:59+08:00"), Some("test")),
        (ms("2022-08-08T20:30:00+08:00"), None),
    ] {
        assert_eq!(phase(at), expected, "{}", Moment::at(at, contest.zone));
    }
    assert_eq!(contest.phases_at(ms("2022-08-01T00:00:00+08:00")).count(), 1);
    assert_eq!(contest.next_phase(start).map(|phase| phase.id.as_str()), Some("test"));
}

#[test]
fn quotas_are_counted_by_the_day_of_the_zone() {
    let contest = small();
    let dev = contest.phase("dev").expect("there");
    let left = |submitted: &[&str], now: &str| {
        let times: Vec<i64> = submitted.iter().map(|at| ms(at)).collect();
        let left = contest.quota_left(dev, "2022/judge", "t1", &times, ms(now));
        (left.total, left.today)
    };
    assert_eq!(left(&[], "2022-07-02T09:00:00+08:00"), (Some(5), Some(2)));
    let evening = ["2022-07-01T23:59:58+08:00", "2022-07-01T23:59:59+08:00"];
    assert_eq!(left(&evening, "2022-07-01T23:59:59.999+08:00"), (Some(3), Some(0)));
    assert_eq!(left(&evening, "2022-07-02T00:00:00+08:00"), (Some(3), Some(2)), "a new day in China");
    assert_eq!(left(&evening, "2022-07-01T16:00:00Z"), (Some(3), Some(2)), "the same moment, told in London");
    let five = ["2022-07-03T10:00:00+08:00"; 5];
    assert_eq!(left(&five, "2022-07-20T10:00:00+08:00"), (Some(0), Some(2)));
    let now = ms("2022-07-01T23:59:59+08:00");
    let left = contest.quota_left(dev, "2022/judge", "t1", &[now, now], now);
    assert!(!left.any());
    assert_eq!(left.tomorrow, ms("2022-07-02T00:00:00+08:00"));
    let free = contest.quota_left(contest.phase("test").expect("there"), "2022/judge", "t1", &[0; 1000], now);
    assert_eq!((free.total, free.today, free.any()), (None, None, true));
}

#[test]
fn grants_and_resets_change_what_is_left() {
    let mut contest = small();
    let at = ms("2022-07-10T12:00:00+08:00");
    let used = vec![at - 1000; 5];
    let left = |contest: &Contest, team: &str, task: &str| {
        contest.quota_left(contest.phase("dev").expect("there"), task, team, &used, at).total
    };
    assert_eq!(left(&contest, "t1", "2022/judge"), Some(0));
    let granted = Granted { team: "t1".to_owned(), phase: "dev".to_owned(), task: Some("2022/judge".to_owned()), extra: 2 };
    contest.apply(&Change::Grant(granted), at).expect("applied");
    assert_eq!(
        (left(&contest, "t1", "2022/judge"), left(&contest, "t2", "2022/judge"), left(&contest, "t1", "2022/roles")),
        (Some(2), Some(0), Some(0))
    );
    contest.apply(&Change::ResetQuota { phase: "dev".to_owned(), reason: String::new() }, at).expect("applied");
    assert_eq!(left(&contest, "t2", "2022/judge"), Some(5), "what was before the reset no longer counts");
}

#[test]
fn gates_open_to_the_second_and_move_with_their_phase() {
    let mut contest = small();
    let end = ms("2022-08-08T12:30:00Z");
    let released = |contest: &Contest, id: &str, at: i64| contest.is_released(contest.data(id).expect("there"), at);
    assert!(!released(&contest, "answers", end - 1) && released(&contest, "answers", end));
    assert!(
        !released(&contest, "items", ms("2022-06-30T23:59:59+08:00"))
            && released(&contest, "items", ms("2022-07-01T00:00:00+08:00"))
    );
    let later = "2022-08-10T00:00:00+08:00".parse::<Moment>().expect("a time");
    let from = contest.phase("test").expect("there").end;
    let change = Change::Move { phase: "test".to_owned(), edge: Edge::End, from, to: later, reason: "停电".to_owned() };
    contest.apply(&change, end - 5000).expect("applied");
    assert!(!released(&contest, "answers", end), "the gate moved with the deadline");
    assert!(released(&contest, "answers", later.ms));
    assert_eq!(contest.phase_at(end).map(|phase| phase.id.as_str()), Some("test"));
    let said = change.say(&contest, ToOwned::to_owned);
    assert!(said.en.contains("2022-08-08T12:30:00+00:00 to 2022-08-10T00:00:00+08:00") && said.zh.contains("改为"), "{said:?}");
    assert_eq!(serde_json::from_value::<Change>(serde_json::json!(change)).expect("read again"), change);
}

#[test]
fn a_hand_is_over_a_gate() {
    let mut contest = small();
    let early = ms("2022-07-05T00:00:00+08:00");
    let answers = |contest: &Contest, at: i64| contest.is_released(contest.data("answers").expect("there"), at);
    contest.apply(&Change::Release { file: "answers".to_owned() }, early).expect("applied");
    assert!(answers(&contest, early));
    contest.apply(&Change::Withhold { file: "answers".to_owned(), reason: String::new() }, early).expect("applied");
    assert!(!answers(&contest, i64::MAX / 2), "taken back for good, whatever the gate says");
    let error = contest.apply(&Change::Release { file: "answer".to_owned() }, early).expect_err("a typing error");
    assert!(error.say(Lang::En).contains("did you mean answers?"), "{error}");
    let back = Change::Move {
        phase: "dev".to_owned(),
        edge: Edge::End,
        from: contest.phases[0].end,
        to: contest.phases[0].start,
        reason: String::new(),
    };
    assert!(matches!(contest.apply(&back, early), Err(ChangeError::Backwards { .. })));
    assert_eq!(
        contest.phase("dev").expect("there").end,
        "2022-08-01T00:00:00+08:00".parse().expect("a time"),
        "nothing was changed"
    );
}

#[test]
fn a_revealed_phase_shows_everything_but_the_items_of_others() {
    let contest = small();
    let test = contest.phase("test").expect("there");
    let end = test.end.ms;
    assert_eq!(contest.shows(test, end - 1), Shows::default());
    let revealed = contest.shows(test, end);
    assert_eq!(
        (revealed.scores, revealed.items, revealed.board, revealed.private),
        (Sight::Everybody, Sight::Team, Sight::Everybody, true)
    );
    let dev = contest.phase("dev").expect("there");
    assert_eq!(contest.shows(dev, i64::MAX / 2), Shows::default(), "what has no gate is never revealed by itself");
}

#[test]
fn freezing_stands_until_it_is_undone() {
    let mut contest = small();
    assert_eq!(contest.boards.len(), 2, "a board for each phase, where none is named");
    contest.apply(&Change::Freeze { board: "test".to_owned() }, 77).expect("applied");
    assert_eq!(contest.board("test").and_then(|board| board.frozen_at), Some(77));
    contest.apply(&Change::Thaw { board: "test".to_owned() }, 78).expect("applied");
    assert_eq!(contest.board("test").and_then(|board| board.frozen_at), None);
}

#[test]
fn the_sound_one_is_sound() {
    assert_eq!(defects(SMALL), []);
    let contest = check(&folder(SMALL)).contest.expect("sound");
    assert_eq!(contest.tasks.len(), 3, "all tasks of the year");
    assert_eq!(contest.boards[0].policy.name, "2022");
    assert_eq!(contest.zone, Zone(480));
    let kinds: Vec<&str> = contest.files().iter().map(|named| named.holds.as_str()).collect();
    assert_eq!(kinds, ["answers", "gold", "gold", "data", "items", "items"]);
}

#[test]
fn every_defect_is_told_with_its_line_and_key() {
    let toml = r#"
id = "Big One"
naem = "错"
year = "2020"
zone = "Asia/Shanghai"

[[phases]]
id = "dev"
start = "2022-07-01"
end = "2022-06-01T00:00:00+08:00"
max_submissions = 0
max_submissions_per_day = "three"
submission_rule = "newest"
shows = { scores = "all" }
tasks = [{ task = "2022/juge", items = "../items.jsonl" }]
"#;
    let found = defects(toml);
    let expected = [
        ("bad-value", "/id"),
        ("missing-field", "/name"),
        ("unknown-key", "/naem"),
        ("unknown-name", "/year"),
        ("bad-value", "/zone"),
        ("missing-field", "/tasks"),
        ("bad-time", "/phases/0/start"),
        ("bad-value", "/phases/0/max_submissions"),
        ("bad-type", "/phases/0/max_submissions_per_day"),
        ("unknown-name", "/phases/0/submission_rule"),
        ("unknown-name", "/phases/0/shows/scores"),
        ("unknown-name", "/phases/0/tasks/0/task"),
        ("bad-value", "/phases/0/tasks/0/items"),
        ("missing-field", "/phases/0/tasks/0/gold"),
        ("bad-value", "/phases/0/tasks"),
    ];
    for (code, key) in expected {
        assert!(found.iter().any(|(found, at)| *found == code && at == key), "{code} {key} is not in {found:#?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    let reading = check(&folder(toml));
    assert!(reading.contest.is_none());
    let start = reading.defects.iter().find(|defect| defect.pointer == "/phases/0/start").expect("told");
    assert_eq!(
        start.render(Lang::En),
        "competition.toml:9 /phases/0/start: error [bad-time] not a time with its offset; expected a time that exists, with its offset, as 2022-08-12T00:00:00+08:00; found 2022-07-01"
    );
    let key = reading.defects.iter().find(|defect| defect.code == Code::UnknownKey).expect("told");
    assert!(key.expected.en.contains("did you mean name?"), "{key:?}");
}

#[test]
fn what_stands_twice_or_leads_nowhere() {
    let with = |more: &str| defects(&format!("{SMALL}\n{more}"));
    let phase = "[[phases]]\nid = \"dev\"\nstart = \"2023-01-01T00:00:00Z\"\nend = \"2023-01-01T00:00:00Z\"\ntasks = [{ task = \"2022/judge\", items = \"items.jsonl\", gold = \"gold.jsonl\" }, { task = \"2022/judge\", items = \"items.jsonl\", gold = \"gold.jsonl\" }]";
    let found = with(phase);
    assert_eq!(found.len(), 3, "{found:?}");
    for expected in [("duplicate-name", "/phases/2"), ("bad-time", "/phases/2/end"), ("duplicate-task", "/phases/2/tasks/1")] {
        assert!(found.contains(&(expected.0, expected.1.to_owned())), "{found:?}");
    }
    assert_eq!(
        with("[[data]]\nid = \"x\"\nfile = \"items.jsonl\"\ngate = \"start:final\""),
        [("unknown-name", "/data/2/gate".to_owned())]
    );
    assert_eq!(
        with("[[data]]\nid = \"x\"\nfile = \"items.jsonl\"\ngate = \"tomorrow\""),
        [("bad-time", "/data/2/gate".to_owned())]
    );
    assert_eq!(with("[[data]]\nid = \"x\"\nfile = \"lost.zip\""), [("missing-file", "/data/2/file".to_owned())]);
    assert_eq!(with("[[boards]]\nid = \"b\"\nphase = \"final\""), [("unknown-name", "/boards/0/phase".to_owned())]);
    assert_eq!(
        with("[[boards]]\nid = \"b\"\nphase = \"dev\"\npolicy = \"1999\""),
        [("unknown-name", "/boards/0/policy".to_owned())]
    );
    let custom =
        "[[boards]]\nid = \"b\"\nphase = \"dev\"\npolicy = { population = \"all\", ddof = 2, missing = \"zero\", by = \"mean\" }";
    assert_eq!(
        with(custom),
        [("unknown-name", "/boards/0/policy/by".to_owned()), ("bad-value", "/boards/0/policy/ddof".to_owned())]
    );
    assert_eq!(with("[prompts]\nphase = \"dev\"\ntask = \"2022/roles\""), [("unknown-name", "/prompts/task".to_owned())]);
    assert_eq!(with("[awards]\nboard = \"final\""), [("unknown-name", "/awards/board".to_owned())]);
    assert_eq!(with("[agreement]\nversion = \"1\"\nfile = \"terms.md\""), [("missing-file", "/agreement/file".to_owned())]);
    assert_eq!(
        with("[registration]\nstart = \"2022-07-02T00:00:00Z\"\nend = \"2022-07-01T00:00:00Z\"\nmost_members = 0")[0].0,
        "bad-time"
    );
}

#[test]
fn all_faults_of_the_syntax_are_told_at_once() {
    let found = defects("id = \nname = 小\n[[phases]\n");
    assert!(found.iter().filter(|(code, _)| *code == "bad-toml").count() >= 2, "{found:?}");
    assert_eq!(check(&Folder::new()).defects[0].code, Code::MissingFile);
    let bytes = Folder::from([(FILE.to_owned(), vec![0xff, 0xfe])]);
    assert_eq!(check(&bytes).defects[0].code, Code::BadEncoding);
}

#[test]
fn gold_must_answer_the_items_and_stay_at_home() {
    let codes = |folder: &Folder| check(folder).defects.iter().map(|defect| defect.code).collect::<Vec<_>>();
    let mut other = folder(SMALL);
    other.insert("gold.jsonl".to_owned(), b"{\"qid\":\"2\",\"context\":\"x\",\"judge\":1}\n".to_vec());
    let found = codes(&other);
    assert!(found.contains(&Code::UnknownQid) && found.contains(&Code::MissingQid), "{found:?}");
    let mut answered = folder(SMALL);
    let gold = answered["gold.jsonl"].clone();
    answered.insert("items.jsonl".to_owned(), gold.clone());
    assert!(codes(&answered).contains(&Code::LeakedGold), "items with answers");
    let early = SMALL.replace("gate = \"end:test\"", "gate = \"end:dev\"");
    assert_eq!(defects(&early), [("leaked-gold", "/data/1/gate".to_owned())]);
    let mut copied = folder(
        &SMALL
            .replace("holds = \"answers\"", "")
            .replace("file = \"gold.jsonl\"", "file = \"copy.jsonl\"")
            .replace("gate = \"end:test\"", "gate = \"open\""),
    );
    copied.insert("copy.jsonl".to_owned(), gold);
    assert_eq!(codes(&copied), [Code::LeakedGold], "a copy of the gold under another name");
    let text = String::from_utf8(copied["copy.jsonl"].clone()).expect("UTF-8");
    copied.insert("copy.jsonl".to_owned(), text.replace("\"qid\":\"1\"", "\"note\":\"x\",\"qid\":\"train-1\"").into_bytes());
    assert_eq!(codes(&copied), [Code::LeakedGold], "its items and answers under other identifiers");
    let mut broken = folder(SMALL);
    broken.insert("gold.jsonl".to_owned(), b"{\"qid\":\"1\",\"context\":\"\xe7\x8c\xab\",\"judge\":7}\n".to_vec());
    assert!(codes(&broken).contains(&Code::BadVerdict), "{:?}", codes(&broken));
}

#[test]
fn names_of_files_find_phase_and_task() {
    let contest = small();
    let meant = |name: &str| {
        let name = FileName::read(name).expect("of the old form");
        let (phase, task) = contest.meant_by(&name);
        (phase.map(|phase| phase.id.clone()), task.map(|entry| entry.task.id()))
    };
    assert_eq!(meant("甲-task2-dev-1-0712.jsonl"), (Some("dev".to_owned()), Some("2022/attribute")));
    assert_eq!(meant("甲-task9-final-1-0712.jsonl"), (None, None));
    assert_eq!(contest.task("task1").map(|entry| entry.task.id()), Some("2022/judge"));
    assert_eq!(contest.task("2022/roles").map(|entry| entry.task.id()), Some("2022/roles"));
}

#[test]
fn the_schedule_is_in_order() {
    let contest = small();
    let said: Vec<(String, String)> = contest.schedule().iter().map(|date| (date.at.to_string(), date.say.en.clone())).collect();
    let expected = [
        ("2022-07-01T00:00:00+08:00", "dev starts"),
        ("2022-07-01T00:00:00+08:00", "items can be downloaded"),
        ("2022-08-01T00:00:00+08:00", "dev ends"),
        ("2022-08-01T00:00:00+08:00", "test starts"),
        ("2022-08-08T12:30:00+00:00", "test ends"),
        ("2022-08-08T12:30:00+00:00", "results of test"),
        ("2022-08-08T12:30:00+00:00", "answers can be downloaded"),
    ];
    assert_eq!(said, expected.map(|(at, what)| (at.to_owned(), what.to_owned())));
}

#[test]
fn the_templates_are_sound_and_begin_at_midnight() {
    let now = ms("2026-03-01T15:00:00+08:00");
    for template in TEMPLATES {
        let folder = template.files(now);
        let reading = check(&folder);
        let told: Vec<String> = reading.defects.iter().map(|defect| defect.render(Lang::En)).collect();
        assert!(told.is_empty(), "{}: {told:#?}", template.name);
        let contest = reading.contest.expect("sound");
        assert_eq!(contest.registration.start.map(|start| start.to_string()).as_deref(), Some("2026-03-01T00:00:00+08:00"));
        assert_eq!(contest.phase_at(ms("2026-03-08T00:00:00+08:00")).map(|phase| phase.id.as_str()), Some("dev"));
        assert_eq!(contest.tasks.len(), 3);
        let named: BTreeSet<String> = contest.files().into_iter().map(|named| named.path).collect();
        for path in folder.keys().filter(|path| *path != FILE) {
            // Every task has all four files; 2023 keeps its last items back.
            assert!(named.contains(path), "{}: {path} is not used", template.name);
        }
    }
    assert!(Template::find("2020").expect_err("none").to_string().contains("2021 2022 2023"));
    let awards =
        check(&Template::find("2021").expect("there").files(now)).contest.and_then(|contest| contest.awards).expect("awards");
    assert_eq!((awards.board_share, awards.documents.len(), awards.criteria.len()), (0.8, 2, 2));
    let prompts =
        check(&Template::find("2023").expect("there").files(now)).contest.and_then(|contest| contest.prompts).expect("prompts");
    assert_eq!((prompts.task.as_str(), prompts.raters, prompts.transcripts), ("2023/scene", 2, Gate::Hand));
}

/// A bundle as organisers make it: dates without zones, archives, a program, an HTML page.
fn bundle() -> Folder {
    let yaml = r"version: 2
title: Space & Time 2022
description: 'a: b'
image: logo.png
terms: terms.md
registration_auto_approve: True
docker_image: codalab/codalab-legacy:py3
pages:
  - title: Overview
    file: overview.md
  - title: Data
    file: data.html
tasks:
  - index: 0
    name: judge
    reference_data: reference_data.zip
    input_data: input_data.zip
    scoring_program: scoring.zip
  - index: 1
    name: other
    reference_data: numbers.zip
    scoring_program: scoring.zip
phases:
  - index: 0
    name: Development Phase
    start: 2022-07-01
    end: 2022-08-01 12:00:00
    tasks: [0, 1]
    max_submissions: 100
    max_submissions_per_day: 5
    execution_time_limit: 600
  - index: 1
    name: Final
    start: 2022-08-01T12:00:00+08:00
    tasks: [0]
    hide_score_output: true
leaderboards:
  - title: Results
    key: main
    submission_rule: Force_Best
    columns:
      - { title: Accuracy, key: acc, index: 0, sorting: desc }
";
    let gold =
        "{\"qid\":\"1\",\"context\":\"猫在箱子里\",\"judge\":1}\n{\"qid\":\"2\",\"context\":\"猫在箱子里外\",\"judge\":0}\n";
    [
        ("competition.yaml", yaml),
        ("terms.md", "# Terms\n"),
        ("overview.md", "# Overview\n"),
        ("data.html", "<p>data</p>"),
        ("reference_data.zip/truth.jsonl", gold),
        ("input_data.zip/items.jsonl", "{}"),
        ("numbers.zip/solution.txt", "1 2 3\n"),
        ("scoring.zip/score.py", "print(1)\n"),
    ]
    .into_iter()
    .map(|(path, text)| (format!("bundle/{path}"), text.as_bytes().to_vec()))
    .collect()
}

#[test]
fn a_bundle_becomes_a_competition_and_a_list_of_what_does_not_map() {
    let imported = import(&bundle()).expect("a bundle");
    let keys: Vec<&str> = imported.unmapped.iter().map(|one| one.key.as_str()).collect();
    let expected = [
        "/image",
        "/docker_image",
        "/pages/1/file",
        "/tasks/0/scoring_program",
        "/tasks/1/reference_data",
        "/phases/0/execution_time_limit",
        "/phases/1/end",
        "/leaderboards/0/columns/0",
    ];
    assert_eq!(keys, expected);
    let reading = check(&imported.files);
    let told: Vec<String> = reading.defects.iter().map(|defect| defect.render(Lang::En)).collect();
    assert!(told.is_empty(), "{told:#?}\n{}", String::from_utf8_lossy(&imported.files[FILE]));
    let contest = reading.contest.expect("sound");
    assert_eq!(
        (contest.id.as_str(), contest.name.en.as_str(), contest.about.en.as_str()),
        ("space-time-2022", "Space & Time 2022", "a: b")
    );
    let [dev, last] = contest.phases.as_slice() else { panic!("{:?}", contest.phases) };
    assert_eq!(
        (dev.id.as_str(), dev.start.ms, dev.end.ms),
        ("development-phase", ms("2022-07-01T00:00:00Z"), ms("2022-08-01T12:00:00Z"))
    );
    assert_eq!(last.start.ms, ms("2022-08-01T12:00:00+08:00"), "a time with an offset keeps it");
    assert_eq!((dev.quota.total, dev.quota.per_day, dev.rule), (Some(100), Some(5), Rule::Best));
    assert_eq!((dev.shows.scores, last.shows.scores), (Sight::Team, Sight::Organisers));
    assert_eq!(dev.tasks.iter().map(|entry| entry.task.id()).collect::<Vec<_>>(), ["2022/judge"]);
    assert!(!contest.registration.approval);
    assert_eq!(contest.agreement.as_ref().map(|agreement| agreement.file.en.as_str()), Some("terms.md"));
    let items = String::from_utf8_lossy(&imported.files["items/task-0.jsonl"]).into_owned();
    assert!(!items.contains("judge") && items.lines().count() == 2, "{items}");
}

#[test]
fn what_is_no_bundle_is_refused_in_words() {
    assert!(import(&Folder::new()).expect_err("nothing").en.contains("competition.yaml"));
    let one = |text: &str| import(&Folder::from([("competition.yaml".to_owned(), text.as_bytes().to_vec())]));
    assert!(one("title: x\n").expect_err("old").en.contains("version: 2"));
    assert!(one("version: 2\na: [").expect_err("broken").en.contains("cannot be read"));
    // Nothing in it is sound, and yet nothing fails: the list says what is missing.
    let imported = one("version: 2\nphases: [{name: '\"'}, 3]\ntasks: {}\npages: [{title: a}]\n").expect("read");
    assert!(check(&imported.files).contest.is_none());
}

#[test]
fn no_half_of_a_file_makes_anything_fail() {
    let toml = String::from_utf8_lossy(&Template::find("2023").expect("there").files(0)[FILE]).into_owned();
    let yaml = String::from_utf8_lossy(&bundle()["bundle/competition.yaml"]).into_owned();
    for at in (0..toml.len()).filter(|at| toml.is_char_boundary(*at)).step_by(7) {
        let reading = read(&toml[..at]);
        assert!(reading.contest.is_some() || !reading.defects.is_empty(), "{at}");
        let _ = read(&toml[at..]);
    }
    for at in 0..yaml.len() {
        let mut half = bundle();
        half.insert("bundle/competition.yaml".to_owned(), yaml.as_bytes()[..at].to_vec());
        if let Ok(imported) = import(&half) {
            check(&imported.files);
        }
    }
    let long = Folder::from([(FILE.to_owned(), vec![b'['; (1 << 20) + 1])]);
    assert_eq!(check(&long).defects[0].code, Code::LineTooLong);
    read(&"[".repeat(100_000));
    read(&format!("a = {}", "{a = ".repeat(10_000)));
}
