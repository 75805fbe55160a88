//! Coreference sets: mentions that mean the same (同指), and mentions of one form that do not (异指).

use super::super::{Fix, Hit, Mention, MentionSet, Rule, Severity, Subject, Token, example};
use super::TUPLES;
use crate::lang::words;
use crate::lexicon::Class;
use crate::text::Span;

fn each_mention(subject: &Subject<'_>, mut wrong: impl FnMut(&MentionSet<'_>, &Mention<'_>) -> Option<Hit>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for set in &subject.sets {
        hits.extend(set.mentions.iter().filter_map(|mention| wrong(set, mention)));
    }
    hits
}

pub(super) const CR01: Rule = Rule {
    id: "CR01",
    on: TUPLES,
    severity: Severity::Error,
    title: words("同指不足两个", "fewer than two mentions"),
    message: words("补上另一个，或删去这一组", "add another mention or remove the set"),
    check: |subject| {
        let few = subject.sets.iter().filter(|set| set.mentions.len() < 2);
        few.map(|set| {
            Hit::at(set.spot).on(set.mentions.iter().map(|one| one.fragment.span.clone())).mended(Fix::Remove(set.spot))
        })
        .collect()
    },
    passes: &[example("老周站在桥上，他在等船。", "空间实体=老周 事件=站 处所=在桥上 | 空间实体=他 处所=在桥上 | 同指: 老周 他")],
    fails: example("老周站在桥上，他在等船。", "空间实体=老周 事件=站 处所=在桥上 | 同指: 老周"),
};

pub(super) const CR02: Rule = Rule {
    id: "CR02",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("同指的说法不连续", "a mention in pieces"),
    message: words(
        "每一段都要是一个完整的名词；几个成员合起来可以",
        "each piece must be a whole noun; several members may be joined",
    ),
    check: |subject| {
        each_mention(subject, |_, mention| {
            let pieces = mention.fragment.span.pieces();
            // 他俩 = 老周 + 小林 is how a set and its members are written.
            let whole = |piece: &std::ops::Range<u32>| {
                let tokens = subject.reading.tokens(&piece.clone().collect::<Span>());
                tokens.iter().all(|token| token.whole) && tokens.last().is_some_and(Token::is_nominal)
            };
            (pieces.len() > 1 && !pieces.iter().all(whole)).then(|| Hit::at(mention.spot))
        })
    },
    passes: &[example(
        "小张和小林站在桥上，他们在等船。",
        "空间实体=小张 事件=站 处所=在桥上 | 空间实体=小林 事件=站 处所=在桥上 | 空间实体=他们 处所=在桥上 | 同指: 他们 小张+小林",
    )],
    fails: example("小林走到桥上，慢慢停下，她在等船。", "空间实体=小林 事件=走 终点=到桥上 | 同指: 她 小林+慢慢"),
};

pub(super) const CR03: Rule = Rule {
    id: "CR03",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("同指的说法多标了字", "a mention with more than the noun"),
    message: words("去掉开头的介词或结尾的动词", "leave out the preposition before it or the verb after it"),
    check: |subject| {
        each_mention(subject, |_, mention| {
            let (first, last) = (mention.tokens.first()?, mention.tokens.last()?);
            let span = &mention.fragment.span;
            let many = mention.tokens.len() > 1;
            let keep = if many && first.whole && first.is_preposition() {
                span.iter().skip(first.text.chars().count()).collect::<Span>()
            } else if many && last.whole && last.is(Class::Verb) {
                span.iter().take(span.len() - last.text.chars().count()).collect()
            } else {
                return None;
            };
            Some(Hit::at(mention.spot).mended((!keep.is_empty()).then_some(Fix::Cover(mention.spot, keep))))
        })
    },
    passes: &[example("小林站在桥上，她在等船。", "空间实体=小林 事件=站 处所=在桥上 | 空间实体=她 处所=在桥上 | 同指: 小林 她")],
    fails: example("票放在小林桌上，她在等船。", "空间实体=票 事件=放 处所=在小林桌上 | 同指: 她 在小林"),
};

pub(super) const CR04: Rule = Rule {
    id: "CR04",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("同指或异指是多余的", "a relation that says nothing"),
    message: words(
        "字面相同的默认同指，不同的默认不同；只标相反的情况",
        "equal words mean the same and different words do not unless marked; mark only the contrary",
    ),
    check: |subject| {
        let redundant = |set: &&MentionSet<'_>| {
            let mut texts: Vec<&str> = set.mentions.iter().map(|mention| mention.fragment.text.as_str()).collect();
            let all = texts.len();
            texts.sort_unstable();
            texts.dedup();
            // Of those that mean the same, one form alone; of those that do not, no form twice.
            all > 1 && if set.same { texts.len() == 1 } else { texts.len() == all }
        };
        let sets = subject.sets.iter().filter(redundant);
        sets.map(|set| {
            let hit = Hit::at(set.spot).on(set.mentions.iter().map(|one| one.fragment.span.clone()));
            // Scorers take no default for granted, so a set of equal words does no harm.
            if set.same { hit.only(Severity::Hint) } else { hit.mended(Fix::Remove(set.spot)) }
        })
        .collect()
    },
    passes: &[example(
        "车停在桥上，一辆车停在桥下。",
        "空间实体=车 事件=停 处所=在桥上 | 空间实体=车@2 事件=停@2 处所=在桥下 | 异指: 车 车@2",
    )],
    fails: example(
        "车停在桥上，船停在桥下。",
        "空间实体=车 事件=停 处所=在桥上 | 空间实体=船 事件=停@2 处所=在桥下 | 异指: 车 船",
    ),
};

pub(super) const CR05: Rule = Rule {
    id: "CR05",
    on: TUPLES,
    severity: Severity::Warning,
    title: words("同指的说法没有用到", "a set of which no tuple uses a mention"),
    message: words("只标出现在实体或处所里的同指", "mark only what occurs in entities or places"),
    check: |subject| {
        let used = |mention: &Mention<'_>| {
            let own = mention.fragment.span.to_set();
            let counts = subject.values().filter(|(_, value)| value.role.is_entity() || value.role.is_place());
            let mut counts = counts.map(|(_, value)| value.set());
            counts.any(|set| own.overlap(set) > 0)
        };
        let idle = subject.sets.iter().filter(|set| set.mentions.len() > 1 && !set.mentions.iter().any(used));
        idle.map(|set| {
            Hit::at(set.spot).on(set.mentions.iter().map(|one| one.fragment.span.clone())).mended(Fix::Remove(set.spot))
        })
        .collect()
    },
    passes: &[
        example("小林站在桥上，她在等船。", "空间实体=小林 事件=站 处所=在桥上 | 同指: 小林 她"),
        example("票在她手里，小林笑了。", "空间实体=票 事件=在 处所=她手里 | 同指: 她 小林"),
    ],
    fails: example("小林说，船停在桥下，她知道。", "空间实体=船 事件=停 处所=在桥下 | 同指: 小林 她"),
};
