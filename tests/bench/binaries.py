#!/usr/bin/env python3
"""RISC-V binaries: instructions per CPU second, interpreted and translated, start-up, memory of a process, 1,024 ranks.

usage: binaries.py [--program build/sanvp] [--turns N]

CPU time, never wall time; of each rate the best of some turns. Needs the cross compilers (scripts/install riscv).
"""

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from turns import BUILD, cost

ROOT = BUILD.parent
LOOP = ROOT / "tests" / "riscv" / "speed" / "integer_loop.c"


@dataclass
class Run:
    """What a run took."""

    cpu_s: float
    peak_mb: float
    result: dict

    @property
    def mips(self) -> float:
        return self.result["instructions"] / self.cpu_s / 1e6


def run(program: Path, machine: str, app: Path, ranks: int, *more: str, settings: tuple[str, ...] = ()) -> Run:
    """Runs a binary; its output is discarded."""
    command = [str(program), "run", machine, str(app), "--np", str(ranks), "--progress", "off", *settings]
    with tempfile.TemporaryDirectory() as folder:
        json_file = Path(folder) / "result.json"
        command += ["--json", str(json_file), "--", *more]
        used = cost(command)
        return Run(used.cpu_s, used.peak_mb, json.loads(json_file.read_text("utf-8")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=BUILD / "sanvp", help="(%(default)s)")
    parser.add_argument("--turns", type=int, default=3, help="of each rate, the best of which counts (%(default)s)")
    options = parser.parse_args()
    program, apps = options.program, BUILD / "sw" / "riscv64" / "apps"
    if not program.exists() or not apps.exists():
        sys.exit(f"{program} or {apps}: not built. Build them with: scripts/install riscv && scripts/build")

    def best(*arguments: object, **settings: object) -> Run:
        return min((run(program, *arguments, **settings) for _ in range(options.turns)), key=lambda one: one.cpu_s)

    caches = ("-s", "host.cpu.caches=on")
    interpreted = ("-s", "host.cpu.translate=off")
    with tempfile.TemporaryDirectory() as folder:
        loop = Path(folder) / "loop"
        compiler = [str(program.with_name("sanvp-cc")), "--target", "riscv64", "-O2", str(LOOP), "-o", str(loop)]
        subprocess.run(compiler, check=True)
        for name, app, more in (
            ("integer loop", loop, ("50000",)),
            ("linpack, n 300", apps / "linpack", ("--n", "300", "--repetitions", "10")),
            ("stream, 2 Mi elements", apps / "stream", ("--repetitions", "10")),
        ):
            one = best("qsnet-16", app, 1, *more, settings=interpreted)
            slow = best("qsnet-16", app, 1, *more, settings=caches)
            fast = best("qsnet-16", app, 1, *more)
            print(
                f"{name}, one rank: {one.mips:.0f} MIPS; translated {fast.mips:.0f}; "
                f"with caches {slow.mips:.0f}, {slow.cpu_s / one.cpu_s:.2f} x",
                flush=True,
            )
        for name, app, more in (
            ("integer loop", loop, ("1000",)),
            ("linpack, n 100", apps / "linpack", ("--repetitions", "20")),
        ):
            plain, fast = (best("qsnet-64", app, 64, *more, settings=way) for way in (interpreted, ()))
            print(f"{name}, 64 ranks: {plain.mips:.0f} MIPS together; translated {fast.mips:.0f}", flush=True)
    one, all_ranks = (best("qsnet-64", apps / "hello", ranks) for ranks in (1, 64))
    print(f"hello, 64 ranks: {all_ranks.cpu_s:.2f} s of CPU, whole run; {all_ranks.peak_mb:.0f} MB at most")
    print(f"a process: {(all_ranks.peak_mb - one.peak_mb) / 63:.2f} MB, with the pages that `hello` touches")
    sizes = ("--most", "64", "--count", "1")
    small, large = (run(program, "qsnet-1024", apps / "allreduce", ranks, *sizes) for ranks in (2, 1024))
    print(f"allreduce, 1,024 ranks: {large.cpu_s:.0f} s of CPU, {large.mips:.0f} MIPS, {large.peak_mb:.0f} MB")
    print(f"a process of it: {(large.peak_mb - small.peak_mb) / 1022:.2f} MB, with the pages that it touches")


if __name__ == "__main__":
    main()
