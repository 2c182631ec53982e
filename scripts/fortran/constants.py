"""MPI's constants for Fortran, from the C headers: numbers by the C compiler, handles by their order in the header."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

# C's handle types, their kinds in fortran_handles.h, and what Fortran 2008 calls them.
HANDLES = {
    "MPI_Comm": "COMM",
    "MPI_Group": "GROUP",
    "MPI_Datatype": "TYPE",
    "MPI_Op": "OP",
    "MPI_Request": "REQUEST",
    "MPI_Errhandler": "ERRHANDLER",
    "MPI_Info": "INFO",
    "MPI_Message": "MESSAGE",
    "MPI_File": "FILE",
    "MPI_Win": "WIN",
}
STRUCTS = {
    "MPI_communicator_": "MPI_Comm",
    "MPI_group_": "MPI_Group",
    "MPI_datatype_": "MPI_Datatype",
    "MPI_op_": "MPI_Op",
    "MPI_errhandler_": "MPI_Errhandler",
    "MPI_info_": "MPI_Info",
    "MPI_matched_": "MPI_Message",
}
# Addresses, which Fortran has as variables (sw/mpi/fortran/special_addresses.c): name, C symbol, its integers.
ADDRESSES = (
    ("MPI_BOTTOM", "mpi_fortran_bottom", 0),
    ("MPI_IN_PLACE", "mpi_fortran_in_place", 0),
    ("MPI_UNWEIGHTED", "mpi_fortran_unweighted", 1),
    ("MPI_WEIGHTS_EMPTY", "mpi_fortran_weights_empty", 1),
    ("MPI_ERRCODES_IGNORE", "mpi_fortran_errcodes_ignore", 1),
    ("MPI_ARGV_NULL", "mpi_fortran_argv_null", 1),
    ("MPI_ARGVS_NULL", "mpi_fortran_argvs_null", 1),
)
LONGEST_TEXTS = re.compile(r"MPI_MAX_\w+")  # C counts the zero byte behind a text


class Handle(NamedTuple):
    name: str
    type: str
    number: int


class Constants(NamedTuple):
    numbers: dict[str, int]
    offsets: dict[str, int]  # numbers of kind MPI_OFFSET_KIND
    handles: list[Handle]
    objects: list[tuple[str, str]]  # kind and C name of the predefined handles: the first is number 1


def number_names(text: str) -> list[str]:
    """Names of whole numbers: members of enums, and macros of a number."""
    members = [
        name
        for body in re.findall(r"\benum \{(.*?)\}", text, re.S)
        for name in re.findall(r"\bMPI_\w+\b(?=[,\s=}]|$)", body)
    ]
    return members + re.findall(r"^#define (MPI_\w+) \(?(?:-?\d+|0x[0-9a-f]+)\)?$", text, re.M)


def offset_names(text: str) -> list[str]:
    """Macros of a number of C's type for offsets, `long long`."""
    return re.findall(r"^#define (MPI_\w+) \(?-?\d+ll\)?$", text, re.M)


def evaluate(compiler: str, include: Path, names: list[str]) -> dict[str, int]:
    lines = "".join(f'printf("{name} %lld\\n", (long long){name});\n' for name in names)
    program = f'#include <stdio.h>\n#include "sw/mpi/mpi.h"\nint main(void) {{\n{lines}return 0;\n}}\n'
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "constants.c"), Path(folder, "constants")
        source.write_text(program)
        subprocess.run([compiler, "-I", include, source, "-o", binary], check=True)
        printed = subprocess.run([binary], check=True, capture_output=True, text=True).stdout
    return {name: int(value) for name, value in (line.split() for line in printed.splitlines())}


def handles(text: str) -> tuple[list[Handle], list[tuple[str, str]]]:
    plain = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    types = {
        name: STRUCTS[struct]
        for struct, names in re.findall(r"extern struct (\w+) ([^;]+);", plain)
        if struct in STRUCTS
        for name in re.findall(r"\w+", names)
    }
    objects: list[str] = []
    found: dict[str, Handle] = {}
    for name, value in re.findall(r"^#define (MPI_\w+) (.+)$", plain, re.M):
        if match := re.fullmatch(r"\(&(\w+)\)", value.strip()):
            if match[1] not in objects:
                objects.append(match[1])
            found[name] = Handle(name, types[match[1]], objects.index(match[1]) + 1)
        elif (match := re.fullmatch(r"\(\((MPI_\w+)\)0\)", value.strip())) and match[1] in HANDLES:
            found[name] = Handle(name, match[1], 0)
        elif value.strip() in found:
            found[name] = found[value.strip()]._replace(name=name)
    return list(found.values()), [(HANDLES[types[name]], name) for name in objects]


def read(compiler: str, include: Path) -> Constants:
    headers = ("abi/mpi_numbers.h", "mpi/mpi_types.h", "mpi/mpi_files.h", "mpi/mpi_windows.h")
    text = "".join((include / "sw" / name).read_text() for name in headers)
    numbers = evaluate(compiler, include, ["MPI_F_STATUS_SIZE", *number_names(text)])
    for name in numbers:
        if LONGEST_TEXTS.fullmatch(name):
            numbers[name] -= 1
    numbers["MPI_STATUS_SIZE"] = numbers.pop("MPI_F_STATUS_SIZE")
    # Their places in a status, and sizes of Fortran's kinds.
    numbers.update(MPI_SOURCE=1, MPI_TAG=2, MPI_ERROR=3)
    numbers.update(MPI_ADDRESS_KIND=8, MPI_OFFSET_KIND=8, MPI_COUNT_KIND=8, MPI_INTEGER_KIND=4)
    found, objects = handles(text)
    return Constants(numbers, evaluate(compiler, include, offset_names(text)), found, objects)
