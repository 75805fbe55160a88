//! Which files are read, in which order and under which names: folders are walked in the order of their paths, so that a corpus comes out the same on every
//! machine.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lang::Say;
use crate::record::{Check, Code, Defect};

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Where it lies; `-` is standard input.
    pub path: PathBuf,
    /// Its path below the input that led to it, with `/` between folders.
    pub name: Arc<str>,
    /// Its size in bytes, packed as it is; 0 where it has none, as a pipe.
    pub size: u64,
}

impl Input {
    /// Whether this is standard input.
    pub fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }
}

/// How a file holds its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A paragraph a line.
    Text,
    /// Records of JSON, one a line or in an array.
    Json,
}

impl Kind {
    /// The kind by the file's name, else by the beginning of what it holds.
    pub fn of(name: &str, beginning: &str) -> Kind {
        let name = name.to_lowercase();
        let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        match plain.rsplit_once('.').map(|(_, end)| end) {
            Some("jsonl" | "ndjson" | "json") => Kind::Json,
            Some("txt" | "text") => Kind::Text,
            _ => {
                let inside = beginning.trim_start().strip_prefix(['{', '[']).map(str::trim_start);
                if inside.is_some_and(|inside| inside.starts_with(['{', '"'])) { Kind::Json } else { Kind::Text }
            }
        }
    }
}

/// The defect of a file that is not read.
pub(super) fn skipped(file: &str, code: Code, expected: Say, found: Say) -> Defect {
    let mut check = Check::new(file.into(), 0);
    check.add(code, expected, found);
    check.defects.remove(0)
}

/// The defect of a file that the system does not let us read.
pub(super) fn unreadable(file: &str, error: &io::Error) -> Defect {
    skipped(file, Code::Unreadable, Say::new("可以读取的文件", "a file that can be read"), Say::same(error.to_string()))
}

/// The files of the inputs: inputs in their order, the files of a folder by path, hidden ones left out, each file once however many links lead to it.
pub fn list(inputs: &[PathBuf]) -> (Vec<Input>, Vec<Defect>) {
    let mut walk = Walk { files: Vec::new(), defects: Vec::new(), seen: FxHashSet::default() };
    for input in inputs {
        if input.as_os_str() == "-" {
            if walk.seen.insert(input.clone()) {
                walk.files.push(Input { path: input.clone(), name: "-".into(), size: 0 });
            }
            continue;
        }
        let name = input.file_name().map_or_else(|| input.display().to_string(), |name| name.to_string_lossy().into_owned());
        match input.metadata() {
            Ok(there) if there.is_dir() => walk.folder(input, ""),
            // A pipe or a device that was named is read, like a file.
            Ok(there) => walk.file(input, name, there.len()),
            Err(error) => walk.defects.push(unreadable(&input.display().to_string(), &error)),
        }
    }
    let mut names: FxHashMap<Arc<str>, usize> = FxHashMap::default();
    for file in &walk.files {
        *names.entry(file.name.clone()).or_default() += 1;
    }
    // Names make ids: two files of one name, below two inputs, go by their paths.
    for file in walk.files.iter_mut().filter(|file| names[&file.name] > 1) {
        file.name = file.path.display().to_string().into();
    }
    (walk.files, walk.defects)
}

struct Walk {
    files: Vec<Input>,
    defects: Vec<Defect>,
    /// Real paths of files and folders, against loops and repeats.
    seen: FxHashSet<PathBuf>,
}

impl Walk {
    fn is_repeated(&mut self, path: &Path) -> bool {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        !self.seen.insert(real)
    }

    fn file(&mut self, path: &Path, name: String, size: u64) {
        if !self.is_repeated(path) {
            self.files.push(Input { path: path.to_owned(), name: name.into(), size });
        }
    }

    fn folder(&mut self, folder: &Path, above: &str) {
        if self.is_repeated(folder) {
            return;
        }
        let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.defects.push(unreadable(&folder.display().to_string(), &error)),
        };
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let (path, own) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if own.starts_with('.') {
                continue;
            }
            let name = format!("{above}{own}");
            match path.metadata() {
                Ok(there) if there.is_dir() => self.folder(&path, &format!("{name}/")),
                Ok(there) if there.is_file() => self.file(&path, name, there.len()),
                Ok(_) => {
                    let expected = Say::new("文件或文件夹", "a file or a folder");
                    self.defects.push(skipped(&name, Code::Unreadable, expected, Say::new("管道或设备", "a pipe or a device")));
                }
                Err(error) => self.defects.push(unreadable(&name, &error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_kind_and_beginnings_where_names_do_not() {
        for (name, beginning, kind) in [
            ("a.TXT", "{\"text\":1}", Kind::Text),
            ("a.jsonl.gz", "", Kind::Json),
            ("a.ndjson.zst", "", Kind::Json),
            ("-", " {\"text\": \"\"}", Kind::Json),
            ("-", "[\n {\"text\": \"\"}", Kind::Json),
            ("-", "[1] 见下文", Kind::Text),
            ("notes", "湖边", Kind::Text),
            ("notes.md", "{", Kind::Text),
        ] {
            assert_eq!(Kind::of(name, beginning), kind, "{name} {beginning}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn folders_are_walked_in_order_without_loops_hidden_files_or_repeats() {
        let root = std::env::temp_dir().join(format!("fangwei-walk-{}", std::process::id()));
        for file in ["b/2.txt", "b/1.txt", "a.txt", ".hidden/x.txt", "b/.x.txt", "c/1.txt", "d/1.txt", "d/2.txt"] {
            std::fs::create_dir_all(root.join(file).parent().expect("a folder")).expect("a folder");
            std::fs::write(root.join(file), "x").expect("a file");
        }
        std::os::unix::fs::symlink(&root, root.join("b/loop")).expect("a link");
        std::os::unix::fs::symlink(root.join("a.txt"), root.join("z.txt")).expect("a link");
        std::os::unix::fs::symlink(root.join("nowhere"), root.join("broken")).expect("a link");
        let (files, defects) = list(&[root.clone(), root.join("a.txt"), root.join("missing")]);
        let names: Vec<&str> = files.iter().map(|file| &*file.name).collect();
        assert_eq!(names, ["a.txt", "b/1.txt", "b/2.txt", "c/1.txt", "d/1.txt", "d/2.txt"]);
        assert_eq!(defects.iter().map(|defect| defect.code).collect::<Vec<_>>(), [Code::Unreadable; 2]);
        assert!(defects[0].file.ends_with("broken") && defects[1].file.ends_with("missing"), "{defects:?}");
        // Two inputs have a file of one name: both go by their paths, the third does not.
        let (files, _) = list(&[root.join("c"), root.join("d")]);
        let paths = ["c/1.txt", "d/1.txt"].map(|file| root.join(file).display().to_string());
        let names: Vec<&str> = files.iter().map(|file| &*file.name).collect();
        assert_eq!(names, [paths[0].as_str(), paths[1].as_str(), "2.txt"]);
        std::fs::remove_dir_all(&root).expect("removed");
    }
}
