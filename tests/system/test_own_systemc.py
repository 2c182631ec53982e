"""SystemC that the user built: where CMake looks for it (cmake/FindSystemC.cmake), and its messages."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from program import PROJECT

VERSION = "define SC_VERSION_MAJOR {}\n#define SC_VERSION_MINOR {}\n#define SC_VERSION_PATCH {}\n"
SHOW = 'message(STATUS "found ${SystemC_VERSION} ${SystemC_CPLUSPLUS} ${SystemC_LIBRARY}")'


def install(folder: Path, version: tuple[int, int, int] = (2, 3, 4), standard: str = "201703L", libraries: str = "lib"):
    """What an installation of SystemC has that CMake looks at: a header with the version, and the ABI's symbol."""
    headers = folder / "include" / "sysc" / "kernel"
    headers.mkdir(parents=True)
    (headers / "sc_ver.h").write_text("#" + VERSION.format(*version), encoding="utf-8")
    (folder / libraries).mkdir(parents=True)
    symbol = "sc_api_version_{}_{}_{}_cxx{}".format(*version, standard)
    command = ["cc", "-shared", "-x", "c", "-", "-o", folder / libraries / "libsystemc.so"]
    subprocess.run(command, input=f"int {symbol};", text=True, check=True)
    return folder


def configure(tmp_path: Path, *options: str, environment: dict[str, str] | None = None) -> tuple[bool, str]:
    """@return whether CMake found a SystemC, and what it said"""
    source = tmp_path / "source"
    source.mkdir(exist_ok=True)
    text = f"cmake_minimum_required(VERSION 3.25)\nproject(finds LANGUAGES C)\nfind_package(SystemC REQUIRED)\n{SHOW}\n"
    (source / "CMakeLists.txt").write_text(text, encoding="utf-8")
    command = [
        "cmake",
        "-G",
        "Ninja",
        "--fresh",
        "-S",
        source,
        "-B",
        tmp_path / "build",
        f"-DCMAKE_MODULE_PATH={PROJECT}/cmake",
    ]
    variables = {"PATH": "/usr/bin:/bin", **(environment or {})}
    run = subprocess.run([*command, *options], capture_output=True, text=True, check=False, env=variables)
    return run.returncode == 0, " ".join((run.stdout + run.stderr).split())


@pytest.mark.parametrize("libraries", ["lib", "lib64", "lib-linux64"])
def test_systemc_home_names_a_systemc_of_the_users_own(tmp_path, libraries):
    home = install(tmp_path / "my systemc", (3, 0, 1), "202002L", libraries)
    found = f"found 3.0.1 202002L {home}/{libraries}/libsystemc.so"
    assert found in configure(tmp_path, f"-DSYSTEMC_HOME={home}")[1]
    assert found in configure(tmp_path, environment={"SYSTEMC_HOME": str(home)})[1]


def test_the_cmake_package_of_a_systemc_is_found(tmp_path):
    home = install(tmp_path / "prefix")
    package = home / "lib" / "cmake" / "SystemCLanguage"
    package.mkdir(parents=True)
    (package / "SystemCLanguageConfig.cmake").touch()
    found = f"found 2.3.4 201703L {home}/lib/libsystemc.so"
    assert found in configure(tmp_path, f"-DCMAKE_PREFIX_PATH={home}")[1]
    assert found in configure(tmp_path, f"-DSystemCLanguage_DIR={package}")[1]


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="there is no pkg-config")
def test_the_pkg_config_file_of_a_systemc_is_found(tmp_path):
    home = install(tmp_path / "prefix")
    (home / "lib" / "pkgconfig").mkdir()
    text = f"Name: SystemC\nDescription: d\nVersion: 2.3.4\nLibs: -L{home}/lib -lsystemc\nCflags: -I{home}/include\n"
    (home / "lib" / "pkgconfig" / "systemc.pc").write_text(text, encoding="utf-8")
    said = configure(tmp_path, environment={"PKG_CONFIG_PATH": str(home / "lib" / "pkgconfig")})[1]
    assert f"found 2.3.4 201703L {home}/lib/libsystemc.so" in said


@pytest.mark.parametrize("standard", ["201402L", "202302L"])
def test_a_systemc_for_another_cpp_standard_is_refused_with_how_to_build_it(tmp_path, standard):
    home = install(tmp_path / "home", standard=standard)
    found, said = configure(tmp_path, f"-DSYSTEMC_HOME={home}")
    assert not found
    assert f"({home}/lib/libsystemc.so, found by SYSTEMC_HOME) was built for another C++ standard ({standard})" in said
    assert "-DCMAKE_CXX_STANDARD=17" in said
    assert "CXXFLAGS=-std=c++17" in said


def test_a_systemc_that_is_too_old_is_refused(tmp_path):
    found, said = configure(tmp_path, f"-DSYSTEMC_HOME={install(tmp_path / 'home', (2, 3, 3))}")
    assert not found
    assert "SystemC 2.3.3" in said
    assert "is too old: sanvp needs 2.3.4 or newer" in said


def test_headers_and_library_of_two_versions_are_refused(tmp_path):
    home = install(tmp_path / "home")
    newer = install(tmp_path / "newer", (3, 0, 1))
    shutil.copy(newer / "lib" / "libsystemc.so", home / "lib")
    found, said = configure(tmp_path, f"-DSYSTEMC_HOME={home}")
    assert not found
    assert "the library is of version 3.0.1" in said
    assert "are of 2.3.4" in said


def test_a_systemc_home_without_systemc_says_what_is_missing_and_takes_no_other(tmp_path):
    (tmp_path / "home").mkdir()
    found, said = configure(tmp_path, f"-DSYSTEMC_HOME={tmp_path}/home")
    assert not found
    assert f"SystemC, named by SYSTEMC_HOME, is not in {tmp_path}/home" in said
    assert "SystemC_LIBRARY-NOTFOUND" in said


def test_without_any_systemc_the_message_names_package_and_variable(tmp_path):
    found, said = configure(tmp_path, environment={"PKG_CONFIG_LIBDIR": str(tmp_path)})
    assert not found
    assert "apt-get install libsystemc-dev" in said
    assert "-DSYSTEMC_HOME=" in said
