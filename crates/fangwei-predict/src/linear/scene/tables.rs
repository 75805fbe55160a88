//! The knowledge of the scene task as three tables beside this file: families of words that mean one place, the region that a locative points to after a
//! thing of some kind, and regions said in other words.
//!
//! A linguist edits the tables; nothing here knows a sentence.

use std::sync::OnceLock;

use fangwei::lexicon::{Class, Lexicon};
use rustc_hash::FxHashMap;

/// A family of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// The class of its words.
    pub class: Class,
}

/// A row of the table of regions.
struct Row {
    family: &'static str,
    nouns: Vec<&'static str>,
    verbs: Vec<&'static str>,
    regions: Vec<&'static str>,
}

/// The tables, read once.
pub struct Tables {
    families: FxHashMap<&'static str, Family>,
    rows: Vec<Row>,
    says: FxHashMap<&'static str, &'static str>,
}

/// Rows of a shipped table without remarks and column names, cut at tabs.
fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.skip(1).map(|line| line.split('\t').map(str::trim).collect())
}

/// The words of a cell; `*` is none.
fn cell(text: &'static str) -> Vec<&'static str> {
    text.split(' ').filter(|word| !word.is_empty() && *word != "*").collect()
}

/// The shipped tables.
pub fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut families = FxHashMap::default();
        for row in rows(include_str!("families.tsv")) {
            let [name, class, words] = row[..] else { continue };
            let Ok(class) = class.parse() else { continue };
            for word in cell(words) {
                families.entry(word).or_insert(Family { name, class });
            }
        }
        let region = |row: Vec<&'static str>| {
            let [family, nouns, verbs, regions] = row[..] else { return None };
            Some(Row { family, nouns: cell(nouns), verbs: cell(verbs), regions: cell(regions) })
        };
        let says = rows(include_str!("says.tsv")).filter_map(|row| Some((*row.first()?, *row.get(1)?))).collect();
        Tables { families, rows: rows(include_str!("regions.tsv")).filter_map(region).collect(), says }
    })
}

impl Tables {
    /// The family of a word.
    pub fn family(&self, word: &str) -> Option<Family> {
        self.families.get(word).copied()
    }

    /// The regions that a family points to after a noun, in a clause with these verbs.
    pub fn regions(&self, family: &str, noun: &str, verbs: &[&str]) -> &[&'static str] {
        let fits = |row: &&Row| {
            row.family == family
                && (row.nouns.is_empty() || row.nouns.iter().any(|wanted| is_noun(noun, wanted)))
                && (row.verbs.is_empty() || row.verbs.iter().any(|wanted| verbs.iter().any(|verb| verb.contains(wanted))))
        };
        self.rows.iter().find(fits).map_or(&[], |row| &row.regions)
    }

    /// A region of a thing in other words.
    pub fn says(&self, region: &str, thing: &str) -> Option<String> {
        // Without a thing the sentence speaks of the place only.
        self.says
            .get(region)
            .map(|says| if thing.is_empty() { says.replace("{}的", "").replace("{}", "它") } else { says.replace("{}", thing) })
    }
}

/// Whether a noun is a wanted one: the word itself or what ends in it (a compound is a kind of its head), or a thing of the wanted kind.
fn is_noun(noun: &str, wanted: &str) -> bool {
    match wanted.strip_prefix(':') {
        Some(kind) => kind_of(noun) == Some(kind),
        None => {
            noun == wanted
                || wanted.chars().count() > 1 && noun.ends_with(wanted)
                || wanted.chars().count() == 1 && ends_alone(noun, wanted)
        }
    }
}

/// Whether a one-character noun is the head of a longer one that the lexicon does not know as a thing of its own.
fn ends_alone(noun: &str, head: &str) -> bool {
    noun.ends_with(head) && Lexicon::shipped().noun(noun).is_none()
}

/// The kind of a noun by the lexicon; of a compound, the kind of the longest end of it that is known.
pub fn kind_of(noun: &str) -> Option<&'static str> {
    let lexicon = Lexicon::shipped();
    let ends = noun.char_indices().map(|(at, _)| &noun[at..]);
    ends.filter_map(|end| lexicon.noun(end)).map(|noun| lexicon.kind(noun).name.as_str()).next()
}

/// Characters of directions, and those that may stand around them in one locative.
const DIRECTIONS: &str = "东南西北左右前后上下中里外内侧";
const AROUND: &str = "面边头方部端角段首手正偏之以儿处侧";

/// The directions that a locative is made of (左后方 is left and back); `None` if it is anything else.
pub fn directions(word: &str) -> Option<Vec<char>> {
    let known = word.chars().all(|character| DIRECTIONS.contains(character) || AROUND.contains(character));
    let mut found: Vec<char> = word.chars().filter(|character| DIRECTIONS.contains(*character)).collect();
    if found.len() > 1 {
        // 左侧 is left; 侧 alone is a direction.
        found.retain(|character| *character != '侧');
    }
    found.sort_unstable();
    found.dedup();
    (known && !found.is_empty()).then_some(found)
}

/// Pairs of opposite directions.
pub const OPPOSITES: [(char, char); 9] = [
    ('左', '右'),
    ('前', '后'),
    ('上', '下'),
    ('东', '西'),
    ('南', '北'),
    ('里', '外'),
    ('内', '外'),
    ('进', '出'),
    ('来', '去'),
];

/// The opposite of a direction.
pub fn opposite(direction: char) -> Option<char> {
    OPPOSITES.iter().find_map(|(a, b)| if *a == direction { Some(*b) } else { (*b == direction).then_some(*a) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sound() {
        let tables = tables();
        for row in &tables.rows {
            assert!(tables.families.values().any(|family| family.name == row.family), "{}", row.family);
            assert!(!row.regions.is_empty(), "{} {:?}", row.family, row.nouns);
            for region in &row.regions {
                assert!(tables.says.contains_key(region), "{region} is not said");
            }
            for kind in row.nouns.iter().filter_map(|noun| noun.strip_prefix(':')) {
                assert!(Lexicon::shipped().kinds().iter().any(|known| known.name == kind), "{kind}");
            }
        }
        for family in tables.families.values().filter(|family| family.class == Class::Locative) {
            assert!(!tables.regions(family.name, "桌子", &[]).is_empty(), "{} has no region", family.name);
        }
    }

    #[test]
    fn the_noun_and_the_verb_decide() {
        let tables = tables();
        assert_eq!(tables.regions("up", "轿车", &[])[0], "interior");
        assert_eq!(tables.regions("up", "石桥", &["站"])[0], "top");
        assert_eq!(tables.regions("down", "地", &["掉"])[0], "surface");
        assert_eq!(tables.regions("down", "地", &["建造"])[0], "under");
    }

    #[test]
    fn directions_of_a_locative() {
        assert_eq!(directions("左后方"), Some(vec!['后', '左']));
        assert_eq!(directions("南侧"), directions("南边"));
        assert_eq!(directions("正西"), Some(vec!['西']));
        assert_eq!(directions("旁边"), None);
        assert_eq!(opposite('南'), Some('北'));
    }
}
