"""The wire format of Protocol Buffers, as much of it as execution traces use: no library is needed to read them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_MOST_BITS = 64
_MOST_MESSAGE = 1 << 28  # bytes: of a node with its attributes, kilobytes


def varint(data: bytes, at: int) -> tuple[int, int]:
    """The number that begins there, and where the next byte is."""
    value = shift = 0
    while True:
        if at >= len(data) or shift >= _MOST_BITS:
            raise ValueError("a number has no end")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value & (1 << _MOST_BITS) - 1, at


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message: their numbers, and whole numbers or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, kind = key >> 3, key & 7
        value: int | bytes
        if kind == VARINT:
            value, at = varint(data, at)
        elif kind in (FIXED64, FIXED32, BYTES):
            length = {FIXED64: 8, FIXED32: 4}.get(kind, 0)
            if kind == BYTES:
                length, at = varint(data, at)
            if length > len(data) - at:
                raise ValueError(f"field {number} ends after its message")
            value = data[at : at + length]
            at += length
        else:
            raise ValueError(f"field {number} has the unknown wire type {kind}")
        yield number, value


def signed(value: int) -> int:
    """Of int32 and int64."""
    return value - (1 << _MOST_BITS) if value >> (_MOST_BITS - 1) else value


def number(value: int | bytes, kind: str = "q") -> float:
    """A value as a number. @param kind  of fixed ones, as in `struct`"""
    if isinstance(value, int):
        return signed(value)
    if len(value) != struct.calcsize(kind):
        raise ValueError(f"a number has {len(value)} bytes")
    return struct.unpack("<" + kind, value)[0]


def numbers(value: int | bytes) -> Iterator[int]:
    """Of a repeated whole number: packed, or one of them."""
    if isinstance(value, int):
        yield value
        return
    at = 0
    while at < len(value):
        one, at = varint(value, at)
        yield one


def messages(file: BinaryIO) -> Iterator[bytes]:
    """The messages of a file, each after its length."""
    while first := file.read(1):
        length = first
        while length[-1] >= 0x80:
            more = file.read(1)
            if not more:
                raise ValueError("the file ends in a length")
            length += more
        count, _ = varint(length, 0)
        if count > _MOST_MESSAGE:
            raise ValueError(f"a message of {count} bytes")
        data = file.read(count)
        if len(data) < count:
            raise ValueError("the file ends in a message")
        yield data
