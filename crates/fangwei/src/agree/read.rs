//! Reads marks: JSON lines of `item`, `annotator` and `label`, or a table with a column an annotator.

use std::io::Read as _;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::marks::Mark;
use crate::lang::Say;
use crate::record::{self, Check, Code, Defect, Fields, Json, ReadError, Source};

/// Names under which the item stands.
const ITEM: [&str; 3] = ["item", "qid", "id"];

/// Reads a file of marks:
///
/// - JSON lines (or an array) of `{"item":"7","annotator":"甲","label":"bad"}`, with `origin` where known; a label is a text, a number, true or false, `null` where
///   there is none;
/// - CSV or TSV with the head `item,annotator,label`, and `origin` where known;
/// - CSV or TSV with a row an item: its name in the first column, a column an annotator, and `origin` where known; an empty cell is no mark.
///
/// Records that cannot be used are left out and told. A second mark by one annotator on one item is told, and takes the place of the first.
pub fn read_marks(mut source: Source) -> Result<(Vec<Mark>, Vec<Defect>), ReadError> {
    let file = source.name.clone();
    let failed = |error| ReadError { file: file.clone(), error };
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).map_err(failed)?;
    let begins = bytes.iter().copied().find(|byte| !byte.is_ascii_whitespace() && !matches!(byte, 0xEF | 0xBB | 0xBF));
    let (marks, mut defects) = match (begins, String::from_utf8(bytes)) {
        (Some(b'{' | b'[') | None, Ok(text)) => read_json(Source::from_bytes(&file, text).map_err(failed)?)?,
        (Some(b'{' | b'['), Err(error)) => read_json(Source::from_bytes(&file, error.into_bytes()).map_err(failed)?)?,
        (_, Ok(text)) => read_table(&file, &text),
        (_, Err(error)) => {
            let mut check = Check::new(file.clone(), 0);
            let found = format!("0x{:02X}", error.as_bytes()[error.utf8_error().valid_up_to()]);
            check.add(Code::BadEncoding, "UTF-8", found);
            (Vec::new(), check.defects)
        }
    };
    let mut seen: FxHashSet<(SmolStr, SmolStr)> = FxHashSet::default();
    for (line, mark) in &marks {
        if !seen.insert((mark.item.clone(), mark.annotator.clone())) {
            let mut check = Check::new(file.clone(), *line);
            check.qid = Some(mark.item.clone());
            let once = Say::new("每题每人一个标注", "one mark an item and annotator");
            check.add(Code::DuplicateQid, once, mark.annotator.to_string());
            record::gather(&mut defects, check.defects);
        }
    }
    Ok((marks.into_iter().map(|(_, mark)| mark).collect(), defects))
}

/// Marks with their lines, and defects.
type Read = (Vec<(u64, Mark)>, Vec<Defect>);

fn read_json(source: Source) -> Result<Read, ReadError> {
    let (mut marks, mut defects) = (Vec::new(), Vec::new());
    let file_defects = record::each(
        source,
        |given, check| read_mark(&given, check).map(|mark| (check.line(), mark)),
        |mark, check| {
            marks.extend(mark);
            record::gather(&mut defects, check.defects);
        },
    )?;
    record::gather(&mut defects, file_defects);
    Ok((marks, defects))
}

fn read_mark(given: &Json<'_>, check: &mut Check) -> Option<Mark> {
    let fields = Fields::of(given, check)?;
    let item = fields.qid(&ITEM, check);
    let annotator = fields.text("annotator", check);
    let label = fields.need("label", check).and_then(|label| check.at("label", |check| read_label(label, check)));
    let origin = given.get("origin").and_then(Json::as_str).map(SmolStr::new);
    Some(Mark { item: item?, annotator: annotator?, label: label?, origin })
}

/// A label as text; the inner `None` is a mark that was not made.
#[allow(clippy::option_option)] // the outer says whether the record can be used
pub(super) fn read_label(given: &Json<'_>, check: &mut Check) -> Option<Option<SmolStr>> {
    match given {
        Json::Null => Some(None),
        Json::Bool(value) => Some(Some(SmolStr::new(if *value { "true" } else { "false" }))),
        Json::Int(number) => Some(Some(smol_str::format_smolstr!("{number}"))),
        Json::Float(number) => Some(Some(smol_str::format_smolstr!("{number}"))),
        Json::Text(text) => Some(Some(SmolStr::new(text.trim())).filter(|text| !text.is_empty())),
        other => {
            check.add(Code::BadType, Say::new("文字、数、真假或 null", "text, number, true, false or null"), other.brief());
            None
        }
    }
}

fn read_table(file: &Arc<str>, text: &str) -> Read {
    let text = text.trim_start_matches('\u{feff}');
    let tabs = text.lines().next().is_some_and(|head| head.contains('\t'));
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(if tabs { b'\t' } else { b',' })
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let head = reader.headers().cloned().unwrap_or_default();
    let column = |name: &str| head.iter().position(|cell| cell.eq_ignore_ascii_case(name));
    let origin = column("origin");
    let long = column("annotator").zip(column("label"));
    let item = ITEM.iter().find_map(|name| column(name)).filter(|_| long.is_some()).unwrap_or(0);
    let people: Vec<usize> = (0..head.len()).filter(|at| *at != item && Some(*at) != origin && !head[*at].is_empty()).collect();
    let mut defects = Vec::new();
    if people.is_empty() {
        let mut check = Check::new(file.clone(), 1);
        let expected =
            Say::new("item,annotator,label，或 item 后每个标注者一列", "item,annotator,label, or item and a column an annotator");
        check.add(Code::BadHeader, expected, head.iter().take(8).collect::<Vec<_>>().join(","));
        return (Vec::new(), check.defects);
    }
    let mut marks = Vec::new();
    for row in reader.records() {
        let line = row.as_ref().ok().and_then(|row| row.position()).map_or(0, csv::Position::line);
        let mut check = Check::new(file.clone(), line);
        match row {
            Err(error) => check.add(Code::BadRow, "CSV / TSV", error.to_string()),
            Ok(row) if row.len() != head.len() || row[item].is_empty() => {
                let columns =
                    |count: usize| Say::new(format!("{count} 列，第一列不空"), format!("{count} cells, the first not empty"));
                check.add(Code::BadRow, columns(head.len()), row.iter().take(8).collect::<Vec<_>>().join(","));
            }
            Ok(row) => {
                let text = |cell: &str| Some(SmolStr::new(cell)).filter(|cell| !cell.is_empty());
                let origin = origin.and_then(|at| text(&row[at]));
                let mark = |annotator: &str, label: &str| {
                    let annotator = SmolStr::new(annotator);
                    (line, Mark { item: SmolStr::new(&row[item]), annotator, label: text(label), origin: origin.clone() })
                };
                match long {
                    Some((annotator, label)) => marks.push(mark(&row[annotator], &row[label])),
                    None => marks.extend(people.iter().map(|at| mark(&head[*at], &row[*at]))),
                }
            }
        }
        record::gather(&mut defects, check.defects);
    }
    (marks, defects)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<String>, Vec<(u64, &'static str)>) {
        let (marks, defects) = read_marks(Source::from_bytes("m", text).expect("opens")).expect("reads");
        let show = |mark: &Mark| format!("{} {} {}", mark.item, mark.annotator, mark.label.as_deref().unwrap_or("-"));
        let told = defects.iter().map(|defect| (defect.line, defect.code.as_str())).collect();
        (marks.iter().map(show).collect(), told)
    }

    #[test]
    fn the_three_forms_are_one() {
        let lines =
            "{\"item\":\"1\",\"annotator\":\"甲\",\"label\":\"bad\"}\n{\"item\":\"1\",\"annotator\":\"乙\",\"label\":null}\n";
        let expected = (vec!["1 甲 bad".to_owned(), "1 乙 -".to_owned()], Vec::new());
        assert_eq!(read(lines), expected);
        assert_eq!(read("item,annotator,label\n1,甲,bad\n1,乙,\n"), expected);
        assert_eq!(read("\u{feff}id\t甲\t乙\n1\tbad\t\n"), expected);
        assert_eq!(
            read("[{\"item\":\"1\",\"annotator\":\"甲\",\"label\":2.0},{\"item\":\"1\",\"annotator\":\"乙\",\"label\":false}]").0,
            ["1 甲 2", "1 乙 false"]
        );
    }

    #[test]
    fn what_cannot_be_used_is_told_and_the_rest_is_read() {
        let lines = "{\"item\":\"1\",\"annotator\":\"甲\",\"label\":[]}\n{\"item\":\"1\",\"label\":\"x\"}\nnonsense\n{\"item\":\"2\",\"annotator\":\"甲\",\"label\":\"x\"}\n{\"item\":\"2\",\"annotator\":\"甲\",\"label\":\"y\"}\n";
        let (marks, told) = read(lines);
        assert_eq!(marks, ["2 甲 x", "2 甲 y"]);
        assert_eq!(told, [(1, "bad-type"), (2, "missing-field"), (3, "bad-json"), (5, "duplicate-qid")]);
        assert_eq!(read("id,甲,乙\n1,x\n2,x,y\n").1, [(2, "bad-row")]);
        assert_eq!(read("id\n1\n").1, [(1, "bad-header")]);
        assert_eq!(read("").1, [(0, "empty-file")]);
    }
}
