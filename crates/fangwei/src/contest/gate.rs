//! Gates: when something may be had. A gate at the edge of a phase moves with it.

use super::{Contest, Moment};

/// When something is let out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gate {
    /// With the competition itself.
    Open,
    /// At a moment.
    At(Moment),
    /// When a phase starts.
    Start(String),
    /// When a phase ends.
    End(String),
    /// When an organiser says so.
    Hand,
}

impl Gate {
    /// What a gate can be, for messages.
    pub const FORMS: &str = "open / hand / start:PHASE / end:PHASE / 2022-08-12T00:00:00+08:00";

    /// When it opens by itself; `None` where only an organiser opens it.
    pub fn moment(&self, contest: &Contest) -> Option<Moment> {
        match self {
            Gate::Open => Some(Moment::at(i64::MIN / 2, contest.zone)),
            Gate::At(moment) => Some(*moment),
            Gate::Start(phase) => contest.phase(phase).map(|phase| phase.start),
            Gate::End(phase) => contest.phase(phase).map(|phase| phase.end),
            Gate::Hand => None,
        }
    }

    /// Whether it is open by itself at a moment.
    pub fn is_open(&self, contest: &Contest, now: i64) -> bool {
        self.moment(contest).is_some_and(|moment| moment.ms <= now)
    }
}

impl std::str::FromStr for Gate {
    type Err = super::TimeError;

    fn from_str(text: &str) -> Result<Gate, super::TimeError> {
        Ok(match (text, text.split_once(':')) {
            ("open", _) => Gate::Open,
            ("hand", _) => Gate::Hand,
            (_, Some(("start", phase))) => Gate::Start(phase.trim().to_owned()),
            (_, Some(("end", phase))) => Gate::End(phase.trim().to_owned()),
            _ => Gate::At(text.parse()?),
        })
    }
}

impl std::fmt::Display for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Gate::Open => f.write_str("open"),
            Gate::At(moment) => write!(f, "{moment}"),
            Gate::Start(phase) => write!(f, "start:{phase}"),
            Gate::End(phase) => write!(f, "end:{phase}"),
            Gate::Hand => f.write_str("hand"),
        }
    }
}
