"""MPICH's own test suite (the folder test/mpi of its sources, which you bring), compiled and run with sanvp.

usage: mpich.py SUITE BUILD_FOLDER [--machine qsnet-16] [--target riscv64] [--only coll/] [--jobs 2] [--json FILE]

Tests of later standards than MPI 3.1 do not compile; the table says what they miss. Lines of a test list that differ
only in MPICH's own environment variables are run once, and benchmarks and tests for GPUs are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

FOLDERS = [
    *(
        "attr",
        "coll",
        "comm",
        "datatype",
        "errhan",
        "group",
        "info",
        "init",
        "io",
        "pt2pt",
        "rma",
        "topo",
        "threads/comm",
    ),
    *("threads/pt2pt", "threads/rma", "threads/coll", "threads/init", "threads/mpi_t"),
    *(f"errors/{name}" for name in ("attr", "coll", "comm", "datatype", "group", "io", "pt2pt", "rma", "topo")),
]
# What its configure script would find here.
CONFIGURATION = """\
#define HAVE_STRING_H 1
#define HAVE_UNISTD_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STDIO_H 1
#define HAVE_STDARG_H 1
#define HAVE_STDINT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_RESOURCE_H 1
#define HAVE_LONG_DOUBLE 1
#define HAVE_LONG_LONG 1
#define HAVE_LONG_LONG_INT 1
#define HAVE_LONG_DOUBLE__COMPLEX 1
#define HAVE_DOUBLE__COMPLEX 1
#define HAVE_FLOAT__COMPLEX 1
#define HAVE__BOOL 1
#define HAVE_MPI_WIN_CREATE 1
#define HAVE_MPI_TYPE_CREATE_STRUCT 1
#define HAVE_MPI_INIT_THREAD 1
#define HAVE_MPI2_COMBINERS 1
#define HAVE_PTHREAD_BARRIER_INIT 1
#define HAVE_PTHREAD_H 1
#define USE_STRICT_MPI 1
#define USE_LONG_DOUBLE_COMPLEX 1
#define STDC_HEADERS 1
#define MTEST_THREAD_PACKAGE_NAME MTEST_THREAD_PACKAGE_PTHREADS
#define MTEST_THREAD_PACKAGE_PTHREADS 1
#define THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX
#define THREAD_PACKAGE_POSIX 1
#define MPI_FILE_PREFIX "."
#define BUILD_MPICH_VERSION 0
"""
# Tests that MPICH passes and a library of MPI 3.1 need not, and why.
BY_THE_STANDARD = {
    "datatype/typename": "MPI_INTEGER16 is optional (MPI-3.1, A.1.1), and null here",
    "datatype/typename_oldapi": "MPI_INTEGER16 is optional (MPI-3.1, A.1.1), and null here",
    "datatype/struct_no_real_types": "its upper bound is the end of the marker, 10 (MPI-2.2, 4.1.6), not 0",
    "info/info_no_init": "info objects before MPI_Init are of MPI 4.0",
    "info/infocreateenv": "info objects before MPI_Init are of MPI 4.0",
    "io/tst_fileview": "its type map goes back from 8 to 4, which no view may (MPI-3.1, 13.3)",
    "pt2pt/sendrecv3 2 -isendrecv": "MPI_Isendrecv is of MPI 4.0, so the test skips itself",
    "rma/win_shared_query 4 -flavor=create": "only windows of MPI_Win_allocate_shared are asked before MPI 4.1",
    "rma/win_shared_query 4 -flavor=allocate": "only windows of MPI_Win_allocate_shared are asked before MPI 4.1",
}
PLAIN = {**os.environ, "LC_ALL": "C"}  # messages have plain quotes
COMPILE_S, RUN_S = 300, 1200
NOT_RUN = re.compile(r"resultTest=TestBench|mem=|device|-evenmem|-oddmem|-memtype")
MISSING = re.compile(r"(?:undefined reference to|implicit declaration of function|unknown type name) [`'](\w+)'")
UNDECLARED = re.compile(r"[`'](\w+)' undeclared")


@dataclass(frozen=True)
class Test:
    """A line of a test list."""

    name: str  # such as coll/allred
    ranks: int
    arguments: tuple[str, ...]
    expected_failure: bool
    result: str  # how the output tells success

    def __str__(self) -> str:
        return " ".join([self.name, str(self.ranks), *self.arguments])


def tests_of(suite: Path, folder: str) -> list[Test]:
    """The tests of a folder, without doubles."""
    found: dict[tuple, Test] = {}
    for name in ("testlist", "testlist.in"):
        path = suite / folder / name
        if not path.exists():
            continue
        for line in path.read_text().splitlines():
            words = re.sub(r"@\w+@", "", line).split("#")[0].split()
            if len(words) < 2 or NOT_RUN.search(line) or not words[1].isdigit():
                continue
            arguments = tuple(word.removeprefix("arg=") for word in words[2:] if word.startswith("arg="))
            result = next((word.split("=")[1] for word in words if word.startswith("resultTest=")), "TestNoErrors")
            test = Test(f"{folder}/{words[0]}", int(words[1]), arguments, "xfail=" in line, result)
            found.setdefault((test.name, test.ranks, arguments), test)
    return list(found.values())


def reason(test: Test) -> str | None:
    """Why a library of MPI 3.1 need not pass a test, if it need not."""
    return next((why for name, why in BY_THE_STANDARD.items() if f"{test} ".startswith(f"{name} ")), None)


class Suite:
    """The suite's programs, each compiled once."""

    def __init__(self, arguments: argparse.Namespace, folder: Path) -> None:
        self.source = arguments.suite.resolve()
        self.folder = folder
        self.sanvp = arguments.build.resolve() / "sanvp"
        target = ["--target", arguments.target] if arguments.target else []
        self.compiler = [arguments.build.resolve() / "sanvp-cc", *target]
        self.machine = arguments.machine
        include = folder / "include"
        include.mkdir()
        (include / "mpitestconf.h").write_text(CONFIGURATION)
        (folder / "dtpoolsconf.h").write_text(CONFIGURATION)  # included as ../dtpoolsconf.h
        (include / "mtest_mpix.h").write_text("")
        self.flags = ["-O1", "-w", "-I", include, "-I", self.source / "include", "-I", self.source / "dtpools/include"]
        self.flags += ["-DHAVE_CONFIG_H", "-I", self.source / "util"]
        self.shared = [self.compiled(name) for name in self.shared_sources()]
        self.thread_part = {
            threads: self.compiled(self.source / f"util/mtest_{'thread' if threads else 'single'}.c")
            for threads in (False, True)
        }
        self.driver = self.compiled(self.source / "util/run_mpitests.c")

    def shared_sources(self) -> list[Path]:
        """Sources that each program is linked with."""
        util = [self.source / "util" / name for name in ("mtest.c", "mtest_common.c", "dtypes.c")]
        return [*util, *sorted((self.source / "dtpools/src").glob("*.c"))]

    def compiled(self, source: Path) -> Path:
        """The object file of a source."""
        made = self.folder / f"{source.stem}.o"
        command = [*self.compiler, *self.flags, "-c", source, "-o", made]
        subprocess.run(command, check=True, timeout=COMPILE_S, capture_output=True)
        return made

    def rules(self, folder: str, program: str) -> tuple[list[str], list[str]]:
        """Sources and flags that the folder's Makefile.am gives the program."""
        makefile = self.source / folder / "Makefile.am"
        text = makefile.read_text().replace("\\\n", " ") if makefile.exists() else ""

        def value(name: str) -> list[str]:
            line = re.search(rf"^{re.escape(program)}_{name}\s*=(.*)$", text, re.MULTILINE)
            return [word for word in line[1].split() if not word.startswith("$")] if line else []

        return value("SOURCES") or [f"{program}.c"], value("CPPFLAGS")

    def program(self, name: str) -> tuple[Path | None, str]:
        """The compiled program, or why there is none."""
        folder, program = name.rsplit("/", 1)
        sources, flags = self.rules(folder, program)
        paths = [self.source / folder / source for source in sources if source.endswith(".c")]
        if not all(path.exists() for path in paths):
            return None, "no source"
        text = "".join(path.read_text(errors="replace") for path in paths)
        objects = [*self.shared, self.thread_part["threads/" in name or "mpithreadtest.h" in text]]
        if re.search(r"^int run\(const char", text, re.MULTILINE):
            objects.append(self.driver)
        made = self.folder / name.replace("/", "_")
        command = [*self.compiler, *self.flags, *flags, "-I", self.source / folder, *paths, *objects, "-o", made, "-lm"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_S, check=False, env=PLAIN)
        except subprocess.TimeoutExpired:
            return None, "compiler: no end"
        if done.returncode == 0:
            return made, ""
        missing = sorted({*MISSING.findall(done.stderr), *UNDECLARED.findall(done.stderr)})
        return None, "misses " + ", ".join(missing[:4]) if missing else f"compiler: {done.stderr.strip()[-300:]}"

    def outcome(self, test: Test, program: Path) -> tuple[str, str]:
        """Passed or failed, and the last words of a failure."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            command = [self.sanvp, "run", self.machine, program, "--np", str(test.ranks), "--progress", "off"]
            words = [word for argument in test.arguments for word in shlex.split(argument)]
            try:
                done = subprocess.run(
                    [*command, "--", *words],
                    capture_output=True,
                    text=True,
                    errors="replace",
                    timeout=RUN_S,
                    check=False,
                    cwd=folder,
                )
            except subprocess.TimeoutExpired:
                return "failed", f"no end in {RUN_S} s"
        said = done.stdout + done.stderr
        good = "No Errors" in said or "No errors" in said
        if test.result in ("TestStatus", "TestErrFatal"):  # the program has to fail
            good = done.returncode != 0
        elif test.result == "TestNoErrors":
            good = good and done.returncode == 0
        return ("passed", "") if good else ("failed", f"status {done.returncode}: {said.strip()[-600:]}")


def main() -> int:
    """Runs the suite and prints the table of what did not pass; returns 1 if a test failed that MPICH passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("--machine", default="qsnet-16")
    parser.add_argument("--target")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    tests = [test for folder in FOLDERS for test in tests_of(arguments.suite, folder) if arguments.only in str(test)]
    results: dict[str, tuple[str, str]] = {}
    with tempfile.TemporaryDirectory(prefix="sanvp-mpich-") as folder, ThreadPoolExecutor(arguments.jobs) as pool:
        suite = Suite(arguments, Path(folder))
        names = sorted({test.name for test in tests})
        programs = dict(zip(names, pool.map(suite.program, names), strict=True))

        def run(test: Test) -> None:
            program, why = programs[test.name]
            result = suite.outcome(test, program) if program else ("not compiled", why)
            if result[0] == "failed" and test.expected_failure:
                result = ("failed as in MPICH", result[1])
            elif result[0] == "failed" and (why := reason(test)):
                result = ("failed by the standard", why)
            results[str(test)] = result
            if result[0] != "passed":
                print(f"{test}: {result[0]}: {result[1]}", flush=True)

        list(pool.map(run, tests))
    counts = Counter(result for result, _ in results.values())
    print(", ".join(f"{count} {result}" for result, count in counts.most_common()))
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1, sort_keys=True))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
