//! Made-up bytes, made-up JSON, and sample records with something broken.

use fangwei::record::Json;
use fangwei::tasks::all;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{every_record, everything, sample};

/// Names that the tasks look for, so that made-up objects get past the first question.
const NAMES: &[&str] = &[
    "qid",
    "qID",
    "id",
    "context",
    "context1",
    "context2",
    "judge",
    "judge1",
    "judge2",
    "reason",
    "reasons",
    "results",
    "outputs",
    "corefs",
    "non_corefs",
    "role",
    "text",
    "idxes",
    "fragment",
    "fragments",
    "label",
    "type",
    "result",
    "events",
    "relations",
    "subtask1-dev",
    "subtask2-dev",
    "subtask3-dev",
    "key",
    "typeWeight",
    "%放%",
    "处所",
];

fn scalar() -> impl Strategy<Value = Json<'static>> {
    let words = [
        "",
        "A",
        "B",
        "C",
        "true",
        "1",
        "空间实体",
        "参照实体",
        "时间",
        "距离",
        "S1",
        "P1",
        "text1",
        "近",
        "说话时",
        "%放%",
        "^",
        "猫在箱子里",
    ];
    prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        (-2..9_i64).prop_map(Json::Int),
        any::<i64>().prop_map(Json::Int),
        any::<f64>().prop_filter("JSON has no such number", |number| number.is_finite()).prop_map(Json::Float),
        select(words.to_vec()).prop_map(Json::text),
        ".{0,4}".prop_map(Json::text),
    ]
}

/// Any JSON tree, its names mostly those of the tasks.
fn tree() -> impl Strategy<Value = Json<'static>> {
    scalar().prop_recursive(6, 60, 6, |inner| {
        let name = prop_oneof![9 => select(NAMES.to_vec()).prop_map(str::to_owned), 1 => ".{0,3}".prop_map(String::from)];
        prop_oneof![vec(inner.clone(), 0..6).prop_map(Json::List), vec((name, inner), 0..6).prop_map(Json::map),]
    })
}

/// A value of a sample record, replaced by another.
fn replace(value: &mut Json<'static>, countdown: &mut usize, by: &Json<'static>) {
    if *countdown == 0 {
        *value = by.clone();
    }
    *countdown = countdown.wrapping_sub(1);
    match value {
        Json::List(list) => list.iter_mut().for_each(|value| replace(value, countdown, by)),
        Json::Map(fields) => fields.iter_mut().for_each(|(_, value)| replace(value, countdown, by)),
        _ => {}
    }
}

fn first_record(bytes: &[u8]) -> Json<'static> {
    let source = fangwei::record::Source::from_bytes("t", bytes).expect("memory");
    fangwei::record::read_all(source).expect("memory").0.swap_remove(0).1
}

/// One thing done to the bytes of a file.
#[derive(Clone, Debug)]
enum Damage {
    Flip(usize, u8),
    Cut(usize),
    Remove(usize),
    Double(usize),
    Insert(usize, &'static str),
}

fn damage() -> impl Strategy<Value = Damage> {
    let signs =
        select(vec!["{", "}", "[", "]", "\"", ",", ":", "\\", "\n", "\r", "\0", "\u{feff}", "1e999", "-", "null", "\\ud800"]);
    prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Damage::Flip(at, byte)),
        any::<usize>().prop_map(Damage::Cut),
        any::<usize>().prop_map(Damage::Remove),
        any::<usize>().prop_map(Damage::Double),
        (any::<usize>(), signs).prop_map(|(at, sign)| Damage::Insert(at, sign)),
    ]
}

fn damaged(mut bytes: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        let length = bytes.len().max(1);
        // The structure is where it hurts: signs are looked for from the place on.
        let sign = |at: usize| {
            let from = at % length;
            bytes.iter().skip(from).position(|byte| b"{}[]\",:".contains(byte)).map_or(from, |there| from + there)
        };
        match damage {
            Damage::Flip(at, byte) => bytes.iter_mut().skip(at % length).take(1).for_each(|there| *there ^= byte),
            Damage::Cut(at) => bytes.truncate(at % length),
            Damage::Remove(at) => {
                let at = sign(*at);
                bytes.splice(at.min(bytes.len())..(at + 1).min(bytes.len()), []);
            }
            Damage::Double(at) => {
                let at = sign(*at);
                if let Some(byte) = bytes.get(at).copied() {
                    bytes.insert(at, byte);
                }
            }
            Damage::Insert(at, sign) => {
                let at = (at % length).min(bytes.len());
                bytes.splice(at..at, sign.bytes());
            }
        }
    }
    bytes
}

/// A compressed stream that is told by its first bytes, then damaged.
fn packed(bytes: &[u8], zstd: bool) -> Vec<u8> {
    use std::io::Write as _;
    if zstd {
        return ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest);
    }
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(bytes).expect("memory");
    writer.finish().expect("memory")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..400), lead in select(vec![&b""[..], b"[", b"{", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\xef\xbb\xbf", b"\xff\xfe"])) {
        let bytes = [lead, &bytes].concat();
        all().for_each(|task| everything(task, &bytes));
    }

    #[test]
    fn any_tree(tree in tree()) {
        every_record(&tree);
        let line = tree.to_line();
        all().for_each(|task| everything(task, line.as_bytes()));
    }

    #[test]
    fn any_value_anywhere_in_a_sample_record(tree in tree(), at in 0..200_usize) {
        for task in all() {
            let (gold, preds) = sample(task);
            for bytes in [gold, preds] {
                let mut record = first_record(&bytes);
                replace(&mut record, &mut at.clone(), &tree);
                every_record(&record);
                everything(task, record.to_line().as_bytes());
            }
        }
    }

    #[test]
    fn damaged_samples(damages in vec(damage(), 1..4)) {
        for task in all() {
            let (gold, preds) = sample(task);
            for bytes in [gold, preds] {
                everything(task, &damaged(bytes, &damages));
            }
        }
    }

    #[test]
    fn damaged_compression(damages in vec(damage(), 1..4), zstd in any::<bool>()) {
        let task = fangwei::tasks::find("2023/roles").expect("a task");
        let (gold, _) = sample(task);
        everything(task, &damaged(packed(&gold, zstd), &damages));
    }

    #[test]
    fn any_grades_and_boards(text in "(qid,rater1,rater2|name,kind,a|\\{|\\[)?[\\n,\"0-9a-z.{}\\[\\]:天-]{0,80}") {
        fangwei::score::read_grades("t", &text);
        let reading = fangwei::rank::Board::read(&text);
        for policy in fangwei::rank::POLICIES {
            fangwei::rank::rank(&reading.board, &policy.policy);
        }
    }
}
