//! Secrets from the system's random source, and how they are kept: hashed, so that who reads the database cannot use them.

use sha2::{Digest, Sha256};

/// Random bytes.
///
/// # Panics
///
/// If the system has no random source.
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has a random source; without one no secret may be made");
    bytes
}

/// A new secret of 256 bits, in letters.
pub fn secret() -> String {
    letters(&bytes::<32>())
}

/// What is kept of a secret. Secrets of 256 random bits need no slow hash.
pub fn hash(secret: &str) -> String {
    letters(&Sha256::digest(secret.as_bytes()))
}

/// Whether two secrets are the same, in a time that does not tell where they differ.
pub fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

fn letters(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
