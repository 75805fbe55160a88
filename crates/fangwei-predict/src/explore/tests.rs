use fangwei::lang::Lang;
use fangwei::lexicon::Class;

use super::html::{fragment, page};
use super::scene::{Scene, scenes, svg};
use super::text::text;
use super::{Ask, ExploreError, Explored, MOST_CHARACTERS, Sources, explore};

fn look(passage: &str) -> Explored {
    explore(passage, &Sources::rules(), Ask { all_rivals: true }).unwrap_or_else(|error| panic!("{passage:?}: {error}"))
}

#[test]
fn a_wrong_word_has_a_reason_and_rivals_that_are_sound() {
    let explored = look("他跳进山洞外。");
    assert!(explored.normal < 0.5);
    let [wrong] = &explored.anomalies[..] else { panic!("{:?}", explored.anomalies) };
    assert_eq!((wrong.word.as_str(), &wrong.idxes[..], wrong.kind.as_deref()), ("外", &[5][..], Some("A")));
    assert!(wrong.reasons[0].say.zh.contains("“进”到里面") && wrong.reasons[0].by == "rule", "{:?}", wrong.reasons);
    let place = &wrong.choices[0];
    assert!(place.score < 0.5 && place.rivals[0].word == "里" && place.rivals[0].score >= 0.5, "{place:?}");
    assert!(
        place.rivals.iter().any(|rival| rival.word == "前" && rival.score < 0.5)
            || place.rivals.iter().all(|rival| rival.word != "前")
    );
    assert_eq!(wrong.choices[1].word, "进", "what it is at odds with may be changed as well");
    assert_eq!(explored.mended.as_deref(), Some("他跳进山洞里。"));
}

#[test]
fn each_of_two_wrong_words_is_weighed_with_the_other_put_right() {
    let explored = look("他跳进山洞外。阳光旁有几只小鸟在飞。");
    let words: Vec<&str> = explored.anomalies.iter().map(|anomaly| anomaly.word.as_str()).collect();
    assert!(words.contains(&"外") && words.contains(&"旁"), "{words:?}");
    for anomaly in &explored.anomalies {
        assert!(anomaly.choices[0].rivals[0].score >= 0.5, "{anomaly:?}");
    }
    assert!(explored.mended.as_deref().is_some_and(|mended| mended.contains("山洞里")), "{:?}", explored.mended);
}

#[test]
fn sound_text_has_words_and_tuples_and_rivals_only_where_asked() {
    let explored = look("雨伞靠在门后，猫从箱子里跳出来。");
    assert!(explored.normal >= 0.5 && explored.anomalies.is_empty() && explored.mended.is_none());
    let word = explored.words.iter().find(|word| word.text == "后").expect("is found");
    assert_eq!((word.class, &word.idxes[..]), (Class::Locative, &[5][..]));
    let place = explored.tuples[0].role("处所").expect("a place");
    assert_eq!((place.text.as_str(), &place.idxes[..]), ("在门后", &[3, 4, 5][..]));
    assert!(explored.choices.iter().any(|choices| choices.word == "后" && !choices.rivals.is_empty()));
    assert_eq!(explored.by.iter().filter(|by| by.source == "rule").count(), 4);
    let plain = explore(&explored.text, &Sources::rules(), Ask::default()).expect("is read");
    assert!(plain.choices.is_empty());
}

#[test]
fn what_is_too_long_or_nothing_is_refused() {
    let refused = |text: &str| explore(text, &Sources::rules(), Ask::default()).expect_err("is refused");
    for blank in ["", " \n\u{3000}"] {
        assert!(matches!(refused(blank), ExploreError::Empty), "{blank:?}");
    }
    let long = refused(&"他".repeat(10_000));
    assert!(matches!(long, ExploreError::TooLong(10_000)));
    assert!(long.say(Lang::Zh).contains("10000") && long.say(Lang::En).contains("2000"));
}

/// Texts that nobody wrote a rule for.
fn hostile() -> Vec<String> {
    vec![
        "，。！？、；：“”（）《》……——".to_owned(),
        "😀👨‍👩‍👧‍👦🏳️‍🌈在😀上，🐱进🐶外。".to_owned(),
        "𠮷野家在𡈽上，𠀀𠀁𠀂从𪚥里走进来。".to_owned(),
        "他\u{0}在\u{1}桌\u{202e}上\u{200b}坐\u{1b}[31m着\r\n。".to_owned(),
        "<script>alert(1)</script>他在<b>桌子上</b>&amp;\"'坐着。".to_owned(),
        "上下左右里外前后进出来去在从到向".to_owned(),
        "里".repeat(MOST_CHARACTERS),
        "他从山上走下来，把书放在桌子外，又跑进屋子旁。".repeat(MOST_CHARACTERS / 23),
        "only Latin here, on the table".to_owned(),
    ]
}

#[test]
fn places_are_in_the_text_and_json_comes_back_the_same() {
    for passage in hostile() {
        let explored = look(&passage);
        let characters: Vec<char> = passage.chars().collect();
        let said = |idxes: &[u32]| idxes.iter().map(|idx| characters[*idx as usize]).collect::<String>();
        for word in &explored.words {
            assert_eq!(said(&word.idxes), word.text);
        }
        for role in explored.tuples.iter().flat_map(|tuple| &tuple.roles) {
            assert_eq!(said(&role.idxes), role.text);
        }
        for anomaly in &explored.anomalies {
            assert_eq!(said(&anomaly.idxes), anomaly.word);
        }
        for choices in explored.choices.iter().chain(explored.anomalies.iter().flat_map(|anomaly| &anomaly.choices)) {
            assert_eq!(said(&choices.idxes), choices.word);
            assert!(choices.rivals.iter().all(|rival| (0.0..=1.0).contains(&rival.score)), "{choices:?}");
        }
        let line = serde_json::to_string(&explored).expect("is written");
        assert_eq!(serde_json::from_str::<Explored>(&line).expect("is read"), explored);
    }
}

#[test]
fn nothing_that_strangers_wrote_steers_a_terminal_or_a_page() {
    for passage in hostile() {
        let explored = look(&passage);
        for lang in [Lang::Zh, Lang::En] {
            let plain = text(&explored, lang, false);
            assert!(!plain.chars().any(|character| character.is_control() && character != '\n'), "{plain:?}");
            assert!(!plain.contains('\u{202e}'));
            let html = fragment(&explored, lang);
            assert!(!html.contains("<script") && !html.contains("<b>桌") && !html.contains("style="), "{html}");
            assert_eq!(html.matches("<span").count(), html.matches("</span").count());
            assert_eq!(html.matches("<svg").count(), html.matches("</svg").count());
            assert!(!page(&[(String::new(), explored.clone())], lang).contains("http"), "a page loads nothing");
        }
    }
}

#[test]
fn pages_of_several_have_an_index() {
    let passages = ["他跳进山洞外。", "他坐在桌子旁。"].map(|passage| (format!("<{passage}>"), look(passage)));
    let page = page(&passages, Lang::Zh);
    assert!(page.contains("href=\"#p2\"") && page.contains("id=\"p2\"") && page.contains("&lt;他坐在桌子旁。&gt;"), "{page}");
    assert!(page.contains("<em class=\"abnormal\">异常</em>") && page.contains("<em class=\"normal\">正常</em>"));
}

#[test]
fn colours_are_used_only_where_they_can_be_shown() {
    let explored = look("他跳进山洞外。");
    assert!(text(&explored, Lang::Zh, true).contains("\u{1b}[1;4;31m外\u{1b}[0m"));
    let plain = text(&explored, Lang::En, false);
    assert!(!plain.contains('\u{1b}') && plain.contains("abnormal") && plain.contains("里⋆ 55 %"), "{plain}");
}

#[test]
fn what_is_at_one_ground_shares_a_picture() {
    let explored = look("书放在桌子上，猫躺在桌子下，他从屋里走出来。");
    let scenes = scenes(&explored, Lang::Zh);
    let grounds: Vec<usize> = scenes
        .iter()
        .filter_map(|scene| if let Scene::Ground { figures, .. } = scene { Some(figures.len()) } else { None })
        .collect();
    assert_eq!(grounds, [2], "{scenes:?}");
    assert!(scenes.iter().any(|scene| matches!(scene, Scene::Way(_, way) if way.start.is_some())), "{scenes:?}");
    for scene in &scenes {
        let drawn = svg(scene, &explored, Lang::Zh);
        assert!(drawn.contains("role=\"img\" aria-label=\"空间实体 "), "{drawn}");
    }
}

/// Boxes of texts by the rough width that the layout counts with; no two of one picture may meet.
#[test]
fn words_of_a_picture_do_not_overlap() {
    for passage in [
        "书放在桌子上，猫躺在桌子下，灯在桌子旁边，孩子躲在桌子后面，狗趴在桌子前面，糖在桌子里。",
        "小船从上游的渡口漂到下游的大桥下面。",
        "他在操场上沿着跑道向前跑去。",
        "鸟飞起来。",
    ] {
        let explored = look(passage);
        for scene in scenes(&explored, Lang::Zh) {
            let drawn = svg(&scene, &explored, Lang::Zh);
            let boxes: Vec<(f64, f64, f64, String)> = drawn.split("<text ").skip(1).map(bounds).collect();
            for (number, one) in boxes.iter().enumerate() {
                for two in &boxes[number + 1..] {
                    let apart = (one.0 - two.0).abs() >= f64::midpoint(one.2, two.2) || (one.1 - two.1).abs() >= 10.0;
                    assert!(apart, "{passage}: {one:?} meets {two:?}");
                }
            }
        }
    }
}

/// The middle, the base line and the width of a text.
fn bounds(tag: &str) -> (f64, f64, f64, String) {
    let value = |name: &str| {
        tag.split(&format!("{name}=\"")).nth(1).and_then(|rest| rest.split('"').next()).expect("is there").to_owned()
    };
    let text = tag.split('>').nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default().to_owned();
    let size = match value("class").as_str() {
        "name" => 16.0,
        "note" => 12.0,
        _ => 10.0,
    };
    let number = |name: &str| value(name).parse::<f64>().expect("a number");
    (number(" x").max(0.0), number(" y"), fangwei::lang::columns(&text) as f64 * size * 0.5, text)
}
