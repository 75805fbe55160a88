//! `fangwei tasks`: which tasks there are, and what each asks.

use clap::Args;
use fangwei::table::{Cell, Table};
use fangwei::task::Task;
use fangwei::tasks::YEARS;
use serde_json::json;

use super::parse_task;
use crate::lang::{lang, t};
use crate::output::{Format, Output, Status};

#[derive(Args)]
pub struct Tasks {
    #[arg(value_parser = parse_task, value_name = "TASK", help = t("只显示这个任务的说明", "show this task's guide"))]
    task: Option<&'static dyn Task>,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
}

impl Tasks {
    pub fn run(self) -> anyhow::Result<Status> {
        let mut output = Output::stdout();
        match (self.task, self.format) {
            (Some(task), Format::Json) => output.json(&describe(task))?,
            (Some(task), _) => {
                output.line(task.about().guide.get(lang()).trim_end());
                quirks_in_words(task, &mut output);
            }
            (None, Format::Json) => output.json(&fangwei::tasks::all().map(describe).collect::<Vec<_>>())?,
            (None, format) => output.text(&table().render(format.table())),
        }
        Ok(Status::Clean)
    }
}

fn table() -> Table {
    let mut table =
        Table::new([t("任务", "task"), t("官方编号", "official number"), t("排名指标", "ranking measure"), t("名称", "title")]);
    for task in YEARS.iter().flat_map(|year| year.tasks) {
        table.row([task.id(), task.about().alias, task.scale().ranking, task.about().title.get(lang())].map(Cell::from));
    }
    table
}

/// Where script and text part, for some tasks.
pub fn quirks<'t>(tasks: impl IntoIterator<Item = &'t dyn Task>, format: Format, output: &mut Output) -> anyhow::Result<()> {
    if format == Format::Json {
        let tasks = tasks.into_iter().map(|task| json!({ "task": task.id(), "quirks": describe_quirks(task) }));
        return output.json(&tasks.collect::<Vec<_>>());
    }
    tasks.into_iter().for_each(|task| quirks_in_words(task, output));
    Ok(())
}

fn quirks_in_words(task: &dyn Task, output: &mut Output) {
    if task.quirks().is_empty() {
        output.line(&format!("\n{}: {}", task.id(), t("official 与 spec 没有差别", "official and spec do not differ")));
        return;
    }
    output.line(&format!("\n{}: {}", task.id(), t("official 与 spec 的差别", "where official and spec part")));
    for quirk in task.quirks() {
        output.line(&format!("  {}", quirk.name));
        output.line(&format!("    official  {}", quirk.official.get(lang())));
        output.line(&format!("    spec      {}", quirk.spec.get(lang())));
    }
}

fn describe_quirks(task: &dyn Task) -> Vec<serde_json::Value> {
    let quirk = |quirk: &fangwei::task::Quirk| json!({ "name": quirk.name, "official": quirk.official.get(lang()), "spec": quirk.spec.get(lang()) });
    task.quirks().iter().map(quirk).collect()
}

fn describe(task: &dyn Task) -> serde_json::Value {
    json!({
        "id": task.id(),
        "alias": task.about().alias,
        "title": task.about().title.get(lang()),
        "ranking": task.scale().ranking,
        "columns": task.scale().columns,
        "facets": fangwei::score::Facet::names(task),
        "quirks": describe_quirks(task),
        "guide": task.about().guide.get(lang()),
    })
}
