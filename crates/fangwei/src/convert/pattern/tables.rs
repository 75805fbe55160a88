//! The lexicon and the pattern table together, and the conversion that they drive.
//! Patterns are tried in their order; the last one has to fit everything, so every reason is converted.

use std::sync::LazyLock;

use super::Converted;
use super::class::{Class, Part};
use super::lexicon::Lexicon;
use super::reading::{is_separator, readings};
use super::row::{Between, Pattern, Role, Share};
use super::tsv::{TableError, class_named, rows, unknown};
use crate::answer::Fragment;
use crate::text::{CharIdx, Span};

/// A lexicon, the patterns in their order, and the last one, which fits everything.
#[derive(Debug, Clone)]
pub struct Tables {
    /// The words of each class.
    pub lexicon: Lexicon,
    patterns: Vec<Pattern>,
    fallback: Pattern,
}

static BUILTIN: LazyLock<Tables> = LazyLock::new(|| {
    Tables::parse(include_str!("classes.tsv"), include_str!("patterns.tsv"))
        .expect("both tables are compiled in, and a test of that name reads them: builtin_tables_parse")
});

impl Tables {
    /// The tables that come with the program.
    pub fn builtin() -> &'static Tables {
        &BUILTIN
    }

    /// Reads a lexicon and a pattern table.
    pub fn parse(classes: &str, patterns: &str) -> Result<Tables, TableError> {
        let lexicon = Lexicon::parse(classes)?;
        let mut parsed: Vec<Pattern> = Vec::new();
        for (line, cells) in rows(patterns, 7)? {
            let pattern = parse_pattern(&cells, line)?;
            if parsed.iter().any(|p| p.name == pattern.name) {
                return Err(TableError::Twice { line, name: pattern.name });
            }
            parsed.push(pattern);
        }
        let fits_all = |p: &Pattern| p.text1 == [Class::Any] && p.text2 == [Class::Any] && p.between == Between::Any;
        let fallback = parsed.pop().filter(fits_all).ok_or(TableError::NoFallback)?;
        Ok(Tables { lexicon, patterns: parsed, fallback })
    }

    /// All patterns, in the order in which they are tried.
    pub fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        self.patterns.iter().chain(std::iter::once(&self.fallback))
    }

    /// Converts a reason of type A. Indexes outside the context are kept and read as a character that no list has.
    ///
    /// S2, P2 and E2 are never given, and no character outside the two fragments is added: both happen only where
    /// people looked for a subject elsewhere in the context.
    pub fn convert_a(&self, context: &[char], text1: &Fragment, text2: &Fragment) -> Converted<'_> {
        let one = readings(&self.lexicon, context, &text1.span);
        let two = readings(&self.lexicon, context, &text2.span);
        let between = between(context, text1, text2);
        let (pattern, pair) = self
            .patterns()
            .find_map(|p| p.fit(&one, &two, &between).map(|pair| (p, Some(pair))))
            .unwrap_or((&self.fallback, None));
        let mut fragments: Vec<(Role, Span)> = Vec::new();
        for (role, shares) in &pattern.result {
            let mut span = Span::default();
            for share in shares {
                let (fragment, reading) = match (share.fragment, pair) {
                    (1, Some((one, _))) => (text1, one),
                    (_, Some((_, two))) => (text2, two),
                    // Empty fragments have no reading, and no characters to share out.
                    (_, None) => continue,
                };
                let places: Vec<CharIdx> = fragment.span.iter().collect();
                reading.part(share.part).iter().filter_map(|at| places.get(*at)).for_each(|idx| span.push(*idx));
            }
            if !span.is_empty() {
                fragments.push((*role, span));
            }
        }
        fragments.sort_by_key(|(role, _)| *role);
        Converted { fragments, pattern }
    }
}

/// The conditions that hold for two fragments.
fn between(context: &[char], text1: &Fragment, text2: &Fragment) -> Vec<Between> {
    let mut found = Vec::new();
    if let (Some(CharIdx(end)), Some(CharIdx(start))) = (text1.span.iter().last(), text2.span.iter().next()) {
        let gap = context.get(end as usize + 1..start as usize).unwrap_or_default();
        let apart = gap.iter().any(|&c| !is_separator(c));
        found.push(if apart { Between::Apart } else { Between::Adjacent });
        if gap.last() == Some(&'的') || text1.text.ends_with('的') {
            found.push(Between::De);
        }
    }
    if text1.text == text2.text {
        found.push(Between::Same);
    }
    found
}

fn parse_pattern(cells: &[&str], line: usize) -> Result<Pattern, TableError> {
    let classes =
        |cell: &str| -> Result<Vec<Class>, TableError> { cell.split('|').map(|name| class_named(name, line)).collect() };
    let (text1, text2) = (classes(cells[1])?, classes(cells[2])?);
    let between = Between::named(cells[3]).ok_or_else(|| unknown(line, "condition", cells[3]))?;
    let mut result = Vec::new();
    for assignment in cells[4].split_whitespace() {
        let (role, shares) = split_role(assignment, line)?;
        let shares = shares.split('+').map(|share| parse_share(share, &text1, &text2, line)).collect::<Result<_, _>>()?;
        result.push((role, shares));
    }
    let mut expected = Vec::new();
    for assignment in cells[6].split_whitespace() {
        let (role, text) = split_role(assignment, line)?;
        expected.push((role, text.to_owned()));
    }
    Ok(Pattern { name: cells[0].to_owned(), text1, text2, between, result, example: cells[5].to_owned(), expected })
}

fn split_role(assignment: &str, line: usize) -> Result<(Role, &str), TableError> {
    assignment
        .split_once('=')
        .and_then(|(role, rest)| Some((Role::named(role)?, rest)))
        .ok_or_else(|| unknown(line, "role and its share, as P1=1", assignment))
}

fn parse_share(share: &str, text1: &[Class], text2: &[Class], line: usize) -> Result<Share, TableError> {
    let (number, part) = share.split_once('.').unwrap_or((share, "whole"));
    let (fragment, classes) = match number {
        "1" => (1, text1),
        "2" => (2, text2),
        _ => return Err(unknown(line, "fragment number 1 or 2", share)),
    };
    let name = part;
    let part = Part::named(name).ok_or_else(|| unknown(line, "part", name))?;
    match classes.iter().find(|class| !class.has(part)) {
        Some(class) => Err(TableError::NoSuchPart { line, class: class.name(), part: name.to_owned() }),
        None => Ok(Share { fragment, part }),
    }
}
