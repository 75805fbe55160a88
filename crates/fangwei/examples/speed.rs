//! scratch
#![allow(clippy::all, clippy::pedantic, missing_docs, clippy::print_stdout, clippy::unwrap_used)]
use fangwei::corpus::tag::Tagger;
use fangwei::lexicon::Lexicon;
use rayon::prelude::*;
fn main() {
    let t = std::time::Instant::now();
    let tagger = Tagger::new(Lexicon::shipped());
    println!("load {:?}", t.elapsed());
    let mut lines: Vec<String> = vec![];
    for g in ["news","literature","textbook","traffic","sport","geography","other"] { for f in ["01","02","03"] {
        lines.extend(std::fs::read_to_string(format!("/work/h/originals/source/{g}/{f}.txt")).unwrap().lines().map(String::from));
    }}
    let bytes: usize = lines.iter().map(|l| l.len()).sum::<usize>() * 200;
    let all: Vec<&String> = lines.iter().cycle().take(lines.len()*200).collect();
    let t = std::time::Instant::now();
    let n: usize = all.iter().map(|l| tagger.tag(l).0.len()).sum();
    let s = t.elapsed().as_secs_f64();
    println!("1 thread {:.1} MB/s {n}", bytes as f64 / 1e6 / s);
    let t = std::time::Instant::now();
    let n: usize = all.par_iter().map(|l| tagger.tag(l).0.len()).sum();
    let s = t.elapsed().as_secs_f64();
    println!("2 threads {:.1} MB/s {n}", bytes as f64 / 1e6 / s);
}
