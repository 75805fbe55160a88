//! The 2021 answer sheet: one JSON with `meta` and a map `subtaskN-dev|test|val` from item number to answer.

use crate::record::Json;

/// Whether a value is a sheet and not a record.
pub fn is_sheet(given: &Json<'_>) -> bool {
    given.fields().iter().any(|(name, _)| name.starts_with("subtask")) && given.get("qID").is_none()
}

/// The records of task number `task` in a sheet: `subtask3-dev` `{"7": [0, 1]}` is `{"qID": "3-dev-7", "judge1": 0, "judge2": 1}`.
pub fn unpack(given: &Json<'_>, task: u8, fields: &[&'static str]) -> Option<Vec<Json<'static>>> {
    if !is_sheet(given) {
        return None;
    }
    let mut records = Vec::new();
    for (name, answers) in given.fields() {
        let Some(split) = name.strip_prefix(&format!("subtask{task}-")) else { continue };
        for (number, answer) in answers.fields() {
            let mut record = vec![("qID", Json::text(format!("{task}-{split}-{number}")))];
            let answer = answer.clone().into_owned();
            match (answer, fields) {
                (answer, [field]) => record.push((field, answer)),
                (Json::List(values), _) => record.extend(fields.iter().copied().zip(values)),
                // Anything else lacks the fields, and is told so when it is read.
                _ => {}
            }
            records.push(Json::map(record));
        }
    }
    Some(records)
}

/// A sheet from the records of tasks 1, 2 and 3, each in the order of its file. Records whose identifier is not `task-split-number` are given back.
pub fn pack(meta: Json<'static>, records: impl IntoIterator<Item = Json<'static>>) -> (Json<'static>, Vec<Json<'static>>) {
    let mut maps: Vec<(String, Vec<(String, Json<'static>)>)> = Vec::new();
    let mut refused = Vec::new();
    for record in records {
        let Some((name, number, answer)) = place(&record) else {
            refused.push(record);
            continue;
        };
        let at = maps.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            maps.push((name, Vec::new()));
            maps.len() - 1
        });
        maps[at].1.push((number, answer));
    }
    let maps = maps.into_iter().map(|(name, answers)| (name, Json::map(answers)));
    (Json::map([("meta".to_owned(), meta)].into_iter().chain(maps)), refused)
}

/// The sheet's map, the number within it and the answer of a record. Answers are 0 or 1, as the sheet of 2021 wrote them.
fn place(record: &Json<'static>) -> Option<(String, String, Json<'static>)> {
    let mut parts = record.get("qID")?.as_str()?.splitn(3, '-');
    let (task, split, number) = (parts.next()?, parts.next()?, parts.next()?);
    let digit = |name| record.get(name).and_then(super::super::common::python_int).map(|value| Json::Int(i64::from(value)));
    let answer = match task {
        "1" => digit("judge1")?,
        "2" => digit("judge2")?,
        "3" => Json::List(vec![digit("judge1")?, digit("judge2").unwrap_or(Json::Int(0))]),
        _ => return None,
    };
    Some((format!("subtask{task}-{split}"), number.to_owned(), answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_unpacks_and_packs_again() {
        let text = r#"{"meta":{"team_name":"甲"},"subtask1-dev":{"1":0,"2":1},"subtask3-dev":{"7":[0,1]}}"#;
        let sheet = Json::parse(text.as_bytes()).expect("JSON").into_owned();
        let mut records = unpack(&sheet, 1, &["judge1"]).expect("a sheet");
        assert_eq!(records[1].to_line(), r#"{"qID":"1-dev-2","judge1":1}"#);
        records.extend(unpack(&sheet, 3, &["judge1", "judge2"]).expect("a sheet"));
        assert_eq!(records[2].to_line(), r#"{"qID":"3-dev-7","judge1":0,"judge2":1}"#);
        let (packed, refused) = pack(sheet.get("meta").cloned().expect("meta"), records);
        assert_eq!(packed.to_line(), text);
        assert!(refused.is_empty());
    }

    #[test]
    fn a_record_is_no_sheet() {
        let record = Json::parse(br#"{"qID":"1-dev-1","judge1":true}"#).expect("JSON");
        assert!(unpack(&record, 1, &["judge1"]).is_none());
    }
}
