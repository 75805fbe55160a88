//! Where items came from: the genre and the origin that a release keeps in `trace.jsonl`, apart from items that are given to takers.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::record::{Defect, Json, ReadError, Source, read_all};
use crate::task::{Item, Task};

/// Genre and origin by task and item.
#[derive(Debug, Default)]
pub struct Traces(FxHashMap<(SmolStr, SmolStr), Vec<(String, Json<'static>)>>);

/// What is told of an item that does not say it itself.
const TOLD: [&str; 2] = ["genre", "origin"];

impl Traces {
    /// Adds a file of traces: records of `task`, `qid`, `genre` and `origin`. Others are passed over.
    pub fn read(&mut self, source: Source) -> Result<Vec<Defect>, ReadError> {
        let (records, defects) = read_all(source)?;
        for (_, record) in &records {
            let text = |name: &str| record.get(name).and_then(Json::as_str);
            if let (Some(task), Some(qid)) = (text("task"), text("qid")) {
                let told = TOLD.iter().filter_map(|name| Some(((*name).to_owned(), Json::text(text(name)?.to_owned()))));
                self.0.insert((task.into(), qid.into()), told.collect());
            }
        }
        Ok(defects)
    }

    /// Tells items what they do not say themselves.
    pub fn tell(&self, task: &dyn Task, items: &mut [Item]) {
        for item in items {
            let Some(told) = self.0.get(&(SmolStr::from(task.id()), item.qid.clone())) else { continue };
            for (name, value) in told {
                if item.extra.iter().all(|(known, _)| known != name) {
                    item.extra.push((name.clone(), value.clone()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Texts;

    #[test]
    fn items_are_told_what_they_do_not_say() {
        let lines = "{\"task\":\"2022/judge\",\"qid\":\"1\",\"genre\":\"news\",\"origin\":\"a#1\"}\n{\"task\":\"2021/judge\",\"qid\":\"2\",\"genre\":\"story\"}\n{}\n";
        let mut traces = Traces::default();
        assert!(traces.read(Source::from_bytes("trace", lines).expect("memory")).expect("memory").is_empty());
        let item = |qid: &str, extra: Vec<(String, Json<'static>)>| Item {
            qid: qid.into(),
            texts: Texts::Absent,
            gold: None,
            corefs: None,
            extra,
        };
        let own = ("genre".to_owned(), Json::text("poem".to_owned()));
        let mut items = [item("1", vec![own.clone()]), item("1", Vec::new()), item("2", Vec::new())];
        traces.tell(crate::tasks::find("2022/judge").expect("a task"), &mut items);
        assert_eq!(items[0].extra, [own, ("origin".to_owned(), Json::text("a#1".to_owned()))]);
        assert_eq!((items[1].extra.len(), items[2].extra.len()), (2, 0));
    }
}
