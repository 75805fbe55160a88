//! A page as one HTML file: light and dark by the reader's choice, readable on paper, with a list of contents where it is long.

use super::{Block, Exhibit, Number, Page, escape};

/// Colours are named as on the platform, so that one drawing fits both; the series follow the order of legends.
const STYLE: &str = include_str!("page.css");

/// So many headings make a list of contents.
const CONTENTS: usize = 4;

pub(super) fn html(page: &Page) -> String {
    let title = escape(&page.title);
    let tag = page.lang.say("zh-CN", "en");
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{tag}\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n"
    );
    let headings = || page.blocks.iter().filter_map(|block| if let Block::Heading(text) = block { Some(text) } else { None });
    if headings().count() >= CONTENTS {
        let links = headings().enumerate().map(|(at, text)| format!("<a href=\"#s{}\">{}</a>", at + 1, escape(text)));
        out.push_str(&format!("<nav>{}</nav>\n", links.collect::<Vec<_>>().join(" ")));
    }
    let mut section = 0;
    for (block, number) in page.blocks.iter().zip(page.numbered()) {
        match block {
            Block::Heading(text) => {
                section += 1;
                out.push_str(&format!("<h2 id=\"s{section}\">{}</h2>\n", escape(text)));
            }
            Block::Subheading(text) => out.push_str(&format!("<h3>{}</h3>\n", escape(text))),
            Block::Paragraph(text) => out.push_str(&format!("<p>{}</p>\n", escape(text).replace('\n', "<br>"))),
            Block::Table(table) => out.push_str(&format!("<div class=\"wide\" tabindex=\"0\">{}</div>\n", table.html())),
            Block::Exhibit(exhibit) => out.push_str(&shown(page, exhibit, number)),
            Block::Bars(bars) => {
                out.push_str("<div class=\"bars\">\n");
                for (name, share, note) in bars {
                    let share = share.clamp(0.0, 1.0) * 100.0;
                    let (name, note) = (escape(name), escape(note));
                    out.push_str(&format!(
                        "<span>{name}</span><div class=\"bar\"><i style=\"width:{share:.1}%\"></i></div><span>{note}</span>\n"
                    ));
                }
                out.push_str("</div>\n");
            }
        }
    }
    out.push_str("</html>\n");
    out
}

/// A figure stands above its caption and its table folded below it; a table stands below its caption.
fn shown(page: &Page, exhibit: &Exhibit, number: Option<Number>) -> String {
    let number = number.map(|number| number.say(page.lang)).unwrap_or_default();
    let caption = format!("<figcaption><b>{number}</b> {}</figcaption>", escape(&exhibit.caption));
    let left_out = exhibit.left_out(page.lang).map(|line| format!("<p class=\"soft\">{}</p>", escape(&line))).unwrap_or_default();
    let table = format!("<div class=\"wide\" tabindex=\"0\">{}</div>{left_out}", exhibit.shown().html());
    let name = escape(&exhibit.name);
    match &exhibit.figure {
        Some(figure) => {
            let word = page.lang.say("数据", "numbers");
            format!(
                "<figure id=\"{name}\"><div class=\"drawing\" role=\"img\" aria-label=\"{}\">{figure}</div>{caption}<details><summary>{word}</summary>{table}</details></figure>\n",
                escape(&exhibit.caption)
            )
        }
        None => format!("<figure id=\"{name}\">{caption}{table}</figure>\n"),
    }
}
