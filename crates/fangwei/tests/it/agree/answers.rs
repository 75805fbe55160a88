//! Answers as marks, and annotators scored against each other by the scorer of their task.

use std::path::Path;

use fangwei::agree::{AnswerSet, Marks, Measure, differing_texts, marks_of, read_answers, score_pairs};
use fangwei::record::Source;
use fangwei::score::{read_preds, score};
use fangwei::stats::Resampling;
use fangwei::task::Mode;

use super::near;

fn sample(task: &str, name: &str) -> Source {
    Source::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(task).join(name)).expect("the sample")
}

fn sets(task: &str) -> Vec<AnswerSet> {
    let named = fangwei::tasks::find(task).expect("a task");
    let read = |name: &str| read_answers(named, name, sample(task, &format!("{name}.jsonl"))).expect("reads").0;
    vec![read("gold"), read("pred")]
}

#[test]
fn one_direction_is_the_official_score_of_what_was_answered() {
    for id in ["2022/attribute", "2022/roles", "2023/anomaly", "2023/roles", "2022-draft/attribute", "2022-draft/relations"] {
        let task = fangwei::tasks::find(id).expect("a task");
        let sets = sets(id);
        let scores = score_pairs(task, Mode::Official, &sets, None, |_| None).expect("scores");
        let preds = read_preds(task, sample(id, "pred.jsonl")).expect("reads");
        let scored = score(task, Mode::Official, sample(id, "gold.jsonl"), &preds, |_, _| ()).expect("scores");
        let answered = scored.total_of((0..scored.qids.len()).filter(|item| scored.answered[*item]));
        let official = task.measures(Mode::Official, &answered).get(task.scale().ranking).expect("a measure");
        let found = scores.pairs.iter().find(|pair| pair.gold == "gold").and_then(|pair| pair.score.get()).expect("a score");
        assert!(near(found, official), "{id}: {found} {official}");
        assert_eq!(scores.pairs[0].shared, answered.items, "{id}");
        let both = f64::midpoint(scores.pairs[0].score.get().expect("a score"), scores.pairs[1].score.get().expect("a score"));
        assert!(near(scores.mean.get().expect("a mean"), both), "{id}");
    }
}

#[test]
fn with_oneself_everything_is_identical() {
    for id in ["2022/attribute", "2022/roles", "2023/anomaly", "2023/roles"] {
        let task = fangwei::tasks::find(id).expect("a task");
        let gold = sets(id).swap_remove(0);
        let other = AnswerSet { annotator: "other".into(), ..gold.clone() };
        let resampling = Resampling { resamples: 50, ..Resampling::default() };
        let scores = score_pairs(task, Mode::Official, &[gold, other], Some(&resampling), |_| None).expect("scores");
        assert!(scores.mean.get().is_some_and(|mean| near(mean, 1.0)), "{id} {:?}", scores.mean);
        assert_eq!((scores.identical, scores.above_80), (Some(1.0), Some(1.0)), "{id}");
        assert!(scores.mean.interval.is_some_and(|interval| near(interval.low, 1.0)), "{id}");
    }
}

#[test]
fn verdicts_and_types_are_labels_and_spans_are_not() {
    let marks = Marks::new(marks_of(&sets("2022/judge")).expect("verdicts"), &[]).expect("two labels");
    // The made-up system answers 11 of 12 and 9 of them right: accuracy 0.75 of 12.
    assert!(Measure::Agreement.of(&marks).is_ok_and(|share| near(share, 9.0 / 11.0)));
    let types = Marks::new(marks_of(&sets("2022/attribute")).expect("types"), &[]).expect("few labels");
    assert!(
        types.labels().iter().all(|label| ["A", "B", "C", "AB", "AC", "BC", "ABC"].contains(&label.as_str())),
        "{:?}",
        types.labels()
    );
    assert!(marks_of(&sets("2023/roles")).is_none() && marks_of(&sets("2023/anomaly")).is_none());
}

#[test]
fn coreference_of_one_serves_both_and_other_texts_are_told() {
    let task = fangwei::tasks::find("2023/roles").expect("a task");
    let [gold, pred] = &sets("2023/roles")[..] else { panic!("two files") };
    // The file of predictions has no coreference; with that of the other, both directions see the same mentions.
    assert!(gold.items.iter().all(|item| item.corefs.is_some()) && pred.items.iter().all(|item| item.corefs.is_none()));
    let mut given = pred.clone();
    for item in &mut given.items {
        item.corefs = gold.items.iter().find(|other| other.qid == item.qid).and_then(|other| other.corefs.clone());
    }
    let mean =
        |pred: &AnswerSet| score_pairs(task, Mode::Official, &[gold.clone(), pred.clone()], None, |_| None).expect("scores").mean;
    assert_eq!(mean(pred), mean(&given));
    assert!(differing_texts(&[gold.clone(), pred.clone()]).is_empty());
    let mut other = gold.clone();
    other.annotator = "other".into();
    other.items[0].texts = fangwei::task::Texts::One { context: "灯在桌上。".into() };
    let told = differing_texts(&[gold.clone(), other]);
    assert_eq!(
        told.iter().map(|defect| (defect.code.as_str(), &*defect.file)).collect::<Vec<_>>(),
        [("context-mismatch", "other")]
    );
}
