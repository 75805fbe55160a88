"""Words of texts, and which of them are in spatial use."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, overload

from .. import _build, _fangwei
from .._given import given
from ..frame import Frame, Rows
from .lexicon import Lexicon, raw


@dataclass(frozen=True, slots=True)
class Word:
    """A word, its part of speech and, where it is in spatial use, its class."""

    text: str
    pos: str
    class_: str | None = None

    @property
    def spatial(self) -> bool:
        """Whether it is in spatial use."""
        return self.class_ is not None


@dataclass(frozen=True, slots=True)
class Tagged:
    """A text with its words; joined they are the text."""

    text: str
    words: list[Word]
    #: Numbers of words whose tagging is doubtful.
    doubts: list[int]

    @property
    def spatial(self) -> list[Word]:
        """The words in spatial use."""
        return [word for word in self.words if word.spatial]

    @property
    def frame(self) -> Frame:
        """The same as a frame of one row."""
        return Frame(tagger(None).texts([self.text]))


@functools.lru_cache(maxsize=4)
def _tagger(folder: str | None) -> _fangwei.Tagger:
    """A tagger takes half a second to teach; one a lexicon is enough."""
    return _fangwei.Tagger(raw(folder))


def tagger(lexicon: Lexicon | str | os.PathLike[str] | None) -> _fangwei.Tagger:
    """The tagger of a lexicon."""
    if isinstance(lexicon, Lexicon):
        return _fangwei.Tagger(raw(lexicon))
    return _tagger(None if lexicon is None else os.fspath(lexicon))


def tag_table(table: Any, *, text: str = "text", lexicon: Lexicon | str | os.PathLike[str] | None = None) -> Frame:
    """A table with the columns ``words`` and ``doubts`` beside what it has.

    给数据表加上 ``words`` 和 ``doubts`` 两列。
    """
    taken = given(table, "table")
    if isinstance(taken, str) or isinstance(taken[1], bytes):
        return Frame(tagger(lexicon).records(taken))
    return Frame(tagger(lexicon).table(taken[1], text))


@overload
def tag(text: str, *, lexicon: Lexicon | str | os.PathLike[str] | None = None) -> Tagged: ...  # type: ignore[overload-overlap]
@overload
def tag(text: Iterable[str], *, lexicon: Lexicon | str | os.PathLike[str] | None = None) -> Rows[Tagged]: ...
def tag(text: str | Iterable[str], *, lexicon: Lexicon | str | os.PathLike[str] | None = None) -> Tagged | Rows[Tagged]:
    """Segments a text or texts and marks words in spatial use; :func:`tag_table` does the same for tables.

    分词、标注词性，并标出空间词；数据表用 :func:`tag_table`。

    >>> import fangwei
    >>> [word.text for word in fangwei.tag("他跳进山洞里。").spatial]
    ['跳', '进', '里']
    >>> [len(one.spatial) for one in fangwei.tag(["书放在桌子上。", "思想上有进步。"])]
    [3, 0]
    """
    single = isinstance(text, str)
    texts: list[str] = [text] if isinstance(text, str) else list(text)
    rows = Rows(_tagged(tagger(lexicon), texts))
    return rows[0] if single else rows


def _tagged(tagger: _fangwei.Tagger, texts: list[str]) -> Iterable[Tagged]:
    for row in _build.records(tagger.texts(texts).lines()):
        words = [Word(word["text"], word["pos"], word.get("class")) for word in row.get("words", [])]
        yield Tagged(row["text"], words, row.get("doubts", []))

