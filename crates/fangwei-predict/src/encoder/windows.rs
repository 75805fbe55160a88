//! A text in sequences that an encoder can read, and what it says of them brought back to characters.

use std::ops::Range;

use fangwei_encoder::encoder::Sequence;
use fangwei_encoder::heads::tagger::Labels;
use fangwei_encoder::heads::{Example, Network};
use fangwei_encoder::tokenise::{Tokens, best_window, tokenise};

/// A text in windows.
pub struct Windows {
    /// The tokens of the whole text.
    pub tokens: Tokens,
    /// The tokens of each window.
    pub ranges: Vec<Range<usize>>,
    /// Each window as a sequence.
    pub sequences: Vec<Sequence>,
    /// Places before the text in each sequence.
    pub offset: usize,
}

/// Windows of one text that are read at most: 100,000 characters need about five hundred of the usual length.
const MOST: usize = 1024;

impl Windows {
    /// Cuts a text; with `beside`, every window is followed by that text, which is cut to half a window.
    pub fn new(network: &Network, text: &str, beside: Option<&str>, length: usize) -> Windows {
        let tokens = tokenise(&network.vocabulary, text);
        let second = beside.map(|beside| tokenise(&network.vocabulary, beside).ids);
        // Marks take two places, or three.
        let length = length.min(network.config.max_position_embeddings).max(8);
        let room = length - 2 - usize::from(second.is_some());
        let second = second.map(|ids| ids[..ids.len().min(room / 2)].to_vec());
        let room = room - second.as_ref().map_or(0, Vec::len);
        let mut ranges = tokens.windows(room);
        ranges.truncate(MOST);
        let sequence = |range: &Range<usize>| Sequence::new(&network.vocabulary, &tokens.ids[range.clone()], second.as_deref());
        let sequences = ranges.iter().map(sequence).collect();
        Windows { tokens, ranges, sequences, offset: 1 }
    }

    /// Cuts a text for several prompts, each of which stands before it: the same windows for every prompt.
    pub fn behind(network: &Network, prompts: &[&str], text: &str, length: usize) -> Vec<Windows> {
        let tokens = tokenise(&network.vocabulary, text);
        let prompts: Vec<Vec<u32>> = prompts.iter().map(|prompt| tokenise(&network.vocabulary, prompt).ids).collect();
        let room = length.min(network.config.max_position_embeddings).max(8) - 3;
        let longest = prompts.iter().map(Vec::len).max().unwrap_or(0).min(room / 2);
        let mut ranges = tokens.windows(room - longest);
        ranges.truncate(MOST);
        let windows = |prompt: &Vec<u32>| {
            let prompt = &prompt[..prompt.len().min(longest)];
            let sequence = |range: &Range<usize>| Sequence::new(&network.vocabulary, prompt, Some(&tokens.ids[range.clone()]));
            let sequences = ranges.iter().map(sequence).collect();
            Windows { tokens: tokens.clone(), ranges: ranges.clone(), sequences, offset: prompt.len() + 2 }
        };
        prompts.iter().map(windows).collect()
    }

    /// The place of a token in a window's sequence, if it is in it.
    pub fn place(&self, window: usize, token: usize) -> Option<usize> {
        let range = self.ranges.get(window)?;
        range.contains(&token).then(|| token - range.start + self.offset)
    }

    /// The token at a place of a window's sequence; marks have none.
    pub fn token(&self, window: usize, place: usize) -> Option<usize> {
        let range = self.ranges.get(window)?;
        let token = range.start + place.checked_sub(self.offset)?;
        range.contains(&token).then_some(token)
    }

    /// The places of some characters in a window's sequence, in order, each once.
    pub fn places(&self, window: usize, characters: &[usize]) -> Vec<usize> {
        let tokens = characters.iter().filter_map(|at| self.tokens.token_of.get(*at).copied().flatten());
        let mut places: Vec<usize> = tokens.filter_map(|token| self.place(window, token)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The characters at some places of a window's sequence.
    pub fn characters(&self, window: usize, places: impl IntoIterator<Item = usize>) -> Vec<u32> {
        let tokens = places.into_iter().filter_map(|place| self.token(window, place));
        tokens.flat_map(|token| self.tokens.chars[token].clone()).map(|at| at as u32).collect()
    }

    /// Every window with the labels of its tokens.
    pub fn labelled(&self, labels: &[usize]) -> Vec<Example<Vec<Labels>>> {
        let example = |(window, sequence): (usize, &Sequence)| {
            let label = |place: usize| self.token(window, place).and_then(|token| labels.get(token).copied());
            Example { sequence: sequence.clone(), gold: vec![(0..sequence.ids.len()).map(label).collect()] }
        };
        self.sequences.iter().enumerate().map(example).collect()
    }

    /// The window in which a token is best read.
    pub fn best(&self, token: usize) -> usize {
        // Windows rise, and a token is in three at most.
        let first = self.ranges.partition_point(|range| range.end <= token);
        let near = self.ranges.iter().skip(first).take(3).cloned().collect::<Vec<_>>();
        first + best_window(&near, token)
    }

    /// The row of each token, in the window in which it is best read, from the rows of all windows; what was not read has none.
    pub fn rows<'r>(&self, rows: &'r [Vec<Vec<f32>>]) -> impl Iterator<Item = (usize, &'r [f32])> {
        (0..self.tokens.len()).filter_map(|token| {
            let window = self.best(token);
            let row = self.place(window, token).and_then(|place| rows.get(window)?.get(place))?;
            Some((token, row.as_slice()))
        })
    }
}

/// The likeliest label of a row of logarithms, and how likely it is.
pub fn best_label(row: &[f32]) -> (usize, f64) {
    let best = row.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    best.map_or((0, 0.0), |(label, log)| (label, f64::from(*log).exp().min(1.0)))
}

/// The unbroken stretches of rising numbers.
pub fn runs(numbers: &[usize]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(last) if last.end == *number => last.end += 1,
            _ => runs.push(*number..number + 1),
        }
    }
    runs
}

/// Sequences that are asked at once.
pub const AT_ONCE: usize = 8;

/// A window of `length` places, the two around the text included, with a token near its middle.
pub fn around(count: usize, token: usize, length: usize) -> Range<usize> {
    let room = length.saturating_sub(2).max(1);
    let first = token.saturating_sub(room / 2).min(count.saturating_sub(room));
    first..(first + room).min(count)
}

/// The tokens of some characters.
pub fn tokens_of(tokens: &Tokens, chars: Range<usize>) -> Range<usize> {
    let mut found = chars.filter_map(|at| tokens.token_of.get(at).copied().flatten());
    let first = found.next();
    first.map_or(0..0, |first| first..found.next_back().unwrap_or(first) + 1)
}

/// Rows of a sequence that stands for a window of tokens, as rows of characters; what was not read has noughts.
pub fn to_characters(tokens: &Tokens, window: Range<usize>, rows: &[Vec<f32>], width: usize) -> Vec<f32> {
    let mut out = vec![0.0; tokens.token_of.len() * width];
    for (place, token) in window.enumerate() {
        let Some(row) = rows.get(place + 1).filter(|row| row.len() == width) else { continue };
        for at in tokens.chars[token].clone() {
            out[at * width..][..width].copy_from_slice(row);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::tiny;
    use super::*;
    use fangwei_encoder::heads::classifier::Classifier;

    #[test]
    fn places_lead_to_characters_and_back() {
        let network = Network::new(&tiny("他在树上", "bert"), &Classifier { classes: 2 }, 1);
        // Four tokens, of which the third has four characters.
        let windows = Windows::new(&network, "他在tree上", None, 64);
        assert_eq!(windows.places(0, &[6, 3, 2, 99]), [3, 4]);
        assert_eq!(windows.characters(0, [0, 3, 4, 5]), [2, 3, 4, 5, 6]);
        // A prompt of two tokens: the text begins two places later than it would without, the mark between them included.
        let both = Windows::behind(&network, &["树", "树上"], "他在tree上", 64);
        assert_eq!(both.iter().map(|own| own.places(0, &[0])[0]).collect::<Vec<_>>(), [3, 4]);
        assert_eq!(both[1].sequences[0].ids.len(), 2 + 4 + 3);
        assert_eq!(runs(&[1, 2, 4, 7, 8]), [1..3, 4..5, 7..9]);
    }

    #[test]
    fn long_texts_fill_windows_and_prompts_leave_them_room() {
        let network = Network::new(&tiny("他在树上", "bert"), &Classifier { classes: 2 }, 1);
        let text = "他在树上。".repeat(100);
        let (long, short) = ("树".repeat(300), "树");
        for windows in Windows::behind(&network, &[&long, short], &text, 32) {
            assert!(windows.sequences.iter().all(|sequence| sequence.ids.len() <= 32));
            assert_eq!(windows.ranges.last().map(|last| last.end), Some(500));
        }
        let rows: Vec<Vec<Vec<f32>>> =
            Windows::new(&network, &text, None, 32).sequences.iter().map(|own| vec![vec![0.0]; own.ids.len()]).collect();
        assert_eq!(Windows::new(&network, &text, None, 32).rows(&rows).count(), 500);
    }
}
