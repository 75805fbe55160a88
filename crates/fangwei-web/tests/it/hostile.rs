//! Two hundred malformed and adversarial files, and as many that chance made of good ones: each is refused with a reason or taken, none brings the server down.

use std::time::Instant;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::site::{on_both, pass};
use crate::submit::{check, gzip, sample, send, sign_in, zipped};
use crate::teams::{entered, running};

/// Numbers that look random and are the same every time.
fn chance(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// Values that stand where an answer should.
fn odd_values() -> Vec<String> {
    let deep = |open: &str, close: &str, depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
    vec![
        "null".into(),
        "true".into(),
        "-1".into(),
        "1e400".into(),
        "-0.0".into(),
        "9223372036854775808".into(),
        "18446744073709551616".into(),
        "1".repeat(5000),
        "\"\"".into(),
        "\"1\"".into(),
        format!("\"{}\"", "长".repeat(100_000)),
        "\"\\u0000\"".into(),
        "\"\\ud800\"".into(),
        "\"\\u202e\"".into(),
        "[]".into(),
        "[[]]".into(),
        "{}".into(),
        deep("[", "]", 120),
        deep("[", "]", 130),
        deep("[", "]", 100_000),
        deep("{\"a\":", "}", 120),
        deep("{\"a\":", "}", 50_000),
        format!("[{}]", vec!["1"; 200_000].join(",")),
        format!("[{}]", vec!["{\"role\":\"S\",\"text\":\"x\",\"idxes\":[4294967296]}"; 5_000].join(",")),
        format!(
            "[[{}]]",
            vec!["{\"role\":\"空间实体\",\"fragment\":{\"text\":\"x\",\"idxes\":[-1,1e9,99999999999999999999]}}"; 200].join(",")
        ),
        "{\"role\":{\"role\":{}}}".into(),
        "NaN".into(),
        "Infinity".into(),
        "'1'".into(),
        "0x1".into(),
        "01".into(),
        "[1,]".into(),
        "{\"a\":1,}".into(),
        "undefined".into(),
        "\"\t\"".into(),
        "[\"__proto__\"]".into(),
        "{\"$ref\":\"#\"}".into(),
    ]
}

/// The files, with the fields of the three tasks of 2022 in turn.
fn files(qid: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| files.push((name.to_owned(), bytes));
    for (number, value) in odd_values().into_iter().enumerate() {
        for field in ["judge", "reasons", "outputs"] {
            add(&format!("value {number} in {field}"), format!("{{\"qid\":\"{qid}\",\"{field}\":{value}}}\n").into_bytes());
        }
        add(&format!("value {number} as qid"), format!("{{\"qid\":{value},\"judge\":1}}\n").into_bytes());
    }
    let good = String::from_utf8(sample("2022/judge")).expect("UTF-8");
    let line = good.lines().next().expect("a line");
    add("nothing", Vec::new());
    add("blanks", b" \n\t\r\n".repeat(1000));
    add("zeros", vec![0; 100_000]);
    add("ones", vec![0xff; 100_000]);
    add("no newline in megabytes", vec![b'{'; 9 << 20]);
    add("newlines in megabytes", vec![b'\n'; 4 << 20]);
    add("a mark of byte order alone", b"\xef\xbb\xbf".to_vec());
    add("UTF-16", good.encode_utf16().flat_map(u16::to_le_bytes).collect());
    add("GBK", b"{\"qid\":\"\xc4\xe3\xba\xc3\",\"judge\":1}\n".to_vec());
    add("overlong UTF-8", b"{\"qid\":\"\xc0\xaf\",\"judge\":1}\n".to_vec());
    add("an endless array", format!("[{}", vec![line; 2000].join(",")).into_bytes());
    add("an array in an array", format!("[[{line}]]").into_bytes());
    add("half of a file", good.as_bytes()[..good.len() / 2].to_vec());
    add("the file twice", format!("{good}{good}").into_bytes());
    add("one record a hundred thousand times", format!("{line}\n").repeat(100_000).into_bytes());
    add(
        "a hundred thousand records",
        (0..100_000).flat_map(|number| format!("{{\"qid\":\"x{number}\",\"judge\":1}}\n").into_bytes()).collect(),
    );
    add("a field a hundred thousand times", format!("{{{}\"qid\":\"{qid}\"}}\n", "\"judge\":1,".repeat(100_000)).into_bytes());
    add(
        "fields of colliding names",
        format!("{{{}\"qid\":\"{qid}\"}}\n", (0..50_000).map(|number| format!("\"k{number}\":0,")).collect::<String>())
            .into_bytes(),
    );
    add("HTML", b"<script>alert(1)</script>".to_vec());
    add("a page of markup in a qid", format!("{{\"qid\":\"<img src=x onerror=alert(1)>{qid}\",\"judge\":1}}\n").into_bytes());
    add("SQL", b"{\"qid\":\"'; DROP TABLE score; --\",\"judge\":1}\n".to_vec());
    add("carriage returns", good.replace('\n', "\r").into_bytes());
    add("CSV", b"qid,judge\n1,1\n".to_vec());
    add("YAML aliases", b"a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n".to_vec());
    // Packed in every bad way.
    add("a bomb of zeros", gzip(&vec![0; 60 << 20]));
    add("a bomb of blanks", gzip(&vec![b' '; 30 << 20]));
    add("packed twice", gzip(&gzip(good.as_bytes())));
    add("packed and cut short", {
        let mut packed = gzip(good.as_bytes());
        packed.truncate(40);
        packed
    });
    add("packed, with junk behind", [gzip(good.as_bytes()), b"junk".to_vec()].concat());
    add("packed, with a wrong sum", {
        let mut packed = gzip(good.as_bytes());
        let end = packed.len();
        packed[end - 6] ^= 0xff;
        packed
    });
    add("a head of gzip alone", b"\x1f\x8b".to_vec());
    add("a head of gzip with all flags", b"\x1f\x8b\x08\xff\0\0\0\0\0\0".to_vec());
    add("a head of Zstandard alone", b"\x28\xb5\x2f\xfd".to_vec());
    add("Zstandard of a huge window", b"\x28\xb5\x2f\xfd\x00\xff\x01\x00\x00".to_vec());
    add("Zstandard that claims 2^63 bytes", [b"\x28\xb5\x2f\xfd\xe0".to_vec(), vec![0xff; 8], vec![0; 20]].concat());
    add("a head of zip alone", b"PK\x03\x04".to_vec());
    add("a zip of a bomb", zipped(&[("x.jsonl", &vec![b' '; 30 << 20])]));
    add("a zip of two", zipped(&[("x.jsonl", good.as_bytes()), ("y.jsonl", good.as_bytes())]));
    add("a zip of nothing", zipped(&[]));
    add("a zip in a zip", zipped(&[("x.zip", &zipped(&[("x.jsonl", good.as_bytes())]))]));
    add("a zip that leads out, of a broken file", zipped(&[("../../etc/x", b"oops")]));
    // A good file with a few bytes changed, where it breaks; and plain noise.
    for seed in 0..16 {
        let mut next = chance(seed + 1);
        let mut bytes = good.clone().into_bytes();
        for _ in 0..8 {
            let at = next() as usize % bytes.len();
            bytes[at] = next() as u8;
        }
        add(&format!("changed bytes {seed}"), bytes);
        add(&format!("noise {seed}"), (0..2000).map(|_| next() as u8).collect());
        let packed = gzip(good.as_bytes());
        let mut broken = packed.clone();
        let at = 10 + next() as usize % (packed.len() - 10);
        broken[at] = broken[at].wrapping_add(1 + next() as u8 % 255);
        add(&format!("packed, with a changed byte {seed}"), broken);
    }
    files
}

on_both! {
    async fn two_hundred_hostile_files_are_refused_and_cost_nothing(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut team, _) = entered(&site, &contest, "leader", "山外山").await;
        let first: Value = serde_json::from_slice(sample("2022/judge").split(|byte| *byte == b'\n').next().expect("a line")).expect("JSON");
        let files = files(first["qid"].as_str().expect("a qid"));
        assert!(files.len() >= 200, "{}", files.len());
        let mut slowest = (std::time::Duration::ZERO, String::new());
        for (number, (name, bytes)) in files.iter().enumerate() {
            let task = ["judge", "attribute", "roles"][number % 3];
            let begun = Instant::now();
            let answer = send(&team, &contest, &format!("task={task}&file={number}"), bytes.clone()).await;
            let spent = begun.elapsed();
            if spent > slowest.0 {
                slowest = (spent, name.clone());
            }
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}: {}", answer.text.chars().take(300).collect::<String>());
            let detail = answer.json()["detail"].clone();
            assert!(detail["errors"].as_u64().is_some_and(|errors| errors > 0), "{name} says why: {detail}");
            let first = &detail["defects"][0];
            assert!(["code", "expected", "found"].iter().all(|key| first[*key].as_str().is_some_and(|text| !text.is_empty() && text.len() < 2000)), "{name}: {first}");
            assert!(answer.text.len() < 2 << 20, "{name} is answered with {} bytes", answer.text.len());
            // Not faster than a team could mend a file.
            pass(20_000);
        }
        eprintln!("{} files, the slowest {slowest:?}", files.len());
        assert!(slowest.0 < std::time::Duration::from_secs(20), "{slowest:?}");
        let count = |select: &'static str| sqlx::query_scalar::<_, i64>(select).fetch_one(site.app.database.read());
        assert_eq!(count("SELECT COUNT(*) FROM submission").await.expect("a number"), 0);
        assert_eq!(count("SELECT COUNT(*) FROM upload").await.expect("a number"), files.len() as i64);
        // What was refused is not kept; what is, is small.
        assert!(count("SELECT COALESCE(MAX(LENGTH(content)), 0) FROM blob").await.expect("a number") < 2 << 20);
        let page = team.get(&format!("/contests/{contest}/submissions")).await;
        assert!(page.status == StatusCode::OK && !page.text.contains("<img src=x"), "names and messages are escaped");
        let quota = team.get(&format!("/api/contests/{contest}/quota")).await.json();
        assert_eq!(quota["places"][0]["left"]["total"], json!(60), "{quota}");
        let good = send(&team, &contest, "task=judge", sample("2022/judge")).await;
        assert_eq!(good.json()["submission"]["state"], "scored", "and the server goes on: {}", good.text);
        let large = send(&team, &contest, "task=judge", vec![b'x'; (16 << 20) + 1]).await;
        assert_eq!(large.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", large.text);
    }
}

/// What chance does to a file: bytes changed, cut out, doubled, swapped with pieces that readers stumble over.
fn mutated(file: &[u8], next: &mut impl FnMut() -> u64) -> Vec<u8> {
    const PIECES: [&[u8]; 12] =
        [b"\"", b"\\", b"{", b"]", b"\n", b"\0", b"\xff\xfe", b"null", b"-1e999", b"\\ud800", b"\"qid\":", "\u{feff}".as_bytes()];
    let mut bytes = file.to_vec();
    for _ in 0..=next() % 6 {
        if bytes.is_empty() {
            return bytes;
        }
        let at = (next() % bytes.len() as u64) as usize;
        let end = (at + 1 + (next() % 40) as usize).min(bytes.len());
        match next() % 5 {
            0 => bytes[at] = next() as u8,
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, bytes[at..end].to_vec()).collect::<Vec<u8>>()),
            3 => drop(bytes.splice(at..end, PIECES[(next() % 12) as usize].iter().copied()).collect::<Vec<u8>>()),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

on_both! {
    async fn files_that_chance_made_are_answered(site: Site) {
        let contest = running(&site, "2022").await;
        let (mut team, _) = entered(&site, &contest, "leader", "山外山").await;
        // `FANGWEI_FUZZ=100000` makes a long run of it, `FANGWEI_FUZZ_SEED` another one.
        let number = |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
        let (rounds, seed) = (number("FANGWEI_FUZZ", 300), number("FANGWEI_FUZZ_SEED", 1));
        let mut next = chance(seed);
        let mut seen = std::collections::BTreeMap::<bool, u64>::new();
        for round in 0..rounds {
            let task = ["judge", "attribute", "roles"][(next() % 3) as usize];
            let plain = sample(&format!("2022/{task}"));
            let file = match next() % 5 {
                0 => mutated(&gzip(&plain), &mut next),
                1 => mutated(&zipped(&[("p.jsonl", &plain)]), &mut next),
                // What is wrong within a sound package.
                2 => gzip(&mutated(&plain, &mut next)),
                _ => mutated(&plain, &mut next),
            };
            let answer = check(&team, &contest, &format!("task={task}&file=p"), file).await;
            assert_eq!(answer.status, StatusCode::OK, "round {round} of seed {seed}: {}", answer.text.chars().take(300).collect::<String>());
            let said = answer.json();
            assert_eq!(said["ok"] == true, said["errors"] == 0, "round {round} of seed {seed}: {said}");
            *seen.entry(said["ok"] == true).or_default() += 1;
            pass(20_000);
            if round % 1000 == 999 {
                // Sessions end after a while.
                sign_in(&mut team, "leader").await;
            }
        }
        eprintln!("{rounds} files of seed {seed}, sound or not: {seen:?}");
        assert_eq!(seen.len(), 2, "some are sound and some are not: {seen:?}");
        let good = send(&team, &contest, "task=judge", sample("2022/judge")).await;
        assert_eq!(good.json()["submission"]["state"], "scored", "and the server goes on: {}", good.text);
    }
}
