//! `fangwei explore`.

use crate::{Scratch, fangwei, fangwei_with, sample};

fn lines(out: &str) -> Vec<serde_json::Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn a_wrong_word_is_shown_with_its_reason_and_rivals() {
    let run = fangwei(&["explore", "他跳进山洞外。", "--lang", "zh"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for said in
        ["  他跳进山洞外。", "异常", "“进”到里面，“外”却不是里面", "里⋆ 55 %", "可以改为 他跳进山洞里。", "是否正常: rule"]
    {
        assert!(run.out.contains(said), "{said} is missing:\n{}", run.out);
    }
    assert!(!run.out.contains('\u{1b}'), "no colours where nobody sees them");
    let colour = fangwei(&["explore", "他跳进山洞外。", "--color", "always"]);
    assert!(colour.out.contains("\u{1b}[1;4;31m外"), "{:?}", colour.out);
}

#[test]
fn roles_stand_under_their_characters() {
    let run = fangwei(&["explore", "雨伞靠在门后。", "--lang", "zh"]);
    let under = run.out.lines().nth(1).expect("a line of roles");
    assert_eq!((run.out.lines().next(), under), (Some("  雨伞靠在门后。"), "  实--事处----"), "{}", run.out);
}

#[test]
fn files_of_lines_and_of_items_are_read() {
    let scratch = Scratch::new("explore-files");
    let plain = scratch.file("plain.txt", "\u{feff}他坐在桌子旁。\r\n\n他跳进山洞外。\n");
    let run = fangwei(&["explore", &plain, "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let told = lines(&run.out);
    assert_eq!(told.len(), 2);
    assert_eq!((&told[0]["text"], &told[1]["anomalies"][0]["word"]), (&"他坐在桌子旁。".into(), &"外".into()));
    assert!(told[1]["name"].as_str().is_some_and(|name| name.ends_with("plain.txt:3")), "{}", told[1]);
    let items = scratch.file(
        "items.jsonl",
        "{\"qid\":\"a\",\"context\":\"他坐在桌子旁。\"}\nnonsense\n{\"qid\":\"b\"}\n{\"qid\":\"c\",\"context1\":\"猫在箱子里。\",\"context2\":\"猫在箱子中。\"}\n",
    );
    let run = fangwei(&["explore", &items, "--format", "json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let names: Vec<String> = lines(&run.out).iter().map(|one| one["name"].as_str().unwrap_or_default().to_owned()).collect();
    assert_eq!(names, ["a", "c context1", "c context2"]);
    assert!(run.err.contains("items.jsonl:2") && run.err.contains("items.jsonl:3"), "{}", run.err);
    let piped = fangwei_with("雨伞靠在门后。\n".as_bytes(), &["explore", "-", "--format", "json"]);
    assert_eq!(lines(&piped.out)[0]["tuples"][0]["roles"][0]["text"], "雨伞");
}

#[test]
fn a_page_holds_all_passages_and_loads_nothing() {
    let scratch = Scratch::new("explore-page");
    let out = scratch.path("explored.html");
    let run = fangwei(&["explore", "他跳进山洞外。", "<b>猫</b>在箱子里。", "--rivals", "all", "--format", "html", "-o", &out]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    let page = std::fs::read_to_string(&out).expect("a page");
    assert!(
        page.contains("href=\"#p2\"") && page.contains("<svg class=\"scene\"") && page.contains("prefers-color-scheme: dark")
    );
    assert!(!page.contains("<script") && !page.contains("http") && !page.contains("<b>猫"), "{page}");
}

#[test]
fn what_cannot_be_explored_is_told() {
    let long = "他".repeat(2_001);
    let run = fangwei(&["explore", &long, "猫在箱子里。", "--format", "json"]);
    assert_eq!((run.code, lines(&run.out).len()), (1, 1), "{}", run.err);
    assert!(run.err.contains("at most 2000 characters, found 2001"), "{}", run.err);
    let missing = fangwei(&["explore", "nowhere/passages.txt"]);
    assert!(missing.code == 2 && missing.err.contains("no such file"), "{}", missing.err);
    let model = fangwei(&["explore", "猫在箱子里。", "--model", "data/sample"]);
    assert!(model.code == 1 && model.err.contains("expected a model folder"), "{}", model.err);
    let scratch = Scratch::new("explore-bytes");
    let bytes = scratch.file("bytes.txt", b"\xe4\xbb\x96\n\xff\xfe\n");
    let run = fangwei(&["explore", &bytes]);
    assert!(run.code == 1 && run.err.contains("bytes.txt:2: expected text in UTF-8"), "{}", run.err);
    let empty = scratch.file("empty.txt", "\n \n");
    assert_eq!(fangwei(&["explore", &empty]).code, 1);
}

#[test]
fn models_take_the_place_of_rules_and_the_output_says_so() {
    let scratch = Scratch::new("explore-models");
    for task in ["2022/judge", "2023/anomaly", "2022/attribute", "2023/roles"] {
        let (model, (file, _)) = (scratch.path(&format!("models/{}", task.replace('/', "-"))), sample(task));
        let run = fangwei(&["train", task, "--data", &file, "--out", &model, "--folds", "0"]);
        assert_eq!(run.code, 0, "{task}: {}", run.err);
    }
    let all = scratch.path("models");
    let run =
        fangwei(&["explore", "他跳进山洞外。", "妈妈把面粉装在袋子外。", "--model", &all, "--format", "json", "--rivals", "all"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for told in lines(&run.out) {
        let by: Vec<&str> = told["by"].as_array().expect("a list").iter().filter_map(|by| by["source"].as_str()).collect();
        assert_eq!(by, ["linear 2022-judge", "linear 2023-anomaly", "linear 2022-attribute", "linear 2023-roles"]);
        assert_eq!(told["opinions"].as_array().map(Vec::len), Some(2), "the rules are heard too");
        assert_eq!(told["opinions"][0]["normal"], told["normal"], "the model counts");
        let reasons =
            told["anomalies"].as_array().expect("a list").iter().flat_map(|one| one["reasons"].as_array().expect("a list"));
        assert!(reasons.clone().any(|reason| reason["by"] == "rule"), "what rules object to is told under their name: {told}");
    }
    let one = scratch.path("models/2023-roles");
    let run = fangwei(&["explore", "雨伞靠在门后。", "--model", &one]);
    assert!(run.out.contains("normal or not: rule") && run.out.contains("roles: linear 2023-roles"), "{}", run.out);
}
