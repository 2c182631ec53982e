#!/usr/bin/python3
"""clang-tidy over the files that changed since they last passed.

A file's result depends on clang-tidy, its configuration, the file's flags, and the text of the file and of all project
files it includes. A stamp named by the hash of these, in BUILD/tidy, says that it passed.

--changed limits it to what differs from the merge base with origin/main: the changed sources, and for each changed
header one source that includes it. If the merge base is HEAD itself, its parent is compared with, so that a
merge into main is checked, too. Without history, or if clang-tidy's configuration has changed, all files are checked.

usage: tidy.py [--build DIR] [--jobs N] [--changed | FILE ...]      exit status 1 if clang-tidy has findings
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from source_tree import ROOT, closure

# Options of GCC's optimiser that clang does not know.
GCC_ONLY = (
    "-Winvalid-pch",
    "-fpch-preprocess",
    "--param=",
    "-fprofile-",
    "-flto",
    "-ffat-lto-objects",
    "-fno-ipa-ra",
    "-fno-tree-loop-distribute-patterns",
    "-mmem",
    "-fsignaling-nans",
)

COMPILER = re.compile(r"(.*-)?(c\+\+|g\+\+|cc|gcc|clang|clang\+\+)(-\d+)?")  # as x86_64-linux-gnu-gcc-12
CONFIGURATION = ROOT / ".clang-tidy"


def clang_tidy() -> str:
    """The version of clang-tidy that the configuration is written for: others find other things."""
    found = shutil.which("clang-tidy-14")
    if found is None:
        sys.exit("tidy.py: clang-tidy 14 is not installed; scripts/install tidy")
    return found


def flags(command: list[str]) -> list[str]:
    """A compile command for clang: without ccache and without options that only GCC knows."""
    compiler = next(i for i, word in enumerate(command) if COMPILER.fullmatch(Path(word).name))
    kept = []
    words = iter(command[compiler:])
    for word in words:
        if word == "-include":
            header = next(words)
            if not header.endswith(("cmake_pch.hxx", "profile_stamp.hpp")):  # for GCC only
                kept += [word, header]
        elif not word.startswith(GCC_ONLY):
            kept.append(word)
    return [*kept, "-Wno-unknown-warning-option", "-Wno-unknown-attributes"]  # GCC's own


def database(build: Path) -> dict[Path, dict]:
    """The project's C and C++ files in the compilation database, with flags for clang."""
    entries = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = Path(entry["file"]).resolve()
        if path.suffix != ".S" and path.is_relative_to(ROOT) and not path.is_relative_to(build):
            arguments = flags(shlex.split(entry["command"]))
            entries[path] = {"directory": entry["directory"], "file": str(path), "arguments": arguments}
    return entries


def git(*arguments: str) -> str | None:
    """What git prints; None where it fails or is not there."""
    if shutil.which("git") is None:
        return None
    run = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else None


def changed_files() -> set[Path] | None:
    """Files that differ from the merge base with main, uncommitted and new ones included; None where there is none."""
    head = git("rev-parse", "HEAD")
    main = git("rev-parse", "--verify", "--quiet", "origin/main") or git("rev-parse", "--verify", "--quiet", "main")
    base = git("merge-base", "HEAD", main) if main else None
    if base is None or base == head:
        base = git("rev-parse", "--verify", "--quiet", "HEAD^")
    if base is None:
        return None
    names = f"{git('diff', '--name-only', base)}\n{git('ls-files', '--others', '--exclude-standard')}".split("\n")
    return {ROOT / name for name in names if name}


def touched(sources: Iterable[Path], changed: set[Path]) -> set[Path]:
    """The changed ones of the sources, and for each other changed file one source that includes it, preferably the one
    of its name."""
    includes = {source: set(closure(source)) for source in sources}
    chosen = includes.keys() & changed
    for header in sorted(changed - chosen):
        users = [source for source in includes if header in includes[source]]
        if users and chosen.isdisjoint(users):
            chosen.add(min(users, key=lambda source: (source.stem != header.stem, len(includes[source]), source)))
    return chosen


def key(tool_version: bytes, entry: dict) -> str:
    """The name of the stamp."""
    digest = hashlib.sha256(tool_version)
    digest.update(CONFIGURATION.read_bytes())
    # The result does not depend on the build folder's position.
    digest.update(json.dumps(entry["arguments"]).replace(entry["directory"], "").encode())
    for path in closure(Path(entry["file"])):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="folder with compile_commands.json")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--changed", action="store_true", help="only what differs from the merge base with origin/main")
    parser.add_argument("files", nargs="*", type=Path, help="only these")
    options = parser.parse_args()
    build = options.build.resolve()

    entries = database(build)
    if options.files:
        wanted = {file.resolve() for file in options.files}
        for missing in sorted(wanted - entries.keys()):
            sys.exit(f"tidy.py: {missing} is not compiled in {build}")
        entries = {path: entry for path, entry in entries.items() if path in wanted}
    elif options.changed and (changes := changed_files()) is not None and CONFIGURATION not in changes:
        wanted = touched(entries, changes)
        print(f"clang-tidy: {len(wanted)} of {len(entries)} files differ from main")
        entries = {path: entry for path, entry in entries.items() if path in wanted}

    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(list(entries.values()), indent=1), encoding="utf-8")
    tool = clang_tidy()
    version = subprocess.run([tool, "--version"], capture_output=True, check=True).stdout
    keys = {path: key(version, entry) for path, entry in entries.items()}
    changed = sorted(path for path in entries if not (folder / keys[path]).exists())
    print(f"clang-tidy: {len(changed)} of {len(entries)} files to check")

    def check(path: Path) -> bool:
        run = subprocess.run([tool, "--quiet", "-p", folder, path], capture_output=True, text=True, check=False)
        if run.returncode == 0:
            (folder / keys[path]).touch()
        else:
            print(run.stdout + (run.stderr if not run.stdout else ""), flush=True)
        return run.returncode == 0

    with ThreadPoolExecutor(options.jobs) as pool:
        failed = [path for path, passed in zip(changed, pool.map(check, changed), strict=True) if not passed]
    for stamp in folder.iterdir():
        if not options.files and not options.changed and stamp.name not in keys.values() and stamp.suffix != ".json":
            stamp.unlink()
    for path in failed:
        print(f"clang-tidy: {path.relative_to(ROOT)} has findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
