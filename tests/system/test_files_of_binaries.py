"""Files of programs of RISC-V: on disks and on I/O nodes they are as those of native programs (test_files)."""

from __future__ import annotations

import json
import re

import pytest
from binaries import BUILD, SOURCES, needs_compilers, wrapper
from program import PROJECT, done

pytestmark = needs_compilers

DISK = ("-s", "host.disk.type=disk")
CALLS = ("mpi_files", "mpi_file_views", "mpi_file_shared")
IMAGES = (*CALLS, "mpi_file_storm", "mpi_file_times")
MIB, PIECE, OVERHEAD, PER_BYTE, SEEK = 1 << 20, 1 << 16, 300_000, 50, 8_190_000  # ns: test_files


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    sources = {name: PROJECT / "tests" / "images" / f"{name}.c" for name in IMAGES} | {"io": SOURCES / "io.c"}
    for name, source in sources.items():
        made = wrapper("sanvp-cc", "--target", "riscv64", "-pthread", "-I", PROJECT, source, "-o", name, cwd=folder)
        assert (made.returncode, made.stderr) == (0, "")
    return folder


def output(folder, program, machine, ranks, *options, arguments=()):
    out = done("run", machine, program, "--np", ranks, *options, "--", *arguments, cwd=folder).out
    assert list(folder.iterdir()) == []
    return out


@pytest.mark.parametrize("program", CALLS)
@pytest.mark.parametrize(
    ("machine", "nodes"),
    [("qsnet-16", "3,7,11"), ("myrinet-8", "6-7"), ("tofu-36", "6-7"), ("macrame-clos-64", "6"), ("moc-2-1", "6"),
     ("gcel-64", "6")],
)  # fmt: skip
def test_files_on_io_nodes_do_what_the_standard_says(tmp_path, programs, machine, nodes, program):
    options = (*DISK, "-s", f"io.nodes={nodes}")
    assert "PASS" in output(tmp_path, programs / program, machine, 4, *options)


def test_random_accesses_leave_the_bytes_of_a_model(tmp_path, programs):
    options = (*DISK, "-s", "io.nodes=14,15", "-s", "io.stripe=1KiB")
    assert "PASS" in output(tmp_path, programs / "mpi_file_storm", "qsnet-16", 6, *options, arguments=(10, 4))


@pytest.mark.parametrize("program", CALLS)
@pytest.mark.parametrize("options", [(), DISK], ids=["free", "disk"])
def test_files_of_the_node_do_what_the_standard_says(tmp_path, programs, options, program):
    assert "PASS" in output(tmp_path, programs / program, "qsnet-16", 4, *options)


@pytest.mark.parametrize("way", [(), ("threads",)], ids=["", "threads"])
@pytest.mark.parametrize("options", [(), DISK, (*DISK, "-s", "io.nodes=12-15")], ids=["free", "disk", "nodes"])
def test_streams_and_posix_read_what_they_wrote(tmp_path, programs, options, way):
    out = output(tmp_path, programs / "io", "qsnet-16", 4, *options, arguments=way)
    assert out.count("wrong with files: 0") == 4


def test_a_write_takes_the_time_of_the_servers_disk_and_of_the_network(tmp_path, programs):
    out = output(tmp_path, programs / "io", "qsnet-16", 1, *DISK, "-s", "io.nodes=15")
    took = float(re.search(r"took (\d+)", out)[1])
    of_disk = SEEK + MIB // PIECE * OVERHEAD + MIB * PER_BYTE
    assert of_disk < took < of_disk + 2e6  # the disk works while data arrive


@pytest.mark.parametrize(
    ("options", "seeks"),  # which may differ: the order in which each of two servers gets the requests of four ranks
    [(DISK, 0), ((*DISK, "-s", "io.nodes=14,15"), 8)],
    ids=["disk", "nodes"],
)
@pytest.mark.parametrize("arguments", [("stream", MIB, "write"), ("cyclic", 512, 256, "automatic"), ("overlap", 90)])
def test_accesses_by_mpi_take_as_long_as_those_of_a_native_program(tmp_path, programs, options, seeks, arguments):
    def elapsed(program):
        line = output(tmp_path, program, "qsnet-16", 4, *options, "--json", "-", arguments=arguments)
        return json.loads(line)["elapsed_ns"]

    native = elapsed(BUILD / "sw" / "tests" / "mpi_file_times.so")
    assert elapsed(programs / "mpi_file_times") == pytest.approx(native, abs=0.02 * native + seeks * SEEK)
