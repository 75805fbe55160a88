//! One document at a time, for those who keep their documents elsewhere than in files: cut on any machine, judged in one place.
//!
//! What [`run`](super::run) does to a corpus can be done in parts: documents are cut here, passages printed ([`Print::of`](super::Print::of)) and tagged
//! ([`Tagger::tag`](super::tag::Tagger::tag)) apart from each other; only [`Seen::see`](super::Seen::see) has to be asked in the order of the passages.

use super::reader::Reader;
use super::{Config, Outcome, Passage};

/// Cuts a document into passages without words, as [`run`](super::run) cuts a file of plain text of this name, before duplicates are left out.
///
/// Without a genre the name tells one. What was counted sums up over documents; a document without text, or with what no text has, gives no passage and a
/// defect, as a file does. The configuration is taken as [checked](Config::check).
///
/// ```
/// use fangwei::corpus::{Config, Counts, Print, Seen, cut};
///
/// let config = Config::default();
/// let documents = [("story/lake", "小船停在湖的中间，船上的人把网撒到水里。"), ("story/copy", "小船停在湖的中间，船上的人把网撒到水里！")];
/// let (mut counts, mut seen) = (Counts::default(), Seen::new(config.near));
/// let mut ids = Vec::new();
/// for (name, text) in documents {
///     let (passages, outcome) = cut(&config, name, None, text);
///     counts += outcome.counts;
///     ids.extend(passages.into_iter().filter(|passage| counts.judge(seen.see(&Print::of(&passage.text)))).map(|passage| passage.id));
/// }
/// assert_eq!(ids, ["story/lake#1"]);
/// assert_eq!((counts.files, counts.passages, counts.exact_duplicates), (2, 1, 1));
/// ```
pub fn cut(config: &Config, name: &str, genre: Option<&str>, text: &str) -> (Vec<Passage>, Outcome) {
    let mut reader = Reader::of_document(config, name, genre, text);
    let mut passages = reader.next_batch();
    loop {
        let more = reader.next_batch();
        if more.is_empty() {
            return (passages, reader.outcome());
        }
        passages.extend(more);
    }
}
