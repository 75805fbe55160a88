//! A badge: a small picture with the place of a team, or of who leads, to stand on other sites. It shows what everybody may see, whoever asks for it.

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use fangwei::lang::columns;
use fangwei::page::escape;
use serde::Deserialize;

use super::draw::number;
use super::shown::{self, BoardShown, RowShown};
use super::sight::eyes;
use super::trust::{self, Patience};
use crate::app::App;
use crate::asked::Asked;
use crate::contests::kept;
use crate::failure::Failure;
use crate::who::Who;

/// Whose badge, and for what.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Whose {
    /// The id of a team; who leads, if nothing is said.
    #[serde(default)]
    pub team: String,
    /// A task; overall, if nothing is said.
    #[serde(default)]
    pub task: String,
}

/// The badge.
pub async fn answer(
    State(app): State<App>,
    who: Who,
    Path((id, board)): Path<(String, String)>,
    Asked(whose): Asked<Whose>,
) -> Result<Response, Failure> {
    let nobody = Who { account: None, lang: who.lang };
    let kept = kept::find(&app, &nobody, &id).await?;
    let eyes = eyes(&app, &nobody, &kept, &board).await?;
    let trusted = trust::board(&app, &eyes, Patience::No).await?;
    let board = shown::tell(&app, &eyes, &trusted, who.lang).await?;
    let about = [(header::CONTENT_TYPE, "image/svg+xml; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=60")];
    Ok((about, svg(&board, &whose)?).into_response())
}

/// The badge of a row of a board.
pub fn svg(board: &BoardShown, whose: &Whose) -> Result<String, Failure> {
    let task = match whose.task.as_str() {
        "" => None,
        name => {
            let is_it = |id: &str| id == name || id.rsplit('/').next() == Some(name);
            Some(board.tasks.iter().position(|task| is_it(&task.task)).ok_or(Failure::NotFound)?)
        }
    };
    let place = |row: &RowShown| task.map_or_else(|| row.place.clone(), |task| row.tasks[task].place.clone());
    let row = match whose.team.as_str() {
        "" => board.rows.iter().find(|row| place(row).rank == Some(1)),
        team => Some(board.rows.iter().find(|row| row.team.as_deref() == Some(team)).ok_or(Failure::NotFound)?),
    };
    let title = task.map_or_else(|| board.title.clone(), |task| format!("{} · {}", board.title, board.tasks[task].title));
    let text = row.map_or_else(
        || "–".to_owned(),
        |row| {
            let place = place(row);
            let rank = place.rank.map_or_else(|| "–".to_owned(), |rank| format!("#{rank}"));
            let value = place.value.map(|value| format!(" · {}", number(value, board.precision))).unwrap_or_default();
            format!("{rank} {}{value}", row.name)
        },
    );
    Ok(draw(&title, &text))
}

/// Two fields side by side, as badges are.
fn draw(title: &str, text: &str) -> String {
    // A Latin letter at this size is about seven units wide, a Chinese one two of these.
    let width = |text: &str| columns(text) as f64 * 6.8 + 16.0;
    let (left, right) = (width(title), width(text));
    let whole = left + right;
    // XML has no place for control characters, not even escaped.
    let plain = |text: &str| escape(&text.chars().filter(|c| !c.is_control()).collect::<String>());
    let (title, text) = (plain(title), plain(text));
    let (at_title, at_text) = (left / 2.0, left + right / 2.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole:.0}\" height=\"22\" viewBox=\"0 0 {whole:.0} 22\" role=\"img\" aria-label=\"{title}: {text}\">\
         <title>{title}: {text}</title>\
         <rect width=\"{whole:.0}\" height=\"22\" rx=\"4\" fill=\"#444\"/><rect x=\"{left:.0}\" width=\"{right:.0}\" height=\"22\" rx=\"4\" fill=\"#1d4f91\"/>\
         <g fill=\"#fff\" font-family=\"system-ui,'PingFang SC','Noto Sans CJK SC','Microsoft YaHei',sans-serif\" font-size=\"12\" text-anchor=\"middle\">\
         <text x=\"{at_title:.1}\" y=\"15\">{title}</text><text x=\"{at_text:.1}\" y=\"15\">{text}</text></g></svg>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_text() {
        let drawn = draw("</title><script>", "\"&'山");
        assert!(!drawn.contains("<script>") && drawn.contains("&lt;script&gt;"), "{drawn}");
        assert!(!drawn.contains("\"&'"), "{drawn}");
    }
}
