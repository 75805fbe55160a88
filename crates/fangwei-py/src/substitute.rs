//! Originals into candidates.

use fangwei::corpus::Passage;
use fangwei::record::{Severity, each_frame, parse};
use fangwei::substitute::{Candidate, Config, blind as disguise, fresh, repeated, substitute as replace};
use pyo3::prelude::*;
use serde_json::json;

use crate::Made;
use crate::arrow::Frame;
use crate::errors::{Raised, lang, tell};
use crate::frames;
use crate::given::{Given, Held};
use crate::lexicon::Lexicon;
use crate::settings;

/// Replaces words of originals; `keep` are candidates that stay. Candidates, the report, and the items for annotators with their key.
#[pyfunction]
pub fn substitute(
    py: Python<'_>,
    given: Vec<Given<'_>>,
    keep: Option<Given<'_>>,
    config: &str,
    lexicon: &Lexicon,
) -> PyResult<(Frame, String)> {
    let held = given.into_iter().map(Given::hold).collect::<PyResult<Vec<Held>>>()?;
    let keep = keep.map(Given::hold).transpose()?;
    let words = lexicon.words();
    let work = || -> Made<(Frame, String)> {
        let config: Config = settings::read(config)?;
        config.check()?;
        let (mut originals, mut defects) = (Vec::new(), Vec::new());
        for one in &held {
            defects.extend(Passage::each(one.open()?, |passage| originals.push(passage))?);
        }
        once(
            originals.iter().map(|original| original.id.as_str()),
            lang().say("两个原句用同一个编号", "two originals have this id"),
        )?;
        let keep = keep.as_ref().map(candidates).transpose()?.unwrap_or_default();
        let (made, funnel) = replace(&originals, &words, &config, &keep, || ())?;
        let (items, key) = disguise(&fresh(&made, &keep), config.seed);
        let means = json!({ "per_original": funnel.per_original(), "per_word": funnel.per_word() });
        let report = json!({ "funnel": funnel, "means": means, "items": items, "key": key, "defects": tell(&defects) });
        Ok((Frame::new(frames::candidates(&made)?), report.to_string()))
    };
    Ok(py.detach(work)?)
}

/// The items for annotators and their key, of candidates that are there; those in `keep` were given out before.
#[pyfunction]
pub fn blind(py: Python<'_>, given: Given<'_>, keep: Option<Given<'_>>, seed: u64) -> PyResult<String> {
    let (held, keep) = (given.hold()?, keep.map(Given::hold).transpose()?);
    let work = || -> Made<String> {
        let made = candidates(&held)?;
        once(made.iter().map(|made| made.id.as_str()), lang().say("两个候选用同一个编号", "two candidates have this id"))?;
        let keep = keep.as_ref().map(candidates).transpose()?.unwrap_or_default();
        let (items, key) = disguise(&fresh(&made, &keep), seed);
        Ok(json!({ "items": items, "key": key }).to_string())
    };
    Ok(py.detach(work)?)
}

/// Refuses an id that is there twice.
fn once<'i>(ids: impl Iterator<Item = &'i str>, what: &str) -> Made<()> {
    match repeated(ids) {
        Some(twice) => Err(Raised::new("RepeatedIdError", format!("{twice}: {what}"), json!({ "id": twice }))),
        None => Ok(()),
    }
}

/// Candidates that were made before.
fn candidates(held: &Held) -> Made<Vec<Candidate>> {
    let (mut candidates, mut defects) = (Vec::new(), Vec::new());
    let file = each_frame(
        held.open()?,
        |bytes, check| match serde_json::from_slice::<Candidate>(bytes) {
            Ok(candidate) => Some(candidate),
            Err(error) => {
                if parse(bytes, check).is_some() {
                    check.add(fangwei::record::Code::BadType, "a candidate of fangwei substitute", error.to_string());
                }
                None
            }
        },
        |candidate, check| {
            candidates.extend(candidate);
            defects.extend(check.defects);
        },
    )?;
    defects.extend(file.into_iter().filter(|defect| defect.severity() == Severity::Error));
    if defects.is_empty() {
        return Ok(candidates);
    }
    Err(Raised::defects("CandidatesError", lang().say("有读不了的候选", "some candidates cannot be read"), &defects))
}
