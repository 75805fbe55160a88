//! No text makes a predictor panic, run away or give an answer that the task refuses.

use std::time::{Duration, Instant};

use fangwei::lang::Lang;
use fangwei::record::{Check, Code, Json, Severity};
use fangwei::task::{Item, Task, read_pred, write_pred};
use fangwei_predict::Model;
use fangwei_predict::options::Options;

use super::shared::{item, model, served, variants};

/// Texts that nobody wrote a rule for, with another text beside each: a second text or a reason.
fn texts() -> Vec<(&'static str, String, String)> {
    let long = "他从山上走下来，把书放在桌子外，又跑进屋子旁。".repeat(4_400);
    let without_marks = "他从山上走下来坐在桌子里面".repeat(1_500);
    let row = |name, text: &str, other: &str| (name, text.to_owned(), other.to_owned());
    vec![
        row("empty", "", ""),
        row("blank", " \t\n\u{3000}", "\u{feff}"),
        row("latin", "He put the book on the table and left.", "He put the book under the table and left."),
        row("emoji", "😀👨‍👩‍👧‍👦🏳️‍🌈在😀上，🐱进🐶外。", "😀👨‍👩‍👧‍👦🏳️‍🌈在😀下，🐱进🐶外。"),
        row("outside the BMP", "𠮷野家在𡈽上，𠀀𠀁𠀂从𪚥里走进来。", "“𠮷”和“上”不宜搭配"),
        row("marks", "，。！？、；：“”（）《》……——", "“，”不符合常识"),
        row("control characters", "他\u{0}在\u{1}桌\u{202e}上\u{200b}坐\r\n着。", "他"),
        row("one word", "上", "“上”和“下”语义冲突"),
        row("words of space alone", "上下左右里外前后进出来去在从到向", "从“上”到“下”"),
        row("signs of a notation", "%他%从#箱子#里<取>出^书##", "“#”不符合常识：<>"),
        row("one character again and again", &"里".repeat(3_000), &"外".repeat(3_000)),
        ("long", long.clone(), long.replacen("山上", "山下", 1)),
        ("long without marks", without_marks.clone(), format!("“{without_marks}”不符合常识")),
    ]
}

/// A text of a hundred thousand characters is answered within this, by unoptimised code on a busy machine.
const LONGEST: Duration = Duration::from_mins(1);

#[test]
fn any_text_gets_a_sound_answer() {
    let texts = texts();
    for (predictor, task) in served() {
        for (number, options) in variants(predictor).into_iter().enumerate() {
            // The longest text takes seconds; other options read it no differently.
            let texts: Vec<_> = texts.iter().filter(|(name, ..)| number == 0 || *name != "long").collect();
            let items: Vec<Item> = texts.iter().map(|(_, text, other)| item(task, text, other)).collect();
            let mut model = model(predictor, task, &options);
            model.prepare(&items).unwrap_or_else(|error| panic!("{} {}: {error}", predictor.about().name, task.id()));
            for ((name, ..), item) in texts.iter().zip(&items) {
                let told = format!("{} {} {name}", predictor.about().name, task.id());
                ask(model.as_ref(), task, item, &options, &told);
            }
        }
    }
}

fn ask(model: &dyn Model, task: &'static dyn Task, item: &Item, options: &Options, told: &str) {
    let start = Instant::now();
    let answer = model.answer(task, item, options).unwrap_or_else(|error| panic!("{told}: {error}"));
    assert!(start.elapsed() < LONGEST, "{told} takes {:?}", start.elapsed());
    let short = item.texts.context().len() < 20_000;
    let again = short.then(|| model.answer(task, item, options).ok()).flatten();
    assert!(again.is_none_or(|again| again == answer), "{told}: asked again, it answers otherwise");
    let mut check = Check::new(told.into(), 1);
    task.check_answer(&answer, Some(&item.texts), &mut check);
    // Nothing of an empty text can be named, and texts without a difference have none to quote.
    let unavoidable = |code: Code| {
        item.texts.context().is_empty() && code == Code::EmptyAnswer
            || code == Code::BadDifference && item.texts.each().iter().any(|text| text.trim().is_empty())
    };
    let wrong: Vec<String> = check
        .defects
        .iter()
        .filter(|defect| defect.severity() == Severity::Error && !unavoidable(defect.code))
        .map(|defect| format!("{defect:?}"))
        .collect();
    assert!(wrong.is_empty(), "{told}: {wrong:?}\n{answer:?}");
    let line = write_pred(task, &item.qid, &answer).to_line();
    let given = Json::parse(line.as_bytes()).unwrap_or_else(|error| panic!("{told}: {error:?}"));
    let mut check = Check::new(told.into(), 1);
    assert!(read_pred(task, &given, &mut check).is_some(), "{told} cannot be read again: {line}");
    let explanation = model.explain(item, options).unwrap_or_else(|error| panic!("{told}: {error}"));
    for lang in [Lang::Zh, Lang::En] {
        assert!(explanation.to_json(lang).is_array(), "{told}");
        explanation.to_text(lang);
    }
}
