use super::*;

fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    split(text, &mut found);
    let mut begin = 0;
    let slice = |sentence: &Sentence| {
        let text = &text[begin..sentence.end];
        assert_eq!(text.chars().count(), sentence.length);
        begin = sentence.end;
        text
    };
    found.iter().map(slice).collect()
}

fn config(min: usize, target: usize, max: usize) -> Config {
    Config { min, max, target, ..Config::default() }
}

/// The passages of a text with their lines, and the counts.
fn cut(config: &Config, text: &str) -> (Vec<(u64, String)>, Cuts) {
    let mut cutter = Cutter::new(config);
    let mut passages = Vec::new();
    let mut take = |line: u64, text: &str| passages.push((line, text.to_owned()));
    for (number, line) in text.lines().enumerate() {
        cutter.line(number as u64 + 1, line, &mut take);
    }
    cutter.finish(&mut take);
    (passages, cutter.cuts)
}

fn texts(config: &Config, text: &str) -> Vec<String> {
    cut(config, text).0.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn sentences_end_with_their_closing_marks() {
    assert_eq!(sentences("他走了。她来了！谁？？好"), ["他走了。", "她来了！", "谁？？", "好"]);
    assert_eq!(sentences("“走吧。”他站起来。"), ["“走吧。”", "他站起来。"]);
    assert_eq!(sentences("（见左图。）『东边！』「南边？」"), ["（见左图。）", "『东边！』", "「南边？」"]);
    assert_eq!(sentences("山很高……水很深…再看"), ["山很高……", "水很深…再看"]);
    assert_eq!(sentences("“你……”她停住了。"), ["“你……”", "她停住了。"]);
    assert_eq!(sentences("真的？！……他问。"), ["真的？！……", "他问。"]);
}

#[test]
fn what_only_looks_like_an_end_is_none() {
    assert_eq!(sentences("“走！”，他说。"), ["“走！”，他说。"]);
    assert_eq!(sentences("山……，水。"), ["山……，水。"]);
    assert_eq!(sentences("一；二；三。"), ["一；二；三。"]);
    assert_eq!(sentences("见 a.cn/?q=1 页。"), ["见 a.cn/?q=1 页。"]);
}

#[test]
fn straight_quotes_open_and_close_in_turn() {
    assert_eq!(sentences("他说：\"走。\"她走。\"停。\""), ["他说：\"走。\"", "她走。", "\"停。\""]);
}

#[test]
fn passages_hold_as_many_sentences_as_the_target() {
    let text = "一二三四五六。".repeat(5);
    // 7 characters each: two fit into 20, and the fifth alone (7 < 8) joins the pair before it, 21 <= 30.
    assert_eq!(texts(&config(8, 20, 30), &text), ["一二三四五六。".repeat(2), "一二三四五六。".repeat(3)]);
    // With 14 as the longest there is nothing to join: it is dropped.
    let (passages, cuts) = cut(&config(8, 14, 14), &text);
    assert_eq!((passages.len(), cuts.too_short), (2, 1));
}

#[test]
fn a_sentence_may_exceed_the_target_but_not_the_limit() {
    let (short, middle, long) = ("一二三四。", "一".repeat(24) + "。", "一".repeat(40) + "。");
    let (passages, cuts) = cut(&config(4, 10, 30), &format!("{short}{middle}{long}{short}"));
    assert_eq!(passages.into_iter().map(|(_, text)| text).collect::<Vec<_>>(), [short, &middle, short]);
    assert_eq!((cuts.too_long, cuts.too_short, cuts.paragraphs), (1, 0, 1));
    assert_eq!(cuts.characters, 5 + 25 + 41 + 5);
}

#[test]
fn a_short_sentence_takes_the_next_beyond_the_target() {
    let text = format!("一二。{}。", "三".repeat(19));
    assert_eq!(texts(&config(4, 10, 30), &text), [text.as_str()]);
    // Beyond the limit it stands alone and is dropped.
    assert_eq!(texts(&config(4, 10, 22), &text), [format!("{}。", "三".repeat(19))]);
}

#[test]
fn a_quotation_stays_whole_where_it_can() {
    let text = "他走到门口停下。“屋里有人。窗外也有人。”她说。";
    // Two sentences fit into 15 (8 + 6), but the second leaves the quotation open, so the first stands alone.
    // The quotation (6 + 7) follows whole, with a rest (3) too short to stand alone.
    assert_eq!(texts(&config(6, 15, 30), text), ["他走到门口停下。", "“屋里有人。窗外也有人。”她说。"]);
    // A quotation longer than the target is cut all the same.
    assert_eq!(texts(&config(4, 6, 8), "“屋里有人。窗外也有人。”"), ["“屋里有人。", "窗外也有人。”"]);
}

#[test]
fn paragraphs_are_lines_and_never_joined() {
    let (passages, cuts) = cut(&config(6, 50, 60), "第一章\n\n　　山上有一座塔。\n塔里没有灯，也没有人\n");
    assert_eq!(passages, [(3, "山上有一座塔。".to_owned()), (4, "塔里没有灯，也没有人".to_owned())]);
    assert_eq!((cuts.paragraphs, cuts.too_short), (3, 1));
}

#[test]
fn wrapped_lines_join_up_to_a_blank_one() {
    let wrapped = Config { wrapped: true, ..config(4, 6, 60) };
    let (passages, cuts) = cut(&wrapped, "山上有一\n座塔。塔\n里没有灯。\n\n路边有树。\n");
    let expected = [(1, "山上有一座塔。"), (2, "塔里没有灯。"), (5, "路边有树。")];
    assert_eq!(passages, expected.map(|(line, text)| (line, text.to_owned())));
    assert_eq!(cuts.paragraphs, 2);
}

#[test]
fn garbled_paragraphs_are_dropped_with_their_line() {
    let (passages, cuts) = cut(&config(4, 20, 60), "山上有塔。\n山\u{fffd}有塔。\n路边有树。\n");
    assert_eq!(passages.len(), 2);
    assert_eq!((cuts.garbled, cuts.first_garbled), (1, Some(2)));
}

#[test]
fn a_paragraph_without_end_is_cut_off() {
    let mut cutter = Cutter::new(&Config { wrapped: true, ..Config::default() });
    let mut passages = 0;
    let line = "山上有一座很高的塔，塔里没有灯。".repeat(100);
    for number in 0..1000 {
        cutter.line(number, &line, &mut |_, _| passages += 1);
        assert!(cutter.paragraph.len() <= LONGEST_PARAGRAPH + line.len());
    }
    assert!(passages > 10_000, "{passages}");
}
