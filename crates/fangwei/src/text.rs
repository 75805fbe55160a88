//! Characters and where they stand.
//!
//! Every official file counts Unicode code points from 0. Bytes never leave this module: elsewhere a place in a text is a
//! [`CharIdx`], and a fragment's places are a [`Span`], kept in the order in which they were written, because 从布告牌 may stand
//! in the text as 布告牌…从 and some scorers count a repeated index twice.

use smallvec::SmallVec;

/// The number of a character in its text, from 0, in code points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct CharIdx(pub u32);

/// Indexes from here on point nowhere: they stand for what a submission wrote in place of an index (`"3"`, -1, 2.5), so that equal nonsense
/// stays equal and never meets a real character.
pub const NOWHERE: u32 = 1 << 31;

/// The places of a fragment's characters, as written: not sorted, not deduplicated.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span(SmallVec<[CharIdx; 4]>);

impl Span {
    /// The number of indexes, repeats included.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no index at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The indexes in the order in which they were written.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = CharIdx> + '_ {
        self.0.iter().copied()
    }

    /// Adds an index at the end.
    pub fn push(&mut self, idx: CharIdx) {
        self.0.push(idx);
    }

    /// The same places as a set: sorted, each once.
    pub fn to_set(&self) -> IdxSet {
        self.iter().collect()
    }

    /// The smallest index, by which the tasks sort tuples.
    pub fn first(&self) -> Option<CharIdx> {
        self.iter().min()
    }

    /// Whether the indexes rise without repeats.
    pub fn is_sorted(&self) -> bool {
        self.0.windows(2).all(|pair| pair[0] < pair[1])
    }

    /// Maximal runs of consecutive rising indexes, in the order written: the pieces of a discontinuous fragment.
    pub fn pieces(&self) -> Vec<std::ops::Range<u32>> {
        let mut pieces: Vec<std::ops::Range<u32>> = Vec::new();
        for CharIdx(idx) in self.iter() {
            match pieces.last_mut() {
                // The last number there is ends every piece, and is repeated, not continued.
                Some(piece) if piece.end == idx && idx < u32::MAX => piece.end += 1,
                _ => pieces.push(idx..idx.saturating_add(1)),
            }
        }
        pieces
    }
}

/// `[9-13]`, `[15,19-22]`: the pieces in the order written; nothing for an empty span.
impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let pieces: Vec<String> = self
            .pieces()
            .into_iter()
            .map(|piece| if piece.len() == 1 { piece.start.to_string() } else { format!("{}-{}", piece.start, piece.end - 1) })
            .collect();
        if pieces.is_empty() { Ok(()) } else { write!(f, "[{}]", pieces.join(",")) }
    }
}

impl FromIterator<CharIdx> for Span {
    fn from_iter<I: IntoIterator<Item = CharIdx>>(indexes: I) -> Self {
        Span(indexes.into_iter().collect())
    }
}

impl FromIterator<u32> for Span {
    fn from_iter<I: IntoIterator<Item = u32>>(indexes: I) -> Self {
        indexes.into_iter().map(CharIdx).collect()
    }
}

/// A set of places: sorted, each once. Small, so a sorted vector beats a hash set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IdxSet(SmallVec<[CharIdx; 8]>);

impl IdxSet {
    /// The number of places.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The places in rising order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = CharIdx> + '_ {
        self.0.iter().copied()
    }

    /// How many places both sets have.
    pub fn overlap(&self, other: &IdxSet) -> usize {
        let (mut rest, mut hits) = (other.0.as_slice(), 0);
        for idx in &self.0 {
            let below = rest.iter().take_while(|there| *there < idx).count();
            rest = &rest[below..];
            if rest.first() == Some(idx) {
                hits += 1;
            }
        }
        hits
    }

    /// Whether every place of this set is in the other.
    pub fn is_subset(&self, other: &IdxSet) -> bool {
        self.overlap(other) == self.len()
    }

    /// The places that the other set lacks.
    #[must_use]
    pub fn minus(&self, other: &IdxSet) -> IdxSet {
        IdxSet(self.iter().filter(|idx| other.0.binary_search(idx).is_err()).collect())
    }

    /// The places of either set.
    #[must_use]
    pub fn union(&self, other: &IdxSet) -> IdxSet {
        self.iter().chain(other.iter()).collect()
    }
}

impl FromIterator<CharIdx> for IdxSet {
    fn from_iter<I: IntoIterator<Item = CharIdx>>(indexes: I) -> Self {
        let mut places: SmallVec<[CharIdx; 8]> = indexes.into_iter().collect();
        places.sort_unstable();
        places.dedup();
        IdxSet(places)
    }
}

/// The characters of `chars` at the places of `span`, in the span's order; `None` when one of them points outside.
pub fn join(chars: &[char], span: &Span) -> Option<String> {
    span.iter().map(|CharIdx(idx)| chars.get(idx as usize)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(indexes: &[u32]) -> Span {
        indexes.iter().copied().collect()
    }

    #[test]
    fn a_span_keeps_order_and_repeats() {
        let chars: Vec<char> = "布告牌上从".chars().collect();
        assert_eq!(join(&chars, &span(&[4, 0, 1, 2])).as_deref(), Some("从布告牌"));
        assert_eq!(span(&[9, 9, 9]).len(), 3);
        assert_eq!(span(&[9, 9, 9]).to_set().len(), 1);
        assert_eq!(join(&chars, &span(&[5])), None);
    }

    #[test]
    fn sets_count_what_they_share() {
        let (a, b) = (span(&[5, 1, 3]).to_set(), span(&[3, 4, 5, 6]).to_set());
        assert_eq!(a.overlap(&b), 2);
        assert_eq!(b.overlap(&a), 2);
        assert_eq!(a.minus(&b), span(&[1]).to_set());
        assert!(span(&[3, 5]).to_set().is_subset(&b));
        assert_eq!(a.union(&b).len(), 5);
    }

    #[test]
    fn pieces_follow_the_written_order() {
        assert_eq!(span(&[17, 5, 6, 18, 19]).pieces(), vec![17..18, 5..7, 18..20]);
        assert_eq!(span(&[u32::MAX, u32::MAX]).pieces().len(), 2);
    }
}
