//! Names of rows: sixteen letters that sort by the time of their making, so that new rows lie side by side in an index.

use crate::chance;

/// Crockford's letters: no I, L, O or U, so that nobody misreads one.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A name for a row made at this time: 48 bits of milliseconds, 32 of chance.
pub fn at(now_ms: i64) -> String {
    let mut bits = (u128::from(now_ms as u64 & 0xFFFF_FFFF_FFFF) << 32) | u128::from(u32::from_le_bytes(chance::bytes()));
    let mut letters = [0_u8; 16];
    for letter in letters.iter_mut().rev() {
        *letter = LETTERS[(bits & 31) as usize];
        bits >>= 5;
    }
    letters.iter().map(|letter| char::from(*letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_names_sort_later() {
        let (early, late) = (at(1_700_000_000_000), at(1_700_000_000_001));
        assert_eq!(early.len(), 16);
        assert!(early < late, "{early} {late}");
        assert_ne!(at(5), at(5), "two rows of one millisecond have two names");
    }
}
