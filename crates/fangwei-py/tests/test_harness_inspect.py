"""The task, run by ``inspect_ai`` as it comes from PyPI with its own mock model."""

from __future__ import annotations

import importlib.metadata
import json
from pathlib import Path
from typing import Any

import fangwei
import pytest
from fangwei.harness.data import VARIABLE, identifier
from test_harness_replies import TASKS, expected, replies

inspect_ai = pytest.importorskip("inspect_ai", reason="pip install 'fangwei[inspect]'")
pytestmark = pytest.mark.harness

from fangwei.harness import inspect_tasks  # noqa: E402 # it needs the library
from inspect_ai.log import read_eval_log  # noqa: E402
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402


def made(text: str, stop: Any = "stop") -> Any:
    """A reply with its tokens counted: the mock model would fetch a tokeniser to do so."""
    output = ModelOutput.from_content("mockllm/model", text, stop_reason=stop)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def scripted(task: str, script: dict[str, str], stop: Any = "stop") -> Any:
    """A model that knows its replies by the last message."""
    asker = fangwei.Asker(task)
    known = {asker.messages(item)[-1]["content"]: script[identifier(item)] for item in fangwei.sample(task)}
    return get_model("mockllm/model", custom_outputs=lambda messages, *_: made(known[messages[-1].text], stop), memoize=False)


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("INSPECT_DISPLAY", "none")


def run(task: Any, model: Any, folder: Path, **settings: Any) -> Any:
    (log,) = inspect_ai.eval(task, model=model, log_dir=str(folder), display="none", **settings)
    assert log.status == "success", log.error
    return log


def numbers(log: Any, which: int = 0) -> dict[str, float]:
    return {name: one.value for name, one in log.results.scores[which].metrics.items()}


@pytest.mark.parametrize("task", TASKS)
def test_the_measures_are_the_official_ones(task: str, tmp_path: Path) -> None:
    for noise in (True, False):
        script = replies(task, noise)
        wanted = expected(task, script)
        found = numbers(run(inspect_tasks.fangwei(task), scripted(task, script), tmp_path))
        assert found == {**wanted.flat(), "answered": wanted.answered / wanted.items}
        assert next(iter(found)) == wanted.ranking, "the first metric is the one that inspect shows"
    assert found[wanted.ranking] == found["answered"] == 1


def test_the_log_is_the_product(tmp_path: Path) -> None:
    task = "2023/anomaly"
    script = replies(task)
    log = read_eval_log(run(inspect_tasks.fangwei(task), scripted(task, script), tmp_path).location)
    items, asker = {identifier(item): item for item in fangwei.sample(task)}, fangwei.Asker(task)
    read = [asker.read(item, script[qid]).pred for qid, item in items.items()]
    rows = fangwei.score(task, list(items.values()), [pred for pred in read if pred is not None]).per_item.to_dicts()
    by_item = {row.pop("qid"): row for row in rows}
    assert len(log.samples) == len(items)
    for sample in log.samples:
        reading, score = asker.read(items[sample.id], script[sample.id]), sample.scores["answers"]
        assert [(one.role, one.text) for one in sample.messages[:-1]] == [(one["role"], one["content"]) for one in asker.messages(items[sample.id])]
        assert (score.metadata["state"], score.metadata["mends"], score.metadata["pred"]) == (reading.state, reading.mends, reading.pred)
        assert score.metadata["unplaced"] == reading.unplaced
        assert score.value == score.metadata["numbers"] == pytest.approx(by_item[sample.id])
        assert sample.metadata["item"] == items[sample.id]
    assert log.eval.metadata == {"task": task, "way": "ours", "prompt": asker.version, "fangwei": fangwei.__version__}
    assert (log.eval.task, log.eval.task_registry_name) == ("fangwei_2023_anomaly", "fangwei/fangwei")


def test_a_log_is_scored_again_without_asking(tmp_path: Path) -> None:
    task = "2021/judge"
    script = replies(task)
    log = run(inspect_tasks.fangwei(task), scripted(task, script), tmp_path)
    again = inspect_ai.score(read_eval_log(log.location), inspect_tasks.answers("spec"), action="overwrite", display="none")
    assert numbers(again) == {**expected(task, script, "spec").flat(), "answered": numbers(log)["answered"]}
    assert numbers(again)["Accuracy"] < numbers(log)["Accuracy"], "official takes a gap for a 0, spec does not"


def test_the_end_of_a_reply_is_told_to_the_reading(tmp_path: Path) -> None:
    task = "2022/judge"
    script = {qid: '{"分析": "最可疑的是' for qid in replies(task)}
    for stop, state in (("max_tokens", "truncated"), ("model_length", "truncated"), ("content_filter", "refused"), ("stop", "unparsed")):
        log = run(inspect_tasks.fangwei(task), scripted(task, script, stop), tmp_path, limit=2)
        assert {sample.scores["answers"].metadata["state"] for sample in log.samples} == {state}
        assert numbers(log)["total"] == 2


def test_settings_are_those_of_the_asker(tmp_path: Path) -> None:
    gold = [{**item, "qid": f"甲{n}"} for n, item in enumerate(fangwei.sample("2023/roles"))]
    file = tmp_path / "gold.jsonl"
    file.write_text("\n".join(json.dumps(item, ensure_ascii=False) for item in gold), encoding="utf-8")
    task = inspect_tasks.fangwei("2023/roles", data=str(file), way="organisers", shots=2, mode="spec")
    asker = fangwei.Asker("2023/roles", "organisers", shots=2)
    ideal = {asker.messages(item)[-1]["content"]: asker.ideal(item) for item in gold}
    model = get_model("mockllm/model", custom_outputs=lambda messages, *_: made(ideal[messages[-1].text]), memoize=False)
    log = run(task, model, tmp_path)
    assert [sample.id for sample in log.samples] == [item["qid"] for item in gold]
    assert [one.text for one in log.samples[0].messages[:-1]] == [one["content"] for one in asker.messages(gold[0])]
    assert log.eval.metadata["prompt"] == asker.version
    assert numbers(log)["pooled_f1"] == 1


def test_inspect_finds_the_task_by_name(tmp_path: Path) -> None:
    points = importlib.metadata.entry_points(group="inspect_ai")
    assert any((point.name, point.value) == ("fangwei", "fangwei.harness.inspect_tasks") for point in points)
    script = replies("2022/judge")
    log = run("fangwei/fangwei", scripted("2022/judge", script), tmp_path, task_args={"task": "2022/judge"})
    assert numbers(log)["accuracy"] == expected("2022/judge", script).value
