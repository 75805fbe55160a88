//! Lines freed of what is not text: control characters, indents, blanks between Chinese characters. Nothing is normalised: full-width forms stay as they
//! were written, because annotators and participants count the same characters.

/// What becomes of a character.
enum Fate {
    Keep,
    Blank,
    Drop,
    /// It stands for bytes that could not be decoded.
    Garbled,
}

fn fate(c: char) -> Fate {
    match c {
        '\u{4e00}'..='\u{9fff}' | '!'..='~' => Fate::Keep,
        '\t'
        | ' '
        | '\u{b}'
        | '\u{c}'
        | '\u{85}'
        | '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}' => Fate::Blank,
        // Without width: soft hyphens, joiners, marks of direction, byte order marks inside of a text.
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => Fate::Drop,
        '\u{fffd}' => Fate::Garbled,
        c if c.is_control() => Fate::Drop,
        _ => Fate::Keep,
    }
}

/// Whether Chinese is written with this character: no blank belongs beside it.
fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{2014}' | '\u{2018}'..='\u{201d}' | '\u{2026}' | '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}

/// Adds a line to a paragraph, cleaned; false if it is garbled. Between two lines stands a blank where both are in Latin letters.
pub fn clean(line: &str, paragraph: &mut String) -> bool {
    let mut last = paragraph.chars().next_back();
    let mut blank = true;
    paragraph.reserve(line.len() + 1);
    for c in line.chars() {
        match fate(c) {
            Fate::Keep => {
                if blank && last.is_some_and(|last| !(is_chinese(last) && is_chinese(c))) {
                    paragraph.push(' ');
                }
                blank = false;
                paragraph.push(c);
                last = Some(c);
            }
            Fate::Blank => blank = true,
            Fate::Drop => {}
            Fate::Garbled => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(lines: &[&str]) -> Option<String> {
        let mut paragraph = String::new();
        lines.iter().all(|line| clean(line, &mut paragraph)).then_some(paragraph)
    }

    #[test]
    fn blanks_stay_between_latin_words_only() {
        assert_eq!(cleaned(&["　　他 走\t进  屋\u{a0}里 。 "]).as_deref(), Some("他走进屋里。"));
        assert_eq!(cleaned(&["用  Rust  语言 写"]).as_deref(), Some("用 Rust 语言写"));
        assert_eq!(cleaned(&["“ 山上 ” ， two  words"]).as_deref(), Some("“山上”， two words"));
    }

    #[test]
    fn full_width_stays_and_invisible_characters_go() {
        assert_eq!(cleaned(&["１２号楼Ａ座\u{200b}：\u{1}东\u{feff}边\u{ad}！"]).as_deref(), Some("１２号楼Ａ座：东边！"));
    }

    #[test]
    fn lines_join_as_they_are_read() {
        assert_eq!(cleaned(&["他走", "　进屋里", "the  red", "door"]).as_deref(), Some("他走进屋里 the red door"));
    }

    #[test]
    fn a_garbled_line_is_told() {
        assert_eq!(cleaned(&["他走\u{fffd}屋里"]), None);
    }
}
