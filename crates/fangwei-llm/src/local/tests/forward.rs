//! One pass over all positions, against a reference, against one token at a time, and against each other.

use candle_core::quantized::GgmlDType;
use candle_core::{Device, Tensor};

use super::super::attention::Turns;
use super::super::cache::Cache;
use super::super::model::Run;
use super::{Chance, Tiny, reference};
use crate::local::Local;

/// The logits of all positions, from one pass.
fn at_once(local: &Local, tokens: &[u32]) -> Vec<Vec<f32>> {
    let mut cache = Cache::default();
    let rows = local.model.read(&mut [Run { tokens, cache: &mut cache }]).expect("read");
    assert_eq!(cache.len(), tokens.len());
    local.model.logits(&rows).expect("logits")
}

fn widest(a: &[Vec<f32>], b: &[Vec<f32>]) -> f32 {
    assert_eq!((a.len(), a[0].len()), (b.len(), b[0].len()));
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

fn some_tokens(count: usize) -> Vec<u32> {
    let mut chance = Chance(3);
    (0..count).map(|_| (chance.next() * 260.0) as u32).collect()
}

#[test]
fn equals_the_reference_at_every_position() {
    // 150 tokens are more than look back at a time.
    for (tiny, tokens) in
        [(Tiny::random(), some_tokens(150)), (Tiny::new(1, 64, 32, 9), some_tokens(7)), (Tiny::saying("a"), some_tokens(5))]
    {
        let expected = reference::logits(&tiny, &tokens);
        let spread = expected.iter().flatten().fold(0.0_f32, |most, logit| most.max(logit.abs()));
        assert!(spread > 0.5, "the logits are not all nothing: {spread}");
        let found = at_once(&tiny.load(), &tokens);
        assert!(widest(&found, &expected) < 1e-4, "{}", widest(&found, &expected));
    }
}

#[test]
fn one_pass_equals_one_token_at_a_time() {
    let (local, tokens) = (Tiny::random().load(), some_tokens(40));
    let together = at_once(&local, &tokens);
    let mut cache = Cache::default();
    let alone: Vec<Vec<f32>> = tokens
        .iter()
        .flat_map(|token| {
            let rows = local.model.read(&mut [Run { tokens: &[*token], cache: &mut cache }]).expect("read");
            local.model.logits(&rows).expect("logits")
        })
        .collect();
    assert!(widest(&together, &alone) < 1e-4, "{}", widest(&together, &alone));
    // From the middle on, and twice from the same middle.
    let half = cache.first(20).expect("a part");
    for _ in 0..2 {
        let mut cache = half.clone();
        let rows = local.model.read(&mut [Run { tokens: &tokens[20..], cache: &mut cache }]).expect("read");
        assert!(widest(&local.model.logits(&rows).expect("logits"), &together[20..]) < 1e-4);
    }
}

#[test]
fn nobody_looks_ahead() {
    let (local, mut tokens) = (Tiny::random().load(), some_tokens(30));
    let before = at_once(&local, &tokens);
    tokens[20] = (tokens[20] + 1) % 200;
    let after = at_once(&local, &tokens);
    assert!(widest(&before[..20], &after[..20]) < 1e-6, "what came earlier does not change");
    for at in 20..30 {
        assert!(widest(&before[at..=at], &after[at..=at]) > 1e-3, "position {at} sees the change");
    }
}

#[test]
fn several_texts_in_one_pass() {
    let local = Tiny::random().load();
    let texts = [some_tokens(17), some_tokens(3), some_tokens(25).split_off(9)];
    let mut caches = vec![Cache::default(); 3];
    // The last goes on from its first five tokens.
    local.model.read(&mut [Run { tokens: &texts[2][..5], cache: &mut caches[2] }]).expect("read");
    let rests = [&texts[0][..], &texts[1][..], &texts[2][5..]];
    let mut runs: Vec<Run<'_>> = rests.iter().zip(&mut caches).map(|(tokens, cache)| Run { tokens, cache }).collect();
    let rows = local.model.read(&mut runs).expect("read");
    let found = local.model.logits(&rows).expect("logits");
    let alone: Vec<Vec<f32>> =
        texts.iter().zip([0, 0, 5]).flat_map(|(text, from)| at_once(&local, text).split_off(from)).collect();
    assert!(widest(&found, &alone) < 1e-4, "{}", widest(&found, &alone));
}

#[test]
fn turns_tell_distances() {
    let of = Tiny::random().load().dimensions().clone();
    let mut chance = Chance(5);
    let vector: Vec<f32> = (0..2 * of.head).map(|_| chance.next() - 0.5).collect();
    // The product of a query at one position with a key at another.
    let product = |query: usize, key: usize| -> f32 {
        let turned = |at: usize, numbers: &[f32]| -> Vec<f32> {
            let head = Tensor::from_slice(numbers, (1, 1, of.head), &Device::Cpu).expect("a head");
            let turned = Turns::new([at].into_iter(), &of).expect("turns").turn(&head).expect("turned");
            turned.flatten_all().expect("flat").to_vec1().expect("numbers")
        };
        let (query, key) = (turned(query, &vector[..of.head]), turned(key, &vector[of.head..]));
        query.iter().zip(&key).map(|(a, b)| a * b).sum()
    };
    assert!((product(3, 1) - product(93, 91)).abs() < 1e-5, "only the distance counts");
    assert!((product(3, 1) - product(3, 2)).abs() > 1e-3, "another distance is another product");
    assert!((product(3, 1) - product(1, 3)).abs() > 1e-3, "before is not after");
}

#[test]
fn quantised_files_come_close() {
    use GgmlDType::{BF16, F16, Q4_0, Q4K, Q5K, Q6K, Q8_0};
    let tokens = some_tokens(40);
    let size = |rows: &[Vec<f32>]| rows.iter().flatten().map(|x| f64::from(x * x)).sum::<f64>().sqrt();
    // The error as a share of the logits, in the square mean. Random matrices are the worst case: none of their numbers is small beside its neighbours.
    for (tiny, kinds) in [
        (Tiny::random(), &[(F16, 0.001), (BF16, 0.01), (Q8_0, 0.025), (Q4_0, 0.25)][..]),
        // Types of 256 numbers to a block, of which files for small machines are made.
        (Tiny::new(1, 256, 512, 11), &[(Q8_0, 0.025), (Q6K, 0.05), (Q5K, 0.1), (Q4K, 0.2)]),
    ] {
        let exact = at_once(&tiny.load(), &tokens);
        for (kind, bound) in kinds {
            let found = at_once(&tiny.load_as(*kind), &tokens);
            let apart = |(found, exact): (&Vec<f32>, &Vec<f32>)| found.iter().zip(exact).map(|(a, b)| a - b).collect();
            let error = size(&found.iter().zip(&exact).map(apart).collect::<Vec<_>>()) / size(&exact);
            assert!(error > 0.0 && error < *bound, "{kind:?}: {error}");
        }
    }
}

#[test]
fn more_than_the_context_is_refused() {
    let local = Tiny::random().load();
    let tokens = some_tokens(257);
    let read = |tokens| local.model.read(&mut [Run { tokens, cache: &mut Cache::default() }]).map(|_| ());
    assert!(read(&tokens[..256]).is_ok());
    let error = read(&tokens).expect_err("too long").to_string();
    assert_eq!(error, "expected at most 256 tokens (the context of the model), found 257");
}
