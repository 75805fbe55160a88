//! The last cut of a selection: of each passage that passes some forty bytes come to one place, and from them follows who is kept.

use std::sync::{Arc, Mutex};

use arrow_array::Int64Array;
use fangwei::select::{self, Config, Funnel, Outcome, Verdict};
use pyo3::prelude::*;

use super::columns::{longs, texts};
use super::locked;
use crate::Made;
use crate::arrow::{Frame, batches};
use crate::errors::Raised;
use crate::frames::batch;
use crate::settings;

/// Passages that pass, from anywhere.
#[pyclass(frozen, module = "fangwei._fangwei")]
pub struct Draw {
    config: Config,
    draw: Mutex<select::Draw>,
}

#[pymethods]
impl Draw {
    #[new]
    fn new(config: &str) -> PyResult<Draw> {
        let config: Config = settings::read(config)?;
        config.check().map_err(Raised::from)?;
        Ok(Draw { config, draw: Mutex::default() })
    }

    /// Takes verdicts of passages that pass; gives the numbers of those whose id another has.
    fn take(&self, py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
        let given = batches(table)?;
        let work = || -> Made<Vec<u64>> {
            let mut repeated = Vec::new();
            for rows in &given {
                let [numbers, ids, lots, sources] =
                    ["number", "id", "lot", "source"].map(|name| longs(rows, name).map(Int64Array::values));
                let (numbers, ids, lots, sources) = (numbers?, ids?, lots?, sources?);
                let genres = texts(rows, "genre")?;
                locked(&self.draw, |draw| {
                    for (row, genre) in genres.iter().enumerate() {
                        let (id, lot, source) = (ids[row] as u64, (lots[row] as u64) ^ (1 << 63), sources[row] as u64);
                        let verdict = Verdict { id, lot, genre: (*genre).into(), source, fell: None };
                        repeated.extend(draw.take(numbers[row] as u64, &verdict));
                    }
                    Ok(())
                })?;
            }
            Ok(repeated)
        };
        Ok(py.detach(work)?)
    }

    /// Draws: the numbers that are kept, and the report. `fallen` counts by genre and criterion those that fell; `defective` the rows that are no passages.
    #[allow(clippy::needless_pass_by_value)] // Python hands over a list of its own
    fn finish(
        &self,
        py: Python<'_>,
        fallen: Vec<(String, usize, u64)>,
        defective: u64,
        load: Option<f64>,
    ) -> PyResult<(Frame, String)> {
        let work = || -> Made<(Frame, String)> {
            let mut funnel = Funnel { defective, ..Funnel::default() };
            for (genre, criterion, count) in &fallen {
                let tally = funnel.genres.entry(genre.as_str().into()).or_default();
                tally.passages += count;
                if let Some(fell) = tally.fell.get_mut(*criterion) {
                    *fell += count;
                }
            }
            let drawn = locked(&self.draw, |draw| Ok(std::mem::take(draw).finish(&funnel, &self.config)?))?;
            let kept = Int64Array::from_iter_values(drawn.kept.iter().map(|number| *number as i64));
            let outcome = Outcome { funnel: drawn.funnel, short: drawn.short, load, defects: Vec::new() };
            Ok((Frame::new(batch(vec![("number", Arc::new(kept))])?), outcome.report(&self.config).to_string()))
        };
        Ok(py.detach(work)?)
    }
}
