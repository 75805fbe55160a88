//! Beliefs: what a model thinks of an item, before anyone asks for one answer.
//!
//! Models of any kind speak this language, so an ensemble mixes beliefs and one place ([`decide`]) turns a belief into the answer that earns most.

pub mod candidates;
pub mod earn;
pub mod mbr;
pub mod reasons;
pub mod tuples;

use fangwei::answer::{Answer, Element, Reason, RoleFragment, Scene, Verdict};
use fangwei::task::{Item, Task};

use crate::options::Options;

/// A set of fragments with roles: one answer of `2023/anomaly`.
pub type Candidate = Vec<RoleFragment>;
/// Elements of one entity: one answer of the role tasks.
pub type Tuple = Vec<Element>;

/// What a model thinks of an item.
#[derive(Clone, Debug, PartialEq)]
pub enum Belief {
    /// How likely yes is.
    Verdict(f64),
    /// How likely the text is normal, and the reason right if it is not.
    Joint(f64, f64),
    /// Possible answers and how likely each is; they sum to 1 at most.
    Candidates(Vec<(Candidate, f64)>),
    /// Possible reasons: of each type how likely it is, with possible fragments given the type.
    Reasons(Vec<TypedBelief>),
    /// Tuples, each with what it is expected to earn, from 0 to 1.
    Tuples(Vec<(Tuple, f64)>),
    /// How likely two texts show one scene, and the reason for either verdict.
    Scene {
        /// How likely.
        same: f64,
        /// Why, if they do.
        if_same: String,
        /// Why, if they do not.
        if_not: String,
    },
}

/// What is thought of one type of reason.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedBelief {
    /// How likely an answer of this type is right.
    pub odds: f64,
    /// Reasons of this type and how likely each is, given the type.
    pub reasons: Vec<(Reason, f64)>,
}

/// What the rule of `2023/anomaly` allows.
const MOST_CANDIDATES: usize = 3;

/// The answer that earns most, given a belief.
pub fn decide(task: &dyn Task, item: &Item, belief: &Belief, options: &Options) -> Answer {
    match belief {
        Belief::Verdict(yes) => Answer::Verdict(Verdict::Plain(*yes >= 0.5)),
        Belief::Joint(normal, right) => Answer::Joint(Verdict::Plain(*normal >= 0.5), Verdict::Plain(*right >= 0.5)),
        Belief::Candidates(possible) => {
            // An option that the predictor does not have reads 0: then as many as the rule allows.
            let most = usize::try_from(options.int("candidates")).ok().filter(|most| *most > 0).unwrap_or(MOST_CANDIDATES);
            Answer::Candidates(candidates::choose(item.texts.context(), possible, most).0)
        }
        Belief::Reasons(typed) => Answer::Reasons(reasons::choose(item.texts.context(), typed, None, options.is_on("all-types"))),
        Belief::Tuples(tuples) => tuples::answer(task, tuples),
        Belief::Scene { same, if_same, if_not } => {
            let (judge, reason) = if *same >= 0.5 { (true, if_same) } else { (false, if_not) };
            Answer::Scene(Scene { judge: Verdict::Plain(judge), reason: Some(reason.into()) })
        }
    }
}
