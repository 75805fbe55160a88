//! How people do on a task: studies that are planned, held, checked, scored and set beside machines.
//!
//! A study is a folder that every tool can read: `study.toml` says what it is, `items.jsonl` is what people see (blind, in an order of chance), `gold.jsonl` the same
//! with answers, `answers/NAME.jsonl` what each said and how long it took, `excluded.jsonl` whose answers do not count and why. Nobody is dropped silently: rules
//! name who breaks them, somebody decides, a log keeps it, and every number is given with and without the excluded.

mod draw;
mod log;
mod pattern;
mod render;
mod row;
mod rules;
mod score;
mod size;
mod study;
mod subject;
mod summary;
mod versus;

pub use draw::{By, Draw, Drawn, NO_CLASS, Stratum, draw};
pub use log::{Action, EXCLUDED, Entry, Standing, standing};
pub use pattern::{LONGEST, Lagged, repetition};
pub use render::{Planned, check_page, score_page, versus_page};
pub use row::{Column, NAMES, columns, onto, rows};
pub use rules::{ExclusionRule, Finding, HumanError, LEAST_ANSWERS, RULES, check};
pub use score::{OBJECTIVE, StudyScores, SubjectScore, Subjective, score_study};
pub use size::{Known, Size, Wanted, design_effect, spread};
pub use study::{FILE, Late, Reckoning, Study, StudyError, usual_rules};
pub use subject::{Head, Held, Subject};
pub use summary::{Summary, over_studies, summary};
pub use versus::{Beside, Comparison, Machine, Versus, Vote, versus};
