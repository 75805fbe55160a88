//! Markdown as HTML that cannot harm: raw HTML is shown as it was typed, links lead to the web, mail or this site, pictures are left to their words.
//!
//! Here and where passages are explored, templates take HTML as it is; what comes out of it was escaped here.

use askama::FastWritable;
use askama::filters::HtmlSafe;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// HTML that was made of Markdown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Markdown(String);

impl Markdown {
    /// Reads a text. Its headings begin one level lower, for a page has its own title.
    pub fn new(text: &str) -> Markdown {
        let parser = Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
        let mut out = String::new();
        html::push_html(&mut out, parser.filter_map(harmless));
        // Code may be wider than the page: who has no mouse must be able to scroll it. No text can hold this tag, for its own are escaped.
        Markdown(out.replace("<pre>", "<pre tabindex=\"0\">"))
    }
}

fn harmless(event: Event<'_>) -> Option<Event<'_>> {
    Some(match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => return None,
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let dest_url = if is_harmless(&dest_url) { dest_url } else { CowStr::Borrowed("#") };
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        Event::Start(Tag::Heading { level, .. }) => {
            Event::Start(Tag::Heading { level: lower(level), id: None, classes: Vec::new(), attrs: Vec::new() })
        }
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(lower(level))),
        // Alignment would be written as a style, which pages here do not have.
        Event::Start(Tag::Table(columns)) => Event::Start(Tag::Table(vec![pulldown_cmark::Alignment::None; columns.len()])),
        other => other,
    })
}

/// Whether a link leads to the web, to mail, or somewhere on this site.
fn is_harmless(address: &str) -> bool {
    let lower = address.trim().to_ascii_lowercase();
    let named = ["https://", "http://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme));
    let before = lower.split(['/', '?', '#']).next().unwrap_or_default();
    named || !before.contains(':')
}

fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H2 => HeadingLevel::H3,
        HeadingLevel::H3 => HeadingLevel::H4,
        HeadingLevel::H4 => HeadingLevel::H5,
        HeadingLevel::H5 | HeadingLevel::H6 => HeadingLevel::H6,
    }
}

impl std::fmt::Display for Markdown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl FastWritable for Markdown {
    fn write_into(&self, out: &mut dyn std::fmt::Write, _: &dyn askama::Values) -> askama::Result<()> {
        Ok(out.write_str(&self.0)?)
    }
}

impl HtmlSafe for Markdown {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_runs_gets_through() {
        let text = "# 标题\n\n<script>alert(1)</script>\n\n一<img src=x onerror=alert(1)>二 [a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) ![图](x.png)\n\n|a|b|\n|:-|-:|\n|1|<b>|\n";
        let html = Markdown::new(text).to_string();
        for banned in ["<script", "<img", "javascript:", "JaVaScRiPt:", "data:", "style=", "<b>", "onerror=alert(1)>"] {
            assert!(!html.contains(banned), "{banned} in {html}");
        }
        assert!(html.contains("<h2>标题</h2>") && html.contains("&lt;script&gt;"), "{html}");
        assert!(html.contains('图'), "the words of a picture stay: {html}");
    }

    #[test]
    fn links_that_lead_somewhere_stay() {
        for address in ["https://example.org/a?b=c", "mailto:a@example.org", "/contests/x/data", "data", "#part", "a/b:c"] {
            let html = Markdown::new(&format!("[x]({address})")).to_string();
            assert!(html.contains(&format!("href=\"{}\"", address.replace('&', "&amp;"))), "{html}");
        }
        assert!(Markdown::new("[x](vbscript:y)").to_string().contains("href=\"#\""));
    }
}
