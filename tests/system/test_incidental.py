"""Times depend on the machine and the program, and not on what a user does not think of: the folders that sanvp and the
program were built in, names, the environment, where the simulating computer's loader puts things."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from compiled import CC, compile_program
from program import SANVP, done

MACHINES = ("qsnet-16", "myrinet-8", "macrame-grid-64", "moc-2-1", "gcel-64", "tofu-36")
LONG = "a-folder-whose-name-is-much-longer/" * 5 + "than-the-others"

# Prints picoseconds. Messages and copies from each kind of memory, whose place in a page decides how they are cut up.
# The argument moves them.
PROGRAM = r"""
#include <assert.h>
#include <hal.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 5000, ROOM = 4 * BYTES };
static char zeroed[ROOM], initialised[ROOM] = "text";
static const char constant[ROOM] = "text";
static int rank;

static void exchange(const char* what, char* memory) {
  assert(memory != NULL);  /* has __FILE__ in it */
  memcpy(memory, constant, BYTES);
  for (int bytes = 10; bytes <= BYTES; bytes += (BYTES - 10) / 3)
    MPI_Sendrecv(memory, bytes, MPI_BYTE, 1 - rank, 0, memory + 2 * BYTES, bytes, MPI_BYTE, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("%s %llu\n", what, (unsigned long long)hal_time_ps());
}

int main(int count, char** arguments) {
  char on_the_stack[ROOM];
  const int moved = count > 1 ? atoi(arguments[1]) : 0;
  printf("main %llu\n", (unsigned long long)hal_time_ps());
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  exchange("zeroed", zeroed + moved);
  exchange("initialised", initialised + moved);
  exchange("stack", on_the_stack + moved);
  setenv("SOMETHING", "new", 1);
  if (getenv("SOMETHING") == NULL) return 1;
  char* const folder = getcwd(NULL, 0);
  char* const same = realpath(".", NULL);
  if (folder == NULL || same == NULL) return 1;
  char* const allocated = malloc(ROOM);
  exchange("heap", allocated + moved);
  return MPI_Finalize();
}
"""


def compile_in(folder: Path, compiler: Path = CC) -> Path:
    """The program, in a folder of that name, by the name of its source's whole path."""
    folder.mkdir(parents=True)
    (folder / "prog.c").write_text(PROGRAM)
    subprocess.run([compiler, folder / "prog.c", "-o", folder / "prog"], check=True)
    return folder / "prog"


def left(
    program: Path, machine: str, folder: Path, *arguments: object, before: tuple[str, ...] = (), **environment: str
) -> dict[str, str]:
    """What a run prints and what stands in its tables. It is started in that folder."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [*before, SANVP, "run", machine, program, "--np", "2", "--out", "out", "--", *map(str, arguments)]
    variables = {**os.environ, **environment}
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=variables)
    assert run.returncode == 0, run.stderr
    tables = {path.name: path.read_text() for path in (folder / "out").glob("*.csv")}
    assert {"ranks.csv", "stats.csv"} <= tables.keys()
    return {**tables, "": run.stdout}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Of this file's programs. The name is short."""
    return tmp_path_factory.mktemp("i")


@pytest.fixture(scope="module")
def program(folder) -> Path:
    """The program, compiled in a folder whose name is short."""
    return compile_in(folder / "p")


@pytest.fixture(scope="module")
def usual(program, folder) -> dict[str, dict[str, str]]:
    """What it leaves on each machine."""
    return {machine: left(program, machine, folder / machine) for machine in MACHINES}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_place_of_a_buffer_within_its_page_does_change_times(machine, usual, program, tmp_path):
    """Else this file would show nothing."""
    assert left(program, machine, tmp_path, 1900)[""] != usual[machine][""]


@pytest.mark.parametrize("machine", MACHINES)
def test_times_do_not_depend_on_the_folder_that_a_program_is_compiled_and_run_in(machine, usual, tmp_path):
    far = compile_in(tmp_path / LONG)
    assert left(far, machine, tmp_path / LONG / "started") == usual[machine]


@pytest.fixture(scope="module")
def other_compiler(folder) -> Path:
    """sanvp-cc in another folder, whose path it writes into programs."""
    built = Path(SANVP).resolve().parent
    other = folder / LONG / "build"
    other.mkdir(parents=True)
    shutil.copy(built / "sanvp-cc", other)
    subprocess.run(["cp", "-rs", built / "sw", other], check=True)
    return other / "sanvp-cc"


@pytest.mark.parametrize("machine", MACHINES)
def test_times_do_not_depend_on_the_folder_that_sanvp_was_built_in(machine, usual, other_compiler, tmp_path):
    program = compile_in(tmp_path / "p", other_compiler)
    assert LONG.encode() in program.read_bytes()
    assert left(program, machine, tmp_path / "started") == usual[machine]


@pytest.mark.parametrize("machine", MACHINES)
def test_times_do_not_depend_on_environment_user_or_locale(machine, usual, program, tmp_path):
    temporary = tmp_path / LONG
    temporary.mkdir(parents=True)
    many = {f"VARIABLE_{i}": "x" * 300 for i in range(200)}
    names = {"USER": "another-name", "LOGNAME": "another-name", "HOME": "/", "LC_ALL": "C.UTF-8", "LANG": "de_DE"}
    assert left(program, machine, tmp_path, TMPDIR=str(temporary), **many, **names) == usual[machine]


@pytest.mark.parametrize("machine", MACHINES)
def test_times_do_not_depend_on_where_the_loader_puts_the_program(machine, usual, program, tmp_path):
    assert left(program, machine, tmp_path, before=("setarch", "--addr-no-randomize")) == usual[machine]


def test_calendars_are_in_utc_unless_the_user_names_a_time_zone(tmp_path):
    body = 'const time_t now = time(NULL); char text[99]; strftime(text, sizeof text, "%F %T %Z", localtime(&now));'
    program = compile_program(tmp_path, f'{body} printf("%s %s\\n", text, getenv("TZ"));', headers=("time.h",))
    printed = []
    for zone in ({}, {"TZ": "EST5"}):
        variables = {name: value for name, value in os.environ.items() if name != "TZ"}
        command = [SANVP, "run", "qsnet-16", program, "--np", "1"]
        run = subprocess.run(command, capture_output=True, text=True, check=True, env={**variables, **zone})
        printed.append(run.stdout)
    assert printed == ["[0] 2003-01-01 00:00:00 UTC UTC0\n", "[0] 2002-12-31 19:00:00 EST EST5\n"]


def test_a_program_s_variables_begin_at_a_page_and_main_s_frame_at_one_place_of_it(tmp_path):
    source = tmp_path / "prog.c"
    source.write_text(
        "#include <stdint.h>\n#include <stdio.h>\nstatic char initialised[64] = {1}, zeroed[64];\n"
        "int main(void) { char frame[64]; frame[0] = initialised[0] + zeroed[0];\n"
        'printf("%u %u %u %d\\n", (unsigned)(uintptr_t)initialised % 4096, (unsigned)(uintptr_t)zeroed % 4096,\n'
        "(unsigned)(uintptr_t)frame % 4096, frame[0]); }\n"
    )
    subprocess.run([CC, source, "-o", tmp_path / "prog"], check=True)
    lines = [line.split()[1:] for line in done("run", "qsnet-16", tmp_path / "prog", "--np", 3).out.splitlines()]
    assert [line[:2] for line in lines] == [["0", "0"]] * 3
    assert len({line[2] for line in lines}) == 1
