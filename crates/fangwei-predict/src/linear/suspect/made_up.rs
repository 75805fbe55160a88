//! A made-up world for tests: things lie in boxes and stand on tables; of each family of texts two have one such word out of place.

use fangwei::audit::Dataset;
use fangwei::record::Source;
use fangwei::tasks;

use crate::material::Material;

/// A text of an origin of its own, and the same with a wrong word.
pub const SOUND: &str = "老周说，钥匙放在抽屉里，帽子摆在窗台上。老周走了。";
pub const WRONG: &str = "老周说，钥匙放在抽屉里，帽子摆在窗台下。老周走了。";

const THINGS: [&str; 8] = ["钥匙", "信封", "苹果", "剪刀", "手套", "图章", "纽扣", "铅笔"];
const BOXES: [&str; 5] = ["箱子", "抽屉", "柜子", "口袋", "书包"];
const TABLES: [&str; 5] = ["桌子", "椅子", "窗台", "地板", "柜台"];

/// A passage of its own origin, and its two abnormal siblings.
pub fn family(number: usize) -> [String; 3] {
    let pick = |list: &[&'static str], step: usize| list[(number * step + number / 7) % list.len()];
    let (thing, box_, table) = (pick(&THINGS, 3), pick(&BOXES, 2), pick(&TABLES, 4));
    // A name of its own keeps origins apart: origin groups share most of their characters.
    let name: String =
        (0..12).map(|place| char::from_u32(0x4e00 + ((number * 977 + place * 131) % 5000) as u32).unwrap_or('甲')).collect();
    let told = |inside: &str, on: &str| format!("{name}说，{thing}放在{box_}{inside}，帽子摆在{table}{on}。{name}走了。");
    [told("里", "上"), told("后", "上"), told("里", "下")]
}

/// Verdicts on so many families.
pub fn material(families: usize) -> Material {
    let mut lines = String::new();
    for number in 0..families {
        for (sibling, text) in family(number).iter().enumerate() {
            let judge = u8::from(sibling == 0);
            lines.push_str(&format!("{{\"qid\":\"1-{number}-{sibling}\",\"context\":\"{text}\",\"judge\":{judge}}}\n"));
        }
    }
    let source = Source::from_bytes("made-up.jsonl", lines).expect("reads from memory");
    Material::new(vec![Dataset::read(source, tasks::find("2022/judge").ok()).expect("reads")])
}
