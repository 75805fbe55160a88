//! Bytes by their hash: what was sent or named once is kept once, and never altered. Files of competitions, uploads, results, transcripts.
//!
//! The database holds texts only, so bytes are compressed and written in base64. They are in the database, not in a folder beside it, because several nodes share it.

use std::io::{Read, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use sqlx::{Any, Executor};

use crate::database::Changes;
use crate::failure::Failure;

/// The name of some bytes: their SHA-256 in hexadecimal letters.
pub fn name(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Keeps bytes; gives their name.
pub async fn put(changes: &mut Changes, now: i64, bytes: &[u8]) -> Result<String, Failure> {
    let name = name(bytes);
    let known: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM blob WHERE hash = $1").bind(name.clone()).fetch_one(&mut **changes).await?;
    if known > 0 {
        return Ok(name);
    }
    let insert = "INSERT INTO blob (hash, bytes, content, at) VALUES ($1, $2, $3, $4) ON CONFLICT (hash) DO NOTHING";
    let content = pack(bytes).map_err(|error| Failure::Internal(format!("bytes cannot be compressed: {error}")))?;
    sqlx::query(insert).bind(name.clone()).bind(bytes.len() as i64).bind(content).bind(now).execute(&mut **changes).await?;
    Ok(name)
}

/// The bytes of a name.
pub async fn get<'e>(executor: impl Executor<'e, Database = Any>, name: &str) -> Result<Vec<u8>, Failure> {
    let select = "SELECT content FROM blob WHERE hash = $1";
    let content: Option<String> = sqlx::query_scalar(select).bind(name.to_owned()).fetch_optional(executor).await?;
    let content = content.ok_or_else(|| Failure::Internal(format!("the bytes {name} are not there")))?;
    unpack(&content).map_err(|error| Failure::Internal(format!("the bytes {name} cannot be read: {error}")))
}

fn pack(bytes: &[u8]) -> std::io::Result<String> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(bytes)?;
    Ok(STANDARD.encode(packed.finish()?))
}

fn unpack(content: &str) -> std::io::Result<Vec<u8>> {
    let packed = STANDARD.decode(content).map_err(std::io::Error::other)?;
    let mut bytes = Vec::new();
    GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_come_back() {
        for bytes in [&b""[..], b"\0\xff\xfe", "他在桌子上面".as_bytes(), &vec![7; 100_000]] {
            assert_eq!(unpack(&pack(bytes).expect("packed")).expect("unpacked"), bytes);
        }
        assert_eq!(name(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "as sha256sum says");
    }
}
