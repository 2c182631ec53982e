"""The language of study files: Python's expressions on names, restricted to what can do no harm.

`uniform.latency_ns.mean` is a metric of the runs `uniform`, over their axes; `x(nodes=64)` selects, `mean(x, 'seed')`
reduces. `{...}` in a text is an expression, too, with a format if one is given: `{load:.2f}`.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import statistics
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .errors import NotMeasuredError, StudyError, one_of
from .series import Scalar, Series, Value, arg_max, bins, combine, determination, exceeding, index, steepens, steps

Lookup = Callable[[str], Value]

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_UNARY: dict[type, Callable[[Any], Any]] = {ast.USub: operator.neg, ast.Not: operator.not_}
_COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def _reduction(function: Callable[[list[Any]], Scalar]) -> Callable[..., Value]:
    return lambda x, *over: x.reduce(function, over) if isinstance(x, Series) else x


def _cellwise(function: Callable[..., Scalar]) -> Callable[..., Value]:
    return lambda *operands: combine(function, *operands)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    # over axes, or over all without one: mean(x, 'seed')
    "mean": _reduction(statistics.fmean),
    "sum": _reduction(math.fsum),
    "max": _reduction(max),
    "min": _reduction(min),
    "count": _reduction(len),
    "deviation": _reduction(statistics.pstdev),
    "all": _reduction(all),
    "any": _reduction(any),
    # cell by cell
    "abs": _cellwise(abs),
    "log": _cellwise(math.log),
    "root": _cellwise(math.sqrt),
    "lower": _cellwise(lambda text: str(text).lower()),
    # along an axis
    "index": index,
    "bins": bins,
    "exceeding": exceeding,
    "argmax": arg_max,
    "rises": lambda x, axis: steps(x, axis, operator.lt),
    "falls": lambda x, axis: steps(x, axis, operator.gt),
    "steepens": steepens,
    "r2": determination,
    "range": range,
}


class Expression:
    """A checked expression. Wrong ones raise StudyError, which names `place`."""

    def __init__(self, text: object, place: str) -> None:
        self.text = str(text).strip()
        self.place = place
        try:
            with warnings.catch_warnings():  # about "1if x": errors are reported below
                warnings.simplefilter("ignore")
                self._tree = ast.parse(self.text, mode="eval").body
        except SyntaxError as error:
            raise StudyError(f"{place}: '{self.text}' is no expression: {error.msg}") from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise StudyError(f"{place}: '{self.text[:60]}' is no expression: {error}") from None
        self._names: list[str] = []
        self._selected: list[tuple[str, Scalar]] = []
        self._check(self._tree)

    @property
    def names(self) -> list[str]:
        """All names with their dots, without functions."""
        return self._names

    @property
    def selected(self) -> list[tuple[str, Scalar]]:
        """Each (axis, coordinate) that a constant selects."""
        return self._selected

    def _error(self, message: str) -> StudyError:
        return StudyError(f"{self.place}: {message} in '{self.text}'")

    def _check(self, node: ast.AST) -> None:
        match node:
            case ast.Constant(value=bool() | int() | float() | str()):
                return
            case ast.Name() | ast.Attribute():
                self._names.append(self._dotted(node))
                return
            case ast.Call(func=ast.Name(id=name), keywords=[]):
                if name in FUNCTIONS:
                    children: list[ast.AST] = list(node.args)
                else:
                    raise self._error(f"unknown function '{name}': {one_of(name, FUNCTIONS)}")
            case ast.Call(args=[], keywords=[_, *_]):
                children = [node.func, *(keyword.value for keyword in node.keywords)]
                for keyword in node.keywords:
                    if keyword.arg is None:
                        raise self._error("** is not allowed")
                    constants = keyword.value.elts if isinstance(keyword.value, ast.List) else [keyword.value]
                    found = [c.value for c in constants if isinstance(c, ast.Constant)]
                    self._selected += [(keyword.arg, one) for one in found if isinstance(one, Scalar)]
            case ast.Compare(ops=ops) if all(type(op) in _COMPARISONS for op in ops):
                children = [node.left, *node.comparators]
            case ast.BinOp(op=op) if type(op) in _BINARY:
                children = [node.left, node.right]
            case ast.UnaryOp(op=op) if type(op) in _UNARY:
                children = [node.operand]
            case ast.BoolOp():
                children = list(node.values)
            case ast.IfExp():
                children = [node.test, node.body, node.orelse]
            case ast.List():
                children = list(node.elts)
            case _:
                raise self._error(f"{type(node).__name__} is not allowed")
        for child in children:
            self._check(child)

    def _dotted(self, node: ast.AST) -> str:
        match node:
            case ast.Name(id=name):
                return name
            case ast.Attribute(value=value, attr=attribute):
                return f"{self._dotted(value)}.{attribute}"
        raise self._error("a '.' stands only between names")

    def __call__(self, lookup: Lookup) -> Any:
        """The value. Raises NotMeasuredError if a result is missing."""
        try:
            return self._value(self._tree, lookup)
        except (TypeError, ValueError, ZeroDivisionError, statistics.StatisticsError) as error:
            raise self._error(str(error)) from None

    def _value(self, node: ast.AST, lookup: Lookup) -> Any:
        def value(child: ast.AST) -> Any:
            return self._value(child, lookup)

        match node:
            case ast.Constant(value=constant):
                return constant
            case ast.Name() | ast.Attribute():
                return lookup(self._dotted(node))
            case ast.Call(func=ast.Name(id=name), keywords=[]):
                return FUNCTIONS[name](*map(value, node.args))
            case ast.Call():
                series = value(node.func)
                if not isinstance(series, Series):
                    raise TypeError("only what has axes can be selected from")
                return series.select({str(k.arg): value(k.value) for k in node.keywords})
            case ast.BinOp():
                return combine(_BINARY[type(node.op)], value(node.left), value(node.right))
            case ast.UnaryOp():
                return combine(_UNARY[type(node.op)], value(node.operand))
            case ast.Compare():
                sides = list(map(value, (node.left, *node.comparators)))
                tests = [_COMPARISONS[type(op)] for op in node.ops]
                links = [combine(t, a, b) for t, a, b in zip(tests, sides, sides[1:], strict=False)]
                return combine(lambda *cells: all(cells), *links)
            case ast.BoolOp(op=ast.And()):
                return combine(lambda *cells: all(cells), *map(value, node.values))
            case ast.BoolOp():
                return combine(lambda *cells: any(cells), *map(value, node.values))
            case ast.IfExp():
                return value(node.body if value(node.test) else node.orelse)
            case ast.List():
                return list(map(value, node.elts))
        raise AssertionError(node)


class Template:
    """A text with expressions in braces."""

    _PARTS = re.compile(r"""\{(?P<expression>(?:[^{}:'"]|'[^']*'|"[^"]*")+)(?::(?P<format>[^{}]*))?\}""")

    def __init__(self, text: object, place: str, reals: str = "") -> None:
        """@param reals  format of real numbers that have none of their own"""
        self.text = " ".join(str(text).split())
        self._reals = reals
        self._parts: list[str | tuple[Expression, str]] = []
        end = 0
        for match in self._PARTS.finditer(self.text):
            inner = (Expression(match["expression"], place), match["format"] or "")
            self._parts += [self.text[end : match.start()], inner]
            end = match.end()
        self._parts.append(self.text[end:])

    def expressions(self) -> Iterator[Expression]:
        """The expressions in braces."""
        return (part[0] for part in self._parts if not isinstance(part, str))

    def fill(self, lookup: Lookup) -> str:
        """The text with values in place of the braces."""
        return "".join(part if isinstance(part, str) else self._one(*part, lookup) for part in self._parts)

    def _one(self, expression: Expression, form: str, lookup: Lookup) -> str:
        value = expression(lookup)
        cells = value.values() if isinstance(value, Series) else [value]
        try:
            return ", ".join(format(cell, form or (self._reals if isinstance(cell, float) else "")) for cell in cells)
        except ValueError as error:
            raise StudyError(f"{expression.place}: {error} in '{{{expression.text}:{form}}}'") from None


def names_only(names: Mapping[str, Value], place: str) -> Lookup:
    """A lookup among names without dots."""

    def lookup(name: str) -> Value:
        if name not in names:
            raise StudyError(f"{place}: unknown name '{name}': {one_of(name, names)}")
        return names[name]

    return lookup


__all__ = ["FUNCTIONS", "Expression", "Lookup", "NotMeasuredError", "Template", "names_only"]
