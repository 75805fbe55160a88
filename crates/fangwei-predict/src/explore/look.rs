//! Colours and short names: roles look as they do in the editor, classes of words too, so that whoever knows one page can read the others.

use fangwei::annotate::Role as Named;
use fangwei::annotate::form::{Look, of_fragment, of_role};
use fangwei::lang::{Lang, Words, words};
use fangwei::lexicon::Class;
use fangwei::tasks::ROLES;

use super::explored::Role;

/// The look of a role of a tuple, or of a fragment of what is wrong.
pub fn look(role: &Role) -> Look {
    if ROLES.contains(&role.role.as_str()) {
        of_role(Named::of_element(&role.role, !role.idxes.is_empty(), role.label.is_some()))
    } else {
        of_fragment(&role.role)
    }
}

/// A role in so few letters that they stand under one character.
pub const fn short(group: &str) -> Words {
    match group.as_bytes() {
        b"entity" => words("实体", "ent"),
        b"event" => words("事件", "evt"),
        b"fact" => words("真假", "fact"),
        b"time" => words("时间", "time"),
        b"place" => words("处所", "plc"),
        b"start" => words("起点", "from"),
        b"end" => words("终点", "to"),
        b"direction" => words("方向", "dir"),
        b"orientation" => words("朝向", "face"),
        b"part" => words("部位", "part"),
        b"shape" => words("形状", "shp"),
        b"path" => words("路径", "path"),
        b"distance" => words("距离", "dist"),
        _ => words("其他", "oth"),
    }
}

/// The name of a class in style sheets; classes that are seldom share one.
pub const fn class(class: Class) -> &'static str {
    match class {
        Class::Locative => "locative",
        Class::Place => "place",
        Class::Directional => "directional",
        Class::Verb => "verb",
        Class::Preposition => "preposition",
        Class::Adverb | Class::Demonstrative => "other",
    }
}

/// What a role is filled with, the label behind the words.
pub fn filled(role: &Role) -> String {
    match &role.label {
        Some(label) if role.text.is_empty() => label.clone(),
        Some(label) => format!("{}（{label}）", role.text),
        None => role.text.clone(),
    }
}

/// The types of 2022 in words.
pub fn kind(kind: &str, lang: Lang) -> &'static str {
    match kind {
        "A" => lang.say("搭配不当", "do not go together"),
        "B" => lang.say("语义冲突", "contradict each other"),
        _ => lang.say("不符合常识", "against common sense"),
    }
}

/// A share in whole percents: nobody is surer than that.
pub fn whole(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
