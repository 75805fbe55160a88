//! How fast the `fangwei` program cuts raw text into passages, with and without segmentation and tagging, and in how much memory.
//!
//! `cargo bench --bench corpus` makes up text (one paragraph in ten is a near copy of an earlier one), runs the release binary on it as plain text, GB18030 and
//! JSON lines, then with the tagger on sentences of the sample put together anew, and holds the time against a reference measured in the same run: one thread that reads the plain file and checks that it is UTF-8. Machines are
//! noisy; the ratio is not.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "measure/run.rs"]
mod run;

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use run::run;

const MEGABYTES: usize = 200;

/// With tagging.
const TAGGED: usize = 60;

/// Numbers without pattern, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// One character in three is common, as in any text.
    fn character(&mut self) -> char {
        let common = ['的', '一', '是', '了', '在', '不', '我', '有', '人', '他', '这', '上', '里', '来', '到', '大'];
        if self.below(3) == 0 {
            return common[self.below(common.len() as u64) as usize];
        }
        char::from_u32(0x4e00 + self.below(2500) as u32 * 3).unwrap()
    }

    fn paragraph(&mut self) -> String {
        let mut text = String::from("　　");
        for _ in 0..2 + self.below(5) {
            for clause in 0..=self.below(4) {
                text.push_str(if clause > 0 { "，" } else { "" });
                (0..4 + self.below(12)).for_each(|_| text.push(self.character()));
            }
            text.push('。');
        }
        text
    }
}

/// The sentences of the sample: real words, for a tagger's speed depends on them.
fn sentences() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample/source");
    let mut sentences = Vec::new();
    for genre in std::fs::read_dir(root).unwrap() {
        for file in std::fs::read_dir(genre.unwrap().path()).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            sentences.extend(text.split_inclusive('。').map(|sentence| sentence.trim().to_owned()));
        }
    }
    sentences.sort();
    sentences
}

/// Makes the bytes of a paragraph.
type Render<'r> = &'r dyn Fn(&str) -> Vec<u8>;

/// Writes paragraphs through `render` until the file has its size.
fn make(path: &Path, render: Render, megabytes: usize) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    let mut random = Random(1);
    let mut earlier: Vec<String> = Vec::new();
    let mut size = 0;
    while size < megabytes * 1_000_000 {
        let mut paragraph = random.paragraph();
        if !earlier.is_empty() && random.below(10) == 0 {
            let at = random.below(earlier.len() as u64) as usize;
            paragraph = earlier[at].replacen('，', "", 1).replacen('。', "了。", 1);
        } else if earlier.len() < 10_000 {
            earlier.push(paragraph.clone());
        }
        let bytes = render(&paragraph);
        size += bytes.len();
        out.write_all(&bytes).unwrap();
    }
}

/// One thread, every block read and checked.
fn reference(path: &Path) -> Duration {
    let start = Instant::now();
    let mut file = File::open(path).unwrap();
    let mut block = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut block).unwrap();
        if read == 0 {
            return start.elapsed();
        }
        std::hint::black_box(std::str::from_utf8(&block[..read]).is_ok());
    }
}

fn main() {
    let folder = std::env::temp_dir().join(format!("fangwei-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    println!("input      threads    MB  seconds   MB/s  CPU s  MB/CPU s  peak MB  reference s  ratio");
    let plain = |text: &str| format!("{text}\n").into_bytes();
    let json = |text: &str| format!("{}\n", serde_json::json!({ "genre": "story", "text": text })).into_bytes();
    let gb18030 = |text: &str| encoding_rs::GB18030.encode(&format!("{text}\n")).0.into_owned();
    let renders: [(&str, &str, Render); 3] =
        [("text", "a.txt", &plain), ("JSON lines", "a.jsonl", &json), ("GB18030", "b.txt", &gb18030)];
    for (name, file, render) in renders {
        let path = folder.join(file);
        make(&path, render, MEGABYTES);
        measure(name, &path, &folder.join("a.txt"), &["--no-tag"]);
    }
    let (known, path) = (sentences(), folder.join("tagged.txt"));
    let random = std::cell::RefCell::new(Random(2));
    let put_together = |_: &str| {
        let mut random = random.borrow_mut();
        let mut text: String = (0..3).map(|_| known[random.below(known.len() as u64) as usize].as_str()).collect();
        text.push('\n');
        text.into_bytes()
    };
    make(&path, &put_together, TAGGED);
    measure("tagged", &path, &path, &[]);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Runs the program on a file with one and two threads and prints a line for each.
fn measure(name: &str, path: &Path, plain: &Path, more: &[&str]) {
    let size = path.metadata().unwrap().len() as f64 / 1e6;
    for threads in ["1", "2"] {
        let args = [&["corpus", path.to_str().unwrap(), "-o", "/dev/null", "--threads", threads], more].concat();
        let (time, busy, peak) = (0..3).map(|_| run(&args)).min_by_key(|(time, ..)| *time).unwrap();
        let (seconds, reference) = (time.as_secs_f64(), reference(plain).as_secs_f64());
        println!(
            "{name:<10} {threads:>7} {size:>5.0} {seconds:>8.2} {:>6.0} {busy:>6.2} {:>9.0} {peak:>8.0} {reference:>12.2} {:>6.1}",
            size / seconds,
            size / busy,
            seconds / reference
        );
    }
}
