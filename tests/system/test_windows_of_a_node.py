"""Windows whose ranks share a node (tests/programs/near_windows.c), in programs of RISC-V, whose ranks have memory each
of their own, and in native ones.

`test_brought_programs.py` has more native runs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import PROJECT, sanvp

MACHINES = ("qsnet-16", "tofu-36", "myrinet-8", "macrame-clos-64")
TARGETS = {"native": [], "riscv": ["--target", "riscv64"]}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> dict[str, Path]:
    """The program for each kind of node."""
    folder = tmp_path_factory.mktemp("near_windows")
    source = PROJECT / "tests/programs/near_windows.c"
    for kind, target in TARGETS.items():
        made = wrapper("sanvp-cc", *target, "-O2", source, "-o", kind, cwd=folder)
        assert (made.returncode, made.stderr) == (0, "")
    return {kind: folder / kind for kind in TARGETS}


@needs_compilers
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kind", TARGETS)
def test_ranks_of_a_node_access_each_others_windows(compiled, kind, machine):
    result = sanvp("run", machine, compiled[kind], "--np", 5, "--map", "0,0,0,1,1")
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out
