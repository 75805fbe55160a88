//! Runs that end in the middle: whatever they leave, the next run ends well and the same.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Project, STEPS, WHOLE};
use crate::release::{files, read};
use crate::{Scratch, root};

/// Waits until a path is there or the program ended.
pub fn wait_for(child: &mut Child, path: &Path) {
    let begun = Instant::now();
    while !path.exists() && child.try_wait().expect("a state").is_none() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{} does not come", path.display());
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Enough different sentences to keep every step busy for a while.
fn many(name: &str, sentences: usize) -> Project {
    let project = Project(Scratch::new(name));
    std::fs::create_dir_all(project.0.path("source")).expect("a folder");
    let who = ["老周", "小梅", "木匠", "船长", "护士", "邮差", "厨师", "园丁", "画家", "司机", "渔夫", "裁缝"];
    let what = ["木箱", "雨伞", "水桶", "花盆", "灯笼", "竹篮", "铁锅", "草帽", "皮球", "砚台", "钥匙", "棉被"];
    let place = ["院门", "水井", "柜台", "石桥", "大树", "书架", "火炉", "窗台", "台阶", "围墙", "池塘", "磨坊"];
    let mut state = 1;
    let mut sentence = |_| {
        let mut one = |words: [&'static str; 12]| words[(12.0 * dice(&mut state)) as usize];
        // No five characters in a row are the same in all: else the release would take them for siblings.
        format!(
            "{}从{}里取出{}，放到{}旁边；{}绕过{}，走到{}后面，把{}挂在{}上。\n",
            one(who),
            one(place),
            one(what),
            one(place),
            one(who),
            one(place),
            one(place),
            one(what),
            one(place),
        )
    };
    for file in 0..4 {
        project.0.file(&format!("source/{file}.txt"), (0..sentences / 4).map(&mut sentence).collect::<String>());
    }
    project.write(&["source"], &STEPS.replace("[substitute]\n", "total = 150\n\n[substitute]\nper_pair = 0\n"));
    project
}

/// What the steps made, without their own records, which tell how long they took.
fn made(out: &str) -> Vec<String> {
    files(out).into_iter().filter(|path| path.contains('/') && !path.ends_with("step.json")).collect()
}

/// Numbers that look random and are the same in every run.
fn dice(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 40) as f64 / (1_u64 << 24) as f64
}

#[test]
fn killed_anywhere_it_ends_as_if_it_had_not_been() {
    let project = many("build-killed", 16000);
    let whole = project.0.path("whole");
    assert_eq!(project.build(&["--out", &whole, "--until", "substitute", "--threads", "1"]).code, 0);
    project.judge(&whole);
    let run = project.build(&["--out", &whole, "--threads", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let seconds = |step: &str| {
        let record: Value = serde_json::from_slice(&read(&whole, &format!("{step}/step.json"))).expect("JSON");
        record["seconds"].as_f64().expect("a time")
    };

    let mut state = 2023;
    let steps = [
        "corpus",
        "corpus",
        "corpus",
        "select",
        "corpus",
        "substitute",
        "select",
        "release",
        "substitute",
        "corpus",
        "release",
        "audit",
    ];
    for (number, step) in steps.into_iter().enumerate() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fangwei"));
        command.args(["build", &project.0.path("build.toml"), "--again", step, "--threads", "2"]);
        let mut child = command.current_dir(root()).stderr(Stdio::null()).spawn().expect("the program starts");
        // Somewhere in the step, or a little into the next.
        wait_for(&mut child, Path::new(&project.out(&format!(".{step}.part"))));
        std::thread::sleep(Duration::from_secs_f64(1.2 * dice(&mut state) * seconds(step)));
        child.kill().expect("killed, or ended by itself");
        child.wait().expect("ended");
        assert!(project.record()["steps"].is_array(), "kill {number} in {step}");
        for name in project.names().iter().filter(|name| !name.starts_with('.') && !name.starts_with("run.json")) {
            let record: Value = serde_json::from_slice(&read(&project.out(name), "step.json")).expect("a whole step");
            assert!(record["fingerprint"].is_string(), "kill {number} in {step}");
        }
    }

    // And the number of threads does not matter: one above, two here.
    let run = project.build(&["--threads", "2"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(project.record()["finished"], true);
    assert_eq!(project.names(), WHOLE, "nothing is left over");
    let out = project.out("");
    assert_eq!(made(&out), made(&whole));
    for path in made(&whole) {
        assert!(read(&out, &path) == read(&whole, &path), "{path} is another");
    }
}

#[test]
fn every_state_that_a_kill_can_leave_is_mended() {
    let project = Project::new("build-left");
    project.build(&["--until", "substitute"]);
    project.judge(&project.out(""));
    assert_eq!(project.build(&[]).code, 0);
    let before = super::times(&project.out(""));
    let half = |folder: &str| {
        std::fs::create_dir_all(project.out(folder)).expect("a folder");
        std::fs::write(project.out(&format!("{folder}/candidates.jsonl.7.part")), "{\"id\":").expect("a file");
    };
    // Between the two moves; before the old one was removed; in a step; in the record.
    std::fs::rename(project.out("substitute"), project.out(".substitute.old")).expect("moved");
    half(".substitute.part");
    half(".release.old");
    half(".audit.part");
    std::fs::write(project.out("run.json.7.part"), "{").expect("a file");
    let names = project.names();

    // Looking changes nothing, and what was moved aside still counts.
    let seen = project.build(&["--status"]);
    assert!(seen.code == 0 && !seen.out.contains("not there"), "{}", seen.out);
    assert_eq!(project.names(), names);

    assert_eq!(project.build(&[]).code, 0);
    assert!(project.states().iter().all(|state| state.ends_with("kept")), "{:?}", project.states());
    assert_eq!((super::times(&project.out("")), project.names()), (before, WHOLE.map(str::to_owned).to_vec()));
}

#[cfg(unix)]
#[test]
fn links_that_lead_around_in_circles_end() {
    let project = Project::new("build-links");
    for link in ["a", "b", "c"] {
        std::os::unix::fs::symlink("..", project.0.path(&format!("source/{link}"))).expect("a link");
    }
    // The whole project by way of the links: its output must lie elsewhere.
    let out = Scratch::new("build-links-out");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fangwei"));
    command.args(["build", &project.0.path("build.toml"), "--out", &out.path("out"), "--until", "corpus"]);
    let mut child = command.current_dir(root()).stderr(Stdio::null()).spawn().expect("the program starts");
    let begun = Instant::now();
    while child.try_wait().expect("a state").is_none() {
        if begun.elapsed() > Duration::from_secs(30) {
            child.kill().expect("killed");
            panic!("it walks in circles");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Path::new(&out.path("out/corpus/step.json")).exists());
}
