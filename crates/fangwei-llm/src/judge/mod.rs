//! A model that grades the reasons of 2023/scene. Its grades are worth what their agreement with people's grades is, so the two are always told together and
//! never mixed: a judge's grades stand in files of their own.

mod agreement;
mod grade;

pub use agreement::{Against, Agreement};
pub use grade::read_grade;

use std::path::PathBuf;

use fangwei::answer::{Answer, Kind, Scene};
use fangwei::ask::{Message, Speaker};
use fangwei::score::{Grades, Rubric, SceneGrades, grade_scenes};
use fangwei::task::{Item, Texts};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use smol_str::SmolStr;

use crate::folder::{FolderError, Line, read_lines};
use crate::key::Key;
use crate::provider::{Request, Sampling, Shape};
use crate::runner::Job;
use crate::score::Run;

/// Why a run cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// Its answers have no reasons.
    #[error("expected a run of 2023/scene, found {0}")]
    NotScene(&'static str),
    /// Whether a judgement is right is not known.
    #[error("expected gold, found none: only reasons of right judgements are graded")]
    NoGold,
    /// Its folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// The instructions of a rubric.
pub fn instructions(rubric: Rubric) -> &'static str {
    match rubric {
        Rubric::Page => include_str!("page.md"),
        Rubric::Paper => include_str!("paper.md"),
    }
}

/// `page` or `paper`.
pub fn rubric_name(rubric: Rubric) -> &'static str {
    match rubric {
        Rubric::Page => "page",
        Rubric::Paper => "paper",
    }
}

/// The reasons of a run, to be graded by a model.
#[derive(Debug)]
pub struct Judging<'r> {
    run: &'r Run,
    rubric: Rubric,
    model: String,
    sampling: Sampling,
    /// The numbers of the items that are judged right and give a reason.
    asked: Vec<usize>,
}

impl<'r> Judging<'r> {
    /// The reasons of a run that are worth a grade: an item that is judged wrong has 0, and so has one without a reason.
    pub fn new(run: &'r Run, rubric: Rubric, model: &str, sampling: Sampling) -> Result<Judging<'r>, JudgeError> {
        if run.task.kind() != Kind::Scene {
            return Err(JudgeError::NotScene(run.task.id()));
        }
        if !run.has_gold {
            return Err(JudgeError::NoGold);
        }
        let asked = run.outcomes.iter().enumerate().filter(|(_, outcome)| {
            let right =
                scene(outcome.item.gold.as_ref()).zip(scene(outcome.answer())).filter(|(gold, pred)| gold.judge == pred.judge);
            right.is_some_and(|(_, pred)| pred.reason.as_deref().is_some_and(|reason| !reason.trim().is_empty()))
        });
        Ok(Judging { run, rubric, model: model.to_owned(), sampling, asked: asked.map(|(number, _)| number).collect() })
    }

    /// Where the grades of this judge under this rubric go.
    pub fn folder(&self) -> PathBuf {
        let name: String = self.model.chars().map(|c| if c.is_alphanumeric() || "-._".contains(c) { c } else { '_' }).collect();
        self.run.folder.path.join("judge").join(format!("{name}-{}", rubric_name(self.rubric)))
    }

    /// The request about item number `index` of the run.
    pub fn request(&self, index: usize) -> Request {
        let outcome = &self.run.outcomes[index];
        let say = |role, content: String| Message { role, content };
        let question = match (&outcome.item.texts, scene(outcome.answer())) {
            (Texts::Pair { context1, context2 }, Some(pred)) => {
                let judged = if pred.judge.value() == Some(true) { "可以相同" } else { "不能相同" };
                format!(
                    "文本一：{context1}\n文本二：{context2}\n判断：{judged}\n理由：{}",
                    pred.reason.as_deref().unwrap_or_default()
                )
            }
            // Only answered pairs are asked about.
            _ => String::new(),
        };
        let messages = vec![say(Speaker::System, instructions(self.rubric).trim().to_owned()), say(Speaker::User, question)];
        Request { messages, shape: Shape::Json, schema: None, sampling: self.sampling }
    }

    /// What is to be asked.
    pub fn jobs(&self) -> Vec<Job> {
        let job = |index: &usize| {
            let qid = self.run.outcomes[*index].item.qid.clone();
            Job { key: Key::of(&self.model, &self.request(*index), &qid, 0), qid, repeat: 0, index: *index }
        };
        self.asked.iter().map(job).collect()
    }

    /// The version of the instructions.
    pub fn version(&self) -> String {
        Sha256::digest(instructions(self.rubric)).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Reads the grades off the responses; `None` where a reply has none.
    pub fn grades(&self) -> Result<Vec<(SmolStr, Option<u8>, String)>, JudgeError> {
        let jobs = self.jobs();
        let mut grades: Vec<(SmolStr, Option<u8>, String)> =
            jobs.iter().map(|job| (job.qid.clone(), None, String::new())).collect();
        let numbers: FxHashMap<Key, usize> = jobs.iter().enumerate().map(|(number, job)| (job.key, number)).collect();
        read_lines(&self.folder().join("responses.jsonl"), |line: Line| {
            if let Some(&number) = numbers.get(&line.key) {
                grades[number].1 = read_grade(&line.response.text);
                grades[number].2 = line.response.text;
            }
        })?;
        Ok(grades)
    }

    /// What the judge makes of the run, and how far it agrees with people.
    pub fn verdict(&self, people: Option<&[Grades]>) -> Result<Verdict, JudgeError> {
        let grades = self.grades()?;
        let known: Vec<Grades> = grades
            .iter()
            .filter_map(|(qid, grade, _)| grade.map(|grade| Grades { qid: qid.clone(), raters: [f64::from(grade); 2] }))
            .collect();
        let answers: Vec<(Item, Option<Answer>)> =
            self.run.outcomes.iter().map(|outcome| (outcome.item.clone(), outcome.answer().cloned())).collect();
        let (points, _) = grade_scenes(self.rubric, &answers, &known);
        let agreement = people.map(|people| Agreement::of(&known, people));
        Ok(Verdict {
            judge: self.model.clone(),
            rubric: self.rubric,
            version: self.version(),
            items: answers.len() as u64,
            right: self.asked.len() as u64,
            graded: known.len() as u64,
            points,
            grades,
            agreement,
        })
    }
}

fn scene(answer: Option<&Answer>) -> Option<&Scene> {
    if let Some(Answer::Scene(scene)) = answer { Some(scene) } else { None }
}

/// What a judge makes of a run.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The judge.
    pub judge: String,
    /// The rubric it was told.
    pub rubric: Rubric,
    /// The version of its instructions.
    pub version: String,
    /// Items of the run.
    pub items: u64,
    /// Items that are judged right and give a reason.
    pub right: u64,
    /// Those that the judge graded.
    pub graded: u64,
    /// The points that its grades make.
    pub points: SceneGrades,
    /// Every grade, with the judge's words.
    pub grades: Vec<(SmolStr, Option<u8>, String)>,
    /// How far it agrees with people; `None` where nobody's grades were given.
    pub agreement: Option<Agreement>,
}

impl Verdict {
    /// As `judge.json` has it.
    pub fn to_json(&self) -> Value {
        json!({
            "judge": self.judge,
            "rubric": rubric_name(self.rubric),
            "version": self.version,
            "items": self.items,
            "right": self.right,
            "graded": self.graded,
            "points": self.points.points,
            "mean": self.points.mean,
            "agreement": self.agreement,
        })
    }

    /// The grades as a table, one a line: `qid,rater,grade`.
    pub fn to_csv(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let line = |(qid, grade, _): &(SmolStr, Option<u8>, String)| {
            grade.map(|grade| format!("{},{},{grade}\n", quoted(qid), quoted(&self.judge)))
        };
        format!("qid,rater,grade\n{}", self.grades.iter().filter_map(line).collect::<String>())
    }
}
