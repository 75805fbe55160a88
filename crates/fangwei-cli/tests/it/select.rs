//! `fangwei select`: files and pipes in, passages out as they were, and a funnel.

use std::io::Read;

use fangwei::corpus::Passage;
use fangwei::corpus::tag::Tagger;
use fangwei::lexicon::Lexicon;

use crate::{Scratch, fangwei, fangwei_with, json, root};

/// Of each genre four rich passages and one poor one. The tagger is in doubt about two of eighteen words of the last rich one (场边).
pub const TEXTS: [(&str, &str); 15] = [
    ("news", "消防员把云梯架到五楼窗户外面，从阳台上抱出一个孩子，慢慢退回地面。"),
    ("news", "清晨，货车从码头开进市场，工人们站在车厢里，把一筐筐鲜鱼递到摊位前面。"),
    ("news", "新桥横跨东河，桥头两侧各立着一座石狮，桥下可以通过小型客船。"),
    ("news", "失主在候车室的长椅下面找到了背包，背包里的相机还在原来的夹层中。"),
    ("news", "有关部门表示，将继续完善制度，提高服务质量。"),
    ("literature", "老人拄着拐杖走出院门，沿着溪边的小路往上走，一直走到磨坊后面的坡顶。"),
    ("literature", "她把信夹进书里，把书塞回书架最上层，然后退到窗前，望着街对面的灯。"),
    ("literature", "雪从屋檐上滑下来，落在台阶旁边的水缸里，惊起了缸后的一只麻雀。"),
    ("literature", "孩子们围着火堆坐成一圈，火光映在身后的岩壁上，影子爬到了洞顶。"),
    ("literature", "他一生最珍惜的是友情，最看重的是信用。"),
    ("sport", "后卫从本方禁区里断下皮球，沿左边线向前推进，过了中线把球传到对方球门前。"),
    ("sport", "体操运动员从高杠上腾空翻下，双脚稳稳落在垫子中央，两臂向上举起。"),
    ("sport", "起跑后身体前倾，双臂在体侧前后摆动，冲过终点线后再慢慢转到外道。"),
    ("sport", "教练站在场边，让替补队员绕着球场跑两圈，再回到板凳前面集合。"),
    ("sport", "比赛的胜负并不重要，重要的是尽力而为的精神。"),
];

pub fn passages() -> String {
    let tagger = Tagger::new(Lexicon::shipped());
    let lines = TEXTS.iter().enumerate().map(|(number, (genre, text))| {
        let (words, doubts) = tagger.tag(text);
        let (source, id) = (format!("{genre}/01.txt"), format!("{genre}/01.txt#{}", number % 5 + 1));
        let line = number as u64 % 5 + 1;
        let passage =
            Passage { id: id.into(), genre: (*genre).into(), source: source.into(), line, text: (*text).into(), words, doubts };
        serde_json::to_string(&passage).expect("serializable") + "\n"
    });
    lines.collect()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_funnel_in_both_languages() {
    let scratch = Scratch::new("select-funnel");
    let (given, out) = (scratch.file("passages.jsonl", passages()), scratch.path("out.jsonl"));
    for lang in ["zh", "en"] {
        let run = fangwei(&["select", &given, "-o", &out, "--lang", lang, "--share", "news=2", "--share", "sport=1"]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        insta::assert_snapshot!(format!("select-{lang}"), run.out);
    }
    // Four news at most: by 2 to 1 that is four and two, and literature stays as it is.
    let kept = read(&out);
    let of = |genre: &str| kept.lines().filter(|line| line.contains(&format!("\"genre\":\"{genre}\""))).count();
    assert_eq!([of("news"), of("literature"), of("sport")], [4, 4, 2]);
    let lines = passages();
    let mut rest = lines.lines();
    assert!(kept.lines().all(|one| rest.any(|line| line == one)), "as they were, in their order");
}

#[test]
fn pipes_packed_files_and_threads_give_the_same() {
    let scratch = Scratch::new("select-pipes");
    let lines = passages();
    let given = scratch.file("passages.jsonl", &lines);
    let args = ["--total", "6", "--seed", "7"];
    let plain = fangwei(&[&["select", &given], &args[..]].concat());
    assert_eq!(plain.code, 0, "{}", plain.err);
    assert!(plain.out.lines().count() == 6 && plain.err.starts_with("criterion"), "{}", plain.err);
    let piped = fangwei_with(lines.as_bytes(), &[&["select", "-", "--threads", "1"], &args[..]].concat());
    assert_eq!((piped.out, piped.err), (plain.out.clone(), plain.err));
    let packed = scratch.path("out.jsonl.gz");
    assert_eq!(fangwei(&[&["select", &given, "-o", &packed], &args[..]].concat()).code, 0);
    let mut unpacked = String::new();
    let bytes = std::fs::read(&packed).expect("a file");
    flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut unpacked).expect("gzip");
    assert_eq!(unpacked, plain.out);
    // And what is packed is read.
    let again = fangwei(&["select", &packed]);
    assert_eq!(again.out, plain.out, "{}", again.err);
}

#[test]
fn the_report_says_what_made_it() {
    let scratch = Scratch::new("select-report");
    let given = scratch.file("passages.jsonl", passages());
    let build = scratch.file("build.toml", "[corpus]\nmin = 16\n\n[select]\nmin_density = 9\nweights = { verb = 1 }\n");
    let (out, report) = (scratch.path("out.jsonl"), scratch.path("funnel.json"));
    let args =
        ["select", &given, "-o", &out, "--config", &build, "--set", "min_density=9.5", "--report", &report, "--format", "json"];
    let printed = json(&args);
    assert_eq!(printed, serde_json::from_str::<serde_json::Value>(&read(&report)).expect("JSON"));
    assert_eq!(printed["config"]["min_density"], 9.5);
    assert_eq!(printed["config"]["weights"]["verb"], 1.0);
    assert_eq!(printed["total"]["passages"], 15);
    let fell = printed["total"]["fell"].as_object().expect("counts").values().filter_map(serde_json::Value::as_u64).sum::<u64>();
    assert_eq!(fell + printed["total"]["kept"].as_u64().expect("a count"), 15);
    // The poor passages have no three spatial words.
    assert_eq!(printed["total"]["fell"]["spatial"], 3);
}

#[test]
fn a_passage_is_explained() {
    let scratch = Scratch::new("select-explain");
    let given = scratch.file("passages.jsonl", passages());
    for lang in ["zh", "en"] {
        let run = fangwei(&["select", &given, "--explain", "news/01.txt#4", "--lang", lang]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        insta::assert_snapshot!(format!("select-explain-{lang}"), run.out);
    }
    let value = json(&["select", &given, "--explain", "news/01.txt#4", "--format", "json"]);
    assert_eq!(value["criteria"][0]["name"], "spatial");
    let run = fangwei(&["select", &given, "--explain", "news/01.txt#9"]);
    assert!(run.code == 1 && run.err.contains("no passage has the id news/01.txt#9"), "{}", run.err);
}

#[test]
fn mistakes_are_told_and_nothing_is_written() {
    let scratch = Scratch::new("select-mistakes");
    let given = scratch.file("passages.jsonl", passages());
    let out = scratch.path("out.jsonl");
    for (args, says) in [
        (vec!["--share", "nwes=1"], "did you mean news?"),
        (vec!["--share", "news"], "expected NAME=VALUE"),
        (vec!["--set", "min_densty=1"], "unknown field `min_densty`"),
        (vec!["--set", "max_guessed=80"], "expected a share from 0 to 1, found 80"),
        (vec!["--set", "weights.verbs=1"], "did you mean verb?"),
        (vec![given.as_str()], "the input is given twice"),
    ] {
        let run = fangwei(&[&["select", &given, "-o", &out], &args[..]].concat());
        assert!(run.code == 2 && run.err.contains(says), "{args:?}: {}", run.err);
    }
    let run = fangwei(&["select", &given, "-o", &given]);
    assert!(run.code == 2 && run.err.contains("the output is an input"), "{}", run.err);
    let run = fangwei(&["select", &given, "-o", &scratch.path("out.jsonl.zst")]);
    assert!(run.code == 2 && run.err.contains(".gz only"), "{}", run.err);
    let run = fangwei(&["select", &given, &scratch.path("missing.jsonl"), "-o", &out]);
    assert!(run.code == 1 && run.err.contains("cannot read"), "{}", run.err);
    let folder = root().display().to_string();
    assert!(fangwei(&["select", &folder]).err.contains("it is a folder"));
    let left: Vec<_> = std::fs::read_dir(scratch.path("")).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["passages.jsonl"], "no output, whole or in part");

    // A record that is no passage is named; the others are selected.
    let broken = passages().replacen("\"words\"", "\"tokens\"", 1);
    let run = fangwei_with(broken.as_bytes(), &["select", "-", "-o", &out]);
    assert!(run.code == 1 && run.err.contains("-:1 news/01.txt#1: error [missing-field]"), "{}", run.err);
    assert!(run.out.ends_with("records with errors: 1\n"), "{}", run.out);
    // Fifteen, less three that are poor, one in doubt and the broken one.
    assert_eq!(read(&out).lines().count(), 10);
}
