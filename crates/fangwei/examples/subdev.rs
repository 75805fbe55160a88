//! scratch
#![allow(clippy::all, clippy::pedantic, missing_docs, clippy::print_stdout, clippy::unwrap_used)]
use fangwei::corpus::{Passage, tag::Tagger};
use fangwei::lexicon::Lexicon;
fn main() {
    let lexicon = Lexicon::shipped();
    let tagger = Tagger::new(lexicon);
    let mut ps = vec![];
    let poor: Vec<String> = std::fs::read_to_string("/work/h/originals/poor.tsv")
        .unwrap()
        .lines()
        .filter_map(|l| l.split('\t').last().map(|s| s.to_string()))
        .collect();
    for g in ["news", "literature", "textbook", "traffic", "sport", "geography", "other"] {
        for f in ["01", "02", "03"] {
            let path = format!("/work/h/originals/source/{g}/{f}.txt");
            for (i, l) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
                let (words, doubts) = tagger.tag(l);
                if poor.contains(&l.to_string()) {
                    continue;
                }
                ps.push(Passage {
                    id: format!("{g}/{f}.txt#{}", i + 1).into(),
                    genre: g.into(),
                    source: format!("{g}/{f}.txt").as_str().into(),
                    line: i as u64 + 1,
                    text: l.into(),
                    words,
                    doubts,
                });
            }
        }
    }
    let keep: Vec<fangwei::substitute::Candidate> = std::fs::read_to_string("/work/h/judge/secret/candidates.jsonl").unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let mut cfg = fangwei::substitute::Config::default();
    cfg.single = 6;
    cfg.double = 1;
    cfg.per_place = 1;
    cfg.per_pair = 8;
    cfg.seed = 2022;
    let (c, f) = fangwei::substitute::substitute(&ps, lexicon, &cfg, &keep, || ()).unwrap();
    eprintln!("{f:#?} per original {} per word {}", f.per_original(), f.per_word());
    use std::io::Write;
    let mut o = std::fs::File::create("/work/h/judge/secret/candidates3.jsonl").unwrap();
    for c in &c {
        writeln!(o, "{}", serde_json::to_string(c).unwrap()).unwrap();
    }
    let (b, k) = fangwei::substitute::blind(&c.iter().filter(|c| !keep.contains(c)).cloned().collect::<Vec<_>>(), 2023);
    let mut o = std::fs::File::create("/work/h/judge/blind3.jsonl").unwrap();
    for c in &b {
        writeln!(o, "{}", serde_json::to_string(c).unwrap()).unwrap();
    }
    let mut o = std::fs::File::create("/work/h/judge/secret/key3.jsonl").unwrap();
    for c in &k {
        writeln!(o, "{}", serde_json::to_string(c).unwrap()).unwrap();
    }
}
