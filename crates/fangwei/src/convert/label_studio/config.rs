//! The labeling interface: which labels, choices and relations people are offered.

use std::fmt::Write as _;

use super::super::names::RoleName;
use super::SETS;
use crate::answer::ReasonType;

/// The interface of a task.
pub fn interface(task: &str, names: &[RoleName]) -> String {
    let mut xml = String::from("<View>\n  <Relations>\n");
    let mentions = task.ends_with("/roles");
    let sets = if mentions { &SETS[..] } else { &[] };
    for relation in ["answer", "piece"].into_iter().chain(sets.iter().map(|(_, relation)| *relation)) {
        // Writing to a String cannot fail, here and below. Names are ours and need no escapes.
        let _ = writeln!(xml, "    <Relation value=\"{relation}\"/>");
    }
    xml.push_str("  </Relations>\n  <Labels name=\"role\" toName=\"text\">\n");
    for label in names.iter().map(|name| name.role).chain(sets.iter().map(|(label, _)| *label)) {
        let _ = writeln!(xml, "    <Label value=\"{label}\"/>");
    }
    xml.push_str("  </Labels>\n  <Text name=\"text\" value=\"$text\" granularity=\"symbol\"/>\n");
    if task == "2022/attribute" {
        let kinds: Vec<String> = ReasonType::ALL.iter().map(|kind| kind.as_str().to_owned()).collect();
        choices(&mut xml, "type", "single", &kinds);
    }
    let labels = |name: &RoleName| -> Vec<String> { name.labels.iter().map(|label| format!("{}={label}", name.role)).collect() };
    let labels: Vec<String> = names.iter().flat_map(labels).collect();
    if !labels.is_empty() {
        choices(&mut xml, "label", "single", &labels);
        choices(&mut xml, "answer_label", "multiple", &labels);
    }
    xml.push_str("</View>\n");
    xml
}

fn choices(xml: &mut String, name: &str, choice: &str, values: &[String]) {
    let _ =
        writeln!(xml, "  <Choices name=\"{name}\" toName=\"text\" perRegion=\"true\" required=\"false\" choice=\"{choice}\">");
    for value in values {
        let _ = writeln!(xml, "    <Choice value=\"{value}\"/>");
    }
    xml.push_str("  </Choices>\n");
}
