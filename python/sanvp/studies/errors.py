"""Errors, and how messages name the cure."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from ..errors import UserMistakeError


class StudyError(UserMistakeError):
    """A user's mistake: one message with place and cure."""

    def __init__(self, message: str) -> None:
        super().__init__(message, 2)


class NotMeasuredError(Exception):
    """A value depends on points that have no result yet."""


def one_of(name: object, known: Iterable[object]) -> str:
    """The end of a message about an unknown name: the nearest known name, or all of them."""
    names = [str(each) for each in known]
    nearest = difflib.get_close_matches(str(name), names, n=1)
    if nearest:
        return f"did you mean '{nearest[0]}'?"
    return f"there are {', '.join(names)}" if names else "there are none"
