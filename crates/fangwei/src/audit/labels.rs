//! Items that occur twice, and answers to one text that cannot both be right.

use rustc_hash::FxHashMap;

use super::input::{Told, told};
use super::pool::{Place, Pool};
use crate::lang::Say;
use crate::record::{Check, Code, Defect};
use crate::task::{Item, Texts};

/// Duplicates and contradictions, in the order of files and items.
pub(super) fn labels(pool: &Pool<'_>) -> Vec<Defect> {
    let mut defects = same_question(pool);
    defects.extend(same_text(pool));
    defects
}

/// Notes a defect of the item at `place`.
fn note(pool: &Pool<'_>, place: Place, code: Code, expected: Say, found: Say) -> Vec<Defect> {
    let set = &pool.files[place.file];
    let mut check = Check::new(set.name.clone(), set.lines[place.item]);
    check.qid = Some(pool.item(place).qid.clone());
    check.add(code, expected, found);
    check.defects
}

fn name(pool: &Pool<'_>, place: Place) -> String {
    format!("{} {}", pool.files[place.file].name, pool.item(place).qid)
}

/// One task asks one question twice: in one file it is a duplicate; with two answers, here or there, it is a contradiction.
fn same_question(pool: &Pool<'_>) -> Vec<Defect> {
    let mut first: FxHashMap<(&str, &str, &str), Place> = FxHashMap::default();
    let mut defects = Vec::new();
    for (file, set) in pool.files.iter().enumerate() {
        let Some(task) = set.task else { continue };
        for (number, item) in set.items.iter().enumerate() {
            let place = Place { file, item: number };
            let beside = match &item.texts {
                Texts::Reason { reason, .. } => reason.as_str(),
                Texts::Pair { context2, .. } => context2.as_str(),
                Texts::One { .. } | Texts::Absent => "",
            };
            let earlier = *first.entry((task.id(), item.texts.context(), beside)).or_insert(place);
            if earlier == place {
                continue;
            }
            let other = pool.item(earlier);
            if item.gold.is_some() && other.gold.is_some() && item.gold != other.gold {
                // Verdicts on texts are told with all others of the text.
                if !matches!((told(item), told(other)), (Some(Told::Judged(_)), Some(Told::Judged(_)))) {
                    let expected = Say::new(format!("与 {} 相同", name(pool, earlier)), format!("as {}", name(pool, earlier)));
                    defects.extend(note(pool, place, Code::ContradictoryGold, expected, Say::new("另一答案", "another answer")));
                }
            } else if earlier.file == file {
                let expected = Say::new("每题一次", "each item once");
                defects.extend(note(pool, place, Code::DuplicateItem, expected, Say::same(name(pool, earlier))));
            }
        }
    }
    defects
}

/// What the answer of an item says about its text, in words.
fn said(item: &Item) -> Option<(bool, Say)> {
    Some(match told(item)? {
        Told::Judged(true) => (true, Say::new("判为正常", "judged normal")),
        Told::Judged(false) => (false, Say::new("判为异常", "judged abnormal")),
        Told::Abnormal => (false, Say::new("有异常归因", "explained as abnormal")),
        Told::Described => (true, Say::new("有空间关系标注", "described as a scene")),
    })
}

/// A text is normal in one place and abnormal in another.
fn same_text(pool: &Pool<'_>) -> Vec<Defect> {
    let mut defects = Vec::new();
    for places in &pool.places {
        let mut told = places.iter().filter_map(|place| Some((*place, said(pool.item(*place))?)));
        let Some((first, (normal, what))) = told.next() else { continue };
        for (place, (_, found)) in told.filter(|(_, (other, _))| *other != normal) {
            let at = name(pool, first);
            let expected = Say::new(format!("{}（{at}）", what.zh), format!("{} ({at})", what.en));
            defects.extend(note(pool, place, Code::ContradictoryGold, expected, found));
        }
    }
    defects
}
