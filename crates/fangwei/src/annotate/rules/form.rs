//! What a mark of any task must be: well formed, not empty, at one with itself.

use super::super::{Hit, Rule, Severity, Spot, Subject, example};
use super::TUPLES;
use crate::answer::{Answer, Kind, Verdict};
use crate::lang::{Say, words};
use crate::record::{self, Check, Code};

/// Every kind of answer that people mark.
const ALL: &[Kind] = &[
    Kind::Verdict,
    Kind::Joint,
    Kind::Reasons,
    Kind::Candidates,
    Kind::Slots,
    Kind::Tuples,
    Kind::Scene,
    Kind::DraftReason,
    Kind::Graph,
];

/// Every kind but those of anomalies, which have AT01.
const OTHERS: &[Kind] = &[Kind::Verdict, Kind::Joint, Kind::Slots, Kind::Tuples, Kind::Scene];

/// The defects that a rule of its own tells better.
fn told_elsewhere(kind: Kind, code: Code) -> bool {
    let tuples = TUPLES.contains(&kind) && matches!(code, Code::MissingEntity | Code::RoleConflict | Code::RepeatedTuple);
    tuples || code.is_for_submissions() || matches!(code, Code::EmptyFragment | Code::EmptyAnswer | Code::RepeatedIdx)
}

pub(super) const FM01: Rule = Rule {
    id: "FM01",
    on: ALL,
    severity: Severity::Error,
    title: words("格式", "the form"),
    message: words("答案不合任务的格式", "the answer breaks the task's form"),
    check: |subject| {
        let Some(answer) = &subject.mark.answer else { return Vec::new() };
        let mut check = Check::new("".into(), 0);
        subject.task.check_answer(answer, Some(&subject.item.texts), &mut check);
        let kept = check.defects.into_iter().filter(|defect| !told_elsewhere(subject.kind(), defect.code));
        kept.map(|defect| {
            let (place, meaning) = (&defect.pointer, defect.code.meaning());
            let detail = Say::new(
                format!("{}：应为 {}，实为 {}；/answer{place}", meaning.zh, defect.expected.zh, defect.found.zh),
                format!("{}: expected {}, found {}; /answer{place}", meaning.en, defect.expected.en, defect.found.en),
            );
            let hit = Hit::at(Spot::Field("answer")).saying(detail);
            if defect.severity() == record::Severity::Warning { hit.only(Severity::Warning) } else { hit }
        })
        .collect()
    },
    passes: &[
        example("票放在桌上。 ‖ 票放在桌下。", "判断: false | 理由: 差异在于“桌上”和“桌下”，前者在桌面之上，后者在桌面之下"),
        example("票放在桌上。 ‖ 票搁在桌上。", "判断: true | 理由: 差异在于“放”和“搁”，意思一样"),
    ],
    fails: example("票放在桌上。 ‖ 票放在桌下。", "判断: false"),
};

pub(super) const FM02: Rule = Rule {
    id: "FM02",
    on: OTHERS,
    severity: Severity::Error,
    title: words("什么也没标", "nothing is marked"),
    message: words(
        "请作答；不能作答时说明原因（不适合或特殊情况）",
        "give an answer, or say why there is none (unsuitable, or a special case)",
    ),
    check: |subject| {
        let said = match &subject.mark.answer {
            None => false,
            Some(Answer::Verdict(verdict)) => verdict.value().is_some(),
            Some(Answer::Joint(verdict, reason)) => verdict.value().is_some() && reason.value().is_some(),
            Some(Answer::Scene(scene)) => scene.judge.value().is_some(),
            Some(Answer::Slots(tuples)) => !tuples.is_empty(),
            Some(Answer::Tuples(tuples)) => !tuples.is_empty(),
            Some(_) => true,
        };
        let judged = subject.kind() == Kind::Verdict && subject.mark.level.is_some();
        if said || judged || subject.mark.sets_aside() { Vec::new() } else { vec![Hit::at(Spot::Field("answer"))] }
    },
    passes: &[
        example("钥匙锁在抽屉里。", "判断: true"),
        example("钥匙锁在抽屉里。", "级别: someFine"),
        example("床前明月光。", "不宜: 诗句"),
    ],
    fails: example("钥匙锁在抽屉里。", ""),
};

pub(super) const FM03: Rule = Rule {
    id: "FM03",
    on: &[Kind::Verdict],
    severity: Severity::Error,
    title: words("等级与判断不合", "level and verdict disagree"),
    message: words(
        "完全正常对应“正常”，显然异常对应“异常”，中间两级没有判断",
        "normal goes with true, wrong with false, and the two levels between have no verdict",
    ),
    check: level_and_verdict,
    passes: &[example("钥匙锁进抽屉外。", "级别: bad | 判断: false"), example("歌声从阁楼旁传出来。", "级别: someFine")],
    fails: example("钥匙锁进抽屉外。", "级别: bad | 判断: true"),
};

fn level_and_verdict(subject: &Subject<'_>) -> Vec<Hit> {
    let (Some(level), Some(Answer::Verdict(verdict))) = (subject.mark.level, &subject.mark.answer) else { return Vec::new() };
    let wrong = *verdict != Verdict::Neither && verdict.value() != level.verdict();
    if wrong { vec![Hit::at(Spot::Field("level"))] } else { Vec::new() }
}
