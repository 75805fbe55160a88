use std::io::{BufRead, BufReader};
use std::net::TcpListener;

use fangwei::lang::words;

use super::*;
use crate::get::catalogue::{Shape, Weights};

const BODY: &[u8] = b"forty-two bytes that stand for a package...";

fn package() -> Package {
    let sha256: String = Sha256::digest(BODY).iter().map(|byte| format!("{byte:02x}")).collect();
    Package {
        name: "toy",
        about: words("", ""),
        package: "toy-package",
        version: "1",
        file: "toy-1.whl",
        bytes: BODY.len() as u64,
        sha256: sha256.leak(),
        licence: words("", ""),
        is_permissive: true,
        shape: Shape::Known("{}"),
        weights: ("", Weights::PyTorch),
        vocabulary: "",
    }
}

/// An index on this machine that answers as many requests as `answers` has, with a body for the file, and tells what was asked.
fn serve(
    page: &'static str,
    body: &'static [u8],
    ranges: bool,
    requests: usize,
) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}/simple", listener.local_addr().expect("is bound"));
    let served = std::thread::spawn(move || {
        let mut asked = Vec::new();
        for stream in listener.incoming().take(requests) {
            let mut stream = stream.expect("connects");
            let lines: Vec<String> =
                BufReader::new(&stream).lines().map(|line| line.expect("is text")).take_while(|line| !line.is_empty()).collect();
            let range = lines.iter().find_map(|line| line.to_lowercase().strip_prefix("range: bytes=").map(str::to_owned));
            let begin: usize =
                range.as_deref().and_then(|range| range.trim_end_matches('-').parse().ok()).filter(|_| ranges).unwrap_or(0);
            let is_page = lines[0].contains("/simple/");
            let (status, content) = if is_page {
                ("200 OK", page.as_bytes())
            } else if begin > 0 {
                ("206 Partial Content", &body[begin..])
            } else {
                ("200 OK", body)
            };
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", content.len());
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(content)).expect("is read");
            asked.push(format!("{} {}", lines[0], range.unwrap_or_default()));
        }
        asked
    });
    (address, served)
}

const JSON: &str = r#"{"files":[{"filename":"toy-0.whl","url":"/x"},{"filename":"toy-1.whl","url":"../../files/toy-1.whl"}]}"#;
const HTML: &str = "<a href='/x/toy-0.whl'>x</a>\n<a href=\"/files/toy-1.whl#sha256=00\">toy-1.whl</a>";

fn place(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("fangwei-download-{name}-{}", std::process::id()));
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).expect("can be made");
    folder.join("toy-1.whl")
}

#[test]
fn a_file_is_fetched_from_either_kind_of_page() {
    for page in [JSON, HTML] {
        let (index, served) = serve(page, BODY, true, 2);
        let file = place("fetched");
        let mut told = Vec::new();
        fetch(&package(), &index, &file, &mut |done, total| {
            told.push((done, total));
            ControlFlow::Continue(())
        })
        .expect("is served");
        assert_eq!(std::fs::read(&file).expect("is there"), BODY);
        assert_eq!(told.last(), Some(&(BODY.len() as u64, BODY.len() as u64)));
        assert!(!part_of(&file).exists());
        assert!(served.join().expect("served")[0].contains("GET /simple/toy-package/ "));
    }
}

#[test]
fn an_interrupted_download_goes_on() {
    for ranges in [true, false] {
        let (index, served) = serve(JSON, BODY, ranges, 2);
        let file = place("resumed");
        std::fs::write(part_of(&file), &BODY[..10]).expect("can be written");
        fetch(&package(), &index, &file, &mut |_, _| ControlFlow::Continue(())).expect("is served");
        assert_eq!(std::fs::read(&file).expect("is there"), BODY, "ranges {ranges}");
        assert!(served.join().expect("served")[1].ends_with("10-"));
    }
    // One that is stopped leaves what came.
    let (index, served) = serve(JSON, BODY, true, 2);
    let file = place("stopped");
    let stopped = fetch(&package(), &index, &file, &mut |_, _| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(EncoderError::Interrupted)), "{stopped:?}");
    assert!(part_of(&file).exists() && !file.exists());
    served.join().expect("served");
}

#[test]
fn a_wrong_file_is_never_kept() {
    // As long as the right one, shorter, longer.
    for (body, told) in [
        (&b"forty-two bytes that stand for a package,,,"[..], "SHA-256"),
        (&b"short"[..], "5 of 43 bytes"),
        (&[7; 100][..], "SHA-256"),
    ] {
        let (index, served) = serve(JSON, body, true, 2);
        let file = place("wrong");
        let error = fetch(&package(), &index, &file, &mut |_, _| ControlFlow::Continue(())).expect_err(told);
        assert!(error.to_string().contains(told), "{error}");
        assert!(!file.exists());
        served.join().expect("served");
    }
    let (index, served) = serve("{\"files\":[]}", BODY, true, 1);
    let error = fetch(&package(), &index, &place("none"), &mut |_, _| ControlFlow::Continue(())).expect_err("is not listed");
    assert!(error.to_string().contains("no file toy-1.whl"), "{error}");
    served.join().expect("served");
}

#[test]
fn addresses_are_joined_and_shown_without_passwords() {
    let page = "https://user:secret@host/a/simple/toy/";
    assert_eq!(join(page, "https://other/x.whl"), "https://other/x.whl");
    assert_eq!(join(page, "../../files/x.whl"), "https://user:secret@host/a/files/x.whl");
    assert_eq!(join(page, "/files/x.whl"), "https://user:secret@host/files/x.whl");
    assert_eq!(join(page, "//other/x.whl"), "https://other/x.whl");
    assert_eq!(without_password(page), "https://host/a/simple/toy/");
    assert_eq!(without_password("https://host"), "https://host");
}
