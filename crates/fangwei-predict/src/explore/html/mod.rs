//! Pages: a passage as a fragment of HTML that any page can hold, and a page of its own for one passage or many, with nothing to load from elsewhere.
//!
//! Everything that comes from the passage or a model is escaped here; nothing is styled inline, so that the fragment can stand under a strict policy.

mod parts;
mod passage;

use fangwei::lang::Lang;
use fangwei::page::escape;

use super::clean::clean;
use super::explored::Explored;

/// The style of fragments. It takes the colours of paper and ink from the page around it.
pub const STYLE: &str = include_str!("explore.css");
/// The style of the page around them, where there is no other.
const PAGE: &str = include_str!("page.css");

/// So many characters of a passage stand in an index.
const TITLE: usize = 28;

/// A passage as a fragment.
pub fn fragment(explored: &Explored, lang: Lang) -> String {
    let state = if explored.normal >= 0.5 { "normal" } else { "abnormal" };
    let sections = [
        parts::verdict(explored, lang),
        passage::passage(explored, lang),
        parts::legend(explored, lang),
        parts::anomalies(explored, lang),
        parts::tuples(explored, lang),
        parts::words(explored, lang),
        parts::choices(explored, lang),
        parts::sources(explored, lang),
    ];
    format!("<article class=\"explored {state}\">\n{}</article>\n", sections.concat())
}

/// Passages with their names as one page; many have an index.
pub fn page(passages: &[(String, Explored)], lang: Lang) -> String {
    let title = lang.say("空间语义探查", "Spatial meaning, explored");
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · 方位 fangwei</title>\n<style>{PAGE}{STYLE}</style>\n</head>\n<body>\n<header class=\"page\"><h1>{title}</h1><p>方位 fangwei</p></header>\n<main>\n",
        lang.say("zh-CN", "en")
    );
    if passages.len() > 1 {
        out.push_str(&index(passages, lang));
    }
    for (number, (name, explored)) in passages.iter().enumerate() {
        let number = number + 1;
        out.push_str(&format!("<section class=\"one\" id=\"p{number}\">\n"));
        if passages.len() > 1 {
            let name = if name.is_empty() { String::new() } else { format!(" <small>{}</small>", escape(&clean(name))) };
            out.push_str(&format!(
                "<h2>{}{name}</h2>\n",
                lang.say("第 ", "No. ").to_owned() + &number.to_string() + lang.say(" 段", "")
            ));
        }
        out.push_str(&fragment(explored, lang));
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn index(passages: &[(String, Explored)], lang: Lang) -> String {
    let line = |(number, (_, explored)): (usize, &(String, Explored))| {
        let beginning: String = clean(&explored.text).replace('\n', " ").chars().take(TITLE).collect();
        let more = if explored.text.chars().count() > TITLE { "…" } else { "" };
        let (state, word) = if explored.normal >= 0.5 {
            ("normal", lang.say("正常", "normal"))
        } else {
            ("abnormal", lang.say("异常", "abnormal"))
        };
        format!(
            "<li><a href=\"#p{}\"><span lang=\"zh-CN\">{}{more}</span></a> <em class=\"{state}\">{word}</em></li>\n",
            number + 1,
            escape(&beginning)
        )
    };
    let lines: String = passages.iter().enumerate().map(line).collect();
    format!("<nav aria-label=\"{}\"><ol class=\"index\">\n{lines}</ol></nav>\n", lang.say("目录", "Index"))
}
