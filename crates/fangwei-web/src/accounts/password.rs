//! Passwords: Argon2id, hashed on a thread of its own, few at a time, so that a crowd that signs in does not stop those who work.

use std::sync::LazyLock;

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, PasswordHash, Version};
use tokio::sync::Semaphore;

use crate::failure::Failure;
use crate::thread;

/// What a password costs to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    /// 19 MiB and two passes, as OWASP recommends.
    Full,
    /// As little as the algorithm allows, for tests.
    Least,
}

/// The shortest and the longest password, in letters.
pub const LENGTH: std::ops::RangeInclusive<usize> = 10..=200;

/// So many are checked at a time; each needs 19 MiB and a core.
static AT_ONCE: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(2));

/// Refuses passwords that are too short, too long, or the name itself.
pub fn checked(password: &str, name: &str) -> Result<(), Failure> {
    let letters = password.chars().count();
    if !LENGTH.contains(&letters) {
        let (least, most) = (LENGTH.start(), LENGTH.end());
        return Err(Failure::invalid(
            format!("密码应为 {least} 到 {most} 个字符，现在是 {letters} 个"),
            format!("expected a password of {least} to {most} characters, found {letters}"),
        ));
    }
    let mut kinds: Vec<char> = password.chars().collect();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.len() < 4 || password.to_lowercase().contains(&name.to_lowercase()) {
        return Err(Failure::invalid(
            "密码不能包含用户名，至少要有四种不同的字符",
            "the password must not contain the name, and needs four different characters at least",
        ));
    }
    Ok(())
}

/// The hash to keep.
pub async fn hash(password: &str, cost: Cost) -> Result<String, Failure> {
    let password = password.to_owned();
    on_thread(move || {
        let hash = argon(cost)?.hash_password(password.as_bytes()).map_err(failed)?;
        Ok(hash.to_string())
    })
    .await
}

/// Whether the password is the one of the hash. Without a hash the same time passes, so that nobody learns which names exist.
pub async fn matches(password: &str, kept: Option<&str>, cost: Cost) -> Result<bool, Failure> {
    let Some(kept) = kept.filter(|kept| !kept.is_empty()) else {
        hash(password, cost).await?;
        return Ok(false);
    };
    let (password, kept) = (password.to_owned(), kept.to_owned());
    on_thread(move || {
        let kept =
            PasswordHash::new(&kept).map_err(|error| Failure::Internal(format!("a kept password cannot be read: {error}")))?;
        Ok(argon(cost)?.verify_password(password.as_bytes(), &kept).is_ok())
    })
    .await
}

fn argon(cost: Cost) -> Result<Argon2<'static>, Failure> {
    let params = match cost {
        Cost::Full => Params::new(19 * 1024, 2, 1, None),
        Cost::Least => Params::new(8, 1, 1, None),
    };
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params.map_err(failed)?))
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Internal(format!("a password cannot be hashed: {error}"))
}

async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T, Failure> + Send + 'static) -> Result<T, Failure> {
    let _turn = AT_ONCE.acquire().await.map_err(failed)?;
    thread::on_thread(work).await
}
