//! Items on the disk, by their number: thousands of them are asked about and scored one at a time, and memory holds where each of them is.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

use fangwei::record::{self, Check};
use fangwei::task::{Item, Task, read_item, write_item};

use crate::folder::FolderError;

/// Items in a file without a name, gone with the process.
#[derive(Debug)]
pub struct Shelf {
    task: &'static dyn Task,
    file: Mutex<File>,
    /// Where each item ends.
    ends: Vec<u64>,
}

impl Shelf {
    /// An empty one.
    pub fn new(task: &'static dyn Task) -> Result<Shelf, FolderError> {
        let file = tempfile::tempfile().map_err(failed)?;
        Ok(Shelf { task, file: Mutex::new(file), ends: Vec::new() })
    }

    /// One with these items.
    pub fn of<'i>(task: &'static dyn Task, items: impl IntoIterator<Item = &'i Item>) -> Result<Shelf, FolderError> {
        let mut shelf = Shelf::new(task)?;
        items.into_iter().try_for_each(|item| shelf.put(item).map(|_| ()))?;
        Ok(shelf)
    }

    /// Puts an item after the others, and tells its number.
    pub fn put(&mut self, item: &Item) -> Result<usize, FolderError> {
        let line = write_item(self.task, item).to_line();
        let number = self.ends.len();
        let begin = self.begin(number);
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(begin)).and_then(|_| file.write_all(line.as_bytes())).map_err(failed)?;
        self.ends.push(begin + line.len() as u64);
        Ok(number)
    }

    /// An item.
    pub fn get(&self, number: usize) -> Result<Item, FolderError> {
        let bytes = self.line(number).map_err(failed)?;
        let mut check = Check::new("shelf".into(), number as u64);
        let item = record::parse(&bytes, &mut check).and_then(|given| read_item(self.task, &given, false, &mut check));
        item.ok_or_else(|| failed(io::Error::new(io::ErrorKind::InvalidData, "an item cannot be read back")))
    }

    fn line(&self, number: usize) -> io::Result<Vec<u8>> {
        let end = *self.ends.get(number).ok_or(io::ErrorKind::NotFound)?;
        let begin = self.begin(number);
        let mut bytes = vec![0; (end - begin) as usize];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(begin))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn begin(&self, number: usize) -> u64 {
        number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0)
    }

    /// Every item in its order.
    pub fn iter(&self) -> impl Iterator<Item = Result<Item, FolderError>> + '_ {
        (0..self.len()).map(|number| self.get(number))
    }

    /// Writes all of it, an item a line.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        for number in 0..self.len() {
            let mut line = self.line(number)?;
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn failed(error: io::Error) -> FolderError {
    FolderError::Io { path: std::env::temp_dir(), error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fangwei::record::Source;
    use fangwei::score::read_items;

    #[test]
    fn items_of_every_task_come_back_as_they_were() {
        for task in fangwei::tasks::all() {
            let name = if task.id().starts_with("2021") { "gold.json" } else { "gold.jsonl" };
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(task.id()).join(name);
            let (items, _) = read_items(task, Source::open(&path).expect("the sample"), true).expect("readable");
            let shelf = Shelf::of(task, &items).expect("a shelf");
            // From the last to the first: a place is found without what stands before it.
            for (number, item) in items.iter().enumerate().rev() {
                assert_eq!(&shelf.get(number).expect("an item"), item, "{}", task.id());
            }
            assert!(shelf.get(items.len()).is_err() && shelf.len() == items.len());
            let mut written = Vec::new();
            shelf.write_to(&mut written).expect("written");
            let (again, _) = read_items(task, Source::from_bytes("again", written).expect("bytes"), true).expect("readable");
            assert_eq!(again, items, "{}", task.id());
        }
    }
}
