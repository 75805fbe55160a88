//! Review: the whole life of a mark, verdicts on old versions, blind second reviews, sampling, adjudication.

use axum::http::{Method, StatusCode};
use fangwei::annotate::form::BatchMode;
use fangwei_web::policy::Role;
use serde_json::{Value, json};

use crate::seed::{Seed, column, inspect, level, standing};
use crate::site::{Browser, on_both, pass};

const GOOD: &str = "空间实体=雨伞 事件=靠 处所=在门后";
const NARROW: &str = "空间实体=雨伞 事件=靠 处所=门后";
const TEXT: &str = "雨伞靠在门后。";

async fn verdict(browser: &mut Browser, inspection: &str, body: Value) -> crate::site::Answer {
    browser.json(Method::POST, &format!("/api/review/{inspection}"), &body).await
}

on_both! {
    async fn a_mark_is_returned_done_again_and_approved(site: Site) {
        let (_, mut rui) = (site.person("ann", Role::Annotator).await, site.person("rui", Role::Reviewer).await);
        let batch = Seed::empty(&site, "2023/roles", BatchMode::Annotate, &json!({})).await;
        let item = batch.item(1, TEXT).await;
        let work = batch.done(&item, &site.id("ann").await, &batch.mark(TEXT, NARROW)).await;
        let inspection = inspect(&site, &work, &site.id("rui").await, false).await;
        let queue = rui.get("/api/review").await.json();
        assert_eq!(queue["queue"][0]["needs"], "waiting", "{queue}");

        let silent = verdict(&mut rui, &inspection, json!({ "verdict": "return", "version": 1 })).await;
        assert_eq!(silent.status, StatusCode::UNPROCESSABLE_ENTITY, "a return says why: {}", silent.text);
        let body = json!({ "verdict": "return", "comment": "介词应当包括在内", "pointer": "/answer/results/0/2/fragment", "version": 1 });
        let returned = verdict(&mut rui, &inspection, body).await;
        assert_eq!((returned.status, returned.json()["state"].clone()), (StatusCode::OK, json!("returned")), "{}", returned.text);
        assert_eq!(standing(&site, &work).await, ("returned".to_owned(), 1, 2));
        assert_eq!(rui.get("/api/review").await.json()["queue"][0]["needs"], "away");

        pass(1000);
        batch.finish(&work, &batch.mark(TEXT, GOOD)).await;
        assert_eq!(rui.get("/api/review").await.json()["queue"][0]["needs"], "changed");
        let page = rui.get(&format!("/review/{inspection}")).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        assert!(page.text.contains("<ins>处所：在门后 [3-5]</ins>") && page.text.contains("<del>处所：门后 [4-5]</del>"), "{}", page.text);
        assert!(page.text.contains("介词应当包括在内"), "the former round is shown");
        assert!(page.text.contains("<mark class=\"span"), "spans are drawn");
        let shown = rui.get(&format!("/api/review/{inspection}")).await.json();
        assert_eq!(shown["versions"][0]["changes"].as_array().map(Vec::len), Some(2), "{shown}");
        assert_eq!((&shown["rounds"][0]["round"], &shown["rounds"][0]["pointer"]), (&json!(1), &json!("/answer/results/0/2/fragment")));

        let approved = rui.post(&format!("/review/{inspection}"), &[("verdict", "approve"), ("version", "2")]).await;
        assert_eq!((approved.status, approved.location()), (StatusCode::SEE_OTHER, "/review"), "{}", approved.text);
        assert_eq!(standing(&site, &work).await, ("approved".to_owned(), 2, 2));
        let rounds = column(&site, "SELECT verdict FROM review WHERE assignment = $1 ORDER BY at, id", &work).await;
        assert_eq!(rounds, ["return", "approve"], "every round is kept");
        assert_eq!(column(&site, "SELECT content FROM mark WHERE assignment = $1", &work).await.len(), 2);
        assert_eq!(column(&site, "SELECT id FROM audit WHERE action = 'review' AND object = $1", &work).await.len(), 2);
    }
}

on_both! {
    async fn a_verdict_on_an_old_version_is_refused_with_the_new_one(site: Site) {
        let (_, mut rui) = (site.person("ann", Role::Annotator).await, site.person("rui", Role::Reviewer).await);
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        let work = batch.done(&batch.item(1, TEXT).await, &site.id("ann").await, &level("bad")).await;
        let inspection = inspect(&site, &work, &site.id("rui").await, false).await;
        batch.finish(&work, &level("fine")).await;
        let stale = verdict(&mut rui, &inspection, json!({ "verdict": "approve", "version": 1 })).await;
        assert_eq!(stale.status, StatusCode::CONFLICT, "{}", stale.text);
        let detail = &stale.json()["detail"];
        assert_eq!((&detail["version"], &detail["mark"]["level"]), (&json!(2), &json!("fine")));
        assert!(column(&site, "SELECT id FROM review WHERE assignment = $1", &work).await.is_empty());
        let from_page = rui.post(&format!("/review/{inspection}"), &[("verdict", "approve"), ("version", "1")]).await;
        assert_eq!(from_page.status, StatusCode::CONFLICT);
        assert!(from_page.text.contains("role=\"alert\""), "the page says so and shows the new version");
    }
}

on_both! {
    async fn of_two_reviewers_at_once_one_decides(site: Site) {
        site.person("ann", Role::Annotator).await;
        let (mut one, mut two) = (site.person("rui", Role::Reviewer).await, site.person("roy", Role::Reviewer).await);
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        for number in 1..=8 {
            let work = batch.done(&batch.item(number, TEXT).await, &site.id("ann").await, &level("bad")).await;
            let (first, second) = (inspect(&site, &work, &site.id("rui").await, false).await, inspect(&site, &work, &site.id("roy").await, false).await);
            let approve = json!({ "verdict": "approve", "version": 1 });
            let back = json!({ "verdict": "return", "comment": "再想想", "version": 1 });
            let (a, b) = tokio::join!(verdict(&mut one, &first, approve), verdict(&mut two, &second, back));
            let mut statuses = [a.status, b.status];
            statuses.sort();
            assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT], "{} {}", a.text, b.text);
            let kept = column(&site, "SELECT verdict FROM review WHERE assignment = $1", &work).await;
            let state = if kept == ["approve"] { "approved" } else { "returned" };
            assert_eq!((kept.len(), standing(&site, &work).await.0.as_str()), (1, state));
        }
    }
}

on_both! {
    async fn a_revision_is_another_version_and_held_to_the_rules(site: Site) {
        let (_, mut rui) = (site.person("ann", Role::Annotator).await, site.person("rui", Role::Reviewer).await);
        let batch = Seed::empty(&site, "2023/roles", BatchMode::Annotate, &json!({})).await;
        let work = batch.done(&batch.item(1, TEXT).await, &site.id("ann").await, &batch.mark(TEXT, NARROW)).await;
        let inspection = inspect(&site, &work, &site.id("rui").await, false).await;
        let bad = verdict(&mut rui, &inspection, json!({ "verdict": "revise", "version": 1, "sheet": batch.filled(TEXT, "处所=在门后") })).await;
        assert_eq!(bad.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", bad.text);
        assert!(bad.json()["detail"]["findings"].as_array().is_some_and(|found| found.iter().any(|one| one["rule"] == "SR01")), "{}", bad.text);
        let none = verdict(&mut rui, &inspection, json!({ "verdict": "revise", "version": 1 })).await;
        assert_eq!(none.status, StatusCode::UNPROCESSABLE_ENTITY);
        let garbage = verdict(&mut rui, &inspection, json!({ "verdict": "revise", "version": 1, "sheet": { "records": [{ "id": 1, "type": "nothing" }] } })).await;
        assert_eq!(garbage.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", garbage.text);
        let good = verdict(&mut rui, &inspection, json!({ "verdict": "revise", "version": 1, "sheet": batch.filled(TEXT, GOOD) })).await;
        assert_eq!((good.status, good.json()["version"].clone()), (StatusCode::OK, json!(2)), "{}", good.text);
        assert_eq!(standing(&site, &work).await, ("approved".to_owned(), 2, 1));
        let sources = column(&site, "SELECT source FROM mark WHERE assignment = $1 ORDER BY version", &work).await;
        assert_eq!(sources, ["person", "revision"]);
        assert_eq!(column(&site, "SELECT author FROM mark WHERE assignment = $1 AND version = 2", &work).await, [site.id("rui").await]);
    }
}

on_both! {
    async fn a_blind_reviewer_learns_nothing_of_the_first(site: Site) {
        site.person("ann", Role::Annotator).await;
        let (mut rui, mut roy) = (site.person("rui", Role::Reviewer).await, site.person("roy", Role::Reviewer).await);
        let mut mia = site.person("mia", Role::Manager).await;
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        let work = batch.done(&batch.item(1, TEXT).await, &site.id("ann").await, &level("bad")).await;
        let first = inspect(&site, &work, &site.id("rui").await, false).await;
        let sampled = mia.json(Method::POST, &format!("/api/review/sample/{}", batch.batch), &json!({ "rate": 1.0, "reviewers": ["roy"], "blind": true, "apply": true })).await;
        assert_eq!(sampled.json()["given"], 1, "{}", sampled.text);
        let blind = column(&site, "SELECT id FROM inspection WHERE blind = 1 AND assignment = $1", &work).await.remove(0);

        let addresses = [format!("/review/{blind}"), format!("/api/review/{blind}"), "/review".to_owned(), "/api/review".to_owned()];
        let mut before = Vec::new();
        for address in &addresses {
            before.push(roy.get(address).await.text);
        }
        verdict(&mut rui, &first, json!({ "verdict": "return", "comment": "理由：XYZ", "version": 1 })).await;
        pass(1000);
        batch.finish(&work, &level("fine")).await;
        verdict(&mut rui, &first, json!({ "verdict": "approve", "version": 2 })).await;
        for (address, before) in addresses.iter().zip(&before) {
            assert_eq!(roy.get(address).await.text, *before, "{address} tells of the first review");
        }
        assert_eq!(roy.get(&format!("/review/{first}")).await.status, StatusCode::NOT_FOUND);
        assert_eq!(mia.get("/api/review/disagreements").await.json()["disagreements"], json!([]));

        let revise = verdict(&mut roy, &blind, json!({ "verdict": "revise", "version": 1, "sheet": { "choices": { "level": ["fine"] } } })).await;
        assert_eq!(revise.status, StatusCode::UNPROCESSABLE_ENTITY);
        let wrong = verdict(&mut roy, &blind, json!({ "verdict": "approve", "version": 2 })).await;
        assert_eq!(wrong.status, StatusCode::CONFLICT);
        let said = verdict(&mut roy, &blind, json!({ "verdict": "approve", "version": 1 })).await;
        assert_eq!((said.status, said.json()["state"].clone()), (StatusCode::OK, json!("done")), "{}", said.text);
        assert_eq!(verdict(&mut roy, &blind, json!({ "verdict": "approve", "version": 1 })).await.status, StatusCode::CONFLICT, "once");
        assert_eq!(standing(&site, &work).await.0, "approved", "a blind verdict changes nothing");
        let apart = mia.get("/api/review/disagreements").await.json();
        let one = &apart["disagreements"][0];
        assert_eq!((&one["first_verdict"], &one["second_verdict"], &one["version"]), (&json!("return"), &json!("approve"), &json!(1)), "{apart}");
        assert!(mia.get("/review/disagreements").await.text.contains("roy"));
        assert!(roy.get(&format!("/review/{blind}")).await.text.contains("XYZ"), "having spoken, one may see the first");
    }
}

on_both! {
    async fn nobody_reviews_their_own_work_nor_that_of_others_reviewers(site: Site) {
        let mut rui = site.person("rui", Role::Reviewer).await;
        let (mut roy, mut mia) = (site.person("roy", Role::Reviewer).await, site.person("mia", Role::Manager).await);
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        let own = batch.done(&batch.item(1, TEXT).await, &site.id("rui").await, &level("bad")).await;
        let asked = json!({ "rate": 1.0, "reviewers": ["rui"], "apply": true });
        let sampled = mia.json(Method::POST, &format!("/api/review/sample/{}", batch.batch), &asked).await.json();
        assert_eq!((&sampled["given"], &sampled["without_reviewer"]), (&json!(0), &json!(1)), "{sampled}");
        let forced = inspect(&site, &own, &site.id("rui").await, false).await;
        assert_eq!(rui.get(&format!("/review/{forced}")).await.status, StatusCode::NOT_FOUND);
        assert_eq!(verdict(&mut rui, &forced, json!({ "verdict": "approve", "version": 1 })).await.status, StatusCode::NOT_FOUND);
        assert_eq!(verdict(&mut roy, &forced, json!({ "verdict": "approve", "version": 1 })).await.status, StatusCode::NOT_FOUND, "not theirs");
        assert_eq!(verdict(&mut mia, &forced, json!({ "verdict": "approve", "version": 1 })).await.status, StatusCode::FORBIDDEN, "a manager looks on");
        assert_eq!(standing(&site, &own).await.0, "done");
    }
}

on_both! {
    async fn sampling_is_seeded_and_follows_its_rates(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        for name in ["ann", "bob"] {
            site.person(name, Role::Annotator).await;
        }
        site.person("rui", Role::Reviewer).await;
        site.person("roy", Role::Reviewer).await;
        let (ann, bob) = (site.id("ann").await, site.id("bob").await);
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        for number in 1..=20 {
            let item = batch.item(number, TEXT).await;
            batch.done(&item, &ann, &level("bad")).await;
            // They differ by three steps on items 3 and 4, by one on item 5.
            batch.done(&item, &bob, &level(match number { 3 | 4 => "fine", 5 => "someBad", _ => "bad" })).await;
        }
        let path = format!("/api/review/sample/{}", batch.batch);
        let mut preview = async |by: &str, rate: f64, seed: u64| -> Value {
            let asked = json!({ "by": by, "rate": rate, "seed": seed, "reviewers": ["rui", "roy"] });
            let answer = mia.json(Method::POST, &path, &asked).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
            answer.json()
        };
        let qids = |sampled: &Value| -> Vec<(String, String)> {
            let all = sampled["chosen"].as_array().expect("a list").iter();
            all.map(|one| (one["annotator"].as_str().expect("there").to_owned(), one["qid"].as_str().expect("there").to_owned())).collect()
        };
        let one = preview("rate", 0.15, 7).await;
        // 15 % of 20 is 3 of each of the two.
        let of = |name: &str| qids(&one).iter().filter(|(annotator, _)| annotator == name).count();
        assert_eq!((of("ann"), of("bob"), one["given"].clone()), (3, 3, json!(0)));
        assert_eq!(qids(&preview("rate", 0.15, 7).await), qids(&one), "the same seed, the same choice");
        assert_ne!(qids(&preview("rate", 0.15, 8).await), qids(&one), "another seed, another choice");
        let loads: Vec<usize> = ["rui", "roy"].map(|name| one["chosen"].as_array().expect("there").iter().filter(|one| one["reviewer"] == name).count()).into();
        assert_eq!(loads, [3, 3], "reviewers get equally many");
        // 2 of 20 items, both marks of each; then 5 of 20, of which only three differ at all.
        let mut most = qids(&preview("disagreement", 0.1, 0).await);
        most.sort();
        assert_eq!(most.iter().map(|(_, qid)| qid.as_str()).collect::<Vec<_>>(), ["q3", "q4", "q3", "q4"]);
        assert_eq!(qids(&preview("disagreement", 0.25, 0).await).len(), 6);
        // Both agree on 18 of 20 sides: 0.9 is grade A, of which 5 % are looked at, rounded up to one each.
        assert_eq!(qids(&preview("grade", 0.15, 0).await).len(), 2);

        let given = mia.json(Method::POST, &path, &json!({ "rate": 0.15, "seed": 7, "reviewers": ["rui", "roy"], "apply": true })).await.json();
        assert_eq!(given["given"], 6, "{given}");
        let rest = mia.json(Method::POST, &path, &json!({ "rate": 1.0, "seed": 7, "reviewers": ["rui"] })).await.json();
        assert_eq!(rest["of"], 34, "what was given out is not chosen again");
        let wrong = mia.json(Method::POST, &path, &json!({ "rate": 1.5, "reviewers": ["rui"] })).await;
        assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
        let annotator = mia.json(Method::POST, &path, &json!({ "rate": 0.5, "reviewers": ["ann"] })).await;
        assert_eq!(annotator.status, StatusCode::UNPROCESSABLE_ENTITY, "an annotator is no reviewer");
        let page = mia.post(&format!("/review/sample/{}", batch.batch), &[("by", "rate"), ("rate", "0.5"), ("seed", "1"), ("reviewers", "rui, roy")]).await;
        assert!(page.status == StatusCode::OK && page.text.contains("/ 34"), "{}", page.text);
    }
}

on_both! {
    async fn weaker_grades_are_looked_at_more(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        for name in ["ann", "bob", "cat"] {
            site.person(name, Role::Annotator).await;
        }
        site.person("rui", Role::Reviewer).await;
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        for number in 1..=20 {
            // Check questions: everything is abnormal; ann is always right, bob 17 of 20 times, cat 8 of 20 times.
            let item = batch.item_with(number, TEXT, r#"{"gold":{"judge":0}}"#, true).await;
            for (name, right) in [("ann", 20), ("bob", 17), ("cat", 8)] {
                let account = site.id(name).await;
                batch.done(&item, &account, &level(if number <= right { "bad" } else { "fine" })).await;
            }
        }
        let report = mia.get(&format!("/api/agree/{}?resamples=0", batch.batch)).await.json();
        let grades: Vec<(&str, f64)> = report["grades"].as_array().expect("grades").iter()
            .map(|one| (one["name"].as_str().expect("there"), one["checks"]["share"].as_f64().expect("there"))).collect();
        assert_eq!(grades, [("ann", 1.0), ("bob", 0.85), ("cat", 0.4)], "{report}");
        let asked = json!({ "by": "grade", "rate": 0.15, "reviewers": ["rui"] });
        let sampled = mia.json(Method::POST, &format!("/api/review/sample/{}", batch.batch), &asked).await.json();
        let of = |name: &str| sampled["chosen"].as_array().expect("there").iter().filter(|one| one["annotator"] == name).count();
        assert!(of("ann") <= of("bob") && of("bob") < of("cat") && of("cat") == 20, "{} {} {}", of("ann"), of("bob"), of("cat"));
    }
}

on_both! {
    async fn an_adjudicator_sees_letters_and_makes_gold(site: Site) {
        let (mut mia, mut rui) = (site.person("mia", Role::Manager).await, site.person("rui", Role::Reviewer).await);
        let mut roy = site.person("roy", Role::Reviewer).await;
        for name in ["annotator-one", "annotator-two"] {
            site.person(name, Role::Annotator).await;
        }
        let batch = Seed::empty(&site, "2023/roles", BatchMode::Annotate, &json!({})).await;
        let item = batch.item(1, TEXT).await;
        batch.done(&item, &site.id("annotator-one").await, &batch.mark(TEXT, GOOD)).await;
        batch.done(&item, &site.id("annotator-two").await, &batch.mark(TEXT, NARROW)).await;
        let triage = json!({ "keep": "agreed", "rest": "adjudicate", "apply": true });
        let plan = mia.json(Method::POST, &format!("/api/agree/{}/triage", batch.batch), &triage).await.json();
        assert_eq!((&plan["items"][0]["decision"], &plan["written"]), (&json!("adjudicate"), &json!(1)), "{plan}");
        assert_eq!(rui.get(&format!("/adjudicate/{item}")).await.status, StatusCode::NOT_FOUND, "not given to them yet");
        let out = mia.json(Method::POST, &format!("/api/adjudicate/hand-out/{}", batch.batch), &json!({ "to": ["rui"] })).await;
        assert_eq!(out.json()["given"], 1, "{}", out.text);
        assert_eq!(rui.get("/api/adjudicate").await.json()["items"][0]["mine"], true);
        assert_eq!(roy.get(&format!("/api/adjudicate/{item}")).await.status, StatusCode::NOT_FOUND);

        let page = rui.get(&format!("/adjudicate/{item}")).await;
        assert!(page.status == StatusCode::OK && !page.text.contains("annotator-"), "{}", page.text);
        assert!(page.text.contains("differs\""), "differences stand out");
        assert!(mia.get(&format!("/adjudicate/{item}")).await.text.contains("annotator-one"), "a manager sees names");
        let case = rui.get(&format!("/api/adjudicate/{item}")).await.json();
        assert_eq!((&case["marks"][0]["annotator"], &case["marks"][1]["annotator"]), (&json!("A"), &json!("B")));
        let near = case["near"][0]["near"].as_f64().expect("a number");
        assert!(near > 0.5 && near < 1.0, "they are near and not the same: {near}");
        let marks: Vec<Value> = case["marks"].as_array().expect("there").iter().map(|mark| mark["id"].clone()).collect();
        let decide = |body: Value| { let mut body = body; body["marks"] = json!(marks); body["gold"] = case["gold"].clone(); body };
        let address = format!("/api/adjudicate/{item}");
        let both = rui.json(Method::POST, &address, &decide(json!({ "take": marks[0], "discard": true }))).await;
        assert_eq!(both.status, StatusCode::UNPROCESSABLE_ENTITY);
        let bad = rui.json(Method::POST, &address, &decide(json!({ "mark": batch.mark(TEXT, "处所=在门后") }))).await;
        assert_eq!(bad.status, StatusCode::UNPROCESSABLE_ENTITY, "a merged mark is held to the rules: {}", bad.text);
        let merged = rui.json(Method::POST, &address, &decide(json!({ "mark": batch.mark(TEXT, GOOD), "comment": "含介词" }))).await;
        assert_eq!(merged.status, StatusCode::OK, "{}", merged.text);
        let late = mia.json(Method::POST, &address, &decide(json!({ "take": marks[1] }))).await;
        assert_eq!(late.status, StatusCode::CONFLICT, "decided on what is no longer the last: {}", late.text);
        let paths = column(&site, "SELECT path FROM gold WHERE item = $1 ORDER BY version", &item).await;
        assert_eq!(paths, ["split", "adjudicated"], "nothing is overwritten");
        let from: Value = serde_json::from_str(&column(&site, "SELECT from_marks FROM gold WHERE item = $1 ORDER BY version DESC", &item).await[0]).expect("there");
        assert_eq!((from["marks"].as_array().map(Vec::len), from["people"].as_array().map(Vec::len)), (Some(2), Some(2)), "{from}");
        let state = column(&site, "SELECT state FROM assignment WHERE item = $1 AND part = 'adjudicate'", &item).await;
        assert_eq!(state, ["done"]);
        let again = mia.json(Method::POST, &format!("/api/agree/{}/triage", batch.batch), &triage).await.json();
        assert_eq!(again["written"], 0, "what people decided stays: {again}");
        assert_eq!(mia.get(&format!("/adjudicate?batch={}", batch.batch)).await.status, StatusCode::OK);
    }
}

on_both! {
    async fn who_marked_an_item_does_not_decide_on_it(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        let item = batch.item(1, TEXT).await;
        batch.done(&item, &site.id("mia").await, &level("bad")).await;
        assert_eq!(mia.get(&format!("/adjudicate/{item}")).await.status, StatusCode::FORBIDDEN);
        let waiting = batch.item(2, TEXT).await;
        batch.assign(&waiting, &site.id("mia").await).await;
        assert_eq!(mia.get(&format!("/adjudicate/{waiting}")).await.status, StatusCode::FORBIDDEN, "nor who is to mark it");
    }
}

on_both! {
    async fn of_two_adjudicators_at_once_one_decides(site: Site) {
        let (mut mia, mut max) = (site.person("mia", Role::Manager).await, site.person("max", Role::Manager).await);
        site.person("ann", Role::Annotator).await;
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        for number in 1..=8 {
            let item = batch.item(number, TEXT).await;
            batch.done(&item, &site.id("ann").await, &level("bad")).await;
            let address = format!("/api/adjudicate/{item}");
            let case = mia.get(&address).await.json();
            let mark = &case["marks"][0]["id"];
            let take = json!({ "take": mark, "marks": [mark], "gold": 0 });
            let drop = json!({ "discard": true, "marks": [mark], "gold": 0 });
            let (a, b) = tokio::join!(mia.json(Method::POST, &address, &take), max.json(Method::POST, &address, &drop));
            let mut statuses = [a.status, b.status];
            statuses.sort();
            assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT], "{} {}", a.text, b.text);
            assert_eq!(column(&site, "SELECT id FROM gold WHERE item = $1", &item).await.len(), 1);
        }
    }
}

on_both! {
    async fn a_reviewer_revises_in_the_editor(site: Site) {
        let (mut ann, mut rui) = (site.person("ann", Role::Annotator).await, site.person("rui", Role::Reviewer).await);
        let mut roy = site.person("roy", Role::Reviewer).await;
        let batch = Seed::empty(&site, "2023/roles", BatchMode::Annotate, &json!({})).await;
        let work = batch.done(&batch.item(1, TEXT).await, &site.id("ann").await, &batch.mark(TEXT, NARROW)).await;
        let inspection = inspect(&site, &work, &site.id("rui").await, false).await;
        let blind = inspect(&site, &work, &site.id("roy").await, true).await;
        let page = rui.get(&format!("/work/{work}?inspection={inspection}")).await;
        assert!(page.status == StatusCode::OK && page.text.contains(&format!("data-inspection=\"{inspection}\"")), "{}", page.text);
        let opened = rui.get(&format!("/api/work/{work}?inspection={inspection}")).await.json();
        assert_eq!((&opened["revision"]["annotator"], &opened["version"]), (&json!("ann"), &json!(1)), "{opened}");
        assert_eq!(opened["sheet"]["records"][0]["fields"]["处所"], json!([{ "idxes": [4, 5] }]), "门后");
        assert_eq!(rui.get(&format!("/api/work/{work}")).await.status, StatusCode::NOT_FOUND, "not their own");
        let address = format!("/api/work/{work}?inspection={inspection}");
        assert_eq!(roy.get(&address).await.status, StatusCode::NOT_FOUND, "another reviewer's");
        assert_eq!(ann.get(&address).await.status, StatusCode::NOT_FOUND, "no reviewer");
        let second = roy.get(&format!("/api/work/{work}?inspection={blind}")).await;
        assert_eq!(second.status, StatusCode::NOT_FOUND, "a blind review revises nothing");
        let mut sheet = opened["sheet"].clone();
        sheet["records"][0]["fields"]["空间实体"] = json!([]);
        let check = rui.json(Method::POST, &format!("/api/work/{work}/check?inspection={inspection}"), &json!({ "sheet": sheet })).await;
        assert!(check.json()["findings"].as_array().is_some_and(|found| found.iter().any(|one| one["rule"] == "SR01")), "{}", check.text);
        let draft = rui.json(Method::PUT, &format!("/api/work/{work}?inspection={inspection}"), &json!({ "base": 1, "sheet": sheet, "client": "a" })).await;
        assert_eq!(draft.status, StatusCode::NOT_FOUND, "drafts of a revision stay with the reviewer");
        sheet["records"][0]["fields"]["空间实体"] = json!([{ "idxes": [0, 1] }]);
        sheet["records"][0]["fields"]["处所"] = json!([{ "idxes": [3, 4, 5] }]);
        let said = verdict(&mut rui, &inspection, json!({ "verdict": "revise", "version": 1, "sheet": sheet })).await;
        assert_eq!((said.status, &said.json()["state"]), (StatusCode::OK, &json!("approved")), "{}", said.text);
        let own = ann.get(&format!("/api/work/{work}")).await.json();
        assert_eq!((&own["source"], &own["sheet"]), (&json!("revision"), &sheet), "the annotator sees the reviewer's sheet, record by record");
        assert_eq!(rui.get(&format!("/work/{work}?inspection={inspection}")).await.status, StatusCode::NOT_FOUND, "it is settled");
    }
}

on_both! {
    async fn nothing_is_returned_where_nobody_can_do_it_again(site: Site) {
        site.person("ann", Role::Annotator).await;
        let (mut mia, mut rui, mut roy) = (site.person("mia", Role::Manager).await, site.person("rui", Role::Reviewer).await, site.person("roy", Role::Reviewer).await);
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        let (ann, reviewer) = (site.id("ann").await, site.id("rui").await);
        let (one, two) = (batch.done(&batch.item(1, TEXT).await, &ann, &level("bad")).await, batch.done(&batch.item(2, TEXT).await, &ann, &level("bad")).await);
        let (first, second) = (inspect(&site, &one, &reviewer, false).await, inspect(&site, &two, &reviewer, false).await);
        let blind = inspect(&site, &one, &site.id("roy").await, true).await;
        let set = async |mia: &mut Browser, state: &str| mia.json(Method::POST, &format!("/api/batches/{}/state", batch.batch), &json!({ "state": state })).await.status;
        assert_eq!(set(&mut mia, "closed").await, StatusCode::OK);
        let back = json!({ "verdict": "return", "comment": "再想想", "version": 1 });
        let refused = verdict(&mut rui, &first, back.clone()).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text);
        assert!(refused.text.contains("打开批次"), "it says what to do: {}", refused.text);
        assert_eq!(standing(&site, &one).await, ("done".to_owned(), 1, 1));
        assert!(!rui.get(&format!("/review/{first}")).await.text.contains("value=\"return\""), "the page offers no return");
        assert_eq!(verdict(&mut roy, &blind, back.clone()).await.status, StatusCode::OK, "a blind verdict changes nothing for the annotator");
        assert_eq!(verdict(&mut rui, &second, json!({ "verdict": "approve", "version": 1 })).await.status, StatusCode::OK, "approving needs nobody");
        assert_eq!(set(&mut mia, "open").await, StatusCode::OK);
        assert_eq!(verdict(&mut rui, &first, back).await.status, StatusCode::OK);
    }
}

on_both! {
    async fn nobody_sees_what_others_said_of_an_item_that_they_mark(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        site.person("ann", Role::Annotator).await;
        for name in ["rui", "roy"] {
            site.person(name, Role::Reviewer).await;
        }
        let (ann, rui, roy) = (site.id("ann").await, site.id("rui").await, site.id("roy").await);
        let batch = Seed::empty(&site, "2022/judge", BatchMode::Annotate, &json!({})).await;
        // Rui is to mark the first item, and has marked the second; the third is not theirs.
        let items = [batch.item(1, TEXT).await, batch.item(2, TEXT).await, batch.item(3, TEXT).await];
        for item in &items {
            batch.done(item, &ann, &level("bad")).await;
        }
        batch.assign(&items[0], &rui).await;
        batch.done(&items[1], &rui, &level("fine")).await;
        let sample = |reviewers: Value, apply: bool| json!({ "rate": 1.0, "seed": 1, "reviewers": reviewers, "apply": apply });
        let path = format!("/api/review/sample/{}", batch.batch);
        let sampled = mia.json(Method::POST, &path, &sample(json!(["rui"]), false)).await.json();
        let of = |sampled: &Value| -> Vec<String> { sampled["chosen"].as_array().expect("there").iter().map(|one| format!("{} {}", one["qid"].as_str().expect("there"), one["annotator"].as_str().expect("there"))).collect() };
        assert_eq!((of(&sampled), &sampled["without_reviewer"]), (vec!["q3 ann".to_owned()], &json!(3)), "{sampled}");
        let both = mia.json(Method::POST, &path, &sample(json!(["rui", "roy"]), true)).await.json();
        assert_eq!((&both["without_reviewer"], &both["given"]), (&json!(0), &json!(4)), "{both}");

        // And the other way round: who was given work on an item to review is not given the item to mark.
        let reviewed = column(&site, "SELECT assignment.item FROM inspection JOIN assignment ON assignment.id = inspection.assignment WHERE inspection.reviewer = $1", &roy).await;
        let plan = mia.json(Method::POST, &format!("/api/batches/{}/plan", batch.batch), &json!({ "people": ["roy"], "load": 9 })).await.json();
        let given: Vec<&str> = plan["given"].as_array().expect("there").iter().map(|one| one["item"].as_str().expect("there")).collect();
        assert!(!reviewed.is_empty() && given.iter().all(|item| !reviewed.iter().any(|known| known == item)), "{reviewed:?} {plan}");
    }
}

on_both! {
    async fn an_adjudicator_goes_on_in_the_editor_and_takes_their_own_mark(site: Site) {
        let (mut mia, mut rui) = (site.person("mia", Role::Manager).await, site.person("rui", Role::Reviewer).await);
        for name in ["ann", "bob"] {
            site.person(name, Role::Annotator).await;
        }
        let batch = Seed::empty(&site, "2023/roles", BatchMode::Annotate, &json!({})).await;
        let item = batch.item(1, TEXT).await;
        batch.done(&item, &site.id("ann").await, &batch.mark(TEXT, NARROW)).await;
        batch.done(&item, &site.id("bob").await, &batch.mark(TEXT, "空间实体=雨伞 处所=门后")).await;
        let triage = json!({ "keep": "agreed", "rest": "adjudicate", "apply": true });
        mia.json(Method::POST, &format!("/api/agree/{}/triage", batch.batch), &triage).await;
        mia.json(Method::POST, &format!("/api/adjudicate/hand-out/{}", batch.batch), &json!({ "to": ["rui"] })).await;
        mia.json(Method::POST, &format!("/api/batches/{}/state", batch.batch), &json!({ "state": "closed" })).await;
        let address = format!("/api/adjudicate/{item}");
        let case = rui.get(&address).await.json();
        let marks: Vec<Value> = case["marks"].as_array().expect("there").iter().map(|mark| mark["id"].clone()).collect();
        let page = rui.get(&format!("/adjudicate/{item}")).await.text;
        assert!(page.contains("<details><summary>") && page.matches("name=\"edit\"").count() == 3, "a way into the editor from each side and the merge: {page}");

        let on = rui.post(&format!("/adjudicate/{item}/edit"), &[("edit", marks[0].as_str().expect("an id")), ("mark", ""), ("gold", "1")]).await;
        assert_eq!(on.status, StatusCode::SEE_OTHER, "{}", on.text);
        let work = on.location().strip_prefix("/work/").expect("the editor").to_owned();
        let opened = rui.get(&format!("/api/work/{work}")).await.json();
        assert_eq!((&opened["part"], &opened["version"], &opened["item"]["id"]), (&json!("adjudicate"), &json!(1), &json!(item)));
        assert!(opened["sheet"]["records"][0]["fields"]["处所"].is_array(), "with the mark that one began from: {opened}");
        assert_eq!(mia.get(&format!("/api/work/{work}")).await.status, StatusCode::NOT_FOUND, "each at their own desk");

        let sheet = batch.filled(TEXT, GOOD);
        let done = rui.json(Method::POST, &format!("/api/work/{work}/finish"), &json!({ "base": 1, "sheet": sheet, "client": "a" })).await;
        assert_eq!(done.status, StatusCode::OK, "the batch is closed, and adjudicators work on: {}", done.text);
        assert_eq!(rui.get("/api/adjudicate").await.json()["items"][0]["done"], false, "finished in the editor is not decided");
        let case = rui.get(&address).await.json();
        let own = &case["marks"][2];
        assert_eq!((&own["own"], &case["marks"][0]["own"]), (&json!(true), &json!(false)), "{case}");
        let taken = rui.json(Method::POST, &address, &json!({ "take": own["id"], "marks": marks, "gold": case["gold"] })).await;
        assert_eq!(taken.status, StatusCode::OK, "{}", taken.text);
        assert_eq!(rui.get("/api/adjudicate").await.json()["items"][0]["done"], true);
        let gold = column(&site, "SELECT content FROM gold WHERE item = $1 ORDER BY version DESC", &item).await;
        assert!(gold[0].contains("在门后"), "what was changed in the editor is gold: {}", gold[0]);

        // A manager whom nobody gave the item has a desk of their own, and can begin from a merged mark.
        let merged = mia.json(Method::POST, &format!("{address}/edit"), &json!({ "mark": batch.mark(TEXT, GOOD) })).await;
        assert_eq!((merged.status, &merged.json()["version"]), (StatusCode::OK, &json!(1)), "{}", merged.text);
        assert_ne!(merged.json()["assignment"], json!(work));
        let neither = mia.json(Method::POST, &format!("{address}/edit"), &json!({})).await;
        assert_eq!(neither.status, StatusCode::UNPROCESSABLE_ENTITY);
        let garbage = mia.post(&format!("/adjudicate/{item}/edit"), &[("edit", "merge"), ("mark", "{")]).await;
        assert_eq!(garbage.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", garbage.text);
    }
}
