"""Every error of the library as a class of its own, with its fields.

All of them are :class:`FangweiError`, so one ``except`` catches what fangwei says and nothing else. Messages are in the
language of :func:`fangwei.set_language`; fields are the same in both.

>>> import fangwei
>>> try:
...     fangwei.score("2022/juge", [], [])
... except fangwei.errors.UnknownNameError as error:
...     print(error.asked, error.nearest)
2022/juge 2022/judge
"""

from __future__ import annotations

from typing import Any

from .defect import Defect


class FangweiError(Exception):
    """What fangwei has to say when it cannot do what was asked."""

    def __init__(self, message: str = "", **fields: Any) -> None:
        super().__init__(message)
        #: The message, in the language that was set when it was raised.
        self.message = message
        for name, value in fields.items():
            setattr(self, name, value)


class InputError(FangweiError, TypeError):
    """Something was given that is no file, no records and no table."""

    expected: str
    found: str


class SettingsError(FangweiError, ValueError):
    """A setting of an unknown name or of the wrong type."""


class OpenError(FangweiError, OSError):
    """A file cannot be opened."""

    file: str
    reason: str


class ReadError(FangweiError, OSError):
    """A file cannot be read to its end."""

    file: str
    reason: str


class WriteError(FangweiError, OSError):
    """Output cannot be written."""

    reason: str


class UnknownNameError(FangweiError, LookupError):
    """A task, mode, measure, facet, genre, rule or annotator that nobody knows."""

    asked: str
    nearest: str | None
    known: list[str]


class ColumnError(FangweiError, LookupError):
    """A table lacks a column, or it is of another type."""

    column: str
    found: str


class MissingGroupError(FangweiError, ValueError):
    """Items lack the field that was to group them."""

    field: str
    without: int
    items: int


class DefectsError(FangweiError, ValueError):
    """Records that cannot be used, each with its place."""

    defects: list[Defect]

    def __init__(self, message: str = "", *, defects: list[dict[str, Any]] | None = None, **fields: Any) -> None:
        super().__init__(message, **fields)
        self.defects = [Defect(**defect) for defect in defects or []]


class GoldError(DefectsError):
    """Gold is malformed; nothing can be scored against it."""


class LexiconError(DefectsError):
    """The tables of a lexicon have errors."""


class NoMarksError(DefectsError):
    """No mark could be read."""


class EmptyBoardError(DefectsError):
    """A board has no row that can be ranked."""


class CandidatesError(DefectsError):
    """Candidates to keep cannot be read."""


class PassagesError(DefectsError):
    """Records that are no passages."""


class ItemError(DefectsError):
    """A record that is no item of the task."""


class PromptError(DefectsError):
    """A prompt file that cannot be used."""


class StatsError(FangweiError, ValueError):
    """Numbers do not allow a resampling."""

    what: str
    expected: Any
    found: Any


class PolicyError(FangweiError, ValueError):
    """A ranking policy, or a choice of it, that there is not."""

    what: str
    expected: str
    found: str


class ModeMismatchError(FangweiError, ValueError):
    """Runs that were scored in different modes cannot be ranked together."""

    name: str
    task: str
    expected: str
    found: str


class RepeatedRunError(FangweiError, ValueError):
    """Two runs of one name in one task."""

    name: str
    task: str


class TooManyLabelsError(FangweiError, ValueError):
    """Free text is no label."""

    found: int
    most: int


class TooManyPairsError(FangweiError, ValueError):
    """More marks on one item than people could have made."""

    found: int
    most: int


class NoExtremesError(FangweiError, ValueError):
    """Triage by extremes wants ordered labels."""


class LengthsError(FangweiError, ValueError):
    """Lengths of passages out of order."""

    min: int
    target: int
    max: int


class NearError(FangweiError, ValueError):
    """A similarity that sketches cannot tell."""

    found: str


class TextFieldsError(FangweiError, ValueError):
    """No field to read a text from."""


class NegativeError(FangweiError, ValueError):
    """A setting below 0."""

    field: str
    found: str


class ShareError(FangweiError, ValueError):
    """A share outside of 0 to 1."""

    field: str
    found: str


class NoShareError(FangweiError, ValueError):
    """Shares that sum to nothing."""


class ModelBitsError(FangweiError, ValueError):
    """A model too small or too large."""

    found: int


class ChangedError(FangweiError, RuntimeError):
    """An input changed while it was read."""

    expected: int
    found: int


class MisfitError(FangweiError, ValueError):
    """A candidate to keep that its original does not bear out."""

    id: str
    expected: str
    found: str


class RepeatedIdError(FangweiError, ValueError):
    """Two originals or candidates of one id."""

    id: str


class DisorderError(FangweiError, ValueError):
    """Rows out of order, or two of one number or id."""

    id: str
    after: str


class DocumentTooLongError(FangweiError, ValueError):
    """A document of more passages than numbers were kept free for."""

    name: str
    found: int
    most: int


class TooFewShotsError(FangweiError, ValueError):
    """Fewer examples of different origins than asked for."""

    wanted: int
    found: int
    items: int


class NoSuchItemError(FangweiError, LookupError):
    """An example that is not among the items."""

    qid: str


class PredictError(FangweiError, RuntimeError):
    """A model failed."""


class ModelFolderError(PredictError):
    """A folder that is no sound model."""

    file: str
    expected: str
    found: str


class EmptyPassageError(FangweiError, ValueError):
    """There is nothing to look at."""


class PassageTooLongError(FangweiError, ValueError):
    """A passage longer than what is looked at."""

    found: int
    most: int
