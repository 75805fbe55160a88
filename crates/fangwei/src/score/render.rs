//! Scores for people and programs: a table, JSON, the alignment of an item, the differences of the two modes.

use std::fmt::Write as _;

use serde_json::{Value, json};
use smol_str::SmolStr;

use super::align::{Alignment, Pair, RoleRow, Side};
use super::explain::Difference;
use super::measures::{Measure, Measures, title};
use super::run::Scored;
use crate::lang::{Lang, Say, columns, pad, pad_left, words};
use crate::stats::Interval;
use crate::table::{Cell, Table};
use crate::task::{Item, Mode, Task, Texts};
use crate::text::IdxSet;

/// Measures as a table: path, value, interval, what it is; the one that ranks is marked.
pub fn score_table(task: &dyn Task, measures: &Measures, intervals: &[(String, Interval)], lang: Lang) -> Table {
    let mut head = vec![words("指标", "measure"), words("值", "value")];
    if !intervals.is_empty() {
        head.push(words("95% 区间", "95% interval"));
    }
    head.push(words("含义", "meaning"));
    let mut table = Table::new(head.into_iter().map(|words| words.get(lang)));
    for (path, measure) in measures.flat() {
        let value = match measure {
            Measure::Count(count) => Cell::Count(count),
            Measure::Number(number) => Cell::Number(number),
            Measure::Level(_) => continue,
        };
        let mut meaning = match path.split_once('.') {
            Some(("loose", _)) => words("不分角色：", "any role: ").get(lang).to_owned(),
            Some(("strict", _)) => words("角色相同：", "same role: ").get(lang).to_owned(),
            _ => String::new(),
        };
        meaning.push_str(title(&path).get(lang));
        if path == task.scale().ranking {
            meaning.push_str(words(" ← 排名依据", " ← ranks").get(lang));
        }
        let mut row = vec![Cell::from(path.as_str()), value];
        if !intervals.is_empty() {
            let interval = intervals.iter().find(|(name, _)| *name == path).map(|(_, interval)| interval);
            row.push(interval.map(|interval| format!("[{:.4}, {:.4}]", interval.low, interval.high)).into());
        }
        row.push(meaning.into());
        table.row(row);
    }
    table
}

/// A score as JSON: `{"task","mode","items","answered","measures":{…}}` and the name of the measure that ranks.
pub fn score_json<T>(scored: &Scored<T>, measures: &Measures) -> Value {
    json!({
        "task": scored.task.id(),
        "mode": scored.mode,
        "items": scored.total.items,
        "answered": scored.total.answered,
        "measures": measures,
        "ranking": scored.task.scale().ranking,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// Paints words on a terminal, or leaves them.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn dye(self, code: &str, text: &str) -> String {
        if self.0 && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Green for all, yellow for some, red for nothing.
    fn by_share(self, share: f64, text: &str) -> String {
        let code = if share >= 1.0 - 1e-12 {
            "32"
        } else if share > 0.0 {
            "33"
        } else {
            "31"
        };
        self.dye(code, text)
    }
}

/// The alignment of an item, side by side.
pub fn alignment_text(task: &dyn Task, mode: Mode, item: &Item, alignment: &Alignment, lang: Lang, color: bool) -> String {
    let paint = Paint(color);
    let mut text = String::new();
    let numbers: Vec<String> =
        alignment.numbers.iter().map(|(name, value)| paint.by_share(*value, &format!("{name} {value:.4}"))).collect();
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(text, "{}  {}  {}  {}", paint.dye("1", &item.qid), task.id(), mode.as_str(), numbers.join("  "));
    for context in contexts(&item.texts) {
        let _ = writeln!(text, "  {}", marked(context, alignment, paint));
    }
    if color && !matches!(item.texts, Texts::Pair { .. }) {
        let legend =
            words("绿 双方都有  黄 只在参考  红 只在预测", "green both  yellow gold only  red prediction only").get(lang);
        let _ = writeln!(text, "  {}", paint.dye("2", legend));
    }
    for note in &alignment.notes {
        let _ = writeln!(text, "  {}", note.get(lang));
    }
    for pair in &alignment.pairs {
        text.push_str(&pair_text(pair, lang, paint));
    }
    text
}

fn contexts(texts: &Texts) -> Vec<&str> {
    match texts {
        Texts::One { context } => vec![context],
        Texts::Reason { context, reason } => vec![context, reason],
        Texts::Pair { context1, context2 } => vec![context1, context2],
        Texts::Absent => Vec::new(),
    }
}

/// The text with the characters of either side painted.
fn marked(context: &str, alignment: &Alignment, paint: Paint) -> String {
    let rows = || alignment.pairs.iter().flat_map(|pair| &pair.rows);
    let places = |side: fn(&RoleRow) -> &Option<Side>| -> IdxSet {
        rows().filter_map(|row| side(row).as_ref()).flat_map(|side| side.span.iter().collect::<Vec<_>>()).collect()
    };
    let (gold, pred) = (places(|row| &row.gold), places(|row| &row.pred));
    let has = |set: &IdxSet, at: usize| set.iter().any(|idx| idx.0 as usize == at);
    let characters = context.chars().enumerate().map(|(at, character)| {
        let character = character.to_string();
        match (has(&gold, at), has(&pred, at)) {
            (true, true) => paint.dye("32", &character),
            (true, false) => paint.dye("33", &character),
            (false, true) => paint.dye("31", &character),
            (false, false) => character,
        }
    });
    characters.collect()
}

fn pair_text(pair: &Pair, lang: Lang, paint: Paint) -> String {
    let number = |at: Option<usize>| at.map_or("–".to_owned(), |at| format!("#{}", at + 1));
    let (gold, pred, earned) = match lang {
        Lang::Zh => ("参考", "预测", "得分"),
        Lang::En => ("gold", "pred", "earned"),
    };
    let mut text = format!(
        "  {gold} {} ~ {pred} {}  {}",
        number(pair.gold),
        number(pair.pred),
        paint.by_share(pair.earned, &format!("{earned} {:.4}", pair.earned))
    );
    if let Some(note) = &pair.note {
        let _ = write!(text, "  ({})", note.get(lang));
    }
    text.push('\n');
    let side = |side: &Option<Side>| side.as_ref().map_or("–".to_owned(), |side| format!("{}{}", side.text, side.span));
    let rows: Vec<[String; 3]> = pair.rows.iter().map(|row| [row.role.clone(), side(&row.gold), side(&row.pred)]).collect();
    let width = |column: usize| rows.iter().map(|row| columns(&row[column])).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    for (row, cells) in pair.rows.iter().zip(&rows) {
        let [role, gold, pred] = cells;
        let share = row.hits / row.gold_size.max(row.pred_size).max(1.0);
        let out_of = if row.gold_size.max(row.pred_size) > 1.0 || row.hits.fract() == 0.0 {
            format!("{}/{}", row.hits, row.gold_size.max(row.pred_size))
        } else {
            format!("{:.4}", row.hits)
        };
        let note = row.note.as_ref().map(|note| format!("  {}", note.get(lang))).unwrap_or_default();
        let _ = writeln!(
            text,
            "    {}  {}  {}  {}{note}",
            pad(role, widths[0]),
            pad(gold, widths[1]),
            pad(pred, widths[2]),
            paint.by_share(share, &pad_left(&out_of, 6))
        );
    }
    text
}

/// The alignment of an item as JSON.
pub fn alignment_json(task: &dyn Task, mode: Mode, item: &Item, alignment: &Alignment, lang: Lang) -> Value {
    let note = |note: &Option<Say>| note.as_ref().map(|note| note.get(lang).to_owned());
    let side = |side: &Option<Side>| {
        side.as_ref().map(|side| json!({ "text": side.text, "idxes": side.span.iter().map(|idx| idx.0).collect::<Vec<_>>() }))
    };
    let row = |row: &RoleRow| {
        json!({ "role": row.role, "gold": side(&row.gold), "pred": side(&row.pred), "hits": row.hits,
                "gold_size": row.gold_size, "pred_size": row.pred_size, "note": note(&row.note) })
    };
    let pair = |pair: &Pair| json!({ "gold": pair.gold, "pred": pair.pred, "earned": pair.earned, "rows": pair.rows.iter().map(row).collect::<Vec<_>>(), "note": note(&pair.note) });
    json!({
        "task": task.id(),
        "mode": mode,
        "qid": item.qid.as_str(),
        "texts": contexts(&item.texts),
        "numbers": alignment.numbers.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<serde_json::Map<_, _>>(),
        "pairs": alignment.pairs.iter().map(pair).collect::<Vec<_>>(),
        "notes": alignment.notes.iter().map(|note| note.get(lang)).collect::<Vec<_>>(),
    })
}

/// Where the modes part: how often each quirk matters, then item by item.
pub fn differences_text(task: &dyn Task, differences: &[(SmolStr, Difference)], items: u64, lang: Lang) -> String {
    let mut text = match lang {
        Lang::Zh => format!("{}：{items} 题中有 {} 题在 official 与 spec 下得分不同\n", task.id(), differences.len()),
        Lang::En => format!("{}: {} of {items} items score differently under official and spec\n", task.id(), differences.len()),
    };
    let (script, says) = match lang {
        Lang::Zh => ("脚本：", "文本："),
        Lang::En => ("script: ", "text: "),
    };
    for (number, quirk) in task.quirks().iter().enumerate() {
        let count = differences.iter().filter(|(_, difference)| difference.quirks.contains(&number)).count();
        let _ = writeln!(
            text,
            "  {} × {count}\n    {script}{}\n    {says}{}",
            quirk.name,
            quirk.official.get(lang),
            quirk.spec.get(lang)
        );
    }
    for (qid, difference) in differences {
        let names: Vec<&str> = difference.quirks.iter().map(|number| task.quirks()[*number].name).collect();
        let _ = writeln!(text, "{qid}  official {:.4}  spec {:.4}  {}", difference.official, difference.spec, names.join(" "));
    }
    text
}
