//! The examples in the tasks' guides are records of their tasks.

use fangwei::lang::Lang;
use fangwei::record::{Check, Fields, Json, Severity};
use fangwei::tasks::all;

/// The fenced JSON blocks of a Markdown text.
fn blocks(markdown: &str) -> Vec<&str> {
    markdown.split("```json\n").skip(1).filter_map(|rest| rest.split_once("\n```").map(|(block, _)| block)).collect()
}

#[test]
fn examples_can_be_read() {
    for task in all() {
        for lang in [Lang::Zh, Lang::En] {
            let blocks = blocks(task.about().guide.get(lang));
            assert!(!blocks.is_empty(), "the guide of {} has no example", task.id());
            let mut answered = 0;
            for block in blocks {
                let given = Json::parse(block.as_bytes()).unwrap_or_else(|error| panic!("{}: {error}\n{block}", task.id()));
                let records = task.unpack(&given).unwrap_or_else(|| vec![given.into_owned()]);
                for record in records {
                    let mut check = Check::new("guide".into(), 1);
                    Fields(&record).qid(task.about().qid_names, &mut check);
                    if record.get(task.about().answer).is_some() {
                        answered += 1;
                        let answer = task
                            .read_answer(&record, &mut check)
                            .unwrap_or_else(|| panic!("{}: {:?}\n{block}", task.id(), check.defects));
                        let texts = task.read_texts(&record, &mut Check::new("guide".into(), 1));
                        task.check_answer(&answer, texts.as_ref(), &mut check);
                    } else {
                        task.read_texts(&record, &mut check);
                    }
                    assert!(
                        check.defects.iter().all(|defect| defect.severity() == Severity::Warning),
                        "{}: {:?}\n{block}",
                        task.id(),
                        check.defects
                    );
                }
            }
            assert!(answered > 0, "the guide of {} has no answer", task.id());
        }
    }
}
