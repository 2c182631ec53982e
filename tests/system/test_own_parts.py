"""A switch, a topology, a routing and a card of a user, built in as docs/your-own-switch.md shows.

The source tree and the build are left alone: in a copy of the build folder made of links, the parts are compiled as the
files of the folder are that the page copies them to, and the files that contain them are linked again.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from pages import DOCS, examples_of, follow, steps
from program import PROJECT, SANVP

PAGE = DOCS / "your-own-switch.md"
COPIED = re.compile(r"cp (\S+) \.\./(\S+)/")  # what a session puts where
TRANSPORTS = "sw/transports.c"  # the build's list of what is in sw/transport


def session():
    """The steps that need a rebuild, without the rebuilding."""
    return [step for step in steps(PAGE, rebuild=True) if not COPIED.search(step.command)]


def parts() -> list[tuple[Path, str]]:
    """The files that the page copies, and the folders they go to."""
    commands = " ".join(step.command for step in steps(PAGE, rebuild=True))
    return [(examples_of(PAGE) / name, folder) for name, folder in COPIED.findall(commands)]


class Build:
    """A copy of the build folder, made of links: new files in it do not change the real one."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.real = Path(SANVP).resolve().parent
        subprocess.run(["cp", "-rs", str(self.real), str(folder)], check=True)
        commands = json.loads((self.real / "compile_commands.json").read_text(encoding="utf-8"))
        self.commands = {Path(entry["file"]): shlex.split(entry["command"]) for entry in commands}

    def call(self, command: list[str] | str) -> None:
        """Runs a command of the build, in the copy."""
        shell = isinstance(command, str)
        result = subprocess.run(
            command, shell=shell, cwd=self.folder, capture_output=True, text=True, timeout=300, check=False
        )
        assert result.returncode == 0, result.stderr

    def compile(self, source: Path, model: Path) -> str:
        """Compiles a file as that other one is compiled. Returns the object."""
        command = list(self.commands[model])
        target = f"{source.name}.own.o"
        command[command.index("-o") + 1] = target
        command[command.index("-c") + 1] = str(source)
        self.call(command)
        return target

    def compile_like_its_folder(self, source: Path, folder: str) -> str:
        """Compiles a part as if it stood in that folder of the source tree."""
        model = next(file for file in self.commands if file.parent == PROJECT / folder and file.suffix == source.suffix)
        return self.compile(source, model)

    def link(self, target: str, objects: list[str]) -> None:
        """Links a program or an image of the build once more, with these objects besides."""
        listed = subprocess.run(
            ["ninja", "-t", "commands", target], cwd=self.real, capture_output=True, text=True, check=True
        )
        command = listed.stdout.splitlines()[-1]
        (self.folder / target).unlink()
        assert f" -o {target} " in command
        self.call(command.replace(f" -o {target} ", f" {' '.join(objects)} -o {target} "))

    def add_transports(self, names: list[str]) -> str:
        """The build's list of transports with these as well, as an object."""
        text = (self.real / TRANSPORTS).read_text(encoding="utf-8")
        text = text.replace("const struct transport_implementation* const", "DECLARED&", 1)
        declared = "".join(f"extern const struct transport_implementation transport_{name};\n" for name in names)
        listed = "".join(f"    &transport_{name},\n" for name in names)
        text = text.replace("DECLARED&", declared + "const struct transport_implementation* const", 1)
        text = text.replace("[] = {\n", "[] = {\n" + listed, 1)
        source = self.folder / "transports.own.c"
        source.write_text(text, encoding="utf-8")
        return self.compile(source, self.real / TRANSPORTS)


@pytest.fixture(scope="module")
def sanvp(tmp_path_factory) -> Path:
    """A sanvp with the parts of the page, beside programs with its transport."""
    if not (Path(SANVP).resolve().parent / "build.ninja").exists() or not shutil.which("ninja"):
        pytest.skip("only where sanvp was built by ninja")
    build = Build(tmp_path_factory.mktemp("own") / "build")
    objects = {source: build.compile_like_its_folder(source, folder) for source, folder in parts()}
    build.link("sanvp", [o for source, o in objects.items() if source.suffix == ".cpp"])
    transports = {source.stem: o for source, o in objects.items() if source.suffix == ".c"}
    for program in {match[1] for step in session() if (match := re.search(r"sanvp run \S+ (\w+)", step.command))}:
        build.link(f"sw/apps/{program}.so", [*transports.values(), build.add_transports(list(transports))])
    return build.folder / "sanvp"


def test_the_page_brings_a_part_of_each_kind():
    assert {folder for _, folder in parts()} == {
        "models/switches",
        "topologies",
        "topologies/routing",
        "models/nic",
        "sw/transport",
    }


def test_own_parts_do_what_the_page_shows(sanvp, tmp_path):
    follow(PAGE, session(), shutil.copytree(examples_of(PAGE), tmp_path / "copy"), sanvp)
