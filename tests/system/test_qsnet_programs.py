"""Programs by host software on the QsNET machine: each checks its own results, and its times are those of the paper."""

from __future__ import annotations

import pytest
from binaries import needs_compilers, wrapper
from program import PROJECT, SANVP, sanvp

HOST_PROGRAM_FAILED = 4
IMAGES = str(SANVP).rsplit("/", 1)[0] + "/sw/tests"


def run(machine: str, program: str, ranks: int | None, *arguments: str, options: tuple[str, ...] = ()):
    """`sanvp run`; without `ranks` one on each node."""
    number = () if ranks is None else ("--np", ranks)
    return sanvp("run", machine, program, *number, *options, "--", *arguments)


def passes(machine: str, program: str, ranks: int | None, *arguments: str, options: tuple[str, ...] = ()) -> str:
    """What it printed, when it ended well and found its results right."""
    result = run(machine, program, ranks, *arguments, options=options)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out
    assert "FAIL" not in result.out
    return result.out


def number(text: str, name: str) -> float:
    """The number behind a name in what a program prints."""
    words = text.replace(",", " ").split()
    return float(words[words.index(name) + 1])


def table(text: str) -> dict[int, tuple[float, float]]:
    """Lines of ping and broadcast: bytes, microseconds, MB/s."""
    rows = (line.split("]")[-1].split() for line in text.splitlines())
    return {int(row[0]): (float(row[1]), float(row[2])) for row in rows if len(row) == 3 and row[0].isdigit()}


@pytest.mark.parametrize("level", ["elan3", "elan", "tport", "mpi", "shmem"])
@pytest.mark.parametrize("direction", ["uni", "bi"])
def test_every_byte_of_a_ping_arrives_at_every_level(level, direction):
    passes("qsnet-16", "ping", 2, "--level", level, "--direction", direction, "--most", "16K", "--count", "2")


def test_the_elan3lib_latency_over_five_elites_is_the_papers():
    out = passes("qsnet-64", "ping", 2, "--most", "0", options=("--map", "0,63"))
    assert table(out)[0][0] == pytest.approx(2.2, rel=0.03)


def test_the_mpi_latency_over_five_elites_is_the_papers():
    out = passes("qsnet-64", "ping", 2, "--level", "mpi", "--most", "0", options=("--map", "0,63"))
    assert table(out)[0][0] == pytest.approx(5.5, rel=0.03)


def test_elan_memory_gives_the_papers_bandwidths():
    size = ("--memory", "elan", "--least", "256K", "--most", "256K", "--count", "3")
    one_way = table(passes("qsnet-64", "ping", 2, *size, options=("--map", "0,63")))
    both = table(passes("qsnet-64", "ping", 2, *size, "--direction", "bi", options=("--map", "0,1")))
    assert one_way[256 * 1024][1] == pytest.approx(335, rel=0.02)
    assert both[256 * 1024][1] == pytest.approx(280, rel=0.03)


def test_bandwidth_both_ways_is_the_same_over_one_elite_and_over_five():
    # QsNET paper 5.4: neighbour and complement get the same, though their paths have 2 and 6 hops.
    size = ("--memory", "elan", "--least", "256K", "--most", "256K", "--count", "3", "--direction", "bi")
    near, far = (
        table(passes("qsnet-64", "ping", 2, *size, options=("--map", at)))[256 * 1024][1] for at in ("0,1", "0,63")
    )
    assert far == pytest.approx(near, rel=0.02)


@pytest.mark.parametrize(("direction", "bandwidth"), [("uni", 200), ("bi", 80)])
def test_main_memory_gives_the_papers_bandwidths(direction, bandwidth):
    out = passes("qsnet-64", "ping", 2, "--least", "256K", "--most", "256K", "--count", "3", "--direction", direction)
    assert table(out)[256 * 1024][1] == pytest.approx(bandwidth, rel=0.02)


def test_a_bus_of_66_mhz_removes_the_limit_of_main_memory():
    # QsNET paper, note 6.
    out = passes("qsnet-64", "ping", 2, "--least", "256K", "--most", "256K", options=("-s", "host.pci.clock=66.67"))
    assert table(out)[256 * 1024][1] == pytest.approx(335, rel=0.02)


@pytest.mark.parametrize("ranks", [1, 2, 3, 7, 16])
def test_mpi_does_what_the_standard_says(ranks):
    passes("qsnet-16", f"{IMAGES}/mpi_basics.so", ranks)


def test_several_ranks_share_a_node():
    passes("qsnet-16", f"{IMAGES}/mpi_basics.so", 6, options=("--map", "0,0,0,1,1,2"))


def test_tports_match_in_order_by_sender_and_tag():
    passes("qsnet-16", f"{IMAGES}/tports.so", 3)


@pytest.mark.parametrize("ranks", [1, 5, 20])  # alone, on part of the machine, two on some nodes
def test_programs_in_libelan_s_historic_forms_find_all_as_they_know_it(ranks):
    passes("qsnet-16", f"{IMAGES}/elan_clients.so", ranks)


@needs_compilers
def test_programs_in_libelan_s_historic_forms_run_on_risc_v(tmp_path):
    source = PROJECT / "tests/images/elan_clients.c"
    made = wrapper("sanvp-cc", "--target", "riscv64", source, "-o", "elan", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    passes("qsnet-16", str(tmp_path / "elan"), 4)


def test_a_queue_s_sender_before_its_receiver_is_told_what_to_call(tmp_path):
    (tmp_path / "early.cpp").write_text("""
#include <elan/elan.h>
int main() {
  ELAN_BASE* base = elan_baseInit(0);
  return elan_queueTxInit(base->state, elan_gallocQueue(base, base->allGroup), ELAN_RAIL_ALL, 0) != nullptr;
}
""")
    made = wrapper("sanvp-c++", "early.cpp", "-o", "early", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    result = sanvp("run", "qsnet-16", tmp_path / "early", "--np", 2)
    assert result.status == HOST_PROGRAM_FAILED
    assert "call elan_queueRxInit first" in result.err


@pytest.mark.parametrize("kind", ["hardware", "software"])
@pytest.mark.parametrize("ranks", [2, 5, 16])
def test_no_rank_leaves_a_barrier_before_the_last_has_entered(kind, ranks):
    passes("qsnet-16", "barrier", ranks, "--kind", kind)


def test_a_barrier_that_does_nothing_is_noticed():
    result = run("qsnet-16", "barrier", 4, "--kind", "none")
    assert result.status == HOST_PROGRAM_FAILED
    assert "FAIL" in result.out


def test_the_network_makes_a_faster_barrier_than_software():
    hardware = number(passes("qsnet-64", "barrier", None), "time_us")
    software = number(passes("qsnet-64", "barrier", None, "--kind", "software"), "time_us")
    assert hardware < software / 2


@pytest.mark.parametrize("how", ["hardware", "software"])
def test_broadcasts_bring_every_byte(how):
    passes("qsnet-16", "broadcast", 16, "--most", "32K", options=("-s", f"elan.broadcast={how}"))


def test_the_first_broadcast_which_sets_up_its_memory_is_not_measured():
    def us(count):
        options = ("--count", str(count), "--least", "256", "--most", "256")
        return table(passes("qsnet-16", "broadcast", 16, *options))[256][0]

    assert us(1) == pytest.approx(us(8), rel=0.03)


def test_broadcasts_of_elan_memory_bring_every_byte_and_are_limited_by_the_root_that_sends_and_receives():
    out = passes("qsnet-16", "broadcast", 16, "--memory", "elan", "--least", "128K", "--most", "128K")
    assert table(out)[128 * 1024][1] == pytest.approx(280, rel=0.05)


def test_a_permutation_that_crosses_the_top_gets_what_neighbours_get():
    # QsNET paper 5.4: complement at least as much as the bidirectional limit allows, though every circuit has six hops.
    out = passes("qsnet-64", "permutations", None, "--pattern", "complement", "--messages", "2")
    assert number(out, "slowest_MBps") == pytest.approx(280, rel=0.03)


def test_the_link_to_a_hot_node_never_rests():
    # QsNET paper 5.5: 337 MB/s; 320 bytes of 378 at 400 MB/s are 338.6. A rank that ends first leaves the others more.
    out = passes("qsnet-16", "hot_spot", 16, "--messages", "1")
    assert number(out, "accepted_MBps") == pytest.approx(337, rel=0.01)


@pytest.mark.parametrize("ranks", [1, 2, 5, 16])
def test_a_halo_exchange_gives_what_one_rank_alone_gives(ranks):
    passes("qsnet-16", "halo", ranks)


@pytest.mark.parametrize("ranks", [1, 2, 5, 16])
def test_conjugate_gradients_find_the_known_solution(ranks):
    passes("qsnet-16", "cg", ranks)


@pytest.mark.parametrize("program", ["uniform", "permutations", "hot_spot", "multiple_hot_spots"])
def test_traffic_programs_find_their_bytes(program):
    passes("qsnet-16", program, 16, "--bytes", "4K", "--messages", "3")


def test_the_same_program_gives_the_same_bytes_twice():
    first = passes("qsnet-16", "uniform", 16, "--bytes", "4K", "--messages", "3")
    assert passes("qsnet-16", "uniform", 16, "--bytes", "4K", "--messages", "3") == first


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("dest", ["process 1 (node 1)", "refused", "0x0f000000"]),
        ("source", ["0x0f000000", "nothing is mapped"]),
        ("route", ["virtual process 9999", "no route"]),
        ("type", ["descriptor", "is invalid"]),
        ("size", ["descriptor", "is invalid"]),
        ("event", ["refused"]),
        ("descriptor", ["0x0f000000", "nothing is mapped"]),
        ("sdram", ["store to bus address 0x1000000000040", "not granted"]),
        ("another", ["store to bus address 0x1", "not granted"]),
    ],
)
def test_a_process_that_does_what_it_must_not_gets_a_message_and_harms_no_other(what, words):
    result = run("qsnet-16", f"{IMAGES}/protection.so", 3, what)
    assert result.status == HOST_PROGRAM_FAILED
    for word in words:
        assert word in result.err
    assert "was written" not in result.out


def test_a_small_message_does_not_wait_for_large_ones_however_many_are_fetched_at_a_time():
    # A link of 340 MB/s carries 64 KiB in 193 us: a message that waited for a fetch would wait for longer.
    out = run("qsnet-16", f"{IMAGES}/mpi_fetches.so", 3).out
    rows = [line.split("] ")[-1].split() for line in out.splitlines() if "longest" in line]
    longest = {int(row[3]): float(row[7]) for row in rows}
    assert sorted(longest) == list(range(1, 9))
    assert max(longest.values()) < 64 * 1024 / 340
    assert max(longest.values()) < 2 * min(longest.values())


def test_a_message_too_long_for_its_buffer_is_an_error():
    result = run("qsnet-16", f"{IMAGES}/mpi_basics.so", 3, "truncate")
    assert result.status == HOST_PROGRAM_FAILED
    assert "8 bytes, the buffer 4" in result.err


def test_every_byte_arrives_over_links_with_bit_errors():
    passes("qsnet-16", "ping", 2, "--level", "mpi", "--most", "16K", options=("-s", "link.bit_error_rate=1e-6"))


def test_adaptive_routing_survives_a_failed_elite_of_the_top_level():
    passes("qsnet-64", "halo", None, options=("-s", "topology.failed_switches=40"))


def test_partners_of_a_dead_node_are_notified():
    """Without its leaf switch node 4 can neither be reached nor reach."""
    result = run("qsnet-16", "ping", 2, options=("--map", "0,4", "--force", "-s", "topology.failed_switches=1"))
    assert result.status == HOST_PROGRAM_FAILED
    assert "no way leads there" in result.err
