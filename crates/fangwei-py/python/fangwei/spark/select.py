"""Passages that are worth a question, of a corpus of any size."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import parts
from ..steps.select import Selection
from .order import by_batch, need

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

VERDICT = "number long, id long, lot long, genre string, source long, fell int, defect string"

#: Judges by the selection that they belong to: a worker process serves many tasks and reads the model once.
_JUDGES: dict[str, parts.Judge] = {}


@dataclass(frozen=True)
class Selected(Selection["DataFrame"]):
    """What was kept, and where the others fell; as :class:`fangwei.Selected`, with a DataFrame."""

    #: What is wrong with some of the rows that are no passages.
    defects: list[str]


def select(frame: DataFrame, *, lexicon: str | os.PathLike[str] | None = None, **config: Any) -> Selected:
    """Keeps passages as ``fangwei select`` does, with the same settings, funnel and draw.

    与 ``fangwei select`` 相同的筛选；设置、漏斗和抽取都一样。

    The model of neighbours is counted on the executors and added up by Spark; of passages that pass, some forty bytes each come
    to the driver, where the draw is made.
    """
    import pyarrow

    spark = need(frame, "number", "words").sparkSession
    folder = None if lexicon is None else os.fspath(lexicon)
    settings = parts.Judge(lexicon=folder, **config)
    model = _counts(frame, settings.bits) if settings.guesses else None
    packed = None if model is None else _packed(model)
    told, bits, name = spark.sparkContext.broadcast(packed), settings.bits, uuid.uuid4().hex

    def judge(batch: Any) -> pyarrow.RecordBatch:
        if name not in _JUDGES:
            _JUDGES.clear()
            _JUDGES[name] = parts.Judge(_unpacked(told.value, bits), lexicon=folder, **config)
        return _JUDGES[name].verdicts(batch)

    verdicts = frame.mapInArrow(by_batch(judge), VERDICT).persist()
    fell = verdicts.where("fell >= 0").groupBy("genre", "fell").count().collect()
    wrong = verdicts.where("fell = -2")
    draw = parts.Draw(**config)
    repeated = draw.take(verdicts.where("fell = -1").select("number", "id", "lot", "genre", "source").toArrow())
    whole = _unpacked(packed, bits)
    load = None if whole is None else whole.load
    kept, report = draw.finish([(row.genre, row.fell, row["count"]) for row in fell], wrong.count(), load)
    numbers = spark.createDataFrame(pyarrow.Table.from_batches([kept]))
    defects = [row.defect for row in wrong.orderBy("number").select("defect").take(100)]
    # All that was asked of the verdicts is here; the cluster may forget them and the model.
    verdicts.unpersist()
    told.destroy()
    defects += [f"passages:{number + 1}: an id occurs twice" for number in sorted(repeated)[:100]]
    passages = frame.join(numbers, "number", "left_semi")
    return Selected(passages=passages, defects=defects, **report)


def _counts(frame: DataFrame, bits: int) -> pyarrow.Table:
    """The model's counts over all rows."""

    def train(batches: Iterable[Any]) -> Iterator[pyarrow.RecordBatch]:
        parts.alone()
        model = parts.Neighbours(bits)
        for batch in batches:
            if batch.num_rows:
                model.train(batch)
        yield model.counts()

    from pyspark.sql import functions as f

    counted = frame.mapInArrow(train, "cell long, count long")
    return counted.groupBy("cell").agg(f.sum("count").alias("count")).toArrow()


def _packed(counts: pyarrow.Table) -> bytes:
    """Counts as bytes: a broadcast of Arrow's own format is neither pickled nor copied twice."""
    import pyarrow

    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, counts.schema) as writer:
        writer.write_table(counts)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


def _unpacked(packed: bytes | None, bits: int) -> parts.Neighbours | None:
    import pyarrow

    if packed is None:
        return None
    model = parts.Neighbours(bits)
    model.add(pyarrow.ipc.open_stream(packed).read_all())
    return model
