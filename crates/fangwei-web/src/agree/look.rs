//! The report of a batch: what `fangwei agree` tells of files, told of the marks at hand, and how it went over time. Computed once for each state of the batch.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use fangwei::agree::{
    AgreeError, GradeRule, Graded, Marks, Measure, Options, Report, Review, Scale, agree, grade, outliers, score_pairs,
};
use fangwei::record::Json;
use fangwei::stats::{Resampling, StatsError};
use fangwei::task::{Item, Mode};
use schemars::JsonSchema;
use serde::Serialize;
use smol_str::SmolStr;

use super::gather::{Gathered, Which, fingerprint, gather, reviews};
use super::{exclude, labels};
use crate::app::App;
use crate::batches::batch::Batch;
use crate::failure::Failure;
use crate::page::time;
use crate::thread::on_thread;

/// A stretch of the work and how far people agreed in it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Stretch {
    /// The week's first day, or the numbers of items in the order in which they were finished.
    pub name: String,
    /// How many items with two marks or more.
    pub items: u64,
    /// The share of equal labels.
    pub agreement: Option<f64>,
    /// Krippendorff's alpha, ordinal where labels have an order.
    pub alpha: Option<f64>,
    /// The mean score of the pairs, where answers are scored.
    pub score: Option<f64>,
}

/// A report with its course over time.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Looked {
    /// What the library says, as `fangwei agree --format json` does.
    #[serde(flatten)]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub report: Report,
    /// By week.
    pub weeks: Vec<Stretch>,
    /// By hundred items.
    pub hundreds: Vec<Stretch>,
}

/// Reports that were computed: of each batch the last with intervals and the last without, with the state that it was computed for.
#[derive(Debug, Default)]
pub struct Reports(Mutex<BTreeMap<String, (String, Arc<Looked>)>>);

/// So many reports are remembered.
const MOST_REPORTS: usize = 200;

impl Reports {
    fn find(&self, slot: &str, key: &str) -> Option<Arc<Looked>> {
        let reports = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reports.get(slot).filter(|(known, _)| known == key).map(|(_, looked)| Arc::clone(looked))
    }

    fn keep(&self, slot: &str, key: String, looked: &Arc<Looked>) {
        let mut reports = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if reports.len() >= MOST_REPORTS && !reports.contains_key(slot) {
            reports.pop_first();
        }
        reports.insert(slot.to_owned(), (key, Arc::clone(looked)));
    }
}

/// How the platform looks at a table: as the command does.
pub fn options(resamples: usize) -> Options {
    let resampling = (resamples > 0).then(|| Resampling { seed: 2023, resamples, ..Resampling::default() });
    Options { resampling, ..Options::default() }
}

/// The report of a batch, from memory where nothing changed.
pub async fn look(app: &App, batch: &Batch, resamples: usize) -> Result<Arc<Looked>, Failure> {
    let excluded = exclude::excluded(app, &batch.id).await?;
    let key = format!("{} {resamples} {}", fingerprint(app, batch).await?, excluded.join("\u{1f}"));
    // With and without intervals apart: pages that need none do not push those out that do.
    let slot = format!("{} {}", batch.id, resamples > 0);
    if let Some(looked) = app.reports.find(&slot, &key) {
        return Ok(looked);
    }
    let gathered = gather(app, batch, Which::Own).await?;
    let reviews = reviews(app, batch).await?;
    let looked = on_thread(move || compute(&gathered, &reviews, &excluded, &options(resamples)));
    let looked = Arc::new(looked.await?);
    exclude::note_outliers(app, batch, &looked.report).await?;
    app.reports.keep(&slot, key, &looked);
    Ok(looked)
}

/// The report of a batch.
pub fn compute(gathered: &Gathered, reviews: &[Review], excluded: &[SmolStr], options: &Options) -> Result<Looked, Failure> {
    let mut report = Report { excluded: excluded.to_vec(), ..Report::default() };
    let table = labels::labels(gathered).map(|marks| Marks::new(marks, &[])).transpose().map_err(refused)?;
    if let Some(all) = &table {
        fill(&mut report, all, excluded, options).map_err(failed)?;
    }
    // Of a verdict the score is the share of equal labels, which is told anyway.
    if !gathered.batch.task.scale().accuracy {
        score(&mut report, gathered, excluded, options).map_err(failed)?;
    }
    report.grades = grades(gathered, reviews, excluded)?;
    let (weeks, hundreds) = (stretches(gathered, &weeks(gathered)), stretches(gathered, &hundreds(gathered)));
    Ok(Looked { report, weeks, hundreds })
}

/// The grades of a batch's annotators. Who is left out has none, and the others are not compared with them.
pub fn grades(gathered: &Gathered, reviews: &[Review], excluded: &[SmolStr]) -> Result<Vec<Graded>, Failure> {
    let marks = Marks::new(labels::decisive(gathered), &[]).map_err(refused)?.without(excluded);
    let kept = |review: &&Review| !excluded.contains(&review.annotator);
    let reviews: Vec<Review> = reviews.iter().filter(kept).cloned().collect();
    Ok(grade(&marks, &reviews, &labels::checks(gathered), &GradeRule::default()))
}

pub(super) fn refused(error: AgreeError) -> Failure {
    match error {
        AgreeError::NoExtremes => {
            Failure::invalid("这些标签没有两极：请选“一致”或“多数”", "the labels have no extremes: choose agreed or majority")
        }
        other => Failure::invalid(format!("这批标注无法比较：{other}"), format!("the marks cannot be compared: {other}")),
    }
}

#[allow(clippy::needless_pass_by_value)] // for map_err
fn failed(error: StatsError) -> Failure {
    Failure::Internal(format!("agreement cannot be computed: {error}"))
}

fn fill(report: &mut Report, all: &Marks, excluded: &[SmolStr], options: &Options) -> Result<(), StatsError> {
    let marks = all.without(excluded);
    let agreement = agree(&marks, options)?;
    if !excluded.is_empty() {
        report.with_all = Some(agree(all, options)?);
    }
    if !agreement.outliers.is_empty() {
        let names: Vec<SmolStr> = agreement.outliers.iter().map(|outlier| outlier.name.clone()).collect();
        report.without_outliers = Some(agree(&marks.without(&names), options)?);
    }
    report.agreement = Some(agreement);
    Ok(())
}

fn score(report: &mut Report, gathered: &Gathered, excluded: &[SmolStr], options: &Options) -> Result<(), StatsError> {
    let mut sets = labels::answers(gathered);
    let task = gathered.batch.task;
    let scores = |sets: &[_]| score_pairs(task, Mode::Official, sets, options.resampling.as_ref(), origin);
    if sets.len() < 2 {
        return Ok(());
    }
    if !excluded.is_empty() {
        report.scores_with_all = Some(scores(&sets)?);
        sets.retain(|set| !excluded.contains(&set.annotator));
    }
    let scored = scores(&sets)?;
    report.score_outliers = outliers(&scored.means, &options.outliers);
    report.scores = Some(scored);
    if !report.score_outliers.is_empty() {
        sets.retain(|set| report.score_outliers.iter().all(|outlier| outlier.name != set.annotator));
        report.scores_without_outliers = Some(scores(&sets)?);
    }
    Ok(())
}

fn origin(item: &Item) -> Option<SmolStr> {
    item.extra.iter().find(|(name, _)| name == "origin").and_then(|(_, value)| Json::as_str(value)).map(SmolStr::new)
}

const WEEK: i64 = 7 * 24 * 3600 * 1000;

/// The items of each week in which their last mark was finished. Weeks begin on Mondays, UTC.
fn weeks(gathered: &Gathered) -> Vec<(String, Vec<usize>)> {
    // 1970 began on a Thursday.
    let week = |at: i64| (at + 3 * WEEK / 7).div_euclid(WEEK);
    let mut weeks: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (item, at) in finished(gathered) {
        weeks.entry(week(at)).or_default().push(item);
    }
    let name = |week: i64| time(week * WEEK - 3 * WEEK / 7)[..10].to_owned();
    weeks.into_iter().map(|(week, items)| (name(week), items)).collect()
}

/// Items by hundred, in the order in which they were finished.
fn hundreds(gathered: &Gathered) -> Vec<(String, Vec<usize>)> {
    let mut all: Vec<(i64, usize)> = finished(gathered).into_iter().map(|(item, at)| (at, item)).collect();
    all.sort_unstable();
    let chunk = |(number, chunk): (usize, &[(i64, usize)])| {
        (format!("{}–{}", number * 100 + 1, number * 100 + chunk.len()), chunk.iter().map(|(_, item)| *item).collect())
    };
    all.chunks(100).enumerate().map(chunk).collect()
}

/// When the last mark of each item was finished.
fn finished(gathered: &Gathered) -> BTreeMap<usize, i64> {
    let mut last = BTreeMap::new();
    for given in &gathered.given {
        let at = last.entry(given.item).or_insert(given.at);
        *at = given.at.max(*at);
    }
    last
}

fn stretches(gathered: &Gathered, parts: &[(String, Vec<usize>)]) -> Vec<Stretch> {
    let stretch = |(name, items): &(String, Vec<usize>)| {
        let mut places = items.clone();
        places.sort_unstable();
        let given = places.iter().flat_map(|place| gathered.of(*place)).cloned().collect();
        let part = Gathered { given, batch: gathered.batch.clone(), items: Arc::clone(&gathered.items) };
        let marks = labels::labels(&part).and_then(|marks| Marks::new(marks, &[]).ok());
        let of = |measure: Measure| marks.as_ref().and_then(|marks| measure.of(marks).ok());
        let ordered = marks.as_ref().is_some_and(|marks| marks.scale() != Scale::Names);
        let scored = !gathered.batch.task.scale().accuracy;
        let scores = if scored {
            score_pairs(gathered.batch.task, Mode::Official, &labels::answers(&part), None, origin).ok()
        } else {
            None
        };
        let shared = items.iter().filter(|item| gathered.of(**item).len() > 1).count();
        Stretch {
            name: name.clone(),
            items: shared as u64,
            agreement: of(Measure::Agreement),
            alpha: of(if ordered { Measure::AlphaOrdinal } else { Measure::AlphaNominal }),
            score: scores.and_then(|scores| scores.mean.get()),
        }
    };
    parts.iter().map(stretch).collect()
}
