//! What stands around the passage: the verdict, the legend, tuples with their pictures, errors with their reasons and rivals, words by class, who answered.

use fangwei::lang::Lang;
use fangwei::lexicon::Class;
use fangwei::page::escape;

use super::super::clean::clean;
use super::super::explored::{Anomaly, Choices, Explored, Rival, Role, Tuple, Word};
use super::super::look::{self, filled, look, whole};
use super::super::scene::{scenes, svg};
use super::super::sources::Part;
use super::passage::shape;

/// Text of strangers for a page.
fn safe(text: &str) -> String {
    escape(&clean(text))
}

/// A share as a bar; the number stands beside it, so it says nothing more.
fn bar(share: f64) -> String {
    let share = share.clamp(0.0, 1.0) * 100.0;
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"whole\" width=\"100\" height=\"6\"/><rect class=\"share\" width=\"{share:.1}\" height=\"6\"/></svg>"
    )
}

/// Whether the passage is normal, and who thinks so.
pub fn verdict(explored: &Explored, lang: Lang) -> String {
    let word = if explored.normal >= 0.5 { lang.say("正常", "normal") } else { lang.say("异常", "abnormal") };
    let opinion = |opinion: &super::super::Opinion| format!("<span>{} {}</span>", safe(&opinion.by), whole(opinion.normal));
    let opinions: Vec<String> = explored.opinions.iter().map(opinion).collect();
    format!(
        "<p class=\"verdict\"><strong>{word}</strong>{}<span class=\"soft\">{} {}</span></p>\n",
        bar(explored.normal),
        lang.say("正常的可能", "how likely it is normal:"),
        opinions.join(" · ")
    )
}

/// The colours of what is there: classes of words, then roles.
pub fn legend(explored: &Explored, lang: Lang) -> String {
    let mut out = String::new();
    for class in Class::ALL.iter().filter(|class| explored.words.iter().any(|word| word.class == **class)) {
        out.push_str(&format!("<li><span class=\"key word word-{}\"></span>{}</li>", look::class(*class), class.title(lang)));
    }
    if !explored.anomalies.is_empty() {
        out.push_str(&format!("<li><span class=\"key wrong\">～</span>{}</li>", lang.say("有错", "wrong")));
    }
    let mut seen: Vec<&str> = Vec::new();
    for role in explored.tuples.iter().flat_map(|tuple| &tuple.roles).filter(|role| !role.idxes.is_empty()) {
        let look = look(role);
        let label = look.label.get(lang);
        if !seen.contains(&label) {
            seen.push(label);
            let short = look::short(look.group).get(lang);
            let short = if lang == Lang::En { format!(" <small>{short}</small>") } else { String::new() };
            out.push_str(&format!(
                "<li><span class=\"key line colour-{} shape-{}\"></span>{label}{short}</li>",
                look.colour,
                shape(look.shape)
            ));
        }
    }
    if out.is_empty() {
        out
    } else {
        format!("<ul class=\"legend\" aria-label=\"{}\">{out}</ul>\n", lang.say("图例", "Legend"))
    }
}

/// Tuples as a list, and as pictures.
pub fn tuples(explored: &Explored, lang: Lang) -> String {
    let mut out = format!("<section><h3>{}</h3>\n", lang.say("谁在哪里", "Who is where"));
    if explored.tuples.is_empty() {
        out.push_str(&format!("<p class=\"soft\">{}</p>\n</section>\n", lang.say("没有找到空间角色。", "No roles were found.")));
        return out;
    }
    out.push_str("<div class=\"scenes\">\n");
    for scene in scenes(explored, lang) {
        out.push_str(&format!("<figure>{}</figure>\n", svg(&scene, explored, lang)));
    }
    out.push_str("</div>\n<ol class=\"tuples\">\n");
    for tuple in &explored.tuples {
        out.push_str(&of_tuple(tuple, lang));
    }
    out.push_str("</ol>\n</section>\n");
    out
}

fn of_tuple(tuple: &Tuple, lang: Lang) -> String {
    let role = |role: &Role| {
        let look = look(role);
        format!(
            "<span class=\"role colour-{} shape-{}\"><small>{}</small><b lang=\"zh-CN\">{}</b></span>",
            look.colour,
            shape(look.shape),
            look.label.get(lang),
            safe(&filled(role))
        )
    };
    let roles: String = tuple.roles.iter().map(role).collect();
    format!("<li>{roles}<span class=\"soft odds\" title=\"{}\">{}</span></li>\n", lang.say("把握", "how sure"), whole(tuple.odds))
}

/// What is wrong, why, and what would be right.
pub fn anomalies(explored: &Explored, lang: Lang) -> String {
    if explored.anomalies.is_empty() {
        return String::new();
    }
    let cards: String = explored.anomalies.iter().map(|anomaly| of_anomaly(anomaly, lang)).collect();
    let mended = explored.mended.as_deref().map(|mended| {
        format!(
            "<p class=\"mended\"><small>{}</small> <span lang=\"zh-CN\">{}</span></p>\n",
            lang.say("可以改为", "could be"),
            safe(mended).replace('\n', "<br>")
        )
    });
    let title = lang.say("哪里不对", "What is wrong");
    format!(
        "<section class=\"anomalies\"><h3>{title}</h3>\n<div class=\"cards\">\n{cards}</div>\n{}{}</section>\n",
        mended.unwrap_or_default(),
        meaning(lang)
    )
}

fn of_anomaly(anomaly: &Anomaly, lang: Lang) -> String {
    let kind =
        anomaly.kind.as_deref().map(|kind| format!("<span class=\"kind\">{} {}</span>", escape(kind), look::kind(kind, lang)));
    let mut out = format!(
        "<div class=\"card\"><div><p class=\"head\"><b class=\"wrong\" lang=\"zh-CN\">{}</b>{}<span class=\"soft odds\">{}</span></p>\n",
        safe(&anomaly.word),
        kind.unwrap_or_default(),
        whole(anomaly.odds)
    );
    for reason in &anomaly.reasons {
        out.push_str(&format!("<p>{} <small>{}</small></p>\n", safe(reason.say.get(lang)), safe(&reason.by)));
    }
    let fragment = |role: &Role| {
        let look = look(role);
        format!(
            "<span class=\"role colour-{} shape-{}\"><small>{}</small><b lang=\"zh-CN\">{}</b></span>",
            look.colour,
            shape(look.shape),
            escape(&role.role),
            safe(&role.text)
        )
    };
    if !anomaly.fragments.is_empty() {
        out.push_str(&format!("<p class=\"fragments\">{}</p>\n", anomaly.fragments.iter().map(fragment).collect::<String>()));
    }
    let trials: String = anomaly.choices.iter().map(|choices| of_choices(choices, lang)).collect();
    out.push_str(&format!("</div>\n<div class=\"trials\">{trials}</div></div>\n"));
    out
}

/// A place with its rivals.
fn of_choices(choices: &Choices, lang: Lang) -> String {
    let own = if choices.score >= 0.5 { "" } else { " weak" };
    let row = |class: &str, word: &str, score: f64, note: &str| {
        format!(
            "<tr class=\"{class}\"><th scope=\"row\" lang=\"zh-CN\">{}</th><td>{}</td><td class=\"number\">{:.0} %</td><td class=\"soft\">{note}</td></tr>\n",
            safe(word),
            bar(score),
            score * 100.0
        )
    };
    let rival = |rival: &Rival| {
        let note =
            rival.typical.map(|typical| format!("{} {:.0} %", lang.say("相配", "fits"), typical * 100.0)).unwrap_or_default();
        row(if rival.score >= 0.5 { "sound" } else { "weak" }, &rival.word, rival.score, &note)
    };
    let mut rows = row(&format!("own{own}"), &choices.word, choices.score, lang.say("原词", "as it stands"));
    rows.extend(choices.rivals.iter().map(rival));
    let caption = format!("“{}” {} · {}", safe(&choices.word), choices.class.title(lang), lang.say("换成", "replaced by"));
    let none = if choices.rivals.is_empty() {
        format!("<p class=\"soft\">{}</p>", lang.say("词表里没有可换的词。", "The lexicon has no rival."))
    } else {
        String::new()
    };
    format!("<div><table class=\"rivals\"><caption>{caption}</caption><tbody>\n{rows}</tbody></table>{none}</div>\n")
}

/// What the percentages mean.
fn meaning(lang: Lang) -> String {
    let says = lang.say(
        "百分数是换上这个词以后文本正常的可能（其他错处改好），50 % 以上算通顺；“相配”按词表，看前面的名词有多常带这个方位词。",
        "A percentage is how likely the text is normal with the word, other errors put right; 50 % and more counts as sound. “fits” tells, by the lexicon, how typical the locative is after its noun.",
    );
    format!("<p class=\"soft meaning\">{says}</p>\n")
}

/// What could stand in each place.
pub fn choices(explored: &Explored, lang: Lang) -> String {
    if explored.choices.is_empty() {
        return String::new();
    }
    let cards: String =
        explored.choices.iter().map(|choices| format!("<div class=\"card\">{}</div>\n", of_choices(choices, lang))).collect();
    let left = if explored.unweighed > 0 {
        format!(
            "<p class=\"soft\">{} {}</p>\n",
            explored.unweighed,
            lang.say("个词没有比较：文本太长。", "words were not weighed: the text is too long.")
        )
    } else {
        String::new()
    };
    let title = lang.say("这里还能用什么词", "What could stand here");
    format!("<section><h3>{title}</h3>\n<div class=\"cards\">\n{cards}</div>\n{left}{}</section>\n", meaning(lang))
}

/// The spatial words by class.
pub fn words(explored: &Explored, lang: Lang) -> String {
    let mut out = format!("<section><h3>{}</h3>\n", lang.say("空间词", "Spatial words"));
    if explored.words.is_empty() {
        out.push_str(&format!("<p class=\"soft\">{}</p>\n</section>\n", lang.say("没有空间词。", "There is none.")));
        return out;
    }
    out.push_str("<dl class=\"words\">\n");
    for class in Class::ALL {
        let of = explored.words_of(*class);
        if of.is_empty() {
            continue;
        }
        let word = |(word, count): &(&Word, usize)| {
            let model = word.model.map(|model| format!("<small>{}</small>", model.title(lang))).unwrap_or_default();
            let times = if *count > 1 { format!("<small>× {count}</small>") } else { String::new() };
            let text = safe(&word.text);
            format!("<li class=\"word word-{}\"><span lang=\"zh-CN\">{text}</span>{model}{times}</li>", look::class(*class))
        };
        let words: String = of.iter().map(word).collect();
        out.push_str(&format!("<div><dt>{}</dt><dd><ul>{words}</ul></dd></div>\n", class.title(lang)));
    }
    out.push_str("</dl>\n</section>\n");
    out
}

/// Who answered what.
pub fn sources(explored: &Explored, lang: Lang) -> String {
    let told = |by: &super::super::By| {
        let title = Part::parse(&by.part).map_or(by.part.as_str(), |part| part.title().get(lang));
        format!("<li>{} <b>{}</b> <small>{}</small></li>", escape(title), safe(&by.source), escape(&by.task))
    };
    let all: String = explored.by.iter().map(told).collect();
    format!("<footer><span>{}</span><ul>{all}</ul></footer>\n", lang.say("谁回答的", "Who answered"))
}
