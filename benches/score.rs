//! How fast the `fangwei` program scores large files, and in how much memory.
//!
//! `cargo bench --bench score` makes files by repeating the bundled sample under new qids, scores them with the release binary, and holds the time against a
//! reference measured in the same run: one thread that parses the same bytes into `serde_json::Value` and does nothing else. Machines are noisy; the ratio is not.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "measure/run.rs"]
mod run;

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use run::run;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sample");

/// A file of `items` records: those of the sample over and over, each under a qid of its own.
fn repeat(from: &str, to: &Path, items: usize) {
    let lines: Vec<serde_json::Value> = BufReader::new(File::open(Path::new(SAMPLE).join(from)).unwrap())
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect();
    let mut out = BufWriter::new(File::create(to).unwrap());
    for i in 0..items {
        let mut record = lines[i % lines.len()].clone();
        // The same sample item gets the same suffix in gold and predictions, whichever are missing there.
        let qid = record["qid"].as_str().unwrap().to_owned();
        record["qid"] = format!("{qid}-{}", i / lines.len()).into();
        serde_json::to_writer(&mut out, &record).unwrap();
        out.write_all(b"\n").unwrap();
    }
}

/// One thread, every line parsed into a tree and dropped.
fn reference(files: &[&Path]) -> Duration {
    let start = Instant::now();
    for file in files {
        for line in BufReader::with_capacity(1 << 20, File::open(file).unwrap()).lines() {
            let value: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
            std::hint::black_box(value);
        }
    }
    start.elapsed()
}

fn main() {
    let folder = std::env::temp_dir().join(format!("fangwei-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    println!("task            items    MB   seconds  peak MB  reference s  ratio");
    for (task, gold, pred, items) in [
        ("2023/roles", "2023/roles/gold.jsonl", "2023/roles/pred.jsonl", 100_000),
        ("2022/roles", "2022/roles/gold.jsonl", "2022/roles/pred.jsonl", 100_000),
        ("2023/anomaly", "2023/anomaly/gold.jsonl", "2023/anomaly/pred.jsonl", 100_000),
        ("2022/judge", "2022/judge/gold.jsonl", "2022/judge/pred.jsonl", 1_000_000),
    ] {
        let (gold_file, pred_file) = (folder.join("gold.jsonl"), folder.join("pred.jsonl"));
        repeat(gold, &gold_file, items);
        repeat(pred, &pred_file, items);
        let size = [&gold_file, &pred_file].map(|file| file.metadata().unwrap().len()).iter().sum::<u64>() as f64 / 1e6;
        let args =
            ["score", task, "--gold", gold_file.to_str().unwrap(), "--pred", pred_file.to_str().unwrap(), "--format", "json"];
        let (time, _, peak) = (0..3).map(|_| run(&args)).min_by_key(|(time, ..)| *time).unwrap();
        let reference = reference(&[&gold_file, &pred_file]);
        println!(
            "{task:<14} {items:>7} {size:>5.0} {:>9.2} {peak:>8.0} {:>12.2} {:>6.2}",
            time.as_secs_f64(),
            reference.as_secs_f64(),
            time.as_secs_f64() / reference.as_secs_f64()
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
