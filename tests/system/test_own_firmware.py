"""Firmware of users: what `sanvp-cc --firmware` makes, and a run with it. docs/your-own-firmware.md has a session."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from binaries import wrapper
from program import COST, DONE, PROJECT, SANVP, USER_MISTAKE, done, sanvp

SHIPPED = Path(SANVP).resolve().parent / "sw" / "firmware"
RUN = ("ping", "--np", "2")
PROGRAM = ("--", "--level=mpi", "--most=0")
OTHER_VERSION = b"\xff\xff\xff\xff"


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, as a user makes one."""
    shown = wrapper("sanvp-cc", "--firmware-sources", cwd=Path())
    assert shown.returncode == 0, shown.stderr
    return shutil.copytree(shown.stdout.strip(), tmp_path_factory.mktemp("firmware") / "mine")


def compiled(folder: Path, sources: Path, name: str, change: tuple[str, str] = ("", "")) -> Path:
    """The program of this name, with a piece of its text replaced."""
    mine = shutil.copytree(sources, folder / f"mine-{name}")
    for file in mine.rglob("*.c"):
        text = file.read_text()
        if change[0] in text:
            file.write_text(text.replace(*change, 1) if change[0] else text)
    files = sorted(mine.glob(f"sw/*/firmware/{name}.c")) or sorted(mine.glob(f"sw/*/firmware/{name}/*.c"))
    made = wrapper("sanvp-cc", "--firmware", "-I", mine, *files, "-o", folder / f"{name}.so", cwd=folder)
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    return folder / f"{name}.so"


def result_of(folder: Path, machine: str, *options: object) -> dict:
    done("run", machine, *RUN, "--json", "result.json", *options, *PROGRAM, cwd=folder)
    result = json.loads((folder / "result.json").read_text())
    for cost in COST:
        del result[cost]
    return result


@pytest.mark.parametrize(("machine", "name", "cards"), [("qsnet-16", "tport", 2), ("myrinet-8", "lcp", 32)])
def test_the_same_source_takes_the_same_time(
    tmp_path: Path, sources: Path, machine: str, name: str, cards: int
) -> None:
    """All numbers are those of sanvp's own program, and the result names the file and the cards that have loaded it."""
    own = compiled(tmp_path, sources, name)
    with_own = result_of(tmp_path, machine, "-s", f"nic.firmware={own.name}", "--out", "out")
    assert with_own.pop("firmware") == [{"program": name, "file": own.name, "cards": cards}]
    assert with_own == result_of(tmp_path, machine)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["parameters"]["nic.firmware"]["value"] == own.name


def test_a_message_takes_longer_by_the_cycles_that_the_firmware_adds(tmp_path: Path, sources: Path) -> None:
    """1,000 cycles of 10 ns for each message, once on its way."""
    slower = compiled(
        tmp_path, sources, "tport", ("static int meet_receives(struct matcher* matcher, e3_addr slot) {", MEET)
    )
    plain, slow = result_of(tmp_path, "qsnet-16"), result_of(tmp_path, "qsnet-16", "-s", f"nic.firmware={slower}")
    added_us = 10
    assert slow["latency_us"] - plain["latency_us"] == pytest.approx(added_us, rel=0.02)


MEET = "static int meet_receives(struct matcher* matcher, e3_addr slot) {\n  elan3_cycles(1000);"


@pytest.mark.parametrize(
    ("machine", "name", "line"),
    [
        ("qsnet-16", "tport", MEET.splitlines()[0]),
        pytest.param("myrinet-8", "lcp", "void lanai_main(void) {", marks=pytest.mark.long),
    ],
)
def test_what_firmware_prints_is_on_standard_error(
    tmp_path: Path, sources: Path, machine: str, name: str, line: str
) -> None:
    """Standard output has the program's lines alone, and for `--json -` the JSON alone."""
    prints = "extern int printf(const char*, ...);\n" + line + '\n  printf("from the card %d\\n", 7);'
    own = compiled(tmp_path, sources, name, (line, prints))
    command = ("run", machine, *RUN, "-s", f"nic.firmware={own}")
    run = done(*command, *PROGRAM)
    assert all(row.startswith("[0] ") for row in run.out.splitlines())
    assert run.err.count("from the card 7\n") >= int(RUN[-1])  # one of each node at least
    assert done(*command, "--json", "-", *PROGRAM).json["status"] == "done"


def test_a_file_in_a_machine_file_is_relative_to_it(tmp_path: Path, sources: Path) -> None:
    compiled(tmp_path, sources, "tport")
    compiled(tmp_path, sources, "barrier")
    (tmp_path / "mine.ini").write_text("include = qsnet-16.ini\n[nic]\nfirmware = tport.so, barrier.so\n")
    shutil.copytree(PROJECT / "platform" / "machines", tmp_path, dirs_exist_ok=True)
    (tmp_path / "elsewhere").mkdir()
    result = json.loads(done("run", "../mine.ini", *RUN, "--json", "-", *PROGRAM, cwd=tmp_path / "elsewhere").out)
    assert [one["program"] for one in result["firmware"]] == ["tport", "barrier"]


def test_a_file_of_no_programs_name_is_told(tmp_path: Path, sources: Path) -> None:
    shutil.copy(compiled(tmp_path, sources, "tport"), tmp_path / "tports.so")
    run = sanvp("run", "qsnet-16", *RUN, "-s", "nic.firmware=tports.so", *PROGRAM, cwd=tmp_path)
    assert run.status == DONE
    assert "no card has loaded tports.so; the programs that cards have loaded are" in run.err
    assert "tport: the name" in run.err


def test_a_crash_names_the_line(tmp_path: Path, sources: Path) -> None:
    crash = MEET.replace("elan3_cycles(1000)", "*(volatile int*)0 = 1")
    own = compiled(tmp_path, sources, "tport", (MEET.splitlines()[0], crash))
    run = sanvp("run", "qsnet-16", *RUN, "-s", f"nic.firmware={own}", *PROGRAM)
    assert run.status != DONE
    assert "firmware 'tport'" in run.err
    assert "meet_receives" in run.err and "tport.c:" in run.err


@pytest.mark.parametrize(
    ("machine", "file", "cause"),
    [
        ("qsnet-16", "none.so", "there is no file 'none.so'"),
        ("qsnet-16", ".", "'.' is a folder"),
        ("qsnet-16", "notes.txt", "does not end in .so"),
        ("qsnet-16", "text.so", "'text.so' is not firmware for this card: it has no function elan3_thread_main"),
        ("qsnet-16", "lcp.so", "'lcp.so' is firmware for card lanai"),
        ("myrinet-8", "tport.so", "'tport.so' is firmware for card elan3"),
        ("qsnet-16", "tport.so,./tport.so", "two files are the program 'tport'"),
        ("tofu-36", "tport.so", "nic.firmware"),
        ("qsnet-16", "other/tport.so", "was compiled for another version of sanvp"),
    ],
)
def test_what_is_no_firmware_for_this_card_is_refused(tmp_path: Path, machine: str, file: str, cause: str) -> None:
    for name in ("tport.so", "lcp.so"):
        shutil.copy(SHIPPED / name, tmp_path)
    (tmp_path / "text.so").write_text("no program")
    (tmp_path / "notes.txt").write_text("no program")
    (tmp_path / "other").mkdir()
    write_other_version(SHIPPED / "tport.so", tmp_path / "other" / "tport.so")
    run = sanvp("run", machine, *RUN, "-s", f"nic.firmware={file}", *PROGRAM, cwd=tmp_path)
    assert (run.status, cause in run.err) == (USER_MISTAKE, True), run.err
    assert run.err.count("\n") == 1


def write_other_version(image: Path, to: Path) -> None:
    """A copy whose word for the version of its table of calls is another one."""
    listed = subprocess.run(["nm", image], capture_output=True, text=True, check=True).stdout
    address = next(int(line.split()[0], 16) for line in listed.splitlines() if "sanvp_elan3_firmware_version" in line)
    data = bytearray(image.read_bytes())
    data[address : address + len(OTHER_VERSION)] = OTHER_VERSION  # constants stand in the file where they are loaded
    to.write_bytes(data)


@pytest.mark.parametrize(
    ("options", "source", "cause"),
    [
        (("-o", "mine.so"), "int other;", "it defines neither elan3_thread_main (Elan3) nor lanai_main (LANai)"),
        (("-o", "mine"), "void lanai_main(void) {}", "give it a name that ends in .so"),
        (("-o", "mine.so"), "void missing(void); void lanai_main(void) { missing(); }", "undefined reference to"),
        (("-o", "mine.so", "--target", "riscv64"), "void lanai_main(void) {}", "leave --target out"),
    ],
)
def test_what_the_wrapper_cannot_make_is_told(
    tmp_path: Path, options: tuple[str, ...], source: str, cause: str
) -> None:
    (tmp_path / "mine.c").write_text(source)
    made = wrapper("sanvp-cc", "--firmware", "mine.c", *options, cwd=tmp_path)
    assert made.returncode != 0
    assert cause in made.stderr
    assert not (tmp_path / "mine.so").exists()
