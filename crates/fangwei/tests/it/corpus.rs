//! `fangwei::corpus`: from files of every kind to passages, the same for any number of threads.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use fangwei::corpus::{Config, Near, Outcome, Passage, Word, run};

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("fangwei-corpus-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, content).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A word a run of characters of one kind, so that joined words are the text.
fn tag(text: &str) -> (Vec<Word>, Vec<u32>) {
    let characters: Vec<char> = text.chars().collect();
    let words = characters.chunk_by(|one, two| one.is_alphanumeric() == two.is_alphanumeric());
    let word = |word: &[char]| Word { text: word.iter().collect::<String>().into(), pos: "x".into(), class: None };
    (words.map(word).collect(), vec![0])
}

fn passages_of(config: &Config, inputs: &[&Path]) -> (Vec<Passage>, Outcome) {
    let inputs: Vec<PathBuf> = inputs.iter().map(|input| input.to_path_buf()).collect();
    let mut passages = Vec::new();
    let take = |passage| {
        passages.push(passage);
        Ok(())
    };
    let outcome = run(config, &inputs, tag, |_| (), take).expect("runs");
    (passages, outcome)
}

/// Code and file of each defect.
fn told(outcome: &Outcome) -> Vec<(String, String)> {
    outcome.defects.iter().map(|defect| (defect.file.to_string(), defect.code.as_str().to_owned())).collect()
}

fn ids(passages: &[Passage]) -> Vec<&str> {
    passages.iter().map(|passage| passage.id.as_str()).collect()
}

const LAKE: &str = "小船停在湖的中间，船上的人把网撒到水里，网又大又重。";
const HILL: &str = "山顶上有一座塔，塔的后面是树林，树林里没有一条路。";
const ROOM: &str = "她把书放在桌子的左边，又把椅子搬到了窗户的前面。";

fn gzip(text: &str) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).expect("memory");
    packed.finish().expect("memory")
}

#[test]
fn every_wrapping_and_encoding_gives_the_same_passages() {
    let text = format!("{LAKE}\n{HILL}\n");
    let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let gb = encoding_rs::GB18030.encode(&text).0.into_owned();
    let zstd = ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    let json = format!("{{\"content\":\"{LAKE}\\n{HILL}\"}}\n");
    let folder = Folder::new("wrappings");
    for (name, bytes, warnings) in [
        ("plain.txt", text.clone().into_bytes(), &[][..]),
        ("crlf.txt", text.replace('\n', "\r\n").into_bytes(), &[]),
        ("mark.txt", format!("\u{feff}{text}").into_bytes(), &[]),
        ("wide.txt", wide, &["converted-encoding"]),
        ("gb.txt", gb.clone(), &["converted-encoding"]),
        ("text.gz", gzip(&text), &[]),
        ("text.txt.zst", zstd, &[]),
        ("records.jsonl", json.clone().into_bytes(), &[]),
        ("array.json", format!("[{json}]").into_bytes(), &[]),
        ("records.jsonl.gz", gzip(&json), &[]),
    ] {
        let path = folder.file(name, bytes);
        let (passages, outcome) = passages_of(&Config::default(), &[&path]);
        let texts: Vec<&str> = passages.iter().map(|passage| passage.text.as_str()).collect();
        assert_eq!(texts, [LAKE, HILL], "{name} {outcome:?}");
        assert_eq!(ids(&passages), [format!("{name}#1"), format!("{name}#2")]);
        assert_eq!(told(&outcome).into_iter().map(|(_, code)| code).collect::<Vec<_>>(), warnings, "{name}");
        assert_eq!(outcome.counts.converted_files, warnings.len() as u64);
        assert_eq!(outcome.counts.bytes, path.metadata().expect("a file").len(), "{name}");
    }
}

#[test]
fn bad_files_are_named_and_skipped() {
    let folder = Folder::new("bad");
    folder.file("a.txt", LAKE);
    folder.file("binary.txt", b"ab\0cd");
    folder.file("blank.txt", " \n\n");
    folder.file("broken.txt.gz", &gzip(LAKE)[..20]);
    folder.file("empty.txt", "");
    folder.file("picture.png", b"\x89PNG\r\n\x1a\n");
    folder.file("unknown.txt", b"caf\xe9s de la place\n");
    folder.file("z.txt", HILL);
    let (passages, outcome) = passages_of(&Config::default(), &[&folder.0, &folder.0.join("missing.txt")]);
    assert_eq!(ids(&passages), ["a.txt#1", "z.txt#1"]);
    let missing = folder.0.join("missing.txt").display().to_string();
    let expected = [
        (missing.as_str(), "unreadable"),
        ("binary.txt", "binary-file"),
        ("blank.txt", "empty-file"),
        ("broken.txt.gz", "unreadable"),
        ("empty.txt", "empty-file"),
        ("picture.png", "binary-file"),
        ("unknown.txt", "unknown-encoding"),
    ];
    assert_eq!(told(&outcome), expected.map(|(file, code)| (file.to_owned(), code.to_owned())));
    assert_eq!((outcome.counts.files, outcome.counts.skipped_files), (2, 7));
    let unknown = outcome.defects.last().expect("defects");
    assert_eq!(unknown.found.en, "E9 73 20 64 from byte 4");
}

#[cfg(unix)]
#[test]
fn what_one_may_not_read_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("locked");
    let locked = folder.file("locked.txt", LAKE);
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).expect("permissions");
    if std::fs::read(&locked).is_ok() {
        eprintln!("skipped: this user may read everything");
        return;
    }
    let (passages, outcome) = passages_of(&Config::default(), &[&folder.0]);
    assert!(passages.is_empty());
    assert_eq!(told(&outcome), [("locked.txt".to_owned(), "unreadable".to_owned())]);
}

#[test]
fn bad_records_are_named_by_line_and_spoil_no_other() {
    let folder = Folder::new("records");
    let lines = [
        format!("{{\"id\":\"a\",\"text\":\"{LAKE}\",\"genre\":\"story\"}}"),
        "{\"text\":".to_owned(),
        String::new(),
        "{\"title\":\"x\"}".to_owned(),
        "{\"text\":7}".to_owned(),
        "[1]".to_owned(),
        format!("{{\"id\":7,\"context\":\"{HILL}\"}}"),
        "{\"id\":\"g\",\"text\":\"山\u{fffd}上有一座塔，塔的后面是树林。\"}".to_owned(),
        format!("{{\"id\":\"a\",\"text\":\"{ROOM}\"}}"),
    ];
    folder.file("news/r.jsonl", lines.join("\n"));
    let config = Config { id_field: Some("id".to_owned()), ..Config::default() };
    let (passages, outcome) = passages_of(&config, &[&folder.0]);
    // The second record "a" goes by its line, because its id is taken.
    assert_eq!(ids(&passages), ["news/r.jsonl#a", "news/r.jsonl#7", "news/r.jsonl#line-9"]);
    assert_eq!(passages.iter().map(|passage| passage.genre.as_str()).collect::<Vec<_>>(), ["story", "news", "news"]);
    assert_eq!(passages.iter().map(|passage| passage.line).collect::<Vec<_>>(), [1, 7, 9]);
    let lines: Vec<(u64, &str)> = outcome.defects.iter().map(|defect| (defect.line, defect.code.as_str())).collect();
    assert_eq!(lines, [(2, "bad-json"), (4, "missing-field"), (5, "bad-type"), (6, "not-an-object"), (8, "garbled-text")]);
    assert_eq!((outcome.counts.records, outcome.counts.bad_records, outcome.counts.garbled), (8, 4, 1));
}

#[test]
fn text_fields_and_genre_rules_can_be_chosen() {
    let folder = Folder::new("choices");
    folder.file("news/a.jsonl", format!("{{\"text\":\"{LAKE}\",\"body\":\"{HILL}\",\"kind\":\"x\"}}"));
    folder.file("news/old/b.txt", ROOM);
    let config = Config {
        text_fields: vec!["body".to_owned()],
        genre: BTreeMap::from([("news/old/".to_owned(), "archive".to_owned())]),
        ..Config::default()
    };
    let (passages, _) = passages_of(&config, &[&folder.0]);
    let found: Vec<(&str, &str)> = passages.iter().map(|passage| (passage.text.as_str(), passage.genre.as_str())).collect();
    assert_eq!(found, [(HILL, "news"), (ROOM, "archive")]);
}

#[test]
fn the_first_of_like_passages_stays_and_numbers_do_not_shift() {
    let folder = Folder::new("like");
    let long = format!("{LAKE}{HILL}");
    folder.file("a.txt", format!("{long}\n{}\n{ROOM}\n", long.replace('，', "、")));
    folder.file("b.txt", format!("{}\n{ROOM}\n", long.replace("又大又重", "又大又旧")));
    let (passages, outcome) = passages_of(&Config::default(), &[&folder.0]);
    assert_eq!(ids(&passages), ["a.txt#1", "a.txt#3"]);
    assert_eq!((outcome.counts.exact_duplicates, outcome.counts.near_duplicates, outcome.counts.passages), (2, 1, 2));
    let (passages, outcome) = passages_of(&Config { near: Near::Off, ..Config::default() }, &[&folder.0]);
    assert_eq!(ids(&passages), ["a.txt#1", "a.txt#3", "b.txt#1"]);
    assert_eq!((outcome.counts.exact_duplicates, outcome.counts.near_duplicates), (2, 0));
}

/// About 8 MB in three files: several batches, with repeats across them.
fn big(folder: &Folder) {
    for file in 0..3_u32 {
        let mut text = String::new();
        for line in 0..14_000_u32 {
            // Every seventh line is nearly the same in all files, with one character of its own.
            let seed = if line % 7 == 0 { line } else { line + file * 1_000_000 };
            let mut number = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            for at in 0..60 {
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let own = if at == 30 { file } else { 0 };
                text.push(char::from_u32(0x4e00 + (number >> 33) as u32 % 3000 + own).expect("a character"));
            }
            text.push_str("。\n");
        }
        folder.file(&format!("{file}.txt"), text);
    }
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = Folder::new("threads");
    big(&folder);
    let all: Vec<(Vec<u8>, Outcome)> = [1, 2, 5]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let (passages, outcome) = pool.install(|| passages_of(&Config::default(), &[&folder.0]));
            assert!(
                passages
                    .iter()
                    .all(|passage| passage.words.iter().map(|word| word.text.as_str()).collect::<String>() == passage.text)
            );
            (serde_json::to_vec(&passages).expect("serializable"), outcome)
        })
        .collect();
    assert!(all[0] == all[1] && all[0] == all[2]);
    let counts = all[0].1.counts;
    // Of 2,000 shared lines in each of two later files all are near duplicates, but for the few that the sketches miss.
    assert!((3800..=4000).contains(&counts.near_duplicates), "{counts:?}");
    assert_eq!(counts.passages + counts.near_duplicates + counts.exact_duplicates, 42_000);
}

#[test]
fn a_sink_that_fails_ends_the_run() {
    let folder = Folder::new("full");
    folder.file("a.txt", LAKE);
    let full = |_| Err(std::io::Error::new(std::io::ErrorKind::StorageFull, "no space"));
    let error = run(&Config::default(), std::slice::from_ref(&folder.0), tag, |_| (), full).expect_err("a full disk");
    assert_eq!(error.to_string(), "cannot write passages: no space");
}

#[test]
fn progress_ends_at_the_total() {
    let folder = Folder::new("progress");
    big(&folder);
    let mut steps = Vec::new();
    let told = |progress| steps.push(progress);
    run(&Config::default(), std::slice::from_ref(&folder.0), |_| (vec![], vec![]), told, |_| Ok(())).expect("runs");
    assert!(steps.len() > 3 && steps.windows(2).all(|pair| pair[0].done <= pair[1].done), "{steps:?}");
    assert!(steps.iter().all(|step| step.total == steps[0].total));
    assert_eq!(steps.last().map(|step| step.done), Some(steps[0].total));
}

#[test]
fn a_file_without_line_ends_passes_in_pieces() {
    let folder = Folder::new("endless");
    let mut text = String::new();
    for number in 0..60_000_u64 {
        text.push_str(&format!(
            "第{number}座塔在第{}座山的后面，门口有{}棵树。",
            number * 7919 % 60_013,
            number * 104_729 % 59_999
        ));
    }
    assert!(text.len() > 3 << 20);
    folder.file("a.txt", format!("{text}\n{ROOM}"));
    let config = Config { near: Near::Off, ..Config::default() };
    let (passages, outcome) = passages_of(&config, &[&folder.0]);
    // Nothing is lost: pieces end at sentence ends. All of them are line 1.
    let last = passages.last().expect("passages");
    assert_eq!((last.text.as_str(), last.line), (ROOM, 2));
    text.push_str(ROOM);
    assert_eq!(passages.iter().map(|passage| passage.text.as_str()).collect::<String>(), text);
    assert_eq!((outcome.counts.too_short, outcome.counts.too_long), (0, 0));
}

/// Pieces of text, of JSON and of rubbish in any order: whatever comes out keeps the promises, and nothing panics.
#[test]
fn hostile_files_give_sound_passages_or_defects() {
    let gb = encoding_rs::GB18030.encode(LAKE).0.into_owned();
    let pieces: [&[u8]; 16] = [
        LAKE.as_bytes(),
        HILL.as_bytes(),
        "“他说：".as_bytes(),
        "……”".as_bytes(),
        b"\n",
        b"\r",
        b"\r\n\n",
        "　 ".as_bytes(),
        b"{\"text\":\"",
        b"\"}\n",
        b"[",
        &gb,
        b"\xff\xfe",
        b"\xe4\xb8",
        "\u{feff}".as_bytes(),
        b"\x01!?",
    ];
    let folder = Folder::new("hostile");
    let mut number = 1_u64;
    let mut below = |bound: usize| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) as usize % bound
    };
    for case in 0..2000 {
        let mut bytes = Vec::new();
        for _ in 0..below(30) {
            bytes.extend(pieces[below(pieces.len())]);
            // A number makes passages differ.
            bytes.extend(below(1_000_000).to_string().into_bytes());
        }
        folder.file(&format!("{case:04}.{}", ["txt", "jsonl", "md", "json"][below(4)]), bytes);
    }
    let mut sound = 0;
    for wrapped in [false, true] {
        let config = Config { wrapped, near: Near::Off, ..Config::default() };
        let (passages, outcome) = passages_of(&config, &[&folder.0]);
        assert_eq!(outcome.counts.files + outcome.counts.skipped_files, 2000);
        let mut ids: Vec<&str> = ids(&passages);
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]));
        for passage in &passages {
            let length = passage.text.chars().count();
            assert!((16..=256).contains(&length) && passage.text.trim() == passage.text, "{passage:?}");
            assert!(!passage.text.contains(|c: char| c.is_control() || c == '\u{fffd}') && passage.line > 0, "{passage:?}");
            sound += 1;
        }
    }
    assert!(sound > 500, "{sound}");
}
