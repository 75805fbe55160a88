//! The page with the form and what comes of it, the same for programs, and the style of what is drawn.

use askama::filters::HtmlSafe;
use askama::{FastWritable, Template};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Form, Json};
use fangwei_predict::explore::html::{STYLE, fragment};
use fangwei_predict::explore::{Ask, Explored, MOST_CHARACTERS};
use schemars::JsonSchema;
use serde::Deserialize;

use super::look;
use crate::app::App;
use crate::asked::Asked;
use crate::failure::Failure;
use crate::guard::Address;
use crate::page::{Page, show};
use crate::sent::Sent;
use crate::who::Who;

/// A passage to look at.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Question {
    /// The passage: at most 2000 characters.
    pub text: String,
    /// `all` for rivals of every spatial word; otherwise of wrong ones.
    pub rivals: String,
}

impl Question {
    fn ask(&self) -> Ask {
        Ask { all_rivals: self.rivals == "all" }
    }
}

/// HTML that `fangwei_predict` drew and escaped.
struct Drawn(String);

impl std::fmt::Display for Drawn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl FastWritable for Drawn {
    fn write_into(&self, out: &mut dyn std::fmt::Write, _: &dyn askama::Values) -> askama::Result<()> {
        Ok(out.write_str(&self.0)?)
    }
}

impl HtmlSafe for Drawn {}

/// Sentences to begin with: sound and wrong, still and moving.
const EXAMPLES: [&str; 6] = [
    "他跳进山洞外。",
    "书放在桌子上，猫躺在桌子下，雨伞靠在门后。",
    "小船从上游的渡口漂到大桥下面，又沿着河岸向东驶去。",
    "钥匙放在桌子上，桌子后的钥匙闪着光。",
    "妈妈把面粉装在袋子外，转身走出了厨房。",
    "石头从崖边坠上去，惊起了树上的一群鸟。",
];

#[derive(Template)]
#[template(path = "explore/explore.html")]
struct ExplorePage {
    page: Page,
    text: String,
    all: bool,
    most: usize,
    examples: [&'static str; 6],
    message: String,
    drawn: Option<Drawn>,
}

impl ExplorePage {
    fn new(who: &Who, question: &Question) -> ExplorePage {
        ExplorePage {
            page: Page::new(who, "探查一段文本", "Explore a passage"),
            text: question.text.clone(),
            all: question.ask().all_rivals,
            most: MOST_CHARACTERS,
            examples: EXAMPLES,
            message: String::new(),
            drawn: None,
        }
    }
}

/// The form; with a passage in the address, what is said of it.
pub async fn page(
    State(app): State<App>,
    who: Who,
    Extension(Address(address)): Extension<Address>,
    Asked(question): Asked<Question>,
) -> Result<Response, Failure> {
    if question.text.is_empty() {
        return show(&ExplorePage::new(&who, &question));
    }
    shown(&app, &who, &address, question).await
}

/// What is said of a passage that the form sent.
pub async fn send(
    State(app): State<App>,
    who: Who,
    Extension(Address(address)): Extension<Address>,
    Form(question): Form<Question>,
) -> Result<Response, Failure> {
    shown(&app, &who, &address, question).await
}

async fn shown(app: &App, who: &Who, address: &str, mut question: Question) -> Result<Response, Failure> {
    // Forms send both characters of a line end.
    question.text = question.text.replace("\r\n", "\n");
    let mut page = ExplorePage::new(who, &question);
    match look(app, who, address, question.text.clone(), question.ask()).await {
        Ok(explored) => {
            page.drawn = Some(Drawn(fragment(&explored, who.lang)));
            show(&page)
        }
        Err(Failure::Invalid(say)) => {
            say.get(who.lang).clone_into(&mut page.message);
            Ok((StatusCode::UNPROCESSABLE_ENTITY, show(&page)?).into_response())
        }
        Err(failure) => Err(failure),
    }
}

/// The same for programs.
pub async fn answer(
    State(app): State<App>,
    who: Who,
    Extension(Address(address)): Extension<Address>,
    Sent(question): Sent<Question>,
) -> Result<Json<Explored>, Failure> {
    let ask = question.ask();
    Ok(Json(look(&app, &who, &address, question.text, ask).await?))
}

/// The style of what is drawn.
pub async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")], STYLE).into_response()
}
