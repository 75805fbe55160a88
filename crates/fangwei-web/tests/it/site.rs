//! A platform on a fresh database, and browsers that keep their cookies.

use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use fangwei_web::accounts::link;
use fangwei_web::accounts::password::Cost;
use fangwei_web::database::{Address, Database};
use fangwei_web::policy::Role;
use fangwei_web::{App, Settings, app, chance};
use http_body_util::BodyExt;
use serde_json::Value;
use sqlx::{Connection, Executor};
use tower::ServiceExt;

/// The password of everybody here.
pub const PASSWORD: &str = "correct horse battery";

/// The time of all platforms of this process; a test turns it forward.
static NOW: AtomicI64 = AtomicI64::new(1_800_000_000_000);

/// Turns the clock forward.
pub fn pass(ms: i64) {
    NOW.fetch_add(ms, Ordering::SeqCst);
}

/// A platform.
pub struct Site {
    pub app: App,
    router: Router,
    folder: PathBuf,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: axum::http::HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("no JSON: {error}: {}", self.text))
    }

    pub fn location(&self) -> &str {
        self.headers.get(header::LOCATION).and_then(|to| to.to_str().ok()).unwrap_or_default()
    }

    /// The text between two others.
    pub fn between(&self, before: &str, after: &str) -> String {
        let (_, rest) = self.text.split_once(before).unwrap_or_else(|| panic!("no {before:?} in {}", self.text));
        rest.split_once(after).expect("an end").0.to_owned()
    }
}

impl Site {
    /// On a new SQLite file.
    pub async fn sqlite() -> Site {
        let folder = std::env::temp_dir().join(format!("fangwei-web-{}", chance::secret()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        Site::on(Address::Sqlite(folder.join("site.db")), folder).await
    }

    /// On a new database of the PostgreSQL server that `FANGWEI_POSTGRES` names; `None`, with a message, where there is none.
    pub async fn postgres() -> Option<Site> {
        let Ok(server) = std::env::var("FANGWEI_POSTGRES") else {
            eprintln!("skipped on PostgreSQL: FANGWEI_POSTGRES names no server (scripts/with-postgres starts one)");
            return None;
        };
        sqlx::any::install_default_drivers();
        let name = format!("t{}", &chance::secret()[..20]);
        let mut connection = sqlx::AnyConnection::connect(&server).await.expect("the server answers");
        let create = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
        connection.execute(create).await.expect("a database can be made");
        let (server, _) = server.rsplit_once('/').expect("an address with a database");
        Some(Site::on(Address::Postgres(format!("{server}/{name}")), PathBuf::new()).await)
    }

    async fn on(address: Address, folder: PathBuf) -> Site {
        let database = Database::open(&address).await.expect("a database");
        let settings = Settings {
            public_url: "http://site".to_owned(),
            secure: false,
            behind_proxy: false,
            cost: Cost::Least,
            models: folder.join("models"),
            clock: || NOW.load(Ordering::SeqCst),
        };
        let state = App::new(database, settings);
        Site { router: app(state.clone()), app: state, folder }
    }

    /// A browser that nobody has signed in with.
    pub fn browser(&self) -> Browser {
        Browser { router: self.router.clone(), cookie: String::new(), csrf: String::new() }
    }

    /// A browser of a new person with this role.
    pub async fn person(&self, name: &str, role: Role) -> Browser {
        let mut changes = self.app.database.begin().await.expect("changes");
        let link = link::make(&self.app, &mut changes, &link::Purpose::Join(role), None).await.expect("a link");
        changes.commit().await.expect("kept");
        let mut browser = self.browser();
        let path = link.strip_prefix("http://site").expect("our own").to_owned();
        let joined = browser.post(&path, &[("name", name), ("password", PASSWORD), ("again", PASSWORD)]).await;
        assert_eq!(joined.status, StatusCode::SEE_OTHER, "{}", joined.text);
        browser
    }

    /// The id of a person.
    pub async fn id(&self, name: &str) -> String {
        let found = fangwei_web::accounts::find(self.app.database.read(), name).await.expect("a database");
        found.expect("an account").account.id
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if !self.folder.as_os_str().is_empty() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// A browser: sends its cookie, and the secret of its session with every change.
#[derive(Clone)]
pub struct Browser {
    router: Router,
    pub cookie: String,
    pub csrf: String,
}

impl Browser {
    pub async fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, "", String::new()).await
    }

    /// Sends a form.
    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let csrf = self.csrf.clone();
        let pairs = fields.iter().copied().chain([("csrf", csrf.as_str())]);
        let body: Vec<String> = pairs.map(|(name, value)| format!("{name}={}", escape(value))).collect();
        self.send(Method::POST, path, "application/x-www-form-urlencoded", body.join("&")).await
    }

    /// Sends JSON.
    pub async fn json(&mut self, method: Method, path: &str, body: &Value) -> Answer {
        self.send(method, path, "application/json", body.to_string()).await
    }

    pub async fn send(&mut self, method: Method, path: &str, kind: &str, body: String) -> Answer {
        let mut request = Request::builder().method(method).uri(path).header("host", "site");
        if !kind.is_empty() {
            request = request.header(header::CONTENT_TYPE, kind);
        }
        if !self.cookie.is_empty() {
            request = request.header(header::COOKIE, &self.cookie);
            if kind == "application/json" {
                request = request.header("x-csrf-token", &self.csrf);
            }
        }
        let answer = self.call(request.body(Body::from(body)).expect("a request")).await;
        let cookie = answer.headers.get(header::SET_COOKIE).and_then(|cookie| cookie.to_str().ok());
        if let Some(session) = cookie.and_then(|cookie| cookie.strip_prefix("fangwei=")) {
            let session = session.split(';').next().unwrap_or_default();
            self.cookie = if session.is_empty() { String::new() } else { format!("fangwei={session}") };
            self.csrf = String::new();
            if !session.is_empty() {
                let page = Request::get("/me").header(header::COOKIE, &self.cookie).header("host", "site");
                let page = self.call(page.body(Body::empty()).expect("a request")).await;
                self.csrf = page.between("name=\"csrf\" content=\"", "\"");
            }
        }
        answer
    }

    /// Sends a request as it is.
    pub async fn call(&self, request: Request<Body>) -> Answer {
        let answer = self.router.clone().oneshot(request).await.expect("a router does not fail");
        let (parts, body) = answer.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        Answer { status: parts.status, headers: parts.headers, text: String::from_utf8_lossy(&bytes).into_owned() }
    }
}

fn escape(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Runs a test on both databases.
macro_rules! on_both {
    ($(#[$about:meta])* async fn $name:ident($site:ident: Site) $body:block) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            async fn run($site: $crate::site::Site) $body
            $(#[$about])*
            #[tokio::test]
            async fn sqlite() { run($crate::site::Site::sqlite().await).await }
            $(#[$about])*
            #[tokio::test]
            async fn postgres() { if let Some(site) = $crate::site::Site::postgres().await { run(site).await } }
        }
    };
}
pub(crate) use on_both;
