//! Names of submitted files as the years asked for them: `队名-task2-dev-1-0812.jsonl` says whose it is, to which task and phase, the how manieth, and of which day.

/// What the name of a file says.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct FileName {
    /// The team; may hold hyphens itself.
    pub team: String,
    /// The official number of the task, where the name has one.
    pub task: Option<u8>,
    /// `dev`, `test`: mostly the id of the phase.
    pub phase: String,
    /// The number that the team gave it.
    pub number: u32,
    /// Month and day.
    pub day: (u8, u8),
}

/// Endings of files that can be submitted, compressed or not.
const ENDINGS: [&str; 4] = [".jsonl", ".json", ".txt", ".zip"];
const COMPRESSED: [&str; 2] = [".gz", ".zst"];

impl FileName {
    /// What a name says, if it is of the old form. Long hyphens of Chinese keyboards and capitals are let pass; a folder before the name is not looked at.
    pub fn read(name: &str) -> Option<FileName> {
        let name = name.rsplit(['/', '\\']).next()?.trim();
        let lower = name.to_lowercase();
        // Folding may change the number of bytes, and then what is cut off below would be another place.
        let lower = if lower.len() == name.len() { lower.as_str() } else { name };
        let stem = COMPRESSED.iter().find_map(|ending| lower.strip_suffix(ending)).unwrap_or(lower);
        let stem = &name[..ENDINGS.iter().find_map(|ending| stem.strip_suffix(ending))?.len()];
        let parts: Vec<&str> = stem.split(['-', '－', '—', '–', '−']).map(str::trim).collect();
        let [front @ .., phase, number, day] = parts.as_slice() else { return None };
        let (month, day) = (day.len() == 4 && day.is_char_boundary(2)).then(|| day.split_at(2))?;
        let day = (plain(month)? as u8, plain(day)? as u8);
        if !(1..=12).contains(&day.0) || !(1..=31).contains(&day.1) || phase.is_empty() {
            return None;
        }
        let number = plain(number)?;
        let task = front.last().and_then(|part| task_number(part));
        let team = if task.is_some() { &front[..front.len() - 1] } else { front };
        let team = team.join("-");
        (!team.is_empty()).then(|| FileName { team, task, phase: phase.to_lowercase(), number, day })
    }
}

/// A number of digits alone.
fn plain(text: &str) -> Option<u32> {
    (!text.is_empty() && text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// `task2`, `Task2`, `subtask2`
fn task_number(part: &str) -> Option<u8> {
    let part = part.to_lowercase();
    let number = part.strip_prefix("subtask").or_else(|| part.strip_prefix("task"))?;
    plain(number).and_then(|number| u8::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Said = (String, Option<u8>, String, u32, (u8, u8));

    fn read(name: &str) -> Option<Said> {
        FileName::read(name).map(|read| (read.team, read.task, read.phase, read.number, read.day))
    }

    #[test]
    fn the_old_names_are_understood() {
        let expected = |team: &str, task, phase: &str, number, day| Some((team.to_owned(), task, phase.to_owned(), number, day));
        assert_eq!(read("山外山-task2-dev-1-0812.jsonl"), expected("山外山", Some(2), "dev", 1, (8, 12)));
        assert_eq!(read("A-B-队-task3-test-12-0901.jsonl"), expected("A-B-队", Some(3), "test", 12, (9, 1)));
        assert_eq!(read("山外山-test-3-0520.jsonl"), expected("山外山", None, "test", 3, (5, 20)), "a year of one task");
        assert_eq!(read("C:\\out\\甲队－Task1－Dev－2－1231.JSONL"), expected("甲队", Some(1), "dev", 2, (12, 31)));
        assert_eq!(read("甲队-task1-dev-2-0812.jsonl.gz"), expected("甲队", Some(1), "dev", 2, (8, 12)));
        assert_eq!(read("甲队-subtask1-dev-2-0812.json"), expected("甲队", Some(1), "dev", 2, (8, 12)));
    }

    #[test]
    fn other_names_say_nothing() {
        for name in [
            "",
            "pred.jsonl",
            "-task1-dev-1-0812.jsonl",
            "甲-task1-dev-1-1312.jsonl",
            "甲-task1-dev-1-0832.jsonl",
            "甲-task1-dev-1.jsonl",
            "甲-task1-dev-1-0812",
            "甲-task1-dev-1-08月.jsonl",
            "İ-task1-dev-1-０８１２.jsonl",
        ] {
            assert_eq!(read(name), None, "{name}");
        }
    }
}
