use super::*;
use crate::corpus::sketch::letter;
use rustc_hash::FxHashSet;

/// A generator of numbers for texts that are made up, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    fn character(&mut self) -> char {
        char::from_u32(0x4e00 + self.below(3000) as u32).expect("a Chinese character")
    }

    fn text(&mut self, length: usize) -> Vec<char> {
        (0..length).map(|_| self.character()).collect()
    }
}

/// The share of shingles of five letters in common, counted.
fn jaccard(one: &str, two: &str) -> f64 {
    let shingles = |text: &str| -> FxHashSet<Vec<u32>> {
        let letters: Vec<u32> = text.chars().filter_map(letter).collect();
        letters.windows(5).map(<[u32]>::to_vec).collect()
    };
    let (one, two) = (shingles(one), shingles(two));
    let shared = one.intersection(&two).count();
    shared as f64 / (one.len() + two.len() - shared) as f64
}

/// Pairs of a text and its copy with characters changed at random or a piece of the end replaced.
fn pairs(count: usize) -> Vec<(String, String)> {
    let mut random = Random(7);
    (0..count)
        .map(|_| {
            let length = 30 + random.below(200);
            let text = random.text(length);
            let mut copy = text.clone();
            if random.below(2) == 0 {
                for _ in 0..=random.below(length / 12) {
                    let at = random.below(length);
                    copy[at] = random.character();
                }
            } else {
                let keep = length - random.below(length / 2);
                for c in &mut copy[keep..] {
                    *c = random.character();
                }
            }
            (text.into_iter().collect(), copy.into_iter().collect())
        })
        .collect()
}

#[test]
fn likeness_is_close_to_the_counted_share() {
    let errors: Vec<f64> =
        pairs(4000).iter().map(|(one, two)| Print::of(one).sketch.likeness(&Print::of(two).sketch) - jaccard(one, two)).collect();
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    let deviation = (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt();
    // Two bits in 64 bins: at most sqrt(0.8 * 0.2 / 64) * 3/2 = 0.075 where all bins are used.
    assert!(mean.abs() < 0.01 && deviation < 0.075, "mean {mean:.4}, deviation {deviation:.4}");
}

#[test]
fn precision_and_recall_against_the_counted_share() {
    let pairs = pairs(4000);
    // All texts go through one memory, so that strangers have their chance to be mistaken.
    let mut seen = Seen::new(Near::From(0.7));
    for (one, _) in &pairs {
        assert_eq!(seen.see(&Print::of(one)), Verdict::First);
    }
    let told: Vec<(f64, bool)> =
        pairs.iter().map(|(one, two)| (jaccard(one, two), seen.see(&Print::of(two)) != Verdict::First)).collect();
    // How many pairs have a share in this range, and how many of them were told.
    let within = |from: f64, to: f64| {
        let pairs: Vec<bool> = told.iter().filter(|(share, _)| (from..to).contains(share)).map(|(_, told)| *told).collect();
        (pairs.iter().filter(|told| **told).count() as f64, pairs.len() as f64)
    };
    let ((right, alike), (wrong, unlike)) = (within(0.7, 1.1), within(0.0, 0.7));
    let (precision, recall) = (right / (right + wrong), right / alike);
    // A third of the pairs lie within 0.1 of the threshold, where a deviation of 0.065 decides by chance: both are 0.88.
    assert!(within(0.6, 0.8).1 > 1300.0 && alike > 1500.0 && unlike > 2000.0);
    assert!(precision > 0.87 && recall > 0.87, "precision {precision:.3}, recall {recall:.3}");
    // Beyond that the pairs of minima (0.98 at 0.8, 1 at 1) and two deviations are what is left.
    let ((sure, surely), (far, farther)) = (within(0.8, 1.1), within(0.0, 0.6));
    assert!(sure / surely > 0.98 && far / farther < 0.01, "{sure} of {surely} told, {far} of {farther} told wrongly");
    assert_eq!(within(0.0, 0.5).0, 0.0);
}

#[test]
fn strangers_are_no_duplicates() {
    let mut random = Random(3);
    let mut seen = Seen::new(Near::From(0.7));
    for _ in 0..30_000 {
        let text: String = random.text(60).into_iter().collect();
        assert_eq!(seen.see(&Print::of(&text)), Verdict::First);
    }
}

#[test]
fn exact_and_near_duplicates_are_told_apart() {
    let mut seen = Seen::new(Near::default());
    let text = "湖的北岸有一片树林，树林后面是一座小山，山顶上立着一块石碑，碑前常有人放花。";
    assert_eq!(seen.see(&Print::of(text)), Verdict::First);
    assert_eq!(seen.see(&Print::of(&text.replace('，', " , "))), Verdict::Exact);
    let changed = text.replace("北岸", "南岸");
    // Of 32 shingles 3 (all that hold the changed third letter) differ on each side: 29 / 35.
    assert!((jaccard(text, &changed) - 29.0 / 35.0).abs() < 0.02, "{}", jaccard(text, &changed));
    assert_eq!(seen.see(&Print::of(&changed)), Verdict::Near);
    let mut seen = Seen::new(Near::Off);
    assert_eq!(seen.see(&Print::of(text)), Verdict::First);
    assert_eq!(seen.see(&Print::of(&changed)), Verdict::First);
}

#[test]
fn a_passage_costs_what_is_promised() {
    let mut random = Random(5);
    let mut seen = Seen::new(Near::default());
    let (mut most, mut sum, mut samples) = (0.0_f64, 0.0, 0);
    for count in 1..=400_000_usize {
        let print = Print { letters: random.0, sketch: Print::of(&random.text(6).into_iter().collect::<String>()).sketch };
        seen.see(&print);
        // Small memories have slack that does not matter.
        if count > 100_000 && count % 1000 == 0 {
            let bytes = seen.bytes() as f64 / count as f64;
            most = most.max(bytes);
            sum += bytes;
            samples += 1;
        }
    }
    let mean = sum / f64::from(samples);
    assert!(most < 90.0 && mean < 75.0, "at most {most:.1}, on average {mean:.1}");
}

#[test]
fn a_phrase_that_all_share_does_not_slow_the_search() {
    let mut seen = Seen::new(Near::From(0.9));
    let mut random = Random(11);
    let phrase: String = random.text(40).into_iter().collect();
    for _ in 0..20_000 {
        let own: String = random.text(40).into_iter().collect();
        seen.see(&Print::of(&format!("{phrase}{own}")));
    }
    for band in &seen.bands {
        let mut keys: Vec<u32> = (0..seen.sketches.count).map(|number| band.key(seen.sketches.get(number))).collect();
        keys.sort_unstable();
        let biggest = keys.chunk_by(|one, two| one == two).map(<[u32]>::len).max();
        // The phrase makes buckets that would hold hundreds.
        assert!(biggest > Some(MOST_OF_BUCKET) && band.used < seen.sketches.count, "{biggest:?}");
    }
}
