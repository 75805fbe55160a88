//! A view of a passage: the surroundings of all its sites, made once and read by every model.

use super::context::{Surroundings, surroundings};
use super::site::Site;
use crate::reading::Reading;

/// The surroundings of each site.
#[derive(Clone, Debug, Default)]
pub struct View<'r> {
    /// By site.
    pub around: Vec<Surroundings<'r>>,
}

impl<'r> View<'r> {
    /// Looks around every site.
    pub fn new(reading: &'r Reading, sites: &'r [Site]) -> View<'r> {
        View { around: (0..sites.len()).map(|number| surroundings(reading, sites, number)).collect() }
    }
}
