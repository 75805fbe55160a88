//! How the sample's items came to be, from a sentence to judged candidates, and what an audit says of them.

use fangwei::audit::{Dataset, Options, audit};
use fangwei::corpus::Passage;
use fangwei::corpus::tag::Tagger;
use fangwei::lexicon::Lexicon;
use fangwei::record::{Source, read_all};
use fangwei::substitute::{Config, substitute};
use fangwei::table::{Cell, Format, Table};

use crate::lang::{lang, t};
use crate::output::Output;

const ORIGIN: &str = "literature/01.txt#1";
const SOURCE: &str = include_str!("../../../../../data/sample/source/literature/01.txt");
const JUDGED: &str = include_str!("../../../../../data/sample/gold/judge.jsonl");

/// The released answers of the sample, by file.
const ANSWERS: [(&str, &str); 6] = [
    ("2022/judge/train.jsonl", include_str!("../../../../../data/sample/pack/answers/2022/judge/train.jsonl")),
    ("2022/judge/dev.jsonl", include_str!("../../../../../data/sample/pack/answers/2022/judge/dev.jsonl")),
    ("2022/judge/test.jsonl", include_str!("../../../../../data/sample/pack/answers/2022/judge/test.jsonl")),
    ("2022/attribute/train.jsonl", include_str!("../../../../../data/sample/pack/answers/2022/attribute/train.jsonl")),
    ("2022/attribute/dev.jsonl", include_str!("../../../../../data/sample/pack/answers/2022/attribute/dev.jsonl")),
    ("2022/attribute/test.jsonl", include_str!("../../../../../data/sample/pack/answers/2022/attribute/test.jsonl")),
];

/// A sentence, its spatial words, and what becomes of it.
pub fn making(output: &mut Output) -> anyhow::Result<()> {
    output.line(t(
        "\n四、一道题是怎么来的：分词、标注、替换、判断\n",
        "\n4. How an item is made: segmented, tagged, substituted, judged\n",
    ));
    let text = SOURCE.lines().next().unwrap_or_default();
    let (words, doubts) = Tagger::new(Lexicon::shipped()).tag(text);
    let shown = words.iter().map(|word| match word.class {
        Some(class) => format!("{}/{}", word.text, class.title(lang())),
        None => word.text.to_string(),
    });
    output.line(&format!("  {}", shown.collect::<Vec<_>>().join(" ")));
    let passage = Passage {
        id: ORIGIN.into(),
        genre: "literature".into(),
        source: "literature/01.txt".into(),
        line: 1,
        text: text.to_owned(),
        words,
        doubts,
    };
    let config = Config { single: 4, double: 1, ..Config::default() };
    let (candidates, funnel) = substitute(&[passage], Lexicon::shipped(), &config, &[], || ())?;
    let possible = t("种可能的替换，取", "possible substitutions, of which");
    output.line(&format!("\n  {} {possible} {}:", funnel.possible, candidates.len()));
    for candidate in &candidates {
        let pairs: Vec<String> = candidate.replaced.iter().map(|replaced| format!("{}→{}", replaced.from, replaced.to)).collect();
        output.line(&format!("    {}", pairs.join(t("，", ", "))));
    }
    output.line(t(
        "\n  样例里由这句话替换而来、两人判断一致的：",
        "\n  made of this sentence in the sample, and judged alike by two annotators:",
    ));
    let (records, _) = read_all(Source::from_bytes("judge.jsonl", JUDGED)?)?;
    for (_, record) in &records {
        let text_of = |name: &str| record.get(name).and_then(|value| value.as_str()).unwrap_or_default();
        let Some(change) = text_of("qid").strip_prefix(ORIGIN).filter(|rest| rest.starts_with('@')) else { continue };
        let normal = record.get("judge") == Some(&fangwei::record::Json::Int(1));
        output.line(&format!("    {}  {change}", if normal { t("正常", "normal  ") } else { t("异常", "abnormal") }));
    }
    Ok(())
}

/// What the released sample gives away.
pub fn audited(output: &mut Output) -> anyhow::Result<()> {
    output.line(t(
        "\n五、审查样例：同源题是否跨集合，多少分数不需要理解\n",
        "\n5. The sample audited: siblings across splits, and how much of a score needs no understanding\n",
    ));
    let sets: Vec<Dataset> = ANSWERS
        .iter()
        .map(|(name, text)| Ok(Dataset::read(Source::from_bytes(name, *text)?, None)?))
        .collect::<anyhow::Result<_>>()?;
    let found = audit(&sets, &Options::default());
    let split = |file: &str| file.rsplit('/').next().unwrap_or_default().to_owned();
    let crossing = found.crossing.iter().filter(|pair| split(&pair.a) != split(&pair.b)).count();
    output.line(&format!(
        "  {} {}  {} {}  {} {crossing}\n",
        found.groups.count,
        t("个同源组", "origins"),
        found.malformed() + found.contradictions() + found.duplicates(),
        t("处缺陷", "defects"),
        t("跨集合的文件对", "file pairs that share an origin across splits")
    ));
    let mut table = Table::new([t("任务", "task"), t("捷径", "shortcut"), t("指标", "measure"), t("得分", "value")]);
    for shortcut in &found.shortcuts {
        table.row([
            Cell::from(shortcut.task),
            Cell::from(shortcut.name),
            Cell::from(shortcut.measure),
            Cell::from(shortcut.value),
        ]);
    }
    output.text(&table.render(Format::Text));
    Ok(())
}
