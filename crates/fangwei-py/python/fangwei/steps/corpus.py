"""Raw text into passages."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .. import _build, _fangwei
from ..defect import Defect
from ..frame import Frame, Rows
from .lexicon import Lexicon, raw


@dataclass(frozen=True, slots=True)
class Corpus:
    """Passages, and what became of the files."""

    #: id, genre, source, line, text, words, doubts.
    passages: Frame
    counts: dict[str, int]
    defects: Rows[Defect]


def corpus(
    inputs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    near: float | Literal["off"] = 0.7,
    tag: bool = True,
    lexicon: Lexicon | str | os.PathLike[str] | None = None,
    **config: Any,
) -> Corpus:
    """Cuts files and folders of raw text into passages, leaves out duplicates, segments and tags.

    把原始文本切成片段，去重、分词、标注空间词。其余设置（``min``、``max``、``target``、``wrapped``、``text_fields`` 等）与命令行相同。

    >>> import fangwei, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "story"
    >>> folder.mkdir()
    >>> _ = (folder / "lake.txt").write_text("小船停在湖的中间，船上的人把网撒到水里。", encoding="utf-8")
    >>> made = fangwei.corpus(folder.parent)
    >>> made.counts["passages"], made.passages.to_dicts()[0]["genre"]
    (1, 'story')
    """
    paths = [inputs] if isinstance(inputs, str | os.PathLike) else list(inputs)
    wanted = json.dumps({"near": near, **config})
    rows, told = _fangwei.corpus([os.fspath(path) for path in paths], wanted, raw(lexicon) if tag else None)
    return _build.read(Corpus, told, passages=Frame(rows))
