use std::collections::BTreeSet;

use super::*;
use crate::corpus::tag::Tagger;
use crate::corpus::{Passage, Word};
use crate::lexicon::Lexicon;

fn tagger() -> &'static Tagger {
    static TAGGER: std::sync::OnceLock<Tagger> = std::sync::OnceLock::new();
    TAGGER.get_or_init(|| Tagger::new(Lexicon::shipped()))
}

fn passage(id: &str, text: &str) -> Passage {
    let (words, doubts) = tagger().tag(text);
    Passage { id: id.into(), genre: "news".into(), source: "news/01.txt".into(), line: 1, text: text.to_owned(), words, doubts }
}

fn run(originals: &[Passage], config: &Config) -> (Vec<Candidate>, Funnel) {
    substitute(originals, Lexicon::shipped(), config, &[], || ()).expect("nothing is kept")
}

/// Everything that rules and groups allow: the caps are out of the way.
fn wide() -> Config {
    Config { single: 10_000, double: 0, per_place: 10_000, per_pair: 0, ..Config::default() }
}

fn pairs(text: &str, config: &Config) -> (BTreeSet<(String, String)>, Funnel) {
    let (candidates, funnel) = run(&[passage("a", text)], config);
    let pair = |candidate: &Candidate| (candidate.replaced[0].from.to_string(), candidate.replaced[0].to.to_string());
    (candidates.iter().map(pair).collect(), funnel)
}

fn has(pairs: &BTreeSet<(String, String)>, from: &str, to: &str) -> bool {
    pairs.contains(&(from.to_owned(), to.to_owned()))
}

#[test]
fn a_word_of_two_classes_is_replaced_in_the_class_in_which_it_stands() {
    let (both, _) = pairs("小林爬上屋顶，把旗子插在桌上。", &wide());
    // After the verb 上 is a direction, after the noun a locative; only locatives become 里.
    assert!(has(&both, "上", "下") && has(&both, "上", "里"), "{both:?}");
    let (one, _) = pairs("小林爬上屋顶。", &wide());
    assert!(has(&one, "上", "下") && !has(&one, "上", "里") && !has(&one, "上", "中"), "{one:?}");
}

/// A text whose words a rule puts aside, and a near miss that it leaves.
const WORD_RULES: [(&str, &str, &str); 6] = [
    ("mentioned", "老师写下“里”字。", "老师走进“屋里”看看。"),
    ("abstract-noun", "他在思想上很进步。", "他在桌子上很进步。"),
    ("temporal", "春节前他住在这个村子里。", "桥前有一个村子。"),
    ("not-spatial", "他忽然想起来了。", "他忽然站起来了。"),
    ("doubtful", "他来。", "他走进屋里来。"),
    ("paired", "门里门外站满了人。", "门里站满了人。"),
];

#[test]
fn each_rule_on_words_puts_its_example_aside_and_leaves_the_near_miss() {
    for (name, hit, miss) in WORD_RULES {
        let dropped = |text: &str| pairs(text, &wide()).1.words_dropped.get(name).copied().unwrap_or(0);
        assert!(dropped(hit) > 0, "{name} should drop a word of {hit}: {:?}", tagger().tag(hit));
        assert_eq!(dropped(miss), 0, "{name} should drop nothing of {miss}: {:?}", tagger().tag(miss));
    }
}

/// A text, a substitution that a rule forbids there, and one that it lets through. Rules without a text are tested word by word below.
const SUBSTITUTION_RULES: [(&str, Option<[&str; 5]>); 6] = [
    ("repeats-neighbour", None),
    ("makes-a-word", Some(["他把书拿在手里。", "里", "下", "里", "边"])),
    ("becomes-temporal", Some(["他走进屋里看书。", "里", "后", "里", "外"])),
    ("no-place-follows", None),
    ("after-verb", Some(["车停在路边。", "在", "沿", "在", "到"])),
    ("second-direction", None),
];

#[test]
fn each_rule_on_substitutions_forbids_its_example_only() {
    for (name, example) in SUBSTITUTION_RULES {
        let Some([text, from, forbidden, other, allowed]) = example else { continue };
        let (with, _) = pairs(text, &wide());
        let (without, _) = pairs(text, &Config { without: vec![name.to_owned()], ..wide() });
        assert!(
            !has(&with, from, forbidden) && has(&without, from, forbidden),
            "{name}: {from} → {forbidden} in {text}; {without:?}"
        );
        assert!(has(&with, other, allowed), "{name}: {other} → {allowed} in {text}; {with:?}");
    }
    let tested = WORD_RULES.map(|rule| rule.0).into_iter().chain(SUBSTITUTION_RULES.map(|rule| rule.0));
    assert_eq!(tested.collect::<Vec<_>>(), RULES.iter().map(|rule| rule.name).collect::<Vec<_>>(), "a rule without its test");
}

#[test]
fn no_place_of_an_abstract_thing_is_replaced() {
    for text in ["他在指导思想上犯了错误。", "记忆的深处有一座桥。", "她的心里边藏着一件事。"] {
        let (made, funnel) = pairs(text, &wide());
        let places = made.iter().filter(|(from, _)| ["上", "深处", "边", "里"].contains(&from.as_str())).count();
        assert!(places == 0 && funnel.words_dropped["abstract-noun"] > 0, "{text}: {made:?} {:?}", tagger().tag(text));
    }
    let config = Config { without: vec!["abstract-noun".to_owned()], ..Config::default() };
    assert!(config.check().is_err(), "the rule cannot be left out");
}

/// A passage given word by word, so that a test does not depend on the tagger.
fn written(words: &[(&str, &str, Option<Class>)]) -> Passage {
    let words: Vec<Word> =
        words.iter().map(|(text, pos, class)| Word { text: (*text).into(), pos: (*pos).into(), class: *class }).collect();
    let text = words.iter().map(|word| word.text.as_str()).collect();
    Passage { id: "a".into(), genre: "news".into(), source: "a.txt".into(), line: 1, text, words, doubts: Vec::new() }
}

#[test]
fn neighbours_are_not_repeated_and_a_direction_before_lai_keeps_its_kind() {
    let texts = |passage: &Passage, config: &Config| -> Vec<String> {
        let (candidates, _) = run(std::slice::from_ref(passage), config);
        candidates.into_iter().map(|candidate| candidate.context).collect()
    };
    // 进 next to 出: 出出 would repeat its neighbour.
    let passage = written(&[
        ("他", "r", None),
        ("走", "v", Some(Class::Verb)),
        ("进", "vf", Some(Class::Directional)),
        ("出", "v", None),
        ("口", "n", None),
    ]);
    assert!(!texts(&passage, &wide()).contains(&"他走出出口".to_owned()));
    assert!(
        texts(&passage, &Config { without: vec!["repeats-neighbour".to_owned()], ..wide() }).contains(&"他走出出口".to_owned())
    );
    // 从 at the end of a clause has no place after it.
    let passage = written(&[("他", "r", None), ("从", "p", Some(Class::Preposition)), ("，", "x", None)]);
    assert!(texts(&passage, &wide()).is_empty());
    assert!(!texts(&passage, &Config { without: vec!["no-place-follows".to_owned()], ..wide() }).is_empty());
    // 来 before 去 gives way to nothing of its own kind.
    let passage =
        written(&[("他", "r", None), ("跑", "v", Some(Class::Verb)), ("开", "vf", Some(Class::Directional)), ("来", "v", None)]);
    assert!(!texts(&passage, &wide()).contains(&"他跑拢来".to_owned()));
    assert!(texts(&passage, &Config { without: vec!["second-direction".to_owned()], ..wide() }).contains(&"他跑拢来".to_owned()));
}

fn corpus() -> Vec<Passage> {
    let texts = [
        "外婆坐在门槛上剥豆子，豆荚扔进脚边的竹篮里，黄狗趴在她身旁。",
        "小松鼠从树洞里探出头来，看见地上有一颗松果，又爬回树洞中去了。",
        "老周把三轮车停在菜市场门口，从车斗里取出扫帚，沿着人行道清扫。",
        "湖中央有一座小岛，岛上建有一座灯塔，渡船从南岸开到岛上来。",
    ];
    texts.iter().enumerate().map(|(number, text)| passage(&format!("p{number}"), text)).collect()
}

#[test]
fn caps_hold_for_originals_places_and_pairs() {
    let config = Config { single: 5, double: 2, per_place: 2, per_pair: 1, ..Config::default() };
    let (candidates, funnel) = run(&corpus(), &config);
    for passage in corpus() {
        let own: Vec<&Candidate> = candidates.iter().filter(|candidate| candidate.origin == passage.id).collect();
        let single: Vec<&&Candidate> = own.iter().filter(|candidate| candidate.replaced.len() == 1).collect();
        assert!(single.len() <= 5 && own.len() - single.len() <= 2, "{}", own.len());
        for one in &single {
            let place = single
                .iter()
                .filter(|other| other.replaced[0].at == one.replaced[0].at && other.replaced[0].from == one.replaced[0].from);
            assert!(place.count() <= 2);
        }
    }
    let all: Vec<(&str, &str)> = candidates
        .iter()
        .flat_map(|candidate| &candidate.replaced)
        .map(|replaced| (replaced.from.as_str(), replaced.to.as_str()))
        .collect();
    assert_eq!(all.len(), all.iter().collect::<BTreeSet<_>>().len(), "no pair more than once");
    assert_eq!(funnel.pairs, all.len());
    assert_eq!(funnel.single + funnel.double, candidates.len());
    assert!(funnel.double > 0 && funnel.used == 4);
}

#[test]
fn a_candidate_leads_back_to_its_original() {
    let originals = corpus();
    let (candidates, _) = run(&originals, &Config::default());
    let mut ids = BTreeSet::new();
    for candidate in &candidates {
        assert!(ids.insert(candidate.id.clone()), "{} twice", candidate.id);
        let original = originals.iter().find(|passage| passage.id == candidate.origin).expect("its original");
        let mut restored: Vec<char> = candidate.context.chars().collect();
        for replaced in candidate.replaced.iter().rev() {
            let here = replaced.at..replaced.at + replaced.to.chars().count();
            assert_eq!(restored[here.clone()].iter().collect::<String>(), replaced.to.as_str());
            restored.splice(here, replaced.from.chars());
        }
        assert_eq!(restored.iter().collect::<String>(), original.text);
    }
}

#[test]
fn the_same_seed_gives_the_same_candidates_and_another_gives_others() {
    let made = |seed| run(&corpus(), &Config { seed, ..Config::default() }).0;
    assert_eq!(made(1), made(1));
    assert_ne!(made(1), made(2));
}

#[test]
fn annotators_see_neither_the_replaced_word_nor_the_origin() {
    let (candidates, _) = run(&corpus(), &Config::default());
    let all: Vec<&Candidate> = candidates.iter().collect();
    let (items, key) = blind(&all, 1);
    assert_eq!(items.len(), candidates.len());
    let line = serde_json::to_string(&items[0]).expect("is plain");
    assert_eq!(line, format!("{{\"qid\":\"{}\",\"context\":\"{}\"}}", items[0].qid, items[0].context));
    for (item, key) in items.iter().zip(&key) {
        let candidate = candidates.iter().find(|candidate| candidate.id == key.id).expect("the key's candidate");
        assert_eq!((&item.qid, &item.context), (&key.qid, &candidate.context));
        assert!(!item.qid.contains(candidate.origin.as_str()));
    }
    // Names do not depend on the other candidates.
    let (fewer, _) = blind(&all[..3], 1);
    assert!(fewer.iter().all(|item| items.contains(item)), "the same names for the same candidates");
    assert_eq!(fresh(&candidates, &candidates[..3]), all[3..], "and nothing is given out twice");
    let ids = || candidates.iter().map(|candidate| candidate.id.as_str());
    assert_eq!((repeated(ids()), repeated(ids().chain(ids().skip(2)))), (None, ids().nth(2)));
    // Four origins, each round holds one of each: no two siblings beside each other.
    let origin =
        |at: usize| candidates.iter().find(|candidate| candidate.id == key[at].id).map(|candidate| candidate.origin.clone());
    let rounds = 4 * candidates.iter().filter(|candidate| candidate.origin == "p0").count().min(3);
    let touching = (1..rounds).filter(|at| origin(*at) == origin(at - 1)).count();
    assert!(touching <= rounds / 4, "{touching} siblings touch");
}

#[test]
fn candidates_that_were_given_out_stay_and_must_fit() {
    let (first, _) = run(&corpus(), &Config { seed: 1, single: 3, double: 1, ..Config::default() });
    let keep = &first[..5];
    let config = Config { seed: 2, single: 3, double: 1, ..Config::default() };
    let (second, funnel) = substitute(&corpus(), Lexicon::shipped(), &config, keep, || ()).expect("they fit");
    assert!(keep.iter().all(|kept| second.contains(kept)), "kept candidates are there as they were");
    assert_eq!((funnel.kept, funnel.single, funnel.double), (5, 4 * 3, 4), "and count towards the caps");
    let mut originals = corpus();
    originals[0].text = originals[0].text.replace("外婆", "外公");
    let misfit = substitute(&originals, Lexicon::shipped(), &config, keep, || ()).expect_err("the original changed");
    assert!(misfit.to_string().contains("外公"), "{misfit}");
}
