"""The formats of --trace tell the same, and --trace-limit ends a trace and nothing else."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections import defaultdict
from itertools import pairwise

import pytest
import trace_text
from program import USER_MISTAKE, done, sanvp

RUNS = {
    "elan3": ("run", "qsnet-16", "ping", "--np", 2, "--", "--most", 64),
    "lanai": ("run", "myrinet-8", "halo", "--np", 4, "--", "--exchanges", 2),
    "tofu": ("run", "tofu-36", "halo", "--np", 4, "--", "--exchanges", 2),  # its receivers work on several packets
    "network": ("traffic", "qsnet-16", "uniform", "--load", "0.3", "--packets", 100),
}
NAMES = ("t.json", "t.pftrace", "t.json.gz", "t.pftrace.gz", "t.perfetto-trace", "t.gz", "t.pftrace.json")


def traced(folder, name, arguments, *more):
    """The file that a run leaves, and what it says."""
    own, dashes, program = [str(one) for one in arguments], [], []
    if "--" in own:
        cut = own.index("--")
        own, dashes, program = own[:cut], ["--"], own[cut + 1 :]
    result = done(*own, "--trace", name, *more, *dashes, *program, cwd=folder)
    return (folder / name).read_bytes(), result


@pytest.mark.parametrize("arguments", RUNS.values(), ids=RUNS)
def test_the_formats_show_the_same_slices_counters_and_arrows_to_the_picosecond(tmp_path, arguments):
    shown = [trace_text.timeline(tmp_path / name) for name in NAMES[:2] if traced(tmp_path, name, arguments)]
    assert len(shown[0].slices) > 500
    assert len(shown[0].arrows) > 100
    for kind in ("slices", "instants", "levels", "arrows"):
        assert getattr(shown[0], kind) == getattr(shown[1], kind), kind


def test_the_end_of_the_name_chooses_format_and_compression_and_the_same_command_gives_the_same_bytes(tmp_path):
    files = {name: traced(tmp_path, name, RUNS["network"])[0] for name in NAMES}
    json.loads(files["t.json"])
    assert gzip.decompress(files["t.json.gz"]) == files["t.json"] == files["t.pftrace.json"]
    assert files["t.gz"] == files["t.json.gz"]
    assert gzip.decompress(files["t.pftrace.gz"]) == files["t.pftrace"] == files["t.perfetto-trace"]
    assert len(files["t.pftrace"]) < 0.5 * len(files["t.json"])
    assert len(files["t.json.gz"]) < 0.2 * len(files["t.json"])
    for name in NAMES:
        assert traced(tmp_path, name, RUNS["network"])[0] == files[name]


@pytest.mark.parametrize("name", NAMES[:4])
def test_a_trace_ends_at_its_limit_as_a_whole_file_and_the_run_goes_on(tmp_path, name):
    arguments = ("run", "qsnet-16", "ping", "--np", 2, "--", "--most", "4K")
    limit = 100_000
    kept = tmp_path / name.removesuffix(".gz")
    _, whole = traced(tmp_path, kept.name, arguments)
    all_of_it = trace_text.timeline(kept)
    data, cut = traced(tmp_path, name, arguments, "--trace-limit", "100kB")
    assert 0.8 * limit < len(data) <= limit
    assert cut.out == whole.out
    said = re.fullmatch(
        rf"warning: {name} ends at ([\d.]+)([um])s, where it reached --trace-limit 100kB; the run went on to \S+\n",
        cut.err,
    )
    assert said, cut.err
    kept.write_bytes(gzip.decompress(data) if name.endswith(".gz") else data)
    part = trace_text.timeline(kept)
    assert part.slices
    assert set(part.slices) < set(all_of_it.slices)
    last = max(end for _, _, end, _, _ in part.slices)
    told = round(float(said[1]) * {"u": 1e6, "m": 1e9}[said[2]])
    assert 0 <= told - last <= 1  # the latest may be a point of an arrow: a picosecond before a slice's end, or after


def test_a_limit_that_is_not_reached_changes_nothing(tmp_path):
    files = [traced(tmp_path, "t.json", RUNS["network"], *more) for more in [(), ("--trace-limit", "1GB")]]
    assert files[0][0] == files[1][0]
    assert files[1][1].err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--trace", "t.json", "--trace-limit", "10kB"), "--trace-limit: '10kB' is less than 64KiB; choose more"),
        (("--trace", "t.json", "--trace-limit", "many"), "--trace-limit: 'many'"),
        (("--trace", "none/t.pftrace.gz"), "none/t.pftrace.gz: cannot be written: No such file or directory"),
        (("--trace", "/dev/full"), "/dev/full: cannot be written: No space left on device"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, arguments, message):
    result = sanvp("traffic", "qsnet-16", "uniform", "--load", "0.1", "--packets", 10, *arguments, cwd=tmp_path)
    assert result.status == USER_MISTAKE
    assert message in result.err
    late = sanvp("traffic", "qsnet-16", "uniform", "--load", "0.1", "--packets", 10, "--trace-limit", "1MB")
    assert "note: --trace-limit does nothing without --trace FILE" in late.err


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "tofu-36"])
def test_the_row_of_a_bus_has_each_transfer_one_after_the_other(machine, tmp_path):
    words = ("--trace", "t.json", "--out", "out", "--", "--most", 64)
    done("run", machine, "ping", "--np", 2, *words, cwd=tmp_path)
    statistics: dict[str, dict[str, float]] = defaultdict(dict)
    for row in csv.DictReader((tmp_path / "out" / "stats.csv").open()):
        statistics[row["path"]][row["name"]] = float(row["value"]) if row["value"] else 0
    slices = [one for one in trace_text.timeline(tmp_path / "t.json").slices if one[0][1] == "bus"]
    assert slices
    for node in range(2):
        own = [one for one in slices if one[0][0] == f"node {node}"]
        bus = statistics[f"node {node}.pci"]
        assert sum(end - begin for _, begin, end, _, _ in own) == round(1000 * bus["busy_ns"])
        for name, known in (("to card", "bytes_to_device"), ("from card", "bytes_from_device")):
            assert sum(dict(arguments)["bytes"] for *_, said, arguments in own if said == name) == bus[known]
        assert all(one[2] <= other[1] for one, other in pairwise(own))
