"""What datasets give away: siblings across files, skewed labels, shortcuts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import _build, _fangwei
from .._given import Data, given
from ..defect import Defect
from ..frame import Rows
from .score import Interval


@dataclass(frozen=True, slots=True)
class FileSummary:
    """A file of an audit."""

    file: str
    task: str | None
    records: int
    items: int
    answered: int
    groups: int
    errors: int


@dataclass(frozen=True, slots=True)
class Crossing:
    """What two files have in common."""

    a: str
    b: str
    verbatim: int
    siblings: int
    share_a: float
    share_b: float


@dataclass(frozen=True, slots=True)
class PairSkew:
    """How often a pair of exchanged words was judged abnormal."""

    task: str
    from_: str
    to: str
    n: int
    abnormal: int
    rate: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class KindSkew:
    """How often texts of a kind were judged abnormal."""

    task: str
    by: str
    value: str
    n: int
    abnormal: int
    rate: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Shortcut:
    """What can be earned without reading."""

    task: str
    name: str
    measure: str
    value: float
    interval: Interval
    items: int


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found."""

    files: Rows[FileSummary]
    groups: dict[str, Any]
    crossing: Rows[Crossing]
    pairs: Rows[PairSkew]
    skew: Rows[KindSkew]
    shortcuts: Rows[Shortcut]
    statements: Rows[dict[str, Any]]
    defects: Rows[Defect]
    #: The report for people.
    markdown: str
    html: str


def audit(
    files: Data | Mapping[str, Data] | Sequence[str | os.PathLike[str]],
    *,
    tasks: Mapping[str, str] | None = None,
    seed: int = 2023,
    folds: int = 10,
) -> Audit:
    """Audits files together: texts of one origin, label skew by exchanged words, what shortcuts earn.

    一起审查若干文件：同源题、标签对词的偏斜、不用理解就能得到的分数。``files`` 可以是一个文件、一组文件，或按名称给出的数据。

    ``files`` is one dataset, a list of paths, or datasets by name; ``tasks`` names the task of a dataset whose records do not
    tell it.

    >>> import fangwei
    >>> train = [{"qid": "1", "context": "清晨，老渔夫把小船停在码头旁边，慢慢走上岸来。", "judge": 1}]
    >>> test = [{"qid": "9", "context": "清晨，老渔夫把小船停在码头里边，慢慢走上岸来。", "judge": 0}]
    >>> found = fangwei.audit({"train": train, "test": test})
    >>> found.crossing[0].siblings
    2
    """
    tasks = tasks or {}
    if isinstance(files, Mapping):
        named: list[tuple[str, Any]] = list(files.items())
    elif isinstance(files, list | tuple) and files and all(isinstance(one, str | os.PathLike) for one in files):
        named = [(os.fspath(one), one) for one in files]
    else:
        named = [("data", files)]
    sets = [(tasks.get(name), given(data, name)) for name, data in named]
    told, markdown, html = _fangwei.audit(sets, seed, folds)
    return _build.read(Audit, told, markdown=markdown, html=html)
