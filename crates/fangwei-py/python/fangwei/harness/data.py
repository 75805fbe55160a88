"""Which items a harness asks: those that the caller names, those of ``FANGWEI_DATA``, or the sample that comes with the program.

Harnesses are run from a shell, where data is one setting for all tasks; so a folder may stand for the gold files of many.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .._given import Data
from ..errors import InputError
from ..steps.load import Items, load, sample
from ..steps.score import score

#: The environment variable that names a gold file, or a folder of them.
VARIABLE = "FANGWEI_DATA"


def items(task: str, data: Data | None = None) -> Items:
    """The answered items of a task that are to be asked.

    要提问的题目：给出的数据，否则环境变量 ``FANGWEI_DATA`` 所指的文件或文件夹，再否则自带的样例。

    ``data`` is a gold file, records, or a folder that holds ``YEAR/TASK/gold.jsonl``, ``YEAR/TASK.jsonl`` or either of them
    as ``.json``.

    >>> from fangwei.harness.data import items
    >>> [item["judge"] for item in items("2022/judge", [{"qid": "1", "context": "他跳进山洞外。", "judge": 0}])]
    [0]
    """
    wanted = os.environ.get(VARIABLE) or None if data is None else data
    if wanted is None:
        found = sample(task)
        _log.warning("%s: asking the %d sample items; name a gold file or a folder in %s to ask others", task, len(found), VARIABLE)
        return found
    if isinstance(wanted, str | os.PathLike) and Path(wanted).is_dir():
        wanted = _within(Path(wanted), task)
    # Gold that is empty, malformed or unanswered is told now, with file and line, and not after a model has been paid for.
    score(task, wanted, [])
    return load(wanted, task)


def identifier(item: Mapping[str, Any]) -> str:
    """What an item is called; the years spell the field differently.

    >>> from fangwei.harness.data import identifier
    >>> identifier({"qID": "1-dev-4", "context": "他跳进山洞外。"})
    '1-dev-4'
    """
    return str(next(item[name] for name in ("qid", "qID", "id") if name in item))


def _within(folder: Path, task: str) -> Path:
    """The gold file of a task in a folder."""
    places = [folder / task / "gold.jsonl", folder / task / "gold.json", folder / f"{task}.jsonl", folder / f"{task}.json"]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        expected = ", ".join(place.relative_to(folder).as_posix() for place in places)
        raise InputError(f"{folder}: expected one of {expected}, found none of them", expected=expected, found="none of them")
    return found


_log = logging.getLogger(__name__)
