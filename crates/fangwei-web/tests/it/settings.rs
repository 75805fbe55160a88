//! What a batch may be, what its makers set, what waits in it.

use axum::http::{Method, StatusCode};
use fangwei::annotate::form::BatchMode;
use fangwei_web::policy::Role;
use serde_json::json;

use crate::seed::{Seed, column};
use crate::site::{on_both, pass};

const POST: Method = Method::POST;

on_both! {
    async fn a_mode_that_a_task_does_not_have_is_refused_with_those_that_it_has(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        for task in fangwei::tasks::all() {
            for mode in BatchMode::ALL {
                let name = format!("{} {mode}", task.id());
                let made = mia.json(POST, "/api/batches", &json!({ "name": name, "task": task.id(), "mode": mode })).await;
                let expected = if mode.suits(task) { StatusCode::CREATED } else { StatusCode::UNPROCESSABLE_ENTITY };
                assert_eq!(made.status, expected, "{name}: {}", made.text);
                pass(1000);
            }
        }
        let refused = mia.json(POST, "/api/batches", &json!({ "name": "x", "task": "2022/judge", "mode": "grade" })).await.text;
        assert!(refused.contains("annotate") && refused.contains("human") && !refused.contains("author"), "{refused}");
    }
}

on_both! {
    async fn programs_change_settings(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        let made = mia.json(POST, "/api/batches", &json!({ "name": "b", "task": "2022/judge", "mode": "annotate" })).await;
        let path = format!("/api/batches/{}/settings", made.json()["id"].as_str().expect("an id"));
        let seed = "SELECT settings FROM batch WHERE name = $1";
        let before: serde_json::Value = serde_json::from_str(&column(&site, seed, "b").await[0]).expect("JSON");
        let given = json!({ "predictor": "rule", "instructions": "先读全文", "time_limit_s": 90, "blind_seed": 5 });
        let set = mia.json(Method::PUT, &path, &given).await;
        assert_eq!((set.status, &set.json()["time_limit_s"]), (StatusCode::OK, &json!(90)), "{}", set.text);
        let told = mia.get(&path).await.json();
        assert_eq!((&told["instructions"], &told["hints"], &told["blind_seed"]), (&json!("先读全文"), &json!(true), &json!(0)));
        let after: serde_json::Value = serde_json::from_str(&column(&site, seed, "b").await[0]).expect("JSON");
        assert_eq!(after["blind_seed"], before["blind_seed"], "names stay what they are");
        let wrong = mia.json(Method::PUT, &path, &json!({ "check_share": 2.0 })).await;
        assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
        let mut ann = site.person("ann", Role::Annotator).await;
        assert_eq!(ann.json(Method::PUT, &path, &json!({})).await.status, StatusCode::FORBIDDEN);
    }
}

on_both! {
    async fn open_questions_are_counted_in_one_way(site: Site) {
        let (mut mia, mut ann) = (site.person("mia", Role::Manager).await, site.person("ann", Role::Annotator).await);
        let batch = Seed::new(&site, "2022/judge", BatchMode::Annotate, 3, &json!({})).await;
        let given = batch.give("ann").await;
        let ask = async |ann: &mut crate::site::Browser, work: &str, what: &str, body: serde_json::Value| {
            pass(1000);
            let answer = ann.json(POST, &format!("/api/work/{work}/{what}"), &body).await;
            assert!(answer.status.is_success(), "{}", answer.text);
        };
        ask(&mut ann, &given[0], "ask", json!({ "text": "第一问" })).await;
        ask(&mut ann, &given[0], "ask", json!({ "text": "第二问" })).await;
        ask(&mut ann, &given[1], "report", json!({ "text": "错字" })).await;
        ask(&mut ann, &given[2], "skip", json!({ "reason": "读不懂" })).await;
        let threads = format!("/api/batches/{}/threads", batch.batch);
        // Of two questions about one item the first is answered: the second, the report and the skipped item wait.
        let all = mia.get(&threads).await.json();
        let first = all["threads"].as_array().expect("there").iter().find(|one| one["messages"][0]["text"] == "第一问").expect("asked");
        pass(1000);
        mia.json(POST, &threads, &json!({ "to": first["messages"][0]["id"], "text": "是" })).await;
        let listed = mia.get(&threads).await.json()["threads"].as_array().expect("there").iter().filter(|one| one["state"] == "open").count();
        let told = mia.get(&format!("/api/batches/{}", batch.batch)).await.json()["open_threads"].clone();
        let home = mia.get("/").await.between(&format!("/batches/{}/threads\">", batch.batch), "<");
        assert_eq!((listed, told, home.as_str()), (3, json!(3), "3"));
    }
}

on_both! {
    async fn sources_of_suggestions_are_chosen_from_what_there_is(site: Site) {
        let mut mia = site.person("mia", Role::Manager).await;
        let batch = Seed::new(&site, "2022/judge", BatchMode::Annotate, 1, &json!({ "predictor": "gone" })).await;
        let models = site.app.settings.models.clone();
        let has_models = models.is_absolute();
        if has_models {
            std::fs::create_dir_all(models.join("encoder-1")).expect("a folder");
            std::fs::create_dir_all(models.join(".hidden")).expect("a folder");
        }
        let page = mia.get(&format!("/batches/{}", batch.batch)).await.text;
        assert!(page.contains("<option>rule</option>") && page.contains("<option selected>gone</option>"), "{page}");
        assert!(!page.contains(".hidden") && page.contains("<option>encoder-1</option>") == has_models, "{page}");
        assert!(!page.contains("<input name=\"predictor\""), "nothing to mistype");
    }
}
