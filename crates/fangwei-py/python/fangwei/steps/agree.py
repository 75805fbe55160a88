"""How far annotators agree, who stands apart, what becomes gold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .. import _build, _fangwei
from .._given import Data, given
from ..defect import Defect
from ..frame import Rows
from .score import Mode


@dataclass(frozen=True, slots=True)
class Agreement:
    """Everything about some annotators."""

    #: Measures, pairs, annotators and who stands apart, without those who were excluded.
    agreement: dict[str, Any] | None = None
    excluded: list[str] = field(default_factory=list)
    with_all: dict[str, Any] | None = None
    without_outliers: dict[str, Any] | None = None
    #: Everybody scored against everybody, where answers are more than labels.
    scores: dict[str, Any] | None = None
    scores_with_all: dict[str, Any] | None = None
    score_outliers: list[dict[str, Any]] = field(default_factory=list)
    scores_without_outliers: dict[str, Any] | None = None
    triage: dict[str, Any] | None = None
    #: Every item with what became of it, where triage was asked for; ``gold`` says whether it is gold.
    decided: Rows[dict[str, Any]] = field(default_factory=Rows)
    defects: Rows[Defect] = field(default_factory=Rows)

    def __getitem__(self, measure: str) -> float | None:
        """The value of a measure (``cohen``, ``fleiss``, ``alpha_ordinal``, …); None where it has none."""
        measures = (self.agreement or {}).get("measures", {})
        if measure not in measures:
            raise KeyError(f"{measure}; known: {' '.join(measures)}")
        found = measures[measure].get("value")
        return None if found is None else float(found)


def agree(
    marks: Data | Mapping[str, Data],
    task: str | None = None,
    *,
    mode: Mode = "official",
    exclude: Sequence[str] = (),
    order: Sequence[str] = (),
    kappa: Literal["plain", "linear", "quadratic"] = "plain",
    least_shared: int = 5,
    outlier_gap: float = 0.1,
    outlier_spread: float = 2.0,
    triage: Literal["extremes", "agreed", "majority"] | None = None,
    rest: Literal["discard", "adjudicate"] = "discard",
    least_marks: int = 2,
    resamples: int = 10_000,
    seed: int = 2023,
) -> Agreement:
    """Kappas and alpha with intervals, every pair, who stands apart; with ``triage``, what becomes gold.

    一致性：各种 kappa 和 alpha 及区间，每一对标注者，离群者；``triage`` 说明哪些成为答案。

    Without a task, ``marks`` are records of item, annotator and label, or a table with a column an annotator. With a task,
    ``marks`` are the answers of each annotator by name, and are scored against each other by the task's own scorer.

    >>> import fangwei
    >>> labels = {"甲": "110010", "乙": "110011"}
    >>> marks = [{"item": str(n), "annotator": who, "label": int(label)} for who, row in labels.items() for n, label in enumerate(row)]
    >>> result = fangwei.agree(marks, resamples=0)
    >>> round(result["cohen"], 4)
    0.6667
    """
    wanted = {
        "task": task,
        "mode": mode,
        "exclude": list(exclude),
        "order": list(order),
        "kappa": kappa,
        "least_shared": least_shared,
        "outlier_gap": outlier_gap,
        "outlier_spread": outlier_spread,
        "triage": triage,
        "rest": rest,
        "least_marks": least_marks,
        "drawing": {"resamples": resamples, "seed": seed, "group": "auto"},
    }
    by_name = task is not None and isinstance(marks, Mapping)
    files = [(str(name), given(one, str(name))) for name, one in marks.items()] if by_name else [("marks", given(marks, "marks"))]  # type: ignore[union-attr]
    return _build.read(Agreement, _fangwei.agree(files, json.dumps(wanted)))
