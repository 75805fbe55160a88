//! The shortcuts answer as their names say.

use fangwei::answer::{Answer, Verdict};
use fangwei::task::Item;
use fangwei::tasks;
use fangwei_predict::belief::Belief;
use fangwei_predict::find;
use fangwei_predict::options::Options;

use super::shared::{item, model, sample, set};

#[test]
fn the_majority_is_the_share_of_yes() {
    let (prior, task) = (find("prior").expect("a predictor"), tasks::find("2022/judge").expect("a task"));
    let options = Options::new(prior.options(), []).expect("defaults fit");
    let gold = sample().whole().of(task.id());
    let yes = gold.iter().filter(|example| matches!(example.item.gold, Some(Answer::Verdict(Verdict::Plain(true))))).count();
    let model = model(prior, task, &options);
    let belief = model.believe(&item(task, "什么都行", ""), &options).expect("believes");
    assert_eq!(belief, Belief::Verdict(yes as f64 / gold.len() as f64));
}

#[test]
fn siblings_count_only_where_the_shortcut_lives_on_them() {
    let (prior, task) = (find("prior").expect("a predictor"), tasks::find("2023/anomaly").expect("a task"));
    let texts = [
        "他从旧箱子里取出一本书放在桌上",
        "他从旧箱子外取出一本书放在桌上",
        "他从旧箱子里取出一本书放在桌下",
        "他从旧箱子里取进一本书放在桌上",
    ];
    let items: Vec<Item> = texts.iter().map(|text| item(task, text, "")).collect();
    for (by, told) in [("sibling-difference", true), ("pair-prior", true), ("word-prior", false), ("majority", false)] {
        let options = Options::new(prior.options(), [("by", by), ("candidates", "1")]).expect("fits");
        let mut model = model(prior, task, &options);
        let ask = |model: &dyn fangwei_predict::Model| model.answer(task, &items[1], &options).expect("answers");
        let before = ask(model.as_ref());
        model.prepare(&items).expect("can be prepared");
        let after = ask(model.as_ref());
        let Answer::Candidates(candidates) = &after else { panic!("candidates") };
        // 外 stands at 5: only siblings tell that it is the odd one.
        let hit = candidates[0].iter().any(|part| part.fragment.span.iter().any(|idx| idx.0 == 5));
        assert_eq!(hit && candidates.len() == 1, told || before == after && hit, "{by} {after:?}");
        assert!(told || before == after, "{by} looks at other items");
    }
}

#[test]
fn nothing_to_learn_from_is_an_error() {
    let prior = find("prior").expect("a predictor");
    let options = Options::new(prior.options(), []).expect("defaults fit");
    let material = fangwei_predict::material::Material::new(vec![set(tasks::find("2023/scene").expect("a task"))]);
    let curves = std::sync::Mutex::default();
    for id in ["2021/judge", "2021/joint", "2022/attribute", "2023/roles"] {
        let task = tasks::find(id).expect("a task");
        let job = fangwei_predict::job::Job::new(task, 7, &options, None, &fangwei_predict::job::Unwatched, &curves);
        let error = prior.train(&job, &material.whole()).expect_err("nothing there");
        assert!(error.to_string().contains("expected answered items of"), "{error}");
    }
}
