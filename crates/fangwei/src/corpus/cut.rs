//! Paragraphs into passages: whole sentences, packed up to a target length, never across paragraphs and, where that can be helped, never out of a quotation.

use super::Config;
use super::clean::clean;

/// A paragraph is closed at this many bytes, so that a file without line ends passes through little memory.
pub(super) const LONGEST_PARAGRAPH: usize = 1 << 20;

/// A sentence within its paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sentence {
    /// The byte after it.
    end: usize,
    /// How many characters it has.
    length: usize,
    /// Whether a quotation or a bracket is still open after it.
    inside: bool,
}

/// What was read and what was not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts {
    /// Paragraphs with any text.
    pub paragraphs: u64,
    /// Their characters after cleaning.
    pub characters: u64,
    /// Stretches that were too short and had no neighbour to join.
    pub too_short: u64,
    /// Sentences that were too long.
    pub too_long: u64,
    /// Paragraphs with characters that could not be decoded.
    pub garbled: u64,
    /// The line of the first of these in the file.
    pub first_garbled: Option<u64>,
}

/// Cuts lines into passages.
pub struct Cutter {
    min: usize,
    max: usize,
    target: usize,
    wrapped: bool,
    paragraph: String,
    /// Where in the paragraph each of its lines begins.
    begins: Vec<(usize, u64)>,
    garbled: bool,
    sentences: Vec<Sentence>,
    /// How many characters stand before each sentence, and before the end.
    sums: Vec<usize>,
    /// What happened so far.
    pub cuts: Cuts,
}

impl Cutter {
    /// A cutter with the lengths of a configuration.
    pub fn new(config: &Config) -> Cutter {
        let Config { min, max, target, wrapped, .. } = *config;
        let (paragraph, begins, sentences) = (String::new(), Vec::new(), Vec::new());
        Cutter {
            min,
            max,
            target,
            wrapped,
            paragraph,
            begins,
            garbled: false,
            sentences,
            sums: Vec::new(),
            cuts: Cuts::default(),
        }
    }

    /// Takes the next line; `take` gets passages with the lines on which they begin.
    pub fn line(&mut self, number: u64, line: &str, take: &mut impl FnMut(u64, &str)) {
        if self.wrapped && line.trim().is_empty() {
            return self.finish(take);
        }
        if self.begins.is_empty() || self.wrapped {
            self.begins.push((self.paragraph.len(), number));
        }
        // The rest of a garbled paragraph is read too, since the next must begin where this one ends.
        self.garbled |= !clean(line, &mut self.paragraph);
        if !self.wrapped || self.paragraph.len() > LONGEST_PARAGRAPH {
            self.finish(take);
        }
    }

    /// Ends the paragraph.
    pub fn finish(&mut self, take: &mut impl FnMut(u64, &str)) {
        if self.garbled {
            self.cuts.garbled += 1;
            self.cuts.first_garbled = self.cuts.first_garbled.or(self.begins.first().map(|(_, line)| *line));
        } else if !self.paragraph.is_empty() {
            self.cuts.paragraphs += 1;
            split(&self.paragraph, &mut self.sentences);
            self.pack(take);
        }
        self.garbled = false;
        self.paragraph.clear();
        self.begins.clear();
    }

    /// Packs the sentences of the paragraph into passages.
    fn pack(&mut self, take: &mut impl FnMut(u64, &str)) {
        self.sums.clear();
        self.sums.push(0);
        self.sums.extend(self.sentences.iter().scan(0, |sum, sentence| {
            *sum += sentence.length;
            Some(*sum)
        }));
        self.cuts.characters += self.length(0, self.sentences.len()) as u64;
        // A sentence that is too long leaves a gap, over which nothing is joined.
        let mut from = 0;
        while from < self.sentences.len() {
            let fits = |sentence: &Sentence| sentence.length <= self.max;
            let stretch = self.sentences[from..].iter().take_while(|sentence| fits(sentence)).count();
            self.pack_stretch(from, from + stretch, take);
            from += stretch;
            if from < self.sentences.len() {
                self.cuts.too_long += 1;
                from += 1;
            }
        }
    }

    fn length(&self, from: usize, to: usize) -> usize {
        self.sums[to] - self.sums[from]
    }

    fn pack_stretch(&mut self, from: usize, to: usize, take: &mut impl FnMut(u64, &str)) {
        // The group before the one at hand, held back because a short rest may join it.
        let mut held: Option<(usize, usize)> = None;
        let mut at = from;
        while at < to {
            let mut end = self.group_end(at, to);
            if self.length(at, end) < self.min {
                // Short, though the next sentence does not fit: it joins the group before, or nothing.
                match held.take() {
                    Some((begin, _)) if self.length(begin, end) <= self.max => held = Some((begin, end)),
                    before => {
                        held = before;
                        self.cuts.too_short += 1;
                        // Groups on both sides of a gap are not joined.
                        self.give(held.take(), take);
                    }
                }
            } else {
                // A rest that would be too short to stand alone and to join is better taken at once.
                let rest = self.length(end, to);
                if rest > 0 && rest < self.min && self.length(at, to) <= self.max {
                    end = to;
                }
                self.give(held.replace((at, end)), take);
            }
            at = end;
        }
        self.give(held, take);
    }

    /// Where the group that begins at `at` ends: as many sentences as the target holds, and more only where they are too short without.
    fn group_end(&self, at: usize, to: usize) -> usize {
        let mut end = at;
        let mut length = 0;
        while end < to {
            let longer = length + self.sentences[end].length;
            if end > at && longer > if length < self.min { self.max } else { self.target } {
                break;
            }
            length = longer;
            end += 1;
        }
        if end == to || !self.sentences[end - 1].inside {
            return end;
        }
        // Inside of a quotation: rather end before it.
        let outside = (at + 1..end).rev().find(|end| !self.sentences[end - 1].inside);
        outside.filter(|end| self.length(at, *end) >= self.min).unwrap_or(end)
    }

    fn give(&mut self, group: Option<(usize, usize)>, take: &mut impl FnMut(u64, &str)) {
        let Some((from, to)) = group else { return };
        let begin = from.checked_sub(1).map_or(0, |before| self.sentences[before].end);
        let text = &self.paragraph[begin..self.sentences[to - 1].end];
        let trimmed = text.trim_matches(' ');
        // A blank is one byte and one character.
        if self.length(from, to) - (text.len() - trimmed.len()) < self.min {
            self.cuts.too_short += 1;
            return;
        }
        let line = self.begins.partition_point(|(start, _)| *start <= begin);
        take(line.checked_sub(1).map_or(0, |number| self.begins[number].1), trimmed);
    }
}

fn is_end(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '!' | '?')
}

fn is_dots(c: char) -> bool {
    matches!(c, '…' | '⋯')
}

/// Splits a paragraph at 。！？…… and what closes after them. A comma there goes on with the sentence: “走！”，他说。
fn split(paragraph: &str, sentences: &mut Vec<Sentence>) {
    sentences.clear();
    let mut characters = paragraph.char_indices().map(|(at, c)| (at + c.len_utf8(), c)).peekable();
    let (mut depth, mut quoted, mut length) = (0_u32, false, 0);
    // Whether the sentence has ended but for what closes after it.
    let mut ended = false;
    while let Some((end, c)) = characters.next() {
        length += 1;
        let next = characters.peek().map(|(_, next)| *next);
        match c {
            '\u{4e00}'..='\u{9fff}' => continue,
            '“' | '「' | '『' | '（' | '(' => depth += 1,
            '”' | '」' | '』' | '）' | ')' => depth = depth.saturating_sub(1),
            '"' => quoted = !quoted,
            '!' | '?' if next.is_some_and(|next| next.is_ascii_alphanumeric() || next == '=') => continue,
            c if is_end(c) => ended = true,
            c if is_dots(c) => ended |= next.is_some_and(is_dots),
            _ => {}
        }
        let goes_on = next.is_some_and(|next| {
            is_end(next)
                || is_dots(next)
                || matches!(next, '”' | '’' | '」' | '』' | '）' | ')' | '】' | '》' | '〉' | ']')
                || (next == '"' && quoted)
        });
        if ended && !goes_on {
            ended = false;
            if !next.is_some_and(|next| matches!(next, '，' | '、' | '；' | '：' | ',' | ';' | ':')) {
                sentences.push(Sentence { end, length, inside: depth > 0 || quoted });
                length = 0;
            }
        }
    }
    if length > 0 {
        sentences.push(Sentence { end: paragraph.len(), length, inside: false });
    }
}

#[cfg(test)]
mod tests;
