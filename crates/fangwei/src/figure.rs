//! Figures: the few kinds of plots that reports need, drawn as SVG by `kuva`.
//!
//! Colours are CSS variables with a fallback (`var(--s1,#2b6cb0)`), so one drawing serves light and dark pages; [`alone`] settles them for a file of its own. The
//! same numbers give the same bytes.

use std::sync::Arc;

use kuva::backend::svg::SvgBackend;
use kuva::plot::ColorMap;
use kuva::plot::annotations::ReferenceLine;
use kuva::plot::bar::BarPlot;
use kuva::plot::forest::ForestPlot;
use kuva::plot::heatmap::Heatmap;
use kuva::plot::histogram::Histogram;
use kuva::plot::legend::{LegendEntry, LegendPosition, LegendShape};
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::{Primitive, render_multiple};
use kuva::render::theme::Theme;

use crate::lang::columns;

/// Of the series of a figure, in the order of its legend.
const SERIES: [&str; 8] = [
    "var(--s1,#2b6cb0)",
    "var(--s2,#dd8452)",
    "var(--s3,#4f9d69)",
    "var(--s4,#b5526b)",
    "var(--s5,#7a63b8)",
    "var(--s6,#8c6d4f)",
    "var(--s7,#3a9fb5)",
    "var(--s8,#a3a02f)",
];
/// Pixels of a figure's width.
const WIDTH: f64 = 760.0;
/// Pixels of a line of bars or of a row.
const LINE: f64 = 24.0;
/// Pixels for axis, ticks and label.
const AXIS: f64 = 64.0;

/// Categories with a value for each series.
pub struct Bars<'b> {
    /// The name of the figure, which makes its inner names unique on a page.
    pub name: &'b str,
    /// What the axis counts.
    pub axis: &'b str,
    /// The series; one alone has no legend.
    pub series: &'b [String],
    /// The categories, the first on top, with as many values as there are series.
    pub rows: &'b [(String, Vec<f64>)],
    /// Whether the values of a category stand behind each other rather than below each other.
    pub stacked: bool,
}

/// Horizontal bars; `None` where there is nothing to draw.
pub fn bars(given: &Bars<'_>) -> Option<String> {
    if given.rows.is_empty() || given.series.is_empty() || given.series.len() > SERIES.len() {
        return None;
    }
    let mut plot = BarPlot::new().with_horizontal(true).with_width(0.74);
    // The library counts categories from the bottom, and so the bars of a group.
    for (label, values) in given.rows.iter().rev() {
        let coloured = values.iter().map(|value| finite(*value)).zip(SERIES);
        let values: Vec<(f64, &str)> = if given.stacked { coloured.collect() } else { coloured.rev_collect() };
        plot = plot.with_group(brief(label), values);
    }
    if given.stacked {
        plot = plot.with_stacked();
    }
    let lines = if given.stacked { 1.2 } else { (given.series.len() as f64 * 0.62).max(1.0) + 0.3 };
    let height = AXIS + given.rows.len() as f64 * LINE * lines;
    let entry = |(label, color): (&String, &str)| LegendEntry {
        label: brief(label),
        color: color.to_owned(),
        shape: LegendShape::Rect,
        dasharray: None,
    };
    let legend: Vec<LegendEntry> = given.series.iter().zip(SERIES).map(entry).collect();
    Some(draw(given.name, vec![Plot::Bar(plot)], |layout| {
        let layout = layout.with_height(height).with_x_label(given.axis).with_x_axis_min(0.0);
        if given.series.len() > 1 {
            layout.with_legend_entries(legend).with_legend_position(LegendPosition::OutsideRightTop)
        } else {
            layout
        }
    }))
}

/// Collects from the back.
trait RevCollect: Iterator + Sized {
    fn rev_collect(self) -> Vec<Self::Item> {
        let mut all: Vec<Self::Item> = self.collect();
        all.reverse();
        all
    }
}

impl<I: Iterator> RevCollect for I {}

/// Values with intervals, the first on top: name, low, value, high.
pub fn intervals(name: &str, axis: &str, rows: &[(String, f64, f64, f64)]) -> Option<String> {
    if rows.is_empty() {
        return None;
    }
    let mut plot = ForestPlot::new().with_color(SERIES[0]).with_show_null_line(false).with_marker_size(5.0);
    for (label, low, value, high) in rows {
        plot = plot.with_row(brief(label), finite(*value), finite(*low), finite(*high));
    }
    let least = rows.iter().map(|row| row.1).fold(f64::INFINITY, f64::min);
    let most = rows.iter().map(|row| row.3).fold(f64::NEG_INFINITY, f64::max);
    let room = ((most - least) * 0.08).max(0.01);
    let height = AXIS + rows.len() as f64 * LINE * 1.1;
    Some(draw(name, vec![Plot::Forest(plot)], |layout| {
        layout.with_height(height).with_x_label(axis).with_x_axis_min(finite(least - room)).with_x_axis_max(finite(most + room))
    }))
}

/// A square or oblong of values between `low` and `high`, darker where higher; nothing where there is none.
pub fn heat(name: &str, rows: &[String], columns: &[String], cells: &[Vec<Option<f64>>], range: (f64, f64)) -> Option<String> {
    let given = || cells.iter().flatten().flatten().copied();
    let (least, most) = (given().fold(f64::INFINITY, f64::min), given().fold(f64::NEG_INFINITY, f64::max));
    if given().next().is_none() || rows.is_empty() || columns.is_empty() {
        return None;
    }
    let (low, high) = range;
    let shade = move |share: f64| {
        // The library gives the share of the way from the least value to the most.
        let value = least + share * (most - least);
        let strength = ((value - low) / (high - low).max(f64::EPSILON)).clamp(0.0, 1.0);
        if share.is_nan() { "none".to_owned() } else { format!("rgba(72,138,205,{:.2})", 0.06 + 0.7 * strength) }
    };
    let data: Vec<Vec<f64>> = cells.iter().rev().map(|row| row.iter().map(|cell| cell.unwrap_or(f64::NAN)).collect()).collect();
    let plot = Heatmap::new().with_data(data).with_values().with_color_map(ColorMap::Custom(Arc::new(shade)));
    let short = |labels: &[String]| labels.iter().map(|label| brief(label)).collect::<Vec<_>>();
    let mut upward = short(rows);
    upward.reverse();
    let (across, down) = (short(columns), upward);
    let widest = across.iter().map(|label| crate::lang::columns(label)).max().unwrap_or(0);
    let is_crowded = widest * across.len() > 70;
    let height = 70.0 + rows.len() as f64 * 30.0 + if is_crowded { widest as f64 * 5.5 } else { 0.0 };
    Some(draw(name, vec![Plot::Heatmap(plot)], |layout| {
        let layout = layout.with_height(height).with_x_categories(across).with_y_categories(down).with_show_grid(false);
        if is_crowded { layout.with_x_tick_rotate(-40.0) } else { layout }
    }))
}

/// Counts between edges; one more edge than counts.
pub fn histogram(name: &str, axes: (&str, &str), edges: &[f64], counts: &[u64]) -> Option<String> {
    if counts.is_empty() || edges.len() != counts.len() + 1 {
        return None;
    }
    let counts = counts.iter().map(|count| *count as f64).collect();
    let plot = Histogram::from_bins(edges.to_vec(), counts).with_color(SERIES[0]);
    Some(draw(name, vec![Plot::Histogram(plot)], |layout| layout.with_height(280.0).with_x_label(axes.0).with_y_label(axes.1)))
}

/// Points in a plane, with horizontal and vertical lines where given: `(x, y)`, then `(is vertical, at)`.
pub fn points(name: &str, axes: (&str, &str), points: &[(f64, f64)], lines: &[(bool, f64)]) -> Option<String> {
    if points.is_empty() {
        return None;
    }
    let plot = ScatterPlot::new().with_data(points.to_vec()).with_color(SERIES[0]).with_size(3.0).with_marker_opacity(0.45);
    Some(draw(name, vec![Plot::Scatter(plot)], |layout| {
        let layout = layout.with_height(340.0).with_x_label(axes.0).with_y_label(axes.1);
        lines.iter().fold(layout, |layout, (vertical, at)| {
            let line = if *vertical { ReferenceLine::vertical(*at) } else { ReferenceLine::horizontal(*at) };
            layout.with_reference_line(line.with_color("var(--soft,#5d666e)"))
        })
    }))
}

/// The drawing as a file of its own: colours settled, on white.
pub fn alone(figure: &str) -> String {
    let mut out = String::with_capacity(figure.len());
    let mut rest = figure;
    while let Some(at) = rest.find("var(--") {
        out.push_str(&rest[..at]);
        let inner = &rest[at..];
        match inner.find(',').zip(inner.find(')')) {
            Some((comma, close)) if comma < close => {
                out.push_str(&inner[comma + 1..close]);
                rest = &inner[close + 1..];
            }
            _ => {
                out.push_str("var(--");
                rest = &inner["var(--".len()..];
            }
        }
    }
    out.push_str(rest);
    match out.find('>') {
        Some(end) => format!("{}><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>{}\n", &out[..end], &out[end + 1..]),
        None => out,
    }
}

fn draw(name: &str, plots: Vec<Plot>, look: impl FnOnce(Layout) -> Layout) -> String {
    let layout = Layout::auto_from_plots(&plots).with_theme(theme()).with_width(WIDTH);
    let layout = look(layout.with_body_size(12).with_tick_size(12).with_label_size(12).with_legend_box(false));
    let mut scene = render_multiple(plots, layout);
    scene.elements.retain(|element| !matches!(element, Primitive::Text { content, .. } if content == "NaN"));
    let svg = SvgBackend::new().render_scene(&scene);
    // The library counts its inner names over the life of the program.
    let mut out = String::with_capacity(svg.len());
    let mut pieces = svg.split("kuva-clip-");
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        out.push_str(&format!("{name}-clip"));
        out.push_str(piece.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

fn theme() -> Theme {
    let (ink, soft, line) = ("var(--ink,#1d2327)", "var(--soft,#5d666e)", "var(--line,#e1e5e8)");
    Theme {
        background: "none".into(),
        axis_color: soft.into(),
        tick_color: soft.into(),
        grid_color: line.into(),
        text_color: ink.into(),
        legend_bg: "none".into(),
        legend_border: "none".into(),
        colorbar_border: line.into(),
        font_family: Some("system-ui,'Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif".into()),
        ..Theme::light()
    }
}

/// What is no number is drawn as nothing.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

/// A label that leaves room for the plot.
fn brief(label: &str) -> String {
    let clean: String = label.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if columns(&clean) <= 28 {
        return clean;
    }
    let mut short = String::new();
    for c in clean.chars() {
        if columns(&short) >= 26 {
            break;
        }
        short.push(c);
    }
    short + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<(String, Vec<f64>)> {
        vec![("报刊".to_owned(), vec![0.4, 0.3]), ("<文学>".to_owned(), vec![0.6, f64::NAN])]
    }

    #[test]
    fn the_same_numbers_give_the_same_bytes() {
        let series = ["训练集".to_owned(), "验证集".to_owned()];
        let one = || bars(&Bars { name: "genres", axis: "%", series: &series, rows: &rows(), stacked: false });
        let first = one().expect("is drawn");
        assert_eq!(Some(&first), one().as_ref());
        assert!(first.contains("报刊") && first.contains("&lt;文学&gt;") && first.contains("训练集"), "{first}");
        assert!(first.contains("var(--s1,#2b6cb0)") && first.contains("genres-clip"), "{first}");
    }

    #[test]
    fn a_file_of_its_own_has_plain_colours() {
        let figure = intervals("f", "F1", &[("甲".to_owned(), 0.4, 0.5, 0.6)]).expect("is drawn");
        let alone = alone(&figure);
        assert!(!alone.contains("var(") && alone.contains("#2b6cb0"), "{alone}");
    }

    #[test]
    fn what_is_missing_is_left_blank() {
        let names = ["甲".to_owned(), "乙".to_owned()];
        let cells = [vec![None, Some(0.53)], vec![Some(0.57), None]];
        let figure = heat("kappa", &names, &names, &cells, (0.0, 1.0)).expect("is drawn");
        assert!(figure.contains("0.53") && figure.contains("0.57") && !figure.contains("NaN"), "{figure}");
        assert_eq!(heat("kappa", &names, &names, &[vec![None, None]], (0.0, 1.0)), None);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert_eq!(bars(&Bars { name: "x", axis: "", series: &["a".to_owned()], rows: &[], stacked: false }), None);
        assert_eq!(intervals("x", "", &[]), None);
        assert_eq!(points("x", ("", ""), &[], &[]), None);
        assert_eq!(histogram("x", ("", ""), &[0.0], &[]), None);
    }
}
