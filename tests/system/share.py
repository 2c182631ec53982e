"""Cases of three dimensions of which CI runs a share: each pair of the first two, with one of the third at a time.

`pytest --long` runs all of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def a_share(first: Iterable, second: Iterable, third: Iterable) -> list:
    """All cases; the mark `long` is on all but those of a Latin square, in which the third value goes round."""
    first, second, third = list(first), list(second), list(third)
    return [
        pytest.param(a, b, c, marks=() if (i + j) % len(third) == k else pytest.mark.long)
        for i, a in enumerate(first)
        for j, b in enumerate(second)
        for k, c in enumerate(third)
    ]


def every_other(first: Iterable, second: Iterable) -> list:
    """All pairs; the mark `long` is on every other one, so that each value still meets half of the others in CI."""
    second = list(second)
    return [
        pytest.param(a, b, marks=() if (i + j) % 2 == 0 else pytest.mark.long)
        for i, a in enumerate(first)
        for j, b in enumerate(second)
    ]
