#!/usr/bin/python3
"""Generates the profiling interface of a library (MPI-1 chapter 8): P<NAME> does the work, and <NAME> is a weak wrapper
that reports the call to the simulator (sw/hal/hal.h, hal_call_begin) and forwards it. A tool that defines <NAME>
replaces the wrapper.

usage: profile_calls.py rename HEADER             #define NAME PNAME, for compiling the library itself
       profile_calls.py declare HEADER            prototypes of PNAME, for programs
       profile_calls.py wrap HEADER ARCHIVE       wrappers of the calls that ARCHIVE implements
HEADER is preprocessed C.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

PROTOTYPE = re.compile(
    r"^(?P<result>[A-Za-z_][\w ]*?\*?) ?\b(?P<name>(?:MPI|shmem)_\w+) ?\((?P<parameters>.*)\)$", re.S
)
NOT_CALLS = ("_FN", "_")  # functions whose address is a value
UNCHECKED = (
    "MPI_Pcontrol",
    "MPI_Initialized",
    "MPI_Finalized",
    "MPI_Get_version",
    "MPI_Get_library_version",
    "MPI_Abort",
)
HANDLES = {
    f"MPI_{kind}": kind.upper()
    for kind in ("Comm", "Datatype", "Group", "Op", "Errhandler", "Info", "Win", "File", "Request", "Message")
}
USE_OF_HANDLE = (  # calls of which the first argument is the place of a handle that they use
    "MPI_Wait", "MPI_Test", "MPI_Start", "MPI_Cancel", "MPI_Request_free", "MPI_Comm_free", "MPI_Comm_disconnect",
    "MPI_Type_commit", "MPI_Type_free", "MPI_Group_free", "MPI_Op_free", "MPI_Errhandler_free", "MPI_Info_free",
    "MPI_Win_free", "MPI_File_close",
)  # fmt: skip
RESULTS = ("made", "group", "handler", "info", "request", "message", "op", "window", "file")  # what gets a new handle
PEERS = ("to", "from", "dest", "source", "root", "pe")
COUNTS = (("count", "type"), ("send_count", "send_type"), ("receive_count", "receive_type"))


class Parameter(NamedTuple):
    declaration: str
    type: str
    name: str


class Call(NamedTuple):
    result: str
    name: str
    parameters: list[Parameter]
    variadic: bool

    def prototype(self, name: str) -> str:
        declarations = [p.declaration for p in self.parameters] + ["..."] * self.variadic
        return f"{self.result} {name}({', '.join(declarations) or 'void'})"

    def of_type(self, name: str, kind: str) -> bool:
        return any(p.name == name and p.type == kind for p in self.parameters)

    def points_to_elements(self, name: str) -> bool:
        return any(p.name == name and p.type.endswith("*") and "void" not in p.type for p in self.parameters)


def profiled(name: str) -> str:
    """The profiled name: PMPI_Send of MPI_Send, pshmem_quiet of shmem_quiet."""
    return ("P" if name.startswith("MPI") else "p") + name


def parameter(text: str) -> Parameter:
    declaration = " ".join(text.split())
    match = re.match(r"(?P<type>.*?[\s*])(?P<name>\w+)(?P<array>(?:\[\w*\])*)$", declaration)
    if not match:
        raise SystemExit(f"profile_calls.py: a parameter without a name: '{declaration}'")
    return Parameter(declaration, match["type"].strip() + ("*" if match["array"] else ""), match["name"])


def calls(header: Path) -> list[Call]:
    found = []
    text, blocks = header.read_text(), 1
    while blocks:  # skip bodies of inline functions: the calls in them are wrapped
        text, blocks = re.subn(r"\{[^{}]*\}", ";", text)
    for statement in re.split(r"[;{}]", text):
        match = PROTOTYPE.match(" ".join(statement.split()))
        if not match or match["result"].startswith(("typedef", "static")) or match["name"].endswith(NOT_CALLS):
            continue
        inside = match["parameters"].strip()
        if "(" in inside:  # a function pointer, which cannot be forwarded by name
            continue
        texts = [] if inside in ("", "void") else inside.split(",")
        variadic = bool(texts) and texts[-1].strip() == "..."
        parameters = [parameter(text) for text in (texts[:-1] if variadic else texts)]
        found.append(Call(" ".join(match["result"].split()), match["name"], parameters, variadic))
    return found


def implemented(archive: Path) -> set[str]:
    lines = subprocess.run(["nm", "--defined-only", "-g", archive], check=True, capture_output=True, text=True).stdout
    return {fields[2] for line in lines.splitlines() if len(fields := line.split()) == 3 and fields[1] in "TW"}


def size_of(call: Call) -> str:
    """The bytes that a call moves, as a C expression of its parameters."""
    if call.of_type("bytes", "size_t"):
        return "bytes"
    if bits := re.search(r"_[a-z]+(\d+)(_signal)?(_nbi)?$", call.name):  # shmem_put32
        return f"count * {int(bits[1]) // 8}"
    if call.of_type("count", "size_t") and any(p.name == "dest" and p.type.endswith("*") for p in call.parameters):
        return "count * sizeof *dest"
    if call.of_type("number", "size_t") and call.of_type("each", "size_t"):  # shmem_calloc
        return "number * each"
    if call.of_type("number", "int") and call.points_to_elements("dest"):  # reductions
        return "number > 0 ? (size_t)number * sizeof *dest : 0"
    if call.of_type("pe", "int"):  # one element: shmem_int_p, shmem_int_g, atomic operations
        return next((f"sizeof *{name}" for name in ("dest", "source") if call.points_to_elements(name)), "0")
    types = (f"bytes_of({n}, {t})" for n, t in COUNTS if call.of_type(n, "int") and call.of_type(t, "MPI_Datatype"))
    return next(types, "0")


def checks(call: Call) -> tuple[str, str]:
    """What goes before and behind a call of MPI: its handles are of the right kind, and a run may check it
    (sw/mpi/check)."""
    if call.result != "int" or not call.name.startswith("MPI_") or call.name.startswith(("MPI_T_", *UNCHECKED)):
        return "", ""
    words = [f"(uint64_t)(uintptr_t){p.name}" for p in call.parameters]
    before = "".join(f'  MPI_NEEDS(MPI_HANDLE_{HANDLES[p.type]}, {p.name}, "{call.name}");\n' for p in handles(call))
    if call.name in USE_OF_HANDLE:
        first = call.parameters[0]
        before += f'  MPI_NEEDS_AT(MPI_HANDLE_{HANDLES[first.type.rstrip("*")]}, {first.name}, "{call.name}");\n'
    tag = next((name for name in ("receive_tag", "tag") if call.of_type(name, "int")), "")
    if call.of_type("status", "MPI_Status*") and call.of_type("from", "int") and tag:
        before += f"  MPI_CHECKED_STATUS(status, from, {tag});\n"
    before += f'  MPI_CHECKED("{call.name}", {len(words)}, {", ".join([*words, "0"])});\n'
    made = [p for p in call.parameters if p.type.endswith("*") and p.type[:-1] in HANDLES and p.name in RESULTS]
    marks = "".join(f"  MPI_MADE(MPI_HANDLE_{HANDLES[p.type[:-1]]}, {p.name});\n" for p in made)
    has_flag = marks and call.of_type("flag", "int*")  # MPI_Improbe
    after = f"  if (*flag) {{\n  {marks}  }}\n" if has_flag else marks
    return before, after + "  MPI_CHECKED_END(result_);\n"


def handles(call: Call) -> list[Parameter]:
    return [p for p in call.parameters if p.type in HANDLES]


def wrapper(call: Call) -> str:
    peer = next((p for p in PEERS if call.of_type(p, "int")), "HAL_NO_RANK")
    tag = next((t for t in ("tag", "send_tag") if call.of_type(t, "int")), "HAL_NO_TAG")
    size = size_of(call)
    if call.name == "MPI_Wait":
        peer, tag, size = (
            "about(request).peer",
            "about(request).tag",
            "bytes_of(about(request).count, about(request).type)",
        )
    # MPI_Pcontrol, the only variadic call, reads only its level; the other arguments cannot be forwarded.
    passed = ", ".join(p.name for p in call.parameters)
    begin = f'  HAL_CALL_BEGIN("{call.name}", {peer}, {tag}, {size});\n'
    work = f"{profiled(call.name)}({passed});\n"
    before, after = checks(call)
    if call.result == "void":
        body = begin + f"  {work}  HAL_CALL_END();\n"
    else:
        body = f"{before}{begin}  {call.result} const result_ = {work}  HAL_CALL_END();\n{after}  return result_;\n"
    return f"{call.prototype(profiled(call.name))};\n__attribute__((weak)) {call.prototype(call.name)} {{\n{body}}}\n"


INCLUDES = {
    "MPI": """#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/type.h"
#include "sw/mpi/check/checked.h"
#include "sw/mpi/check/kinds.h"
#include "sw/mpi/requests/request.h"

static uint64_t bytes_of(int count, MPI_Datatype type) {
  return type && count > 0 ? (uint64_t)count * type->bytes : 0;
}

/* What a request for one message is about. */
static struct mpi_message about(const MPI_Request* request) {
  const struct mpi_message nothing = {.peer = HAL_NO_RANK, .tag = HAL_NO_TAG};
  return request && *request && !(*request)->schedule ? (*request)->message : nothing;
}
""",
    "shmem": '#define SHMEM_NO_GENERICS\n#include "sw/shmem/shmem.h"\n',
}


def main() -> None:
    if len(sys.argv) < 3 or sys.argv[1] not in ("rename", "declare", "wrap"):
        raise SystemExit(__doc__)
    declared = calls(Path(sys.argv[2]))
    if sys.argv[1] == "rename":
        print("\n".join(f"#define {call.name} {profiled(call.name)}" for call in declared))
        return
    if sys.argv[1] == "declare":
        print('/* Made from the library\'s header. */\n#ifdef __cplusplus\nextern "C" {\n#endif')
        print("\n".join(call.prototype(profiled(call.name)) + ";" for call in declared))
        print("#ifdef __cplusplus\n}\n#endif")
        return
    there = implemented(Path(sys.argv[3]))
    family = declared[0].name.split("_")[0]
    print(f'#include "sw/hal/hal.h"\n{INCLUDES[family]}')
    for call in declared:
        if profiled(call.name) in there:
            print(wrapper(call))


if __name__ == "__main__":
    main()
