//! What a rule found, and what a person said to it.

use serde_json::{Value, json};
use smol_str::SmolStr;

use super::fix::Fix;
use super::mark::{Mark, Waiver};
use super::reading::Reading;
use super::subject::{Spot, Subject};
use crate::lang::{Lang, Say};
use crate::task::Task;
use crate::text::Span;

/// How much a finding matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth a look.
    Hint,
    /// Probably wrong; may be waived with a reason.
    Warning,
    /// The mark contradicts itself or its format. It cannot be finished, and no reason makes it right.
    Error,
}

impl Severity {
    /// The name for people.
    pub const fn title(self, lang: Lang) -> &'static str {
        match self {
            Severity::Hint => lang.say("提示", "hint"),
            Severity::Warning => lang.say("警告", "warning"),
            Severity::Error => lang.say("错误", "error"),
        }
    }
}

/// What the check of a rule gives back: where, what else there is to say, and what would mend it.
#[derive(Clone, Debug)]
pub struct Hit {
    /// Where it is.
    pub spot: Spot,
    /// The places in the text to light up; those of the value at the spot where none are given.
    pub spans: Vec<Span>,
    /// What the rule's message does not say.
    pub detail: Option<Say>,
    /// What would mend it.
    pub fix: Option<Fix>,
    /// How much it matters, where that is not the rule's own severity.
    pub severity: Option<Severity>,
}

impl Hit {
    /// Something at a spot.
    pub fn at(spot: Spot) -> Hit {
        Hit { spot, spans: Vec::new(), detail: None, fix: None, severity: None }
    }

    /// With places to light up.
    #[must_use]
    pub fn on(mut self, spans: impl IntoIterator<Item = Span>) -> Hit {
        self.spans.extend(spans);
        self
    }

    /// With more to say.
    #[must_use]
    pub fn saying(mut self, detail: impl Into<Say>) -> Hit {
        self.detail = Some(detail.into());
        self
    }

    /// With what would mend it, where something would.
    #[must_use]
    pub fn mended(mut self, fix: impl Into<Option<Fix>>) -> Hit {
        self.fix = fix.into();
        self
    }

    /// Not as bad as the rule's own severity says.
    #[must_use]
    pub fn only(mut self, severity: Severity) -> Hit {
        self.severity = Some(severity);
        self
    }
}

/// What a rule found in a mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule's name: `SF15`.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, with the words at hand.
    pub message: Say,
    /// JSON pointer into the mark.
    pub pointer: String,
    /// Places in the text.
    pub spans: Vec<Span>,
    /// What would mend it.
    pub fix: Option<Fix>,
    /// Why it does not hold, as somebody said.
    pub waived: Option<SmolStr>,
}

impl Finding {
    /// What a waiver names it by: its places in the text, so that it outlives other changes of the mark and lapses when its own words change;
    /// the pointer where it has no places.
    pub fn at(&self) -> SmolStr {
        if self.spans.iter().all(Span::is_empty) {
            return self.pointer.as_str().into();
        }
        self.spans.iter().map(Span::to_string).collect::<String>().into()
    }

    /// Whether the mark cannot be finished with it.
    pub fn blocks(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Takes over what the person said to it. An error cannot be waived.
    pub(super) fn settle(&mut self, waivers: &[Waiver]) {
        if self.blocks() || waivers.is_empty() {
            return;
        }
        let at = self.at();
        self.waived =
            waivers.iter().find(|waiver| waiver.rule == self.rule && waiver.at == at).map(|waiver| waiver.reason.clone());
    }

    /// The finding as JSON in one language, with the mended mark.
    pub fn to_json(&self, task: &dyn Task, mark: &Mark, reading: &Reading, lang: Lang) -> Value {
        let fix = self
            .fix
            .as_ref()
            .map(|fix| json!({ "say": fix.say(reading).get(lang), "mark": fix.apply(mark, reading).write(task) }));
        let spans: Vec<Vec<u32>> = self.spans.iter().map(|span| span.iter().map(|idx| idx.0).collect()).collect();
        json!({
            "rule": self.rule,
            "severity": self.severity,
            "message": self.message.get(lang),
            "pointer": self.pointer,
            "at": self.at(),
            "spans": spans,
            "fix": fix,
            "waived": self.waived,
        })
    }

    /// A finding from a hit of a rule.
    pub(super) fn new(rule: &super::Rule, hit: Hit, subject: &Subject<'_>) -> Finding {
        let value = subject.value(hit.spot);
        let mention = || {
            let mentions = subject.sets.iter().flat_map(|set| &set.mentions);
            mentions.into_iter().find(|mention| mention.spot == hit.spot).map(|mention| mention.fragment)
        };
        let fragment = value.and_then(|value| value.fragment).or_else(mention);
        let mut spans = hit.spans;
        if spans.is_empty() {
            spans.extend(fragment.map(|fragment| fragment.span.clone()));
        }
        let name = value.map_or("", |value| value.name);
        let shown = fragment.map(|fragment| fragment.text.as_str()).or(value.and_then(|value| value.label));
        let what = match (shown, hit.spot) {
            (Some(shown), _) => Say::same(format!("{name}“{}”", short(shown))),
            (None, Spot::Record(number)) if subject.records.len() > 1 => {
                Say::new(format!("第 {} 组", number + 1), format!("no. {}", number + 1))
            }
            _ => Say::same(""),
        };
        let join = |what: &str, colon: &str, message: &str, detail: &str| {
            let colon = if what.is_empty() { "" } else { colon };
            format!("{what}{colon}{message}{detail}")
        };
        let detail = |lang: Lang| hit.detail.as_ref().map(|detail| detail.get(lang)).unwrap_or_default();
        let message = Say::new(
            join(&what.zh, "：", rule.message.zh, &wrap(detail(Lang::Zh), "（", "）")),
            join(&what.en, ": ", rule.message.en, &wrap(detail(Lang::En), " (", ")")),
        );
        let severity = hit.severity.unwrap_or(rule.severity);
        Finding { rule: rule.id, severity, message, pointer: subject.pointer(hit.spot), spans, fix: hit.fix, waived: None }
    }
}

fn wrap(text: &str, open: &str, close: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{open}{text}{close}") }
}

/// A text that fits into a message.
fn short(text: &str) -> String {
    if text.chars().nth(30).is_none() { text.to_owned() } else { format!("{}…", text.chars().take(30).collect::<String>()) }
}
