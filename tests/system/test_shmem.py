"""OpenSHMEM and what it stands on, by host software on the QsNET machine: each program checks its own results."""

from __future__ import annotations

import subprocess

import pytest
from compiled import compile_program
from program import SANVP, USER_MISTAKE, done, sanvp

IMAGES = str(SANVP).rsplit("/", 1)[0] + "/sw/tests"
DONE, HOST_PROGRAM_FAILED = 0, 4


def passes(program: str, ranks: int, *arguments: str, options: tuple[str, ...] = ()) -> str:
    """What an image of the tests printed, when it ended well and found its results right."""
    machine = "qsnet-16" if ranks <= 16 else "qsnet-64"
    result = sanvp("run", machine, f"{IMAGES}/{program}.so", "--np", ranks, *options, "--", *arguments)
    assert result.status == DONE, result.err + result.out
    assert "PASS" in result.out
    return result.out


@pytest.mark.parametrize("ranks", [1, 2, 7, 64])
def test_atomic_operations_of_all_processes_on_one_word_add_up(ranks):
    passes("atomics", ranks)


def test_atomic_operations_on_one_word_add_up_when_processes_share_nodes():
    passes("atomics", 6, options=("--map", "0,0,0,1,1,2"))


# The heap's test fills it.
PROGRAMS = ("shmem_rma", "shmem_atomics", "shmem_collectives", "shmem_order", "shmem_heap", "shmem_names")
SMALL_HEAP = ("-s", "shmem.heap=1M")


@pytest.mark.parametrize("ranks", [1, 2, 3, 7, 8, 16])
@pytest.mark.parametrize("program", PROGRAMS)
def test_openshmem_does_what_the_standard_says(program, ranks):
    passes(program, ranks, options=SMALL_HEAP)


@pytest.mark.parametrize(("program", "arguments"), [("shmem_atomics", ()), ("shmem_collectives", ("few",))])
def test_openshmem_does_so_among_64(program, arguments):
    passes(program, 64, *arguments)


@pytest.mark.parametrize("program", PROGRAMS)
def test_openshmem_does_so_when_processes_share_nodes(program):
    passes(program, 6, options=("--map", "0,0,0,1,1,2", *SMALL_HEAP))


@pytest.mark.parametrize("what", ["barrier", "broadcast"])
def test_openshmem_does_so_where_the_network_must_not_help(what):
    passes("shmem_collectives", 5, "few", options=("-s", f"elan.{what}=software"))


@pytest.mark.parametrize(("what", "line"), [("none", "rounds[pe] == round"), ("lock", "&inside, 0) == 0")])
def test_a_barrier_or_a_lock_that_does_nothing_is_noticed(what, line):
    result = sanvp("run", "qsnet-16", f"{IMAGES}/shmem_order.so", "--np", 4, "--", what)
    assert result.status == HOST_PROGRAM_FAILED
    assert line in result.out


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("not-started", "shmem_quiet: shmem is not running; call shmem_init first"),
        ("ended", "shmem_int_p: shmem has ended; call it before shmem_finalize"),
        ("stack", "shmem_int_p: the address is not symmetric; use memory of shmem_malloc"),
        ("malloc", "shmem_int_get: the address is not symmetric"),
        ("null", "shmem_int_put: the symmetric address is null; test what shmem_malloc returns"),
        ("beyond", "shmem_int_get: 4294967296 bytes from that address on run over the end"),
        ("pe", "shmem_int_p: there is no processing element 3; they are 0 to 2"),
        ("negative-pe", "shmem_long_atomic_inc: there is no processing element -1"),
        ("stride", "shmem_int_iput: a stride is less than 1"),
        ("set", "shmem_barrier: the active set PE_start 0, logPE_stride 1, PE_size 3 goes beyond"),
        ("outside", "shmem_int_sum_to_all: the active set PE_start 1, logPE_stride 0, PE_size 1 is without the caller"),
        ("root", "shmem_broadcast32: PE_root is not in the active set"),
        ("free", "shmem_free: the pointer is not one of shmem_malloc"),
        ("twice", "shmem_free: the pointer is not one of shmem_malloc, or was freed before"),
        ("unaligned", "shmem_int_atomic_inc: the word is not aligned"),
        ("clear", "shmem_clear_lock: no process has this lock; set it first"),
        ("comparison", "shmem_int_wait_until: unknown comparison"),
        ("exit", "rank 2 on node 2: exited with status 7"),
    ],
)
def test_what_a_program_does_wrong_ends_it_with_the_call_and_the_cure(what, words):
    result = sanvp("run", "qsnet-16", f"{IMAGES}/shmem_mistakes.so", "--np", 3, "--", what)
    assert result.status == HOST_PROGRAM_FAILED
    assert words in result.err
    assert "ended well" not in result.out or what == "ended"


def test_a_full_heap_is_reported_once_with_its_setting():
    result = sanvp("run", "qsnet-16", f"{IMAGES}/shmem_mistakes.so", "--np", 3, "--", "null")
    assert result.err.count("no room for 1099511627776 bytes in the symmetric heap of 67108864") == 1
    assert "-s shmem.heap=BYTES" in result.err


def test_on_a_node_with_little_memory_the_heap_is_smaller():
    result = sanvp("run", "macrame-grid-64", f"{IMAGES}/shmem_mistakes.so", "--np", 3, "--", "null")
    assert "in the symmetric heap of 16777216" in result.err


def test_global_exit_with_0_ends_pes_that_wait_for_ever_and_the_run_is_done():
    assert "ended well" not in passes("shmem_mistakes", 3, "exit-well")


def test_a_pe_that_sets_a_lock_twice_waits_for_ever_and_is_reported():
    result = sanvp("run", "qsnet-16", f"{IMAGES}/shmem_mistakes.so", "--np", 1, "--", "lock")
    assert result.status != DONE
    assert "shmem_set_lock: the caller has this lock already; clear it first" in result.err


def test_a_heap_of_no_number_is_refused_before_the_run():
    result = sanvp("run", "qsnet-16", f"{IMAGES}/shmem_mistakes.so", "--np", 2, "-s", "shmem.heap=many")
    assert result.status == USER_MISTAKE
    assert "-s shmem.heap: 'many' is no number of bytes; write such as 4M" in result.err


@pytest.mark.parametrize("size", ["0", "8X", "100G"])
def test_a_heap_of_no_size_is_refused(size):
    result = sanvp("run", "qsnet-16", f"{IMAGES}/shmem_mistakes.so", "--np", 2, "-s", f"shmem.heap={size}")
    assert result.status == HOST_PROGRAM_FAILED
    assert "shmem_init: -s shmem.heap or SHMEM_SYMMETRIC_SIZE is not a number of bytes" in result.err


def test_the_environment_sets_the_size_of_the_heap(monkeypatch):
    monkeypatch.setenv("SHMEM_SYMMETRIC_SIZE", "1m")
    result = sanvp("run", "qsnet-16", f"{IMAGES}/shmem_mistakes.so", "--np", 2, "--", "null")
    assert "symmetric heap of 1048576" in result.err


RING = """
#include <stdio.h>
#include <mpp/shmem.h>
static long pSync[_SHMEM_BCAST_SYNC_SIZE];
static long from_root[4], data[4];
int main(void) {
  int me, npes, i;
  start_pes(0);
  me = _my_pe();
  npes = _num_pes();
  for (i = 0; i < _SHMEM_BCAST_SYNC_SIZE; i++) pSync[i] = _SHMEM_SYNC_VALUE;
  for (i = 0; i < 4; i++) data[i] = 100 * me + i;
  shmem_barrier_all();
  shmem_broadcast64(from_root, data, 4, 1, 0, 0, npes, pSync);
  printf("%d of %d has %ld %ld\\n", me, npes, from_root[0], from_root[3]);
  return 0;
}
"""


@pytest.mark.parametrize("standard", ["c89", "c99", "gnu17"])
def test_a_program_of_the_time_is_compiled_unmodified_and_runs(tmp_path, standard):
    (tmp_path / "ring.c").write_text(RING)
    compiler = str(SANVP).rsplit("/", 1)[0] + "/sanvp-cc"
    options = ["-Wall", "-Wextra", "-Werror", f"-std={standard}"]
    subprocess.run([compiler, *options, tmp_path / "ring.c", "-o", tmp_path / "ring"], check=True)
    result = sanvp("run", "qsnet-16", tmp_path / "ring", "--np", 3)
    assert result.status == DONE, result.err
    assert sorted(result.out.splitlines()) == [
        f"[{i}] {i} of 3 has {0 if i == 1 else 100} {0 if i == 1 else 103}" for i in range(3)
    ]


LEAVES = """
static long there[4000], here[4000];
shmem_init();
if (shmem_my_pe() == 1) {
  usleep(1000);
  here[3999] = 7;
  shmem_long_put(there, here, 4000, 0);
  shmem_quiet();
  printf("%ld\\n", shmem_long_g(&there[3999], 0));
}
"""


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "gcel-64", "tofu-36"])
def test_the_end_of_main_is_one_of_shmem_too(tmp_path, machine):
    """OpenSHMEM 1.4, shmem_init: an implicit shmem_finalize, so that memory stays while others write to it."""
    program = compile_program(tmp_path, LEAVES, headers=("shmem.h",))
    result = sanvp("run", machine, program, "--np", 2)
    assert result.status == DONE, result.err
    assert result.out == "[1] 7\n"


SPIN = """
static long locks[8];
static int counter;
for (int i = 0; i < shmem_n_pes(); ++i) {
  while (shmem_test_lock(&locks[i])) continue;
  shmem_int_p(&counter, shmem_int_g(&counter, 0) + 1, 0);
  shmem_clear_lock(&locks[i]);
  shmem_barrier_all();
}
if (shmem_my_pe() == 0) printf("%d\\n", counter);
"""


@pytest.mark.parametrize("machine", ["moc-3-1", "gcel-64", "tofu-36", "qsnet-16"])
def test_pes_that_spin_for_a_lock_do_not_keep_its_holder_from_giving_it_back(tmp_path, machine):
    body = f"shmem_init();\n{SPIN}shmem_finalize();\n"
    program = compile_program(tmp_path, body, headers=("shmem.h",))
    assert done("run", machine, program, "--np", 8, "--until", "1s").out == "[0] 64\n"
