use super::*;
use crate::lang::Lang;

fn shipped() -> (Lexicon, Vec<crate::record::Defect>) {
    let files = read::SHIPPED.map(|(name, text)| (name.to_owned(), text.to_owned()));
    Lexicon::parse(&files)
}

#[test]
fn the_shipped_lexicon_is_without_defect_and_large_enough() {
    let (lexicon, defects) = shipped();
    let told: Vec<String> = defects.iter().map(|defect| defect.render(Lang::En)).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    let words: BTreeSet<&str> = lexicon.entries().iter().map(|entry| entry.word.as_str()).collect();
    assert!(words.len() >= 1200, "{} words", words.len());
    assert!(lexicon.pairs().len() >= 5600, "{} pairs", lexicon.pairs().len());
}
