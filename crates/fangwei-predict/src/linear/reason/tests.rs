use std::fmt::Write as _;

use fangwei::audit::Dataset;
use fangwei::record::Source;

use super::*;
use crate::job::Unwatched;
use crate::material::Material;
use crate::weights::{Weights, Writer};

/// Twelve texts of their own, each with a right and a wrong reason.
fn material() -> Material {
    let things = ["竹竿", "铁丝", "木桩", "旗杆", "钉子", "麻绳", "筷子", "扁担", "鱼竿", "手杖", "标枪", "钢筋"];
    let places = ["河边", "仓库", "院子", "操场", "工地", "码头", "厨房", "山坡", "池塘", "公园", "体育场", "车间"];
    let mut text = String::from("[");
    for (number, (thing, place)) in things.iter().zip(places).enumerate() {
        let context = format!("{place}第{number}天的早晨，工人们把衣服晾在{thing}里，又到{place}去扫地。");
        for (step, (reason, right)) in
            [(format!("“{thing}”和“里”不宜搭配"), true), (format!("“衣服”和“{place}”语义冲突"), false)].into_iter().enumerate()
        {
            let mark = if number + step == 0 { "" } else { "," };
            write!(
                text,
                r#"{mark}{{"qID":"2-train-{number}{step}","context":"{context}","reason":"{reason}","judge2":{right}}}"#
            )
            .expect("a string");
        }
    }
    text.push(']');
    let source = Source::from_bytes("reasons.json", text).expect("bytes");
    Material::new(vec![Dataset::read(source, None).expect("reads")])
}

fn item(context: &str, reason: &str) -> Item {
    let texts = Texts::Reason { context: context.into(), reason: reason.into() };
    Item { qid: "1".into(), texts, gold: None, corefs: None, extra: Vec::new() }
}

fn trained() -> Reason {
    let (material, options, curves) = (material(), Options::new(&[], []).expect("none"), std::sync::Mutex::default());
    let task = fangwei::tasks::find("2021/reason").expect("a task");
    Reason::train(&Job::new(task, 1, &options, None, &Unwatched, &curves), &material.whole()).expect("trains")
}

#[test]
fn learns_keeps_and_explains() {
    let model = trained();
    let context = "山坡第三十天的早晨，工人们把衣服晾在木棍里，又到山坡去扫地。";
    let (right, wrong) = (item(context, "“木棍”和“里”不宜搭配"), item(context, "“衣服”和“山坡”语义冲突"));
    assert!(model.right(&right).expect("a reason") > 0.5);
    assert!(model.right(&wrong).expect("a reason") < 0.5);
    let points = model.points(&right).expect("a reason");
    assert_eq!(points[0].parts.iter().map(|part| part.word.as_str()).collect::<Vec<_>>(), ["木棍", "里"]);
    // Kept and taken out, it thinks the same.
    let file = std::env::temp_dir().join(format!("fangwei-reason-{}.fw", std::process::id()));
    let mut writer = Writer::new();
    Keep::put(&model, &mut writer.scope("model")).expect("puts");
    writer.write(&file).expect("writes");
    let loaded = Reason::get(&Weights::open(&file).expect("opens").scope("model")).expect("loads");
    let (before, after) = (model.right(&right).expect("a reason"), loaded.right(&right).expect("a reason"));
    assert!((before - after).abs() < 0.01, "{before} {after}");
    std::fs::remove_file(&file).ok();
}

#[test]
fn odd_questions_get_a_sound_answer() {
    let model = trained();
    let long = "他在桌子上写字，".repeat(12_000);
    for (context, reason) in [
        ("", ""),
        ("", "“上”不符合常识"),
        ("abc", "“x”和“y”语义冲突"),
        ("😀上", "“😀上”不符合常识：上"),
        (&long, "“桌子”和“上”不宜搭配"),
        ("上", "“”和“”不宜搭配"),
    ] {
        let odds = model.right(&item(context, reason)).expect("an answer");
        assert!((0.0..=1.0).contains(&odds), "{reason}");
        assert!(!model.points(&item(context, reason)).expect("points").is_empty());
    }
    let other = Item { texts: Texts::One { context: "上".into() }, ..item("", "") };
    assert!(model.right(&other).is_err());
}

#[test]
fn what_an_origin_adds_can_be_left_out() {
    let mut usage = Usage::default();
    let reading = Reading::new("书放在桌子上。");
    usage.add(&reading, 7, |_| false);
    usage.add(&Reading::new("碗摆在桌子上。"), 8, |_| false);
    let seen = |without| usage.affinity("桌子", "上", without)[1];
    // Two origins have the pair; without one of them, one; an origin that is not there changes nothing.
    assert_eq!((seen(None), seen(Some(7)), seen(Some(9))), (2.0, 1.0, 2.0));
}
