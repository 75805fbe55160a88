//! One reply for each rung of the ladder and each way to fall off it.

use fangwei::answer::{Answer, Verdict};
use fangwei::ask::{self, How, Mend, Reading, SlipKind, State};
use fangwei::record::{Check, Json};
use fangwei::task::{Item, Task, read_item, write_pred};
use fangwei::tasks::find;

fn item(task: &'static dyn Task, record: &str) -> Item {
    let given = Json::parse(record.as_bytes()).expect("JSON");
    read_item(task, &given, false, &mut Check::new("test".into(), 1)).expect("an item")
}

fn judged(reply: &str, finish: Option<&str>) -> Reading {
    let task = find("2022/judge").expect("a task");
    ask::read(task, &item(task, r#"{"qid":"1","context":"他跳进山洞外"}"#), reply, finish)
}

#[test]
fn replies_to_a_yes_or_no_question() {
    for (reply, state, verdict) in [
        (r#"{"judge": 0}"#, State::Parsed, Some(false)),
        (r#"{"分析": "“进”与“外”不合", "judge": 0}"#, State::Parsed, Some(false)),
        ("```json\n{\"judge\": 1}\n```", State::Parsed, Some(true)),
        ("想一想……答案如下：{\"judge\": 0}。希望有帮助！", State::Parsed, Some(false)),
        // of two answers the last
        ("先猜 {\"judge\": 1}，不对，应为 {\"judge\": 0}", State::Parsed, Some(false)),
        ("<think>{\"judge\": 1}？不对</think>{\"judge\": 0}", State::Parsed, Some(false)),
        // some servers leave out the opening sign
        ("{\"judge\": 1}？不对</think>\n{\"judge\": 0}", State::Parsed, Some(false)),
        (r#"{"judge": "0"}"#, State::Repaired, Some(false)),
        (r#"{"judge": "正常"}"#, State::Repaired, Some(true)),
        (r#"{"judge": 0,}"#, State::Repaired, Some(false)),
        ("｛“judge”：0｝", State::Repaired, Some(false)),
        ("{'judge': 0}", State::Repaired, Some(false)),
        (r#"{"answer": false}"#, State::Repaired, Some(false)),
        (r#"{"results": [{"judge": 0}]}"#, State::Repaired, Some(false)),
        ("0", State::Repaired, Some(false)),
        ("异常。", State::Repaired, Some(false)),
        ("位置不合常理。\n答案：0", State::Repaired, Some(false)),
        ("我觉得这段话有点奇怪", State::Unparsed, None),
        (r#"{"judge": 2}"#, State::Unparsed, None),
        ("抱歉，我无法回答这个问题。", State::Refused, None),
        ("I'm sorry, but I can't help with that.", State::Refused, None),
        ("", State::Empty, None),
        (" \n", State::Empty, None),
        ("<think>先看方位词", State::Empty, None),
    ] {
        let reading = judged(reply, Some("stop"));
        assert_eq!(reading.state, state, "{reply}");
        let expected = verdict.map(|value| Answer::Verdict(Verdict::Plain(value)));
        assert_eq!(reading.answer, expected, "{reply}");
        assert_eq!(reading.mends.is_empty(), state != State::Repaired, "{reply}");
    }
}

#[test]
fn how_a_reply_ended_counts_where_there_is_no_answer() {
    assert_eq!(judged("<think>先看方位词", Some("length")).state, State::Truncated);
    assert_eq!(judged("{\"分析\": \"先看", Some("length")).state, State::Truncated);
    assert_eq!(judged("", Some("content_filter")).state, State::Refused);
    assert_eq!(judged("{\"judge\": 0}", Some("length")).state, State::Parsed);
    let cut = judged("{\"judge\": 0, \"说明\": \"因为", Some("length"));
    assert_eq!((cut.state, cut.mends.as_slice(), cut.answer.is_some()), (State::Truncated, &[Mend::Closed][..], true));
    // the same without the server's word: brackets were forgotten
    assert_eq!(judged("{\"judge\": 0, \"说明\": \"因为", None).state, State::Repaired);
}

/// 0雨 1水 2顺 3着 4屋 5檐 6流 7进 8了 9墙 10边 11的 12水 13缸 14外
const RAIN: &str = r#"{"qid":"7","context":"雨水顺着屋檐流进了墙边的水缸外"}"#;

fn rain(reply: &str) -> (Reading, String) {
    let task = find("2023/anomaly").expect("a task");
    let reading = ask::read(task, &item(task, RAIN), reply, Some("stop"));
    let line = reading.answer.as_ref().map(|answer| write_pred(task, "7", answer).to_line()).unwrap_or_default();
    (reading, line)
}

#[test]
fn shapes_of_one_answer() {
    let expected = r#"{"qid":"7","results":[[{"role":"S1","text":"雨水","idxes":[0,1]},{"role":"P1","text":"进水缸外","idxes":[7,12,13,14]},{"role":"E1","text":"流","idxes":[6]}]]}"#;
    for (reply, state) in [
        (r#"{"两处矛盾": false, "results": [{"S1": "雨水", "P1": "进…水缸外", "E1": "流", "S2": null}]}"#, State::Parsed),
        (
            r#"{"results": [[{"role": "S1", "text": "雨水"}, {"role": "P1", "text": "进水缸外"}, {"role": "E1", "text": "流"}]]}"#,
            State::Parsed,
        ),
        (
            r#"{"results": [{"role": "S1", "text": "雨水"}, {"role": "P1", "text": "进水缸外"}, {"role": "E1", "text": "流"}]}"#,
            State::Repaired,
        ),
        (r#"[{"S1": "雨水", "P1": "进...水缸外", "E1": "流"}]"#, State::Repaired),
        (r#"{"S1": "雨水", "P1": "进水缸外", "E1": "流", "S2": "无"}"#, State::Repaired),
        (r#"{"results": {"S1": "雨水", "P1": "进水缸外", "E1": "流"}}"#, State::Repaired),
    ] {
        let (reading, line) = rain(reply);
        assert_eq!((reading.state, line.as_str()), (state, expected), "{reply}");
    }
}

#[test]
fn indexes_with_and_without_placing() {
    let (reading, placed) = rain(
        r#"{"results": [[{"role": "S1", "text": "雨水", "idxes": [1, 2]}, {"role": "P1", "text": "水缸外", "idxes": [12, 13, 14]}]]}"#,
    );
    let how: Vec<How> = reading.placed.iter().map(|placed| placed.how).collect();
    assert_eq!(how, [How::Exact, How::Own]);
    assert!(placed.contains(r#"{"role":"S1","text":"雨水","idxes":[0,1]}"#), "{placed}");
    let unplaced = write_pred(find("2023/anomaly").expect("a task"), "7", &reading.unplaced.expect("an answer")).to_line();
    assert!(unplaced.contains(r#"{"role":"S1","text":"雨水","idxes":[1,2]}"#), "{unplaced}");
    let (reading, _) = rain(r#"{"results": [{"S1": "洪水"}]}"#);
    assert_eq!(reading.placed[0].how, How::NotFound);
}

#[test]
fn the_failures_that_the_paper_saw() {
    let slips = |reply: &str| rain(reply).0.slips.into_iter().map(|slip| slip.kind).collect::<Vec<_>>();
    assert_eq!(slips(r#"{"results": [{"S1": "雨水", "P1": "进…水缸外", "E1": "流"}]}"#), []);
    assert_eq!(slips(r#"{"results": [{"S1": "雨水", "P1": "很漂亮"}]}"#), [SlipKind::NoLocative]);
    assert_eq!(
        slips(r#"{"results": [[{"role": "S1", "text": "雨水"}, {"role": "S1", "text": "水缸"}]]}"#),
        [SlipKind::RepeatedRole]
    );
    assert_eq!(slips(r#"{"results": [{"S1": "雨水", "状态": "流"}]}"#), [SlipKind::InventedRole]);
    let two = r#"{"results": [{"S1": "雨", "P1": "屋檐上", "S2": "缸", "P2": "墙外"}]}"#;
    assert_eq!(slips(two), [SlipKind::NoConflict]);

    let task = find("2023/roles").expect("a task");
    let asked = item(task, r#"{"qid":"8","context":"他等父亲，父亲在门口"}"#);
    let reply = r#"{"实体": ["他", "父亲"], "results": [{"空间实体": "他", "事件": "等"}, {"空间实体": "父亲", "处所": "在门口", "数量": "一"}]}"#;
    let reading = ask::read(task, &asked, reply, None);
    let kinds: Vec<(SlipKind, usize)> = reading.slips.iter().map(|slip| (slip.kind, slip.tuple)).collect();
    assert_eq!(kinds, [(SlipKind::NotSpatial, 0), (SlipKind::InventedRole, 1)]);
    // one object a line
    let lines = "{\"空间实体\": \"他\", \"处所\": \"在门口\"}\n{\"空间实体\": \"父亲\", \"处所\": \"在门口\"}";
    assert_eq!(ask::read(task, &asked, lines, None).placed.len(), 4);
    // 父亲 stands twice; the one beside 在门口 is meant
    assert_eq!(reading.placed[2].span.to_string(), "[5-6]");
}

#[test]
fn times_and_distances_of_both_years() {
    let context = r#"{"qid":"9","context":"塞好信，他把信封压在枕下，离床很近"}"#;
    let reply = r#"{"K": [
        {"空间实体": "信封", "事件": "压", "时间": "塞好信", "时间标签": "之后", "处所": "在枕下", "事实性": "假"},
        {"空间实体": "信封", "参照实体": "床", "距离": "近"},
        {"空间实体": "他", "时间": "过去", "处所": "床"}]}"#;
    let line = |id: &str, field: &str| {
        let task = find(id).expect("a task");
        let reading = ask::read(task, &item(task, context), &reply.replace('K', field), None);
        assert_eq!(reading.state, State::Parsed);
        write_pred(task, "9", &reading.answer.expect("an answer")).to_line()
    };
    let tuples = line("2023/roles", "results");
    assert!(tuples.contains(r#"{"role":"时间","fragment":{"text":"塞好信","idxes":[0,1,2]},"label":"之后"}"#), "{tuples}");
    assert!(tuples.contains(r#"{"role":"事实性","label":"假"}"#), "{tuples}");
    assert!(tuples.contains(r#"{"role":"距离","label":"近"}"#), "{tuples}");
    assert!(tuples.contains(r#"{"role":"时间","label":"过去"}"#), "{tuples}");
    // sorted by entity: 他 (4) before 信封 (6)
    assert!(tuples.starts_with(r#"{"qid":"9","results":[[{"role":"空间实体","fragment":{"text":"他""#), "{tuples}");
    let slots = line("2022/roles", "outputs");
    assert!(slots.contains(r#""假",null,{"text":"塞好信","idxes":[0,1,2]},"之后",{"text":"在枕下""#), "{slots}");
    assert!(slots.contains(r#"null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,"近"]"#), "{slots}");
}

#[test]
fn a_scene_whose_reason_was_left_out_is_told_by_its_slots() {
    let task = find("2023/scene").expect("a task");
    let asked = item(task, r#"{"qid":"3-1","context1":"猫睡在沙发上。","context2":"猫睡在沙发里。"}"#);
    let slots = r#"{"差异": ["沙发上", "沙发里"], "实体": ["猫", "沙发"], "对象": "猫", "要素": "处所", "场景1": "在坐垫表面", "场景2": "窝在坐垫表面", "judge": "true"}"#;
    let reading = ask::read(task, &asked, slots, None);
    assert_eq!((reading.state, reading.mends.as_slice()), (State::Repaired, &[Mend::Composed][..]));
    let mut check = Check::new("test".into(), 1);
    task.check_answer(reading.answer.as_ref().expect("an answer"), Some(&asked.texts), &mut check);
    assert!(check.defects.is_empty(), "the quoted difference is that of the texts: {:?}", check.defects);
    let nested = r#"{"results": {"judge": "false", "reason": "“上”和“里”"}}"#;
    assert_eq!(ask::read(task, &asked, nested, None).state, State::Parsed);
}

#[test]
fn long_replies_are_soon_read() {
    let begun = std::time::Instant::now();
    for sign in ["{", "[", "\"", "{\"a\":", "```", "“", "{a", "，", "{\"results\":[[{\"role\":\"S1\",\"text\":\"雨\"},", " \n"]
    {
        let (reading, _) = rain(&sign.repeat(60_000 / sign.len()));
        assert!(reading.placed.len() < 60_000);
    }
    // unoptimised, on a busy machine; what grows with the square of the length would take hours
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

#[test]
fn of_an_answer_that_was_cut_off_all_is_kept_that_is_whole() {
    for id in ["2023/roles", "2023/anomaly"] {
        let task = find(id).expect("a task");
        let pool = ask::Pool::shipped(task);
        let answers =
            |answer: &Answer| write_pred(task, "1", answer).get("results").and_then(Json::as_list).map_or(0, <[_]>::len);
        let mut several = 0;
        for item in pool.items() {
            let whole = item.gold.as_ref().map_or(0, answers).min(3);
            let reply: Vec<char> = ask::write_reply(task, ask::Reply::Texts, item).chars().collect();
            let cut: String = reply[..reply.len() - 12].iter().collect();
            let reading = ask::read(task, item, &cut, Some("length"));
            assert_eq!(reading.state, State::Truncated, "{id} {cut}");
            if whole > 1 {
                several += 1;
                assert!(reading.answer.as_ref().map_or(0, answers) + 1 >= whole, "{id} {cut} {reading:?}");
            }
        }
        assert!(several > 1, "{id}: {several}");
    }
}
