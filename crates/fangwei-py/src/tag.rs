//! Words of texts, and which of them are in spatial use.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use fangwei::corpus::Passage;
use fangwei::corpus::tag::Tagger as Marker;
use fangwei::record::{Check, Fields, Json, read_all};
use pyo3::prelude::*;
use rayon::prelude::*;
use smol_str::{SmolStr, format_smolstr};

use crate::Made;
use crate::arrow::{Frame, batches};
use crate::errors::{Raised, lang};
use crate::frames;
use crate::given::Given;
use crate::lexicon::Lexicon;
use crate::parts::columns::texts;

/// A tagger that was taught a lexicon.
#[pyclass(frozen, module = "fangwei._fangwei")]
pub struct Tagger(Marker);

#[pymethods]
impl Tagger {
    #[new]
    fn new(py: Python<'_>, lexicon: &Lexicon) -> Tagger {
        let words = lexicon.words();
        Tagger(py.detach(|| Marker::new(&words)))
    }

    /// Texts: text, words, doubts.
    #[allow(clippy::needless_pass_by_value)] // Python hands over a list of its own
    fn texts(&self, py: Python<'_>, texts: Vec<String>) -> PyResult<Frame> {
        let work = || -> Made<Frame> {
            let column: ArrayRef = Arc::new(StringArray::from_iter_values(&texts));
            self.tag(&frames::batch(vec![("text", column)])?, "text").map(Frame::new)
        };
        Ok(py.detach(work)?)
    }

    /// Records with a text, as passages: what they do not say of themselves, their place says.
    fn records(&self, py: Python<'_>, given: Given<'_>) -> PyResult<Frame> {
        let held = given.hold()?;
        let work = || -> Made<Frame> {
            let source = held.open()?;
            let name = source.name.clone();
            let (records, mut defects) = read_all(source)?;
            let draft = |(line, given): &(u64, Json<'static>)| {
                let mut check = Check::new(name.clone(), *line);
                let text = Fields::of(given, &mut check).and_then(|fields| fields.text("text", &mut check));
                let own = |field: &str| given.get(field).and_then(Json::as_str);
                let numbered = if let Some(Json::Int(line)) = given.get("line") { *line as u64 } else { *line };
                let passage = text.map(|text| {
                    let (words, doubts) = self.0.tag(&text);
                    Passage {
                        id: own("id").map_or_else(|| format_smolstr!("{name}#{line}"), SmolStr::new),
                        genre: own("genre").unwrap_or_default().into(),
                        source: own("source").unwrap_or(&name).into(),
                        line: numbered,
                        text: text.into(),
                        words,
                        doubts,
                    }
                });
                (passage, check.defects)
            };
            let (passages, found): (Vec<_>, Vec<_>) = records.par_iter().map(draft).unzip();
            defects.extend(found.into_iter().flatten());
            if passages.iter().any(Option::is_none) {
                return Err(Raised::defects(
                    "PassagesError",
                    lang().say("有不成片段的记录", "some records are no passages"),
                    &defects,
                ));
            }
            frames::passages(&passages.into_iter().flatten().collect::<Vec<_>>()).map(Frame::new)
        };
        Ok(py.detach(work)?)
    }

    /// A table with the words and doubts of its column `text` beside what it has.
    fn table(&self, py: Python<'_>, table: &Bound<'_, PyAny>, text: &str) -> PyResult<Frame> {
        let batches = batches(table)?;
        Ok(py.detach(|| -> Made<Frame> {
            let tagged = batches.iter().map(|batch| self.tag(batch, text)).collect::<Made<Vec<_>>>()?;
            Ok(Frame::of(tagged))
        })?)
    }
}

impl Tagger {
    fn tag(&self, batch: &RecordBatch, text: &str) -> Made<RecordBatch> {
        let texts = texts(batch, text)?;
        let tagged: Vec<_> = texts.par_iter().map(|text| self.0.tag(text)).collect();
        let made: [(&str, ArrayRef); 2] = [
            ("words", frames::words(tagged.iter().map(|(words, _)| words.as_slice()))),
            ("doubts", frames::doubts(tagged.iter().map(|(_, doubts)| doubts.as_slice()))),
        ];
        let schema = batch.schema();
        let others = schema.fields().iter().zip(batch.columns());
        let others = others.filter(|(field, _)| !matches!(field.name().as_str(), "words" | "doubts"));
        let columns = others.map(|(field, column)| (field.name().as_str(), Arc::clone(column)));
        frames::batch(columns.chain(made).collect())
    }
}
