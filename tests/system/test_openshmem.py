"""OpenSHMEM 1.5: its names; unit tests of every call on all machines; storms over contexts and teams; mistakes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import openshmem_names as names
import pytest
from binaries import SOURCES, needs_compilers
from compiled import CC, compile_program
from program import DONE, PROJECT, SANVP, done, sanvp
from share import a_share

HOST_PROGRAM_FAILED = 4
PROGRAMS = PROJECT / "tests/programs"
IMAGES = str(SANVP).rsplit("/", 1)[0] + "/sw/tests"
UNITS = ("moves", "teams", "waits")
STORM = "pe_context_storm"
FILES = (*(PROGRAMS / "openshmem" / f"{name}.c" for name in UNITS), PROGRAMS / f"{STORM}.c")
MACHINES = ("qsnet-16", "myrinet-8", "tofu-36")
OTHERS = ("macrame-clos-64", "moc-2-1", "gcel-64")


def compile_into(folder: Path, source: Path, *options: str) -> Path:
    made = folder / source.stem
    subprocess.run([CC, "-Wall", "-Wextra", "-Werror", source, "-o", made, *options], check=True)
    return made


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> dict[str, Path]:
    """The programs, compiled."""
    folder = tmp_path_factory.mktemp("openshmem")
    return {at.stem: compile_into(folder, at) for at in FILES}


@pytest.fixture(scope="module")
def binaries(tmp_path_factory) -> dict[str, Path]:
    """The same as programs of RISC-V."""
    folder = tmp_path_factory.mktemp("openshmem_riscv")
    sources = (*FILES, SOURCES / "pe_threads.c")
    return {at.stem: compile_into(folder, at, "--target", "riscv64", "-pthread") for at in sources}


# ---- names ----
def test_the_header_declares_all_of_1_5_and_every_name_links(tmp_path):
    """Prototypes from the standard's tables behind the header's: another type of a parameter is an error."""
    prototypes = names.prototypes()
    called = [names.name_of(text) for text in prototypes]
    profiled = ["p" + name for name in called if name.startswith("shmem_")]
    old = list(names.deprecated())
    handles = "".join(f"{of} {name.lower()} = {name};\n" for of, all_ in names.HANDLES.items() for name in all_)
    constants = "".join(f"({name}) >= 0 &&\n" for name in names.CONSTANTS)
    addresses = ",\n".join(f"(call_t){name}" for name in (*called, *profiled, *old))
    (tmp_path / "names.c").write_text(
        "#include <shmem.h>\n#include <pshmem.h>\n#include <stdio.h>\n"
        "#undef shmem_sync\n#undef shmem_wait_until\n#undef shmem_swap\n"
        + "\n".join(prototypes)
        + f"\ntypedef void (*call_t)(void);\nstatic const call_t calls[] = {{\n{addresses}}};\n{handles}"
        + f"static const int constants = {constants} SHMEM_MAJOR_VERSION * 10 + SHMEM_MINOR_VERSION == 15;\n"
        "int main(void) {\n  size_t i, there = 0;\n  shmem_team_config_t config = {.num_contexts = 1};\n"
        "  shmem_init();\n"
        "  for (i = 0; i < sizeof calls / sizeof *calls; i++) there += calls[i] != 0;\n"
        '  printf("%zu %d %d %s\\n", there, constants, config.num_contexts, SHMEM_VENDOR_STRING);\n'
        "  shmem_finalize();\n  return 0;\n}\n"
    )
    subprocess.run([CC, "-Wall", "-Werror", tmp_path / "names.c", "-o", tmp_path / "names"], check=True)
    expected = len(called) + len(profiled) + len(old)
    assert done("run", "qsnet-16", tmp_path / "names", "--np", 1).out == f"[0] {expected} 1 1 sanvp\n"


def test_a_profiler_takes_the_place_of_a_call_and_calls_the_shifted_name(tmp_path):
    before = """
      static int puts_seen, level_seen;
      void shmem_ctx_long_put(shmem_ctx_t ctx, long* dest, const long* source, size_t count, int pe) {
        ++puts_seen;
        pshmem_ctx_long_put(ctx, dest, source, count, pe);
      }
      void shmem_pcontrol(int level, ...) { level_seen = level; }
      static long there;
    """
    body = """
      const long value = 5;
      shmem_init();
      shmem_pcontrol(3, "more");
      shmem_ctx_long_put(SHMEM_CTX_DEFAULT, &there, &value, 1, 1 - shmem_my_pe());
      shmem_barrier_all();
      printf("%d %d %ld\\n", puts_seen, level_seen, there);
      shmem_finalize();
    """
    program = compile_program(tmp_path, body, headers=("shmem.h", "pshmem.h"), before=before)
    assert sorted(done("run", "qsnet-16", program, "--np", 2).out.splitlines()) == ["[0] 1 3 5", "[1] 1 3 5"]


def test_a_program_of_cplusplus_uses_teams_contexts_and_signals(tmp_path):
    (tmp_path / "prog.cpp").write_text(
        "#include <shmem.h>\n#include <cstdio>\nstatic long here[2];\nstatic uint64_t flag;\nint main() {\n"
        "  shmem_init();\n  shmem_team_t team;\n  shmem_ctx_t ctx;\n  const long values[2] = {3, 4};\n"
        "  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), nullptr, 0, &team);\n"
        "  shmem_team_create_ctx(team, SHMEM_CTX_PRIVATE, &ctx);\n"
        "  shmem_ctx_long_put_signal(ctx, here, values, 2, &flag, 1, SHMEM_SIGNAL_SET, 1 - shmem_my_pe());\n"
        "  shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 1);\n"
        '  std::printf("%ld\\n", here[0] * here[1]);\n  shmem_ctx_destroy(ctx);\n  shmem_finalize();\n}\n'
    )
    subprocess.run([CC.with_name("sanvp-c++"), tmp_path / "prog.cpp", "-o", tmp_path / "prog"], check=True)
    assert done("run", "tofu-36", tmp_path / "prog", "--np", 2).out.splitlines().count("[1] 12") == 1


# ---- every call ----
@pytest.mark.parametrize(("program", "machine", "ranks"), a_share(UNITS, MACHINES, [1, 2, 6]))
def test_every_call_does_what_the_standard_says(programs, program, machine, ranks):
    assert "PASS" in done("run", machine, programs[program], "--np", ranks).out


@pytest.mark.parametrize("machine", OTHERS)
@pytest.mark.parametrize("program", UNITS)
def test_it_does_so_on_the_other_machines(programs, program, machine):
    assert "PASS" in done("run", machine, programs[program], "--np", 3).out


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("program", UNITS)
def test_it_does_so_where_pes_share_nodes(programs, program, machine):
    assert "PASS" in done("run", machine, programs[program], "--np", 5, "--map", "0,1,0,2,1").out


@needs_compilers
@pytest.mark.parametrize(("program", "machine"), [("moves", "qsnet-16"), ("teams", "tofu-36"), ("waits", "gcel-64")])
def test_it_does_so_as_programs_of_riscv(binaries, program, machine):
    assert "PASS" in done("run", machine, binaries[program], "--np", 3).out


@needs_compilers
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("cpus", [2, 4])
def test_threads_of_riscv_programs_make_calls_at_once(binaries, machine, cpus):
    """With two CPUs, threads that wait leave them to others."""
    assert "PASS" in done("run", machine, binaries["pe_threads"], "--np", 3, "-s", f"host.cpus={cpus}").out


def test_the_page_shows_lines_of_its_first_program():
    page, program = (PROJECT / "docs/shmem.md").read_text(), (PROJECT / "examples/shmem/halo.c").read_text()
    (block,) = re.findall(r"```c\n(shmem_double_put_signal.*?)```", page, re.DOTALL)
    assert all(line in program for line in block.splitlines())


def test_a_signal_costs_less_than_a_second_trip_there_and_back(tmp_path):
    """On QsNET the card starts it by itself; where a CPU acts on it, it is in the record with the data."""
    program = compile_into(tmp_path, PROJECT / "examples/shmem/latency.c")
    for machine, most in (("qsnet-16", 2.5), ("tofu-36", 2.5), ("myrinet-8", 1.3), ("moc-2-1", 1.3), ("gcel-64", 1.3)):
        lines = done("run", machine, program, "--np", 2).out.splitlines()
        put, signal = (float(line.split()[-2]) for line in lines if "arrive" in line)
        assert put < signal < most * put, machine


# ---- storms ----
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("machine", MACHINES)
def test_a_storm_over_contexts_and_teams_loses_nothing_and_no_signal_comes_before_its_data(programs, machine, seed):
    assert "PASS" in done("run", machine, programs[STORM], "--np", 1 + 3 * seed // 2 + seed % 2, "--", seed).out


SETTINGS = [
    ("qsnet-16", "transport.matching=host"),
    ("qsnet-16", "nic.command.entries=32"),
    ("myrinet-8", "transport.direct=no"),
    ("myrinet-8", "gm.window=1"),
    ("tofu-36", "transport.direct=no"),
    ("tofu-36", "tofu.order=memory"),
    ("macrame-clos-64", "nic.vcp.window=4"),
    ("moc-2-1", "nic.most_payload=16B"),
    ("gcel-64", "transport.eager=32K"),
]


@pytest.mark.parametrize(("machine", "setting"), SETTINGS)
def test_it_does_so_with_other_protocols(programs, machine, setting):
    assert "PASS" in done("run", machine, programs[STORM], "--np", 4, "-s", setting, "--", len(setting), 1, 200).out


@pytest.mark.parametrize("machine", MACHINES)
def test_it_does_so_with_pes_that_share_nodes(programs, machine):
    assert "PASS" in done("run", machine, programs[STORM], "--np", 5, "--map", "0,1,0,2,1", "--", 8, 1).out


@needs_compilers
def test_it_does_so_as_a_program_of_riscv(binaries):
    assert "PASS" in done("run", "qsnet-16", binaries[STORM], "--np", 3, "--", 9, 1, 100).out


EARLY = """
  static long data[4000];
  static uint64_t flag;
  long* source = malloc(sizeof data);
  shmem_init();
  const int me = shmem_my_pe();
  for (int i = 0; i < 4000; ++i) source[i] = i + 1;
  shmem_barrier_all();
  if (me == 0) {
    shmem_long_put_nbi(data, source, 4000, 1);
    %s
    shmem_uint64_atomic_set(&flag, 1, 1);
    shmem_quiet();
  } else {
    shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 1);
    printf("%%s\\n", data[3999] == 4000 ? "data" : "nothing");
  }
  shmem_finalize();
"""


@pytest.mark.parametrize(("between", "seen"), [("", "nothing"), ("shmem_fence();", "data")])
def test_a_flag_after_a_put_without_a_fence_would_be_seen_too_early(tmp_path, between, seen):
    """So the storms can fail: what a signal orders is not in order by itself."""
    program = compile_program(tmp_path, EARLY % between, headers=("shmem.h",))
    assert done("run", "qsnet-16", program, "--np", 2).out == f"[1] {seen}\n"


OVERLAP = """
  static long data[100000];
  long* source = malloc(sizeof data);
  shmem_init();
  if (shmem_my_pe() == 0) {
    shmem_ctx_t large, small;
    shmem_ctx_create(0, &large);
    shmem_ctx_create(0, &small);
    for (int pe = 1; pe < 3; ++pe) shmem_long_p(data, 1, pe); /* asks for addresses */
    shmem_quiet();
    struct timeval from, middle, to;
    gettimeofday(&from, NULL);
    shmem_ctx_long_p(small, data, 1, 2); /* first, as some cards move what they are given in order */
    shmem_ctx_putmem_nbi(large, data, source, sizeof data, 1);
    shmem_ctx_quiet(small);
    gettimeofday(&middle, NULL);
    shmem_ctx_quiet(large);
    gettimeofday(&to, NULL);
    const long first = (middle.tv_sec - from.tv_sec) * 1000000 + middle.tv_usec - from.tv_usec;
    const long all = (to.tv_sec - from.tv_sec) * 1000000 + to.tv_usec - from.tv_usec;
    printf("%d\\n", first * 2 < all);
  }
  shmem_finalize();
"""


@pytest.mark.parametrize("machine", MACHINES)
def test_the_quiet_of_a_context_does_not_wait_for_the_puts_of_another(tmp_path, machine):
    program = compile_program(tmp_path, OVERLAP, headers=("shmem.h",))
    assert done("run", machine, program, "--np", 3).out == "[0] 1\n"


ALIGNED = """
  shmem_init();
  const int me = shmem_my_pe(), all = shmem_n_pes(), to = (me + 1) % all, from = (me + all - 1) % all;
  char* other = malloc(100 + 5000 * me); /* so that the processes' heaps differ */
  for (size_t alignment = 8; alignment <= ((size_t)1 << 22); alignment *= 2) {
    long* piece = shmem_align(alignment, 10 * sizeof *piece);
    long* behind = shmem_malloc(sizeof *behind);
    assert(piece && (size_t)piece % alignment == 0);
    for (int i = 0; i < 10; ++i) shmem_long_p(&piece[i], 100 * me + i, to);
    shmem_long_p(behind, me, to);
    shmem_barrier_all();
    for (int i = 0; i < 10; ++i) assert(piece[i] == 100 * from + i && shmem_long_g(&piece[i], to) == 100 * me + i);
    assert(*behind == from);
    shmem_barrier_all();
    shmem_long_atomic_add(&piece[9], 1, 0);
    shmem_barrier_all();
    assert(me != 0 || piece[9] == 100 * from + 9 + all);
    shmem_long_p(&piece[0], 0, to);
    shmem_barrier_all();
    shmem_set_lock(&piece[0]);
    shmem_long_p(behind, shmem_long_g(behind, 0) + 1, 0);
    shmem_clear_lock(&piece[0]);
    shmem_barrier_all();
    assert(me != 0 || *behind == from + all);
    shmem_free(piece);
    shmem_free(behind);
  }
  free(other);
  if (me == 0) puts("aligned");
  shmem_finalize();
"""


@pytest.mark.parametrize("machine", MACHINES)
def test_a_piece_of_any_alignment_is_aligned_and_symmetric(tmp_path, machine):
    program = compile_program(tmp_path, ALIGNED, headers=("shmem.h",))
    assert done("run", machine, program, "--np", 3).out == "[0] aligned\n"


# ---- mistakes ----
MISTAKES = {
    "not-member": "shmem_team_sync: the team is SHMEM_TEAM_INVALID; only members of a team may call",
    "team-number": "shmem_team_n_pes: the team is not valid; pass SHMEM_TEAM_WORLD",
    "context-number": "shmem_ctx_quiet: the context is not valid; pass SHMEM_CTX_DEFAULT",
    "context-invalid": "shmem_ctx_int_p: the context is SHMEM_CTX_INVALID; test what shmem_ctx_create",
    "world": "shmem_team_destroy: SHMEM_TEAM_WORLD and SHMEM_TEAM_SHARED stay",
    "default": "shmem_ctx_destroy: the default context stays",
    "options": "shmem_ctx_create: unknown option; combine SHMEM_CTX_SERIALIZED",
    "null-context": "shmem_ctx_create: the pointer for the context is null",
    "null-team": "shmem_team_split_strided: the pointer for the team is null",
    "mask": "shmem_team_get_config: the mask names no such field; pass SHMEM_TEAM_NUM_CONTEXTS",
    "no-config": "shmem_team_split_strided: the mask is not 0, but the configuration is null",
    "operation": "shmem_int_put_signal: unknown sig_op; pass SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD",
    "signal-stack": "shmem_int_put_signal_nbi: the address is not symmetric",
    "signal-aligned": "shmem_putmem_signal: the signal is not aligned to its size",
    "signal-fetch": "shmem_signal_fetch: the address is not symmetric",
    "constant": "shmem_int_p: the address is that of a constant, which calls may only read",
    "constant-atomic": "shmem_int_atomic_inc: the address is that of a constant",
    "null-fetch": "shmem_int_atomic_fetch_inc_nbi: the pointer for the old value is null",
    "hints": "shmem_malloc_with_hints: unknown hint; combine SHMEM_MALLOC_ATOMICS_REMOTE",
    "align": "shmem_align: the alignment is not a power of two from 8 on",
    "align-huge": "shmem_align: no room for 8 bytes in the symmetric heap",
    "many-comparison": "shmem_int_wait_until_any: unknown comparison",
    "many-indices": "shmem_int_test_some: the indices are null",
    "many-values": "shmem_int_test_some_vector: the values are null",
    "many-variables": "shmem_int_test_all: the variables are null",
    "triplet": "shmem_team_split_strided: start 1, stride 2, size 3 is not within the parent's 3 members",
    "range": "shmem_team_split_2d: xrange is less than 1; pass the length of a row",
    "team-root": "shmem_int_broadcast: PE_root is not in the active set, or team",
    "team-stack": "shmem_int_fcollect: the address is not symmetric",
    "context-pe": "shmem_ctx_int_p: there is no processing element 2 in the context's team; they are 0 to 1",
    "private": "shmem_team_destroy: a context of the team with SHMEM_CTX_PRIVATE is still there; destroy it first",
    "destroyed-context": "shmem_ctx_int_get: the context has been destroyed",
    "twice-context": "shmem_ctx_destroy: the context has been destroyed",
    "destroyed-team": "shmem_int_sum_reduce: the team has been destroyed",
    "twice-team": "shmem_team_destroy: the team has been destroyed",
    "reused-team": "shmem_team_my_pe: the team has been destroyed",
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_is_told_with_the_call_and_the_cure(what):
    result = sanvp("run", "qsnet-16", f"{IMAGES}/shmem_mistakes.so", "--np", 3, "--", what)
    assert result.status == HOST_PROGRAM_FAILED
    assert MISTAKES[what] in result.err
    assert "ended well" not in result.out


def test_a_split_that_is_refused_is_told_once():
    result = sanvp("run", "qsnet-16", f"{IMAGES}/shmem_mistakes.so", "--np", 3, "--", "triplet")
    assert result.err.count("shmem_team_split_strided: start 1") == 1
    assert "exited with status 3" in result.err


def test_a_wrong_result_is_noticed_by_the_unit_tests(tmp_path):
    """A word written behind the checks' back."""
    source = (PROGRAMS / "openshmem" / "teams.c").read_text()
    changed = source.replace("word = counter = 0;", "word = 0; counter = me == npes - 1;")
    assert changed != source
    (tmp_path / "changed.c").write_text(changed)
    subprocess.run([CC, f"-I{PROGRAMS / 'openshmem'}", tmp_path / "changed.c", "-o", tmp_path / "changed"], check=True)
    result = sanvp("run", "qsnet-16", tmp_path / "changed", "--np", 2)
    assert result.status == HOST_PROGRAM_FAILED
    assert "counter == size" in result.err


def test_the_version_is_1_5(tmp_path):
    body = 'int a, b; shmem_init(); shmem_info_get_version(&a, &b); printf("%d.%d\\n", a, b); shmem_finalize();'
    program = compile_program(tmp_path, body, headers=("shmem.h",))
    result = sanvp("run", "gcel-64", program, "--np", 1)
    assert (result.status, result.out) == (DONE, "[0] 1.5\n")
