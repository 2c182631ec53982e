"""Mistakes in traces and options."""


class ConvertError(Exception):
    """A mistake in a trace or an option. Its text says where it is and how to correct it."""


def at(place: object, line: int, cause: str, cure: str) -> ConvertError:
    """The error of a line of a file."""
    return ConvertError(f"{place}:{line}: {cause}: {cure}")
