"""The parameters of a call as words of the command line."""

from __future__ import annotations

import itertools
import numbers
import os
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import UserMistakeError

One = str | int | float | bool | os.PathLike[str] | None
Option = One | Iterable[Any]

_USERS_MISTAKE = 2
REPEATED = ("branch", "fault", "inspect", "job", "log", "part", "route", "set")  # `repeat for more` in --help
_WITH_COMMAS = ("list", "map")
_NEAR = 1e-6  # by which a load may miss its place in a sweep, whose loads are whole millionths


def option_words(options: Mapping[str, Option]) -> list[str]:
    """Options by their names; one that is None or False is left out.

    A list repeats an option that the command line takes several times, and becomes `0,4,8` or a sweep of one that it
    takes as such.
    """
    words: list[str] = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        option = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(option)
        elif _is_list(value):
            words += [word for text in _texts(name, list(value)) for word in (option, text)]
        else:
            words += [option, text_of(value, name)]
    return words


def setting_words(settings: Mapping[str, One] | None) -> list[str]:
    """Parameters of a machine, each as -s KEY=VALUE."""
    if not isinstance(settings or {}, Mapping):
        raise _mistake("settings", settings, 'give parameters by name, such as {"host.pci.clock": 66.66}')
    return [word for key, value in (settings or {}).items() for word in ("-s", f"{key}={text_of(value, key)}")]


def repeated_words(option: str, values: str | Iterable[str], name: str) -> list[str]:
    """An option for each of the values; one text is one value."""
    given = list(values) if _is_list(values) else [values]
    return [word for value in given for word in (option, text_of(value, name))]


def pair_words(option: str, pairs: str | Iterable[Any], name: str) -> list[str]:
    """An option `SRC,DST` for each of the pairs; a single pair may stand alone."""
    given = list(pairs) if _is_list(pairs) else [pairs]
    if len(given) == 2 and not any(isinstance(one, str) or _is_list(one) for one in given):
        given = [given]
    texts = [",".join(text_of(end, name) for end in one) if _is_list(one) else text_of(one, name) for one in given]
    return [word for text in texts for word in (option, text)]


def text_of(value: Any, name: str) -> str:
    """A value as the program reads it. @param name  of the parameter that has it"""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, os.PathLike, numbers.Number)):
        return str(value)
    raise _mistake(name, value, "give a text, a number or a path")


def _is_list(value: Any) -> bool:
    """Whether it has values in an order."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike, Mapping, set, frozenset))


def _texts(name: str, values: list[Any]) -> list[str]:
    """What the option is given with, once for each text."""
    if not values:
        raise _mistake(name, values, "leave it out, or give a value")
    if name in REPEATED:
        return [text_of(value, name) for value in values]
    if len(values) == 1:
        return [text_of(values[0], name)]
    if name in _WITH_COMMAS:
        return [",".join(text_of(value, name) for value in values)]
    if name == "load":
        return [_sweep(name, values)]
    if name == "seeds":
        return [_range(name, values)]
    raise _mistake(name, values, "the option takes one value")


def _sweep(name: str, values: list[Any]) -> str:
    """Loads as FIRST:LAST:STEP."""
    cure = "the command line takes rising fractions at equal steps, such as [0.1, 0.2, 0.3], or a text"
    try:
        loads = [float(value) for value in values]
    except (TypeError, ValueError):
        raise _mistake(name, values, cure) from None
    step = (loads[-1] - loads[0]) / (len(loads) - 1)
    if step <= 0 or any(abs(loads[0] + i * step - load) > _NEAR for i, load in enumerate(loads)):
        raise _mistake(name, values, cure)
    return ":".join(f"{value:.12g}" for value in (loads[0], loads[-1], step))


def _range(name: str, values: list[Any]) -> str:
    """Seeds as FIRST:LAST."""
    if not all(isinstance(value, numbers.Integral) for value in values) or any(
        later != earlier + 1 for earlier, later in itertools.pairwise(values)
    ):
        raise _mistake(name, values, "the command line takes seeds that follow each other, such as range(1, 9)")
    return f"{values[0]}:{values[-1]}"


def _mistake(name: str, value: Any, cure: str) -> UserMistakeError:
    return UserMistakeError(f"{name}: {value!r} is not understood: {cure}", _USERS_MISTAKE)
