//! How the server is reached: time-outs, proxy, certificates, and as many connections kept open as are used.

use std::path::PathBuf;
use std::time::Duration;

use ureq::Proxy;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

/// The variable that holds the key; a key is never an argument, for arguments are seen by everybody on the machine.
pub const KEY_VARIABLE: &str = "OPENAI_API_KEY";
/// The variable that holds the address, where none is given.
pub const URL_VARIABLE: &str = "OPENAI_BASE_URL";
/// Variables that name a file of certificates in place of the built-in ones.
const CERTIFICATE_VARIABLES: &[&str] = &["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"];
/// A stream may last so many times as long as it may be silent.
const STREAM: u32 = 10;

/// How to reach a server.
#[derive(Clone)]
pub struct Connection {
    /// `https://host/v1`
    pub base_url: String,
    /// The key, if the server wants one.
    pub key: Option<String>,
    /// The time in which an answer must come; of a stream, the longest silence.
    pub timeout: Duration,
    /// A proxy; without one, that of `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY`, unless `NO_PROXY` names the host.
    pub proxy: Option<String>,
    /// How many connections are kept open.
    pub pool: usize,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

/// Why no server can be asked.
#[derive(Debug, thiserror::Error)]
pub enum NoAgent {
    /// The address is none.
    #[error("base URL: expected http://… or https://…, found {0}")]
    Address(String),
    /// The proxy is none.
    #[error("proxy: expected http://host:port, found {0}")]
    Proxy(String),
    /// The file of certificates has none.
    #[error("{file}: expected certificates, found {problem}")]
    Certificates {
        /// The file.
        file: PathBuf,
        /// What is there.
        problem: String,
    },
}

impl Connection {
    pub(super) fn agent(&self, stream: bool) -> Result<ureq::Agent, NoAgent> {
        if !["http://", "https://"].iter().any(|scheme| self.base_url.starts_with(scheme) && self.base_url.len() > scheme.len()) {
            return Err(NoAgent::Address(self.base_url.clone()));
        }
        let global = if stream { self.timeout.saturating_mul(STREAM) } else { self.timeout };
        let mut config = ureq::Agent::config_builder()
            // The server's own words are in the body of its refusal.
            .http_status_as_error(false)
            .timeout_global(Some(global))
            .timeout_per_read(Some(self.timeout))
            .timeout_connect(Some(self.timeout.min(Duration::from_secs(30))))
            // The client's own default would close all but a few connections after each answer.
            .max_idle_connections(self.pool)
            .max_idle_connections_per_host(self.pool)
            .user_agent(concat!("fangwei/", env!("CARGO_PKG_VERSION")));
        if let Some(proxy) = &self.proxy {
            config = config.proxy(Some(Proxy::new(proxy).map_err(|_| NoAgent::Proxy(proxy.clone()))?));
        }
        if let Some(roots) = roots()? {
            config = config.tls_config(TlsConfig::builder().root_certs(roots).build());
        }
        Ok(config.build().into())
    }
}

fn roots() -> Result<Option<RootCerts>, NoAgent> {
    let named = CERTIFICATE_VARIABLES.iter().find_map(std::env::var_os).filter(|file| !file.is_empty());
    let Some(file) = named.map(PathBuf::from) else { return Ok(None) };
    let pem = std::fs::read(&file).map_err(|error| NoAgent::Certificates { file: file.clone(), problem: error.to_string() })?;
    let certificates: Vec<Certificate<'static>> = parse_pem(&pem)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        })
        .collect();
    if certificates.is_empty() {
        return Err(NoAgent::Certificates { file, problem: "none".to_owned() });
    }
    Ok(Some(RootCerts::new_with_certs(&certificates)))
}
