//! The reasons of 2023/scene, graded from 0 to 5 by two people: judge gate, mean, and the score out of 100, under both published rubrics.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use smol_str::SmolStr;

use super::{Measures, ratio};
use crate::answer::{Answer, Scene};
use crate::lang::Say;
use crate::record::{Check, Code, Defect};
use crate::task::{Item, Texts};
use crate::tasks::{is_difference, quoted_difference};

/// Which text tells what the grades mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rubric {
    /// The page: copying the differing strings is worth 3 only where the scenes are the same, and a wrong difference is worth 0.
    Page,
    /// The paper: grades stand as they were given.
    Paper,
}

impl Rubric {
    /// The grade that counts under this rubric.
    fn counted(self, grade: f64, item: &Item, scene: &Scene) -> f64 {
        if self == Rubric::Paper {
            return grade;
        }
        let Texts::Pair { context1, context2 } = &item.texts else { return grade };
        let quoted = scene.reason.as_deref().and_then(quoted_difference);
        match quoted {
            Some(quoted) if !is_difference((context1, context2), quoted) => 0.0,
            // Level 3 exists for equal scenes only.
            _ if grade == 3.0 && scene.judge.value() == Some(false) => 2.0,
            _ => grade,
        }
    }
}

impl Rubric {
    /// What an answer is worth, 0 to 5: the mean of its raters' grades as this rubric counts them; 0 where the judgement is wrong or missing, or nobody graded it.
    pub fn worth(self, item: &Item, pred: Option<&Answer>, grades: &[f64]) -> f64 {
        let (Some(Answer::Scene(gold)), Some(Answer::Scene(pred))) = (&item.gold, pred) else { return 0.0 };
        if pred.judge != gold.judge {
            return 0.0;
        }
        ratio(grades.iter().map(|grade| self.counted(*grade, item, pred)).sum(), grades.len() as f64)
    }
}

/// The grades of one item.
#[derive(Clone, Debug, PartialEq)]
pub struct Grades {
    /// The item.
    pub qid: SmolStr,
    /// Both raters' grades.
    pub raters: [f64; 2],
}

/// Reads a CSV of grades: `qid,rater1,rater2` (the raters' columns may have any name), or a line a grade, `qid,rater,grade`.
pub fn read_grades(name: &str, text: &str) -> (Vec<Grades>, Vec<Defect>) {
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let head = reader.headers().cloned().unwrap_or_default();
    if head.len() != 3 || !head[0].eq_ignore_ascii_case("qid") {
        let mut check = Check::new(name.into(), 1);
        check.add(Code::MissingField, "qid,rater1,rater2 / qid,rater,grade", head.iter().collect::<Vec<_>>().join(","));
        return (Vec::new(), check.defects);
    }
    let one_a_line = head[1].eq_ignore_ascii_case("rater");
    let mut raters: Vec<String> = Vec::new();
    let mut order: Vec<SmolStr> = Vec::new();
    let mut found: FxHashMap<SmolStr, [Option<f64>; 2]> = FxHashMap::default();
    let mut defects = Vec::new();
    for record in reader.records() {
        let line = record.as_ref().ok().and_then(|record| record.position()).map_or(0, csv::Position::line);
        let mut check = Check::new(name.into(), line);
        match record {
            Err(error) => check.add(Code::BadType, "CSV", error.to_string()),
            Ok(record) => {
                let field = |column: usize| record.get(column).unwrap_or_default();
                let qid = SmolStr::new(field(0));
                check.qid = Some(qid.clone());
                let given = if one_a_line {
                    rater_number(&mut raters, field(1), &mut check).map(|rater| vec![(rater, field(2))]).unwrap_or_default()
                } else {
                    vec![(0, field(1)), (1, field(2))]
                };
                let grades = found.entry(qid.clone()).or_insert_with(|| {
                    order.push(qid);
                    [None; 2]
                });
                for (rater, text) in given {
                    add_grade(&mut grades[rater], rater, text, &mut check);
                }
            }
        }
        defects.append(&mut check.defects);
    }
    let both = |qid: SmolStr| {
        let [Some(first), Some(second)] = found[&qid] else { return Err(qid) };
        Ok(Grades { qid, raters: [first, second] })
    };
    let told: FxHashSet<SmolStr> = defects.iter().filter_map(|defect: &Defect| defect.qid.clone()).collect();
    let mut grades = Vec::new();
    for item in order.into_iter().map(both) {
        match item {
            Ok(item) => grades.push(item),
            // A grade that could not be read was told already.
            Err(qid) if !told.contains(&qid) => {
                let mut check = Check::new(name.into(), 0);
                check.qid = Some(qid);
                check.add(Code::BadGrade, Say::new("两个评分", "two grades"), Say::new("一个", "one"));
                defects.append(&mut check.defects);
            }
            Err(_) => {}
        }
    }
    (grades, defects)
}

/// The number of a rater by name; a third one is a defect.
fn rater_number(raters: &mut Vec<String>, name: &str, check: &mut Check) -> Option<usize> {
    if let Some(number) = raters.iter().position(|known| known == name) {
        return Some(number);
    }
    if raters.len() == 2 {
        check.at("rater", |check| check.add(Code::BadGrade, raters.join(" / "), name));
        return None;
    }
    raters.push(name.to_owned());
    Some(raters.len() - 1)
}

fn add_grade(place: &mut Option<f64>, rater: usize, text: &str, check: &mut Check) {
    let pointer = format!("rater{}", rater + 1);
    match text.parse().ok().filter(|grade| (0.0..=5.0).contains(grade)) {
        None => check.at(pointer, |check| check.add(Code::BadGrade, "0 … 5", format!("“{text}”"))),
        Some(_) if place.is_some() => {
            check.at(pointer, |check| {
                check.add(Code::DuplicateQid, Say::new("每题每人一个评分", "one grade an item and rater"), text);
            });
        }
        Some(grade) => *place = Some(grade),
    }
}

/// What one rubric makes of the grades.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SceneGrades {
    /// Mean grade of each rater over all items, behind the gate.
    pub raters: [f64; 2],
    /// The mean of both.
    pub mean: f64,
    /// The mean on a scale to 100.
    pub points: f64,
}

/// Grades the answers: an item whose judgement is wrong or missing has 0, whatever the raters gave. Items without grades though judged right are told.
pub fn grade_scenes(rubric: Rubric, answers: &[(Item, Option<Answer>)], grades: &[Grades]) -> (SceneGrades, Vec<SmolStr>) {
    let (mut sums, mut ungraded) = ([0.0; 2], Vec::new());
    for (item, pred) in answers {
        let (Some(Answer::Scene(gold)), Some(Answer::Scene(pred))) = (&item.gold, pred) else { continue };
        if pred.judge != gold.judge {
            continue;
        }
        match grades.iter().find(|grades| grades.qid == item.qid) {
            Some(grades) => {
                for (sum, grade) in sums.iter_mut().zip(grades.raters) {
                    *sum += rubric.counted(grade, item, pred);
                }
            }
            None => ungraded.push(item.qid.clone()),
        }
    }
    let raters = sums.map(|sum| ratio(sum, answers.len() as f64));
    let mean = f64::midpoint(raters[0], raters[1]);
    (SceneGrades { raters, mean, points: mean * 20.0 }, ungraded)
}

impl SceneGrades {
    /// As measures of a level.
    pub fn measures(self) -> Measures {
        Measures::default()
            .number("points", self.points)
            .number("mean", self.mean)
            .number("rater1", self.raters[0])
            .number("rater2", self.raters[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Verdict;

    fn answer(judge: bool, reason: &str) -> Answer {
        Answer::Scene(Scene { judge: Verdict::Plain(judge), reason: Some(reason.into()) })
    }

    fn item(qid: &str, same: bool) -> Item {
        Item {
            qid: qid.into(),
            texts: Texts::Pair { context1: "灯挂在桌子上。".into(), context2: "灯挂在桌子上方。".into() },
            gold: Some(answer(same, "")),
            corefs: None,
            extra: Vec::new(),
        }
    }

    #[test]
    fn the_gate_and_both_rubrics() {
        let answers = [
            (item("a", true), Some(answer(true, "差异在于“上”和“上方”。"))),
            (item("b", true), Some(answer(false, "差异在于“上”和“上方”。"))),
            (item("c", false), Some(answer(false, "差异在于“上”和“上方”。"))),
            (item("d", false), Some(answer(false, "差异在于“灯”和“上方”。"))),
        ];
        let (grades, defects) = read_grades("g.csv", "qid,rater1,rater2\na,5,4\nb,5,5\nc,3,2\nd,4,4\n");
        assert!(defects.is_empty());
        // paper: rater 1: 5 + 0 (judged wrong) + 3 + 4 = 12, rater 2: 4 + 0 + 2 + 4 = 10, of 4 items
        let (paper, ungraded) = grade_scenes(Rubric::Paper, &answers, &grades);
        assert_eq!((paper.raters, paper.mean, paper.points), ([3.0, 2.5], 2.75, 55.0));
        assert!(ungraded.is_empty());
        // page: c's 3 is 2 because the scenes differ; d's difference is wrong, so 0
        let (page, _) = grade_scenes(Rubric::Page, &answers, &grades);
        assert_eq!(page.raters, [1.75, 1.5]);
        // item by item it comes to the same: b is judged wrong and worth nothing
        for (rubric, mean, b) in [(Rubric::Paper, paper.mean, 0.0), (Rubric::Page, page.mean, 0.0)] {
            let worth = |at: usize| rubric.worth(&answers[at].0, answers[at].1.as_ref(), &grades[at].raters);
            assert_eq!(((0..4).map(worth).sum::<f64>() / 4.0, worth(1)), (mean, b));
        }
        assert_eq!(Rubric::Paper.worth(&answers[0].0, answers[0].1.as_ref(), &[]), 0.0, "nobody graded it");
    }

    #[test]
    fn a_grade_a_line() {
        let (grades, defects) = read_grades("g.csv", "qid,rater,grade\na,甲,5\na,乙,4\nb,甲,3\nc,甲,1\nc,丙,1\n");
        assert_eq!(grades, [Grades { qid: "a".into(), raters: [5.0, 4.0] }]);
        let told: Vec<_> =
            defects.iter().map(|defect| (defect.qid.as_deref().unwrap_or_default(), defect.found.en.as_str())).collect();
        assert_eq!(told, [("c", "丙"), ("b", "one")]);
    }

    #[test]
    fn bad_grades_are_told() {
        let (grades, defects) = read_grades("g.csv", "qid,rater1,rater2\na,6,4\nb,1,1\nb,2,2\n");
        assert_eq!(grades, [Grades { qid: "b".into(), raters: [1.0, 1.0] }]);
        let codes: Vec<_> = defects.iter().map(|defect| (defect.line, defect.pointer.as_str(), defect.code.as_str())).collect();
        assert_eq!(codes, [(2, "/rater1", "bad-grade"), (4, "/rater1", "duplicate-qid"), (4, "/rater2", "duplicate-qid")]);
        assert_eq!(read_grades("g.csv", "id,a\n").1[0].code, Code::MissingField);
    }
}
