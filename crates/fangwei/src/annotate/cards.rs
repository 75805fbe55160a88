//! The rule cards: the page for people that `docs/guide/*/rules.md` holds, written from [`RULES`] so that it cannot go stale.

use super::{Example, RULES, RULES_VERSION, Rule, Severity};
use crate::answer::Kind;
use crate::lang::{Lang, words};
use crate::task::Task;

/// The groups of rules by the first letters of their names.
const GROUPS: [(&str, crate::lang::Words); 7] = [
    ("FM", words("任何标注", "Any mark")),
    ("AT", words("归因与异常识别", "Reasons and candidates")),
    ("SF", words("元组的各个角色", "The roles of a tuple")),
    ("SR", words("元组", "Tuples")),
    ("CR", words("同指与异指", "Coreference")),
    ("IT", words("整道题", "The item")),
    ("", words("其他", "Others")),
];

/// The page in one language, as Markdown.
pub fn cards(lang: Lang) -> String {
    let errors = RULES.iter().filter(|rule| rule.severity == Severity::Error).count();
    let mut page = String::new();
    page.push_str(match lang {
        Lang::Zh => "# 标注规则\n\n",
        Lang::En => "# Rules of annotation\n\n",
    });
    page.push_str(&match lang {
        Lang::Zh => format!(
            "标注时，编辑器随时用这些规则检查；提交和发布时用同一套规则。第 {RULES_VERSION} 版，{} 条，其中 {errors} 条是错误。\
             错误不改就不能提交；警告可以注明理由后保留；提示只供参考。为什么这样规定，见 [docs/design/annotation.md](../../design/annotation.md)。\n\n\
             例子的写法：`角色=文字`；`门@2` 是文中第二个“门”；`在+仓库+后面` 是按此顺序拼接的几段；`|` 隔开几组；`∅` 是空。\
             归因以类型开头：`A:`、`B:`、`C:`。`被替换:` 只有审核和发布时知道。\n",
            RULES.len()
        ),
        Lang::En => format!(
            "The editor checks marks by these rules as one works; the server and the release use the same. Version {RULES_VERSION}, {} rules, {errors} of them errors. \
             A mark with an error cannot be finished; a warning may stay with a reason; a hint is for information. The reasons behind them: \
             [docs/design/annotation.md](../../design/annotation.md).\n\n\
             How examples are written: `role=words`; `门@2` is the second 门 of the text; `在+仓库+后面` are pieces joined in this order; `|` stands between records; \
             `∅` is nothing. A reason begins with its type: `A:`, `B:`, `C:`. `被替换:` (replaced) is known to reviewers and the release only.\n",
            RULES.len()
        ),
    });
    for (prefix, title) in GROUPS {
        let known = |rule: &&&Rule| GROUPS.iter().any(|(prefix, _)| !prefix.is_empty() && rule.id.starts_with(prefix));
        let own = |rule: &&&Rule| if prefix.is_empty() { !known(rule) } else { rule.id.starts_with(prefix) };
        let mut rules = RULES.iter().filter(own).peekable();
        if rules.peek().is_some() {
            page.push_str(&format!("\n## {}\n", title.get(lang)));
            rules.for_each(|rule| page.push_str(&card(rule, lang)));
        }
    }
    page
}

fn card(rule: &Rule, lang: Lang) -> String {
    let shown = |example: &Example| {
        let nothing = lang.say("什么也没标", "nothing");
        let mark = if example.mark.is_empty() { nothing.to_owned() } else { format!("`{}`", example.mark.replace('|', "\\|")) };
        format!("“{}” {mark}", example.text)
    };
    let mut card = format!(
        "\n### {} {}\n\n{} · {}\n\n{}\n\n| | |\n| --- | --- |\n",
        rule.id,
        rule.title.get(lang),
        rule.severity.title(lang),
        kinds(rule.on, lang),
        sentence(rule.message.get(lang), lang)
    );
    for example in rule.passes {
        card.push_str(&format!("| ✔ | {} |\n", shown(example)));
    }
    card.push_str(&format!("| ✘ | {} |\n", shown(&rule.fails)));
    card
}

/// A message as a sentence of its own.
fn sentence(message: &str, lang: Lang) -> String {
    let mut characters = message.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}{}", characters.as_str(), lang.say("。", "."))
}

/// The tasks of some kinds of answers, by their ids.
fn kinds(on: &[Kind], lang: Lang) -> String {
    let ids: Vec<&str> = crate::tasks::all().filter(|task| on.contains(&task.kind())).map(Task::id).collect();
    if ids.len() == crate::tasks::all().count() { lang.say("所有任务", "every task").to_owned() } else { ids.join(" ") }
}
