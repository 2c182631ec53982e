"""Files: MPI's calls compared with plain POSIX, the time of the disk in closed form, I/O nodes on the network."""

from __future__ import annotations

import csv
import shutil
import subprocess
from pathlib import Path

import pytest
from program import SANVP, USER_MISTAKE, Result, done, sanvp

HOST_PROGRAM_FAILED = 4
IMAGES = Path(SANVP).parent / "sw" / "tests"
MACHINES = [("qsnet-16", 4), ("qsnet-16", 16), ("myrinet-8", 8), ("tofu-36", 7)]
CALLS = pytest.mark.parametrize("program", ["mpi_files", "mpi_file_views", "mpi_file_shared"])
DISK = ("-s", "host.disk.type=disk")
SEEK, OVERHEAD, PER_BYTE = 5_200_000 + 2_990_000, 300_000, 50  # ns: the defaults; 20 MB/s
MIB, PIECE = 1 << 20, 1 << 16
SLACK = 20_000  # ns: what the processor does around a request


def io_nodes(nodes: str, *more: str) -> tuple[str, ...]:
    return (*DISK, "-s", f"io.nodes={nodes}", *more)


def run(folder: Path, machine: str, program: str, ranks: int, *arguments: object, options=()) -> Result:
    image = IMAGES / f"{program}.so"
    return sanvp("run", machine, image, "--np", ranks, *options, "--", *arguments, cwd=folder, timeout=300)


def passes(folder: Path, machine: str, program: str, ranks: int, *arguments: object, options=()) -> None:
    result = run(folder, machine, program, ranks, *arguments, options=options)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out
    left = [path for path in folder.iterdir() if path.name != "results"]
    assert left == []  # no file of a shared pointer, either


def statistics(folder: Path) -> dict[tuple[str, str], float]:
    with (folder / "results" / "stats.csv").open(encoding="utf-8") as file:
        return {(row["path"], row["name"]): float(row["value"]) for row in csv.DictReader(file)}


# ---- what MPI's calls do ----
@CALLS
@pytest.mark.parametrize(("machine", "ranks"), [*MACHINES, ("qsnet-16", 1), ("qsnet-16", 2), ("gcel-64", 3)])
def test_files_do_what_the_standard_says(tmp_path, machine, ranks, program):
    passes(tmp_path, machine, program, ranks)


@CALLS
@pytest.mark.parametrize("options", [DISK, (*DISK, "-s", "host.disk.buffer=64KiB")], ids=["disk", "buffer"])
@pytest.mark.parametrize(("machine", "ranks"), MACHINES)
def test_they_do_so_where_they_take_time(tmp_path, machine, ranks, options, program):
    passes(tmp_path, machine, program, ranks, options=options)


@CALLS
@pytest.mark.parametrize(
    ("machine", "ranks", "nodes"), [("qsnet-16", 6, "15"), ("qsnet-16", 8, "3,7,11"), ("myrinet-8", 4, "6-7")]
)
def test_they_do_so_on_io_nodes(tmp_path, machine, ranks, nodes, program):
    passes(tmp_path, machine, program, ranks, options=io_nodes(nodes))


@pytest.mark.parametrize(
    ("machine", "ranks", "nodes"), [("qsnet-16", 6, "15"), ("qsnet-16", 8, "3,7,11"), ("myrinet-8", 4, "6-7")]
)
def test_random_accesses_on_io_nodes_leave_the_bytes_of_a_model(tmp_path, machine, ranks, nodes):
    passes(tmp_path, machine, "mpi_file_storm", ranks, 10, 4, options=io_nodes(nodes, "-s", "io.stripe=1KiB"))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("machine", "ranks"), [*MACHINES, ("qsnet-16", 1), ("macrame-clos-64", 5)])
def test_random_views_and_accesses_leave_the_bytes_of_a_model(tmp_path, machine, ranks, seed):
    passes(tmp_path, machine, "mpi_file_storm", ranks, 30, seed)


@pytest.mark.parametrize(("machine", "ranks"), MACHINES)
def test_they_do_so_where_files_take_time(tmp_path, machine, ranks):
    passes(tmp_path, machine, "mpi_file_storm", ranks, 20, 7, options=DISK)


def test_they_do_so_where_ranks_share_nodes(tmp_path):
    passes(tmp_path, "qsnet-16", "mpi_file_storm", 7, 20, 8, options=(*DISK, "--map", "0,0,0,1,1,2,0"))


# ---- times of the disk ----
def times(folder: Path, *options: str, ranks: int = 1) -> list[dict[str, float]]:
    """Of each rank, in ns by step; of a step that comes twice the first time."""
    out = done("run", "qsnet-16", IMAGES / "file_times.so", "--np", ranks, *options, cwd=folder).out
    found: list[dict[str, float]] = [{} for _ in range(ranks)]
    for line in out.splitlines():
        rank, name, value = line.split()
        found[int(rank.strip("[]"))].setdefault(name, float(value))
    return found


def test_accesses_take_the_time_of_their_requests(tmp_path):
    (with_disk,), (without,) = times(tmp_path, *DISK), times(tmp_path)
    requests = {  # how many, positionings, bytes that pass
        "once_write": (1, 1, MIB),
        "once_read": (1, 1, MIB),
        "pieces_write": (16, 1, MIB),
        "pieces_read": (16, 1, MIB),
        "backwards": (16, 16, MIB),
        "with_gaps": (8, 1, 15 * PIECE),
        "vectors": (2, 2, 4 * PIECE),
        "sync": (0, 0, 0),
        "stdio_write": (256, 1, MIB),
        "stdio_read": (256, 1, MIB),
        "stdio_bytes": (4, 1, 4 * 4096),
        "stdio_text": (3, 1, 8000 + 7),
        "stdio_seek": (2, 1, 10000 % 4096 + 4096),
        "free": (0, 0, 0),
    }
    assert set(with_disk) == set(requests)
    for name, (count, positionings, passing) in requests.items():
        expected = without[name] + count * OVERHEAD + positionings * SEEK + passing * PER_BYTE
        assert with_disk[name] == pytest.approx(expected, abs=SLACK), name


def test_without_a_disk_an_access_takes_the_time_of_its_instructions_alone(tmp_path):
    (found,) = times(tmp_path)
    assert found["once_write"] < 1000
    assert found["pieces_read"] < 1000


def test_processes_of_a_node_take_turns_at_its_disk_and_those_of_other_nodes_do_not_wait(tmp_path):
    alone = SEEK + OVERHEAD + MIB * PER_BYTE
    first, second = times(tmp_path, *DISK, "--map", "0,0", ranks=2)
    assert sorted([first["once_write"], second["once_write"]]) == [
        pytest.approx(alone, abs=SLACK),
        pytest.approx(2 * alone, abs=SLACK),
    ]
    first, second = times(tmp_path, *DISK, "--map", "0,1", ranks=2)
    assert [first["once_write"], second["once_write"]] == [pytest.approx(alone, abs=SLACK)] * 2


def test_a_write_that_fits_into_the_buffer_does_not_wait(tmp_path):
    (found,) = times(tmp_path, *DISK, "-s", "host.disk.buffer=2MiB")
    assert found["once_write"] < SLACK
    assert found["pieces_write"] < SLACK
    assert found["once_read"] == pytest.approx(SEEK + OVERHEAD + MIB * PER_BYTE, abs=SLACK)


def test_parameters_of_the_disk_count(tmp_path):
    disk = (*DISK, "-s", "host.disk.seek=1ms", "-s", "host.disk.rotation=2ms", "-s", "host.disk.overhead=1us")
    (found,) = times(tmp_path, *disk, "-s", "host.disk.rate=100MB/s")
    assert found["once_read"] == pytest.approx(3_001_000 + MIB * 10, abs=SLACK)


def test_statistics_tell_what_a_disk_has_done(tmp_path):
    done("run", "qsnet-16", IMAGES / "mpi_file_times.so", "--np", 2, *DISK, "--out", "results", "--", "stream", 100000,
         "write", cwd=tmp_path)  # fmt: skip
    found = statistics(tmp_path)
    for node in (0, 1):
        disk = f"node {node}.disk"
        assert (found[disk, "writes"], found[disk, "seeks"], found[disk, "reads"]) == (1, 1, 0)
        assert found[disk, "bytes_written"] == 100000
        assert found[disk, "busy_ns"] == SEEK + OVERHEAD + 100000 * PER_BYTE


# ---- times of MPI's accesses ----
def elapsed(folder: Path, machine: str, ranks: int, *arguments: object, options=DISK) -> float:
    image = IMAGES / "mpi_file_times.so"
    result = done("run", machine, image, "--np", ranks, *options, "--json", "-", "--", *arguments, cwd=folder)
    return result.json["elapsed_ns"]


def test_a_process_computes_while_its_nonblocking_access_goes_on(tmp_path):
    request = SEEK + OVERHEAD + 1_000_000 * PER_BYTE
    assert elapsed(tmp_path, "qsnet-16", 2, "overlap", 10) == pytest.approx(request, abs=SLACK)
    assert elapsed(tmp_path, "qsnet-16", 2, "overlap", 90) == pytest.approx(90e6, rel=0.01)


@pytest.mark.parametrize(("machine", "ranks"), [("qsnet-16", 4), ("myrinet-8", 4), ("tofu-36", 4)])
def test_two_phases_make_few_large_requests_of_many_small_ones(tmp_path, machine, ranks):
    block, count = 512, 256  # 4 x 128 KiB, dealt in blocks
    alone = elapsed(tmp_path, machine, ranks, "cyclic", block, count, "false")
    gaps = (ranks * count - (ranks - 1)) * block  # from the first block to the last
    assert alone == pytest.approx(count * OVERHEAD + SEEK + gaps * PER_BYTE, rel=0.01)
    together = elapsed(tmp_path, machine, ranks, "cyclic", block, count, "true")
    request = SEEK + OVERHEAD + block * count * PER_BYTE
    assert request < together < request + 30e6
    automatic = elapsed(tmp_path, machine, ranks, "cyclic", block, count, "automatic")
    assert automatic == pytest.approx(together, rel=1e-3)  # the texts of the hints differ in length


# ---- I/O nodes ----
def test_the_bytes_of_files_cross_the_network_to_the_io_nodes(tmp_path):
    size, ranks = 1 << 20, 4
    program = (IMAGES / "mpi_file_times.so", "--np", ranks)
    plain = done("run", "qsnet-16", *program, *DISK, "--json", "-", "--", "stream", size, "write", cwd=tmp_path).json
    result = done("run", "qsnet-16", *program, *io_nodes("14,15"), "--json", "-", "--out", "results", "--", "stream",
                  size, "write", cwd=tmp_path).json  # fmt: skip
    assert result["packets"] - plain["packets"] > ranks * size / 320  # most_payload of a packet
    found = statistics(tmp_path)
    assert ("node 0.disk", "writes") not in found
    for node in (14, 15):  # every second stripe of 64 KiB
        assert found[f"node {node}.disk", "bytes_written"] == ranks * size / 2
        assert found[f"node {node}.disk", "writes"] == ranks * size / PIECE / 2
        assert (
            found[f"node {node}.pci", "bytes_from_device"] + found[f"node {node}.pci", "bytes_to_device"]
            > ranks * size / 2
        )


@pytest.mark.parametrize("way", ["read", "write"])
@pytest.mark.parametrize("servers", ["15", "12,13,14,15"])
def test_the_disks_of_io_nodes_limit_the_rate(tmp_path, way, servers):
    size, ranks, count = 1 << 20, 4, len(servers.split(","))
    requests = ranks * size / PIECE / count  # on each disk
    least = requests * OVERHEAD + ranks * size / count * PER_BYTE + SEEK
    most = least + requests * SEEK  # if each of them had to seek
    measured = elapsed(tmp_path, "qsnet-16", ranks, "stream", size, way, options=io_nodes(servers))
    assert measured > least / 2  # the mean over the ranks, whose requests are served in turn
    assert measured < most + 20e6


def test_a_fast_disk_leaves_the_network_as_the_limit(tmp_path):
    fast = ("-s", "host.disk.seek=0ns", "-s", "host.disk.rotation=0ns", "-s", "host.disk.overhead=0ns",
            "-s", "host.disk.rate=100GB/s")  # fmt: skip
    size = 4 << 20
    measured = elapsed(tmp_path, "qsnet-16", 1, "stream", size, "write", options=io_nodes("15", *fast))
    rate = size / measured * 1e3  # MB/s
    assert 100 < rate < 340  # the card's: 335 MB/s on the link, less for bus and messages


def test_ranks_are_placed_on_the_other_nodes_unless_the_map_names_io_nodes(tmp_path):
    image = IMAGES / "mpi_file_times.so"
    command = ("run", "myrinet-8", image, *io_nodes("0,1"), "--out", "results", "--", "stream", 4096, "write")
    done(*command, cwd=tmp_path)
    with (tmp_path / "results" / "ranks.csv").open(encoding="utf-8") as file:
        assert [int(row["node"]) for row in csv.DictReader(file)] == list(range(2, 32))
    passes(tmp_path, "myrinet-8", "mpi_files", 3, options=io_nodes("0,1", "--map", "0,1,2"))
    passes(tmp_path, "myrinet-8", "mpi_files", 8, options=io_nodes("0,1", "-s", "io.dedicated=no"))


# ---- mistakes ----
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["host.disk.rate=1MB/s"], ("host.disk.rate", "set host.disk.type=disk")),
        (["host.disk.type=dsik"], ("host.disk.type", "disk")),
        (["host.disk.type=disk", "host.disk.rate=0MB/s"], ("host.disk.rate", "the rate must be above 0")),
        (["io.nodes=3"], ("io.nodes", "set host.disk.type=disk")),
        (["host.disk.type=disk", "io.nodes=16"], ("io.nodes", "the machine has nodes 0 to 15")),
        (["host.disk.type=disk", "io.nodes=1,1"], ("io.nodes", "names node 1 twice")),
        (["host.disk.type=disk", "io.nodes=few"], ("io.nodes", "'few' is not the number of a node")),
        (["host.disk.type=disk", "io.nodes=0-15"], ("io.nodes", "no node is left for ranks")),
        (["host.disk.type=disk", "io.nodes=1", "io.stripe=0B"], ("io.stripe", "1 byte to 64 MiB")),
    ],
)
def test_a_wrong_setting_is_an_error_with_its_place_and_its_cure(settings, words):
    options = [option for setting in settings for option in ("-s", setting)]
    result = sanvp("run", "qsnet-16", IMAGES / "mpi_files.so", "--np", 2, *options)
    assert result.status == USER_MISTAKE
    for word in words:
        assert word in result.err


def test_a_program_without_mpi_cannot_reach_files_on_io_nodes(tmp_path):
    result = sanvp("run", "qsnet-16", IMAGES / "file_times.so", "--np", 1, *io_nodes("15"), cwd=tmp_path)
    assert result.status == HOST_PROGRAM_FAILED
    assert "link the program with MPI" in result.err
    result = sanvp("run", "qsnet-16", IMAGES / "shmem_rma.so", "--np", 2, *io_nodes("15"), cwd=tmp_path)
    assert result.status == HOST_PROGRAM_FAILED
    assert "shmem_init" in result.err
    assert "io.nodes" in result.err


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        ("no_file", ("MPI_File_open", "no/such: No such file or directory (MPI_ERR_NO_SUCH_FILE)")),
        ("read_only", ("MPI_File_write_at", "open with MPI_MODE_RDONLY (MPI_ERR_READ_ONLY)")),
        ("two_ways", ("MPI_File_open", "must have one of MPI_MODE_RDONLY", "(MPI_ERR_AMODE)")),
        ("closed", ("MPI_File_get_size", "the file has been closed")),
        ("not_begun", ("MPI_File_read_all_end", "call its MPI_File_..._begin first")),
        ("decreasing", ("MPI_File_set_view", "has displacements that decrease (MPI_ERR_TYPE)")),
        ("uncommitted", ("MPI_File_set_view", "call MPI_Type_commit first")),
        ("before_init", ("MPI_File_delete", "call MPI_Init first")),
    ],
)
def test_with_a_fatal_handler_a_mistake_ends_the_job_with_its_call_and_its_cause(tmp_path, mistake, words):
    result = run(tmp_path, "qsnet-16", "mpi_file_mistakes", 2, mistake)
    assert result.status == HOST_PROGRAM_FAILED, result.err + result.out
    for word in words:
        assert word in result.err


# ---- programs of RISC-V ----
PLAIN = """
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static char data[1 << 20];

static double ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

int main(void) {
  const int file = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
  const double start = ns();
  const ssize_t bytes = write(file, data, sizeof data);
  printf("%.0f\\n", ns() - start);
  unlink("data");
  return bytes == sizeof data ? 0 : 1;
}
"""


@pytest.mark.skipif(shutil.which("riscv64-linux-gnu-gcc") is None, reason="no compiler for RV64: scripts/install riscv")
def test_a_program_of_riscv_waits_for_the_same_disk(tmp_path):
    (tmp_path / "prog.c").write_text(PLAIN)
    subprocess.run(["riscv64-linux-gnu-gcc", "-static", "-O2", "prog.c", "-o", "prog"], cwd=tmp_path, check=True)
    run_of_it = ("run", "qsnet-16", "./prog", "--np", 1)
    without, with_disk = (float(done(*run_of_it, *options, cwd=tmp_path).out.split()[-1]) for options in ((), DISK))
    assert with_disk - without == pytest.approx(SEEK + OVERHEAD + MIB * PER_BYTE, abs=SLACK)
    refused = sanvp(*run_of_it, *io_nodes("15"), cwd=tmp_path)
    assert refused.status == HOST_PROGRAM_FAILED
    assert "link the program with MPI" in refused.err
