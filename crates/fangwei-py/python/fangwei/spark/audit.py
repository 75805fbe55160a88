"""What datasets give away: the search for siblings on executors, the findings on the driver."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any

from .. import _build, _fangwei, parts
from ..errors import ColumnError
from ..steps.audit import Audit
from .order import by_batch, need

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Numbers of rows have so many bits; those of files stand above.
FILE = 40


def audit(frames: Mapping[str, DataFrame], *, tasks: Mapping[str, str] | None = None, seed: int = 2023, folds: int = 10) -> Audit:
    """Audits datasets as ``fangwei audit`` does. Rows are items in the columns of their task, with a ``number`` that tells their order.

    与 ``fangwei audit`` 相同的审查；同源题的查找在各执行器上进行。

    Which texts share sequences of five characters is found by Spark; items and the pairs of texts that belong together come to
    the driver, which aligns siblings and tries shortcuts.
    """
    from pyspark.sql import functions as f

    def on(work: Any) -> Any:
        return by_batch(lambda batch: parts.batch(work(batch)))

    # One number over all files, in their order.
    given, texts = [], []
    for file, (name, frame) in enumerate(frames.items()):
        rows = need(frame, "number").withColumn("number", f.col("number") + (file << FILE))
        held = [column for column in ("number", "context", "context1", "context2") if column in frame.columns]
        texts.append(rows.select(*held).mapInArrow(on(_fangwei.item_texts), "place long, text string"))
        table = rows.orderBy("number").toArrow()
        _fits(name, table["number"], file << FILE)
        given.append(((tasks or {}).get(name), table.select(["number"]), (name, table.drop_columns("number"))))
    # Each text once, where it first stands.
    distinct = reduce(lambda a, b: a.unionAll(b), texts).groupBy("text").agg(f.min("place").alias("place"))
    grams = distinct.select("place", "text").mapInArrow(on(_fangwei.text_grams), "gram long, place long, size int")
    holders = grams.groupBy("gram").agg(f.sort_array(f.collect_list(f.struct("place", "size"))).alias("holders")).where("size(holders) > 1")
    pairs = holders.mapInArrow(on(_fangwei.gram_pairs), "a long, b long, size_a int, size_b int")
    counted_pairs = pairs.groupBy("a", "b").agg(f.count("*").alias("shared"), f.first("size_a").alias("size_a"), f.first("size_b").alias("size_b"))
    kin = counted_pairs.mapInArrow(on(_fangwei.kin_pairs), "a long, b long").toArrow()
    told, markdown, html = _fangwei.audit_grouped(given, kin, seed, folds)
    return _build.read(Audit, told, markdown=markdown, html=html)


def _fits(name: str, numbers: Any, first: int) -> None:
    """Refuses numbers that would run into those of the next file."""
    import pyarrow.compute as compute

    found = compute.min_max(numbers)
    least, most = found["min"].as_py(), found["max"].as_py()
    # Empty cells are refused where the texts are read.
    if least is None or (least >= first and most < first + (1 << FILE)):
        return
    wrong = least if least < first else most
    told = f"{name}: expected numbers from 0 to {(1 << FILE) - 1}, found {wrong - first}; fangwei.spark.numbered gives such"
    raise ColumnError(told, column="number", found=str(wrong - first))
