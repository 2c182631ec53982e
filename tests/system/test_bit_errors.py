"""Bit errors on all six machines: what programs get is right, or they are told."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from compiled import CC, PROGRAM_FAILED
from program import DONE, PROJECT, Result, done, sanvp
from share import every_other

# Where links or cards find errors and send again, and where nothing does.
MENDED = {"qsnet-16": 16, "myrinet-8": 32, "macrame-clos-64": 16, "tofu-36": 16}
NOT_MENDED = {"moc-3-2": 16, "gcel-64": 16}
RATES = ("1e-8", "1e-7", "1e-6", "1e-5")
CRC = ("-s", "nic.protection=crc")


@pytest.fixture(scope="module")
def exact(tmp_path_factory) -> Path:
    """The program that checks every word."""
    program = tmp_path_factory.mktemp("exact") / "exact"
    subprocess.run([CC, PROJECT / "tests" / "programs" / "exact.c", "-O2", "-o", program], check=True)
    return program


def run(machine: str, program: Path, ranks: int, rate: str, folder: Path, *options: object) -> tuple[Result, dict]:
    """A run with bit errors, and its metrics."""
    metrics = folder / "metrics.json"
    errors = ("-s", f"link.bit_error_rate={rate}", "--json", metrics)
    result = sanvp("run", machine, program, "--np", ranks, *errors, *options, "--", 1024)
    return result, json.loads(metrics.read_text())


@pytest.mark.parametrize(("rate", "machine"), every_other(RATES, MENDED))
def test_where_errors_are_found_and_mended_every_word_is_right(machine, rate, exact, tmp_path):
    result, metrics = run(machine, exact, MENDED[machine], rate, tmp_path)
    assert result.status == DONE
    assert "PASS" in result.out
    assert metrics["undetected_packets"] == 0
    assert "warning" not in metrics


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("machine", NOT_MENDED)
def test_where_nothing_mends_errors_the_run_says_so(machine, rate, exact, tmp_path):
    result, metrics = run(machine, exact, NOT_MENDED[machine], rate, tmp_path)
    if metrics["corrupt_packets"] == 0:
        assert result.status == DONE
        assert "warning: " not in result.err
    elif metrics["undetected_packets"] > 0:
        assert f"warning: {metrics['undetected_packets']} packets with a wrong bit were accepted" in result.err
        assert metrics["warning"] in result.err
    else:
        assert result.status == PROGRAM_FAILED
        assert "bit error" in result.err


@pytest.mark.parametrize("machine", NOT_MENDED)
def test_where_nothing_mends_errors_the_program_does_not_get_through_many(machine, exact, tmp_path):
    # At 1e-5 a packet of 120 bytes is hit one time in a hundred, and 2,900 are to be sent.
    result, metrics = run(machine, exact, NOT_MENDED[machine], "1e-5", tmp_path)
    assert metrics["corrupt_packets"] > 0
    assert result.status == PROGRAM_FAILED


def test_a_ds_link_of_the_mesh_of_clos_is_disconnected_by_the_first_error(exact, tmp_path):
    result, metrics = run("moc-3-2", exact, 16, "1e-5", tmp_path)
    assert re.search(r"vcp: a packet from node \d+ had a bit error on its way; its link was disconnected", result.err)
    assert metrics["corrupt_packets"] == 1
    assert metrics["undetected_packets"] == 0


def test_wrong_words_on_transputer_links_reach_the_program_and_the_manifest_says_so(exact, tmp_path):
    # A rate at which some packet of the exchange is hit, and in its data, which nothing looks at.
    for seed in range(1, 20):
        options = ("--seed", seed, "--out", tmp_path / str(seed))
        result, metrics = run("gcel-64", exact, 16, "2e-7", tmp_path, *options)
        if "wrong words" in result.err:
            break
    assert "wrong words" in result.err
    assert metrics["undetected_packets"] > 0
    manifest = json.loads((tmp_path / str(seed) / "manifest.json").read_text())
    assert "packets with a wrong bit were accepted" in manifest["message"]


@pytest.mark.parametrize("rate", ("1e-6", "1e-5"))
@pytest.mark.parametrize("machine", NOT_MENDED)
def test_a_crc_in_each_packet_makes_every_word_right(machine, rate, exact, tmp_path):
    result, metrics = run(machine, exact, NOT_MENDED[machine], rate, tmp_path, *CRC)
    assert result.status == DONE
    assert "PASS" in result.out
    assert metrics["corrupt_packets"] > 0
    assert metrics["undetected_packets"] == 0


@pytest.mark.parametrize("machine", NOT_MENDED)
def test_a_crc_costs_time_also_without_errors_and_twice_the_packets(machine, exact, tmp_path):
    _, plain = run(machine, exact, NOT_MENDED[machine], "0", tmp_path)
    _, with_crc = run(machine, exact, NOT_MENDED[machine], "0", tmp_path, *CRC)
    assert with_crc["sim_time_ns"] > plain["sim_time_ns"]
    # Each packet is confirmed; those that carry a reduction's numbers differ in none of this.
    assert 1.9 * plain["packets"] < with_crc["packets"] <= 2.1 * plain["packets"]


def test_parity_can_be_left_out_and_put_in(exact, tmp_path):
    silent, metrics = run("moc-3-2", exact, 16, "2e-6", tmp_path, "-s", "nic.protection=none")
    assert metrics["undetected_packets"] > 0
    assert "packets with a wrong bit were accepted" in silent.err
    told, metrics = run("gcel-64", exact, 16, "1e-5", tmp_path, "-s", "nic.protection=parity")
    assert told.status == PROGRAM_FAILED
    assert metrics["undetected_packets"] == 0


def test_links_that_send_again_take_longer_and_are_counted(exact, tmp_path):
    _, quiet = run("tofu-36", exact, 16, "0", tmp_path)
    _, noisy = run("tofu-36", exact, 16, "1e-5", tmp_path)
    assert quiet["link_retries"] == 0
    assert noisy["link_retries"] > 0
    assert noisy["sim_time_ns"] > quiet["sim_time_ns"]
    _, silent = run("tofu-36", exact, 16, "1e-5", tmp_path, "-s", "link.retry=no")
    assert silent["link_retries"] == 0
    assert silent["corrupt_packets"] > 0


def test_both_fidelities_agree_on_packets_that_links_send_again(exact, tmp_path):
    times = [
        run("tofu-36", exact, 8, "1e-5", tmp_path, "--fidelity", fidelity)[1]["sim_time_ns"]
        for fidelity in ("worm", "flit")
    ]
    assert times[0] == times[1]


@pytest.mark.parametrize(
    ("app", "machine"),
    [
        ("halo", "myrinet-16"),
        ("halo", "macrame-clos-64"),
        ("cg", "qsnet-64"),
        pytest.param("halo", "qsnet-64", marks=pytest.mark.long),
        pytest.param("cg", "myrinet-16", marks=pytest.mark.long),
        pytest.param("cg", "macrame-clos-64", marks=pytest.mark.long),
    ],
)
def test_applications_of_64_ranks_get_the_results_of_a_run_without_errors(app, machine):
    def results(rate: str) -> list[str]:
        small = ("--", "--rows", 2) if app == "cg" else ()
        out = done("run", machine, app, "--np", 64, "-s", f"link.bit_error_rate={rate}", *small).out
        return re.findall(r"checksum \S+|PASS", out)

    quiet = results("0")
    assert "PASS" in quiet
    assert results("1e-5") == quiet


@pytest.mark.parametrize("machine", ("qsnet-64", "myrinet-16", pytest.param("macrame-clos-64", marks=pytest.mark.long)))
def test_an_exchange_of_64_ranks_gets_through(machine):
    errors = ("-s", "link.bit_error_rate=1e-5")
    assert "PASS" in done("run", machine, "alltoall", "--np", 64, *errors, "--", "--most", "4K").out


@pytest.mark.parametrize(
    ("machine", "setting"),
    [("gcel-64", "nic.protection=hope"), ("gcel-64", "nic.crc.attempts=0"), ("tofu-36", "link.retry=perhaps")],
)
def test_what_makes_no_sense_is_refused(machine, setting):
    result = sanvp("run", machine, "hello", "--np", 2, "-s", setting)
    assert result.status == 2
    assert setting.split("=")[0] in result.err
