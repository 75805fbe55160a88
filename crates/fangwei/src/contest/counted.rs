//! Which of a team's submissions counts, and what stood on the board after each of them.

use super::Rule;

/// A scored submission, as far as counting needs it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sent {
    /// Whether the team chose it.
    pub is_chosen: bool,
    /// The value that ranks, over the items that count.
    pub ranking: f64,
}

impl Rule {
    /// The number of the submission that counts, of all of a team for one task, in the order of their arrival. Of equals the first counts.
    pub fn counted(self, sent: &[Sent]) -> Option<usize> {
        let best = |numbers: &mut dyn Iterator<Item = usize>| {
            numbers.fold(None, |best: Option<usize>, number| match best {
                Some(best) if sent[best].ranking >= sent[number].ranking => Some(best),
                _ => Some(number),
            })
        };
        let last = sent.len().checked_sub(1);
        match self {
            Rule::Last => last,
            Rule::Best => best(&mut (0..sent.len())),
            Rule::Chosen => best(&mut (0..sent.len()).filter(|number| sent[*number].is_chosen)).or(last),
        }
    }

    /// What counted after each submission: what a board that was looked at all the time has shown.
    pub fn history(self, sent: &[Sent]) -> Vec<f64> {
        (1..=sent.len()).filter_map(|count| self.counted(&sent[..count])).map(|number| sent[number].ranking).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_best_and_chosen() {
        let sent = [(0.4, false), (0.9, true), (0.7, true), (0.9, false), (0.3, false)];
        let sent = sent.map(|(ranking, is_chosen)| Sent { is_chosen, ranking });
        let counted = |rule: Rule| rule.counted(&sent);
        assert_eq!((counted(Rule::Last), counted(Rule::Best), counted(Rule::Chosen)), (Some(4), Some(1), Some(1)));
        assert_eq!(Rule::Chosen.counted(&sent[3..]), Some(1), "who chose nothing has the last one count");
        for rule in Rule::ALL {
            assert_eq!(rule.counted(&[]), None, "n/a");
        }
        assert_eq!(Rule::Best.history(&sent), [0.4, 0.9, 0.9, 0.9, 0.9]);
        assert_eq!(Rule::Last.history(&sent), [0.4, 0.9, 0.7, 0.9, 0.3]);
    }
}
