//! A page of the platform as a file beside others: addresses become relative paths, and what needs a server (scripts, forms, ways to what is not in the copy) is left out.
//!
//! Pages are our own, so their tags are as our templates and our Markdown write them: attributes in double quotes, no `>` within.

use std::collections::{BTreeMap, BTreeSet};

/// Where a page stands, and where others do.
pub struct Here<'h> {
    /// Its address on the platform.
    pub address: &'h str,
    /// Its file in the copy.
    pub file: &'h str,
    /// The file with the same page in the other language.
    pub other: &'h str,
    /// The address of the first page.
    pub home: &'h str,
    /// Files by addresses.
    pub links: &'h BTreeMap<&'h str, String>,
}

/// Where a link leads.
enum Way {
    /// Outside: as it is.
    Kept,
    /// To a file of the copy.
    To(String),
    /// To something that is not in the copy.
    Nowhere,
}

impl Here<'_> {
    fn way(&self, to: &str, assets: &mut BTreeSet<String>) -> Way {
        if to.starts_with('#') || to.starts_with("mailto:") || to.contains("://") {
            return Way::Kept;
        }
        let (to, fragment) = to.split_once('#').map_or((to, String::new()), |(to, fragment)| (to, format!("#{fragment}")));
        let address = if to.starts_with('/') { to.to_owned() } else { join(self.address, to) };
        let address = address.trim_end_matches('/');
        if let Some(asset) = address.strip_prefix("/static/") {
            let file = format!("static/{asset}");
            let way = Way::To(relative(self.file, &file));
            assets.insert(file);
            return way;
        }
        let address = if address.is_empty() { self.home } else { address };
        let file = if address.starts_with("/lang/") { Some(self.other) } else { self.links.get(address).map(String::as_str) };
        file.map_or(Way::Nowhere, |file| Way::To(relative(self.file, file) + &fragment))
    }
}

/// A relative address, as browsers read it.
fn join(base: &str, to: &str) -> String {
    let mut parts: Vec<&str> = base.split('/').collect();
    parts.pop();
    for part in to.split('/') {
        match part {
            "." => {}
            ".." if parts.len() > 1 => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The way from one file to another.
fn relative(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let shared = from.iter().zip(&to).take(from.len() - 1).take_while(|(a, b)| a == b).count();
    // The name of a file is no folder, even where a folder has the same.
    let shared = shared.min(to.len() - 1);
    let up = std::iter::repeat_n("..", from.len() - 1 - shared);
    up.chain(to[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// The page as a file; the assets that it needs are added to `assets`.
pub fn rewrite(html: &str, here: &Here<'_>, assets: &mut BTreeSet<String>) -> String {
    let (mut out, mut rest) = (String::with_capacity(html.len()), html);
    let (mut in_nav, mut unlinked) = (false, false);
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = ["script", "form"].iter().find_map(|name| without(rest, name)) {
            rest = after;
            continue;
        }
        let end = rest.find('>').map_or(rest.len(), |end| end + 1);
        let (tag, after) = rest.split_at(end);
        rest = after;
        in_nav = if tag.starts_with("<nav") { true } else { in_nav && !tag.starts_with("</nav") };
        if tag == "</a>" && unlinked {
            unlinked = false;
            continue;
        }
        match attribute(tag, "href").map(|to| (to, here.way(&unescape(to), assets))) {
            None => out.push_str(&drop_attribute(tag, "data-live")),
            Some((_, Way::Kept)) => out.push_str(tag),
            Some((to, Way::To(file))) => {
                let tag = tag.replace(&format!("href=\"{to}\""), &format!("href=\"{}\"", fangwei::page::escape(&file)));
                out.push_str(&tag);
            }
            // In a row of ways a word that leads nowhere is no help; in a text it is part of the sentence.
            Some((_, Way::Nowhere)) if in_nav => rest = rest.split_once("</a>").map_or("", |(_, after)| after),
            Some((_, Way::Nowhere)) => unlinked = tag.starts_with("<a "),
        }
    }
    out.push_str(rest);
    out
}

/// What follows an element that the text begins with.
fn without<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let tag = text.strip_prefix('<')?.strip_prefix(name)?;
    if !tag.starts_with([' ', '>']) {
        return None;
    }
    Some(text.split_once(&format!("</{name}>")).map_or("", |(_, after)| after))
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

fn drop_attribute(tag: &str, name: &str) -> String {
    attribute(tag, name).map_or_else(|| tag.to_owned(), |value| tag.replace(&format!(" {name}=\"{value}\""), ""))
}

fn unescape(text: &str) -> String {
    text.replace("&#38;", "&").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_files() {
        for (from, to, way) in [
            ("index.html", "boards/dev.html", "boards/dev.html"),
            ("boards/dev.html", "index.html", "../index.html"),
            ("boards/dev.html", "boards/dev.csv", "dev.csv"),
            ("en/boards/dev.html", "static/a.css", "../../static/a.css"),
            ("en/index.html", "index.html", "../index.html"),
            ("boards.html", "boards/dev.html", "boards/dev.html"),
        ] {
            assert_eq!(relative(from, to), way, "{from} to {to}");
        }
        assert_eq!(join("/contests/a/pages/b", "../tasks/c"), "/contests/a/tasks/c");
    }

    #[test]
    fn what_needs_a_server_is_left_out() {
        let links = BTreeMap::from([("/contests/a", "index.html".to_owned()), ("/contests/a/news", "news.html".to_owned())]);
        let here =
            Here { address: "/contests/a/news", file: "news.html", other: "en/news.html", home: "/contests/a", links: &links };
        let html = "<link href=\"/static/x.css\"><script src=\"/static/x.js\"></script><nav><a href=\"/\">home</a><a href=\"/login\">in</a></nav>\
                    <p>see <a href=\"/me\">yourself</a>, <a href=\"https://x.y/\">out</a>, <a hreflang=\"en\" href=\"/lang/en\">E</a> <a href=\"#n\">n</a></p>\
                    <form action=\"/x\"><button>b</button></form><div data-live=\"/api/x\">d</div>";
        let mut assets = BTreeSet::new();
        let found = rewrite(html, &here, &mut assets);
        assert_eq!(
            found,
            "<link href=\"static/x.css\"><nav><a href=\"index.html\">home</a></nav>\
             <p>see yourself, <a href=\"https://x.y/\">out</a>, <a hreflang=\"en\" href=\"en/news.html\">E</a> <a href=\"#n\">n</a></p><div>d</div>"
        );
        assert_eq!(assets.into_iter().collect::<Vec<_>>(), ["static/x.css"]);
    }
}
