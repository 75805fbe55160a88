//! Every distinct text once, with the places where it stands and the origin group that it belongs to.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::input::{Dataset, Told, told};
use crate::origin;
use crate::task::{Item, Texts};

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

/// The texts of an item: one, or two of a pair.
fn texts_of(item: &Item) -> SmallVec<[&str; 2]> {
    match &item.texts {
        Texts::Pair { context1, context2 } => SmallVec::from_iter([context1.as_str(), context2.as_str()]),
        Texts::Absent => SmallVec::new(),
        one => SmallVec::from_iter([one.context()]),
    }
}

impl<'d> Pool<'d> {
    /// Gathers the texts of files and groups them. The two texts of a pair belong together, whatever they say.
    pub fn new(files: &'d [Dataset]) -> Pool<'d> {
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let (mut texts, mut places): (Vec<&str>, Vec<SmallVec<[Place; 2]>>) = (Vec::new(), Vec::new());
        let mut of = Vec::new();
        let mut pairs = Vec::new();
        for (file, set) in files.iter().enumerate() {
            let mut of_file = Vec::with_capacity(set.items.len());
            for (item, given) in set.items.iter().enumerate() {
                let mut of_item: SmallVec<[u32; 2]> = SmallVec::new();
                for text in texts_of(given) {
                    let number = *numbers.entry(text).or_insert(texts.len() as u32);
                    if number as usize == texts.len() {
                        texts.push(text);
                        places.push(SmallVec::new());
                    }
                    places[number as usize].push(Place { file, item });
                    of_item.push(number);
                }
                if let [a, b] = of_item[..] {
                    pairs.push((a, b));
                }
                of_file.push(of_item);
            }
            of.push(of_file);
        }
        let group = origin::groups_with(&texts, &pairs);
        let groups = group.iter().max().map_or(0, |last| *last as usize + 1);
        let texts = texts.par_iter().map(|text| text.chars().collect()).collect();
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
