"""Originals into candidates, of a corpus of any size."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import parts
from .._given import Data
from ..steps.load import records
from .order import CANDIDATE, by_batch, in_one_place, need

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

DRAFT = "number long, lot long, id string, mark binary, draft string, defect string"
#: The number of the row that brings the funnel along.
FUNNEL = -1


@dataclass(frozen=True, slots=True)
class Substituted:
    """Candidates, and what fell where; as :class:`fangwei.Substituted`, with a DataFrame."""

    candidates: DataFrame
    funnel: dict[str, Any]
    means: dict[str, float]
    defects: list[str]


def substitute(
    frame: DataFrame, *, keep: DataFrame | Data | None = None, lexicon: str | os.PathLike[str] | None = None, **config: Any
) -> Substituted:
    """Replaces words as ``fangwei substitute`` does, with the same settings, caps and choices.

    与 ``fangwei substitute`` 相同的替换；设置、上限和选择都一样。

    What may be substituted is found on the executors. Caps hold for the whole set, so one task serves the originals in the order
    of their lots; it holds 22 to 32 bytes for each text that there is and the counts of word pairs.
    """
    from pyspark.sql import functions as f

    need(frame, "number", "id", "text", "words")
    folder = None if lexicon is None else os.fspath(lexicon)
    kept = [] if keep is None else _keep(frame, keep)
    drafts = frame.mapInArrow(by_batch(lambda batch: parts.drafts(batch, lexicon=folder, **config)), DRAFT).persist()
    sound = drafts.where("draft is not null")
    marks = sound.select(f.lit(0).alias("kind"), f.lit(0).cast("long").alias("lot"), f.lit("").alias("id"), "number", "mark", f.lit(None).cast("string").alias("draft"))
    served = sound.select(f.lit(1).alias("kind"), "lot", "id", "number", f.lit(None).cast("binary").alias("mark"), "draft")

    def serve(batches: Iterable[Any]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow
        import pyarrow.compute as compute

        parts.alone()
        chooser, schema = parts.Chooser(kept, **config), None
        for batch in batches:
            texts = batch.filter(compute.equal(batch["kind"], 0))
            if texts.num_rows:
                chooser.see(texts)
            made = chooser.choose(batch.filter(compute.equal(batch["kind"], 1)))
            schema = made.schema
            yield made
        if schema is not None:
            # The funnel travels as the text of a row that is no candidate.
            texts_of = {name: "" for name in ("id", "origin", "genre", "source")}
            row = {**texts_of, "number": FUNNEL, "place": 0, "line": 0, "context": json.dumps(chooser.finish()), "replaced": []}
            yield pyarrow.RecordBatch.from_pylist([row], schema)

    made = in_one_place(marks.unionAll(served), "kind", "lot", "id").mapInArrow(serve, CANDIDATE).persist()
    told = made.where(f.col("number") == FUNNEL).first()
    # Without a single original there was nobody to tell.
    report = parts.Chooser(kept, **config).finish() if told is None else json.loads(told.context)
    defects = [row.defect for row in drafts.where("defect is not null").orderBy("number").select("defect").take(100)]
    return Substituted(made.where(f.col("number") != FUNNEL), report["funnel"], report["means"], defects)


def _keep(frame: DataFrame, keep: DataFrame | Data) -> list[dict[str, Any]]:
    """Candidates that stay, each with the text of its original: few, for people have judged them."""
    candidates = [row.asDict(recursive=True) for row in keep.collect()] if hasattr(keep, "collect") and hasattr(keep, "rdd") else records(keep)
    spark = frame.sparkSession
    origins = spark.createDataFrame([(origin,) for origin in sorted({one["origin"] for one in candidates})], "id string")
    texts = {row.id: row.text for row in frame.select("id", "text").join(origins, "id", "left_semi").collect()}
    return [{"candidate": one, "original": texts.get(one["origin"])} for one in candidates]
