//! Which tuples are answered: those that are expected to earn more than they cost.
//!
//! With `n` tuples answered and `m` wanted, what is earned is `sum / n` of the one and `sum / m` of the other, so F1 is `2 · sum / (n + m)`. A further tuple raises
//! it if it earns more than `sum / (n + m)`: half of what its neighbours earn, if there are as many as wanted. So a passage of sure tuples takes no doubtful one,
//! and a hard passage takes many.

use fangwei::answer::{Answer, Slot};
use fangwei::convert::roles::back_tuple;
use fangwei::record::Check;
use fangwei::score::tuples::{ENTITY, MOST_TUPLES};
use fangwei::task::Task;

use super::Tuple;

/// What a wanted tuple is expected to earn, once it is thought of: this tells how many are wanted from what all of them are expected to earn.
const EARNED: f64 = 0.5;

/// The place of the entity, by which tuples are sorted.
fn first_place(tuple: &Tuple) -> Option<u32> {
    let entity = tuple.iter().find(|element| element.role == ENTITY)?;
    entity.fragment.value()?.span.first().map(|idx| idx.0)
}

/// How many of some tuples are answered, given what each is expected to earn, the worthiest first. One always is, if there is any: none at all earns nothing.
pub fn answered(odds: impl Iterator<Item = f64> + Clone) -> usize {
    let wanted = odds.clone().sum::<f64>() / EARNED;
    let mut sum = 0.0;
    let worthy = |(number, odds): &(usize, f64)| {
        let pays = *number == 0 || *odds >= sum / (*number as f64 + wanted);
        sum += odds;
        pays
    };
    odds.take(MOST_TUPLES).enumerate().take_while(worthy).count()
}

/// The tuples to answer, in the order that the task asks for.
pub fn choose(tuples: &[(Tuple, f64)]) -> Vec<Tuple> {
    let mut ranked: Vec<&(Tuple, f64)> = tuples.iter().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut once: Vec<&(Tuple, f64)> = Vec::new();
    for believed in ranked {
        if once.iter().all(|known| known.0 != believed.0) {
            once.push(believed);
        }
    }
    once.truncate(answered(once.iter().map(|(_, odds)| *odds)));
    let mut chosen: Vec<Tuple> = once.into_iter().map(|(tuple, _)| tuple.clone()).collect();
    chosen.sort_by_key(first_place);
    chosen
}

/// The answer in the form of the task's year.
pub fn answer(task: &dyn Task, tuples: &[(Tuple, f64)]) -> Answer {
    let chosen = choose(tuples);
    if task.id() != "2022/roles" {
        return Answer::Tuples(chosen);
    }
    let mut check = Check::new("".into(), 0);
    let slots: Vec<Vec<Slot>> = chosen.iter().filter_map(|tuple| back_tuple(tuple, &mut check)).collect();
    Answer::Slots(slots)
}

#[cfg(test)]
mod tests {
    use fangwei::answer::{Element, Fragment, Part};

    use super::*;

    fn tuple(at: u32) -> Tuple {
        let fragment = Fragment { text: "猫".into(), span: [at].into_iter().collect() };
        vec![Element { role: ENTITY.into(), label: Part::Absent, fragment: Part::Value(fragment) }]
    }

    #[test]
    fn worthy_tuples_are_answered_once_and_in_the_order_of_their_entities() {
        let believed = [(tuple(9), 0.9), (tuple(2), 0.4), (tuple(5), 0.1), (tuple(9), 0.8)];
        // They sum to 1.4, so 2.8 are wanted. The second earns more than 0.9 / (1 + 2.8), the third less than 1.3 / (2 + 2.8).
        assert_eq!(choose(&believed), [tuple(2), tuple(9)]);
    }

    #[test]
    fn a_hard_passage_takes_what_an_easy_one_leaves() {
        // 1.2 / (2 + 2.6) is more than 0.1; 0.4 / (2 + 1) is not more than 0.15.
        assert_eq!(answered([0.7, 0.5, 0.1].into_iter()), 2);
        assert_eq!(answered([0.2, 0.2, 0.15].into_iter()), 3);
        assert_eq!(answered([f64::NAN, 0.1].into_iter()), 1);
    }

    #[test]
    fn the_best_of_the_unlikely_is_better_than_nothing() {
        assert_eq!(choose(&[(tuple(1), 0.0), (tuple(2), 0.02)]), [tuple(2)]);
        assert!(choose(&[]).is_empty());
    }

    #[test]
    fn each_year_has_its_form() {
        let task = fangwei::tasks::find("2022/roles").expect("is a task");
        let Answer::Slots(slots) = answer(task, &[(tuple(3), 0.5)]) else { panic!("2022 answers slots") };
        assert_eq!(slots[0].len(), 18);
        assert!(matches!(slots[0][0], Slot::Fragment(_)));
    }
}
