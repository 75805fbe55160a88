//! What is known of a word before its neighbours are looked at: a set of bits, found by one look-up.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::lexicon::{Class, Lexicon};

/// A set of properties.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Marks(u32);

macro_rules! marks {
    ($($(#[$doc:meta])* $name:ident $bit:literal),+ $(,)?) => {
        impl Marks { $($(#[$doc])* pub const $name: Marks = Marks(1 << $bit);)+ }
    };
}

marks! {
    LOCATIVE 0, PLACE 1, DIRECTIONAL 2, VERB 3, PREPOSITION 4, ADVERB 5, DEMONSTRATIVE 6,
    /// An entity noun of the lexicon.
    ENTITY 7,
    /// A noun after which a locative is not spatial.
    ABSTRACT 8,
    /// A word of time.
    TEMPORAL 9,
    /// A person or an animal: who goes up, and who is spoken to.
    PERSON 10,
    /// Something to go into, onto or out of.
    GROUND 11,
    /// Something that one is in or on after having gone there.
    GOAL 12,
    // Told by the dictionary's tag.
    NOMINAL 16, VERBAL 17, NUMERAL 18, MEASURE 19, PARTICLE 20, PUNCTUATION 21, ADVERBIAL 22, ADJECTIVE 23, PRONOUN 24, TIME 25, CONJUNCTION 26,
}

impl Marks {
    pub const fn or(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// Whether at least one of `marks` is set.
    pub const fn any(self, marks: Marks) -> bool {
        self.0 & marks.0 != 0
    }

    /// Everything that the lexicon can say of a word.
    const OF_LEXICON: Marks = Marks(0x1fff);
    /// The word has an entry in some class.
    pub const SPATIAL: Marks = Marks(0x7f);

    /// Whether only the dictionary knows it, as a noun.
    pub const fn is_plain_noun(self) -> bool {
        self.any(Marks::NOMINAL) && !self.any(Marks::OF_LEXICON)
    }

    /// What a longer noun inherits from its head.
    pub const fn of_noun(self) -> Marks {
        Marks(self.0 & (Marks::ENTITY.0 | Marks::PERSON.0 | Marks::GROUND.0 | Marks::GOAL.0 | Marks::ABSTRACT.0))
    }

    const fn of_class(class: Class) -> Marks {
        match class {
            Class::Locative => Marks::LOCATIVE,
            Class::Place => Marks::PLACE,
            Class::Directional => Marks::DIRECTIONAL,
            Class::Verb => Marks::VERB,
            Class::Preposition => Marks::PREPOSITION,
            Class::Adverb => Marks::ADVERB,
            Class::Demonstrative => Marks::DEMONSTRATIVE,
        }
    }

    /// The same with what the dictionary's tag tells.
    pub fn with_pos(self, pos: &str, text: &str) -> Marks {
        let told = match pos.as_bytes().first() {
            Some(b'n') => Marks::NOMINAL,
            Some(b'v') => Marks::VERBAL,
            Some(b'm') => Marks::NUMERAL,
            Some(b'q') => Marks::MEASURE,
            Some(b'u' | b'y' | b'e' | b'o') => Marks::PARTICLE,
            Some(b'x' | b'w') if text.chars().all(|c| !c.is_alphanumeric()) => Marks::PUNCTUATION,
            Some(b'd') => Marks::ADVERBIAL,
            Some(b'a' | b'b') => Marks::ADJECTIVE,
            _ if pos == "z" => Marks::ADJECTIVE,
            Some(b'r') => Marks::PRONOUN,
            Some(b't') => Marks::TIME,
            Some(b'c') => Marks::CONJUNCTION,
            _ => Marks::default(),
        };
        // 慢慢地: the particle is no earth.
        if told == Marks::PARTICLE && text == "地" { told } else { self.or(told) }
    }
}

/// Kinds of nouns that act.
const PERSONS: [&str; 2] = ["person", "animal"];
/// Kinds of nouns that one does not go into, onto or out of.
const NO_GROUND: [&str; 4] = ["person", "animal", "ambient", "food"];

/// Kinds of things that one goes into, onto or out of.
const GOALS: [&str; 15] = [
    "volume",
    "surface",
    "support",
    "road",
    "boundary",
    "opening",
    "building",
    "structure",
    "region",
    "territory",
    "vehicle",
    "water",
    "landform",
    "plant",
    "sky",
];

/// The marks of every word of a lexicon.
pub(super) fn of(lexicon: &Lexicon) -> FxHashMap<SmolStr, Marks> {
    let mut marks: FxHashMap<SmolStr, Marks> = FxHashMap::default();
    let mut add = |word: &str, mark: Marks| {
        let known = marks.entry(word.into()).or_default();
        *known = known.or(mark);
    };
    for entry in lexicon.entries() {
        add(&entry.word, Marks::of_class(entry.class));
    }
    for noun in lexicon.nouns() {
        let kind = lexicon.kind(noun).name.as_str();
        add(&noun.word, Marks::ENTITY);
        if PERSONS.contains(&kind) {
            add(&noun.word, Marks::PERSON);
        }
        if GOALS.contains(&kind) {
            add(&noun.word, Marks::GOAL);
        }
        if !NO_GROUND.contains(&kind) {
            add(&noun.word, Marks::GROUND);
        }
    }
    for word in lexicon.abstracts() {
        add(word, Marks::ABSTRACT);
    }
    for word in lexicon.temporals() {
        add(word, Marks::TEMPORAL);
    }
    marks
}
