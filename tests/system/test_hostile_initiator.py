"""tests/models/hostile_initiator.cpp for longer: more accesses of each card."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from program import SANVP

pytestmark = pytest.mark.long


@pytest.mark.parametrize("card", ["an Elan3", "a LANai", "a DS-link card", "a VCP", "a transputer", "TOFU's card"])
def test_a_card_survives_a_long_attack(card):
    tests = Path(SANVP).parent / "model_tests"
    result = subprocess.run(
        [tests, f"*refused by {card}*"],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        env=os.environ | {"SANVP_HOSTILE": "50"},
    )
    assert result.returncode == 0, result.stdout
    assert "All tests passed" in result.stdout
