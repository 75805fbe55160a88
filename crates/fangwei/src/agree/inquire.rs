//! Everything about some annotators in one go: with and without those who were excluded, and without those who stand apart.

use smol_str::SmolStr;

use super::AgreeError;
use super::answers::{AnswerSet, PairScores, score_pairs};
use super::marks::Marks;
use super::outlier::outliers;
use super::render::{Report, TriageReport};
use super::report::{Options, agree};
use super::triage::{Policy, Triaged, triage};
use crate::lang::{Unknown, words};
use crate::stats::StatsError;
use crate::task::{Item, Mode, Task};

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum InquireError {
    /// Marks cannot be looked at.
    #[error(transparent)]
    Agree(#[from] AgreeError),
    /// The numbers do not allow it.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// Somebody is to be left out who is not there.
    #[error(transparent)]
    UnknownAnnotator(Unknown),
}

/// What is wanted.
#[derive(Clone, Debug, Default)]
pub struct Inquiry {
    /// Who is left out.
    pub exclude: Vec<SmolStr>,
    /// How to look.
    pub options: Options,
    /// What becomes gold, if that is wanted.
    pub triage: Option<Policy>,
}

impl Inquiry {
    /// A report on which nothing stands yet.
    pub fn report(&self) -> Report {
        Report { excluded: self.exclude.clone(), ..Report::default() }
    }

    /// Refuses to leave out somebody who is not there.
    pub fn check_excluded<'n>(&self, names: impl Iterator<Item = &'n str>) -> Result<(), InquireError> {
        let names: Vec<&str> = names.collect();
        match self.exclude.iter().find(|name| !names.contains(&name.as_str())) {
            Some(name) => {
                Err(InquireError::UnknownAnnotator(Unknown::new(words("没有这个标注者", "unknown annotator"), name, names)))
            }
            None => Ok(()),
        }
    }

    /// Everything that is read off a table of labels; gives back the marks that were looked at, and what became of each item where that was asked.
    pub fn labels(&self, all: &Marks, report: &mut Report) -> Result<(Marks, Option<Triaged>), InquireError> {
        self.check_excluded(all.annotators().iter().map(SmolStr::as_str))?;
        let marks = all.without(&self.exclude);
        let agreement = agree(&marks, &self.options)?;
        if !self.exclude.is_empty() {
            report.with_all = Some(agree(all, &self.options)?);
        }
        if !agreement.outliers.is_empty() {
            let names: Vec<SmolStr> = agreement.outliers.iter().map(|outlier| outlier.name.clone()).collect();
            report.without_outliers = Some(agree(&marks.without(&names), &self.options)?);
        }
        report.agreement = Some(agreement);
        let triaged = self.triage.map(|policy| triage(&marks, policy)).transpose()?;
        if let Some(triaged) = &triaged {
            report.triage = Some(TriageReport { policy: triaged.policy, paths: triaged.counts(&marks) });
        }
        Ok((marks, triaged))
    }

    /// Everybody scored against everybody.
    pub fn scores(
        &self,
        task: &'static dyn Task,
        mode: Mode,
        mut sets: Vec<AnswerSet>,
        origin: impl Fn(&Item) -> Option<SmolStr>,
        report: &mut Report,
    ) -> Result<(), InquireError> {
        let resampling = self.options.resampling;
        let scores = |sets: &[AnswerSet]| -> Result<PairScores, StatsError> {
            score_pairs(task, mode, sets, resampling.as_ref(), &origin)
        };
        if !self.exclude.is_empty() {
            report.scores_with_all = Some(scores(&sets)?);
            sets.retain(|set| !self.exclude.contains(&set.annotator));
        }
        let scored = scores(&sets)?;
        report.score_outliers = outliers(&scored.means, &self.options.outliers);
        report.scores = Some(scored);
        if !report.score_outliers.is_empty() {
            sets.retain(|set| report.score_outliers.iter().all(|outlier| outlier.name != set.annotator));
            report.scores_without_outliers = Some(scores(&sets)?);
        }
        Ok(())
    }
}
