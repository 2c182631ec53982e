"""Sphinx makes a site of the Markdown files where they are: docs/, and each folder's README. `scripts/docs` runs it.

The navigation is the tree of folders: below a README stand the pages of its folder and the READMEs of the folders
below, in the order in which the README names them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
INDEX = "README"

project = "sanvp"
html_title = "sanvp"
html_theme = "furo"
html_theme_options = {"light_css_variables": {"code-font-size": "78%"}}
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
extensions = ["myst_parser"]
root_doc = INDEX
source_suffix = {".md": "markdown"}
include_patterns = ["**/*.md", "*.md"]
exclude_patterns = ["build*", "results", ".*", "**/__pycache__", "**/.*"]
highlight_language = "none"
myst_heading_anchors = 4  # links to headings work as in a repository's view
suppress_warnings = ["misc.highlighting_failure"]  # listings of shell sessions with "..."


def is_part(folder: Path) -> bool:
    """Whether a folder is neither built nor hidden."""
    return folder.is_dir() and not folder.name.startswith((".", "_", "build", "results"))


def nearest(folder: Path) -> list[Path]:
    """A folder's README; of a folder without one, its pages and the nearest READMEs further down."""
    if (folder / f"{INDEX}.md").exists():
        return [folder / f"{INDEX}.md"]
    below = [page for inside in sorted(filter(is_part, folder.iterdir())) for page in nearest(inside)]
    return sorted(folder.glob("*.md")) + below


def pages_below(readme: Path) -> list[str]:
    """What stands below a README in the navigation: paths from its folder, without suffix."""
    folder, text = readme.parent, readme.read_text(encoding="utf-8")
    pages = [page for page in sorted(folder.glob("*.md")) if page != readme]
    pages += [page for inside in sorted(filter(is_part, folder.iterdir())) for page in nearest(inside)]
    names = [page.relative_to(folder).as_posix() for page in pages]
    place = {name: text.find(f"({name}") for name in names}
    names.sort(key=lambda name: place[name] if place[name] >= 0 else len(text))
    return [name.removesuffix(".md") for name in names]


def add_navigation(app: Sphinx, name: str, source: list[str]) -> None:
    """Appends the table of contents to a README while Sphinx reads it; the file stays as it is."""
    page = ROOT / f"{name}.md"
    if page.stem == INDEX and (below := pages_below(page)):
        source[0] += "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(below) + "\n```\n"


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", add_navigation)
