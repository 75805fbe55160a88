//! Every number of one passage.

use fangwei::select::Explained;
use fangwei::table::{Cell, Table};
use serde_json::{Value, json};

use crate::lang::{lang, t};
use crate::output::{Format, Output};

/// Shows the numbers.
pub fn show(explained: &Explained, format: Format) -> anyhow::Result<()> {
    let mut output = Output::stdout();
    if format == Format::Json {
        return output.json(&value(explained));
    }
    let mut criteria = Table::new([t("条件", "criterion"), t("数值", "value"), t("界限", "limit"), t("满足", "holds")]);
    for (criterion, value, limit) in &explained.criteria {
        let holds = if limit.holds(*value) { t("是", "yes") } else { t("否", "no") };
        criteria.row([criterion.title.get(lang()).into(), Cell::Number(*value), limit.to_string().into(), holds.into()]);
    }
    let mut words =
        Table::new([t("空间词", "word"), t("词类", "class"), t("名次", "rank"), t("概率", "probability"), t("猜测", "guess")]);
    for (at, rank) in &explained.ranks {
        let word = &explained.passage.words[*at];
        words.row([
            word.text.as_str().into(),
            word.class.map(|class| class.title(lang())).into(),
            Cell::Count(rank.place as u64),
            Cell::Number(rank.probability),
            rank.best.as_str().into(),
        ]);
    }
    if format != Format::Csv {
        output.line(&explained.passage.text);
        output.line("");
    }
    output.line(&criteria.render(format.table()));
    output.line(&format!("{}: {}\n", t("实体词", "entities"), explained.entities.join(" ")));
    output.text(&words.render(format.table()));
    Ok(())
}

fn value(explained: &Explained) -> Value {
    let passage = &explained.passage;
    let criteria: Vec<Value> = explained
        .criteria
        .iter()
        .map(|(criterion, value, limit)| {
            json!({ "name": criterion.name, "value": value, "limit": limit, "holds": limit.holds(*value) })
        })
        .collect();
    let words: Vec<Value> = explained
        .ranks
        .iter()
        .map(|(at, rank)| {
            let word = &passage.words[*at];
            json!({
                "word_number": at, "word": word.text, "class": word.class, "rank": rank.place, "probability": rank.probability,
                "guess": rank.best,
            })
        })
        .collect();
    json!({
        "id": passage.id, "genre": passage.genre, "source": passage.source, "line": passage.line, "text": passage.text,
        "criteria": criteria, "entities": explained.entities, "words": words,
    })
}
