"""Originals into candidates: spatial words replaced by others of their class."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import _build, _fangwei
from .._given import Data, given, several
from ..defect import Defect
from ..frame import Frame, Rows
from .lexicon import Lexicon, raw


@dataclass(frozen=True, slots=True)
class Blind:
    """Texts to be judged by people who know neither the original nor what was replaced."""

    #: What annotators get: names that tell nothing, and texts.
    items: Rows[dict[str, Any]]
    #: Which name is which candidate.
    key: Rows[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Substituted(Blind):
    """Candidates, and what fell where."""

    #: id, origin, genre, source, line, context, replaced.
    candidates: Frame
    funnel: dict[str, Any]
    means: dict[str, float]
    defects: Rows[Defect]


def substitute(
    originals: Data | Sequence[str | os.PathLike[str]],
    *,
    keep: Data | None = None,
    lexicon: Lexicon | str | os.PathLike[str] | None = None,
    **config: Any,
) -> Substituted:
    """Replaces one or two spatial words of each original, under named rules and limits.

    按规则和上限替换原句里的一两个空间词，得到供人盲判的候选。设置（``seed``、``single``、``double``、``per_pair`` 等）与命令行相同。

    >>> import fangwei
    >>> tagged = fangwei.tag_table([{"id": "a#1", "genre": "story", "source": "a", "line": 1, "text": "他跳进山洞里。"}])
    >>> made = fangwei.substitute(tagged, single=2, double=0)
    >>> len(made.candidates), made.funnel["single"]
    (2, 2)
    """
    kept = None if keep is None else given(keep, "keep")
    rows, told = _fangwei.substitute(several(originals, "originals"), kept, json.dumps(config), raw(lexicon))
    return _build.read(Substituted, told, candidates=Frame(rows))


def blind(candidates: Data, *, keep: Data | None = None, seed: int = 1) -> Blind:
    """Items for annotators from candidates that are there already, such as those made on Spark; ``keep`` was given out before.

    由已有的候选（比如在 Spark 上得到的）得到供人盲判的题目；``keep`` 里的已经发过，不再发。种子与生成候选时相同。

    >>> import fangwei
    >>> tagged = fangwei.tag_table([{"id": "a#1", "genre": "story", "source": "a", "line": 1, "text": "他跳进山洞里。"}])
    >>> made = fangwei.substitute(tagged, single=2, double=0)
    >>> fangwei.blind(made.candidates).items == made.items
    True
    """
    kept = None if keep is None else given(keep, "keep")
    return _build.read(Blind, _fangwei.blind(given(candidates, "candidates"), kept, seed))
