"""The texts of a study: which are valid, and how each context of the report has them. One function for each context."""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
import urllib.parse
from typing import Any

_INVALID = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")  # control characters, halves of a character
_MOST_BYTES = 200  # of a name; a file's may have 255, with its suffix

_HUGE = 1e12


def invalid_character(text: str) -> str | None:
    """The first character that no file, argument or page can have, as an escape; None if all are valid."""
    found = _INVALID.search(text)
    return ascii(found[0]).strip("'") if found else None


def number(value: float, digits: int) -> str:
    """A number with so many digits that count. Only what is tiny or huge has an exponent."""
    rounded = f"{value:.{digits}g}"
    return f"{float(rounded):.0f}" if "e+" in rounded and abs(value) < _HUGE else rounded


def html_text(text: object) -> str:
    """For the content of an element of HTML, and for an attribute in double quotes."""
    return html.escape(str(text), quote=True)


def link_target(identity: str) -> str:
    """For the `href` of a link to the element with this id, in double quotes."""
    return "#" + urllib.parse.quote(identity, safe="", errors="backslashreplace")


def script_json(value: Any) -> str:
    """For a value in a script of HTML. `<!--`, `<script` and `</script` there have a meaning to the page's parser."""
    content = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return content.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def plotly_text(text: object) -> str:
    """For titles, labels and hover of Plotly, whose subset of HTML has no `&quot;`."""
    return html.escape(str(text), quote=False)


def picture_text(text: object) -> str:
    """For texts that matplotlib draws, which takes what is between two dollars for a formula."""
    return str(text).replace("$", r"\$")


def markdown_cell(text: object) -> str:
    """For a cell of a table in Markdown: one line."""
    return " ".join(str(text).split()).replace("|", "\\|")


def markdown_link(text: object, path: str) -> str:
    """A link of Markdown to a file, whose text is one line."""
    shown = re.sub(r"([\\\[\]])", r"\\\1", " ".join(str(text).split()))
    return f"[{shown}]({urllib.parse.quote(path, errors='backslashreplace')})"


def file_name(text: str) -> str:
    """For a file's name without its suffix: `/` is `%2F`, and a long one ends in a digest."""
    name = text.replace("/", "%2F")
    whole = os.fsencode(name)
    if len(whole) <= _MOST_BYTES:
        return name
    return whole[:_MOST_BYTES].decode(errors="ignore") + "-" + hashlib.sha256(whole).hexdigest()[:12]
