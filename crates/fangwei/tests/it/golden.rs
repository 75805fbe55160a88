//! Golden cases: files with the scores that an independent implementation gives them. They are discovered, not listed: every task of every year has a folder.

use std::fs;
use std::path::{Path, PathBuf};

use fangwei::record::Source;
use fangwei::score::{read_preds, score};
use fangwei::task::{Mode, Task};
use fangwei::tasks::YEARS;
use serde_json::Value;

/// The measures of a case.
pub fn measures(task: &'static dyn Task, mode: Mode, gold: &Path, preds: &Path) -> Value {
    let preds = read_preds(task, Source::open(preds).expect("predictions")).expect("predictions");
    let scored = score(task, mode, Source::open(gold).expect("gold"), &preds, |_, _| ()).expect("a score");
    serde_json::to_value(scored.measures()).expect("serializable")
}

/// Whether two trees of numbers are equal to 1e-9; the first difference otherwise.
pub fn differ(expected: &Value, found: &Value, path: &str) -> Option<String> {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            if expected.len() != found.len() {
                return Some(format!("{path}: expected keys {:?}, found {:?}", expected.keys(), found.keys()));
            }
            expected.iter().find_map(|(key, value)| match found.get(key) {
                Some(other) => differ(value, other, &format!("{path}/{key}")),
                None => Some(format!("{path}/{key} is missing")),
            })
        }
        (Value::Number(expected), Value::Number(found)) => {
            let (expected, found) = (expected.as_f64()?, found.as_f64()?);
            ((expected - found).abs() > 1e-9).then(|| format!("{path}: expected {expected}, found {found}"))
        }
        _ => (expected != found).then(|| format!("{path}: expected {expected}, found {found}")),
    }
}

/// The folders in a folder, sorted.
pub fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders
}

/// The first of these files that exists.
fn either(case: &Path, names: [&str; 2]) -> PathBuf {
    names
        .map(|name| case.join(name))
        .into_iter()
        .find(|path| path.exists())
        .unwrap_or_else(|| panic!("{} lacks {names:?}", case.display()))
}

#[test]
fn own_cases_have_their_expected_scores() {
    let mut wrong = Vec::new();
    for year in YEARS {
        for task in year.tasks {
            let (_, name) = task.id().split_once('/').expect("year/name");
            let folder = format!("y{}", year.name.replace('-', "_"));
            let cases = folders(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tasks").join(folder).join("golden").join(name));
            assert!(cases.len() >= 2, "{} has {} golden cases", task.id(), cases.len());
            for case in cases {
                let expected: Value =
                    serde_json::from_slice(&fs::read(case.join("expected.json")).expect("expected.json")).expect("JSON");
                let gold = either(&case, ["answers.jsonl", "answers.json"]);
                let preds = either(&case, ["predictions.jsonl", "sheet.json"]);
                for mode in [Mode::Official, Mode::Spec] {
                    if let Some(difference) =
                        differ(&expected[mode.as_str()], &measures(*task, mode, &gold, &preds), mode.as_str())
                    {
                        wrong.push(format!("{}: {difference}", case.display()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every quirk has a case in which it matters, so that no choice between script and text is untested.
#[test]
fn every_quirk_has_a_case_of_its_own() {
    let mut untested = Vec::new();
    for task in fangwei::tasks::all() {
        let (year, name) = task.id().split_once('/').expect("year/name");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src/tasks")
            .join(format!("y{}", year.replace('-', "_")))
            .join("golden")
            .join(name);
        let mut tested = vec![false; task.quirks().len()];
        for case in folders(&folder) {
            let preds = read_preds(task, Source::open(either(&case, ["predictions.jsonl", "sheet.json"])).expect("predictions"))
                .expect("predictions");
            let gold = Source::open(either(&case, ["answers.jsonl", "answers.json"])).expect("gold");
            let scored = score(task, Mode::Official, gold, &preds, |item, pred| fangwei::score::explain_modes(task, item, pred))
                .expect("a score");
            for quirk in scored.extra.into_iter().flatten().flat_map(|difference| difference.quirks) {
                tested[quirk] = true;
            }
        }
        let names = task
            .quirks()
            .iter()
            .zip(&tested)
            .filter(|(_, tested)| !**tested)
            .map(|(quirk, _)| format!("{} {}", task.id(), quirk.name));
        untested.extend(names);
    }
    assert!(untested.is_empty(), "{untested:?}");
}
