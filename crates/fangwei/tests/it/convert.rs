//! Conversions, from outside: own sample, the research data where it is at hand, made-up records, and files as other tools write them.

mod made_up;
mod others;
mod years;

use std::path::{Path, PathBuf};

use fangwei::convert::{CONVERSIONS, Converted, Options, find};
use fangwei::lang::Lang;
use fangwei::record::{Json, Source, read_all};

/// Runs a conversion over named texts.
pub fn run(from: &str, to: &str, files: Vec<(String, Vec<u8>)>) -> Converted {
    let sources = files.into_iter().map(|(name, bytes)| Source::from_bytes(&name, bytes).expect("memory")).collect();
    find(from, to).unwrap_or_else(|error| panic!("{error}")).run(sources, &Options::default()).expect("memory")
}

/// Runs a conversion over one text.
pub fn run_text(from: &str, to: &str, text: &str) -> Converted {
    run(from, to, vec![("in".to_owned(), text.into())])
}

/// The files of a conversion as inputs of the next.
pub fn files(converted: Converted) -> Vec<(String, Vec<u8>)> {
    converted.files.into_iter().map(|file| (file.path, file.bytes)).collect()
}

/// The records of one file.
pub fn records(bytes: Vec<u8>) -> Vec<Json<'static>> {
    let (records, defects) = read_all(Source::from_bytes("out", bytes).expect("memory")).expect("memory");
    assert!(defects.is_empty(), "{defects:?}");
    records.into_iter().map(|(_, record)| record).collect()
}

/// The only file of a conversion that met no defect, as records.
pub fn clean(converted: Converted) -> Vec<Json<'static>> {
    assert!(converted.defects.is_empty(), "{}", rendered(&converted));
    assert_eq!(converted.report.kept_out, 0);
    let [file] = <[_; 1]>::try_from(converted.files).expect("one file");
    records(file.bytes)
}

/// The defects, one a line.
pub fn rendered(converted: &Converted) -> String {
    converted.defects.iter().map(|defect| defect.render(Lang::En)).collect::<Vec<_>>().join("\n")
}

/// The own sample.
pub fn sample(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(path)
}

/// Out to a tool and back again gives equal records, and nothing is reported lost.
pub fn there_and_back(task: &str, tool: &str, bytes: &[u8]) -> usize {
    let given = records(bytes.to_vec());
    let exported = run(task, tool, vec![("in".to_owned(), bytes.to_vec())]);
    assert!(exported.defects.is_empty(), "{task} {tool}: {}", rendered(&exported));
    assert_eq!(exported.report.written as usize, given.len());
    let imported = run(tool, task, files(exported));
    assert!(imported.report.lossy.is_empty(), "{task} {tool}: {:?}", imported.report.lossy);
    let back = clean(imported);
    assert_eq!(back.len(), given.len());
    for (given, back) in given.iter().zip(&back) {
        assert!(crate::shared::same(given, back), "{task} {tool}\n{given}\n{back}");
    }
    back.len()
}

/// The tasks that each tool serves.
pub const SPANS: [&str; 4] = ["2022/attribute", "2022/roles", "2023/anomaly", "2023/roles"];

#[test]
fn the_sample_goes_to_every_tool_and_back() {
    for tool in ["brat", "label-studio", "flat"] {
        for task in SPANS {
            let bytes = std::fs::read(sample(task).join("gold.jsonl")).expect("the sample");
            assert!(there_and_back(task, tool, &bytes) >= 8);
        }
    }
    for task in ["2021/judge.json", "2021/reason.json", "2021/joint.json", "2022/judge.jsonl", "2023/scene.jsonl"] {
        let (task, ending) = task.split_once('.').expect("an ending");
        let bytes = std::fs::read(sample(task).join(format!("gold.{ending}"))).expect("the sample");
        assert!(there_and_back(task, "flat", &bytes) >= 6);
    }
}

#[test]
fn items_without_gold_stay_without() {
    let items = "{\"qid\":\"x/1\",\"context\":\"猫在箱子里\\n\",\"genre\":\"童话\"}\n{\"qid\":\"X_1\",\"context\":\" \"}\n";
    for tool in ["brat", "label-studio", "flat"] {
        for task in SPANS {
            assert_eq!(there_and_back(task, tool, items.as_bytes()), 2);
        }
    }
    for (from, to) in [("2022/roles", "2023/roles"), ("2023/roles", "2022/roles"), ("2022/attribute", "2023/anomaly")] {
        assert_eq!(clean(run_text(from, to, items)), records(items.into()));
    }
}

#[test]
fn the_research_data_goes_to_every_tool_and_back() {
    let Some(data) = crate::shared::shared("data") else { return };
    let mut converted = 0;
    for (file, task) in [
        ("2022/task2_train.jsonl", "2022/attribute"),
        ("2022/task3_train.jsonl", "2022/roles"),
        ("2023/task1_train.jsonl", "2023/anomaly"),
        ("2023/task2_train.jsonl", "2023/roles"),
    ] {
        let bytes = std::fs::read(data.join(file)).expect("a file");
        for tool in ["brat", "label-studio", "flat"] {
            converted += there_and_back(task, tool, &bytes);
        }
    }
    assert!(converted > 20_000, "{converted}");
}

/// Every conversion has a run on nonsense: defects, never a panic, and nothing that goes missing unnoticed.
#[test]
fn every_conversion_runs() {
    let nonsense: [&[u8]; 9] = [
        b"",
        b"\xff\xfe\x00",
        b"nonsense\n[]\n{}\n1\n",
        "{\"qid\":\"1\",\"context\":\"猫\",\"results\":[[{\"role\":\"S1\",\"text\":\"猫\",\"idxes\":[[0]]}]],\"corefs\":[]}\n".as_bytes(),
        "{\"qid\":\"1\",\"context\":\"猫\",\"results\":[[{\"role\":\"S1\",\"text\":\"猫\",\"idxes\":[\"a\"]}]],\"corefs\":[]}\n".as_bytes(),
        "{\"qid\":\"1\",\"context\":\"猫\",\"outputs\":[[null],[1]],\"corefs\":[]}\n".as_bytes(),
        "[{\"data\":{\"text\":\"猫\"},\"annotations\":[{\"result\":[{\"type\":\"labels\"},7,{\"type\":\"labels\",\"value\":{\"start\":3,\"end\":1}}]}]}]".as_bytes(),
        "{\"qid\":\"1\",\"context\":\"猫\",\"spans\":[{\"answer\":99999999999,\"role\":\"S1\",\"start\":0,\"end\":4000000000}]}\n".as_bytes(),
        b"T1\tS1 0 9\t\nE1\nA1\tx\n*\n#1\tFangwei T0\t{\nR1\nT\xe7\n",
    ];
    for conversion in CONVERSIONS {
        for bytes in nonsense {
            for names in [&["a.ann"][..], &["a.txt", "a.ann"], &["a.json"]] {
                let sources = names.iter().map(|name| Source::from_bytes(name, bytes).expect("memory")).collect();
                let converted = conversion.run(sources, &Options::default()).expect("memory");
                let report = &converted.report;
                assert_eq!(report.read, report.written + report.kept_out, "{conversion:?}");
                assert!(report.kept_out == 0 || !converted.defects.is_empty(), "{conversion:?} kept out in silence");
                assert!(serde_json::to_value(report).is_ok());
            }
        }
    }
}
