"""examples/embedding and examples/your-own-card: programs with sanvp in them, built against an installed sanvp alone,
and what they say."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from program import DONE, PROJECT, SANVP, sanvp
from test_run import compile_program

pytestmark = pytest.mark.long

EXAMPLES = PROJECT / "examples"
CCI = os.environ.get("SANVP_CCI", "")  # where a CCI library is installed; neither Debian nor PyPI has one


def run(*command: object, cwd: Path | None = None) -> str:
    """Standard output of a command that succeeds."""
    result = subprocess.run(
        [str(c) for c in command], capture_output=True, text=True, timeout=600, check=False, cwd=cwd
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """An installed tree, in a path with a space."""
    prefix = tmp_path_factory.mktemp("installed") / "a place"
    run("cmake", "--install", Path(SANVP).parent, "--prefix", prefix)
    return prefix


@pytest.fixture
def built(installed, tmp_path):
    """Builds a copy of an example. @return the folder of its build"""

    def build(example: str, changes: dict[str, tuple[str, str]] | None = None) -> Path:
        source = shutil.copytree(EXAMPLES / example, tmp_path / Path(example).name)
        for name, (before, after) in (changes or {}).items():
            text = (source / name).read_text(encoding="utf-8")
            assert before in text
            (source / name).write_text(text.replace(before, after), encoding="utf-8")
        run("cmake", "-S", source, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={installed};{CCI}")
        commands = run("cmake", "--build", tmp_path / "build", "--verbose")
        assert str(PROJECT) not in commands
        return tmp_path / "build"

    return build


def test_cards_of_sanvp_send_a_packet_between_memories_of_another_program(built):
    # In ns; tests/models/elan3_dma.cpp has the steps. Everything is done for the first time: a page of main memory is
    # looked up in the context and three tables, of 75 ns each. The memory takes 100 ns and 1 ns a byte.
    sdram, bus = 75, 100 + 256
    walk = 4 * sdram
    command, schedule, inputter, set_event = 250, 200, 260, 200
    flits = 2 + 4 * 37 + 5  # the route and its CRC, four blocks, the set-event
    wire = flits * 5 + 2 * 10 + 35 + 5
    fetched = command + walk + sdram
    told = fetched + schedule + walk + bus + wire + inputter + walk + bus + set_event
    assert run(built("embedding/cards") / "cards").splitlines()[-2:] == [
        "node 0 starts a DMA of 256 bytes at 100 us",
        f"node 3 is told of event 7 at {100_000 + told} ns: 256 bytes are right",
    ]


def test_a_driver_in_c_on_a_risc_v_cpu_of_another_program_sends_and_is_interrupted(built):
    build = built("embedding/bare_metal")
    runs = {quantum: run(build / "bare_metal", build / "program.elf", quantum) for quantum in (0, 1000, 100000)}
    # The quantum delays what a CPU sees of an interrupt, and nothing else.
    for out in runs.values():
        rings, told = out.splitlines()[-2:]
        assert rings.startswith("node_0.cpu rings the doorbell at 5000"), rings
        assert told.startswith("node_3.cpu has the event and 256 right bytes at 50"), told
    assert len({out.splitlines()[-2] for out in runs.values()}) == 1


def test_a_whole_machine_runs_beside_another_module_as_it_does_alone(built):
    out = run(built("embedding/machine") / "machine")
    assert "qsnet.switch_3 is level 0 switch 3, flow-through 35 ns\n" in out
    alone = sanvp("run", "qsnet-16", "allreduce")
    assert alone.status == DONE
    assert [line for line in out.splitlines() if line.startswith("[0]")] == alone.out.splitlines()


def test_the_network_alone_carries_packets_of_other_modules(built):
    # Station n sends at n us. Four cables of 10 ns and a flit of 5 ns, three Elites of 35 ns, 63 more flits.
    latency = 4 * (10 + 5) + 3 * 35 + 63 * 5
    out = run(built("embedding/network") / "network").splitlines()
    assert [line for line in out if line.startswith("station")] == [
        f"station_{15 - n} has a packet at {1000 * n + latency} ns" for n in range(16)
    ]


def test_tests_of_a_card_of_your_own_pass(built):
    assert "100% tests passed, 0 tests failed out of 5" in run("ctest", "--test-dir", built("your-own-card"))


def test_tests_of_a_card_of_your_own_find_one_that_is_a_nanosecond_late(built):
    build = built("your-own-card", {"courier.ini": ("type = courier", "type = courier\nlook_up = 301ns")})
    result = subprocess.run(["ctest", "--test-dir", build], capture_output=True, text=True, timeout=100, check=False)
    assert "2 tests failed out of 5" in result.stdout


def test_programs_that_wait_without_progress_are_a_report_of_systemc(built, tmp_path):
    program = compile_program(
        tmp_path,
        "int r, f = 0; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &r);"
        "if (r) while (!f) MPI_Iprobe(0, 3, MPI_COMM_WORLD, &f, MPI_STATUS_IGNORE);"
        "MPI_Finalize();",
    )
    build = built("embedding/machine", {"main.cpp": ('{.app = "allreduce"}', f'{{.app = "{program}", .ranks = 3}}')})
    result = subprocess.run([build / "machine"], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 1
    assert "/sanvp/model: no progress, and there are ranks that wait:" in result.stdout  # where SystemC reports
    assert "rank 1 on node 1 makes no progress in MPI_Iprobe (rank 0, tag 3)" in result.stdout


@pytest.mark.skipif(not CCI, reason="SANVP_CCI names no folder with a CCI library")
def test_a_cci_broker_configures_a_machine_and_sees_its_parameters(built):
    build = built("embedding/cci")
    environment = os.environ | {"LD_LIBRARY_PATH": f"{CCI}/lib"}
    told = subprocess.run([build / "configured"], env=environment, capture_output=True, text=True, check=True).stdout
    for line in (
        "qsnet.link.cable.delay = 80ns",  # a preset text
        "qsnet.host.cpus = 2",  # a preset number
        "qsnet.switch.type = elite",  # of the machine file
        "0 presets are left",
    ):
        assert line in told.splitlines()
