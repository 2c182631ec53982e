"""Mutated study files: each must be read, or refused with a StudyError. Reports of those that are read: reports.py.

usage: studies.py SECONDS [SEED], with python and tests/system in PYTHONPATH
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

import yaml
from study_bench import STUDY, TARGETS

from sanvp.studies.errors import NotMeasuredError, StudyError
from sanvp.studies.study import read_studies

PROJECT = Path(__file__).resolve().parents[2]

WORDS = [
    *(
        "[a]",
        "{a: b}",
        "? ",
        ": ",
        "- ",
        "\n",
        "  ",
        "'",
        '"',
        "{",
        "}",
        "[",
        "]",
        "null",
        "true",
        "0.02on",
        "-1",
        "1e999",
    ),
    *(
        "{load}",
        "{nothing}",
        "&a ",
        "*a",
        "<<: *a",
        "!!python/name:os.system",
        "2001-99-99",
        ".nan",
        "\xff",
        "\t",
        "#",
        "|",
    ),
    *(
        "1/0",
        "10**9",
        "mean(",
        ")",
        "rate",
        "sent.",
        "load=0.1",
        "x for x in y",
        "lambda: 1",
        "__import__('os')",
        "(((",
        "...",
    ),
]


VALUES: list[object] = [None, True, 5, -1.5, "x", "", "{load}", [], ["a"], [[]], {}, {"a": "b"}, {"load": [1]}, "log"]


def replaced(value: object, dice: random.Random) -> object:
    """The study with another value at one place."""
    if dice.random() < 0.2 or not isinstance(value, (dict, list)) or not value:
        return dice.choice(VALUES)
    copy = value.copy()
    key = dice.choice(list(copy)) if isinstance(copy, dict) else dice.randrange(len(copy))
    copy[key] = replaced(copy[key], dice)
    return copy


def mutated(text: str, dice: random.Random) -> bytes:
    """The study with a few changes of its structure or its bytes."""
    if dice.random() < 0.5:
        content = yaml.safe_load(text)
        for _ in range(dice.choice([1, 1, 2])):
            content = replaced(content, dice)
        return yaml.safe_dump(content).encode()
    for _ in range(dice.choice([1, 1, 2, 3, 8])):
        at = dice.randrange(len(text) + 1)
        kind = dice.randrange(5)
        if kind == 0:
            text = text[:at] + dice.choice(WORDS) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + dice.randrange(20) :]
        elif kind == 2:
            lines = text.split("\n")
            lines[dice.randrange(len(lines))] = lines[dice.randrange(len(lines))]
            text = "\n".join(lines)
        elif kind == 3:
            end = min(len(text), at + dice.randrange(12))
            text = text[:at] + dice.choice(WORDS) + text[end:]
        else:
            text = text[:at] + chr(dice.randrange(1, 256)) + text[at + 1 :]
    return text.encode("latin-1", errors="replace")


def main() -> int:
    """Runs the mutated studies and returns the exit status."""
    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    dice = random.Random(seed)
    own = sorted((PROJECT / "examples/your-own-study").glob("*.yaml"))
    corpus = [STUDY, *(path.read_text(encoding="utf-8").replace("ring.c", __file__) for path in own)]
    end, count = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory(prefix="sanvp-fuzz-") as temporary:
        folder = Path(temporary)
        while time.monotonic() < end:
            count += 1
            study, targets = dice.choice(corpus), TARGETS
            is_study = dice.random() < 0.7
            (folder / "small.yaml").write_bytes(mutated(study, dice) if is_study else study.encode())
            (folder / "targets.yaml").write_bytes(targets.encode() if is_study else mutated(targets, dice))
            try:
                studies, _ = read_studies(folder)
                for one in studies.values():
                    if sum(1 for _ in zip(range(2000), one.points(quick=True), strict=False)) > 1000:
                        break
            except (StudyError, NotMeasuredError):
                pass
            except Exception:
                kept = Path(f"fuzz-study-{count}")
                kept.mkdir(exist_ok=True)
                for name in ("small.yaml", "targets.yaml"):
                    (kept / name).write_bytes((folder / name).read_bytes())
                print(f"fuzz: study, input {count} is in {kept}", file=sys.stderr)
                raise
    print(f"{'study':<10} {count:>8}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
