//! A record of the task that the first byte chooses: read, checked, written, read again, looked at from every side.
#![no_main]

use fangwei::record::{Check, Json, MOST_OF_RECORD};
use fangwei::score::explain_modes;
use fangwei::task::{Mode, read_item, write_item};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let tasks: Vec<_> = fangwei::tasks::all().collect();
    let task = tasks[*first as usize % tasks.len()];
    let Ok(given) = Json::parse(rest) else { return };
    let mut check = Check::new("fuzz".into(), 1);
    if let Some(answer) = task.read_answer(&given, &mut check) {
        let texts = task.read_texts(&given, &mut check);
        task.check_answer(&answer, texts.as_ref(), &mut check);
    }
    assert!(check.defects.len() <= MOST_OF_RECORD + 1);
    let mut check = Check::new("fuzz".into(), 1);
    let Some(item) = read_item(task, &given, true, &mut check) else {
        assert!(!check.defects.is_empty(), "a record that is not read says why");
        return;
    };
    explain_modes(task, &item, item.gold.as_ref());
    for mode in [Mode::Official, Mode::Spec] {
        task.align(mode.rules(), &item, item.gold.as_ref());
    }
    if check.defects.is_empty() {
        let line = write_item(task, &item).to_line();
        let given = Json::parse(line.as_bytes()).expect("what was written is JSON");
        let again = read_item(task, &given, true, &mut check).expect("what was written is read");
        assert_eq!((item.qid, item.texts, item.gold, item.corefs), (again.qid, again.texts, again.gold, again.corefs));
    }
});
