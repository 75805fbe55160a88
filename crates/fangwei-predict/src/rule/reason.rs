//! Does a reason of 2021 explain what is wrong with a text? It does where it quotes the word that a rule names, with what that word does not go with.

use fangwei::reasons::{Frame, Statement};

use super::anomaly::suspects;
use super::rules::locative::{noun_of, oddity};
use super::scan::Scan;

/// How likely a frame is right where nothing more is known, rounded from how often each was right in the train set of 2021: 不宜搭配 more often than not.
fn before(frame: Frame) -> f64 {
    match frame {
        Frame::Match => 0.6,
        Frame::Meaning | Frame::Information => 0.4,
        Frame::Sense => 0.5,
    }
}

/// How likely the reason is right, if the text is wrong.
pub fn right(scan: &Scan<'_>, reason: &str) -> f64 {
    let Some(statement) = Statement::parse(reason) else { return 0.3 };
    let start = before(statement.frame);
    let quoted: Vec<&str> = statement.quotations().collect();
    // Two words that are known to go together, or not to.
    if let [noun, locative] = quoted[..]
        && noun_of(noun).is_some()
        && let Some(oddity) = oddity(noun, locative)
    {
        return if oddity == 1.0 { 0.85 } else { start - 0.05 };
    }
    let suspects = suspects(scan);
    let Some((finding, _, weight)) = suspects.first() else { return start };
    let word = scan.text(finding.word);
    let against = scan.reading.text(scan.chars(finding.against.clone()));
    let has = |text: &str| !text.is_empty() && quoted.iter().any(|quote| quote.contains(text));
    match (has(word), has(&against)) {
        (true, true) => 0.5 + 0.4 * weight.min(0.9),
        (true, false) => (start + 0.1).min(0.9),
        // It names another place than the rule does.
        _ if !finding.against.is_empty() => start - 0.05,
        _ => start,
    }
}
