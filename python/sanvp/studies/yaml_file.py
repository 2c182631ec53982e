"""YAML files with known keys only: a mistake is reported with file and key."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import yaml

from .errors import StudyError, one_of
from .project import shown


class _Loader(yaml.SafeLoader):
    """Refuses equal keys, of which PyYAML silently takes the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":  # <<, whose keys may be repeated
                continue
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                problem = "a list or a mapping cannot be a key"
                raise yaml.constructor.ConstructorError(
                    "while reading a mapping", node.start_mark, problem, key_node.start_mark
                )
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    "while reading a mapping", node.start_mark, f"'{key}' occurs twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def read(path: Path) -> dict[str, Any]:
    """Reads a file, which must be a mapping."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # a SafeLoader
    except OSError as error:
        raise StudyError(f"{shown(path)}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise StudyError(f"{shown(path)}:{line}: is no UTF-8: byte {error.object[error.start]:#04x}") from None
    except RecursionError:
        raise StudyError(f"{shown(path)}: is nested too deeply") from None
    except ValueError as error:  # a date or a number that YAML takes for one and Python does not
        raise StudyError(f"{shown(path)}: {error}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f":{mark.line + 1}" if mark else ""
        raise StudyError(f"{shown(path)}{where}: {getattr(error, 'problem', None) or error}") from None
    return mapping(content, shown(path))


def mapping(value: object, place: str) -> dict[str, Any]:
    """Checks that the value is a mapping with text keys. @param place  file and key, for messages"""
    if not isinstance(value, dict):
        raise StudyError(f"{place}: must be a mapping of keys to values")
    for key in value:
        if not isinstance(key, str):
            raise StudyError(f"{place}: the key {key!r} must be text: put it in quotes")
    return value


def known(value: object, place: str, required: Iterable[str] = (), optional: Iterable[str] = ()) -> dict[str, Any]:
    """Checks, in addition, that it has the required keys and no unknown ones."""
    found = mapping(value, place)
    required = tuple(required)
    for key in found:
        if key not in (every := (*required, *optional)):
            raise StudyError(f"{place}: unknown key '{key}': {one_of(key, every)}")
    for key in required:
        if key not in found:
            raise StudyError(f"{place}: key '{key}' is missing")
    return found
