//! The epochs of a training as stages of a job: what each made is kept, so that an interrupted training goes on with the epoch that it was in.

use fangwei_encoder::heads::{Example, Head, Network};
use fangwei_encoder::optimise::Moments;
use fangwei_encoder::parameters::Parameters;
use fangwei_encoder::train::{Plan, State, epoch};

use crate::job::{Job, Keep};
use crate::predictor::PredictError;
use crate::weights::{ReadScope, WeightsError, WriteScope, f16};

/// Trains a network with its head.
pub fn train<H: Head>(
    job: &Job<'_>,
    head: &H,
    network: Network,
    examples: &[Example<H::Gold>],
    plan: &Plan,
) -> Result<Network, PredictError> {
    if examples.is_empty() || plan.epochs == 0 {
        return Ok(network);
    }
    let plan = Plan { seed: job.seed, ..*plan };
    let Kept(state) = after(job, head, &network, examples, &plan, plan.epochs)?;
    Ok(Network { parameters: state.parameters, ..network })
}

/// What is known after an epoch. The last one is asked for; it asks for the one before only if it is not kept.
fn after<H: Head>(
    job: &Job<'_>,
    head: &H,
    network: &Network,
    examples: &[Example<H::Gold>],
    plan: &Plan,
    number: usize,
) -> Result<Kept, PredictError> {
    let made = job.stage(&format!("epoch-{number}"), |stage| {
        let before = if number > 1 { after(job, head, network, examples, plan, number - 1)?.0 } else { State::new(network) };
        epoch(head, network, examples, plan, number, before, &mut |step, steps, loss| stage.report(step, steps, loss)).map(Kept)
    })?;
    if number > 1 {
        job.forget(&format!("epoch-{}", number - 1));
    }
    Ok(made)
}

/// A training between two epochs, as a stage keeps it.
struct Kept(State);

impl Keep for Kept {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        put_parameters(&self.0.parameters, &mut out.scope("parameters"), false)?;
        put_parameters(&self.0.moments.first, &mut out.scope("first"), false)?;
        put_parameters(&self.0.moments.second, &mut out.scope("second"), false)
    }

    fn get(from: &ReadScope) -> Result<Kept, PredictError> {
        let parameters = get_parameters(&from.scope("parameters"))?;
        let moments = Moments { first: get_parameters(&from.scope("first"))?, second: get_parameters(&from.scope("second"))? };
        Ok(Kept(State { parameters, moments }))
    }
}

/// Puts parameters into a file: their names and shapes, and all numbers in one row, halved in precision if wanted.
pub fn put_parameters(parameters: &Parameters, out: &mut WriteScope<'_>, halved: bool) -> Result<(), WeightsError> {
    let (mut shapes, mut all) = (Vec::new(), Vec::new());
    for (name, shape, numbers) in parameters.numbers() {
        shapes.push((name.to_owned(), shape));
        all.extend(numbers);
    }
    out.put_json("shapes", &(shapes, halved))?;
    if halved {
        out.put("numbers", &all.into_iter().map(f16::from_f32).collect::<Vec<_>>());
    } else {
        out.put("numbers", &all);
    }
    Ok(())
}

/// Takes them out again.
pub fn get_parameters(from: &ReadScope) -> Result<Parameters, PredictError> {
    let (shapes, halved): (Vec<(String, Vec<usize>)>, bool) = from.get_json("shapes")?;
    let numbers: Vec<f32> = if halved {
        from.get::<f16>("numbers")?.iter().map(|number| number.to_f32()).collect()
    } else {
        from.get::<f32>("numbers")?.to_vec()
    };
    let size = |shape: &[usize]| shape.iter().try_fold(1_usize, |product, length| product.checked_mul(*length));
    let sum = shapes.iter().try_fold(0_usize, |sum, (_, shape)| sum.checked_add(size(shape)?));
    if sum != Some(numbers.len()) || shapes.iter().any(|(_, shape)| shape.is_empty() || shape.len() > 2) {
        return Err(from.unfit("numbers", format!("{sum:?} numbers"), numbers.len()).into());
    }
    let (mut parameters, mut rest) = (Parameters::default(), numbers.as_slice());
    for (name, shape) in shapes {
        let (own, other) = rest.split_at(shape.iter().product());
        parameters.put(name, &shape, own.to_vec());
        rest = other;
    }
    Ok(parameters)
}

/// Parameters as they are after they were kept in half precision: a model answers the same before and after it is kept.
#[must_use]
pub fn halved(parameters: &Parameters) -> Parameters {
    let mut kept = Parameters::default();
    for (name, shape, numbers) in parameters.numbers() {
        kept.put(name, &shape, numbers.into_iter().map(|number| f16::from_f32(number).to_f32()).collect());
    }
    kept
}

#[cfg(test)]
mod tests;
