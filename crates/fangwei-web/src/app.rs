//! The platform as a router: every route of the table behind its guard, every answer with the headers that keep browsers safe.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use fangwei_predict::explore::Sources;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::{RequestBodyTimeoutLayer, TimeoutLayer};

use crate::accounts::password::Cost;
use crate::agree::Reports;
use crate::batches::suggest::Runs;
use crate::board::Boards;
use crate::contests::Contests;
use crate::database::Database;
use crate::explore::Explorer;
use crate::failure::Failure;
use crate::guard::{self, Guarded};
use crate::limit::Limits;
use crate::page;
use crate::ready::Readings;
use crate::routes::ROUTES;
use crate::submit::{Examiners, Scoring, Senders};

/// So large may a request be, unless its route says otherwise.
pub const MOST_BYTES: usize = 2 << 20;

/// A request whose body says nothing for so long is given up,
const MOST_SILENCE: Duration = Duration::from_secs(30);
/// and so is one that takes longer than this in all: the largest import is done in a tenth of it.
const MOST_TIME: Duration = Duration::from_mins(5);

/// Tells the time in milliseconds since 1970; tests have their own.
pub type Clock = fn() -> i64;

/// The system's clock.
pub fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

/// What the platform is told at its start.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What it is called in links that are given out, without a slash at the end.
    pub public_url: String,
    /// Whether cookies are only sent over TLS.
    pub secure: bool,
    /// Whether a proxy tells the address of the asker in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// What a password costs to check.
    pub cost: Cost,
    /// The clock.
    pub clock: Clock,
    /// The folder of models that can pre-annotate, each in a folder of its own.
    pub models: PathBuf,
}

impl Settings {
    /// The settings of a platform that browsers reach directly at this address.
    pub fn new(public_url: &str) -> Settings {
        let public_url = public_url.trim_end_matches('/').to_owned();
        Settings { public_url, secure: false, behind_proxy: false, cost: Cost::Full, clock: now, models: PathBuf::new() }
    }
}

/// What every handler can reach.
#[derive(Clone, Debug)]
pub struct App {
    /// The database.
    pub database: Database,
    /// The settings.
    pub settings: Arc<Settings>,
    /// How often somebody may ask.
    pub limits: Arc<Limits>,
    /// Pre-annotation under way.
    pub runs: Arc<Runs>,
    /// Items that were read last.
    pub readings: Arc<Readings>,
    /// Reports of agreement that were computed before.
    pub reports: Arc<Reports>,
    /// Competitions that were read before.
    pub contests: Arc<Contests>,
    /// What looks at files that are sent.
    pub examiners: Arc<Examiners>,
    /// Who sends files.
    pub senders: Arc<Senders>,
    /// What scores submissions.
    pub scoring: Arc<Scoring>,
    /// Boards that were computed before.
    pub boards: Arc<Boards>,
    /// What looks at passages.
    pub explorer: Arc<Explorer>,
}

impl App {
    /// An app over a database.
    pub fn new(database: Database, settings: Settings) -> App {
        App {
            database,
            settings: Arc::new(settings),
            limits: Arc::default(),
            runs: Arc::default(),
            readings: Arc::default(),
            reports: Arc::default(),
            contests: Arc::default(),
            examiners: Arc::default(),
            senders: Arc::default(),
            scoring: Arc::default(),
            boards: Arc::default(),
            explorer: Arc::default(),
        }
    }

    /// The same app with others to answer where passages are explored.
    #[must_use]
    pub fn exploring_with(self, sources: Sources) -> App {
        App { explorer: Arc::new(Explorer::new(sources)), ..self }
    }

    /// The time that counts.
    pub fn now(&self) -> i64 {
        (self.settings.clock)() + self.database.ahead()
    }
}

/// What browsers are told with every answer. Scripts and styles come from here only; nothing may frame a page.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

/// The whole platform.
pub fn app(app: App) -> Router {
    let mut router = Router::new();
    for route in ROUTES.iter().flat_map(|routes| routes.iter()) {
        let guarded = Guarded { app: app.clone(), policy: route.policy, scope: route.scope, is_free: route.is_free };
        router = router.route(route.path, (route.call)().route_layer(from_fn_with_state(guarded, guard::guard)));
    }
    router
        .fallback(async || Failure::NotFound)
        .method_not_allowed_fallback(async || Failure::Method)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn(page::refusals))
        .layer(RequestBodyTimeoutLayer::new(MOST_SILENCE))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, MOST_TIME))
        .layer(CatchPanicLayer::custom(|_| Failure::Internal("a handler panicked".to_owned()).into_response()))
        .layer(from_fn(async |request, next: axum::middleware::Next| keep_safe(next.run(request).await)))
        .layer(CompressionLayer::new())
        .with_state(app)
}

fn keep_safe(mut answer: Response) -> Response {
    for (name, value) in HEADERS {
        answer.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    answer.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}
