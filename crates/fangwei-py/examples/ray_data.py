"""From passages to candidates with Ray Data: the same bytes as the commands.

    python ray_data.py passages.jsonl OUT

writes OUT/passages.jsonl (without duplicates), OUT/originals.jsonl (selected) and OUT/candidates.jsonl. Rows are looked at by
tasks of Ray, batch by batch; what must see all rows stays on the driver, with a few bytes a row.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import ray
from fangwei import parts

#: One thread a task: Ray gives a task one core.
ALONE = {"env_vars": {"RAYON_NUM_THREADS": "1"}}


class Judge:
    """An actor that learns the model of neighbours once and judges many batches."""

    def __init__(self, counts: Any, settings: dict[str, Any]) -> None:
        model = parts.Neighbours()
        model.add(ray.get(counts))
        self.judge = parts.Judge(model, **settings)

    def __call__(self, rows: pa.Table) -> pa.Table:
        return table(self.judge.verdicts(rows))


def table(batch: pa.RecordBatch) -> pa.Table:
    return pa.Table.from_batches([batch])


def counted(rows: pa.Table) -> pa.Table:
    model = parts.Neighbours()
    model.train(rows)
    return table(model.counts())


def collected(rows: ray.data.Dataset) -> pa.Table:
    """All rows of a narrow dataset, here."""
    return pa.concat_tables(rows.iter_batches(batch_format="pyarrow", batch_size=None))


def kept(rows: ray.data.Dataset, numbers: pa.Array) -> ray.data.Dataset:
    wanted = ray.put(pa.array(numbers.to_pylist(), pa.int64()))

    def keep(batch: pa.Table) -> pa.Table:
        return batch.filter(pa.compute.is_in(batch["number"], ray.get(wanted)))

    return rows.map_batches(keep, batch_format="pyarrow").materialize()


def write(path: Path, rows: pa.Table, kind: str = "passage", order: tuple[str, ...] = ("number",)) -> None:
    ordered = rows.sort_by([(name, "ascending") for name in order])
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in parts.lines(ordered, kind)["value"].to_pylist())


def run(source: Path, out: Path, select: dict[str, Any], substitute: dict[str, Any], blocks: int = 4) -> None:
    out.mkdir(parents=True, exist_ok=True)
    lines = source.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    rows = ray.data.from_arrow(pa.table({"number": pa.array(range(len(lines)), pa.int64()), "value": lines})).repartition(blocks)
    passages = rows.map_batches(lambda batch: table(parts.tag(parts.read_passages(batch).drop_columns(["defect"]))), batch_format="pyarrow").materialize()

    prints = collected(passages.map_batches(lambda batch: table(parts.prints(batch)), batch_format="pyarrow")).sort_by("number")
    verdicts = parts.Seen().judge(prints)
    passages = kept(passages, verdicts.filter(pa.compute.equal(verdicts["verdict"], 0))["number"])
    write(out / "passages.jsonl", collected(passages))

    model = parts.Neighbours()
    model.add(collected(passages.map_batches(counted, batch_format="pyarrow", batch_size=None)))
    counts = ray.put(table(model.counts()))
    verdict = collected(passages.map_batches(Judge, fn_constructor_args=(counts, select), batch_format="pyarrow", concurrency=1))
    draw = parts.Draw(**select)
    draw.take(verdict.filter(pa.compute.equal(verdict["fell"], -1)))
    fallen = verdict.filter(pa.compute.greater_equal(verdict["fell"], 0)).group_by(["genre", "fell"]).aggregate([([], "count_all")])
    numbers, _ = draw.finish([(row["genre"], row["fell"], row["count_all"]) for row in fallen.to_pylist()])
    originals = kept(passages, numbers["number"])
    write(out / "originals.jsonl", collected(originals))

    drafts = collected(originals.map_batches(lambda batch: table(parts.drafts(batch, **substitute)), batch_format="pyarrow"))
    chooser = parts.Chooser(**substitute)
    chooser.see(drafts)
    made = chooser.choose(drafts.sort_by([("lot", "ascending"), ("id", "ascending")]))
    write(out / "candidates.jsonl", table(made), "candidate", ("number", "place"))


if __name__ == "__main__":
    ray.init(runtime_env=ALONE, include_dashboard=False)
    run(Path(sys.argv[1]), Path(sys.argv[2]), select={"seed": 2023}, substitute={"seed": 1})
