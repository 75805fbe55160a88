"""Reports of the Rust side, which come as JSON, as dataclasses."""

from __future__ import annotations

import dataclasses
import functools
import json
import types
import typing
from typing import Any, TypeVar

T = TypeVar("T")


def read(as_kind: type[T], text: str, /, **more: Any) -> T:
    """A dataclass from the JSON of a report, with further fields."""
    made: T = build(as_kind, {**json.loads(text), **more})
    return made


def records(lines: str) -> list[Any]:
    """What JSON lines hold. Only a line feed ends one: others that Python knows may stand within a text."""
    return [json.loads(line) for line in lines.split("\n") if line.strip()]


def build(kind: Any, value: Any) -> Any:
    """``value`` as ``kind`` says: dataclasses of dicts, lists of them, dicts of them."""
    if value is None or not isinstance(value, dict | list):
        return value
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        fitting = [one for one in inner if one is not type(None)]
        return build(fitting[0], value) if len(fitting) == 1 else value
    if isinstance(value, list):
        if origin is tuple:
            return tuple(value)
        made = [build(inner[0], one) for one in value] if inner else value
        return origin(made) if origin not in (None, list) else made
    if origin is dict:
        return {key: build(inner[1], one) for key, one in value.items()}
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        # `from` and `class` are words of Python; such a field has a line after its name.
        named = [(name, name if name in value else name.removesuffix("_"), hint) for name, hint in _hints(kind).items()]
        return kind(**{name: build(hint, value[key]) for name, key, hint in named if key in value})
    return value


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind) if field.init}
