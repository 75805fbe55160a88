//! Reasons in the five parts of the year's template, in words of our own: the difference, the entities, what is described, what both or each of the texts say of it, and the verdict.

use super::contrast::Contrast;
use crate::reading::Reading;

/// Names in quotation marks, joined as a list: “甲”、“乙”和“丙”.
fn list(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("“{name}”")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{}和{last}", rest.join("、")),
        None => String::new(),
    }
}

/// What is described, by the element that is compared.
fn aspect(element: &str) -> &'static str {
    match element {
        "位移方向" | "方向" | "路径" => "位移",
        "朝向" => "朝向",
        "距离" => "距离",
        "位置关系" => "相互位置关系",
        _ => "位置",
    }
}

/// The reason for either verdict: if the scenes are the same, and if not.
pub fn reasons(contrast: &Contrast, one: &Reading, two: &Reading) -> (String, String) {
    let (first, second) = (one.text(contrast.quoted.first()), two.text(contrast.quoted.second()));
    let difference = format!("两段文本的形式差异在于“{first}”和“{second}”。");
    let entities = list(&contrast.actors.entities);
    let entities =
        if entities.is_empty() { String::new() } else { format!("两段文本都写到这些空间实体：{entities}。") };
    let figure =
        if contrast.actors.figure.is_empty() { "空间实体".to_owned() } else { format!("“{}”", contrast.actors.figure) };
    let verb = if contrast.element == "位置关系" { "" } else { contrast.actors.verb.as_str() };
    let described = format!("{figure}{verb}的{}", aspect(contrast.element));
    let element = contrast.element;
    let same = format!(
        "{difference}{entities}尽管两段文本在描述{described}上有形式差异，但实际上，“{first}”和“{second}”描述{figure}的{element}是相同的，都{}。所以，两段文本可以描述同一个空间场景。",
        contrast.both
    );
    let not = format!(
        "{difference}{entities}两段文本在描述{described}上存在形式差异，表明“{first}”和“{second}”描述{figure}的{element}是不同的，前者{}，后者{}。所以，两段文本不能描述同一个空间场景。",
        contrast.first, contrast.second
    );
    (same, not)
}
