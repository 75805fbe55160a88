use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use fangwei_encoder::encoder::Sequence;
use fangwei_encoder::heads::classifier::Classifier;
use fangwei_encoder::optimise::Schedule;
use fangwei_encoder::tokenise::tokenise;

use super::*;
use crate::encoder::tests::tiny;
use crate::job::{Curve, Report, Unwatched, Watch};
use crate::options::Options;

/// A toy language: who is where. It is odd if the place is 海.
const CHARACTERS: &str = "他我猫狗在树海山床上下里";

fn sentences() -> Vec<String> {
    let sentence = |who: &str, place: &str, side: &str| format!("{who}在{place}{side}");
    let (who, places, sides) = (["他", "我", "猫", "狗狗"], ["树", "海", "山", "床"], ["上", "下", "里"]);
    let all = who.iter().flat_map(|who| places.iter().flat_map(|place| sides.iter().map(|side| sentence(who, place, side))));
    all.collect()
}

fn sequence(network: &Network, text: &str) -> Sequence {
    Sequence::new(&network.vocabulary, &tokenise(&network.vocabulary, text).ids, None)
}

fn plan(epochs: usize) -> Plan {
    Plan { epochs, batch: 8, schedule: Schedule { rate: 4e-3, head: 2.0, ..Schedule::default() }, seed: 5 }
}

fn job<'j>(
    options: &'j Options,
    folder: Option<&'j Path>,
    watch: &'j dyn Watch,
    curves: &'j Mutex<BTreeMap<String, Curve>>,
) -> Job<'j> {
    let task = fangwei::tasks::find("2022/judge").expect("is a task");
    Job::new(task, 5, options, folder, watch, curves)
}

/// Stops after some reports.
struct Impatient(AtomicUsize);

impl Watch for Impatient {
    fn report(&self, _: &Report<'_>) -> ControlFlow<()> {
        if self.0.fetch_sub(1, Ordering::Relaxed) == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn an_interrupted_training_ends_where_an_undisturbed_one_does() {
    let head = Classifier { classes: 2 };
    let mut encoder = tiny(CHARACTERS, "bert");
    // With dropout, so that its seeds are tested too.
    encoder.config.hidden_dropout_prob = 0.1;
    encoder.config.attention_probs_dropout_prob = 0.1;
    let network = Network::new(&encoder, &head, 3);
    let examples: Vec<Example<usize>> = sentences()
        .iter()
        .map(|text| Example { sequence: sequence(&network, text), gold: usize::from(text.contains('海')) })
        .collect();
    let options = Options::new(&[], []).expect("no options");
    let numbers =
        |network: &Network| network.parameters.numbers().map(|(name, _, numbers)| (name.to_owned(), numbers)).collect::<Vec<_>>();
    let curves = Mutex::default();
    let whole =
        train(&job(&options, None, &Unwatched, &curves), &head, network.clone(), &examples, &plan(3)).expect("nobody stops it");

    let folder = std::env::temp_dir().join(format!("fangwei-encoder-train-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("can be made");
    let curves = Mutex::default();
    // Three stages begin, six batches make the first epoch; it stops in the second.
    let watch = Impatient(AtomicUsize::new(11));
    let stopped = train(&job(&options, Some(&folder), &watch, &curves), &head, network.clone(), &examples, &plan(3));
    assert!(matches!(stopped, Err(PredictError::Interrupted)), "{stopped:?}");
    let kept: Vec<String> = std::fs::read_dir(&folder)
        .expect("is there")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(kept, ["epoch-1.fw"]);
    let curves = Mutex::default();
    let resumed = train(&job(&options, Some(&folder), &Unwatched, &curves), &head, network.clone(), &examples, &plan(3))
        .expect("nobody stops it");
    assert!(numbers(&resumed) == numbers(&whole), "the resumed training ended elsewhere");
    std::fs::remove_dir_all(&folder).ok();

    let curves = Mutex::default();
    let mut job = job(&options, None, &Unwatched, &curves);
    job.seed = 6;
    let other = train(&job, &head, network, &examples, &plan(3)).expect("nobody stops it");
    assert!(numbers(&other) != numbers(&whole), "another seed gave the same network");
}
