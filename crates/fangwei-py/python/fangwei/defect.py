"""What is wrong with a record: where, what was expected, what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Defect:
    """One defect of a file. ``str()`` gives the line that the command line prints."""

    code: str
    """What kind; codes never change."""
    severity: Literal["error", "warning"]
    file: str
    """The file, or the name of what was given instead."""
    line: int | None
    """The line, or the row of a table, from 1."""
    qid: str | None
    pointer: str
    """JSON pointer to the value within the record."""
    expected: str
    found: str
    meaning: str
    """What the code means, in words."""
    message: str
    """The whole line for people."""

    def __str__(self) -> str:
        return self.message
