"""Messages under way to memory that a program of RISC-V gives back (munmap): no card finds anything there."""

from __future__ import annotations

import pytest
from binaries import SOURCES, needs_compilers, wrapper
from program import sanvp

pytestmark = needs_compilers

FAILED = 4
OF_PORT = "a message's buffer is no memory that it may write"
OF_LINK = "a message's memory is not this node's"
OF_COPY = "SIGSEGV at pc"  # the library's own, into memory that is not there


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gone")
    for name in ("gone", "gone_cards"):
        made = wrapper("sanvp-cc", "--target", "riscv64", SOURCES / f"{name}.c", "-o", name, cwd=folder)
        assert (made.returncode, made.stderr) == (0, "")
    return folder


@pytest.mark.parametrize("way", ["receive", "send"])
@pytest.mark.parametrize(
    ("machine", "card", "words"),
    [("moc-2-1", "vcp", OF_PORT), ("gcel-64", "parix", OF_PORT), ("macrame-clos-64", "ds_link", OF_LINK)],
)
def test_a_message_of_a_card_without_mappings_ends_with_a_bad_address(programs, machine, card, words, way):
    result = sanvp("run", machine, programs / "gone_cards", "--np", 2, "--", card, way)
    assert result.status == FAILED
    assert f"error: rank 0 on node 0: {'' if words == OF_LINK else 'transport_start: '}" in result.err
    assert words in result.err


@pytest.mark.parametrize(
    ("machine", "card"), [("moc-2-1", "vcp"), ("gcel-64", "parix"), ("macrame-clos-64", "ds_link")]
)
def test_memory_that_is_mapped_there_again_gets_the_message(programs, machine, card):
    result = sanvp("run", machine, programs / "gone_cards", "--np", 2, "--", card, "receive", "again")
    assert (result.status, result.out.count("over")) == (0, 2)


@pytest.mark.parametrize(
    ("machine", "receive", "send"),
    [("qsnet-16", "where nothing is mapped", "is not mapped"), ("myrinet-8", OF_COPY, OF_COPY),
     ("tofu-36", OF_COPY, "uTofu returns"), ("macrame-clos-64", OF_COPY, OF_COPY)],
)  # fmt: skip
def test_a_message_of_mpi_ends_its_rank(programs, machine, receive, send):
    for way, words in (("receive", receive), ("send", send)):
        result = sanvp("run", machine, programs / "gone", "--np", 2, "--", way)
        assert result.status == FAILED
        assert words in result.err
    again = sanvp("run", machine, programs / "gone", "--np", 2, "--", "both")
    assert (again.status, again.out.count("over")) == (0, 2)
