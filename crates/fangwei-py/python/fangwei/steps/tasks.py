"""The tasks of all years."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _build, _fangwei
from ..frame import Rows


@dataclass(frozen=True, slots=True)
class Quirk:
    """A place where a year's script departs from its text."""

    name: str
    official: str
    spec: str


@dataclass(frozen=True, slots=True)
class Task:
    """What a task is called, how its records look, and what is measured."""

    id: str
    alias: str
    title: str
    guide: str
    fields: list[str]
    answer: str
    ranking: str
    columns: list[str]
    facets: list[str]
    prompts: list[str]
    quirks: list[Quirk]


def tasks() -> Rows[Task]:
    """Every task. 全部任务。

    >>> import fangwei
    >>> [task.id for task in fangwei.tasks() if task.id.startswith("2023/")]
    ['2023/anomaly', '2023/roles', '2023/scene']
    >>> fangwei.set_language("zh"); fangwei.task("2022/judge").title
    '中文空间语义正误判断'
    >>> fangwei.set_language("en"); fangwei.task("2022/task1").id
    '2022/judge'
    """
    import json

    return Rows(_build.build(list[Task], json.loads(_fangwei.tasks())))


def task(name: str) -> Task:
    """The task of a name or official number. 按名称或官方编号取任务。"""
    known = tasks()
    found = next((one for one in known if name in (one.id, one.alias)), None)
    if found is None:
        # The Rust side knows how to say it, with the nearest name.
        _fangwei.sample(name)
        raise AssertionError(name)
    return found
