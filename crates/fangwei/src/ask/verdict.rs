//! Yes and no in a reply, in the many ways in which models say it; scenes, which are a yes or no with a reason.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use super::draft::Draft;
use super::reading::Mend;
use crate::answer::{Answer, Kind, Scene, Verdict};
use crate::record::Json;
use crate::task::Task;

/// The first of these fields; a value that is no object is taken itself.
pub(super) fn field<'v, 'a>(value: &'v Json<'a>, names: &[&str], mends: &mut BTreeSet<Mend>) -> Option<&'v Json<'a>> {
    if let Json::Map(_) = value {
        let at = names.iter().position(|name| value.get(name).is_some())?;
        if at > 0 {
            mends.insert(Mend::Shape);
        }
        return value.get(names[at]);
    }
    mends.insert(Mend::Shape);
    Some(value)
}

/// The words for yes and no, longer ones first where one begins with another.
const YES: [&str; 12] = ["true", "yes", "正常", "成立", "合理", "相同", "一致", "可以", "能", "是", "对", "1"];
const NO: [&str; 18] = [
    "false",
    "no",
    "不正常",
    "异常",
    "不成立",
    "不合理",
    "不相同",
    "不一致",
    "不同",
    "不可以",
    "不能",
    "有误",
    "错误",
    "否",
    "不是",
    "不对",
    "错",
    "0",
];

fn verdict_word(word: &str) -> Option<bool> {
    let word = word.trim().trim_matches(['。', '.', '“', '”', '"', '！']).to_lowercase();
    if NO.contains(&word.as_str()) { Some(false) } else { YES.contains(&word.as_str()).then_some(true) }
}

pub(super) fn verdict(given: &Json<'_>, mends: &mut BTreeSet<Mend>) -> Option<bool> {
    match given {
        Json::Bool(value) => Some(*value),
        Json::Int(0) => Some(false),
        Json::Int(1) => Some(true),
        Json::Text(text) => {
            if !matches!(text.as_ref(), "true" | "false") {
                mends.insert(Mend::Words);
            }
            verdict_word(text)
        }
        Json::Map(_) => {
            mends.insert(Mend::Shape);
            verdict(["judge", "judge1", "judge2"].iter().find_map(|name| given.get(name))?, mends)
        }
        Json::List(list) if list.len() == 1 => {
            mends.insert(Mend::Shape);
            verdict(&list[0], mends)
        }
        _ => None,
    }
}

/// A yes or no that is all of a reply, or stands after 答案 at its end.
pub(super) fn in_words(task: &dyn Task, said: &str) -> Option<Draft> {
    if task.kind() != Kind::Verdict {
        return None;
    }
    let last = said.lines().rev().find(|line| !line.trim().is_empty())?;
    let last = last.trim().trim_matches('*');
    let after =
        ["答案", "结论", "判断", task.about().answer].iter().find_map(|sign| last.rsplit_once(sign)).map(|(_, after)| after);
    let word = after.unwrap_or(said).trim_start_matches([' ', '：', ':', '是', '为', '*', '"', '=']);
    verdict_word(word.trim_end_matches('*')).map(|value| Draft::Whole(Answer::Verdict(Verdict::Plain(value))))
}

pub(super) fn read_joint(value: &Json<'_>, mends: &mut BTreeSet<Mend>) -> Option<Answer> {
    let (first, second) = match value {
        Json::List(list) if list.len() == 2 => {
            mends.insert(Mend::Shape);
            (&list[0], Some(&list[1]))
        }
        _ => (value.get("judge1")?, value.get("judge2")),
    };
    let first = verdict(first, mends)?;
    // A text that is judged normal needs no judgement of the reason.
    let second = match second {
        None | Some(Json::Null) if first => false,
        given => verdict(given?, mends)?,
    };
    Some(Answer::Joint(Verdict::Plain(first), Verdict::Plain(second)))
}

pub(super) fn read_scene(value: &Json<'_>, mends: &mut BTreeSet<Mend>) -> Option<Answer> {
    let mut value = value.get("results").unwrap_or(value);
    if let Json::List(list) = value {
        value = list.iter().rev().find(|one| one.get("judge").is_some())?;
    }
    let judge = verdict(field(value, &["judge", "判断", "答案", "结果"], mends)?, mends)?;
    let reason = ["reason", "理由"].iter().find_map(|name| value.get(name)?.as_str()).filter(|reason| !reason.trim().is_empty());
    let reason = reason.map(SmolStr::new).or_else(|| {
        let composed = compose(value, judge)?;
        mends.insert(Mend::Composed);
        Some(composed.into())
    });
    Some(Answer::Scene(Scene { judge: Verdict::Plain(judge), reason }))
}

/// The reason from the slots that the prompt asks for one by one, where a model filled them in and left the reason out.
fn compose(value: &Json<'_>, judge: bool) -> Option<String> {
    let texts = |name: &str| -> Option<Vec<&str>> { value.get(name)?.as_list()?.iter().map(Json::as_str).collect() };
    let slot = |name: &str| value.get(name).and_then(Json::as_str).map(str::trim).filter(|text| !text.is_empty());
    let difference = texts("差异")?;
    let [one, other] = difference.as_slice() else { return None };
    let entities: Vec<String> = texts("实体").unwrap_or_default().iter().map(|entity| format!("“{entity}”")).collect();
    let (object, aspect) = (slot("对象")?, slot("要素")?);
    let (first, second) = (slot("场景1")?, slot("场景2")?);
    let entities =
        if entities.is_empty() { String::new() } else { format!("两段文本都写到了{}。", entities.join("、")) };
    let told = if judge {
        format!("“{one}”和“{other}”说的“{object}”的{aspect}是一样的：{first}，也就是{second}。因此可以描述相同的空间场景。")
    } else {
        format!("“{one}”和“{other}”说的“{object}”的{aspect}不一样：前者{first}，后者{second}。因此不能描述相同的空间场景。")
    };
    Some(format!("两段文本的差别在于“{one}”和“{other}”。{entities}{told}"))
}
