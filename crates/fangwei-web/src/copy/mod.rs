//! The public site of a competition as plain files: what a stranger sees, with links from file to file, in both languages, without scripts. It opens from a USB stick.
//!
//! Pages are asked of the platform itself as a stranger asks for them, so that nothing is in the copy that is not public, and nothing has to be drawn twice.

mod rewrite;

use std::collections::{BTreeMap, BTreeSet};

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use fangwei::lang::Lang;
use tower::ServiceExt;

use crate::app::{App, app as site};
use crate::board::sight::eyes;
use crate::board::trust::{self, Patience};
use crate::contests::head::short;
use crate::contests::kept::{self, Kept};
use crate::failure::Failure;
use crate::who::Who;

/// The largest page or picture that is taken over.
const MOST_BYTES: usize = 64 << 20;

/// The files of a copy by their paths.
pub type Files = BTreeMap<String, Vec<u8>>;

/// An address of the platform and its file in the copy, both without the part for the language.
struct Place {
    address: String,
    file: String,
    is_page: bool,
}

impl Place {
    /// Whether it is data, which is in no language and already taken.
    fn is_data(&self) -> bool {
        self.file.starts_with("data/")
    }
}

fn page(address: String, file: impl Into<String>) -> Place {
    Place { address, file: file.into(), is_page: true }
}

fn file(address: String, file: impl Into<String>) -> Place {
    Place { address, file: file.into(), is_page: false }
}

/// Makes a copy of the public site of a competition. With `with_data` the files that are released and ask for no agreement are in it.
pub async fn copy(app: &App, id: &str, with_data: bool) -> Result<Files, Failure> {
    let nobody = Who { account: None, lang: Lang::Zh };
    let kept = kept::find(app, &nobody, id).await?;
    let mut places = pages(&kept);
    boards(app, &nobody, &kept, &mut places).await?;
    let mut files = Files::new();
    if with_data {
        data(app, &kept, &mut places, &mut files).await?;
    }
    let mut assets = BTreeSet::new();
    for lang in [Lang::Zh, Lang::En] {
        let links: BTreeMap<&str, String> = places.iter().map(|place| (place.address.as_str(), rooted(lang, place))).collect();
        for place in places.iter().filter(|place| !place.is_data()) {
            let bytes = ask(app, &place.address, lang).await?;
            let path = rooted(lang, place);
            let bytes = if place.is_page {
                let here = rewrite::Here {
                    address: &place.address,
                    file: &path,
                    other: &rooted(other(lang), place),
                    home: &format!("/contests/{id}"),
                    links: &links,
                };
                rewrite::rewrite(&String::from_utf8_lossy(&bytes), &here, &mut assets).into_bytes()
            } else {
                bytes
            };
            files.insert(path, bytes);
        }
    }
    for asset in assets {
        let bytes = ask(app, &format!("/{asset}"), Lang::Zh).await?;
        files.insert(asset, bytes);
    }
    Ok(files)
}

const fn other(lang: Lang) -> Lang {
    match lang {
        Lang::Zh => Lang::En,
        Lang::En => Lang::Zh,
    }
}

/// Where a place stands in the copy: English in a folder of its own, data once.
fn rooted(lang: Lang, place: &Place) -> String {
    if lang == Lang::Zh || place.is_data() { place.file.clone() } else { format!("en/{}", place.file) }
}

/// The pages that every competition has.
fn pages(kept: &Kept) -> Vec<Place> {
    let contest = &kept.contest;
    let address = |path: &str| format!("/contests/{}{path}", contest.id);
    let mut places = vec![page(address(""), "index.html")];
    for known in contest.pages.iter().skip(1) {
        places.push(page(address(&format!("/pages/{}", known.id)), format!("pages/{}.html", known.id)));
    }
    for entry in &contest.tasks {
        let name = short(entry.task.id());
        places.push(page(address(&format!("/tasks/{name}")), format!("tasks/{name}.html")));
    }
    for name in ["data", "boards", "schedule", "news"] {
        places.push(page(address(&format!("/{name}")), format!("{name}.html")));
    }
    if contest.agreement.is_some() {
        places.push(page(address("/agreement"), "agreement.html"));
    }
    places
}

/// Boards that a stranger sees, with their tables and badges.
async fn boards(app: &App, nobody: &Who, kept: &std::sync::Arc<Kept>, places: &mut Vec<Place>) -> Result<(), Failure> {
    for plan in &kept.contest.boards {
        let eyes = match eyes(app, nobody, kept, &plan.id).await {
            Ok(eyes) => eyes,
            Err(Failure::NotFound) => continue,
            Err(failure) => return Err(failure),
        };
        // A page waits for intervals only a while; a copy has all of them.
        let trusted = trust::board(app, &eyes, Patience::Endless).await?;
        let (id, board) = (&kept.contest.id, &plan.id);
        let address = format!("/contests/{id}/boards/{board}");
        places.push(file(format!("{address}/board.csv"), format!("boards/{board}.csv")));
        places.push(file(format!("/api/contests/{id}/boards/{board}"), format!("boards/{board}.json")));
        places.push(file(format!("{address}/badge.svg"), format!("boards/{board}.svg")));
        for team in trusted.gathered.entries.iter().zip(&trusted.gathered.contenders).filter_map(|(_, one)| one.team.as_ref()) {
            places.push(file(format!("{address}/badge.svg?team={team}"), format!("boards/{board}-{team}.svg")));
        }
        places.push(page(address, format!("boards/{board}.html")));
    }
    Ok(())
}

/// Files that anybody may have.
async fn data(app: &App, kept: &Kept, places: &mut Vec<Place>, files: &mut Files) -> Result<(), Failure> {
    let contest = &kept.contest;
    for known in contest.data.iter().filter(|known| !known.agreement && contest.is_released(known, app.now())) {
        let name = known.file.rsplit('/').next().unwrap_or(&known.id);
        let place = file(format!("/contests/{}/data/{}", contest.id, known.id), format!("data/{}-{name}", known.id));
        files.insert(place.file.clone(), kept.file(app, &known.file).await?);
        places.push(place);
    }
    Ok(())
}

/// What the platform answers a stranger.
async fn ask(app: &App, address: &str, lang: Lang) -> Result<Vec<u8>, Failure> {
    // A copy is asked for at once what a reader asks for in an hour: every request has its own bucket.
    let router = site(App { limits: std::sync::Arc::default(), ..app.clone() });
    let request = Request::get(address).header(header::HOST, "copy").header(header::ACCEPT_LANGUAGE, lang.say("zh", "en"));
    let broken = |why: String| Failure::Internal(format!("{address} cannot be copied: {why}"));
    let request = request.body(Body::empty()).map_err(|error| broken(error.to_string()))?;
    let Ok(answer) = router.oneshot(request).await;
    if !answer.status().is_success() {
        return Err(broken(answer.status().to_string()));
    }
    let bytes = to_bytes(answer.into_body(), MOST_BYTES).await.map_err(|error| broken(error.to_string()))?;
    Ok(bytes.to_vec())
}
