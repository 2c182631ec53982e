"""YAML files with known keys only: a mistake is reported with file and key."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import yaml

from .errors import StudyError, one_of
from .project import shown
from .series import Scalar
from .texts import invalid_character

MOST_VALUES = 1_000_000  # of a file, with each alias (*name) counted as what it stands for


class _Loader(yaml.SafeLoader):
    """Takes what JSON has, too: texts, numbers, lists, mappings. Refuses equal keys, of which PyYAML takes the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":  # <<, whose keys may be repeated
                continue
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                raise _error(key_node, "a list or a mapping cannot be a key")
            if key in seen:
                raise _error(key_node, f"'{key}' occurs twice")
            seen.add(key)
        return super().construct_mapping(node, deep)


def _error(node: yaml.Node, problem: str) -> yaml.constructor.ConstructorError:
    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


def _text(loader: _Loader, node: yaml.ScalarNode) -> str:
    value = loader.construct_scalar(node)
    if (invalid := invalid_character(value)) is not None:
        raise _error(node, f"no text may have the character {invalid}")
    return value


def _number(loader: _Loader, node: yaml.ScalarNode) -> float:
    is_whole = node.tag == "tag:yaml.org,2002:int"
    value = loader.construct_yaml_int(node) if is_whole else loader.construct_yaml_float(node)
    if not -sys.float_info.max <= value <= sys.float_info.max:
        raise _error(node, f"'{node.value[:40]}' is no finite number")
    return value


def _refused(_loader: _Loader, node: yaml.Node) -> Any:
    raise _error(node, f"{node.tag} is not allowed")


_Loader.add_constructor("tag:yaml.org,2002:str", _text)
_Loader.add_constructor("tag:yaml.org,2002:timestamp", _text)
_Loader.add_constructor("tag:yaml.org,2002:float", _number)
_Loader.add_constructor("tag:yaml.org,2002:int", _number)
for _kind in ("binary", "omap", "pairs", "set"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_kind}", _refused)


def _is_small(content: object) -> bool:
    """Whether a file's content is of bounded size, although aliases may repeat a part, or contain themselves."""
    waiting, count = [content], 0
    while waiting and count <= MOST_VALUES:
        one = waiting.pop()
        count += 1
        waiting += [*one, *one.values()] if isinstance(one, dict) else one if isinstance(one, list) else []
    return not waiting


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
    except (ValueError, OverflowError) as error:  # a number that YAML takes for one and Python does not
        raise StudyError(f"{shown(path)}: {error}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f":{mark.line + 1}" if mark else ""
        raise StudyError(f"{shown(path)}{where}: {getattr(error, 'problem', None) or error}") from None
    if not _is_small(content):
        raise StudyError(f"{shown(path)}: has more than {MOST_VALUES} values, or an alias within itself")
    return mapping(content, shown(path))


def mapping(value: object, place: str) -> dict[str, Any]:
    """Checks that the value is a mapping with text keys. @param place  file and key, for messages"""
    if not isinstance(value, dict):
        raise StudyError(f"{place}: must be a mapping of keys to values")
    for key in value:
        if not isinstance(key, str):
            raise StudyError(f"{place}: the key {key!r} must be text: put it in quotes")
    return value


def scalars(value: object, place: str) -> dict[str, Scalar]:
    """Checks, in addition, that each value is a text, a number, true or false."""
    found = mapping(value, place)
    for key, one in found.items():
        if not isinstance(one, Scalar):
            raise StudyError(f"{place}.{key}: must be a text or a number")
    return found


def text(value: object, place: str) -> str:
    """Checks that the value is a text, or one of those that need no quotes, such as a number. None is empty."""
    if not isinstance(value, (Scalar, type(None))):
        raise StudyError(f"{place}: must be a text")
    return "" if value is None else str(value)


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
