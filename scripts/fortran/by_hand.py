"""Calls whose Fortran binding is not that of the C prototype: written in C by hand (sw/mpi/fortran), declared here."""

from __future__ import annotations

from typing import NamedTuple


class ByHand(NamedTuple):
    """Dummy arguments with their declarations in `mpi` and `mpi_f08`; "" where the module lacks the call."""

    arguments: tuple[tuple[str, str, str], ...]
    symbol_f08: str = ""  # where its C function is another one
    has_error: bool = True


def same(name: str, declared: str) -> tuple[str, str, str]:
    return (name, declared, declared)


def function(name: str, kind: str) -> tuple[str, str, str]:
    return (name, "external :: {name}", f"procedure({kind}) :: {{name}}")


def typed(name: str, kind: str, intent: str = ", intent(in)") -> tuple[str, str, str]:
    return (name, f"integer{intent} :: {{name}}", f"type({kind}){intent} :: {{name}}")


ADDRESS = "integer(MPI_ADDRESS_KIND)"
IN = ", intent(in) :: {name}"
KEYVAL = same("keyval", "integer :: {name}")
EXTRA = same("extra_state", f"{ADDRESS}{IN}")
FLAG = same("flag", "logical :: {name}")
CHOICE = "type(*), dimension(*) :: {name}"
BASE = ("baseptr", CHOICE, "type(c_ptr) :: {name}")


def attribute_calls(of: str, short: str) -> dict[str, ByHand]:
    """The calls for attributes of a kind of object, with addresses as values."""
    prefix = f"MPI_{short}"
    owner = typed(short.lower(), of)
    return {
        f"{prefix}_create_keyval": ByHand(
            (
                function("copy_fn", f"{prefix}_copy_attr_function"),
                function("delete_fn", f"{prefix}_delete_attr_function"),
                KEYVAL,
                EXTRA,
            )
        ),
        f"{prefix}_set_attr": ByHand((owner, same("keyval", f"integer{IN}"), same("attribute_val", f"{ADDRESS}{IN}"))),
        f"{prefix}_get_attr": ByHand(
            (owner, same("keyval", f"integer{IN}"), same("attribute_val", f"{ADDRESS} :: {{name}}"), FLAG)
        ),
    }


BY_HAND: dict[str, ByHand] = {
    "MPI_Init": ByHand(()),
    "MPI_Init_thread": ByHand((same("required", f"integer{IN}"), same("provided", "integer :: {name}"))),
    "MPI_Pcontrol": ByHand((same("level", f"integer{IN}"),), has_error=False),
    "MPI_Alloc_mem": ByHand((same("size", f"{ADDRESS}{IN}"), typed("info", "MPI_Info"), BASE)),
    "MPI_Buffer_detach": ByHand(
        (("buffer_addr", CHOICE, "type(c_ptr) :: {name}"), same("size", "integer :: {name}")),
        symbol_f08="mpi_buffer_detach_f08_",
    ),
    "MPI_Op_create": ByHand(
        (
            function("user_fn", "MPI_User_function"),
            same("commute", f"logical{IN}"),
            typed("op", "MPI_Op", ""),
        )
    ),
    "MPI_Errhandler_create": ByHand(
        (("function", "external :: {name}", ""), typed("errhandler", "MPI_Errhandler", ""))
    ),
    "MPI_Grequest_start": ByHand(
        (
            function("query_fn", "MPI_Grequest_query_function"),
            function("free_fn", "MPI_Grequest_free_function"),
            function("cancel_fn", "MPI_Grequest_cancel_function"),
            EXTRA,
            typed("request", "MPI_Request", ""),
        )
    ),
    "MPI_Keyval_create": ByHand(
        (
            ("copy_fn", "external :: {name}", ""),
            ("delete_fn", "external :: {name}", ""),
            KEYVAL,
            same("extra_state", f"integer{IN}"),
        )
    ),
    "MPI_Attr_put": ByHand(
        (typed("comm", "MPI_Comm"), same("keyval", f"integer{IN}"), same("attribute_val", f"integer{IN}"))
    ),
    "MPI_Attr_get": ByHand(
        (typed("comm", "MPI_Comm"), same("keyval", f"integer{IN}"), same("attribute_val", "integer :: {name}"), FLAG)
    ),
    **attribute_calls("MPI_Comm", "Comm"),
    **attribute_calls("MPI_Datatype", "Type"),
    **attribute_calls("MPI_Win", "Win"),
    **{
        f"MPI_{kind}_create_errhandler": ByHand(
            (
                function(f"{kind.lower()}_errhandler_fn", f"MPI_{kind}_errhandler_function"),
                typed("errhandler", "MPI_Errhandler", ""),
            )
        )
        for kind in ("Comm", "Win", "File")
    },
    "MPI_Register_datarep": ByHand(
        (
            same("datarep", f"character(len=*){IN}"),
            function("read_conversion_fn", "MPI_Datarep_conversion_function"),
            function("write_conversion_fn", "MPI_Datarep_conversion_function"),
            function("dtype_file_extent_fn", "MPI_Datarep_extent_function"),
            EXTRA,
        )
    ),
    **{
        name: ByHand(
            (
                same("size", f"{ADDRESS}{IN}"),
                same("disp_unit", f"integer{IN}"),
                typed("info", "MPI_Info"),
                typed("comm", "MPI_Comm"),
                BASE,
                typed("win", "MPI_Win", ""),
            )
        )
        for name in ("MPI_Win_allocate", "MPI_Win_allocate_shared")
    },
    "MPI_Win_shared_query": ByHand(
        (
            typed("win", "MPI_Win"),
            same("rank", f"integer{IN}"),
            same("size", f"{ADDRESS} :: {{name}}"),
            same("disp_unit", "integer :: {name}"),
            BASE,
        )
    ),
    # Always refused: what they would start does not matter.
    "MPI_Comm_spawn": ByHand(
        (
            same("command", f"character(len=*){IN}"),
            same("argv", CHOICE),
            same("maxprocs", f"integer{IN}"),
            typed("info", "MPI_Info"),
            same("root", f"integer{IN}"),
            typed("comm", "MPI_Comm"),
            typed("intercomm", "MPI_Comm", ""),
            same("array_of_errcodes", "integer :: {name}(*)"),
        )
    ),
    "MPI_Comm_spawn_multiple": ByHand(
        (
            same("count", f"integer{IN}"),
            same("array_of_commands", "character(len=*), intent(in) :: {name}(*)"),
            same("array_of_argv", CHOICE),
            same("array_of_maxprocs", "integer, intent(in) :: {name}(*)"),
            ("array_of_info", "integer, intent(in) :: {name}(*)", "type(MPI_Info), intent(in) :: {name}(*)"),
            same("root", f"integer{IN}"),
            typed("comm", "MPI_Comm"),
            typed("intercomm", "MPI_Comm", ""),
            same("array_of_errcodes", "integer :: {name}(*)"),
        )
    ),
    "MPI_Status_f2f08": ByHand(
        (
            same("f_status", "integer, intent(in) :: {name}(MPI_STATUS_SIZE)"),
            same("f08_status", "type(MPI_Status), intent(out) :: {name}"),
        )
    ),
    "MPI_Status_f082f": ByHand(
        (
            same("f08_status", "type(MPI_Status), intent(in) :: {name}"),
            same("f_status", "integer, intent(out) :: {name}(MPI_STATUS_SIZE)"),
        )
    ),
    "MPI_Info_create_env": ByHand((typed("info", "MPI_Info", ""),)),
    "MPI_Info_get_string": ByHand(
        (
            typed("info", "MPI_Info"),
            same("key", f"character(len=*){IN}"),
            same("buflen", "integer :: {name}"),
            same("value", "character(len=*) :: {name}"),
            FLAG,
        )
    ),
    "MPI_Info_get": ByHand(
        (
            typed("info", "MPI_Info"),
            same("key", f"character(len=*){IN}"),
            same("valuelen", f"integer{IN}"),
            same("value", "character(len=*) :: {name}"),
            FLAG,
        )
    ),
}
# Calls that C lacks. The compiler must assume that this one reads and changes the buffer (MPI-3.1, 17.1.17).
FORTRAN_ONLY = {
    "MPI_F_sync_reg": ByHand(
        (
            (
                "buf",
                "type(*), dimension(*), asynchronous, target :: {name}",
                "type(*), dimension(..), asynchronous, target :: {name}",
            ),
        ),
        symbol_f08="mpi_f_sync_reg_f08ts_",
        has_error=False,
    )
}
# Not in mpi_f08.
REPLACED = {
    "MPI_Keyval_create", "MPI_Keyval_free", "MPI_Attr_put", "MPI_Attr_get", "MPI_Attr_delete", "MPI_Errhandler_create",
    "MPI_Errhandler_get", "MPI_Errhandler_set", "MPI_Address", "MPI_Type_extent", "MPI_Type_lb", "MPI_Type_ub",
    "MPI_Type_hvector", "MPI_Type_hindexed", "MPI_Type_struct",
}  # fmt: skip
FUNCTIONS = """
    function MPI_Wtime()
      double precision :: MPI_Wtime
    end function
    function MPI_Wtick()
      double precision :: MPI_Wtick
    end function
    function MPI_Aint_add(base, disp)
      import
      integer(MPI_ADDRESS_KIND) :: MPI_Aint_add
      integer(MPI_ADDRESS_KIND), intent(in) :: base, disp
    end function
    function MPI_Aint_diff(addr1, addr2)
      import
      integer(MPI_ADDRESS_KIND) :: MPI_Aint_diff
      integer(MPI_ADDRESS_KIND), intent(in) :: addr1, addr2
    end function
"""


def attribute_functions(of: str, short: str) -> str:
    """Fortran 2008's interfaces of functions that copy and delete attributes."""
    return f"""
    subroutine MPI_{short}_copy_attr_function(old, keyval, extra_state, attribute_val_in, attribute_val_out, &
      flag, ierror)
      import
      type({of}) :: old
      integer :: keyval, ierror
      integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
      logical :: flag
    end subroutine
    subroutine MPI_{short}_delete_attr_function(object, keyval, attribute_val, extra_state, ierror)
      import
      type({of}) :: object
      integer :: keyval, ierror
      integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    end subroutine
"""


CALLBACKS = f"""
    subroutine MPI_User_function(invec, inoutvec, len, datatype)
      import
      type(c_ptr), value :: invec, inoutvec
      integer :: len
      type(MPI_Datatype) :: datatype
    end subroutine
    subroutine MPI_Comm_errhandler_function(comm, error_code)
      import
      type(MPI_Comm) :: comm
      integer :: error_code
    end subroutine
    subroutine MPI_Win_errhandler_function(win, error_code)
      import
      type(MPI_Win) :: win
      integer :: error_code
    end subroutine
    subroutine MPI_File_errhandler_function(file, error_code)
      import
      type(MPI_File) :: file
      integer :: error_code
    end subroutine
    subroutine MPI_Datarep_conversion_function(userbuf, datatype, count, filebuf, position, extra_state, ierror)
      import
      type(c_ptr), value :: userbuf, filebuf
      type(MPI_Datatype) :: datatype
      integer :: count, ierror
      integer(MPI_OFFSET_KIND) :: position
      integer(MPI_ADDRESS_KIND) :: extra_state
    end subroutine
    subroutine MPI_Datarep_extent_function(datatype, extent, extra_state, ierror)
      import
      type(MPI_Datatype) :: datatype
      integer(MPI_ADDRESS_KIND) :: extent, extra_state
      integer :: ierror
    end subroutine
    subroutine MPI_Grequest_query_function(extra_state, status, ierror)
      import
      integer(MPI_ADDRESS_KIND) :: extra_state
      type(MPI_Status) :: status
      integer :: ierror
    end subroutine
    subroutine MPI_Grequest_free_function(extra_state, ierror)
      import
      integer(MPI_ADDRESS_KIND) :: extra_state
      integer :: ierror
    end subroutine
    subroutine MPI_Grequest_cancel_function(extra_state, complete, ierror)
      import
      integer(MPI_ADDRESS_KIND) :: extra_state
      logical :: complete
      integer :: ierror
    end subroutine
{attribute_functions("MPI_Comm", "Comm")}{attribute_functions("MPI_Datatype", "Type")}\
{attribute_functions("MPI_Win", "Win")}"""
PREDEFINED_CALLBACKS = {
    "MPI_Comm_copy_attr_function": ("MPI_COMM_NULL_COPY_FN", "MPI_COMM_DUP_FN"),
    "MPI_Comm_delete_attr_function": ("MPI_COMM_NULL_DELETE_FN",),
    "MPI_Type_copy_attr_function": ("MPI_TYPE_NULL_COPY_FN", "MPI_TYPE_DUP_FN"),
    "MPI_Type_delete_attr_function": ("MPI_TYPE_NULL_DELETE_FN",),
    "MPI_Win_copy_attr_function": ("MPI_WIN_NULL_COPY_FN", "MPI_WIN_DUP_FN"),
    "MPI_Win_delete_attr_function": ("MPI_WIN_NULL_DELETE_FN",),
    "MPI_Datarep_conversion_function": ("MPI_CONVERSION_FN_NULL",),
}
# What MPI_Sizeof takes: scalars and arrays of these types.
SIZED = tuple(
    [f"{kind}({size})" for kind, sizes in (("integer", (1, 2, 4, 8, 16)), ("logical", (1, 2, 4, 8)),
                                           ("real", (4, 8, 16)), ("complex", (4, 8, 16))) for size in sizes]
    + ["character(*)"]
)  # fmt: skip
OLD_CALLBACKS = ("MPI_NULL_COPY_FN", "MPI_DUP_FN", "MPI_NULL_DELETE_FN")
