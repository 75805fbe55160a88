"""Numbers that tell the order of rows, and the lines of files as rows and back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, Literal

from .. import parts
from ..errors import ColumnError, InputError

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

WORDS = "array<struct<text:string,pos:string,class:string>>"
PASSAGE = f"number long, id string, genre string, source string, line long, text string, words {WORDS}, doubts array<int>"
REPLACED = "array<struct<at:long,from:string,to:string,class:string,group:string>>"
CANDIDATE = f"number long, place int, id string, origin string, genre string, source string, line long, context string, replaced {REPLACED}"


def by_batch(work: Callable[[Any], pyarrow.RecordBatch]) -> Callable[[Iterable[Any]], Iterator[pyarrow.RecordBatch]]:
    """A part as ``mapInArrow`` takes it: batch by batch, on one thread a task."""

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        parts.alone()
        for batch in batches:
            if batch.num_rows:
                yield work(batch)

    return run


def need(frame: DataFrame, *columns: str) -> DataFrame:
    """The frame, if it has these columns."""
    for column in columns:
        if column not in frame.columns:
            found = ", ".join(frame.columns)
            raise ColumnError(f"expected a column {column}, found {found}", column=column, found=found)
    return frame


def in_one_place(frame: DataFrame, *order: str) -> DataFrame:
    """All rows in one partition, sorted. Only narrow rows are ever brought together."""
    return frame.repartition(1).sortWithinPartitions(*order)


def numbered(frame: DataFrame, *order: str) -> DataFrame:
    """The frame with a column ``number`` that counts its rows in the order of some columns, which together must be unique.

    给数据表加上按某些列排序的 ``number`` 列；这些列合起来必须唯一。

    Only the columns of the order are brought together to be counted. Two rows that are alike in them stop the job.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    rows = need(frame, *order).drop("number")
    place, key = Window.orderBy(*order), f.struct(*order)
    twice = f.raise_error(f.concat(f.lit(f"two rows have the same {', '.join(order)}: "), f.to_json(key))).cast("long")
    number = f.when(f.lag(key).over(place).eqNullSafe(key), twice).otherwise(f.row_number().over(place) - 1)
    keys = frame.select(key.alias("key"), number.cast("long").alias("number"))
    # As one value, in which empty cells are equal.
    return rows.join(keys, f.struct(*(rows[name] for name in order)) == keys["key"]).drop(keys["key"])


def read_passages(
    spark: SparkSession, paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *, rejected: bool = False
) -> DataFrame:
    """Files that ``fangwei corpus`` wrote (JSON lines, plain or gzip) as passages, numbered in the order of files and lines.

    把 ``fangwei corpus`` 写出的文件读成带编号的片段；``rejected=True`` 则给出读不了的行和原因。

    Lines that are no passages are left out; with ``rejected`` they come instead, each with its ``number`` and ``defect``.
    """
    lines = read_lines(spark, paths)
    read = lines.mapInArrow(by_batch(parts.read_passages), f"{PASSAGE}, defect string")
    return read.where("defect is not null").select("number", "defect") if rejected else read.where("defect is null").drop("defect")


def read_lines(spark: SparkSession, paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> DataFrame:
    """The lines of files that are not blank (``value``), with a ``number`` in the order of files and lines.

    文件里的非空行，按文件和行的次序编号。
    """
    from pyspark.sql import functions as f

    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not given:
        raise InputError("paths: expected at least one file, found none", expected="files", found="none")
    reader = _steady(spark)

    def one(number: int, path: str) -> DataFrame:
        file, start = f.col("_metadata.file_path"), f.col("_metadata.file_block_start")
        at = f.monotonically_increasing_id()
        return reader.read.text(path).select("value", f.lit(number).alias("given"), file.alias("file"), start.alias("start"), at.alias("at"))

    lines = reduce(lambda a, b: a.unionAll(b), [one(number, os.fspath(path)) for number, path in enumerate(given)])
    # Spark reads a file in splits; within a split, rows rise as lines do.
    split = ["given", "file", "start"]
    counted = lines.groupBy(*split).agg(f.count("*").alias("rows"), f.min("at").alias("least")).orderBy(*split).collect()
    before, rows = 0, []
    for row in counted:
        rows.append((row.given, row.file, row.start, before - row.least))
        before += row.rows
    offsets = spark.createDataFrame(rows, "given int, file string, start long, offset long")
    # What is on the left decides whose session the result belongs to.
    joined = f.broadcast(offsets).join(lines.where("trim(value) != ''"), split)
    return joined.select((f.col("at") + f.col("offset")).alias("number"), "value")


def _steady(spark: SparkSession) -> SparkSession:
    """A session that cuts files into the same splits each time it reads them, whatever executors come or go and whatever is set later.

    Spark cuts anew for every job, by how many cores there are at that moment; numbers that were counted on other splits would be wrong.
    """
    steady = spark.newSession()
    for key, value in spark.conf.getAll.items():
        if spark.conf.isModifiable(key):
            steady.conf.set(key, value)
    if spark.conf.get("spark.sql.files.minPartitionNum", None) is None:
        steady.conf.set("spark.sql.files.minPartitionNum", str(spark.sparkContext.defaultParallelism))
    return steady


def write_lines(
    frame: DataFrame,
    path: str | os.PathLike[str],
    kind: Literal["passage", "candidate"] = "passage",
    *,
    files: int | None = None,
    compression: Literal["none", "gzip"] = "none",
) -> None:
    """Writes passages or candidates as the command of the step would: the part files, one after the other, are its file.

    写出与命令相同的行；各个 part 文件依次相接就是命令写出的文件。
    """
    order = ["number", "place"] if kind == "candidate" else ["number"]
    need(frame, *order)
    partitions = files or max(1, frame.rdd.getNumPartitions())
    placed = "place" if kind == "candidate" else "0 as place"
    kept = frame.selectExpr("*") if kind == "candidate" else frame.selectExpr("*", placed)

    def lines(batch: Any) -> pyarrow.RecordBatch:
        written = parts.lines(batch, kind)
        return written.append_column("place", batch.column("place").cast("int32"))

    ordered = kept.mapInArrow(by_batch(lines), "number long, value string, place int").repartitionByRange(partitions, "number")
    ordered.sortWithinPartitions("number", "place").select("value").write.text(os.fspath(path), compression=compression)
