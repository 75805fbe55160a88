//! `fangwei rank`: the published boards, and boards made of runs.

use crate::{Scratch, fangwei, json, sample};

/// Table 5 of the 2021 paper.
const BOARD_2021: &str = "name,kind,task1,task2,task3
队伍1,team,0.734257,0.841189,0.647574
队伍2,team,0.720403,0.813012,0.622041
队伍3,team,0.729219,0.752561,0.657812
队伍4,team,0.680101,0.768955,0.660972
队伍5,team,0.692695,0.797643,0.584027
队伍6,team,0.678841,0.804816,0.554873
队伍7,team,0.630982,0.806352,0.616521
队伍8,team,0.692695,0.764857,0.557329
基线系统,baseline,0.672544,0.728996,0.526651
人类平均,human,0.7150,0.7938,0.6410
";

#[test]
fn the_board_of_2021_has_its_published_z() {
    let scratch = Scratch::new("rank");
    let board = scratch.file("board.csv", BOARD_2021);
    let value = json(&["rank", &board, "--policy", "2021", "--format", "json"]);
    let rows = value["rows"].as_array().expect("rows");
    let published = [1.328, 0.709, 0.451, 0.103, -0.021, -0.308, -0.373, -0.543, -1.346];
    for (number, (row, z)) in rows.iter().zip(published).enumerate() {
        assert_eq!(row["rank"].as_u64(), Some(number as u64 + 1), "{row}");
        assert!((row["z_mean"].as_f64().expect("a number") - z).abs() < 0.000_51, "{row} {z}");
        assert!(row["z"]["task1"].is_number(), "{row}");
    }
    assert!(rows[9]["rank"].is_null());
    for (format, lang) in [("text", "zh"), ("markdown", "en"), ("csv", "en")] {
        insta::assert_snapshot!(
            format!("rank-{format}"),
            fangwei(&["rank", &board, "--policy", "2021", "--format", format, "--lang", lang]).out
        );
    }
}

#[test]
fn runs_make_a_board() {
    let scratch = Scratch::new("runs");
    let mut files = Vec::new();
    for task in ["2022/judge", "2022/roles"] {
        let (gold, pred) = sample(task);
        for (name, pred) in [("甲", &gold), ("乙", &pred)] {
            let run = fangwei(&["score", task, "--gold", &gold, "--pred", pred, "--format", "json", "--name", name]);
            files.push(scratch.file(&format!("{name}-{}.json", task.replace('/', "-")), run.out));
        }
    }
    let mut args = vec!["rank", "--policy", "2022", "--format", "json"];
    args.extend(files.iter().map(String::as_str));
    let value = json(&args);
    assert_eq!((value["rows"][0]["name"].as_str(), value["rows"][0]["rank"].as_u64()), (Some("甲"), Some(1)));
    assert_eq!(value["rows"][0]["scores"]["2022/judge"].as_f64(), Some(1.0));
}

#[test]
fn bad_boards_are_told() {
    let scratch = Scratch::new("bad-board");
    let board = scratch.file("board.csv", "name,kind,a\n甲,team,x\n甲,team,1\n乙,tean,1\n丙,team,0.5\n");
    let run = fangwei(&["rank", &board]);
    assert_eq!(run.code, 1);
    for code in ["[bad-number]", "[duplicate-name]", "[bad-kind]"] {
        assert!(run.err.contains(code), "{}", run.err);
    }
    assert_eq!(fangwei(&["rank", &board, "--policy", "1999"]).code, 2);
    assert_eq!(fangwei(&["rank", &board, "--ddof", "0"]).code, 2);
}
