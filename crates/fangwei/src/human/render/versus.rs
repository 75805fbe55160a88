//! People beside machines.

use super::{page, range, summaries};
use crate::human::versus::{Comparison, Versus};
use crate::lang::Lang;
use crate::page::Page;
use crate::table::Table;

/// People beside machines.
pub fn versus_page(comparison: &Comparison, lang: Lang) -> Page {
    let mut page = page(&comparison.head, lang);
    page.paragraph(lang.say("差为系统减人。", "Differences are machine minus people."));
    let parts = [
        (lang.say("有效被试", "Valid subjects"), Some(&comparison.valid)),
        (lang.say("包括所排除的", "With those excluded"), comparison.with_excluded.as_ref()),
    ];
    for (title, versus) in parts.into_iter().filter_map(|(title, versus)| Some((title, versus?))) {
        page.heading(title).table(summaries(lang, [(lang.say("被试", "subjects"), Some(&versus.people))]));
        machines(&mut page, lang, versus);
    }
    page
}

fn machines(page: &mut Page, lang: Lang, versus: &Versus) {
    let mut table = Table::new([
        lang.say("系统", "machine"),
        lang.say("作答", "answered"),
        lang.say("得分", "score"),
        lang.say("减人类平均", "minus mean of people"),
        lang.say("区间", "interval"),
        lang.say("p 置换", "p permutation"),
        lang.say("p 自助", "p bootstrap"),
        lang.say("高于几人", "above"),
        lang.say("显著高于", "beyond chance"),
        lang.say("显著低于", "below beyond chance"),
        lang.say("p McNemar（多数票）", "p McNemar (majority)"),
    ]);
    for machine in &versus.machines {
        table.row([
            machine.name.as_str().into(),
            machine.answered.into(),
            machine.score.into(),
            machine.mean.difference.into(),
            range(Some(&machine.mean.interval)),
            machine.mean.p_permutation.into(),
            machine.mean.p_bootstrap.into(),
            format!("{}/{}", machine.above, versus.people.people).into(),
            (machine.above_beyond_chance as u64).into(),
            (machine.below_beyond_chance as u64).into(),
            machine.vote.as_ref().map(|vote| vote.p).into(),
        ]);
    }
    page.table(table);
    if let Some(vote) = &versus.vote {
        page.paragraph(match lang {
            Lang::Zh => format!("多数票的得分 {:.4}；{} 题没有多数，算作没有答对。", vote.score, vote.ties),
            Lang::En => format!(
                "The majority vote scores {:.4}; {} items have no majority, which counts as not right.",
                vote.score, vote.ties
            ),
        });
    }
    let mut table = Table::new([
        lang.say("系统", "machine"),
        lang.say("被试", "subject"),
        lang.say("差", "difference"),
        lang.say("区间", "interval"),
        lang.say("p 置换", "p permutation"),
        lang.say("p Holm 校正", "p Holm"),
    ]);
    for (machine, beside) in
        versus.machines.iter().flat_map(|machine| machine.subjects.iter().map(move |beside| (machine, beside)))
    {
        table.row([
            machine.name.as_str().into(),
            beside.subject.as_str().into(),
            beside.difference.into(),
            range(Some(&beside.interval)),
            beside.p_permutation.into(),
            beside.p_holm.into(),
        ]);
    }
    page.table(table);
}
