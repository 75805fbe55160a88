//! The roles of all tasks under one name each, and the groups in which rules speak of them.

use crate::tasks::{ROLES, SLOTS};

/// A role. Those of tuples stand in the order of the slots of 2022; those of 2023 that hold two of them are told apart by what fills them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // The Chinese name beside each is its meaning.
pub enum Role {
    /// 空间实体
    Entity,
    /// 参照实体
    Reference,
    /// 事件
    Event,
    /// 事实性
    Factuality,
    /// 时间 as the text says it
    TimeText,
    /// 参照事件
    TimeEvent,
    /// 时间 as a label
    TimeLabel,
    /// 处所
    Place,
    /// 起点
    Start,
    /// 终点
    End,
    /// 方向
    Direction,
    /// 朝向
    Facing,
    /// 部件处所
    PartPlace,
    /// 部位
    Part,
    /// 形状
    Shape,
    /// 路径
    Path,
    /// 距离 as the text says it
    DistanceText,
    /// 距离 as a label
    DistanceLabel,
    /// The first of two fragments that do not go together.
    Text1,
    /// The second.
    Text2,
    S1,
    P1,
    E1,
    S2,
    P2,
    E2,
    /// A role that no task knows.
    Unknown,
}

use Role::{
    Direction, DistanceLabel, DistanceText, E1, E2, End, Entity, Event, Facing, Factuality, P1, P2, Part, PartPlace, Path, Place,
    Reference, S1, S2, Shape, Start, Text1, Text2, TimeEvent, TimeLabel, TimeText, Unknown,
};

/// The roles of tuples by the number of their slot.
const OF_SLOTS: [Role; 18] = [
    Entity,
    Reference,
    Event,
    Factuality,
    TimeText,
    TimeEvent,
    TimeLabel,
    Place,
    Start,
    End,
    Direction,
    Facing,
    PartPlace,
    Part,
    Shape,
    Path,
    DistanceText,
    DistanceLabel,
];

impl Role {
    /// The role of a slot of 2022.
    pub fn of_slot(slot: usize) -> Option<Role> {
        OF_SLOTS.get(slot).copied()
    }

    /// The slot of 2022 that holds the role.
    pub fn slot(self) -> Option<usize> {
        OF_SLOTS.iter().position(|role| *role == self)
    }

    /// The role of a part of an element of 2023: `fragment` tells which part, `labelled` whether there is a label.
    pub fn of_element(name: &str, fragment: bool, labelled: bool) -> Role {
        match (name, fragment, labelled) {
            ("时间", true, false) => TimeText,
            ("时间", true, true) => TimeEvent,
            ("时间", false, _) => TimeLabel,
            ("距离", true, _) => DistanceText,
            ("距离", false, _) => DistanceLabel,
            _ => SLOTS.iter().position(|slot| *slot == name).map_or(Unknown, |slot| OF_SLOTS[slot]),
        }
    }

    /// What 2023 calls the role.
    pub fn element(self) -> Option<&'static str> {
        match self {
            TimeText | TimeEvent | TimeLabel => Some("时间"),
            DistanceText | DistanceLabel => Some("距离"),
            _ => self.slot().map(|slot| SLOTS[slot]).filter(|name| ROLES.contains(name)),
        }
    }

    /// The role of a fragment of a reason or a candidate. Of a type with one triple it is the first.
    pub fn of_fragment(name: &str) -> Role {
        match name {
            "text1" => Text1,
            "text2" => Text2,
            "S" | "S1" => S1,
            "P" | "P1" => P1,
            "E" | "E1" => E1,
            "S2" => S2,
            "P2" => P2,
            "E2" => E2,
            _ => Unknown,
        }
    }

    /// Who or what is somewhere.
    pub fn is_entity(self) -> bool {
        matches!(self, Entity | Reference | S1 | S2)
    }

    /// What happens.
    pub fn is_event(self) -> bool {
        matches!(self, Event | E1 | E2)
    }

    /// Where, in a reason or a candidate.
    pub fn is_p(self) -> bool {
        matches!(self, P1 | P2)
    }

    /// Where, in a tuple: the roles from 处所 to 路径.
    pub fn is_place(self) -> bool {
        (Place..=Path).contains(&self)
    }

    /// A place that something is at, comes from or gets to.
    pub fn is_site(self) -> bool {
        matches!(self, Place | Start | End | PartPlace)
    }

    /// How far.
    pub fn is_distance(self) -> bool {
        matches!(self, DistanceText | DistanceLabel)
    }

    /// When.
    pub fn is_time(self) -> bool {
        matches!(self, TimeText | TimeEvent | TimeLabel)
    }

    /// Which triple a fragment is in: 1 or 2, 0 for the two texts of a collocation and all else.
    pub fn triple(self) -> u8 {
        match self {
            S1 | P1 | E1 => 1,
            S2 | P2 | E2 => 2,
            _ => 0,
        }
    }
}
