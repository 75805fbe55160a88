//! What the answers of a prompt earn once people have graded their reasons: a wrong judgement is worth nothing, a right one what its raters gave.
//!
//! The value that ranks is the share of the points, from 0 to 1 as in other tasks; so is the row of an item, of which boards resample.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use smol_str::SmolStr;

use super::outcome::{ItemRow, Outcome, Part};
use super::{Parts, Private};
use crate::answer::{Answer, Kind};
use crate::record::Source;
use crate::score::{Rubric, ScoreError};
use crate::task::{Item, Task};

/// The best grade.
const MOST: f64 = 5.0;

/// The grades that people gave to answers, by the identifier of the item.
pub type Given = BTreeMap<SmolStr, Vec<f64>>;

/// Whether answers to a task have reasons that people grade.
pub fn has_reasons(task: &dyn Task) -> bool {
    task.kind() == Kind::Scene
}

impl Outcome {
    /// Scores answers whose reasons people have graded, as [`Outcome::of`] does where a task has none.
    pub fn graded(
        task: &'static dyn Task,
        preds: Source,
        gold: Source,
        private: Option<Private>,
        rubric: Rubric,
        given: &Given,
    ) -> Result<Outcome, ScoreError> {
        let worth = |item: &Item, pred: Option<&Answer>| {
            let grades = given.get(&item.qid).map(Vec::as_slice).unwrap_or_default();
            [Rubric::Paper, Rubric::Page].map(|rubric| rubric.worth(item, pred, grades) / MOST)
        };
        let (judged, shares) = Outcome::with(task, preds, gold, private, worth)?;
        if !has_reasons(task) {
            return Ok(judged);
        }
        let number = usize::from(rubric == Rubric::Page);
        let part = |part: &Part, wanted: Option<bool>| {
            let counted = judged.rows.iter().zip(&shares).filter(|(row, _)| wanted.is_none_or(|wanted| row.private == wanted));
            let sums = counted.fold([0.0; 2], |sums, (_, shares)| [sums[0] + shares[0], sums[1] + shares[1]]);
            let means = sums.map(|sum| if part.items == 0 { 0.0 } else { sum / part.items as f64 });
            Part { ranking: means[number], measures: measures(&part.measures, means), ..part.clone() }
        };
        let Parts { all, public, private } = &judged.parts;
        let parts = Parts {
            all: part(all, None),
            public: public.as_ref().map(|public| part(public, Some(false))),
            private: private.as_ref().map(|private| part(private, Some(true))),
        };
        let rows = judged.rows.iter().zip(&shares).map(|(row, shares)| ItemRow { row: vec![shares[number]], ..row.clone() });
        Ok(Outcome { parts, rows: rows.collect() })
    }
}

/// Points out of a hundred and the mean grade under both rubrics, beside what the judgements came to.
fn measures(judged: &Value, [paper, page]: [f64; 2]) -> Value {
    let of = |share: f64| json!({ "points": share * 100.0, "mean": share * MOST });
    json!({ "paper": of(paper), "page": of(page), "judge": judged })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::find;

    fn source(text: &str) -> Source {
        Source::from_bytes("x", text).expect("memory")
    }

    fn line(qid: &str, judge: bool, reason: &str) -> String {
        let results = json!([{ "judge": judge.to_string(), "reason": reason }]);
        json!({ "qid": qid, "context1": "灯挂在桌子上。", "context2": "灯挂在桌子上方。", "results": results }).to_string() + "\n"
    }

    #[test]
    fn points_are_those_of_right_judgements() {
        let task = find("2023/scene").expect("a task");
        let gold: String = [line("a", true, ""), line("b", true, ""), line("c", false, ""), line("d", false, "")].concat();
        let told = "差异在于“上”和“上方”。";
        // a and c are judged right, b wrong; d has no answer.
        let preds = [line("a", true, told), line("b", false, told), line("c", false, told)].concat();
        let given: Given = [("a", vec![5.0, 4.0]), ("b", vec![5.0, 5.0]), ("c", vec![3.0, 2.0])]
            .map(|(qid, grades)| (qid.into(), grades))
            .into();
        let of = |rubric: Rubric, given: &Given| {
            Outcome::graded(task, source(&preds), source(&gold), None, rubric, given).expect("scores")
        };
        let paper = of(Rubric::Paper, &given);
        // (4.5 + 0 + 2.5 + 0) / 4 = 1.75 of 5
        assert_eq!((paper.parts.all.items, paper.parts.all.answered, paper.parts.all.ranking), (4, 3, 0.35));
        let rows: Vec<f64> = paper.rows.iter().map(|row| row.row[0]).collect();
        assert_eq!(rows, [0.9, 0.0, 0.5, 0.0]);
        assert_eq!(rows.iter().sum::<f64>() / 4.0, paper.parts.all.ranking, "boards resample what ranks");
        let measures = &paper.parts.all.measures;
        assert_eq!((&measures["paper"]["points"], &measures["paper"]["mean"]), (&json!(35.0), &json!(1.75)));
        assert_eq!(measures["judge"]["accuracy"], 0.5);
        // c's 3 is 2 by the page, because it is judged different: (4.5 + 2) / 4 = 1.625
        assert_eq!((of(Rubric::Page, &given).parts.all.ranking, &measures["page"]["mean"]), (0.325, &json!(1.625)));
        assert_eq!(of(Rubric::Paper, &Given::new()).parts.all.ranking, 0.0, "nobody graded anything");
    }
}
