//! Bits of texts and of words against their rivals.

use fangwei::corpus::tag::Tagger;
use fangwei::lexicon::{Class, Lexicon};

use super::super::cache::Cache;
use super::super::model::Run;
use super::Tiny;

const TEXT: &str = "小猫跳到桌子上，看着箱子里的鱼。";

#[test]
fn bits_are_the_logarithm_of_the_product_of_shares() {
    let local = Tiny::random().load();
    let surprises = local.surprisal(TEXT).expect("bits");
    let ids = local.vocabulary.tokens(TEXT).expect("tokens").ids;
    let input: Vec<u32> = std::iter::once(local.vocabulary.text_end).chain(ids.iter().copied()).collect();
    let rows = local.model.read(&mut [Run { tokens: &input, cache: &mut Cache::default() }]).expect("read");
    let logits = local.model.logits(&rows).expect("logits");
    let mut product = 1.0_f64;
    for (logits, id) in logits.iter().zip(&ids) {
        let powers: Vec<f64> = logits.iter().map(|logit| f64::from(*logit).exp()).collect();
        product *= powers[*id as usize] / powers.iter().sum::<f64>();
    }
    let bits: f64 = surprises.iter().map(|surprise| surprise.bits).sum();
    assert!((bits + product.log2()).abs() < 1e-3, "{bits} and {}", -product.log2());
    assert_eq!(surprises.len(), ids.len());
}

#[test]
fn a_case_told_by_hand() {
    // Rows are ones at place `t` modulo 32, so 272 tokens share 32 places: places below 16 have nine tokens, the others eight. A row and its like have the
    // product √32 after the norm, all others nothing. `!` is token 33 at place 1; what begins a text is token 263 at place 7: 256 bytes are before it, four
    // characters, and three halves of them, for 上 and 下 begin alike.
    let local = Tiny::plain().load();
    assert_eq!(local.vocabulary.text_end, 263);
    let all = 9.0 * 32_f64.sqrt().exp() + 263.0;
    let (same, other) = ((all / 32_f64.sqrt().exp()).log2(), all.log2());
    let bits: Vec<f64> = local.surprisal("!!").expect("bits").iter().map(|surprise| surprise.bits).collect();
    // The first stands after the mark at place 7, the second after its like.
    assert!((bits[0] - other).abs() < 1e-3 && (bits[1] - same).abs() < 1e-3, "{bits:?}, expected {other} and {same}");
}

#[test]
fn tokens_know_their_characters() {
    let local = Tiny::random().load();
    let spans: Vec<_> = local.surprisal("a猫里b").expect("bits").into_iter().map(|surprise| surprise.characters).collect();
    // 猫 is three bytes, 里 one token.
    assert_eq!(spans, [0..1, 1..2, 1..2, 1..2, 2..3, 3..4]);
    assert_eq!(local.surprisal("").expect("nothing"), []);
}

#[test]
fn texts_that_begin_alike_share_what_was_read() {
    let local = Tiny::random().load();
    let read = local.read(TEXT).expect("read");
    let texts = [
        TEXT.replace('上', "下"),
        TEXT.replace('里', "旁边"),
        TEXT.replace("。", ""),
        format!("{TEXT}真好"),
        TEXT.to_owned(),
        "门外有人".to_owned(),
        String::new(),
    ];
    let together = local.totals(&read, &texts).expect("bits");
    for (text, total) in texts.iter().zip(together) {
        let alone = local.read(text).expect("read").total();
        assert!((total - alone).abs() < 1e-2, "{text}: {total} and {alone}");
    }
}

#[test]
fn words_are_weighed_against_their_rivals() {
    let (local, lexicon) = (Tiny::random().load(), Lexicon::shipped());
    let weighed = local.weigh(TEXT, &Tagger::new(lexicon), lexicon).expect("weighed");
    let total = |text: &str| local.surprisal(text).expect("bits").iter().map(|surprise| surprise.bits).sum::<f64>();
    assert!((weighed.bits - total(TEXT)).abs() < 1e-6);
    assert_eq!((weighed.characters, weighed.per_character), (16, weighed.bits / 16.0));
    let on = weighed.words.iter().find(|word| word.word == "上").expect("a locative");
    assert_eq!((on.class, on.at), (Class::Locative, 6));
    let tokens = local.surprisal(TEXT).expect("bits");
    let own = tokens.iter().find(|token| token.characters == (6..7)).expect("one token");
    assert_eq!(on.bits, own.bits);
    let expected: std::collections::BTreeSet<&str> =
        lexicon.rivals("上", Class::Locative).iter().map(|rival| rival.word.as_str()).collect();
    assert_eq!(on.rivals.iter().map(|rival| rival.word.as_str()).collect::<std::collections::BTreeSet<_>>(), expected);
    for rival in &on.rivals {
        let bits = total(&TEXT.replace('上', &rival.word)) - weighed.bits;
        assert!((rival.bits - bits).abs() < 1e-2, "{}: {} and {bits}", rival.word, rival.bits);
    }
    assert!(on.rivals.is_sorted_by(|a, b| a.bits <= b.bits), "the best first");
    assert_eq!(on.rank, 1 + on.rivals.iter().filter(|rival| rival.bits < 0.0).count());
    assert_eq!(on.gap, -on.rivals[0].bits);
    let gap = weighed.gap().expect("words");
    assert!(weighed.is_abnormal(gap - 0.1) && !weighed.is_abnormal(gap));
    let none = local.weigh("好。", &Tagger::new(lexicon), lexicon).expect("weighed");
    assert!(none.words.is_empty() && !none.is_abnormal(-1e9), "nothing to doubt");
}
