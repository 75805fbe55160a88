//! Phases and boards of a bundle.

use serde_json::Value;

use super::yaml::shown;
use super::{Known, Work, list, plain, quoted};
use crate::contest::Moment;

/// A time as Codabench takes it: a day or a time, in UTC where it has no offset.
fn moment(given: &Value) -> Option<Moment> {
    let text = shown(given);
    let text = text.trim();
    let whole = if text.len() == 10 { format!("{text}T00:00:00") } else { text.replacen(' ', "T", 1) };
    // `12:00` without seconds.
    let whole = if whole.len() == 16 { format!("{whole}:00") } else { whole };
    whole.parse().or_else(|_| format!("{whole}Z").parse()).ok()
}

impl Work<'_> {
    pub(super) fn phases(&mut self, given: &Value, tasks: &[Known]) {
        let rule = self.rule(given);
        let mut seen: Vec<String> = Vec::new();
        let mut data = String::new();
        for (number, phase) in list(given, "phases").iter().enumerate() {
            let at = format!("/phases/{number}");
            let name = phase.get("name").map(shown).unwrap_or_default();
            let mut id = plain(&name, &format!("phase-{number}"));
            if seen.contains(&id) {
                id = format!("phase-{number}");
            }
            self.line(&format!(
                "\n[[phases]]\nid = {}\nname = {}",
                quoted(&id),
                quoted(if name.is_empty() { &id } else { &name })
            ));
            let start = self.time(&at, phase, "start");
            let end = self.time(&at, phase, "end").or_else(|| {
                // Codabench lets a phase go on for ever.
                let later = start.map(|start| Moment::at(start.ms + 3650 * 24 * 60 * 60 * 1000, start.zone))?;
                let (zh, en) = ("阶段要有结束时间，暂定十年之后", "a phase has to end; ten years later for the time being");
                self.note(format!("{at}/end"), &Value::Null, zh, en);
                Some(later)
            });
            for (key, time) in [("start", start), ("end", end)] {
                if let Some(time) = time {
                    self.line(&format!("{key} = \"{time}\""));
                }
            }
            for key in ["max_submissions", "max_submissions_per_day"] {
                if let Some(most) = phase.get(key).and_then(Value::as_u64).filter(|most| *most > 0) {
                    self.line(&format!("{key} = {most}"));
                }
            }
            self.line(&format!("submission_rule = \"{rule}\""));
            let hidden = |key: &str| phase.get(key).and_then(Value::as_bool).unwrap_or(false);
            let scores = if hidden("hide_score_output") || hidden("hide_output") { "organisers" } else { "team" };
            let items = if hidden("hide_output") || hidden("hide_prediction_output") { "organisers" } else { "team" };
            self.line(&format!("shows = {{ scores = \"{scores}\", items = \"{items}\" }}\ntasks = ["));
            for index in list(phase, "tasks").iter().filter_map(Value::as_i64) {
                if let Some(known) = tasks.iter().find(|known| known.index == index) {
                    let (name, task) = (&known.name, quoted(known.task.id()));
                    self.line(&format!("    {{ task = {task}, items = \"items/{name}.jsonl\", gold = \"gold/{name}.jsonl\" }},"));
                    data.push_str(&format!(
                        "\n[[data]]\nid = \"{id}-{name}\"\nfile = \"items/{name}.jsonl\"\ntask = {task}\ngate = \"start:{id}\"\n"
                    ));
                }
            }
            self.line("]");
            for key in ["public_data", "starting_kit"] {
                if let Some(value) = phase.get(key).filter(|value| !value.is_null()).cloned() {
                    let (zh, en) = ("用 [[data]] 列出要发布的文件", "list what may be downloaded under [[data]]");
                    self.note(format!("{at}/{key}"), &value, zh, en);
                }
            }
            let known = [
                "index",
                "name",
                "description",
                "start",
                "end",
                "tasks",
                "max_submissions",
                "max_submissions_per_day",
                "hide_score_output",
                "hide_output",
                "hide_prediction_output",
                "public_data",
                "starting_kit",
                "accepts_only_result_submissions",
            ];
            self.others(&at, phase, &known);
            seen.push(id);
        }
        self.toml.push_str(&data);
    }

    fn time(&mut self, at: &str, phase: &Value, key: &str) -> Option<Moment> {
        let given = phase.get(key).filter(|value| !value.is_null())?;
        let found = moment(given);
        if found.is_none() {
            let (zh, en) = ("不是日期或时间", "neither a day nor a time");
            self.note(format!("{at}/{key}"), given, zh, en);
        }
        found
    }

    /// The rule of the first board: Codabench has it there, and here phases have it.
    fn rule(&mut self, given: &Value) -> &'static str {
        let boards = boards_of(given);
        let rule = boards.first().and_then(|board| board.get("submission_rule")).map(shown).unwrap_or_default();
        match rule.to_lowercase().as_str() {
            "force_best" => "best",
            "add" | "add_and_delete" | "add_and_delete_multiple" => "chosen",
            "force_last" | "force_latest_multiple" | "" => "last",
            _ => {
                let (zh, en) = ("没有这个规则，取最后一次", "no such rule; the last submission counts");
                self.note("/leaderboards/0/submission_rule", &Value::String(rule), zh, en);
                "last"
            }
        }
    }

    pub(super) fn boards(&mut self, given: &Value) {
        for (number, board) in boards_of(given).iter().enumerate() {
            let at = format!("/leaderboards/{number}");
            for (column, given) in list(board, "columns").iter().enumerate() {
                let (zh, en) =
                    ("列由任务的指标决定，名次由策略决定", "columns come from the measures of the task, places from the policy");
                self.note(format!("{at}/columns/{column}"), &given.get("key").cloned().unwrap_or_default(), zh, en);
            }
            if board.get("hidden").and_then(Value::as_bool).unwrap_or(false) {
                let (zh, en) =
                    ("在阶段的 shows 里写 board = \"organisers\"", "write board = \"organisers\" in the shows of the phase");
                self.note(format!("{at}/hidden"), &Value::Bool(true), zh, en);
            }
            self.others(&at, board, &["title", "key", "index", "submission_rule", "columns", "hidden"]);
        }
    }
}

fn boards_of(given: &Value) -> &[Value] {
    let boards = list(given, "leaderboards");
    if boards.is_empty() { list(given, "leaderboard") } else { boards }
}
