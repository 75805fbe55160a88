//! `fangwei competition`: folders of templates, every defect of a broken one, a bundle of Codabench as a zip file with zip files in it, and the way to the platform.

use std::io::{Cursor, Write};

use crate::{Scratch, fangwei, json};

#[test]
fn the_templates_are_made_and_sound() {
    let scratch = Scratch::new("competition-init");
    for year in ["2021", "2022", "2023"] {
        let folder = scratch.path(year);
        let made = fangwei(&["competition", "init", &folder, "--template", year, "--start", "2026-03-01T08:00:00+08:00"]);
        assert_eq!(made.code, 0, "{}", made.err);
        let checked = fangwei(&["competition", "check", &folder]);
        assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{year}");
        assert!(
            checked.out.contains("2026-03-08T00:00:00+08:00") && checked.out.contains(&format!("space{year}")),
            "{}",
            checked.out
        );
        let again = fangwei(&["competition", "init", &folder]);
        assert_eq!(again.code, 2, "what is there is not written over");
    }
    let unknown = fangwei(&["competition", "init", &scratch.path("x"), "--template", "2020"]);
    assert!(unknown.code == 2 && unknown.err.contains("2021 2022 2023"), "{}", unknown.err);
    let no_offset = fangwei(&["competition", "init", &scratch.path("x"), "--start", "2026-03-01"]);
    assert!(no_offset.code == 2 && no_offset.err.contains("offset"), "{}", no_offset.err);
}

#[test]
fn every_defect_is_listed() {
    let scratch = Scratch::new("competition-check");
    let folder = scratch.path("contest");
    assert_eq!(fangwei(&["competition", "init", &folder, "--template", "2023"]).code, 0);
    let file = format!("{folder}/competition.toml");
    let text = std::fs::read_to_string(&file)
        .expect("a file")
        .replace("submission_rule = \"last\"", "submission_rule = \"newest\"")
        .replace("phase = \"prompts\"", "phase = \"promts\"");
    std::fs::write(&file, text).expect("written");
    std::fs::remove_file(format!("{folder}/home.en.md")).expect("removed");
    let checked = fangwei(&["competition", "check", &folder]);
    assert_eq!(checked.code, 1);
    for expected in [
        "/phases/0/submission_rule",
        "/phases/2/submission_rule",
        "/prompts/phase",
        "did you mean prompts?",
        "expected last best chosen",
    ] {
        assert!(checked.err.contains(expected), "{expected} is not in {}", checked.err);
    }
    let defects = json(&["competition", "check", &folder, "--json"]);
    assert!(defects["ok"] == false && defects["defects"][0]["line"].as_u64() > Some(1), "{defects}");
    let nowhere = fangwei(&["competition", "check", &scratch.path("nowhere")]);
    assert!(nowhere.code == 1 && nowhere.err.contains("competition init"), "{}", nowhere.err);
}

/// An archive of some files.
fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("an entry");
        archive.write_all(bytes).expect("written");
    }
    archive.finish().expect("an archive").into_inner()
}

#[test]
fn a_bundle_of_codabench_becomes_a_folder() {
    let scratch = Scratch::new("competition-import");
    let yaml = "version: 2\ntitle: Small Cup\nterms: terms.md\npages:\n  - {title: Overview, file: overview.md}\ntasks:\n  - {index: 0, name: judge, reference_data: reference.zip, scoring_program: scoring.zip}\nphases:\n  - {index: 0, name: Dev, start: 2026-03-01, end: 2026-04-01, tasks: [0], max_submissions_per_day: 3}\nleaderboards:\n  - {title: Results, key: main, submission_rule: Force_Last, columns: [{title: Acc, key: acc, index: 0}]}\n";
    let gold = std::fs::read(crate::root().join("data/sample/2022/judge/gold.jsonl")).expect("the sample");
    let reference = zipped(&[("truth.jsonl", &gold)]);
    let scoring = zipped(&[("score.py", b"print(1)\n"), ("../outside.py", b"x")]);
    let bundle = zipped(&[
        ("competition.yaml", yaml.as_bytes()),
        ("terms.md", b"# Terms\n"),
        ("overview.md", b"# Overview\n"),
        ("reference.zip", &reference),
        ("scoring.zip", &scoring),
    ]);
    let (bundle, folder) = (scratch.file("bundle.zip", bundle), scratch.path("contest"));
    let made = fangwei(&["competition", "import", &bundle, &folder]);
    assert_eq!((made.code, made.err.as_str()), (0, ""), "{}", made.out);
    for expected in ["/tasks/0/scoring_program", "/leaderboards/0/columns/0", "the items are the gold without its answers"] {
        assert!(made.out.contains(expected), "{expected} is not in {}", made.out);
    }
    let checked = fangwei(&["competition", "check", &folder]);
    assert!(
        checked.code == 0 && checked.out.contains("2026-03-01T00:00:00+00:00") && checked.out.contains("2022/judge"),
        "{}{}",
        checked.out,
        checked.err
    );
    let items = std::fs::read_to_string(format!("{folder}/items/task-0.jsonl")).expect("items");
    assert!(!items.contains("\"judge\""), "{items}");
    let junk = fangwei(&["competition", "import", &scratch.file("junk.zip", b"PK no"), &scratch.path("junk")]);
    assert!(junk.code == 1 && junk.err.contains("not a zip file"), "{}", junk.err);
}

#[cfg(feature = "web")]
#[test]
fn the_way_to_the_platform_and_what_is_done_there() {
    let scratch = Scratch::new("competition-site");
    let (folder, site) = (scratch.path("contest"), scratch.path("site"));
    assert_eq!(fangwei(&["competition", "init", &folder, "--template", "2022", "--start", "2026-03-01T00:00:00+08:00"]).code, 0);
    let said = |args: &[&str]| {
        let run = fangwei(args);
        assert_eq!(run.code, 0, "{args:?}: {}", run.err);
        run.out
    };
    assert!(said(&["competition", "open", &folder, &site, "--draft"]).contains("version 1"));
    assert_eq!(json(&["competition", "list", &site, "--json"])[0]["state"], "draft");
    said(&["competition", "open", &folder, &site]);
    let moved =
        said(&["competition", "move", "space2022", "dev", "end", "2026-05-10T00:00:00+08:00", &site, "--reason", "power cut"]);
    assert!(moved.contains("2026-05-07T00:00:00+08:00 to 2026-05-10T00:00:00+08:00"), "{moved}");
    assert!(said(&["competition", "release", "space2022", "judge-dev", &site]).contains("can be downloaded"));
    assert!(said(&["competition", "release", "space2022", "judge-dev", &site, "--back"]).contains("no longer"));
    said(&["competition", "release", "space2022", "test", &site, "--results"]);
    said(&["competition", "freeze", "space2022", "dev", &site]);
    said(&["competition", "freeze", "space2022", "dev", &site, "--thaw"]);
    said(&["competition", "grant", "space2022", "dev", &site, "--reset", "--reason", "data"]);
    said(&["competition", "news", "space2022", "答疑", &site, "--text", "周三"]);
    let out = scratch.path("out");
    assert!(said(&["competition", "export", "space2022", &site, "--out", &out]).contains("index.html"));
    for file in ["index.html", "en/boards/dev.html", "boards/dev.csv", "static/fangwei.css"] {
        assert!(std::path::Path::new(&out).join(file).is_file(), "{file}");
    }
    for (args, why) in [
        (vec!["competition", "export", "space2022", &site, "--out", &out], "something in it"),
        (vec!["competition", "release", "space2022", "judge-dve", &site], "did you mean judge-dev?"),
        (vec!["competition", "move", "space2022", "dev", "end", "2020-01-01T00:00:00Z", &site], "end after its start"),
        (vec!["competition", "close", "space2020", &site], "competition list"),
        (vec!["competition", "grant", "space2022", "dev", &site, "--team", "甲", "--extra", "2"], "no such team"),
    ] {
        let run = fangwei(&args);
        assert!(run.code == 1 && run.err.contains(why), "{args:?}: {}", run.err);
    }
    std::fs::write(format!("{folder}/home.zh.md"), "# 改过\n").expect("written");
    assert!(said(&["competition", "open", &folder, &site, "--reason", "words"]).contains("version 2  1 files differ"));
    std::fs::write(format!("{folder}/competition.toml"), "id = 1\n").expect("written");
    let broken = fangwei(&["competition", "open", &folder, &site]);
    assert!(broken.code == 1 && broken.err.contains("/phases"), "{}", broken.err);
    said(&["competition", "close", "space2022", &site]);
    let listed = json(&["competition", "list", &site, "--json"]);
    assert_eq!((&listed[0]["state"], &listed[0]["version"]), (&serde_json::json!("closed"), &serde_json::json!(2)));
}
