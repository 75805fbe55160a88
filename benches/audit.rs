//! How fast the `fangwei` program audits a dataset of generated siblings.
//!
//! `cargo bench --bench audit` writes a file of judged sentences and one of their originals, audits both with the release binary, and holds the time against a
//! reference measured in the same run: one thread that parses the files and puts every five-character sequence into a set. Machines are noisy; the ratio is not.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const WORDS: [&str; 8] = ["里", "外", "上", "下", "前", "后", "旁", "中"];

/// A hundred characters that no other origin has in this order, with two places for words.
fn sentence(origin: u32, first: &str, second: &str) -> String {
    let mut state = origin;
    let mut noise = |length: usize| -> String {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from_u32(0x4e00 + (state >> 16) % 6000).unwrap()
        };
        (0..length).map(|_| next()).collect()
    };
    format!("{}{first}{}{second}{}", noise(40), noise(30), noise(28))
}

/// Five judged siblings an origin, and their originals.
fn write(origins: u32, judge: &Path, roles: &Path) {
    let (mut judge, mut roles) = (BufWriter::new(File::create(judge).unwrap()), BufWriter::new(File::create(roles).unwrap()));
    for origin in 0..origins {
        for sibling in 0..5 {
            let word = WORDS[1 + (origin + sibling) as usize % 7];
            let text = if sibling % 2 == 0 { sentence(origin, word, "上") } else { sentence(origin, "里", word) };
            let record =
                serde_json::json!({"qid": format!("1-{origin}-{sibling}"), "context": text, "judge": u8::from(word == "中")});
            writeln!(judge, "{record}").unwrap();
        }
        let record = serde_json::json!({"qid": format!("2-{origin}"), "context": sentence(origin, "里", "上"), "corefs": [], "non_corefs": [], "results": []});
        writeln!(roles, "{record}").unwrap();
    }
}

/// Parses the files and gathers their five-character sequences, on one thread.
fn reference(files: &[&Path]) -> Duration {
    let start = Instant::now();
    let mut grams: HashSet<Vec<char>> = HashSet::new();
    for file in files {
        for line in BufReader::new(File::open(file).unwrap()).lines() {
            let record: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
            let text: Vec<char> = record["context"].as_str().unwrap().chars().collect();
            grams.extend(text.windows(5).map(<[char]>::to_vec));
        }
    }
    std::hint::black_box(grams.len());
    start.elapsed()
}

fn main() {
    let folder = std::env::temp_dir().join(format!("fangwei-bench-audit-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (judge, roles) = (folder.join("judge.jsonl"), folder.join("roles.jsonl"));
    println!("items    seconds  reference s  ratio");
    for origins in [1_000, 4_000, 16_000] {
        write(origins, &judge, &roles);
        let audit = || {
            let start = Instant::now();
            let mut command = Command::new(env!("CARGO_BIN_EXE_fangwei"));
            let status =
                command.arg("audit").args([&judge, &roles]).args(["--fail-on", "none"]).stdout(Stdio::null()).status().unwrap();
            assert!(status.success(), "fangwei audit failed");
            start.elapsed()
        };
        let time = (0..3).map(|_| audit()).min().unwrap();
        let reference = reference(&[&judge, &roles]);
        println!(
            "{:>6} {:>9.2} {:>12.2} {:>6.1}",
            origins * 6,
            time.as_secs_f64(),
            reference.as_secs_f64(),
            time.as_secs_f64() / reference.as_secs_f64()
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
