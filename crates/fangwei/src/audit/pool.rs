//! Every distinct text once, with the places where it stands and the origin group that it belongs to.

use rayon::prelude::*;
use smallvec::SmallVec;

use super::input::{Dataset, Told, told};
use super::texts::Texts;
use crate::task::Item;

/// An item of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Place {
    /// Number of the file.
    pub file: usize,
    /// Number of the item in it.
    pub item: usize,
}

/// The texts of all files.
pub(super) struct Pool<'d> {
    /// The files.
    pub files: &'d [Dataset],
    /// Each distinct text, cut into characters.
    pub texts: Vec<Vec<char>>,
    /// Where each stands, in the order of files and items.
    pub places: Vec<SmallVec<[Place; 2]>>,
    /// The group of each; groups are numbered by their first text.
    pub group: Vec<u32>,
    /// How many groups there are.
    pub groups: usize,
    /// Per file and item the numbers of its texts: one, or two of a pair.
    pub of: Vec<Vec<SmallVec<[u32; 2]>>>,
}

impl<'d> Pool<'d> {
    /// The texts of files, grouped.
    pub fn of(files: &'d [Dataset]) -> Pool<'d> {
        let texts = Texts::of(files);
        let group = texts.groups();
        Pool::new(texts, group)
    }

    /// Texts with the groups that they belong to.
    pub fn new(texts: Texts<'d>, group: Vec<u32>) -> Pool<'d> {
        let Texts { files, distinct, places, of, .. } = texts;
        let groups = group.iter().max().map_or(0, |last| *last as usize + 1);
        let texts = distinct.par_iter().map(|text| text.chars().collect()).collect();
        Pool { files, texts, places, group, groups, of }
    }

    /// The item at a place.
    pub fn item(&self, place: Place) -> &'d Item {
        &self.files[place.file].items[place.item]
    }

    /// What is said about whether a text is normal, at each of its places that says something.
    pub fn told(&self, text: u32) -> impl Iterator<Item = Told> + '_ {
        self.places[text as usize].iter().filter_map(|place| told(self.item(*place)))
    }

    /// The members of each group, in rising order.
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.groups];
        for (text, group) in self.group.iter().enumerate() {
            members[*group as usize].push(text as u32);
        }
        members
    }

    /// The group of an item.
    pub fn group_of(&self, place: Place) -> Option<u32> {
        self.of[place.file][place.item].first().map(|text| self.group[*text as usize])
    }
}
