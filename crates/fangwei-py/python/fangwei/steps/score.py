"""Scores: exactly as the year's script, or as the year's text says."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from .. import _build, _fangwei
from .._given import Data, given
from ..defect import Defect
from ..frame import Frame, Rows

Mode = Literal["official", "spec"]


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a measure lies with 95 % confidence."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """An item that official and spec score differently, and the quirks that make it so."""

    qid: str
    official: float
    spec: float
    quirks: list[str]


@dataclass(frozen=True, slots=True)
class Score:
    """A score with everything that it rests on."""

    task: str
    mode: Mode
    #: How many items gold has.
    items: int
    #: How many of them have a prediction that could be read.
    answered: int
    #: Measures by name; some are levels (``strict``, ``loose``) that hold measures.
    measures: dict[str, Any]
    #: The path of the measure that ranks: ``strict.macro_f1``.
    ranking: str
    #: A row an item: qid, answered, the item's own numbers.
    per_item: Frame
    #: Predictions that could not be used, and what else was noticed.
    defects: Rows[Defect]
    #: Predicted qids that gold lacks.
    unknown: list[str]
    #: How many predictions repeat a qid; the last one counted.
    repeated: int
    gold_warnings: Rows[Defect]
    version: str
    #: By path of the measure, where ``ci`` was asked for.
    intervals: dict[str, Interval] = field(default_factory=dict)
    wilson: Interval | None = None
    #: How many groups of siblings were drawn from.
    groups: int | None = None
    #: By class or role, where ``by`` was given.
    by: dict[str, Any] | None = None
    alignments: list[dict[str, Any]] = field(default_factory=list)
    differences: Rows[Difference] = field(default_factory=Rows)
    name: str | None = None
    kind: str | None = None

    def __getitem__(self, path: str) -> float:
        """The measure at a path: ``score["strict.macro_f1"]``."""
        value: Any = self.measures
        for part in path.split("."):
            value = value[part]
        return float(value)

    @property
    def value(self) -> float:
        """The measure that ranks."""
        return self[self.ranking]

    def flat(self) -> dict[str, float]:
        """Every measure by its path."""

        def walk(prefix: str, measures: dict[str, Any]) -> dict[str, float]:
            found: dict[str, float] = {}
            for name, value in measures.items():
                path = f"{prefix}{name}"
                found.update(walk(f"{path}.", value) if isinstance(value, dict) else {path: float(value)})
            return found

        return walk("", self.measures)


def score(
    task: str,
    gold: Data,
    pred: Data,
    *,
    mode: Mode = "official",
    ci: bool = False,
    by: str | None = None,
    alignment: list[str] | None = None,
    explain_modes: bool = False,
    group: str = "auto",
    resamples: int = 10_000,
    seed: int = 2023,
    name: str | None = None,
    kind: str | None = None,
) -> Score:
    """Scores predictions against gold; the same numbers as ``fangwei score``.

    按官方脚本（``official``，误差不超过 1e-9）或按文字说明（``spec``）评分；``per_item`` 逐题给出数值，``by`` 按类别分解，
    ``ci`` 给出按同源组重抽样的区间。

    ``by`` breaks the score down by a facet of the task, ``role``, ``length``, ``origin-size`` or any field; ``ci`` adds 95 %
    intervals resampled by origin (``group``: ``auto``, ``none``, ``context`` or a field); ``alignment`` shows how gold and
    prediction of these qids were matched; ``explain_modes`` lists where official and spec part.

    >>> import fangwei
    >>> gold = [{"qid": "1", "context": "他跳进山洞外。", "judge": 0}, {"qid": "2", "context": "书在桌上。", "judge": 1}]
    >>> result = fangwei.score("2022/judge", gold, [{"qid": "1", "judge": 0}, {"qid": "2", "judge": 0}])
    >>> result.value, result["accuracy"], result.answered
    (0.5, 0.5, 2)
    >>> result.per_item.to_dicts()[1]
    {'qid': '2', 'answered': True, 'correct': 0}
    """
    wanted = {
        "mode": mode,
        "ci": ci,
        "by": by,
        "alignment": alignment or [],
        "modes": explain_modes,
        "drawing": {"resamples": resamples, "seed": seed, "group": group},
    }
    told, rows = _fangwei.score(task, given(gold, "gold"), given(pred, "pred"), json.dumps(wanted))
    return _build.read(Score, told, per_item=Frame(rows), name=name, kind=kind)
