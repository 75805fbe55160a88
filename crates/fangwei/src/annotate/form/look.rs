//! How fields look and which keys fill them. Names come from the tasks; here is what tasks do not say.
//!
//! Keys are the first letters of the English names where these are free. The three S-P-E families of a form lie side by side on the keyboard: the first
//! triple left of the plain letters, the second right of them.

use super::parts::Shape::{self, Dashed, Dotted, Double, Solid, Wavy};
use crate::annotate::Role;
use crate::lang::{Words, words};

/// What a field looks like.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The key.
    pub key: &'static str,
    /// The name for people.
    pub label: Words,
    /// The group: what it is in a picture of the scene (`entity`, `place`, `start`, …).
    pub group: &'static str,
    /// Whether it is shown at once.
    pub primary: bool,
    /// The colour.
    pub colour: u8,
    /// The underline.
    pub shape: Shape,
}

const fn look(key: &'static str, label: Words, group: &'static str, primary: bool, colour: u8, shape: Shape) -> Look {
    Look { key, label, group, primary, colour, shape }
}

/// The look of a role of tuples.
pub const fn of_role(role: Role) -> Look {
    match role {
        Role::Entity => look("s", words("空间实体", "entity"), "entity", true, 0, Solid),
        Role::Reference => look("r", words("参照实体", "reference entity"), "entity", false, 0, Dashed),
        Role::Event => look("e", words("事件", "event"), "event", true, 1, Solid),
        Role::Factuality => look("f", words("事实性", "factuality"), "fact", false, 1, Dashed),
        Role::TimeText => look("t", words("时间", "time"), "time", true, 2, Solid),
        Role::TimeEvent => look("v", words("参照事件", "reference event"), "time", false, 2, Dashed),
        Role::TimeLabel => look("m", words("时间(标签)", "time label"), "time", false, 2, Dotted),
        Role::Place => look("p", words("处所", "place"), "place", true, 3, Solid),
        Role::Start => look("b", words("起点", "start"), "start", true, 4, Solid),
        Role::End => look("g", words("终点", "end"), "end", true, 5, Solid),
        Role::Direction => look("d", words("方向", "direction"), "direction", true, 6, Solid),
        Role::Facing => look("o", words("朝向", "facing"), "orientation", true, 6, Dashed),
        Role::PartPlace => look("w", words("部件处所", "place of a part"), "part", false, 3, Dashed),
        Role::Part => look("a", words("部位", "part"), "part", false, 3, Dotted),
        Role::Shape => look("h", words("形状", "shape"), "shape", false, 7, Solid),
        Role::Path => look("l", words("路径", "path"), "path", false, 4, Dashed),
        Role::DistanceText => look("i", words("距离", "distance"), "distance", false, 7, Dashed),
        Role::DistanceLabel => look("y", words("距离(标签)", "distance label"), "distance", false, 7, Dotted),
        Role::Text1 => look("t", words("片段1", "fragment 1"), "pair", true, 3, Solid),
        Role::Text2 => look("y", words("片段2", "fragment 2"), "pair", true, 4, Solid),
        Role::S1 => look("a", words("实体1", "entity 1"), "entity", true, 0, Dashed),
        Role::P1 => look("i", words("处所1", "place 1"), "place", true, 1, Dashed),
        Role::E1 => look("w", words("事件1", "event 1"), "event", true, 2, Dashed),
        Role::S2 => look("d", words("实体2", "entity 2"), "entity", true, 0, Double),
        Role::P2 => look("o", words("处所2", "place 2"), "place", true, 1, Double),
        Role::E2 => look("r", words("事件2", "event 2"), "event", true, 2, Double),
        Role::Unknown => look("", words("其他", "other"), "other", false, 7, Wavy),
    }
}

/// The look of a fragment of a reason or a candidate: like its role's, but a plain S, P and E, which stand alone, have the plain letters.
pub fn of_fragment(name: &str) -> Look {
    match name {
        "S" => look("s", words("实体", "entity"), "entity", true, 0, Solid),
        "P" => look("p", words("处所", "place"), "place", true, 1, Solid),
        "E" => look("e", words("事件", "event"), "event", true, 2, Solid),
        _ => of_role(Role::of_fragment(name)),
    }
}

/// A mention that means the same as others.
pub const MENTION: Look = look("c", words("指称", "mention"), "mention", true, 0, Dotted);
/// A mention that looks the same as others and does not mean the same.
pub const DIFFERENT: Look = look("x", words("指称", "mention"), "mention", true, 0, Wavy);
/// The place to blame.
pub const PLACE_TO_BLAME: Look = look("q", words("位置", "place"), "where", true, 7, Wavy);

/// Problems of a raw passage: a key, a colour and an underline each.
pub const PROBLEMS: [Look; 4] = [
    look("t", words("错处", "the error"), "problem", true, 5, Wavy),
    look("l", words("方位词", "locative"), "problem", true, 3, Dashed),
    look("d", words("趋向动词", "directional verb"), "problem", true, 6, Dotted),
    look("w", words("不是词", "not a word"), "problem", true, 7, Double),
];
/// The correction of an error.
pub const CORRECTION: Look = look("c", words("改为", "correction"), "problem", true, 5, Solid);

/// The head of an event of the graph of the early page, and that of a relation.
pub const HEADS: [Look; 2] =
    [look("v", words("事件", "event"), "head", true, 1, Solid), look("s", words("实体", "entity"), "head", true, 0, Solid)];
/// The keys of the roles of an event, and of its other roles.
pub const EVENT_KEYS: [&str; 8] = ["a", "c", "p", "b", "l", "g", "d", "x"];
/// The same for relations.
pub const RELATION_KEYS: [&str; 6] = ["e", "w", "f", "t", "r", "o"];
/// The type of a reason of the early page.
pub const DRAFT_TYPE: Look = look("c", words("类型", "type"), "type", true, 7, Dotted);
