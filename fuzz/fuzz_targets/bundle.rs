//! An archive of a competition, ours or of Codabench, unpacked within its bounds, checked and imported.
#![no_main]

use fangwei::contest::{at_root, check, import, unpack, unpack_within};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(folder) = unpack(std::io::Cursor::new(data)) else { return };
    let folder = at_root(folder);
    drop(check(&folder));
    if let Ok(folder) = unpack_within(folder) {
        drop(import(&folder));
    }
});
