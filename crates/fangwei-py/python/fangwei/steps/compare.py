"""Are two systems different, or is it chance?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import _build, _fangwei
from .._given import Data, given, name_of
from ..defect import Defect
from ..frame import Rows
from .score import Interval, Mode


@dataclass(frozen=True, slots=True)
class System:
    """A system with its score."""

    name: str
    answered: int
    score: float
    interval: Interval
    wilson: Interval | None
    #: In how many resamples it is the best.
    first: float
    measures: dict[str, Any]


@dataclass(frozen=True, slots=True)
class McNemar:
    """The exact McNemar test."""

    only_a: int
    only_b: int
    p: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems held against each other."""

    a: str
    b: str
    difference: float
    interval: Interval
    p_bootstrap: float
    p_permutation: float
    p_holm: float
    mcnemar: McNemar | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems, and each against each."""

    task: str
    mode: Mode
    measure: str
    items: int
    groups: int
    seed: int
    resamples: int
    systems: Rows[System]
    pairs: Rows[Pair]
    defects: Rows[Defect]


def compare(
    task: str,
    gold: Data,
    preds: Mapping[str, Data] | Sequence[Data],
    *,
    mode: Mode = "official",
    measure: str | None = None,
    group: str = "auto",
    resamples: int = 10_000,
    seed: int = 2023,
) -> Comparison:
    """Tests differences between systems: paired bootstrap, permutation, Holm, McNemar; drawn by origin.

    比较几个系统：成对自助法、置换检验、Holm 校正、McNemar 检验；同源的题整组抽取。

    >>> import fangwei
    >>> gold = [{"qid": str(n), "context": f"书在桌上{n}。", "judge": n % 2} for n in range(40)]
    >>> good = [{"qid": str(n), "judge": n % 2} for n in range(40)]
    >>> poor = [{"qid": str(n), "judge": 1} for n in range(40)]
    >>> result = fangwei.compare("2022/judge", gold, {"good": good, "poor": poor}, group="none")
    >>> result.pairs[0].difference, result.pairs[0].p_permutation < 0.01
    (0.5, True)
    """
    named = preds.items() if isinstance(preds, Mapping) else [(name_of(pred, str(n)), pred) for n, pred in enumerate(preds, 1)]
    wanted = {"mode": mode, "measure": measure, "drawing": {"resamples": resamples, "seed": seed, "group": group}}
    systems = [(name, given(pred, name)) for name, pred in named]
    return _build.read(Comparison, _fangwei.compare(task, given(gold, "gold"), systems, json.dumps(wanted)))
