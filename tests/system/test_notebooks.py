"""The notebooks of examples/notebooks run, and print what they show."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from pages import Tolerance, matches
from program import PROJECT, SANVP

NOTEBOOKS = PROJECT / "examples" / "notebooks"
MOST_BYTES = 150_000  # of a notebook with its figures
WITHIN = Tolerance(relative=0.1)  # times of host software, and where curves of them cross

pytestmark = pytest.mark.long


def printed(cell: Any) -> str:
    """What a cell has printed, without pictures."""
    texts = [output.get("text", output.get("data", {}).get("text/plain", "")) for output in cell.get("outputs", [])]
    return "".join(text if text.endswith("\n") else text + "\n" for text in texts if "<Figure" not in text)


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = subprocess.run([PROJECT / "scripts" / "install", "notebooks"], check=False)
    if installed.returncode != 0:
        pytest.skip("Jupyter cannot be installed here")
    import nbclient
    import nbformat

    monkeypatch.setenv("SANVP", str(Path(SANVP).resolve()))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("JUPYTER_PATH", str(PROJECT / "build" / "venv" / "share" / "jupyter"))  # as in the environment
    notebook = nbformat.read(path, as_version=4)
    shown = [printed(cell) for cell in notebook.cells]
    assert any(shown)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources=resources).execute()
    for cell, expected in zip(notebook.cells, shown, strict=True):
        assert matches(printed(cell), expected, WITHIN), f"{cell['source']}\nprints:\n{printed(cell)}"


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_is_small_and_has_its_figures(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text) < MOST_BYTES
    assert text.count('"image/png"') == 2
