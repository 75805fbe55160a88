//! The commands that README and guide show do run. Blocks fenced with ```sh are tried line by line; a line that begins with `fangwei` must succeed.
//! What they write into `out/` goes into a folder of the page's own, so that a later command finds what an earlier one wrote.

use crate::{Scratch, fangwei, root};

fn pages() -> Vec<std::path::PathBuf> {
    let mut pages = vec![root().join("README.md")];
    for folder in ["docs", "docs/design", "docs/guide/zh", "docs/guide/en"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("a folder of pages");
        pages.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    pages.sort();
    pages
}

#[test]
fn shown_commands_run() {
    let mut commands = 0;
    for page in pages() {
        let scratch = Scratch::new(&format!("page-{commands}"));
        let text = std::fs::read_to_string(&page).expect("a page");
        let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split_once("```").map(|(block, _)| block));
        for line in blocks.flat_map(|block| block.lines()).filter(|line| line.starts_with("fangwei ")) {
            let args = line.split(" #").next().unwrap_or_default().split_whitespace().skip(1);
            // `out/a.jsonl`, and the file of `NAME=out/a.jsonl`.
            let placed = |arg: &str| {
                let (before, file) = arg.rfind('=').map_or(("", arg), |at| arg.split_at(at + 1));
                file.strip_prefix("out/").map_or_else(|| arg.to_owned(), |name| format!("{before}{}", scratch.path(name)))
            };
            let args: Vec<String> = args.map(placed).collect();
            let run = fangwei(&args.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(run.code, 0, "{}: {line}\n{}{}", page.display(), run.out, run.err);
            commands += 1;
        }
    }
    assert!(commands >= 10, "{commands}");
}
