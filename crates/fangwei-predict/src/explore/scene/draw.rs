//! Laying a picture out: every part says how much room it needs, and what is around it is moved aside.

use fangwei::page::escape;

use super::canvas::{Canvas, NAME, NOTE, SMALL, width};
use super::place::Side;
use super::{Figure, Scene, Sign, Way};

/// The height of a figure's chip, and of a line that tells of it.
const CHIP: f64 = 32.0;
const LINE: f64 = 17.0;
/// Room between things, and around everything.
const GAP: f64 = 12.0;
const EDGE: f64 = 14.0;
/// The least length of an arrow.
const SHAFT: f64 = 64.0;

/// A picture as SVG.
pub fn draw(scene: &Scene, told: &str) -> String {
    let mut canvas = Canvas::default();
    let (wide, high) = match scene {
        Scene::Ground { ground, figures } => draw_ground(&mut canvas, ground, figures),
        Scene::Way(figure, way) => draw_way(&mut canvas, figure, way),
        Scene::Alone(figure) => {
            let (wide, high) = room(figure);
            chip(&mut canvas, figure, EDGE, EDGE, wide, false);
            (wide + 2.0 * EDGE, high + 2.0 * EDGE)
        }
    };
    let (wide, high, told) = (wide.ceil(), high.ceil(), escape(told));
    format!(
        "<svg class=\"scene\" role=\"img\" aria-label=\"{told}\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\">{}</svg>",
        canvas.0
    )
}

/// What is told of a figure beside its name: the event with the place, then the rest.
fn lines(figure: &Figure) -> Vec<&Sign> {
    figure.event.iter().chain(&figure.place).chain(&figure.notes).collect()
}

/// The numbers of a figure's tuples, by which lists name them.
fn numbers(figure: &Figure) -> String {
    figure.numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn chip_width(figure: &Figure) -> f64 {
    (width(&figure.entity.text, NAME) + width(&numbers(figure), SMALL) + 28.0).max(52.0)
}

/// The room of a figure with all that is told of it.
fn room(figure: &Figure) -> (f64, f64) {
    let lines = lines(figure);
    let widest = lines.iter().map(|sign| width(&sign.text, NOTE) + 4.0).fold(chip_width(figure), f64::max);
    (widest, CHIP + lines.len() as f64 * LINE)
}

/// Draws a figure in its room; with `above`, what is told of it stands over its name.
fn chip(canvas: &mut Canvas, figure: &Figure, x: f64, y: f64, wide: f64, above: bool) {
    let (own, lines) = (chip_width(figure), lines(figure));
    let (middle, told) = (x + wide / 2.0, lines.len() as f64 * LINE);
    let top = if above { y + told } else { y };
    for (number, sign) in lines.iter().enumerate() {
        let base = if above { y } else { y + CHIP };
        canvas.open(sign);
        canvas.text(middle, base + number as f64 * LINE + 13.0, "note", &sign.text);
        canvas.close();
    }
    name(canvas, figure, middle - own / 2.0, top);
}

/// The name of a figure in its chip, with the number of its tuple.
fn name(canvas: &mut Canvas, figure: &Figure, x: f64, top: f64) {
    let (own, beside) = (chip_width(figure), width(&numbers(figure), SMALL));
    canvas.open(&figure.entity);
    canvas.rect(if figure.denied { "chip denied" } else { "chip" }, (x, top), (own, CHIP), CHIP / 2.0);
    canvas.text(x + f64::midpoint(own, beside), top + 21.5, "name", &figure.entity.text);
    canvas.close();
    canvas.text(x + 9.0 + beside / 2.0, top + 19.5, "number", &numbers(figure));
}

/// Figures side by side.
struct Row<'f>(Vec<&'f Figure>);

impl Row<'_> {
    fn room(&self) -> (f64, f64) {
        let rooms: Vec<(f64, f64)> = self.0.iter().map(|figure| room(figure)).collect();
        let wide = rooms.iter().map(|(wide, _)| wide + GAP).sum::<f64>() - if rooms.is_empty() { 0.0 } else { GAP };
        (wide, rooms.iter().map(|(_, high)| *high).fold(0.0, f64::max))
    }

    /// Draws them around a middle; `above` stand with their feet on the lower end of the room.
    fn draw(&self, canvas: &mut Canvas, middle: f64, y: f64, above: bool) {
        let (wide, high) = self.room();
        let mut x = middle - wide / 2.0;
        for figure in &self.0 {
            let (own, needed) = room(figure);
            chip(canvas, figure, x, if above { y + high - needed } else { y }, own, above);
            x += own + GAP;
        }
    }
}

fn draw_ground(canvas: &mut Canvas, ground: &str, figures: &[(Side, Figure)]) -> (f64, f64) {
    let of = |wanted: &[Side]| Row(figures.iter().filter(|(side, _)| wanted.contains(side)).map(|(_, figure)| figure).collect());
    let [on, inside, under] = [[Side::On], [Side::In], [Side::Under]].map(|side| of(&side));
    let (left, right) = (of(&[Side::Left]), of(&[Side::Right, Side::Beside]));
    let (back, front) = (of(&[Side::Back]), of(&[Side::Front]));
    let column = |rows: &[&Row<'_>]| rows.iter().map(|row| row.room().0).fold(0.0, f64::max);
    let padded = |wide: f64| if wide > 0.0 { wide + GAP } else { 0.0 };
    let (west, east) = (padded(column(&[&left, &front])), padded(column(&[&right, &back])));
    let centre = column(&[&on, &under]).max(inside.room().0 + 2.0 * GAP).max(width(ground, NAME) + 44.0).max(110.0);
    let top = on.room().1.max(if back.0.is_empty() { 0.0 } else { back.room().1 + 4.0 });
    let held = if inside.0.is_empty() { 0.0 } else { inside.room().1 + GAP };
    let middle = (held + 34.0).max(left.room().1).max(right.room().1);
    let bottom = under.room().1.max(front.room().1);
    let (x, y) = (EDGE + west, EDGE + top);
    canvas.0.push_str("<g class=\"colour-3\">");
    canvas.rect("ground", (x, y), (centre, middle), 10.0);
    let base = if inside.0.is_empty() { y + middle / 2.0 + 5.5 } else { y + middle - 11.0 };
    canvas.text(x + centre / 2.0, base, "name", ground);
    canvas.close();
    let centre_x = x + centre / 2.0;
    on.draw(canvas, centre_x, EDGE + top - on.room().1, true);
    inside.draw(canvas, centre_x, y + GAP, false);
    under.draw(canvas, centre_x, y + middle + 4.0, false);
    left.draw(canvas, EDGE + (west - GAP) / 2.0, y + (middle - left.room().1) / 2.0, false);
    right.draw(canvas, x + centre + GAP + (east - GAP) / 2.0, y + (middle - right.room().1) / 2.0, false);
    back.draw(canvas, x + centre + GAP + (east - GAP) / 2.0, EDGE + top - back.room().1 - 4.0, true);
    front.draw(canvas, EDGE + (west - GAP) / 2.0, y + middle + 4.0, false);
    let foot = if bottom > 0.0 { bottom + 4.0 } else { 0.0 };
    (x + centre + east + EDGE, y + middle + foot + EDGE)
}

/// The box of a start or an end.
fn stop(canvas: &mut Canvas, sign: &Sign, x: f64, y: f64) -> f64 {
    let wide = width(&sign.text, NAME) + 24.0;
    canvas.open(sign);
    canvas.rect("stop", (x, y - 19.0), (wide, 38.0), 8.0);
    canvas.text(x + wide / 2.0, y + 5.5, "name", &sign.text);
    canvas.close();
    wide
}

/// An arrow with words over and under it.
fn shaft(canvas: &mut Canvas, colour: u8, over: Option<&Sign>, under: &[Sign], x: f64, y: f64) -> f64 {
    let words = over.into_iter().chain(under);
    let long = words.map(|sign| width(&sign.text, NOTE) + 34.0).fold(SHAFT, f64::max);
    canvas.arrow(&format!("colour-{colour}"), x + 6.0, x + long - 6.0, y);
    if let Some(sign) = over {
        canvas.open(sign);
        canvas.text(x + long / 2.0 - 4.0, y - 8.0, "note", &sign.text);
        canvas.close();
    }
    for (number, sign) in under.iter().enumerate() {
        canvas.open(sign);
        canvas.text(x + long / 2.0 - 4.0, y + 18.0 + number as f64 * LINE, "note", &sign.text);
        canvas.close();
    }
    long
}

/// The direction, with a sign of whither.
fn pointed(sign: &Sign) -> Sign {
    let points =
        [('上', "↑"), ('起', "↑"), ('升', "↑"), ('下', "↓"), ('落', "↓"), ('出', "⇥"), ('进', "⇥"), ('入', "⇥"), ('回', "↩")];
    let arrow = points.iter().find(|(character, _)| sign.text.contains(*character)).map_or("", |(_, arrow)| arrow);
    Sign { text: if arrow.is_empty() { sign.text.clone() } else { format!("{arrow} {}", sign.text) }, ..sign.clone() }
}

fn draw_way(canvas: &mut Canvas, figure: &Figure, way: &Way) -> (f64, f64) {
    // Where something moves within a place, that place is the ground of the whole way.
    let frame = if figure.place.is_some() { 12.0 } else { 0.0 };
    let under: Vec<Sign> = way.direction.iter().map(pointed).chain(way.path.clone()).collect();
    let colour = [&way.end, &way.start, &way.path, &way.direction].into_iter().flatten().next().map_or(6, |sign| sign.colour);
    let y = EDGE + frame + 26.0;
    let mut drawn = Canvas::default();
    let mut x = EDGE + frame;
    let own = chip_width(figure);
    let event = figure.event.as_ref();
    match (&way.start, &way.end) {
        (Some(start), None) => {
            x += stop(&mut drawn, start, x, y);
            x += shaft(&mut drawn, colour, event, &under, x, y);
            name(&mut drawn, figure, x, y - CHIP / 2.0);
            x += own;
        }
        (start, end) => {
            if let Some(start) = start {
                x += stop(&mut drawn, start, x, y);
                x += shaft(&mut drawn, start.colour, None, &[], x, y);
            }
            name(&mut drawn, figure, x, y - CHIP / 2.0);
            x += own;
            x += shaft(&mut drawn, colour, event, &under, x, y);
            if let Some(end) = end {
                x += stop(&mut drawn, end, x, y);
            }
        }
    }
    let mut foot = y + (10.0 + under.len() as f64 * LINE).max(19.0);
    for sign in &figure.notes {
        drawn.open(sign);
        drawn.text((x + EDGE + frame) / 2.0, foot + 14.0, "note", &sign.text);
        drawn.close();
        foot += LINE;
    }
    if let Some(place) = &figure.place {
        let least = width(&place.text, NAME) + 2.0 * (EDGE + frame) + 24.0;
        x = x.max(least - EDGE - frame);
        foot += 30.0;
        canvas.open(place);
        canvas.rect("ground", (EDGE, EDGE), (x + frame - EDGE, foot - EDGE + 4.0), 10.0);
        canvas.text((x + frame + EDGE) / 2.0, foot - 6.0, "name", &place.text);
        canvas.close();
        foot += 4.0;
    }
    canvas.0.push_str(&drawn.0);
    (x + frame + EDGE, foot + EDGE)
}
