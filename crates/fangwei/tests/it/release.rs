//! Releases: what is split, numbered, written and refused.

mod properties;
mod revision;

use fangwei::convert::OutFile;
use fangwei::lang::Lang;
use fangwei::release::{Config, Gold, Input, Inputs, Pack, ReleaseError, release, verify};

/// Twelve sentences that share no five characters in a row.
pub const SENTENCES: [&str; 12] = [
    "老渔夫把小船停在码头旁边",
    "图书馆三楼摆着一排旧书架",
    "猫趴在窗台上晒着太阳打盹",
    "邮递员从绿色背包里掏出信",
    "孩子们沿着河堤往下游跑去",
    "奶奶把腌好的萝卜放进坛子",
    "火车缓缓驶进了山脚的隧道",
    "燕子在屋檐底下筑了一个窝",
    "厨师站在灶台前面翻动铁锅",
    "院子中央的井口盖着块石板",
    "登山队在半山腰搭起了帐篷",
    "售货员蹲在柜台后头数零钱",
];

pub fn config(shares: &str) -> Config {
    let (name, version) = ("样例".to_owned(), "1.0".to_owned());
    Config { name, version, shares: shares.parse().expect("shares"), seed: 3, ..Config::default() }
}

pub fn inputs(gold: &[&str]) -> Inputs {
    let file = |(number, text): (usize, &&str)| Gold { task: None, input: Input::new(format!("{number}.jsonl"), *text) };
    Inputs { gold: gold.iter().enumerate().map(file).collect(), licence: "CC-BY-4.0".into(), ..Inputs::default() }
}

/// A judge record a sentence, every other one abnormal.
pub fn judge() -> String {
    let line = |(number, text): (usize, &&str)| {
        format!("{{\"qid\":\"w{number:02}\",\"context\":\"{text}\",\"judge\":{}}}\n", number % 2)
    };
    SENTENCES.iter().enumerate().map(line).collect()
}

pub fn text(pack: &[OutFile], path: &str) -> String {
    let file = pack.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("no {path}"));
    String::from_utf8(file.bytes.clone()).expect("UTF-8")
}

pub fn made(config: &Config, inputs: &Inputs) -> Pack {
    release(config, inputs, Lang::En).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn inputs_have_no_answers_and_numbers_run_on() {
    let pack = made(&Config { to: vec!["2022/judge".into(), "2021/judge".into()], ..config("2:1:1") }, &inputs(&[&judge()]));
    // Twelve sentences of twelve origins in shares 2:1:1 are six, three and three.
    assert_eq!(pack.counts, [[6, 3, 3], [6, 3, 3]]);
    let first = |path: &str| text(&pack.files, path).lines().find(|line| line.starts_with('{')).expect("a record").to_owned();
    // 2022 numbers on from split to split, 2021 from 1 in each file.
    assert!(first("inputs/2022/judge/train.jsonl").starts_with("{\"qid\":\"1-train-1\",\"context\":"));
    assert!(first("inputs/2022/judge/dev.jsonl").starts_with("{\"qid\":\"1-dev-7\","));
    assert!(first("answers/2022/judge/test.jsonl").starts_with("{\"qid\":\"1-test-10\","));
    assert!(first("inputs/2021/judge/dev.json").starts_with("{\"qID\":\"1-dev-1\","));
    assert!(text(&pack.files, "answers/2021/judge/dev.json").starts_with("[\n"));
    for file in pack.files.iter().filter(|file| file.path.starts_with("inputs/")) {
        let text = String::from_utf8_lossy(&file.bytes);
        assert!(!text.contains("judge") && !text.contains("origin"), "{}: {text}", file.path);
    }
    // The same sentence is in the same split in both tasks.
    let contexts = |path: &str| {
        let text = text(&pack.files, path);
        let mut found: Vec<&str> = SENTENCES.into_iter().filter(|sentence| text.contains(sentence)).collect();
        found.sort_unstable();
        found
    };
    for split in ["train", "dev", "test"] {
        let (one, other) = (format!("inputs/2022/judge/{split}.jsonl"), format!("inputs/2021/judge/{split}.json"));
        assert_eq!(contexts(&one), contexts(&other), "{split}");
    }
    let public: Vec<(&str, bool)> = pack.manifest.files.iter().map(|file| (file.path.as_str(), file.public)).collect();
    for (path, expected) in [
        ("answers/2022/judge/train.jsonl", true),
        ("answers/2022/judge/test.jsonl", false),
        ("trace.jsonl", false),
        ("README.md", true),
    ] {
        assert!(public.contains(&(path, expected)), "{path}");
    }
}

#[test]
fn scenes_are_numbered_without_a_split() {
    let scene = |number: usize| {
        let (a, b) = (SENTENCES[number], SENTENCES[number].replace(['上', '里'], "下"));
        format!(
            "{{\"qid\":\"x{number}\",\"context1\":\"{a}\",\"context2\":\"{b}\",\"results\":[{{\"judge\":\"true\",\"reason\":\"同\"}}]}}\n"
        )
    };
    let gold: String = (0..4).map(scene).collect();
    let pack = made(&config("3:1"), &inputs(&[&gold]));
    assert!(text(&pack.files, "inputs/2023/scene/test.jsonl").starts_with("{\"qid\":\"3-4\",\"context1\""));
}

#[test]
fn gold_is_joined_and_contradictions_are_refused_with_both_places() {
    let one = "{\"qid\":\"a\",\"context\":\"老渔夫把小船停在码头旁边\",\"judge\":1}\n{\"qid\":\"b\",\"context\":\"图书馆三楼摆着一排旧书架\",\"judge\":1}\n";
    let same = "{\"qid\":\"a\",\"context\":\"老渔夫把小船停在码头旁边\",\"judge\":1,\"genre\":\"文学\"}\n";
    let pack = made(&config("1:1"), &inputs(&[one, same]));
    assert_eq!(pack.counts, [[1, 1]]);
    assert!(text(&pack.files, "trace.jsonl").contains("\"genre\":\"文学\""), "what one file knows is kept");
    let other = same.replace("\"judge\":1", "\"judge\":0");
    let error = release(&config("1:1"), &inputs(&[one, &other]), Lang::En).expect_err("two answers");
    let message = error.to_string();
    assert!(message.contains("0.jsonl:1 a | 1.jsonl:1 a: two answers under one id"), "{message}");
}

#[test]
fn candidates_tell_origin_genre_and_words() {
    let gold = "{\"qid\":\"a\",\"context\":\"老渔夫把小船停在码头里边\",\"judge\":0}\n{\"qid\":\"b\",\"context\":\"图书馆三楼摆着一排旧书架\",\"judge\":1}\n";
    let candidate = "{\"id\":\"a\",\"origin\":\"p7\",\"genre\":\"文学\",\"context\":\"老渔夫把小船停在码头里边\",\"replaced\":[{\"at\":10,\"from\":\"旁边\",\"to\":\"里边\",\"class\":\"locative\"}],\"rank\":3}\n";
    let mut inputs = inputs(&[gold]);
    inputs.candidates = vec![Input::new("c.jsonl", candidate)];
    let config = Config { public: Some(vec!["train".into(), "test".into()]), ..config("1:1") };
    let pack = made(&config, &inputs);
    let trace = text(&pack.files, "trace.jsonl");
    assert!(trace.contains("\"origin\":\"p7\",\"genre\":\"文学\"") && trace.contains("\"from\":\"旁边\""), "{trace}");
    // One text with this pair, and it is abnormal.
    assert!(text(&pack.files, "README.md").contains("| 旁边→里边 | 1 | 1 | 100.0 % |"));
    inputs.candidates = vec![Input::new("c.jsonl", candidate.replace("码头", "河岸"))];
    let message = release(&config, &inputs, Lang::En).expect_err("another text").to_string();
    assert!(message.contains("0.jsonl:1 a | c.jsonl:1 a: the text is not its candidate's"), "{message}");
}

#[test]
fn siblings_that_cross_are_refused_over_tasks_too() {
    let judge = "{\"qid\":\"a\",\"context\":\"老渔夫把小船停在码头旁边，慢慢走上岸来\",\"judge\":1,\"split\":\"train\"}\n";
    let attribute = "{\"qid\":\"b\",\"context\":\"老渔夫把小船停在码头里边，慢慢走上岸来\",\"reasons\":[{\"fragments\":[{\"role\":\"S\",\"text\":\"小船\",\"idxes\":[4,5]}],\"type\":\"C\"}],\"split\":\"test\"}\n";
    let error = release(&config("1:1"), &inputs(&[judge, attribute]), Lang::En).expect_err("they are siblings");
    assert!(matches!(&error, ReleaseError::Crossing(clashes) if clashes.len() == 1), "{error}");
    assert!(error.to_string().contains("0.jsonl:1 a | 1.jsonl:1 b: train / test"), "{error}");
    // In one split they are fine, and no share is needed.
    let pack = made(&config("1:1"), &inputs(&[judge, &attribute.replace("test", "train")]));
    assert_eq!((pack.counts.as_slice(), pack.manifest.shares.as_str()), (&[vec![1, 0], vec![1, 0]][..], "given"));
    let some = release(&config("1:1"), &inputs(&[&judge.replace(",\"split\":\"train\"", ""), attribute]), Lang::En);
    assert!(matches!(some, Err(ReleaseError::SomeSplits { .. })));
    let odd = release(&config("1:1"), &inputs(&[judge, &attribute.replace("\"test\"", "\"tset\"")]), Lang::En);
    assert!(odd.expect_err("no such split").to_string().contains("tset (did you mean test?)"));
}

#[test]
fn gold_that_breaks_a_rule_of_annotation_is_told_or_refused() {
    // A C attribution has all three of S, P and E; the second record has P alone.
    let span = |role: &str, text: &str, from: usize| {
        let idxes: Vec<usize> = (from..from + text.chars().count()).collect();
        format!(r#"{{"role":"{role}","text":"{text}","idxes":{idxes:?}}}"#)
    };
    let record = |qid: &str, context: &str, slots: &[String]| {
        let reason = format!(r#"{{"fragments":[{}],"type":"C"}}"#, slots.join(","));
        format!(r#"{{"qid":"{qid}","context":"{context}","reasons":[{reason}]}}"#) + "\n"
    };
    let whole = record("whole", "他每天去泳池旁游泳。", &[span("S", "他", 0), span("P", "去泳池旁", 3), span("E", "游泳", 7)]);
    let half = record("half", "猫在柜子下面跳舞。", &[span("P", "在柜子下面", 1)]);
    let pack = made(&config("1:1"), &inputs(&[&whole, &half]));
    let survey = &pack.surveyed[0].survey;
    assert_eq!((survey.items, survey.blocked), (2, 1));
    assert!(pack.notes.iter().any(|note| note.get(Lang::En).starts_with("2022/attribute: the gold of 1 of 2 items breaks")));
    let sheet = text(&pack.files, "README.md");
    assert!(sheet.contains("Rules of annotation") && !sheet.contains("柜子"), "counts and no example: {sheet}");

    let error = release(&Config { strict: true, ..config("1:1") }, &inputs(&[&whole, &half]), Lang::En).expect_err("strict");
    assert!(error.to_string().contains("1.jsonl:1 half: "), "{error}");
    made(&Config { strict: true, ..config("1:1") }, &inputs(&[&judge()]));
}

#[test]
fn what_cannot_be_made_is_said() {
    let config = |to: &str| Config { to: vec![to.to_owned()], ..config("1:1") };
    let error = release(&config("2023/scene"), &inputs(&[&judge()]), Lang::En).expect_err("no such way");
    assert!(error.is_usage() && error.to_string().contains("known: 2022/judge 2021/judge"), "{error}");
    let error = release(&config("2022/judge"), &inputs(&["{\"qid\":\"a\",\"context\":\"山\",\"judge\":1}\nx\n"]), Lang::En);
    assert!(matches!(error, Err(ReleaseError::Records(defects)) if defects.len() == 1 && defects[0].line == 2));
    let error = release(&config("2022/judge"), &inputs(&["{\"a\":1}\n"]), Lang::En);
    assert!(matches!(error, Err(ReleaseError::NoTask(_))));
    let one = "{\"qid\":\"a\",\"context\":\"老渔夫把小船停在码头旁边\",\"judge\":1}\n";
    let error = release(&config("2022/judge"), &inputs(&[one]), Lang::En);
    assert!(matches!(error, Err(ReleaseError::TooFewGroups { groups: 1, splits: 2 })));
}

#[test]
fn a_folder_is_checked_file_by_file() {
    let pack = made(&config("2:1:1"), &inputs(&[&judge()]));
    assert_eq!(verify(&pack.files, false), []);
    let said = |files: &[OutFile], public| -> Vec<String> {
        verify(files, public).iter().map(|problem| problem.say(Lang::En)).collect()
    };
    let at = |path: &str| pack.files.iter().position(|file| file.path == path).unwrap_or_else(|| panic!("no {path}"));

    let mut changed = pack.files.clone();
    changed[at("LICENSE.md")].bytes.push(b'x');
    assert!(said(&changed, false)[0].starts_with("LICENSE.md: its content changed"));

    let mut beside = pack.files.clone();
    beside.push(OutFile { path: "notes.txt".into(), bytes: Vec::new() });
    assert_eq!(said(&beside, false), ["notes.txt: the manifest does not know this file"]);

    let mut leaking = pack.files.clone();
    leaking[at("inputs/2022/judge/test.jsonl")].bytes = pack.files[at("answers/2022/judge/test.jsonl")].bytes.clone();
    assert!(said(&leaking, false).iter().any(|line| line.contains("has the field judge")), "{:?}", said(&leaking, false));

    // A public part lacks what is not public, and nothing else.
    let is_public = |file: &&OutFile| pack.manifest.files.iter().all(|known| known.path != file.path || known.public);
    let public: Vec<OutFile> = pack.files.iter().filter(is_public).cloned().collect();
    assert_eq!(said(&public, true), [""; 0]);
    assert!(!said(&public, false).is_empty());
    assert!(said(&pack.files, true).iter().any(|line| line == "trace.jsonl: a file that is not public lies here"));

    // A sibling that was moved to another split.
    let mut crossed = pack.files.clone();
    let moved = text(&pack.files, "inputs/2022/judge/test.jsonl").replacen("1-test-", "1-train-9", 1);
    crossed[at("inputs/2022/judge/train.jsonl")].bytes.extend(moved.lines().next().expect("a record").bytes());
    assert!(said(&crossed, false).iter().any(|line| line.contains("siblings in two splits")), "{:?}", said(&crossed, false));
}

#[test]
fn nonsense_is_an_error_and_no_panic() {
    let nonsense: [&[u8]; 7] = [
        b"",
        b"\xff\xfe\x00",
        b"nonsense\n[]\n{}\n1\n",
        b"{\"qid\":\"1\",\"context\":\"\",\"judge\":1}\n{\"qid\":\"2\",\"context\":\"\",\"judge\":7}\n",
        "{\"id\":\"w00\",\"context\":1,\"replaced\":{}}".as_bytes(),
        "{\"name\":\"\",\"version\":\"\",\"licence\":\"\",\"tool\":\"\",\"seed\":0,\"shares\":\"\",\"splits\":[],\"tasks\":[],\"inputs\":[],\"files\":[{\"path\":\"inputs/2022/judge/a.jsonl\",\"bytes\":0,\"sha256\":\"方位方位方位\",\"public\":true}]}".as_bytes(),
        "[{\"qID\":\"a\",\"context\":\"山\",\"judge1\":true".as_bytes(),
    ];
    for bytes in nonsense {
        let gold = Gold { task: None, input: Input::new("x", bytes) };
        assert!(release(&config("1:1"), &Inputs { gold: vec![gold], ..inputs(&[]) }, Lang::En).is_err());
        let candidates = vec![Input::new("x", bytes)];
        let previous = Some(vec![OutFile { path: "manifest.json".into(), bytes: bytes.to_vec() }]);
        let agreement = Some(Input::new("x", bytes));
        assert!(release(&config("1:1"), &Inputs { candidates, ..inputs(&[&judge()]) }, Lang::En).is_err());
        assert!(release(&config("1:1"), &Inputs { previous, ..inputs(&[&judge()]) }, Lang::En).is_err());
        // Any JSON value tells something about agreement.
        let _ = release(&config("1:1"), &Inputs { agreement, ..inputs(&[&judge()]) }, Lang::En);
        let files = ["manifest.json", "inputs/2022/judge/a.jsonl", "answers/2022/judge/train.jsonl", "trace.jsonl"];
        let files: Vec<OutFile> = files.iter().map(|path| OutFile { path: (*path).into(), bytes: bytes.to_vec() }).collect();
        assert!(!verify(&files, false).is_empty() && !verify(&files, true).is_empty());
    }
}
