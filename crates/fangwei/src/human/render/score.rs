//! How well people did, how far they agree, and on which items they do not.

use super::{page, range, summaries};
use crate::agree::{GradeRule, OutlierRule};
use crate::human::score::{OBJECTIVE, StudyScores, Subjective};
use crate::lang::Lang;
use crate::page::{Page, percent};
use crate::table::Table;

/// So many disputed items are shown; JSON has all.
const MOST_ITEMS: usize = 30;

/// How well people did.
pub fn score_page(scores: &StudyScores, lang: Lang) -> Page {
    let mut page = page(&scores.head, lang);
    let mut table = Table::new([
        lang.say("被试", "subject"),
        lang.say("作答", "answered"),
        lang.say("迟到", "late"),
        lang.say("秒（中位数）", "seconds (median)"),
        lang.say("得分", "score"),
        lang.say("区间", "interval"),
        "Wilson",
        lang.say("排除", "excluded"),
    ]);
    for subject in &scores.subjects {
        table.row([
            subject.name.as_str().into(),
            subject.answered.into(),
            subject.late.into(),
            subject.median_seconds.map(|seconds| format!("{seconds:.1}")).into(),
            subject.score.into(),
            range(Some(&subject.interval)),
            range(subject.wilson.as_ref()),
            subject.excluded.as_deref().into(),
        ]);
    }
    let has_excluded = scores.subjects.iter().any(|subject| subject.excluded.is_some());
    page.heading(lang.say("被试", "Subjects")).table(table);
    let rows = [
        (lang.say("有效被试", "valid subjects"), scores.valid.as_ref()),
        (lang.say("包括所排除的", "with those excluded"), scores.all.as_ref().filter(|_| has_excluded)),
    ];
    page.table(summaries(lang, rows));
    page.paragraph(lang.say("标准差除以人数。", "Deviations divide by the number of people."));
    page.append(scores.agreement.page(lang, &OutlierRule::default(), &GradeRule::default()));
    disputed(&mut page, lang, &scores.subjective);
    page
}

fn disputed(page: &mut Page, lang: Lang, items: &[Subjective]) {
    let share = percent(OBJECTIVE);
    page.heading(match lang {
        Lang::Zh => format!("主观性强的题：意见相同的不到 {share}（共 {} 题）", items.len()),
        Lang::En => format!("Subjective items: fewer than {share} agree ({} in all)", items.len()),
    });
    if items.is_empty() {
        page.paragraph(lang.say("没有。", "None."));
        return;
    }
    let mut table = Table::new([
        lang.say("题", "item"),
        lang.say("一致", "agreement"),
        lang.say("平均得分", "mean score"),
        lang.say("答案", "answers"),
        lang.say("标准答案", "gold"),
        lang.say("文本", "text"),
    ]);
    for item in items.iter().take(MOST_ITEMS) {
        let labels: Vec<String> = item.labels.iter().map(|(label, count)| format!("{label} {count}")).collect();
        table.row([
            item.qid.as_str().into(),
            item.agreement.into(),
            item.score.into(),
            labels.join(", ").into(),
            item.gold.as_deref().into(),
            item.text.as_str().into(),
        ]);
    }
    page.table(table);
}
