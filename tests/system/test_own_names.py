"""Names of a program, its functions, variables and headers, are its own, whatever ours are called."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from compiled import CC, MACHINE
from program import SANVP, done

LIBRARIES = Path(SANVP).parent / "sw" / "lib"
# What the standards and the compiler's OpenMP reserve, what has our prefix, and where a program is entered.
RESERVED = re.compile(
    r"P?MPI_\w+|p?shmem_\w+|start_pes|omp_\w+|GOMP_\w+|__wrap_\w+|sanvp_\w+|hal_(attach|abi_version|run_main|run_constructors|alone)"
)
# What the libraries of one machine are known by; they give way to a program's.
HISTORIC = re.compile(
    r"elan3?_\w+|gm_\w+|u?tofu_\w+|vcp_\w+|ds_\w+|hal_\w+"
    r"|Chan(In|Out)\w*|Proc\w*AltList|A(Init|Recv|Send|Sync)|Select(List)?|(Break|Connect|Get|Make|Recv|Send)Link|(Recv|Send)Node"
    r"|GetRoot|Time(Now|Wait)"
)
# The C library's, which give way, too.
C_LIBRARY = {
    *("__dso_handle", "__getdelim", "asprintf", "daemon", "dprintf", "err", "error", "errx", "ftime", "getdelim"),
    *("open", "open64"),
    *("getline", "pthread_atfork", "reallocarray", "vasprintf", "vdprintf", "verr", "verrx", "wcsdup"),
    *(f"{prefix}{name}" for prefix in ("", "__isoc99_", "__isoc23_") for name in ("scanf", "fscanf", "sscanf")),
    *("printf", "fprintf", "sprintf", "snprintf"),
    *("getopt", "__posix_getopt", "getopt_long", "getopt_long_only"),
    *("gmtime", "localtime", "asctime", "ctime", "hcreate", "hdestroy", "hsearch"),
    *("strerror", "strsignal", "getpwuid", "getpwnam", "getgrgid", "getgrnam", "getlogin", "tmpnam", "ttyname"),
    *("inet_ntoa", "ecvt", "fcvt"),
}
MACHINES = ("qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36")
HEADERS = ("types.h", "topology.h", "base.h", "state.h", "context.h", "group.h", "port.h", "internal.h", "layout.h")


def ours() -> list[str]:
    """Names of the libraries that have the prefix for programs alone."""
    return [line.split()[0] for line in (LIBRARIES / "own_names").read_text().splitlines()]


def test_a_global_name_in_the_libraries_is_reserved_or_has_our_prefix():
    archives = sorted(LIBRARIES.glob("libsanvp_*.a"))
    command = ["nm", "--defined-only", "--extern-only", "--format=posix", *archives]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    names = {fields[0]: fields[1] for line in lines if len(fields := line.split()) > 1}
    assert "PMPI_Send" in names
    assert {names[name] for name in C_LIBRARY & set(names)} <= {"W", "V"}
    assert [name for name in sorted(set(names) - C_LIBRARY) if not RESERVED.fullmatch(name)] == []


def test_what_headers_of_one_machine_offer_is_known_by_its_name():
    provided = re.findall(r"PROVIDE\((\w+) = sanvp_\1\);", (LIBRARIES / "provided.ld").read_text())
    assert "gm_open" in provided
    assert [name for name in provided if not HISTORIC.fullmatch(name)] == []


MAIN = """#include <mpi.h>
#include <shmem.h>
#include <stdio.h>
%s
int main(int argc, char** argv) {
  static long all[SHMEM_REDUCE_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], one = 1, sum;
  int rank, ranks;
%s
  MPI_Init(&argc, &argv);
  shmem_init();
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) all[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  shmem_long_sum_to_all(&sum, &one, 1, 0, 0, shmem_n_pes(), work, all);
  shmem_long_p(&one, 2, (rank + 1) %% shmem_n_pes());
  shmem_barrier_all();
%s
  printf("%%d %%ld %%ld\\n", ranks, sum, one);
  shmem_finalize();
  return MPI_Finalize();
}
"""
KINDS = {
    "functions": ("int {0}(void) {{ return {1}; }}", "", "  if ({0}() != {1}) return 1;"),
    "variables": ("int {0} = {1};", "", "  if ({0} != {1}) return 1;"),
    "common variables": ("int {0};", "  {0} = {1};", "  if ({0} != {1}) return 1;"),
}


@pytest.fixture(scope="module", params=KINDS)
def with_our_names(request, tmp_path_factory) -> Path:
    """A program that has, of all our names, something of its own."""
    folder = tmp_path_factory.mktemp("names")
    pieces = ["\n".join(form.format(name, i) for i, name in enumerate(ours())) for form in KINDS[request.param]]
    (folder / "prog.c").write_text(MAIN % tuple(pieces))
    subprocess.run([CC, "-fcommon", folder / "prog.c", "-o", folder / "prog"], check=True)
    return folder / "prog"


@pytest.mark.parametrize("machine", MACHINES)
def test_a_program_with_functions_or_variables_of_our_names_has_its_own(with_our_names, machine):
    said = done("run", machine, with_our_names, "--np", 3).out
    assert sorted(said.splitlines()) == [f"[{rank}] 3 3 2" for rank in range(3)]


def test_tags_and_macros_of_mpi_and_shmem_are_reserved(tmp_path):
    """A program may have a `struct mpi_info` or a macro COUNT beside them."""
    (tmp_path / "prog.c").write_text("#include <mpi.h>\n#include <mpp/shmem.h>\n")
    command = [CC, "-E", "-dD", tmp_path / "prog.c"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    files = re.findall(r'^# \d+ "([^"]+)".*\n((?:(?!# \d).*\n)*)', text, re.MULTILINE)
    of_ours = "".join(lines for file, lines in files if "/sw/include/" in file)
    names = set(re.findall(r"\b(?:struct|union|enum) (\w+)|^#define (\w+)", of_ours, re.MULTILINE))
    assert ("", "MPI_COMM_WORLD") in names
    reserved = re.compile(r"P?MPI_\w+|_?P?SHMEM_\w+|p?shmem_\w+|SANVP_\w+|my_pe|num_pes|start_pes")
    assert [name for name in sorted(map("".join, names)) if not reserved.fullmatch(name)] == []


def test_what_no_header_offers_cannot_be_linked(tmp_path):
    (tmp_path / "prog.c").write_text("int node_at(int); int main(void) { return node_at(0); }\n")
    refused = subprocess.run([CC, tmp_path / "prog.c"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert refused.returncode != 0
    assert "undefined reference to `node_at'" in refused.stderr


def test_a_program_has_a_historic_library_s_call_or_its_own(tmp_path):
    """In one program `gm_strerror` is GM's, in the other its own; what the library calls is GM's in both."""
    offered = "#include <gm.h>\n#include <stdio.h>\nint main(void) { puts(gm_strerror(GM_SUCCESS)); return 0; }\n"
    own = (
        '#include <stdio.h>\nint gm_strerror(void) { return 5; }\nint main(void) { printf("%d\\n", gm_strerror()); }\n'
    )
    said = []
    for text in (offered, own):
        (tmp_path / "prog.c").write_text(text)
        subprocess.run([CC, tmp_path / "prog.c", "-o", tmp_path / "prog"], check=True)
        said.append(done("run", "myrinet-8", tmp_path / "prog", "--np", 1).out)
    assert said[0].startswith("[0] ")
    assert said[0] != said[1] == "[0] 5\n"


def test_a_program_s_library_may_have_the_name_of_one_of_ours(tmp_path):
    names = [path.name.removeprefix("libsanvp_") for path in LIBRARIES.glob("libsanvp_*.a")]
    (tmp_path / "five.c").write_text("int five(void) { return 5; }\n")
    (tmp_path / "prog.c").write_text(
        "#include <mpi.h>\n#include <stdio.h>\nint five(void);\n"
        'int main(void) { printf("%d\\n", MPI_Init(0, 0) + five()); return 0; }\n'
    )
    subprocess.run([CC, "-c", "five.c"], check=True, cwd=tmp_path)
    for name in names:
        subprocess.run(["ar", "rc", f"lib{name}", "five.o"], check=True, cwd=tmp_path)
    options = [f"-l{name.removesuffix('.a')}" for name in names]
    subprocess.run([CC, "prog.c", "-L.", *options, "-o", "prog"], check=True, cwd=tmp_path)
    assert done("run", MACHINE, tmp_path / "prog", "--np", 2).out.split() == ["[0]", "5", "[1]", "5"]


def test_a_makefile_may_name_the_libraries_that_are_linked_anyhow(tmp_path):
    (tmp_path / "prog.c").write_text(
        "#include <mpi.h>\n#include <stdio.h>\nint main(void) { int ranks = 0; MPI_Init(0, 0);\n"
        'MPI_Comm_size(MPI_COMM_WORLD, &ranks); printf("%d\\n", ranks); return 0; }\n'
    )
    subprocess.run([CC, "prog.c", "-lmpi", "-lshmem", "-lgm", "-lmpi", "-o", "prog"], check=True, cwd=tmp_path)
    assert done("run", MACHINE, tmp_path / "prog", "--np", 2).out.split() == ["[0]", "2", "[1]", "2"]


def includes(folder: Path, names: tuple[str, ...], found: str, *options: str, **environment: str) -> None:
    """Compiles what includes headers of these names, each of which is to define OWN_0 and so on, or to be ours."""
    lines = [f"#include <{name}>\n" for name in names]
    lines += [f"#if {found}(OWN_{i})\n#error {name}\n#endif\n" for i, name in enumerate(names)]
    (folder / "prog.c").write_text("".join(lines) + "int main(void) { return 0; }\n")
    variables = {**os.environ, **environment}
    subprocess.run([CC, *options, folder / "prog.c", "-c", "-o", folder / "prog.o"], check=True, env=variables)


def own_headers(folder: Path, names: tuple[str, ...]) -> str:
    (folder / "own").mkdir()
    for i, name in enumerate(names):
        (folder / "own" / name).write_text(f"#define OWN_{i} 1\n")
    return str(folder / "own")


@pytest.mark.parametrize("option", ["-I", "-isystem", "-idirafter"])
def test_headers_in_folders_that_the_program_names_are_its_own(tmp_path, option):
    own = own_headers(tmp_path, (*HEADERS, "hal.h", "mpi.h"))
    if option == "-idirafter":  # these are to be behind all else
        includes(tmp_path, HEADERS, "!defined", option, own)
    else:
        includes(tmp_path, (*HEADERS, "hal.h", "mpi.h"), "!defined", option, own)


@pytest.mark.parametrize("variable", ["C_INCLUDE_PATH", "CPATH"])
def test_headers_in_folders_that_the_environment_names_are_the_program_s(tmp_path, variable):
    own = own_headers(tmp_path, (*HEADERS, "gm.h", "hal.h"))
    includes(tmp_path, (*HEADERS, "gm.h", "hal.h"), "!defined", **{variable: own})


@pytest.mark.parametrize("variable", ["C_INCLUDE_PATH", "CPATH"])
def test_another_mpi_that_the_environment_names_is_not_taken(tmp_path, variable):
    own = own_headers(tmp_path, ("mpi.h", "shmem.h"))
    includes(tmp_path, ("mpi.h", "shmem.h", "mpp/shmem.h"), "defined", **{variable: own})


HISTORIC_HEADERS = (
    *("ds_link", "elan", "elan3lib", "gm", "hal", "parix", "tofu_job", "tport", "utofu", "vcp"),
    *("elan/elan", "elan3/elan3", "sys/link", "sys/root", "sys/sys_rpc"),  # as programs of their time name them
)


@pytest.mark.parametrize("header", HISTORIC_HEADERS)
def test_historic_libraries_headers_are_found(tmp_path, header):
    (tmp_path / "prog.c").write_text(f"#include <{header}.h>\n#include <mpi.h>\nint main(void) {{ return 0; }}\n")
    subprocess.run([CC, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", tmp_path / "prog.c"], check=True)


def test_a_report_names_a_library_s_function_readably(tmp_path):
    """That crashes where the library copies from nowhere."""
    body = "MPI_Init(0, 0); MPI_Send((void*)8, 100, MPI_CHAR, 0, 0, MPI_COMM_WORLD); return 0;"
    (tmp_path / "prog.c").write_text(f"#include <mpi.h>\nint main(void) {{ {body} }}\n")
    subprocess.run([CC, "-g", tmp_path / "prog.c", "-o", tmp_path / "prog"], check=True)
    run = subprocess.run(
        [SANVP, "run", MACHINE, tmp_path / "prog", "--np", "1"], capture_output=True, text=True, check=False
    )
    assert re.search(
        r"[ ,]mpi_\w+\(\) at \w+\.c:\d+ <(.*<)? PMPI_Send\(\) at send.c:\d+ <.*< main\(\) at prog.c:2", run.stderr
    )
