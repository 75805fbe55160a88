//! A file of predictions of the task that the first byte chooses, checked and reported in both languages.
#![no_main]

use fangwei::lang::Lang;
use fangwei::record::Source;
use fangwei::validate::validate;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let tasks: Vec<_> = fangwei::tasks::all().collect();
    let task = tasks[*first as usize % tasks.len()];
    let Some(Ok(report)) = Source::from_bytes("fuzz", rest).ok().map(|source| validate(task, source, None)) else { return };
    for lang in [Lang::Zh, Lang::En] {
        report.to_json(task, lang);
        report.defects.iter().for_each(|defect| drop(defect.render(lang)));
    }
});
