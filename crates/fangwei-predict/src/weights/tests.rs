use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Weights, WeightsError, Writer, f16};

struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("fangwei-weights-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self) -> PathBuf {
        self.0.join("weights.fw")
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

fn small() -> Writer {
    let mut writer = Writer::new();
    writer.put("a.keys", &[1u32, 2, 3]);
    writer.put("a.empty", &[] as &[u64]);
    writer.scope("a").scope("b").put("halves", &[f16::from_f32(0.5), f16::from_f32(-2.0)]);
    writer.put("floats", &[1.5f32, f32::MIN_POSITIVE]);
    writer.put_json("options", &vec!["x", "y"]).unwrap();
    writer
}

/// Everything in the file, as text.
fn content(weights: &Arc<Weights>) -> Result<String, WeightsError> {
    let keys = weights.get::<u32>("a.keys")?;
    let halves = weights.scope("a").scope("b").get::<f16>("halves")?;
    let floats = weights.get::<f32>("floats")?;
    let empty = weights.get::<u64>("a.empty")?;
    let options: Vec<String> = weights.get_json("options")?;
    Ok(format!("{:?} {:?} {:?} {:?} {options:?}", &*keys, &*halves, &*floats, &*empty))
}

#[test]
fn what_is_written_is_read() {
    let place = Temporary::new("roundtrip");
    small().write(place.file()).unwrap();
    let weights = Weights::open(place.file()).unwrap();
    assert_eq!(content(&weights).unwrap(), r#"[1, 2, 3] [0.5, -2.0] [1.5, 1.1754944e-38] [] ["x", "y"]"#);
    assert_eq!(weights.names().collect::<Vec<_>>(), ["a.keys", "a.empty", "a.b.halves", "floats", "options"]);
    // Only the file itself is left in the folder.
    assert_eq!(fs::read_dir(&place.0).unwrap().count(), 1);
}

#[test]
fn a_section_outlives_the_file_and_its_successor() {
    let place = Temporary::new("outlives");
    small().write(place.file()).unwrap();
    let keys = Weights::open(place.file()).unwrap().get::<u32>("a.keys").unwrap();
    Writer::new().write(place.file()).unwrap();
    assert_eq!(*keys, [1, 2, 3]);
    assert_eq!(Weights::open(place.file()).unwrap().names().count(), 0);
}

#[test]
fn every_cut_and_every_flip_is_an_error_or_changes_nothing() {
    let place = Temporary::new("damage");
    small().write(place.file()).unwrap();
    let whole = fs::read(place.file()).unwrap();
    let expected = content(&Weights::open(place.file()).unwrap()).unwrap();
    let damaged = place.0.join("damaged.fw");
    for cut in 0..whole.len() {
        fs::write(&damaged, &whole[..cut]).unwrap();
        assert!(Weights::open(&damaged).is_err(), "cut at {cut} of {}", whole.len());
    }
    let mut harmless = 0;
    for at in 0..whole.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            fs::write(&damaged, &bytes).unwrap();
            if let Ok(weights) = Weights::open(&damaged) {
                assert_eq!(content(&weights).unwrap(), expected, "byte {at}");
                harmless += 1;
            }
        }
    }
    // Only the padding before sections and the four spare bytes of the prefix may differ without harm.
    assert!(harmless / 3 < 5 * 64 + 4, "{harmless}");
    let mut longer = whole.clone();
    longer.push(0);
    fs::write(&damaged, &longer).unwrap();
    assert!(Weights::open(&damaged).is_err());
}

#[test]
fn errors_say_what_was_expected_and_found() {
    let place = Temporary::new("errors");
    let message = |error: WeightsError| error.to_string().replace(&place.0.display().to_string(), "DIR");
    fs::write(place.file(), b"PK\x03\x04 something else entirely").unwrap();
    assert_eq!(
        message(Weights::open(place.file()).unwrap_err()),
        r#"DIR/weights.fw: not a weights file: expected the first bytes "FANGWEI\\x00", found "PK\\x03\\x04 som""#
    );
    small().write(place.file()).unwrap();
    let mut bytes = fs::read(place.file()).unwrap();
    bytes[8] = 9;
    fs::write(place.file(), &bytes).unwrap();
    let found = message(Weights::open(place.file()).unwrap_err());
    assert!(found.contains("expected format version 1, found 9"), "{found}");
    let mut twice = Writer::new();
    twice.put("x", &[1u8]);
    twice.put("x", &[2u8]);
    assert!(matches!(twice.write(place.file()), Err(WeightsError::Duplicate { name, .. }) if name == "x"));
}
