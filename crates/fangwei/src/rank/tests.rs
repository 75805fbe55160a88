//! Published tables, and boards small enough to check by hand.

use crate::lang::Lang;
use crate::table::Format;
use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Board {
    let reading = Board::read(text);
    assert_eq!(reading.defects, []);
    reading.board
}

fn ranked(text: &str, policy: &str) -> Ranking {
    rank(&read(text), &Policy::named(policy).unwrap())
}

fn row<'a>(ranking: &'a Ranking, name: &str) -> &'a Row {
    ranking.rows.iter().find(|row| row.name == name).unwrap()
}

fn places(ranking: &Ranking) -> Vec<(&str, Option<u32>)> {
    ranking.rows.iter().map(|row| (row.name.as_str(), row.rank)).collect()
}

/// The published boards, their rows turned round so that the order has to be found.
fn published(text: &str) -> (Ranking, Vec<Vec<&str>>) {
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].reverse();
    let policy = if lines[0].contains("reason") { "2021" } else { "2022" };
    let ranking = ranked(&lines.join("\n"), policy);
    (ranking, text.lines().skip(1).map(|line| line.split(',').collect()).collect())
}

#[test]
fn the_board_of_2021() {
    // Table 5 of the paper of 2021.
    let (ranking, table) = published(include_str!("../../../../data/boards/2021.csv"));
    assert_eq!(ranking.tasks.iter().map(|task| task.task.as_str()).collect::<Vec<_>>(), ["judge", "reason", "joint"]);
    for cells in &table[..9] {
        let row = row(&ranking, cells[0]);
        assert_eq!(row.rank.map(|rank| rank.to_string()).as_deref(), Some(cells[5]), "{}", cells[0]);
        assert_eq!(format!("{:.3}", row.z_mean.unwrap()), cells[6], "{}", cells[0]);
    }
    // People are measured with the mean and deviation of the nine systems, and stay outside; numpy:
    // ((h - S.mean(0)) / S.std(0)).mean() -> 2.83920, 0.59202
    for (name, z_mean) in [("人类最高水平", 2.839_198), ("人类平均水平", 0.592_024)] {
        let row = row(&ranking, name);
        assert_eq!((row.rank, row.rank_range), (None, None));
        assert!((row.z_mean.unwrap() - z_mean).abs() < 1e-6);
        assert_eq!(row.flags, [RowFlag::Outside]);
    }
    assert_eq!(ranking.tasks[0].population, 9);
}

#[test]
fn the_board_of_2022() {
    // Table 6 of the paper of 2022; task 1 as hits of 3152 (2479, 2519, 2517), because the rounded accuracies are too coarse, and
    // the baseline as rounded there.
    let text = include_str!("../../../../data/boards/2022.csv");
    let (ranking, table) = published(text);
    // Task 1 as published; tasks 2 and 3 by numpy: (T - T.mean(0)) / T.std(0, ddof=1) over the three teams.
    let others = [["0.9840", "1.0139"], ["0.0312", "-0.9855"], ["-1.0153", "-0.0284"], ["-0.2101", "1.2342"]];
    for (cells, [attribute, roles]) in table.iter().zip(others) {
        let row = row(&ranking, cells[0]);
        let found: Vec<String> = row.z.0.iter().map(|(_, z)| format!("{:.4}", z.unwrap())).collect();
        assert_eq!(found, [cells[6], attribute, roles], "{}", cells[0]);
        assert_eq!(row.rank.map_or_else(|| "/".to_owned(), |rank| rank.to_string()), cells[5]);
    }
    assert_eq!(ranked(text, "2023"), ranked(text, "2022"));
}

#[test]
fn an_incomplete_row_comes_after_the_complete_ones() {
    let text = "name,kind,a,b\nx,team,0.9,n/a\ny,team,0.5,0.5\nz,team,0.4,0.4\nw,team,,\n";
    let ranking = ranked(text, "2022");
    assert_eq!(places(&ranking), [("y", Some(1)), ("z", Some(2)), ("x", Some(3)), ("w", None)]);
    let x = row(&ranking, "x");
    // Its mean is over task a alone: 0.9 against mean 0.6 and sample deviation 0.2646.
    assert!((x.z_mean.unwrap() - 0.3 / 0.07_f64.sqrt()).abs() < 1e-12);
    assert_eq!(x.flags, [RowFlag::Incomplete]);
    assert_eq!(row(&ranking, "w").flags, [RowFlag::Incomplete, RowFlag::NoScore]);
    assert_eq!(ranking.notes, [Note::IncompleteLast]);
}

#[test]
fn missing_scores_as_zero_or_worst() {
    let board = read("name,kind,a,b\nx,team,0.9,n/a\ny,team,0.5,0.5\nz,team,0.4,0.4\n");
    let run = |missing| rank(&board, &Policy::custom(Population::Teams, Ddof::Zero, missing, By::MeanScore));
    // zero: x has (0.9 + 0) / 2 = 0.45, below y's 0.5 and above z's 0.4
    let zero = run(Missing::Zero);
    assert_eq!(places(&zero), [("y", Some(1)), ("x", Some(2)), ("z", Some(3))]);
    assert!((zero.tasks[1].mean.unwrap() - 0.3).abs() < 1e-12, "the zero is part of the mean");
    assert_eq!(row(&zero, "x").flags, [RowFlag::Filled]);
    // worst: x has (0.9 + 0.4) / 2 = 0.65
    let worst = run(Missing::Worst);
    assert_eq!(places(&worst), [("x", Some(1)), ("y", Some(2)), ("z", Some(3))]);
    assert_eq!(row(&worst, "x").scores.get("b"), None, "the scores stay as given");
}

#[test]
fn no_deviation_is_zero_and_flagged() {
    // 0.1 three times has a mean that misses 0.1 in the last digit.
    for text in ["name,kind,a\nx,team,0.7\nb,baseline,0.2\n", "name,kind,a\nx,team,0.1\ny,team,0.1\nz,team,0.1\n"] {
        let ranking = ranked(text, "2022");
        assert_eq!(ranking.tasks[0].flags, [TaskFlag::ZeroDeviation]);
        assert!(ranking.rows.iter().all(|row| row.z_mean == Some(0.0)), "{ranking:?}");
        assert_eq!(ranking.notes, [Note::ZeroDeviation]);
    }
    let nobody = ranked("name,kind,a\nh,human,0.7\n", "2022");
    assert_eq!((nobody.tasks[0].mean, nobody.rows[0].z_mean), (None, None));
    assert_eq!(nobody.tasks[0].flags, [TaskFlag::NoPopulation]);
}

#[test]
fn equals_share_a_rank() {
    let ranking = ranked("name,kind,a,b\nx,team,0.1,0.3\ny,team,0.3,0.1\nz,team,0.0,0.0\n", "2021");
    assert_eq!(places(&ranking), [("x", Some(1)), ("y", Some(1)), ("z", Some(3))]);
    assert_eq!(row(&ranking, "x").flags, [RowFlag::Tied]);
    assert_eq!(row(&ranking, "z").flags, []);
}

#[test]
fn mean_rank_shares_places_within_a_task() {
    // a: x 1, y and z share (2 + 3) / 2; b: z 1, y 2, x 3 -> x 2, y 2.25, z 1.75
    let board = read("name,kind,a,b\nx,team,0.9,0.1\ny,team,0.5,0.2\nz,team,0.5,0.3\nh,human,1,1\n");
    let policy = Policy::custom(Population::Teams, Ddof::One, Missing::Skip, By::MeanRank);
    let ranking = rank(&board, &policy);
    assert_eq!(places(&ranking), [("z", Some(1)), ("x", Some(2)), ("y", Some(3)), ("h", None)]);
    let means: Vec<_> = ranking.rows.iter().map(|row| row.mean_rank).collect();
    assert_eq!(means, [Some(1.75), Some(2.0), Some(2.25), None], "people are not in the count");
    let all = rank(&board, &Policy { population: Population::All, ..policy });
    assert_eq!(all.rows[0].name, "h");
}

#[test]
fn what_the_first_place_hangs_on() {
    // x leads by mean score 0.6 to 0.55 only through task a; without a, y has 0.9 to 0.2.
    let board = read("name,kind,a,b\nx,team,1.0,0.2\ny,team,0.2,0.9\nz,team,0.1,0.1\n");
    let policy = Policy::custom(Population::Teams, Ddof::One, Missing::Skip, By::MeanScore);
    let ranking = rank(&board, &policy);
    let change = FirstChange { left_out: LeftOut::Task("a".into()), first: vec!["y".into()] };
    assert_eq!(ranking.first_changes, [change]);
    assert_eq!(row(&ranking, "x").rank_range, Some([1, 2]));
    assert_eq!(row(&ranking, "y").rank_range, Some([1, 2]));
    // Mean scores do not depend on rivals: whoever is left out, z stays third.
    assert_eq!(row(&ranking, "z").rank_range, Some([3, 3]));
}

#[test]
fn a_rival_can_decide_the_first_place() {
    // By mean rank, b beats a only as long as c stands between them in the second task:
    // a 1 and 3, b 2 and 1 -> b 1.5, a 2; without c both have 1 and 2.
    let board = read("name,kind,p,q\na,team,3,1\nb,team,2,3\nc,team,1,2\n");
    let policy = Policy::custom(Population::Teams, Ddof::One, Missing::Skip, By::MeanRank);
    let ranking = rank(&board, &policy);
    assert_eq!(ranking.rows[0].name, "b");
    let rivals: Vec<_> = ranking.first_changes.iter().filter(|change| matches!(change.left_out, LeftOut::Row(_))).collect();
    assert_eq!(rivals, [&FirstChange { left_out: LeftOut::Row("c".into()), first: vec!["a".into(), "b".into()] }]);
}

#[test]
fn awards_are_for_those_whom_the_jury_saw() {
    let text = "name,kind,a,jury\nx,team,0.9,\ny,team,0.5,90\nz,team,0.4,80\nw,team,0.1,70\n";
    let ranking = ranked(text, "2021");
    let awards: Vec<_> = ranking.rows.iter().map(|row| row.award.map(|award| (award * 1e6).round() / 1e6)).collect();
    // z from w 0.1 to y 0.5 alone: (0.4 - 0.1) / 0.4 = 0.75 -> 0.8 * 0.75 + 0.2 * 0.5 = 0.7
    assert_eq!(awards, [None, Some(1.0), Some(0.7), Some(0.0)]);
}

#[test]
fn as_json() {
    let ranking = ranked("name,kind,b,a\nx,team,1,n/a\ny,team,0,1\n", "2021");
    let text = serde_json::to_string(&ranking).unwrap();
    assert!(text.contains(r#""z":{"b":1.0,"a":null},"z_mean":1.0"#), "tasks in the order of the board: {text}");
    assert!(
        text.contains(r#""policy":{"name":"2021","population":"teams+baseline","ddof":0,"missing":"skip","by":"z-mean"}"#),
        "{text}"
    );
    assert!(text.contains(r#""flags":["incomplete"]"#), "{text}");
    assert!(text.contains(r#""flags":["zero-deviation"]"#), "{text}");
}

#[test]
fn as_text_markdown_and_csv() {
    // 判断 has mean 0.5 and deviation 0.25: people with 1 have a Z of 2.
    let ranking = ranked("name,kind,判断,b\n甲队,team,0.75,1\n\"x|<y>,\",team,0.25,0\n人,human,1,\n", "2021");
    assert_eq!(
        table(&ranking, Lang::Zh).render(Format::Text).lines().take(4).collect::<Vec<_>>(),
        [
            "名次  名称    类别  Z(判断)     Z(b)  平均标准分  平均名次  平均分  名次范围  说明",
            "   1  甲队    队伍   1.0000   1.0000      1.0000    1.0000  0.8750  1–1",
            "   2  x|<y>,  队伍  -1.0000  -1.0000     -1.0000    2.0000  0.1250  2–2",
            "      人      人类   2.0000               2.0000            1.0000            缺任务、不排名",
        ]
    );
    let markdown = table(&ranking, Lang::En).render(Format::Markdown);
    assert!(markdown.starts_with("| rank | name | kind | Z(判断) | Z(b) | mean Z |"), "{markdown}");
    assert!(markdown.contains("| 2 | x\\|&lt;y>, | team |"), "{markdown}");
    let remarks = remarks(&ranking, Lang::En);
    assert!(remarks.iter().any(|remark| remark == "b: mean 0.5000, deviation 0.5000, N = 2"), "{remarks:?}");
    let csv = table(&ranking, Lang::En).render(Format::Csv);
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines[0], "rank,name,kind,Z(判断),Z(b),mean Z,mean rank,mean score,rank range,flags");
    assert_eq!(lines[2], "2,\"x|<y>,\",team,-1,-1,-1,2,0.125,2–2,");
    assert_eq!(lines[3], ",人,human,2,,2,,1,,\"incomplete, outside\"");
}

fn any_policy() -> impl Strategy<Value = Policy> {
    (
        prop::sample::select(vec![Population::Teams, Population::TeamsAndBaseline, Population::All]),
        prop::sample::select(vec![Ddof::Zero, Ddof::One]),
        prop::sample::select(vec![Missing::Skip, Missing::Zero, Missing::Worst]),
        prop::sample::select(vec![By::ZMean, By::MeanRank, By::MeanScore]),
    )
        .prop_map(|(population, ddof, missing, by)| Policy::custom(population, ddof, missing, by))
}

fn any_board() -> impl Strategy<Value = Board> {
    let score = prop::option::weighted(0.8, prop_oneof![0.0..1.0_f64, -1e12..1e12_f64, Just(0.5)]);
    let kinds = prop::sample::select(vec![Kind::Team, Kind::Team, Kind::Baseline, Kind::Human, Kind::Llm]);
    let entry = (kinds, prop::collection::vec(score.clone(), 3), score);
    prop::collection::vec(entry, 0..7).prop_map(|entries| {
        let entries = entries.into_iter().enumerate().map(|(index, (kind, scores, jury))| Entry {
            name: format!("n{index}"),
            kind,
            scores,
            jury,
        });
        Board::from_scores(&["a", "b", "c"], entries).board
    })
}

proptest! {
    #[test]
    fn every_number_is_finite_and_every_rank_in_its_range(board in any_board(), policy in any_policy()) {
        let ranking = rank(&board, &policy);
        prop_assert_eq!(ranking.rows.len(), board.entries().len());
        let mut last = 0;
        for row in &ranking.rows {
            let numbers = row.z.0.iter().filter_map(|(_, z)| *z);
            let means = [row.z_mean, row.mean_rank, row.mean_score, row.award].into_iter().flatten();
            prop_assert!(numbers.chain(means).all(f64::is_finite), "{:?}", row);
            prop_assert_eq!(row.rank.is_some(), row.rank_range.is_some());
            if let (Some(rank), Some([best, worst])) = (row.rank, row.rank_range) {
                prop_assert!(last <= rank && best <= rank && rank <= worst);
                prop_assert!(1 <= best && worst as usize <= board.entries().len());
                last = rank;
            } else {
                last = u32::MAX;
            }
        }
        for lang in [Lang::Zh, Lang::En] {
            for format in [Format::Text, Format::Markdown, Format::Csv] {
                prop_assert!(!table(&ranking, lang).render(format).contains("NaN"));
            }
            prop_assert!(!remarks(&ranking, lang).join("").contains("NaN"));
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in "[\\[{]?[nameki,\"\\n: 0-9.\\]}-]{0,60}") {
        let reading = Board::read(&text);
        rank(&reading.board, &POLICIES[0].policy);
    }
}
