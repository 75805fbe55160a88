//! What fragments of one type are expected to earn as text and as elements, by the script of `2022/attribute`, and the fragments that earn most.
//!
//! Text counts characters in any role and against reasons of any type; elements count characters in their roles, against reasons of the same type.
//! Quirk: the recall of elements leaves out roles that were not answered, so a doubtful role earns more by being left out; text pulls the other way.

use std::collections::BTreeMap;

use fangwei::answer::RoleFragment;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// Possible reasons of a type that count in a mean, the heaviest; as many as a set of bits holds.
const MOST: usize = 64;
/// Of these, how many are tried as answers,
const MOST_TRIED: usize = 24;
/// and how many give spans when an answer is mended role by role.
const MOST_GIVING: usize = 16;
/// Characters that fewer have than this share are not tried by themselves.
const RARE: f64 = 0.03;
/// Rounds of mending.
const ROUNDS: usize = 3;
/// A gain below this is none.
const GAIN: f64 = 1e-9;

/// The characters of each role of a type, as bits over the characters that any reason has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Marks(Vec<Vec<u64>>);

impl Marks {
    /// How many roles are filled.
    fn fragments(&self) -> usize {
        self.0.iter().filter(|role| role.iter().any(|word| *word != 0)).count()
    }

    fn union(&self, words: usize) -> Vec<u64> {
        let mut union = vec![0; words];
        for role in &self.0 {
            union.iter_mut().zip(role).for_each(|(all, own)| *all |= own);
        }
        union
    }
}

fn count(bits: &[u64]) -> u32 {
    bits.iter().map(|word| word.count_ones()).sum()
}

fn common(one: &[u64], two: &[u64]) -> u32 {
    one.iter().zip(two).map(|(a, b)| (a & b).count_ones()).sum()
}

fn f1(hits: u32, sizes: u32) -> f64 {
    if hits == 0 { 0.0 } else { 2.0 * f64::from(hits) / f64::from(sizes) }
}

/// The possible reasons of one type.
#[derive(Debug)]
struct Kind {
    roles: Vec<SmolStr>,
    possible: Vec<(Marks, f64)>,
    /// Their characters in any role, with sizes; equal ones once.
    texts: Vec<(Vec<u64>, u32, f64)>,
}

impl Kind {
    /// Characters of a role that stand together in every possible reason or in none, so that each role of one is made of them; rare ones are left out.
    fn atoms(&self, words: usize) -> Vec<(usize, Vec<u64>)> {
        let mut atoms: BTreeMap<(usize, u64), Vec<u64>> = BTreeMap::new();
        for role in 0..self.roles.len() {
            for number in 0..words * 64 {
                let has = |(marks, _): &(Marks, f64)| marks.0[role][number / 64] >> (number % 64) & 1 == 1;
                let (mut there, mut weight) = (0_u64, 0.0);
                for (at, possible) in self.possible.iter().enumerate().filter(|(_, possible)| has(possible)) {
                    there |= 1 << at;
                    weight += possible.1;
                }
                if weight > RARE {
                    atoms.entry((role, there)).or_insert_with(|| vec![0; words])[number / 64] |= 1 << (number % 64);
                }
            }
        }
        atoms.into_iter().map(|((role, _), atom)| (role, atom)).collect()
    }
}

/// The possible reasons of all types.
#[derive(Debug)]
pub struct Earnings {
    places: Vec<u32>,
    words: usize,
    kinds: Vec<Kind>,
}

/// Possible fragments with weights.
pub type Possible = Vec<(Vec<RoleFragment>, f64)>;

impl Earnings {
    /// Takes for each type its possible fragments with weights that need not sum to 1.
    pub fn new(kinds: &[Possible]) -> Earnings {
        let fragments = kinds.iter().flatten().flat_map(|(fragments, _)| fragments);
        let mut places: Vec<u32> = fragments.flat_map(|part| part.fragment.span.iter().map(|at| at.0)).collect();
        places.sort_unstable();
        places.dedup();
        let words = places.len().div_ceil(64).max(1);
        let kinds = kinds.iter().map(|possible| kind(possible, &places, words)).collect();
        Earnings { places, words, kinds }
    }

    /// What an answer of a type earns as text where a reason of another type is right.
    pub fn text(&self, answer: &Marks, right: usize) -> f64 {
        let own = answer.union(self.words);
        let size = count(&own);
        let earned = |(text, other, weight): &(Vec<u64>, u32, f64)| weight * f1(common(&own, text), size + other);
        self.kinds[right].texts.iter().map(earned).sum()
    }

    /// What an answer of a type earns as elements where its type is right.
    pub fn elements(&self, answer: &Marks, kind: usize) -> f64 {
        let sizes: Vec<u32> = answer.0.iter().map(|role| count(role)).collect();
        let size: u32 = sizes.iter().sum();
        let earned = |(right, weight): &(Marks, f64)| {
            let (mut hits, mut other) = (0, 0);
            for ((own, right), _) in answer.0.iter().zip(&right.0).zip(&sizes).filter(|(_, size)| **size > 0) {
                hits += common(own, right);
                other += count(right);
            }
            weight * f1(hits, size + other)
        };
        self.kinds[kind].possible.iter().map(earned).sum()
    }

    /// What an answer of a type earns as text and as elements together, where `chances` tells how often a reason of each type is the one to meet.
    fn worth(&self, answer: &Marks, kind: usize, chances: &[f64]) -> f64 {
        let met = (0..self.kinds.len()).filter(|right| chances[*right] > 0.0);
        let text: f64 = met.map(|right| chances[right] * self.text(answer, right)).sum();
        text + chances[kind] * self.elements(answer, kind)
    }

    /// Of the possible reasons of a type the one that earns most; none where there are none.
    pub fn best(&self, kind: usize, chances: &[f64]) -> Option<Marks> {
        let mut best: Option<(&Marks, f64)> = None;
        for (answer, _) in self.kinds[kind].possible.iter().take(MOST_TRIED) {
            let worth = self.worth(answer, kind, chances);
            if best.is_none_or(|(_, known)| worth > known + GAIN) {
                best = Some((answer, worth));
            }
        }
        best.map(|(answer, _)| answer.clone())
    }

    /// An answer that earns more: role by role the characters that another possible reason gives it, or none; then more or fewer of those that
    /// always stand together; while that helps. No role is left out if fewer than `least` would stay.
    pub fn mend(&self, mut answer: Marks, kind: usize, chances: &[f64], least: usize) -> Marks {
        let mut known = self.worth(&answer, kind, chances);
        let nothing = vec![0; self.words];
        let atoms = self.kinds[kind].atoms(self.words);
        let mut try_on = |answer: &mut Marks, role: usize, span: &[u64]| {
            let mut mended = answer.clone();
            mended.0[role].copy_from_slice(span);
            let fewer = mended.fragments() < answer.fragments();
            if mended == *answer || fewer && mended.fragments() < least {
                return false;
            }
            let worth = self.worth(&mended, kind, chances);
            let better = worth > known + GAIN;
            if better {
                (*answer, known) = (mended, worth);
            }
            better
        };
        for _ in 0..ROUNDS {
            let mut better = false;
            for role in 0..answer.0.len() {
                let mut tried: FxHashSet<&[u64]> = FxHashSet::default();
                let giving = self.kinds[kind].possible.iter().take(MOST_GIVING).map(|(other, _)| &other.0[role]);
                for span in giving.chain([&nothing]).filter(|span| tried.insert(span)) {
                    better |= try_on(&mut answer, role, span);
                }
            }
            for (role, atom) in &atoms {
                let changed: Vec<u64> = answer.0[*role].iter().zip(atom).map(|(own, atom)| own ^ atom).collect();
                better |= try_on(&mut answer, *role, &changed);
            }
            if !better {
                break;
            }
        }
        answer
    }

    /// The role and the places of each fragment of an answer.
    pub fn spans(&self, answer: &Marks, kind: usize) -> Vec<(SmolStr, Vec<u32>)> {
        let places = |role: &Vec<u64>| -> Vec<u32> {
            let has = |number: &usize| role[number / 64] >> (number % 64) & 1 == 1;
            (0..self.places.len()).filter(has).map(|number| self.places[number]).collect()
        };
        let roles = self.kinds[kind].roles.iter().zip(&answer.0);
        roles.map(|(name, role)| (name.clone(), places(role))).filter(|(_, places)| !places.is_empty()).collect()
    }
}

fn kind(possible: &Possible, places: &[u32], words: usize) -> Kind {
    // The order in which answers are written; names that nobody knows come last.
    let mut roles: Vec<SmolStr> =
        ["text1", "text2", "S", "P", "E", "S1", "P1", "E1", "S2", "P2", "E2"].map(SmolStr::from).to_vec();
    let used: Vec<&SmolStr> = possible.iter().flat_map(|(fragments, _)| fragments).map(|part| &part.role).collect();
    roles.retain(|role| used.contains(&role));
    for role in used {
        if !roles.contains(role) {
            roles.push(role.clone());
        }
    }
    let mut merged: FxHashMap<Marks, f64> = FxHashMap::default();
    for (fragments, weight) in possible.iter().filter(|(_, weight)| *weight > 0.0) {
        let mut marks = Marks(vec![vec![0; words]; roles.len()]);
        for part in fragments {
            let Some(role) = roles.iter().position(|name| *name == part.role) else { continue };
            for at in part.fragment.span.iter() {
                let number = places.partition_point(|there| *there < at.0);
                marks.0[role][number / 64] |= 1 << (number % 64);
            }
        }
        if marks.fragments() > 0 {
            *merged.entry(marks).or_default() += weight;
        }
    }
    let mut possible: Vec<(Marks, f64)> = merged.into_iter().collect();
    possible.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.0.cmp(&b.0.0)));
    possible.truncate(MOST);
    let total: f64 = possible.iter().map(|(_, weight)| weight).sum::<f64>().max(f64::MIN_POSITIVE);
    for (_, weight) in &mut possible {
        *weight /= total;
    }
    let mut texts: Vec<(Vec<u64>, u32, f64)> = Vec::new();
    let mut numbers: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    for (marks, weight) in &possible {
        let text = marks.union(words);
        let number = *numbers.entry(text.clone()).or_insert(texts.len());
        if number == texts.len() {
            texts.push((text.clone(), count(&text), 0.0));
        }
        texts[number].2 += weight;
    }
    Kind { roles, possible, texts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fangwei::answer::Fragment;

    fn part(role: &str, at: &[u32]) -> RoleFragment {
        RoleFragment { role: role.into(), fragment: Fragment { text: "".into(), span: at.iter().copied().collect() } }
    }

    fn chosen(kinds: &[Possible], kind: usize, chances: &[f64], least: usize) -> Vec<(SmolStr, Vec<u32>)> {
        let earnings = Earnings::new(kinds);
        let mended = |answer: Marks| earnings.spans(&earnings.mend(answer, kind, chances, least), kind);
        earnings.best(kind, chances).map(mended).unwrap_or_default()
    }

    #[test]
    fn both_measures_are_those_of_the_script() {
        let right = vec![part("S", &[0]), part("P", &[2, 3, 4])];
        let given = vec![part("P", &[3, 4]), part("E", &[0])];
        let earnings = Earnings::new(&[vec![(right, 1.0), (given.clone(), 1e-12)]]);
        let marks = Earnings::new(&[vec![(given, 1.0)]]);
        assert_eq!(marks.spans(&marks.kinds[0].possible[0].0, 0), [("P".into(), vec![3, 4]), ("E".into(), vec![0])]);
        let answer = &earnings.kinds[0].possible[1].0;
        // As text 3 of 3 characters are right, of 4 wanted: 6/7. As elements 2 of 3 are right; S was not answered, so 3 are wanted: 4/6.
        assert!((earnings.text(answer, 0) - 6.0 / 7.0).abs() < 1e-9);
        assert!((earnings.elements(answer, 0) - 4.0 / 6.0).abs() < 1e-9);
    }

    #[test]
    fn a_doubtful_role_is_left_out_unless_too_few_stay() {
        // The event is one of four single characters; the place is sure.
        let possible: Possible = (10..14).map(|event| (vec![part("P", &[1, 2, 3]), part("E", &[event])], 0.25)).collect();
        assert_eq!(chosen(std::slice::from_ref(&possible), 0, &[1.0], 1), [("P".into(), vec![1, 2, 3])]);
        assert_eq!(chosen(std::slice::from_ref(&possible), 0, &[1.0], 2).len(), 2);
        assert!(chosen(&[Vec::new()], 0, &[1.0], 1).is_empty());
    }

    #[test]
    fn an_answer_that_nobody_gave_may_earn_most() {
        // Pairs of three characters: all three earn 4/5 against each, a pair (1 + 1/2 + 1/2) / 3 = 2/3.
        let possible: Possible = [[1, 2], [2, 3], [1, 3]].iter().map(|at| (vec![part("P", at)], 1.0)).collect();
        assert_eq!(chosen(&[possible], 0, &[1.0], 1), [("P".into(), vec![1, 2, 3])]);
    }

    #[test]
    fn other_types_pull_the_text() {
        let own: Possible =
            vec![(vec![part("P", &[1, 2]), part("E", &[5])], 0.5), (vec![part("P", &[1, 2]), part("E", &[6])], 0.5)];
        let other: Possible = vec![(vec![part("text1", &[6]), part("text2", &[2])], 1.0)];
        let kinds = [own, other];
        assert_eq!(chosen(&kinds, 0, &[0.6, 0.4], 2), [("P".into(), vec![1, 2]), ("E".into(), vec![6])]);
    }
}
