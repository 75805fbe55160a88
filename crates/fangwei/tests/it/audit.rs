//! Audits of sentences whose origins, replacements and labels are known.

use fangwei::audit::{Audit, Dataset, Options, Shortcut, audit};
use fangwei::lang::Lang;
use fangwei::record::{Code, Source};
use serde_json::json;

use crate::shared::shared;

fn set(name: &str, records: &[serde_json::Value]) -> Dataset {
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    Dataset::read(Source::from_bytes(name, lines).expect("memory"), None).expect("memory")
}

fn judged(name: &str, texts: &[(&str, u8)]) -> Dataset {
    let record =
        |(number, (text, judge)): (usize, &(&str, u8))| json!({"qid": format!("{number}"), "context": text, "judge": judge});
    set(name, &texts.iter().enumerate().map(record).collect::<Vec<_>>())
}

fn described(name: &str, texts: &[&str]) -> Dataset {
    let record = |(number, text): (usize, &&str)| {
        let first = json!({"text": text.chars().take(1).collect::<String>(), "idxes": [0]});
        let tuple = json!([{"role": "空间实体", "fragment": first}, {"role": "处所", "fragment": first}]);
        json!({"qid": format!("r{number}"), "context": text, "corefs": [], "non_corefs": [], "results": [tuple]})
    };
    set(name, &texts.iter().enumerate().map(record).collect::<Vec<_>>())
}

fn inputs(name: &str, texts: &[&str]) -> Dataset {
    let record = |(number, text): (usize, &&str)| json!({"qid": format!("i{number}"), "context": text});
    set(name, &texts.iter().enumerate().map(record).collect::<Vec<_>>())
}

fn run(sets: &[Dataset]) -> Audit {
    audit(sets, &Options { folds: 2, ..Options::default() })
}

/// `from`, `to`, `n`, `abnormal`.
fn pairs(found: &Audit) -> Vec<(&str, &str, u64, u64)> {
    let mut pairs: Vec<_> =
        found.pairs.iter().map(|pair| (pair.from.as_str(), pair.to.as_str(), pair.n, pair.abnormal)).collect();
    pairs.sort_unstable();
    pairs
}

fn kind(found: &Audit, by: &str, value: &str) -> (u64, u64) {
    let kind = found.skew.iter().find(|kind| kind.by == by && kind.value == value);
    kind.map_or((0, 0), |kind| (kind.n, kind.abnormal))
}

/// The original, 清早的院子静悄悄的，小猫从纸箱里探出头来，左右看了一会儿，又望了望窗台上的花盆，打了一个哈欠。, is not among them.
const CAT: [(&str, u8); 5] = [
    ("清早的院子静悄悄的，小猫从纸箱外探出头来，左右看了一会儿，又望了望窗台上的花盆，打了一个哈欠。", 0),
    ("清早的院子静悄悄的，小猫从纸箱中探出头来，左右看了一会儿，又望了望窗台上的花盆，打了一个哈欠。", 1),
    ("清早的院子静悄悄的，小猫从纸箱里探出头来，左右看了一会儿，又望了望窗台下的花盆，打了一个哈欠。", 0),
    ("清早的院子静悄悄的，小猫从纸箱里探出头来，左右看了一会儿，又望了望窗台里的花盆，打了一个哈欠。", 0),
    ("清早的院子静悄悄的，小猫从纸箱旁探出头来，左右看了一会儿，又望了望窗台后的花盆，打了一个哈欠。", 0),
];

#[test]
fn replaced_words_are_inferred_from_siblings_alone() {
    let found = run(&[judged("judge.jsonl", &CAT)]);
    assert_eq!((found.groups.count, found.groups.texts, found.groups.originals.majority), (1, 5, 1));
    // At the first place 里 has two votes of five and the rest one each, at the second 上 has.
    assert_eq!(pairs(&found), [("上", "下", 1, 1), ("上", "里", 1, 1), ("里", "中", 1, 0), ("里", "外", 1, 1)]);
    // The last text has two replacements, so it counts for neither pair.
    assert_eq!((kind(&found, "replacements", "1"), kind(&found, "replacements", "2")), ((4, 3), (1, 1)));
    assert_eq!((kind(&found, "to", "外"), kind(&found, "from", "里")), ((1, 1), (2, 1)));
    assert_eq!(kind(&found, "length", "000-049"), (5, 4));
}

#[test]
fn a_described_text_is_the_original() {
    let sets = [
        judged("judge.jsonl", &CAT[..1]),
        described(
            "roles.jsonl",
            &["清早的院子静悄悄的，小猫从纸箱里探出头来，左右看了一会儿，又望了望窗台上的花盆，打了一个哈欠。"],
        ),
    ];
    let found = run(&sets);
    assert_eq!(pairs(&found), [("里", "外", 1, 1)]);
    assert_eq!(found.groups.originals.described, 1);
    assert_eq!((found.crossing[0].verbatim, found.crossing[0].siblings), (0, 2));
}

#[test]
fn a_tie_is_settled_by_a_normal_text_or_not_at_all() {
    // Of two texts either may be the original; one is judged normal.
    let found = run(&[judged(
        "judge.jsonl",
        &[CAT[0], ("清早的院子静悄悄的，小猫从纸箱里探出头来，左右看了一会儿，又望了望窗台上的花盆，打了一个哈欠。", 1)],
    )]);
    assert_eq!(pairs(&found), [("里", "外", 1, 1)]);
    assert_eq!(kind(&found, "replacements", "0"), (1, 0));
    // Two abnormal ones: neither is.
    let found = run(&[judged("judge.jsonl", &[CAT[0], CAT[2]])]);
    assert_eq!((found.pairs.len(), found.groups.originals.unresolved), (0, 1));
}

#[test]
fn explained_items_serve_the_alignment_and_are_not_counted() {
    let explained = |qid: &str, text: &str| json!({"qid": qid, "context": text, "results": [[{"role": "S1", "text": "小猫", "idxes": [0, 1]}, {"role": "P1", "text": "窗台", "idxes": [14, 15]}]]});
    let anomaly = set("anomaly.jsonl", &[explained("1", CAT[2].0), explained("2", CAT[3].0)]);
    let found = run(&[judged("judge.jsonl", &CAT[..2]), anomaly]);
    assert_eq!(pairs(&found), [("里", "中", 1, 0), ("里", "外", 1, 1)]);
}

#[test]
fn copies_count_once() {
    let found = run(&[judged("a.jsonl", &CAT), judged("b.jsonl", &CAT)]);
    assert_eq!(kind(&found, "replacements", "1"), (4, 3));
    assert_eq!((found.crossing[0].verbatim, found.crossing[0].siblings), (5, 0));
}

#[test]
fn crossing_counts_copies_and_siblings() {
    let train = judged("train.jsonl", &[CAT[0], CAT[1], ("后院的水井边上长着一丛薄荷，香气飘得很远。", 1)]);
    let test = inputs("test.jsonl", &[CAT[0].0, CAT[2].0, "火车驶出隧道，远处的湖面闪着光，乘客都望向窗外。"]);
    let found = run(&[train, test]);
    assert_eq!(found.files[1].task, None);
    let crossing = &found.crossing[0];
    // One text in both; the second of either file has a sibling in the other; the third has none.
    assert_eq!((crossing.verbatim, crossing.siblings), (1, 2));
    assert_eq!((crossing.share_a, crossing.share_b), (2.0 / 3.0, 2.0 / 3.0));
    assert_eq!((found.groups.count, found.groups.crossing), (3, 1));
    assert_eq!(found.groups.sizes, [2, 0, 1, 0, 0, 0]);
}

#[test]
fn the_two_texts_of_a_scene_are_siblings() {
    let scene = json!({"qid": "3-1", "context1": "猫睡在沙发上，尾巴垂到地板。", "context2": "远处的山顶已经积了雪。", "results": [{"judge": "true", "reason": "“上”和“顶”"}]});
    let found = run(&[set("scene.jsonl", &[scene]), inputs("input.jsonl", &["远处的山顶已经积了雪。"])]);
    assert_eq!((found.groups.count, found.crossing[0].verbatim), (1, 1));
}

#[test]
fn duplicates_and_contradictions_are_told() {
    let codes = |found: &Audit| found.defects.iter().map(|defect| (defect.code, defect.qid.clone())).collect::<Vec<_>>();
    let twice = run(&[judged("a.jsonl", &[CAT[0], CAT[0]])]);
    assert_eq!(codes(&twice), [(Code::DuplicateItem, Some("1".into()))]);
    assert_eq!((twice.duplicates(), twice.contradictions(), twice.malformed()), (1, 0, 0));

    let both = run(&[judged("a.jsonl", &[CAT[0]]), judged("b.jsonl", &[(CAT[0].0, 1)])]);
    assert_eq!(codes(&both), [(Code::ContradictoryGold, Some("0".into()))]);
    let said = both.defects[0].render(Lang::En);
    assert!(
        said.starts_with("b.jsonl:1 0: error") && said.contains("judged abnormal (a.jsonl 0); found judged normal"),
        "{said}"
    );
    assert!(both.pairs.is_empty(), "a text judged both ways has no label");

    // People called it abnormal, and yet its scene is described.
    let described = run(&[judged("a.jsonl", &[CAT[0]]), described("r.jsonl", &[CAT[0].0])]);
    assert_eq!(codes(&described), [(Code::ContradictoryGold, Some("r0".into()))]);

    let reason =
        |judge: bool| json!({"qID": format!("2-{judge}"), "context": CAT[0].0, "reason": "“纸箱外”不符合常识", "judge2": judge});
    let reasons = run(&[set("reasons.json", &[reason(true), reason(false)])]);
    assert_eq!(codes(&reasons), [(Code::ContradictoryGold, Some("2-false".into()))]);
}

#[test]
fn a_malformed_record_is_told_and_the_rest_is_audited() {
    let text = format!(
        "{{\"qid\":\"1\",\"context\":\"{}\",\"judge\":0}}\n{{\"qid\":\"2\",\"context\":7,\"judge\":1}}\nnonsense\n",
        CAT[0].0
    );
    let read = Dataset::read(Source::from_bytes("a.jsonl", text).expect("memory"), None).expect("memory");
    let found = run(&[read]);
    assert_eq!(found.defects.iter().map(|defect| defect.code).collect::<Vec<_>>(), [Code::BadType, Code::BadJson]);
    assert_eq!((found.files[0].items, found.files[0].errors, found.malformed()), (1, 2, 2));
}

/// A sentence of its own for each number, with two places for words.
fn sentence(number: u32, first: &str, second: &str) -> String {
    let noise = |from: u32| -> String {
        (0..12)
            .filter_map(|at| char::from_u32(0x4e00 + (number.wrapping_mul(7919) + (from + at).wrapping_mul(104_729)) % 20_000))
            .collect()
    };
    format!("{}{first}的{}{second}的{}。", noise(0), noise(100), noise(200))
}

fn value(found: &Audit, name: &str, measure: &str) -> f64 {
    let one = |shortcut: &&Shortcut| shortcut.name == name && shortcut.measure == measure;
    found.shortcuts.iter().find(one).unwrap_or_else(|| panic!("no {name} {measure}")).value
}

#[test]
fn shortcuts_find_labels_that_hang_on_words() {
    // 里→外 is always abnormal and 里→中 never, 上→下 always and 上→里 never: half of the texts are abnormal, and the pair tells which.
    let texts: Vec<(String, u8)> = (0..30)
        .flat_map(|number| {
            [("外", "上", 0), ("中", "上", 1), ("里", "下", 0), ("里", "里", 1)]
                .map(|(first, second, judge)| (sentence(number, first, second), judge))
        })
        .collect();
    let judge: Vec<(&str, u8)> = texts.iter().map(|(text, judge)| (text.as_str(), *judge)).collect();
    let found = audit(&[judged("judge.jsonl", &judge)], &Options::default());
    assert_eq!((found.groups.count, found.groups.originals.majority), (30, 30));
    assert_eq!(pairs(&found), [("上", "下", 30, 30), ("上", "里", 30, 0), ("里", "中", 30, 0), ("里", "外", 30, 30)]);
    assert_eq!(value(&found, "majority", "accuracy"), 0.5);
    // One class is never guessed: F1 of the other is 2/3, of this one 0.
    assert!(value(&found, "majority", "macro_f1") <= 0.5);
    assert_eq!(value(&found, "pair-prior", "accuracy"), 1.0);
    assert_eq!(value(&found, "pair-prior", "macro_f1"), 1.0);
    assert_eq!(value(&found, "sibling-difference", "accuracy"), 1.0);
    let statement = &found.statements[0];
    assert_eq!((statement.floor, statement.floor_value, statement.best_value, statement.share), ("majority", 0.5, 1.0, 1.0));
    assert!(found.shortcuts.iter().all(|shortcut| shortcut.name != "membership"), "there is no other file");
}

#[test]
fn membership_gives_labels_away() {
    let texts: Vec<String> = (0..40).map(|number| sentence(number, "里", "上")).collect();
    let judge: Vec<(&str, u8)> =
        texts.iter().enumerate().map(|(number, text)| (text.as_str(), u8::from(number % 2 == 0))).collect();
    let abnormal: Vec<&str> = judge.iter().filter(|(_, judge)| *judge == 0).map(|(text, _)| *text).collect();
    let found = audit(&[judged("judge.jsonl", &judge), inputs("explained_input.jsonl", &abnormal)], &Options::default());
    assert_eq!(value(&found, "membership", "accuracy"), 1.0);
    assert!(value(&found, "n-gram", "accuracy") < 0.9, "every text has characters of its own");
}

#[test]
fn siblings_tell_where_the_answer_is() {
    // 12 + 2 + 12 characters stand before the second word: gold marks it and its left neighbour.
    let records: Vec<serde_json::Value> = (0..20)
        .map(|number| {
            let text = sentence(number, "里", "下");
            let marked: String = text.chars().skip(25).take(2).collect();
            json!({"qid": format!("{number}"), "context": text, "results": [[{"role": "P1", "text": marked, "idxes": [25, 26]}]]})
        })
        .collect();
    let originals: Vec<String> = (0..20).map(|number| sentence(number, "里", "上")).collect();
    let originals: Vec<&str> = originals.iter().map(String::as_str).collect();
    let found = audit(&[set("anomaly.jsonl", &records), described("roles.jsonl", &originals)], &Options::default());
    assert_eq!(value(&found, "sibling-difference", "inside_gold"), 1.0);
    // Two of 41 characters are marked.
    assert!((value(&found, "chance", "inside_gold") - 2.0 / 41.0).abs() < 1e-12);
    // Other origins tell that P1 is marked from one character before: the answer is whole.
    assert_eq!(value(&found, "sibling-difference", "strict.macro_f1"), 1.0);
}

#[test]
fn nothing_and_oddities_are_audited_too() {
    let nothing = run(&[]);
    assert!(
        nothing.files.is_empty()
            && nothing.shortcuts.is_empty()
            && nothing.page(Lang::Zh, 5).render(fangwei::page::Format::Html).contains("<h2 id=")
    );
    let odd: Vec<(String, u8)> = (0..400)
        .map(|number| (format!("{}\u{0}🏔{}", "山".repeat(number % 7), "\n".repeat(number % 3)), u8::from(number % 2 == 0)))
        .collect();
    let odd: Vec<(&str, u8)> = odd.iter().map(|(text, judge)| (text.as_str(), *judge)).collect();
    let found = run(&[judged("odd.jsonl", &odd), inputs("empty.jsonl", &["", ""])]);
    assert_eq!(found.groups.items, 402);
}

/// The files of one year whose names end so.
fn released(files: &[&str]) -> Option<Vec<Dataset>> {
    let data = shared("data")?;
    let read = |file: &&str| Dataset::read(Source::open(data.join(file)).expect("a file"), None).expect("a file");
    Some(files.iter().map(read).collect())
}

#[test]
fn released_sets_lean_on_words() {
    let files = [
        "2022/task1_train.jsonl",
        "2022/task2_train.jsonl",
        "2022/task3_train.jsonl",
        "2023/task1_train.jsonl",
        "2023/task2_train.jsonl",
    ];
    let Some(sets) = released(&files) else { return };
    let found = run(&sets);
    let tasks: Vec<Option<&str>> = found.files.iter().map(|file| file.task).collect();
    assert_eq!(tasks, [Some("2022/judge"), Some("2022/attribute"), Some("2022/roles"), Some("2023/anomaly"), Some("2023/roles")]);
    assert!(found.crossing.iter().map(|pair| pair.siblings).sum::<u64>() > 5000, "{:?}", found.crossing);
    let rate = |from: &str, to: &str| {
        found.pairs.iter().find(|pair| pair.from == from && pair.to == to).map(|pair| (pair.n > 30, pair.rate)).expect("a pair")
    };
    // Other code found on the whole training set: 里→中 1 %, 里→内 0 %, 里→外 94 %, 中→旁 97 %; one replaced word 71 %, two 88 %.
    for (from, to, expected) in [("里", "中", 0.01), ("里", "内", 0.0), ("里", "外", 0.94), ("中", "旁", 0.97)] {
        let (enough, rate) = rate(from, to);
        assert!(enough && (rate - expected).abs() < 0.03, "{from}→{to} {rate}");
    }
    let replaced = |count: &str| {
        let (n, abnormal) = kind(&found, "replacements", count);
        abnormal as f64 / n as f64
    };
    assert!((replaced("1") - 0.71).abs() < 0.03, "{}", replaced("1"));
    // 93 % here, on part of that set and with another rule for originals; the bound is wide because the gap is not explained.
    assert!((replaced("2") - 0.88).abs() < 0.07, "{}", replaced("2"));
    assert!(value(&found, "pair-prior", "accuracy") > value(&found, "majority", "accuracy") + 0.03);
    assert_eq!((found.contradictions(), found.malformed()), (0, 4));
}
