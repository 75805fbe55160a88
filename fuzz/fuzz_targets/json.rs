//! Any bytes, parsed: what was read can be written and read again with the same shape.
#![no_main]

use fangwei::record::Json;
use libfuzzer_sys::fuzz_target;

/// The number of values and fields.
fn size(value: &Json<'_>) -> usize {
    let inner: usize = value.as_list().unwrap_or_default().iter().map(size).sum();
    1 + inner + value.fields().iter().map(|(_, value)| size(value)).sum::<usize>()
}

fuzz_target!(|data: &[u8]| {
    let Ok(value) = Json::parse(data) else { return };
    let line = value.to_line();
    let again = Json::parse(line.as_bytes()).expect("what was written is JSON");
    assert_eq!(size(&value), size(&again));
    assert!(value.brief().chars().count() <= 60);
    value.into_owned();
});
