//! `2023/scene`: can two texts show one scene, and why? Nothing is learnt: ten examples were ever published. Knowledge of words decides instead.
//!
//! | step | file |
//! | --- | --- |
//! | the characters, words and phrase that differ | `difference` |
//! | who is where, by what, doing what | `actors` |
//! | what the words mean: orders, ways, regions, prepositions | `contrast`, with `order`, `motion`, `tables` |
//! | the reason in the parts of the template | `wording` |

mod actors;
mod contrast;
mod difference;
mod motion;
mod order;
pub(crate) mod tables;
mod wording;

use fangwei::lang::Say;
use fangwei::task::{Item, Texts};

use crate::belief::Belief;
use crate::explain::{Explanation, Point};
use crate::options::Options;
use crate::predictor::{Model, PredictError};
use crate::reading::Reading;
use crate::weights::{WeightsError, WriteScope};
use contrast::{Contrast, contrast};

/// The model, which has nothing of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scene;

/// The two texts of an item, compared; no contrast where they are equal.
fn compared(item: &Item) -> Result<(Reading, Reading, Option<Contrast>), PredictError> {
    let Texts::Pair { context1, context2 } = &item.texts else {
        return Err(PredictError::Item { expected: "2023/scene".to_owned(), found: "one text".to_owned() });
    };
    let (one, two) = (Reading::new(context1), Reading::new(context2));
    let found = contrast(&one, &two);
    Ok((one, two, found))
}

impl Model for Scene {
    fn put(&self, _: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        Ok(())
    }

    fn believe(&self, item: &Item, _: &Options) -> Result<Belief, PredictError> {
        let (one, two, found) = compared(item)?;
        let Some(found) = found else {
            let reason = "两段文本完全相同，没有形式差异。所以，两段文本可以描述同一个空间场景。".to_owned();
            return Ok(Belief::Scene { same: 1.0, if_not: reason.clone(), if_same: reason });
        };
        let (if_same, if_not) = wording::reasons(&found, &one, &two);
        Ok(Belief::Scene { same: found.same, if_same, if_not })
    }

    fn explain(&self, item: &Item, _: &Options) -> Result<Explanation, PredictError> {
        let (_, _, found) = compared(item)?;
        let Some(found) = found else { return Ok(Explanation::default()) };
        let why = match found.ground {
            "order" => Say::new("按排列次序和方向比较", "orders and directions are compared"),
            "region" => {
                Say::new("按方位词在该名词之后所指的区域比较", "regions that the locatives point to after this noun are compared")
            }
            "viewpoint" => Say::new("位移相同，只是观察点不同", "one motion seen from two sides"),
            "passage" => Say::new("离开一处就是进入另一处", "out of one place is into the next"),
            "medium" => Say::new("进出这类地方就是升降", "to enter or leave such a place is to sink or rise"),
            "fits" => Say::new("两个趋向可以是同一次位移", "both ways can be one motion"),
            "apart" => Say::new("位移的趋向不同", "the ways differ"),
            "preposition" => Say::new("按介词所引出的处所比较", "what the prepositions bring in is compared"),
            "verb" => Say::new("按动词的意义比较", "the meanings of the verbs are compared"),
            _ => Say::new("词表里没有这一对词，只是猜测", "no table has this pair: a guess"),
        };
        let at = |range: std::ops::Range<usize>| range.map(|place| place as u32);
        let word = |text: &str, range| Point::new("word", text, Say::new("不同的词", "a differing word")).at(at(range));
        let mut parts = vec![word(&found.words.one, found.words.at.first()), word(&found.words.two, found.words.at.second())];
        if let Some(range) = &found.actors.ground_at {
            parts.push(
                Point::new("noun", found.actors.ground.as_str(), Say::new("参照的事物", "what it is placed by"))
                    .at(at(range.clone())),
            );
        }
        if let Some(range) = &found.actors.verb_at {
            parts.push(Point::new("verb", found.actors.verb.as_str(), Say::new("动词", "the verb")).at(at(range.clone())));
        }
        Ok(Explanation { points: vec![Point::new("scene", "", why).odds(found.same).with(parts)] })
    }
}

#[cfg(test)]
mod tests;
