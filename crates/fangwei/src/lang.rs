//! Two languages for everything that people read: Chinese first, English second.

/// A language of messages, help and reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lang {
    /// 中文
    #[default]
    Zh,
    /// English
    En,
}

impl Lang {
    /// The text in this language.
    pub const fn say(self, zh: &'static str, en: &'static str) -> &'static str {
        words(zh, en).get(self)
    }

    /// Reads `zh`, `zh_CN.UTF-8`, `en`, `en_US`, `C`, …; unknown languages are `None`.
    pub fn parse(tag: &str) -> Option<Lang> {
        let tag = tag.to_ascii_lowercase();
        let language = tag.split(['_', '-', '.', '@']).next().unwrap_or_default();
        match language {
            "zh" | "chinese" => Some(Lang::Zh),
            "en" | "english" | "c" | "posix" => Some(Lang::En),
            _ => None,
        }
    }
}

/// A fixed text in both languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Words {
    /// Chinese.
    pub zh: &'static str,
    /// English.
    pub en: &'static str,
}

impl Words {
    /// The text in one language.
    pub const fn get(self, lang: Lang) -> &'static str {
        match lang {
            Lang::Zh => self.zh,
            Lang::En => self.en,
        }
    }
}

/// Shorthand for [`Words`].
pub const fn words(zh: &'static str, en: &'static str) -> Words {
    Words { zh, en }
}

/// A message in both languages, made at run time: what a defect expected and found.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Say {
    /// Chinese.
    pub zh: String,
    /// English.
    pub en: String,
}

impl Say {
    /// The same text in both languages: names, numbers, quotations.
    pub fn same(text: impl Into<String>) -> Say {
        let text = text.into();
        Say { zh: text.clone(), en: text }
    }

    /// A message from its two versions.
    pub fn new(zh: impl Into<String>, en: impl Into<String>) -> Say {
        Say { zh: zh.into(), en: en.into() }
    }

    /// The message in one language.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::Zh => &self.zh,
            Lang::En => &self.en,
        }
    }
}

impl From<Words> for Say {
    fn from(words: Words) -> Say {
        Say::new(words.zh, words.en)
    }
}

impl From<&str> for Say {
    fn from(text: &str) -> Say {
        Say::same(text)
    }
}

impl From<String> for Say {
    fn from(text: String) -> Say {
        Say::same(text)
    }
}

/// `near: expected a similarity from 0.5 to 1, found 2`, in a language.
pub fn expected_found(lang: Lang, what: &str, expected: &str, found: &str) -> String {
    match lang {
        Lang::Zh => format!("{what}：应为 {expected}，实为 {found}"),
        Lang::En => format!("{what}: expected {expected}, found {found}"),
    }
}

/// The number of terminal columns that a text takes: 2 for a Chinese character.
pub fn columns(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// `text` filled with blanks on the right up to `width` columns.
pub fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// `text` filled with blanks on the left up to `width` columns, for numbers.
pub fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(text))))
}

/// A name that nobody knows, answered with the nearest one and the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// What is wrong, before the name.
    pub what: Words,
    /// The name that was asked for.
    pub asked: Box<str>,
    /// What was perhaps meant.
    pub nearest: Option<Box<str>>,
    /// What the list holds.
    pub list: Words,
    /// What there is.
    pub known: Box<[String]>,
}

impl Unknown {
    /// Looks for the nearest of the known names.
    pub fn new<T: Into<String>>(what: Words, asked: &str, known: impl IntoIterator<Item = T>) -> Unknown {
        let known: Box<[String]> = known.into_iter().map(Into::into).collect();
        let nearest = nearest(asked, known.iter().map(String::as_str)).map(Into::into);
        Unknown { what, asked: asked.into(), nearest, list: words("可选", "known"), known }
    }

    /// The message in one language.
    pub fn say(&self, lang: Lang) -> String {
        let separator = if self.known.iter().any(|name| name.contains(' ')) { ", " } else { " " };
        let (what, list, known) = (self.what.get(lang), self.list.get(lang), self.known.join(separator));
        let hint = |hint: &str| self.nearest.as_ref().map(|name| format!(" ({hint} {name}?)")).unwrap_or_default();
        match lang {
            Lang::Zh => format!("{what} {}{}；{list}：{known}", self.asked, hint("是否指")),
            Lang::En => format!("{what} {}{}; {list}: {known}", self.asked, hint("did you mean")),
        }
    }
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.say(Lang::En))
    }
}

impl std::error::Error for Unknown {}

/// The name in `names` nearest to `asked`, for "did you mean"; `None` when nothing is near.
pub fn nearest<'a>(asked: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names
        .into_iter()
        .map(|name| (edit_distance(asked, name), name))
        .filter(|(distance, name)| *distance * 2 <= name.chars().count().max(4))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Levenshtein distance in characters.
pub(crate) fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_tags() {
        assert_eq!(Lang::parse("zh_CN.UTF-8"), Some(Lang::Zh));
        assert_eq!(Lang::parse("en-GB"), Some(Lang::En));
        assert_eq!(Lang::parse("C.UTF-8"), Some(Lang::En));
        assert_eq!(Lang::parse("fr_FR"), None);
    }

    #[test]
    fn an_unknown_name_is_answered_in_both_languages() {
        let unknown = Unknown::new(words("没有这个任务", "unknown task"), "2023/role", ["2023/roles", "2022/judge"]);
        assert_eq!(unknown.say(Lang::Zh), "没有这个任务 2023/role (是否指 2023/roles?)；可选：2023/roles 2022/judge");
        assert_eq!(unknown.to_string(), "unknown task 2023/role (did you mean 2023/roles?); known: 2023/roles 2022/judge");
        let pairs = Unknown::new(words("没有这种转换", "no conversion"), "x", ["a b", "a c"]);
        assert_eq!(pairs.to_string(), "no conversion x; known: a b, a c");
    }

    #[test]
    fn the_nearest_name() {
        let names = ["2023/anomaly", "2023/roles", "2022/roles"];
        assert_eq!(nearest("2023/anomoly", names), Some("2023/anomaly"));
        assert_eq!(nearest("2023/role", names), Some("2023/roles"));
        assert_eq!(nearest("weather", names), None);
    }

    #[test]
    fn chinese_takes_two_columns() {
        assert_eq!(columns("方位 ab"), 7);
        assert_eq!(pad("方位", 6), "方位  ");
        assert_eq!(pad_left("0.5", 5), "  0.5");
    }
}
