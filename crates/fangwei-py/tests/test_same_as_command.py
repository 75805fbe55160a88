"""Python and the command line are one program: the same numbers, the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import fangwei
import pytest
from conftest import SAMPLE, SCORED, gold, pred, read

Program = Callable[..., str]


@pytest.mark.parametrize("mode", ["official", "spec"])
@pytest.mark.parametrize("task", SCORED)
def test_score(program: Program, task: str, mode: fangwei.steps.score.Mode, tmp_path: Path) -> None:
    rows = tmp_path / "items.jsonl"
    told = json.loads(
        program("score", task, "--gold", gold(task), "--pred", pred(task), "--mode", mode, "--ci", "--resamples", 200, "--items", rows, "--format", "json")
    )
    scored = fangwei.score(task, gold(task), pred(task), mode=mode, ci=True, resamples=200)
    assert scored.measures == told["measures"]
    assert {path: [one.low, one.high] for path, one in scored.intervals.items()} == {
        path: [one["low"], one["high"]] for path, one in told["intervals"].items()
    }
    assert (scored.items, scored.answered, scored.groups) == (told["items"], told["answered"], told["resampling"]["groups"])
    assert scored.per_item.to_dicts() == read(rows)


@pytest.mark.parametrize("by", ["role", "length", "genre", "origin-size"])
def test_score_by(program: Program, by: str) -> None:
    task = "2023/anomaly"
    told = json.loads(program("score", task, "--gold", gold(task), "--pred", pred(task), "--by", by, "--format", "json"))
    assert fangwei.score(task, gold(task), pred(task), by=by).by == told["by"]


def test_where_the_modes_part(program: Program) -> None:
    task = "2022/attribute"
    told = json.loads(program("score", task, "--gold", gold(task), "--pred", pred(task), "--explain-modes", "--format", "json"))
    found = fangwei.score(task, gold(task), pred(task), explain_modes=True).differences
    assert found.to_dicts() == told["differences"]


def test_validate(program: Program) -> None:
    task = "2023/roles"
    told = json.loads(program("validate", task, pred(task), "--gold", gold(task), "--format", "json"))
    found = fangwei.validate(task, pred(task), gold(task))
    assert [(one.code, one.line, one.qid, one.pointer) for one in found.errors] == [
        (one["code"], one["line"], one["qid"], one["pointer"]) for one in told["errors"]
    ]
    assert len(found.warnings) == len(told["warnings"]) and found.ok == told["ok"]


def test_compare(program: Program) -> None:
    task = "2022/judge"
    told = json.loads(program("compare", task, "--gold", gold(task), gold(task), pred(task), "--resamples", 500, "--format", "json"))
    found = fangwei.compare(task, gold(task), [gold(task), pred(task)], resamples=500)
    assert [one.score for one in found.systems] == [one["score"] for one in told["systems"]]
    assert found.pairs[0].p_permutation == told["pairs"][0]["p_permutation"]
    assert found.pairs[0].interval.low == told["pairs"][0]["interval"]["low"]


@pytest.mark.parametrize("year", ["2021", "2022"])
def test_rank(program: Program, year: str) -> None:
    board = next((SAMPLE.parent / "boards").glob(f"*{year}*.csv"))
    told = json.loads(program("rank", board, "--policy", year, "--format", "json"))
    found = fangwei.rank(board, year)
    assert [(row.rank, row.name, row.z_mean) for row in found.rows] == [
        (row["rank"], row["name"], row["z_mean"]) for row in told["rows"]
    ]


def test_agree(program: Program) -> None:
    levels = SAMPLE / "gold" / "levels.tsv"
    told = json.loads(program("agree", levels, "--resamples", 100, "--triage", "extremes", "--format", "json"))
    found = fangwei.agree(levels, resamples=100, triage="extremes")
    assert found.agreement == told["agreement"] and found.triage == told["triage"]
    assert sum(one["gold"] for one in found.decided) == 697
    answers = {"a": gold("2023/roles"), "b": pred("2023/roles")}
    told = json.loads(program("agree", *answers.values(), "--task", "2023/roles", "--resamples", 100, "--format", "json"))
    scores = fangwei.agree(answers, "2023/roles", resamples=100).scores
    assert scores is not None and scores["pairs"][0]["score"] == told["scores"]["pairs"][0]["score"]


def test_convert(program: Program, tmp_path: Path) -> None:
    made = fangwei.convert("2022/roles", "2023/roles", gold("2022/roles"))
    program("convert", "2022/roles", "2023/roles", gold("2022/roles"), "-o", tmp_path / "out.jsonl")
    assert list(made.files.values()) == [(tmp_path / "out.jsonl").read_bytes()]
    brat = fangwei.convert("2023/anomaly", "brat", gold("2023/anomaly")).write(tmp_path / "brat")
    assert len(brat) > 2
    back = fangwei.convert("brat", "2023/anomaly", tmp_path / "brat")
    assert back.records() == fangwei.load(gold("2023/anomaly"))


def test_audit(program: Program) -> None:
    files = [SAMPLE / "gold" / "judge.jsonl", SAMPLE / "gold" / "attribute.jsonl"]
    told = json.loads(program("audit", *files, "--format", "json"))
    found = fangwei.audit(files)
    assert found.groups == told["groups"]
    assert [one.value for one in found.shortcuts] == [one["value"] for one in told["shortcuts"]]
    assert [(one.from_, one.to, one.n) for one in found.pairs] == [(one["from"], one["to"], one["n"]) for one in told["pairs"]]
    assert found.html.startswith("<!") and found.markdown


def test_from_raw_text_to_candidates(program: Program, tmp_path: Path) -> None:
    """Every line that the commands write is the row that Python has, in the same order."""
    passages, originals, candidates = (tmp_path / name for name in ("passages.jsonl", "originals.jsonl", "candidates.jsonl"))
    program("corpus", SAMPLE / "source", "-o", passages, "--target", 256, "--near", 0.6)
    program("select", passages, "-o", originals, "--set", "max_guessed=0.9")
    program("substitute", originals, "-o", candidates, "--blind", tmp_path / "items.jsonl", "--key", tmp_path / "key.jsonl", "--seed", 5)
    made = fangwei.corpus(SAMPLE / "source", target=256, near=0.6)
    # In a file a word is a list, in a table it has named parts.
    lists = [{**row, "words": [[*word.values()] for word in row["words"]]} for row in made.passages]
    assert [{key: value for key, value in row.items() if value != []} for row in lists] == read(passages)
    selected = fangwei.select(made.passages, max_guessed=0.9)
    assert [row["id"] for row in selected.passages] == [row["id"] for row in read(originals)]
    substituted = fangwei.substitute(selected.passages, seed=5)
    assert substituted.candidates.to_dicts() == read(candidates)
    assert fangwei.substitute(originals, seed=5).candidates.to_dicts() == read(candidates)
    for blind in (substituted, fangwei.blind(candidates, seed=5), fangwei.blind(substituted.candidates, seed=5)):
        assert (blind.items, blind.key) == (read(tmp_path / "items.jsonl"), read(tmp_path / "key.jsonl"))
    assert len(fangwei.blind(candidates, keep=read(candidates)[:9]).items) == len(substituted.candidates) - 9
    kept = fangwei.substitute(originals, keep=candidates, single=0, double=0)
    assert kept.candidates.to_dicts() == read(candidates) and len(kept.items) == 0


def test_explore(program: Program) -> None:
    told = json.loads(program("explore", "他跳进山洞外。", "--format", "json"))
    found = fangwei.explore("他跳进山洞外。")
    assert found.anomalies == told["anomalies"] and found.mended == told["mended"]
    assert "外" in str(found) and "<iframe" in found._repr_html_()
