//! Any bytes, cut into records: lines never go back, and no record is longer than allowed.
#![no_main]

use fangwei::record::{Frames, MAX_RECORD, Source};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz", data) else { return };
    let (mut frames, mut line) = (Frames::new(source), 0);
    while let Ok(Some(batch)) = frames.next_batch() {
        for frame in &batch.frames {
            assert!(frame.line >= line && frame.line > 0);
            line = frame.line;
            assert!(!batch.bytes(frame).is_empty() && batch.bytes(frame).len() <= MAX_RECORD);
        }
    }
});
