//! The roles and labels that tools are told about: each with a name in ASCII, because brat allows no other in its configuration and its files.

use crate::task::Task;
use crate::tasks::{LABEL_SLOTS, ROLES, SLOTS};

/// The role of a mention in a set of coreferent ones.
pub const MENTION: &str = "mention";

/// A role of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoleName {
    /// As the task writes it.
    pub role: &'static str,
    /// In letters and `_`, not ending in a digit: brat numbers repeated arguments.
    pub ascii: &'static str,
    /// The labels that it may have.
    pub labels: &'static [&'static str],
}

/// What brat calls a label.
const LABELS: &[(&str, &str)] = &[
    ("假", "False"),
    ("说话时", "Speaking"),
    ("过去", "Past"),
    ("将来", "Future"),
    ("之时", "During"),
    ("之前", "Before"),
    ("之后", "After"),
    ("之间", "Between"),
    ("远", "Far"),
    ("近", "Near"),
    ("变远", "Farther"),
    ("变近", "Nearer"),
];

const ASCII: &[(&str, &str)] = &[
    ("text1", "text_a"),
    ("text2", "text_b"),
    ("S", "S_c"),
    ("P", "P_c"),
    ("E", "E_c"),
    ("S1", "S_a"),
    ("P1", "P_a"),
    ("E1", "E_a"),
    ("S2", "S_b"),
    ("P2", "P_b"),
    ("E2", "E_b"),
    ("空间实体", "Entity"),
    ("参照实体", "Reference"),
    ("事件", "Event"),
    ("事实性", "Factuality"),
    ("时间", "Time"),
    ("时间(文本)", "Time_text"),
    ("参照事件", "Time_event"),
    ("时间(标签)", "Time_label"),
    ("处所", "Place"),
    ("起点", "Start"),
    ("终点", "End"),
    ("方向", "Direction"),
    ("朝向", "Orientation"),
    ("部件处所", "Part_place"),
    ("部位", "Body_part"),
    ("形状", "Shape"),
    ("路径", "Path"),
    ("距离", "Distance"),
    ("距离(文本)", "Distance_text"),
    ("距离(标签)", "Distance_label"),
    (MENTION, "Mention"),
];

/// The task of this name.
///
/// # Panics
/// Never for the names in this module's callers: they are literals, and a test walks every conversion.
pub(super) fn task(name: &str) -> &'static dyn Task {
    crate::tasks::find(name).expect("conversions name tasks by literals, and every_conversion_runs tests each")
}

/// The roles of a task, in its order.
pub fn roles(task: &str) -> Vec<RoleName> {
    let names: &[&'static str] = match task {
        "2022/attribute" => &["text1", "text2", "S", "P", "E", "S1", "P1", "E1", "S2", "P2", "E2"],
        "2022/roles" => &SLOTS,
        "2023/anomaly" => &["S1", "P1", "E1", "S2", "P2", "E2"],
        "2023/roles" => &ROLES,
        _ => &[],
    };
    let name = |role: &&'static str| RoleName { role, ascii: ascii(role), labels: labels(role) };
    names.iter().map(name).collect()
}

fn labels(role: &str) -> &'static [&'static str] {
    let slot = match role {
        "事实性" => 0,
        "时间" | "时间(标签)" => 1,
        "距离" | "距离(标签)" => 2,
        _ => return &[],
    };
    LABEL_SLOTS[slot].1
}

/// The ASCII name of a role.
pub fn ascii(role: &str) -> &'static str {
    ASCII.iter().find(|(known, _)| *known == role).map_or("Other", |(_, ascii)| ascii)
}

/// The role of a task under its own name, its ASCII name, or either with a number behind it.
pub fn role_of(names: &[RoleName], given: &str) -> Option<&'static str> {
    let find = |given: &str| {
        let exact = names.iter().find(|name| name.role == given);
        exact.or_else(|| names.iter().find(|name| name.ascii == given)).map(|name| name.role)
    };
    find(given).or_else(|| find(given.trim_end_matches(|c: char| c.is_ascii_digit())))
}

/// The ASCII name of a label.
pub fn ascii_label(label: &str) -> Option<&'static str> {
    LABELS.iter().find(|(known, _)| *known == label).map(|(_, ascii)| *ascii)
}

/// The label under its own or its ASCII name.
pub fn label_of(given: &str) -> Option<&'static str> {
    LABELS.iter().find(|(label, ascii)| *label == given || *ascii == given).map(|(label, _)| *label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_and_label_has_a_name_of_its_own() {
        for task in ["2022/attribute", "2022/roles", "2023/anomaly", "2023/roles"] {
            let names = roles(task);
            assert!(!names.is_empty());
            for name in &names {
                assert_ne!(name.ascii, "Other", "{}", name.role);
                assert!(!name.ascii.ends_with(|c: char| c.is_ascii_digit()), "{}", name.ascii);
                assert_eq!(role_of(&names, name.ascii), Some(name.role));
                assert_eq!(role_of(&names, &format!("{}2", name.ascii)), Some(name.role));
                assert!(name.labels.iter().all(|label| ascii_label(label).and_then(label_of) == Some(label)));
            }
        }
        assert_eq!(role_of(&roles("2023/anomaly"), "S2"), Some("S2"));
        assert_eq!(role_of(&roles("2023/anomaly"), "Theme"), None);
    }
}
