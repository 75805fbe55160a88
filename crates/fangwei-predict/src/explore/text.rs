//! The terminal: the passage with its spatial words in colour, the roles of each tuple on a line under it, then tuples, errors and rivals as lines of words.

use fangwei::lang::{Lang, columns, pad};
use fangwei::lexicon::Class;

use super::clean::{clean, shown};
use super::explored::{Anomaly, Choices, Explored, Role, Tuple, Word};
use super::lanes::lanes;
use super::look::{self, filled, look, whole};
use super::sources::Part;

/// A line of the passage has at most so many columns.
const WIDTH: usize = 76;
/// Beyond so many lines of roles under the passage the list of tuples has to do.
const MOST_LANES: usize = 6;

/// Writes in colour, or not at all in colour.
#[derive(Clone, Copy, Debug)]
struct Pen {
    color: bool,
    lang: Lang,
}

const RED: &str = "1;31";
const SOFT: &str = "2";
const BOLD: &str = "1";

/// The colour of a class; none is white or black, which some terminals do not show.
const fn hue(class: Class) -> &'static str {
    match class {
        Class::Locative => "1;35",
        Class::Place => "1;32",
        Class::Directional => "1;33",
        Class::Verb => "34",
        Class::Preposition => "36",
        Class::Adverb | Class::Demonstrative => BOLD,
    }
}

/// The colour of a role, by the number that forms give it.
const fn tint(colour: u8) -> &'static str {
    match colour {
        0 => "33",
        1 => "36",
        2 => "94",
        3 => "32",
        4 => "34",
        5 => "31",
        6 => "35",
        _ => "90",
    }
}

impl Pen {
    fn paint(self, code: &str, text: &str) -> String {
        if self.color && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn say(self, zh: &'static str, en: &'static str) -> &'static str {
        self.lang.say(zh, en)
    }

    fn heading(self, zh: &'static str, en: &'static str) -> String {
        format!("\n{}\n", self.paint(BOLD, self.say(zh, en)))
    }
}

/// A passage for a terminal.
pub fn text(explored: &Explored, lang: Lang, color: bool) -> String {
    let pen = Pen { color, lang };
    let mut out = passage(explored, pen);
    out.push_str(&verdict(explored, pen));
    out.push_str(&words(explored, pen));
    if !explored.tuples.is_empty() {
        out.push_str(&pen.heading("角色", "Roles"));
        for (number, tuple) in explored.tuples.iter().enumerate() {
            out.push_str(&format!("  {} {}\n", pen.paint(SOFT, &format!("{:>2}", number + 1)), of_tuple(tuple, pen)));
        }
    }
    if !explored.anomalies.is_empty() {
        out.push_str(&pen.heading("异常", "What is wrong"));
        for anomaly in &explored.anomalies {
            out.push_str(&of_anomaly(anomaly, pen));
        }
        if let Some(mended) = &explored.mended {
            let mended = pen.paint("32", &clean(mended));
            out.push_str(&format!("  {} {mended}\n", pen.say("可以改为", "could be")));
        }
    }
    if !explored.choices.is_empty() {
        out.push_str(&pen.heading("这里还能用什么词", "What could stand here"));
        for choices in &explored.choices {
            out.push_str(&of_choices(choices, pen));
        }
        if explored.unweighed > 0 {
            let left = format!(
                "{} {}",
                explored.unweighed,
                pen.say("个词没有比较：文本太长", "words were not weighed: the text is too long")
            );
            out.push_str(&format!("  {}\n", pen.paint(SOFT, &left)));
        }
    }
    let has_rivals = !explored.choices.is_empty() || explored.anomalies.iter().any(|anomaly| !anomaly.choices.is_empty());
    if has_rivals {
        let meaning = pen.say(
            "百分数：换上这个词（其他错处改好）以后文本正常的可能；⋆ 表示按词表与前面的名词最相配",
            "percentages: how likely the text is normal with the word, other errors put right; ⋆ is typical after its noun by the lexicon",
        );
        out.push_str(&format!("  {}\n", pen.paint(SOFT, meaning)));
    }
    out.push_str(&sources(explored, pen));
    out
}

/// The passage, cut into lines, with the roles of tuples under each.
fn passage(explored: &Explored, pen: Pen) -> String {
    let characters: Vec<char> = explored.text.chars().map(shown).collect();
    let (lane_of, count) = lanes(&explored.tuples);
    let wrong: Vec<u32> = explored.anomalies.iter().flat_map(|anomaly| anomaly.idxes.iter().copied()).collect();
    let class_at = |place: usize| explored.words.iter().find(|word| word.idxes.contains(&(place as u32))).map(|word| word.class);
    let mut out = String::new();
    for line in cut(&characters) {
        out.push_str("  ");
        for place in line.clone().filter(|place| characters[*place] != '\n') {
            let character = characters[place].to_string();
            let is_wrong = wrong.contains(&(place as u32));
            out.push_str(&match class_at(place) {
                _ if is_wrong => pen.paint("1;4;31", &character),
                Some(class) => pen.paint(hue(class), &character),
                None => character,
            });
        }
        out.push('\n');
        for lane in 0..if count <= MOST_LANES { count } else { 0 } {
            let mut under = String::new();
            for place in line.clone().filter(|place| characters[*place] != '\n') {
                let role = role_at(explored, &lane_of, lane, place as u32);
                under.push_str(&cell(role, place as u32, columns(&characters[place].to_string()), pen));
            }
            if !under.trim().is_empty() {
                out.push_str(&format!("  {}\n", under.trim_end()));
            }
        }
        if !pen.color && line.clone().any(|place| wrong.contains(&(place as u32))) {
            let sign = |place: usize| {
                let width = columns(&characters[place].to_string());
                if wrong.contains(&(place as u32)) { "^".repeat(width) } else { " ".repeat(width) }
            };
            out.push_str(&format!("  {}\n", line.clone().map(sign).collect::<String>().trim_end()));
        }
    }
    out
}

/// Lines of at most [`WIDTH`] columns; a line end of the text ends one too.
fn cut(characters: &[char]) -> Vec<std::ops::Range<usize>> {
    let (mut lines, mut begin, mut width) = (Vec::new(), 0, 0);
    for (place, character) in characters.iter().enumerate() {
        let wide = columns(&character.to_string());
        // A mark that closes stands with what it closes.
        let hangs = "，。；：！？、”’）》…".contains(*character) && width <= WIDTH;
        if width + wide > WIDTH && !hangs || place > 0 && characters[place - 1] == '\n' {
            lines.push(begin..place);
            (begin, width) = (place, 0);
        }
        width += wide;
    }
    lines.push(begin..characters.len());
    lines
}

fn role_at<'e>(explored: &'e Explored, lane_of: &[usize], lane: usize, place: u32) -> Option<&'e Role> {
    let here = explored.tuples.iter().zip(lane_of).filter(|(_, own)| **own == lane);
    here.flat_map(|(tuple, _)| &tuple.roles).find(|role| role.idxes.contains(&place))
}

/// What stands under a character: the first letter of its role where that begins, then a line.
fn cell(role: Option<&Role>, place: u32, width: usize, pen: Pen) -> String {
    let Some(role) = role else { return " ".repeat(width) };
    let look = look(role);
    let begins = !role.idxes.contains(&place.wrapping_sub(1));
    let sign =
        if pen.lang == Lang::Zh && width >= 2 { look::short(look.group).zh.chars().next() } else { look.key.chars().next() };
    let text = match sign.filter(|_| begins) {
        Some(sign) => format!("{sign}{}", "-".repeat(width.saturating_sub(columns(&sign.to_string())))),
        None => "-".repeat(width),
    };
    pen.paint(tint(look.colour), &text)
}

fn verdict(explored: &Explored, pen: Pen) -> String {
    let (code, word) =
        if explored.normal >= 0.5 { ("1;32", pen.say("正常", "normal")) } else { (RED, pen.say("异常", "abnormal")) };
    let opinions: Vec<String> =
        explored.opinions.iter().map(|opinion| format!("{} {}", clean(&opinion.by), whole(opinion.normal))).collect();
    let label = pen.say("正常的可能", "how likely normal");
    format!("\n  {}  {}\n", pen.paint(code, word), pen.paint(SOFT, &format!("{label}: {}", opinions.join(" · "))))
}

fn words(explored: &Explored, pen: Pen) -> String {
    let mut out = pen.heading("空间词", "Spatial words");
    let titles: Vec<&str> = Class::ALL.iter().map(|class| class.title(pen.lang)).collect();
    let width = titles.iter().map(|title| columns(title)).max().unwrap_or(0);
    let mut none = true;
    for class in Class::ALL {
        let told = |(word, count): &(&Word, usize)| {
            let times = if *count > 1 { pen.paint(SOFT, &format!("×{count}")) } else { String::new() };
            format!("{}{times}", pen.paint(hue(*class), &clean(&word.text)))
        };
        let of: Vec<String> = explored.words_of(*class).iter().map(told).collect();
        if !of.is_empty() {
            none = false;
            out.push_str(&format!("  {}  {}\n", pen.paint(SOFT, &pad(class.title(pen.lang), width)), of.join(" ")));
        }
    }
    if none {
        out.push_str(&format!("  {}\n", pen.paint(SOFT, pen.say("没有", "none"))));
    }
    out
}

fn of_tuple(tuple: &Tuple, pen: Pen) -> String {
    let role = |role: &Role| {
        let look = look(role);
        format!("{} {}", pen.paint(SOFT, look.label.get(pen.lang)), pen.paint(tint(look.colour), &clean(&filled(role))))
    };
    let roles: Vec<String> = tuple.roles.iter().map(role).collect();
    format!("{}  {}", roles.join(pen.paint(SOFT, " · ").as_str()), pen.paint(SOFT, &whole(tuple.odds)))
}

fn of_anomaly(anomaly: &Anomaly, pen: Pen) -> String {
    let kind = anomaly.kind.as_deref().map(|kind| format!("{kind} {}", look::kind(kind, pen.lang))).unwrap_or_default();
    let mut out =
        format!("  {} {}  {}\n", pen.paint("1;4;31", &clean(&anomaly.word)), kind, pen.paint(SOFT, &whole(anomaly.odds)));
    for reason in &anomaly.reasons {
        out.push_str(&format!(
            "    {} {}\n",
            clean(reason.say.get(pen.lang)),
            pen.paint(SOFT, &format!("[{}]", clean(&reason.by)))
        ));
    }
    let fragments: Vec<String> =
        anomaly.fragments.iter().map(|role| format!("{} {}", pen.paint(SOFT, &role.role), clean(&role.text))).collect();
    if !fragments.is_empty() {
        out.push_str(&format!("    {}\n", fragments.join(" · ")));
    }
    for choices in &anomaly.choices {
        out.push_str(&format!("  {}", of_choices(choices, pen)));
    }
    out
}

fn of_choices(choices: &Choices, pen: Pen) -> String {
    let typical = choices.rivals.iter().filter_map(|rival| rival.typical).fold(0.0, f64::max);
    let rival = |rival: &super::Rival| {
        let star = if rival.typical.is_some_and(|own| own == typical && own > 0.0) { "⋆" } else { "" };
        let told = format!("{}{star} {:.0} %", clean(&rival.word), rival.score * 100.0);
        pen.paint(if rival.score >= 0.5 { "32" } else { SOFT }, &told)
    };
    let rivals: Vec<String> = choices.rivals.iter().map(rival).collect();
    let shown = if rivals.is_empty() {
        pen.say("词表里没有可换的词", "the lexicon has no rival").to_owned()
    } else {
        rivals.join("  ")
    };
    let own = format!("{} {:.0} %", clean(&choices.word), choices.score * 100.0);
    format!("  {} → {shown}\n", pen.paint(if choices.score >= 0.5 { BOLD } else { RED }, &own))
}

fn sources(explored: &Explored, pen: Pen) -> String {
    let told = |by: &super::By| {
        let title = Part::parse(&by.part).map_or(by.part.as_str(), |part| part.title().get(pen.lang));
        format!("{title}: {}", clean(&by.source))
    };
    let all: Vec<String> = explored.by.iter().map(told).collect();
    format!("\n  {}\n", pen.paint(SOFT, &all.join(" · ")))
}
