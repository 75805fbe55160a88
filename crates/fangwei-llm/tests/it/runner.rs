//! What a run meets.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use fangwei_llm::provider::ProviderError;
use fangwei_llm::runner::{Budget, End, Options};

use crate::{Scratch, World, hasty, jobs, mock};

const LONG: Duration = Duration::from_secs(20);

#[test]
fn every_item_is_answered_once_whatever_happens() {
    let world = World::new(mock(&["429=0.02@7%", "503@7%", "drop@7%", "half@7%"]));
    let scratch = Scratch::new("storm");
    let (end, progress) = scratch.run(&world.chat(LONG, false), &jobs(300), &hasty());
    assert!(matches!(end, End::Done), "{end:?}");
    let lines = scratch.responses();
    assert_eq!((lines.len(), progress.done, progress.failures), (300, 300, 0));
    let qids: BTreeSet<&str> = lines.iter().map(|line| line.qid.as_str()).collect();
    assert_eq!(qids.len(), 300);
    assert!(
        lines.iter().all(|line| line.response.text.contains(&format!("第 {} 题", line.qid))),
        "answers belong to their items"
    );
    let failed = world.mock.requests() - 300;
    assert_eq!(progress.retries, failed, "every failed request is a retry");
    assert!(failed > 30, "a quarter of the requests fail, found {failed}");
}

#[test]
fn a_429_storm_is_waited_out_as_the_server_asks() {
    let world = World::new(mock(&["429=0.4@first:3"]));
    let scratch = Scratch::new("after");
    let began = Instant::now();
    let (end, progress) = scratch.run(&world.chat(LONG, false), &jobs(20), &hasty());
    assert!(matches!(end, End::Done), "{end:?}");
    // The window is one, so the three refusals follow each other, each with its wait.
    assert!(began.elapsed() >= Duration::from_millis(1200), "{:?}", began.elapsed());
    assert!(progress.standing.waited >= Duration::from_millis(1150), "{:?}", progress.standing.waited);
    assert_eq!((progress.retries, scratch.responses().len()), (3, 20));
}

#[test]
fn a_storm_without_end_is_left() {
    let world = World::new(mock(&["429=0.05"]));
    let scratch = Scratch::new("endless");
    let options = Options { patience: Duration::from_millis(300), ..hasty() };
    let (end, _) = scratch.run(&world.chat(LONG, false), &jobs(20), &options);
    assert!(matches!(end, End::NoProgress(ProviderError::Busy { .. })), "{end:?}");
}

#[test]
fn a_refusal_before_any_response_ends_the_run_at_once() {
    let world = World::new(mock(&["400"]));
    let scratch = Scratch::new("refused");
    let (end, _) = scratch.run(&world.chat(LONG, false), &jobs(100), &hasty());
    let End::Refused(error) = end else { panic!("{end:?}") };
    assert_eq!(error.to_string(), "the server refused (400): The script says 400");
    assert_eq!(world.mock.requests(), 1, "no second request for the same refusal");
    assert_eq!(scratch.failures().len(), 1);
}

#[test]
fn a_refusal_among_responses_is_one_items_matter() {
    let world = World::new(mock(&["400@every:10"]));
    let scratch = Scratch::new("some");
    let (end, progress) = scratch.run(&world.chat(LONG, false), &jobs(100), &Options { connections: 1, ..hasty() });
    assert!(matches!(end, End::Done), "{end:?}");
    assert_eq!((progress.done, progress.failures), (90, 10));
    assert_eq!(scratch.failures()[0].qid, "9");
}

#[test]
fn a_wrong_key_ends_the_run_at_once() {
    let world = World::new(mock(&["401@every:10"]));
    let scratch = Scratch::new("key");
    let (end, progress) = scratch.run(&world.chat(LONG, false), &jobs(100), &Options { connections: 1, ..hasty() });
    assert!(matches!(end, End::Refused(ProviderError::Refused { status: 401, .. })), "{end:?}");
    assert_eq!(progress.done, 9);
}

#[test]
fn a_server_that_is_not_there_is_not_asked_for_every_item() {
    let world = World::new(mock(&["503"]));
    let scratch = Scratch::new("down");
    let (end, _) = scratch.run(&world.chat(LONG, false), &jobs(100), &Options { retries: 3, ..hasty() });
    assert!(matches!(end, End::NoProgress(_)), "{end:?}");
    assert_eq!(world.mock.requests(), 4, "one request and three retries");
}

#[test]
fn time_outs_are_tried_again() {
    let world = World::new(mock(&["silence=2@first:2"]));
    let scratch = Scratch::new("silence");
    let (end, progress) = scratch.run(&world.chat(Duration::from_millis(200), false), &jobs(5), &hasty());
    assert!(matches!(end, End::Done), "{end:?}");
    assert_eq!((progress.retries, scratch.responses()[0].attempts), (2, 3));
}

#[test]
fn streams_that_break_are_tried_again() {
    let world = World::new(mock(&["drop@20%", "half@20%", "slow=0.01@20%"]));
    let scratch = Scratch::new("streams");
    let (end, _) = scratch.run(&world.chat(LONG, true), &jobs(60), &Options { retries: 12, ..hasty() });
    assert!(matches!(end, End::Done), "{end:?}");
    assert_eq!(scratch.responses().len(), 60);
}

#[test]
fn a_budget_is_not_overrun() {
    let world = World::new(mock(&[]));
    let scratch = Scratch::new("budget");
    // A request is 4 tokens and the question with 13, the reply is the question again: 30 tokens, of which 33 times fit.
    let options = Options { budget: Some(Budget::Tokens(1000)), ..hasty() };
    let (end, progress) = scratch.run(&world.chat(LONG, false), &jobs(100), &options);
    assert!(matches!(end, End::Budget), "{end:?}");
    assert_eq!(progress.spent.tokens(), 990);
    // What was spent before counts: nothing is left for a second run.
    let before = world.mock.requests();
    let (end, _) = scratch.run(&world.chat(LONG, false), &jobs(100)[60..], &options);
    assert!(matches!(end, End::Budget), "{end:?}");
    assert_eq!(world.mock.requests() - before, 0);
}

#[test]
fn the_window_grows_only_as_far_as_the_server_bears() {
    let mut slow = mock(&[]);
    slow.delay = Duration::from_millis(20);
    let world = World::new(slow);
    let scratch = Scratch::new("window");
    let (_, progress) = scratch.run(&world.chat(LONG, false), &jobs(200), &Options { connections: 16, ..hasty() });
    assert_eq!(progress.standing.window, 16);
    // 200 requests of 20 ms are 4 s one by one; sixteen at once need less than a quarter of it even on a busy machine.
    assert!(progress.elapsed < Duration::from_secs(1), "{:?}", progress.elapsed);
}

#[test]
fn someone_stops_it() {
    let mut slow = mock(&[]);
    slow.delay = Duration::from_millis(20);
    let scratch = Scratch::new("stop");
    let open = |name: &str| fangwei_llm::folder::Log::open(&scratch.0.join(name)).expect("a log");
    let (responses, failures) = (open("responses.jsonl"), open("failures.jsonl"));
    let sinks =
        fangwei_llm::runner::Sinks { responses: &responses, failures: &failures, before: fangwei_llm::runner::Spent::default() };
    let stop = std::sync::atomic::AtomicBool::new(false);
    let watch = |progress: &fangwei_llm::runner::Progress| {
        if progress.done >= 5 {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let (end, progress) =
        fangwei_llm::runner::run(&slow, &jobs(1000), &|job| Ok(crate::question(job.index)), sinks, &hasty(), &stop, &watch);
    assert!(matches!(end, End::Stopped), "{end:?}");
    assert!(progress.done >= 5 && progress.done < 500, "{}", progress.done);
    assert_eq!(scratch.responses().len() as u64, progress.done, "what was under way came to its end and was kept");
}
