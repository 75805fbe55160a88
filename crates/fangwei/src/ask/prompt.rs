//! Prompts: Markdown files beside each task (`tasks/y2023/prompt/anomaly.ours.md`), or a user's own in the same form.
//!
//! A file begins with words for people, which are not sent. Then come sections, each under a heading of the first level:
//!
//! | section | what it holds |
//! | --- | --- |
//! | `# shots` | settings, one a line: `- count: 5`, `- choose: stratified genre fragments`, `- reply: texts` |
//! | `# system` | what holds for all questions; may be left out |
//! | `# user` | the question, with `{{context}}`, `{{reason}}`, `{{context1}}` or `{{context2}}` where the item's texts go |
//! | `# shot` | an example of its own, any number: lines `context: …`, an empty line, the reply |
//!
//! `choose` is `own` (the examples of the file), `ids A B C`, `seeded`, or `stratified` with facets or fields. `reply` is `texts`, `official` or `free`;
//! it says how the gold of shots is written, and so what the model will write. Headings within code fences are text.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use smol_str::SmolStr;

use super::shots::{Choice, Shot};
use crate::lang::{Say, Unknown, words};
use crate::record::{Check, Code, Defect};
use crate::task::{Task, Texts};

/// The ways of asking that come with the program, the default first.
pub const WAYS: [&str; 3] = ["ours", "organisers", "fudan"];

/// What replies look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reply {
    /// Texts without indexes, after the steps that lead to them.
    #[default]
    Texts,
    /// The official format with indexes, as the models of 2023 were asked for.
    Official,
    /// Thoughts first and then JSON: no server can hold a model to that by a schema.
    Free,
}

/// How many shots, and how they are chosen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// How many; the file's own shots are all shown.
    pub count: usize,
    /// How they are chosen.
    pub choice: Choice,
}

/// A prompt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prompt {
    /// `ours`, or the name of the user's file.
    pub name: String,
    /// SHA-256 of the whole text in hexadecimal: the prompt's version.
    pub version: String,
    /// What holds for all questions.
    pub system: String,
    /// The question, with places to fill in.
    pub user: String,
    /// What replies look like.
    pub reply: Reply,
    /// How many shots, and how they are chosen; a user may set another plan.
    pub plan: Plan,
    /// The shots that the file itself writes down.
    pub own: Vec<Shot>,
}

/// Why a prompt file cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PromptError {
    /// The question is missing.
    #[error("{file}: expected a section # user, found none")]
    NoQuestion {
        /// The file.
        file: String,
    },
    /// A section, a setting or a place to fill in that does not exist.
    #[error("{file}:{line}: {unknown}")]
    Unknown {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// The name, the nearest one and the list.
        unknown: Box<Unknown>,
    },
    /// A setting with a value that it cannot have, or a shot without its texts.
    #[error("{file}:{line}: expected {expected}, found {found}")]
    Bad {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
}

impl PromptError {
    /// As a defect of its file.
    pub fn defect(&self) -> Defect {
        let (file, line) = match self {
            PromptError::NoQuestion { file } => (file, 0),
            PromptError::Unknown { file, line, .. } | PromptError::Bad { file, line, .. } => (file, *line),
        };
        let mut check = Check::new(file.as_str().into(), line as u64);
        match self {
            PromptError::NoQuestion { .. } => {
                check.add(Code::MissingField, Say::new("一节 # user", "a section # user"), Say::new("没有", "none"));
            }
            PromptError::Unknown { unknown, .. } => {
                check.add(Code::UnknownName, unknown.known.join(" / "), unknown.asked.as_ref());
            }
            PromptError::Bad { expected, found, .. } => check.add(Code::BadValue, expected.as_str(), found.as_str()),
        }
        check.defects.remove(0)
    }
}

/// The ways in which a task can be asked.
pub fn ways(task: &dyn Task) -> Vec<&'static str> {
    task.about().prompts.iter().map(|(way, _)| *way).collect()
}

impl Prompt {
    /// The prompt of a task that comes with the program.
    pub fn shipped(task: &dyn Task, way: &str) -> Result<Prompt, Unknown> {
        let unknown = || {
            let what = words("这个任务没有这种问法", "unknown way of asking this task");
            Unknown::new(what, way, ways(task))
        };
        let (_, text) = task.about().prompts.iter().find(|(name, _)| *name == way).ok_or_else(unknown)?;
        // A test parses every prompt that is shipped.
        Prompt::parse(task, way, text).map_err(|_| unknown())
    }

    /// The same prompt with other shots. Who wants another number than the file's own is given shots of the pool.
    #[must_use]
    pub fn with_shots(mut self, count: Option<usize>, choice: Option<Choice>) -> Prompt {
        let chosen = choice.is_some();
        self.plan.choice = choice.unwrap_or(self.plan.choice);
        if let Some(count) = count {
            if self.plan.choice == Choice::Own && !chosen && count != self.own.len() {
                self.plan.choice = Choice::Seeded;
            }
            self.plan.count = count;
        }
        self
    }

    /// Reads a prompt file for a task.
    pub fn parse(task: &dyn Task, name: &str, text: &str) -> Result<Prompt, PromptError> {
        let (prompt, mut errors) = Prompt::read(task, name, text);
        if errors.is_empty() { Ok(prompt) } else { Err(errors.remove(0)) }
    }

    /// What can be read of a prompt file, and every reason why it cannot be used.
    pub fn read(task: &dyn Task, name: &str, text: &str) -> (Prompt, Vec<PromptError>) {
        let mut reader = Reader { file: name, places: places(task), errors: Vec::new() };
        let digest = Sha256::digest(text.as_bytes());
        let version = digest.iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        let (system, user, own) = (String::new(), String::new(), Vec::new());
        let mut prompt = Prompt { name: name.to_owned(), version, system, user, reply: Reply::Texts, plan: Plan::default(), own };
        for section in sections(text) {
            match section.name {
                "shots" => reader.settings(&section, &mut prompt),
                "system" => section.text.trim().clone_into(&mut prompt.system),
                "user" => {
                    reader.check_places(&section);
                    section.text.trim().clone_into(&mut prompt.user);
                }
                "shot" => {
                    let shot = reader.shot(&section);
                    prompt.own.extend(reader.keep(shot));
                }
                other => {
                    let what = words("提示词没有这一节", "unknown section of a prompt");
                    let unknown = reader.unknown(section.line, what, other, SECTIONS);
                    reader.errors.push(unknown);
                }
            }
        }
        // An empty section was told where it is.
        if prompt.user.is_empty() && !reader.errors.iter().any(|error| matches!(error, PromptError::Bad { .. })) {
            reader.errors.push(PromptError::NoQuestion { file: name.to_owned() });
        }
        if prompt.plan.choice == Choice::Own {
            prompt.plan.count = prompt.own.len();
        }
        (prompt, reader.errors)
    }

    /// The question about these texts.
    pub fn question(&self, texts: &Texts) -> String {
        let values: Vec<(&str, &str)> = match texts {
            Texts::One { context } => vec![("context", context)],
            Texts::Reason { context, reason } => vec![("context", context), ("reason", reason)],
            Texts::Pair { context1, context2 } => vec![("context1", context1), ("context2", context2)],
            Texts::Absent => Vec::new(),
        };
        // One pass, so that a text that itself says {{context}} is not filled in again.
        let (mut question, mut rest) = (String::with_capacity(self.user.len() + 256), self.user.as_str());
        while let Some((before, place, after)) = next_place(rest) {
            question.push_str(before);
            question.push_str(values.iter().find(|(name, _)| *name == place).map_or("", |(_, value)| value));
            rest = after;
        }
        question + rest
    }
}

const SECTIONS: [&str; 4] = ["shots", "system", "user", "shot"];
const SETTINGS: [&str; 3] = ["count", "choose", "reply"];

/// The names of the texts of a task's items. An early page calls its answer `reason` as well.
fn places(task: &dyn Task) -> Vec<&'static str> {
    let names = ["context", "reason", "context1", "context2"];
    let about = task.about();
    names.into_iter().filter(|name| about.fields.contains(name) && *name != about.answer).collect()
}

/// What stands before the next place to fill in, its name, and the rest.
fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    let (before, after) = text.split_once("{{")?;
    let (place, after) = after.split_once("}}")?;
    Some((before, place.trim(), after))
}

struct Section<'t> {
    name: &'t str,
    /// The line of its heading, from 1.
    line: usize,
    text: String,
}

fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        fenced ^= line.starts_with("```");
        match line.strip_prefix("# ") {
            Some(name) if !fenced => sections.push(Section { name: name.trim(), line: number + 1, text: String::new() }),
            _ => {
                if let Some(section) = sections.last_mut() {
                    section.text.push_str(line);
                    section.text.push('\n');
                }
            }
        }
    }
    sections
}

struct Reader<'t> {
    file: &'t str,
    places: Vec<&'static str>,
    errors: Vec<PromptError>,
}

impl Reader<'_> {
    fn unknown<T: Into<String>>(
        &self,
        line: usize,
        what: crate::lang::Words,
        asked: &str,
        known: impl IntoIterator<Item = T>,
    ) -> PromptError {
        PromptError::Unknown { file: self.file.to_owned(), line, unknown: Unknown::new(what, asked, known).into() }
    }

    fn bad(&self, line: usize, expected: impl Into<String>, found: &str) -> PromptError {
        let found = if found.is_empty() { "nothing".to_owned() } else { found.chars().take(60).collect() };
        PromptError::Bad { file: self.file.to_owned(), line, expected: expected.into(), found }
    }

    /// What was read; an error is kept with the others.
    fn keep<T>(&mut self, read: Result<T, PromptError>) -> Option<T> {
        read.map_err(|error| self.errors.push(error)).ok()
    }

    fn settings(&mut self, section: &Section<'_>, prompt: &mut Prompt) {
        for (number, line) in section.text.lines().enumerate() {
            if let Some(setting) = line.trim().strip_prefix("- ") {
                let set = self.set(section.line + number + 1, setting, prompt);
                self.keep(set);
            }
        }
    }

    fn set(&self, at: usize, setting: &str, prompt: &mut Prompt) -> Result<(), PromptError> {
        let (name, value) = setting.split_once(':').ok_or_else(|| self.bad(at, "`- name: value`", setting))?;
        let value = value.trim();
        match name.trim() {
            "count" => prompt.plan.count = value.parse().map_err(|_| self.bad(at, "a number of shots", value))?,
            "choose" => {
                let wrong =
                    |unknown: Unknown| PromptError::Unknown { file: self.file.to_owned(), line: at, unknown: unknown.into() };
                prompt.plan.choice = value.parse().map_err(wrong)?;
            }
            "reply" => {
                prompt.reply = match value {
                    "texts" => Reply::Texts,
                    "official" => Reply::Official,
                    "free" => Reply::Free,
                    _ => return Err(self.bad(at, "texts, official or free", value)),
                }
            }
            other => return Err(self.unknown(at, words("没有这个设置", "unknown setting"), other, SETTINGS)),
        }
        Ok(())
    }

    fn check_places(&mut self, section: &Section<'_>) {
        let mut rest = section.text.as_str();
        let mut filled = 0;
        while let Some((_, place, after)) = next_place(rest) {
            if !self.places.contains(&place) {
                let what = words("题目里没有这段文本", "the items have no such text");
                let unknown = self.unknown(section.line, what, place, self.places.iter().copied());
                self.errors.push(unknown);
            }
            filled += 1;
            rest = after;
        }
        // A question that shows nothing of the item would be paid for and answer nothing.
        if filled == 0 {
            let names: Vec<String> = self.places.iter().map(|name| format!("{{{{{name}}}}}")).collect();
            let bad = self.bad(section.line, names.join(", "), "");
            self.errors.push(bad);
        }
    }

    fn shot(&self, section: &Section<'_>) -> Result<Shot, PromptError> {
        let (head, reply) = section.text.trim().split_once("\n\n").unwrap_or((section.text.trim(), ""));
        let value = |name: &str| {
            let line = head.lines().find_map(|line| line.trim().strip_prefix(name)?.trim_start().strip_prefix([':', '：']));
            line.map(|text| SmolStr::new(text.trim()))
        };
        let need = |name: &str| value(name).ok_or_else(|| self.bad(section.line, format!("a line `{name}: …`"), head));
        let texts = match self.places.as_slice() {
            ["context", "reason"] => Texts::Reason { context: need("context")?, reason: need("reason")? },
            ["context1", "context2"] => Texts::Pair { context1: need("context1")?, context2: need("context2")? },
            _ => Texts::One { context: need("context")? },
        };
        if reply.trim().is_empty() {
            return Err(self.bad(section.line, "a reply after an empty line", ""));
        }
        Ok(Shot { qid: SmolStr::default(), texts, reply: reply.trim().to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::{all, find};

    #[test]
    fn every_shipped_prompt_parses_and_every_task_has_ours() {
        let mut versions = Vec::new();
        for task in all() {
            assert_eq!(ways(task).first(), Some(&WAYS[0]), "{}", task.id());
            for (way, text) in task.about().prompts {
                assert!(WAYS.contains(way), "{way}");
                let prompt = Prompt::parse(task, way, text).unwrap_or_else(|error| panic!("{} {error}", task.id()));
                versions.push(prompt.version);
            }
        }
        assert_eq!(versions.len(), 15, "eleven of ours, three of the organisers, one of Fudan");
        versions.sort_unstable();
        versions.dedup();
        assert_eq!(versions.len(), 15);
    }

    #[test]
    fn a_file_is_read_section_by_section() {
        let text = "words for people\n\n# shots\n- count: 4\n- choose: stratified genre gold\n- reply: official\n\n# system\n规则\n\n```\n# no heading\n```\n\n# user\n文：{{context}}！\n\n# shot\ncontext: 他在屋里。\n\n{\"judge\": 1}\n";
        let task = find("2022/judge").expect("a task");
        let prompt = Prompt::parse(task, "mine.md", text).expect("parses");
        assert_eq!(prompt.plan, Plan { count: 4, choice: Choice::Stratified(vec!["genre".into(), "gold".into()]) });
        assert_eq!(prompt.system, "规则\n\n```\n# no heading\n```");
        let sly = Texts::One { context: "山{{context}}".into() };
        assert_eq!(prompt.question(&sly), "文：山{{context}}！");
        assert_eq!(prompt.own[0].reply, "{\"judge\": 1}");
        // the version is that of the whole file
        assert_ne!(prompt.version, Prompt::parse(task, "mine.md", &format!("{text}\n")).expect("parses").version);
        assert_eq!(prompt.version.len(), 64);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let task = find("2022/judge").expect("a task");
        let error = |text: &str| Prompt::parse(task, "p.md", text).expect_err("a mistake").to_string();
        assert_eq!(error("# system\nx"), "p.md: expected a section # user, found none");
        assert!(error("\n# usr\nx").starts_with("p.md:2: unknown section of a prompt usr (did you mean user?)"));
        assert!(error("# user\n{{contex}}").contains("did you mean context?"));
        assert_eq!(error("# user\nx"), "p.md:1: expected {{context}}, found nothing");
        assert_eq!(error("# shots\n- count: many\n# user\n{{context}}"), "p.md:2: expected a number of shots, found many");
        assert!(error("# user\n{{context}}\n# shot\ncontext: 山").contains("a reply after an empty line"));
        let all =
            Prompt::read(task, "p.md", "# shots\n- cuont: 1\n- reply: maybe\n# usr\n# user\n{{text}} {{contex}}\n# shot\nx").1;
        let lines: Vec<(u64, &str)> =
            all.iter().map(PromptError::defect).map(|defect| (defect.line, defect.code.as_str())).collect();
        let name = "unknown-name";
        assert_eq!(lines, [(2, name), (3, "bad-value"), (4, name), (5, name), (5, name), (7, "bad-value")], "every one: {all:?}");
    }
}
