//! How fast two systems are compared: 10,000 resamples and as many permutations of 3,000 items.
//!
//! `cargo bench --bench compare` times the library function and the whole command. The reference, measured in the same run, is the plainest bootstrap on one thread: draw an
//! item, add its rows, read the measure; no permutation, no groups.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use fangwei::stats::{Groups, Resampling, Rows, paired};

const ITEMS: usize = 3_000;
const RESAMPLES: usize = 10_000;

/// F1 of mean precision and mean recall, as the role tasks have it.
fn measure(sums: &[f64], items: f64) -> f64 {
    fangwei::score::f1(sums[0] / items, sums[1] / items)
}

/// A small generator for made-up scores and for the reference.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

fn reference(a: &Rows, b: &Rows) -> f64 {
    let start = Instant::now();
    let mut state = 88_172_645_463_325_252;
    for _ in 0..RESAMPLES {
        let (mut sums_a, mut sums_b) = ([0.0; 4], [0.0; 4]);
        for _ in 0..ITEMS {
            let item = (next(&mut state) % ITEMS as u64) as usize;
            for (sums, rows) in [(&mut sums_a, a), (&mut sums_b, b)] {
                sums.iter_mut().zip(rows.row(item).unwrap()).for_each(|(sum, value)| *sum += value);
            }
        }
        std::hint::black_box(measure(&sums_a, ITEMS as f64) - measure(&sums_b, ITEMS as f64));
    }
    start.elapsed().as_secs_f64()
}

fn main() {
    let mut state = 2_463_534_242;
    let mut made_up = || {
        let mut rows = Rows::new(4);
        for _ in 0..ITEMS {
            let row: Vec<f64> = (0..4).map(|_| next(&mut state) as f64 / u64::MAX as f64).collect();
            rows.push(&row).unwrap();
        }
        rows
    };
    let (a, b) = (made_up(), made_up());
    let resampling = Resampling { resamples: RESAMPLES, ..Resampling::default() };
    let reference = reference(&a, &b);
    println!("what                       seconds  ratio");
    println!("reference, one thread     {reference:>8.3}   1.00");
    let times = (0..3).map(|_| {
        let start = Instant::now();
        std::hint::black_box(paired(&a, &b, &Groups::singletons(ITEMS), &measure, &resampling).unwrap());
        start.elapsed().as_secs_f64()
    });
    let time = times.fold(f64::INFINITY, f64::min);
    println!("stats::paired             {time:>8.3} {:>6.2}", time / reference);

    let folder = std::env::temp_dir().join(format!("fangwei-compare-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, wrong: u64| {
        let path = folder.join(name);
        let mut out = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
        let mut state = 1 + wrong;
        for item in 0..ITEMS {
            let judge = (item as u64 % 2) ^ u64::from(next(&mut state) % 100 < wrong);
            writeln!(out, "{{\"qid\":\"{item}\",\"context\":\"第{item}号箱子在第{}号架子上\",\"judge\":{judge}}}", item / 3)
                .unwrap();
        }
        path
    };
    let files = [write("gold.jsonl", 0), write("a.jsonl", 20), write("b.jsonl", 25)];
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_fangwei"))
        .args(["compare", "2022/judge", "--group", "none", "--gold"])
        .args(&files)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let time = start.elapsed().as_secs_f64();
    println!("fangwei compare, whole    {time:>8.3} {:>6.2}", time / reference);
    std::fs::remove_dir_all(&folder).unwrap();
}
