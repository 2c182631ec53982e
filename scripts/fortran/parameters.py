"""How a parameter of a C prototype is passed from Fortran, and declared there."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

from constants import HANDLES

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from profile_calls import Call, Parameter

# Names of the standard's Fortran bindings, where the C header's differ: programs pass arguments by keyword.
STANDARD_NAMES = {
    "buffer": "buf", "type": "datatype", "to": "dest", "from": "source", "send": "sendbuf", "receive": "recvbuf",
    "send_buffer": "sendbuf", "receive_buffer": "recvbuf", "send_count": "sendcount", "receive_count": "recvcount",
    "send_type": "sendtype", "receive_type": "recvtype", "send_tag": "sendtag", "receive_tag": "recvtag",
    "send_counts": "sendcounts", "receive_counts": "recvcounts", "send_offsets": "sdispls",
    "receive_offsets": "rdispls", "offsets": "displs", "send_types": "sendtypes", "receive_types": "recvtypes",
    "requests": "array_of_requests", "statuses": "array_of_statuses", "indices": "array_of_indices",
    "done": "outcount", "old": "oldtype", "code": "errorcode", "handler": "errhandler", "bytes": "size",
    "digits": "p", "range": "r",
}  # fmt: skip
MADE = {"MPI_Comm": "newcomm", "MPI_Datatype": "newtype", "MPI_Group": "newgroup", "MPI_Info": "newinfo"}
LOGICALS = {"flag", "periods", "keeps", "commutes", "weighted", "reorder", "high"}
# int* that are arrays though the call writes them, or are scalars in other calls.
WRITTEN_ARRAYS = {
    "MPI_Group_translate_ranks": {"ranks2"},
    "MPI_Dims_create": {"sizes"},
    "MPI_Cart_get": {"sizes", "periods", "coordinates"},
    "MPI_Cart_coords": {"coordinates"},
    "MPI_Graph_get": {"index", "edges"},
    "MPI_Graph_neighbors": {"neighbors"},
    "MPI_Dist_graph_neighbors": {"from", "from_weights", "to", "to_weights"},
    "MPI_Waitsome": {"indices"},
    "MPI_Testsome": {"indices"},
    "MPI_Type_get_contents": {"integers", "addresses", "types"},
}
FROM_ONE = {"MPI_Waitany": "index", "MPI_Testany": "index", "MPI_Waitsome": "indices", "MPI_Testsome": "indices"}
# MPI-1's calls, in which Fortran has addresses as default integers.
SHORT_ADDRESSES = {
    "MPI_Address", "MPI_Type_hvector", "MPI_Type_hindexed", "MPI_Type_struct", "MPI_Type_extent", "MPI_Type_lb",
    "MPI_Type_ub",
}  # fmt: skip
# These keep the address of a buffer: the compiler must not hold the variable in registers behind them. gfortran 12
# takes that from `target`, not from `asynchronous`.
# Collective calls with a block of the buffer for each rank, or a reduction: a section of an array is copied.
IS_COPIED = re.compile(r"MPI_i?(neighbor_)?(all)?(gather|scatter|toall|reduce|scan|exscan)\w*$", re.IGNORECASE)
KEEPS_BUFFER = re.compile(r"MPI_(I[a-z]+|\w+_init|Buffer_attach|(Get_a|A)ddress)$")
# How many handles an array has, as a C expression.
LENGTHS = {
    ("MPI_Alltoallw", ""): "sanvp_fortran_peers(*comm)",
    ("MPI_Ialltoallw", ""): "sanvp_fortran_peers(*comm)",
    ("MPI_Alltoallw_init", ""): "sanvp_fortran_peers(*comm)",
    ("MPI_Neighbor_alltoallw_init", "send_types"): "sanvp_fortran_neighbors(*comm, 1)",
    ("MPI_Neighbor_alltoallw_init", "receive_types"): "sanvp_fortran_neighbors(*comm, 0)",
    ("MPI_Neighbor_alltoallw", "send_types"): "sanvp_fortran_neighbors(*comm, 1)",
    ("MPI_Neighbor_alltoallw", "receive_types"): "sanvp_fortran_neighbors(*comm, 0)",
    ("MPI_Ineighbor_alltoallw", "send_types"): "sanvp_fortran_neighbors(*comm, 1)",
    ("MPI_Ineighbor_alltoallw", "receive_types"): "sanvp_fortran_neighbors(*comm, 0)",
    ("MPI_Type_get_contents", "types"): "*types_most",
}


@dataclass
class Passed:
    """One parameter: in C, around the call, and in the modules `mpi` and `mpi_f08`."""

    name: str
    c: str
    expression: str
    fortran: str
    f08: str
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    is_text: bool = False
    is_choice: bool = False
    error: str = ""  # C expression: what went wrong with it before the call
    is_read: bool = False  # a choice buffer that the call does not write


def fortran_name(call: str, name: str, kind: str) -> str:
    if name == "made":
        return MADE[kind]
    if name == "buffer" and call in ("MPI_Bcast", "MPI_Ibcast", "MPI_Bcast_init", "MPI_Buffer_attach"):
        return name
    return STANDARD_NAMES.get(name, name)


def plain(name: str, kind: str, of: str, *, array: str = "", intent: str = "") -> Passed:
    """A number that is passed as it is."""
    declared = f"{of}{intent} :: {{name}}{array}"
    return Passed(name, f"{kind}* {name}", name, declared, declared)


def number(call: Call, p: Parameter) -> Passed:
    kind = "logical" if p.name in LOGICALS else "integer"
    if p.type == "int" or p.type == "const int":
        made = plain(p.name, "const MPI_Fint", kind, intent=", intent(in)")
        made.expression = f"*{p.name}"
        return made
    if p.name == "ranges":
        made = plain(p.name, "MPI_Fint", kind, array="(3,*)")
        made.expression = f"(int(*)[3]){p.name}"
        return made
    is_array = p.type.startswith("const") or p.name in WRITTEN_ARRAYS.get(call.name, ())
    made = plain(p.name, "MPI_Fint", kind, array="(*)" if is_array else "")
    if p.name.endswith("weights"):
        made.expression = f"sanvp_fortran_weights({p.name})"
    if FROM_ONE.get(call.name) == p.name:
        how_many = "*done" if is_array else "1"
        made.after.append(f"if (code_ == MPI_SUCCESS) sanvp_fortran_from_one({p.name}, {how_many});")
    return made


def handle(call: Call, p: Parameter, kind: str) -> Passed:
    n, short = p.name, kind.removeprefix("MPI_").replace("Datatype", "Type")
    if p.type == kind:
        declared = "integer, intent(in) :: {name}", f"type({kind}), intent(in) :: {{name}}"
        return Passed(n, f"const MPI_Fint* {n}", f"MPI_{short}_f2c(*{n})", *declared)
    if n in ("requests", "types", "send_types", "receive_types"):
        count = LENGTHS.get((call.name, n)) or LENGTHS.get((call.name, "")) or "*count"
        is_read, is_written = p.type.startswith("const") or n == "requests", not p.type.startswith("const")
        if n == "send_types":
            count = f"sanvp_fortran_is_in_place(send) ? 0 : {count}"
        source = n if is_read else "NULL"
        made = Passed(n, f"{'' if is_written else 'const '}MPI_Fint* {n}", f"{n}_", "", "")
        made.fortran, made.f08 = "integer :: {name}(*)", f"type({kind}) :: {{name}}(*)"
        made.before.append(f"const int {n}_count_ = {count};")
        made.before.append(f"{kind}* {n}_ = sanvp_fortran_{short.lower()}s({source}, {n}_count_);")
        if is_written:
            made.after.append(f"if (code_ == MPI_SUCCESS) sanvp_fortran_{short.lower()}s_back({n}, {n}_count_, {n}_);")
            if n == "requests":
                made.after[-1] = made.after[-1].removeprefix("if (code_ == MPI_SUCCESS) ")
        made.after.append(f"free({n}_);")
        return made
    made = Passed(n, f"MPI_Fint* {n}", f"&{n}_", "integer :: {name}", f"type({kind}) :: {{name}}")
    made.before.append(f"{kind} {n}_ = MPI_{short}_f2c(*{n});")
    made.after.append(f"*{n} = MPI_{short}_c2f({n}_);")
    return made


def status(p: Parameter) -> Passed:
    n = p.name
    made = Passed(n, f"MPI_Fint* {n}", f"{n}_", "integer :: {name}(MPI_STATUS_SIZE)", "type(MPI_Status) :: {name}")
    if n == "statuses":
        made.fortran, made.f08 = "integer :: {name}(MPI_STATUS_SIZE,*)", "type(MPI_Status) :: {name}(*)"
        made.before.append(f"MPI_Status* {n}_ = sanvp_fortran_statuses({n}, *count);")
        made.after.append(f"sanvp_fortran_statuses_back({n}, *count, {n}_);")
        return made
    made.before.append(f"MPI_Status {n}_place_, *{n}_ = sanvp_fortran_status({n}, &{n}_place_);")
    if not p.type.startswith("const"):
        made.after.append(f"sanvp_fortran_status_back({n}, {n}_);")
    return made


def address(call: Call, p: Parameter) -> Passed:
    n, is_pointer, is_read = p.name, p.type.endswith("*"), p.type.startswith("const")
    if call.name not in SHORT_ADDRESSES:
        of = "integer(MPI_ADDRESS_KIND)"
        is_array = is_read or p.name in WRITTEN_ARRAYS.get(call.name, ())
        made = plain(n, "MPI_Aint", of, array="(*)" if is_array else "", intent="" if is_pointer else ", intent(in)")
        if not is_pointer:
            made.expression = f"*{n}"
        return made
    made = plain(n, "MPI_Fint", "integer", array="(*)" if is_read else "")
    if not is_pointer:
        made.expression = f"*{n}"
    elif is_read:
        made.expression = f"{n}_"
        made.before.append(f"MPI_Aint* {n}_ = sanvp_fortran_addresses({n}, *count);")
        made.after.append(f"free({n}_);")
    else:
        made.expression = f"&{n}_"
        made.before.append(f"MPI_Aint {n}_ = 0;")
        made.after.append(f"*{n} = (MPI_Fint){n}_;")
    return made


def text(p: Parameter) -> Passed:
    n = p.name
    made = Passed(n, f"char* {n}", f"{n}_", "character(len=*) :: {name}", "character(len=*) :: {name}", is_text=True)
    if p.type.startswith("const"):
        made.fortran = made.f08 = "character(len=*), intent(in) :: {name}"
        made.before.append(f"char* {n}_ = sanvp_fortran_text({n}, {n}_room);")
        made.after.append(f"free({n}_);")
    else:
        made.before.append(f'char {n}_[SANVP_FORTRAN_LONGEST_TEXT] = "";')
        made.after.append(f"sanvp_fortran_text_back({n}, {n}_room, {n}_);")
    return made


def choice(call: Call, p: Parameter) -> Passed:
    is_read = p.type.startswith("const")
    attributes = (
        f"{', intent(in)' if is_read else ''}{', asynchronous, target' if KEEPS_BUFFER.match(call.name) else ''}"
    )
    return Passed(
        p.name,
        f"void* {p.name}",
        f"sanvp_fortran_buffer({p.name})",
        f"type(*), dimension(*){attributes} :: {{name}}",
        f"type(*), dimension(..){attributes} :: {{name}}",
        is_choice=True,
        is_read=is_read,
    )


def with_base(line: str) -> str:
    return line.replace("is_in_place(send)", "is_in_place(send_f08_->base_addr)")


def with_descriptors(call: Call, parameters: list[Passed]) -> list[Passed]:
    """The same of mpi_f08, whose buffers come with descriptors of arrays: sw/mpi/fortran/sections.h."""
    made = [replace(p, before=[with_base(line) for line in p.before], after=list(p.after)) for p in parameters]
    for i, p in enumerate(made):
        if not p.is_choice:
            continue
        n, following = p.name, [call.parameters[j].name.rpartition("_")[2] for j in range(i + 1, min(i + 3, len(made)))]
        p.c = f"const CFI_cdesc_t* {n}_f08_"
        if following == ["count", "type"] and not IS_COPIED.match(call.name):
            count, kind = made[i + 1 : i + 3]
            p.before.append(
                f'const struct sanvp_fortran_typed {n}_ = sanvp_fortran_typed("{call.name}", {n}_f08_, '
                f"{count.expression}, {kind.expression});"
            )
            p.after.append(f"sanvp_fortran_typed_end(&{n}_);")
            p.expression, count.expression, kind.expression = f"{n}_.buffer", f"{n}_.count", f"{n}_.type"
            p.error = f"{n}_.error"
        elif IS_COPIED.match(call.name) or n == "packed":
            ways = "MPI_STAGED_IN" if p.is_read else "MPI_STAGED_OUT"
            p.before.append(
                f"const struct sanvp_fortran_copied {n}_copied_ = "
                f'sanvp_fortran_copied("{call.name}", {n}_f08_, {ways});'
            )
            has_request = any(other.name == "request" for other in made)
            request = "code_ == MPI_SUCCESS ? request_ : MPI_REQUEST_NULL" if has_request else "MPI_REQUEST_NULL"
            p.after.append(f"sanvp_fortran_copied_end(&{n}_copied_, {request});")
            p.expression, p.error = f"{n}_copied_.buffer", f"{n}_copied_.error"
        else:
            p.before.append(f"void* {n} = {n}_f08_->base_addr;")
    return made


def passed(call: Call, p: Parameter) -> Passed | None:
    """None: only functions written by hand can pass it."""
    base = re.sub(r"^const |\*$", "", p.type).strip()
    if base in HANDLES:
        return handle(call, p, base)
    made = {
        "int": lambda: number(call, p),
        "MPI_Status": lambda: status(p),
        "MPI_Aint": lambda: address(call, p),
        "char": lambda: text(p),
        "void": lambda: choice(call, p),
    }.get(base)
    if made:
        return made()
    if base in ("MPI_Count", "MPI_Offset"):
        of = plain(p.name, base, f"integer({base.upper()}_KIND)")
        if not p.type.endswith("*"):
            of.expression = f"*{p.name}"
        return of
    return None
