//! What somebody may see of a board. Every query about scores passes through here.

use std::collections::HashMap;
use std::sync::Arc;

use fangwei::contest::{BoardPlan, Phase, Sight};
use fangwei::rank::{Kind, Row};

use super::gather::{Contender, Gathered};
use crate::app::App;
use crate::contests::Kept;
use crate::failure::Failure;
use crate::policy::Role;
use crate::teams::{self, Team, team};
use crate::who::Who;

/// Which scores a board is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct View {
    /// Whether the items that were kept back count.
    pub private: bool,
    /// The last moment whose submissions count: that of the freeze.
    pub until: Option<i64>,
}

/// A board before somebody's eyes.
#[derive(Clone, Debug)]
pub struct Eyes {
    /// The competition.
    pub kept: Arc<Kept>,
    /// The board.
    pub plan: BoardPlan,
    /// Its phase.
    pub phase: Phase,
    /// Which scores are seen.
    pub view: View,
    /// The team of who looks, which sees its own name.
    pub own: Option<Team>,
    /// Whether only the own row and rows of the organisers are seen.
    pub own_only: bool,
    /// Whether all names are seen.
    pub is_organiser: bool,
}

/// The eyes of somebody on a board; where nothing may be seen, the board is not there.
pub async fn eyes(app: &App, who: &Who, kept: &Arc<Kept>, board: &str) -> Result<Eyes, Failure> {
    let contest = &kept.contest;
    let plan = contest.board(board).ok_or(Failure::NotFound)?;
    let phase = contest.phase(&plan.phase).ok_or(Failure::NotFound)?;
    let is_organiser = who.is_at_least(Role::Organiser);
    let own = match who.me() {
        Ok(me) => team::of_account(app, &contest.id, &me.id).await?.filter(|team| team.state == teams::State::Approved),
        Err(_) => None,
    };
    let shows = contest.shows(phase, app.now());
    let own_only = match shows.board {
        _ if is_organiser => false,
        Sight::Everybody => false,
        Sight::Team if own.is_some() => true,
        _ => return Err(Failure::NotFound),
    };
    let view =
        if is_organiser { View { private: true, until: None } } else { View { private: shows.private, until: plan.frozen_at } };
    Ok(Eyes { kept: kept.clone(), plan: plan.clone(), phase: phase.clone(), view, own, own_only, is_organiser })
}

impl Eyes {
    /// Everything of a board, as organisers see it.
    pub fn whole(kept: &Arc<Kept>, board: &str) -> Result<Eyes, Failure> {
        let plan = kept.contest.board(board).ok_or(Failure::NotFound)?;
        let phase = kept.contest.phase(&plan.phase).ok_or(Failure::NotFound)?;
        let view = View { private: true, until: None };
        Ok(Eyes {
            kept: kept.clone(),
            plan: plan.clone(),
            phase: phase.clone(),
            view,
            own: None,
            own_only: false,
            is_organiser: true,
        })
    }

    /// Whether a row of a ranking is seen.
    pub fn sees(&self, row: &Row) -> bool {
        !self.own_only || row.kind != Kind::Team || self.own.as_ref().is_some_and(|own| own.id == row.name)
    }

    /// The names of the rows by their keys, as they are seen.
    pub fn names(&self, gathered: &Gathered, teams: &[Team]) -> HashMap<String, String> {
        let teams: HashMap<&str, &Team> = teams.iter().map(|team| (team.id.as_str(), team)).collect();
        let is_own = |id: &str| self.is_organiser || self.own.as_ref().is_some_and(|own| own.id == id);
        let named = |contender: &Contender| match &contender.team {
            Some(id) => teams.get(id.as_str()).map_or_else(String::new, |team| team.named(self.plan.names, is_own(id))),
            None => contender.name.clone(),
        };
        gathered.entries.iter().zip(&gathered.contenders).map(|(entry, one)| (entry.name.clone(), named(one))).collect()
    }

    /// Whether some items are kept back from this view.
    pub fn is_part(&self) -> bool {
        let is_split = |task: &&'static dyn fangwei::task::Task| {
            self.phase.task(task.id()).is_some_and(|entry| entry.private.is_some_and(|private| private.share > 0.0))
        };
        !self.view.private && self.plan.tasks.iter().any(is_split)
    }
}
