"""Computing takes time: what programs execute, loops without calls, CPUs that ranks share, daemons, reports."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import time

import pytest
from compiled import CC, compile_program
from program import DONE, SANVP, UNTIL_REACHED, USER_MISTAKE, done, sanvp

MPI = "MPI_Init(&argc, &argv); int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
INTERRUPTED = 130


def metric(result, name: str) -> float:
    """A number that the program has printed as NAME VALUE."""
    return float(re.search(rf"\b{name} ([\d.e+-]+)", result.out)[1])


DIVISIONS = """
  volatile double by = 1.0000001; double divisor = by, x = 1e300, begin = MPI_Wtime();
  for (long i = 0; i < 10000000; ++i) x /= divisor;
  printf("seconds %.9g left %g\\n", MPI_Wtime() - begin, x);
  MPI_Finalize();
"""


def test_dependent_divisions_take_as_long_as_their_cycles(tmp_path):
    # GCC 13 and newer unroll small loops at -O2.
    program = compile_program(tmp_path, MPI + DIVISIONS, "-O2", "-fno-unroll-loops")
    turn_ns = 15 / 0.833  # the latency of a division; the counter and the branch do not wait for it
    seconds = metric(done("run", "qsnet-16", program, "--np", 1), "seconds")
    assert seconds == pytest.approx(10_000_000 * turn_ns * 1e-9, rel=0.001)
    doubled = metric(done("run", "qsnet-16", program, "--np", 1, "-s", "host.cpu.clock=1666"), "seconds")
    assert doubled == pytest.approx(seconds / 2, rel=0.001)


def test_without_timing_programs_compute_in_no_time_and_the_manifest_says_so(tmp_path):
    program = compile_program(tmp_path, MPI + DIVISIONS, "-O2")
    result = done("run", "qsnet-16", program, "--np", 1, "-s", "host.cpu.timing=off", "--out", tmp_path / "out")
    assert metric(result, "seconds") < 1e-6
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert "off" in json.dumps(manifest["parameters"]["host.cpu.timing"])


POLLED = """
    static volatile int flag; static volatile double sum;
    shmem_init();
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
      for (int i = 0; i < 100000; ++i) sum += i;
      shmem_int_p((int*)&flag, 1, 1);
      shmem_quiet();
      printf("set %.3f\\n", MPI_Wtime() * 1e6);
    } else {
      long turns = 0;
      while (!flag) TURN;
      printf("seen %.3f %ld\\n", MPI_Wtime() * 1e6, turns);
    }
    shmem_finalize();
    """


@pytest.mark.parametrize("options", [("-O0",), ("-O2",), ("-O3",)])
@pytest.mark.parametrize("turn", ["", "++turns"], ids=["only looks", "counts"])
@pytest.mark.parametrize("where", [(), ("--map", "0,0")], ids=["two nodes", "one node"])
def test_a_loop_that_polls_a_flag_ends_when_another_rank_sets_it(tmp_path, options, turn, where):
    program = compile_program(tmp_path, POLLED, f"-DTURN={turn}", *options, headers=("mpi.h", "shmem.h"))
    result = done("run", "qsnet-16", program, "--np", 2, *where)
    late_us = metric(result, "seen") - metric(result, "set")
    waited_us = metric(result, "set")
    assert -20 < late_us < max(5, waited_us / 16)


@pytest.mark.parametrize("turn", ["++turns", "MPI_Wtime()", "sched_yield()"])
@pytest.mark.parametrize("machine", ["myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36"])
def test_a_loop_that_polls_a_flag_lets_the_library_bring_it_on_machines_whose_cards_do_not(tmp_path, machine, turn):
    headers = ("mpi.h", "shmem.h", "sched.h")
    program = compile_program(tmp_path, POLLED, f"-DTURN={turn}", "-O2", headers=headers)
    result = done("run", machine, program, "--np", 2, "--until", "2s")
    assert metric(result, "seen") < 1.1 * metric(result, "set")


def test_a_spin_without_an_end_is_reported_as_a_rank_that_waits(tmp_path):
    body = MPI + "static volatile int flag; if (rank == 1) while (!flag) {}\n MPI_Finalize();"
    result = sanvp("run", "qsnet-16", compile_program(tmp_path, body, "-O2"), "--np", 2)
    assert result.status == 3
    assert re.search(r"rank 1 on node 1 waits for memory to be written since", result.err)


ENDLESS = MPI + "volatile long turns = 0; if (rank == 1) for (;;) ++turns;\n MPI_Finalize();"


def test_a_rank_in_an_endless_loop_is_named_with_its_place_when_the_time_is_over(tmp_path):
    program = compile_program(tmp_path, ENDLESS, "-O2", "-g")
    result = sanvp("run", "qsnet-16", program, "--np", 2, "--until", "5ms")
    assert result.status == UNTIL_REACHED
    assert re.search(r"rank 1 on node 1 computes, in main\(\) at prog.c:\d+", result.err)
    assert "rank 0 on node 0 waits in MPI_Finalize" in result.err


def test_ctrl_c_names_the_place_of_an_endless_loop(tmp_path):
    command = [SANVP, "run", "qsnet-16", str(compile_program(tmp_path, ENDLESS, "-O2", "-g")), "--np", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        time.sleep(2)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert run.returncode == INTERRUPTED
    # Ctrl-C seldom meets the loop while the simulator has taken over.
    state = r"(: it was running when Ctrl-C was pressed| computes)"
    assert re.search(rf"rank 1 on node 1{state}, in main\(\) at prog.c:\d+", err)


def test_an_alarm_rings_amid_a_loop_that_computes(tmp_path):
    body = (
        MPI
        + """
    signal(SIGALRM, rings); ualarm(500, 0);
    volatile long turns = 0;
    while (!rung) ++turns;
    printf("rang %.1f\\n", MPI_Wtime() * 1e6);
    MPI_Finalize();"""
    )
    source = "static volatile sig_atomic_t rung; static void rings(int s) { (void)s; rung = 1; }\n"
    program = compile_program(tmp_path, body, "-O2", headers=("signal.h", "unistd.h"), before=source)
    rang = metric(done("run", "qsnet-16", program, "--np", 1), "rang")
    assert 500 < rang < 800


WORK = (
    MPI
    + """
    volatile double sum = 0; MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < 2000000; ++i) sum += i;
    double own = MPI_Wtime() - begin, most;
    MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) printf("most %.9g\\n", most);
    MPI_Finalize();"""
)


def test_ranks_that_share_a_cpu_take_turns(tmp_path):
    program = compile_program(tmp_path, WORK, "-O2")
    alone = metric(done("run", "qsnet-16", program, "--np", 1), "most")
    shared = sanvp("run", "qsnet-16", program, "--np", 8, "--map", "0,0,0,0,0,0,0,0", "-s", "host.time_slice=1ms")
    assert shared.status == DONE, shared.err
    assert "node 0 has 8 ranks on 4 CPUs: they take turns" in shared.err
    assert metric(shared, "most") == pytest.approx(2 * alone, rel=0.1)


def test_a_rank_that_waits_gives_its_cpu_to_another(tmp_path):
    body = (
        MPI
        + """
    int word = 0;
    for (int i = 0; i < 20; ++i) {
      if (rank == 0) { MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
                       MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
      else { MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
             MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); }
    }
    if (rank == 0) printf("end %.9g\\n", MPI_Wtime());
    MPI_Finalize();"""
    )
    result = done("run", "qsnet-16", compile_program(tmp_path, body), "--np", 2, "--map", "0,0", "-s", "host.cpus=1")
    assert metric(result, "end") < 0.005  # 40 turns of 10 ms it would be


def test_daemons_take_their_share_of_a_computing_rank(tmp_path):
    program = compile_program(tmp_path, WORK, "-O2")
    alone = metric(done("run", "qsnet-16", program, "--np", 1), "most")
    noise = ("host.noise.daemons=tick", "host.noise.tick.period=100us", "host.noise.tick.duration=20us")
    settings = [word for setting in (*noise, "host.noise.tick.cpus=all") for word in ("-s", setting)]
    disturbed = sanvp("run", "qsnet-16", program, "--np", 1, *settings)
    assert metric(disturbed, "most") == pytest.approx(alone / 0.8, rel=0.02)
    share = float(re.search(r"noise ([\d.]+) %", disturbed.times[0])[1])
    assert 15 < share < 20.5


def test_a_memory_bound_loop_goes_at_the_rate_of_memory_and_ranks_of_a_node_share_it(tmp_path):
    body = (
        MPI
        + """
    enum { N = 4 << 20 };
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *c = malloc(N * sizeof *c);
    for (long i = 0; i < N; ++i) a[i] = b[i] = c[i] = i;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (long i = 0; i < N; ++i) a[i] = b[i] + 3 * c[i]; // STREAM's triad, whose rate memory_rate is
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("MBps %.9g at %g\\n", 3e-6 * N * sizeof *a / (MPI_Wtime() - begin), a[N - 1]);
    MPI_Finalize();"""
    )
    program = compile_program(tmp_path, body, "-O2", headers=("stdlib.h",))
    assert metric(done("run", "qsnet-16", program, "--np", 1), "MBps") == pytest.approx(1150, rel=0.1)
    four = metric(done("run", "qsnet-16", program, "--np", 4, "--map", "block"), "MBps")
    assert 4 * four == pytest.approx(2750, rel=0.1)


def test_the_use_of_time_is_shown_per_job_in_json_and_per_rank(tmp_path):
    program = compile_program(tmp_path, WORK, "-O2")
    result = sanvp("run", "qsnet-16", program, "--np", 2)
    shares = [float(share) for share in re.findall(r"([\d.]+) %", result.times[0])]
    assert sum(shares) == pytest.approx(100, abs=0.3)
    assert shares[0] > 90
    times = done("run", "qsnet-16", program, "--np", 2, "--json", "-").json["jobs"][0]["time"]
    assert times["computing_ns"] / sum(times.values()) == pytest.approx(shares[0] / 100, abs=0.001)


def interval(*arguments: object) -> tuple[float, float]:
    """The bounds of computing, of its mean value."""
    job = done(*arguments, "--json", "-").json["jobs"][0]
    least, most = job["computing_interval_ns"]
    return least / job["time"]["computing_ns"], most / job["time"]["computing_ns"]


def test_computing_has_an_interval_by_the_error_of_counts_of_instructions(tmp_path):
    program = compile_program(tmp_path, WORK, "-O2")
    run = ("run", "qsnet-16", program, "--np", 2)
    assert interval(*run) == pytest.approx((1 / 1.13, 1.13), rel=1e-3)
    assert interval(*run, "-s", "host.cpu.counted.error=0.5") == pytest.approx((1 / 1.5, 1.5), rel=1e-3)
    assert interval(*run, "-s", "host.cpu.counted.error=0") == pytest.approx((1, 1), rel=1e-6)
    result = done(*run, "--out", tmp_path / "out")
    middle, least, most = map(
        float, re.search(r", computing ([\d.]+) ms \(([\d.]+) to ([\d.]+)\);", result.times[0]).groups()
    )
    assert (least / middle, most / middle) == pytest.approx((1 / 1.13, 1.13), rel=0.01)
    with (tmp_path / "out" / "ranks.csv").open() as file:
        for row in csv.DictReader(file):
            bounds = [float(row[f"computing_{name}ns"]) for name in ("least_", "", "most_")]
            assert bounds == pytest.approx([bounds[1] / 1.13, bounds[1], bounds[1] * 1.13], rel=1e-3)


def test_waits_for_memory_have_no_error_of_instructions(tmp_path):
    body = (
        MPI
        + """
    enum { N = 4 << 20 }; double* a = malloc(N * sizeof *a); double sum = 0;
    for (int round = 0; round < 4; ++round) for (long i = 0; i < N; ++i) a[i] = 3 * a[i] + round;
    for (long i = 0; i < N; ++i) sum += a[i];
    printf("%g\\n", sum); MPI_Finalize();"""
    )
    program = compile_program(tmp_path, body, "-O2", headers=("stdlib.h",))
    least, most = interval("run", "qsnet-16", program, "--np", 1)
    assert 0.93 < least < 1 < most < 1.07


def test_what_observes_a_run_changes_nothing_of_it(tmp_path):
    program = compile_program(tmp_path, WORK, "-O2")
    run = ("run", "qsnet-16", program, "--np", 4)
    plain = done(*run).out
    observed = done(*run, "--profile", "--trace", tmp_path / "t.json", "--out", tmp_path / "out").out
    assert observed.startswith(plain)
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    assert any(event.get("name") == "compute" for event in events)
    elsewhere = subprocess.run(
        ["setarch", "-R", SANVP, *map(str, run)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "SOMETHING_ELSE": "x" * 5000},
        check=True,
    )
    assert elsewhere.stdout == plain


def test_a_profile_counts_the_instructions_of_each_function(tmp_path):
    source = "__attribute__((noinline)) static double half(double x) { return x / 2; }\n"
    body = MPI + 'double x = 1; for (int i = 0; i < 1000; ++i) x = half(x); printf("%g\\n", x); MPI_Finalize();'
    program = compile_program(tmp_path, body, "-O1", before=source)
    done("run", "qsnet-16", program, "--np", 3, "--profile", "--out", tmp_path / "out")
    with (tmp_path / "out" / "functions.csv").open() as file:
        rows = {row["function"]: row for row in csv.DictReader(file)}
    calls = 3 * 1000
    assert int(rows["half"]["call"]) == calls  # its return
    assert int(rows["half"]["instructions"]) in (2 * calls, 3 * calls)


def test_an_object_that_is_not_counted_is_named(tmp_path):
    (tmp_path / "solver.c").write_text("int solve(int n) { int s = 0; while (n--) s += n * s + 1; return s; }\n")
    subprocess.run(["gcc", "-c", "-fPIC", "solver.c"], cwd=tmp_path, check=True)
    (tmp_path / "prog.c").write_text("#include <mpi.h>\nint solve(int n);\nint main(void) { return solve(0); }\n")
    subprocess.run([CC, "prog.c", "solver.o", "-o", "prog"], cwd=tmp_path, check=True)
    result = sanvp("run", "qsnet-16", tmp_path / "prog", "--np", 1)
    assert result.err == "note: " + str(
        tmp_path / "prog"
    ) + ": not compiled by sanvp-cc, or assembly, so its computing " + ("takes no time: solver.o\n")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("host.cpu.clock=0", "host.cpu.clock"),
        ("host.cpu.clock=1e-300", "host.cpu.clock"),
        ("host.cpu.float_divied=3", "did you mean 'host.cpu.float_divide'?"),
        ("host.cpu.type=alpha", "there is no cpu 'alpha'; known: alpha_21264a, pentium_2"),
        ("host.cpu.integer=-1", "host.cpu.integer"),
        ("host.cpu.timing=of", "'of'"),
        ("host.noise.daemons=tick -s host.noise.tick.duration=20ms", "below its period"),
        ("host.noise.daemons=tick -s host.noise.tick.period=2ps -s host.noise.tick.duration=1ps", "1 us or more"),
        ("host.noise.daemons=a,a", "names 'a' twice"),
        ("host.noise.daemons=foo", "names 'foo', and there is no section [host.noise.foo]"),
        (
            "host.noise.daemons=a,b -s host.noise.a.duration=5ms -s host.noise.b.duration=5ms",
            "together leave a CPU no time",
        ),
    ],
)
def test_bad_numbers_of_a_cpu_are_refused_by_name(setting, message):
    result = sanvp("run", "qsnet-16", "hello", "--np", 2, "-s", *setting.split())
    assert result.status == USER_MISTAKE
    assert message in result.err


def test_ranks_that_share_a_cpu_pass_the_driver_on_however_short_their_slices_are():
    shared = ("-s", "host.cpus=1", "-s", "host.time_slice=30us")
    assert "PASS" in done("run", "qsnet-16", "cg", "--np", 4, "--map", "0,0,0,0", *shared).out


CLEARED = (
    MPI
    + """
  enum { BYTES = 32 << 20 };
  char* memory = malloc(BYTES);
  memset(memory, 1, BYTES);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  CLEAR;
  printf("rate %.9g\\n", BYTES / (MPI_Wtime() - begin));
  MPI_Finalize();
"""
)


@pytest.mark.parametrize("call", ["memset(memory, rank, BYTES)", "bzero(memory, BYTES)"])
# Memory moves 4/3 of the rates, as STREAM counts 3 of 4 lines, and each line twice: fetched and written back.
@pytest.mark.parametrize(("ranks", "rate"), [(1, 1e9 * 4 / 3 / 2), (4, 0.5e9 * 4 / 3 / 2)])
def test_clearing_much_memory_goes_at_the_rate_of_the_cpu_or_at_what_the_node_shares(tmp_path, ranks, rate, call):
    headers = ("mpi.h", "stdlib.h", "string.h", "strings.h")
    program = compile_program(tmp_path, CLEARED.replace("CLEAR;", f"{call};"), "-O2", "-fno-builtin", headers=headers)
    rates = ("-s", "host.cpu.memory_rate=1000MB/s", "-s", "host.memory_rate=2000MB/s")
    result = done("run", "qsnet-16", program, "--np", ranks, "--map", ",".join("0" * ranks), *rates)
    measured = [float(text) for text in re.findall(r"rate (\S+)", result.out)]
    assert measured == [pytest.approx(rate, rel=0.02)] * ranks


RUNG = """
  static int depth, deepest, rings;
  void ring(int number) {
    ++depth, ++rings;
    if (depth > deepest) deepest = depth;
    for (volatile int i = 0; i < 100000; ++i) continue;
    if (rings == 5) ualarm(0, 0);
    --depth;
  }
"""


def test_an_alarm_waits_until_its_handler_has_come_to_its_end(tmp_path):
    body = """
      static const struct itimerval often = {{0, 100}, {0, 100}};
      signal(SIGALRM, ring);
      setitimer(ITIMER_REAL, &often, NULL);
      while (rings < 5) pause();
      printf("deepest %d\\n", deepest);
    """
    program = compile_program(tmp_path, body, "-O2", headers=("signal.h", "sys/time.h", "unistd.h"), before=RUNG)
    assert metric(done("run", "qsnet-16", program, "--np", 1), "deepest") == 1


def test_a_handler_that_leaves_by_siglongjmp_is_called_again(tmp_path):
    before = "static sigjmp_buf back; void ring(int number) { siglongjmp(back, 1); }"
    body = """
      static volatile int rings;
      signal(SIGALRM, ring);
      if (sigsetjmp(back, 1)) ++rings;
      ualarm(100, 0);
      while (rings < 3) pause();
      ualarm(0, 0);
      printf("rings %d\\n", rings);
    """
    program = compile_program(tmp_path, body, "-O2", headers=("setjmp.h", "signal.h", "unistd.h"), before=before)
    assert metric(done("run", "qsnet-16", program, "--np", 1), "rings") == 3


def test_code_of_shared_libraries_and_assembly_that_is_not_counted_is_named(tmp_path):
    (tmp_path / "solver.c").write_text("int solve(int n) { return n * n; }\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "solver.c", "-o", "libsolver.so"], cwd=tmp_path, check=True)
    (tmp_path / "twice.S").write_text(
        ".macro give\nlea (%rdi,%rdi), %eax\nret\n.endm\n.text\n.globl twice\ntwice: give\n"
    )
    calls = "int solve(int n), twice(int n);\nint main(void) { return twice(solve(0)); }\n"
    (tmp_path / "prog.c").write_text("#include <mpi.h>\n" + calls)
    linked = ("-L.", "-lsolver", f"-Wl,-rpath,{tmp_path}")
    subprocess.run([CC, "prog.c", "twice.S", "-o", "prog", *linked], cwd=tmp_path, check=True)
    result = sanvp("run", "qsnet-16", tmp_path / "prog", "--np", 1)
    assert result.status == DONE, result.err
    assert result.err.endswith("takes no time: a source in assembly, libsolver.so\n")
