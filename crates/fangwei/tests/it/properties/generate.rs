//! Made-up items with gold and predictions for every task: sane ones, as an annotator writes them, and noisy ones, as systems do.
//!
//! The text has forty different characters, so that a fragment's characters tell its places; noise repeats characters, indexes and roles,
//! leaves the text and the task's words, copies gold, and puts coreferent mentions for entities.

use fangwei::answer::{
    Answer, DraftReason, Element, Fragment, Graph, Part, Reason, ReasonType, RoleFragment, Scene, Slot, Verdict,
};
use fangwei::record::Json;
use fangwei::task::{Corefs, Item, Task, Texts};
use fangwei::tasks::{LABEL_SLOTS, ROLES, SLOTS, labels_of};
use fangwei::text::{NOWHERE, Span};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use smol_str::SmolStr;

/// How many characters the text has.
const LENGTH: u32 = 40;

/// What a prediction may look like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Noise {
    /// Obeys the task's rules.
    Sane,
    /// Anything that a file can hold and the reader keeps.
    Noisy,
}

/// Items and what a system says about them.
#[derive(Clone, Debug)]
pub struct Set {
    /// With gold.
    pub items: Vec<Item>,
    /// One an item; `None` is not answered.
    pub preds: Vec<Option<Answer>>,
}

impl Set {
    /// Items and predictions in pairs, for the scorer.
    pub fn pairs(&self) -> Vec<(&Item, Option<&Answer>)> {
        self.items.iter().zip(self.preds.iter().map(Option::as_ref)).collect()
    }

    /// The same items, answered by their gold.
    pub fn with_gold_as_preds(mut self) -> Set {
        self.preds = self.items.iter().map(|item| item.gold.clone()).collect();
        self
    }
}

fn character(idx: u32) -> char {
    char::from_u32(0x4e00 + 7 * idx).expect("a CJK character")
}

fn context() -> SmolStr {
    (0..LENGTH).map(character).collect::<String>().into()
}

/// The fragment at these places of the text.
pub fn fragment_at(places: impl IntoIterator<Item = u32>) -> Fragment {
    let places: Vec<u32> = places.into_iter().collect();
    Fragment { text: places.iter().map(|idx| character(*idx)).collect::<String>().into(), span: places.into_iter().collect() }
}

/// One to four rising places, in one piece or several.
fn sane_fragment() -> impl Strategy<Value = Fragment> {
    proptest::collection::btree_set(0..LENGTH, 1..5).prop_map(fragment_at)
}

/// Unsorted, repeated, outside, huge, nowhere, nothing; a text that has little to do with it.
fn noisy_fragment() -> impl Strategy<Value = Fragment> {
    let idx = prop_oneof![6 => 0..LENGTH, 1 => LENGTH..LENGTH + 9, 1 => Just(NOWHERE - 1), 1 => NOWHERE..NOWHERE + 3];
    let text = vec(select(vec!['上', '下', '里', character(3), character(4)]), 0..6).prop_map(String::from_iter);
    (vec(idx, 0..6), text).prop_map(|(idxes, text)| Fragment { text: text.into(), span: Span::from_iter(idxes) })
}

fn fragment(noise: Noise) -> BoxedStrategy<Fragment> {
    match noise {
        Noise::Sane => sane_fragment().boxed(),
        Noise::Noisy => prop_oneof![sane_fragment(), noisy_fragment()].boxed(),
    }
}

fn verdict(noise: Noise, odd: fn(bool) -> Verdict) -> BoxedStrategy<Verdict> {
    let odd_too = noise == Noise::Noisy;
    (any::<bool>(), 0..4).prop_map(move |(value, n)| if odd_too && n == 0 { odd(value) } else { Verdict::Plain(value) }).boxed()
}

/// Fragments in roles: each role at most once, or any role any number of times.
fn parts(roles: &'static [&'static str], noise: Noise) -> BoxedStrategy<Vec<RoleFragment>> {
    let part = |(role, fragment): (&str, Fragment)| RoleFragment { role: role.into(), fragment };
    let filled = move |names: Vec<&'static str>| {
        let count = names.len();
        vec(fragment(noise), count).prop_map(move |fragments| names.iter().copied().zip(fragments).map(part).collect::<Vec<_>>())
    };
    let sane = subsequence(roles, 1..=roles.len()).prop_flat_map(filled);
    if noise == Noise::Sane {
        return sane.boxed();
    }
    let names = [roles, &["X", ""]].concat();
    prop_oneof![sane, vec(select(names), 0..8).prop_flat_map(filled)].boxed()
}

const SIX: &[&str] = &["S1", "P1", "E1", "S2", "P2", "E2"];

fn reason(noise: Noise) -> BoxedStrategy<Reason> {
    let of = move |kind: ReasonType| {
        let roles: &'static [&'static str] = match kind {
            ReasonType::A => &["text1", "text2"],
            ReasonType::B => SIX,
            ReasonType::C => &["S", "P", "E"],
        };
        parts(roles, noise).prop_map(move |fragments| Reason { kind, fragments })
    };
    select(ReasonType::ALL.to_vec()).prop_flat_map(of).boxed()
}

fn slot(number: usize, noise: Noise) -> BoxedStrategy<Slot> {
    let labels = LABEL_SLOTS.iter().find(|(slot, _)| *slot == number).map(|(_, labels)| *labels);
    let sane = match labels {
        Some(labels) => select(labels.to_vec()).prop_map(|label| Slot::Label(label.into())).boxed(),
        None => fragment(noise).prop_map(Slot::Fragment).boxed(),
    };
    let entity = if number == 0 { 9 } else { 2 };
    match noise {
        Noise::Sane if number == 0 => sane,
        Noise::Sane => prop_oneof![3 => Just(Slot::Empty), 1 => sane].boxed(),
        Noise::Noisy => prop_oneof![
            4 => Just(Slot::Empty),
            entity => sane,
            1 => fragment(noise).prop_map(Slot::Fragment),
            1 => Just(Slot::Label("错".into())),
            1 => Just(Slot::Unusable),
        ]
        .boxed(),
    }
}

fn slots(noise: Noise) -> BoxedStrategy<Vec<Slot>> {
    let whole: Vec<_> = (0..SLOTS.len()).map(|number| slot(number, noise)).collect();
    match noise {
        Noise::Sane => whole.boxed(),
        Noise::Noisy => prop_oneof![9 => whole, 1 => vec(slot(0, noise), 0..4), 1 => vec(slot(0, noise), 19..21)].boxed(),
    }
}

fn element(role: &'static str, noise: Noise) -> BoxedStrategy<Element> {
    let make = move |label: Part<SmolStr>, fragment: Part<Fragment>| Element { role: role.into(), label, fragment };
    let alone = labels_of(role, false);
    let beside = labels_of(role, true);
    let mut ways: Vec<BoxedStrategy<Element>> = Vec::new();
    if role != "事实性" {
        ways.push(fragment(noise).prop_map(move |fragment| make(Part::Absent, Part::Value(fragment))).boxed());
    }
    if !alone.is_empty() {
        ways.push(select(alone.to_vec()).prop_map(move |label| make(Part::Value(label.into()), Part::Absent)).boxed());
    }
    if !beside.is_empty() {
        let both = (select(beside.to_vec()), fragment(noise));
        ways.push(both.prop_map(move |(label, fragment)| make(Part::Value(label.into()), Part::Value(fragment))).boxed());
    }
    if noise == Noise::Noisy {
        let label = select(vec![Part::Absent, Part::Unusable, Part::Value("错".into()), Part::Value("近".into())]);
        let fragment = prop_oneof![Just(Part::Absent), Just(Part::Unusable), fragment(noise).prop_map(Part::Value),];
        ways.push((label, fragment).prop_map(move |(label, fragment)| make(label, fragment)).boxed());
    }
    proptest::strategy::Union::new(ways).boxed()
}

fn elements(noise: Noise) -> BoxedStrategy<Vec<Element>> {
    let filled = move |roles: Vec<&'static str>| roles.into_iter().map(|role| element(role, noise)).collect::<Vec<_>>();
    let sane = subsequence(ROLES[1..].to_vec(), 1..6).prop_flat_map(move |mut roles| {
        roles.insert(0, ROLES[0]);
        filled(roles)
    });
    if noise == Noise::Sane {
        return sane.boxed();
    }
    let names: Vec<&'static str> = ROLES.into_iter().chain(["角色", "", ROLES[0], ROLES[1], "距离"]).collect();
    prop_oneof![sane, vec(select(names), 0..7).prop_flat_map(filled)].boxed()
}

fn graph(noise: Noise) -> BoxedStrategy<Graph> {
    let values: Vec<SmolStr> = match noise {
        Noise::Sane => ["桌##上", "<在>房角##里", "房##内^房角", "碗"].map(SmolStr::new).to_vec(),
        Noise::Noisy => ["桌##上", "碗^碗", "^", "", "<在", "##%", "碗"].map(SmolStr::new).to_vec(),
    };
    let role = (select(vec![SmolStr::new("处所"), "终点".into(), "起点".into()]), vec(select(values), 1..3));
    let roles = vec(role, 1..4).prop_map(|mut roles| {
        roles.sort_by(|a, b| a.0.cmp(&b.0));
        roles.dedup_by(|a, b| a.0 == b.0);
        roles
    });
    let heads = |names: [&'static str; 3], least: usize| {
        let name = select(names.map(SmolStr::new).to_vec());
        vec((name, roles.clone()), least..4)
    };
    let least = usize::from(noise == Noise::Sane);
    (heads(["%放%", "%跳%", "%挂%"], least), heads(["#碗#", "#席子#", "#猫#"], 0))
        .prop_map(|(events, relations)| Graph { events, relations })
        .boxed()
}

/// An answer to an item of the task. A task that is not listed here has no properties, so that is a failure.
pub fn answer(task: &'static dyn Task, noise: Noise) -> BoxedStrategy<Answer> {
    let least = usize::from(noise == Noise::Sane);
    match task.id() {
        "2021/judge" | "2021/reason" => verdict(noise, Verdict::Cast).prop_map(Answer::Verdict).boxed(),
        "2021/joint" => (verdict(noise, Verdict::Cast), verdict(noise, Verdict::Cast))
            .prop_map(|(first, second)| Answer::Joint(first, second))
            .boxed(),
        "2022/judge" => verdict(noise, |_| Verdict::Neither).prop_map(Answer::Verdict).boxed(),
        "2022/attribute" => vec(reason(noise), least..4).prop_map(Answer::Reasons).boxed(),
        "2022/roles" => vec(slots(noise), least..5).prop_map(Answer::Slots).boxed(),
        "2023/anomaly" => vec(parts(SIX, noise), least..4).prop_map(Answer::Candidates).boxed(),
        "2023/roles" => vec(elements(noise), least..5).prop_map(Answer::Tuples).boxed(),
        "2023/scene" => verdict(noise, |_| Verdict::Neither)
            .prop_map(|judge| Answer::Scene(Scene { judge, reason: Some("差异在于“上”和“下”".into()) }))
            .boxed(),
        "2022-draft/attribute" => (vec(sane_fragment(), 1..3), select(vec!["A", "B", "C"]))
            .prop_map(|(texts, kind)| {
                let texts = texts.into_iter().map(|fragment| fragment.text).collect();
                Answer::DraftReason(DraftReason { texts, kind: kind.into() })
            })
            .boxed(),
        "2022-draft/relations" => graph(noise).prop_map(Answer::Graph).boxed(),
        other => panic!("no answers are made up for {other}"),
    }
}

fn corefs() -> impl Strategy<Value = Corefs> {
    let sets = || vec(vec(sane_fragment(), 2..4), 0..3);
    (sets(), sets()).prop_map(|(same, different)| Corefs { same, different })
}

/// An item with sane gold.
pub fn item(task: &'static dyn Task) -> BoxedStrategy<Item> {
    let texts = match task.id() {
        "2021/reason" | "2021/joint" => Texts::Reason { context: context(), reason: "“上”和“下”不宜搭配".into() },
        "2023/scene" => Texts::Pair { context1: "猫在上面".into(), context2: "猫在下面".into() },
        _ => Texts::One { context: context() },
    };
    let has_corefs = task.id().ends_with("/roles");
    let is_draft = task.id() == "2022-draft/attribute";
    (answer(task, Noise::Sane), corefs(), any::<bool>())
        .prop_map(move |(gold, corefs, weighted)| {
            let mut extra = vec![("genre".to_owned(), Json::text("虚构"))];
            if let (true, Answer::DraftReason(reason)) = (is_draft, &gold) {
                let key = reason.texts[0].chars().next().expect("a sane text").to_string();
                extra.push(("key".to_owned(), Json::text(key)));
                extra.extend(weighted.then(|| ("typeWeight".to_owned(), Json::Float(0.25))));
            }
            let corefs = has_corefs.then_some(corefs);
            Item { qid: SmolStr::default(), texts: texts.clone(), gold: Some(gold), corefs, extra }
        })
        .boxed()
}

/// Of some elements gold's own is taken.
fn copy_gold<T: Clone>(gold: &[T], pred: Vec<T>, picks: &[bool]) -> Vec<T> {
    let pick = |(number, own): (usize, T)| {
        if picks[number % picks.len()] { gold.get(number % gold.len().max(1)).cloned().unwrap_or(own) } else { own }
    };
    pred.into_iter().enumerate().map(pick).collect()
}

/// Repeats a list until it is longer than any limit.
fn blow_up<T: Clone>(list: Vec<T>, big: bool) -> Vec<T> {
    if big && !list.is_empty() { list.iter().cycle().take(list.len() + 101).cloned().collect() } else { list }
}

/// A prediction between gold and noise.
fn mix(item: &Item, pred: Answer, picks: &[bool], big: bool) -> Answer {
    let mention = item.corefs.as_ref().and_then(|corefs| corefs.same.first()?.last().cloned());
    match (item.gold.as_ref().expect("gold"), pred) {
        (Answer::Reasons(gold), Answer::Reasons(pred)) => Answer::Reasons(copy_gold(gold, pred, picks)),
        (Answer::Candidates(gold), Answer::Candidates(pred)) => Answer::Candidates(blow_up(copy_gold(gold, pred, picks), big)),
        (Answer::Slots(gold), Answer::Slots(pred)) => {
            let mut tuples = copy_gold(gold, pred, picks);
            if let (Some(mention), Some(slot)) = (mention, tuples.first_mut().and_then(|tuple| tuple.first_mut())) {
                *slot = Slot::Fragment(mention);
            }
            Answer::Slots(blow_up(tuples, big))
        }
        (Answer::Tuples(gold), Answer::Tuples(pred)) => {
            let mut tuples = copy_gold(gold, pred, picks);
            if let (Some(mention), Some(element)) = (mention, tuples.first_mut().and_then(|tuple| tuple.first_mut())) {
                element.fragment = Part::Value(mention);
            }
            Answer::Tuples(blow_up(tuples, big))
        }
        (_, pred) => pred,
    }
}

/// A few items of the task with predictions, some of them missing.
pub fn set(task: &'static dyn Task, noise: Noise) -> BoxedStrategy<Set> {
    let case = (item(task), answer(task, noise), vec(any::<bool>(), 1..5), 0..5, 0..20).prop_map(
        move |(item, pred, picks, given, size)| {
            let pred = (given > 0).then(|| mix(&item, pred, &picks, noise == Noise::Noisy && size == 0));
            (item, pred)
        },
    );
    vec(case, 1..6).prop_map(numbered).boxed()
}

/// Gives the items their qids.
pub fn numbered(cases: Vec<(Item, Option<Answer>)>) -> Set {
    let (mut items, preds): (Vec<Item>, Vec<_>) = cases.into_iter().unzip();
    for (number, item) in items.iter_mut().enumerate() {
        item.qid = format!("1-dev-{}", number + 1).into();
    }
    Set { items, preds }
}
