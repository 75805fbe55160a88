//! Documents cut and printed apart, and judged in their order.

use std::path::PathBuf;

use fangwei::corpus::{Config, Counts, Near, Outcome, Passage, Print, Seen, cut, run};
use fangwei::record::Defect;
use proptest::prelude::*;

use super::{cases, dealt};

const PIECES: [&str; 14] = [
    "小船停在湖的中间，船上的人把网撒到水里，网又大又重。",
    "山顶上有一座塔，塔的后面是树林，树林里没有一条路。",
    "她把书放在桌子的左边，又把椅子搬到了窗户的前面。",
    "“他说：",
    "……”",
    "\n",
    "\r",
    "\r\n\n",
    "　 ",
    "{\"text\":\"",
    "\u{feff}",
    "\u{fffd}",
    "\u{1}!?",
    "\0",
];

/// What a run makes of documents that lie in files: numbered, so that they are read in their order.
fn whole(config: &Config, documents: &[String]) -> (Vec<Passage>, Outcome) {
    static NUMBER: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder: PathBuf = std::env::temp_dir().join(format!("fangwei-pieces-{}-{number}", std::process::id()));
    std::fs::create_dir_all(folder.join("story")).expect("a folder");
    for (number, text) in documents.iter().enumerate() {
        std::fs::write(folder.join(name(number)), text).expect("a file");
    }
    let mut passages = Vec::new();
    let take = |passage| {
        passages.push(passage);
        Ok(())
    };
    let outcome = run(config, std::slice::from_ref(&folder), |_| (Vec::new(), Vec::new()), |_| (), take).expect("runs");
    std::fs::remove_dir_all(&folder).expect("removed");
    (passages, outcome)
}

fn name(number: usize) -> String {
    format!("story/{number:03}.txt")
}

/// A passage and its print as bytes.
type Printed = (Passage, [u8; 40]);

/// The same in pieces: documents are cut in any order, prints travel as bytes, one place judges.
fn pieces(config: &Config, documents: &[String], seed: u64) -> (Vec<Passage>, Outcome) {
    let numbered: Vec<(usize, &String)> = documents.iter().enumerate().collect();
    let mut counts = Counts::default();
    let mut rows: Vec<(usize, Vec<Printed>, Vec<Defect>)> = Vec::new();
    for (number, text) in dealt(&numbered, seed).into_iter().flatten() {
        let (passages, outcome) = cut(config, &name(number), None, text);
        counts += outcome.counts;
        let printed = passages.into_iter().map(|passage| {
            let print = Print::of(&passage.text).to_bytes();
            (passage, print)
        });
        rows.push((number, printed.collect(), outcome.defects));
    }
    rows.sort_by_key(|(number, ..)| *number);
    let mut seen = Seen::new(config.near);
    let (mut kept, mut defects) = (Vec::new(), Vec::new());
    for (_, printed, told) in rows {
        let stays = |(passage, print): Printed| counts.judge(seen.see(&Print::from_bytes(&print))).then_some(passage);
        kept.extend(printed.into_iter().filter_map(stays));
        defects.extend(told);
    }
    (kept, Outcome { counts, defects })
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn documents_are_cut_as_files_are(
        documents in prop::collection::vec(prop::collection::vec((0..PIECES.len(), 0..50_u32), 0..20), 1..20),
        wrapped in any::<bool>(),
        near in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let document = |pieces: &Vec<(usize, u32)>| pieces.iter().map(|(piece, number)| format!("{}{number}", PIECES[*piece])).collect();
        let documents: Vec<String> = documents.iter().map(document).collect();
        let config = Config { wrapped, near: if near { Near::From(0.7) } else { Near::Off }, ..Config::default() };
        prop_assert_eq!(pieces(&config, &documents, seed), whole(&config, &documents));
    }
}

/// Long lines are cut where blocks of bytes end: a document's blocks are those of a file.
#[test]
fn a_document_without_line_ends_is_cut_as_a_file_is() {
    let text: String = (0..24_000).map(|number| format!("第{number}条船停在湖的中间，船上的人把网撒到水里。")).collect();
    assert!(text.len() > 3 << 19);
    for wrapped in [false, true] {
        let config = Config { wrapped, near: Near::Off, ..Config::default() };
        let documents = [format!("{text}\n\n{}", PIECES[1])];
        assert_eq!(pieces(&config, &documents, 1), whole(&config, &documents));
    }
}

#[test]
fn a_genre_that_is_given_comes_before_the_name() {
    let (passages, _) = cut(&Config::default(), "story/1.jsonl", Some("letters"), PIECES[0]);
    assert_eq!((passages[0].id.as_str(), passages[0].genre.as_str()), ("story/1.jsonl#1", "letters"));
    assert!(passages[0].words.is_empty());
}
