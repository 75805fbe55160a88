//! The schedule: everything that has a date, in order, from phases, gates, documents and the dates that the file adds.

use super::{Contest, Edge, Gate, Moment};
use crate::lang::Say;

/// A date of the schedule.
#[derive(Clone, PartialEq, Debug)]
pub struct Date {
    /// When.
    pub at: Moment,
    /// What happens then, for people.
    pub say: Say,
    /// What it is, for programs.
    pub what: What,
}

/// What happens at a date.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// Registration starts or ends.
    Registration(Edge),
    /// A phase starts or ends.
    Phase(String, Edge),
    /// A file is let out.
    Release(String),
    /// The results of a phase are shown.
    Reveal(String),
    /// Something is to be handed in.
    Document(String),
    /// What the file says besides.
    Other,
}

impl Contest {
    /// Everything that has a date, in order.
    pub fn schedule(&self) -> Vec<Date> {
        let mut dates = self.dates.clone();
        let mut add = |at: Moment, zh: String, en: String, what| dates.push(Date { at, say: Say::new(zh, en), what });
        if let Some(at) = self.registration.start {
            add(at, "报名开始".to_owned(), "registration starts".to_owned(), What::Registration(Edge::Start));
        }
        if let Some(at) = self.registration.end {
            add(at, "报名结束".to_owned(), "registration ends".to_owned(), What::Registration(Edge::End));
        }
        for phase in &self.phases {
            let Say { zh, en } = &phase.name;
            add(phase.start, format!("{zh}开始"), format!("{en} starts"), What::Phase(phase.id.clone(), Edge::Start));
            add(phase.end, format!("{zh}结束"), format!("{en} ends"), What::Phase(phase.id.clone(), Edge::End));
            let revealed = phase.reveal.as_ref().filter(|gate| **gate != Gate::Open).and_then(|gate| gate.moment(self));
            if let Some(at) = revealed {
                add(at, format!("公布{zh}的结果"), format!("results of {en}"), What::Reveal(phase.id.clone()));
            }
        }
        for file in self.data.iter().filter(|file| file.gate != Gate::Open) {
            if let Some(at) = file.gate.moment(self) {
                let Say { zh, en } = &file.title;
                add(at, format!("发布{zh}"), format!("{en} can be downloaded"), What::Release(file.id.clone()));
            }
        }
        for document in self.awards.iter().flat_map(|awards| &awards.documents) {
            let Say { zh, en } = &document.title;
            add(document.deadline, format!("提交{zh}截止"), format!("{en} is due"), What::Document(document.id.clone()));
        }
        dates.sort_by_key(|date| date.at);
        dates
    }
}
