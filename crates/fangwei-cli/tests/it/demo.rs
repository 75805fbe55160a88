//! The first command of the README.

use crate::fangwei;

#[test]
fn the_demo_in_both_languages() {
    for lang in ["zh", "en"] {
        let run = fangwei(&["demo", "--lang", lang]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        insta::assert_snapshot!(format!("demo-{lang}"), run.out);
    }
}
