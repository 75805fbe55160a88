"""Documents into passages, words, and duplicates."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import parts
from .order import PASSAGE, WORDS, by_batch, in_one_place, need

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame


def cut(documents: DataFrame, **config: Any) -> DataFrame:
    """Documents (``number``, ``name``, ``text``, perhaps ``genre``) into passages without words, each as ``fangwei corpus`` cuts a file of that name.

    把文档切成片段；``number`` 是文档的次序，从 0 起。
    """
    need(documents, "number", "name", "text")
    return documents.mapInArrow(by_batch(lambda batch: parts.cut(batch, **config)[0]), PASSAGE)


def tag(frame: DataFrame, *, text: str = "text", lexicon: str | os.PathLike[str] | None = None) -> DataFrame:
    """The frame with ``words`` and ``doubts`` beside its text. 分词并标注空间词。

    A lexicon of your own is a folder that every executor can read.
    """
    from pyspark.sql.types import StructType

    folder = None if lexicon is None else os.fspath(lexicon)
    others = need(frame, text).drop("words", "doubts")
    schema = StructType([*others.schema.fields, *StructType.fromDDL(f"words {WORDS}, doubts array<int>").fields])
    return others.mapInArrow(by_batch(lambda batch: parts.tag(batch, folder, text=text)), schema)


@dataclass(frozen=True, slots=True)
class Deduplicated:
    """Passages without duplicates, and how many there were."""

    passages: DataFrame
    exact: int
    near: int
    kept: int


def deduplicate(frame: DataFrame, near: float | None = 0.7) -> Deduplicated:
    """Leaves out passages that have the letters of an earlier one or are like it, as ``fangwei corpus`` does; the first stays.

    去掉与前面的片段完全或近似重复的片段；``near=None`` 只去掉完全重复的。

    Every text becomes a print of 40 bytes on the executors. One task judges the prints in order and holds about 70 bytes for each
    passage that stays.
    """
    need(frame, "number", "text")

    def judge(batches: Iterable[Any]) -> Iterator[pyarrow.RecordBatch]:
        parts.alone()
        seen = parts.Seen(near)
        for batch in batches:
            if batch.num_rows:
                yield seen.judge(batch)

    prints = frame.select("number", "text").mapInArrow(by_batch(parts.prints), "number long, print binary")
    verdicts = in_one_place(prints, "number").mapInArrow(judge, "number long, verdict int").persist()
    counts = {row.verdict: row["count"] for row in verdicts.groupBy("verdict").count().collect()}
    kept = frame.join(verdicts.where("verdict = 0").select("number"), "number", "left_semi")
    return Deduplicated(kept, exact=counts.get(1, 0), near=counts.get(2, 0), kept=counts.get(0, 0))


