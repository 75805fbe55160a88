//! `fangwei lexicon`: what it says of words, and what a linguist does with the tables.

use crate::{Scratch, fangwei, fangwei_with, json};

/// A lexicon so small that what is shown of it does not change with the shipped one.
const SMALL: [(&str, &str); 7] = [
    (
        "words.tsv",
        "word\tclass\tmodel\tnote\n上\tlocative\tup-down\t抽象义不算\n下\tlocative\tup-down\t-\n里\tlocative\tin-out\t-\n旁\tlocative\tring\t-\n\
         旁边\tlocative\tring\t-\n附近\tlocative\tnear-far\t-\n上\tdirectional\tup-down\t-\n进\tdirectional\tin-out\t-\n门口\tplace\t-\tno rival\n",
    ),
    (
        "groups.tsv",
        "group\tclass\twords\tnote\nlocative.mono.vertical\tlocative\t上 下\t-\nlocative.mono\tlocative\t上 下 里 旁\t-\n\
         locative.two\tlocative\t旁边 附近\t-\ndirectional.mono\tdirectional\t上 进\t-\n",
    ),
    ("kinds.tsv", "kind\tzh\ttakes\tnote\nsupport\t承托物\t上 下 旁\t-\nvolume\t空间体\t里\t-\n"),
    ("nouns.tsv", "noun\tkind\ttakes\tnote\n桌子\tsupport\t-下 +里\t-\n床\tsupport\t-\t-\n屋子\tvolume\t-\t-\n"),
    ("abstract.tsv", "noun\tnote\n思想\t-\n"),
    ("temporal.tsv", "word\tnote\n以后\twhole\n"),
    ("fixed.tsv", "word\tnote\n出席\t-\n"),
];

/// Writes the small lexicon; gives its folder.
pub fn small(scratch: &Scratch, name: &str) -> String {
    let folder = scratch.path(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (table, text) in SMALL {
        std::fs::write(format!("{folder}/{table}"), text).expect("writable");
    }
    folder
}

/// Changes a table of a lexicon.
fn edit(folder: &str, table: &str, from: &str, to: &str) {
    let path = format!("{folder}/{table}");
    let text = std::fs::read_to_string(&path).expect("a table");
    assert!(text.contains(from), "{table} has {from}");
    std::fs::write(&path, text.replace(from, to)).expect("writable");
}

#[test]
fn a_word_is_shown_with_everything() {
    let scratch = Scratch::new("lexicon-show");
    let folder = small(&scratch, "small");
    let show = |more: &[&str]| {
        let words = ["上", "门口", "桌子", "思想", "以后", "出席"];
        let run = fangwei(&[&["lexicon", "show", "--lexicon", &folder], &words[..], more].concat());
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        run.out
    };
    insta::assert_snapshot!("show-en", show(&["--lang", "en"]));
    insta::assert_snapshot!("show-zh", show(&["--lang", "zh"]));
    insta::assert_snapshot!("show-csv", show(&["--lang", "en", "--format", "csv"]));
    let value = json(&["lexicon", "show", "上", "桌子", "--format", "json"]);
    assert_eq!(value[0]["entries"][0]["class"], "locative");
    assert_eq!(value[0]["entries"][1]["class"], "directional");
    assert_eq!(value[0]["noun"], serde_json::Value::Null);
    assert_eq!(value[1]["noun"]["kind"], "support");
    assert_eq!(value[1]["noun"]["takes"][0], "上");
}

#[test]
fn an_unknown_word_is_answered_with_similar_ones() {
    let run = fangwei(&["lexicon", "show", "上", "山尖儿", "--lang", "en"]);
    assert_eq!(run.code, 1);
    // What is known is shown all the same.
    assert!(run.out.starts_with("上\n"), "{}", run.out);
    assert_eq!(run.err, "山尖儿: the lexicon has no such word; similar ones are 山尖\n");
    let value = json(&["lexicon", "show", "山尖儿", "--format", "json"]);
    assert_eq!((&value[0]["known"], &value[0]["nearest"][0]), (&false.into(), &"山尖".into()));
}

#[test]
fn words_are_listed_by_conditions() {
    let scratch = Scratch::new("lexicon-list");
    let folder = small(&scratch, "small");
    let list = |args: &[&str]| {
        let run = fangwei(&[&["lexicon", "list", "--lang", "en"], args].concat());
        assert_eq!(run.code, 0, "{args:?}: {}", run.err);
        run.out
    };
    let of_small = |args: &[&str]| list(&[&["--lexicon", folder.as_str()], args].concat());
    insta::assert_snapshot!("list-words", of_small(&["--class", "locative", "--syllables", "1"]));
    insta::assert_snapshot!("list-pairs", of_small(&["--pairs", "--group", "locative.mono.vertical", "--format", "markdown"]));
    insta::assert_snapshot!("list-groups", of_small(&["--groups", "--model", "up-down"]));
    insta::assert_snapshot!("list-kinds", of_small(&["--kinds", "--format", "csv"]));
    insta::assert_snapshot!("list-nouns", of_small(&["--kind", "support"]));
    // A group's name stands for all that begin with it: the pairs of locative.mono hold those of locative.mono.vertical.
    assert_eq!(of_small(&["--pairs", "--group", "locative.mono"]).lines().count(), 1 + 4 * 3);
    assert_eq!(list(&["--nouns", "--kind", "sky"]), list(&["--kind", "sky"]));
    for table in ["--nouns", "--abstract", "--temporal", "--fixed", "--pairs", "--groups"] {
        assert!(list(&[table]).lines().count() > 100, "{table}");
    }
    // As many pairs as all rivals of all words.
    let words = json(&["lexicon", "list", "--class", "directional", "--format", "json"]);
    let rivals: u64 = words.as_array().expect("words").iter().filter_map(|word| word["rivals"].as_u64()).sum();
    let pairs = json(&["lexicon", "list", "--pairs", "--class", "directional", "--format", "json"]);
    assert_eq!(pairs.as_array().map(Vec::len), Some(rivals as usize));
}

#[test]
fn unknown_conditions_are_usage_errors() {
    for (args, hint) in [
        (["--class", "locativ"], "did you mean locative?"),
        (["--model", "updown"], "did you mean up-down?"),
        (["--group", "directional.mono.path."], "did you mean directional.mono.path?"),
        (["--kind", "volumes"], "did you mean volume?"),
        (["--pairs", "--nouns"], "cannot be used with"),
        (["--kind=volume", "--pairs"], "cannot be used with"),
    ] {
        let run = fangwei(&["lexicon", "list", "--lang", "en", args[0], args[1]]);
        assert!(run.code == 2 && run.err.contains(hint), "{args:?}: {} {}", run.code, run.err);
    }
}

#[test]
fn tables_go_out_are_edited_and_come_back() {
    let scratch = Scratch::new("lexicon-edit");
    let folder = scratch.path("mine");
    assert_eq!(fangwei(&["lexicon", "export", &folder]).code, 0);
    assert!(std::path::Path::new(&folder).join("README.md").exists());
    // Somebody's work is not overwritten.
    edit(&folder, "words.tsv", "\n旁\tlocative\tring", "\n旁\tlocative\tnear-far");
    let run = fangwei(&["lexicon", "export", &folder]);
    assert!(run.code == 2 && run.err.contains("--force"), "{}", run.err);
    assert_eq!(fangwei(&["lexicon", "check", &folder]).code, 0);
    assert!(fangwei(&["lexicon", "show", "旁", "--lexicon", &folder, "--lang", "en"]).out.contains("model near-far"));
    let value = json(&["lexicon", "diff", &folder, "--format", "json"]);
    assert_eq!(value.as_array().map(Vec::len), Some(1), "{value}");
    assert_eq!((&value[0]["before"], &value[0]["after"]), (&"ring".into(), &"near-far".into()));
    assert_eq!(fangwei(&["lexicon", "export", &folder, "--force"]).code, 0);
    assert_eq!(fangwei(&["lexicon", "diff", &folder, "--lang", "en"]).out, "no difference\n");
}

#[test]
fn differences_of_two_folders() {
    let scratch = Scratch::new("lexicon-diff");
    let (a, b) = (small(&scratch, "a"), small(&scratch, "b"));
    edit(&b, "words.tsv", "附近\tlocative\tnear-far", "附近\tlocative\tring");
    edit(&b, "groups.tsv", "上 下 里 旁", "上 下 旁");
    edit(&b, "words.tsv", "里\tlocative\tin-out\t-", "里\tlocative\tin-out\tno rival");
    edit(&b, "nouns.tsv", "-下 +里", "-下");
    edit(&b, "fixed.tsv", "出席", "出家");
    insta::assert_snapshot!("diff-en", fangwei(&["lexicon", "diff", &a, &b, "--lang", "en"]).out);
    insta::assert_snapshot!("diff-csv", fangwei(&["lexicon", "diff", &a, &b, "--lang", "en", "--format", "csv"]).out);
    insta::assert_snapshot!(
        "diff-summary",
        fangwei(&["lexicon", "diff", &b, &a, "--lang", "zh", "--summary", "--format", "markdown"]).out
    );
    assert_eq!(fangwei(&["lexicon", "diff", &a, &a, "--lang", "en"]).out, "no difference\n");
}

#[test]
fn defects_are_told_with_file_and_line() {
    let scratch = Scratch::new("lexicon-check");
    let folder = small(&scratch, "small");
    edit(&folder, "nouns.tsv", "-下 +里", "里");
    edit(&folder, "nouns.tsv", "屋子\tvolume", "屋子\tvolumes");
    edit(&folder, "groups.tsv", "旁边 附近", "旁边 附近 里");
    edit(&folder, "words.tsv", "no rival", "-");
    for lang in ["zh", "en"] {
        let run = fangwei(&["lexicon", "check", &folder, "--lang", lang]);
        assert_eq!(run.code, 1);
        insta::assert_snapshot!(format!("check-{lang}"), run.out.replace(&format!("{folder}/"), ""));
    }
    let value = json(&["lexicon", "check", &folder, "--format", "json"]);
    assert_eq!((&value["ok"], &value["errors"], &value["warnings"]), (&false.into(), &3.into(), &1.into()));
    assert_eq!((&value["defects"][1]["code"], &value["defects"][1]["line"]), (&"uneven-group".into(), &4.into()));
    // A lexicon with errors is not used.
    let run = fangwei(&["lexicon", "show", "上", "--lexicon", &folder, "--lang", "en"]);
    assert!(run.code == 1 && run.out.is_empty() && run.err.contains("nouns.tsv:2: error"), "{}", run.err);
    std::fs::write(format!("{folder}/nouns.tsv"), b"noun\tkind\ttakes\tnote\n\xd7\xc0\xd7\xd3\tsupport\t-\t-\n")
        .expect("writable");
    let run = fangwei(&["lexicon", "check", &folder, "--lang", "en"]);
    assert!(run.code == 1 && run.out.contains("nouns.tsv:2: error [bad-encoding]"), "{}", run.out);
    std::fs::remove_file(format!("{folder}/nouns.tsv")).expect("was there");
    let run = fangwei(&["lexicon", "check", &folder, "--lang", "en"]);
    assert!(run.code == 1 && run.err.contains("cannot read") && run.err.contains("nouns.tsv"), "{}", run.err);
}

#[test]
fn the_shipped_lexicon_is_counted() {
    let run = fangwei(&["lexicon", "check"]);
    assert_eq!(run.code, 0, "{}", run.out);
    let value = json(&["lexicon", "check", "--format", "json"]);
    let classes = value["classes"].as_array().expect("classes");
    assert_eq!(classes.len(), 7);
    assert!(classes.iter().filter_map(|class| class["pairs"].as_u64()).sum::<u64>() >= 5600, "{value}");
}

/// Two passages as `fangwei corpus` writes them; 楔旁 is made up, so that no lexicon knows it.
pub const PASSAGES: &str = concat!(
    r#"{"id":"a#1","genre":"x","source":"a","line":1,"text":"猫趴在桌子上，狗坐在桌子旁边。","words":[["猫","n"],["趴","v","verb"],["在","p","preposition"],["桌子","n"],["上","f","locative"],["，","w"],["狗","n"],["坐","v","verb"],["在","p","preposition"],["桌子","n"],["旁边","f","locative"],["。","w"]]}"#,
    "\n",
    r#"{"id":"a#2","genre":"x","source":"a","line":2,"text":"鸟在树上，楔旁没人。","words":[["鸟","n"],["在","p","preposition"],["树","n"],["上","f","locative"],["，","w"],["楔旁","f"],["没人","v"],["。","w"]]}"#,
    "\n"
);

#[test]
fn coverage_of_passages() {
    let run = fangwei_with(PASSAGES.as_bytes(), &["lexicon", "coverage", "-", "--top", "3", "--lang", "en"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.contains("2 passages, 20 words") && run.out.contains("words that the lexicon lacks"), "{}", run.out);
    let scratch = Scratch::new("coverage");
    let folder = small(&scratch, "small");
    let run = fangwei_with(PASSAGES.as_bytes(), &["lexicon", "coverage", "-", "--unseen", "--lexicon", &folder, "--lang", "en"]);
    insta::assert_snapshot!("coverage-en", run.out);
    let csv =
        fangwei_with(PASSAGES.as_bytes(), &["lexicon", "coverage", "-", "--lexicon", &folder, "--lang", "en", "--format", "csv"]);
    assert_eq!(csv.out, "word,class,uses\n上,locative,2\n旁边,locative,1\n在,,3\n坐,,1\n楔旁,,1\n趴,,1\n");
    let (file, bad) = (scratch.file("p.jsonl", PASSAGES), scratch.file("bad.jsonl", "{\"id\":\"a#3\"}\n"));
    let value = json(&["lexicon", "coverage", &file, "--unseen", "--format", "json"]);
    // 趴 坐 are two of the verbs, 在 one preposition three times, 上 twice and 旁边 once two locatives.
    let class = |at: usize| (value["classes"][at]["seen"].as_u64(), value["classes"][at]["uses"].as_u64());
    assert_eq!([class(0), class(3), class(4)], [(Some(2), Some(3)), (Some(2), Some(2)), (Some(1), Some(3))]);
    assert_eq!((&value["seen"][0]["word"], &value["seen"][0]["count"]), (&"在".into(), &3.into()));
    assert_eq!(value["strangers"][0]["word"], "楔旁");
    let entries: u64 = value["classes"].as_array().expect("classes").iter().filter_map(|class| class["entries"].as_u64()).sum();
    assert_eq!(value["unseen"].as_array().map(|unseen| unseen.len() as u64), Some(entries - 5));
    let run = fangwei(&["lexicon", "coverage", &file, &bad, "--lang", "en"]);
    // Every field that is missing is told, and the record has a name by then.
    let told = |field: &str| {
        run.err.contains(&format!("bad.jsonl:1 a#3: error [missing-field] a field is missing; expected field {field};"))
    };
    assert!(run.code == 1 && ["genre", "source", "line", "text", "words"].into_iter().all(told), "{}", run.err);
    assert_eq!(run.err.lines().count(), 5, "{}", run.err);
    assert!(run.out.contains("2 passages"), "{}", run.out);
}
