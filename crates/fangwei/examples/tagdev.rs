//! scratch
#![allow(clippy::all, clippy::pedantic, missing_docs, clippy::print_stdout, clippy::unwrap_used)]
use fangwei::corpus::tag::Tagger;
use fangwei::lexicon::Lexicon;
fn main() {
    let lexicon = Lexicon::shipped();
    let tagger = Tagger::new(lexicon);
    let quiet = std::env::args().nth(2).is_some();
    let (mut hit, mut gold_n, mut pred_n) = (0, 0, 0);
    let mut per: std::collections::BTreeMap<String, [usize; 3]> = Default::default();
    for line in std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap().lines() {
        let mut text = String::new();
        let mut gold = std::collections::BTreeSet::new();
        let mut rest = line;
        while let Some(open) = rest.find('[') {
            text.push_str(&rest[..open]);
            let close = rest.find(']').unwrap();
            let (w, c) = rest[open + 1..close].split_once('|').unwrap();
            gold.insert((text.chars().count(), w.to_string(), c.to_string()));
            text.push_str(w);
            rest = &rest[close + 1..];
        }
        text.push_str(rest);
        let (words, _) = tagger.tag(&text);
        let mut at = 0;
        let mut pred = std::collections::BTreeSet::new();
        for w in &words {
            if let Some(c) = w.class {
                pred.insert((at, w.text.to_string(), c.to_string()));
            }
            at += w.len();
        }
        for g in &gold {
            per.entry(g.2.clone()).or_default()[0] += 1;
            if pred.contains(g) {
                per.get_mut(&g.2).unwrap()[2] += 1;
            }
        }
        for g in &pred {
            per.entry(g.2.clone()).or_default()[1] += 1;
        }
        hit += gold.intersection(&pred).count();
        gold_n += gold.len();
        pred_n += pred.len();
        let miss: Vec<_> = gold.difference(&pred).collect();
        let extra: Vec<_> = pred.difference(&gold).collect();
        if !quiet && (!miss.is_empty() || !extra.is_empty()) {
            println!(
                "{}",
                words
                    .iter()
                    .map(|w| format!("{}/{}{}", w.text, w.pos, if w.class.is_some() { "*" } else { "" }))
                    .collect::<Vec<_>>()
                    .join(" ")
            );
            for m in miss {
                println!("   - {} {}@{}", m.1, m.2, m.0);
            }
            for m in extra {
                println!("   + {} {}@{}", m.1, m.2, m.0);
            }
        }
    }
    println!(
        "recall {:.4} precision {:.4} ({hit} of {gold_n}, {pred_n})",
        hit as f64 / gold_n as f64,
        hit as f64 / pred_n as f64
    );
    for (c, [g, p, h]) in per {
        println!("{c:14} R {:.3} P {:.3}  {h}/{g}/{p}", h as f64 / g as f64, h as f64 / p as f64);
    }
}
