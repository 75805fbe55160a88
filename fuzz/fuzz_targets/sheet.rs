//! A sheet of 2021: unpacked for each task, packed, unpacked again.
#![no_main]

use fangwei::record::{Check, Json};
use fangwei::tasks::{is_sheet, pack_sheet};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(given) = Json::parse(data) else { return };
    for task in fangwei::tasks::all() {
        let Some(records) = task.unpack(&given) else { continue };
        assert!(is_sheet(&given));
        for record in &records {
            task.read_answer(record, &mut Check::new("fuzz".into(), 1));
        }
        let count = records.len();
        let (packed, refused) = pack_sheet(Json::Null, records);
        let again = task.unpack(&packed).unwrap_or_default();
        assert_eq!(again.len() + refused.len(), count);
    }
});
