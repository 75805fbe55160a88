//! Signing in, joining, passwords, tokens, lock-out, leaving.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use fangwei_web::accounts::link;
use fangwei_web::policy::Role;

use crate::site::{PASSWORD, on_both, pass};

on_both! {
    async fn the_first_start_gives_one_link_and_no_password(site: Site) {
        let first = link::first(&site.app).await.expect("a database").expect("no account yet");
        let second = link::first(&site.app).await.expect("a database").expect("no account yet");
        let path = |link: &str| link.strip_prefix("http://site").expect("our own").to_owned();
        let mut browser = site.browser();
        assert_eq!(browser.get(&path(&first)).await.status, StatusCode::UNPROCESSABLE_ENTITY, "a new start ends the old link");
        let fields = [("name", "组织者"), ("password", PASSWORD), ("again", PASSWORD)];
        assert_eq!(browser.get(&path(&second)).await.status, StatusCode::OK);
        assert_eq!(browser.post(&path(&second), &fields).await.status, StatusCode::SEE_OTHER);
        assert!(browser.get("/me").await.text.contains("组织者"));
        let again = site.browser().post(&path(&second), &fields).await;
        assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY, "a link works once");
        assert_eq!(link::first(&site.app).await.expect("a database"), None);
    }
}

on_both! {
    async fn bad_names_and_passwords_are_told_and_the_link_stays(site: Site) {
        let link = link::first(&site.app).await.expect("a database").expect("no account yet");
        let path = link.strip_prefix("http://site").expect("our own").to_owned();
        let mut browser = site.browser();
        for (name, password, again) in [
            ("a", PASSWORD, PASSWORD),
            ("ann", "short", "short"),
            ("ann", PASSWORD, "another password"),
            ("ann", "aaaaaaaaaaaa", "aaaaaaaaaaaa"),
            ("battery", PASSWORD, PASSWORD),
            ("<b>ann</b>", PASSWORD, PASSWORD),
        ] {
            let answer = browser.post(&path, &[("name", name), ("password", password), ("again", again)]).await;
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{name} {password}");
            assert!(answer.text.contains("role=\"alert\"") && !answer.text.contains("<b>ann"), "{}", answer.text);
        }
        let joined = browser.post(&path, &[("name", "ann"), ("password", PASSWORD), ("again", PASSWORD)]).await;
        assert_eq!(joined.status, StatusCode::SEE_OTHER);
    }
}

on_both! {
    async fn wrong_passwords_lock_a_name_for_a_while(site: Site) {
        site.person("ann", Role::Annotator).await;
        let mut browser = site.browser();
        for _ in 0..8 {
            let refused = browser.post("/login", &[("name", "ann"), ("password", "wrong wrong wrong")]).await;
            assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
        }
        let locked = browser.post("/login", &[("name", "ann"), ("password", PASSWORD)]).await;
        assert_eq!(locked.status, StatusCode::TOO_MANY_REQUESTS, "the right password does not help either");
        pass(16 * 60 * 1000);
        let entered = browser.post("/login", &[("name", "ann"), ("password", PASSWORD), ("next", "//elsewhere")]).await;
        assert_eq!((entered.status, entered.location()), (StatusCode::SEE_OTHER, "/"));
    }
}

on_both! {
    async fn a_new_password_ends_other_sessions(site: Site) {
        let mut one = site.person("ann", Role::Annotator).await;
        let mut other = site.browser();
        other.post("/login", &[("name", "ann"), ("password", PASSWORD)]).await;
        assert_eq!(other.get("/me").await.status, StatusCode::OK);
        let fields = [("old", PASSWORD), ("password", "another good phrase"), ("again", "another good phrase")];
        assert_eq!(one.post("/me/password", &fields).await.status, StatusCode::OK);
        assert_eq!(one.get("/me").await.status, StatusCode::OK);
        assert!(other.get("/me").await.location().starts_with("/login"), "the other browser is out");
    }
}

on_both! {
    async fn an_admin_gives_a_link_for_a_new_password(site: Site) {
        let mut admin = site.person("root", Role::Admin).await;
        site.person("ann", Role::Annotator).await;
        let page = admin.post(&format!("/people/{}/reset", site.id("ann").await), &[]).await;
        let path = page.between("<code>http://site", "</code>");
        let mut browser = site.browser();
        let fields = [("password", "another good phrase"), ("again", "another good phrase")];
        assert_eq!(browser.post(&path, &fields).await.status, StatusCode::SEE_OTHER);
        assert!(browser.get("/me").await.text.contains("ann"));
    }
}

on_both! {
    async fn roles_as_high_as_ones_own_are_not_given(site: Site) {
        let mut manager = site.person("manager", Role::Manager).await;
        site.person("ann", Role::Annotator).await;
        site.person("root", Role::Admin).await;
        let (ann, root) = (site.id("ann").await, site.id("root").await);
        assert_eq!(manager.post("/people/invite", &[("role", "manager")]).await.status, StatusCode::FORBIDDEN);
        let up = [("role", "admin"), ("state", "active"), ("tags", "")];
        assert_eq!(manager.post(&format!("/people/{ann}"), &up).await.status, StatusCode::FORBIDDEN);
        let down = [("role", "annotator"), ("state", "left"), ("tags", "")];
        assert_eq!(manager.post(&format!("/people/{root}"), &down).await.status, StatusCode::FORBIDDEN);
        let fine = [("role", "reviewer"), ("state", "active"), ("tags", "A组  快")];
        assert_eq!(manager.post(&format!("/people/{ann}"), &fine).await.status, StatusCode::SEE_OTHER);
        assert!(manager.get("/people").await.text.contains("A组 快"));
    }
}

on_both! {
    async fn who_leaves_is_out_at_once(site: Site) {
        let mut admin = site.person("root", Role::Admin).await;
        let mut ann = site.person("ann", Role::Annotator).await;
        let fields = [("role", "annotator"), ("state", "left"), ("tags", "")];
        admin.post(&format!("/people/{}", site.id("ann").await), &fields).await;
        assert!(ann.get("/").await.location().starts_with("/login"));
        let again = site.browser().post("/login", &[("name", "ann"), ("password", PASSWORD)]).await;
        assert_eq!(again.status, StatusCode::UNAUTHORIZED);
    }
}

on_both! {
    async fn tokens_are_shown_once_and_end(site: Site) {
        let mut ann = site.person("ann", Role::Annotator).await;
        let page = ann.post("/me/tokens", &[("name", "script"), ("days", "1"), ("read", "on")]).await;
        let secret = page.between("<code>", "</code>");
        assert!(secret.starts_with("fangwei_"));
        assert!(!ann.get("/me").await.text.contains(&secret), "it is not kept");
        let ask = |secret: &str| {
            let request = Request::get("/me").header(header::AUTHORIZATION, format!("Bearer {secret}"));
            ann.call(request.body(Body::empty()).expect("a request"))
        };
        assert_eq!(ask(&secret).await.status, StatusCode::FORBIDDEN, "pages are not for programs");
        assert_eq!(ask("fangwei_wrong").await.location(), "/login?next=/me");
        pass(25 * 3600 * 1000);
        assert_eq!(ask(&secret).await.location(), "/login?next=/me", "a day has passed");
    }
}

on_both! {
    async fn the_log_of_what_was_done_cannot_be_changed(site: Site) {
        site.person("ann", Role::Annotator).await;
        for statement in ["UPDATE audit SET action = 'nothing'", "DELETE FROM audit"] {
            let mut changes = site.app.database.begin().await.expect("changes");
            assert!(sqlx::query(statement).execute(&mut *changes).await.is_err(), "{statement}");
        }
        let noted: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM audit WHERE action = 'join'").fetch_one(site.app.database.read()).await.expect("a count");
        assert_eq!(noted, 1);
    }
}
