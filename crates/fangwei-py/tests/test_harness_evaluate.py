"""The metric, in the library ``evaluate`` as it comes from PyPI."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import fangwei
import pytest
from fangwei.harness.data import identifier
from test_harness_replies import replies

# Both are read when the library is imported.
os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
evaluate = pytest.importorskip("evaluate", reason="pip install 'fangwei[evaluate]'")
pytestmark = pytest.mark.harness

from fangwei.harness import evaluate_metric  # noqa: E402 # it needs the library

ALL = [task.id for task in fangwei.tasks()]


@pytest.fixture(autouse=True)
def _caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate.config, "HF_METRICS_CACHE", tmp_path / "metrics")
    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", tmp_path / "modules")
    monkeypatch.setattr(evaluate.loading, "HF_MODULES_CACHE", tmp_path / "modules", raising=False)
    monkeypatch.syspath_prepend(tmp_path / "modules")


def answered(task: str) -> tuple[list[dict[str, Any] | None], list[dict[str, Any]]]:
    asker, asked = fangwei.Asker(task), fangwei.sample(task)
    return [asker.read(item, replies(task)[identifier(item)]).pred for item in asked], list(asked)


@pytest.mark.parametrize("mode", ["official", "spec"])
@pytest.mark.parametrize("task", ALL)
def test_measures_are_those_of_score(task: str, mode: Any) -> None:
    predictions, references = answered(task)
    found = evaluate_metric.Fangwei(task).compute(predictions=predictions, references=references, mode=mode)
    assert found == fangwei.score(task, references, [pred for pred in predictions if pred], mode=mode).flat()


def test_the_file_can_be_loaded(tmp_path: Path) -> None:
    metric = evaluate.load(evaluate_metric.path(), "2023/roles")
    predictions, references = answered("2023/roles")
    for prediction, reference in zip(predictions, references, strict=True):
        metric.add(prediction=prediction, reference=reference)
    wanted = fangwei.score("2023/roles", references, [pred for pred in predictions if pred])
    assert metric.compute() == wanted.flat()
    assert 0 < wanted.value < 1


def test_records_may_be_json_text_in_several_lines() -> None:
    predictions, references = answered("2022/attribute")
    texts = [None if pred is None else json.dumps(pred, ensure_ascii=False, indent=1) for pred in predictions]
    metric = evaluate_metric.Fangwei("2022/attribute", keep_in_memory=True)
    found = metric.compute(predictions=texts, references=[json.dumps(item) for item in references])
    assert found == fangwei.score("2022/attribute", references, [pred for pred in predictions if pred]).flat()


def test_a_prediction_that_is_no_json_is_a_missing_one() -> None:
    found = evaluate_metric.Fangwei("2022/judge").compute(
        predictions=["judge: 1", '{"qid": "2", "judge": 1}'],
        references=[{"qid": "1", "context": "书在桌上。", "judge": 1}, {"qid": "2", "context": "灯在头上。", "judge": 1}],
    )
    assert found == {"correct": 1.0, "total": 2.0, "accuracy": 0.5}


def test_a_task_is_needed() -> None:
    with pytest.raises(fangwei.errors.UnknownNameError) as found:
        evaluate_metric.Fangwei()
    assert "2022/judge" in found.value.known
