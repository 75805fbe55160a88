"""Rows of named columns, and lists of records that can become a table of any library."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import _build, _fangwei

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

T = TypeVar("T")


class Frame:
    """Rows of named columns that live in Rust; other libraries take them over without copying.

    A frame has ``__arrow_c_stream__``, so ``polars.from_arrow(frame)``, ``pyarrow.table(frame)`` and every function of
    fangwei take it as it is.

    >>> import fangwei
    >>> frame = fangwei.tag("书放在桌子上。").frame
    >>> len(frame), frame.columns
    (1, ['text', 'words', 'doubts'])
    """

    __slots__ = ("_rows",)

    def __init__(self, rows: _fangwei.Frame) -> None:
        self._rows = rows

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._rows.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.to_dicts())

    def __repr__(self) -> str:
        return f"Frame({len(self)} rows: {', '.join(self.columns)})"

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._rows.columns

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as dicts; an empty cell is left out."""
        return _build.records(self._rows.lines())

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow table, without copying."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas frame."""
        import pandas

        try:
            return self.to_arrow().to_pandas()
        except ImportError:
            return pandas.DataFrame(self.to_dicts(), columns=self.columns)

    def to_polars(self) -> polars.DataFrame:
        """A polars frame, without copying."""
        import polars

        return polars.DataFrame(self)


class Rows(list[T], Generic[T]):
    """A list of records (dataclasses or dicts) that can become a table.

    >>> import fangwei
    >>> rows = fangwei.Lexicon().look_up("里")
    >>> [(row.word, row.class_) for row in rows]
    [('里', 'locative')]
    >>> rows.to_dicts()[0]["word"]
    '里'
    """

    def to_dicts(self) -> list[dict[str, Any]]:
        """The records as dicts."""
        plain = dataclasses.asdict
        return [plain(row) if dataclasses.is_dataclass(row) else dict(row) for row in self]  # type: ignore[arg-type,call-overload]

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas frame."""
        import pandas

        return pandas.DataFrame(self.to_dicts())

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow table. Fields of mixed types, such as tuples of 2022/roles, are written as JSON text, which every function reads again."""
        import pyarrow

        rows = self.to_dicts()
        columns: dict[str, Any] = {name: None for row in rows for name in row}
        for name in columns:
            values = [row.get(name) for row in rows]
            try:
                columns[name] = pyarrow.array(values)
            except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
                columns[name] = pyarrow.array([None if value is None else json.dumps(value, ensure_ascii=False) for value in values])
        return pyarrow.table(columns)

    def to_polars(self) -> polars.DataFrame:
        """A polars frame; what does not fit into columns is JSON text, as in :meth:`to_arrow`."""
        import polars

        made = polars.from_arrow(self.to_arrow())
        assert isinstance(made, polars.DataFrame)
        return made
