"""The studies that a command is about: by name, from the folder of studies, or by path, from anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import StudyError, one_of
from .project import RESULTS, STUDIES
from .study import Study, read_own_study, read_studies
from .targets import Target


@dataclass(frozen=True)
class Selection:
    """What the command line names."""

    chosen: list[Study]  # all, if none is named
    every: list[Study]  # with the others of the folder: a report's JSON has all targets
    targets: Mapping[str, Target]
    results: Path


def _is_path(name: str, folder: Path) -> bool:
    """Whether it is the path of a study file, outside the folder of studies."""
    return ("/" in name or name.endswith((".yaml", ".yml"))) and Path(name).resolve().parent != folder.resolve()


def _family(name: str, studies: Mapping[str, Study]) -> list[str]:
    """The studies of this name; a common first word, `itb` of `itb-tables` and `itb-load`, names all of them."""
    family = [name] if name in studies else [study for study in studies if study.startswith(f"{name}-")]
    if not family:
        cure = one_of(name, studies) if studies else f"a study of your own is given by its path, such as ./{name}.yaml"
        raise StudyError(f"no study '{name}': {cure}")
    return family


def select(names: Sequence[str], folder: Path | None = None, results: Path | None = None) -> Selection:
    """Reads the studies of these names; all of the folder if there are no names.

    @param folder   of studies, instead of the project's
    @param results  instead of the usual folder: the project's, or `results/study` beside the first study from elsewhere
    """
    folder = folder or STUDIES
    paths = [name for name in names if _is_path(name, folder)]
    inside, targets = ({}, {}) if names and len(paths) == len(names) else read_studies(folder)
    own = {}
    for name in paths:
        if not Path(name).is_file():
            raise StudyError(f"{name}: there is no such study file")
        own[name], more = read_own_study(Path(name))
        targets = {**more, **targets}
    chosen: dict[str, Study] = {}
    for name in names:
        if name in own:
            chosen[str(own[name].path)] = own[name]
            continue
        stem = Path(name).stem if name.endswith((".yaml", ".yml")) else name
        chosen |= {str(inside[one].path): inside[one] for one in _family(stem, inside)}
    if results is None:
        results = next(iter(own.values())).folder / "results" / "study" if own else RESULTS
    return Selection(
        list(chosen.values()) or list(inside.values()), [*inside.values(), *own.values()], targets, results
    )
