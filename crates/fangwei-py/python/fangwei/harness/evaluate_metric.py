"""The scorers as a metric of the library ``evaluate``.

``evaluate`` keeps predictions and references in tables whose columns have one type, but answers are labels in one task and
lists of tuples in another. So both columns hold JSON text; records that are given as dicts are written as such on the way in.
The module also works as a file: ``evaluate.load`` copies it and imports the copy, which is why its imports are absolute.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Union

import datasets
import evaluate

import fangwei
from fangwei.steps.score import Mode

#: A record, its JSON text, or nothing where there is no answer.
Record = Union[Mapping[str, Any], str, None]


def path() -> str:
    """The file that ``evaluate.load`` takes. ``evaluate.load`` 要的文件。

    >>> from fangwei.harness import evaluate_metric
    >>> evaluate_metric.path().endswith("evaluate_metric.py")
    True
    """
    return __file__


class Fangwei(evaluate.Metric):  # type: ignore[misc] # the library has no types
    """The measures of a task as a metric; the configuration is the task.

    一个任务的各项分数；配置名就是任务名。预测与答案按题号对应，缺的预测写 ``None``。

    References are answered items, predictions the records of a submission; they are matched by identifier and not by place.
    ``compute`` gives every measure by its path, with ``mode="spec"`` as the year's text says.

    >>> from fangwei.harness.evaluate_metric import Fangwei
    >>> metric = Fangwei("2022/judge", keep_in_memory=True)
    >>> gold = [{"qid": "1", "context": "他跳进山洞外。", "judge": 0}, {"qid": "2", "context": "书在桌上。", "judge": 1}]
    >>> metric.compute(predictions=[{"qid": "1", "judge": 0}, None], references=gold)
    {'correct': 1.0, 'total': 2.0, 'accuracy': 0.5}
    """

    def _info(self) -> Any:
        task = fangwei.task(self.config_name)
        return evaluate.MetricInfo(
            description=f"{task.id}: {task.title}",
            citation="",
            inputs_description="\npredictions and references: records of the task as dicts or JSON text; mode: official or spec.\n",
            features=datasets.Features({"predictions": datasets.Value("string"), "references": datasets.Value("string")}),
        )

    def add_batch(self, *, predictions: Sequence[Record] | None = None, references: Sequence[Record] | None = None, **more: Any) -> None:
        """Adds predictions and references."""
        super().add_batch(predictions=_texts(predictions), references=_texts(references), **more)

    def add(self, *, prediction: Record = None, reference: Record = None, **more: Any) -> None:
        """Adds one prediction and its reference."""
        super().add(prediction=_text(prediction), reference=_text(reference), **more)

    def _compute(self, predictions: Sequence[str], references: Sequence[str], mode: Mode = "official") -> dict[str, float]:
        gold, pred = ("\n".join(text for text in texts if text).encode() for texts in (references, predictions))
        return fangwei.score(self.config_name, gold, pred, mode=mode).flat()


def _texts(records: Sequence[Record] | None) -> list[str] | None:
    return None if records is None else [_text(record) for record in records]


def _text(record: Record) -> str:
    """A record as one line of JSON; empty where there is none."""
    if record is None:
        return ""
    # A line end cannot stand within a JSON string, so it can only be layout.
    return record.replace("\n", " ") if isinstance(record, str) else json.dumps(record, ensure_ascii=False)
