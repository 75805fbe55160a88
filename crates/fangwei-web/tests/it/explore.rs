//! Passages are explored by whoever comes, drawn without harm, and bounded.

use axum::http::{Method, StatusCode};
use fangwei_web::policy::Role;
use serde_json::json;

use crate::site::on_both;

on_both! {
    async fn a_stranger_sees_what_is_wrong(site: Site) {
        let mut nobody = site.browser();
        let form = nobody.get("/explore").await;
        assert_eq!(form.status, StatusCode::OK);
        assert!(form.text.contains("<textarea") && form.text.contains("/explore?text=%E4%BB%96") && !form.text.contains("class=\"explored"), "{}", form.text);
        let shown = nobody.post("/explore", &[("text", "他跳进山洞外。"), ("rivals", "all")]).await;
        assert_eq!(shown.status, StatusCode::OK, "{}", shown.text);
        for said in ["class=\"explored abnormal\"", "<svg class=\"scene\"", "lane-0 colour-5", "他跳进山洞里。", "这里还能用什么词"] {
            assert!(shown.text.contains(said), "{said} is missing: {}", shown.text);
        }
        let linked = nobody.get("/explore?text=%E4%BB%96%E5%9D%90%E5%9C%A8%E6%A1%8C%E5%AD%90%E6%97%81%E3%80%82").await;
        assert!(linked.text.contains("class=\"explored normal\""), "{}", linked.text);
        let style = nobody.get("/explore/style.css").await;
        assert!(style.headers["content-type"].to_str().is_ok_and(|kind| kind.starts_with("text/css")) && style.text.contains(".explored"));
        let home = site.person("ann", Role::Annotator).await.get("/").await;
        assert!(home.text.contains("href=\"/explore\""), "{}", home.text);
    }
}

on_both! {
    async fn what_strangers_write_is_shown_not_run(site: Site) {
        let mut ann = site.person("ann", Role::Annotator).await;
        let shown = ann.post("/explore", &[("text", "<script>alert(1)</script>他在<b onclick=x>桌子上</b>\r\n坐着。")]).await;
        assert_eq!(shown.status, StatusCode::OK, "{}", shown.text);
        assert!(!shown.text.contains("<script>") && !shown.text.contains("<b onclick") && !shown.text.contains("style=\""), "{}", shown.text);
        assert!(shown.text.contains("&#60;script&#62;") || shown.text.contains("&lt;script&gt;"), "{}", shown.text);
    }
}

on_both! {
    async fn programs_get_json_and_bounds_are_told(site: Site) {
        let mut nobody = site.browser();
        let told = nobody.json(Method::POST, "/api/explore", &json!({ "text": "他跳进山洞外。" })).await;
        assert_eq!(told.status, StatusCode::OK, "{}", told.text);
        let told = told.json();
        assert_eq!((&told["anomalies"][0]["idxes"], &told["anomalies"][0]["choices"][0]["rivals"][0]["word"]), (&json!([5]), &json!("里")));
        let long = "他".repeat(2_001);
        let refused = nobody.json(Method::POST, "/api/explore", &json!({ "text": long })).await;
        assert_eq!((refused.status, &refused.json()["error"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("invalid")), "{}", refused.text);
        let page = nobody.post("/explore", &[("text", &long)]).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(page.text.contains("至多 2000 字，实有 2001 字") && page.text.contains("<textarea"), "{}", page.text);
        let blank = nobody.post("/explore", &[("text", " \n ")]).await;
        assert_eq!(blank.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

on_both! {
    async fn who_asks_too_often_waits(site: Site) {
        let mut nobody = site.browser();
        let mut refused = 0;
        for _ in 0..32 {
            let answer = nobody.json(Method::POST, "/api/explore", &json!({ "text": "他坐着。" })).await;
            refused += usize::from(answer.status == StatusCode::TOO_MANY_REQUESTS);
        }
        assert_eq!(refused, 2, "thirty at once, no more");
        let mut ann = site.person("ann", Role::Annotator).await;
        assert_eq!(ann.json(Method::POST, "/api/explore", &json!({ "text": "他坐着。" })).await.status, StatusCode::OK, "others are not held up");
    }
}
