//! 方位 fangwei: the whole life of a Chinese spatial-understanding evaluation as pure functions.
//!
//! This library never prints, asks no clock, opens no network connection and takes its randomness from seeds.
//!
//! Where to find things:
//!
//! | room | what it does |
//! | --- | --- |
//! | [`text`] | characters and their places |
//! | [`record`] | files into records, records into files, defects with their places |
//! | [`answer`], [`task`], [`tasks`] | what is asked, what is answered, the nine tasks of 2021 to 2023 and the two of the early 2022 page |
//! | [`annotate`] | marks of people and the rules that they are checked by |
//! | [`mod@validate`] | every defect of a submission |
//! | [`score`] | official and spec scores, alignments, facets |
//! | [`stats`], [`mod@compare`], [`origin`] | intervals and tests, resampled by origin |
//! | [`mod@agree`] | how far annotators agree, who stands apart, what becomes gold |
//! | [`mod@audit`], [`prior`] | siblings across files, label skew, shortcuts |
//! | [`human`] | how people do on a task, and beside machines |
//! | [`mod@rank`] | boards and ranking policies |
//! | [`contest`] | a competition as a file: phases, gates, quotas, boards, and what changed since |
//! | [`corpus`] | raw text into passages |
//! | [`convert`] | from one year's format to another's, and to other tools' |
//! | [`reasons`], [`mod@release`] | wrong reasons for 2021; from gold to a pack of files with hashes and a data sheet |
//! | [`lexicon`] | spatial words by class, what may take their place, nouns and their locatives |
//! | [`mod@select`] | which passages are worth a question |
//! | [`ask`] | prompts for language models, and their replies as answers |
//! | [`lang`], [`table`], [`page`] | two languages, tables, pages for people |
//!
//! ```
//! use fangwei::record::Source;
//! use fangwei::score::{read_preds, score};
//! use fangwei::task::Mode;
//!
//! let task = fangwei::tasks::find("2022/judge")?;
//! let gold = r#"{"qid":"1","context":"他跳进山洞外","judge":0}"#;
//! let preds = read_preds(task, Source::from_bytes("preds", r#"{"qid":"1","judge":0}"#)?)?;
//! let scored = score(task, Mode::Official, Source::from_bytes("gold", gold)?, &preds, |_, _| ())?;
//! assert_eq!(scored.measures().get("accuracy"), Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod agree;
pub mod annotate;
pub mod answer;
pub mod ask;
pub mod audit;
pub mod chance;
pub mod compare;
pub mod contest;
pub mod convert;
pub mod corpus;
pub mod figure;
mod hash;
pub mod human;
pub mod lang;
pub mod lexicon;
pub mod origin;
pub mod page;
pub mod prior;
pub mod rank;
pub mod reasons;
pub mod record;
pub mod release;
pub mod report;
pub mod score;
pub mod select;
pub mod stats;
pub mod substitute;
pub mod table;
pub mod task;
pub mod tasks;
pub mod text;
pub mod validate;
