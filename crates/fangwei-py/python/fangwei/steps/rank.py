"""Boards."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .. import _build, _fangwei
from .._given import Data, Given, given
from ..defect import Defect
from ..frame import Rows
from .load import records
from .score import Score


@dataclass(frozen=True, slots=True)
class TaskSpread:
    """Mean and deviation that the Z scores of a task come from."""

    task: str
    mean: float | None
    deviation: float
    population: int
    flags: list[str]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a ranking."""

    name: str
    kind: str
    rank: int | None
    scores: dict[str, float | None]
    z: dict[str, float | None]
    z_mean: float | None
    mean_rank: float | None
    mean_score: float | None
    rank_range: list[int] | None
    flags: list[str]
    award: float | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """A board in order."""

    policy: dict[str, Any]
    tasks: Rows[TaskSpread]
    rows: Rows[Row]
    first_changes: list[dict[str, Any]]
    notes: list[str]
    defects: Rows[Defect]


def rank(
    board: Data | Sequence[Score],
    policy: str = "2022",
    *,
    population: Literal["teams", "teams+baseline", "all"] | None = None,
    ddof: Literal[0, 1] | None = None,
    missing: Literal["skip", "zero", "worst"] | None = None,
    by: Literal["z-mean", "mean-rank", "mean-score"] | None = None,
) -> Ranking:
    """Ranks a board under the policy of a year, or ``custom``.

    按某一年的办法排名。``board`` 可以是文件、每行一个系统的数据表（``name``、``kind``、各任务的分数），或带 ``name`` 的评分结果。

    A board is a file (CSV or JSON), rows with ``name``, perhaps ``kind`` and ``jury``, and a column a task, or scores that
    were given a ``name``.

    >>> import fangwei
    >>> board = [{"name": "甲", "kind": "team", "judge": 0.7, "roles": 0.5}, {"name": "乙", "kind": "team", "judge": 0.6, "roles": 0.3}]
    >>> [(row.rank, row.name, round(row.z_mean, 3)) for row in fangwei.rank(board, "2022").rows]
    [(1, '甲', 0.707), (2, '乙', -0.707)]
    """
    wanted = json.dumps({"policy": policy, "population": population, "ddof": ddof, "missing": missing, "by": by})
    if isinstance(board, Sequence) and not isinstance(board, str | bytes) and board and all(isinstance(one, Score) for one in board):
        runs = [
            {"name": one.name or str(number), "kind": one.kind, "task": one.task, "mode": one.mode, "score": one.value}
            for number, one in enumerate(board, 1)
            if isinstance(one, Score)
        ]
        return _build.read(Ranking, _fangwei.rank_runs(json.dumps(runs), wanted))
    return _build.read(Ranking, _fangwei.rank(_board(board), wanted))


def _board(board: Any) -> Given:
    """A board of rows as the CSV that the reader of boards takes."""
    if isinstance(board, str | os.PathLike | bytes):
        return given(board, "board")
    rows = records(board)
    columns = list(dict.fromkeys(["name", "kind"] + [name for row in rows for name in row]))
    written = io.StringIO()
    writer = csv.DictWriter(written, columns, restval="")
    writer.writeheader()
    writer.writerows({**row, "kind": row.get("kind", "team")} for row in rows)
    return ("board", written.getvalue().encode())
