"""Time has no scale and no origin: all times doubled double every time, and what starts later ends as much later."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from compiled import compile_program
from program import deliveries, done, machines
from properties import SMALL, options, times_of

LATER = """
    char data[256] = {0};
    int self;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    hal_sleep_ps(strtoull(argv[1], NULL, 10) * 1000000000ull - hal_time_ps());
    for (int i = 0; i < 20; ++i)
        MPI_Sendrecv_replace(data, sizeof data, MPI_CHAR, !self, 0, !self, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%llu\\n", (unsigned long long)hal_time_ps());
    MPI_Finalize();
"""
LONG = pytest.mark.long
ROUNDED = 3e-6  # cycles times a clock's period, and drawn times, are rounded to the picosecond


def every(small: tuple[str, ...]) -> list:
    """All machines; those that are not in the slice are long."""
    return [*small, *[pytest.param(name, marks=LONG) for name in machines() if name not in small]]


def packets(machine: str, factor: int = 1, later: int = 0, seed: int = 1) -> str:
    """Packets that contend, for any machine."""
    hosts = done("describe", machine, "--json", "-").json["hosts"]
    chance = random.Random(seed)
    rows = [(chance.randrange(3000), *chance.sample(range(hosts), 2), chance.choice((16, 64, 120))) for _ in range(100)]
    return "".join(f"{time * factor + later} {source} {to} {size}\n" for time, source, to, size in rows)


def ends(folder: Path, machine: str, text: str, *arguments: object) -> list[int]:
    """When each packet is delivered, in ps."""
    (folder / "packets.txt").write_text(text)
    rows = deliveries(done("replay", machine, "--traffic", folder / "packets.txt", *arguments).out)
    assert all(row.delivered > 0 for row in rows)
    return [round(row.delivered * 1000) for row in rows]


@pytest.mark.parametrize("machine", every(("qsnet-16", "tofu-36", "gcel-64")))
def test_all_times_doubled_double_the_time_of_every_packet_to_the_tick(tmp_path, machine):
    once, twice = (
        ends(tmp_path, machine, packets(machine, factor), *options(times_of(machine, factor))) for factor in (1, 2)
    )
    assert [2 * end for end in once] == twice


def measured(machine: str, pattern: str, factor: int) -> dict:
    """What a pattern measures at a load that is a share of the links' rate."""
    load = ("--load", "0.3", "--packets", "400", "--warmup", f"{20 * factor}us", "--bytes", "64")
    return done("traffic", machine, pattern, *load, "--json", "-", *options(times_of(machine, factor))).json


@pytest.mark.parametrize(
    ("machine", "pattern"),
    [
        *[(machine, "uniform") for machine in SMALL[:2]],
        *[pytest.param(machine, "uniform", marks=LONG) for machine in SMALL[2:]],
        *[pytest.param(machine, "hot-spot", marks=LONG) for machine in SMALL],
        *[pytest.param(machine, "neighbor", marks=LONG) for machine in SMALL],
    ],
)
def test_all_times_doubled_double_all_latencies_and_halve_all_rates_of_a_pattern(machine, pattern):
    once, twice = (measured(machine, pattern, factor) for factor in (1, 2))
    assert once["packets"] == twice["packets"]
    for name, value in once["latency_ns"].items():
        assert twice["latency_ns"][name] == pytest.approx(2 * value, rel=ROUNDED, abs=0.002), name
    for name in ("accepted_MBps", "offered_MBps"):
        assert twice[name] == pytest.approx(once[name] / 2, rel=ROUNDED), name
    assert twice["sim_time_ns"] == pytest.approx(2 * once["sim_time_ns"], rel=ROUNDED)


def figures(machine: str, app: str, factor: int) -> dict[str, float]:
    """What an app measures, and when it was loaded and ended."""
    before, _, after = app.partition(" -- ")
    run = ("run", machine, *before.split(), "--json", "-", *options(times_of(machine, factor)))
    result = done(*run, "--", *after.split()).json
    times = {name: value for name, value in result.items() if name.endswith(("_ns", "_us", "_MBps"))}
    assert len(times) == 4  # when it was loaded, when it ended, and two of the app's
    return times


LANAI_TICK = pytest.mark.xfail(
    strict=True, reason="the LANai's real-time clock ticks every 0.5 us (LANAI_TICK_NS), whatever its cycle is"
)
DS_LINK_POLL = pytest.mark.xfail(
    strict=True, reason="the driver of the DS link looks every microsecond whether the link runs, a constant of card.c"
)


@pytest.mark.parametrize("app", ["ping --np 2 -- --most 64", "allreduce --np 4 -- --most 64"])
@pytest.mark.parametrize(
    "machine",
    [
        "qsnet-16",
        "tofu-36",
        *[pytest.param(name, marks=LONG) for name in ("moc-2-1", "gcel-64")],
        pytest.param("myrinet-8", marks=[LONG, LANAI_TICK]),
        *[pytest.param(name, marks=[LONG, DS_LINK_POLL]) for name in ("macrame-clos-64", "macrame-torus-64")],
    ],
)
def test_all_times_doubled_double_all_times_of_a_program(machine, app):
    once, twice = (figures(machine, app, factor) for factor in (1, 2))
    for name, value in once.items():
        if name.endswith(("_ns", "_us")):
            assert twice[name] == pytest.approx(2 * value, rel=ROUNDED), name
        if name.endswith("_MBps"):
            assert twice[name] == pytest.approx(value / 2, rel=ROUNDED), name


@pytest.mark.parametrize("machine", every(("qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1")))
def test_packets_that_start_a_millisecond_later_end_a_millisecond_later(tmp_path, machine):
    now, later = (ends(tmp_path, machine, packets(machine, later=ns)) for ns in (0, 10**6))
    assert [end + 10**9 for end in now] == later


@pytest.mark.parametrize("machine", every(("qsnet-16", "macrame-torus-64", "tofu-36")))
def test_another_seed_changes_no_packet_of_a_replay_if_nothing_is_drawn(tmp_path, machine):
    fixed = ("-s", "topology.seed=1")
    assert len({tuple(ends(tmp_path, machine, packets(machine), *fixed, "--seed", seed)) for seed in (1, 2, 3)}) == 1


@pytest.mark.parametrize("machine", [SMALL[0], *[pytest.param(name, marks=LONG) for name in SMALL[1:]]])
def test_a_program_that_starts_a_millisecond_later_ends_a_millisecond_later(machine, tmp_path):
    """The machine has long booted by then; the ranks sleep first."""
    program = compile_program(tmp_path, LATER)

    def took(ms: int) -> list[int]:
        out = done("run", machine, program, "--np", 2, "--", 100 + ms).out
        return sorted(int(line.split()[-1]) for line in out.splitlines())

    now, later = took(0), took(1)
    assert [end + 10**9 for end in now] == later
