"""What goes wrong, and how it is said."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class StudyError(Exception):
    """A mistake of the user's: one message that names the place and the cure."""


class NotMeasuredError(Exception):
    """A value hangs on points of which there is no result yet."""


def one_of(name: object, known: Iterable[object]) -> str:
    """The end of a message about a name that is not known: the nearest one, or all there are."""
    names = [str(each) for each in known]
    nearest = difflib.get_close_matches(str(name), names, n=1)
    if nearest:
        return f"did you mean '{nearest[0]}'?"
    return f"there are {', '.join(names)}" if names else "there are none"
