"""The wheel of scripts/package --wheel, installed by pip into an environment that is empty, and what it is made from.

The wheel holds what is built, so SANVP must be in a build folder.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from pages import matches
from program import PROJECT, SANVP, USER_MISTAKE
from test_notebooks import NOTEBOOKS, WITHIN, printed

BUILD = Path(SANVP).resolve().parent
PACKAGE = PROJECT / "python"
MOST_BYTES = 40_000_000
# An option asks for them, and says how to install them.
WANTED_ALONE = {"distributed", "dask_jobqueue", "networkx", "otf2", "_otf2"}
NAMES_OF_PYPI = {"yaml": "pyyaml"}
LIBRARIES_OF_LINUX = re.compile(r"(linux-vdso|ld-linux-x86-64|libc|libm|libgcc_s|libstdc\+\+)\.so")
COMMANDS = [
    "run qsnet-64 cg",
    "traffic qsnet-64 uniform --load 0.3 --packets 2000",
    "check myrinet-32",
    "replay myrinet-8 --topology network.txt --routes routes.txt --traffic packets.txt",
]
STUDY = """
title: Latency by load
runs:
  sent: {command: "traffic myrinet-8 uniform --packets 300 --load {load}", axes: {load: [0.01, 0.02]}}
values: {latency: sent.latency_ns.mean}
figures:
  one: {x: load, y: latency, x_label: load, y_label: ns}
"""


def test_the_package_declares_all_that_it_imports() -> None:
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    imported = set()
    for file in (PACKAGE / "sanvp").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                imported.add(str(node.module).partition(".")[0])
    foreign = imported - sys.stdlib_module_names - WANTED_ALONE - {"sanvp"}
    assert {NAMES_OF_PYPI.get(name, name) for name in foreign} == set(project["dependencies"])


def test_studies_are_started_by_the_command_that_pip_put_beside_the_program(tmp_path: Path) -> None:
    own = tmp_path / "bin" / "sanvp"
    own.parent.mkdir()
    shutil.copy(SANVP, own)
    driver = own.with_name("sanvp-study")
    driver.write_text('#!/bin/sh\necho "$SANVP: $*"\nexit 3\n')
    driver.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if name != "SANVP"}
    environment["LD_LIBRARY_PATH"] = str(BUILD)
    command = [own, "study", "run", "./mine.yaml", "--quick"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (3, f"{own}: run ./mine.yaml --quick\n", "")


def test_a_missing_compiler_is_named_with_what_to_install(tmp_path: Path) -> None:
    source = tmp_path / "mine.c"
    source.write_text("int main(void) { return 0; }\n")
    command = [BUILD / "sanvp-cc", source, "-o", tmp_path / "mine"]
    environment = {**os.environ, "SANVP_CC": "/nowhere/cc"}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert run.returncode == USER_MISTAKE
    assert run.stderr.startswith("sanvp-cc: there is no compiler /nowhere/cc; install one")
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("compiler", "said"),
    [
        ("exit 1", "headers of SystemC, Boost and fmt are not installed"),
        ("echo 2 3 3 107400 90100", "here is SystemC 2.3.3, "),
    ],
)
def test_a_part_needs_the_headers_that_sanvp_was_made_with(tmp_path: Path, compiler: str, said: str) -> None:
    source = tmp_path / "mine.cpp"
    source.touch()
    other = tmp_path / "c++"
    other.write_text(f"#!/bin/sh\n{compiler}\n")
    other.chmod(0o755)
    command = [BUILD / "sanvp-part", source, "-o", tmp_path / "mine.so"]
    environment = {**os.environ, "SANVP_CXX": str(other)}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert run.returncode == USER_MISTAKE
    assert said in run.stderr
    assert run.stderr.count("\n") == 1


class Environment:
    """The wheel, and an environment of Python that holds it and what pip brings along."""

    def __init__(self, top: Path):
        for old in (BUILD / "package").glob("*.whl"):
            old.unlink()
        subprocess.run([PROJECT / "scripts" / "wheel", BUILD], check=True)
        [self.wheel] = (BUILD / "package").glob("*.whl")
        self.folder = top / "an environment"
        self.home = top / "a home"
        shutil.copytree(PROJECT / "examples" / "replay", self.home)
        subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)
        install = ["pip", "install", "--quiet", f"{self.wheel}[notebooks]"]
        subprocess.run([self.folder / "bin" / "python", "-m", *install], check=True)

    def run(self, command: str, **variables: str) -> str:
        """What a command line prints in the environment. It must succeed, and say nothing of what is deprecated."""
        path = f"{self.folder}/bin:/usr/bin:/bin"
        run = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            text=True,
            cwd=self.home,
            env={"PATH": path, "HOME": str(self.home), "LANG": "C.UTF-8", **variables},
            timeout=600,
            check=False,
        )
        assert run.returncode == 0, f"{command}\n{run.stdout}\n{run.stderr}"
        assert "Warning" not in run.stderr
        return run.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    installed = subprocess.run([PROJECT / "scripts" / "install", "wheel", "notebooks"], check=False)
    if installed.returncode != 0:
        pytest.skip("what makes a wheel, or Jupyter, cannot be installed here")
    return Environment(tmp_path_factory.mktemp("wheel"))


@pytest.mark.long
def test_the_wheel_is_small_and_has_the_licences_of_what_it_brings_along(environment: Environment) -> None:
    assert environment.wheel.stat().st_size < MOST_BYTES
    names = zipfile.ZipFile(environment.wheel).namelist()
    licences = {Path(name).name for name in names if ".dist-info/licenses/" in name}
    assert {"LICENSE", "NOTICE", "LICENSE.LGPL-3", "LICENSE.nlohmann-json3-dev"} <= licences
    for library in ("libdw", "libelf", "libsystemc", "libboost_context", "libfmt"):
        assert any(f"/lib/sanvp/bundled/{library}" in name for name in names)
        assert any(name.replace("-", "_").startswith(f"LICENSE.{library}") for name in licences)


@pytest.mark.long
def test_programs_find_each_library_in_the_environment_or_in_any_linux(environment: Environment) -> None:
    bundled = environment.folder / "lib" / "sanvp" / "bundled"
    for file in (environment.folder / "bin" / "sanvp", environment.folder / "lib" / "libsanvp.so", *bundled.iterdir()):
        for line in environment.run(f"ldd '{file}'").splitlines():
            name, _, place = line.strip().partition(" => ")
            of_wheel = place.startswith(f"{environment.folder}/")
            assert of_wheel or LIBRARIES_OF_LINUX.match(Path(name.split(" ")[0]).name), line


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_gives_the_bytes_of_the_built_program(environment: Environment, command: str) -> None:
    same = """--json - | grep -v '"cpu_time_s"'"""
    built = subprocess.run(
        ["bash", "-c", f"'{SANVP}' {command} {same}"], capture_output=True, text=True, cwd=environment.home, check=True
    )
    assert environment.run(f"sanvp {command} {same}") == built.stdout


@pytest.mark.long
def test_a_study_runs_and_is_drawn_by_the_environment_s_python(environment: Environment) -> None:
    (environment.home / "mine.yaml").write_text(STUDY)
    environment.run("sanvp study run ./mine.yaml && sanvp study report ./mine.yaml --html page.html")
    assert "Latency by load" in (environment.home / "page.html").read_text()


@pytest.mark.long
def test_import_sanvp_gives_pandas_data(environment: Environment) -> None:
    code = "import sanvp; ping = sanvp.run('qsnet-16', 'ping', np=2); print(type(ping.ranks).__name__, len(ping.ranks))"
    assert environment.run(f'python -W error -c "{code}"') == "DataFrame 2\n"


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")))
def test_a_notebook_prints_what_it_shows(environment: Environment, name: str) -> None:
    import nbformat

    installed = environment.folder / "share" / "doc" / "sanvp" / "examples" / "notebooks" / f"{name}.ipynb"
    environment.run(f"jupyter nbconvert --execute --to notebook --output-dir . '{installed}'")
    ran = nbformat.read(environment.home / f"{name}.ipynb", as_version=4)
    shown = nbformat.read(installed, as_version=4)
    for cell, expected in zip(ran.cells, shown.cells, strict=True):
        assert matches(printed(cell), printed(expected), WITHIN), f"{cell['source']}\nprints:\n{printed(cell)}"


@pytest.mark.long
def test_the_compiler_s_wrappers_work_where_there_is_a_compiler(environment: Environment) -> None:
    example = environment.folder / "share" / "doc" / "sanvp" / "examples"
    environment.run(f"sanvp-cc '{example}/one-message/there_and_back.c' -o there")
    assert "4096 bytes" in environment.run("sanvp run tofu-36 ./there --np 2")
    (environment.home / "two.cpp").write_text('#include <iostream>\nint main() { std::cout << "me, too\\n"; }\n')
    assert "me, too" in environment.run("sanvp-c++ two.cpp -o two && sanvp run qsnet-16 ./two --np 1")
    environment.run(f"sanvp-part '{example}/own-machine/pipelined.cpp' -o pipelined.so")
    assert "switch.stages = 3" in environment.run("sanvp describe pipelined --part pipelined.so")
