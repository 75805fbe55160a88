//! Boards for people and for programs: the list, one board, its table as a file, and whether it has moved.

use askama::Template;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use fangwei::lang::Lang;
use fangwei::table::{Cell, Format, Table};

use super::draw::{self, Axis, Bar};
use super::shown::{self, BoardList, BoardName, BoardShown, CellShown, Live, Place, RowShown};
use super::sight::{Eyes, eyes};
use super::trust::{self, Patience};
use crate::app::App;
use crate::contests::{Head, kept};
use crate::download::download;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::who::Who;

#[derive(Template)]
#[template(path = "board/list.html")]
struct ListPage {
    page: Page,
    head: Head,
    boards: Vec<BoardName>,
}

/// The boards that somebody may see.
async fn seen(app: &App, who: &Who, kept: &std::sync::Arc<kept::Kept>) -> Result<Vec<BoardName>, Failure> {
    let mut boards = Vec::new();
    for plan in &kept.contest.boards {
        match eyes(app, who, kept, &plan.id).await {
            Err(Failure::NotFound) => {}
            Err(failure) => return Err(failure),
            Ok(eyes) => boards.push(BoardName {
                id: plan.id.clone(),
                title: plan.title.get(who.lang).to_owned(),
                phase: eyes.phase.name.get(who.lang).to_owned(),
                frozen_at: plan.frozen_at,
            }),
        }
    }
    Ok(boards)
}

/// The list of boards.
pub async fn list(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let boards = seen(&app, &who, &kept).await?;
    show(&ListPage { page: Page::new(&who, "排行榜", "Boards"), head: Head::new(&app, &who, &kept), boards })
}

/// The same for programs.
pub async fn api_list(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Json<BoardList>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(BoardList { boards: seen(&app, &who, &kept).await? }))
}

/// A board for somebody, with what it needs to be drawn.
async fn told(app: &App, who: &Who, id: &str, board: &str) -> Result<(Eyes, BoardShown), Failure> {
    let kept = kept::find(app, who, id).await?;
    let eyes = eyes(app, who, &kept, board).await?;
    let trusted = trust::board(app, &eyes, Patience::Little).await?;
    let board = shown::tell(app, &eyes, &trusted, who.lang).await?;
    Ok((eyes, board))
}

#[derive(Template)]
#[template(path = "board/board.html")]
struct BoardPage {
    page: Page,
    head: Head,
    board: BoardShown,
    /// What is meant by the column that decides.
    by: &'static str,
    /// Rows by the place in each task.
    tasks: Vec<Vec<(RowShown, CellShown)>>,
    axis: Axis,
    axes: Vec<Axis>,
    is_organiser: bool,
    public_url: String,
}

#[expect(
    clippy::unused_self,
    clippy::trivially_copy_pass_by_ref,
    clippy::ref_option,
    reason = "templates call methods and pass references"
)]
impl BoardPage {
    fn bar(&self, place: &Place) -> Option<Bar> {
        self.axis.bar(place)
    }

    fn task_bar(&self, task: &usize, place: &Place) -> Option<Bar> {
        self.axes[*task].bar(place)
    }

    fn line(&self, history: &[f64]) -> Option<String> {
        draw::line(history)
    }

    fn letters(&self, place: &Place) -> String {
        draw::letters(&place.groups)
    }

    fn chance(&self, place: &Place) -> String {
        place.first.map(draw::percent).unwrap_or_default()
    }

    fn rank(&self, place: &Place) -> String {
        place.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string())
    }

    fn number(&self, value: &Option<f64>) -> String {
        value.map_or_else(|| "n/a".to_owned(), |value| draw::number(value, self.board.precision))
    }

    fn range(&self, place: &Place) -> String {
        let digits = self.board.precision;
        let range = |[low, high]: [f64; 2]| format!("{} – {}", draw::number(low, digits), draw::number(high, digits));
        place.interval.map(range).unwrap_or_default()
    }

    fn kind(&self, kind: &str) -> &'static str {
        kind_in(kind, self.page.who.lang)
    }

    fn flags(&self, row: &RowShown) -> String {
        let lang = self.page.who.lang;
        let words: Vec<&str> = row.flags.iter().map(|flag| flag_in(flag, lang)).collect();
        words.join(lang.say("、", ", "))
    }
}

fn kind_in(kind: &str, lang: Lang) -> &'static str {
    match kind {
        "baseline" => lang.say("基线", "baseline"),
        "human" => lang.say("人类", "human"),
        "llm" => lang.say("大模型", "LLM"),
        _ => lang.say("队伍", "team"),
    }
}

fn flag_in(flag: &str, lang: Lang) -> &'static str {
    match flag {
        "tied" => lang.say("并列", "tied"),
        "incomplete" => lang.say("缺任务", "incomplete"),
        "filled" => lang.say("有补分", "filled"),
        "outside" => lang.say("不排名", "not ranked"),
        _ => lang.say("无成绩", "no score"),
    }
}

fn decides(by: &str, lang: Lang) -> &'static str {
    match by {
        "z-mean" => lang.say("平均标准分", "mean Z"),
        "mean-rank" => lang.say("平均名次", "mean rank"),
        _ => lang.say("平均分", "mean score"),
    }
}

/// A board.
pub async fn one(State(app): State<App>, who: Who, Path((id, board)): Path<(String, String)>) -> Result<Response, Failure> {
    let (eyes, board) = told(&app, &who, &id, &board).await?;
    let of_task = |task: usize| {
        let mut rows: Vec<(RowShown, CellShown)> = board.rows.iter().map(|row| (row.clone(), row.tasks[task].clone())).collect();
        // Ranked rows by rank; of the others the better first, n/a last.
        let key =
            |cell: &CellShown| (cell.place.rank.unwrap_or(u32::MAX), cell.place.value.map_or(f64::INFINITY, |value| -value));
        rows.sort_by(|(_, a), (_, b)| {
            let ((rank_a, a), (rank_b, b)) = (key(a), key(b));
            rank_a.cmp(&rank_b).then(a.total_cmp(&b))
        });
        rows
    };
    let count = board.tasks.len();
    let title = &eyes.plan.title;
    show(&BoardPage {
        page: Page::new(&who, title.zh.clone(), title.en.clone()),
        head: Head::new(&app, &who, &eyes.kept),
        by: decides(&board.by, who.lang),
        tasks: (0..count).map(of_task).collect(),
        axis: draw::overall(&board),
        axes: (0..count).map(|task| draw::of_task(&board, task)).collect(),
        is_organiser: eyes.is_organiser,
        public_url: app.settings.public_url.clone(),
        board,
    })
}

/// The same for programs.
pub async fn api_one(
    State(app): State<App>,
    who: Who,
    Path((id, board)): Path<(String, String)>,
) -> Result<Json<BoardShown>, Failure> {
    Ok(Json(told(&app, &who, &id, &board).await?.1))
}

/// Whether a board has moved.
pub async fn live(
    State(app): State<App>,
    who: Who,
    headers: HeaderMap,
    Path((id, board)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let eyes = eyes(&app, &who, &kept, &board).await?;
    let trusted = trust::board(&app, &eyes, Patience::No).await?;
    let stamp = shown::stamp(&eyes, &trusted);
    let tag = format!("\"{stamp}\"");
    let known = headers.get(header::IF_NONE_MATCH).and_then(|tag| tag.to_str().ok());
    let about = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "private, no-cache".to_owned())];
    if known == Some(tag.as_str()) {
        return Ok((StatusCode::NOT_MODIFIED, about).into_response());
    }
    Ok((about, Json(Live { stamp, scored_at: trusted.gathered.scored_at })).into_response())
}

/// The table of a board as a file.
pub async fn csv(State(app): State<App>, who: Who, Path((id, board)): Path<(String, String)>) -> Result<Response, Failure> {
    let (_, board) = told(&app, &who, &id, &board).await?;
    let name = format!("{}-{}.csv", board.contest, board.board);
    Ok(download("text/csv; charset=utf-8", &name, table(&board).render(Format::Csv)))
}

/// A board as a table with every digit; columns have the same names in every language.
pub fn table(board: &BoardShown) -> Table {
    let mut head: Vec<String> = ["rank", "name", "kind", "z_mean", "mean_rank", "mean_score", "low", "high", "p_first", "groups"]
        .map(str::to_owned)
        .into();
    for task in &board.tasks {
        let columns = ["", " rank", " z", " low", " high", " p_first", " groups", " submissions"];
        head.extend(columns.map(|column| format!("{}{column}", task.task)));
    }
    head.push("flags".to_owned());
    let mut table = Table::new(head);
    let ends =
        |place: &Place| [place.interval.map(|[low, _]| low), place.interval.map(|[_, high]| high), place.first].map(Cell::from);
    for row in &board.rows {
        let mut cells: Vec<Cell> = vec![row.place.rank.map(u64::from).into(), plain(&row.name).into(), row.kind.as_str().into()];
        cells.extend([row.z_mean, row.mean_rank, row.mean_score].map(Cell::from));
        cells.extend(ends(&row.place));
        cells.push(draw::letters(&row.place.groups).into());
        for cell in &row.tasks {
            cells.extend([cell.place.value.into(), cell.place.rank.map(u64::from).into(), cell.z.into()]);
            cells.extend(ends(&cell.place));
            cells.extend([draw::letters(&cell.place.groups).into(), (cell.submissions as u64).into()]);
        }
        cells.push(row.flags.join(" ").into());
        table.row(cells);
    }
    table
}

/// A name that no spreadsheet takes for a formula.
fn plain(name: &str) -> String {
    if name.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{name}") } else { name.to_owned() }
}
