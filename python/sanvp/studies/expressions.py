"""The language of study files: Python's expressions on names, restricted to what can do no harm.

`uniform.latency_ns.mean` is a metric of the runs `uniform`, over their axes; `x(nodes=64)` selects, `mean(x, 'seed')`
reduces. `{...}` in a text is an expression, too, with a format if one is given: `{load:.2f}`.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .errors import NotMeasuredError, StudyError, one_of
from .functions import FUNCTIONS, arithmetic, called, cellwise, finite
from .series import Scalar, Series, Value
from .texts import invalid_character

Lookup = Callable[[str], Value]

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: arithmetic(operator.add),
    ast.Sub: arithmetic(operator.sub),
    ast.Mult: arithmetic(operator.mul),
    ast.Div: arithmetic(operator.truediv),
    ast.FloorDiv: arithmetic(operator.floordiv),
    ast.Mod: arithmetic(operator.mod),
}
_UNARY: dict[type, Callable[[Any], Any]] = {ast.USub: cellwise(operator.neg), ast.Not: cellwise(operator.not_)}
_COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: cellwise(operator.lt),
    ast.LtE: cellwise(operator.le),
    ast.Gt: cellwise(operator.gt),
    ast.GtE: cellwise(operator.ge),
    ast.Eq: cellwise(operator.eq),
    ast.NotEq: cellwise(operator.ne),
}
_ALL = cellwise(lambda *cells: all(cells))
_ANY = cellwise(lambda *cells: any(cells))
# What an operation raises if its operands do not fit. Anything else is a mistake of this package.
_MISFITS = (ArithmeticError, TypeError, ValueError, MemoryError)


class Expression:
    """A checked expression. Wrong ones raise StudyError, which names `place`."""

    def __init__(self, text: object, place: str) -> None:
        if not isinstance(text, Scalar):
            raise StudyError(f"{place}: must be an expression")
        self.text = str(text).strip()
        self.place = place
        try:
            with warnings.catch_warnings():  # about "1if x": errors are reported below
                warnings.simplefilter("ignore")
                self._tree = ast.parse(self.text, mode="eval").body
        except SyntaxError as error:
            raise StudyError(f"{place}: '{self.text}' is no expression: {error.msg}") from None
        except RecursionError:
            raise self._too_deep() from None
        except (ValueError, MemoryError) as error:
            raise StudyError(f"{place}: '{self.text[:60]}' is no expression: {error}") from None
        self._names: list[str] = []
        self._axes: list[str] = []
        self._selected: list[tuple[str, Scalar]] = []
        try:
            self._check(self._tree)
        except RecursionError:
            raise self._too_deep() from None

    @property
    def names(self) -> list[str]:
        """All names with their dots, without functions."""
        return self._names

    @property
    def selected(self) -> list[tuple[str, Scalar]]:
        """Each (axis, coordinate) that a constant selects."""
        return self._selected

    @property
    def axes(self) -> list[str]:
        """The axes that it names: to select, to reduce, to follow."""
        return self._axes

    def _error(self, message: str) -> StudyError:
        return StudyError(f"{self.place}: {message} in '{self.text}'")

    def _too_deep(self) -> StudyError:
        return StudyError(f"{self.place}: '{self.text[:60]}' is nested too deeply")

    def _check(self, node: ast.AST) -> None:
        match node:
            case ast.Constant(value=bool() | int() | float() | str()):
                self._check_constant(node.value)
                return
            case ast.Name() | ast.Attribute():
                self._names.append(self._dotted(node))
                return
            case ast.Call(func=ast.Name(id=name), keywords=[]):
                if name not in FUNCTIONS:
                    raise self._error(f"unknown function '{name}': {one_of(name, FUNCTIONS)}")
                children: list[ast.AST] = list(node.args)
                self._axes += self._axes_of_call(name, children)
            case ast.Call(args=[], keywords=[_, *_]):
                children = [node.func, *(keyword.value for keyword in node.keywords)]
                for keyword in node.keywords:
                    if keyword.arg is None:
                        raise self._error("** is not allowed")
                    self._axes.append(keyword.arg)
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

    def _check_constant(self, value: float | str) -> None:
        try:
            finite(value)
        except ValueError:
            raise self._error("a number is too great") from None
        if isinstance(value, str) and (invalid := invalid_character(value)) is not None:
            raise self._error(f"no text may have the character {invalid}")

    @staticmethod
    def _axes_of_call(name: str, arguments: list[ast.AST]) -> Iterator[str]:
        """The texts among the arguments that are names of axes: not of `max('a', 'b')`, whose first one is a text."""
        texts = [
            one.value if isinstance(one, ast.Constant) and isinstance(one.value, str) else None for one in arguments
        ]
        if not texts or texts[0] is None:
            yield from (text for i, text in enumerate(texts) if text is not None and FUNCTIONS[name].names_axis(i))

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
            found = self._value(self._tree, lookup)
        except _MISFITS as error:
            raise self._error(str(error) or type(error).__name__) from None
        except RecursionError:
            raise self._too_deep() from None
        if not isinstance(found, (Series, Scalar)):
            raise self._error("a list selects, as in x(load=[0.1, 0.5]), and is no value")
        return found

    def _value(self, node: ast.AST, lookup: Lookup) -> Any:
        def value(child: ast.AST) -> Any:
            return self._value(child, lookup)

        match node:
            case ast.Constant(value=constant):
                return constant
            case ast.Name() | ast.Attribute():
                return lookup(self._dotted(node))
            case ast.Call(func=ast.Name(id=name), keywords=[]):
                return called(name, list(map(value, node.args)))
            case ast.Call():
                series = value(node.func)
                if not isinstance(series, Series):
                    raise TypeError("only what has axes can be selected from")
                return series.select({str(k.arg): value(k.value) for k in node.keywords})
            case ast.BinOp():
                return _BINARY[type(node.op)](value(node.left), value(node.right))
            case ast.UnaryOp():
                return _UNARY[type(node.op)](value(node.operand))
            case ast.Compare():
                sides = list(map(value, (node.left, *node.comparators)))
                tests = [_COMPARISONS[type(op)] for op in node.ops]
                return _ALL(*(test(a, b) for test, a, b in zip(tests, sides, sides[1:], strict=False)))
            case ast.BoolOp(op=ast.And()):
                return _ALL(*map(value, node.values))
            case ast.BoolOp():
                return _ANY(*map(value, node.values))
            case ast.IfExp():
                test = value(node.test)
                if not isinstance(test, Scalar):
                    raise TypeError(
                        "the condition of 'if' has a value for each point: all() or any() makes one of them"
                    )
                return value(node.body if test else node.orelse)
            case ast.List():
                return list(map(value, node.elts))
        raise AssertionError(node)


class Template:
    """A text with expressions in braces."""

    _PARTS = re.compile(r"""\{(?P<expression>(?:[^{}:'"]|'[^']*'|"[^"]*")+)(?::(?P<format>[^{}]*))?\}""")

    def __init__(self, text: object, place: str, reals: str = "") -> None:
        """@param reals  format of real numbers that have none of their own"""
        if not isinstance(text, Scalar):
            raise StudyError(f"{place}: must be a text")
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
            text = ", ".join(format(cell, form or (self._reals if isinstance(cell, float) else "")) for cell in cells)
        except (ValueError, TypeError, OverflowError, MemoryError) as error:
            raise StudyError(f"{expression.place}: {error} in '{{{expression.text}:{form}}}'") from None
        if (invalid := invalid_character(text)) is not None:
            raise StudyError(f"{expression.place}: '{{{expression.text}:{form}}}' makes the character {invalid}")
        return text


def names_only(names: Mapping[str, Value], place: str) -> Lookup:
    """A lookup among names without dots."""

    def lookup(name: str) -> Value:
        if name not in names:
            raise StudyError(f"{place}: unknown name '{name}': {one_of(name, names)}")
        return names[name]

    return lookup


__all__ = ["FUNCTIONS", "Expression", "Lookup", "NotMeasuredError", "Template", "names_only"]
