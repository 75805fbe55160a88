//! From marks to gold: the sample's judgements, policies, grades.

use std::path::Path as FilePath;

use fangwei::agree::{
    AgreeError, Decision, Grade, GradeRule, Keep, Marks, Measure, Options, OutlierRule, Path, Policy, Rest, Review, agree, grade,
    outliers, read_checks, read_marks, read_reviews, triage,
};
use fangwei::record::Source;

use super::near;

fn sample(name: &str) -> String {
    let path = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(name);
    std::fs::read_to_string(path).expect("the sample")
}

fn read(text: &str) -> Marks {
    let (marks, defects) = read_marks(Source::from_bytes("marks", text).expect("opens")).expect("reads");
    assert!(defects.is_empty(), "{defects:?}");
    Marks::new(marks, &[]).expect("few labels")
}

#[test]
fn the_sample_agrees_as_it_says() {
    let marks = read(&sample("gold/levels.tsv"));
    let agreement = agree(&marks, &Options { resampling: None, ..Options::default() }).expect("a table");
    // scikit-learn, statsmodels and krippendorff on the same file; weights and distances without the three items that somebody calls unfit
    let expected = [
        (Measure::Agreement, 0.887_528_691_660_290_7),
        (Measure::Cohen, 0.841_284_959_951_360_1),
        (Measure::Linear, 0.906_597_267_226_500_9),
        (Measure::Quadratic, 0.953_531_843_898_220_4),
        (Measure::Fleiss, 0.841_274_994_795_332_6),
        (Measure::AlphaNominal, 0.841_335_715_914_385_7),
        (Measure::AlphaOrdinal, 0.951_665_183_903_440_3),
        (Measure::AlphaInterval, 0.953_547_656_156_293_2),
    ];
    for (measure, value) in expected {
        let found = agreement.get(measure).value;
        assert!(found.is_ok_and(|found| near(found, value)), "{}: {found:?}", measure.as_str());
    }
    // agreement.json: of 1304 with two levels only one pair is two levels apart; 24 + 23 pairs lie on two sides
    assert!(near(agreement.get(Measure::Near).get().expect("a share"), 1303.0 / 1304.0));
    assert!(near(agreement.get(Measure::Sides).get().expect("a share"), (1304.0 - 1.0 - 24.0 - 23.0) / 1304.0));
}

#[test]
fn triage_of_the_sample_gives_its_gold() {
    let marks = read(&sample("gold/levels.tsv"));
    let triaged = triage(&marks, Policy::default()).expect("levels");
    let gold: Vec<(String, i64)> = triaged
        .of(Decision::Gold)
        .map(|decided| {
            let record = serde_json::to_value(decided.record(&marks, None)).expect("JSON");
            (record["qid"].as_str().expect("a qid").to_owned(), record["judge"].as_i64().expect("a verdict"))
        })
        .collect();
    let expected: Vec<(String, i64)> = sample("gold/judge.jsonl")
        .lines()
        .map(|line| {
            let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
            (record["qid"].as_str().expect("a qid").to_owned(), record["judge"].as_i64().expect("a verdict"))
        })
        .collect();
    assert_eq!(gold.len(), 175 + 522);
    let sorted = |mut list: Vec<(String, i64)>| {
        list.sort();
        list
    };
    assert_eq!(sorted(gold), sorted(expected));
    // agreement.json: 238 + 223 agree on a middle level; three were called unfit by one or both
    let count = |path: Path| triaged.items.iter().filter(|one| one.path == path).count();
    assert_eq!((count(Path::Middle), count(Path::Unfit), count(Path::Far)), (238 + 223, 3, 1));
    assert_eq!(count(Path::Near), 1307 - 697 - 461 - 3 - 1);
}

const FEW: &str =
    "item,甲,乙,丙\n1,fine,fine,\n2,fine,someFine,fine\n3,bad,fine,\n4,unfit,unfit,\n5,bad,unfit,\n6,bad,,\n7,someBad,someBad,\n";

#[test]
fn every_policy_decides_every_item() {
    use Decision::{Adjudicate, Discard, Gold, Wait};
    let marks = read(FEW);
    let decide = |keep, rest| -> Vec<(Decision, Path)> {
        let triaged = triage(&marks, Policy { keep, rest, ..Policy::default() }).expect("levels");
        triaged.items.iter().map(|one| (one.decision, one.path)).collect()
    };
    let extremes = [
        (Gold, Path::Extremes),
        (Adjudicate, Path::Near),
        (Adjudicate, Path::Far),
        (Discard, Path::Unfit),
        (Adjudicate, Path::Unfit),
        (Wait, Path::Few),
        (Adjudicate, Path::Middle),
    ];
    assert_eq!(decide(Keep::Extremes, Rest::Adjudicate), extremes);
    let agreed = decide(Keep::Agreed, Rest::Discard);
    assert_eq!((agreed[0], agreed[1], agreed[6]), ((Gold, Path::Agreed), (Discard, Path::Near), (Gold, Path::Agreed)));
    assert_eq!(decide(Keep::Majority, Rest::Discard)[1], (Gold, Path::Majority));
    let names = read("item,甲,乙\n1,x,x\n2,x,y\n");
    assert_eq!(triage(&names, Policy::default()), Err(AgreeError::NoExtremes));
    let split = triage(&names, Policy { keep: Keep::Agreed, ..Policy::default() }).expect("any labels");
    assert_eq!((split.items[0].decision, split.items[1].path), (Gold, Path::Split));
}

#[test]
fn gold_says_who_said_what_and_by_which_rule() {
    let marks = read(FEW);
    let triaged = triage(&marks, Policy { rest: Rest::Adjudicate, ..Policy::default() }).expect("levels");
    assert_eq!(
        triaged.items[0].record(&marks, Some("灯在桌上。")).to_line(),
        r#"{"qid":"1","context":"灯在桌上。","judge":1,"label":"fine","rule":"extremes","marks":[{"annotator":"甲","label":"fine"},{"annotator":"乙","label":"fine"}]}"#
    );
    assert_eq!(
        triaged.items[2].record(&marks, None).to_line(),
        r#"{"qid":"3","decision":"adjudicate","rule":"far","marks":[{"annotator":"甲","label":"bad"},{"annotator":"乙","label":"fine"}]}"#
    );
}

#[test]
fn grades_go_by_the_weakest_rate() {
    let mut table = String::from("item,甲,乙,丙\n");
    for item in 0..10 {
        let (second, third) = (if item < 9 { "someFine" } else { "bad" }, if item < 5 { "bad" } else { "fine" });
        table.push_str(&format!("{item},fine,{second},{third}\n"));
    }
    let marks = read(&table);
    let checks: Vec<_> = (0..5).map(|item| (item.to_string().into(), "完全正常".into())).collect();
    let review = |item: u32, annotator: &str, round, accept| Review {
        item: item.to_string().into(),
        annotator: annotator.into(),
        round,
        accept,
    };
    // 甲: 5 items passed at once. 乙: 5 items, one refused at first and passed then.
    let mut reviews: Vec<Review> = (0..5).map(|item| review(item, "甲", 1, true)).collect();
    reviews.extend((0..5).map(|item| review(item, "乙", 1, item > 0)));
    reviews.push(review(0, "乙", 2, true));
    let graded = grade(&marks, &reviews, &checks, &GradeRule::default());
    let [first, second, third] = &graded[..] else { panic!("three annotators") };
    // 甲 agrees in side with 乙 on 9 of 10 and with 丙 on 5 of 10
    assert_eq!((first.sides.hits, first.sides.of, first.agreement.hits), (14, 20, 5));
    assert_eq!(
        (first.checks.share(), first.pass.share(), first.grade, first.weakest),
        (Some(1.0), Some(1.0), Some(Grade::C), Some("sides"))
    );
    assert_eq!((second.first_pass.share(), second.pass.share()), (Some(0.8), Some(1.0)));
    // 丙 calls all five check questions abnormal
    assert_eq!((third.checks.share(), third.grade, third.weakest), (Some(0.0), Some(Grade::D), Some("checks")));
    // Fewer cases than five decide nothing.
    let none = grade(&read("item,甲\n1,fine\n"), &[], &[], &GradeRule::default());
    assert_eq!((none[0].grade, none[0].marked), (None, 1));
}

#[test]
fn reviews_and_checks_are_read_with_their_defects() {
    let lines = "{\"item\":\"1\",\"annotator\":\"甲\",\"accept\":false}\n{\"item\":\"1\",\"annotator\":\"甲\",\"accept\":true}\n{\"item\":\"2\",\"annotator\":\"甲\",\"accept\":1}\n{\"item\":\"2\",\"annotator\":\"甲\",\"accept\":true,\"round\":0}\n";
    let (reviews, defects) = read_reviews(Source::from_bytes("r", lines).expect("opens")).expect("reads");
    assert_eq!(reviews.iter().map(|review| (review.round, review.accept)).collect::<Vec<_>>(), [(1, false), (2, true)]);
    assert_eq!(
        defects.iter().map(|defect| (defect.line, defect.pointer.as_str())).collect::<Vec<_>>(),
        [(3, "/accept"), (4, "/round")]
    );
    let (checks, defects) =
        read_checks(Source::from_bytes("c", "{\"item\":\"1\",\"label\":2}\n{\"item\":\"2\"}\n").expect("opens")).expect("reads");
    assert_eq!((checks, defects.len()), (vec![("1".into(), "2".into())], 1));
}

#[test]
fn who_guesses_stands_apart_and_is_named_not_dropped() {
    // Five who err on one item in ten, each on others, and one who turns every second answer.
    let label = |item: usize, person: usize| match person {
        5 => item.is_multiple_of(2),
        _ => (item / 2).is_multiple_of(2) ^ (item % 10 == person),
    };
    let row = |item: usize| (0..6).map(|person| if label(item, person) { ",fine" } else { ",bad" }).collect::<String>();
    let table: String = (0..40).map(|item| format!("{item}{}\n", row(item))).collect();
    let marks = read(&format!("item,a,b,c,d,e,f\n{table}"));
    let agreement = agree(&marks, &Options { resampling: None, ..Options::default() }).expect("a table");
    let names: Vec<&str> = agreement.outliers.iter().map(|outlier| outlier.name.as_str()).collect();
    assert_eq!(names, ["f"]);
    assert_eq!(agreement.annotators.len(), 6);
    let without = agree(&marks.without(&["f".into()]), &Options { resampling: None, ..Options::default() }).expect("a table");
    assert!(without.get(Measure::Cohen).get() > agreement.get(Measure::Cohen).get());
    let means: Vec<_> = agreement.annotators.iter().map(|one| (one.name.clone(), one.mean)).collect();
    assert_eq!(outliers(&means, &OutlierRule::default()).len(), 1);
}
