//! Inputs that cannot be used, and build files that make no sense.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Project, STEPS};
use crate::{fangwei, root};

/// The files that passages of the last run came from, sorted.
fn sources(project: &Project) -> Vec<String> {
    let mut text = String::new();
    let file = File::open(project.out("corpus/passages.jsonl.gz")).expect("passages");
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    let source =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["source"].as_str().map(str::to_owned);
    let mut sources: Vec<String> = text.lines().filter_map(source).collect();
    sources.sort();
    sources.dedup();
    sources
}

#[test]
fn bad_inputs_are_named_and_the_rest_is_built() {
    let project = Project::new("build-bad");
    let lake = "小船从芦苇丛里划出来，绕过湖心的小岛，停在木桥下面。\n";
    project.0.file("source/binary.txt", b"a\0b");
    project.0.file("source/empty.txt", "");
    project.0.file("source/gb.txt", encoding_rs::GB18030.encode(lake).0);
    let wide = lake.replace("小船", "竹筏").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    project.0.file("source/wide.txt", [b"\xff\xfe", &wide[..]].concat());
    let record = |boat: &str| format!("{{\"text\":{:?}}}\n", lake.replace("小船", boat).trim_end());
    project.0.file("source/records.jsonl", format!("{}{{\"text\":\n{}", record("货轮"), record("渔船")));
    project.write(&["source", "nowhere.txt"], STEPS);
    let skipped = 4;

    let run = project.build(&["--until", "substitute"]);
    assert_eq!(run.code, 1, "{}", run.err);
    for told in [
        "binary.txt: error [binary-file]",
        "empty.txt: error [empty-file]",
        "gb.txt: warning [converted-encoding]",
        "wide.txt: warning [converted-encoding]",
        "records.jsonl:2: error [bad-json]",
        "nowhere.txt: error [unreadable]",
    ] {
        assert_eq!(run.err.matches(told).count(), 1, "{told}\n{}", run.err);
    }
    assert_eq!(run.err.matches(": error [").count(), skipped, "{}", run.err);
    assert_eq!(sources(&project), ["gb.txt", "literature.txt", "news.txt", "records.jsonl", "sport.txt", "wide.txt"]);
    assert!(run.err.contains(&format!("19 passages, {skipped} skipped")), "fifteen, gb, wide and two records: {}", run.err);

    // What was skipped is still missing from what is kept.
    let run = project.build(&["--until", "substitute"]);
    assert_eq!((run.code, project.states()), (1, ["corpus kept", "select kept", "substitute kept"].map(str::to_owned).to_vec()));

    // Mended, all is well.
    for file in ["binary.txt", "empty.txt", "records.jsonl"] {
        std::fs::remove_file(project.0.path(&format!("source/{file}"))).expect("a file");
    }
    project.0.file("nowhere.txt", lake.replace("小船", "木盆"));
    let run = project.build(&["--until", "substitute"]);
    assert_eq!((run.code, project.states()[0].as_str()), (0, "corpus made"), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn a_closed_file_is_named_and_read_once_it_is_open() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::new("build-closed");
    let closed = project.0.path("source/sport.txt");
    let permit = |mode| std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(mode)).expect("permissions");
    permit(0o000);
    if File::open(&closed).is_ok() {
        eprintln!("skipped: to root no file is closed");
        return;
    }
    for state in ["corpus made", "corpus kept"] {
        let run = project.build(&["--until", "corpus"]);
        assert_eq!((run.code, project.states()), (1, vec![state.to_owned()]), "{}", run.err);
        assert_eq!(run.err.contains("sport.txt: error [unreadable]"), state == "corpus made", "{}", run.err);
        assert_eq!(sources(&project), ["literature.txt", "news.txt"]);
    }
    permit(0o644);
    let run = project.build(&["--until", "corpus"]);
    assert_eq!((run.code, project.states()), (0, vec!["corpus made".to_owned()]), "{}", run.err);
    assert_eq!(sources(&project), ["literature.txt", "news.txt", "sport.txt"]);
}

#[test]
fn where_no_input_is_there_nothing_takes_the_place_of_what_is() {
    let project = Project::new("build-nothing");
    assert_eq!(project.build(&["--until", "corpus"]).code, 0);
    let before = super::times(&project.out(""));
    std::fs::rename(project.0.path("source"), project.0.path("unmounted")).expect("moved");
    let run = project.build(&["--until", "corpus"]);
    assert!(run.code == 1 && run.err.contains("source: no such file"), "{}", run.err);
    assert_eq!(super::times(&project.out("")), before);
}

#[test]
fn what_makes_no_sense_is_told_before_the_first_step() {
    let project = Project::new("build-usage");
    for (from, to, says) in [
        ("[substitute]", "[subsitute]", "unknown key subsitute (did you mean substitute?)"),
        ("target", "traget", "[corpus] unknown key traget (did you mean target?)"),
        ("inputs", "input", "[corpus] unknown key input (did you mean inputs?)"),
        ("max_guessed", "max_gessed", "[select] unknown key max_gessed (did you mean max_guessed?)"),
        ("single = 3", "kep = \"x\"", "[substitute] unknown key kep (did you mean keep?)"),
        ("licence", "license", "[release] unknown key license (did you mean licence?)"),
        ("folds", "fold", "[audit] unknown key fold (did you mean folds?)"),
        ("single = 3", "without = [\"mentiond\"]", "[substitute] unknown rule mentiond (did you mean mentioned?)"),
        ("single = 3", "classes = [\"locativ\"]", "unknown word class locativ (did you mean locative?)"),
        ("2022/judge=", "2022/juge=", "[release] unknown task 2022/juge (did you mean 2022/judge?)"),
        ("shares = \"3:1\"", "to = [\"2022/rolls\"]", "[release] unknown task 2022/rolls (did you mean 2022/roles?)"),
        ("max_guessed = 1.0", "max_guessed = 80", "[select] max_guessed: expected a share from 0 to 1, found 80"),
        ("target = 256", "target = 9", "[corpus] min, target, max: expected 1 <= min <= target <= max"),
        ("[\"source\"]", "[]", "[corpus] inputs: at least one file or folder is needed"),
        ("[\"source\"]", "[\"-\"]", "[corpus] inputs: standard input cannot be read again"),
        ("[\"source\"]", "[\".\"]", "the output lies in the input"),
        ("[corpus]", "[corpus", "build.toml: "),
    ] {
        project.write(&["source"], STEPS);
        let file = project.0.path("build.toml");
        let text = std::fs::read_to_string(&file).expect("a build file");
        assert!(text.contains(from), "{from}");
        project.0.file("build.toml", text.replacen(from, to, 1));
        let run = project.build(&[]);
        assert!(run.code == 2 && run.err.contains(says), "{to}: {}", run.err);
    }
    project.write(&["source"], STEPS);
    for option in ["--until", "--again"] {
        let run = project.build(&[option, "realease"]);
        assert!(run.code == 2 && run.err.contains("unknown step realease (did you mean release?)"), "{}", run.err);
    }
    let run = fangwei(&["build", &project.0.path("biuld.toml")]);
    assert!(run.code == 1 && run.err.contains("biuld.toml"), "{}", run.err);
    assert!(!Path::new(&project.out("")).exists(), "nothing is written");
}

/// A build that reads a pipe goes on for as long as nobody writes there.
#[cfg(unix)]
#[test]
fn two_builds_do_not_write_one_folder() {
    let project = Project::new("build-lock");
    let pipe = project.0.path("pipe.txt");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    project.write(&["source", "pipe.txt"], STEPS);
    let mut command = Command::new(env!("CARGO_BIN_EXE_fangwei"));
    command.args(["build", &project.0.path("build.toml"), "--until", "corpus"]).current_dir(root()).stderr(Stdio::null());
    let mut first = command.spawn().expect("the program starts");
    super::killed::wait_for(&mut first, Path::new(&project.out(".corpus.part")));
    let second = project.build(&[]);
    assert!(second.code == 1 && second.err.contains("another fangwei build is writing here"), "{}", second.err);
    assert!(Path::new(&project.out(".corpus.part")).exists(), "the first keeps what it has");
    let seen = project.build(&["--status"]);
    assert!(seen.code == 0 && seen.out.starts_with("corpus      not there\n"), "{}", seen.out);
    let mut pipe = File::options().write(true).open(&pipe).expect("a pipe");
    pipe.write_all("信鸽从钟楼上面飞过，落在阁楼里的木架旁边。\n".as_bytes()).expect("written");
    drop(pipe);
    assert!(first.wait().expect("it ends").success());
    assert!(sources(&project).contains(&"pipe.txt".to_owned()));
}
