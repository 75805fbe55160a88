//! A passage in 40 bytes: a hash of its letters, and a sketch from which the likeness of two passages can be estimated.
//!
//! A passage is taken as the set of its runs of five letters (shingles); two are alike to the degree that they share them (Jaccard). Of the set are kept eight
//! minima under eight orders (MinHash), by which candidates are found, and the least shingle of each of 64 bins (one-permutation MinHash), by which candidates
//! are judged. An empty bin stays empty: with fewer shingles than bins the estimate is then all the better, and no bin has to borrow from another.

/// Letters of a shingle.
const SHINGLE: usize = 5;
/// Minima that are kept.
pub const MINIMA: usize = 8;
const BINS: usize = 64;
/// Bytes of a print: eight of letters, sixteen of minima, sixteen of planes.
const PRINT: usize = 8 + 2 * MINIMA + 16;

/// Odd constants without pattern: the fractional digits of the golden ratio and of square roots.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
const STEP: u64 = 0x6a09_e667_f3bc_c909;
const ROLL: u64 = 0xbb67_ae85_84ca_a73b;
const ORDERS: [(u32, u32); MINIMA] = [
    (0x3c6e_f373, 0xa54f_f53b),
    (0x510e_527f, 0x9b05_688d),
    (0x1f83_d9ab, 0x5be0_cd19),
    (0xcbbb_9d5d, 0x629a_292b),
    (0x9159_015b, 0x152f_ecd9),
    (0x6733_2667, 0x8eb4_4a87),
    (0xdb0c_2e0d, 0x47b5_481d),
    (0xae5f_9157, 0xcf6c_85d3),
];

/// What stands for a passage's shingles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sketch {
    /// Sixteen bits of each minimum.
    pub minima: [u16; MINIMA],
    /// Two bits of each bin's least shingle, as two planes: 00 is an empty bin, the others are one of three codes.
    planes: [u64; 2],
}

impl Sketch {
    /// The estimated share of shingles that two passages have in common.
    pub fn likeness(&self, other: &Sketch) -> f64 {
        let used = self.planes[0] | self.planes[1];
        let used_there = other.planes[0] | other.planes[1];
        let both = used & used_there;
        let differ = (self.planes[0] ^ other.planes[0]) | (self.planes[1] ^ other.planes[1]);
        let (both, equal, either) = ((both).count_ones(), (both & !differ).count_ones(), (used | used_there).count_ones());
        // Of bins whose shingles differ, one in three has the same code by chance: equal = same + (both - same) / 3.
        let same = (3.0 * f64::from(equal) - f64::from(both)) / 2.0;
        same.max(0.0) / f64::from(either.max(1))
    }
}

/// The hash of a passage's letters, and its sketch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Print {
    /// Equal for passages that differ in punctuation, blanks and case only.
    pub letters: u64,
    /// For passages that differ in more.
    pub sketch: Sketch,
}

impl Print {
    /// The print as bytes, the same on every machine: the letters, the minima and the planes, each number with its lowest byte first.
    pub fn to_bytes(&self) -> [u8; PRINT] {
        let minima = self.sketch.minima.iter().flat_map(|least| least.to_le_bytes());
        let planes = self.sketch.planes.iter().flat_map(|plane| plane.to_le_bytes());
        let mut bytes = [0; PRINT];
        bytes
            .iter_mut()
            .zip(self.letters.to_le_bytes().into_iter().chain(minima).chain(planes))
            .for_each(|(to, from)| *to = from);
        bytes
    }

    /// The print that was written as these bytes; any bytes are one.
    pub fn from_bytes(bytes: &[u8; PRINT]) -> Print {
        let wide = |at: usize| u64::from_le_bytes(std::array::from_fn(|number| bytes[at + number]));
        let least = |number: usize| u16::from_le_bytes([bytes[8 + 2 * number], bytes[9 + 2 * number]]);
        Print { letters: wide(0), sketch: Sketch { minima: std::array::from_fn(least), planes: [wide(24), wide(32)] } }
    }
}

/// Both halves of a product, folded: every bit of the result depends on every bit of the value.
fn fold(value: u64, by: u64) -> u64 {
    let product = u128::from(value) * u128::from(by);
    (product as u64) ^ (product >> 64) as u64
}

/// A letter or digit for comparison, none for anything else.
pub(super) fn letter(c: char) -> Option<u32> {
    match c {
        '\u{4e00}'..='\u{9fff}' | 'a'..='z' | '0'..='9' | '々' | '〇' => Some(c as u32),
        'A'..='Z' => Some(c.to_ascii_lowercase() as u32),
        // The commonest marks, before the slow question.
        '\u{2010}'..='\u{206f}' | '\u{3000}'..='\u{3020}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' => None,
        c if c.is_ascii() => None,
        c => c.is_alphanumeric().then_some(c as u32),
    }
}

impl Print {
    /// The print of a text.
    pub fn of(text: &str) -> Print {
        let leaving = ROLL.wrapping_pow(SHINGLE as u32);
        let mut last = [0_u64; SHINGLE];
        let (mut letters, mut rolled, mut count) = (STEP, 0_u64, 0_usize);
        let mut least = Least::default();
        for c in text.chars().filter_map(letter).map(u64::from) {
            letters = fold(letters ^ c, MIX).wrapping_add(STEP);
            let slot = count % SHINGLE;
            rolled = rolled.wrapping_mul(ROLL).wrapping_add(c).wrapping_sub(last[slot].wrapping_mul(leaving));
            last[slot] = c;
            count += 1;
            if count >= SHINGLE {
                least.add(rolled);
            }
        }
        if count < SHINGLE {
            least.add(rolled);
        }
        Print { letters: fold(letters, ROLL), sketch: least.sketch() }
    }
}

/// The least shingles so far.
struct Least {
    minima: [u32; MINIMA],
    bins: [u64; BINS],
}

impl Default for Least {
    fn default() -> Least {
        Least { minima: [u32::MAX; MINIMA], bins: [u64::MAX; BINS] }
    }
}

impl Least {
    fn add(&mut self, rolled: u64) {
        let shingle = fold(rolled ^ STEP, MIX);
        let (high, low) = ((shingle >> 32) as u32, shingle as u32);
        for (least, (a, b)) in self.minima.iter_mut().zip(ORDERS) {
            *least = (*least).min(high.wrapping_mul(a).wrapping_add(low.wrapping_mul(b)));
        }
        let bin = &mut self.bins[(shingle >> 58) as usize];
        *bin = (*bin).min(shingle << 6);
    }

    fn sketch(&self) -> Sketch {
        let minima = self.minima.map(|least| (least.wrapping_mul(MIX as u32) >> 16) as u16);
        let mut planes = [0, 0];
        for (bin, least) in self.bins.iter().enumerate().filter(|(_, least)| **least != u64::MAX) {
            // The low bits took no part in the order, or hardly.
            let code = ((u64::from((*least >> 6) as u32) * 3) >> 32) + 1;
            planes[0] |= (code & 1) << bin;
            planes[1] |= (code >> 1) << bin;
        }
        Sketch { minima, planes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_blanks_and_case_do_not_count() {
        let print = Print::of("他走进A座，门口有人。");
        assert_eq!(print, Print::of("他走进 a座……门口，有人！"));
        assert_ne!(print.letters, Print::of("他走出A座，门口有人。").letters);
        assert_ne!(Print::of("山上").letters, Print::of("上山").letters);
    }

    #[test]
    fn the_window_forgets_what_it_left() {
        // The last five letters are the same: so is their shingle, and it is the only one that is.
        let (one, two) = (Print::of("甲乙丙丁戊己庚"), Print::of("子丑丙丁戊己庚"));
        assert!((one.sketch.likeness(&two.sketch) - 1.0 / 5.0).abs() < 0.25, "{}", one.sketch.likeness(&two.sketch));
        assert_eq!(Print::of("甲乙丙丁戊").sketch.likeness(&Print::of("甲乙丙丁戊").sketch), 1.0);
    }

    #[test]
    fn texts_without_letters_are_equal() {
        assert_eq!(Print::of("……！"), Print::of(""));
    }

    #[test]
    fn a_print_comes_back_from_its_bytes() {
        for text in ["", "山上", "他走进A座，门口有人。", "小船停在湖的中间，船上的人把网撒到水里，网又大又重。"]
        {
            let print = Print::of(text);
            assert_eq!(Print::from_bytes(&print.to_bytes()), print, "{text}");
        }
        // Every byte counts, and none twice.
        let bytes: [u8; PRINT] = std::array::from_fn(|number| number as u8 + 1);
        assert_eq!(Print::from_bytes(&bytes).to_bytes(), bytes);
    }

    #[test]
    fn a_sketch_has_the_size_that_is_promised() {
        assert_eq!((size_of::<Sketch>(), size_of::<Print>()), (32, 40));
    }
}
