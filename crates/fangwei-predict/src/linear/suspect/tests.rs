//! Suspicion on a made-up world.

use std::collections::BTreeMap;
use std::sync::Mutex;

use fangwei::tasks;

use super::made_up::{SOUND, WRONG, family, material};
use super::passage::passages;
use super::site::{MOST_SITES, sites};
use super::*;
use crate::job::Unwatched;
use crate::material::Material;
use crate::options::Options;
use crate::weights::{Weights, Writer};

fn train(material: &Material) -> (Suspicion, HeldOut) {
    let options = Options::new(&[], []).expect("no options");
    let curves = Mutex::new(BTreeMap::new());
    let job = Job::new(tasks::find("2022/judge").expect("there is one"), 7, &options, None, &Unwatched, &curves);
    Suspicion::train_held_out(&job, &material.whole()).expect("trains")
}

#[test]
fn the_word_out_of_place_is_found_in_a_text_of_another_origin() {
    let (suspicion, _) = train(&material(60));
    let reading = Reading::new(WRONG);
    let suspects = suspicion.suspects(&reading);
    let best = &suspects.sites[suspects.best(1)[0]];
    assert_eq!(best.site.word, "下", "{suspects:?}");
    assert!((suspects.sites.iter().map(|suspect| suspect.odds).sum::<f64>() - 1.0).abs() < 1e-6);
    assert_eq!(best.rivals[0].0, "上", "{:?}", best.rivals);
    let sound = suspicion.suspects(&Reading::new(SOUND));
    assert!(sound.abnormal < suspects.abnormal, "{} {}", sound.abnormal, suspects.abnormal);
    let points = suspicion.explain(&reading);
    assert_eq!((points[0].kind, points[0].word.as_str()), ("anchor", "下"));
    assert!(points[0].parts.iter().any(|part| part.kind == "noun" && part.word == "窗台"), "{points:?}");
}

#[test]
fn what_is_kept_is_the_same_and_threads_do_not_matter() {
    let material = material(24);
    let (suspicion, held) = train(&material);
    let folder = std::env::temp_dir().join(format!("fangwei-suspect-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let file = folder.join("weights.fw");
    let mut writer = Writer::new();
    suspicion.put(&mut writer.scope("a")).expect("puts");
    held.put(&mut writer.scope("b")).expect("puts");
    writer.write(&file).expect("writes");
    let weights = Weights::open(&file).expect("opens");
    let (kept, kept_held) =
        (Suspicion::get(&weights.scope("a")).expect("gets"), HeldOut::get(&weights.scope("b")).expect("gets"));
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool").install(|| train(&material).0);
    let reading = Reading::new(&family(3)[1]);
    let suspects = suspicion.suspects(&reading);
    assert_eq!(suspects, kept.suspects(&reading));
    assert_eq!(suspects, one.suspects(&reading));
    assert_eq!(held.suspects(0, &reading), kept_held.suspects(0, &reading));
    std::fs::remove_dir_all(&folder).expect("removes its own folder");
}

#[test]
fn any_text_has_a_sound_answer() {
    // Even what learnt from nothing answers.
    let (nothing, _) = train(&material(0));
    assert!(nothing.suspects(&Reading::new("猫睡在箱子里面。")).sites.len() == 2);
    let (suspicion, _) = train(&material(8));
    for text in ["", "hello, world", "😀𠮷", "没有什么可说", &"他在屋里。".repeat(20_000)] {
        let suspects = suspicion.suspects(&Reading::new(text));
        let sum: f64 = suspects.sites.iter().map(|suspect| suspect.odds).sum();
        assert!(suspects.sites.is_empty() || (sum - 1.0).abs() < 1e-6);
        assert!((0.0..=1.0).contains(&suspects.abnormal), "{}", suspects.abnormal);
        assert!(suspects.sites.len() <= MOST_SITES);
    }
}

#[test]
fn siblings_tell_which_word_was_replaced() {
    let material = material(4);
    let passages = passages(&material.whole());
    let wrong: Vec<&str> =
        passages.iter().flat_map(|passage| passage.gold.iter().map(|(site, _)| passage.sites[*site].word.as_str())).collect();
    // Of each family the second sibling has 后 for 里, the third 下 for 上; the first is normal.
    assert_eq!(wrong, ["后", "下"].repeat(4));
    let passage = passages.iter().find(|passage| !passage.gold.is_empty()).expect("has abnormal ones");
    let number = passage.gold[0].0;
    assert_eq!((passage.before[number].as_deref(), passage.sound[number]), (Some("里"), 0.0));
}

#[test]
fn a_silent_tagger_hides_no_site() {
    let words = |text: &str| sites(&Reading::new(text)).into_iter().map(|site| site.word.to_string()).collect::<Vec<_>>();
    assert_eq!(words("猫睡在箱子里面。"), ["在", "里面"]);
    // After a verb of no motion the tagger takes 起来 for an aspect; a replaced word may look like one.
    assert!(words("他笑起来").contains(&"起来".to_owned()), "{:?}", words("他笑起来"));
    assert!(words("").is_empty());
}
