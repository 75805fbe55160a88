//! Directions against what they lead to, and against the verb before them.

use fangwei::answer::ReasonType;
use fangwei::lang::{Say, words};
use fangwei::lexicon::Class;

use super::locative::core;
use super::{Finding, Rule};
use crate::rule::scan::Scan;

/// 进 leads inside.
pub const ENTER_OUTSIDE: Rule = Rule {
    id: "enter-outside",
    title: words("“进”的终点不能在外、旁、上、下", "what is entered cannot be outside, beside, above or below"),
    kind: ReasonType::A,
    odds: 0.85,
    fires: "老人慢慢走进院子外，坐了下来。",
    silent: "老人慢慢走进院子里，坐了下来。",
    find: enter_outside,
};

/// 出 leads out of something, not into it.
pub const LEAVE_INSIDE: Rule = Rule {
    id: "leave-inside",
    title: words("“出”的后面不能是里面", "what is left for cannot be inside"),
    kind: ReasonType::A,
    odds: 0.8,
    fires: "客人们陆续走出大厅里。",
    silent: "客人们陆续走出大厅。",
    find: leave_inside,
};

/// A verb and a direction that do not go together.
pub const VERB_DIRECTION: Rule = Rule {
    id: "verb-direction",
    title: words("动词与趋向动词不搭配", "the verb does not go with the direction"),
    kind: ReasonType::A,
    odds: 0.85,
    fires: "石头从崖边坠上去，没有一点声音。",
    silent: "石头从崖边坠下去，没有一点声音。",
    find: verb_direction,
};

/// Whether the place is a noun phrase by itself and not the beginning of a longer one (走出口袋里的…).
fn stands_alone(scan: &Scan<'_>, last: usize) -> bool {
    scan.after(last, &[]).is_none_or(|after| scan.text(after) != "的")
}

fn led_by<'s>(
    scan: &'s Scan<'_>,
    direction: &'static str,
    wrong: &'static [&'static str],
) -> impl Iterator<Item = (usize, usize)> + 's {
    scan.places.iter().filter_map(move |place| {
        let governor =
            place.governor.filter(|governor| scan.is(*governor, Class::Directional) && scan.text(*governor) == direction)?;
        let locative = core(scan.text(place.last)).filter(|_| scan.is(place.last, Class::Locative))?;
        (wrong.contains(&locative) && stands_alone(scan, place.last)).then_some((governor, place.last))
    })
}

fn enter_outside(scan: &Scan<'_>) -> Vec<Finding> {
    let found = led_by(scan, "进", &["外", "旁", "边", "前", "后", "侧", "左", "右", "顶", "上", "下"]);
    found
        .map(|(governor, last)| {
            let place = scan.text(last);
            let why = Say::new(format!("“进”到里面，“{place}”却不是里面"), format!("进 leads inside, “{place}” is not inside"));
            Finding::new(last, governor..governor + 1, why)
        })
        .collect()
}

fn leave_inside(scan: &Scan<'_>) -> Vec<Finding> {
    let found = led_by(scan, "出", &["里", "内", "中"]);
    found
        .map(|(governor, last)| {
            let place = scan.text(last);
            let why = Say::new(format!("“出”到外面，“{place}”却是里面"), format!("出 leads outside, “{place}” is inside"));
            Finding::new(governor, last..last + 1, why)
        })
        .collect()
}

/// Verbs, the directions that they do not take, and those that they do.
const CLASHES: &[(&str, &str, &str)] = &[
    ("掉 坠 坠落 跌 跌落 跌倒 掉落 沉 滑落 垂 塌 陷", "上 上来 上去 起来 起", "下"),
    ("升 扬 竖 浮 升腾 举 耸立 立", "下 下来 下去", "起、上"),
    ("掏 拔 抽 拎 露 冒 吐 呼 喷 流露 伸展 涌现", "进 进来 进去", "出"),
    ("吞 咽 喝 吸 塞 装 埋", "出去 上 上去", "下、进"),
    ("戴 穿 披 关 锁 闭 合 系 扣 贴", "下 下来 下去 出 出来 出去 进 进去 起来 回", "上"),
    ("脱 摘 卸 蹲 跪 坐 躺 趴 弯 低 俯", "上来 出 出来 出去 进来", "下"),
    ("睁 张 掀 解 撕 拆 松", "上去 下去 回", "开"),
    ("捡 拾 捧 抬 抱 扶 拎 提 站 挺 仰 昂", "出去 进来", "起"),
    ("退 撤 逃 躲避", "进去 进来 上去", "出、回"),
    ("缩", "出 出来 出去", "回、进"),
    ("挂 吊 悬", "出 出去 进 进来 进去", "起、上"),
    ("低 垂 俯 弯", "起 上 上去", "下"),
];

fn verb_direction(scan: &Scan<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for one in &scan.moves {
        let Some(verb) = one.verb else { continue };
        let (word, direction) = (scan.text(verb), scan.text(one.direction));
        let is = |list: &str, word: &str| list.split(' ').any(|known| known == word);
        let Some((_, _, takes)) = CLASHES.iter().find(|(verbs, wrong, _)| is(verbs, word) && is(wrong, direction)) else {
            continue;
        };
        let why = Say::new(
            format!("“{word}”的方向是“{takes}”，不是“{direction}”"),
            format!("“{word}” goes with “{takes}”, not with “{direction}”"),
        );
        found.push(Finding::new(one.direction, verb..verb + 1, why));
    }
    found
}
