"""The spatial lexicon: words by class, what may take their place, nouns and their locatives."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from .. import _build, _fangwei
from ..defect import Defect
from ..frame import Rows


@dataclass(frozen=True, slots=True)
class Entry:
    """A spatial word in one class."""

    word: str
    class_: str
    model: str | None
    note: str | None
    groups: list[str]


@dataclass(frozen=True, slots=True)
class Rival:
    """A word that may take another's place."""

    word: str
    group: str


@dataclass(frozen=True, slots=True)
class Group:
    """Words that may take each other's place."""

    name: str
    class_: str
    words: list[str]
    note: str


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun, its kind by geometry, and the locatives that it takes."""

    word: str
    kind: str
    takes: list[str]


class Lexicon:
    """The lexicon that comes with the program, or that of a folder of tables.

    自带的空间词表，或一个文件夹里的词表。

    >>> import fangwei
    >>> lexicon = fangwei.Lexicon()
    >>> [rival.word for rival in lexicon.rivals("里", "locative")][:3]
    ['上', '下', '外']
    >>> lexicon.noun("箱子").takes[0], "里" in lexicon, "苹果" in lexicon
    ('里', True, False)
    """

    __slots__ = ("_words", "defects")

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self._words = _fangwei.Lexicon(None if folder is None else os.fspath(folder))
        #: Warnings about the tables.
        self.defects = [Defect(**defect) for defect in json.loads(self._words.defects)]

    def __contains__(self, word: str) -> bool:
        return bool(json.loads(self._words.look_up(word)))

    def entries(self) -> Rows[Entry]:
        """Every entry, in the order of the tables."""
        return Rows(_build.build(list[Entry], json.loads(self._words.entries())))

    def look_up(self, word: str) -> Rows[Entry]:
        """The entries of a word, one a class; none where it is no spatial word."""
        return Rows(_build.build(list[Entry], json.loads(self._words.look_up(word))))

    def rivals(self, word: str, class_: str) -> Rows[Rival]:
        """Words that may take the word's place in a class."""
        return Rows(_build.build(list[Rival], json.loads(self._words.rivals(word, class_))))

    def groups(self) -> Rows[Group]:
        """Every group of words that may take each other's place."""
        return Rows(_build.build(list[Group], json.loads(self._words.groups())))

    def noun(self, word: str) -> Noun | None:
        """What is known of a noun."""
        found = self._words.noun(word)
        return None if found is None else _build.read(Noun, found)

    def nearest(self, word: str, most: int = 5) -> list[str]:
        """Known words that look most like this one."""
        return self._words.nearest(word, most)


def raw(lexicon: Lexicon | str | os.PathLike[str] | None) -> _fangwei.Lexicon:
    """The lexicon as the Rust side takes it."""
    return (lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon))._words
