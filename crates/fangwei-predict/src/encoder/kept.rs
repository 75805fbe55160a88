//! A network in a model's file: shape, vocabulary and weights in half precision, so that answering does not ask for the encoder's folder again.

use fangwei_encoder::config::Config;
use fangwei_encoder::folder::{CONFIG, VOCABULARY};
use fangwei_encoder::heads::{HEAD, Network, Shaped};
use fangwei_encoder::vocabulary::Vocabulary;

use super::stages::{get_parameters, put_parameters};
use super::told;
use crate::predictor::PredictError;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Puts a network into a file.
pub fn put(network: &Network, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
    out.put_json("config", &network.config)?;
    out.put_json("vocabulary", &(network.vocabulary.to_text(), network.vocabulary.lower))?;
    put_parameters(&network.parameters, &mut out.scope("parameters"), true)
}

/// Takes a network with this head out again. A matrix of another shape would be a panic in the middle of an answer, so all are looked at.
pub fn get(from: &ReadScope, head: &dyn Shaped) -> Result<Network, PredictError> {
    let config: Config = from.get_json("config")?;
    let config = Config::parse(&serde_json::to_string(&config).unwrap_or_default(), CONFIG).map_err(told)?;
    let (text, lower): (String, bool) = from.get_json("vocabulary")?;
    let vocabulary = Vocabulary::parse(&text, lower, VOCABULARY).map_err(told)?;
    let parameters = get_parameters(&from.scope("parameters"))?;
    let of_head = head.shapes(&config).into_iter().map(|(name, shape)| (format!("{HEAD}{name}"), shape));
    for (name, shape) in config.shapes().into_iter().chain(of_head) {
        let found = parameters.shape(&name);
        if found.as_ref() != Some(&shape) {
            return Err(from.unfit(&format!("parameters: {name}"), format!("{shape:?}"), format!("{found:?}")).into());
        }
    }
    Ok(Network { config, vocabulary, parameters, words: None })
}
