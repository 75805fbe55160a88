"""Items of a file as records of their task."""

from __future__ import annotations

import gzip
import json
from typing import Any

from .. import _build, _fangwei
from .._given import Data, given
from ..defect import Defect
from ..frame import Rows


class Items(Rows[dict[str, Any]]):
    """Items as dicts, fields in the official order; ``to_pandas``, ``to_polars`` and ``to_arrow`` make tables of them."""

    #: The task, or None where the records do not tell it.
    task: str | None
    #: How many records there are, malformed ones included.
    records: int
    #: How many items have an answer.
    answered: int
    #: Everything that is wrong with the data.
    defects: list[Defect]


def load(data: Data, task: str | None = None) -> Items:
    """Reads items of any task and year: paths (JSON lines, arrays, gzip, Zstandard), records, tables.

    读入任何年份、任何任务的题目：文件、记录或数据表；读不了的记录列在 ``defects`` 里。

    >>> import fangwei
    >>> items = fangwei.load([{"qid": "1", "context": "他跳进山洞外。", "judge": 0}])
    >>> items.task, items.answered, items[0]["context"]
    ('2022/judge', 1, '他跳进山洞外。')
    >>> fangwei.set_language("zh")
    >>> print(fangwei.load([{"qid": "1", "judge": 0}], "2022/judge").defects[0])  # doctest: +ELLIPSIS
    data:1 1: 错误 [missing-field] 缺少字段; 应为 字段 context; ...
    >>> fangwei.set_language("en")
    >>> print(fangwei.load([{"qid": "1", "judge": 0}], "2022/judge").defects[0])  # doctest: +ELLIPSIS
    data:1 1: error [missing-field] a field is missing; expected field context; ...
    """
    lines, about = _fangwei.load(given(data, "data"), task)
    told = json.loads(about)
    items = Items(_build.records(lines))
    items.task, items.records, items.answered = told["task"], told["records"], told["answered"]
    items.defects = [Defect(**defect) for defect in told["defects"]]
    return items


def records(data: Data) -> list[dict[str, Any]]:
    """The records of any data, as they are."""
    taken = given(data, "data")
    if isinstance(taken, str):
        with (gzip.open if taken.endswith(".gz") else open)(taken, "rt", encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.strip()]
    lines = taken[1].decode() if isinstance(taken[1], bytes) else _fangwei.Frame(taken[1]).lines()
    return _build.records(lines)


def sample(task: str) -> Items:
    """The answered items of a task that come with the program: a few, written for it. 自带的样例题目。

    >>> import fangwei
    >>> fangwei.sample("2022/judge")[0]["qid"]
    '1-dev-1'
    """
    return load(_fangwei.sample(task).encode(), task)
