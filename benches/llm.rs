//! How fast the runner is: ten thousand items against the mock over loopback HTTP at 64 connections, and in how much memory.
//!
//! `cargo bench --bench llm` repeats the bundled sample, starts the mock in this process and runs the release binary against it, with a quarter, with all and with
//! four times the items: memory that grows with the items shows in the last. Then it scores and shows what is in the folder. The goal is 20 s on two cores.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "measure/run.rs"]
mod run;

use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei_llm::mock::{Book, Mock, Saying, Server};
use run::run;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sample/2023/anomaly/gold.jsonl");

fn main() {
    let folder = std::env::temp_dir().join(format!("fangwei-bench-llm-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let task = fangwei::tasks::find("2023/anomaly").unwrap();
    println!("command  items  stream  seconds  cpu s  peak MB  items/s");
    for (items, stream) in [(2_500, false), (10_000, false), (40_000, false), (10_000, true)] {
        let input = folder.join(format!("items-{items}.jsonl"));
        repeat(&input, items);
        let (sample, _) = read_items(task, Source::open(SAMPLE).unwrap(), true).unwrap();
        let mut mock = Mock::new(Saying::Gold(Book::new(task, sample)));
        mock.noise = 0.2;
        let mock = Arc::new(mock);
        let server = Server::start(mock.clone(), 0).unwrap();
        let out = folder.join(format!("run-{items}-{stream}"));
        let (url, input, out) = (server.base_url(), input.to_str().unwrap().to_owned(), out.to_str().unwrap().to_owned());
        let mut args = vec!["llm", "run", "--task", "2023/anomaly", "--model", "mock", "--base-url", &url];
        args.extend(["--input", &input, "--out", &out, "--connections", "64"]);
        if stream {
            args.push("--stream");
        }
        for (command, args) in [("run", args.as_slice()), ("score", &["llm", "score", &out]), ("view", &["llm", "view", &out])] {
            let (time, busy, peak) = run(args);
            let seconds = time.as_secs_f64();
            let each = items as f64 / seconds;
            println!("{command:<7}  {items:>5}  {stream:<6}  {seconds:>7.2}  {busy:>5.1}  {peak:>7.0}  {each:>7.0}");
        }
        assert_eq!(mock.requests(), items as u64, "only the run asks");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The sample over and over, each item under a qid of its own.
fn repeat(to: &Path, items: usize) {
    let sample = std::fs::read_to_string(SAMPLE).unwrap();
    let lines: Vec<serde_json::Value> = sample.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut out = BufWriter::new(std::fs::File::create(to).unwrap());
    for i in 0..items {
        let mut record = lines[i % lines.len()].clone();
        let qid = record["qid"].as_str().unwrap().to_owned();
        record["qid"] = format!("{qid}-{}", i / lines.len()).into();
        serde_json::to_writer(&mut out, &record).unwrap();
        out.write_all(b"\n").unwrap();
    }
}
