//! The pictures of a board: intervals on one axis, a line of what stood after each submission. Numbers for templates; nothing is styled inline.

use super::shown::{BoardShown, Place};

/// The width of the box of a picture, and its height.
const WIDTH: f64 = 120.0;
const HEIGHT: f64 = 16.0;
/// So far from the edge is anything drawn.
const EDGE: f64 = 4.0;

/// An interval with its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// Left end, right end, the value.
    pub low: String,
    pub high: String,
    pub at: String,
}

/// From where to where a column of intervals goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// The axis of some places.
    pub fn of<'p>(places: impl Iterator<Item = &'p Place>) -> Axis {
        let ends = places.flat_map(|place| place.interval.into_iter().flatten().chain(place.value));
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
        Axis { low, high }
    }

    fn x(self, value: f64) -> String {
        let range = self.high - self.low;
        let share = if range > 0.0 { (value - self.low) / range } else { 0.5 };
        format!("{:.1}", EDGE + share.clamp(0.0, 1.0) * (WIDTH - 2.0 * EDGE))
    }

    /// The picture of a place, where it has an interval.
    pub fn bar(self, place: &Place) -> Option<Bar> {
        let ([low, high], value) = (place.interval?, place.value?);
        Some(Bar { low: self.x(low), high: self.x(high), at: self.x(value) })
    }
}

/// The points of a line through a history; nothing where there is no way to go.
pub fn line(history: &[f64]) -> Option<String> {
    let last = history.len().checked_sub(1).filter(|last| *last > 0)?;
    let low = history.iter().copied().fold(f64::INFINITY, f64::min);
    let high = history.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let point = |(number, value): (usize, &f64)| {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        let x = EDGE + number as f64 / last as f64 * (WIDTH - 2.0 * EDGE);
        let y = HEIGHT - 2.0 - share * (HEIGHT - 4.0);
        format!("{x:.1},{y:.1}")
    };
    Some(history.iter().enumerate().map(point).collect::<Vec<_>>().join(" "))
}

/// Groups as letters: `ab`.
pub fn letters(groups: &[u32]) -> String {
    let letter = |group: &u32| {
        let (round, index) = ((group - 1) / 26, (group - 1) % 26);
        let letter = char::from(b'a' + index as u8);
        if round == 0 { letter.to_string() } else { format!("{letter}{round}") }
    };
    groups.iter().filter(|group| **group > 0).map(letter).collect()
}

/// A chance for people: whole percents, and no certainty that there is not.
pub fn percent(chance: f64) -> String {
    match chance * 100.0 {
        share if share > 99.5 && share < 100.0 => ">99%".to_owned(),
        share if share > 0.0 && share < 0.5 => "<1%".to_owned(),
        share => format!("{share:.0}%"),
    }
}

/// A number with so many digits; a tiny negative one rounds to a zero that has no sign.
pub fn number(value: f64, digits: u8) -> String {
    let text = format!("{value:.*}", usize::from(digits));
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// The axis of the whole board.
pub fn overall(board: &BoardShown) -> Axis {
    Axis::of(board.rows.iter().map(|row| &row.place))
}

/// The axis of a task.
pub fn of_task(board: &BoardShown, task: usize) -> Axis {
    Axis::of(board.rows.iter().filter_map(|row| row.tasks.get(task)).map(|cell| &cell.place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stay_inside_of_their_box() {
        let place = |low, high, value| Place { interval: Some([low, high]), value: Some(value), ..Place::default() };
        let places = [place(0.0, 0.5, 0.25), place(0.5, 1.0, 0.75), Place::default()];
        let axis = Axis::of(places.iter());
        let bar = axis.bar(&places[0]).expect("an interval");
        assert_eq!((bar.low.as_str(), bar.at.as_str(), bar.high.as_str()), ("4.0", "32.0", "60.0"), "4 + a quarter of 112");
        assert_eq!(axis.bar(&places[2]), None);
        let one = place(0.5, 0.5, 0.5);
        assert_eq!(Axis::of([&one].into_iter()).bar(&one).expect("an interval").at, "60.0", "no range: the middle");
        assert_eq!(line(&[0.1, 0.3, 0.2]).expect("a way"), "4.0,14.0 60.0,2.0 116.0,8.0");
        assert_eq!((line(&[]), line(&[0.5])), (None, None));
        assert_eq!(line(&[0.5, 0.5]).expect("a way"), "4.0,8.0 116.0,8.0");
    }

    #[test]
    fn letters_and_numbers() {
        assert_eq!((letters(&[1, 2]), letters(&[27]), letters(&[])), ("ab".to_owned(), "a1".to_owned(), String::new()));
        assert_eq!(
            (percent(0.999), percent(1.0), percent(0.001), percent(0.0), percent(0.344)),
            (">99%".into(), "100%".into(), "<1%".into(), "0%".into(), "34%".into())
        );
        assert_eq!((number(-0.00001, 4), number(-1.34567, 3)), ("0.0000".to_owned(), "-1.346".to_owned()));
    }
}
