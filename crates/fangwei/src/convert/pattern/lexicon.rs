//! The words of each class, read from TSV. A word in no list can still be told by its last character.

use std::collections::BTreeMap;

use super::class::Class;
use super::tsv::{TableError, class_named, rows};

/// Words and their classes; a word may have several.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    words: BTreeMap<Vec<char>, Vec<Class>>,
    suffixes: BTreeMap<char, Class>,
}

impl Lexicon {
    /// Reads rows of class, remark and words separated by spaces. In the rows `noun-suffix` and `place-suffix`
    /// the words are final characters.
    pub fn parse(text: &str) -> Result<Lexicon, TableError> {
        let mut lexicon = Lexicon::default();
        for (line, cells) in rows(text, 3)? {
            if let Some(class) = cells[0].strip_suffix("-suffix").and_then(Class::named) {
                for character in cells[2].chars().filter(|c| !c.is_whitespace()) {
                    lexicon.suffixes.insert(character, class);
                }
                continue;
            }
            let class = class_named(cells[0], line)?;
            for word in cells[2].split_whitespace() {
                let classes = lexicon.words.entry(word.chars().collect()).or_default();
                if !classes.contains(&class) {
                    classes.push(class);
                }
            }
        }
        Ok(lexicon)
    }

    /// The classes of a word, in the order of the file.
    pub fn classes(&self, word: &[char]) -> &[Class] {
        self.words.get(word).map_or(&[], Vec::as_slice)
    }

    /// Whether the word is listed under this class.
    pub fn is(&self, word: &[char], class: Class) -> bool {
        self.classes(word).contains(&class)
    }

    /// The class that the last character of a word tells, for words of two or more characters.
    pub fn by_suffix(&self, word: &[char]) -> Option<Class> {
        match word {
            [_, .., last] => self.suffixes.get(last).copied(),
            _ => None,
        }
    }

    /// The length of the longest listed word that opens `text` and satisfies `accept`.
    pub fn longest_prefix(&self, text: &[char], accept: impl Fn(&[Class]) -> bool) -> Option<usize> {
        (1..=text.len().min(4)).rev().find(|&n| self.words.get(&text[..n]).is_some_and(|c| accept(c)))
    }

    /// The length of the longest listed word that closes `text` and has one of `classes`.
    pub fn longest_suffix(&self, text: &[char], classes: &[Class]) -> Option<usize> {
        (1..=text.len().min(4)).rev().find(|&n| {
            let found = self.classes(&text[text.len() - n..]);
            found.iter().any(|c| classes.contains(c))
        })
    }
}
