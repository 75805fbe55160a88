"""One passage from all sides: spatial words, who is where, what is wrong and what would be right."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .. import _build, _fangwei


@dataclass(frozen=True, slots=True)
class Explored:
    """What is seen in a passage. ``str()`` is what the command line prints; a notebook shows the page."""

    text: str
    words: list[dict[str, Any]]
    tuples: list[dict[str, Any]]
    #: The probability that the passage is normal.
    normal: float
    opinions: list[dict[str, Any]]
    anomalies: list[dict[str, Any]]
    mended: str | None
    choices: list[dict[str, Any]]
    unweighed: int
    by: Any
    shown: str
    html: str

    def __str__(self) -> str:
        return self.shown

    def _repr_html_(self) -> str:
        import html

        return f'<iframe srcdoc="{html.escape(self.html)}" style="width:100%;height:40em;border:0"></iframe>'


@functools.lru_cache(maxsize=8)
def _explorer(models: tuple[str, ...]) -> _fangwei.Explorer:
    return _fangwei.Explorer(list(models))


def explore(
    text: str, *, models: Sequence[str | os.PathLike[str]] = (), rivals: Literal["wrong", "all"] = "wrong"
) -> Explored:
    """Looks at a passage by rules, or by models where folders of models are given.

    探查一段文本：空间词、角色、哪里不对、换成什么才对。

    >>> import fangwei
    >>> seen = fangwei.explore("他跳进山洞外。")
    >>> seen.anomalies[0]["word"], seen.anomalies[0]["choices"][0]["rivals"][0]["word"]
    ('外', '里')
    """
    told, shown, html = _explorer(tuple(os.fspath(model) for model in models)).look(text, rivals == "all")
    return _build.read(Explored, told, shown=shown, html=html)
