//! A node that is killed with a job in its hands: the others end what it began, exactly once, and who was talking to it is served by them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::client::{Client, Served, said};
use super::super::scored::{enter, open_changed, opposite, without_bounds};
use super::super::with;
use super::Nodes;

/// So many times over is the sample, so that a job takes long enough to be killed in the middle.
const COPIES: usize = 200;
/// A dead node's job is taken up when its lease of 15 seconds is over; everything else is done within moments.
const MOST_WAIT: Duration = Duration::from_secs(40);

/// A competition without bounds on submissions and with many items; its id, and its gold.
fn open_large(nodes: &Nodes) -> (String, String) {
    let mut gold = String::new();
    let contest = open_changed(&nodes.folder(), &nodes.more(), |contest| {
        without_bounds(contest);
        for part in ["items", "gold"] {
            let file = format!("{contest}/{part}/judge/dev.jsonl");
            gold = many(&std::fs::read_to_string(&file).expect("a file"));
            std::fs::write(&file, &gold).expect("written");
        }
    });
    (contest, gold)
}

/// Lines many times over, each under a name of its own.
fn many(text: &str) -> String {
    let copy =
        |number: usize| text.lines().map(move |line| line.replacen("\"qid\":\"", &format!("\"qid\":\"{number}-"), 1) + "\n");
    (0..COPIES).flat_map(copy).collect()
}

/// Sends a file under a name until it is acknowledged, by whoever is there; its id, and how many connections broke.
fn send(nodes: &Nodes, own: Option<&Served>, contest: &str, token: &str, name: &str, file: &str) -> (String, usize) {
    let (path, begun, mut broken) = (format!("/api/contests/{contest}/submissions?task=judge&client={name}"), Instant::now(), 0);
    loop {
        let client = own.and_then(|node| Client::connect(&node.address, token).ok());
        match client.unwrap_or_else(|| nodes.client(token)).send("POST", &path, "", file.as_bytes()) {
            Ok((201, said)) => return (said["submission"]["id"].as_str().expect("an id").to_owned(), broken),
            Ok((429, _)) => {}
            Ok((status, said)) => panic!("{status}: {said}"),
            Err(_) => broken += 1,
        }
        assert!(begun.elapsed() < MOST_WAIT, "{name} is never acknowledged");
        std::thread::sleep(Duration::from_millis(40));
    }
}

/// Kills the second of two nodes at a moment at which both have a job in their hands.
fn kill_at_work(nodes: &Nodes) {
    let holders = || nodes.rows("SELECT holder, COUNT(*) FROM job WHERE state = 'running' GROUP BY holder").len();
    let begun = Instant::now();
    loop {
        if holders() == 2 {
            // Stopped, it cannot hand its job back any more while we look again.
            nodes.each[1].signal("STOP");
            std::thread::sleep(Duration::from_millis(20));
            if holders() == 2 {
                return nodes.each[1].signal("KILL");
            }
            nodes.each[1].signal("CONT");
        }
        assert!(begun.elapsed() < MOST_WAIT, "the two nodes never work at the same time");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until nothing is left to be counted.
fn until_none(nodes: &Nodes, of: &str) {
    let begun = Instant::now();
    while nodes.count(of) > 0 {
        assert!(begun.elapsed() < MOST_WAIT, "expected no {of}, found {}", nodes.count(of));
        std::thread::sleep(Duration::from_millis(100));
    }
}

impl Nodes {
    /// Starts the second node again where it was.
    fn restart(&mut self) {
        let (folder, port) = (self.scratch.path("node1"), self.each[1].port());
        let again = Served::start(&folder, &port, &self.more());
        self.each[1] = again;
    }

    /// The board that all nodes show, with its intervals.
    fn board(&self, contest: &str) -> Value {
        let (path, begun) = (format!("/api/contests/{contest}/boards/dev"), Instant::now());
        let is_drawn = |node: &Served| node.client("").get(&path).expect("an answer").1["is_settled"] == true;
        while !self.each.iter().all(is_drawn) {
            assert!(begun.elapsed() < MOST_WAIT, "no intervals");
        }
        self.agreed("", &format!("/contests/{contest}/boards/dev"));
        self.agreed(&self.root, &path)
    }
}

/// The generation of a board, and who stands where with which score in the first task.
fn standing(board: &Value) -> (i64, Vec<(&str, f64)>) {
    let rows = board["rows"].as_array().expect("rows").iter();
    let rows = rows.map(|row| (row["name"].as_str().expect("a name"), row["tasks"][0]["value"].as_f64().expect("a score")));
    (board["generation"].as_i64().expect("a number"), rows.collect())
}

#[test]
fn killed_while_teams_submit_every_file_is_scored_once() {
    let Some(mut nodes) = Nodes::start("killed", 2) else { return };
    let (contest, file) = open_large(&nodes);
    let (folder, more) = (nodes.folder(), nodes.more());
    let enter = |number: usize| enter(&nodes.each[number % 2], &contest, &folder, &more, &nodes.root, number);
    let tokens: Vec<String> = (0..4).map(enter).collect();
    let stop = AtomicBool::new(false);
    let sent: Vec<(Vec<String>, usize)> = std::thread::scope(|threads| {
        let send_on = |number: usize| {
            // Two teams talk to the node that dies as long as it is there, two by way of the proxy.
            let own = nodes.each.get(1).filter(|_| number < 2);
            let (mut ids, mut broken) = (Vec::new(), 0);
            while !stop.load(Ordering::SeqCst) && ids.len() < 100 {
                let (id, times) = send(&nodes, own, &contest, &tokens[number], &format!("f{}", ids.len()), &file);
                ids.push(id);
                broken += times;
            }
            (ids, broken)
        };
        let sending: Vec<_> = (0..tokens.len()).map(|number| threads.spawn(move || send_on(number))).collect();
        kill_at_work(&nodes);
        // Those who are left go on with the node that is left.
        std::thread::sleep(Duration::from_secs(1));
        stop.store(true, Ordering::SeqCst);
        sending.into_iter().map(|sending| sending.join().expect("no panic")).collect()
    });
    until_none(&nodes, "job WHERE state <> 'scored'");
    let kept = nodes.rows("SELECT submission.id, COUNT(score.id) FROM submission LEFT JOIN score ON score.submission = submission.id GROUP BY submission.id");
    let acknowledged: BTreeSet<&String> = sent.iter().flat_map(|(ids, _)| ids).collect();
    assert_eq!(kept.iter().map(|(id, _)| id).collect::<BTreeSet<_>>(), acknowledged, "none is lost, none is there twice");
    assert_eq!(acknowledged.len(), sent.iter().map(|(ids, _)| ids.len()).sum::<usize>(), "a name for each");
    assert!(kept.iter().all(|(_, scores)| *scores == 1), "{kept:?}");
    let told = nodes.rows("SELECT submission, COUNT(*) FROM submission_log WHERE kind = 'scored' GROUP BY submission");
    assert!(told.len() == kept.len() && told.iter().all(|(_, times)| *times == 1), "{told:?}");
    let (broken, taken_up) = (sent.iter().map(|(_, broken)| broken).sum::<usize>(), nodes.count("job WHERE tries > 1"));
    assert!(broken > 0 && taken_up > 0, "{broken} connections broke, {taken_up} jobs were taken up: it died at work");
    eprintln!("{} submissions, {broken} connections broke, {taken_up} jobs were taken up", kept.len());
    nodes.restart();
    let board = nodes.board(&contest);
    assert_eq!(board["rows"].as_array().map(Vec::len), Some(tokens.len()), "{board}");
}

#[test]
fn killed_while_scoring_anew_the_generation_is_whole_on_all_nodes() {
    const EACH: usize = 12;
    let Some(mut nodes) = Nodes::start("rescored", 2) else { return };
    let (contest, gold) = open_large(&nodes);
    let (folder, more) = (nodes.folder(), nodes.more());
    let enter = |number: usize| enter(&nodes.each[number % 2], &contest, &folder, &more, &nodes.root, number);
    let tokens: Vec<String> = (0..2).map(enter).collect();
    // One team says what the gold says, the other the opposite; then the gold turns out to be the opposite.
    let files = [gold.clone(), opposite(&gold)];
    for (at, (token, file)) in (0..EACH).flat_map(|at| tokens.iter().zip(&files).map(move |team| (at, team))) {
        send(&nodes, None, &contest, token, &format!("f{at}"), file);
    }
    until_none(&nodes, "job WHERE state <> 'scored'");
    assert_eq!(standing(&nodes.board(&contest)), (1, vec![("team0", 1.0), ("team1", 0.0)]));
    let corrected = format!("dev/judge={}", nodes.scratch.file("corrected.jsonl", &files[1]));
    let begin = ["competition", "rescore", &contest, &folder, "--gold", &corrected, "--no-wait", "--format", "json"];
    // Nodes look at the queue every 2 seconds. Both are stopped until it is time to look again, so that they begin together.
    nodes.each.iter().for_each(|node| node.signal("STOP"));
    let begun: Value = serde_json::from_str(&said(&with(&begin, &more))).expect("JSON");
    assert_eq!(begun["generation"]["number"], 2, "{begun}");
    std::thread::sleep(Duration::from_millis(2200));
    nodes.each.iter().for_each(|node| node.signal("CONT"));
    kill_at_work(&nodes);
    // What comes in while the generation is made belongs to both.
    for at in EACH..EACH + 3 {
        send(&nodes, None, &contest, &tokens[0], &format!("f{at}"), &files[0]);
    }
    until_none(&nodes, "generation WHERE number = 2 AND state <> 'current'");
    until_none(&nodes, "job WHERE state <> 'scored'");
    let of_each = "SELECT submission, COUNT(*) FROM score GROUP BY submission";
    assert!(nodes.rows(of_each).iter().all(|(_, count)| *count == 2), "once in each generation: {:?}", nodes.rows(of_each));
    assert_eq!(nodes.count("score WHERE generation = 2"), 2 * EACH as i64 + 3);
    assert_eq!(nodes.count("audit WHERE action = 'rescore-current'"), 1, "it took effect once");
    assert!(nodes.count("job WHERE generation = 2 AND tries > 1") > 0, "it died at work");
    nodes.restart();
    assert_eq!(standing(&nodes.board(&contest)), (2, vec![("team1", 1.0), ("team0", 0.0)]));
    let generation = nodes.agreed("", &format!("/api/contests/{contest}/generations/2"));
    nodes.agreed("", &format!("/contests/{contest}/generations/2"));
    let progress = json!({ "submissions": 2 * EACH + 3, "scored": 2 * EACH + 3, "failed": 0 });
    assert_eq!((&generation["generation"]["state"], &generation["generation"]["progress"]), (&json!("current"), &progress));
}
