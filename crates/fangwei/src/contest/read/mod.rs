//! From the text of `competition.toml` to a [`Contest`]: every part is read, whatever is wrong with the others.

mod boards;
mod phases;
mod tracks;

use toml::de::DeTable;

use super::check::Reading;
use super::keys::{At, Found, Table};
use super::{Agreement, Contest, DataFile, Date, Gate, PageFile, Phase, Registration, TaskEntry, Use, What, Zone};
use crate::lang::{Say, Unknown, words};
use crate::record::{Code, Severity};
use crate::task::Task;
use crate::tasks::{YEARS, Year};
use boards::boards;
use phases::phases;
use tracks::{awards, prompts};

/// Reads the text of `competition.toml` alone, without the files that it names.
pub fn read(text: &str) -> Reading {
    let found = Found::new(text);
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let at = error.span().map_or(0, |span| span.start);
        found.add(at, Code::BadToml, "", Say::new("合法的 TOML", "valid TOML"), error.message());
    }
    let table = Table::new(&found, String::new(), 0, root.get_ref());
    let contest = contest(&table);
    table.end();
    let defects = found.end();
    let is_sound = defects.iter().all(|defect| defect.severity() != Severity::Error);
    Reading { contest: contest.filter(|_| is_sound), defects }
}

fn contest(root: &Table<'_, '_>) -> Option<Contest> {
    let id = root.need("id", "比赛在网址中的名字，如 space2022", "its name in addresses, as space2022").and_then(|at| at.id());
    let name = root.need("name", "比赛的名称", "its name").and_then(|at| at.say());
    let year = root.get("year").and_then(|at| year(&at));
    let zone = root.get("zone").and_then(|at| zone(&at)).unwrap_or_default();
    let tasks = tasks(root, year);
    let phases = phases(root, &tasks);
    let mut contest = Contest {
        id: id.clone().unwrap_or_default(),
        name: name.clone().unwrap_or_else(|| Say::same("")),
        about: root.get("about").and_then(|at| at.say()).unwrap_or_else(|| Say::same("")),
        contact: root.get("contact").and_then(|at| at.text()).unwrap_or_default(),
        year,
        zone,
        pages: pages(root),
        agreement: root.get("agreement").and_then(|at| agreement(&at)),
        registration: root.get("registration").and_then(|at| registration(&at)).unwrap_or_default(),
        data: data(root, &tasks, &phases),
        boards: boards(root, year, &phases),
        dates: dates(root),
        prompts: root.get("prompts").and_then(|at| prompts(&at, &phases)),
        awards: None,
        tasks,
        phases,
        granted: Vec::new(),
        reset_at: std::collections::BTreeMap::new(),
        jury: std::collections::BTreeSet::new(),
        awarded: None,
    };
    contest.awards = root.get("awards").and_then(|at| awards(&at, &contest.boards));
    contest.phases.sort_by_key(|phase| phase.start);
    (id.is_some() && name.is_some()).then_some(contest)
}

fn year(at: &At<'_, '_>) -> Option<&'static Year> {
    let text = at.text()?;
    let found = YEARS.iter().copied().find(|year| year.name == text);
    if found.is_none() {
        at.unknown(&Unknown::new(words("没有这一年", "unknown year"), &text, YEARS.iter().map(|year| year.name)));
    }
    found
}

fn zone(at: &At<'_, '_>) -> Option<Zone> {
    let zone = at.text()?.parse().ok();
    if zone.is_none() {
        at.bad("时差，如 +08:00", "an offset, as +08:00");
    }
    zone
}

fn task(at: &At<'_, '_>) -> Option<&'static dyn Task> {
    let text = at.text()?;
    crate::tasks::find(&text).map_err(|unknown| at.unknown(&unknown)).ok()
}

/// A name that has to be among some.
fn named<'n>(
    at: &At<'_, '_>,
    what: (&'static str, &'static str),
    known: impl Iterator<Item = &'n str> + Clone,
) -> Option<String> {
    let text = at.text()?;
    if known.clone().any(|name| name == text) {
        return Some(text);
    }
    at.unknown(&Unknown::new(words(what.0, what.1), &text, known.map(ToOwned::to_owned)));
    None
}

/// Notes a name that was there before.
fn once(table: &Table<'_, '_>, code: Code, name: &str, seen: &mut Vec<String>) -> bool {
    if seen.iter().any(|known| known == name) {
        table.wrong(code, "", Say::new("每个名称一次", "each name once"), name);
        return false;
    }
    seen.push(name.to_owned());
    true
}

fn tasks(root: &Table<'_, '_>, year: Option<&'static Year>) -> Vec<TaskEntry> {
    let entry = |task: &'static dyn Task| TaskEntry { task, title: task.about().title.into(), guide: None };
    let Some(given) = root.get("tasks") else {
        if year.is_none() {
            root.wrong(Code::MissingField, "tasks", Say::new("tasks，或 year", "tasks, or year"), Say::new("没有", "nothing"));
        }
        return year.map(|year| year.tasks.iter().copied().map(entry).collect()).unwrap_or_default();
    };
    let (mut tasks, mut seen) = (Vec::new(), Vec::new());
    for table in given.list().iter().filter_map(At::table) {
        let found = table.need("task", "任务，如 2022/judge", "a task, as 2022/judge").and_then(|at| task(&at));
        let title = table.get("title").and_then(|at| at.say());
        let guide = table.get("guide").and_then(|at| at.paths());
        if let Some(task) = found.filter(|task| once(&table, Code::DuplicateTask, task.id(), &mut seen)) {
            tasks.push(TaskEntry { title: title.unwrap_or_else(|| task.about().title.into()), guide, ..entry(task) });
        }
        table.end();
    }
    if tasks.is_empty() {
        given.bad("至少一个任务", "at least one task");
    }
    tasks
}

fn pages(root: &Table<'_, '_>) -> Vec<PageFile> {
    let (mut pages, mut seen) = (Vec::new(), Vec::new());
    for table in root.tables("pages") {
        let id = table.need("id", "页面的名字，如 home", "a name, as home").and_then(|at| at.id());
        let title = table.need("title", "标题", "a title").and_then(|at| at.say());
        let file = table.need("file", "Markdown 文件", "a Markdown file").and_then(|at| at.paths());
        if let (Some(id), Some(title), Some(file)) = (id, title, file)
            && once(&table, Code::DuplicateName, &id, &mut seen)
        {
            pages.push(PageFile { id, title, file });
        }
        table.end();
    }
    pages
}

fn agreement(at: &At<'_, '_>) -> Option<Agreement> {
    let table = at.table()?;
    let version = table.need("version", "版本，如 1", "a version, as 1").and_then(|at| at.text());
    let file = table.need("file", "Markdown 文件", "a Markdown file").and_then(|at| at.paths());
    table.end();
    Some(Agreement { version: version?, file: file? })
}

fn registration(at: &At<'_, '_>) -> Option<Registration> {
    let (table, usual) = (at.table()?, Registration::default());
    let start = table.get("start").and_then(|at| at.moment());
    let end = table.get("end").and_then(|at| at.moment());
    if let (Some(start), Some(end)) = (start, end)
        && end <= start
    {
        table.wrong(Code::BadTime, "end", Say::new(format!("晚于 {start}"), format!("after {start}")), end.to_string());
    }
    let registration = Registration {
        start,
        end,
        approval: table.get("approval").and_then(|at| at.flag()).unwrap_or(usual.approval),
        most_members: count(&table, "most_members", 1000).unwrap_or(usual.most_members),
        most_name: count(&table, "most_name", 100).unwrap_or(usual.most_name),
    };
    table.end();
    Some(registration)
}

/// A count from 1.
fn count(table: &Table<'_, '_>, key: &'static str, most: u64) -> Option<u32> {
    let at = table.get(key)?;
    let number = at.whole()?;
    if !(1..=most).contains(&number) {
        at.bad(format!("1 到 {most}"), format!("from 1 to {most}"));
        return None;
    }
    Some(number as u32)
}

fn data(root: &Table<'_, '_>, tasks: &[TaskEntry], phases: &[Phase]) -> Vec<DataFile> {
    let (mut files, mut seen) = (Vec::new(), Vec::new());
    for table in root.tables("data") {
        let id = table.need("id", "文件的名字，如 judge-dev", "a name, as judge-dev").and_then(|at| at.id());
        let title = table.get("title").and_then(|at| at.say());
        let file = table.need("file", "文件的路径", "the path of a file").and_then(|at| at.path());
        let of_task = table.get("task").and_then(|at| task_of(&at, tasks.iter().map(|entry| &entry.task)));
        let holds = table.get("holds").and_then(|at| at.word(&[Use::Data, Use::Answers], Use::as_str)).unwrap_or(Use::Data);
        let gate = table.get("gate").and_then(|at| gate(&at, phases)).unwrap_or(Gate::Open);
        let agreement = table.get("agreement").and_then(|at| at.flag()).unwrap_or(true);
        if let (Some(id), Some(file)) = (id, file)
            && once(&table, Code::DuplicateName, &id, &mut seen)
        {
            let title = title.unwrap_or_else(|| Say::same(id.clone()));
            let task = of_task.map(|task| task.id().to_owned());
            files.push(DataFile { id, title, file, task, holds, gate, agreement, released: None });
        }
        table.end();
    }
    files
}

/// A gate whose phase is there.
fn gate(at: &At<'_, '_>, phases: &[Phase]) -> Option<Gate> {
    let gate = at.gate()?;
    if let Gate::Start(phase) | Gate::End(phase) = &gate
        && phases.iter().all(|known| known.id != *phase)
    {
        at.unknown(&Unknown::new(words("没有", "no"), phase, phases.iter().map(|phase| phase.id.clone())));
        return None;
    }
    Some(gate)
}

/// A task that has to be among some.
fn task_of<'p>(at: &At<'_, '_>, known: impl Iterator<Item = &'p &'static dyn Task> + Clone) -> Option<&'static dyn Task> {
    let task = task(at)?;
    if known.clone().all(|known| known.id() != task.id()) {
        at.unknown(&Unknown::new(words("没有", "no"), task.id(), known.map(|task| task.id())));
        return None;
    }
    Some(task)
}

fn dates(root: &Table<'_, '_>) -> Vec<Date> {
    let mut dates = Vec::new();
    for table in root.tables("schedule") {
        let at = table.need("at", "带时差的时间", "a time with its offset").and_then(|at| at.moment());
        let say = table.need("what", "什么事", "what happens").and_then(|at| at.say());
        if let (Some(at), Some(say)) = (at, say) {
            dates.push(Date { at, say, what: What::Other });
        }
        table.end();
    }
    dates
}
