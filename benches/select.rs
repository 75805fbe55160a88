//! How fast passages are selected: megabytes a second of passages as JSON lines, and of their text alone.
//!
//! `cargo bench --bench select` times the whole step (training, judging, copying) in memory. The reference, measured in the same run, only parses the records.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::time::Instant;

use fangwei::corpus::Passage;
use fangwei::corpus::tag::Tagger;
use fangwei::lexicon::Lexicon;
use fangwei::record::{Source, each};
use fangwei::select::{Config, run};

const PASSAGES: usize = 60_000;

const THINGS: [&str; 12] = ["桌子", "箱子", "柜子", "书架", "沙发", "窗台", "木桥", "石阶", "门槛", "水缸", "草垛", "灯塔"];
const PLACES: [&str; 10] = ["上", "下", "里", "外", "旁边", "后面", "前面", "左侧", "附近", "中间"];
const ACTORS: [&str; 8] = ["小猫", "老人", "孩子", "司机", "渔夫", "教练", "麻雀", "邻居"];
const MOVES: [&str; 8] = ["跳到", "走到", "爬到", "跑到", "退到", "挪到", "绕到", "钻到"];
/// Every third passage is one of these, which fall at once.
const POOR: [&str; 2] = ["大家都同意这个意见，觉得应当继续努力，争取更大的进步。", "这项制度实行以来，服务质量有了很大提高。"];

fn text(state: &mut u64) -> String {
    let mut pick = |words: &[&'static str]| {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        words[(*state % words.len() as u64) as usize]
    };
    if pick(&["", "", "poor"]) == "poor" {
        return pick(&POOR).to_owned();
    }
    let clauses: Vec<String> = (0..4)
        .map(|_| {
            let (actor, from, way, to) = (pick(&ACTORS), pick(&THINGS), pick(&MOVES), pick(&THINGS));
            format!("{actor}从{from}{}{way}{to}{}", pick(&PLACES), pick(&PLACES))
        })
        .collect();
    clauses.join("，") + "。"
}

fn main() {
    let tagger = Tagger::new(Lexicon::shipped());
    let (mut state, mut lines, mut letters) = (88_172_645_463_325_252, String::new(), 0);
    for number in 0..PASSAGES {
        let text = text(&mut state);
        letters += text.len();
        let (words, doubts) = tagger.tag(&text);
        let (id, genre) = (format!("a/{}.txt#{number}", number % 100).into(), ["news", "sport"][number % 2].into());
        let passage = Passage { id, genre, source: format!("a/{}.txt", number % 100).into(), line: 1, text, words, doubts };
        lines.push_str(&serde_json::to_string(&passage).unwrap());
        lines.push('\n');
    }
    let (megabytes, of_text) = (lines.len() as f64 / 1e6, letters as f64 / 1e6);
    let best = |work: &dyn Fn()| {
        let times = (0..3).map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        });
        times.fold(f64::INFINITY, f64::min)
    };
    let source = || Source::from_bytes("p", lines.clone()).unwrap();
    let reference = best(&|| drop(each(source(), |_, _| (), |(), _| ()).unwrap()));
    println!("{PASSAGES} passages, {megabytes:.1} MB of records, {of_text:.1} MB of text");
    println!("what                        seconds   MB/s  MB/s of text  ratio");
    let row = |what: &str, time: f64| {
        println!("{what:<26} {time:>8.3} {:>6.1} {:>13.1} {:>6.2}", megabytes / time, of_text / time, time / reference);
    };
    row("reference: records parsed", reference);
    let select = |config: &Config| {
        let open = |number: usize| (number == 0).then(|| Ok(source()));
        let outcome = run(config, Lexicon::shipped(), None, &open, |_| Ok(())).unwrap();
        assert_eq!(outcome.funnel.total().passages, PASSAGES as u64);
    };
    row("select", best(&|| select(&Config::default())));
    let unguessed = Config { max_guessed: 1.0, min_hard: 0, ..Config::default() };
    row("select without the model", best(&|| select(&unguessed)));
}
