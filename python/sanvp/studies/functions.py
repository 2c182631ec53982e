"""The functions of the language of study files, and what their operands may be."""

from __future__ import annotations

import contextlib
import inspect
import math
import operator
import statistics
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .series import Scalar, Series, Value, arg_max, bins, combine, determination, exceeding, index, steepens, steps

_NUMBER = (int, float)
_GREATEST = sys.float_info.max


def finite(value: Any) -> Any:
    """The value of an operation. Raises ValueError if it is a number that no figure and no table can show."""
    if isinstance(value, _NUMBER) and not -_GREATEST <= value <= _GREATEST:
        raise ValueError("the result is no finite number")
    return value


def cell_value(text: str) -> Scalar:
    """A cell of a CSV file. What is no finite number is a text."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return finite(kind(text))
    return text


def cellwise(function: Callable[..., Any]) -> Callable[..., Value]:
    """The function cell by cell, at equal coordinates of the axes that series have in common."""

    def apply(*operands: Any) -> Value:
        for operand in operands:
            if not isinstance(operand, (Series, Scalar)):
                raise TypeError("a list selects, as in x(load=[0.1, 0.5]), and is no operand")
        return combine(lambda *cells: finite(function(*cells)), *operands)

    return apply


def arithmetic(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Value]:
    """An operation on numbers; + joins texts, too."""

    def apply(a: Any, b: Any) -> Any:
        texts = isinstance(a, str) + isinstance(b, str)
        if texts and not (texts == 2 and function is operator.add):
            raise TypeError(f"'{a if isinstance(a, str) else b}' is no number")
        return function(a, b)

    return cellwise(apply)


@dataclass(frozen=True)
class Function:
    """A function, and where its arguments are names of axes."""

    call: Callable[..., Any]
    axes_from: int | None = None  # the first argument that is an axis; None: none is
    axes_to: int | None = None  # the one behind the last; None: all are, and there may be none

    def names_axis(self, argument: int) -> bool:
        """Whether a text there is the name of an axis."""
        return self.axes_from is not None and argument >= self.axes_from and argument < (self.axes_to or math.inf)


def _reduction(function: Callable[[list[Any]], Scalar]) -> Function:
    """Of a series over axes, or over all; of several values, cell by cell."""

    def reduce(value: Any, *others: Any) -> Value:
        over = [axis for axis in others if isinstance(axis, str)]
        if len(over) < len(others) or (over and isinstance(value, str)):
            return cellwise(lambda *cells: function(list(cells)))(value, *others)
        if isinstance(value, Series):
            return value.reduce(lambda cells: finite(function(cells)), over)
        return cellwise(lambda cell: function([cell]))(value)

    return Function(reduce, axes_from=1)


def _of_cells(function: Callable[[Any], Scalar]) -> Function:
    def apply(x: Any) -> Value:
        return cellwise(function)(x)

    return Function(apply)


def _along(function: Callable[..., Any]) -> Function:
    """Of a series along an axis."""

    def apply(x: Any, axis: Any) -> Any:
        if not isinstance(x, Series):
            raise TypeError(f"one value has no axis '{axis}'")
        return function(x, axis)

    return Function(apply, axes_from=1, axes_to=2)


def _bins(x: Any, axis: Any, width: Any) -> Value:
    if not isinstance(x, Series) or not isinstance(width, _NUMBER) or width <= 0:
        raise TypeError("bins(x, axis, width) needs a value with axes, and a width above 0")
    return bins(x, axis, width)


def _r2(x: Any, y: Any) -> float:
    if not isinstance(x, Series) and not isinstance(y, Series):
        raise TypeError("r2(x, y) needs a value with axes")
    return finite(determination(x, y))


def _range(begin: Any, *end_and_step: Any) -> range:
    return range(begin, *end_and_step)


FUNCTIONS: Mapping[str, Function] = {
    "mean": _reduction(statistics.fmean),
    "sum": _reduction(math.fsum),
    "max": _reduction(max),
    "min": _reduction(min),
    "count": _reduction(len),
    "deviation": _reduction(statistics.pstdev),
    "all": _reduction(all),
    "any": _reduction(any),
    "abs": _of_cells(abs),
    "log": _of_cells(math.log),
    "root": _of_cells(math.sqrt),
    "lower": _of_cells(lambda text: str(text).lower()),
    "index": _along(index),
    "bins": Function(_bins, axes_from=1, axes_to=2),
    "exceeding": _along(exceeding),
    "argmax": _along(arg_max),
    "rises": _along(lambda x, axis: steps(x, axis, operator.lt)),
    "falls": _along(lambda x, axis: steps(x, axis, operator.gt)),
    "steepens": _along(steepens),
    "r2": Function(_r2),
    "range": Function(_range),
}


def called(name: str, arguments: list[Any]) -> Any:
    """The value of a function. Raises TypeError or ValueError, which says what is wrong with the arguments."""
    function = FUNCTIONS[name].call
    signature = inspect.signature(function)
    try:
        signature.bind(*arguments)
    except TypeError:
        names = ", ".join(p.name + "..." * (p.kind is p.VAR_POSITIONAL) for p in signature.parameters.values())
        raise TypeError(f"{name}({names}) has {len(arguments)} arguments here") from None
    return function(*arguments)
