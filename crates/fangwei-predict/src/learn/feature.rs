//! A feature is a template and its parts, mixed into a 32-bit key.
//!
//! Nothing remembers the feature itself: two features with one key share their weights, which with a million features
//! befalls one in four thousand and costs nothing that can be measured.

/// The start of a key: which template, then its parts in order.
///
/// ```
/// use fangwei_predict::learn::feature::Template;
///
/// let word = |word: &str| Template::new(1).text(word).key();
/// assert_eq!(word("山洞"), word("山洞"));
/// assert_ne!(word("山洞"), Template::new(2).text("山洞").key());
/// assert_ne!(Template::new(1).text("山").text("洞").key(), word("山洞"));
///
/// // A common beginning is mixed once.
/// let left = Template::new(3).character('在');
/// assert_ne!(left.part(1).key(), left.part(2).key());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template(u64);

/// The multiplier of FxHash.
const FX: u64 = 0x517c_c1b7_2722_0a95;

impl Template {
    /// Template numbers keep equal parts of different templates apart.
    #[inline]
    pub const fn new(number: u16) -> Self {
        Self((number as u64 + 1).wrapping_mul(FX))
    }

    /// Adds a number.
    #[inline]
    #[must_use]
    pub const fn part(self, part: u64) -> Self {
        Self((self.0.rotate_left(5) ^ part).wrapping_mul(FX))
    }

    /// Adds a character.
    #[inline]
    #[must_use]
    pub const fn character(self, character: char) -> Self {
        self.part(character as u64)
    }

    /// Adds a text.
    #[inline]
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        let mut mixed = self;
        for bytes in text.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            mixed = mixed.part(u64::from_le_bytes(word));
        }
        // The length keeps neighbouring texts apart, as if there were a separator.
        mixed.part(text.len() as u64 | 1 << 63)
    }

    /// The key: the finaliser of MurmurHash3, because the multiplication alone leaves the low bits weak.
    #[inline]
    pub const fn key(self) -> u32 {
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        (mixed >> 32) as u32
    }
}

/// Lists of keys, one after the other: of the positions of a sequence, the alternatives of a choice, the examples of a set.
///
/// ```
/// use fangwei_predict::learn::feature::Keys;
///
/// let mut keys = Keys::new();
/// keys.push(5);
/// keys.push(9);
/// keys.close();
/// keys.close(); // a list without keys
/// assert_eq!(keys.len(), 2);
/// assert_eq!(keys.list(0), [5, 9]);
/// assert!(keys.list(1).is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keys {
    keys: Vec<u32>,
    ends: Vec<u32>,
}

impl Keys {
    /// No lists.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a key to the list that is open.
    #[inline]
    pub fn push(&mut self, key: u32) {
        self.keys.push(key);
    }

    /// Ends the open list; keys pushed from here belong to the next.
    #[inline]
    pub fn close(&mut self) {
        self.ends.push(self.keys.len() as u32);
    }

    /// Adds a whole list.
    pub fn extend(&mut self, keys: &[u32]) {
        self.keys.extend_from_slice(keys);
        self.close();
    }

    /// Forgets the lists and keeps the memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.ends.clear();
    }

    /// How many lists are closed.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no list is closed.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The keys of a list; none beyond the last.
    #[inline]
    pub fn list(&self, index: usize) -> &[u32] {
        let range = self.range(index);
        &self.keys[range]
    }

    /// All lists in order.
    pub fn lists(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len()).map(|index| self.list(index))
    }

    /// The keys of all closed lists.
    pub fn all(&self) -> &[u32] {
        &self.keys[..self.ends.last().map_or(0, |&end| end as usize)]
    }

    #[inline]
    fn range(&self, index: usize) -> std::ops::Range<usize> {
        let Some(&end) = self.ends.get(index) else { return 0..0 };
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        start..end as usize
    }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::Template;

    /// 2^18 keys in 2^32 places meet about 2^36 / 2^33 = 8 times by chance; structured parts must not meet more often.
    #[test]
    fn small_parts_spread_like_chance() {
        let mut keys = FxHashSet::default();
        for template in 0..16u16 {
            for part in 0..128u64 {
                for other in 0..128u64 {
                    keys.insert(Template::new(template).part(part).part(other).key());
                }
            }
        }
        let met = (1 << 18) - keys.len();
        assert!(met < 24, "{met} keys met, about 8 expected");
        // The low bits, which a table uses, are spread as well: 2^18 keys over 2^10 places.
        let mut places = [0u32; 1024];
        keys.iter().map(|key| *key as usize % 1024).for_each(|place| places[place] += 1);
        let (least, most) = (places.iter().min().unwrap(), places.iter().max().unwrap());
        // 256 expected with a deviation of 16; six deviations either side.
        assert!(*least > 160 && *most < 352, "{least} to {most}");
    }
}
