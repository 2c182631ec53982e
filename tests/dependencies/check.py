#!/usr/bin/python3
"""Includes point one way (ALLOWED below); what must stay pure C++ reaches no SystemC.

usage: check.py [ROOT]        exit status 1 and one line for each violation
"""

from __future__ import annotations

import sys
from pathlib import Path

import tree_check
from tree_check import PROJECT

sys.path.insert(0, str(PROJECT / "scripts"))

from source_tree import Include, closure, includes, resolve, sources

MODELS = ("platform/core", "topologies", "models/net")
CPU_COSTS = ("models/cpu/caches", "models/cpu/costs")
MACHINE = (
    *MODELS,
    "models/policies",
    "models/switches",
    "models/native",
    "models/cpu",
    *CPU_COSTS,
    "models/nic",
    "models/host",
    "platform/faults",
    "platform/snapshots",
    "platform/machine",
)
PROGRAM = (
    *MACHINE,
    "platform/traffic",
    "platform/replay",
    "platform/goal",
    "platform/mpi_check",
    "platform/jobs",
    "platform/otf2",
    "platform/inspection",
    "platform/breakpoints",
    "platform/embedding",
    "platform/commands",
)

# The rooms of MPI's library: each may include those before it, and what the wrappers of all calls offer.
MPI_ROOMS = tuple(
    f"sw/mpi/{room}"
    for room in (
        "base",
        "datatypes",
        "requests",
        "point_to_point",
        "collectives",
        "communicators",
        "topologies",
        "windows",
        "files",
        "environment",
        "tools",
        "fortran",
        "check",
    )
)
MPI_WRAPPERS = "sw/mpi/check/checked.h"

# What each folder may include beside itself. The longest matching folder counts.
ALLOWED: dict[str, tuple[str, ...]] = {
    "platform/core": (),
    "topologies": ("platform/core",),
    "models/net": ("platform/core", "topologies"),
    "models/policies": MODELS,
    "models/switches": MODELS,
    "models/native": ("platform/core", "models/net", "models/cpu/costs", "sw/abi"),
    "models/nic": (*MODELS, "models/native", "models/cpu/costs", "sw/abi"),
    "models/cpu": ("platform/core", *CPU_COSTS, "models/native", "sw/abi"),
    "models/cpu/caches": ("platform/core", "models/cpu/costs"),
    "models/cpu/costs": ("platform/core", "sw/abi"),
    "models/host": (*MODELS, "models/native", *CPU_COSTS, "sw/abi"),
    "models/host/riscv": (*MODELS, "models/native", "models/host", "models/cpu", *CPU_COSTS, "sw/abi"),
    "platform/faults": MODELS,
    "platform/snapshots": ("platform/core",),
    "platform/machine": MACHINE,
    "platform/traffic": MACHINE,
    "platform/replay": MACHINE,
    "platform/goal": (*MACHINE, "platform/mpi_check", "platform/jobs"),
    "platform/mpi_check": ("platform/core", "models/host", "models/native", "sw/abi"),  # of these, what is pure
    "platform/jobs": ("platform/core", "platform/mpi_check", "models/host", "models/native"),  # the same
    "platform/otf2": ("platform/core", "platform/jobs", "platform/mpi_check", "models/host", "models/native", "sw/abi"),
    "platform/inspection": (*MACHINE, "platform/jobs"),
    "platform/breakpoints": (*MACHINE, "platform/jobs", "platform/inspection"),
    "platform/embedding": (*MACHINE, "platform/jobs"),
    "platform/testing": MACHINE,  # benches for tests, also those of users
    "platform/commands": PROGRAM,
    "platform/main.cpp": PROGRAM,
    # Host software and firmware are plain C, and know the hardware by sw/abi alone.
    "sw/abi": (),
    "sw/hal": ("sw/abi",),
    "sw": ("sw/abi", "sw/hal"),
    MPI_WRAPPERS: ("sw/hal",),
    **{room: ("sw", "sw/abi", "sw/hal", MPI_WRAPPERS, *MPI_ROOMS[:floor]) for floor, room in enumerate(MPI_ROOMS)},
    "examples": (*MACHINE, "sw/abi", "sw", "sw/hal"),  # parts that a user copies, and programs
    "examples/embedding": (*PROGRAM, "platform/testing", "sw/abi"),  # programs with sanvp in them
    "examples/your-own-card": (*MACHINE, "platform/testing", "sw", "sw/hal"),  # a part, and its tests
    "tests/images": ("sw/abi", "sw", "sw/hal", "sw/mpi/requests"),  # programs of tests, compiled as sanvp-cc does
    "tests/counting": (),  # programs of which instructions are counted
    "tests/otf2": (),  # writes an archive without sanvp
    "tests/programs": ("sw",),  # what users bring: <mpi.h> and <shmem.h> alone
    "tests/races": ("sw",),  # the same, of accesses to windows
    "tests/mistakes": ("sw",),  # programs that use MPI wrongly
    "tests/binaries": ("sw/abi", "sw", "sw/hal"),  # the same, for RISC-V
    "tests/support": PROGRAM,  # whatever of it is pure
    "tests/unit": (*PROGRAM, "tests/support"),  # the same
    "tests/riscv": ("platform/core", "models/cpu", *CPU_COSTS, "models/native", "sw/abi"),
    # sw: records of the firmware that they run
    "tests/models": (*PROGRAM, "platform/testing", "tests/support", "tests/images", "sw/abi", "sw"),
    "tests/system": ("sw", "sw/hal"),
    "tests/bench": (*PROGRAM, "tests/support"),
    "tests/fuzz": (*PROGRAM, "tests/support"),
    "tests/exactness": (*PROGRAM, "tests/support"),
}
# Compiled as they are, away from the root: may name files beside them.
SELF_CONTAINED = ("sw", "tests/programs", "examples/embedding", "examples/your-own-card")
PURE = ("platform/core", "topologies", "models/cpu", "models/policies", "tests/support", "tests/unit")
SYSTEMC = ("systemc", "tlm", "sysc", "tlm_core", "tlm_utils")  # headers and folders of headers


def within(path: str, folder: str) -> bool:
    """Whether a path is the folder or in it."""
    return path == folder or path.startswith(folder + "/")


def layer(path: str) -> str | None:
    """The entry of ALLOWED that a path belongs to."""
    matching = [folder for folder in ALLOWED if within(path, folder)]
    return max(matching, key=len, default=None)


def is_systemc(include: Include) -> bool:
    """Whether an include names a header of SystemC or TLM-2.0."""
    return include.path.split("/")[0].removesuffix(".h") in SYSTEMC


def direction(path: Path, root: Path) -> list[str]:
    """Violations of ALLOWED in one file."""
    name = path.relative_to(root).as_posix()
    own = layer(name)
    if own is None:
        return [f"{name}: its folder has no place in the order of dependencies; give it one in {Path(__file__).name}"]
    found = []
    for include in includes(path):
        target = resolve(path, include, root)
        place = f"{name}:{include.line}"
        if target is None or not target.is_relative_to(root):
            if include.quoted:
                found.append(f'{place}: "{include.path}" is no file of the project; quote its path from the root')
            continue
        target_name = target.relative_to(root).as_posix()
        if own not in SELF_CONTAINED and target_name != include.path:
            found.append(f'{place}: "{include.path}" is relative; write "{target_name}"')
        if layer(target_name) not in (own, *ALLOWED[own]):
            permitted = ", ".join(ALLOWED[own]) or "nothing else of ours"
            found.append(f"{place}: {own} must not include {target_name}; it may include {permitted}")
    return found


def purity(path: Path, root: Path) -> list[str]:
    """How a file that must be pure C++ reaches SystemC."""
    name = path.relative_to(root).as_posix()
    if layer(name) not in PURE:
        return []
    return [
        f"{name}: must be pure C++, but reaches <{include.path}> at {reached.relative_to(root)}:{include.line}"
        for reached in closure(path, root)
        if reached.is_relative_to(root)
        for include in includes(reached)
        if is_systemc(include)
    ]


def violations(root: Path) -> list[str]:
    """Everything wrong in a tree."""
    return [line for path in sources(root) for line in (*direction(path, root), *purity(path, root))]


if __name__ == "__main__":
    sys.exit(tree_check.main(violations, sources))
