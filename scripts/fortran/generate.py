#!/usr/bin/python3
"""Generates MPI's Fortran bindings from the C headers (sw/mpi/fortran).

usage: generate.py handles COMPILER INCLUDE                     predefined handles, for sw/mpi/fortran_handles.c
       generate.py bindings COMPILER INCLUDE HEADER ARCHIVE FOLDER
HEADER is mpi.h, preprocessed. Into FOLDER: mpi_fortran_calls.c, mpif.h, mpi.f90, mpi_f08.f90. Calls that ARCHIVE lacks
are left out, so that the linker names them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from by_hand import BY_HAND, CALLBACKS, FORTRAN_ONLY, FUNCTIONS, OLD_CALLBACKS, PREDEFINED_CALLBACKS, REPLACED, SIZED
from constants import ADDRESSES, HANDLES, Constants, read
from parameters import Passed, fortran_name, passed, with_descriptors

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from profile_calls import Call, calls, implemented, profiled

MADE = "Made by scripts/fortran/generate.py."
ERROR = "ierror"


class Binding:
    """A call, in C and in the modules."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.by_hand = BY_HAND.get(call.name) or FORTRAN_ONLY.get(call.name)
        self.parameters: list[Passed] = []
        if not self.by_hand:
            for p in call.parameters:
                if (made := passed(call, p)) is None:
                    raise SystemExit(f"generate.py: {call.name}: how is '{p.declaration}' passed from Fortran?")
                self.parameters.append(made)

    @property
    def has_descriptors(self) -> bool:
        """Whether mpi_f08 passes its buffers with descriptors of arrays. Only blocking calls have texts, which these
        procedures of C would not get as Fortran's do."""
        return any(p.is_choice for p in self.parameters) and not any(p.is_text for p in self.parameters)

    def in_c(self) -> str:
        name = self.call.name.lower()
        text = self.function(f"{name}_", self.parameters)
        if self.has_descriptors:
            text += self.function(f"{name}_f08ts_", with_descriptors(self.call, self.parameters))
        return text

    def function(self, name: str, parameters: list[Passed]) -> str:
        """Functions of both names, of which a program may define the first itself."""
        declared = [p.c for p in parameters] + [f"MPI_Fint* {ERROR}"]
        declared += [f"size_t {p.name}_room" for p in parameters if p.is_text]
        before = "".join(f"  {line}\n" for p in parameters for line in p.before)
        after = "".join(f"  {line}\n" for p in parameters for line in p.after)
        failed = "".join(f"{p.error} ? {p.error} : " for p in parameters if p.error)
        expressions = ", ".join(p.expression for p in parameters)
        return (
            f"void p{name}({', '.join(declared)}) {{\n{before}"
            f"  const int code_ = {failed}{self.call.name}({expressions});\n"
            f"{after}  if ({ERROR}) *{ERROR} = code_;\n}}\nSANVP_FORTRAN_CALL({name})\n"
        )

    def arguments(self, f08: bool) -> list[tuple[str, str]]:
        """Names and declarations."""
        if self.by_hand:
            return [(name, (new if f08 else old).format(name=name)) for name, old, new in self.by_hand.arguments]
        types = {p.name: p.type.rstrip("*") for p in self.call.parameters}
        named = [(fortran_name(self.call.name, p.name, types[p.name]), p) for p in self.parameters]
        return [
            (name, (p.f08 if f08 and (self.has_descriptors or not p.is_choice) else p.fortran).format(name=name))
            for name, p in named
        ]

    def interface(self, f08: bool, profiling: str = "") -> str:
        """`profiling` is P for the name that tools call, which take the place of the other one."""
        arguments = self.arguments(f08)
        if not self.by_hand or self.by_hand.has_error:
            optional = ", optional, intent(out)" if f08 else ""
            arguments.append((ERROR, f"integer{optional} :: {ERROR}"))
        lines = ["import"]
        for name, declared in arguments:
            if declared.startswith("type(*), dimension(*)"):
                lines.append(f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}")
            lines.append(declared)
        symbol = self.by_hand.symbol_f08 if self.by_hand else ""
        if self.has_descriptors:
            symbol = f"{self.call.name.lower()}_f08ts_"
        bound = f' bind(C, name="{profiling.lower()}{symbol}")' if f08 and symbol else ""
        listed = ", ".join(name for name, _ in arguments)
        body = "".join(f"      {line}\n" for line in lines)
        return f"    subroutine {profiling}{self.call.name}({listed}){bound}\n{body}    end subroutine\n"

    def interfaces(self, f08: bool) -> str:
        return self.interface(f08) + self.interface(f08, "P")


def bindings(header: Path, archive: Path) -> Iterator[Binding]:
    there = implemented(archive)
    for call in calls(header):
        converts = call.name.endswith(("_c2f", "_f2c", "_c2f08", "_f082c", "_f2f08", "_f082f")) or call.result != "int"
        has_binding = not converts or call.name in BY_HAND
        if profiled(call.name) in there and has_binding and not call.name.startswith("MPI_T_"):
            yield Binding(call)
    for name in FORTRAN_ONLY:
        yield Binding(Call("int", name, [], variadic=False))


def c_source(all_calls: list[Binding]) -> str:
    text = "".join(binding.in_c() for binding in all_calls if not binding.by_hand)
    return f'/* {MADE} */\n#include "sw/mpi/fortran/sections.h"\n\n{text}'


def handles_source(constants: Constants) -> str:
    rows = "".join(f"    {{MPI_FORTRAN_{kind}, &{name}}},\n" for kind, name in constants.objects)
    return (
        f'/* {MADE} */\n#include "sw/mpi/fortran_handles.h"\n#include "sw/mpi/mpi_types.h"\n\n'
        f"const struct mpi_fortran_handle mpi_fortran_predefined[] = {{\n{rows}    {{MPI_FORTRAN_COMM, 0}}}};\n"
    )


def mpif(constants: Constants) -> str:
    """Lines that are right in fixed and in free form."""
    values = {**constants.numbers, **{handle.name: handle.number for handle in constants.handles}}
    lines = [f"! {MADE}"]
    for name, value in values.items():
        lines += [f"INTEGER {name}", f"PARAMETER ({name}={value})"]
    for name, value in constants.offsets.items():
        lines += [f"INTEGER(KIND=MPI_OFFSET_KIND) {name}", f"PARAMETER ({name}={value})"]
    for name in ("MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"):
        lines += [f"LOGICAL {name}", f"PARAMETER ({name}=.FALSE.)"]
    addresses = [(name, symbol, f"({size})" if size else "") for name, symbol, size in ADDRESSES]
    addresses.append(("MPI_STATUS_IGNORE", "mpi_fortran_status_ignore", "(MPI_STATUS_SIZE)"))
    addresses.append(("MPI_STATUSES_IGNORE", "mpi_fortran_statuses_ignore", "(MPI_STATUS_SIZE,1)"))
    for name, symbol, size in addresses:
        lines += [f"INTEGER {name}{size}", f"COMMON /{symbol.upper()}/ {name}"]
    for name in ("MPI_WTIME", "MPI_WTICK", "PMPI_WTIME", "PMPI_WTICK"):
        lines += [f"DOUBLE PRECISION {name}", f"EXTERNAL {name}"]
    for name in ("MPI_AINT_ADD", "MPI_AINT_DIFF", "PMPI_AINT_ADD", "PMPI_AINT_DIFF"):
        lines += [f"INTEGER(KIND=MPI_ADDRESS_KIND) {name}", f"EXTERNAL {name}"]
    functions = [*OLD_CALLBACKS, *(name for names in PREDEFINED_CALLBACKS.values() for name in names)]
    lines += [f"EXTERNAL {name}" for name in functions]
    return "".join(line + "\n" if line.startswith("!") else f"      {line}\n" for line in lines)


def sizeof(optional: str) -> tuple[str, str]:
    """MPI_Sizeof: its interface, and its procedures."""
    names = {sized: "sizeof_" + "".join(filter(str.isalnum, sized)) for sized in SIZED}
    listed = ", &\n      ".join(names.values())
    declared = f"  interface MPI_Sizeof\n    module procedure {listed}\n  end interface\n"
    declared += "".join(f"  private :: {name}\n" for name in names.values())
    bodies = "".join(
        f"  subroutine {name}(x, size, {ERROR})\n    {sized}, dimension(..), intent(in) :: x\n"
        f"    integer, intent(out) :: size\n    integer{optional}, intent(out) :: {ERROR}\n"
        f"    size = int(storage_size(x) / 8)\n"
        f"    {f'if (present({ERROR})) ' if optional else ''}{ERROR} = MPI_SUCCESS\n  end subroutine\n"
        for sized, name in names.items()
    )
    return declared, bodies


def type_definitions() -> str:
    """Of handles and statuses: the same types in both modules."""
    return "".join(f"  type, bind(C) :: {kind}\n    integer :: MPI_VAL\n  end type\n" for kind in HANDLES) + (
        "  type, bind(C) :: MPI_Status\n    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR\n"
        "    integer :: mpi_cancelled\n    integer(c_size_t) :: mpi_bytes\n  end type\n"
    )


def operators() -> tuple[str, str]:
    """Comparisons of handles: their interfaces, and their procedures."""
    declared, bodies = "", ""
    for operator, word, test in (("==", "equal", "=="), ("/=", "differ", "/=")):
        names = {kind: f"{word}_{kind.removeprefix('MPI_').lower()}" for kind in HANDLES}
        declared += (
            f"  interface operator({operator})\n    module procedure {', '.join(names.values())}\n  end interface\n"
        )
        declared += f"  private :: {', '.join(names.values())}\n"
        for kind, name in names.items():
            bodies += (
                f"  elemental logical function {name}(a, b)\n    type({kind}), intent(in) :: a, b\n"
                f"    {name} = a%MPI_VAL {test} b%MPI_VAL\n  end function\n"
            )
    return declared, bodies


def mpi_module(all_calls: list[Binding]) -> str:
    text = "".join(binding.interfaces(f08=False) for binding in all_calls)
    (sizes, bodies), (comparisons, comparison_bodies) = sizeof(""), operators()
    return (
        f"! {MADE}\nmodule mpi\n  use, intrinsic :: iso_c_binding, only: c_size_t\n  implicit none\n"
        "  private :: c_size_t\n"
        f"  include 'mpif.h'\n{type_definitions()}  interface\n{text}  end interface\n{sizes}{comparisons}"
        f"contains\n{bodies}{comparison_bodies}end module\n"
    )


def f08_module(constants: Constants, all_calls: list[Binding]) -> str:
    values = "".join(f"  integer, parameter :: {name} = {value}\n" for name, value in constants.numbers.items())
    values += "".join(
        f"  integer(MPI_OFFSET_KIND), parameter :: {name} = {value}\n" for name, value in constants.offsets.items()
    )
    values += "".join(f"  type({h.type}), parameter :: {h.name} = {h.type}({h.number})\n" for h in constants.handles)
    values += "  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .true., MPI_ASYNC_PROTECTS_NONBLOCKING = .false.\n"
    for name, symbol, size in ADDRESSES:
        values += f'  integer, bind(C, name="{symbol}_"), target :: {name}{f"({size})" if size else ""}\n'
    values += '  type(MPI_Status), bind(C, name="mpi_fortran_status_ignore_"), target :: MPI_STATUS_IGNORE\n'
    values += '  type(MPI_Status), bind(C, name="mpi_fortran_statuses_ignore_"), target :: MPI_STATUSES_IGNORE(1)\n'
    offered = [binding for binding in all_calls if binding.call.name not in REPLACED]
    interfaces = f"  abstract interface{CALLBACKS}  end interface\n"
    for kind, names in PREDEFINED_CALLBACKS.items():
        interfaces += f"  procedure({kind}) :: {', '.join(names)}\n"
    declared = FUNCTIONS + FUNCTIONS.replace(" MPI_", " PMPI_") + "".join(each.interfaces(f08=True) for each in offered)
    interfaces += f"  interface{declared}  end interface\n"
    head = f"! {MADE}\nmodule mpi_f08\n  use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t\n  implicit none\n"
    (sizes, bodies), (comparisons, comparison_bodies) = sizeof(", optional"), operators()
    procedures = f"contains\n{comparison_bodies}{bodies}end module\n"
    return head + type_definitions() + values + comparisons + sizes + interfaces + procedures


def main() -> None:
    if len(sys.argv) not in (4, 7) or sys.argv[1] != ("handles" if len(sys.argv) == 4 else "bindings"):
        raise SystemExit(__doc__)
    constants = read(sys.argv[2], Path(sys.argv[3]))
    if sys.argv[1] == "handles":
        print(handles_source(constants), end="")
        return
    header, archive, folder = (Path(argument) for argument in sys.argv[4:])
    all_calls = list(bindings(header, archive))
    (folder / "mpi_fortran_calls.c").write_text(c_source(all_calls))
    (folder / "mpif.h").write_text(mpif(constants))
    (folder / "mpi.f90").write_text(mpi_module(all_calls))
    (folder / "mpi_f08.f90").write_text(f08_module(constants, all_calls))


main()
