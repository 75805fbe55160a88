//! Is a word that the lexicon knows in spatial use here, and in which class? Judged by its neighbours in the clause.
//!
//! Each rule reads like the sentence that a grammar would give it; what no rule decides is left to the class's default and marked as doubtful.

use super::Token;
use super::context::{after, before, is_nominal, is_time, phrase, verb_before};
use super::marks::Marks;
use crate::lexicon::Class;

/// What was decided on a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    pub class: Option<Class>,
    pub doubt: bool,
}

const NOT_SPATIAL: Verdict = Verdict { class: None, doubt: false };

const fn sure(class: Class) -> Verdict {
    Verdict { class: Some(class), doubt: false }
}

const fn doubtful(class: Option<Class>) -> Verdict {
    Verdict { class, doubt: true }
}

/// Units of length: after them a locative is spatial (十米以外), after others it counts (三人以上).
const LENGTHS: [&str; 12] = ["米", "公里", "千米", "厘米", "里", "里地", "步", "尺", "丈", "海里", "毫米", "华里"];

/// Verbs of thinking, speaking and feeling: the direction after them is no motion.
const MENTAL: &str = "想 说 讲 谈 看 听 记 爱 喜欢 写 读 念 唱 笑 哭 骂 喊 叫 问 答 回忆 坚持 干 做 活 继续 热 冷 亮 静 安静 平静 黑 红 好 多 忙 高兴 兴奋 紧张 热闹 算 猜 认 分辨 显 显得 表现 体现 反映 引 总结 归纳 保持 保留 流传 传授 省 节约 剩 生 富 胖 瘦 提 答应 承认 决定 考虑 评 选 选拔 当 考 用 吃 喝 赶 变 停 慢 暗 软 行动 团结 组织 动员 建立 发展 成长";

/// Verbs before verbs: what follows them is a verb of its own.
const AUXILIARY: [&str; 25] = [
    "只得", "只好", "不得不", "肯", "不肯", "能", "不能", "会", "不会", "要", "不要", "去", "敢", "不敢", "愿", "不愿", "愿意", "可以", "应该", "必须",
    "得", "准备", "打算", "让", "请",
];

/// Judges the word number `at`.
pub(super) fn judge(tokens: &[Token<'_>], at: usize) -> Verdict {
    let marks = tokens[at].marks;
    if !marks.is_spatial() {
        return NOT_SPATIAL;
    }
    if marks.any(Marks::PREPOSITION) && !(marks.any(Marks::VERB) && acts(tokens, at)) {
        let verdict = preposition(tokens, at);
        if verdict.class.is_some() || !marks.any(Marks::VERB.or(Marks::LOCATIVE)) {
            return verdict;
        }
    }
    // 端着汤, 顶住门: what only verbs have after them.
    if marks.any(Marks::VERB) && marks.any(Marks::LOCATIVE) && acts(tokens, at) {
        return sure(Class::Verb);
    }
    match (marks.any(Marks::LOCATIVE), marks.any(Marks::DIRECTIONAL)) {
        (true, true) => up_or_down(tokens, at),
        (true, false) => {
            let verdict = locative(tokens, at);
            if verdict.class.is_none() && marks.any(Marks::ADVERB) && verb_follows(tokens, at) {
                sure(Class::Adverb)
            } else {
                verdict
            }
        }
        (false, true) => {
            let verdict = directional(tokens, at);
            if verdict.class.is_none() && marks.any(Marks::VERB) && (acts(tokens, at) || leads(tokens, at)) {
                sure(Class::Verb)
            } else {
                verdict
            }
        }
        (false, false) if marks.any(Marks::DEMONSTRATIVE) => demonstrative(tokens, at),
        // 困难面前
        (false, false) if marks.any(Marks::PLACE) && before(tokens, at).is_some_and(|left| tokens[left].marks.any(Marks::ABSTRACT) && !tokens[left].marks.any(Marks::VERBAL)) => {
            doubtful(None)
        }
        (false, false) if marks.any(Marks::PLACE) => sure(Class::Place),
        (false, false) if marks.any(Marks::VERB) => verb(tokens, at),
        // 一条直线
        (false, false) if !verb_follows(tokens, at) && before(tokens, at).is_some_and(|left| tokens[left].marks.any(Marks::NUMERAL.or(Marks::MEASURE))) => {
            NOT_SPATIAL
        }
        // 满天的星星: before 的 it is no adverb, except where the whole way is meant.
        (false, false) if text_at(tokens, after(tokens, at)) == "的" && tokens[at].text != "沿途" => NOT_SPATIAL,
        (false, false) => sure(Class::Adverb),
    }
}

/// Whether a word has what only verbs have after them: 着, 了, a direction.
fn acts(tokens: &[Token<'_>], at: usize) -> bool {
    after(tokens, at).is_some_and(|right| {
        let next = &tokens[right];
        if matches!(next.text, "不" | "得") {
            return after(tokens, right).is_some_and(|next| tokens[next].marks.any(Marks::DIRECTIONAL));
        }
        matches!(next.text, "着" | "了" | "住" | "满" | "走")
            || next.marks.any(Marks::DIRECTIONAL) && !next.marks.any(Marks::LOCATIVE)
    })
}

/// Whether a preposition of place follows at once: 开到, 坐在.
fn leads(tokens: &[Token<'_>], at: usize) -> bool {
    after(tokens, at).is_some_and(|right| tokens[right].marks.any(Marks::PREPOSITION))
}

fn verb_follows(tokens: &[Token<'_>], at: usize) -> bool {
    after(tokens, at).is_some_and(|next| tokens[next].marks.any(Marks::VERBAL.or(Marks::VERB)))
}

fn text_at<'t>(tokens: &[Token<'t>], at: Option<usize>) -> &'t str {
    at.map_or("", |at| tokens[at].text)
}

/// 里 in 屋里, 上面 in 桌子上面.
fn locative(tokens: &[Token<'_>], at: usize) -> Verdict {
    let word = tokens[at].text;
    let (left, right) = (before(tokens, at), after(tokens, at));
    let Some(left) = left.map(|left| (left, &tokens[left])) else { return locative_first(tokens, at, right) };
    let (number, token) = left;
    // 停在路边后
    if word == "后" && token.marks.any(Marks::LOCATIVE) && !token.marks.any(Marks::PREPOSITION) {
        return doubtful(None);
    }
    if matches!(word, "后" | "前") && is_nominal(token) && closes_event(tokens, number) {
        return doubtful(None);
    }
    if is_past_ground(tokens, number) || (is_time(token) && !is_sky(tokens, number, word)) {
        return NOT_SPATIAL;
    }
    let long = word.chars().nth(1).is_some();
    // 奔跑中 is no place; in 观察后方 the verb has a place to look at.
    if token.marks.any(Marks::ABSTRACT) && !(long && token.marks.any(Marks::VERBAL)) {
        return NOT_SPATIAL;
    }
    if long {
        return locative_of_two(tokens, at, number, right);
    }
    if token.marks.any(Marks::PREPOSITION) || matches!(token.text, "最" | "正" | "斜" | "偏" | "更" | "靠" | "朝") {
        return sure(Class::Locative);
    }
    if token.marks.any(Marks::LOCATIVE.or(Marks::PLACE).or(Marks::DEMONSTRATIVE).or(Marks::ENTITY)) {
        return sure(Class::Locative);
    }
    let contrasted = token.marks.any(Marks::ADJECTIVE) && right.is_some_and(|right| tokens[right].marks.any(Marks::ADJECTIVE));
    if contrasted && before(tokens, number).is_some_and(|left| tokens[left].marks.any(Marks::LOCATIVE)) {
        return sure(Class::Locative);
    }
    // 前面就是北
    if token.text.ends_with('是') && right.is_none() && matches!(word, "东" | "南" | "西" | "北") {
        return sure(Class::Locative);
    }
    // A locative before a noun is the noun's first part: 左膝, 前轮.
    if token.marks.any(Marks::VERBAL.or(Marks::ADVERBIAL).or(Marks::ADJECTIVE).or(Marks::PARTICLE)) {
        return doubtful(None);
    }
    if is_nominal(token) || token.marks.any(Marks::MEASURE) {
        return sure(Class::Locative);
    }
    doubtful(None)
}

/// A locative that opens its clause: 北有秦岭, 左边是鱼塘.
fn locative_first(tokens: &[Token<'_>], at: usize, right: Option<usize>) -> Verdict {
    let word = tokens[at].text;
    if word.chars().nth(1).is_some() {
        return if is_conjunction(tokens, at)
            || matches!(word, "以上" | "以下" | "其中" | "之前" | "之后" | "以前" | "以后" | "左右" | "上下" | "前后")
        {
            NOT_SPATIAL
        } else {
            sure(Class::Locative)
        };
    }
    match right.map(|right| &tokens[right]) {
        Some(next) if matches!(next.text, "有" | "是" | "为") || next.marks.any(Marks::VERB.or(Marks::PREPOSITION)) => {
            sure(Class::Locative)
        }
        // 前矮后高
        Some(next) if next.marks.any(Marks::ADJECTIVE) && next.text.chars().count() == 1 => sure(Class::Locative),
        _ => doubtful(None),
    }
}

/// 一边说一边走: two things at a time, not two places.
fn is_conjunction(tokens: &[Token<'_>], at: usize) -> bool {
    matches!(tokens[at].text, "一边" | "一面") && verb_follows(tokens, at)
}

fn locative_of_two(tokens: &[Token<'_>], at: usize, left: usize, right: Option<usize>) -> Verdict {
    let word = tokens[at].text;
    let token = &tokens[left];
    let counted = token.marks.any(Marks::NUMERAL.or(Marks::MEASURE));
    match word {
        "之前" | "之后" | "以前" | "以后" | "前后" => {
            if !closes_event(tokens, left) && token.marks.any(Marks::ENTITY.or(Marks::PLACE)) && !token.marks.any(Marks::VERBAL.or(Marks::VERB)) {
                sure(Class::Locative)
            } else {
                NOT_SPATIAL
            }
        }
        "左右" | "上下" => {
            if token.marks.any(Marks::PREPOSITION.or(Marks::ENTITY)) && !counted {
                sure(Class::Locative)
            } else {
                NOT_SPATIAL
            }
        }
        "以内" | "以外" | "之内" | "之外" | "以上" | "以下" | "之上" | "之下" | "开外" => {
            let measured = LENGTHS.iter().any(|unit| token.text.ends_with(unit));
            if token.marks.any(Marks::PRONOUN) && !token.marks.any(Marks::DEMONSTRATIVE) {
                return NOT_SPATIAL;
            }
            if measured || (is_nominal(token) && !counted) { sure(Class::Locative) } else { NOT_SPATIAL }
        }
        "其中" | "其间" => {
            if matches!(token.text, "在" | "于" | "从") || token.marks.any(Marks::VERB) || right.is_none() {
                sure(Class::Locative)
            } else {
                NOT_SPATIAL
            }
        }
        _ if is_conjunction(tokens, at) && !token.marks.any(Marks::PREPOSITION) => NOT_SPATIAL,
        _ => sure(Class::Locative),
    }
}

/// 撞上护栏后: the noun is what the verb before it acts on, so the locative tells a time. 躲在门后: the preposition makes it a place.
fn closes_event(tokens: &[Token<'_>], noun: usize) -> bool {
    let mut current = before(tokens, noun);
    while let Some(number) = current {
        let token = &tokens[number];
        if token.marks.any(Marks::PREPOSITION) {
            return text_at(tokens, after(tokens, number)) == "了";
        }
        if token.marks.any(Marks::VERB.or(Marks::DIRECTIONAL)) && !token.marks.any(Marks::LOCATIVE.or(Marks::NOMINAL))
            || token.marks.any(Marks::VERBAL) && !token.marks.any(Marks::ENTITY)
        {
            return !matches!(token.text, "有" | "是" | "绕" | "躲");
        }
        if token.marks.any(Marks::DIRECTIONAL) && judge(tokens, number).class == Some(Class::Directional) {
            return true;
        }
        if token.text == "的" {
            return false;
        }
        current = before(tokens, number);
    }
    false
}

/// 天上 and 天边 are up there; 三天前 is not.
fn is_sky(tokens: &[Token<'_>], at: usize, locative: &str) -> bool {
    let counted = before(tokens, at).is_some_and(|left| tokens[left].marks.any(Marks::NUMERAL));
    tokens[at].text == "天" && !counted && matches!(locative, "上" | "下" | "边" | "外")
}

/// A measure of time before a locative: 三 分钟 内.
fn is_past_ground(tokens: &[Token<'_>], at: usize) -> bool {
    tokens[at].marks.any(Marks::MEASURE.or(Marks::NUMERAL)) && tokens[at].marks.any(Marks::TEMPORAL)
}

/// 上 and 下: after a noun locatives, after a verb directions, before a place verbs.
fn up_or_down(tokens: &[Token<'_>], at: usize) -> Verdict {
    let right = after(tokens, at);
    let goes_to_ground = || {
        let goal = if text_at(tokens, right) == "了" { right.and_then(|right| after(tokens, right)) } else { right };
        goal.is_some_and(|goal| tokens[goal].marks.any(Marks::GOAL.or(Marks::PLACE)))
    };
    let Some(left) = verb_before(tokens, at) else {
        return if goes_to_ground() { sure(Class::Directional) } else { doubtful(None) };
    };
    let token = &tokens[left];
    if text_at(tokens, right) == "了" || is_boarding(tokens, at) {
        return if goes_to_ground() { sure(Class::Directional) } else if token.marks.any(Marks::VERB) { sure(Class::Directional) } else { NOT_SPATIAL };
    }
    let noun_here = token.marks.any(Marks::ENTITY) && (!token.marks.any(Marks::VERB) || (is_noun_by_place(tokens, left) || is_owned(tokens, left)) && !goes_to_ground());
    if token.marks.any(Marks::VERB) && !noun_here {
        return sure(Class::Directional);
    }
    if token.marks.any(Marks::PERSON.or(Marks::PRONOUN)) && !token.marks.any(Marks::DEMONSTRATIVE) && goes_to_ground() {
        return sure(Class::Directional);
    }
    if token.marks.any(Marks::VERBAL) && !token.marks.any(Marks::ENTITY.or(Marks::NOMINAL)) {
        return NOT_SPATIAL;
    }
    if token.marks.any(Marks::ADVERBIAL.or(Marks::CONJUNCTION)) && goes_to_ground() {
        return sure(Class::Directional);
    }
    locative(tokens, at)
}

/// 他背上: whose it is stands before it.
fn is_owned(tokens: &[Token<'_>], at: usize) -> bool {
    before(tokens, at).is_some_and(|left| tokens[left].marks.any(Marks::PRONOUN.or(Marks::PERSON)))
}

/// 下车, 上楼: the ground is one syllable, and nothing more of a noun follows it.
fn is_boarding(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(ground) = after(tokens, at) else { return false };
    let short = tokens[ground].text.chars().count() == 1
        && tokens[ground].marks.any(Marks::GOAL)
        && !tokens[ground].marks.any(Marks::VERB.or(Marks::ADVERBIAL));
    let rest = after(tokens, ground).map(|rest| &tokens[rest]);
    short && rest.is_none_or(|rest| !is_nominal(rest) && !rest.marks.any(Marks::LOCATIVE) && rest.text != "的")
}

/// A word that may be noun or verb is a noun after 的, a measure, a preposition or a possessor: 在 背 上, 他 的 背 上.
fn is_noun_by_place(tokens: &[Token<'_>], at: usize) -> bool {
    before(tokens, at).is_some_and(|left| {
        let left = &tokens[left];
        left.text == "的"
            || left.marks.any(Marks::MEASURE.or(Marks::PREPOSITION).or(Marks::PRONOUN).or(Marks::NUMERAL).or(Marks::ADJECTIVE))
                && left.text != "别"
    })
}

/// 进, 出来 and the like: after a spatial verb, after its object, or as the verb itself.
fn directional(tokens: &[Token<'_>], at: usize) -> Verdict {
    let word = tokens[at].text;
    let right = after(tokens, at);
    let left = verb_before(tokens, at);
    let next = right.map(|right| &tokens[right]);
    if word == "过" {
        return passing(tokens, at, left, right);
    }
    // 出不来, 进得去
    let potential = right.is_some_and(|right| matches!(tokens[right].text, "不" | "得") && after(tokens, right).is_some_and(|last| matches!(tokens[last].text, "来" | "去")));
    if potential && word.chars().nth(1).is_none() {
        return sure(Class::Directional);
    }
    if word == "过去" && before(tokens, at).is_none() && next.is_some_and(|next| next.marks.any(Marks::NUMERAL.or(Marks::TIME)) || next.text == "的") {
        return NOT_SPATIAL;
    }
    if left.is_some_and(|left| MENTAL.split(' ').any(|mental| tokens[left].text == mental) && !tokens[left].marks.any(Marks::VERB)) && !(matches!(word, "来" | "去" | "回来" | "回去" | "进来" | "出去" | "进去") && text_at(tokens, left) == "想") {
        return NOT_SPATIAL;
    }
    if let Some(left) = left {
        let token = &tokens[left];
        let noun_here = token.marks.any(Marks::ENTITY) && is_noun_by_place(tokens, left);
        if token.marks.any(Marks::VERB) && !noun_here {
            return sure(Class::Directional);
        }
        if token.marks.any(Marks::DIRECTIONAL) && matches!(judge(tokens, left).class, Some(Class::Directional)) {
            return sure(Class::Directional);
        }
        if AUXILIARY.contains(&token.text) {
            return main_verb(tokens, at, Some(left), next);
        }
        if token.marks.any(Marks::VERBAL) && !token.marks.any(Marks::ENTITY.or(Marks::NOMINAL)) {
            return after_other_verb(token.text, word);
        }
        let object = is_nominal(token) || token.marks.any(Marks::LOCATIVE);
        if object && word.ends_with(['来', '去']) && moved_before(tokens, left) {
            return sure(Class::Directional);
        }
    }
    if matches!(word, "起" | "开" | "拢" | "起来" | "开来" | "下去" | "起去") {
        return NOT_SPATIAL;
    }
    main_verb(tokens, at, left, next)
}

/// 走过桥 passes the bridge; 去过 is only done.
fn passing(tokens: &[Token<'_>], at: usize, left: Option<usize>, right: Option<usize>) -> Verdict {
    let next = if text_at(tokens, right) == "了" { right.and_then(|right| after(tokens, right)) } else { right };
    let goal =
        next.is_some_and(|next| is_nominal(&tokens[next]) || tokens[next].marks.any(Marks::NUMERAL) || tokens[next].text == "的");
    match left.map(|left| &tokens[left]) {
        Some(token) if matches!(token.text, "来" | "去" | "到" | "有" | "坐" | "住" | "放" | "站") => NOT_SPATIAL,
        Some(token) if token.marks.any(Marks::VERB) => {
            if goal || next.is_none() {
                sure(Class::Directional)
            } else {
                doubtful(Some(Class::Directional))
            }
        }
        Some(token) if token.marks.any(Marks::VERBAL) => NOT_SPATIAL,
        _ if phrase(tokens, if text_at(tokens, right) == "了" { right.unwrap_or(at) } else { at }).head.is_some_and(|head| tokens[head].marks.any(Marks::GOAL)) => sure(Class::Directional),
        _ => NOT_SPATIAL,
    }
}

/// After a verb that the lexicon does not call spatial: into and out of still move things, the other directions seldom do.
fn after_other_verb(verb: &str, word: &str) -> Verdict {
    // 划船过去
    if verb.ends_with(['船', '车', '马', '路']) && word.chars().nth(1).is_some() {
        return doubtful(Some(Class::Directional));
    }
    if MENTAL.split(' ').any(|mental| verb == mental) || verb.chars().nth(1).is_some() {
        return NOT_SPATIAL;
    }
    match word {
        "进" | "出" | "回" | "进来" | "进去" | "出来" | "出去" | "回来" | "回去" => {
            doubtful(Some(Class::Directional))
        }
        _ => NOT_SPATIAL,
    }
}

/// Whether the clause moved something before `at`: 走进屋里, 到海边, 从山上.
fn moved_before(tokens: &[Token<'_>], at: usize) -> bool {
    let mut current = Some(at);
    for _ in 0..10 {
        let Some(number) = current else { return false };
        let token = &tokens[number];
        if matches!(
            token.text,
            "到" | "往" | "向" | "朝" | "从" | "由" | "上" | "下" | "进" | "出" | "回" | "过" | "起" | "带" | "送"
        ) {
            return true;
        }
        if token.marks.any(Marks::VERB) && !token.marks.any(Marks::NOMINAL) {
            return true;
        }
        if token.marks.any(Marks::VERBAL) && !token.marks.any(Marks::ENTITY) {
            return false;
        }
        current = before(tokens, number);
    }
    false
}

/// A direction that is the verb: 他进了屋, 回家, 太阳出来了.
fn main_verb(tokens: &[Token<'_>], at: usize, left: Option<usize>, next: Option<&Token<'_>>) -> Verdict {
    let word = tokens[at].text;
    let goal = match next {
        Some(next) if matches!(next.text, "了" | "过") => {
            after(tokens, at).and_then(|next| after(tokens, next)).map(|goal| &tokens[goal])
        }
        other => other,
    };
    let ground = goal.is_some_and(|goal| {
        goal.marks.any(Marks::GOAL.or(Marks::PLACE).or(Marks::DEMONSTRATIVE)) || matches!(goal.pos, "ns" | "nt" | "s")
    });
    let time_subject = left.is_some_and(|left| {
        is_time(&tokens[left]) && !tokens[left].marks.any(Marks::ADVERBIAL) || tokens[left].marks.any(Marks::ABSTRACT)
    });
    if word.chars().nth(1).is_some() {
        return if time_subject || (matches!(word, "过去" | "过来") && goal.is_some_and(|goal| goal.text == "的")) {
            NOT_SPATIAL
        } else {
            sure(Class::Directional)
        };
    }
    if ground {
        return sure(Class::Directional);
    }
    let ends = goal.is_none() || goal.is_some_and(|goal| matches!(goal.text, "的" | "时"));
    match word {
        "来" | "去" if ends && !time_subject => {
            let actor = left.is_none_or(|left| {
                tokens[left].marks.any(Marks::PERSON.or(Marks::PRONOUN).or(Marks::ADVERBIAL).or(Marks::NOMINAL))
            });
            doubtful(actor.then_some(Class::Directional))
        }
        _ => NOT_SPATIAL,
    }
}

/// A preposition is spatial if what it introduces is a place.
fn preposition(tokens: &[Token<'_>], at: usize) -> Verdict {
    let word = tokens[at].text;
    let right = after(tokens, at);
    let Some(next) = right.map(|right| &tokens[right]) else { return NOT_SPATIAL };
    if word == "到" && matches!(next.text, "了" | "过" | "达") {
        return NOT_SPATIAL;
    }
    if word.chars().nth(1).is_some() && word.ends_with('着') {
        return sure(Class::Preposition);
    }
    let till = matches!(word, "直到" | "直至");
    // 沿 河 is along, 河 沿 its edge.
    let phrase = phrase(tokens, at);
    let place = phrase.place.is_some_and(|place| {
        let class =
            if tokens[place].marks.any(Marks::PREPOSITION) { locative(tokens, place).class } else { judge(tokens, place).class };
        matches!(class, Some(Class::Locative | Class::Place | Class::Demonstrative))
    });
    let head = phrase.head.map(|head| &tokens[head]);
    let ground = head.is_some_and(|head| {
        (head.marks.any(Marks::GROUND) || matches!(head.pos, "ns" | "s")) && !head.marks.any(Marks::ABSTRACT)
    });
    let person =
        head.is_some_and(|head| head.marks.any(Marks::PERSON.or(Marks::PRONOUN)) && !head.marks.any(Marks::DEMONSTRATIVE));
    let moves = phrase.next.is_some_and(|next| tokens[next].marks.any(Marks::VERB.or(Marks::DIRECTIONAL)));
    let after_verb = before(tokens, at).is_some_and(|left| tokens[left].marks.any(Marks::VERB));
    let thing = head.is_some_and(|head| head.marks.any(Marks::NOMINAL) && !head.marks.any(Marks::ABSTRACT) && !is_time(head)) && !person;
    let spatial = match word {
        _ if till => place,
        "从" | "经" | "由" if thing && moves => true,
        "朝" | "冲" if person => true,
        "向" | "朝" | "往" | "冲" | "奔" | "迎" | "望" => place || ground || (person && moves) || after_verb,
        "由" | "打" => place || (ground && later(tokens, at, &["向", "到", "至", "往", "经"])),
        "从" | "自" | "于" => place || ground || after_verb || (person && moves),
        _ => {
            place
                || ground
                || (after_verb && (person || head.is_some_and(|head| !is_time(head) && !head.marks.any(Marks::ABSTRACT))))
        }
    };
    // 东临大海: with nothing after its place it is the verb itself.
    let alone = phrase.next.is_none() && !after_verb && matches!(word, "朝" | "临" | "靠" | "隔" | "绕" | "贴" | "迎" | "挨" | "傍" | "依");
    match (spatial, alone) {
        (true, true) => sure(Class::Verb),
        (true, false) => sure(Class::Preposition),
        (false, _) => NOT_SPATIAL,
    }
}

/// Whether one of `words` follows in the clause.
fn later(tokens: &[Token<'_>], at: usize, words: &[&str]) -> bool {
    let mut current = after(tokens, at);
    while let Some(number) = current {
        if words.contains(&tokens[number].text) {
            return true;
        }
        current = after(tokens, number);
    }
    false
}

/// A verb of place or motion, unless it is a noun here.
fn verb(tokens: &[Token<'_>], at: usize) -> Verdict {
    let marks = tokens[at].marks;
    let (left, right) = (before(tokens, at), after(tokens, at));
    if tokens[at].text == "处" && !matches!(text_at(tokens, right), "在" | "于") {
        return NOT_SPATIAL;
    }
    if tokens[at].text == "住" && matches!(text_at(tokens, left), "得" | "不") {
        return NOT_SPATIAL;
    }
    if tokens[at].text == "住" && left.is_some_and(|left| tokens[left].marks.any(Marks::VERB.or(Marks::VERBAL))) {
        return NOT_SPATIAL;
    }
    if tokens[at].text == "到" {
        let reached = right.filter(|right| matches!(tokens[*right].text, "了" | "过")).and_then(|right| after(tokens, right));
        let arrived = right.is_some_and(|right| tokens[right].text == "了" && after(tokens, right).is_none());
        let ground = arrived || reached.is_some_and(|goal| {
            tokens[goal].marks.any(Marks::GROUND.or(Marks::PLACE).or(Marks::DEMONSTRATIVE)) || tokens[goal].pos == "ns"
        });
        return if ground { sure(Class::Verb) } else { NOT_SPATIAL };
    }
    // The dictionary takes many single verbs for names; the lexicon knows better unless the noun is its own.
    let follows = right.is_some_and(|right| tokens[right].marks.any(Marks::DIRECTIONAL) && judge(tokens, right).class == Some(Class::Directional));
    if follows {
        return sure(Class::Verb);
    }
    if tokens[at].text.chars().nth(1).is_some() && !marks.any(Marks::ENTITY) {
        return if marks.any(Marks::NOMINAL) && is_noun_by_place(tokens, at) { NOT_SPATIAL } else { sure(Class::Verb) };
    }
    let counted = left.is_some_and(|left| tokens[left].marks.any(Marks::MEASURE)) && right.is_none();
    if counted || tokens[at].text == "越" && right.is_none_or(|right| !is_nominal(&tokens[right])) {
        return NOT_SPATIAL;
    }
    // 通过决议: what it acts on is no thing.
    let object = phrase(tokens, at);
    let unreal = |head: usize| tokens[head].marks.any(Marks::ABSTRACT) && !tokens[head].marks.any(Marks::ENTITY.or(Marks::VERBAL)) || is_time(&tokens[head]);
    if object.place.is_none() && object.head.is_some_and(unreal) {
        return doubtful(None);
    }
    if marks.any(Marks::ENTITY) && !acts(tokens, at) && !leads(tokens, at) {
        let noun = left.is_none_or(|_| is_noun_by_place(tokens, at))
            || right.is_none_or(|right| tokens[right].marks.any(Marks::LOCATIVE) || tokens[right].text == "的");
        return if noun { NOT_SPATIAL } else { doubtful(Some(Class::Verb)) };
    }
    sure(Class::Verb)
}

/// 这里, 那边; not 哪里知道.
fn demonstrative(tokens: &[Token<'_>], at: usize) -> Verdict {
    let rhetorical = matches!(
        text_at(tokens, after(tokens, at)),
        "知道" | "想到" | "晓得" | "肯" | "敢" | "会" | "能" | "懂" | "料到" | "舍得" | "是"
    );
    let quoted = text_at(tokens, after(tokens, at)) == "的" && tokens.get(at + 2).is_some_and(|next| next.text == "“");
    if quoted || tokens[at].text.starts_with('哪') && rhetorical { NOT_SPATIAL } else { sure(Class::Demonstrative) }
}
