"""From passages to candidates on all cores of one machine, with nothing but ``multiprocessing``: the same bytes as the commands.

    python processes.py passages.jsonl OUT [PROCESSES]

writes OUT/tagged.jsonl (every passage, words anew), OUT/passages.jsonl (without duplicates), OUT/originals.jsonl (selected) and
OUT/candidates.jsonl. Batches of a thousand lines go to the processes; what must see all rows stays here.
"""

from __future__ import annotations

import functools
import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
from fangwei import parts

Batch = pa.RecordBatch
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]

#: What a process of the pool has learnt, so that it is learnt once.
_JUDGE: parts.Judge | None = None


def lines_of(path: Path, size: int = 1000) -> Iterator[Batch]:
    """The lines of a file in batches, numbered."""
    with path.open(encoding="utf-8") as file:
        first = 0
        while lines := list(islice(file, size)):
            yield pa.record_batch({"number": pa.array(range(first, first + len(lines))), "value": [line.rstrip("\n") for line in lines]})
            first += len(lines)


def tagged(lines: Batch) -> Batch:
    return parts.tag(parts.read_passages(lines).drop_columns(["defect"]))


def counted(passages: Batch) -> Batch:
    model = parts.Neighbours()
    model.train(passages)
    return model.counts()


def learn(counts: Batch, settings: dict[str, Any]) -> None:
    """Runs once in each process of the pool."""
    global _JUDGE
    model = parts.Neighbours()
    model.add(counts)
    _JUDGE = parts.Judge(model, **settings)


def judged(passages: Batch) -> Batch:
    assert _JUDGE is not None
    return _JUDGE.verdicts(passages)


def kept(passages: list[Batch], numbers: set[int]) -> list[Batch]:
    return [batch.filter(pa.array([number in numbers for number in batch["number"].to_pylist()])) for batch in passages]


def write(path: Path, rows: Iterable[Batch], kind: str = "passage") -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for batch in rows:
            file.writelines(f"{line}\n" for line in parts.lines(batch, kind)["value"].to_pylist())


def run(source: Path, out: Path, processes: int, select: dict[str, Any], substitute: dict[str, Any]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    pool = functools.partial(multiprocessing.get_context("spawn").Pool, processes)
    with pool(parts.alone) as workers:
        passages = list(workers.imap(tagged, lines_of(source)))
        write(out / "tagged.jsonl", passages)
        seen = parts.Seen()
        verdicts = [seen.judge(prints) for prints in workers.imap(parts.prints, passages)]
        first = {number for batch in verdicts for number, verdict in zip(*(batch[name].to_pylist() for name in ("number", "verdict"))) if verdict == 0}
        passages = [batch for batch in kept(passages, first) if batch.num_rows]
        write(out / "passages.jsonl", passages)
        model = parts.Neighbours()
        for counts in workers.imap_unordered(counted, passages):
            model.add(counts)
    with pool(learn, (model.counts(), select)) as workers:
        verdict = pa.Table.from_batches(list(workers.imap(judged, passages)))
        draw = parts.Draw(**select)
        draw.take(verdict.filter(pa.compute.equal(verdict["fell"], -1)))
        fallen = verdict.filter(pa.compute.greater_equal(verdict["fell"], 0)).group_by(["genre", "fell"]).aggregate([([], "count_all")])
        numbers, _ = draw.finish([(row["genre"], row["fell"], row["count_all"]) for row in fallen.to_pylist()])
        originals = [batch for batch in kept(passages, set(numbers["number"].to_pylist())) if batch.num_rows]
        write(out / "originals.jsonl", originals)
        drafts = pa.Table.from_batches(list(workers.imap(functools.partial(parts.drafts, **substitute), originals)))
    chooser = parts.Chooser(**substitute)
    chooser.see(drafts)
    made = chooser.choose(drafts.sort_by([("lot", "ascending"), ("id", "ascending")]))
    write(out / "candidates.jsonl", [made.sort_by([("number", "ascending"), ("place", "ascending")])], "candidate")


if __name__ == "__main__":
    arguments = sys.argv[1:] + ["2"]
    run(Path(arguments[0]), Path(arguments[1]), int(arguments[2]), select={"seed": 2023}, substitute={"seed": 1})
