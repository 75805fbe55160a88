//! The rule that fired, in words, with the locatives that its noun takes.

use fangwei::answer::Element;
use fangwei::lang::Say;
use fangwei::lexicon::{Class, Lexicon};
use fangwei::task::{Item, Task, Texts};

use super::anomaly::suspects;
use super::rules::locative::noun_of;
use super::rules::{Finding, findings_of};
use super::scan::Scan;
use super::{Asked, asked, reason, roles, scene};
use crate::belief::Tuple;
use crate::explain::{Explanation, Point};
use crate::reading::Reading;

/// So many points are told.
const MOST: usize = 8;

/// Why the rules answer as they do.
pub fn explain(task: &dyn Task, item: &Item) -> Explanation {
    let reading = Reading::new(item.texts.context());
    let scan = Scan::new(&reading);
    let points = match asked(task) {
        Asked::Roles => roles::tuples(&scan).iter().take(MOST).map(|(tuple, odds)| of_tuple(tuple, *odds)).collect(),
        Asked::Scene => of_scene(item),
        Asked::Reason | Asked::Joint => {
            let mut points = fired(&scan);
            if let Texts::Reason { reason, .. } = &item.texts {
                let say = Say::new("这条理由成立的可能", "how likely the reason is right");
                points.push(Point::new("reason", reason.trim(), say).odds(reason::right(&scan, reason)));
            }
            points
        }
        Asked::Judge => fired(&scan),
        Asked::Anomaly | Asked::Attribute => {
            let points = fired(&scan);
            if points.is_empty() {
                suspects(&scan).iter().take(3).map(|(finding, _, odds)| of_finding(&scan, finding).odds(*odds)).collect()
            } else {
                points
            }
        }
    };
    Explanation { points }
}

fn fired(scan: &Scan<'_>) -> Vec<Point> {
    // Of several rules about one word the surest speaks.
    let mut found = findings_of(scan);
    let mut told: Vec<usize> = Vec::new();
    found.retain(|(_, finding)| {
        let fresh = !told.contains(&finding.word);
        told.push(finding.word);
        fresh
    });
    let point = |(rule, finding): &(&'static super::Rule, Finding)| {
        let word = scan.text(finding.word).to_owned();
        let at = scan.chars(finding.word..finding.word + 1);
        let say = Say::new(format!("规则 {}：{}", rule.id, rule.title.zh), format!("rule {}: {}", rule.id, rule.title.en));
        let mut parts = vec![Point::new("why", "", finding.why.clone())];
        parts.extend(noun(scan, finding));
        Point::new("rule", word, say).at(at.start as u32..at.end as u32).odds(rule.odds).with(parts)
    };
    found.iter().take(MOST).map(point).collect()
}

fn of_finding(scan: &Scan<'_>, finding: &Finding) -> Point {
    let at = scan.chars(finding.word..finding.word + 1);
    let point = Point::new("anchor", scan.text(finding.word), finding.why.clone()).at(at.start as u32..at.end as u32);
    point.with(noun(scan, finding).into_iter().collect())
}

/// The locatives of the noun before a locative.
fn noun(scan: &Scan<'_>, finding: &Finding) -> Option<Point> {
    let place = scan.places.iter().find(|place| place.last == finding.word && scan.is(place.last, Class::Locative))?;
    let word = scan.text(place.noun?);
    let known = noun_of(word)?;
    let kind = Lexicon::shipped().kind(known);
    let takes = known.takes.join("、");
    let say = Say::new(format!("{}，带 {takes}", kind.zh), format!("{}, takes {takes}", kind.name));
    let at = scan.chars(place.noun?..place.noun? + 1);
    Some(Point::new("noun", word, say).at(at.start as u32..at.end as u32))
}

fn of_tuple(tuple: &Tuple, odds: f64) -> Point {
    let part = |element: &Element| {
        let fragment = element.fragment.value()?;
        let point = Point::new("role", fragment.text.as_str(), Say::same(element.role.as_str()));
        Some(point.at(fragment.span.iter().map(|idx| idx.0)))
    };
    let parts: Vec<Point> = tuple.iter().filter_map(part).collect();
    let words: Vec<&str> = parts.iter().map(|part| part.word.as_str()).collect();
    let say = Say::new("按介词、方位词和动词的格式", "by the pattern of preposition, locative and verb");
    Point::new("tuple", words.join(" "), say).odds(odds).with(parts)
}

fn of_scene(item: &Item) -> Vec<Point> {
    let texts = item.texts.each();
    let compared = scene::compare(texts.first().copied().unwrap_or_default(), texts.get(1).copied().unwrap_or_default());
    let why = match compared.why {
        "equal" => Say::new("两段文本相同", "the texts are equal"),
        "synonyms" => Say::new("两个词指同一处或同一方向", "both words mean one place or one way"),
        "on-is-in" => Say::new("这类事物的“上”就是“里”", "of such a thing 上 is 里"),
        "ground" => Say::new("“地下”可以指地面", "地下 can mean the ground"),
        _ => Say::new("两个词指不同的位置", "the words mean different places"),
    };
    let shown = format!("{} / {}", compared.differ.0, compared.differ.1);
    vec![Point::new("difference", shown, why).odds(compared.same)]
}
