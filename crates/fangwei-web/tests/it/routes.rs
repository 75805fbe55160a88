//! The table of routes keeps its promises: each refuses every lower role, strangers, and changes from foreign pages.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use fangwei_web::policy::{Policy, Role};
use fangwei_web::routes::ROUTES;

use crate::site::on_both;

/// An address that fits the route, of things that do not exist.
fn example(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { "0000000000000000" } else { part }).collect::<Vec<_>>().join("/")
}

on_both! {
    async fn every_route_refuses_every_lower_role(site: Site) {
        let mut people = Vec::new();
        for role in Role::ALL {
            people.push((role, site.person(role.as_str(), role).await));
        }
        let mut stranger = site.browser();
        for route in ROUTES.iter().flat_map(|routes| routes.iter()) {
            let Policy::AtLeast(least) = route.policy else { continue };
            let path = example(route.path);
            let refused = stranger.send(route.method.clone(), &path, "application/json", "{}".to_owned()).await;
            if route.method == Method::GET && !route.is_api() {
                assert!(refused.location().starts_with("/login?next="), "{path} shows itself to strangers: {refused:?}");
            } else {
                assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{path} serves strangers");
            }
            for (role, browser) in &mut people {
                crate::site::pass(1000);
                let status = browser.send(route.method.clone(), &path, "application/json", "{}".to_owned()).await.status;
                if *role < least {
                    assert_eq!(status, StatusCode::FORBIDDEN, "{} {path} serves {role:?}", route.method);
                } else {
                    assert_ne!(status, StatusCode::UNAUTHORIZED, "{} {path} turns {role:?} away", route.method);
                    assert!(!status.is_server_error(), "{} {path} fails for {role:?}", route.method);
                }
            }
        }
    }
}

on_both! {
    async fn changes_need_the_secret_of_the_session(site: Site) {
        let admin = site.person("root", Role::Admin).await;
        for route in ROUTES.iter().flat_map(|routes| routes.iter()).filter(|route| !route.method.is_safe()) {
            if route.policy == Policy::Everybody {
                continue;
            }
            for (csrf, site_header) in [(None, None), (Some("0".repeat(64)), None), (Some(admin.csrf.clone()), Some("cross-site"))] {
                let mut request = Request::builder().method(route.method.clone()).uri(example(route.path));
                request = request.header(header::COOKIE, &admin.cookie).header("host", "site").header("content-type", "application/json");
                if let Some(csrf) = &csrf {
                    request = request.header("x-csrf-token", csrf);
                }
                if let Some(from) = site_header {
                    request = request.header("sec-fetch-site", from);
                }
                crate::site::pass(1000);
                let answer = admin.call(request.body(Body::from("{}")).expect("a request")).await;
                assert_eq!(answer.status, StatusCode::FORBIDDEN, "{} {} is changed by a foreign page", route.method, route.path);
            }
        }
    }
}

on_both! {
    async fn answers_carry_the_headers_that_keep_browsers_safe(site: Site) {
        let mut browser = site.browser();
        for path in ["/login", "/healthz", "/static/fangwei.css", "/nowhere"] {
            let answer = browser.get(path).await;
            let policy = answer.headers["content-security-policy"].to_str().expect("letters");
            assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{path}: {policy}");
            assert_eq!(answer.headers["x-content-type-options"], "nosniff", "{path}");
        }
        let page = browser.get("/login").await.text;
        assert!(!page.contains("<script>") && !page.contains("style=\"") && !page.contains("onclick"), "nothing inline");
    }
}

on_both! {
    async fn what_is_too_large_and_wrong_methods_are_told_as_json(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        let large = "x".repeat(3 << 20);
        let whole = mia.json(Method::POST, "/api/batches", &serde_json::json!({ "name": large, "task": "2022/judge", "mode": "annotate" })).await;
        assert_eq!((whole.status, &whole.json()["error"]), (StatusCode::PAYLOAD_TOO_LARGE, &serde_json::json!("too-large")), "{}", whole.text);
        assert!(whole.json()["message"].as_str().is_some_and(|said| said.contains("2 MB")), "{}", whole.text);
        let made = mia.json(Method::POST, "/api/batches", &serde_json::json!({ "name": "b", "task": "2022/judge", "mode": "annotate" })).await.json();
        let items = format!("/api/batches/{}/items", made["id"].as_str().expect("an id"));
        let file = mia.send(Method::POST, &items, "application/json", "x".repeat((64 << 20) + 1)).await;
        assert_eq!((file.status, &file.json()["error"]), (StatusCode::PAYLOAD_TOO_LARGE, &serde_json::json!("too-large")), "a file of items may have 64 MB");
        let mut english = Request::builder().method(Method::DELETE).uri("/api/batches").header("host", "site").header("accept-language", "en");
        english = english.header("cookie", &mia.cookie).header("x-csrf-token", &mia.csrf);
        let wrong = mia.call(english.body(Body::empty()).expect("a request")).await;
        assert_eq!((wrong.status, &wrong.json()["error"]), (StatusCode::METHOD_NOT_ALLOWED, &serde_json::json!("method")), "{}", wrong.text);
        assert_eq!(wrong.json()["message"], "the address does not take this method");
        assert!(wrong.headers.contains_key("allow"), "{:?}", wrong.headers);
        let form = mia.post("/batches", &[("name", &large)]).await;
        assert_eq!(form.status, StatusCode::PAYLOAD_TOO_LARGE, "a form as well");
        assert!(form.text.contains("<html"), "{}", &form.text[..200.min(form.text.len())]);
    }
}

/// No page template switches escaping off, has a script or a style of its own.
#[test]
fn templates_have_nothing_inline() {
    fn walk(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            if entry.path().is_dir() { walk(&entry.path(), found) } else { found.push(entry.path()) }
        }
    }
    let mut files = Vec::new();
    walk(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("templates"), &mut files);
    assert!(files.len() > 5);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a template");
        for banned in [
            "|safe",
            "| safe",
            "escape=\"none\"",
            "<script>",
            "<style",
            "style=\"",
            " onclick",
            " onload",
            " onchange",
            "javascript:",
        ] {
            assert!(!text.contains(banned), "{} has {banned}", file.display());
        }
    }
}

on_both! {
    async fn static_files_and_health_do_not_count_against_the_limit(site: Site) {
        let mut nobody = site.browser();
        for _ in 0..200 {
            assert_eq!(nobody.get("/static/fangwei.css").await.status, StatusCode::OK);
            assert_eq!(nobody.get("/healthz").await.status, StatusCode::OK);
        }
        // The clock of tests stands still, so 120 pages empty the bucket.
        for _ in 0..120 {
            assert_eq!(nobody.get("/login").await.status, StatusCode::OK);
        }
        assert_eq!(nobody.get("/login").await.status, StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(nobody.get("/static/fangwei.css").await.status, StatusCode::OK, "the page of refusal still has its style");
    }
}
