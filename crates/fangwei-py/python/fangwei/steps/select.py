"""Passages that are worth a question."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .. import _build, _fangwei
from .._given import Data, several
from ..defect import Defect
from ..frame import Frame, Rows
from .lexicon import Lexicon, raw


Table = TypeVar("Table")


@dataclass(frozen=True)
class Selection(Generic[Table]):
    """What was kept, as a table of some kind, and where the others fell."""

    passages: Table
    #: Passages read, kept and fallen at each criterion.
    total: dict[str, Any]
    genres: dict[str, dict[str, Any]]
    criteria: list[dict[str, Any]]
    config: dict[str, Any]
    defective: int
    #: The genre that has too few passages for more to be kept.
    short: str | None
    #: The share of the model's cells in use.
    model_load: float | None


@dataclass(frozen=True)
class Selected(Selection[Frame]):
    """What was kept, and where the others fell."""

    defects: Rows[Defect]


def select(
    passages: Data | Sequence[str | os.PathLike[str]],
    *,
    lexicon: Lexicon | str | os.PathLike[str] | None = None,
    **config: Any,
) -> Selected:
    """Keeps passages that are rich in spatial words, full of things, clean and hard to guess.

    筛选空间词丰富、实体多、干净、难猜的片段。设置（``min_spatial``、``min_density``、``total``、``shares``、``seed`` 等）与命令行的
    ``--set`` 相同。

    >>> import fangwei
    >>> tagged = fangwei.tag_table([
    ...     {"id": "a#1", "genre": "story", "source": "a", "line": 1, "text": "猫从桌子上跳下来，钻进床底下，又爬到柜子顶上。"},
    ...     {"id": "a#2", "genre": "story", "source": "a", "line": 2, "text": "今天的会议讨论了下一年的预算和人员安排。"},
    ... ])
    >>> [row["id"] for row in fangwei.select(tagged, max_guessed=1, min_hard=0).passages]
    ['a#1']
    """
    rows, told = _fangwei.select(several(passages, "passages"), json.dumps(config), raw(lexicon))
    return _build.read(Selected, told, passages=Frame(rows))
