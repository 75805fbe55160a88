//! Which tuples are answered: those that are expected to earn more than they cost.
//!
//! The score is the harmonic mean of precision and recall. A tuple raises it if it is expected to earn more than half of what the score already is: with a score
//! about 0.46, a tuple is worth its place from 0.2 or a little less. Below that, precision loses more than recall wins.

use fangwei::answer::{Answer, Slot};
use fangwei::convert::roles::back_tuple;
use fangwei::record::Check;
use fangwei::score::tuples::{ENTITY, MOST_TUPLES};
use fangwei::task::Task;

use super::Tuple;

/// A tuple that is expected to earn less is left out.
pub const LEAST: f64 = 0.17;

/// The place of the entity, by which tuples are sorted.
fn first_place(tuple: &Tuple) -> Option<u32> {
    let entity = tuple.iter().find(|element| element.role == ENTITY)?;
    entity.fragment.value()?.span.first().map(|idx| idx.0)
}

/// The tuples to answer, in the order that the task asks for. An item always gets one, if there is any: none at all earns nothing.
pub fn choose(tuples: &[(Tuple, f64)], least: f64) -> Vec<Tuple> {
    let mut ranked: Vec<&(Tuple, f64)> = tuples.iter().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut chosen: Vec<Tuple> = Vec::new();
    for (tuple, odds) in ranked.into_iter().take(MOST_TUPLES) {
        let wanted = *odds >= least || chosen.is_empty();
        if wanted && !chosen.contains(tuple) {
            chosen.push(tuple.clone());
        }
    }
    chosen.sort_by_key(first_place);
    chosen
}

/// The answer in the form of the task's year.
pub fn answer(task: &dyn Task, tuples: &[(Tuple, f64)]) -> Answer {
    let chosen = choose(tuples, LEAST);
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
        let believed = [(tuple(9), 0.9), (tuple(2), 0.3), (tuple(5), 0.1), (tuple(9), 0.8)];
        assert_eq!(choose(&believed, 0.2), [tuple(2), tuple(9)]);
    }

    #[test]
    fn the_best_of_the_unlikely_is_better_than_nothing() {
        assert_eq!(choose(&[(tuple(1), 0.01), (tuple(2), 0.02)], 0.2), [tuple(2)]);
        assert!(choose(&[], 0.2).is_empty());
    }

    #[test]
    fn each_year_has_its_form() {
        let task = fangwei::tasks::find("2022/roles").expect("is a task");
        let Answer::Slots(slots) = answer(task, &[(tuple(3), 0.5)]) else { panic!("2022 answers slots") };
        assert_eq!(slots[0].len(), 18);
        assert!(matches!(slots[0][0], Slot::Fragment(_)));
    }
}
