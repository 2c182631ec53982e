"""Labels that a study file leaves out, made of names: `uniform.latency_ns.mean` is called latency mean (ns)."""

from __future__ import annotations

import re
from collections.abc import Iterable

_UNITS = {"ns": "ns", "us": "us", "ms": "ms", "s": "s", "MBps": "MB/s", "bytes": "bytes", "MHz": "MHz"}
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_UNIT = re.compile(rf"_({'|'.join(_UNITS)})(?=_|\b)")


def label_of(expression: str) -> str:
    """What an expression is called. One that computes keeps its text, without the names of runs."""
    text = expression.strip()
    if not _NAME.fullmatch(text):
        return text
    _, dot, rest = text.partition(".")
    name = rest if dot else text
    unit = _UNIT.search(name)
    words = _UNIT.sub("", name, count=1).replace(".", " ").replace("_", " ").strip()
    return f"{words} ({_UNITS[unit[1]]})" if unit else words


def common_label(expressions: Iterable[str]) -> str:
    """A label for an axis with all of these: the one that they share, or else their unit if they share that."""
    labels = list(dict.fromkeys(label_of(expression) for expression in expressions))
    if len(labels) == 1:
        return labels[0]
    units = {match[1] if (match := re.search(r"\(([^()]*)\)$", label)) else "" for label in labels}
    return units.pop() if len(units) == 1 else ""
