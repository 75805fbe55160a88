//! What each rule finds, by its own examples and by marks made up for it.

use super::*;
use crate::answer::Answer;
use crate::lang::Lang;
use crate::record::{Check, Json};
use crate::task::Task;

fn task_of(kind: Kind) -> &'static dyn Task {
    crate::tasks::all().find(|task| task.kind() == kind).expect("a task of each kind")
}

/// The kind of answers in which a rule's examples are written; tuples in the form of 2022, which can write all of them.
fn kind_of(rule: &Rule) -> Kind {
    let scene = rule.id == "FM01";
    if scene { Kind::Scene } else { rule.on[0] }
}

fn findings(example: &Example, kind: Kind) -> Vec<Finding> {
    let read = example.read(kind).unwrap_or_else(|error| panic!("{example:?}: {error}"));
    let reading = Reading::of(read.item.texts.context());
    let subject = Subject::new(task_of(kind), &read.item, &read.mark, &reading).knowing(read.replaced);
    check_subject(&subject, RULES)
}

fn shown(findings: &[Finding]) -> String {
    findings.iter().map(|finding| format!("{} {} {}\n", finding.rule, finding.pointer, finding.message.zh)).collect()
}

fn words_of(example: &Example) -> String {
    let reading = Reading::of(example.text);
    reading
        .words()
        .map(|word| format!("{}/{}{} ", word.text, word.pos, word.class.map(|class| format!("/{class}")).unwrap_or_default()))
        .collect()
}

#[test]
fn every_rule_finds_its_failing_example_and_nothing_else() {
    let mut wrong = String::new();
    for rule in RULES {
        let found = findings(&rule.fails, kind_of(rule));
        let (own, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|finding| finding.rule == rule.id);
        let others: Vec<_> = others.into_iter().filter(|finding| finding.severity > Severity::Hint).collect();
        if own.len() != 1 || !others.is_empty() {
            wrong.push_str(&format!("{} fails {} times\n{}{}\n", rule.id, own.len(), shown(&others), words_of(&rule.fails)));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_rule_passes_its_passing_examples() {
    let mut wrong = String::new();
    for rule in RULES {
        for (number, example) in rule.passes.iter().enumerate() {
            let found = findings(example, kind_of(rule));
            // The first is shown to people: no rule at all may complain of it.
            let told = |finding: &&Finding| finding.rule == rule.id || number == 0 && finding.severity > Severity::Hint;
            let told: Vec<Finding> = found.iter().filter(told).cloned().collect();
            if !told.is_empty() {
                wrong.push_str(&format!("{} no. {number}\n{}{}\n", rule.id, shown(&told), words_of(example)));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn both_years_of_tuples_are_judged_alike() {
    // 2023 has one 时间, so a literal time beside a label cannot be written; and an empty fragment hides its label.
    let only_2022 = ["SR08"];
    for rule in RULES.iter().filter(|rule| rule.on == [Kind::Slots, Kind::Tuples]) {
        if only_2022.contains(&rule.id) {
            continue;
        }
        let found = findings(&rule.fails, Kind::Tuples);
        assert!(found.iter().any(|finding| finding.rule == rule.id), "{}\n{}", rule.id, shown(&found));
        for example in rule.passes {
            let found = findings(example, Kind::Tuples);
            assert!(found.iter().all(|finding| finding.rule != rule.id), "{} {example:?}\n{}", rule.id, shown(&found));
        }
    }
}

#[test]
fn both_years_of_anomalies_are_judged_alike() {
    for rule in RULES.iter().filter(|rule| rule.on == [Kind::Reasons, Kind::Candidates]) {
        // A collocation has no counterpart; a triple of type C is a candidate, and what is too few there is not here.
        let as_candidate = |example: &Example| -> Option<Mark> {
            let mut mark = example.read(Kind::Reasons).ok()?.mark;
            let Some(Answer::Reasons(reasons)) = mark.answer.take() else { return None };
            let plain = reasons.iter().all(|reason| reason.kind != crate::answer::ReasonType::A);
            mark.answer = Some(Answer::Candidates(reasons.into_iter().map(|reason| reason.fragments).collect()));
            (plain && rule.id != "AT02").then_some(mark)
        };
        let Some(mark) = as_candidate(&rule.fails) else { continue };
        let read = rule.fails.read(Kind::Reasons).expect("read above");
        let reading = Reading::of(rule.fails.text);
        let subject = Subject::new(task_of(Kind::Candidates), &read.item, &mark, &reading).knowing(read.replaced);
        let found = check_subject(&subject, RULES);
        assert!(found.iter().any(|finding| finding.rule == rule.id), "{}\n{}", rule.id, shown(&found));
    }
}

#[test]
fn a_fix_mends_what_it_says() {
    let mut fixes = 0;
    let year = |rule: &Rule| if rule.on == [Kind::Slots, Kind::Tuples] { rule.on.to_vec() } else { vec![kind_of(rule)] };
    for (rule, kind) in RULES.iter().flat_map(|rule| year(rule).into_iter().map(move |kind| (rule, kind))) {
        let read = rule.fails.read(kind).expect("an example");
        let reading = Reading::of(read.item.texts.context());
        for finding in check(task_of(kind), &read.item, &read.mark, &[rule]) {
            let Some(fix) = &finding.fix else { continue };
            fixes += 1;
            let mended = fix.apply(&read.mark, &reading);
            assert_ne!(mended, read.mark, "{} changes nothing", rule.id);
            let left = check(task_of(kind), &read.item, &mended, &[rule]);
            assert!(left.is_empty(), "{}: {} leaves\n{}", rule.id, fix.say(&reading).zh, shown(&left));
        }
    }
    assert!(fixes >= 60, "{fixes} fixes, of tuples in both years");
}

#[test]
fn pointers_lead_into_the_written_mark() {
    for rule in RULES {
        let kind = kind_of(rule);
        let mut read = rule.fails.read(kind).expect("an example");
        if read.mark.answer == Some(Answer::Verdict(crate::answer::Verdict::Neither)) {
            read.mark.answer = None;
        }
        let written: serde_json::Value = serde_json::from_str(&read.mark.write(task_of(kind)).to_line()).expect("JSON");
        for finding in findings(&rule.fails, kind) {
            let there =
                written.pointer(&finding.pointer).is_some() || finding.pointer == "/answer" || finding.pointer == "/level";
            assert!(there, "{} {} is not in {written}", rule.id, finding.pointer);
        }
    }
}

#[test]
fn marks_are_read_as_they_were_written() {
    for rule in RULES {
        let kind = kind_of(rule);
        for example in rule.passes.iter().chain([&rule.fails]) {
            let mut mark = example.read(kind).expect("an example").mark;
            if matches!(mark.answer, Some(Answer::Verdict(crate::answer::Verdict::Neither))) {
                mark.answer = None;
            }
            mark.draft = true;
            mark.note = "看不准".into();
            mark.waivers.push(Waiver { rule: rule.id.into(), at: "[1-2]".into(), reason: "固定说法".into() });
            let line = mark.write(task_of(kind)).to_line();
            let mut check = Check::new("mark".into(), 1);
            let read = Mark::read(task_of(kind), &Json::parse(line.as_bytes()).expect("JSON"), &mut check);
            assert_eq!(read.as_ref(), Some(&mark), "{line}\n{:?}", check.defects);
        }
    }
}

#[test]
fn what_cannot_be_a_mark_is_refused_with_its_place() {
    for (given, pointer) in [
        (r#"{"version":2}"#, "/version"),
        (r#"{"version":1,"level":"good"}"#, "/level"),
        (r#"{"version":1,"special":["x"]}"#, "/special/0"),
        (r#"{"version":1,"unsuitable":{"reason":3}}"#, "/unsuitable/reason"),
        (r#"{"version":1,"waivers":[{"rule":"SF15","at":"[1]","reason":" "}]}"#, "/waivers/0/reason"),
        (r#"{"version":1,"answer":{"results":7}}"#, "/answer/results"),
        ("[1]", ""),
    ] {
        let mut check = Check::new("mark".into(), 1);
        assert_eq!(Mark::read(task_of(Kind::Tuples), &Json::parse(given.as_bytes()).expect("JSON"), &mut check), None, "{given}");
        assert_eq!(check.defects[0].pointer, pointer, "{given}");
    }
}

#[test]
fn a_waived_warning_stays_listed_and_an_error_cannot_be_waived() {
    let warns = &rule("SF15").expect("a rule").fails;
    let mut read = warns.read(Kind::Slots).expect("an example");
    let task = task_of(Kind::Slots);
    let found = check(task, &read.item, &read.mark, RULES);
    let finding = found.iter().find(|finding| finding.rule == "SF15").expect("a finding");
    assert_eq!(finding.at(), "[1-3]", "从屋里 stands at 1 to 3");
    read.mark.waivers.push(Waiver { rule: "SF15".into(), at: finding.at(), reason: "方言".into() });
    let found = check(task, &read.item, &read.mark, RULES);
    let finding = found.iter().find(|finding| finding.rule == "SF15").expect("still listed");
    assert_eq!(finding.waived.as_deref(), Some("方言"));

    let errs = &rule("SR01").expect("a rule").fails;
    let mut read = errs.read(Kind::Slots).expect("an example");
    let at = check(task, &read.item, &read.mark, RULES)[0].at();
    read.mark.waivers.push(Waiver { rule: "SR01".into(), at, reason: "不要紧".into() });
    let found = check(task, &read.item, &read.mark, RULES);
    assert!(found[0].blocks() && found[0].waived.is_none(), "{}", shown(&found));
}

#[test]
fn rules_are_complete_and_named_once() {
    let mut ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    assert!(ids.iter().all(|id| id.len() == 4 && id[..2].chars().all(|c| c.is_ascii_uppercase())), "{ids:?}");
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
    for rule in RULES {
        assert!(!rule.passes.is_empty() && !rule.on.is_empty(), "{}", rule.id);
        for words in [rule.title, rule.message] {
            assert!(!words.zh.is_empty() && !words.en.is_empty(), "{}", rule.id);
            assert!(!words.zh.ends_with('。') && !words.en.ends_with('.'), "{}", rule.id);
        }
    }
}

#[test]
fn replaced_words_are_no_matter_of_annotators() {
    let read = rule("AT07").expect("a rule").fails.read(Kind::Reasons).expect("an example");
    let found = check(task_of(Kind::Reasons), &read.item, &read.mark, RULES);
    assert!(found.iter().all(|finding| finding.rule != "AT07"), "what is not told cannot be found");
}

#[test]
fn a_finding_as_json_brings_the_mended_mark() {
    let example = &rule("SF03").expect("a rule").fails;
    let read = example.read(Kind::Tuples).expect("an example");
    let reading = Reading::of(example.text);
    let task = task_of(Kind::Tuples);
    let found = check(task, &read.item, &read.mark, RULES);
    let json = found[0].to_json(task, &read.mark, &reading, Lang::En);
    assert_eq!(json["rule"], "SF03");
    assert_eq!(json["message"], "处所“桌上的”: leave out 的 at the end (的)");
    assert_eq!(json["fix"]["say"], "mark “桌上” instead");
    assert_eq!(json["fix"]["mark"]["answer"]["results"][0][1]["fragment"]["idxes"], serde_json::json!([0, 1]));
}

#[test]
fn a_survey_tells_what_a_filter_would_take() {
    let task = task_of(Kind::Tuples);
    let item = |mark: &'static str| {
        let read = example("车从桥下驶过。", mark).read(Kind::Tuples).expect("an example");
        Item { gold: read.mark.answer, corefs: Some(read.mark.corefs), ..read.item }
    };
    let items = [item("空间实体=车 事件=驶 路径=从桥下"), item("空间实体=车 事件=驶 路径=从桥下"), item("事件=驶 路径=从桥下")];
    let survey = survey(task, &items, RULES);
    assert_eq!((survey.items, survey.blocked), (3, 1));
    let row = survey.rows.iter().find(|row| row.rule.id == "SR01").expect("a row");
    assert_eq!((row.findings, row.items), (1, 1));
    assert!((survey.loss(row, "路径") - 1.0 / 3.0).abs() < 1e-9, "one of three");
    assert_eq!(survey.loss(row, "空间实体"), 0.0);
    assert_eq!(survey.table(Lang::Zh).rows.iter().filter(|row| row[0] == crate::table::Cell::from("SR01")).count(), 1);
}
