"""The tasks, run by lm-evaluation-harness as it comes from PyPI with a model that answers by script."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import fangwei
import fangwei.harness.lm_eval
import pytest
from fangwei.harness.data import VARIABLE
from test_harness_replies import TASKS, expected, replies

# Both are read when the library is imported.
os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
lm_eval = pytest.importorskip("lm_eval", reason="pip install 'fangwei[lm-eval]'")
pytestmark = pytest.mark.harness

from lm_eval.api.model import LM  # noqa: E402
from lm_eval.tasks import TaskManager  # noqa: E402


class Scripted(LM):  # type: ignore[misc]
    """A model that knows its replies by the item, and keeps what it was asked."""

    tokenizer_name = "scripted"

    def __init__(self, script: dict[str, dict[str, str]]) -> None:
        super().__init__()
        self.script, self.asked = script, dict[tuple[str, str], Any]()

    def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
        for request in requests:
            self.asked[request.task_name, request.doc["qid"]] = request.args
        return [self.script[request.task_name][request.doc["qid"]] for request in requests]

    def apply_chat_template(self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True) -> str:
        return json.dumps(chat_history, ensure_ascii=False)

    def loglikelihood(self, requests: list[Any], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


def name(task: str) -> str:
    return f"fangwei_{task.replace('/', '_')}"


def run(tasks: list[str], model: LM, metadata: dict[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
    manager = TaskManager(include_path=fangwei.harness.lm_eval.path(), include_defaults=False, metadata=metadata)
    return dict(lm_eval.simple_evaluate(model=model, tasks=tasks, task_manager=manager, **settings))


def numbers(results: dict[str, Any]) -> dict[str, float]:
    """Measures by path, without the name of the filter."""
    return {key.removesuffix(",none"): value for key, value in results.items() if key.endswith(",none") and "_stderr" not in key}


@pytest.fixture(autouse=True)
def _sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def test_every_task_has_a_definition() -> None:
    manager = TaskManager(include_path=fangwei.harness.lm_eval.path(), include_defaults=False)
    assert set(manager.all_tasks) == {"fangwei", *map(name, TASKS)}


@pytest.mark.parametrize("mode", ["official", "spec"])
def test_the_group_reports_the_official_measures(mode: Any) -> None:
    script = {task: replies(task) for task in TASKS}
    found = run(["fangwei"], Scripted({name(task): script[task] for task in TASKS}), {"mode": mode})
    for task in TASKS:
        wanted = expected(task, script[task], mode)
        assert numbers(found["results"][name(task)]) == {**wanted.flat(), "answered": pytest.approx(wanted.answered / wanted.items)}
        about = found["configs"][name(task)]["metadata"]
        assert (about["ranking"], about["mode"], about["prompt"]) == (wanted.ranking, mode, fangwei.Asker(task).version)
        assert found["versions"][name(task)].startswith(fangwei.__version__)
    total = [expected(task, script[task]) for task in TASKS]
    assert found["results"]["fangwei"]["answered,none"] == pytest.approx(sum(one.answered for one in total) / sum(one.items for one in total))


def test_a_perfect_model_is_perfect() -> None:
    found = run(["fangwei"], Scripted({name(task): replies(task, noise=False) for task in TASKS}))
    for task in TASKS:
        assert found["results"][name(task)][f"{fangwei.task(task).ranking},none"] == 1
        assert found["results"][name(task)]["answered,none"] == 1


def test_the_log_has_what_was_read() -> None:
    found = run([name("2023/anomaly")], Scripted({name("2023/anomaly"): replies("2023/anomaly")}))
    samples = {one["doc"]["qid"]: one["strict.macro_f1"] for one in found["samples"][name("2023/anomaly")]}
    read = [one["pred"] for one in samples.values() if one["pred"] is not None]
    again = fangwei.score("2023/anomaly", fangwei.sample("2023/anomaly"), read)
    assert again.value == found["results"][name("2023/anomaly")]["strict.macro_f1,none"]
    assert {"parsed", "repaired", "empty", "refused"} <= {one["state"] for one in samples.values()}


def test_a_limit_is_scored_on_what_was_asked() -> None:
    script = replies("2022/judge")
    found = run([name("2022/judge")], Scripted({name("2022/judge"): script}), limit=5)
    asked = dict(list(script.items())[:5])
    assert numbers(found["results"][name("2022/judge")])["total"] == 5
    assert numbers(found["results"][name("2022/judge")])["accuracy"] == expected("2022/judge", asked).value


@pytest.mark.parametrize("task", ["2022/judge", "2023/roles"])
def test_a_chat_is_that_of_the_asker(task: str) -> None:
    model = Scripted({name(task): replies(task)})
    run([name(task)], model, apply_chat_template=True, fewshot_as_multiturn=True)
    for item in fangwei.sample(task):
        context, settings = model.asked[name(task), item["qid"]]
        assert json.loads(context) == fangwei.Asker(task).messages(item)
        assert settings["temperature"] == 0
    run([name(task)], model, apply_chat_template=True, fewshot_as_multiturn=False, system_instruction="请用中文。")
    system, user = json.loads(model.asked[name(task), item["qid"]][0])
    assert system["content"].startswith("请用中文。\n\n") and user["role"] == "user"


def test_plain_text_ends_where_the_reply_begins() -> None:
    task = "2023/roles"
    model = Scripted({name(task): replies(task)})
    found = run([name(task)], model)
    item = fangwei.sample(task)[0]
    context, settings = model.asked[name(task), item["qid"]]
    messages = fangwei.Asker(task).messages(item)
    assert context.startswith(messages[0]["content"]) and context.endswith(f"\n\n问：{messages[-1]['content']}\n答：")
    assert settings["until"] == ["\n\n问："] and settings["until"][0] not in messages[2]["content"]
    assert found["n-shot"][name(task)] == context.count("\n\n问：") - 1 == 4
    run([name(task)], model, num_fewshot=2)
    assert model.asked[name(task), item["qid"]][0].count("\n\n问：") == 3


def test_data_and_way_are_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold = [{"qid": "甲", "context1": "书在桌上。", "context2": "书在桌下。", "results": [{"judge": "false", "reason": "上下不同"}]}]
    file = tmp_path / "2023" / "scene.jsonl"
    file.parent.mkdir()
    file.write_text(json.dumps(gold[0], ensure_ascii=False), encoding="utf-8")
    model = Scripted({name("2023/scene"): {"甲": '{"judge": "false", "reason": "上下不同"}'}})
    for metadata, variable in (({"data": str(file), "way": "fudan"}, ""), ({"way": "fudan"}, str(tmp_path))):
        monkeypatch.setenv(VARIABLE, variable)
        found = run([name("2023/scene")], model, metadata, apply_chat_template=True)
        assert numbers(found["results"][name("2023/scene")]) == {"correct": 1, "total": 1, "accuracy": 1, "answered": 1}
        assert json.loads(model.asked[name("2023/scene"), "甲"][0]) == fangwei.Asker("2023/scene", "fudan").messages(gold[0])


def test_replies_can_be_had_without_measures() -> None:
    script = replies("2022/judge")
    found = run([name("2022/judge")], Scripted({name("2022/judge"): script}), predict_only=True)
    assert [one["resps"] for one in found["samples"][name("2022/judge")]] == [[[reply]] for reply in script.values()]
