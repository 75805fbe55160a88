//! Tokens: a text as an encoder reads it, with the way back to its characters.
//!
//! A Chinese character is a token of its own; Latin letters and digits make words, which are cut into the longest pieces that the vocabulary has. So
//! `9X号` is not one token a character, and whoever counts tokens as characters is off by one from there on. Here every token knows its characters
//! (code points) and every character its token.

use std::ops::Range;

use crate::vocabulary::Vocabulary;

/// A text in tokens, without the marks around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// The numbers of the pieces.
    pub ids: Vec<u32>,
    /// The characters of each token.
    pub chars: Vec<Range<usize>>,
    /// The token of each character; blanks and control characters have none.
    pub token_of: Vec<Option<usize>>,
}

/// Words longer than this are not cut, but unknown, as in the original tokenisers.
const LONGEST_WORD: usize = 100;

/// Cuts a text into tokens.
pub fn tokenise(vocabulary: &Vocabulary, text: &str) -> Tokens {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Tokens { token_of: vec![None; chars.len()], ..Tokens::default() };
    let mut at = 0;
    while at < chars.len() {
        let begin = at;
        match sort(chars[at]) {
            Sort::Blank => at += 1,
            Sort::Alone => {
                at += 1;
                let piece = folded(vocabulary, &chars[begin..at]).concat();
                let id = vocabulary.number(&piece).unwrap_or(vocabulary.unknown);
                tokens.push(id, begin..at);
            }
            Sort::Word | Sort::Nothing => {
                while at < chars.len() && matches!(sort(chars[at]), Sort::Word | Sort::Nothing) {
                    at += 1;
                }
                cut_word(vocabulary, &chars[begin..at], begin, &mut tokens);
            }
        }
    }
    tokens
}

impl Tokens {
    fn push(&mut self, id: u32, chars: Range<usize>) {
        for place in chars.clone() {
            self.token_of[place] = Some(self.ids.len());
        }
        self.ids.push(id);
        self.chars.push(chars);
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Stretches of at most `longest` tokens that cover the text, each overlapping the one before by a quarter, so that every token but the outermost
    /// is read once with at least an eighth of a window on either side.
    pub fn windows(&self, longest: usize) -> Vec<Range<usize>> {
        let longest = longest.max(4);
        if self.len() <= longest {
            return std::iter::once(0..self.len()).collect();
        }
        let step = longest - longest / 4;
        let count = (self.len() - longest).div_ceil(step) + 1;
        (0..count).map(|number| (number * step).min(self.len() - longest)).map(|begin| begin..begin + longest).collect()
    }
}

/// Which window a token is best read in: the one in whose middle it stands nearest.
pub fn best_window(windows: &[Range<usize>], token: usize) -> usize {
    let middle = |window: &Range<usize>| (window.start + window.end).abs_diff(2 * token + 1);
    let holding = windows.iter().enumerate().filter(|(_, window)| window.contains(&token));
    holding.min_by_key(|(number, window)| (middle(window), *number)).map_or(0, |(number, _)| number)
}

/// Longest piece first, from the left; a word with a rest that no piece covers is unknown as a whole.
fn cut_word(vocabulary: &Vocabulary, word: &[char], offset: usize, tokens: &mut Tokens) {
    let letters = folded(vocabulary, word);
    // Accents and what is not seen have no text of their own; a word of nothing else is no token.
    if letters.iter().all(String::is_empty) {
        return;
    }
    let mut cuts: Vec<(u32, Range<usize>)> = Vec::new();
    let mut begin = 0;
    while begin < word.len() && word.len() <= LONGEST_WORD {
        let found = (begin + 1..=word.len()).rev().find_map(|end| {
            let mut piece = if begin == 0 { String::new() } else { "##".to_owned() };
            let bare = piece.len();
            letters[begin..end].iter().for_each(|letter| piece.push_str(letter));
            let id = (piece.len() > bare).then(|| vocabulary.number(&piece)).flatten();
            id.map(|id| (id, end))
        });
        let Some((id, end)) = found else {
            cuts.clear();
            break;
        };
        cuts.push((id, begin..end));
        begin = end;
    }
    if cuts.is_empty() {
        tokens.push(vocabulary.unknown, offset..offset + word.len());
    }
    for (id, chars) in cuts {
        tokens.push(id, offset + chars.start..offset + chars.end);
    }
}

/// Each character as it is looked up: small, without accents, where the vocabulary wants that. One may become several letters, or none.
fn folded(vocabulary: &Vocabulary, chars: &[char]) -> Vec<String> {
    let fold = |character: &char| {
        if sort(*character) == Sort::Nothing {
            return String::new();
        }
        if !vocabulary.lower {
            return character.to_string();
        }
        character.to_lowercase().filter(|small| !is_accent(*small)).map(without_accent).collect()
    };
    chars.iter().map(fold).collect()
}

fn is_accent(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{fe00}'..='\u{fe0f}')
}

/// The letter under a Latin letter's accent. Pinyin and the languages of western Europe; rarer letters stay, and are then mostly unknown.
fn without_accent(character: char) -> char {
    const TABLE: &[(char, &str)] = &[
        ('a', "àáâãäåāăąǎ"),
        ('c', "çćĉċč"),
        ('d', "ď"),
        ('e', "èéêëēĕėęě"),
        ('g', "ĝğġģ"),
        ('h', "ĥ"),
        ('i', "ìíîïĩīĭįǐ"),
        ('j', "ĵ"),
        ('k', "ķ"),
        ('l', "ĺļľ"),
        ('n', "ñńņňǹ"),
        ('o', "òóôõöōŏőǒ"),
        ('r', "ŕŗř"),
        ('s', "śŝşš"),
        ('t', "ţť"),
        ('u', "ùúûüũūŭůűųǔǖǘǚǜ"),
        ('w', "ŵ"),
        ('y', "ýÿŷ"),
        ('z', "źżž"),
    ];
    if character.is_ascii() {
        return character;
    }
    TABLE.iter().find(|(_, accented)| accented.contains(character)).map_or(character, |(plain, _)| *plain)
}

/// What a character does to the words around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// Parts words and is no token.
    Blank,
    /// Is as if it were not there.
    Nothing,
    /// Is a token of its own.
    Alone,
    /// Goes with its neighbours.
    Word,
}

fn sort(character: char) -> Sort {
    if character.is_whitespace() {
        Sort::Blank
    } else if character.is_control()
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fffd}')
    {
        Sort::Nothing
    } else if is_chinese(character) || is_mark(character) {
        Sort::Alone
    } else {
        Sort::Word
    }
}

/// The blocks of Chinese characters, as in the tokeniser of BERT.
fn is_chinese(character: char) -> bool {
    matches!(character,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2ebef}' | '\u{30000}'..='\u{323af}'
        | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

/// Punctuation: of ASCII all that is neither letter nor digit; of the rest the blocks of punctuation and full-width forms.
fn is_mark(character: char) -> bool {
    character.is_ascii_punctuation()
        || matches!(character,
            '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}'
            | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{3030}' | '\u{30fb}' | '\u{fe10}'..='\u{fe19}' | '\u{fe30}'..='\u{fe6b}'
            | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff3d}' | '\u{ff3f}' | '\u{ff5b}' | '\u{ff5d}' | '\u{ff5f}'..='\u{ff65}')
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "lists of one range are meant")]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let pieces = [
            "[PAD]", "[UNK]", "[CLS]", "[SEP]", "他", "在", "第", "号", "楼", "，", "9", "##x", "km", "##h", "lu", "##se", "20",
            "##23",
        ];
        Vocabulary::parse(&(pieces.join("\n") + "\n"), true, "vocab.txt").expect("has the marks")
    }

    fn pieces(text: &str) -> Vec<String> {
        let vocabulary = vocabulary();
        tokenise(&vocabulary, text).ids.iter().map(|id| vocabulary.piece(*id).unwrap_or("?").to_owned()).collect()
    }

    #[test]
    fn latin_and_digits_do_not_shift_what_follows() {
        let tokens = tokenise(&vocabulary(), "他在第9X号楼，2023");
        // Ten characters before 号楼 would be off by one if tokens were counted as characters in `2023`, but not in `9X`, which is two pieces.
        assert_eq!(pieces("他在第9X号楼，2023"), ["他", "在", "第", "9", "##x", "号", "楼", "，", "20", "##23"]);
        assert_eq!(tokens.chars[9], 10..12);
        assert_eq!(tokens.token_of[9], Some(8));
        assert_eq!(tokens.token_of[11], Some(9));
        let together = tokenise(&vocabulary(), "kmh楼");
        assert_eq!(together.chars, [0..2, 2..3, 3..4]);
        assert_eq!(together.token_of, [Some(0), Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn what_is_not_known_keeps_its_place() {
        // A rare character outside the first plane is one character and one unknown token; a blank is none; an unknown word is one token.
        let tokens = tokenise(&vocabulary(), "𠮷 他zzz😀楼");
        assert_eq!(pieces("𠮷 他zzz😀楼"), ["[UNK]", "他", "[UNK]", "楼"]);
        assert_eq!(tokens.token_of, [Some(0), None, Some(1), Some(2), Some(2), Some(2), Some(2), Some(3)]);
        assert_eq!(pieces("LÜSE"), ["lu", "##se"]);
        assert!(tokenise(&vocabulary(), "").is_empty());
        assert!(tokenise(&vocabulary(), " \n\t\u{200b}\u{fe0f}").is_empty());
        // What is not seen does not part a word, and belongs to the piece before it.
        assert_eq!(tokenise(&vocabulary(), "k\u{200b}mh").chars, [0..3, 3..4]);
    }

    #[test]
    fn windows_cover_a_long_text_with_overlap() {
        let tokens = tokenise(&vocabulary(), &"他在楼，".repeat(25_000));
        let windows = tokens.windows(510);
        assert_eq!((windows[0].start, windows.last().map(|last| last.end)), (0, Some(100_000)));
        for pair in windows.windows(2) {
            assert!(pair[1].start < pair[0].end - 100, "{pair:?} overlap too little");
        }
        for token in [0, 400, 509, 510, 50_000, 99_999] {
            let window = &windows[best_window(&windows, token)];
            assert!(window.contains(&token));
            let edge = (token - window.start).min(window.end - 1 - token);
            assert!(edge >= 60 || !(60..=99_939).contains(&token), "token {token} stands {edge} from the edge of {window:?}");
        }
        assert_eq!(tokens.windows(200_000), [0..100_000]);
        assert_eq!(Tokens::default().windows(510), [0..0]);
    }
}
