//! The first page: what waits for who looks at it, how far their batches are, and for managers how far all are.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use sqlx::Row;

use crate::app::App;
use crate::batches::queue::{self, NEEDS, Pile};
use crate::batches::threads;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::policy::Role;
use crate::who::Who;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    page: Page,
    next: Option<String>,
    /// Why, and how many.
    needs: Vec<(&'static str, usize)>,
    piles: Vec<Pile>,
    batches: Vec<Overview>,
}

impl HomePage {
    fn title(&self, state: &str) -> &'static str {
        queue::state_words(state).0.get(self.page.who.lang)
    }
}

/// How far a batch is, in a line.
struct Overview {
    id: String,
    name: String,
    wanted: i64,
    done: i64,
    questions: usize,
}

/// The first page.
pub async fn page(State(app): State<App>, who: Who) -> Result<Response, Failure> {
    let me = who.me()?;
    if me.role == Role::Participant {
        return Ok(Redirect::to("/contests").into_response());
    }
    let piles = queue::piles(&app, &me.id).await?;
    let waiting = queue::waiting(&piles);
    let count = |need: &str| waiting.iter().filter(|work| work.needs == need).count();
    let needs = NEEDS.iter().map(|(need, words)| (words.get(who.lang), count(need))).collect();
    let next = waiting.first().map(|work| work.assignment.clone());
    let batches = if who.is_at_least(Role::Manager) { overview(&app).await? } else { Vec::new() };
    show(&HomePage { page: Page::new(&who, "我的任务", "My work"), next, needs, piles, batches })
}

async fn overview(app: &App) -> Result<Vec<Overview>, Failure> {
    let select = "SELECT batch.id, batch.name, \
                  (SELECT COUNT(*) FROM assignment WHERE assignment.batch = batch.id AND assignment.part = 'annotate' AND assignment.state NOT IN ('recalled', 'skipped')), \
                  (SELECT COUNT(*) FROM assignment WHERE assignment.batch = batch.id AND assignment.part = 'annotate' AND assignment.state IN ('done', 'approved')) \
                  FROM batch WHERE batch.state = 'open' ORDER BY batch.made_at DESC, batch.id";
    let rows = sqlx::query(select).fetch_all(app.database.read()).await?;
    let questions = threads::open_counts(app).await?;
    let one = |row: &sqlx::any::AnyRow| {
        let id: String = row.try_get(0)?;
        Ok(Overview {
            questions: questions.get(&id).copied().unwrap_or_default(),
            id,
            name: row.try_get(1)?,
            wanted: row.try_get(2)?,
            done: row.try_get(3)?,
        })
    };
    rows.iter().map(one).collect()
}
