//! The role model as a predictor's model: learns from items of either year, believes tuples, and says why.

use fangwei::lang::Say;
use fangwei::task::{Item, Texts};

use super::draft::Draft;
use super::gold::{PLACES, Places, frames};
use super::second::Second;
use super::view::View;
use super::{Passage, Roles, tuple};
use crate::belief::{Belief, tuples};
use crate::explain::{Explanation, Point};
use crate::job::Job;
use crate::material::Part;
use crate::options::{Options, SECOND_LOOK};
use crate::predictor::{Model, PredictError};
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// The task in whose shape everything is learnt.
const TASK: &str = "2023/roles";

impl Roles {
    /// What a part of the material teaches: items of both years, each text once.
    pub fn passages(part: &Part<'_>) -> Result<Vec<Passage>, PredictError> {
        let task = fangwei::tasks::find(TASK)
            .map_err(|unknown| PredictError::Item { expected: TASK.to_owned(), found: format!("{unknown:?}") })?;
        let items = part.merged(task);
        let passages: Vec<Passage> = items
            .iter()
            .map(|merged| Passage {
                view: View::new(merged.item.texts.context()),
                frames: frames(&merged.item),
                group: merged.group,
            })
            .collect();
        if passages.iter().all(|passage| passage.frames.is_empty()) {
            return Err(PredictError::NoMaterial {
                expected: "2023/roles 2022/roles".to_owned(),
                found: format!("{} items without places", passages.len()),
            });
        }
        Ok(passages)
    }

    /// Learns from a part of the material.
    pub fn learn(job: &Job<'_>, part: &Part<'_>) -> Result<Roles, PredictError> {
        Roles::train(job, &Roles::passages(part)?, job.options.is_on(SECOND_LOOK.name))
    }

    /// What is thought of an item.
    pub fn tuples(&self, item: &Item, second: Option<&Second<'_>>) -> Result<Belief, PredictError> {
        let view = view_of(item)?;
        Ok(Belief::Tuples(self.drafts(&view, second).iter().map(|draft| (tuple(&view, draft), draft.worth)).collect()))
    }

    /// Why: the drafts that are answered, with what they rest on.
    pub fn points(&self, item: &Item, second: Option<&Second<'_>>) -> Result<Vec<Point>, PredictError> {
        let view = view_of(item)?;
        let drafts = self.drafts(&view, second);
        let told = tuples::answered(drafts.iter().map(|draft| draft.worth));
        Ok(drafts.iter().take(told).map(|draft| point(&view, draft)).collect())
    }

    /// The model that was kept.
    pub fn load(from: &ReadScope) -> Result<Roles, PredictError> {
        Roles::get(from)
    }
}

fn view_of(item: &Item) -> Result<View, PredictError> {
    match &item.texts {
        Texts::Pair { .. } => Err(PredictError::Item { expected: "one text".to_owned(), found: "two".to_owned() }),
        texts => Ok(View::new(texts.context())),
    }
}

impl Model for Roles {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        Roles::put(self, out)
    }

    fn believe(&self, item: &Item, _: &Options) -> Result<Belief, PredictError> {
        self.tuples(item, None)
    }

    fn explain(&self, item: &Item, _: &Options) -> Result<Explanation, PredictError> {
        Ok(Explanation { points: self.points(item, None)? })
    }
}

fn text_of(view: &View, at: &Places) -> String {
    at.iter().filter_map(|place| view.reading.chars.get(*place)).collect()
}

fn places(at: &Places) -> impl Iterator<Item = u32> + '_ {
    at.iter().map(|place| *place as u32)
}

/// A tuple with what it rests on: its anchor, its event, its places, and the three likeliest entities.
fn point(view: &View, draft: &Draft) -> Point {
    let mut parts = vec![
        Point::new(
            "anchor",
            view.reading.text(draft.anchor..draft.anchor + 1),
            Say::new("处所片段在此结束", "a place fragment ends here"),
        )
        .at([draft.anchor as u32])
        .odds(f64::from(draft.odds[0])),
    ];
    if draft.shape.event.is_empty() {
        parts.push(Point::new("event", "", Say::new("没有事件", "no event")).odds(draft.event_odds));
    } else {
        let say = Say::new("事件", "the event");
        parts.push(
            Point::new("event", text_of(view, &draft.shape.event), say).at(places(&draft.shape.event)).odds(draft.event_odds),
        );
    }
    for (role, at) in &draft.shape.places {
        parts.push(Point::new("place", text_of(view, at), Say::same(PLACES[*role])).at(places(at)));
    }
    if let Some((at, odds)) = &draft.time {
        parts.push(Point::new("time", text_of(view, at), Say::new("可能的时间", "a possible time")).at(places(at)).odds(*odds));
    }
    if draft.denied > 0.1 {
        parts.push(Point::new("denied", "", Say::new("可能并非事实", "perhaps not so")).odds(draft.denied));
    }
    for (head, odds) in draft.heads.iter().take(3) {
        let token = &view.reading.tokens[*head];
        let say = if *head == draft.head {
            Say::new("选作空间实体", "taken for the entity")
        } else {
            Say::new("也可能是空间实体", "might be the entity")
        };
        parts.push(Point::new("entity", token.text.as_str(), say).at(token.range().map(|place| place as u32)).odds(*odds));
    }
    let say = Say::new("期望得分", "is expected to earn");
    Point::new("tuple", text_of(view, &draft.entity), say).at(places(&draft.entity)).odds(draft.worth).with(parts)
}
