//! Who gets which item: a pure function of what is there, what is wanted and a seed, so that a preview is what is done afterwards.
//!
//! People take turns, those with least work first, in an order that the seed shuffles anew each round. Whoever is on turn takes an item that somebody else has
//! already and that is not full, of these the one with whose people they share least, and a fresh one only where there is none: so items fill up, and pairs mix.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use fangwei::chance::Dice;

/// So many items that wait for one more person are compared for whoever is on turn.
const MOST_COMPARED: usize = 200;

/// An item that can be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanItem {
    /// Its id.
    pub id: String,
    /// Whether it is a check question: given to people by number, not filled up.
    pub is_check: bool,
}

/// Somebody has, or had, an item.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Given {
    /// The item.
    pub item: String,
    /// The person.
    pub person: String,
    /// Whether it counts towards the number of people of the item: who skipped it does not.
    pub counts: bool,
}

/// What is wanted of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// So many people an item.
    pub k: usize,
    /// At most so many items a person, those of earlier plans included; check questions are beside.
    pub load: usize,
    /// So many check questions a person, those of earlier plans included.
    pub checks: usize,
    /// Everything that is chosen at random follows from it.
    pub seed: u64,
}

/// A plan: who gets what beside what is given already.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// Person and item, in the order in which they were chosen.
    pub given: Vec<(String, String)>,
    /// Items with fewer people than wanted, even so.
    pub short: Vec<String>,
}

/// Plans who gets what. `items` are those that may be given, in the order of the batch; `existing` may speak of others too.
pub fn plan(items: &[PlanItem], people: &[String], existing: &[Given], wanted: Wanted) -> Plan {
    let table = Table::new(items, people, existing);
    let mut plan = Plan::default();
    fill(table, wanted, &mut plan);
    check(items, people, existing, wanted, &mut plan);
    plan
}

/// Who has what, while a plan is made. People and items are numbers here.
struct Table<'a> {
    people: Vec<&'a String>,
    items: Vec<&'a String>,
    /// The first so many may get items; the others only have some.
    invited: usize,
    /// Whoever may not get the item again.
    had: Vec<BTreeSet<usize>>,
    /// Whoever counts.
    holders: Vec<Vec<usize>>,
    load: Vec<usize>,
}

impl<'a> Table<'a> {
    fn new(items: &'a [PlanItem], people: &'a [String], existing: &'a [Given]) -> Table<'a> {
        let items: Vec<&String> = items.iter().filter(|item| !item.is_check).map(|item| &item.id).collect();
        let numbers: BTreeMap<&String, usize> = items.iter().enumerate().map(|(number, id)| (*id, number)).collect();
        // People of earlier plans have numbers too: whom one shares items with matters even where they get nothing now.
        let mut all: Vec<&String> = Vec::new();
        let mut known: BTreeMap<&String, usize> = BTreeMap::new();
        let mut invited = 0;
        for (place, person) in people.iter().chain(existing.iter().map(|given| &given.person)).enumerate() {
            known.entry(person).or_insert_with(|| {
                all.push(person);
                all.len() - 1
            });
            if place < people.len() {
                invited = all.len();
            }
        }
        let mut table = Table {
            invited,
            had: vec![BTreeSet::new(); items.len()],
            holders: vec![Vec::new(); items.len()],
            load: vec![0; all.len()],
            items,
            people: all,
        };
        for given in existing {
            let (Some(item), person) = (numbers.get(&given.item), known[&given.person]) else { continue };
            if table.had[*item].insert(person) && given.counts {
                table.holders[*item].push(person);
                table.load[person] += 1;
            }
        }
        table
    }
}

fn fill(mut table: Table<'_>, wanted: Wanted, plan: &mut Plan) {
    let mut dice = Dice::new(wanted.seed, 1);
    let mut order: Vec<usize> = (0..table.items.len()).collect();
    dice.shuffle(&mut order);
    let is_open = |table: &Table<'_>, item: usize| table.holders[item].len() < wanted.k;
    let (mut begun, mut fresh): (VecDeque<usize>, VecDeque<usize>) =
        order.iter().copied().filter(|item| is_open(&table, *item)).partition(|item| !table.holders[*item].is_empty());
    let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for holders in &table.holders {
        for (one, other) in pairs(holders) {
            *shared.entry((one, other)).or_default() += 1;
        }
    }
    let mut active: Vec<usize> = (0..table.invited).filter(|person| table.load[*person] < wanted.load).collect();
    while let Some(least) = active.iter().map(|person| table.load[*person]).min() {
        let mut round: Vec<usize> = active.iter().copied().filter(|person| table.load[*person] == least).collect();
        dice.shuffle(&mut round);
        for person in round {
            let familiar = |item: usize| -> usize {
                table.holders[item].iter().map(|other| shared.get(&ordered(person, *other)).copied().unwrap_or(0)).sum()
            };
            let free = |item: &usize| !table.had[*item].contains(&person);
            let joined = begun.iter().enumerate().filter(|(_, item)| free(item)).take(MOST_COMPARED);
            let joined = joined.min_by_key(|(place, item)| (familiar(**item), *place)).map(|(place, _)| place);
            let item = match joined {
                Some(place) => begun.remove(place),
                None => fresh.iter().position(free).and_then(|place| fresh.remove(place)),
            };
            let Some(item) = item else {
                // Items only fill up: whoever finds none will find none later.
                active.retain(|other| *other != person);
                continue;
            };
            for other in &table.holders[item] {
                *shared.entry(ordered(person, *other)).or_default() += 1;
            }
            table.had[item].insert(person);
            table.holders[item].push(person);
            table.load[person] += 1;
            plan.given.push((table.people[person].clone(), table.items[item].clone()));
            if is_open(&table, item) {
                begun.push_back(item);
            }
            if table.load[person] >= wanted.load {
                active.retain(|other| *other != person);
            }
        }
    }
    let short = (0..table.items.len()).filter(|item| is_open(&table, *item));
    plan.short = short.map(|item| table.items[item].clone()).collect();
}

fn ordered(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

fn pairs(holders: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    holders.iter().enumerate().flat_map(|(place, one)| holders[place + 1..].iter().map(move |other| ordered(*one, *other)))
}

/// Gives check questions. Everybody's are drawn by themselves: neighbours cannot tell from each other which ones they are.
fn check(items: &[PlanItem], people: &[String], existing: &[Given], wanted: Wanted, plan: &mut Plan) {
    let checks: Vec<&String> = items.iter().filter(|item| item.is_check).map(|item| &item.id).collect();
    let known: BTreeSet<&String> = checks.iter().copied().collect();
    let mut seen = BTreeSet::new();
    for (number, person) in people.iter().enumerate().filter(|(_, person)| seen.insert(*person)) {
        let had: BTreeSet<&String> = existing
            .iter()
            .filter(|given| given.person == *person && known.contains(&given.item))
            .map(|given| &given.item)
            .collect();
        let mut free: Vec<&String> = checks.iter().copied().filter(|item| !had.contains(item)).collect();
        Dice::new(wanted.seed, 2 + number as u64).shuffle(&mut free);
        let more = wanted.checks.saturating_sub(had.len());
        plan.given.extend(free.into_iter().take(more).map(|item| (person.clone(), item.clone())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(count: usize, checks: usize) -> Vec<PlanItem> {
        (0..count + checks).map(|number| PlanItem { id: format!("i{number:03}"), is_check: number >= count }).collect()
    }

    fn people(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("p{number}")).collect()
    }

    fn given(plan: &Plan) -> Vec<Given> {
        let of = |(person, item): &(String, String)| Given { item: item.clone(), person: person.clone(), counts: true };
        plan.given.iter().map(of).collect()
    }

    /// How many of something each person or item has.
    fn counts<'a>(keys: impl Iterator<Item = &'a String>) -> BTreeMap<&'a String, usize> {
        let mut counts = BTreeMap::new();
        keys.for_each(|key| *counts.entry(key).or_default() += 1);
        counts
    }

    #[test]
    fn what_every_plan_keeps_to() {
        for case in 0..400 {
            let mut dice = Dice::new(case, 0);
            let (items, people) = (items(dice.below(30), dice.below(6)), people(dice.below(9)));
            let wanted = Wanted { k: 1 + dice.below(4), load: dice.below(20), checks: dice.below(5), seed: case };
            let is_check = |id: &String| items.iter().any(|item| item.id == *id && item.is_check);
            // Some have something already: people of this plan and others, some of it skipped.
            let mut existing: Vec<Given> = (0..dice.below(30))
                .filter(|_| !items.is_empty())
                .map(|_| Given {
                    item: items[dice.below(items.len())].id.clone(),
                    person: format!("p{}", dice.below(12)),
                    counts: dice.below(4) > 0,
                })
                .collect();
            existing.sort();
            existing.dedup_by(|a, b| a.item == b.item && a.person == b.person);
            let made = plan(&items, &people, &existing, wanted);
            assert_eq!(made, plan(&items, &people, &existing, wanted), "the same seed gives the same plan");
            let all: Vec<Given> = existing.iter().cloned().chain(given(&made)).collect();
            let had: BTreeSet<(&String, &String)> = all.iter().map(|given| (&given.item, &given.person)).collect();
            assert_eq!(had.len(), all.len(), "nobody gets an item twice: {made:?}");
            assert!(made.given.iter().all(|(person, _)| people.contains(person)), "only who is invited gets something");
            let counted = || all.iter().filter(|given| given.counts && !is_check(&given.item));
            let before = counts(existing.iter().filter(|given| given.counts).map(|given| &given.item));
            let holders = counts(counted().map(|given| &given.item));
            let load = counts(counted().map(|given| &given.person));
            for (item, holders) in &holders {
                assert!(*holders <= wanted.k.max(before.get(*item).copied().unwrap_or(0)), "{item} has {holders}");
            }
            for person in &people {
                let had_before =
                    existing.iter().filter(|given| given.person == *person && given.counts && !is_check(&given.item));
                let load = load.get(person).copied().unwrap_or(0);
                assert!(load <= wanted.load.max(had_before.count()), "{person} has {load}");
                let checks = all.iter().filter(|given| given.person == *person && is_check(&given.item)).count();
                let checks_before = existing.iter().filter(|given| given.person == *person && is_check(&given.item)).count();
                let possible = items.iter().filter(|item| item.is_check).count();
                assert_eq!(checks, wanted.checks.min(possible).max(checks_before), "check questions of {person}");
            }
            // Nothing is left undone that could be done.
            for item in items.iter().filter(|item| !item.is_check) {
                let is_short = holders.get(&item.id).copied().unwrap_or(0) < wanted.k;
                assert_eq!(made.short.contains(&item.id), is_short);
                for person in people.iter().filter(|_| is_short) {
                    let may = load.get(person).copied().unwrap_or(0) < wanted.load && !had.contains(&(&item.id, person));
                    assert!(!may, "{person} could take {}", item.id);
                }
            }
            let again = plan(&items, &people, &all, wanted);
            assert!(again.given.is_empty(), "a plan that was carried out leaves nothing to give");
        }
    }

    #[test]
    fn work_is_even_and_pairs_mix_widely() {
        let (items, people) = (items(120, 0), people(10));
        let made = plan(&items, &people, &[], Wanted { k: 2, load: 100, checks: 0, seed: 7 });
        let load = counts(made.given.iter().map(|(person, _)| person));
        assert!(load.values().all(|load| *load == 24), "240 marks by 10 people: {load:?}");
        let mut together: BTreeMap<&String, Vec<&String>> = BTreeMap::new();
        made.given.iter().for_each(|(person, item)| together.entry(item).or_default().push(person));
        let mut pairs: BTreeMap<Vec<&String>, usize> = BTreeMap::new();
        for mut pair in together.into_values() {
            pair.sort();
            *pairs.entry(pair).or_default() += 1;
        }
        // 120 items over 45 possible pairs are 2.7 a pair.
        assert!(pairs.len() >= 40, "{} of 45 pairs occur", pairs.len());
        assert!(pairs.values().all(|times| *times <= 8), "{pairs:?}");
    }

    #[test]
    fn who_has_less_is_served_first() {
        let (items, people) = (items(6, 0), people(2));
        let existing: Vec<Given> =
            (0..2).map(|number| Given { item: format!("i00{number}"), person: "p0".to_owned(), counts: true }).collect();
        let made = plan(&items, &people, &existing, Wanted { k: 1, load: 3, checks: 0, seed: 1 });
        assert_eq!(counts(made.given.iter().map(|(person, _)| person)), [(&"p0".to_owned(), 1), (&"p1".to_owned(), 3)].into());
    }

    #[test]
    fn other_seeds_give_other_plans() {
        let (items, people) = (items(20, 5), people(4));
        let of = |seed| plan(&items, &people, &[], Wanted { k: 2, load: 10, checks: 2, seed });
        assert_ne!(of(1), of(2));
    }

    #[test]
    fn ten_thousand_items_take_no_time() {
        let begun = std::time::Instant::now();
        let (items, people) = (items(10_000, 0), people(50));
        let half: Vec<Given> = items
            .iter()
            .enumerate()
            .map(|(number, item)| Given { item: item.id.clone(), person: format!("p{}", number % 50), counts: true })
            .collect();
        let made = plan(&items, &people, &half, Wanted { k: 2, load: 1000, checks: 0, seed: 1 });
        assert_eq!(made.given.len(), 10_000);
        assert!(begun.elapsed().as_secs() < 60, "a debug build plans 10,000 marks in seconds: {:?}", begun.elapsed());
    }
}
