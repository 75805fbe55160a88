"""From one year's format to another's, and to and from other tools'."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _build, _fangwei
from .._given import Data, several
from ..defect import Defect
from ..frame import Rows


@dataclass(frozen=True, slots=True)
class Conversion:
    """A way from one format to another."""

    from_: str
    to: str
    title: str


@dataclass(frozen=True, slots=True)
class ConversionReport:
    """What a conversion did, in numbers."""

    read: int
    written: int
    kept_out: int
    #: What the other format does not say, with the number of cases.
    lossy: dict[str, int]
    patterns: dict[str, int]


@dataclass(frozen=True, slots=True)
class Converted:
    """What a conversion made."""

    #: Files by their path.
    files: dict[str, bytes]
    report: ConversionReport
    defects: Rows[Defect]

    def records(self) -> list[dict[str, Any]]:
        """The records of the only file, where it is JSON."""
        (content,) = self.files.values()
        text = content.decode()
        return list(json.loads(text)) if text.lstrip().startswith("[") else _build.records(text)

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Writes every file below a folder."""
        written = []
        for path, content in self.files.items():
            place = Path(folder) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
            written.append(place)
        return written


def conversions() -> Rows[Conversion]:
    """Every conversion that there is. 能做的全部转换。"""
    return Rows(Conversion(one["from"], one["to"], one["title"]) for one in json.loads(_fangwei.conversions()))


def convert(
    from_: str,
    to: str,
    data: Data | Sequence[str | os.PathLike[str]],
    *,
    team_name: str = "",
    institution: str = "",
    email: str = "",
    renumber: bool = False,
) -> Converted:
    """Converts data (or several files, or a folder) and says what was lost.

    转换格式；装不下的记录不写出，逐条列在 ``defects`` 里，丢失的信息计在 ``report.lossy`` 里。

    >>> import fangwei
    >>> item = {"qid": "1", "context": "猫在箱子里", "corefs": [], "outputs": []}
    >>> made = fangwei.convert("2022/roles", "2023/roles", [item])
    >>> made.report.written, made.records()[0]["results"]
    (1, [])
    """
    wanted = {"team_name": team_name, "institution": institution, "email": email, "renumber": renumber}
    files, told = _fangwei.convert(from_, to, several(data, "data"), json.dumps(wanted))
    return _build.read(Converted, told, files=dict(files))
