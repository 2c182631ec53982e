"""Registers of cards: `sanvp describe` shows all that sw/abi/registers has; a wrong access of a program is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from program import PROJECT, SANVP, USER_MISTAKE, done, sanvp

HEADERS = PROJECT / "sw" / "abi" / "registers"
IMAGES = Path(SANVP).parent / "sw" / "tests"
PROGRAM_FAILED = 4

# Of each header: the machine parts that have the registers, prefixes of its macros by window, and macros that are no
# registers.
CARDS = {
    "elan3": (["elan3"], {"E3_REG_": 2, "E3_CP_": 1}),
    "lanai": (["lanai"], {"LANAI_REG_": 1}),
    "ds_link": (["ds_link"], {"DS_REG_": 1, "DS_PORT_": 0}),
    "stc104": (["stc104"], {"STC104_": 0}),
    "tofu": (["tofu"], {"TOFU_REG_": 2, "TOFU_PAGE_": 0}),
    "message_port": (["vcp", "transputer"], {}),
}
STC104 = {"IDENTITY": 0, "MODE": 0x1000, "RANDOM": 0x1004, "OWN": 0x1008, "INTERVAL": 0x1040}
DEFINED = re.compile(
    r"^\s*(?:#define )?(?P<name>[A-Z0-9_]+)(?:\(\w+\))?\s*(?:=\s*)?(?P<value>0x[0-9a-f]+)u?,?\s*(?:/\*.*)?$", re.M
)


def macros(header: str, prefix: str) -> dict[str, int]:
    """The offsets of a header by name without the prefix; sizes are none."""
    text = (HEADERS / f"{header}.h").read_text(encoding="utf-8")
    found = {m["name"]: int(m["value"], 16) for m in DEFINED.finditer(text)}
    return {
        name.removeprefix(prefix): value
        for name, value in found.items()
        if name.startswith(prefix) and not name.endswith("_BYTES")
    }


def camel(macro: str) -> str:
    """PUT_DMA: PutDma."""
    return "".join(word.capitalize() for word in macro.split("_"))


def table(part: str) -> dict:
    """The register map of a part."""
    return done("describe", part, "registers", "--json", "-").json


@pytest.mark.parametrize("header", CARDS)
def test_every_register_of_a_header_is_declared_under_its_name_at_its_offset(header):
    parts, prefixes = CARDS[header]
    for part in parts:
        declared = {(one["window"], one["name"]): one["offset"] for one in table(part)["registers"]}
        for prefix, window in prefixes.items():
            expected = STC104 if header == "stc104" else macros(header, prefix)
            assert expected, prefix
            for macro, offset in expected.items():
                assert declared.get((window, camel(macro))) == offset, f"{prefix}{macro}"


def test_the_headers_are_read_right():
    assert len(macros("elan3", "E3_REG_")) == 19
    assert macros("elan3", "E3_CP_")["SET_EVENT"] == 0x30
    assert set(macros("lanai", "LANAI_REG_")) == {
        "START",
        "INTERRUPT",
        "INTERRUPT_MASK",
        "ROUTES",
        "ROUTE_NODES",
        "CLOCK",
    }
    assert set(macros("ds_link", "DS_PORT_")) == {"OUTPUT", "INPUT", "CONNECT"}
    assert set(macros("tofu", "TOFU_PAGE_")) == {"ORDERS", "TCQ", "MRQ", "DIRECT"}
    words = macros("stc104", "STC104_")
    assert {name: words[name] for name in ("IDENTITY", "MODE", "RANDOM", "OWN")} == {
        "IDENTITY": 0x0,
        "MODE": 0x0,
        "RANDOM": 0x4,
        "OWN": 0x8,
    }


@pytest.mark.parametrize("header", CARDS)
def test_every_window_of_a_header_is_declared(header):
    text = (HEADERS / f"{header}.h").read_text(encoding="utf-8")
    bars = set(re.findall(r"\b[A-Z0-9]+_BAR_[A-Z]+\b", text))
    for part in CARDS[header][0]:
        assert len(table(part)["windows"]) == max(len(bars), 1)


def test_describe_shows_registers_as_a_table():
    text = done("describe", "elan3", "registers").out
    assert text.startswith("registers of elan3:\n  window 0, SDRAM: memory, 64 MiB: ")
    assert "  window 1, command ports: 4096 pages of 0x2000 bytes, one for each context: " in text
    assert re.search(r"^    offset access bytes reset name +meaning$", text, re.M)
    assert re.search(
        r"^    0x0030 w +4-8 +0x0 +SetEvent +address of a struct e3_event to set \[FACTS 1.5\]$", text, re.M
    )
    assert re.search(
        r"^    0x2bb4 r +4 +0x0 +EventCookie .*; a read takes the cookie from the queue \[assumed\]$", text, re.M
    )
    assert re.search(r"^    0x4000 r +4 +0x0 +Counters \[8\] ", text, re.M)
    assert text.removeprefix("registers of elan3:\n") in done("describe", "elan3").out
    assert re.search(
        r"^    0x1040 rw +4 +0x0 +Interval \[32 links\] \[36\] ", done("describe", "stc104", "registers").out, re.M
    )


def test_registers_of_a_part_without_any_are_a_mistake():
    result = sanvp("describe", "elite", "registers")
    assert result.status == USER_MISTAKE
    assert "elite has no registers" in result.err


@pytest.mark.parametrize(
    ("access", "message"),
    [
        ("read", r"load from bus address 0x\w+: a read of SetEvent of context \d+, which can only be written"),
        ("nothing", r"store to bus address 0x\w+: no register at 0x\w+18 of window command ports"),
        ("wide", r"a write of 12 bytes to PutDma of context \d+, which takes 4 to 8"),
        ("middle", r"a write in the middle of PutDma of context \d+, at byte 2"),
    ],
)
def test_a_program_that_accesses_a_register_wrongly_is_told_which(access, message):
    result = sanvp("run", "qsnet-16", f"{IMAGES}/wrong_access.so", "--np", 1, "--", access)
    assert result.status == PROGRAM_FAILED
    assert re.search(message, result.err), result.err
