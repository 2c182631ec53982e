"""Every switch with every card: what is accepted delivers a lone packet."""

from __future__ import annotations

from pathlib import Path

import pytest
from program import USER_MISTAKE, done, replay, sanvp

MACHINE = "gcel-64"  # its switches have few enough cables for all kinds
PARTS = [line.split(maxsplit=2) for line in done("list", "parts").out.splitlines()]
SWITCHES = [name for name, kind, *_ in PARTS if kind == "switch:"]
CARDS = [name for name, kind, *_ in PARTS if kind == "NIC:"]
WHOLE = "switch.store_and_forward=yes"
CIRCUITS = "nic.circuit=yes"


def settings(*all_: str) -> list[str]:
    return [word for setting in all_ for word in ("-s", setting)]


@pytest.mark.parametrize("more", [(), (WHOLE,), (CIRCUITS,), (WHOLE, CIRCUITS)], ids="+".join)
@pytest.mark.parametrize("switch", SWITCHES)
def test_an_accepted_pair_of_switch_and_card_delivers_a_lone_packet(switch: str, more: tuple[str, ...], tmp_path: Path):
    assert len(CARDS) > 5
    traffic = tmp_path / "one"
    traffic.write_text("0 0 5 10\n")
    for card in CARDS:
        chosen = settings(f"switch.type={switch}", f"nic.type={card}", *more)
        result = sanvp("replay", MACHINE, "--traffic", traffic, *chosen)
        takes_whole_packets = switch == "transputer" or WHOLE in more
        is_known = all(f"no part of this machine reads '{setting.split('=')[0]}'" not in result.err for setting in more)
        if CIRCUITS in more and f"type {card} does not answer circuits" in result.err:
            assert result.status == USER_MISTAKE
        elif is_known and takes_whole_packets and (card == "elan3" or CIRCUITS in more):
            assert result.status == USER_MISTAKE
            assert "stores a whole packet" in result.err
            assert sanvp("check", MACHINE, *chosen).status == USER_MISTAKE
        elif is_known:
            assert [one.delivered > 0 for one in replay(tmp_path, MACHINE, traffic.read_text(), *chosen)] == [True]
        else:
            assert result.status == USER_MISTAKE
