//! What people do besides answering, as cards: problems of a raw passage, a written pair, a grade.

use fangwei::annotate::{Mark, Problem, WrittenPair};
use fangwei::lang::{Lang, Say, words};

use super::{Card, Row};

/// The look of a problem.
const PROBLEM: &str = "c6 s1";

/// The cards of a mark that cleans, writes or grades.
pub fn cards(mark: &Mark) -> Vec<Card> {
    let grade = mark.grade.map(|grade| {
        let row = Row::new(words("分数", "grade"), grade.to_string(), "/grade");
        Card::new("grade", words("评分", "Grade"), "/grade", vec![row])
    });
    let pair = mark.pair.as_ref().map(pair);
    let problems = mark.problems.iter().flatten().enumerate().map(|(at, problem)| of_problem(at, problem));
    problems.chain(pair).chain(grade).collect()
}

fn of_problem(at: usize, problem: &Problem) -> Card {
    let pointer = format!("/problems/{at}");
    let title = Say::new(problem.flaw.title(Lang::Zh), problem.flaw.title(Lang::En));
    let place = Row::new(words("位置", "place"), problem.text.as_str(), &pointer).placed(&problem.span, PROBLEM.to_owned());
    let correction = Row::new(words("改为", "correction"), problem.correction.as_str(), &pointer);
    let rows = [(place, !problem.span.is_empty()), (correction, !problem.correction.is_empty())];
    Card::new("problem", title, &pointer, rows.into_iter().filter_map(|(row, filled)| filled.then_some(row)).collect())
}

fn pair(pair: &WrittenPair) -> Card {
    let mut rows = vec![
        Row::new(words("文本一", "text 1"), pair.context1.as_str(), "/pair/context1"),
        Row::new(words("文本二", "text 2"), pair.context2.as_str(), "/pair/context2"),
        Row::new(words("空间实体", "entities"), pair.entities.join("、"), "/pair/entities"),
    ];
    if let Some(deciding) = pair.deciding {
        let text = Say::new(deciding.title(Lang::Zh), deciding.title(Lang::En));
        rows.push(Row::new(words("决定因素", "what decides it"), text, "/pair/deciding"));
    }
    Card::new("pair", words("所写的文本", "The written texts"), "/pair", rows)
}
