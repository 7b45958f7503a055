"""Our frozen values as bytes and back, by their type hints: what one stage leaves for the next."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, TypeVar

import zstandard

from threadmill.errors import MessageError

Value = TypeVar("Value")

_LENGTH = 8  # bytes before the JSON that say how long it is; after it come the payloads
_LEVEL = 1  # of zstd: HTML to a fifth at 300 MB a second


def pack(value: Any) -> bytes:
    """A dataclass, however nested, as compressed bytes; byte strings stand behind the JSON as they are."""
    blobs = _Blobs()
    text = json.dumps(_codec(type(value)).write(value, blobs), ensure_ascii=False, separators=(",", ":"))
    head = text.encode("utf-8", "surrogatepass")
    whole = b"".join((len(head).to_bytes(_LENGTH, "big"), head, *blobs.parts))
    return zstandard.ZstdCompressor(level=_LEVEL).compress(whole)


def unpack(kind: type[Value], data: bytes) -> Value:
    """What `pack` made; fields that the writer did not know yet keep their defaults."""
    try:
        whole = zstandard.ZstdDecompressor().decompress(data)
        end = _LENGTH + int.from_bytes(whole[:_LENGTH], "big")
        plain = json.loads(whole[_LENGTH:end].decode("utf-8", "surrogatepass"))
        found: Value = _codec(kind).read(plain, memoryview(whole)[end:])
    except (zstandard.ZstdError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise MessageError(
            f"expected a packed {kind.__name__}, but {type(error).__name__}: {error}"
        ) from None
    return found


class _Blobs:
    """Byte strings one after the other."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self._end = 0

    def add(self, data: bytes) -> list[int]:
        """Where a byte string came to lie."""
        start, self._end = self._end, self._end + len(data)
        self.parts.append(data)
        return [start, self._end]


@dataclass(frozen=True, slots=True)
class _Codec:
    """How values of one type become JSON and come back; `same`: they are JSON as they are."""

    write: Callable[[Any, _Blobs], Any]
    read: Callable[[Any, memoryview], Any]
    same: bool = False


_SAME = _Codec(lambda value, _: value, lambda plain, _: plain, same=True)
_SIMPLE: dict[Any, _Codec] = {
    bytes: _Codec(lambda value, blobs: blobs.add(value), lambda p, blobs: bytes(blobs[p[0] : p[1]])),
    datetime: _Codec(lambda value, _: value.isoformat(), lambda plain, _: datetime.fromisoformat(plain)),
    str: _SAME,
    int: _SAME,
    float: _SAME,
    bool: _SAME,
}


def _codec(kind: Any) -> _Codec:
    return _make_codec(kind)


@cache  # types are looked at once: a site has tens of thousands of values
def _make_codec(kind: Any) -> _Codec:
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _of_dataclass(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _Codec(lambda value, _: value.value, lambda plain, _: kind(plain))
    outer, inner = typing.get_origin(kind), typing.get_args(kind)
    if outer in {typing.Union, types.UnionType}:
        return _of_optional(_codec(next(part for part in inner if part is not type(None))))
    if isinstance(outer, type) and issubclass(outer, Mapping):
        return _of_mapping(*inner)
    if outer is frozenset or (outer is tuple and inner[1:] == (Ellipsis,)):
        return _of_row(outer, _codec(inner[0]))
    if outer is tuple:
        return _of_tuple([_codec(part) for part in inner])
    raise TypeError(f"no way to pack a {kind}")


def _of_dataclass(kind: Any) -> _Codec:
    codecs = {name: _codec(hint) for name, hint in typing.get_type_hints(kind).items()}

    def write(value: Any, blobs: _Blobs) -> Any:
        return {name: codec.write(getattr(value, name), blobs) for name, codec in codecs.items()}

    def read(plain: Any, blobs: memoryview) -> Any:
        return kind(
            **{name: codecs[name].read(item, blobs) for name, item in plain.items() if name in codecs}
        )

    return _Codec(write, read)


def _of_optional(part: _Codec) -> _Codec:
    return _Codec(
        lambda value, blobs: None if value is None else part.write(value, blobs),
        lambda plain, blobs: None if plain is None else part.read(plain, blobs),
    )


def _of_mapping(keys: Any, values: Any) -> _Codec:
    key, item = _codec(keys), _codec(values)
    if keys is str and item.same:
        return _Codec(lambda value, _: dict(value), lambda plain, _: plain)
    return _Codec(
        lambda value, blobs: [[key.write(k, blobs), item.write(v, blobs)] for k, v in value.items()],
        lambda plain, blobs: {key.read(k, blobs): item.read(v, blobs) for k, v in plain},
    )


def _of_row(outer: Any, item: _Codec) -> _Codec:
    order: Any = sorted if outer is frozenset else list  # the same set is the same file
    if item.same:
        return _Codec(lambda value, _: order(value), lambda plain, _: outer(plain))
    return _Codec(
        lambda value, blobs: [item.write(v, blobs) for v in order(value)],
        lambda plain, blobs: outer(item.read(v, blobs) for v in plain),
    )


def _of_tuple(parts: list[_Codec]) -> _Codec:
    if all(part.same for part in parts):
        return _Codec(lambda value, _: list(value), lambda plain, _: tuple(plain))
    return _Codec(
        lambda value, blobs: [part.write(v, blobs) for part, v in zip(parts, value, strict=True)],
        lambda plain, blobs: tuple(part.read(v, blobs) for part, v in zip(parts, plain, strict=True)),
    )
