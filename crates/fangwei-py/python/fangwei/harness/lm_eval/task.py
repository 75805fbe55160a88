"""One class for every task: items, messages, reading and measures are fangwei's, the run is the harness's.

The harness aggregates a list of values for each measure. A measure of fangwei is not a mean over items, so what is listed is
what was read from each reply, and each measure is taken from one score of the whole list. The harness loads this file by
its path, which is why its imports are absolute.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import datasets
from lm_eval.api.metrics import mean
from lm_eval.api.task import ConfigurableTask

import fangwei
from fangwei.harness.data import identifier, items

#: Settings that ``--metadata`` and ``dataset_kwargs`` may hold: those of ``fangwei.Asker``, the data, the mode.
SETTINGS = ("data", "mode", "way", "prompt", "pool", "shots", "choose", "seed")

#: Where no chat template is used, a conversation is written with these, and a new question ends the reply.
QUESTION, REPLY, BREAK = "问：", "答：", "\n\n"

Messages = list[dict[str, str]]


class FangweiTask(ConfigurableTask):  # type: ignore[misc] # the library's types are not looked at
    """A task of fangwei; ``dataset_name`` says which.

    ``dataset_name`` 是任务名；数据、提示词等设置写在 ``dataset_kwargs`` 或 ``--metadata`` 里。

    >>> from fangwei.harness.lm_eval.task import FangweiTask
    >>> task = FangweiTask({"task": "fangwei_2022_judge", "dataset_name": "2022/judge", "metadata": {"shots": 0}})
    >>> task.has_test_docs(), sorted(task.aggregation())
    (True, ['accuracy', 'answered', 'correct', 'total'])
    """

    def __init__(self, config: dict[str, Any]) -> None:
        own = {name: value for name, value in config.items() if name != "class"}
        metadata = dict(own.pop("metadata", None) or {})
        given = {**metadata, **(own.get("dataset_kwargs") or {})}
        settings = {name: given[name] for name in SETTINGS if given.get(name) is not None}
        self._id: str = own["dataset_name"]
        self._mode = settings.pop("mode", "official")
        self._items = {identifier(item): item for item in items(self._id, settings.pop("data", None))}
        self._settings = settings
        self._askers: dict[int, fangwei.Asker] = {}
        asker = fangwei.Asker(self._id, **settings)
        shots = max(_turns(asker.messages(item)) for item in self._items.values())
        self._askers[shots] = asker
        self._scored: tuple[list[dict[str, Any]], dict[str, float]] | None = None
        blank = fangwei.score(self._id, list(self._items.values()), [], mode=self._mode)
        versions = {"version": f"{fangwei.__version__}+{asker.version[:8]}", "prompt": asker.version}
        super().__init__(
            config={
                "output_type": "generate_until",
                "test_split": "test",
                "num_fewshot": shots,
                "generation_kwargs": {"until": [BREAK + QUESTION], "max_gen_toks": 2048, "do_sample": False, "temperature": 0.0},
                **own,
                "metric_list": [],
                "metadata": {**metadata, **versions, "task": self._id, "mode": self._mode, "ranking": blank.ranking},
            }
        )
        names = [blank.ranking, *(name for name in blank.flat() if name != blank.ranking)]
        self._metric_fn_list = dict.fromkeys([*names, "answered"])
        self._aggregation_list: dict[str, Callable[[list[Any]], float]] = {name: self._measure(name) for name in names}
        self._aggregation_list["answered"] = mean
        self._higher_is_better = {name: not name.startswith(("FN", "FP")) for name in [*names, "answered"] if name != "total"}

    def download(self, dataset_kwargs: dict[str, Any] | None = None, **more: Any) -> None:
        """Puts the items where the harness looks for documents; answers of mixed types are JSON text."""
        documents = [{"qid": qid, "item": json.dumps(item, ensure_ascii=False)} for qid, item in self._items.items()]
        self.dataset = {"test": datasets.Dataset.from_list(documents)}

    def fewshot_docs(self) -> None:
        """Examples are chosen by fangwei, which never shows a sibling of the asked item."""

    def doc_to_text(self, doc: dict[str, Any], doc_to_text: object = None) -> str:
        """The question alone."""
        return self._asker(None).messages(self._items[doc["qid"]])[-1]["content"]

    def doc_to_target(self, doc: dict[str, Any], doc_to_target: object = None) -> str:
        """The reply that a perfect model would give."""
        return self._asker(None).ideal(self._items[doc["qid"]])

    def fewshot_context(
        self,
        doc: dict[str, Any],
        num_fewshot: int | None = None,
        system_instruction: str | None = None,
        apply_chat_template: bool = False,
        fewshot_as_multiturn: bool = False,
        chat_template: Callable[[Messages], str] | None = None,
        **more: Any,
    ) -> str:
        """The conversation about an item: by the model's template, or as plain text where there is none."""
        messages = self._asker(num_fewshot).messages(self._items[doc["qid"]])
        system = [system_instruction] if system_instruction else []
        if messages[0]["role"] == "system":
            system.append(messages.pop(0)["content"])
        head = [{"role": "system", "content": BREAK.join(system)}] if system else []
        if not (apply_chat_template and chat_template):
            return BREAK.join([*system, _plain(messages)])
        return chat_template(head + (messages if fewshot_as_multiturn else [{"role": "user", "content": _plain(messages)}]))

    def process_results(self, doc: dict[str, Any], results: list[Any]) -> dict[str, Any]:
        """What was read from a reply, once for each measure."""
        if "bypass" in self._metric_fn_list:
            return dict(super().process_results(doc, results))
        reading = self._asker(None).read(self._items[doc["qid"]], results[0] or "")
        told = {"qid": doc["qid"], "state": reading.state, "mends": reading.mends, "pred": reading.pred}
        return {name: float(reading.pred is not None) if name == "answered" else told for name in self._metric_fn_list}

    def _measure(self, name: str) -> Callable[[list[dict[str, Any]]], float]:
        """The measure of a name over everything that was read."""

        def measure(told: list[dict[str, Any]]) -> float:
            # The harness asks for one measure after the other, with the same readings.
            if self._scored is None or len(self._scored[0]) != len(told) or any(a is not b for a, b in zip(self._scored[0], told, strict=True)):
                gold = [self._items[one["qid"]] for one in told]
                pred = [one["pred"] for one in told if one["pred"] is not None]
                self._scored = (told, fangwei.score(self._id, gold, pred, mode=self._mode).flat())
            return self._scored[1][name]

        return measure

    def _asker(self, shots: int | None) -> fangwei.Asker:
        """The way of asking with so many examples; by default the prompt's own number."""
        if shots is None:
            return next(iter(self._askers.values()))
        if shots not in self._askers:
            self._askers[shots] = fangwei.Asker(self._id, **{**self._settings, "shots": shots})
        return self._askers[shots]


def _turns(messages: Messages) -> int:
    return sum(message["role"] == "assistant" for message in messages)


def _plain(messages: Messages) -> str:
    """A conversation as text that ends where the reply begins."""
    parts = [f"{QUESTION}{one['content']}\n{REPLY}" if one["role"] == "user" else f"{one['content']}{BREAK}" for one in messages]
    return "".join(parts)
