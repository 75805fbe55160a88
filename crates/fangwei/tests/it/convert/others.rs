//! What tools see, and files as they write them without our notes: written by hand here.

use fangwei::convert::Converted;
use fangwei::record::Json;

use super::{clean, files, records, rendered, run, run_text};

fn text(converted: &Converted, path: &str) -> String {
    let file = converted.files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("no {path}"));
    String::from_utf8(file.bytes.clone()).expect("UTF-8")
}

fn field(record: &Json<'_>, name: &str) -> String {
    record.get(name).unwrap_or_else(|| panic!("no {name} in {record}")).to_line()
}

fn codes(converted: &Converted) -> Vec<(u64, &'static str)> {
    converted.defects.iter().map(|defect| (defect.line, defect.code.as_str())).collect()
}

/// Beyond the basic plane: 𠮷 is one code point, two UTF-16 units, four bytes.
const TUPLE: &str = concat!(
    r#"{"qid":"2-dev-1","context":"𠮷在屋外睡着","corefs":[[{"text":"𠮷","idxes":[0]},{"text":"屋","idxes":[2]}]],"non_corefs":[],"results":[["#,
    r#"{"role":"空间实体","fragment":{"text":"𠮷","idxes":[0]}},{"role":"事实性","label":"假"},"#,
    r#"{"role":"时间","fragment":{"text":"睡着","idxes":[4,5]},"label":"之后"},{"role":"处所","fragment":{"text":"在外","idxes":[1,3]}}]]}"#
);

#[test]
fn a_tuple_in_brat() {
    let converted = run_text("2023/roles", "brat", TUPLE);
    assert_eq!(
        text(&converted, "2-dev-1.ann"),
        concat!(
            "T1\tTuple 0 1\t𠮷\n",
            "T2\tEntity 0 1\t𠮷\n",
            "T3\tTime 4 6\t睡着\n",
            "T4\tPlace 1 2;3 4\t在 外\n",
            "E1\tTuple:T1 Entity:T2 Time:T3 Place:T4\n",
            "A1\tFactuality_is E1 False\n",
            "A2\tTime_is T3 After\n",
            "T5\tMention 0 1\t𠮷\n",
            "T6\tMention 2 3\t屋\n",
            "*\tCoref T5 T6\n",
            "#1\tFangwei T0\t{\"qid\":\"2-dev-1\",\"number\":1,\"answered\":true}\n",
        )
    );
    assert_eq!(text(&converted, "2-dev-1.txt"), "𠮷在屋外睡着");
    let conf = text(&converted, "annotation.conf");
    assert!(conf.contains("Tuple\tEntity*:Entity, ") && conf.contains("Factuality_is\tArg:<ANY>, Value:False\n"), "{conf}");
    assert!(text(&converted, "visual.conf").contains("Entity | 空间实体\n"));
    // What a tool cannot be told twice, it must not be told in another alphabet: the files are ASCII but for texts.
    assert!(conf.is_ascii());
}

/// brat tells repeated arguments apart by numbers, and takes a mark over a line end for a broken line.
#[test]
fn repeated_roles_and_line_ends_in_brat() {
    let given = r#"{"qid":"1","context":"猫\n跳","results":[[{"role":"S1","text":"猫\n跳","idxes":[0,1,2]},{"role":"S1","text":"跳","idxes":[2]}]]}"#;
    let ann = text(&run_text("2023/anomaly", "brat", given), "1.ann");
    let lines: Vec<&str> = ann.lines().take(4).collect();
    assert_eq!(
        lines,
        ["T1\tCandidate 0 1;2 3\t猫 跳", "T2\tS_a 0 1;2 3\t猫 跳", "T3\tS_a 2 3\t跳", "E1\tCandidate:T1 S_a:T2 S_a2:T3"]
    );
    assert_eq!(super::there_and_back("2023/anomaly", "brat", given.as_bytes()), 1);
}

#[test]
fn a_tuple_in_label_studio() {
    let converted = run_text("2023/roles", "label-studio", TUPLE);
    let task = records(converted.files[0].bytes.clone()).remove(0);
    let annotations = task.get("annotations").and_then(Json::as_list).expect("annotations");
    let result: Vec<String> =
        annotations[0].get("result").and_then(Json::as_list).expect("result").iter().map(Json::to_line).collect();
    let region = |id: &str, start: u32, end: u32, text: &str, role: &str| {
        format!(
            r#"{{"id":"{id}","from_name":"role","to_name":"text","type":"labels","value":{{"start":{start},"end":{end},"text":"{text}","labels":["{role}"]}}}}"#
        )
    };
    assert_eq!(result[0], region("a1-1-1", 0, 1, "𠮷", "空间实体"));
    // Code points: by UTF-16 units it would begin at 5.
    assert!(result.contains(&region("a1-3-1", 4, 6, "睡着", "时间")), "{result:#?}");
    assert!(result.contains(&region("a1-4-2", 3, 4, "外", "处所")), "{result:#?}");
    let relation = |from: &str, to: &str, label: &str| {
        format!(r#"{{"type":"relation","from_id":"{from}","to_id":"{to}","direction":"right","labels":["{label}"]}}"#)
    };
    assert!(result.contains(&relation("a1-4-1", "a1-4-2", "piece")) && result.contains(&relation("a1-1-1", "a1-4-1", "answer")));
    assert!(result.contains(&relation("s1-1-1", "s1-2-1", "same")), "{result:#?}");
    let config = text(&converted, "config.xml");
    assert!(config.contains("<Label value=\"空间实体\"/>") && config.contains("<Choice value=\"时间=之后\"/>"), "{config}");
}

#[test]
fn a_tuple_in_columns() {
    let given = TUPLE.replace(r#""idxes":[1,3]"#, r#""idxes":[3,1]"#).replace("在外", "外在");
    let converted = run_text("2023/roles", "conll", &given);
    assert_eq!(
        text(&converted, "2023-roles.conll"),
        concat!(
            "# qid = 2-dev-1\n# answers = 1\n# label 1 = 事实性=假\n# label 1 = 时间=之后\n# same 1 = 𠮷[0] 屋[2]\n",
            "𠮷\tB-空间实体\n在\tB-处所\n屋\tO\n外\tI-处所\n睡\tB-时间\n着\tI-时间\n\n"
        )
    );
    assert_eq!(converted.report.lossy.into_iter().collect::<Vec<_>>(), [("order-of-indexes".to_owned(), 1)]);
    let two = r#"{"qid":"1","context":"a\t","results":[[{"role":"S1","text":"a","idxes":[0]},{"role":"E1","text":"a\t","idxes":[0,1]}],[]]}"#;
    assert_eq!(
        text(&run_text("2023/anomaly", "conll", two), "2023-anomaly.conll"),
        "# qid = 1\n# answers = 2\na\tB-S1|B-E1\tO\n\\t\tI-E1\tO\n\n"
    );
}

#[test]
fn a_tuple_in_flat_rows() {
    let record = clean(run_text("2023/roles", "flat", TUPLE)).remove(0);
    let place = r#"{"answer":0,"role":"处所","label":null,"start":1,"end":2,"text":"在外","piece":0,"idxes":"1 3"},{"answer":0,"role":"处所","label":null,"start":3,"end":4,"text":"在外","piece":1,"idxes":"1 3"}]"#;
    assert!(field(&record, "spans").ends_with(place), "{record}");
    let judge = clean(run_text("2022/judge", "flat", r#"{"qid":"1","context":"猫","judge":1}"#)).remove(0);
    let keys = |record: &Json<'_>| record.fields().iter().map(|(key, _)| key.to_string()).collect::<Vec<_>>();
    assert_eq!(keys(&record), keys(&judge));
}

fn brat(text: &str, ann: &str) -> Vec<(String, Vec<u8>)> {
    vec![("d/x7.txt".to_owned(), text.into()), ("d/x7.ann".to_owned(), ann.into())]
}

#[test]
fn brat_without_notes() {
    // Events, in the order of their numbers, with a repeated argument name, an attribute and CRLF.
    let ann = "T1\tTuple 0 1\t猫\r\nT3\tPlace 2 4;5 6\t箱子 里\r\nE2\tTuple:T1 Place:T3\r\nA1\tFactuality E2 假\r\n";
    let record = clean(run("brat", "2023/roles", brat("猫在箱子的里\n", ann))).remove(0);
    assert_eq!(
        record.to_line(),
        concat!(
            r#"{"qid":"x7","context":"猫在箱子的里","corefs":[],"non_corefs":[],"results":[[{"role":"空间实体","fragment":{"text":"猫","idxes":[0]}},"#,
            r#"{"role":"事实性","label":"假"},{"role":"处所","fragment":{"text":"箱子里","idxes":[2,3,5]}}]]}"#
        )
    );
    // Neither events nor relations: one answer, whose type the roles tell.
    let record = clean(run("brat", "2022/attribute", brat("猫跳进箱外", "T1\ttext1 1 3\t跳进\nT2\ttext2 3 5\t箱外\n"))).remove(0);
    assert_eq!(
        field(&record, "reasons"),
        r#"[{"fragments":[{"role":"text1","text":"跳进","idxes":[1,2]},{"role":"text2","text":"箱外","idxes":[3,4]}],"type":"A"}]"#
    );
    // Relations join fragments; what nothing joins is an answer of its own.
    let ann = "T1\tS1 0 1\t猫\nT2\tE1 1 2\t跳\nT3\tP1 2 3\t进\nR1\tWith Arg1:T1 Arg2:T2\n";
    let record = clean(run("brat", "2023/anomaly", brat("猫跳进", ann))).remove(0);
    assert_eq!(
        field(&record, "results"),
        r#"[[{"role":"S1","text":"猫","idxes":[0]},{"role":"E1","text":"跳","idxes":[1]}],[{"role":"P1","text":"进","idxes":[2]}]]"#
    );
    // No annotation at all: no gold.
    let record = clean(run("brat", "2023/anomaly", vec![("x.txt".to_owned(), "猫".into())])).remove(0);
    assert_eq!(record.to_line(), r#"{"qid":"x","context":"猫"}"#);
}

#[test]
fn malformed_brat() {
    for (ann, line, code) in [
        ("T1\tS1 0 1\t猫\nnonsense\n", 2, "bad-notation"),
        ("T1\tS1 0 9\t猫\n", 1, "idx-out-of-range"),
        ("T1\tS1 0 1\t狗\n", 1, "text-mismatch"),
        ("T1\tS1 one 1\t猫\n", 1, "bad-notation"),
        ("T1\tTheme 0 1\t猫\n", 1, "bad-role"),
        ("E1\tCandidate:T1 S1:T9\n", 1, "bad-notation"),
        ("T1\tS1 0 1\t猫\nA1\tNegation T1\n", 2, "bad-label"),
        ("#1\tFangwei T0\t{\"qid\":\n", 1, "bad-json"),
        ("#1\tFangwei T0\t{\"number\":1}\n", 1, "no-qid"),
    ] {
        let converted = run("brat", "2023/anomaly", brat("猫跳进", ann));
        assert_eq!(codes(&converted).first(), Some(&(line, code)), "{ann}: {}", rendered(&converted));
        assert_eq!((converted.report.written, converted.report.kept_out), (0, 1), "{ann}");
        assert_eq!(converted.defects[0].file.as_ref(), "d/x7.ann");
    }
    let alone = run("brat", "2023/anomaly", vec![("x.ann".to_owned(), b"".to_vec())]);
    assert_eq!((codes(&alone), alone.report.kept_out), (vec![(0, "missing-field")], 1));
}

#[test]
fn an_edit_in_brat_is_kept_and_its_note_is_not() {
    let given = r#"{"qid":"1","context":"猫在箱里","results":[[{"role":"P1","text":"里在","idxes":[3,1]}],[{"role":"S1","text":"猫","idxes":[0]}]]}"#;
    let mut exported = files(run_text("2023/anomaly", "brat", given));
    let ann = exported.iter_mut().find(|(name, _)| name == "1.ann").expect("annotations");
    ann.1 = String::from_utf8(ann.1.clone()).expect("UTF-8").replace(" 1 2;3 4\t在 里", " 1 2\t在").into_bytes();
    let imported = run("brat", "2023/anomaly", exported);
    assert_eq!(imported.report.lossy.get("stale-note"), Some(&1));
    let record = clean(imported).remove(0);
    assert_eq!(field(&record, "results"), r#"[[{"role":"P1","text":"在","idxes":[1]}],[{"role":"S1","text":"猫","idxes":[0]}]]"#);
}

fn region(id: &str, start: u32, end: u32, text: &str, role: &str) -> String {
    format!(
        r#"{{"id":"{id}","from_name":"label","to_name":"text","type":"labels","origin":"manual","value":{{"start":{start},"end":{end},"text":"{text}","labels":["{role}"]}}}}"#
    )
}

fn label_studio(text: &str, result: &[String]) -> String {
    let cancelled = r#"{"was_cancelled":true,"result":[]}"#;
    format!(r#"[{{"id":17,"data":{{"text":"{text}"}},"annotations":[{cancelled},{{"id":3,"result":[{}]}}]}}]"#, result.join(","))
}

#[test]
fn label_studio_without_notes() {
    // No relations: one answer; two regions of one role are one discontinuous fragment.
    let result = [region("x", 0, 1, "猫", "S1"), region("y", 1, 2, "在", "P1"), region("z", 4, 5, "里", "P1")];
    let record = clean(run_text("label-studio", "2023/anomaly", &label_studio("猫在木箱里", &result))).remove(0);
    assert_eq!(
        record.to_line(),
        r#"{"qid":"17","context":"猫在木箱里","results":[[{"role":"S1","text":"猫","idxes":[0]},{"role":"P1","text":"在里","idxes":[1,4]}]]}"#
    );
    // With relations, what nothing joins is an answer of its own.
    let relation = r#"{"type":"relation","from_id":"x","to_id":"y","direction":"right"}"#.to_owned();
    let result = [&result[..], &[relation]].concat();
    let record = clean(run_text("label-studio", "2023/anomaly", &label_studio("猫在木箱里", &result))).remove(0);
    assert_eq!(
        field(&record, "results"),
        r#"[[{"role":"S1","text":"猫","idxes":[0]},{"role":"P1","text":"在","idxes":[1]}],[{"role":"P1","text":"里","idxes":[4]}]]"#
    );
    let none = r#"[{"data":{"text":"猫","qid":"q"},"annotations":[]}]"#;
    assert_eq!(clean(run_text("label-studio", "2023/anomaly", none))[0].to_line(), r#"{"qid":"q","context":"猫"}"#);
}

#[test]
fn label_studio_counts_code_points_or_utf_16_units() {
    // In 😀猫在 the cat is code point 1 and UTF-16 unit 2; the text tells which was counted.
    for (start, end) in [(1, 2), (2, 3)] {
        let given = label_studio("😀猫在", &[region("x", start, end, "猫", "S1")]);
        let record = clean(run_text("label-studio", "2023/anomaly", &given)).remove(0);
        assert_eq!(field(&record, "results"), r#"[[{"role":"S1","text":"猫","idxes":[1]}]]"#, "{start}..{end}");
    }
    // The first region fits both ways; the second, only by units, decides for the record.
    let given = label_studio("😀猫猫在", &[region("x", 2, 3, "猫", "S1"), region("y", 4, 5, "在", "P1")]);
    assert_eq!(
        field(&clean(run_text("label-studio", "2023/anomaly", &given))[0], "results"),
        r#"[[{"role":"S1","text":"猫","idxes":[1]},{"role":"P1","text":"在","idxes":[3]}]]"#
    );
    // The last character ends at unit 4, beyond the three code points.
    let given = label_studio("😀猫在", &[region("x", 3, 4, "在", "S1")]);
    assert_eq!(
        field(&clean(run_text("label-studio", "2023/anomaly", &given))[0], "results"),
        r#"[[{"role":"S1","text":"在","idxes":[2]}]]"#
    );
}

#[test]
fn malformed_label_studio() {
    for (result, code) in [
        (region("x", 0, 9, "猫", "S1"), "idx-out-of-range"),
        (region("x", 0, 1, "狗", "S1"), "text-mismatch"),
        (region("x", 0, 1, "猫", "PER"), "bad-role"),
        (r#"{"id":"x","type":"labels"}"#.to_owned(), "missing-field"),
        (r#"{"id":"x","type":"labels","value":{"start":-1,"end":1,"labels":["S1"]}}"#.to_owned(), "bad-idx"),
        ("7".to_owned(), "not-an-object"),
    ] {
        let converted = run_text("label-studio", "2023/anomaly", &label_studio("猫", std::slice::from_ref(&result)));
        assert_eq!(codes(&converted), [(1, code)], "{result}: {}", rendered(&converted));
        assert!(converted.defects[0].pointer.starts_with("/annotations/1/result/0"), "{}", rendered(&converted));
        assert_eq!((converted.report.written, converted.report.kept_out), (0, 1));
    }
    let converted = run_text("label-studio", "2023/anomaly", "[{\"data\":{\"text\":\"猫\"}},\n{\"data\":{}},{}]");
    assert_eq!(codes(&converted), [(1, "no-qid"), (2, "missing-field"), (2, "missing-field")]);
}

#[test]
fn flat_rows_of_others() {
    let given = r#"{"qid":"1","context":"猫在木箱里","spans":[{"answer":0,"role":"S1","start":0,"end":1},{"answer":0,"role":"P1","start":1,"end":2,"piece":0},{"answer":0,"role":"P1","start":4,"end":5,"piece":1},{"answer":1,"role":"E1","idxes":[1,0]}]}"#;
    let record = clean(run_text("flat", "2023/anomaly", given)).remove(0);
    assert_eq!(
        field(&record, "results"),
        r#"[[{"role":"S1","text":"猫","idxes":[0]},{"role":"P1","text":"在里","idxes":[1,4]}],[{"role":"E1","text":"在猫","idxes":[1,0]}]]"#
    );
    for (spans, code) in [
        (r#"[{"role":"S1","start":0,"end":1}]"#, "missing-field"),
        (r#"[{"answer":0,"start":0,"end":1}]"#, "missing-field"),
        (r#"[{"answer":0,"role":"S1","start":2,"end":1}]"#, "bad-idx"),
        (r#"[{"answer":0,"role":"S1","start":0,"end":99}]"#, "idx-out-of-range"),
        (r#"[{"answer":0,"role":"S1","idxes":"0 x"}]"#, "bad-idx"),
        (r#"[{"answer":0,"role":"S1","text":"猫"}]"#, "missing-field"),
        (r#"[{"answer":0,"role":"S1","label":"假","start":0,"end":1}]"#, "bad-label"),
        ("7", "bad-type"),
    ] {
        let converted = run_text("flat", "2023/anomaly", &format!(r#"{{"qid":"1","context":"猫在","spans":{spans}}}"#));
        assert_eq!(codes(&converted), [(1, code)], "{spans}: {}", rendered(&converted));
        assert_eq!(converted.report.kept_out, 1);
    }
}
