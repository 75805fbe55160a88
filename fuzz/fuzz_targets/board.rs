//! A board, read as CSV or JSON, ranked under every policy and shown in every form.
#![no_main]

use fangwei::lang::Lang;
use fangwei::rank::{Board, POLICIES, rank, remarks, table};
use fangwei::table::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let reading = Board::read(text);
    for named in POLICIES {
        let ranking = rank(&reading.board, &named.policy);
        for lang in [Lang::Zh, Lang::En] {
            for format in [Format::Text, Format::Markdown, Format::Csv] {
                table(&ranking, lang).render(format);
            }
            remarks(&ranking, lang);
        }
    }
});
