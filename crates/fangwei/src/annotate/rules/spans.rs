//! Where spans begin and end, whatever they say: marks, halves of words, pieces.

use super::super::reading::{is_mark, is_quote};
use super::super::{Fix, Hit, Role, Rule, Severity, Subject, Token, Value, example};
use super::{ANOMALIES, TUPLES, each_value};
use crate::lang::{Say, words};
use crate::lexicon::{Class, Lexicon};
use crate::text::{CharIdx, Span};

/// The first word of which a piece covers only a part that cannot stand alone.
fn broken(subject: &Subject<'_>, value: &Value<'_>) -> Option<Hit> {
    // An event is as short as it can be: 看 of 看电视.
    if value.role.is_event() || value.role == Role::TimeEvent {
        return None;
    }
    let half = value.tokens.iter().find(|token| !token.whole && !may_be_cut(subject, token))?;
    let word = subject.reading.word_at(half.start)?;
    // The piece grows to the whole word, unless another piece has the rest.
    let (mut grown, mut had) = (Span::default(), value.set().clone());
    for idx in value.span().iter() {
        if idx.0 == half.start {
            (word.start..word.end).for_each(|at| grown.push(CharIdx(at)));
            had = had.union(&(word.start..word.end).map(CharIdx).collect());
        } else if !(word.start..word.end).contains(&idx.0) {
            grown.push(idx);
        }
    }
    let whole = (had.len() == grown.len()).then_some(Fix::Cover(value.spot, grown));
    Some(Hit::at(value.spot).saying(Say::same(format!("“{}”", word.text))).mended(whole))
}

/// What a counted noun begins with, which the segmenter may leave joined to it: 一辆车, 本书.
const COUNTED: &str = "一二三四五六七八九十两几百千万半这那每各某数本个只条张件辆座名位";

/// A verb may be cut from its preposition, direction or result, a noun from its locative, and numbers and foreign words anywhere: the segmenter only
/// left them joined.
fn may_be_cut(subject: &Subject<'_>, half: &Token) -> bool {
    let Some(word) = subject.reading.word_at(half.start) else { return true };
    let (lexicon, chars) = (Lexicon::shipped(), &subject.reading.chars);
    let text = |from: u32, to: u32| -> String { chars[from as usize..to as usize].iter().collect() };
    let cuts = [(half.start > word.start).then_some(half.start), (half.end < word.end).then_some(half.end)];
    let fair = |cut: u32| {
        let (head, tail) = (text(word.start, cut), text(cut, word.end));
        let after_verb = [Class::Preposition, Class::Directional].iter().any(|class| lexicon.has(&tail, *class))
            || matches!(tail.as_str(), "着" | "了" | "过" | "的" | "住" | "满" | "成");
        let verbal = word.pos.starts_with('v') && (lexicon.knows(&head) || lexicon.knows(&tail))
            || lexicon.has(&head, Class::Verb) && after_verb;
        let ground = lexicon.has(&tail, Class::Locative) && (lexicon.noun(&head).is_some() || word.pos == "s");
        let counted = head.starts_with(|first| COUNTED.contains(first));
        let phrase = matches!(word.pos.as_bytes().first(), Some(b'l' | b'i' | b't' | b'm'));
        // 关了门, 货堆在: what the segmenter holds for a name is a clause.
        let clause = word.text.chars().skip(1).any(|c| matches!(c, '了' | '着' | '的'))
            || lexicon.has(&tail, Class::Verb) && head.chars().nth(1).is_none();
        // A word that only the segmenter knows is no better than the word that was marked: 钟 of 鸣钟, 由 of 路由.
        let marked = if cut == half.start { &tail } else { &head };
        let stranger = !lexicon.knows(&word.text) && lexicon.noun(&word.text).is_none();
        let known = stranger && (lexicon.knows(marked) || lexicon.noun(marked).is_some());
        verbal || ground || counted || phrase || clause || known
    };
    word.pos == "eng" || cuts.into_iter().flatten().all(fair)
}

pub(super) const AT21: Rule = Rule {
    id: "AT21",
    on: ANOMALIES,
    severity: Severity::Warning,
    title: words("切断了词", "half a word"),
    message: words("片段从词的中间开始或结束", "the fragment begins or ends within a word"),
    check: |subject| each_value(subject, |value| broken(subject, value)),
    passes: &[example("票塞在夹克里。", "C: S=票 P=在夹克里 E=塞"), example("他回到车站外候车。", "C: S=他 P=到车站外 E=回")],
    fails: example("票塞在夹克里。", "C: S=票 P=克里 E=塞"),
};

pub(super) const SF17: Rule = Rule {
    id: "SF17",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("切断了词", "half a word"),
    message: words("片段从词的中间开始或结束", "the fragment begins or ends within a word"),
    check: |subject| each_value(subject, |value| broken(subject, value)),
    passes: &[
        example("他从图书馆出来。", "空间实体=他 起点=从图书馆 方向=出来"),
        example("他回到车站。", "空间实体=他 事件=回 终点=到车站"),
    ],
    fails: example("他从图书馆出来。", "空间实体=他 起点=从图书 方向=出来"),
};

/// Whether a value may not begin or end with the character. Quotation marks and brackets stay where the value holds both: “安全第一”, “先锋”号上.
fn is_edge(text: &str, character: char) -> bool {
    const PAIRS: [(char, char); 8] =
        [('“', '”'), ('‘', '’'), ('《', '》'), ('「', '」'), ('『', '』'), ('（', '）'), ('(', ')'), ('〈', '〉')];
    match PAIRS.iter().find(|(open, close)| *open == character || *close == character) {
        Some((open, close)) => !(text.contains(*open) && text.contains(*close)),
        None => is_mark(character) || is_quote(character),
    }
}

pub(super) const SF11: Rule = Rule {
    id: "SF11",
    on: TUPLES,
    severity: Severity::Error,
    title: words("标点在边上", "a mark at the edge"),
    message: words("片段的开头和结尾不要标点", "a fragment neither begins nor ends with a mark"),
    check: |subject| {
        each_value(subject, |value| {
            let span = value.span();
            let at = |idx: CharIdx| subject.reading.chars.get(idx.0 as usize).copied();
            let text = subject.reading.text(&span);
            let edge = |idx: CharIdx| at(idx).is_some_and(|character| is_edge(&text, character));
            let edges: Vec<u32> = span.pieces().iter().flat_map(|piece| [piece.start, piece.end.saturating_sub(1)]).collect();
            if !edges.into_iter().any(|idx| edge(CharIdx(idx))) {
                return None;
            }
            let trim = |piece: std::ops::Range<u32>| -> Vec<CharIdx> {
                let kept: Vec<CharIdx> = piece.map(CharIdx).skip_while(|idx| edge(*idx)).collect();
                let end = kept.iter().rposition(|idx| !edge(*idx)).map_or(0, |last| last + 1);
                kept[..end].to_vec()
            };
            let rest: Span = span.pieces().into_iter().flat_map(trim).collect();
            Some(Hit::at(value.spot).mended((!rest.is_empty()).then_some(Fix::Cover(value.spot, rest))))
        })
    },
    passes: &[
        example("票，放在桌上。", "空间实体=票 事件=放 处所=在桌上"),
        example("墙上贴着“安全第一”。", "空间实体=“安全第一” 事件=贴 处所=墙上"),
        example("他站在“先锋”号上。", "空间实体=他 事件=站 处所=在+“先锋”号上"),
    ],
    fails: example("他把票放好，在桌上。", "空间实体=票 事件=放 处所=，在桌上"),
};

pub(super) const SF16: Rule = Rule {
    id: "SF16",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("空着的角色", "a role left empty"),
    message: words("填上或删去", "fill it or remove it"),
    check: |subject| {
        each_value(subject, |value| {
            let empty = value.fragment.is_some_and(|fragment| fragment.span.is_empty());
            empty.then(|| Hit::at(value.spot).mended(Fix::Remove(value.spot)))
        })
    },
    passes: &[example("票放在桌上。", "空间实体=票 事件=放 处所=在桌上")],
    fails: example("票放在桌上。", "空间实体=票 事件=放 处所=在桌上 朝向=∅"),
};

pub(super) const SF18: Rule = Rule {
    id: "SF18",
    on: TUPLES,
    severity: Severity::Error,
    title: words("片段的拼接", "the pieces of a fragment"),
    message: words(
        "每个字只标一次；原文里本来连着的字按原文的顺序标",
        "each character once, and what stands together in the text in its order",
    ),
    check: |subject| {
        each_value(subject, |value| {
            let (span, set) = (value.span(), value.set());
            let sorted: Span = set.iter().collect();
            if set.len() < span.len() {
                let mut seen = rustc_hash::FxHashSet::default();
                let once: Span = span.iter().filter(|idx| seen.insert(*idx)).collect();
                return Some(Hit::at(value.spot).mended(Fix::Cover(value.spot, once)));
            }
            let needless = !span.is_sorted() && sorted.pieces().len() == 1;
            needless.then(|| Hit::at(value.spot).only(Severity::Hint).mended(Fix::Cover(value.spot, sorted)))
        })
    },
    passes: &[
        example("仓库很大，货堆在后面。", "空间实体=货 事件=堆 处所=在+仓库+后面"),
        example("票放在桌上。", "空间实体=票 事件=放 处所=在桌上"),
    ],
    fails: example("票放在桌上。", "空间实体=票 事件=放 处所=在桌+桌上"),
};

pub(super) const SF20: Rule = Rule {
    id: "SF20",
    on: TUPLES,
    severity: Severity::Hint,
    title: words("一个片段两个角色", "one fragment in two roles"),
    message: words(
        "同一组里两个角色标了同一片段，确实是两个意思吗",
        "two roles of a tuple hold the same fragment; is that meant",
    ),
    check: |subject| {
        let mut hits = Vec::new();
        for record in &subject.records {
            let places: Vec<&Value<'_>> = record.of(Role::is_place).filter(|value| !value.span().is_empty()).collect();
            for (number, value) in places.iter().enumerate() {
                if places[..number].iter().any(|before| before.set() == value.set()) {
                    hits.push(Hit::at(value.spot));
                }
            }
        }
        hits
    },
    passes: &[example("他从门口走到窗前。", "空间实体=他 事件=走 起点=从门口 终点=到窗前")],
    fails: example("他来到门口。", "空间实体=他 事件=来到 处所=门口 终点=门口"),
};
