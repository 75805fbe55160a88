//! `fangwei substitute`: originals into candidates, blind texts for annotators, and back from their names.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::lexicon::{PASSAGES, small};
use crate::{Scratch, fangwei, json, select};

/// After 思想 上 is not spatial: its only word is put aside.
const ABSTRACT: &str = "{\"id\":\"a#3\",\"genre\":\"x\",\"source\":\"a\",\"line\":3,\"text\":\"他思想上不糊涂。\",\"words\":[[\"他\",\"r\"],[\"思想\",\"n\"],[\"上\",\"f\",\"locative\"],[\"不\",\"d\"],[\"糊涂\",\"a\"],[\"。\",\"w\"]]}\n";

/// The records of a file.
fn lines(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn texts(records: &[Value], field: &str) -> Vec<String> {
    records.iter().map(|record| record[field].as_str().expect("a text").to_owned()).collect()
}

/// The names in the scratch folder, sorted.
fn names(scratch: &Scratch) -> Vec<String> {
    let entries = std::fs::read_dir(scratch.path("")).expect("a folder").flatten();
    let names: BTreeSet<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.into_iter().collect()
}

#[test]
fn the_funnel_in_both_languages_and_as_json() {
    let scratch = Scratch::new("substitute-funnel");
    let lexicon = small(&scratch, "small");
    let (given, out) = (scratch.file("originals.jsonl", format!("{PASSAGES}{ABSTRACT}")), scratch.path("out.jsonl"));
    let args = ["substitute", &given, "-o", &out, "--lexicon", &lexicon, "--single", "9", "--double", "1"];
    for lang in ["zh", "en"] {
        let run = fangwei(&[&args[..], &["--lang", lang]].concat());
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        insta::assert_snapshot!(format!("substitute-{lang}"), run.out);
    }
    let value = json(&[&args[..], &["--format", "json"]].concat());
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!((keys(&value).as_str(), keys(&value["means"]).as_str()), ("funnel means", "per_original per_word"));
    assert_eq!(
        keys(&value["funnel"]),
        "originals used kept words words_dropped places trials trials_dropped possible single double pairs replaced_words most"
    );
    assert_eq!(value["funnel"]["words_dropped"]["abstract-noun"], 1);
    // 上 has the rivals 下 里 旁, 旁边 has 附近: at 上 of the first and of the second 3 each, at 旁边 one; and of the first, which has two places, one double.
    assert_eq!((&value["funnel"]["possible"], &value["funnel"]["single"]), (&7.into(), &7.into()));
    assert_eq!((&value["funnel"]["double"], value["means"]["per_original"].as_f64()), (&1.into(), Some(4.0)));
    assert_eq!(lines(&out).len(), 8);
    let csv = fangwei(&[&args[..], &["--format", "csv", "--lang", "en"]].concat()).out;
    assert!(csv.starts_with("step,count,what\noriginals,3,\n") && !csv.contains("per original"), "{csv}");
}

#[test]
fn blind_texts_go_out_and_names_come_back() {
    let scratch = Scratch::new("substitute-blind");
    let given = scratch.file("originals.jsonl", select::passages());
    let [out, items, key] = ["candidates.jsonl", "items.jsonl", "key.jsonl"].map(|name| scratch.path(name));
    let run = fangwei(&["substitute", &given, "-o", &out, "--blind", &items, "--key", &key]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let (candidates, blinded) = (lines(&out), lines(&items));
    assert!(candidates.len() > 60, "{}", candidates.len());

    // Annotators see names of sixteen hexadecimal digits and texts, and nothing else.
    for item in &blinded {
        assert_eq!(item.as_object().expect("an object").keys().collect::<Vec<_>>(), ["qid", "context"]);
        let name = item["qid"].as_str().and_then(|name| name.strip_prefix("b-")).expect("a name");
        assert!(name.len() == 16 && name.chars().all(|c| c.is_ascii_hexdigit()), "{name}");
    }
    let text = std::fs::read_to_string(&items).expect("written");
    for candidate in &candidates {
        let replaced = &candidate["replaced"][0];
        for told in [&candidate["id"], &candidate["origin"], &candidate["source"], &replaced["class"], &replaced["group"]] {
            assert!(!text.contains(told.as_str().expect("a text")), "{told}");
        }
    }
    // An original itself would show by comparison what was replaced.
    let originals = texts(&lines(&given), "text");
    assert!(texts(&blinded, "context").iter().all(|context| !originals.contains(context)));
    // No two neighbours are of one origin as long as others are left: in the first rounds, every origin has its turn.
    let origin_of: BTreeMap<String, String> =
        texts(&candidates, "context").into_iter().zip(texts(&candidates, "origin")).collect();
    let origins: BTreeSet<&String> = origin_of.values().collect();
    let first: BTreeSet<&String> =
        blinded[..origins.len()].iter().filter_map(|item| origin_of.get(item["context"].as_str()?)).collect();
    assert_eq!(first, origins);

    // Judged in the blind, half of them only, and named as before.
    let judged = blinded
        .iter()
        .step_by(2)
        .map(|item| format!("{{\"qid\":{},\"context\":{},\"judge\":1}}\n", item["qid"], item["context"]));
    let judged = scratch.file("judged.jsonl", judged.collect::<String>());
    let gold = scratch.path("gold.jsonl");
    let run = fangwei(&["substitute", "unblind", &judged, "--key", &key, "-o", &gold]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let known: BTreeMap<String, String> = texts(&candidates, "id").into_iter().zip(texts(&candidates, "context")).collect();
    let gold = lines(&gold);
    assert_eq!(gold.len(), blinded.len().div_ceil(2));
    for record in &gold {
        assert_eq!(record.as_object().expect("an object").keys().collect::<Vec<_>>(), ["qid", "context", "judge"]);
        assert_eq!(known.get(record["qid"].as_str().expect("a name")).map(String::as_str), record["context"].as_str());
    }
}

#[test]
fn candidates_that_are_written_already_become_the_same_items() {
    let scratch = Scratch::new("substitute-blind-later");
    let given = scratch.file("originals.jsonl", select::passages());
    let [out, items, key] = ["candidates.jsonl", "items.jsonl", "key.jsonl"].map(|name| scratch.path(name));
    fangwei(&["substitute", &given, "-o", &out, "--blind", &items, "--key", &key, "--seed", "3"]);
    let [later, later_key] = ["later.jsonl", "later-key.jsonl"].map(|name| scratch.path(name));
    let run = fangwei(&["substitute", "blind", &out, "-o", &later, "--key", &later_key, "--seed", "3"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let read = |file: &str| std::fs::read_to_string(file).expect("written");
    assert_eq!((read(&later), read(&later_key)), (read(&items), read(&key)));

    // What was given out before is left out; a candidate that is there twice, or none, is refused.
    let all = read(&out);
    let few: String = all.lines().take(10).map(|line| format!("{line}\n")).collect();
    let given_out = scratch.file("given-out.jsonl", &few);
    let run = fangwei(&["substitute", "blind", &out, "-o", &later, "--key", &later_key, "--seed", "3", "--keep", &given_out]);
    assert_eq!((run.code, lines(&later).len()), (0, lines(&out).len() - 10));
    assert!(lines(&later_key).iter().all(|named| lines(&given_out).iter().all(|old| old["id"] != named["id"])));
    let before = read(&later);
    for (wrong, told) in [(format!("{few}{few}"), "two candidates have one id"), ("{\"id\":1}\n".into(), ":1")] {
        let wrong = scratch.file("wrong.jsonl", wrong);
        let run = fangwei(&["substitute", "blind", &wrong, "-o", &later, "--key", &later_key, "--lang", "en"]);
        assert!(run.code == 1 && run.err.contains(told), "{}", run.err);
        assert_eq!(read(&later), before, "nothing is overwritten");
    }
}

#[test]
fn names_that_the_key_does_not_know_are_refused() {
    let scratch = Scratch::new("substitute-unblind");
    let key = scratch.file(
        "key.jsonl",
        "{\"qid\":\"b-1\",\"id\":\"a#1@5下\",\"context\":\"甲\"}\n{\"qid\":\"b-2\",\"id\":\"a#1@5里\",\"context\":\"乙\"}\n",
    );
    let twice = scratch.file(
        "twice.jsonl",
        "{\"qid\":\"b-1\",\"id\":\"a#1@5下\",\"context\":\"甲\"}\n{\"qid\":\"b-1\",\"id\":\"a#2@3里\",\"context\":\"乙\"}\n",
    );
    let no_key = scratch.file("no-key.jsonl", "{\"qid\":\"b-1\"}\n");
    let judged = scratch.file("judged.jsonl", "{\"qid\":\"b-1\",\"judge\":1}\n{\"qid\":\"b-3\",\"judge\":0}\n");
    let unnamed = scratch.file("unnamed.jsonl", "{\"qid\":\"b-1\",\"judge\":1}\n{\"judge\":0}\n");
    let list = scratch.file("list.jsonl", "[1]\n");
    let other = scratch.file("other.jsonl", "{\"qid\":\"b-1\",\"context\":\"丙\",\"judge\":1}\n");
    let (before, out) = (names(&scratch), scratch.path("out.jsonl"));
    for (file, key, says) in [
        (&judged, &key, "judged.jsonl:2: not in the key: b-3"),
        (&unnamed, &key, "unnamed.jsonl:2: no qid"),
        (&list, &key, "list.jsonl:1: expected an object"),
        (&other, &key, "other.jsonl:1: b-1: the text is not that of the key"),
        (&judged, &twice, "twice.jsonl: two candidates under one name: b-1"),
        (&judged, &no_key, "no-key.jsonl:1: error [bad-type]"),
        (&judged, &scratch.path("none.jsonl"), "none.jsonl"),
    ] {
        let run = fangwei(&["substitute", "unblind", file, "--key", key, "-o", &out, "--lang", "en"]);
        assert!(run.code == 1 && run.err.contains(says), "{says}: {}", run.err);
    }
    assert_eq!(names(&scratch), before, "nothing is written");
    // A line that is no JSON is named; the others come back.
    let torn = scratch.file("torn.jsonl", "{\"qid\":\"b-2\",\"judge\":1}\n{\"qid\":\n");
    let run = fangwei(&["substitute", "unblind", &torn, "--key", &key, "-o", &out, "--lang", "en"]);
    assert!(run.code == 1 && run.err.contains("torn.jsonl:2: error [bad-json]"), "{}", run.err);
    assert_eq!(texts(&lines(&out), "qid"), ["a#1@5里"]);
}

#[test]
fn what_was_given_out_stays() {
    let scratch = Scratch::new("substitute-keep");
    let given = scratch.file("originals.jsonl", select::passages());
    let [first, second] = ["first.jsonl", "second.jsonl"].map(|name| scratch.path(name));
    assert_eq!(fangwei(&["substitute", &given, "-o", &first, "--single", "2", "--double", "0"]).code, 0);
    let kept: BTreeSet<String> = lines(&first).iter().map(Value::to_string).collect();
    let args = [
        "substitute",
        &given,
        "-o",
        &second,
        "--keep",
        &first,
        "--seed",
        "9",
        "--single",
        "4",
        "--double",
        "1",
        "--format",
        "json",
    ];
    let value = json(&args);
    assert_eq!(value["funnel"]["kept"].as_u64(), Some(kept.len() as u64));
    let all: BTreeSet<String> = lines(&second).iter().map(Value::to_string).collect();
    assert!(all.is_superset(&kept) && all.len() > kept.len(), "{} {}", all.len(), kept.len());
    // They fill the caps: no original has more than four with one word and one with two.
    let mut of: BTreeMap<(String, usize), usize> = BTreeMap::new();
    for candidate in lines(&second) {
        let replaced = candidate["replaced"].as_array().expect("a list").len();
        *of.entry((candidate["origin"].to_string(), replaced)).or_default() += 1;
    }
    assert!(of.iter().all(|((_, replaced), count)| *count <= if *replaced == 1 { 4 } else { 1 }), "{of:?}");
    // The same seed and caps without it give another choice: it was the file that kept them.
    let free = scratch.path("free.jsonl");
    let args = ["substitute", &given, "-o", &free, "--seed", "9", "--single", "4", "--double", "1"];
    assert_eq!(fangwei(&args).code, 0);
    assert!(!lines(&free).iter().map(Value::to_string).collect::<BTreeSet<_>>().is_superset(&kept));

    // A candidate that its original does not bear out, and records that are no candidates, are told.
    let line = kept.first().expect("one");
    let changed = |field: &str, value: Value| {
        let mut candidate: Value = serde_json::from_str(line).expect("JSON");
        *candidate.pointer_mut(field).expect("a field") = value;
        candidate
    };
    // Nothing replaced, and nothing by nothing far behind the end: both give the original back.
    let origin = &changed("/line", 1.into())["origin"];
    let original = lines(&given).into_iter().find(|passage| passage["id"] == *origin).expect("its original");
    let same = |replaced: Value| {
        let mut candidate = changed("/replaced", replaced);
        candidate["context"] = original["text"].clone();
        candidate
    };
    let nothing = serde_json::json!([{ "at": 999, "from": "", "to": "", "class": "locative", "group": "g" }]);
    let (before, out) = (names(&scratch), scratch.path("out.jsonl"));
    for (keep, says) in [
        (changed("/origin", "gone#1".into()), "expected the original gone#1"),
        (same(Value::Array(vec![])), "expected one or two replaced words, found 0"),
        (same(nothing), "at character 999"),
        (changed("/replaced/0/at", u64::MAX.into()), "at character 18446744073709551615"),
        (changed("/replaced/0/from", "甲".into()), "was to be kept: expected "),
        (changed("/replaced/0/class", "noun".into()), "keep.jsonl:1"),
        ("no object".into(), "keep.jsonl:1"),
    ] {
        let keep = scratch.file("keep.jsonl", format!("{keep}\n"));
        let run = fangwei(&["substitute", &given, "-o", &out, "--keep", &keep, "--lang", "en"]);
        assert!(run.code == 1 && run.err.contains(says), "{says}: {}", run.err);
        std::fs::remove_file(&keep).expect("a file");
    }
    assert_eq!(names(&scratch), before, "nothing is written");
}

#[test]
fn bad_passages_are_named_and_the_rest_is_substituted() {
    let scratch = Scratch::new("substitute-bad");
    let out = scratch.path("out.jsonl");
    let second = PASSAGES.lines().nth(1).expect("two passages");
    let mut bad = PASSAGES.replace("[\"旁边\",\"f\",\"locative\"]", "[\"旁边\",\"f\",\"locativ\"]");
    bad.push_str(&format!("{}\n{{\"id\":\n", second.replace("a#2", "a#3").replace("[\"鸟\",\"n\"],", "")));
    let bad = scratch.file("bad.jsonl", bad);
    let run = fangwei(&["substitute", &bad, "-o", &out, "--lang", "en"]);
    assert_eq!(run.code, 1);
    for told in [
        "bad.jsonl:1 a#1 /words/10/2: error [",
        "bad.jsonl:3 a#3 /words: error [words-mismatch]",
        "bad.jsonl:4: error [bad-json]",
    ] {
        assert_eq!(run.err.matches(told).count(), 1, "{told}\n{}", run.err);
    }
    assert!(lines(&out).iter().all(|candidate| candidate["origin"] == "a#2") && !lines(&out).is_empty());

    // A blank line is told, and is no failure.
    let blank = scratch.file("blank.jsonl", PASSAGES.replacen('\n', "\n\n", 1));
    let run = fangwei(&["substitute", &blank, "-o", &out, "--lang", "en"]);
    assert!(run.code == 0 && run.err.contains("warning [blank-line]"), "{} {}", run.code, run.err);
    let empty = scratch.file("empty.jsonl", "");
    let run = fangwei(&["substitute", &empty, "-o", &out, "--lang", "en"]);
    assert!(run.code == 1 && run.err.contains("[empty-file]"), "{}", run.err);
}

#[test]
fn mistakes_are_told_and_nothing_is_written() {
    let scratch = Scratch::new("substitute-usage");
    let given = scratch.file("originals.jsonl", PASSAGES);
    let [out, other] = ["out.jsonl", "other.jsonl"].map(|name| scratch.path(name));
    for (args, says) in [
        (vec!["-o", &out, "--without", "mentiond"], "unknown rule mentiond (did you mean mentioned?)"),
        (vec!["-o", &out, "--classes", "place,locativ"], "unknown word class locativ (did you mean locative?)"),
        (vec!["-o", &out, "--blind", &other], "--key"),
        (vec!["-o", &out, "--key", &other], "--blind"),
        (vec!["-o", &out, "--blind", &other, "--key", &other], "the output is given twice"),
        (vec!["-o", &given], "the output is an input"),
        (vec![], "--out"),
    ] {
        let run = fangwei(&[&["substitute", &given, "--lang", "en"], &args[..]].concat());
        assert!(run.code == 2 && run.err.contains(says), "{args:?}: {} {}", run.code, run.err);
    }
    let run = fangwei(&["substitute", &other, "-o", &out, "--lang", "en"]);
    assert!(run.code == 1 && run.err.contains("cannot read") && run.err.contains("other.jsonl"), "{}", run.err);
    assert_eq!(
        (names(&scratch), std::fs::read_to_string(&given).expect("there")),
        (vec!["originals.jsonl".to_owned()], PASSAGES.to_owned())
    );
    let rules = fangwei(&["substitute", "rules", "--lang", "en"]);
    assert!(rules.code == 0 && rules.out.contains("abstract-noun") && rules.out.contains("second-direction"), "{}", rules.out);
}
