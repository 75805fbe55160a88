//! The passage with a tint for each spatial word, a wave under what is wrong, and under it the roles of every tuple, a line a tuple, as in an interlinear gloss.

use fangwei::annotate::form::Shape;
use fangwei::lang::Lang;
use fangwei::page::escape;

use super::super::clean::shown;
use super::super::explored::Explored;
use super::super::lanes::lanes;
use super::super::look::{self, look};

/// The style sheet knows so many lines.
const MOST_LANES: usize = 12;

/// How a line is drawn, in the words of style sheets.
pub const fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Solid => "solid",
        Shape::Dashed => "dashed",
        Shape::Dotted => "dotted",
        Shape::Double => "double",
        Shape::Wavy => "wavy",
    }
}

/// What is at one character.
#[derive(Clone, Default)]
struct At {
    classes: Vec<String>,
    title: String,
    lanes: String,
}

/// The passage.
pub fn passage(explored: &Explored, lang: Lang) -> String {
    let mut places = vec![At::default(); explored.text.chars().count()];
    for word in &explored.words {
        for (number, idx) in word.idxes.iter().enumerate() {
            let Some(at) = places.get_mut(*idx as usize) else { continue };
            at.classes.push(format!("word word-{}", look::class(word.class)));
            at.classes.extend((number == 0).then(|| "word-start".to_owned()));
            at.classes.extend((number + 1 == word.idxes.len()).then(|| "word-end".to_owned()));
            word.class.title(lang).clone_into(&mut at.title);
        }
    }
    for idx in explored.anomalies.iter().flat_map(|anomaly| &anomaly.idxes) {
        if let Some(at) = places.get_mut(*idx as usize) {
            at.classes.push("wrong".to_owned());
        }
    }
    let (lane_of, count) = lanes(&explored.tuples);
    for (tuple, lane) in explored.tuples.iter().zip(&lane_of).filter(|(_, lane)| **lane < MOST_LANES) {
        for role in &tuple.roles {
            let look = look(role);
            for idx in &role.idxes {
                let Some(at) = places.get_mut(*idx as usize) else { continue };
                let has = |place: u32| role.idxes.contains(&place);
                let (starts, ends) = (*idx == 0 || !has(idx - 1), !has(idx + 1));
                let name = if starts { format!("<b>{}</b>", look::short(look.group).get(lang)) } else { String::new() };
                let (start, end) = (if starts { " start" } else { "" }, if ends { " end" } else { "" });
                at.lanes.push_str(&format!(
                    "<i class=\"lane lane-{lane} colour-{} shape-{}{start}{end}\" aria-hidden=\"true\">{name}</i>",
                    look.colour,
                    shape(look.shape)
                ));
            }
        }
    }
    let characters: String = explored.text.chars().map(shown).zip(places).map(character).collect();
    format!("<p class=\"passage lanes-{}\" lang=\"zh-CN\">{characters}</p>\n", count.min(MOST_LANES))
}

fn character((character, at): (char, At)) -> String {
    if character == '\n' {
        return "<br>".to_owned();
    }
    let text = escape(&character.to_string());
    if at.classes.is_empty() && at.lanes.is_empty() {
        return text;
    }
    let title = if at.title.is_empty() { String::new() } else { format!(" title=\"{}\"", escape(&at.title)) };
    format!("<span class=\"ch {}\"{title}>{text}{}</span>", at.classes.join(" "), at.lanes)
}
