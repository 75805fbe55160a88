//! Text of strangers on a screen: signs that steer a terminal or turn the direction of writing are shown as a dot, one for one, so that places stay.

/// The character as it may be shown.
pub fn shown(character: char) -> char {
    let steers = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    if character.is_control() && character != '\n' || steers { '·' } else { character }
}

/// The text as it may be shown.
pub fn clean(text: &str) -> String {
    text.chars().map(shown).collect()
}
