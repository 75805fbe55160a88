//! JSON as models write it: what is nearly JSON is read as what was meant, and every liberty is noted.

use std::collections::BTreeSet;

use super::reading::Mend;
use crate::record::Json;

/// Deeper values than any answer has are refused.
const DEEPEST: usize = 32;

/// Reads the value that begins at the start of `text`; what follows it is left alone.
pub(super) fn parse(text: &str) -> Option<(Json<'static>, BTreeSet<Mend>)> {
    let mut reader = Reader { text: text.chars().collect(), at: 0, depth: 0, mends: BTreeSet::new() };
    let value = reader.value()?;
    Some((value, reader.mends))
}

struct Reader {
    text: Vec<char>,
    at: usize,
    depth: usize,
    mends: BTreeSet<Mend>,
}

/// What a full-width sign of structure stands for.
fn half_width(sign: char) -> char {
    match sign {
        '｛' => '{',
        '｝' => '}',
        '［' => '[',
        '］' => ']',
        '：' => ':',
        '，' | '、' => ',',
        other => other,
    }
}

fn is_quote(sign: char) -> bool {
    matches!(sign, '"' | '＂' | '“' | '”' | '\'' | '‘' | '’')
}

impl Reader {
    fn mend(&mut self, mend: Mend) {
        self.mends.insert(mend);
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    /// The next sign of structure, blanks and comments passed over.
    fn sign(&mut self) -> Option<char> {
        loop {
            match (self.peek()?, self.text.get(self.at + 1)) {
                (blank, _) if blank.is_whitespace() || blank == '\u{feff}' => self.at += 1,
                ('/', Some('/')) => self.comment("\n"),
                ('/', Some('*')) => self.comment("*/"),
                (sign, _) => return Some(half_width(sign)),
            }
        }
    }

    fn comment(&mut self, end: &str) {
        self.mend(Mend::Comment);
        let end: Vec<char> = end.chars().collect();
        let rest = &self.text[self.at..];
        let length = rest.windows(end.len()).position(|window| window == end.as_slice());
        self.at += length.map_or(rest.len(), |length| length + end.len());
    }

    /// Takes the sign at hand, which [`Reader::sign`] has found.
    fn take(&mut self) {
        if self.peek().is_some_and(|sign| half_width(sign) != sign) {
            self.mend(Mend::FullWidth);
        }
        self.at += 1;
    }

    /// `None` where there is no value, or only the beginning of a text.
    fn value(&mut self) -> Option<Json<'static>> {
        match self.sign()? {
            '{' => self.nested(Reader::map),
            '[' => self.nested(Reader::list),
            sign if is_quote(sign) => self.string(false).map(Json::text),
            _ => self.word(),
        }
    }

    fn nested(&mut self, read: fn(&mut Reader) -> Json<'static>) -> Option<Json<'static>> {
        if self.depth == DEEPEST {
            return None;
        }
        self.take();
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        Some(value)
    }

    /// Passes commas; says whether the closing sign, another closing sign or the end was met. An end that comes too soon is noted.
    fn ended(&mut self, close: char, empty: bool) -> bool {
        let mut commas = 0;
        loop {
            match self.sign() {
                Some(',') => {
                    self.take();
                    commas += 1;
                }
                Some(sign) if sign == close => {
                    self.take();
                    if commas > 0 {
                        self.mend(Mend::TrailingComma);
                    }
                    return true;
                }
                // A bracket that closes something else: this one was forgotten.
                None | Some('}' | ']') => {
                    self.mend(Mend::Closed);
                    return true;
                }
                Some(_) => {
                    if commas != usize::from(!empty) {
                        self.mend(if commas == 0 { Mend::MissingComma } else { Mend::TrailingComma });
                    }
                    return false;
                }
            }
        }
    }

    fn list(&mut self) -> Json<'static> {
        let mut list = Vec::new();
        while !self.ended(']', list.is_empty()) {
            let before = self.at;
            match self.value() {
                Some(value) => list.push(value),
                None if self.at == before => self.at += 1,
                None => {}
            }
        }
        Json::List(list)
    }

    fn map(&mut self) -> Json<'static> {
        let mut fields: Vec<(String, Json<'static>)> = Vec::new();
        while !self.ended('}', fields.is_empty()) {
            let before = self.at;
            let key = if self.sign().is_some_and(is_quote) { self.string(true) } else { self.bare_key() };
            if self.sign() == Some(':') {
                self.take();
            }
            match (key, self.sign()) {
                // A key whose value never came.
                (_, None | Some('}' | ']' | ',')) | (None, _) => {}
                (Some(key), _) => {
                    if let Some(value) = self.value() {
                        fields.push((key, value));
                    }
                }
            }
            if self.at == before {
                self.at += 1;
            }
        }
        Json::map(fields)
    }

    fn bare_key(&mut self) -> Option<String> {
        let rest = &self.text[self.at..];
        let end = |sign: &char| matches!(half_width(*sign), ':' | ',' | '{' | '}' | '[' | ']' | '\n');
        let length = rest.iter().position(end).unwrap_or(rest.len());
        let key: String = rest[..length].iter().collect();
        // What is no key is passed over in one go, not character by character.
        self.at += length;
        if self.sign() != Some(':') {
            return None;
        }
        self.mend(Mend::Unquoted);
        Some(key.trim().to_owned())
    }

    /// A number, a name, or a text without quotation marks.
    fn word(&mut self) -> Option<Json<'static>> {
        let rest = &self.text[self.at..];
        let end = |sign: &char| matches!(*sign, ',' | '，' | '}' | '｝' | ']' | '］' | '\n');
        let length = rest.iter().position(end).unwrap_or(rest.len());
        let word: String = rest[..length].iter().collect();
        self.at += length;
        let word = word.trim();
        let plain = match word {
            "" | "..." | "…" | "……" => return None,
            "True" => Some(Json::Bool(true)),
            "False" => Some(Json::Bool(false)),
            "None" | "undefined" | "NaN" => Some(Json::Null),
            _ => Json::parse(word.as_bytes()).ok().map(Json::into_owned),
        };
        if matches!(word, "True" | "False" | "None" | "undefined" | "NaN") || plain.is_none() {
            self.mend(Mend::Unquoted);
        }
        Some(plain.unwrap_or_else(|| Json::text(word.to_owned())))
    }

    /// A text in any quotation marks; `None` where it has no end.
    fn string(&mut self, key: bool) -> Option<String> {
        let open = self.peek()?;
        self.at += 1;
        let single = matches!(open, '\'' | '‘' | '’');
        match open {
            '"' => {}
            '\'' => self.mend(Mend::SingleQuotes),
            _ => self.mend(Mend::Quotes),
        }
        let (mut text, mut inner) = (String::new(), 0_usize);
        loop {
            let Some(sign) = self.peek() else {
                self.mend(Mend::Closed);
                return None;
            };
            self.at += 1;
            match sign {
                '\\' => text.extend(self.escape()),
                // Quotations within a text in the same curly marks.
                '“' if open == '“' => {
                    inner += 1;
                    text.push(sign);
                }
                '”' if open == '“' && inner > 0 => {
                    inner -= 1;
                    text.push(sign);
                }
                _ if is_quote(sign) && closes_what(open, sign, single) => {
                    if self.closes(key, open) {
                        return Some(text);
                    }
                    self.mend(Mend::InnerQuotes);
                    text.push(sign);
                }
                '\n' | '\r' | '\t' => {
                    self.mend(Mend::LineBreak);
                    text.push(sign);
                }
                _ => text.push(sign),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let sign = self.peek()?;
        self.at += 1;
        Some(match sign {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' | 'f' => return None,
            'u' => {
                let digits: String = self.text.iter().skip(self.at).take(4).collect();
                self.at = (self.at + 4).min(self.text.len());
                return u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
            }
            other => other,
        })
    }

    /// Whether the mark just read ends its text, by what follows: a quotation within a text is followed by more text.
    fn closes(&self, key: bool, open: char) -> bool {
        let mut rest = self.text[self.at..].iter().copied().peekable();
        let mut broken = false;
        while let Some(blank) = rest.next_if(|sign| sign.is_whitespace()) {
            broken |= blank == '\n';
        }
        let sign = rest.next();
        match sign.map(half_width) {
            None | Some('}' | ']') => true,
            // A Chinese comma after a quotation in a text that ASCII marks enclose.
            Some(',') if open == '"' && sign != Some(',') => false,
            Some(':') => key,
            Some(',') => {
                let next = rest.find(|sign| !sign.is_whitespace()).map(half_width);
                let begins = |next: char| is_quote(next) || matches!(next, '{' | '[' | '}' | ']' | '-' | '/');
                next.is_none_or(|next| begins(next) || next.is_ascii_alphanumeric())
            }
            Some(next) => broken && (is_quote(next) || matches!(next, '{' | '[')) || next == '`',
        }
    }
}

/// Whether a mark can end a text that began with `open`.
fn closes_what(open: char, sign: char, single: bool) -> bool {
    if single {
        matches!(sign, '\'' | '’' | '‘')
    } else if open == '"' {
        matches!(sign, '"' | '＂')
    } else {
        matches!(sign, '"' | '＂' | '”')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Vec<Mend>) {
        let (value, mends) = parse(text).expect("a value");
        (value.to_line(), mends.into_iter().collect())
    }

    #[test]
    fn what_models_write() {
        for (text, value, mends) in [
            (r#"{"a":1}"#, r#"{"a":1}"#, vec![]),
            (r#"{"a":[1,2,],}"#, r#"{"a":[1,2]}"#, vec![Mend::TrailingComma]),
            ("｛“a”：“上”，“b”：［1］｝", r#"{"a":"上","b":[1]}"#, vec![Mend::FullWidth, Mend::Quotes]),
            ("{'a': 'it', b: True}", r#"{"a":"it","b":true}"#, vec![Mend::SingleQuotes, Mend::Unquoted]),
            (r#"{"a":"差异在于"桌上"和"桌下"。"}"#, r#"{"a":"差异在于\"桌上\"和\"桌下\"。"}"#, vec![Mend::InnerQuotes]),
            (r#"{"a":"有"上"，"下"两种","b":1}"#, r#"{"a":"有\"上\"，\"下\"两种","b":1}"#, vec![Mend::InnerQuotes]),
            ("{\"a\": \"x\"\n \"b\": 2}", r#"{"a":"x","b":2}"#, vec![Mend::MissingComma]),
            ("{\"a\": 1, // why\n \"b\": 2}", r#"{"a":1,"b":2}"#, vec![Mend::Comment]),
            ("{\"a\": \"上\n下\"}", r#"{"a":"上\n下"}"#, vec![Mend::LineBreak]),
            // what was cut off in the middle of a text is not kept
            (r#"{"a":[{"r":"S1","t":"猫"},{"r":"P1","t":"在树"#, r#"{"a":[{"r":"S1","t":"猫"},{"r":"P1"}]}"#, vec![Mend::Closed]),
            (r#"{"a":[1,2}"#, r#"{"a":[1,2]}"#, vec![Mend::Closed]),
        ] {
            assert_eq!(read(text), (value.to_owned(), mends), "{text}");
        }
    }

    #[test]
    fn hostile_texts_end() {
        assert!(parse("").is_none());
        for text in ["[".repeat(100_000), "{\"a\":".repeat(50_000), "\"".repeat(10_000), "{,:}]".repeat(10_000), "\\".repeat(999)]
        {
            let _ = parse(&text);
        }
    }
}
