//! What people marked, seen from the places: a frame is a place with its event and everything else but the entity; entities are told apart from it.
//!
//! Nearly every place fragment belongs to one frame (97 in 100) and nearly every frame has one entity (96 in 100), so a frame is what an anchor asks for.

use fangwei::answer::{Answer, Element, Fragment};
use fangwei::score::tuples::{ENTITY, REFERENCE, TIME};
use fangwei::task::Item;

/// The roles that tell a place, in the order of the task.
pub const PLACES: [&str; 9] = ["处所", "起点", "终点", "方向", "朝向", "部件处所", "部位", "形状", "路径"];

/// The places of some characters, in order.
pub type Places = Vec<usize>;

/// A time: a fragment, a label or both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Time {
    /// Its characters.
    pub at: Places,
    /// Its label.
    pub label: Option<String>,
}

/// Everything of a tuple but its entity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The event.
    pub event: Option<Places>,
    /// Places by role, as numbers of [`PLACES`].
    pub places: Vec<(usize, Places)>,
    /// The time.
    pub time: Option<Time>,
    /// Whether it is marked as not so.
    pub denied: bool,
    /// The entities, each with the mentions that stand for the same.
    pub entities: Vec<Mentions>,
}

/// A mention as it was marked, and others of the same thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mentions {
    /// As marked.
    pub own: Places,
    /// Others that are as good.
    pub others: Vec<Places>,
}

fn places(fragment: &Fragment) -> Places {
    fragment.span.iter().map(|idx| idx.0 as usize).collect()
}

fn part<'t>(tuple: &'t [Element], role: &str) -> Option<&'t Element> {
    tuple.iter().find(|element| element.role == role)
}

fn fragment(tuple: &[Element], role: &str) -> Option<Places> {
    part(tuple, role).and_then(|element| element.fragment.value()).map(places).filter(|at| !at.is_empty())
}

/// The frames of an item with tuples; tuples that differ in the entity only are one. Distances are no frames: they have no place.
pub fn frames(item: &Item) -> Vec<Frame> {
    let Some(Answer::Tuples(tuples)) = &item.gold else { return Vec::new() };
    let length = item.texts.context().chars().count();
    let sets = item.corefs.as_ref().map(|corefs| corefs.same.as_slice()).unwrap_or_default();
    let mut frames: Vec<Frame> = Vec::new();
    for tuple in tuples {
        let inside = |at: &Places| at.iter().all(|place| *place < length);
        let Some(own) = fragment(tuple, ENTITY).filter(inside) else { continue };
        let roles = PLACES.iter().enumerate();
        let found: Vec<(usize, Places)> =
            roles.filter_map(|(role, name)| Some((role, fragment(tuple, name).filter(inside)?))).collect();
        if found.is_empty() || part(tuple, REFERENCE).is_some() {
            continue;
        }
        let event = fragment(tuple, "事件").filter(inside);
        let time = part(tuple, TIME).map(|element| Time {
            at: element.fragment.value().map(places).filter(inside).unwrap_or_default(),
            label: element.label.value().map(ToString::to_string),
        });
        let same = sets.iter().find(|set| set.iter().any(|mention| places(mention) == own));
        let others = same.map(|set| set.iter().map(places).filter(|at| *at != own && inside(at)).collect()).unwrap_or_default();
        let mentions = Mentions { own, others };
        match frames.iter_mut().find(|frame| frame.event == event && frame.places == found) {
            Some(frame) => frame.entities.push(mentions),
            None => {
                let denied = part(tuple, "事实性").is_some();
                frames.push(Frame { event, places: found, time, denied, entities: vec![mentions] });
            }
        }
    }
    frames
}
