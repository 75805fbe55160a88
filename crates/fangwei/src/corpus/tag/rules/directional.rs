//! 进, 出来 and the like: after a spatial verb, after its object, or as the verb itself.

use super::super::context::At;
use super::super::marks::Marks;
use super::{DOUBTFUL, NOT_SPATIAL, Verdict, is_class, is_noun_by_place, locative, perhaps, sure};
use crate::lexicon::Class;

/// Verbs of thinking, speaking and feeling, and changes of state: the direction after them is no motion.
const STATES: &str = "想 说 讲 谈 看 听 记 爱 喜欢 写 读 念 唱 笑 哭 骂 喊 叫 问 答 回忆 坚持 干 做 活 继续 热 冷 亮 静 安静 平静 黑 红 好 多 忙 高兴 兴奋 紧张 热闹 算 猜 认 分辨 显 显得 表现 体现 反映 引 总结 归纳 保持 保留 流传 传授 省 节约 剩 生 富 胖 瘦 答应 承认 决定 考虑 评 选 选拔 当 考 用 吃 喝 变 慢 暗 软 行动 团结 组织 动员 建立 发展 成长 活跃 定 买 混";

/// Verbs before verbs: what follows them is a verb of its own.
const AUXILIARY: &str =
    "只得 只好 不得不 肯 不肯 能 不能 会 不会 要 不要 敢 不敢 愿 不愿 愿意 可以 应该 必须 准备 打算 让 请 不想";

/// Directions that only follow a verb.
const AFTER_VERBS: [&str; 7] = ["起", "开", "拢", "起来", "开来", "下去", "起去"];

/// Words that start a way: after them and a place, 来 and 去 end it.
const WAYS: [&str; 14] = ["到", "往", "向", "朝", "从", "上", "下", "进", "出", "回", "过", "起", "带", "送"];

fn one_of(words: &str, word: At<'_, '_>) -> bool {
    words.split(' ').any(|known| known == word.text())
}

/// 上 and 下: after a noun locatives, after a verb directions, before a place verbs.
pub(super) fn up_or_down(word: At<'_, '_>) -> Verdict {
    // 上一课, 下一站: which of several, not where. 脚下一滑 is where.
    let ordinal = word.right().is_some_and(|right| right.says(&["一", "个", "半", "次"]));
    if ordinal && !word.left().is_some_and(|left| left.is(Marks::VERB) || left.is(Marks::ENTITY) && !left.is(Marks::PERSON)) {
        return NOT_SPATIAL;
    }
    let to_ground = word.goal().is_some_and(|goal| goal.is(Marks::GOAL.or(Marks::PLACE)));
    let Some(left) = word.verb_left() else { return if to_ground { sure(Class::Directional) } else { DOUBTFUL } };
    if word.right().is_some_and(|right| right.text() == "了") || is_boarding(word) {
        return if to_ground || left.is(Marks::VERB) { sure(Class::Directional) } else { NOT_SPATIAL };
    }
    let owned = left.left().is_some_and(|owner| owner.is(Marks::PRONOUN.or(Marks::PERSON)));
    let noun_here = left.is(Marks::ENTITY) && (!left.is(Marks::VERB) || (is_noun_by_place(left) || owned) && !to_ground);
    if left.is(Marks::VERB) && !noun_here {
        return sure(Class::Directional);
    }
    let actor = left.is(Marks::PERSON.or(Marks::PRONOUN)) && !left.is(Marks::DEMONSTRATIVE);
    if to_ground && (actor || left.is(Marks::ADVERBIAL.or(Marks::CONJUNCTION))) {
        return sure(Class::Directional);
    }
    if left.is_plain_verb() { NOT_SPATIAL } else { locative::judge(word) }
}

/// 下车, 上楼: the ground is one syllable, and nothing more of a noun follows it.
fn is_boarding(word: At<'_, '_>) -> bool {
    let Some(ground) = word.right() else { return false };
    let short = ground.is_short() && ground.is(Marks::GOAL) && !ground.is(Marks::VERB.or(Marks::ADVERBIAL));
    short && !ground.right().is_some_and(|rest| rest.is_nominal() || rest.is(Marks::LOCATIVE) || rest.text() == "的")
}

pub(super) fn judge(word: At<'_, '_>) -> Verdict {
    // 出不来, 进得去
    let potential = |small: At<'_, '_>| small.says(&["不", "得"]) && small.right().is_some_and(|last| last.says(&["来", "去"]));
    if word.is_short() && word.right().is_some_and(potential) {
        return sure(Class::Directional);
    }
    let left = word.verb_left();
    if word.text() == "过" {
        return passing(word, left);
    }
    // 过去两年
    let dated = |next: At<'_, '_>| next.is(Marks::NUMERAL.or(Marks::TIME)) || next.text() == "的";
    if word.text() == "过去" && word.left().is_none() && word.right().is_some_and(dated) {
        return NOT_SPATIAL;
    }
    if let Some(left) = left
        && let Some(verdict) = after(word, left)
    {
        return verdict;
    }
    if word.says(&AFTER_VERBS) { NOT_SPATIAL } else { main_verb(word, left) }
}

/// What the word before decides; nothing where the direction is the verb itself.
fn after(word: At<'_, '_>, left: At<'_, '_>) -> Option<Verdict> {
    if one_of(STATES, left) && !left.is(Marks::VERB) {
        return Some(NOT_SPATIAL);
    }
    let noun_here = left.is(Marks::ENTITY) && is_noun_by_place(left);
    if left.is(Marks::VERB) && !noun_here || left.is(Marks::DIRECTIONAL) && is_class(left, Class::Directional) {
        return Some(sure(Class::Directional));
    }
    if one_of(AUXILIARY, left) {
        return Some(main_verb(word, Some(left)));
    }
    if left.is_plain_verb() {
        return Some(after_other_verb(left, word));
    }
    let object = left.is_nominal() || left.is(Marks::LOCATIVE);
    (object && word.text().ends_with(['来', '去']) && moved_before(left)).then_some(sure(Class::Directional))
}

/// 走过桥 passes the bridge; 去过 is only done.
fn passing(word: At<'_, '_>, left: Option<At<'_, '_>>) -> Verdict {
    let from = if word.right().is_some_and(|right| right.text() == "了") { word.right() } else { Some(word) };
    let over = from.and_then(|from| from.phrase().head);
    match left {
        Some(left) if left.says(&["来", "去", "到", "有", "坐", "住", "放", "站", "洒", "装", "种"]) => NOT_SPATIAL,
        Some(left) if left.is(Marks::VERB) => {
            let goal = word.goal();
            let placed = goal.is_none_or(|goal| goal.is_nominal() || goal.is(Marks::NUMERAL) || goal.text() == "的");
            if placed { sure(Class::Directional) } else { perhaps(Class::Directional) }
        }
        Some(left) if left.is(Marks::VERBAL) => NOT_SPATIAL,
        _ if over.is_some_and(|over| over.is(Marks::GOAL)) => sure(Class::Directional),
        _ => NOT_SPATIAL,
    }
}

/// After a verb that the lexicon does not call spatial: into and out of still move things, the other directions seldom do.
fn after_other_verb(verb: At<'_, '_>, word: At<'_, '_>) -> Verdict {
    // 划船过去
    if verb.text().ends_with(['船', '车', '马', '路']) && !word.is_short() {
        return perhaps(Class::Directional);
    }
    let moves = word.says(&["进", "出", "回", "进来", "进去", "出来", "出去", "回来", "回去"]);
    if moves && verb.is_short() { perhaps(Class::Directional) } else { NOT_SPATIAL }
}

/// Whether the clause moved something up to this word: 走进屋里, 到海边, 从山上.
fn moved_before(word: At<'_, '_>) -> bool {
    for word in std::iter::once(word).chain(word.lefts()).take(10) {
        if word.says(&WAYS) || word.is(Marks::VERB) && !word.is(Marks::NOMINAL) {
            return true;
        }
        if word.is(Marks::VERBAL) && !word.is(Marks::ENTITY) {
            return false;
        }
    }
    false
}

/// A direction that is the verb: 他进了屋, 回家, 太阳出来了.
fn main_verb(word: At<'_, '_>, left: Option<At<'_, '_>>) -> Verdict {
    let goal = word.goal();
    let unreal_subject = left
        .is_some_and(|left| left.is_time() && !left.is(Marks::ADVERBIAL) || left.is(Marks::ABSTRACT) && !left.is(Marks::VERBAL));
    if !word.is_short() {
        let attribute = word.says(&["过去", "过来"]) && goal.is_some_and(|goal| goal.text() == "的");
        return if unreal_subject || attribute { NOT_SPATIAL } else { sure(Class::Directional) };
    }
    let ground = |goal: At<'_, '_>| {
        goal.is(Marks::GOAL.or(Marks::PLACE).or(Marks::DEMONSTRATIVE)) || matches!(goal.pos(), "ns" | "nt" | "s")
    };
    if goal.is_some_and(ground) {
        return sure(Class::Directional);
    }
    let ends = goal.is_none_or(|goal| goal.says(&["的", "时", "吗", "吧", "呢", "啊"]));
    let actor = left.is_none_or(|left| {
        left.is(Marks::PERSON.or(Marks::PRONOUN).or(Marks::ADVERBIAL).or(Marks::NOMINAL)) || one_of(AUXILIARY, left)
    });
    if word.says(&["来", "去"]) && ends && !unreal_subject && actor { perhaps(Class::Directional) } else { NOT_SPATIAL }
}
