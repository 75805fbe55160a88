//! Takes out proposals that are true, may be true, or cannot be quoted; what is left is wrong as far as gold can tell.

use super::rules::Proposal;
use super::sentence::{Sentence, is_quotable};
use crate::answer::ReasonType;
use crate::text::IdxSet;

/// Quotations longer than this are nobody's reason.
const LONGEST: usize = 30;

/// Why a proposal was taken out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Dropped {
    /// It is a true reason.
    Equal,
    /// It holds a true reason within it.
    Contains,
    /// It is so near to a true reason that it would be true too.
    TrueToo,
    /// Another proposal, or a reason that people judged, says the same.
    Repeated,
    /// It quotes nothing, too much, the same twice, or a quotation mark.
    Unquotable,
}

fn union(parts: &[IdxSet]) -> IdxSet {
    parts.iter().fold(IdxSet::default(), |all, part| all.union(part))
}

/// Why a proposal cannot be used for a sentence, or `None`.
///
/// Against a true reason of the same type of 2022, a proposal is taken out if it covers all its characters or quotes its words, or if each of its quotations meets them.
/// What is said to be against common sense may not meet any true reason: where a fragment is wrong for whatever reason, that is not sensible either.
pub fn dropped(sentence: &Sentence, proposal: &Proposal) -> Option<Dropped> {
    let statement = &proposal.statement;
    let length = |text: &str| text.chars().count();
    let long = length(&statement.x) > LONGEST || statement.y.as_deref().is_some_and(|y| length(y) > LONGEST);
    if !is_quotable(statement) || long || statement.y.as_deref() == Some(&statement.x) {
        return Some(Dropped::Unquotable);
    }
    if proposal.parts.len() == 2 && proposal.parts[0].overlap(&proposal.parts[1]) > 0 {
        return Some(Dropped::Unquotable);
    }
    if sentence.truths.iter().any(|known| known.statement.same_as(statement)) {
        return Some(Dropped::Equal);
    }
    let (kind, covered) = (statement.frame.kind(), union(&proposal.parts));
    for known in &sentence.truths {
        let truth = union(&known.parts);
        let sense = kind == ReasonType::C;
        let same_kind = known.statement.frame.kind() == kind;
        let covers = (same_kind || sense) && !truth.is_empty() && truth.is_subset(&covered);
        if covers || statement.contains(&known.statement) {
            return Some(Dropped::Contains);
        }
        let meets = |part: &IdxSet| part.overlap(&truth) > 0;
        if same_kind && proposal.parts.iter().all(meets) || sense && proposal.parts.iter().any(meets) {
            return Some(Dropped::TrueToo);
        }
    }
    let said = sentence.wrong.iter().any(|known| known.statement.same_as(statement));
    said.then_some(Dropped::Repeated)
}

#[cfg(test)]
mod tests {
    use super::super::frame::{Frame, Statement};
    use super::super::sentence::abnormal;
    use super::*;
    use crate::record::{Check, Json};

    /// True are “停在”和“树上”不宜搭配 and, of type B, “木船” against “走出”.
    fn sentence() -> Sentence {
        let line = r#"{"qid":"b","context":"木船停在树上，老人走出船舱，树上有风。","reasons":[
            {"type":"A","fragments":[{"role":"text1","text":"停在","idxes":[2,3]},{"role":"text2","text":"树上","idxes":[4,5]}]},
            {"type":"B","fragments":[{"role":"S1","text":"木船","idxes":[0,1]},{"role":"E2","text":"走出","idxes":[9,10]}]}]}"#;
        let task = crate::tasks::find("2022/attribute").expect("a task");
        let given = Json::parse(line.as_bytes()).expect("JSON");
        let item = crate::task::read_item(task, &given, true, &mut Check::new("".into(), 1)).expect("an item");
        abnormal(&[item]).remove(0)
    }

    fn judged(frame: Frame, parts: &[std::ops::Range<u32>]) -> Option<Dropped> {
        let sentence = sentence();
        let parts: Vec<IdxSet> = parts.iter().map(|part| part.clone().map(crate::text::CharIdx).collect()).collect();
        let quote = |part: &IdxSet| sentence.quote(part);
        let statement = Statement::new(frame, quote(&parts[0]), parts.get(1).map(quote));
        dropped(&sentence, &Proposal { statement, parts })
    }

    #[test]
    #[allow(clippy::single_range_in_vec_init, reason = "a quotation is one stretch")]
    fn each_proposal_is_taken_out_for_its_reason() {
        for (frame, parts, expected) in [
            (Frame::Match, &[2..4, 4..6][..], Some(Dropped::Equal)),
            (Frame::Match, &[4..6, 2..4], Some(Dropped::Equal)),
            // The same words further on: 树上 stands twice.
            (Frame::Match, &[2..4, 14..16], Some(Dropped::Equal)),
            (Frame::Match, &[1..4, 4..6], Some(Dropped::Contains)),
            // 停 and 上 lie in the true pair without being it.
            (Frame::Match, &[2..3, 5..6], Some(Dropped::TrueToo)),
            (Frame::Match, &[2..4, 11..13], None),
            // 2022 does not tell the two conflicts apart.
            (Frame::Meaning, &[0..2, 9..11], Some(Dropped::Equal)),
            (Frame::Information, &[0..2, 9..10], Some(Dropped::TrueToo)),
            // Another type may quote the same words.
            (Frame::Information, &[2..4, 4..6], None),
            // What is wrong is not sensible either.
            (Frame::Sense, &[2..6], Some(Dropped::Contains)),
            (Frame::Sense, &[4..6], Some(Dropped::TrueToo)),
            (Frame::Sense, &[11..13], None),
            (Frame::Meaning, &[7..9, 7..9], Some(Dropped::Unquotable)),
            (Frame::Meaning, &[7..9, 8..10], Some(Dropped::Unquotable)),
        ] {
            assert_eq!(judged(frame, parts), expected, "{frame:?} {parts:?}");
        }
    }
}
