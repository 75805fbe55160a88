//! From one format to another.

use fangwei::convert::{CONVERSIONS, Options, find};
use fangwei::record::Source;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Made;
use crate::errors::{lang, tell};
use crate::given::{Given, Held};
use crate::settings;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    team_name: String,
    institution: String,
    email: String,
    renumber: bool,
}

/// A file that was made: its path and its bytes.
type Files<'py> = Vec<(String, Bound<'py, PyBytes>)>;

/// Every conversion: from, to, what it does.
#[pyfunction]
pub fn conversions() -> String {
    let one =
        |known: &fangwei::convert::Conversion| json!({ "from": known.from, "to": known.to, "title": known.title.get(lang()) });
    Value::from(CONVERSIONS.iter().map(one).collect::<Vec<_>>()).to_string()
}

/// Converts: the files that were made, and a report.
#[pyfunction]
pub fn convert<'py>(
    py: Python<'py>,
    from: &str,
    to: &str,
    given: Vec<Given<'py>>,
    wanted: &str,
) -> PyResult<(Files<'py>, String)> {
    let held = given.into_iter().map(Given::hold).collect::<PyResult<Vec<Held>>>()?;
    let work = || -> Made<_> {
        let Wanted { team_name, institution, email, renumber } = settings::read(wanted)?;
        let conversion = find(from, to)?;
        let mut sources: Vec<Source> = Vec::new();
        for one in &held {
            match one {
                Held::Path(path) => sources.extend(conversion.open(path)?),
                other => sources.push(other.open()?),
            }
        }
        let converted = conversion.run(sources, &Options { team_name, institution, email, renumber })?;
        let report = json!({ "report": converted.report, "defects": tell(&converted.defects) });
        Ok((converted.files, report.to_string()))
    };
    let (files, report) = py.detach(work)?;
    Ok((files.into_iter().map(|file| (file.path, PyBytes::new(py, &file.bytes))).collect(), report))
}
