"""What a language model is asked, and its reply as an answer: the same prompts and the same reading as ``fangwei llm``."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _build, _fangwei
from .._given import Data, given, lines


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from a reply."""

    #: ``parsed``, ``repaired``, ``unparsed``, ``refused``, ``truncated`` or ``empty``.
    state: str
    #: What had to be mended.
    mends: list[str]
    #: The prediction as a record of the task, with characters found for its texts; None where there is none.
    pred: dict[str, Any] | None
    #: The same with the indexes that the model gave.
    unplaced: dict[str, Any] | None


class Asker:
    """A way of asking a task: messages for items, answers from replies.

    向语言模型提问：由题目得到消息，由回复得到答案。

    ``shots`` is the number of examples, ``choose`` how they are chosen: ``own``, ``seeded``, ``stratified genre``, ``ids A B``; they come
    from ``pool`` (a gold file of your own) or from the shipped sample, and siblings of the item are never shown.

    >>> import fangwei
    >>> ask = fangwei.Asker("2022/judge")
    >>> item = {"qid": "1", "context": "他跳进山洞外。"}
    >>> ask.messages(item)[-1]["role"], "他跳进山洞外。" in ask.messages(item)[-1]["content"]
    ('user', True)
    >>> ask.read(item, '```json\\n{"judge": 0,}\\n```').pred
    {'qid': '1', 'judge': 0}
    """

    __slots__ = ("_ask", "task")

    def __init__(
        self,
        task: str,
        way: str = "ours",
        *,
        prompt: str | os.PathLike[str] | None = None,
        pool: Data | None = None,
        shots: int | None = None,
        choose: str | None = None,
        seed: int = 2023,
    ) -> None:
        own = None if prompt is None else (os.fspath(prompt), Path(prompt).read_text(encoding="utf-8"))
        self.task = task
        self._ask = _fangwei.Asker(task, way, own, None if pool is None else given(pool, "pool"), shots, choose, seed)

    @property
    def version(self) -> str:
        """A hash of the prompt's text."""
        return self._ask.version

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON schema of replies, where they have one."""
        found = self._ask.schema()
        return None if found is None else dict(json.loads(found))

    def messages(self, item: Mapping[str, Any]) -> list[dict[str, str]]:
        """The messages about an item, examples included."""
        return list(json.loads(self._ask.messages(_line(item))))

    def ideal(self, item: Mapping[str, Any]) -> str:
        """The reply that a perfect model would give to an answered item."""
        return self._ask.ideal(_line(item))

    def read(self, item: Mapping[str, Any], reply: str, finish: str | None = None) -> Reading:
        """What a reply says; ``finish`` is the server's reason for its end."""
        return _build.read(Reading, self._ask.read(_line(item), _whole(reply), finish))


def _line(item: Mapping[str, Any]) -> str:
    return _whole(lines([item], "item").decode("utf-8", "surrogatepass"))


def _whole(text: str) -> str:
    """Text with a mark for half a character: servers cut replies where they like, and one such reply must not end a run."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
