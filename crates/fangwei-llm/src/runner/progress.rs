//! How far a run has come, in one line.

use std::time::Duration;

use fangwei::lang::Lang;

use super::budget::{Price, Spent};
use super::pace::Standing;

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Responses of this run.
    pub done: u64,
    /// Requests of this run.
    pub total: u64,
    /// Requests that failed for good.
    pub failures: u64,
    /// Tries that had to be repeated.
    pub retries: u64,
    /// Everything spent in this folder.
    pub spent: Spent,
    /// Requests under way, and waits.
    pub standing: Standing,
    /// How long it has been running.
    pub elapsed: Duration,
}

impl Progress {
    /// Responses a second.
    pub fn speed(&self) -> f64 {
        self.done as f64 / self.elapsed.as_secs_f64().max(0.001)
    }

    /// How long the rest will take at this speed.
    pub fn left(&self) -> Option<Duration> {
        let rest = self.total.saturating_sub(self.done + self.failures);
        (self.done > 0).then(|| Duration::from_secs_f64((rest as f64 / self.speed()).min(1e9)))
    }

    /// Speed, requests under way, retries, waits, tokens and cost, for people.
    pub fn line(&self, price: Price, lang: Lang) -> String {
        let say = |zh, en| lang.say(zh, en);
        let mut line = format!("{:.1}/s  {} {}", self.speed(), self.standing.under_way, say("路并发", "at once"));
        if self.retries > 0 {
            line.push_str(&format!("  {} {}", self.retries, say("次重试", "retries")));
        }
        if !self.standing.waited.is_zero() {
            line.push_str(&format!("  {} {}", say("等待", "waited"), seconds(self.standing.waited)));
        }
        if !self.standing.waiting.is_zero() {
            line.push_str(&format!("  {} {}", say("限速，还要等", "held off for"), seconds(self.standing.waiting)));
        }
        if self.failures > 0 {
            line.push_str(&format!("  {} {}", self.failures, say("题失败", "failed")));
        }
        line.push_str(&format!("  {} + {} {}", self.spent.prompt, self.spent.completion, say("词元", "tokens")));
        let money = self.spent.money(price);
        if money > 0.0 {
            line.push_str(&format!("  {} {money:.4}", say("费用", "cost")));
        }
        if let Some(left) = self.left().filter(|left| !left.is_zero()) {
            line.push_str(&format!("  {} {}", say("还要", "left"), seconds(left)));
        }
        line
    }
}

/// `3.2 s`, `4 min 10 s`, `2 h 5 min`.
pub(crate) fn seconds(time: Duration) -> String {
    let whole = time.as_secs();
    match whole {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::Pace;

    #[test]
    fn a_line_for_people() {
        let progress = Progress {
            done: 10,
            total: 40,
            failures: 0,
            retries: 2,
            spent: Spent { requests: 10, prompt: 1000, completion: 500 },
            standing: Pace::new(1).standing(),
            elapsed: Duration::from_secs(5),
        };
        // ten in five seconds; thirty more take fifteen; 1000 at 1 and 500 at 2 for a million cost 0.002
        let line = progress.line(Price { prompt: 1.0, completion: 2.0 }, Lang::En);
        assert_eq!(line, "2.0/s  0 at once  2 retries  1000 + 500 tokens  cost 0.0020  left 15.0 s");
        assert_eq!(seconds(Duration::from_secs(250)), "4 min 10 s");
    }
}
