//! Teams: registration with the agreement, the approval queue, joining by link, and what others never see of a team.

use axum::http::{Method, StatusCode};
use fangwei_web::policy::Role;
use serde_json::json;

use crate::contests;
use crate::seed::column;
use crate::site::{Browser, Site, on_both, pass};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// A competition in its development phase, with registration open.
pub async fn running(site: &Site, template: &str) -> String {
    contests::open_at(site, template, site.app.now() - 10 * DAY).await
}

/// What a team says of itself.
pub fn form<'f>(name: &'f str, email: &'f str) -> Vec<(&'f str, &'f str)> {
    vec![
        ("name", name),
        ("sort", "university"),
        ("institution", "某大学"),
        ("leader", "王某"),
        ("people", "王某\n李某"),
        ("email", email),
        ("phone", "010-8888 7777"),
        ("agree", "1"),
    ]
}

/// Registers a team by its leader's browser.
pub async fn register(browser: &mut Browser, contest: &str, name: &str, email: &str) {
    let done = browser.post(&format!("/contests/{contest}/register"), &form(name, email)).await;
    assert_eq!(
        (done.status, done.location()),
        (StatusCode::SEE_OTHER, format!("/contests/{contest}/team").as_str()),
        "{}",
        done.text
    );
}

/// A team that may submit: its leader's browser and its id.
pub async fn entered(site: &Site, contest: &str, leader: &str, name: &str) -> (Browser, String) {
    let mut browser = site.person(leader, Role::Participant).await;
    register(&mut browser, contest, name, "team@example.org").await;
    let team =
        browser.get(&format!("/api/contests/{contest}/team")).await.json()["team"]["id"].as_str().expect("an id").to_owned();
    let mut organiser = site.person(&format!("organiser of {leader}"), Role::Organiser).await;
    let decision = json!({ "state": "approved", "version": 0 });
    let decided = organiser.json(Method::POST, &format!("/api/contests/{contest}/teams/{team}"), &decision).await;
    assert_eq!(decided.status, StatusCode::OK, "{}", decided.text);
    (browser, team)
}

on_both! {
    async fn a_team_registers_with_the_agreement_and_is_approved(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut leader, mut olga) = (site.person("leader", Role::Participant).await, site.person("olga", Role::Organiser).await);
        let path = format!("/contests/{contest}/register");
        let page = leader.get(&path).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        assert!(page.text.contains("name=\"agree\" value=\"1\""));
        for missing in ["agree", "email", "institution", "name"] {
            let part: Vec<_> = form("山外山", "a@b.cn").into_iter().filter(|(name, _)| *name != missing).collect();
            let refused = leader.post(&path, &part).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "without {missing}");
            assert!(refused.text.contains("role=\"alert\""));
        }
        assert!(column(&site, "SELECT id FROM team WHERE contest = $1", &contest).await.is_empty(), "nothing is kept of what was refused");
        register(&mut leader, &contest, "山外山", "a@b.cn").await;
        let accepted: (String, i64) = sqlx::query_as("SELECT version, at FROM acceptance WHERE contest = $1").bind(contest.clone()).fetch_one(site.app.database.read()).await.expect("one");
        assert_eq!(accepted, ("1".to_owned(), site.app.now()), "version and time of the agreement");
        let again = leader.post(&path, &form("另一队", "a@b.cn")).await;
        assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY, "one team for a person");
        let mut other = site.person("other", Role::Participant).await;
        let alike = other.post(&path, &form("山外山 ！", "a@b.cn")).await;
        assert_eq!(alike.status, StatusCode::UNPROCESSABLE_ENTITY, "a name that looks the same is taken");

        let waiting = leader.get(&format!("/contests/{contest}/team")).await;
        assert!(waiting.text.contains("等待审核"), "{}", waiting.text);
        let refused = leader.send(Method::POST, &format!("/api/contests/{contest}/submissions?task=judge"), "application/json", String::new()).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "who waits cannot submit: {}", refused.text);
        let queue = olga.get(&format!("/contests/{contest}/teams")).await;
        assert!(queue.text.contains("山外山") && queue.text.contains("a@b.cn"));
        let team = leader.get(&format!("/api/contests/{contest}/team")).await.json()["team"]["id"].as_str().expect("an id").to_owned();
        let decide = format!("/contests/{contest}/teams/{team}");
        let fields = [("state", "approved"), ("answer", "欢迎"), ("version", "0")];
        assert_eq!(olga.post(&decide, &fields).await.status, StatusCode::SEE_OTHER);
        assert_eq!(olga.post(&decide, &fields).await.status, StatusCode::CONFLICT, "decided on by somebody else meanwhile");
        let approved = leader.get(&format!("/contests/{contest}/team")).await;
        assert!(approved.text.contains("已通过") && approved.text.contains("欢迎"));
        let audited = column(&site, "SELECT action FROM audit WHERE object = $1 ORDER BY action", &team).await;
        assert_eq!(audited, ["decide-team", "register-team"]);
        // Registration is open for 45 days of the schedule, ten of which have passed.
        pass(35 * DAY);
        crate::submit::sign_in(&mut other, "other").await;
        let late = other.post(&path, &form("迟到队", "a@b.cn")).await;
        assert_eq!(late.status, StatusCode::FORBIDDEN, "{}", late.text);
    }
}

on_both! {
    async fn strangers_make_an_account_and_join_by_link(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut leader, _) = entered(&site, &contest, "leader", "山外山").await;
        let shown = leader.post(&format!("/contests/{contest}/team/links"), &[]).await;
        let link = format!("/teams/join/{}", shown.between("http://site/teams/join/", "<"));
        let mut stranger = site.browser();
        let sent = stranger.get(&link).await;
        assert!(sent.location().starts_with(&format!("/contests/{contest}/sign-up?next=/teams/join/")), "{}", sent.location());
        let path = sent.location().to_owned();
        assert_eq!(stranger.get(&path).await.status, StatusCode::OK);
        let account = [("name", "小张"), ("password", crate::site::PASSWORD), ("again", crate::site::PASSWORD)];
        let made = stranger.post(&path, &account).await;
        assert_eq!((made.status, made.location()), (StatusCode::SEE_OTHER, link.as_str()), "{}", made.text);
        assert_eq!(column(&site, "SELECT role FROM account WHERE name = $1", "小张").await, ["participant"]);
        assert!(stranger.get(&link).await.text.contains("山外山"));
        let without = stranger.post(&link, &[]).await;
        assert_eq!(without.status, StatusCode::UNPROCESSABLE_ENTITY, "everybody accepts the agreement");
        let joined = stranger.post(&link, &[("agree", "1")]).await;
        assert_eq!(joined.status, StatusCode::SEE_OTHER, "{}", joined.text);
        let members = leader.get(&format!("/api/contests/{contest}/team")).await.json()["members"].clone();
        assert_eq!(members[1]["name"], "小张", "{members}");
        assert_eq!(stranger.post(&link, &[("agree", "1")]).await.status, StatusCode::UNPROCESSABLE_ENTITY, "once");
        assert_eq!(stranger.post(&format!("/contests/{contest}/team/links"), &[]).await.status, StatusCode::FORBIDDEN, "links are the leader's");
        leader.post(&format!("/contests/{contest}/team/links/end"), &[]).await;
        let mut late = site.person("late", Role::Participant).await;
        assert_eq!(late.post(&link, &[("agree", "1")]).await.status, StatusCode::UNPROCESSABLE_ENTITY, "the link has ended");
    }
}

on_both! {
    async fn of_many_who_join_at_once_as_many_get_in_as_there_are_places(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut leader, team) = entered(&site, &contest, "leader", "山外山").await;
        let shown = leader.post(&format!("/contests/{contest}/team/links"), &[]).await;
        let link = format!("/teams/join/{}", shown.between("http://site/teams/join/", "<"));
        let mut joining = Vec::new();
        for number in 0..14 {
            let mut browser = site.person(&format!("member{number}"), Role::Participant).await;
            let link = link.clone();
            joining.push(tokio::spawn(async move { browser.post(&link, &[("agree", "1")]).await.status }));
        }
        let mut inside = 0;
        for join in joining {
            let status = join.await.expect("no panic");
            assert!([StatusCode::SEE_OTHER, StatusCode::UNPROCESSABLE_ENTITY].contains(&status), "{status}");
            inside += usize::from(status == StatusCode::SEE_OTHER);
        }
        // Ten people at most, one of whom is the leader.
        assert_eq!(inside, 9);
        assert_eq!(column(&site, "SELECT account FROM member WHERE team = $1", &team).await.len(), 10);
    }
}

on_both! {
    async fn nobody_sees_the_contact_of_another_team(site: Site) {
        let contest = running(&site, "2022").await;
        let mut first = site.person("first", Role::Participant).await;
        register(&mut first, &contest, "山外山", "hidden@example.org").await;
        let (mut second, _) = entered(&site, &contest, "second", "楼外楼").await;
        let mut people = [site.browser(), second.clone(), site.person("manager", Role::Manager).await];
        let own = second.get(&format!("/contests/{contest}/team")).await;
        assert!(own.text.contains("team@example.org"), "one's own is there");
        for browser in &mut people {
            for path in ["", "/team", "/teams", "/register", "/submit", "/submissions", "/news", "/schedule"] {
                for path in [format!("/contests/{contest}{path}"), format!("/api/contests/{contest}{path}")] {
                    let answer = browser.get(&path).await;
                    assert!(!answer.text.contains("hidden@example.org") && !answer.text.contains("山外山"), "{path}");
                    pass(500);
                }
            }
        }
    }
}
