"""What callers give: a path, records, or a table of any library; made into what the Rust side takes.

Nothing is imported to find out what something is: a library that the caller has not loaded cannot be what was given.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, Union, runtime_checkable

from .errors import InputError


@runtime_checkable
class ArrowStream(Protocol):
    """Anything that hands over an Arrow stream: pyarrow, polars, pandas, ``fangwei.Frame``."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


#: What every function takes as data: a path, a record, records, or a table.
Data = Union[str, "os.PathLike[str]", bytes, Mapping[str, Any], Iterable[Mapping[str, Any]], ArrowStream]

#: As the Rust side takes it.
Given = Union[str, tuple[str, bytes], tuple[str, ArrowStream]]


def given(data: Data, name: str) -> Given:
    """``data`` as the Rust side takes it; ``name`` stands in messages where a file name would."""
    if isinstance(data, str | os.PathLike):
        return os.fspath(data)
    if isinstance(data, bytes):
        return (name, data)
    if isinstance(data, Mapping):
        return (name, lines(_records_of_mapping(data, name), name))
    kind = f"{type(data).__module__}.{type(data).__qualname__}"
    if kind.startswith("pandas."):
        return _pandas(data, name)
    if kind.startswith("polars."):
        return _polars(data, name)
    if kind.startswith("datasets."):
        return _datasets(data, name)
    if isinstance(data, ArrowStream):
        return (name, data)
    if hasattr(data, "read"):
        read = data.read()
        return (name, _encoded(read) if isinstance(read, str) else read)
    if isinstance(data, Iterable):
        return (name, lines(data, name))
    raise InputError(
        f"{name}: expected a path, records or a table, found {kind}", expected="path, records or table", found=kind
    )


def several(data: Data | Sequence[str | os.PathLike[str]], name: str) -> list[Given]:
    """Data that may also be several files."""
    if isinstance(data, list | tuple) and data and all(isinstance(one, str | os.PathLike) for one in data):
        return [given(one, name) for one in data]
    return [given(data, name)]  # type: ignore[arg-type]


def lines(records: Iterable[Any], name: str) -> bytes:
    """Records as JSON lines."""
    made = []
    for number, record in enumerate(records, 1):
        if not isinstance(record, Mapping):
            found = type(record).__name__
            raise InputError(f"{name}:{number}: expected a record (a dict), found {found}", expected="dict", found=found)
        try:
            made.append(_encoded(json.dumps(record, ensure_ascii=False, default=_plain)))
        except (TypeError, ValueError) as error:
            raise InputError(f"{name}:{number}: expected plain values, found {error}", expected="JSON", found=str(error)) from None
    return b"\n".join(made)


def _encoded(text: str) -> bytes:
    """Text as a file would hold it. Half a character stays one, and is told with its line."""
    return text.encode("utf-8", "surrogatepass")


def _plain(value: Any) -> Any:
    """Values of numpy and their like."""
    for name in ("tolist", "item"):
        if hasattr(value, name):
            return getattr(value, name)()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a value of type {type(value).__name__}")


def _records_of_mapping(data: Mapping[str, Any], name: str) -> Iterable[Mapping[str, Any]]:
    """One record, or columns: no record consists of lists alone."""
    columns = {key: value.tolist() if hasattr(value, "tolist") else value for key, value in data.items()}
    if not columns or not all(isinstance(column, list | tuple) for column in columns.values()):
        return [data]
    lengths = {key: len(column) for key, column in columns.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{key} {length}" for key, length in lengths.items())
        raise InputError(f"{name}: expected columns of one length, found {found}", expected="columns of one length", found=found)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _pandas(frame: Any, name: str) -> Given:
    """A pandas frame as an Arrow stream, or row by row where a column mixes types or pyarrow is missing."""
    try:
        import pyarrow

        return (name, pyarrow.Table.from_pandas(frame, preserve_index=False))
    except (ImportError, ValueError, TypeError):
        return (name, lines(map(_present, frame.to_dict("records")), name))


def _polars(frame: Any, name: str) -> Given:
    """A polars frame as it is; where a column holds nothing at all, by way of pyarrow: polars' own form of that breaks the rules of the C interface."""
    frame = frame.collect() if hasattr(frame, "collect") else frame
    if "Null" not in str(frame.schema):
        return (name, frame)
    try:
        return (name, frame.to_arrow())
    except ImportError:
        return (name, lines(map(_present, frame.to_dicts()), name))


def _present(value: Any) -> Any:
    """A row without the fields that it does not have; an empty place in a list stays, for places count there."""
    if isinstance(value, Mapping):
        return {key: _present(one) for key, one in value.items() if not (one is None or isinstance(one, float) and one != one)}
    return [_present(one) for one in value] if isinstance(value, list) else value


def _datasets(data: Any, name: str) -> Given:
    """A ``datasets.Dataset``: the table behind it, with the order and selection that it stands for."""
    if hasattr(data, "with_format"):
        rows = data.with_format("arrow")
        if hasattr(rows, "__getitem__") and hasattr(data, "num_rows"):
            return (name, rows[:])
        import pyarrow

        tables: Any = pyarrow.concat_tables(rows.iter(batch_size=1000))
        return (name, tables)
    found = type(data).__name__
    raise InputError(f"{name}: expected one split, such as data['train'], found {found}", expected="Dataset", found=found)


def name_of(data: Data, default: str) -> str:
    """A name for what was given: the file's own, without its endings."""
    if isinstance(data, str | os.PathLike):
        return os.path.basename(os.fspath(data)).split(".")[0] or os.fspath(data)
    return default
