use super::*;
use crate::lang::Lang;
use crate::record::{Code, Defect};

/// Small tables without a defect, in the order of [`FILES`].
const GOOD: [&str; 7] = [
    "word\tclass\tmodel\tnote\n上\tlocative\tup-down\t-\n下\tlocative\tup-down\t-\n里\tlocative\tin-out\t-\n上\tdirectional\tup-down\tno rival\n",
    "group\tclass\twords\tnote\nlocative.mono\tlocative\t上 下 里\t-\n",
    "kind\tzh\ttakes\tnote\nsupport\t承托物\t上 下\t-\n",
    "noun\tkind\ttakes\tnote\n桌子\tsupport\t-\t-\n床\tsupport\t+里 -下\t-\n",
    "noun\tnote\n思想\t-\n",
    "word\tnote\n以后\twhole\n",
    "word\tnote\n上海\t-\n",
];

/// The good tables, one of them with lines put to its end.
fn with(table: &str, lines: &str) -> (Lexicon, Vec<Defect>) {
    let files = FILES.iter().zip(GOOD).map(|((name, _), text)| {
        let text = if *name == table { format!("{text}{lines}\n") } else { text.to_owned() };
        ((*name).to_owned(), text)
    });
    Lexicon::parse(&files.collect::<Vec<_>>())
}

fn told(defects: &[Defect]) -> Vec<String> {
    defects.iter().map(|defect| defect.render(Lang::En)).collect()
}

#[test]
fn the_shipped_lexicon_is_without_defect_and_large_enough() {
    let (lexicon, defects) = Lexicon::parse(&SHIPPED);
    assert!(defects.is_empty(), "{}", told(&defects).join("\n"));
    let words: BTreeSet<&str> = lexicon.entries().iter().map(|entry| entry.word.as_str()).collect();
    assert!(words.len() >= 1200, "{} words", words.len());
    assert!(lexicon.pairs().len() >= 5600, "{} pairs", lexicon.pairs().len());
}

#[test]
fn the_shipped_tables_are_listed_in_the_order_of_their_columns() {
    assert_eq!(SHIPPED.map(|(name, _)| name), FILES.map(|(name, _)| name));
}

#[test]
fn every_shipped_pair_is_reachable() {
    let lexicon = Lexicon::shipped();
    let mut reached = 0;
    for (class, word, rival) in lexicon.pairs() {
        assert!(lexicon.has(word, class) && lexicon.has(rival, class), "{class} {word} {rival}");
        let rivals = lexicon.rivals(word, class);
        let found: Vec<_> = rivals.iter().filter(|one| one.word == rival).collect();
        // Once, though several groups may hold both; and in a group of that class that really holds both.
        assert_eq!(found.len(), 1, "{class} {word} {rival}");
        let group = found[0].group;
        assert!(group.class == class && [word, rival].iter().all(|one| group.words.iter().any(|member| member == one)));
        reached += 1;
    }
    // Nothing is reached that is no pair.
    let rivals: usize = lexicon.entries().iter().map(|entry| lexicon.rivals(&entry.word, entry.class).len()).sum();
    assert_eq!(rivals, reached);
}

#[test]
fn shipped_groups_are_of_one_class_and_one_length() {
    let lexicon = Lexicon::shipped();
    for group in lexicon.groups() {
        assert!(group.name.starts_with(group.class.as_str()), "{} is a group of {}", group.name, group.class);
        let unique: BTreeSet<&SmolStr> = group.words.iter().collect();
        assert_eq!(unique.len(), group.words.len(), "{}", group.name);
        let characters: BTreeSet<usize> = group.words.iter().map(|word| word.chars().count()).collect();
        let by_sound: BTreeSet<usize> = group.words.iter().map(|word| syllables(word)).collect();
        assert!(characters.len() == 1 || by_sound.len() == 1, "{}: {:?}", group.name, group.words);
    }
    let names: BTreeSet<&SmolStr> = lexicon.groups().iter().map(|group| &group.name).collect();
    assert_eq!(names.len(), lexicon.groups().len());
    let entries: BTreeSet<(Class, &SmolStr)> = lexicon.entries().iter().map(|entry| (entry.class, &entry.word)).collect();
    assert_eq!(entries.len(), lexicon.entries().len());
}

#[test]
fn a_final_er_is_no_syllable_of_its_own() {
    let counts = ["上", "这里", "这儿", "旁边儿", "儿", "前后左右"].map(syllables);
    assert_eq!(counts, [1, 2, 1, 2, 1, 4]);
}

#[test]
fn a_word_has_an_entry_for_each_class() {
    let (lexicon, defects) = with("", "");
    assert!(defects.is_empty(), "{:?}", told(&defects));
    let classes: Vec<Class> = lexicon.look_up("上").map(|entry| entry.class).collect();
    assert_eq!(classes, [Class::Locative, Class::Directional]);
    let rivals: Vec<&str> = lexicon.rivals("上", Class::Locative).iter().map(|rival| rival.word.as_str()).collect();
    assert_eq!(rivals, ["下", "里"]);
    assert!(lexicon.rivals("上", Class::Directional).is_empty());
    // Three words that may take each other's place: 3 × 2 ordered pairs.
    assert_eq!(lexicon.pairs().len(), 6);
}

#[test]
fn a_noun_takes_what_its_kind_takes_and_what_it_adds_or_drops() {
    let (lexicon, _) = with("", "");
    let takes = |noun: &str| lexicon.noun(noun).expect("a noun").takes.join(" ");
    assert_eq!(takes("桌子"), "上 下");
    assert_eq!(takes("床"), "上 里");
    assert_eq!(lexicon.kind(lexicon.noun("床").expect("a noun")).name, "support");
    assert!(lexicon.is_abstract("思想") && lexicon.is_temporal("以后") && lexicon.is_fixed("上海"));
}

#[test]
fn windows_files_read_the_same() {
    let files = FILES.iter().zip(GOOD).map(|((name, _), text)| {
        let text = format!("\u{feff}# a remark\r\n\r\n{}", text.replace('\n', "\r\n"));
        ((*name).to_owned(), text)
    });
    let (lexicon, defects) = Lexicon::parse(&files.collect::<Vec<_>>());
    assert!(defects.is_empty(), "{:?}", told(&defects));
    assert!(Diff::of(&with("", "").0, &lexicon).is_empty());
}

/// A bad line at the end of a table: table, line, the code that it gets, and the number of that line.
const BAD: [(&str, &str, Code, u64); 21] = [
    ("words.tsv", "上\tlocative\tup-down\t-", Code::RepeatedEntry, 6),
    ("words.tsv", "左\tlocativ\tleft-right\t-", Code::BadKind, 6),
    ("words.tsv", "左\tlocative\tsideways\t-", Code::BadKind, 6),
    ("words.tsv", "左\tlocative\tleft-right", Code::BadRow, 6),
    ("words.tsv", " \tlocative\tleft-right\t-", Code::MissingName, 6),
    ("words.tsv", "左\tlocative\tleft-right\t-", Code::LonelyWord, 6),
    ("groups.tsv", "locative.mono\tlocative\t上 下\t-", Code::RepeatedEntry, 3),
    ("groups.tsv", "locative.x\tlocative\t上 下 上\t-", Code::RepeatedEntry, 3),
    ("groups.tsv", "locative.x\tlocative\t上 下 左\t-", Code::UnknownWord, 3),
    // 下 is in the lexicon, but not in this class.
    ("groups.tsv", "directional.x\tdirectional\t上 下\t-", Code::UnknownWord, 3),
    ("groups.tsv", "locative.x\tlocative\t上\t-", Code::BadRow, 3),
    ("groups.tsv", "locative.x\tadverbial\t上 下\t-", Code::BadKind, 3),
    ("kinds.tsv", "support\t承托物\t上\t-", Code::RepeatedEntry, 3),
    ("kinds.tsv", "surface\t面\t上 外\t-", Code::UnknownWord, 3),
    ("nouns.tsv", "桌子\tsupport\t-\t-", Code::RepeatedEntry, 4),
    ("nouns.tsv", "墙\tboundary\t-\t-", Code::BadKind, 4),
    ("nouns.tsv", "椅子\tsupport\t里\t-", Code::BadNotation, 4),
    ("nouns.tsv", "椅子\tsupport\t-里\t-", Code::UnknownWord, 4),
    ("abstract.tsv", "桌子\t-", Code::RepeatedEntry, 3),
    ("temporal.tsv", "以后\t-", Code::RepeatedEntry, 3),
    // A word cannot be spatial and never spatial.
    ("fixed.tsv", "上\t-", Code::RepeatedEntry, 3),
];

#[test]
fn every_defect_is_told_with_its_place() {
    for (table, line, code, at) in BAD {
        let (_, defects) = with(table, line);
        assert!(
            defects.iter().any(|defect| defect.code == code && defect.file.as_ref() == table && defect.line == at),
            "{table} {line}: expected {} on line {at}, found {:?}",
            code.as_str(),
            told(&defects)
        );
    }
    let codes: BTreeSet<Code> = BAD.iter().map(|(_, _, code, _)| *code).collect();
    // Told by the two tests below.
    assert!(!codes.contains(&Code::BadHeader) && !codes.contains(&Code::UnevenGroup));
}

#[test]
fn words_of_a_group_are_of_one_length() {
    let two = "上面\tlocative\tup-down\t-\n这儿\tdemonstrative\t-\t-\n这里\tdemonstrative\t-\t-\n此\tdemonstrative\t-\t-\n";
    let codes = |group: &str| {
        let texts = [format!("{}{two}", GOOD[0]), format!("{}{group}\n", GOOD[1])];
        let files: Vec<_> = FILES.iter().zip(texts).map(|((name, _), text)| ((*name).to_owned(), text)).collect();
        let (_, defects) = Lexicon::parse(&files);
        defects.iter().filter(|defect| defect.code == Code::UnevenGroup).count()
    };
    assert_eq!(codes("locative.x\tlocative\t上 下 上面\t-"), 1);
    // Even by characters, or by syllables, but not some by the one and some by the other.
    assert_eq!(codes("demonstrative.x\tdemonstrative\t这儿 这里\t-"), 0);
    assert_eq!(codes("demonstrative.x\tdemonstrative\t这儿 此\t-"), 0);
    assert_eq!(codes("demonstrative.x\tdemonstrative\t这儿 这里 此\t-"), 1);
}

#[test]
fn a_wrong_header_costs_its_table_only() {
    let files = [("words.tsv", GOOD[0]), ("groups.tsv", "group\twords\nx\t上 下\n")];
    let (lexicon, defects) = Lexicon::parse(&files);
    let header: Vec<_> = defects.iter().filter(|defect| defect.code == Code::BadHeader).collect();
    assert_eq!(header.len(), 1, "{:?}", told(&defects));
    assert_eq!((header[0].file.as_ref(), header[0].line), ("groups.tsv", 1));
    assert_eq!((lexicon.entries().len(), lexicon.groups().len()), (4, 0));
    let (_, defects) = Lexicon::parse(&[("words.tsv", "")]);
    assert_eq!(defects.iter().map(|defect| defect.code).collect::<Vec<_>>(), [Code::BadHeader]);
}

#[test]
fn of_two_rows_the_first_counts() {
    let (lexicon, _) = with("nouns.tsv", "桌子\tsupport\t-下\t-");
    assert_eq!(lexicon.noun("桌子").expect("a noun").takes, ["上", "下"]);
    let (lexicon, _) = with("words.tsv", "上\tlocative\tring\t-");
    assert_eq!(lexicon.entry("上", Class::Locative).and_then(|entry| entry.model), Some(Model::UpDown));
}

#[test]
fn similar_words_share_a_character() {
    let (lexicon, _) = with("", "");
    assert_eq!(lexicon.nearest("桌子儿", 5), ["桌子"]);
    assert!(lexicon.nearest("远", 5).is_empty());
    assert_eq!(Lexicon::shipped().nearest("山尖儿", 1), ["山尖"]);
}

#[test]
fn differences_are_found_in_every_table() {
    let (before, _) = with("", "");
    let texts = [
        // 下 goes, and with it its pairs; 里 gets another model; 外 comes with a group.
        "word\tclass\tmodel\tnote\n上\tlocative\tup-down\tanother remark\n里\tlocative\tring\t-\n外\tlocative\tin-out\t-\n上\tdirectional\tup-down\tno rival\n",
        "group\tclass\twords\tnote\nrenamed\tlocative\t上 里\t-\nother\tlocative\t里 外\t-\n",
        "kind\tzh\ttakes\tnote\nsupport\t承托物\t上\t-\n",
        "noun\tkind\ttakes\tnote\n桌子\tsupport\t-\t-\n床\tsupport\t+里\t-\n",
        "noun\tnote\n",
        "word\tnote\n以后\twhole\n以前\twhole\n",
        "word\tnote\n上海\t-\n",
    ];
    let files: Vec<_> = FILES.iter().zip(texts).map(|((name, _), text)| (*name, text)).collect();
    let (after, defects) = Lexicon::parse(&files);
    assert!(defects.is_empty(), "{:?}", told(&defects));
    let diff = Diff::of(&before, &after);
    let told: Vec<String> = diff
        .changes
        .iter()
        .map(|change| format!("{} {}: {:?} {:?}", change.table, change.name, change.before.as_deref(), change.after.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            "words locative 下: Some(\"up-down\") None",
            "words locative 外: None Some(\"in-out\")",
            "words locative 里: Some(\"in-out\") Some(\"ring\")",
            "pairs locative 上 下: Some(\"\") None",
            "pairs locative 下 上: Some(\"\") None",
            "pairs locative 下 里: Some(\"\") None",
            "pairs locative 外 里: None Some(\"\")",
            "pairs locative 里 下: Some(\"\") None",
            "pairs locative 里 外: None Some(\"\")",
            "kinds support: Some(\"上 下\") Some(\"上\")",
            // 床 drops 下 before and has none after: the same.
            "nouns 桌子: Some(\"support: 上 下\") Some(\"support: 上\")",
            "abstract 思想: Some(\"\") None",
            "temporal 以前: None Some(\"\")",
        ]
    );
    assert_eq!((diff.count("words"), diff.count("pairs"), diff.count("fixed")), ((1, 1, 1), (2, 4, 0), (0, 0, 0)));
}

#[test]
fn coverage_counts_spatial_uses_and_strangers() {
    let (lexicon, _) = with("", "");
    // 上 is spatial once and not spatial once; 外 is a locative that the lexicon lacks; 旁边 was tagged with another lexicon.
    let line = r#"{"id":"a#1","genre":"x","source":"a","line":1,"text":"桌子上思想上外旁边","words":[["桌子","n"],["上","f","locative"],["思想","n"],["上","f"],["外","f"],["旁边","f","locative"]]}"#;
    let mut coverage = Coverage::default();
    let passage: crate::corpus::Passage = serde_json::from_str(line).expect("a passage");
    coverage.add(&passage, &lexicon);
    coverage.add(&crate::corpus::Passage { words: Vec::new(), ..passage }, &lexicon);
    assert_eq!((coverage.passages, coverage.untagged, coverage.words), (2, 1, 6));
    let locative = coverage.classes(&lexicon)[0];
    assert_eq!((locative.class, locative.entries, locative.seen, locative.uses), (Class::Locative, 3, 1, 1));
    assert_eq!(coverage.seen().iter().map(|seen| seen.word.as_str()).collect::<Vec<_>>(), ["上"]);
    assert_eq!(coverage.strangers().iter().map(|seen| seen.word.as_str()).collect::<Vec<_>>(), ["外", "旁边"]);
    let unseen: Vec<_> = coverage.unseen(&lexicon).map(|entry| (entry.class, entry.word.as_str())).collect();
    assert_eq!(unseen, [(Class::Locative, "下"), (Class::Locative, "里"), (Class::Directional, "上")]);
}
