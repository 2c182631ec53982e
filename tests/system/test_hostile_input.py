"""Input that makes no sense ends with a message that names it, and never with a fault of the program itself."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import time
from pathlib import Path

import pytest
from compiled import MACHINE, PROGRAM_FAILED, compile_program
from program import DEADLOCK, DONE, SANVP, UNTIL_REACHED, USER_MISTAKE, done, sanvp


@pytest.mark.parametrize("job", ["hello \\", 'hello "', "hello 'a"])
def test_a_job_with_an_open_escape_or_quote_is_a_mistake_or_read_to_its_end(job):
    result = sanvp("run", MACHINE, "hello", "--np", 1, "--job", job)
    assert result.status in (DONE, USER_MISTAKE)
    if job.endswith("\\"):
        assert result.status == USER_MISTAKE
        assert "--job: 'hello \\'" in result.err


@pytest.mark.parametrize("name", ["a" * 300, "./" + "a" * 300, "a" * 5000, "a/" * 3000])
def test_a_program_name_that_no_file_system_takes_names_no_program(name):
    result = sanvp("run", MACHINE, name)
    assert result.status == USER_MISTAKE
    assert "there is no program" in result.err
    result = sanvp("run", MACHINE, "hello", "--np", 1, "--job", name)
    assert result.status == USER_MISTAKE


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "macrame-grid-64"])
def test_a_time_of_the_machine_that_sums_would_overflow_is_refused(machine):
    result = sanvp("traffic", machine, "uniform", "--packets", 50, "-s", "link.tail_time=9000000s")
    assert result.status == USER_MISTAKE
    assert "link.tail_time: '9000000s' is more than 1000s" in result.err


def test_a_switch_slower_than_the_run_is_refused_or_runs_into_until():
    few = ("traffic", "macrame-grid-64", "uniform", "--load", 0.2, "--packets", 50, "--until", "200us")
    refused = sanvp(*few, "-s", "switch.crossbar=5000000s", timeout=10)
    assert refused.status == USER_MISTAKE
    assert "switch.crossbar: '5000000s' is more than 1000s" in refused.err
    slow = sanvp(*few, "-s", "switch.crossbar=1000s", "--json", "-", timeout=10)
    assert slow.status == UNTIL_REACHED
    assert slow.json["packets"] == 0


@pytest.mark.parametrize("load", ["1e-9B/s", "1e-3B/s", "1e-300B/s"])
@pytest.mark.parametrize("pattern", ["multiple-hot-spots", "uniform"])
def test_a_load_so_low_that_time_ends_before_the_packets_says_so(pattern, load):
    result = sanvp("traffic", MACHINE, pattern, "--load", load)
    assert result.status == USER_MISTAKE
    assert "simulated time ends after 106 days" in result.err


HIGH = ["1e12GB/s", "9223372036854775807MB/s"]


@pytest.mark.parametrize(
    ("pattern", "load"),
    [*(("gossip", load) for load in HIGH), *(("uniform", load) for load in (*HIGH, "100MB/s,1e12GB/s@3us"))],
)
def test_a_load_so_high_that_time_would_stand_still_is_refused(pattern, load):
    result = sanvp("traffic", MACHINE, pattern, "--load", load, "--packets", 50, timeout=10)
    assert result.status == USER_MISTAKE
    assert "is more than a message per picosecond" in result.err


@pytest.mark.parametrize(("pattern", "line"), [("mix", "a uniform all 1e12GB/s 64"), ("matrix", "0 1 1e12GB/s 64")])
def test_a_rate_of_a_list_so_high_that_time_would_stand_still_is_refused(tmp_path, pattern, line):
    (tmp_path / "list").write_text(line + "\n")
    result = sanvp("traffic", MACHINE, pattern, "--file", tmp_path / "list", timeout=10)
    assert result.status == USER_MISTAKE
    assert f"{tmp_path / 'list'}:1: that is more than a message per picosecond" in result.err


def test_probes_that_come_faster_than_their_link_takes_them_are_refused():
    result = sanvp("traffic", MACHINE, "uniform", "--probe-interval", "1ps", timeout=10)
    assert result.status == USER_MISTAKE
    assert "'1ps' is less than the 940ns that a probe occupies its link" in result.err


def test_a_series_of_more_intervals_than_a_table_should_have_is_refused(tmp_path):
    result = sanvp("traffic", MACHINE, "uniform", "-s", "traffic.series=1ps", "--out", tmp_path / "out")
    assert result.status == USER_MISTAKE
    assert "choose wider ones" in result.err


def test_a_sleep_beyond_the_end_of_simulated_time_is_no_deadlock(tmp_path):
    body = "struct timespec t = {10000000, 0}; if (hal_rank() == 1) nanosleep(&t, NULL); return 0;"
    program = compile_program(tmp_path, body, "-D_GNU_SOURCE", headers=("time.h",))
    result = sanvp("run", MACHINE, program, "--np", 2, "--out", tmp_path / "out", "--json", "-")
    assert result.status == UNTIL_REACHED
    assert "simulated time ends after 106 days" in result.err
    assert "rank 1 on node 1 waits for the end of its sleep" in result.err
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["status"] == result.json["status"] == "until reached"


def test_ranks_that_wait_for_nothing_hang_in_text_json_and_manifest(tmp_path):
    body = "int n; MPI_Init(0, 0); MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
    result = sanvp("run", MACHINE, compile_program(tmp_path, body), "--np", 2, "--out", tmp_path / "out", "--json", "-")
    assert result.status == DEADLOCK
    assert "nothing more can happen, and there are ranks that wait" in result.err
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["status"] == result.json["status"] == "hangs"
    assert manifest["message"] == result.json["message"]


def test_packets_that_a_failed_link_loses_are_named_and_are_not_called_saturation():
    # It leads down from a switch of level 1, which others go on to climb to: routes are those of the beginning.
    broken = ("traffic", "qsnet-64", "uniform", "--load", 0.1, "--packets", 2000, "--fault", "1ns link 64 down")
    numbers = done(*broken, "--json", "-").json
    assert numbers["verdict"] == "packets lost"
    assert numbers["lost_packets"] > 0
    text = done(*broken).out
    assert "  packets lost\n" in text
    assert f"{numbers['lost_packets']} packets lost" in text


def test_corrupt_packets_are_named():
    noisy = ("traffic", "macrame-grid-64", "uniform", "--packets", 500, "-s", "link.bit_error_rate=1e-5")
    numbers = done(*noisy, "--json", "-").json
    assert numbers["corrupt_packets"] > 0
    assert f"{numbers['corrupt_packets']} packets corrupt" in done(*noisy).out


def test_the_backlog_past_saturation_takes_no_memory():
    command = [SANVP, "traffic", "myrinet-8", "uniform", "--load", "1.0", "--packets", "1000000"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == DONE
    assert usage.ru_maxrss < 60_000  # KiB; each message kept took 400 MB


def test_a_sweep_that_is_killed_leaves_the_loads_it_has_finished(tmp_path):
    command = [SANVP, "traffic", "qsnet-64", "uniform", "--load", "0.05:0.95:0.05", "--packets", "200000"]
    process = subprocess.Popen([*command, "--out", tmp_path / "out"], stderr=subprocess.DEVNULL)
    table = tmp_path / "out" / "latency.csv"
    try:
        end = time.monotonic() + 60
        while not table.exists() or len(table.read_text().splitlines()) < 3:
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
    finally:
        process.kill()
        process.wait()
    assert [line.split(",")[0] for line in table.read_text().splitlines()[:3]] == ["load", "0.05", "0.1"]
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["status"] == "running"


def damaged(image: bytes, kind: int, field: int, value: int) -> bytes:
    """With one field of the first program header of that kind another."""
    changed = bytearray(image)
    table, count = struct.unpack_from("<Q", image, 32)[0], struct.unpack_from("<H", image, 56)[0]
    for at in range(table, table + 56 * count, 56):
        if struct.unpack_from("<I", image, at)[0] == kind:
            struct.pack_into("<Q", changed, at + field, value)
            return bytes(changed)
    raise AssertionError


LOAD, DYNAMIC, OFFSET, ADDRESS, IN_FILE, IN_MEMORY = 1, 2, 8, 16, 32, 40


@pytest.mark.parametrize(
    ("kind", "field", "value", "message"),
    [
        (LOAD, OFFSET, 1 << 40, "is cut off"),
        (LOAD, ADDRESS, 1 << 60, " is larger than memory"),
        (LOAD, ADDRESS, 0x123, "is not aligned as its pages are"),
        (LOAD, ADDRESS, 1 << 30, "lies over the one before"),
        (LOAD, IN_MEMORY, 1, "is larger in the file than in memory"),
        (DYNAMIC, IN_FILE, 0, "it has a dynamic table without an end"),
        (DYNAMIC, OFFSET, 1 << 50, "it has a dynamic table without an end"),
    ],
)
def test_the_damage_of_a_program_is_named(tmp_path, kind, field, value, message):
    image = (Path(SANVP).parent / "sw/apps/hello.so").read_bytes()
    (tmp_path / "program").write_bytes(damaged(image, kind, field, value))
    result = sanvp("run", MACHINE, tmp_path / "program", "--np", 1)
    assert result.status == USER_MISTAKE
    assert message in result.err


def test_a_program_on_which_the_systems_loader_crashes_is_refused(tmp_path):
    image = bytearray((Path(SANVP).parent / "sw/apps/hello.so").read_bytes())
    table, count = struct.unpack_from("<Q", image, 32)[0], struct.unpack_from("<H", image, 56)[0]
    headers = [struct.unpack_from("<IIQQQQQQ", image, at) for at in range(table, table + 56 * count, 56)]
    offset, size = next((header[2], header[5]) for header in headers if header[0] == DYNAMIC)
    string_table, hash_table, gnu_hash = 5, 4, 0x6FFFFEF5
    for at in range(offset, offset + size, 16):
        tag = struct.unpack_from("<Q", image, at)[0]
        if tag in (hash_table, gnu_hash, string_table):  # inside a segment, and no such table
            struct.pack_into("<Q", image, at + 8, headers[0][3] + 3)
    (tmp_path / "program").write_bytes(image)
    result = sanvp("run", MACHINE, tmp_path / "program", "--np", 1)
    assert result.status == USER_MISTAKE
    assert "cannot be loaded: " in result.err


def test_a_crash_of_a_constructor_that_has_begun_mpi_is_that_of_the_rank(tmp_path):
    (tmp_path / "p.cpp").write_text(
        "#include <mpi.h>\nstruct World { World() { MPI_Init(nullptr, nullptr); *(volatile int*)8 = 1; } } world;\n"
        "int main() {}\n"
    )
    subprocess.run([Path(SANVP).with_name("sanvp-c++"), "p.cpp", "-o", "program"], cwd=tmp_path, check=True)
    result = sanvp("run", MACHINE, tmp_path / "program", "--np", 2)
    assert result.status == PROGRAM_FAILED
    assert "rank 0 on node 0: segmentation fault at address 0x8" in result.err


def test_what_mpi_allows_at_any_time_may_be_called_in_constructors_and_destructors(tmp_path):
    (tmp_path / "p.c").write_text(
        "#include <mpi.h>\n#include <stdio.h>\nstatic int began, ended, version, minor, length;\n"
        "static char name[MPI_MAX_LIBRARY_VERSION_STRING];\n"
        "__attribute__((constructor)) static void early(void) {\n  MPI_Initialized(&began), MPI_Finalized(&ended);\n"
        "  MPI_Get_version(&version, &minor), MPI_Get_library_version(name, &length);\n}\n"
        '__attribute__((destructor)) static void late(void) { MPI_Finalized(&ended), printf("ended %d\\n", ended); }\n'
        "int main(int argc, char** argv) {\n  MPI_Init(&argc, &argv);\n"
        '  printf("%d %d %d\\n", began, ended, version);\n  return MPI_Finalize();\n}\n'
    )
    subprocess.run([Path(SANVP).with_name("sanvp-cc"), "p.c", "-o", "program"], cwd=tmp_path, check=True)
    for option in ((), ("--check-mpi",)):
        result = sanvp("run", MACHINE, tmp_path / "program", "--np", 1, *option)
        assert (result.status, result.out) == (0, "[0] 0 0 3\n[0] ended 1\n"), result.err


def test_a_constructor_that_crashes_is_reported(tmp_path):
    (tmp_path / "p.cpp").write_text("int* p; struct A { A() { *p = 1; } } a;\nint main() {}\n")
    subprocess.run([Path(SANVP).with_name("sanvp-c++"), "p.cpp", "-o", "program"], cwd=tmp_path, check=True)
    result = sanvp("run", MACHINE, tmp_path / "program", "--np", 1)
    assert result.status == USER_MISTAKE
    assert "crashes while it is loaded: segmentation fault at address 0" in result.err
