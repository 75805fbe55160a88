//! Properties of the whole step on made-up corpora: a subset in its order, shares within one, sums that add up, the same on any number of threads.

use fangwei::select::Config;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{Oracle, config, line, passage, select};

pub const GENRES: [&str; 4] = ["news", "literature", "sport", "other"];

/// Sentences of which some pass and some fall at different criteria.
pub const TEXTS: [&str; 8] = [
    "渔夫把小船拴在码头旁边的木桩上，提着水桶走上石阶。",
    "鸽子从钟楼顶上飞下来，落到喷泉边的石凳上。",
    "守门员从门线上冲出来，在禁区外面把皮球踢到看台上。",
    "她从抽屉里取出钥匙，打开靠墙的柜子，把外套挂进里面。",
    "大家都同意这个意见，没有人再说什么。",
    "他从这边走过去，又从那边走回来。",
    "“孩子把风筝挂到了树上，爷爷搬来梯子爬上去。",
    "货车停在仓库门口，工人们把箱子一个个搬进来",
];

pub fn corpus() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    prop::collection::vec((0..GENRES.len(), 0..TEXTS.len(), 0..3_usize), 1..60)
}

pub fn choice() -> impl Strategy<Value = Config> {
    let shares = prop::collection::btree_map(0..GENRES.len(), 0..5_u8, 0..4);
    (shares, prop::option::of(0..40_u64), prop::option::of(1..10_u64), any::<u64>()).prop_map(
        |(shares, total, per_source, seed)| Config {
            shares: shares.into_iter().map(|(genre, parts)| (GENRES[genre].to_owned(), f64::from(parts))).collect(),
            total,
            per_source,
            seed,
            ..config()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, rng_seed: RngSeed::Fixed(2023), ..ProptestConfig::default() })]

    #[test]
    fn what_is_kept(corpus in corpus(), mut config in choice()) {
        // Only genres that are there can have a share, and one must have some.
        config.shares.retain(|genre, _| corpus.iter().any(|(number, ..)| GENRES[*number] == genre));
        if config.shares.values().sum::<f64>() == 0.0 {
            config.shares.clear();
        }
        let lines: Vec<String> = corpus
            .iter()
            .enumerate()
            .map(|(number, (genre, text, source))| {
                line(&passage(&format!("{}/{source}#{number}", GENRES[*genre]), GENRES[*genre], TEXTS[*text]))
            })
            .collect();
        let (outcome, kept) = select(&lines.join("\n"), &config, Some(&Oracle(false))).expect("selects");

        // A subset, in the order of the input.
        let mut rest = lines.iter();
        prop_assert!(kept.iter().all(|one| rest.any(|line| line == one)));

        // The funnel sums to the input, for every genre.
        let mut all = 0;
        for (genre, tally) in &outcome.funnel.genres {
            let fell: u64 = tally.cuts().map(|(_, fell)| fell).sum();
            prop_assert_eq!(tally.passages, fell + tally.kept, "{}", genre);
            all += tally.passages;
        }
        prop_assert_eq!(all, lines.len() as u64);
        let total = outcome.funnel.total();
        prop_assert_eq!(total.kept, kept.len() as u64);
        prop_assert!(config.total.is_none_or(|most| total.kept <= most));
        // The first four texts pass every criterion, the others none.
        let passing = corpus.iter().filter(|(_, text, _)| *text < 4).count() as u64;
        prop_assert_eq!(total.passages - total.fell.iter().sum::<u64>(), passing);

        // Genres with a share keep it within one passage.
        let kept_of = |genre: &str| outcome.funnel.genres[genre].kept as f64;
        let parts: f64 = config.shares.values().sum();
        let shared: f64 = config.shares.keys().map(|genre| kept_of(genre)).sum();
        for (genre, part) in &config.shares {
            prop_assert!((kept_of(genre) - shared * part / parts).abs() < 1.0 + 1e-9, "{} {:?}", genre, outcome.funnel);
        }
        // And no more could be kept: the genre that is short is used up, or the total is reached.
        match &outcome.short {
            Some(genre) => prop_assert!(outcome.funnel.genres[genre].over_share <= 1),
            None => prop_assert!(config.shares.is_empty() || config.total.is_some_and(|total| shared as u64 == total)),
        }

        // The same on one thread.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        let (again, kept_again) = pool.install(|| select(&lines.join("\n"), &config, Some(&Oracle(false)))).expect("selects");
        prop_assert_eq!(kept, kept_again);
        prop_assert_eq!(outcome.funnel, again.funnel);
    }
}

#[test]
fn another_seed_draws_others() {
    let lines: Vec<String> = (0..60).map(|number| line(&passage(&format!("a#{number}"), "news", TEXTS[number % 4]))).collect();
    let draw = |seed| {
        let config = Config { seed, total: Some(20), ..config() };
        select(&lines.join("\n"), &config, Some(&Oracle(false))).expect("selects").1
    };
    assert_eq!(draw(1), draw(1));
    // Two draws of 20 from 60 have 6.7 in common on average, and with a standard deviation below 2 never all.
    let (one, other) = (draw(1), draw(2));
    let common = one.iter().filter(|line| other.contains(line)).count();
    assert!((1..=14).contains(&common), "{common}");
}
