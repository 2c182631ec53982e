"""The shipped example of `sanvp replay`: what it prints is what its README works out by hand."""

from __future__ import annotations

import pytest
from program import PROJECT, deliveries, done

EXAMPLE = PROJECT / "examples" / "replay"
FILES = tuple(f"--{what}={EXAMPLE / name}.txt" for what, name in (("topology", "network"), ("routes", "routes")))
COMMAND = ("replay", "myrinet-8", *FILES, f"--traffic={EXAMPLE / 'packets.txt'}")


@pytest.mark.parametrize("fidelity", ["worm", "flit"])
def test_the_example_prints_what_is_expected_from_any_directory(tmp_path, fidelity):
    out = done(*COMMAND, "--fidelity", fidelity, cwd=tmp_path).out
    assert out == (EXAMPLE / "expected.txt").read_text()


def test_over_the_cable_of_the_paper_the_closed_form_of_one_to_five_switches_comes_out():
    """FACTS 7.5, which counts until the last byte has come in whole."""
    rows = deliveries(done(*COMMAND, "-s", "link.delay=49.2ns").out)
    byte = 6.25
    assert [round(row.latency + byte) for row in rows[:5]] == [448, 648, 847, 1046, 1245]
    for switches, row in enumerate(rows[:5], start=1):
        assert row.latency + byte == pytest.approx(150 * switches + 49.2 * (switches + 1) + 200)
