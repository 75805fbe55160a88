//! The scene that a passage tells, as pictures: one for each ground with everything that is in, on or beside it, and one for each way.
//!
//! [`scenes`] sorts tuples into pictures, [`mod@place`] reads a place phrase as a ground and a side of it, `draw` lays a picture out and writes it as SVG. A picture
//! is as large as its words need, so that nothing overlaps; pages set several side by side.

mod canvas;
mod draw;
pub mod place;

use fangwei::lang::Lang;

use self::place::{Side, place};
use super::clean::clean;
use super::explored::{Explored, Role, Tuple};
use super::look::{filled, look};

/// A word in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sign {
    /// The name of its role.
    pub role: &'static str,
    /// What is written.
    pub text: String,
    /// The number of its colour.
    pub colour: u8,
    /// Whether it holds a word that is wrong.
    pub wrong: bool,
}

/// An entity with what happens to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The numbers of its tuples, from 1.
    pub numbers: Vec<usize>,
    /// Its name.
    pub entity: Sign,
    /// What happens.
    pub event: Option<Sign>,
    /// Where, as the text says it.
    pub place: Option<Sign>,
    /// Whether the text denies it.
    pub denied: bool,
    /// What has no place in a picture: time, distance, shape, …
    pub notes: Vec<Sign>,
}

/// A way that an entity goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// From where.
    pub start: Option<Sign>,
    /// To where.
    pub end: Option<Sign>,
    /// Along what.
    pub path: Option<Sign>,
    /// Whither.
    pub direction: Option<Sign>,
}

impl Figure {
    /// Takes up a further tuple of the same movement: one tells whence, another whither.
    fn go_on(&mut self, other: &Figure, way: &mut Way, further: &Way) {
        self.numbers.extend(&other.numbers);
        self.place = self.place.take().or_else(|| other.place.clone());
        for note in &other.notes {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
        let join = |own: &mut Option<Sign>, other: &Option<Sign>| match (own.as_mut(), other) {
            (Some(own), Some(other)) if own.text != other.text => {
                own.text = format!("{} · {}", own.text, other.text);
                own.wrong |= other.wrong;
            }
            (None, Some(_)) => own.clone_from(other),
            _ => {}
        };
        join(&mut way.start, &further.start);
        join(&mut way.end, &further.end);
        join(&mut way.path, &further.path);
        join(&mut way.direction, &further.direction);
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scene {
    /// A ground, with figures on its sides.
    Ground {
        /// Its name.
        ground: String,
        /// Who is on which side.
        figures: Vec<(Side, Figure)>,
    },
    /// A figure on its way.
    Way(Figure, Way),
    /// A figure that is nowhere in particular.
    Alone(Figure),
}

impl Scene {
    /// The numbers of its tuples.
    pub fn numbers(&self) -> Vec<usize> {
        match self {
            Scene::Ground { figures, .. } => figures.iter().flat_map(|(_, figure)| figure.numbers.clone()).collect(),
            Scene::Way(figure, _) | Scene::Alone(figure) => figure.numbers.clone(),
        }
    }
}

/// The pictures of a passage, in the order of its tuples; what is at one ground shares a picture.
pub fn scenes(explored: &Explored, lang: Lang) -> Vec<Scene> {
    let mut scenes: Vec<Scene> = Vec::new();
    // Who moves by which event, and the number of the picture.
    let mut ways: Vec<([&[u32]; 2], usize)> = Vec::new();
    for (number, tuple) in explored.tuples.iter().enumerate() {
        let reader = Reader { explored, lang, tuple };
        let figure = reader.figure(number + 1);
        let [start, end, path, direction] = ["start", "end", "path", "direction"].map(|group| reader.sign(group));
        if start.is_some() || end.is_some() || path.is_some() || direction.is_some() {
            let way = Way { start, end, path, direction };
            match ways.iter().find(|(known, _)| *known == reader.mover()).and_then(|(_, at)| scenes.get_mut(*at)) {
                Some(Scene::Way(known, further)) => known.go_on(&figure, further, &way),
                _ => {
                    ways.push((reader.mover(), scenes.len()));
                    scenes.push(Scene::Way(figure, way));
                }
            }
            continue;
        }
        let Some(phrase) = tuple.role("处所") else {
            scenes.push(Scene::Alone(figure));
            continue;
        };
        let (ground, side) = place(&phrase.text);
        let same = scenes.iter_mut().find_map(|scene| match scene {
            Scene::Ground { ground: known, figures } if *known == ground => Some(figures),
            _ => None,
        });
        match same {
            Some(figures) => figures.push((side, figure)),
            None => scenes.push(Scene::Ground { ground, figures: vec![(side, figure)] }),
        }
    }
    scenes
}

/// A picture as SVG, with a text in its place for whoever does not see it.
pub fn svg(scene: &Scene, explored: &Explored, lang: Lang) -> String {
    let told: Vec<String> = scene
        .numbers()
        .iter()
        .filter_map(|number| explored.tuples.get(number - 1))
        .map(|tuple| {
            let roles = tuple.roles.iter().map(|role| format!("{} {}", look(role).label.get(lang), clean(&filled(role))));
            roles.collect::<Vec<_>>().join(lang.say("，", ", "))
        })
        .collect();
    draw::draw(scene, &told.join(lang.say("；", "; ")))
}

struct Reader<'e> {
    explored: &'e Explored,
    lang: Lang,
    tuple: &'e Tuple,
}

/// Groups that have a place of their own in a picture.
const DRAWN: [&str; 7] = ["entity", "event", "place", "start", "end", "path", "direction"];

impl<'e> Reader<'e> {
    /// The places of entity and event.
    fn mover(&self) -> [&'e [u32]; 2] {
        ["空间实体", "事件"].map(|name| self.tuple.role(name).map_or(&[][..], |role| &role.idxes))
    }

    fn told(&self, role: &Role) -> Sign {
        let look = look(role);
        let is_wrong = |place: &u32| self.explored.anomalies.iter().any(|anomaly| anomaly.idxes.contains(place));
        let wrong = role.idxes.iter().any(is_wrong);
        Sign { role: look.label.get(self.lang), text: clean(&filled(role)), colour: look.colour, wrong }
    }

    /// The first role of a group.
    fn sign(&self, group: &str) -> Option<Sign> {
        self.tuple.roles.iter().find(|role| look(role).group == group).map(|role| self.told(role))
    }

    fn figure(&self, number: usize) -> Figure {
        let entity = self.sign("entity").unwrap_or_else(|| Sign {
            role: self.lang.say("空间实体", "entity"),
            text: "?".to_owned(),
            colour: 0,
            wrong: false,
        });
        let is_first = |role: &&Role| self.tuple.roles.iter().find(|known| look(known).group == look(role).group) == Some(*role);
        let rest = self.tuple.roles.iter().filter(|role| !(DRAWN.contains(&look(role).group) && is_first(role)));
        let notes = rest.filter(|role| role.role != "事实性").map(|role| self.told(role)).collect();
        let denied = self.tuple.role("事实性").is_some();
        Figure { numbers: vec![number], entity, event: self.sign("event"), place: self.sign("place"), denied, notes }
    }
}
