"""The tasks for ``inspect_ai``: items, the messages of :class:`fangwei.Asker`, and a scorer whose log is the product.

Everything that a score rests on is in the log: the item with its answer, the raw reply, what was read from it, and the item's
own numbers. So ``inspect score`` gives the measures again, in either mode, without asking again.
"""

from __future__ import annotations

import functools
import json
from typing import Any

from inspect_ai import Task
from inspect_ai import task as inspect_task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, GenerateConfig
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from .. import __version__
from .._given import Data
from ..steps.ask import Asker
from ..steps.score import Mode, score
from .data import identifier, items


@inspect_task  # type: ignore[untyped-decorator] # the library's types are not looked at
def fangwei(
    task: str = "2022/judge",
    data: Data | None = None,
    way: str = "ours",
    prompt: str | None = None,
    pool: str | None = None,
    shots: int | None = None,
    choose: str | None = None,
    seed: int = 2023,
    mode: Mode = "official",
) -> Task:
    """A task of fangwei. ``data`` is as in :func:`fangwei.harness.data.items`, the other settings as in :class:`fangwei.Asker`.

    任何一个任务：``inspect eval fangwei/fangwei -T task=2023/roles -T data=gold.jsonl --model …``。

    >>> from fangwei.harness.inspect_tasks import fangwei
    >>> len(fangwei("2022/judge").dataset)
    12
    """
    asker = Asker(task, way, prompt=prompt, pool=pool, shots=shots, choose=choose, seed=seed)
    samples = [
        Sample(
            id=identifier(item),
            input=asker.messages(item)[-1]["content"],
            target=asker.ideal(item),
            metadata={"task": task, "item": item},
        )
        for item in items(task, data)
    ]
    return Task(
        name=f"fangwei_{task.replace('/', '_')}",
        dataset=MemoryDataset(samples, name=task),
        solver=ask(task, way, prompt, pool, shots, choose, seed),
        scorer=answers(mode),
        config=GenerateConfig(temperature=0.0),
        metadata={"task": task, "way": way, "prompt": asker.version, "fangwei": __version__},
    )


@solver  # type: ignore[untyped-decorator]
def ask(
    task: str,
    way: str = "ours",
    prompt: str | None = None,
    pool: str | None = None,
    shots: int | None = None,
    choose: str | None = None,
    seed: int = 2023,
) -> Solver:
    """Asks as ``fangwei llm`` does: the prompt's system text, its examples, the question."""
    asker = Asker(task, way, prompt=prompt, pool=pool, shots=shots, choose=choose, seed=seed)
    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages = [kinds[message["role"]](content=message["content"]) for message in asker.messages(state.metadata["item"])]
        return await generate(state)

    return solve


@metric  # type: ignore[untyped-decorator]
def measures() -> Metric:
    """The measures of a task over all samples, the one that ranks first, and the share of items with an answer.

    Where samples are repeated (``epochs``), the first reply to each is what counts.
    """

    def measure(scores: list[SampleScore]) -> dict[str, float]:
        told = [one.score.metadata for one in scores]
        gold = [one.sample_metadata["item"] for one in scores]
        pred = [one["pred"] for one in told if one["pred"] is not None]
        found = score(told[0]["task"], gold, pred, mode=told[0]["mode"])
        return {found.ranking: found.value, **found.flat(), "answered": found.answered / found.items}

    return measure


@scorer(metrics=[measures()])  # type: ignore[untyped-decorator]
def answers(mode: Mode = "official") -> Scorer:
    """Reads each reply and gives the item's own numbers; what was read is in the metadata of the score.

    The task is told by the samples, so that a log can be scored again by name: ``inspect score LOG --scorer fangwei/answers``.
    """

    async def read(state: TaskState, target: Target) -> Score:
        task, item = state.metadata["task"], state.metadata["item"]
        reading = _reader(task).read(item, state.output.completion, _finish(state))
        found = score(task, [item], [] if reading.pred is None else [reading.pred], mode=mode)
        numbers: dict[str, Any] = found.per_item.to_dicts()[0]
        qid = numbers.pop("qid")
        return Score(
            value=numbers,
            answer=None if reading.pred is None else json.dumps(reading.pred, ensure_ascii=False),
            explanation=" ".join([reading.state, *reading.mends]),
            metadata={
                "task": task,
                "mode": mode,
                "qid": qid,
                "state": reading.state,
                "mends": reading.mends,
                "pred": reading.pred,
                "unplaced": reading.unplaced,
                "numbers": numbers,
            },
        )

    return read


@functools.cache
def _reader(task: str) -> Asker:
    """Replies are read alike whatever the prompt was."""
    return Asker(task)


def _finish(state: TaskState) -> str | None:
    """The reason for a reply's end in the words that the reading knows."""
    reason = state.output.stop_reason if state.output.choices else None
    return "length" if reason == "model_length" else reason
