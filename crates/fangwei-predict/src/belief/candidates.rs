//! Answers made of fragments: as sets of marks for [`mbr`], and back.

use fangwei::answer::{Fragment, RoleFragment};
use smol_str::SmolStr;

use super::mbr::{self, Mark};

/// Names of roles by number.
struct Roles(Vec<SmolStr>);

/// Marks are `character × ROLES + role`.
const ROLES: u32 = 16;

impl Roles {
    /// The names in the order in which answers are written; further ones are not known.
    fn known() -> Roles {
        Roles(["S1", "P1", "E1", "S2", "P2", "E2"].map(SmolStr::from).to_vec())
    }

    fn of<'c>(candidates: impl Iterator<Item = &'c Vec<RoleFragment>>) -> Roles {
        let mut roles = Roles::known();
        for part in candidates.flatten() {
            if !roles.0.contains(&part.role) && roles.0.len() < ROLES as usize {
                roles.0.push(part.role.clone());
            }
        }
        roles
    }

    fn marks(&self, candidate: &[RoleFragment]) -> Vec<Mark> {
        let role = |part: &RoleFragment| self.0.iter().position(|name| *name == part.role);
        let marks = candidate.iter().filter_map(|part| role(part).map(|role| (role as u32, part)));
        marks
            .flat_map(|(role, part)| part.fragment.span.iter().map(move |at| at.0.saturating_mul(ROLES).saturating_add(role)))
            .collect()
    }

    fn candidate(&self, marks: &[Mark], chars: &[char]) -> Vec<RoleFragment> {
        let fragment = |(number, role): (usize, &SmolStr)| {
            let places: Vec<u32> =
                marks.iter().filter(|mark| (*mark % ROLES) as usize == number).map(|mark| mark / ROLES).collect();
            let text: String = places.iter().filter_map(|at| chars.get(*at as usize)).collect();
            (!places.is_empty()).then(|| RoleFragment {
                role: role.clone(),
                fragment: Fragment { text: text.into(), span: places.into_iter().collect() },
            })
        };
        self.0.iter().enumerate().filter_map(fragment).collect()
    }
}

/// Whether a second triple stands only where there are more than three fragments, as the rule of 2023 asks; nothing is not sound either.
fn sound(marks: &[Mark]) -> bool {
    let roles = marks.iter().fold(0_u32, |roles, mark| roles | 1 << (mark % ROLES));
    let second = roles & 0b11_1000 != 0;
    roles != 0 && (!second || (roles & 0b11_1111).count_ones() > 3)
}

/// Up to `most` answers that earn most together, and how much that is expected to be.
pub fn choose(text: &str, possible: &[(Vec<RoleFragment>, f64)], most: usize) -> (Vec<Vec<RoleFragment>>, f64) {
    let chars: Vec<char> = text.chars().collect();
    let roles = Roles::of(possible.iter().map(|(candidate, _)| candidate));
    let weighted: Vec<mbr::Weighted> = possible.iter().map(|(candidate, weight)| (roles.marks(candidate), *weight)).collect();
    let (chosen, expected) = mbr::choose(&weighted, most, &sound);
    (chosen.iter().map(|marks| roles.candidate(marks, &chars)).collect(), expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(role: &str, text: &str, at: &[u32]) -> RoleFragment {
        RoleFragment { role: role.into(), fragment: Fragment { text: text.into(), span: at.iter().copied().collect() } }
    }

    #[test]
    fn fragments_survive_the_choice() {
        let one = vec![part("S1", "鸟", &[0]), part("P1", "从树上", &[1, 2, 3])];
        let two = vec![part("P1", "从树上", &[1, 2, 3])];
        let (chosen, _) = choose("鸟从树上飞下来", &[(one.clone(), 0.9), (two.clone(), 0.1)], 1);
        assert_eq!(chosen, std::slice::from_ref(&one));
        assert_eq!(choose("鸟从树上飞下来", &[(one.clone(), 0.9), (two.clone(), 0.1)], 3).0, [one, two]);
        assert!(choose("", &[], 3).0.is_empty());
    }

    #[test]
    fn a_second_triple_needs_four_fragments() {
        assert!(sound(&[0, 1, 2]));
        assert!(!sound(&[0, 1, 4]));
        assert!(sound(&[0, 1, 3, 4]));
        assert!(!sound(&[]));
    }
}
