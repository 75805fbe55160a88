//! Word classes and the parts that a fragment of each class can be cut into.
//! A pattern may name a part only if its class has it, which is checked when the table is read.

/// The class of a fragment as one of its readings sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// 在, 从, 向: a preposition alone.
    Prep,
    /// 上, 里, 旁: a locative of one character.
    Loc,
    /// 上面, 左侧, 深处: a locative of two or more characters.
    LocWord,
    /// 当地, 太空, 街头: a word that names a place without a locative.
    Place,
    /// 最, 另, 正: a word that limits a locative.
    Modifier,
    /// 他, 我们.
    Pronoun,
    /// 一块, 那座山: opens with a numeral or a demonstrative.
    Numeral,
    /// Any nominal; every word that is in no list has this reading too.
    Noun,
    /// A word in no list and with no shape that tells: its neighbour decides.
    Unknown,
    /// 柜子, 口袋: a thing that others are put into and taken out of; reads as a noun too.
    Container,
    /// 先, 又.
    Adverb,
    /// A verb that is not directional.
    Verb,
    /// 喝酒: a verb and an object of one character each; may be a noun too (流水).
    Event,
    /// 被掏空: a verb after 被.
    Passive,
    /// 很远, 安静.
    Adjective,
    /// 进, 出, 来: a directional verb of one character.
    Dir,
    /// 进来, 上去: a compound directional verb.
    Dir2,
    /// 桌子上: ends in a locative.
    NounLoc,
    /// 在桌子上, 向你: opens with a preposition.
    PrepPhrase,
    /// 进屋子里: opens with a directional verb, ends in a locative.
    DirPhrase,
    /// 走进, 放入: a verb and a directional that takes a place.
    VerbPath,
    /// 拿来, 站起: a verb and a directional that takes no place.
    VerbCome,
    /// 跑出来: a verb and a compound directional.
    VerbDir2,
    /// 坐在, 落到: a verb and a preposition that opens the place after it.
    VerbPrep,
    /// 追里, 先外: a verb or an adverb and a locative, never well-formed.
    VerbLoc,
    /// 捣蒜泥: a verb and its object.
    VerbObject,
    /// 跑到车旁: a verb and a phrase of place.
    VerbPlace,
    /// 人头攒动: a subject and its verb.
    Clause,
    /// Only in patterns: fits every reading.
    Any,
}

/// A part of a fragment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// All of it, less commas and the like.
    Whole,
    /// All of it, less commas and a final 的, 了 or 着.
    Core,
    /// The verb.
    Verb,
    /// What follows the verb: a directional or a preposition.
    Tail,
    /// The nominal before a locative, or the subject of a clause.
    Noun,
    /// What follows a preposition, or the phrase of place after a verb.
    Place,
    /// The object of the verb.
    Object,
}

const CLASSES: &[(&str, Class)] = &[
    ("prep", Class::Prep),
    ("loc", Class::Loc),
    ("locword", Class::LocWord),
    ("place", Class::Place),
    ("modifier", Class::Modifier),
    ("pronoun", Class::Pronoun),
    ("numeral", Class::Numeral),
    ("noun", Class::Noun),
    ("unknown", Class::Unknown),
    ("container", Class::Container),
    ("adverb", Class::Adverb),
    ("verb", Class::Verb),
    ("event", Class::Event),
    ("passive", Class::Passive),
    ("adjective", Class::Adjective),
    ("dir", Class::Dir),
    ("dir2", Class::Dir2),
    ("noun-loc", Class::NounLoc),
    ("prep-phrase", Class::PrepPhrase),
    ("dir-phrase", Class::DirPhrase),
    ("verb-path", Class::VerbPath),
    ("verb-come", Class::VerbCome),
    ("verb-dir2", Class::VerbDir2),
    ("verb-prep", Class::VerbPrep),
    ("verb-loc", Class::VerbLoc),
    ("verb-object", Class::VerbObject),
    ("verb-place", Class::VerbPlace),
    ("clause", Class::Clause),
    ("any", Class::Any),
];

const PARTS: &[(&str, Part)] = &[
    ("whole", Part::Whole),
    ("core", Part::Core),
    ("verb", Part::Verb),
    ("tail", Part::Tail),
    ("noun", Part::Noun),
    ("place", Part::Place),
    ("object", Part::Object),
];

impl Class {
    /// The class of this name in the TSV files.
    pub fn named(name: &str) -> Option<Class> {
        CLASSES.iter().find(|(n, _)| *n == name).map(|(_, c)| *c)
    }

    /// The name in the TSV files.
    pub fn name(self) -> &'static str {
        CLASSES.iter().find(|(_, c)| *c == self).map_or("", |(n, _)| n)
    }

    /// Whether every fragment of this class has this part.
    pub fn has(self, part: Part) -> bool {
        match part {
            Part::Whole | Part::Core => true,
            Part::Verb => matches!(
                self,
                Class::VerbPath
                    | Class::VerbCome
                    | Class::VerbDir2
                    | Class::VerbPrep
                    | Class::VerbLoc
                    | Class::VerbObject
                    | Class::VerbPlace
                    | Class::Passive
                    | Class::Clause
            ),
            Part::Tail => matches!(self, Class::VerbPath | Class::VerbCome | Class::VerbDir2 | Class::VerbPrep | Class::VerbLoc),
            Part::Noun => matches!(self, Class::NounLoc | Class::Clause),
            Part::Place => matches!(self, Class::PrepPhrase | Class::VerbPlace),
            Part::Object => self == Class::VerbObject,
        }
    }

    /// Closed classes: a word of one of them needs no further reading.
    pub fn is_closed(self) -> bool {
        matches!(self, Class::Prep | Class::Loc | Class::LocWord | Class::Modifier | Class::Pronoun | Class::Dir | Class::Dir2)
    }
}

impl Part {
    /// The part of this name in the pattern table.
    pub fn named(name: &str) -> Option<Part> {
        PARTS.iter().find(|(n, _)| *n == name).map(|(_, p)| *p)
    }
}
