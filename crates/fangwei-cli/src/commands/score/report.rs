//! What besides the sums goes into the report of a score: intervals, grades, notes.

use std::path::Path;

use fangwei::answer::Answer;
use fangwei::compare::intervals;
use fangwei::score::{Asked, Measures, Rubric, Scored, grade_scenes, groups_of, read_grades};
use fangwei::stats::{Interval, Resampling, wilson};
use fangwei::task::Item;
use serde_json::{Value, json};

use super::Score;
use crate::groups::lacking;
use crate::lang::t;
use crate::output::{Status, tell};

/// What besides the sums goes into the report.
pub struct Report {
    pub measures: Measures,
    pub intervals: Vec<(String, Interval)>,
    wilson: Option<Interval>,
    pub notes: Vec<String>,
    resampling: Option<(Resampling, usize)>,
}

impl Report {
    pub fn new(scored: &Scored<Asked>) -> Report {
        Report { measures: scored.measures(), intervals: Vec::new(), wilson: None, notes: Vec::new(), resampling: None }
    }

    pub fn add_intervals(&mut self, asked: &Score, scored: &Scored<Asked>) -> anyhow::Result<()> {
        let resampling = Resampling { seed: asked.seed, resamples: asked.resamples, ..Resampling::default() };
        let groups = groups_of(&asked.group, &scored.extra).map_err(|missing| lacking(&missing))?;
        self.intervals = intervals(scored, &groups, &resampling)?;
        self.notes.push(format!(
            "{}: {} {}, {} {}, {} {}",
            t("区间", "intervals"),
            groups.count(),
            t("个抽样单位", "units drawn"),
            resampling.resamples,
            t("次重抽样", "resamples"),
            t("种子", "seed"),
            resampling.seed
        ));
        if scored.task.scale().accuracy {
            let interval = wilson(scored.total.sums[scored.task.scale().item] as u64, scored.total.items, resampling.confidence);
            self.notes.push(format!(
                "Wilson 95%: [{:.4}, {:.4}] {}",
                interval.low,
                interval.high,
                t("（视各题为独立）", "(items taken for independent)")
            ));
            self.wilson = Some(interval);
        }
        self.resampling = Some((resampling, groups.count()));
        Ok(())
    }

    /// Adds the grades of reasons under both rubrics.
    pub fn add_grades(&mut self, path: &Path, scored: &Scored<Asked>) -> anyhow::Result<Status> {
        let text = std::fs::read_to_string(path).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
        let (grades, defects) = read_grades(&path.display().to_string(), &text);
        tell(&defects);
        let answers: Vec<(Item, Option<Answer>)> =
            scored.extra.iter().filter_map(|asked| asked.kept.as_deref().cloned()).collect();
        let mut status = if defects.is_empty() { Status::Clean } else { Status::Defects };
        for (name, rubric) in [("page", Rubric::Page), ("paper", Rubric::Paper)] {
            let (graded, ungraded) = grade_scenes(rubric, &answers, &grades);
            self.measures = std::mem::take(&mut self.measures).level(name, graded.measures());
            if rubric == Rubric::Paper && !ungraded.is_empty() {
                self.notes.push(format!(
                    "{}: {}",
                    t("判断正确但没有评分，按 0 计", "judged right but not graded, counted as 0"),
                    ungraded.join(" ")
                ));
                status = Status::Defects;
            }
        }
        Ok(status)
    }

    pub fn fill(&self, value: &mut Value) {
        if let Some((resampling, groups)) = &self.resampling {
            let of = |(path, interval): &(String, Interval)| (path.clone(), json!(interval));
            value["intervals"] = self.intervals.iter().map(of).collect::<serde_json::Map<_, _>>().into();
            value["resampling"] = json!({ "resamples": resampling.resamples, "seed": resampling.seed, "groups": groups });
        }
        if let Some(wilson) = &self.wilson {
            value["wilson"] = json!(wilson);
        }
    }
}
