"""`sanvp traffic --packets-out`: a line for each packet, with the times that `replay` finds for the same packets."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from program import USER_MISTAKE, done, sanvp

NAMES = "# index gen_ns src dst bytes route_id inject_ns delivered_ns latency_ns itbs"


def packets(folder: Path, *arguments: object) -> list[list[str]]:
    """What is listed, by line and column, without the lines that begin with #."""
    file = folder / "packets.txt"
    done("traffic", *arguments, "--packets-out", file)
    return [line.split() for line in file.read_text().splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("machine", ["gcel-64", "tofu-36"])  # one path from each node to each other
@pytest.mark.parametrize("fidelity", ["worm", "flit"])
def test_replay_delivers_the_listed_packets_at_the_same_times(machine, fidelity, tmp_path):
    listed = packets(tmp_path, machine, "all-to-all", "--bytes", 64, "--fidelity", fidelity)
    assert [line[0] for line in listed] == [str(index) for index in range(len(listed))]
    listed.sort(key=lambda line: (float(line[1]), float(line[6])))
    (tmp_path / "list.txt").write_text("".join(" ".join(line[1:5]) + "\n" for line in listed))
    replayed = done("replay", machine, "--traffic", tmp_path / "list.txt", "--fidelity", fidelity).out
    lines = [line.split() for line in replayed.splitlines() if line[0].isdigit()]
    assert len(lines) == len(listed)
    for again, line in zip(lines, listed, strict=True):
        assert [*again[1:5], *again[6:]] == [*line[1:5], *line[6:]]


def test_every_load_of_a_sweep_has_its_packets_behind_its_name(tmp_path):
    file = tmp_path / "packets.txt"
    done("traffic", "qsnet-16", "uniform", "--load", "0.1:0.3:0.1", "--packets", 500, "--packets-out", file)
    parts = file.read_text().split("# load ")[1:]
    assert [part.splitlines()[0] for part in parts] == ["0.1", "0.2", "0.3"]
    for part in parts:
        assert part.splitlines()[1] == NAMES
        assert len(part.splitlines()) >= 500 + 2
        times = [float(line.split()[7]) for line in part.splitlines()[2:]]
        assert times == sorted(times)


def test_a_name_that_ends_in_gz_gives_the_same_compressed(tmp_path):
    command = ("traffic", "myrinet-8", "uniform", "--load", 0.2, "--packets", 20_000)
    done(*command, "--packets-out", tmp_path / "packets.txt")
    done(*command, "--packets-out", tmp_path / "packets.txt.gz")
    compressed = (tmp_path / "packets.txt.gz").read_bytes()
    plain = (tmp_path / "packets.txt").read_bytes()
    assert gzip.decompress(compressed) == plain
    assert 2 * len(compressed) < len(plain)


def test_a_lost_packet_has_no_time_of_delivery(tmp_path):
    fault = ("--fault", "20us node 3 down")
    listed = packets(tmp_path, "qsnet-16", "uniform", "--load", 0.3, "--packets", 2000, *fault)
    lost = [line for line in listed if line[7] == "-1"]
    assert lost
    assert all(line[8] == "-1" and "3" in line[2:4] for line in lost)
    assert {line[3] for line in listed if line[7] != "-1" and float(line[1]) > 21_000}.isdisjoint({"3"})


def test_a_file_that_cannot_be_written_is_told_before_time_0():
    result = sanvp("traffic", "qsnet-16", "uniform", "--packets-out", "/nowhere/packets.txt")
    assert result.status == USER_MISTAKE
    assert "/nowhere/packets.txt: cannot be written: No such file or directory" in result.err
