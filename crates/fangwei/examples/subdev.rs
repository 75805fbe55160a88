//! scratch
#![allow(clippy::all, clippy::pedantic, missing_docs, clippy::print_stdout, clippy::unwrap_used)]
use fangwei::corpus::{tag::Tagger, Passage};
use fangwei::lexicon::Lexicon;
fn main() {
    let lexicon = Lexicon::shipped();
    let tagger = Tagger::new(lexicon);
    let mut ps = vec![];
    for g in ["news","literature","textbook","traffic","sport","geography","other"] { for f in ["01","02","03"] {
        let path = format!("/work/h/originals/source/{g}/{f}.txt");
        for (i,l) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            let (words, doubts) = tagger.tag(l);
            ps.push(Passage{ id: format!("{g}/{f}.txt#{}", i+1).into(), genre: g.into(), source: path.as_str().into(), line: i as u64+1, text: l.into(), words, doubts });
        }
    }}
    let (c, f) = fangwei::substitute::substitute(&ps, lexicon, &Default::default(), || ());
    println!("{f:#?} per original {} per word {}", f.per_original(), f.per_word());
    for c in c.iter().filter(|c| c.id.contains("news/01") || c.id.contains("sport/02")) {
        let r: Vec<String> = c.replaced.iter().map(|r| format!("{}→{}({})", r.from, r.to, r.group)).collect();
        println!("{} {}  {}", c.id, r.join(" "), c.context);
    }
}
