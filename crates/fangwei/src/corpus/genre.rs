//! What kind of text a passage is from: told by a field of its record, by rules on its path, or by the folder that it lies in.

use std::collections::BTreeMap;

use smol_str::SmolStr;

/// The genre where nothing tells one.
pub const OTHER: &str = "other";

/// The genre of a file by its name relative to the input: the rule with the longest beginning that fits, else the first folder, else `other`.
pub fn of_path(rules: &BTreeMap<String, String>, name: &str) -> SmolStr {
    let fitting = rules.iter().filter(|(beginning, _)| name.starts_with(beginning.as_str()));
    if let Some((_, genre)) = fitting.max_by_key(|(beginning, _)| beginning.len()) {
        return SmolStr::new(genre);
    }
    // The path of a file that was named by itself, or of one outside of the input, has no folder that means anything.
    match name.split_once('/') {
        Some((folder, _)) if !folder.is_empty() && !folder.starts_with('.') => SmolStr::new(folder),
        _ => SmolStr::new_static(OTHER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_come_before_folders_and_long_ones_before_short_ones() {
        let rules = BTreeMap::from(
            [("news/", "press"), ("news/sport/", "sport"), ("a.txt", "letters")].map(|(path, genre)| (path.into(), genre.into())),
        );
        let genre = |name| of_path(&rules, name).to_string();
        assert_eq!(genre("news/1.txt"), "press");
        assert_eq!(genre("news/sport/1.txt"), "sport");
        assert_eq!(genre("a.txt"), "letters");
        assert_eq!(genre("novel/x/1.txt"), "novel");
        for name in ["b.txt", "-", "/srv/b.txt", "../b.txt"] {
            assert_eq!(genre(name), OTHER, "{name}");
        }
    }
}
