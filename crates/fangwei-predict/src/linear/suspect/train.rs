//! The training of suspicion, stage by stage; each stage sees of a text only what earlier stages say that have not seen its origin group.

use rayon::prelude::*;

use super::cloze::Cloze;
use super::evidence::{COLUMNS, Case, Weighed, rows};
use super::memory::Memory;
use super::passage::{Passage, passages};
use super::ranker::{Hints, score_sparse, target, train_sparse, train_trees, weights};
use super::rivals::Rivals;
use super::view::View;
use super::{INNER, Suspects, Suspicion, hints};
use crate::folds;
use crate::job::{Job, Keep};
use crate::learn::choice::Choice;
use crate::material::Part;
use crate::predictor::PredictError;
use crate::reading::Reading;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Models for texts that were learnt from: each has not seen some of the origin groups.
#[derive(Clone, Debug)]
pub struct HeldOut {
    fold_of: Vec<u32>,
    models: Vec<Suspicion>,
}

impl HeldOut {
    /// What the model that has not seen the origin group thinks of a text of it.
    pub fn suspects(&self, group: u32, reading: &Reading) -> Suspects {
        self.of(group).suspects(reading)
    }

    /// The model that has not seen the origin group.
    pub fn of(&self, group: u32) -> &Suspicion {
        &self.models[self.fold(group)]
    }

    /// The fold of an origin group.
    pub fn fold(&self, group: u32) -> usize {
        let fold = self.fold_of.get(group as usize).copied().unwrap_or(0) as usize;
        fold.min(self.models.len() - 1)
    }
}

impl Keep for HeldOut {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        out.put("fold_of", &self.fold_of);
        out.put("models", &[self.models.len() as u32]);
        for (number, model) in self.models.iter().enumerate() {
            model.put(&mut out.scope(&format!("model-{number}")))?;
        }
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<HeldOut, PredictError> {
        let count = from.get::<u32>("models")?.first().copied().unwrap_or(0);
        if count == 0 {
            return Err(from.unfit("models", "at least 1", 0).into());
        }
        let models =
            (0..count).map(|number| Suspicion::get(&from.scope(&format!("model-{number}")))).collect::<Result<_, _>>()?;
        Ok(HeldOut { fold_of: from.get::<u32>("fold_of")?.to_vec(), models })
    }
}

/// What counts and the cloze have learnt.
struct Base {
    rivals: Rivals,
    memory: Memory,
    cloze: Cloze,
}

impl Keep for Base {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        out.put_json("rivals", &self.rivals)?;
        out.put_json("memory", &self.memory)?;
        self.cloze.choice.save(&mut out.scope("cloze"));
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Base, PredictError> {
        let cloze = Cloze { choice: Choice::load(&from.scope("cloze"))? };
        Ok(Base { rivals: from.get_json("rivals")?, memory: from.get_json("memory")?, cloze })
    }
}

/// A sparse model as a stage keeps it.
struct Sparse(Choice);

impl Keep for Sparse {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.0.save(out);
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Sparse, PredictError> {
        Ok(Sparse(Choice::load(from)?))
    }
}

/// The texts of a training, with the fold of each.
struct Texts<'t> {
    passages: &'t [Passage],
    views: &'t [View<'t>],
    fold: &'t [usize],
}

impl<'t> Texts<'t> {
    /// Those outside of a fold; all of them for the last model, which no text is held out from.
    fn without(&self, held: usize) -> impl Iterator<Item = usize> + Clone + 't {
        let fold = self.fold;
        (0..fold.len()).filter(move |text| fold[*text] != held)
    }
}

pub(super) fn train(job: &Job<'_>, part: &Part<'_>) -> Result<(Suspicion, HeldOut), PredictError> {
    let job = job.within("suspect");
    let passages = passages(part);
    let mut sizes = vec![0; part.groups()];
    for passage in &passages {
        sizes[passage.group as usize] += 1;
    }
    let fold_of = folds::deal(&sizes, INNER, job.seed ^ 0x5a5a);
    let fold: Vec<usize> = passages.iter().map(|passage| fold_of[passage.group as usize]).collect();
    let views: Vec<View<'_>> = passages.par_iter().map(|passage| View::new(&passage.reading, &passage.sites)).collect();
    let texts = Texts { passages: &passages, views: &views, fold: &fold };

    // The last of each list is the one that has seen everything.
    let bases: Vec<Base> = (0..=INNER).map(|held| base(&job, &texts, held)).collect::<Result<_, _>>()?;
    let known: Vec<bool> = passages.iter().map(|passage| target(passage).is_some()).collect();
    let looked: Vec<(Vec<Weighed>, Hints)> = (0..passages.len())
        .into_par_iter()
        .map(|text| {
            if known[text] {
                hints(&bases[fold[text]].cloze, &bases[fold[text]].rivals, &passages[text].sites, &views[text])
            } else {
                (Vec::new(), Hints { sites: Vec::new() })
            }
        })
        .collect();
    let weight = weights(passages.iter());
    let sparse: Vec<Choice> = (0..=INNER)
        .map(|held| {
            let made = job.stage(&format!("sparse-{}", held + 1), |stage| {
                let cases = texts.without(held).map(|text| (&passages[text], &views[text], &looked[text].1, weight[text]));
                let sparse = train_sparse(cases, &mut stage.progress());
                stage.finish()?;
                Ok(Sparse(sparse))
            });
            made.map(|made| made.0)
        })
        .collect::<Result<_, _>>()?;
    let evidence: Vec<Vec<[f32; COLUMNS]>> = (0..passages.len())
        .into_par_iter()
        .map(|text| {
            if !known[text] {
                return Vec::new();
            }
            let (passage, base, (weighed, hints)) = (&passages[text], &bases[fold[text]], &looked[text]);
            let words = passage.sites.iter().map(|site| site.word.clone());
            let sparse = score_sparse(&sparse[fold[text]], words, &views[text], hints);
            let case = Case { reading: &passage.reading, sites: &passage.sites, view: &views[text], weighed, sparse: &sparse };
            rows(&case, &base.rivals, &base.memory)
        })
        .collect();
    let mut models = Vec::with_capacity(INNER + 1);
    for (held, (base, sparse)) in bases.into_iter().zip(sparse).enumerate() {
        let made = job.stage(&format!("model-{}", held + 1), |stage| {
            let cases =
                texts.without(held).filter(|text| known[*text]).map(|text| (&passages[text], &evidence[text][..], weight[text]));
            let trees = train_trees(cases, stage.job().seed, &mut stage.progress());
            stage.finish()?;
            Ok(Suspicion { rivals: base.rivals, memory: base.memory, cloze: base.cloze, sparse, trees })
        });
        models.push(made?);
    }
    let Some(last) = models.pop() else { return Err(PredictError::Interrupted) };
    Ok((last, HeldOut { fold_of: fold_of.into_iter().map(|fold| fold as u32).collect(), models }))
}

fn base(job: &Job<'_>, texts: &Texts<'_>, held: usize) -> Result<Base, PredictError> {
    job.stage(&format!("cloze-{}", held + 1), |stage| {
        let seen = texts.without(held);
        let with_views = || seen.clone().map(|text| (&texts.passages[text], &texts.views[text]));
        let rivals = Rivals::count(with_views().map(|(passage, _)| passage));
        let memory = Memory::count(with_views());
        let cloze = Cloze::train(with_views(), &rivals, &mut stage.progress());
        stage.finish()?;
        Ok(Base { rivals, memory, cloze })
    })
}
