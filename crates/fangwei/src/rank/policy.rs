//! What a place means: over whom a score is standardised, and what decides.
//!
//! The evaluations of 2021 and 2022 both ranked by the mean of Z scores and yet meant two different things;
//! a policy writes down every choice that they left open.

use std::str::FromStr;

use crate::lang::Words;
use serde::{Deserialize, Serialize};

use super::board::Kind;

/// Whose scores give the mean and the deviation; the same rows are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Population {
    /// Teams only.
    #[serde(rename = "teams")]
    Teams,
    /// Teams and baselines.
    #[serde(rename = "teams+baseline")]
    TeamsAndBaseline,
    /// Every row.
    #[serde(rename = "all")]
    All,
}

impl Population {
    /// Whether rows of this kind take part.
    pub fn holds(self, kind: Kind) -> bool {
        match self {
            Self::Teams => kind == Kind::Team,
            Self::TeamsAndBaseline => matches!(kind, Kind::Team | Kind::Baseline),
            Self::All => true,
        }
    }
}

/// What the squared distances are divided by: N, or N - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Ddof {
    /// Population deviation, divided by N.
    Zero,
    /// Sample deviation, divided by N - 1.
    One,
}

impl From<Ddof> for u8 {
    fn from(ddof: Ddof) -> Self {
        match ddof {
            Ddof::Zero => 0,
            Ddof::One => 1,
        }
    }
}

impl TryFrom<u8> for Ddof {
    type Error = PolicyError;

    fn try_from(number: u8) -> Result<Self, PolicyError> {
        match number {
            0 => Ok(Self::Zero),
            1 => Ok(Self::One),
            _ => Err(PolicyError::Word { what: "ddof", expected: "0 or 1", found: number.to_string() }),
        }
    }
}

/// What stands in for a task without a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// Nothing: the mean is over the tasks present, and the row comes after all complete ones.
    Skip,
    /// A score of 0.
    Zero,
    /// The lowest score of the population.
    Worst,
}

/// What decides the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The mean of the Z scores, the higher the better.
    ZMean,
    /// The mean of the ranks within the tasks, the lower the better.
    MeanRank,
    /// The mean of the scores, the higher the better.
    MeanScore,
}

/// Why a policy cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// No policy of this name.
    #[error("expected a policy, one of {expected}, or custom with its four choices, found {found:?}")]
    Unknown {
        /// The names there are.
        expected: String,
        /// The name given.
        found: String,
    },
    /// A named policy has made these choices already.
    #[error("population and ddof are for the policy custom, found {found:?}")]
    Chosen {
        /// The policy given.
        found: String,
    },
    /// No choice of this name.
    #[error("expected {what} to be {expected}, found {found:?}")]
    Word {
        /// Which choice.
        what: &'static str,
        /// The words there are.
        expected: &'static str,
        /// The word given.
        found: String,
    },
}

impl FromStr for Population {
    type Err = PolicyError;

    fn from_str(word: &str) -> Result<Self, PolicyError> {
        match word {
            "teams" => Ok(Self::Teams),
            "teams+baseline" => Ok(Self::TeamsAndBaseline),
            "all" => Ok(Self::All),
            _ => Err(PolicyError::Word { what: "population", expected: "teams, teams+baseline or all", found: word.to_owned() }),
        }
    }
}

impl FromStr for Ddof {
    type Err = PolicyError;

    fn from_str(word: &str) -> Result<Self, PolicyError> {
        match word {
            "0" => Ok(Self::Zero),
            "1" => Ok(Self::One),
            _ => Err(PolicyError::Word { what: "ddof", expected: "0 or 1", found: word.to_owned() }),
        }
    }
}

impl FromStr for Missing {
    type Err = PolicyError;

    fn from_str(word: &str) -> Result<Self, PolicyError> {
        match word {
            "skip" => Ok(Self::Skip),
            "zero" => Ok(Self::Zero),
            "worst" => Ok(Self::Worst),
            _ => Err(PolicyError::Word { what: "missing", expected: "skip, zero or worst", found: word.to_owned() }),
        }
    }
}

impl FromStr for By {
    type Err = PolicyError;

    fn from_str(word: &str) -> Result<Self, PolicyError> {
        match word {
            "z-mean" => Ok(Self::ZMean),
            "mean-rank" => Ok(Self::MeanRank),
            "mean-score" => Ok(Self::MeanScore),
            _ => Err(PolicyError::Word { what: "by", expected: "z-mean, mean-rank or mean-score", found: word.to_owned() }),
        }
    }
}

/// All choices that turn scores into places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Policy {
    /// Name in [`POLICIES`], or `custom`.
    pub name: &'static str,
    /// Who gives the mean and the deviation, and is ranked.
    pub population: Population,
    /// Which deviation.
    pub ddof: Ddof,
    /// What a missing task counts as.
    pub missing: Missing,
    /// What decides.
    pub by: By,
}

impl Policy {
    /// A policy of one's own.
    pub fn custom(population: Population, ddof: Ddof, missing: Missing, by: By) -> Self {
        Self { name: "custom", population, ddof, missing, by }
    }

    /// The policy of this name or alias.
    pub fn named(name: &str) -> Result<Self, PolicyError> {
        POLICIES
            .iter()
            .find(|known| known.policy.name == name || known.aliases.contains(&name))
            .map(|known| known.policy)
            .ok_or_else(|| PolicyError::Unknown { expected: known_names(), found: name.to_owned() })
    }
}

/// Choices that a user makes beside the name of a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Choices {
    /// Whose scores give the mean and the deviation; for `custom`.
    pub population: Option<Population>,
    /// Which deviation; for `custom`.
    pub ddof: Option<Ddof>,
    /// What a missing task counts as.
    pub missing: Option<Missing>,
    /// What decides.
    pub by: Option<By>,
}

impl Policy {
    /// The policy of this name with other choices; `custom` begins as teams, sample deviation, missing tasks skipped, mean Z. A named policy with another
    /// choice is no longer the named one.
    pub fn chosen(name: &str, choices: Choices) -> Result<Self, PolicyError> {
        let mut policy = if name == "custom" {
            Self::custom(Population::Teams, Ddof::One, Missing::Skip, By::ZMean)
        } else {
            Self::named(name)?
        };
        if name != "custom" && (choices.population.is_some() || choices.ddof.is_some()) {
            return Err(PolicyError::Chosen { found: name.to_owned() });
        }
        policy.population = choices.population.unwrap_or(policy.population);
        policy.ddof = choices.ddof.unwrap_or(policy.ddof);
        policy.missing = choices.missing.unwrap_or(policy.missing);
        policy.by = choices.by.unwrap_or(policy.by);
        if !POLICIES.iter().any(|named| named.policy == policy) {
            policy.name = "custom";
        }
        Ok(policy)
    }
}

fn known_names() -> String {
    let names: Vec<&str> =
        POLICIES.iter().flat_map(|known| std::iter::once(known.policy.name).chain(known.aliases.iter().copied())).collect();
    names.join(", ")
}

/// A policy that was used, and what it says in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Its choices.
    pub policy: Policy,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// A heading.
    pub title: Words,
    /// How it ranks.
    pub explanation: Words,
}

/// The policies of the evaluations so far.
pub const POLICIES: &[Named] = &[
    Named {
        policy: Policy {
            name: "2021",
            population: Population::TeamsAndBaseline,
            ddof: Ddof::Zero,
            missing: Missing::Skip,
            by: By::ZMean,
        },
        aliases: &[],
        title: Words { zh: "2021 年规则：含基线的平均标准分", en: "2021: mean Z, baseline included" },
        explanation: Words {
            zh: "每个任务的均值和总体标准差（除以 N）取自所有队伍和基线；按各任务标准分的均值排名，基线一同排名。人类和大模型只列标准分，不排名。",
            en: "Mean and population deviation (divided by N) of every task are taken over teams and baselines; the mean of the Z scores decides, and baselines are ranked too. Human and llm rows get Z scores but no rank.",
        },
    },
    Named {
        policy: Policy { name: "2022", population: Population::Teams, ddof: Ddof::One, missing: Missing::Skip, by: By::ZMean },
        aliases: &["2023"],
        title: Words { zh: "2022 年规则：仅队伍的平均标准分", en: "2022: mean Z, teams only" },
        explanation: Words {
            zh: "每个任务的均值和样本标准差（除以 N−1）只取自队伍；按各任务标准分的均值排名。基线、人类和大模型用队伍的均值和标准差换算，不排名。",
            en: "Mean and sample deviation (divided by N - 1) of every task are taken over teams only; the mean of the Z scores decides. Baseline, human and llm rows are placed with the teams' mean and deviation, outside of the ranking.",
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases() {
        assert_eq!(Policy::named("2023").unwrap().name, "2022");
        let error = Policy::named("2020").unwrap_err().to_string();
        assert!(error.contains("2021, 2022, 2023") && error.contains("2020"), "{error}");
    }

    #[test]
    fn words_are_those_of_serde() {
        for word in ["teams", "teams+baseline", "all"] {
            assert_eq!(serde_json::to_value(word.parse::<Population>().unwrap()).unwrap(), word);
        }
        for word in ["skip", "zero", "worst"] {
            assert_eq!(serde_json::to_value(word.parse::<Missing>().unwrap()).unwrap(), word);
        }
        for word in ["z-mean", "mean-rank", "mean-score"] {
            assert_eq!(serde_json::to_value(word.parse::<By>().unwrap()).unwrap(), word);
        }
        assert_eq!(serde_json::to_string(&"1".parse::<Ddof>().unwrap()).unwrap(), "1");
        assert!(serde_json::from_str::<Ddof>("2").is_err());
        assert!("team".parse::<Population>().is_err());
    }
}
