//! Gold and predictions of the task that the first byte chooses, parted by a byte 0: every measure is a finite number, every ratio at most 1.
#![no_main]

use fangwei::record::Source;
use fangwei::score::{Measure, read_preds, score};
use fangwei::task::Mode;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let tasks: Vec<_> = fangwei::tasks::all().collect();
    let task = tasks[*first as usize % tasks.len()];
    let mut files = rest.splitn(2, |byte| *byte == 0);
    let gold = files.next().unwrap_or_default();
    let preds = files.next().unwrap_or(gold);
    let Some(Ok(preds)) = Source::from_bytes("preds", preds).ok().map(|source| read_preds(task, source)) else { return };
    for mode in [Mode::Official, Mode::Spec] {
        let Ok(source) = Source::from_bytes("gold", gold) else { return };
        let Ok(scored) = score(task, mode, source, &preds, |_, _| ()) else { return };
        for (path, measure) in scored.measures().flat() {
            if let Measure::Number(value) = measure {
                assert!((0.0..=1.0 + 1e-9).contains(&value), "{} {} {path} {value}", task.id(), mode.as_str());
            }
        }
    }
});
