//! Backups are made while people work, and fill either database; what is broken restores nothing.

use fangwei_web::archive::{ArchiveError, backup, restore};
use fangwei_web::policy::Role;

use crate::site::{PASSWORD, Site, on_both};

async fn made(site: &Site) -> Vec<u8> {
    let mut file = Vec::new();
    let summary = backup(&site.app.database, 5, &mut file, |_| ()).await.expect("a backup");
    assert_eq!(summary.rows["account"], 2);
    file
}

on_both! {
    async fn a_backup_fills_a_new_database(site: Site) {
        site.person("ann", Role::Annotator).await;
        site.person("管理员", Role::Admin).await;
        let file = made(&site).await;
        let mut targets = vec![Site::sqlite().await];
        targets.extend(Site::postgres().await);
        for target in targets {
            let summary = restore(&target.app.database, file.as_slice(), |_| ()).await.expect("is restored");
            assert_eq!(summary.made_at, 5);
            let entered = target.browser().post("/login", &[("name", "ann"), ("password", PASSWORD)]).await;
            assert_eq!(entered.location(), "/", "passwords hold");
            let again = restore(&target.app.database, file.as_slice(), |_| ()).await;
            assert!(matches!(again, Err(ArchiveError::NotEmpty { .. })), "{again:?}");
        }
    }
}

on_both! {
    async fn what_is_broken_restores_nothing(site: Site) {
        site.person("ann", Role::Annotator).await;
        site.person("root", Role::Admin).await;
        let file = made(&site).await;
        let plain = {
            use std::io::Read;
            let mut text = String::new();
            flate2::read::GzDecoder::new(file.as_slice()).read_to_string(&mut text).expect("text");
            text
        };
        let pack = |text: &str| {
            use std::io::Write;
            let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            out.write_all(text.as_bytes()).expect("memory");
            out.finish().expect("memory")
        };
        let without_tail = &plain[..=plain.trim_end().rfind('\n').expect("lines")];
        let cases = [
            file[..file.len() / 2].to_vec(),
            b"no gzip at all".to_vec(),
            pack(without_tail),
            pack(&plain.replace("\"ann\"", "\"eve\"")),
            pack(&plain.replace("[\"account\"", "[\"nothing\"")),
            pack("{\"fangwei_backup\":1,\"migration\":99,\"made_at\":1}\n"),
            Vec::new(),
        ];
        let target = Site::sqlite().await;
        for (number, case) in cases.iter().enumerate() {
            let refused = restore(&target.app.database, case.as_slice(), |_| ()).await;
            assert!(refused.is_err(), "case {number} was restored");
            let accounts: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM account").fetch_one(target.app.database.read()).await.expect("a count");
            assert_eq!(accounts, 0, "case {number} left something");
        }
        restore(&target.app.database, file.as_slice(), |_| ()).await.expect("the sound one is restored");
    }
}
