"""Mutated OTF2 archives: each must be converted, or refused in one line with status 2. The library that reads them
is not ours, so each is read in a process of its own.

usage: archives.py SECONDS [SEED], with python in PYTHONPATH; without OTF2's library or its Python it does nothing
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
USERS_MISTAKE = 2
MOST_BYTES, MOST_SECONDS = 8, 30


def sample(folder: Path) -> Path | None:
    """An archive in Score-P's manner; None if it cannot be made here."""
    program = folder / "score_p"
    compiler = shutil.which("cc")
    has_python = subprocess.run([sys.executable, "-c", "import otf2"], capture_output=True, check=False).returncode == 0
    if compiler is None or not has_python or not Path("/usr/include/otf2/otf2.h").exists():
        return None
    source = PROJECT / "tests" / "otf2" / "score_p.c"
    subprocess.run([compiler, "-o", program, source, "-lopen-trace-format2"], check=True)
    (folder / "sample").mkdir()
    subprocess.run([program, folder / "sample"], check=True)
    return folder / "sample"


def mutate(file: Path, chance: random.Random) -> None:
    """Changes, cuts or lengthens a file."""
    content = bytearray(file.read_bytes())
    for _ in range(chance.randint(1, 3)):
        way = chance.randrange(3)
        if way == 0 and content:
            content[chance.randrange(len(content))] = chance.randrange(256)
        elif way == 1:
            del content[chance.randrange(len(content) + 1) :]
        else:
            at = chance.randrange(len(content) + 1)
            content[at:at] = chance.randbytes(chance.randint(1, MOST_BYTES))
    file.write_bytes(content)


def main() -> int:
    end = time.monotonic() + float(sys.argv[1])
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else None)
    count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        original = sample(folder)
        while original and time.monotonic() < end:
            tried = folder / "tried"
            shutil.rmtree(tried, ignore_errors=True)
            shutil.copytree(original, tried)
            mutate(chance.choice(sorted(file for file in tried.rglob("*") if file.is_file())), chance)
            words = [sys.executable, "-m", "sanvp.convert", "otf2", tried / "traces.otf2", "-o", tried / "o.goal"]
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=MOST_SECONDS)
            count += 1
            is_refused = done.returncode == USERS_MISTAKE and done.stderr.count("\n") == 1
            if done.returncode != 0 and not is_refused:
                kept = Path(f"otf2-{os.getpid()}")
                shutil.copytree(tried, kept)
                print(f"archives: {kept}: status {done.returncode}: {done.stderr}", file=sys.stderr)
                return 1
    print(f"archives: {count} read or refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
