use fangwei::tasks::{is_difference, quoted_difference};

use super::*;

/// Whether both texts show one scene; the reason must quote a difference.
fn same(one: &str, two: &str) -> bool {
    let texts = Texts::Pair { context1: one.into(), context2: two.into() };
    let item = Item { qid: "1".into(), texts, gold: None, corefs: None, extra: Vec::new() };
    let options = Options::new(&[], []).expect("no options");
    let Belief::Scene { same, if_same, if_not } = Scene.believe(&item, &options).expect("a pair") else { panic!("no scene") };
    assert!(!Scene.explain(&item, &options).expect("a pair").points.is_empty());
    for reason in [&if_same, &if_not] {
        let quoted = quoted_difference(reason).expect("quotes");
        assert!(is_difference((one, two), quoted), "{reason}");
    }
    same >= 0.5
}

#[test]
fn one_scene_or_two() {
    for (one, two) in [
        ("老人的腰上系着一根布带。", "老人的腰间系着一根布带。"),
        ("杯子掉到了地上，摔碎了。", "杯子掉到了地下，摔碎了。"),
        ("孩子们坐在公共汽车上唱歌。", "孩子们坐在公共汽车里唱歌。"),
        ("邮递员站在旗杆下等人。", "邮递员站在旗杆旁等人。"),
        ("她从厨房里走出来。", "她从厨房里走出去。"),
        ("树苗朝着太阳生长。", "树苗向着太阳生长。"),
        ("水桶从井里提上来了。", "水桶从井里提出来了。"),
        ("邮局在学校南边。", "邮局在学校南侧。"),
    ] {
        assert!(same(one, two), "{one} {two}");
    }
    for (one, two) in [
        ("小鸟停在屋子上面。", "小鸟停在屋子里面。"),
        ("工人站在石桥上。", "工人站在石桥下。"),
        ("她跑进教室。", "她跑出教室。"),
        ("邮局在学校南边。", "邮局在学校西边。"),
        ("球停在门柱左后方。", "球停在门柱正后方。"),
        ("风筝飞上来了。", "风筝飞下去了。"),
    ] {
        assert!(!same(one, two), "{one} {two}");
    }
}

#[test]
fn odd_texts_are_compared_too() {
    for (one, two) in [("", "上"), ("a", "b"), ("😀上", "😀"), ("上", "上上上"), ("。，", "，。")] {
        let texts = Texts::Pair { context1: one.into(), context2: two.into() };
        let item = Item { qid: "1".into(), texts, gold: None, corefs: None, extra: Vec::new() };
        let options = Options::new(&[], []).expect("no options");
        assert!(Scene.believe(&item, &options).is_ok() && Scene.explain(&item, &options).is_ok());
    }
    let long: String = "他在桌子上写字，".repeat(12_000);
    let other = long.replacen("桌子上", "桌子下", 1);
    same(&long, &other);
}
