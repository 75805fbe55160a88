//! A competition.toml, read with the files that a template brings, and every defect told in both languages.
#![no_main]

use fangwei::contest::{FILE, Template, check};
use fangwei::lang::Lang;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(template) = Template::find("2022") else { return };
    let mut folder = template.files(0);
    folder.insert(FILE.to_owned(), data.to_vec());
    for defect in check(&folder).defects {
        for lang in [Lang::Zh, Lang::En] {
            drop(defect.render(lang));
        }
    }
});
