"""The installed tree: in a folder whose name has spaces, used by a user who is not root and has no source tree.

cmake --install copies what is built, so SANVP must be in a build folder.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from binaries import needs_compilers
from program import PROJECT, SANVP

sys.path.insert(0, str(PROJECT / "tests" / "dependencies"))

import maps

BUILD = Path(SANVP).resolve().parent
UNPRIVILEGED = 65534

EMBEDS = """
#include <fmt/format.h>
#include <systemc>
#include "platform/machine/machine.hpp"
int sc_main(int, char**) {
  const sanvp::Machine machine({.name = "qsnet-16"});
  fmt::print("{} hosts, {}\\n", machine.hosts(), machine.check().deadlock_free() ? "free" : "not free");
  return 0;
}
"""
CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(mine CXX)
find_package(sanvp 0.1 REQUIRED)
add_executable(mine mine.cpp)
target_link_libraries(mine PRIVATE sanvp::models)
"""

compiles = pytest.mark.long  # programs and parts of the user's, and runs


class Installed:
    """An installed tree, and commands of a user."""

    def __init__(self, top: Path):
        self.prefix = top / "a prefix"
        self.home = top / "a home"
        self.home.mkdir()
        install = ["cmake", "--install", str(BUILD), "--prefix", str(self.prefix)]
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        self.user = UNPRIVILEGED if os.geteuid() == 0 else None
        if self.user:
            top.chmod(0o755)
            os.chown(self.home, UNPRIVILEGED, UNPRIVILEGED)

    def examples(self, name: str) -> Path:
        """A copy of a folder of examples, the user's own."""
        self.run(f"cp -r '{self.prefix}/share/doc/sanvp/examples/{name}' . && chmod -R u+w {name}")
        return self.home / name

    def run(self, command: str, folder: Path | None = None) -> str:
        """What a command line of the user's prints. It must succeed."""
        path = f"{self.prefix}/bin:/usr/bin:/bin"
        environment = {"PATH": path, "HOME": str(self.home), "LANG": "C.UTF-8"}
        done = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            text=True,
            cwd=folder or self.home,
            env=environment,
            user=self.user,
            group=self.user,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout


@pytest.fixture(scope="module")
def tree() -> Iterator[Installed]:
    """The tree, in no folder of pytest's: each pytest that begins takes these from all users but its own."""
    with tempfile.TemporaryDirectory(prefix="installed-") as top:
        yield Installed(Path(top))


@compiles
def test_it_runs_programs_and_traffic(tree):
    assert "hello from rank 3 of 4" in tree.run("sanvp run qsnet-16 hello --np 4")
    assert "not saturated" in tree.run("sanvp traffic myrinet-8 uniform --load 0.01 --packets 500")
    assert "deadlock-free" in tree.run("sanvp check tofu-36")
    built = subprocess.run([SANVP, "list", "machines"], capture_output=True, text=True, check=True).stdout
    assert tree.run("sanvp list machines") == built


@compiles
def test_it_computes_what_the_built_one_computes(tree):
    command = "run qsnet-16 ping --np 2"
    built = subprocess.run([SANVP, *command.split()], capture_output=True, text=True, check=True).stdout
    assert tree.run(f"sanvp {command}") == built


@compiles
def test_programs_are_compiled_and_run_by_themselves(tree):
    folder = tree.examples("one-message")
    tree.run("sanvp-cc there_and_back.c -o there", folder)
    assert "4096 bytes" in tree.run("sanvp run tofu-36 ./there --np 2", folder)
    (tree.home / "alone.c").write_text('#include <stdio.h>\nint main(void) { return puts("me") < 0; }\n')
    assert "me\n" in tree.run("sanvp-cc alone.c -o alone && env -i ./alone")
    (tree.home / "alone.cpp").write_text('#include <iostream>\nint main() { std::cout << "me, too\\n"; }\n')
    assert "me, too" in tree.run("sanvp-c++ alone.cpp -o too && sanvp run qsnet-16 ./too --np 1")


@compiles
def test_firmware_is_changed_and_compiled_from_its_installed_source(tree):
    tree.run('cp -r "$(sanvp-cc --firmware-sources)" changed && chmod -R u+w changed')
    tree.run("sanvp-cc --firmware -I changed changed/sw/elanlib/firmware/tport.c -o tport.so")
    command = "sanvp run qsnet-16 ping --np 2 -s nic.firmware=tport.so -- --level=mpi --most=0"
    assert tree.run(command) == tree.run(command.replace("-s nic.firmware=tport.so", ""))


@compiles
@needs_compilers
def test_programs_of_riscv_are_compiled_and_run(tree):
    (tree.home / "hi.f90").write_text(
        "program hi\nuse mpi\ninteger :: e, n\ncall MPI_Init(e)\ncall MPI_Comm_size(MPI_COMM_WORLD, n, e)\n"
        "print '(i0)', n\ncall MPI_Finalize(e)\nend program\n"
    )
    assert tree.run("sanvp-fc hi.f90 -o hi && sanvp run myrinet-8 ./hi --np 3").splitlines().count("[2] 3") == 1


@compiles
def test_parts_of_the_user_are_made_and_loaded(tree):
    folder = tree.examples("own-machine")
    tree.run("sanvp-part pipelined.cpp && sanvp-part hypercube.cpp && sanvp-part ecube.cpp", folder)
    assert "switch.stages = 3" in tree.run("sanvp describe pipelined --part pipelined.so", folder)
    assert "0 0 0 1 64 0 0 735 735 0" in tree.run("sanvp replay pipelined.ini --traffic packets.txt", folder)
    assert "channel dependencies 224" in tree.run("sanvp check cube.ini --part ecube.so -s routing.type=ecube", folder)


@compiles
def test_a_card_with_driver_and_transport_runs_mpi(tree):
    folder = tree.examples("own-machine")
    shutil.copy(PROJECT / "sw/message_portdrv/message_portdrv.c", folder / "my_driver.c")
    card = (folder / "mailbox.cpp").read_text()
    returned = re.search(r"  return message_port::with_card\((.*?)\);\n", card, re.DOTALL)
    assert returned
    own = f"  NicModel model = message_port::with_card({returned[1]});\n"
    own += '  model.driver = "my_driver";\n  return model;\n'
    (folder / "mailbox.cpp").write_text(card.replace(returned[0], own))
    tree.run("sanvp-part mailbox.cpp mailbox.c --driver my_driver.c", folder)
    assert (folder / "mailbox.sw/my_driver.so").exists()
    assert "PASS" in tree.run("sanvp run mailbox.ini ping --np 2", folder)
    assert "PASS" in tree.run("sanvp run mailbox.ini cg --np 4", folder)


@compiles
def test_find_package_gives_what_a_program_of_the_user_needs(tree):
    folder = tree.home / "by cmake"
    tree.run(f"mkdir '{folder.name}'")
    (folder / "mine.cpp").write_text(EMBEDS)
    (folder / "CMakeLists.txt").write_text(CMAKE)
    tree.run(f"cmake -S . -B build -DCMAKE_PREFIX_PATH='{tree.prefix}' && cmake --build build", folder)
    assert tree.run("build/mine", folder) == "16 hosts, free\n"


@compiles
def test_pkg_config_does_so_too(tree):
    (tree.home / "mine.cpp").write_text(EMBEDS)
    flags = f"eval \"flags=($(PKG_CONFIG_PATH='{tree.prefix}/lib/pkgconfig' pkg-config --cflags --libs sanvp))\""
    tree.run(f'{flags} && c++ mine.cpp "${{flags[@]}}" -o mine')
    assert tree.run("./mine") == "16 hosts, free\n"


@compiles
def test_it_can_be_moved(tree, tmp_path):
    moved = tmp_path / "else where"
    shutil.copytree(tree.prefix, moved, symlinks=True)
    command = [moved / "bin/sanvp", "run", "qsnet-16", "hello", "--np", "2"]
    run = subprocess.run(command, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr


def test_nothing_installed_names_a_folder_of_the_build(tree):
    named = []
    for file in tree.prefix.rglob("*"):
        if file.is_symlink() or not file.is_file():
            continue
        text = file.read_bytes()
        if any(os.fsencode(str(folder)) in text for folder in (PROJECT, BUILD, tree.prefix)):
            named.append(str(file.relative_to(tree.prefix)))
    assert named == []


def test_every_link_of_an_installed_page_leads_to_a_file_or_heading(tree):
    documents = tree.prefix / "share/doc/sanvp"
    pages = sorted(tree.prefix.rglob("*.md"))
    assert [page.relative_to(documents) for page in pages] == [
        page.relative_to(PROJECT) for page in maps.pages(PROJECT)
    ]
    assert [line for page in pages for line in maps.broken_links(page, tree.prefix)] == []
    links = [link for page in pages for link in maps.LINK.findall(page.read_text())]
    assert len(links) > 300
    # A source that is not installed is named without a link; a header's link leads to include/.
    assert "is in one file, `network_walk.cpp`:" in (documents / "models/net/README.md").read_text()
    header = "[`models/nic/module.hpp`](../../../../include/sanvp/models/nic/module.hpp)"
    assert header in (documents / "docs/embedding.md").read_text()


def test_a_message_names_the_installed_wrapper(tree):
    refused = "sanvp run qsnet-16 /dev/null 2>&1 || true"
    assert "the path of a program built by sanvp-cc -o" in tree.run(refused)
    by_path = f"PATH=/usr/bin:/bin; '{tree.prefix}/bin/'{refused}"
    assert f"the path of a program built by {tree.prefix}/bin/sanvp-cc -o" in tree.run(by_path)


def test_manual_pages_know_the_options(tree):
    manuals = tree.prefix / "share/man/man1"
    for name in (
        "sanvp",
        "sanvp-run",
        "sanvp-traffic",
        "sanvp-study",
        "sanvp-cc",
        "sanvp-c++",
        "sanvp-fc",
        "sanvp-part",
    ):
        assert (manuals / f"{name}.1").exists()
    assert "\\-\\-np" in (manuals / "sanvp-run.1").read_text()
    assert "\\-\\-target riscv64" in (manuals / "sanvp-fc.1").read_text()
    if shutil.which("man"):
        assert "--fidelity" in tree.run(f"man -P cat '{manuals}/sanvp-traffic.1'")


def completed(tree: Installed, line: str) -> list[str]:
    """What bash offers for the last word of a line, which it splits into words as readline does: at = as well."""
    words = [word for word in re.split(r" |(=)", line) if word is not None]
    words = [word for i, word in enumerate(words) if word or i == len(words) - 1]
    source = f"source '{tree.prefix}/share/bash-completion/completions/sanvp'"
    told = f"COMP_WORDS=({' '.join(map(shlex.quote, words))}); COMP_CWORD={len(words) - 1}; _sanvp sanvp"
    return tree.run(f'{source}; {told}; printf "%s\\n" "${{COMPREPLY[@]}}"').split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("sanvp tr", ["traffic"]),
        ("sanvp run qsnet-6", ["qsnet-64"]),
        ("sanvp run qsnet-64 pi", ["ping"]),
        ("sanvp traffic qsnet-64 trans", ["transpose"]),
        ("sanvp list ma", ["machines"]),
        ("sanvp run qsnet-64 cg --cp", ["--cpu"]),
        ("sanvp run qsnet-64 --np 4 pi", ["ping"]),
        ("sanvp run qsnet-64 ping -- --dir", ["--direction"]),
        ("sanvp traffic qsnet-64 uniform --fidelity ", ["worm", "flit"]),
        ("sanvp traffic qsnet-64 uniform --fidelity=f", ["flit"]),
        ("sanvp run qsnet-64 ping --map b", ["block"]),
        ("sanvp traffic qsnet-64 uniform --arrivals e", ["exponential"]),
        ("sanvp run --progress o", ["on", "off"]),
        ("sanvp run qsnet-64 ping -s host.pci.cl", ["host.pci.clock="]),
        ("sanvp run qsnet-64 ping -s host.pci.clock=66 -s host.pci.wi", ["host.pci.width="]),
        ("sanvp run qsnet-64 ping -s mpi.alltoal", ["mpi.alltoall="]),
        ("sanvp check myrinet-8 --set nic.routi", ["nic.routing="]),
        ("sanvp traffic tofu-36 uniform -s host.pci.clock=", []),
        ("sanvp study ", ["list", "run", "report", "compare"]),
        ("sanvp study re", ["report"]),
        ("sanvp study run x.yaml --q", ["--quick"]),
    ],
)
def test_bash_completes(tree, line, offered):
    assert completed(tree, line) == offered


def test_bash_completes_names_of_files(tree):
    (tree.home / "solver.ini").touch()
    assert completed(tree, "sanvp check solv") == ["solver.ini"]
    assert completed(tree, "sanvp run qsnet-16 hello --json solv") == ["solver.ini"]
