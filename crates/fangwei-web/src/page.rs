//! What all pages share: the frame around them, their language, and how a refusal looks to people and to programs.

use askama::Template;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use fangwei::lang::{Lang, Say};

use crate::failure::{Failure, Refusal};
use crate::policy::Role;
use crate::route::is_api;
use crate::who::{Who, lang};

/// What the frame of a page needs.
#[derive(Clone, Debug)]
pub struct Page {
    /// Who looks at it.
    pub who: Who,
    /// Its title.
    pub title: String,
}

impl Page {
    /// A page for somebody.
    pub fn new(who: &Who, zh: impl Into<String>, en: impl Into<String>) -> Page {
        let title = if who.lang == Lang::Zh { zh.into() } else { en.into() };
        Page { who: who.clone(), title }
    }

    /// A text in the language of the page.
    pub fn say<'a>(&self, zh: &'a str, en: &'a str) -> &'a str {
        if self.who.lang == Lang::Zh { zh } else { en }
    }

    /// A message in the language of the page.
    pub fn pick<'a>(&self, say: &'a Say) -> &'a str {
        say.get(self.who.lang)
    }

    /// The language, as browsers name it.
    pub fn lang(&self) -> &'static str {
        self.who.lang.say("zh-CN", "en")
    }

    /// The language that the page is not in: its tag.
    pub fn other_lang(&self) -> &'static str {
        self.who.lang.say("en", "zh")
    }

    /// The secret that forms carry.
    pub fn csrf(&self) -> &str {
        self.who.csrf()
    }

    /// Whether who looks has this role or a higher one.
    pub fn is(&self, role: &str) -> bool {
        Role::parse(role).is_some_and(|role| self.who.is_at_least(role))
    }

    /// The name of who looks; empty if nobody is signed in.
    pub fn name(&self) -> &str {
        self.who.account.as_ref().map_or("", |(account, _)| &account.shown)
    }

    /// A role's name.
    pub fn role(&self, role: &Role) -> &'static str {
        role.title(self.who.lang)
    }

    /// A time, as people read it: `2026-11-16 08:22` in UTC; scripts turn it into the reader's own zone.
    pub fn time(&self, ms: &i64) -> String {
        time(*ms)
    }
}

/// A time in UTC, for people.
pub fn time(ms: i64) -> String {
    let seconds = ms.div_euclid(1000);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days since 1970 to year, month and day, by counting from March of year 0 in eras of 400 years.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", second / 3600, second / 60 % 60)
}

/// A template as an answer.
pub fn show(template: &impl Template) -> Result<Response, Failure> {
    let html = template.render().map_err(|error| Failure::Internal(format!("a page cannot be drawn: {error}")))?;
    Ok(Html(html).into_response())
}

#[derive(Template)]
#[template(path = "refusal.html")]
struct RefusalPage {
    page: Page,
    status: u16,
    message: String,
}

/// Gives refusals a body: JSON for programs, a page for people, in the asker's language.
pub async fn refusals(request: Request, next: Next) -> Response {
    let lang = lang(request.headers());
    let to_program = is_api(request.uri().path());
    let mut answer = next.run(request).await;
    let Some(refusal) = answer.extensions_mut().remove::<Refusal>() else { return answer };
    let body = if to_program {
        refusal.json(lang).into_response()
    } else {
        let page = Page::new(&Who { account: None, lang }, "出错了", "Refused");
        let message = refusal.say.get(lang).to_owned();
        match show(&RefusalPage { page, status: answer.status().as_u16(), message }) {
            Ok(body) => body,
            Err(failure) => return failure.status().into_response(),
        }
    };
    let (mut parts, _) = answer.into_parts();
    let (about, body) = body.into_parts();
    parts.headers.extend(about.headers);
    Response::from_parts(parts, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_utc() {
        assert_eq!(time(0), "1970-01-01 00:00");
        assert_eq!(time(951_782_400_000), "2000-02-29 00:00", "a leap day");
        assert_eq!(time(1_794_817_340_000), "2026-11-16 08:22");
    }
}
