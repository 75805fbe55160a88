//! One hash for everything that must come out the same on every machine and in every version: choices by seed, cells of the model,
//! names that are compared far from their texts.

/// Odd constants without pattern: the fractional digits of the golden ratio and of the square root of two.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
const FOLD: u64 = 0x6a09_e667_f3bc_c909;

/// Both halves of a product, folded: every bit of the result depends on every bit of both values.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ STEP) * u128::from(b ^ FOLD);
    // The sum keeps a factor of 0 from wiping out the other.
    ((product as u64) ^ (product >> 64) as u64).wrapping_add(a).wrapping_add(b.rotate_left(32))
}

/// The hash of a text under a seed.
pub(crate) fn hash(seed: u64, text: &str) -> u64 {
    let mut state = mix(seed, text.len() as u64);
    for chunk in text.as_bytes().chunks(8) {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        state = mix(state, u64::from_le_bytes(bytes));
    }
    mix(state, STEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every bit of the hash of similar texts is set about half of the time: 4096 draws, so a half ± 6 standard deviations is 2048 ± 192.
    #[test]
    fn bits_are_even() {
        for seed in [0, 2023] {
            for bit in 0..64 {
                let set = (0..4096).filter(|number| hash(seed, &format!("news/01.txt#{number}")) >> bit & 1 == 1).count();
                assert!((1856..=2240).contains(&set), "bit {bit} under seed {seed}: {set}");
            }
        }
    }

    #[test]
    fn seeds_lengths_and_zeros_matter() {
        assert_ne!(hash(1, "桌子"), hash(2, "桌子"));
        assert_ne!(hash(1, "a"), hash(1, "a\0"));
        assert_ne!(hash(1, ""), hash(1, "\0"));
    }
}
