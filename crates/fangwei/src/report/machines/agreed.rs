//! On how many items systems agree, right or wrong (table 6 of the 2021 paper).

use serde::Serialize;

use super::EXACT;
use crate::answer::{Answer, Verdict};
use crate::report::sheet::Sheet;

/// Items on which systems give one verdict while gold gives one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Corner {
    /// What the systems say.
    pub said: bool,
    /// What gold says.
    pub gold: bool,
    /// Items on which all say so.
    pub all: u64,
    /// Items on which all, or all but one, say so.
    pub all_but_one: u64,
}

/// How far systems agree.
#[derive(Clone, Debug, Serialize)]
pub struct Agreed {
    /// How many systems.
    pub systems: usize,
    /// How many items.
    pub items: u64,
    /// Items that 0, 1, … all systems have wholly right.
    pub right: Vec<u64>,
    /// Items on which 0, 1, … all systems earn nothing.
    pub wrong: Vec<u64>,
    /// The four corners, for verdicts.
    pub corners: Vec<Corner>,
}

impl Agreed {
    /// Of some takers of a sheet.
    pub fn of(sheet: &Sheet, machines: &[usize]) -> Agreed {
        let (mut right, mut wrong) = (vec![0; machines.len() + 1], vec![0; machines.len() + 1]);
        for item in 0..sheet.items.len() {
            let count = |is: &dyn Fn(f64) -> bool| machines.iter().filter(|taker| is(sheet.earned(**taker, item))).count();
            right[count(&|earned| earned >= 1.0 - EXACT)] += 1;
            wrong[count(&|earned| earned <= EXACT)] += 1;
        }
        Agreed {
            systems: machines.len(),
            items: sheet.items.len() as u64,
            right,
            wrong,
            corners: if sheet.task.scale().accuracy { corners(sheet, machines) } else { Vec::new() },
        }
    }

    /// Items that all systems have right, and items that none has.
    pub fn unanimous(&self) -> (u64, u64) {
        (self.right.last().copied().unwrap_or(0), self.wrong.last().copied().unwrap_or(0))
    }
}

fn corners(sheet: &Sheet, machines: &[usize]) -> Vec<Corner> {
    let mut corners = Vec::new();
    for said in [true, false] {
        for gold in [true, false] {
            let mut corner = Corner { said, gold, all: 0, all_but_one: 0 };
            for (number, item) in sheet.items.iter().enumerate() {
                if item.gold.as_ref().and_then(verdict) != Some(gold) {
                    continue;
                }
                let agree = machines.iter().filter(|taker| sheet.answer(**taker, number).and_then(verdict) == Some(said)).count();
                corner.all += u64::from(agree == machines.len());
                corner.all_but_one += u64::from(agree + 1 >= machines.len());
            }
            corners.push(corner);
        }
    }
    corners
}

/// The verdict of an answer that is one.
fn verdict(answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Verdict(verdict) => verdict.value(),
        Answer::Scene(scene) => Verdict::value(scene.judge),
        _ => None,
    }
}
