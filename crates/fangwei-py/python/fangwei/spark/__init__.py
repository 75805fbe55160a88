"""Corpora beyond one machine: the steps over Spark DataFrames, with the same bytes as the commands.

超出一台机器的语料：在 Spark 上运行各步，结果与命令逐字节相同，与分区方式无关。

Passages are rows of ``number, id, genre, source, line, text, words, doubts``; ``number`` tells their order, and with it
everything that depends on order. :func:`read_passages` and :func:`cut` give it; :func:`numbered` gives it to a DataFrame of
your own. Whatever looks at each row alone runs on all executors by Arrow batches; what must look at all rows runs in one task
on a few bytes a row. A task that is lost is done again with the same result.

Every executor needs this package installed, as any other Python package of a job.
"""

from __future__ import annotations

from .audit import audit
from .corpus import Deduplicated, cut, deduplicate, tag
from .order import numbered, read_lines, read_passages, write_lines
from .select import Selected, select
from .substitute import Substituted, substitute

__all__ = [
    "Deduplicated",
    "Selected",
    "Substituted",
    "audit",
    "cut",
    "deduplicate",
    "numbered",
    "read_lines",
    "read_passages",
    "select",
    "substitute",
    "tag",
    "write_lines",
]
