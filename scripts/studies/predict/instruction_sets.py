#!/usr/bin/env python3
"""How many instructions of other processors one operation of counted code stands for, by the kernels of this study.

usage: instruction_sets.py SANVP     the program: build/sanvp; sanvp-cc is beside it

Compiles kernels.c by the same GCC for each processor, counts its instructions under qemu-user, and divides them by the
operations of the counted program, corrected by host.cpu.counted (docs/cpu.md), and by the instructions of a binary for
RISC-V. `error` is the root of the mean square of the logarithms. The compilers are Debian's gcc-12-alpha-linux-gnu,
-powerpc-, -sparc64-, -i686- and gcc-riscv64-linux-gnu with their C libraries; those that are missing are left out.
"""

from __future__ import annotations

import csv
import math
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).with_name("kernels.c")
OPTIONS = ["-O2", "-fno-tree-vectorize", "-fno-unroll-loops", "-ffp-contract=off"]
# Without the product of matrices: where vectors of two numbers do not exist, GCC moves its sums through memory.
KERNELS = [name for name in re.findall(r"^KERNEL (\w+)\(", SOURCE.read_text(), re.MULTILINE) if name != "dgemm"]
# Processor: compiler, emulator, CPU with its corrections.
PROCESSORS = {
    "riscv64": (["riscv64-linux-gnu-gcc"], "qemu-riscv64", ""),
    "alpha": (["alpha-linux-gnu-gcc-12", "-mcpu=ev67", "-Wl,--no-relax"], "qemu-alpha", "alpha_21264a"),
    "powerpc": (["powerpc-linux-gnu-gcc-12"], "qemu-ppc", "powerpc_601"),
    "sparc64": (["sparc64-linux-gnu-gcc-12"], "qemu-sparc64", "sparc64_8fx"),
    "x86": (["i686-linux-gnu-gcc-12", "-march=pentium2"], "qemu-i386", "pentium_2"),
}
HEADERS = {
    "mpi.h": "#include <stdlib.h>\n#define MPI_Init(a, b) (void)0\n#define MPI_Finalize() (void)0\n"
    "#define MPI_Wtime() 0.0\n",
    "sw/hal/hal.h": "#define hal_metric(name, value, unit) (void)(value)\n",
}


def executed(compiler: list[str], emulator: str, folder: Path) -> Counter[str]:
    """Instructions of each kernel."""
    for name, text in HEADERS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    program, log = folder / "kernels", folder / "log"
    subprocess.run([*compiler, *OPTIONS, f"-I{folder}", "-static", SOURCE, "-o", program], check=True)
    subprocess.run([emulator, "-d", "in_asm,exec,nochain", "-D", log, program], check=True, stdout=subprocess.DEVNULL)
    lengths: dict[int, int] = {}
    counts: Counter[str] = Counter()
    begin = 0
    with log.open(errors="replace") as lines:
        for line in lines:
            if line.startswith("IN:"):
                begin = 0
            elif line.startswith("0x"):
                address = int(line.split(":")[0], 16)
                begin = begin or address
                lengths[begin] = lengths.get(begin, 0) + 1 if address != begin else 1
            elif line.startswith("Trace"):
                place = re.search(r"\[\w+/(\w+)/[^]]*\] ?(\w*)", line)
                if place and place[2] in KERNELS:
                    counts[place[2]] += lengths[int(place[1], 16)]
    return counts


def operations(sanvp: Path, folder: Path) -> dict[str, dict[str, int]]:
    """Operations of each kernel of the counted program by class."""
    program, out = folder / "counted", folder / "out"
    root = SOURCE.parents[3]
    subprocess.run([sanvp.with_name("sanvp-cc"), *OPTIONS, f"-I{root}", SOURCE, "-o", program], check=True)
    command = [sanvp, "run", "qsnet-16", program, "--np", "1", "--profile", "--out", out]
    subprocess.run(command, check=True, capture_output=True)
    with (out / "functions.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {
        row["function"]: {name: int(row[name]) for name in row if name not in ("job", "function", "instructions")}
        for row in rows
        if row["function"] in KERNELS
    }


def corrections(sanvp: Path, cpu: str) -> dict[str, float]:
    """The processor's own operations for one of counted code, by class."""
    if not cpu:
        return {}
    text = subprocess.run([sanvp, "describe", cpu], check=True, capture_output=True, text=True).stdout
    found = {name: float(value) for name, value in re.findall(r"counted\.(integer|move)\W+([\d.]+)", text)}
    return {"integer": found.get("integer", 1), "shift": found.get("integer", 1), "move": found.get("move", 1)}


def row(name: str, own: Counter[str], others: dict[str, float]) -> str:
    """A line of the table."""
    logs = [math.log(own[kernel] / others[kernel]) for kernel in KERNELS]
    error = math.sqrt(sum(x * x for x in logs) / len(logs))
    numbers = [*logs, sum(logs) / len(logs)]
    return f"{name:22}" + "".join(f"{math.exp(x):10.2f}" for x in numbers) + f"{math.exp(error) - 1:10.2f}"


def main() -> None:
    """Prints a table."""
    sanvp = Path(sys.argv[1]).resolve()
    print(f"{'':22}" + "".join(f"{name:>10}" for name in [*KERNELS, "mean", "error"]))
    with tempfile.TemporaryDirectory() as made:
        counted = operations(sanvp, Path(made))
        riscv: Counter[str] = Counter()
        for name, (compiler, emulator, cpu) in PROCESSORS.items():
            if not shutil.which(compiler[0]) or not shutil.which(emulator):
                continue
            folder = Path(made) / name
            folder.mkdir()
            own, factors = executed(compiler, emulator, folder), corrections(sanvp, cpu)
            corrected = {
                kernel: sum(factors.get(of, 1) * count for of, count in counts.items())
                for kernel, counts in counted.items()
            }
            print(row(f"{name} / counted", own, corrected))
            if riscv:
                print(row(f"{name} / RISC-V", own, riscv))
            riscv = riscv or own


if __name__ == "__main__":
    main()
