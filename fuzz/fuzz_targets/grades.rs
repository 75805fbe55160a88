//! A table of grades: whatever is read is a grade.
#![no_main]

use fangwei::score::read_grades;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for table in [text.to_owned(), format!("qid,rater1,rater2\n{text}")] {
        let (grades, _) = read_grades("fuzz", &table);
        assert!(grades.iter().flat_map(|grades| grades.raters).all(|grade| (0.0..=5.0).contains(&grade)));
    }
});
