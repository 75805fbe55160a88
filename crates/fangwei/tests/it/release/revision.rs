//! Revisions: splits and numbers stay, changes are listed, stale scores are named.

use fangwei::lang::Lang;
use fangwei::release::{Config, ReleaseError, Standing, release};

use super::{SENTENCES, config, inputs, judge, made, text};

/// The identifier that a working id has in a pack, with its split.
fn qids(pack: &fangwei::release::Pack) -> Vec<(String, String)> {
    let trace = text(&pack.files, "trace.jsonl");
    let line = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let word = |name: &str| line[name].as_str().expect("a word").to_owned();
        (word("id"), word("qid"))
    };
    let mut qids: Vec<_> = trace.lines().map(line).collect();
    qids.sort();
    qids
}

#[test]
fn a_revision_keeps_what_is_and_numbers_what_is_not() {
    let before = made(&config("2:1:1"), &inputs(&[&judge()]));
    let old = qids(&before);
    let of = |id: &str, list: &[(String, String)]| list.iter().find(|(known, _)| known == id).map(|(_, qid)| qid.clone());
    // One item of dev gets another verdict, one of test goes, and a sibling of one of train comes.
    let id_in = |split: &str| old.iter().find(|(_, qid)| qid.contains(split)).map(|(id, _)| id.clone()).expect("an item");
    let (in_train, in_dev, in_test) = (id_in("train"), id_in("dev"), id_in("test"));
    let sentence = |id: &str| SENTENCES[id[1..].parse::<usize>().expect("a number")];
    let mut gold = String::new();
    for line in judge().lines() {
        if line.contains(&in_test) {
            continue;
        }
        let turned = if line.contains("\"judge\":1") {
            line.replace("\"judge\":1", "\"judge\":0")
        } else {
            line.replace("\"judge\":0", "\"judge\":1")
        };
        gold.push_str(if line.contains(&in_dev) { &turned } else { line });
        gold.push('\n');
    }
    gold.push_str(&format!("{{\"qid\":\"sibling\",\"context\":\"{}呢\",\"judge\":0}}\n", sentence(&in_train)));
    let mut revised = inputs(&[&gold]);
    revised.previous = Some(before.files.clone());
    let after = made(&Config { version: "1.1".into(), seed: 99, ..config("2:1:1") }, &revised);
    let new = qids(&after);
    for (id, qid) in &old {
        assert_eq!(of(id, &new), (*id != in_test).then(|| qid.clone()), "{id}");
    }
    // Numbers ran to twelve; the sibling follows, in the split of its group.
    assert_eq!(of("sibling", &new).as_deref(), Some("1-train-13"));

    let changes = after.changes.expect("there was a version before");
    let by_split: Vec<_> = changes.tasks.iter().map(|one| (one.split.as_str(), one.scores, one.kept)).collect();
    assert_eq!(by_split, [("train", Standing::Stale, 6), ("dev", Standing::Stale, 2), ("test", Standing::Stale, 2)]);
    assert_eq!(changes.tasks[0].added, ["1-train-13"]);
    assert_eq!((changes.tasks[1].changed[0].text, changes.tasks[1].changed[0].answer), (false, true));
    assert_eq!(changes.tasks[2].removed, [of(&in_test, &old).expect("it was there")]);
    let page = text(&after.files, "CHANGES.md");
    assert!(page.contains("| 2022/judge | dev | stale: score again | 2 | 0 | 0 | 1 |"), "{page}");
    assert_eq!(after.manifest.previous.as_ref().map(|before| before.version.as_str()), Some("1.0"));
    assert_eq!(fangwei::release::verify(&after.files, false), []);
}

#[test]
fn what_is_gone_holds_its_split_and_its_number_in_every_later_version() {
    let first = made(&config("2:1:1"), &inputs(&[&judge()]));
    let old = qids(&first);
    let (gone, number) = old.iter().find(|(_, qid)| qid == "1-test-12").cloned().expect("twelve items");
    let rest: String =
        judge().lines().filter(|line| !line.contains(&format!("\"{gone}\""))).map(|line| format!("{line}\n")).collect();
    let after = |version: &str, gold: &str, before: &fangwei::release::Pack| {
        let mut revised = inputs(&[gold]);
        revised.previous = Some(before.files.clone());
        // Nearly everything would go to train, were it free to.
        made(&Config { version: version.into(), ..config("98:1:1") }, &revised)
    };
    let second = after("1.1", &rest, &first);
    assert!(text(&second.files, "retired.jsonl").contains(&gone));
    assert!(second.manifest.files.iter().any(|file| file.path == "retired.jsonl" && !file.public));
    let sentence = SENTENCES[gone[1..].parse::<usize>().expect("a number")];
    let third = after("1.2", &format!("{rest}{{\"qid\":\"sibling\",\"context\":\"{sentence}呢\",\"judge\":0}}\n"), &second);
    let qid = qids(&third).into_iter().find(|(id, _)| id == "sibling").map(|(_, qid)| qid);
    // The split of the item that was in 1.0 only, and not its number.
    assert_eq!((number.as_str(), qid.as_deref()), ("1-test-12", Some("1-test-13")));
    assert!(text(&third.files, "retired.jsonl").contains(&gone), "and it is not forgotten after that");
    assert_eq!(fangwei::release::verify(&third.files, false), []);
}

#[test]
fn pairs_that_share_one_sentence_are_siblings() {
    let pair = |qid: &str, other: &str, split: &str| {
        format!(
            "{{\"qid\":\"{qid}\",\"context1\":\"{}\",\"context2\":\"{other}\",\"results\":[{{\"judge\":\"false\",\"reason\":\"不同\"}}],\"split\":\"{split}\"}}\n",
            SENTENCES[0]
        )
    };
    let gold = pair("a", SENTENCES[1], "train") + &pair("b", SENTENCES[2], "test");
    let error = release(&config("1:1"), &inputs(&[&gold]), Lang::En).expect_err("they cross");
    assert!(matches!(error, ReleaseError::Crossing(_)), "{error:?}");
}

#[test]
fn nothing_changed_means_that_scores_hold() {
    let before = made(&config("2:1:1"), &inputs(&[&judge()]));
    let mut same = inputs(&[&judge()]);
    same.previous = Some(before.files.clone());
    let after = made(&Config { version: "1.0.1".into(), seed: 8, ..config("2:1:1") }, &same);
    assert!(after.changes.expect("there was one").tasks.iter().all(|one| one.scores == Standing::Valid));
    for path in ["inputs/2022/judge/train.jsonl", "answers/2022/judge/test.jsonl"] {
        assert_eq!(text(&before.files, path), text(&after.files, path));
    }
    // Renamed working ids are known again by their texts.
    let mut renamed = inputs(&[&judge().replace("\"w", "\"z")]);
    renamed.previous = Some(before.files.clone());
    let after = made(&Config { version: "1.0.2".into(), ..config("2:1:1") }, &renamed);
    assert!(after.changes.expect("there was one").tasks.iter().all(|one| one.scores == Standing::Valid));
}

#[test]
fn a_bridge_between_released_splits_is_refused() {
    // Two texts without a common sequence, in two splits; the third is half of each.
    let (a, b) = ("老渔夫把小船停在码头旁边", "图书馆三楼摆着一排旧书架");
    let line = |id: &str, text: &str| format!("{{\"qid\":\"{id}\",\"context\":\"{text}\",\"judge\":1}}\n");
    let before = made(&config("1:1"), &inputs(&[&(line("a", a) + &line("b", b))]));
    let mut bridged = inputs(&[&(line("a", a) + &line("b", b) + &line("c", &format!("{a}{b}")))]);
    bridged.previous = Some(before.files.clone());
    let error = release(&config("1:1"), &bridged, Lang::En).expect_err("it joins two splits");
    assert!(matches!(error, ReleaseError::Crossing(_)), "{error}");
    // A damaged version before is refused, too.
    let mut damaged = inputs(&[&line("a", a)]);
    damaged.previous = Some(before.files.into_iter().filter(|file| file.path != "trace.jsonl").collect());
    assert!(matches!(release(&config("1:1"), &damaged, Lang::En), Err(ReleaseError::Previous(_))));
}

#[test]
fn a_rewritten_text_stays_where_it_was() {
    let before = made(&config("2:1:1"), &inputs(&[&judge()]));
    // Every text is another, so that only the working ids tell what was released where.
    let mut gold = judge();
    for (number, sentence) in SENTENCES.iter().enumerate() {
        let rewritten: String =
            (0..12).map(|n| char::from_u32(0x5000 + (number * 12 + n) as u32).expect("a character")).collect();
        gold = gold.replace(sentence, &rewritten);
    }
    let mut revised = inputs(&[&gold]);
    revised.previous = Some(before.files.clone());
    let after = made(&Config { version: "2.0".into(), seed: 77, ..config("2:1:1") }, &revised);
    assert_eq!(qids(&after), qids(&before));
    let splits = |pack: &fangwei::release::Pack| {
        let trace = text(&pack.files, "trace.jsonl");
        trace
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .map(|line: serde_json::Value| (line["qid"].clone(), line["split"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(splits(&after), splits(&before));
    assert!(
        after.changes.expect("there was one").tasks.iter().all(|one| one.changed.iter().all(|item| item.text && !item.answer))
    );
}
