//! What is written can be read again, and the shape of a file is no part of what it says.

use std::io::Write as _;
use std::sync::LazyLock;

use fangwei::record::{Check, Source};
use fangwei::score::{read_items, read_preds, score, score_answers};
use fangwei::task::{Mode, Task, read_item, write_item, write_pred};
use proptest::prelude::*;

use super::generate::{Noise, Set};
use super::{MODES, agree, for_every_task, numbers};

fn gold_lines(task: &dyn Task, set: &Set) -> Vec<String> {
    set.items.iter().map(|item| write_item(task, item).to_line()).collect()
}

fn pred_lines(task: &dyn Task, set: &Set) -> Vec<String> {
    set.pairs().into_iter().filter_map(|(item, pred)| Some(write_pred(task, &item.qid, pred?).to_line())).collect()
}

fn source(bytes: impl Into<Vec<u8>>) -> Source {
    Source::from_bytes("t", bytes).expect("memory")
}

/// The measures of two files.
fn score_files(task: &'static dyn Task, mode: Mode, gold: &[u8], preds: &[u8]) -> (Vec<f64>, Vec<(String, f64)>) {
    let preds = read_preds(task, source(preds)).expect("memory");
    let scored = score(task, mode, source(gold), &preds, |_, _| ()).unwrap_or_else(|error| panic!("{error:?}"));
    (scored.total.sums.clone(), numbers(&scored.measures()))
}

static POOLS: LazyLock<Vec<rayon::ThreadPool>> = LazyLock::new(|| {
    [1, 2, 3].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")).into()
});

#[test]
fn files_and_memory_score_alike_on_any_number_of_threads() {
    for_every_task(Noise::Noisy, |task, set, _| {
        let (gold, preds) = (gold_lines(task, &set).join("\n"), pred_lines(task, &set).join("\n"));
        // What the file holds, for some noise (a cast verdict, an index that points nowhere) is not written as it was.
        let (items, _) = read_items(task, source(gold.as_str()), true).expect("memory");
        let answers = read_preds(task, source(preds.as_str())).expect("memory").answers;
        let pairs: Vec<_> = items.iter().map(|item| (item, answers.get(&item.qid))).collect();
        for mode in MODES {
            let sums = score_answers(task, mode, &pairs).sums;
            for pool in POOLS.iter() {
                let (there, _) = pool.install(|| score_files(task, mode, gold.as_bytes(), preds.as_bytes()));
                // Bit for bit: rows are added up in the order of the file.
                prop_assert_eq!(
                    sums.iter().map(|sum| sum.to_bits()).collect::<Vec<_>>(),
                    there.iter().map(|sum| sum.to_bits()).collect::<Vec<_>>()
                );
            }
        }
        Ok(())
    });
}

#[test]
fn what_is_written_is_read_again() {
    for_every_task(Noise::Sane, |task, set, _| {
        for (item, pred) in set.pairs() {
            let mut check = Check::new("t".into(), 1);
            let line = write_item(task, item).to_line();
            let given = fangwei::record::parse(line.as_bytes(), &mut check).expect("JSON");
            let read = read_item(task, &given, true, &mut check);
            prop_assert_eq!(read.as_ref(), Some(item), "{}", line);
            if let Some(pred) = pred {
                let line = write_pred(task, &item.qid, pred).to_line();
                let given = fangwei::record::parse(line.as_bytes(), &mut check).expect("JSON");
                let read = task.read_answer(&given, &mut check);
                prop_assert_eq!(read.as_ref(), Some(pred), "{}", line);
                task.check_answer(pred, Some(&item.texts), &mut check);
            }
            // Sane is what the validator lets pass: tuples and types may still repeat, roles may still exclude each other.
            let grave = [
                "bad-json",
                "missing-field",
                "bad-type",
                "bad-idx",
                "idx-out-of-range",
                "text-mismatch",
                "bad-role",
                "bad-label",
            ];
            let found: Vec<_> =
                check.defects.iter().map(|defect| defect.code.as_str()).filter(|code| grave.contains(code)).collect();
            prop_assert!(found.is_empty(), "{:?}", check.defects);
        }
        Ok(())
    });
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(bytes).expect("memory");
    writer.finish().expect("memory")
}

/// The same records in every shape of a file.
fn shapes(lines: &[String]) -> Vec<(&'static str, Vec<u8>)> {
    let plain = lines.join("\n").into_bytes();
    let array = format!("[{}]", lines.join(",")).into_bytes();
    let spread = |line: &String| {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        serde_json::to_string_pretty(&value).expect("JSON")
    };
    let spread = format!("[\n{}\n]\n", lines.iter().map(spread).collect::<Vec<_>>().join(",\n"));
    vec![
        ("final newline", [plain.as_slice(), b"\n"].concat()),
        ("CRLF", lines.join("\r\n").into_bytes()),
        ("CRLF and a final one", format!("{}\r\n", lines.join("\r\n")).into_bytes()),
        ("byte order mark", ["\u{feff}".as_bytes(), &plain].concat()),
        ("blank lines", lines.join("\n\n").into_bytes()),
        ("array", array.clone()),
        ("array over lines, CRLF", format!("[\r\n{}\r\n]", lines.join(",\r\n")).into_bytes()),
        ("array with a mark", ["\u{feff}".as_bytes(), &array].concat()),
        ("records over lines", spread.into_bytes()),
        ("gzip", gzip(&plain)),
        ("gzip array", gzip(&array)),
        ("zstd", ruzstd::encoding::compress_to_vec(plain.as_slice(), ruzstd::encoding::CompressionLevel::Fastest)),
        ("plain", plain),
    ]
}

#[test]
fn the_shape_of_a_file_says_nothing() {
    for_every_task(Noise::Noisy, |task, set, _| {
        let (gold, preds) = (gold_lines(task, &set), pred_lines(task, &set));
        prop_assume!(!preds.is_empty());
        let plain = score_files(task, Mode::Spec, gold.join("\n").as_bytes(), preds.join("\n").as_bytes());
        let (items, _) = read_items(task, source(gold.join("\n")), true).expect("memory");
        prop_assert_eq!(&items, &set.items);
        for ((shape, gold), (_, preds)) in shapes(&gold).into_iter().zip(shapes(&preds)) {
            let (there, defects) = read_items(task, source(gold.as_slice()), true).expect("memory");
            prop_assert_eq!(&items, &there, "{}", shape);
            let tolerated =
                |defect: &&fangwei::record::Defect| !["byte-order-mark", "blank-line"].contains(&defect.code.as_str());
            prop_assert_eq!(defects.iter().filter(tolerated).count(), 0, "{}: {:?}", shape, defects);
            prop_assert_eq!(&plain, &score_files(task, Mode::Spec, &gold, &preds), "{}", shape);
        }
        Ok(())
    });
}

#[test]
fn the_order_of_lines() {
    for_every_task(Noise::Noisy, |task, set, mut seed| {
        let (mut gold, mut preds) = (gold_lines(task, &set), pred_lines(task, &set));
        let before = MODES.map(|mode| score_files(task, mode, gold.join("\n").as_bytes(), preds.join("\n").as_bytes()).1);
        super::order::shuffle(&mut gold, &mut seed);
        super::order::shuffle(&mut preds, &mut seed);
        for (mode, before) in MODES.into_iter().zip(before) {
            agree(&before, &score_files(task, mode, gold.join("\n").as_bytes(), preds.join("\n").as_bytes()).1)?;
        }
        Ok(())
    });
}

#[test]
fn predictions_of_unknown_items_change_nothing() {
    for_every_task(Noise::Noisy, |task, set, _| {
        let (gold, preds) = (gold_lines(task, &set).join("\n"), pred_lines(task, &set));
        let mut stranger = set.clone();
        for item in &mut stranger.items {
            item.qid = format!("9-{}", item.qid).into();
        }
        // Before the others and after them.
        let strangers = pred_lines(task, &stranger);
        let more = [strangers.as_slice(), &preds, &strangers].concat();
        for mode in MODES {
            let before = score_files(task, mode, gold.as_bytes(), preds.join("\n").as_bytes());
            prop_assert_eq!(before, score_files(task, mode, gold.as_bytes(), more.join("\n").as_bytes()));
        }
        Ok(())
    });
}
