//! Who is where, as the source of roles says it.

use fangwei::answer::Element;

use super::explored::{Role, Tuple, share};
use super::sources::{Part, Sources};
use crate::belief::{self, Belief};
use crate::predictor::PredictError;

/// The tuples that are worth answering, each with how far its source trusts it.
pub fn tuples(text: &str, sources: &Sources) -> Result<Vec<Tuple>, PredictError> {
    let Some(source) = sources.of(Part::Roles) else { return Ok(Vec::new()) };
    let Belief::Tuples(believed) = source.believe(text)? else { return Ok(Vec::new()) };
    let length = text.chars().count();
    let told = |tuple: belief::Tuple| {
        let odds = believed.iter().filter(|(known, _)| *known == tuple).map(|(_, odds)| *odds).fold(0.0, f64::max);
        Tuple { roles: tuple.iter().map(|element| role(element, length)).collect(), odds: share(odds) }
    };
    Ok(belief::tuples::choose(&believed).into_iter().map(told).collect())
}

/// A role as data; places that are not in the text are left out.
fn role(element: &Element, length: usize) -> Role {
    let fragment = element.fragment.value();
    let places = fragment.into_iter().flat_map(|fragment| fragment.span.iter()).map(|idx| idx.0);
    Role {
        role: element.role.to_string(),
        text: fragment.map(|fragment| fragment.text.to_string()).unwrap_or_default(),
        label: element.label.value().map(ToString::to_string),
        idxes: places.filter(|place| (*place as usize) < length).collect(),
    }
}
