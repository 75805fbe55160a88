"""Steps cut into parts that take a batch of rows and give a batch of rows: for Spark, Ray, or processes of your own.

把各步切成以一批行为单位的部件，供 Spark、Ray 或自己的多进程使用。

A part that looks at each row alone (:func:`tag`, :func:`prints`, :class:`Judge`, :func:`drafts`) may run anywhere and in any
order. One that looks at all of them (:class:`Seen`, :class:`Draw`, :class:`Chooser`) runs in one place and is given a few bytes
a row. Rows carry a ``number`` (64 bits) that tells their order; with the same numbers the result is the same, byte for byte, as
that of the command on one machine, however the rows were cut into batches.

>>> import fangwei, pyarrow
>>> from fangwei import parts
>>> rows = pyarrow.record_batch({"number": [0, 1, 2], "text": ["书在桌上。", "猫在箱子里。", "书在桌上！"]})
>>> seen = parts.Seen(0.7)
>>> seen.judge(parts.prints(rows))["verdict"].to_pylist()
[0, 0, 1]
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from . import _fangwei
from .steps.lexicon import Lexicon, raw
from .steps.tag import tagger

if TYPE_CHECKING:
    import pyarrow

Words = Lexicon | str | os.PathLike[str] | None


def batch(frame: _fangwei.Frame) -> pyarrow.RecordBatch:
    """A frame of the Rust side as one record batch, without copying."""
    import pyarrow

    table = pyarrow.table(frame).combine_chunks()
    batches = table.to_batches()
    # Without a row there is no batch, but there are columns.
    return batches[0] if batches else pyarrow.RecordBatch.from_pylist([], table.schema)


def alone() -> None:
    """One thread for this process: a scheduler that starts a process a core does not want a pool of threads in each."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")


def cut(rows: Any, **config: Any) -> tuple[pyarrow.RecordBatch, dict[str, int]]:
    """Documents (``number``, ``name``, ``text``, perhaps ``genre``) into passages without words, and what was counted.

    The passages are those that ``fangwei corpus`` cuts from a file of that name. Give documents numbers that rise from 0.
    """
    made, counts = _fangwei.cut_documents(rows, json.dumps(config))
    return batch(made), json.loads(counts)


def tag(rows: Any, lexicon: Words = None, *, text: str = "text") -> pyarrow.RecordBatch:
    """Rows with ``words`` and ``doubts`` beside their ``text``."""
    return batch(tagger(lexicon).table(rows, text))


def prints(rows: Any) -> pyarrow.RecordBatch:
    """The print of each ``text``: 40 bytes by which duplicates are told."""
    return batch(_fangwei.prints(rows))


class Seen:
    """Tells duplicates among prints, which must come in the order of their numbers, each once: 0 stays, 1 is an exact copy, 2 a near one."""

    def __init__(self, near: float | None = 0.7) -> None:
        self._seen = _fangwei.Seen(near)

    def judge(self, rows: Any) -> pyarrow.RecordBatch:
        """``number`` and ``verdict`` of each print."""
        return batch(self._seen.judge(rows))

    @property
    def bytes(self) -> int:
        """What is held in memory: about 70 bytes a passage that stays."""
        return self._seen.bytes()


class Neighbours:
    """The model of neighbours by which guessable passages are told: counted on parts of a corpus, then added up in any order."""

    def __init__(self, bits: int = 24) -> None:
        self._model = _fangwei.Neighbours(bits)

    def train(self, rows: Any) -> None:
        """Counts the spatial words of passages."""
        self._model.train(rows)

    def counts(self) -> pyarrow.RecordBatch:
        """``cell`` and ``count`` of what was counted."""
        return batch(self._model.counts())

    def add(self, rows: Any) -> None:
        """Adds the counts of another part."""
        self._model.add(rows)

    @property
    def load(self) -> float:
        """The share of cells in use; beyond one half, a larger model is wanted."""
        return self._model.load()


class Judge:
    """Judges passages by the criteria of ``fangwei select``."""

    def __init__(self, model: Neighbours | None = None, *, lexicon: Words = None, **config: Any) -> None:
        self._judge = _fangwei.Judge(json.dumps(config), raw(lexicon), None if model is None else model._model)

    @property
    def guesses(self) -> bool:
        """Whether a criterion asks for a model of neighbours."""
        return self._judge.guesses()

    @property
    def bits(self) -> int:
        """The size of the model that the settings ask for."""
        return self._judge.bits()

    def verdicts(self, rows: Any) -> pyarrow.RecordBatch:
        """What is said of each passage; ``fell`` is -1 for one that passes and -2 for what is no passage."""
        return batch(self._judge.verdicts(rows))


class Draw:
    """Who is kept of those that pass, by shares, totals and limits a source."""

    def __init__(self, **config: Any) -> None:
        self._draw = _fangwei.Draw(json.dumps(config))

    def take(self, rows: Any) -> list[int]:
        """Takes verdicts of passages that pass, in any order; gives the numbers of those whose id another has."""
        return self._draw.take(rows)

    def finish(
        self, fallen: list[tuple[str, int, int]], defective: int = 0, load: float | None = None
    ) -> tuple[pyarrow.RecordBatch, dict[str, Any]]:
        """The numbers that are kept, and the funnel. ``fallen`` counts by genre and criterion."""
        kept, report = self._draw.finish(fallen, defective, load)
        return batch(kept), json.loads(report)


def drafts(rows: Any, *, lexicon: Words = None, **config: Any) -> pyarrow.RecordBatch:
    """What may be substituted in each original."""
    return batch(_fangwei.drafts(rows, json.dumps(config), raw(lexicon)))


class Chooser:
    """Chooses candidates. It must see the marks of all originals first, then it is given drafts in the order of lot and id."""

    def __init__(self, keep: list[dict[str, Any]] | None = None, **config: Any) -> None:
        self._chooser = _fangwei.Chooser(json.dumps(config), json.dumps(keep or [], ensure_ascii=False))

    def see(self, rows: Any) -> None:
        """Remembers the texts of originals by their marks."""
        self._chooser.see(rows)

    def choose(self, rows: Any) -> pyarrow.RecordBatch:
        """The candidates of drafts, each with the number of its original and its place among that one's."""
        return batch(self._chooser.choose(rows))

    def finish(self) -> dict[str, Any]:
        """The funnel."""
        return dict(json.loads(self._chooser.finish()))


def lines(rows: Any, kind: str = "passage") -> pyarrow.RecordBatch:
    """Passages or candidates as the lines that commands write: ``number`` and ``value``."""
    return batch(_fangwei.command_lines(rows, kind))


def read_passages(rows: Any) -> pyarrow.RecordBatch:
    """Lines of ``fangwei corpus`` (``number``, ``value``) as passages; ``defect`` says why a line is none."""
    return batch(_fangwei.read_passages(rows))
