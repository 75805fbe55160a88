"""What a scripted model answers in the tests of all harnesses, and which items a harness asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import fangwei
import pytest
from fangwei.harness.data import VARIABLE, identifier, items

#: The tasks whose data was released; those of the early design of 2022 have none to be asked.
TASKS = [task.id for task in fangwei.tasks() if not task.id.startswith("2022-draft/")]


def replies(task: str, noise: bool = True) -> dict[str, str]:
    """A reply to each sample item: perfect, or with everything that a model gets wrong."""
    asker, asked = fangwei.Asker(task), fangwei.sample(task)
    ideal = [asker.ideal(item) for item in asked]
    scripts = [
        lambda n: ideal[n],
        lambda n: ideal[n - 1],
        lambda n: f"先看方位词。\n```json\n{ideal[n][:-1]},}}\n```\n以上。",
        lambda n: "",
        lambda n: ideal[n][:-1],
        lambda n: "抱歉，我无法回答这个问题。",
        lambda n: '{"' + ideal[n],
    ]
    written = [scripts[n % len(scripts)](n) if noise else ideal[n] for n in range(len(asked))]
    return {identifier(item): reply for item, reply in zip(asked, written, strict=True)}


def expected(task: str, written: dict[str, str], mode: Any = "official") -> fangwei.Score:
    """The score of these replies by fangwei alone."""
    asker, asked = fangwei.Asker(task), fangwei.sample(task)
    readings = [asker.read(item, written[identifier(item)]) for item in asked if identifier(item) in written]
    gold = [item for item in asked if identifier(item) in written]
    return fangwei.score(task, gold, [reading.pred for reading in readings if reading.pred is not None], mode=mode)


@pytest.mark.parametrize("task", TASKS)
def test_the_script_has_everything_that_goes_wrong(task: str) -> None:
    asker = fangwei.Asker(task)
    states = {asker.read(item, replies(task)[identifier(item)]).state for item in fangwei.sample(task)}
    assert {"parsed", "repaired", "empty", "refused"} <= states
    noisy, perfect = expected(task, replies(task)), expected(task, replies(task, noise=False))
    assert 0 < noisy.value < perfect.value == 1
    assert noisy.answered < noisy.items == perfect.answered


def test_data_is_a_file_a_folder_or_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert len(items("2022/judge")) == len(fangwei.sample("2022/judge"))
    gold = [{"qid": "1", "context": "他跳进山洞外。", "judge": 0}]
    for name in ("2022/judge/gold.jsonl", "2022/judge.json"):
        file = tmp_path / name.replace("/", "-") / name
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(gold if name.endswith(".json") else gold[0], ensure_ascii=False), encoding="utf-8")
        for data in (file, file.parents[name.count("/")]):
            monkeypatch.setenv(VARIABLE, str(data))
            assert [identifier(item) for item in items("2022/judge")] == ["1"]
    assert len(items("2022/judge", [*gold, {**gold[0], "qid": "2"}])) == 2, "what is given by name comes before the variable"


def test_data_that_cannot_be_asked_is_told_before_a_model_is_paid(tmp_path: Path) -> None:
    with pytest.raises(fangwei.errors.InputError, match="2022/judge/gold.jsonl"):
        items("2022/judge", tmp_path)
    for gold, code in ([[{"qid": "1", "context": "他跳进山洞外。"}], "missing-field"], [[], "empty-file"]):
        with pytest.raises(fangwei.errors.GoldError) as found:
            items("2022/judge", gold)
        assert found.value.defects[0].code == code
