//! Prints what an encoder makes of sentences: `embed DIR < sentences > vectors.jsonl`, a line of tokens and values for each.

use std::io::{BufRead, Write};
use std::path::Path;

use fangwei_encoder::EncoderError;
use fangwei_encoder::encoder::{Batch, Dropout, Sequence, encode};
use fangwei_encoder::folder::Pretrained;
use fangwei_encoder::parameters::to_numbers;
use fangwei_encoder::tokenise::tokenise;

fn main() -> Result<(), EncoderError> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let encoder = Pretrained::load(Path::new(&folder))?;
    let io = EncoderError::io;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(io(Path::new("-")))?;
        let tokens = tokenise(&encoder.vocabulary, &line);
        let sequence = Sequence::new(&encoder.vocabulary, &tokens.ids, None);
        let batch = Batch::new(&encoder.config, encoder.vocabulary.padding, std::iter::once(&sequence));
        let values = to_numbers(encode(&encoder.config, &encoder.parameters, &batch, &mut Dropout::off()));
        let out = serde_json::json!({ "ids": sequence.ids, "values": values });
        writeln!(std::io::stdout(), "{out}").map_err(io(Path::new("-")))?;
    }
    Ok(())
}
