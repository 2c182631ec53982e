"""maps.py finds every kind of gap, and none where there is none."""

from __future__ import annotations

import importlib.util
import re
import unittest

import maps
from tree_check import PROJECT, violations_of

CLEAN = {
    "README.md": "# all\n| [`net/`](net/README.md) | see [times](net/README.md#how-long) |\n",
    "net/README.md": "# net\n`packet`, `worm/` with `lane`\n## How long\n",
    "net/packet.hpp": "",
    "net/worm/lane.hpp": "",
}


def gaps(changes: dict[str, str]) -> list[str]:
    """What maps.py says of the clean tree with some files changed."""
    return violations_of(maps.gaps, CLEAN | changes)


class MapsTest(unittest.TestCase):
    def test_a_tree_whose_maps_hold_has_none(self):
        self.assertEqual(gaps({}), [])

    def test_a_file_that_is_not_on_the_map(self):
        self.assertEqual(gaps({"net/packet_format.hpp": ""}), ["net/README.md: packet_format is not on the map"])

    def test_a_folder_that_is_not_on_the_map(self):
        found = gaps({"nic/plain.cpp": ""})
        self.assertEqual(
            found, ["README.md: nic is not on the map", "nic has no README.md, and README.md does not name plain"]
        )

    def test_a_file_of_a_folder_without_a_map_that_the_map_above_does_not_name(self):
        found = gaps({"net/worm/runs.cpp": ""})
        self.assertEqual(found, ["net/worm has no README.md, and net/README.md does not name runs"])

    def test_a_picture_names_a_file_that_is_not_there(self):
        picture = '<svg><text class="file" x="1">net/worm/lane.hpp, old.cpp</text></svg>'
        self.assertEqual(gaps({"net/walk.svg": picture}), ["net/walk.svg: there is no old.cpp"])

    def test_a_link_to_a_file_that_is_not_there(self):
        self.assertEqual(gaps({"TIMING.md": "[x](y.md)"}), ["TIMING.md: the link to y.md leads nowhere"])

    def test_a_link_to_a_heading_that_is_not_there(self):
        found = gaps({"TIMING.md": "[x](net/README.md#how-wide)"})
        self.assertEqual(found, ["TIMING.md: the link to net/README.md#how-wide leads nowhere"])


class SiteTest(unittest.TestCase):
    """The configuration of the site (scripts/docs), without Sphinx."""

    def setUp(self):
        self.folder = PROJECT / "docs" / "site"
        about = importlib.util.spec_from_file_location("conf", self.folder / "conf.py")
        self.conf = importlib.util.module_from_spec(about)
        about.loader.exec_module(self.conf)

    def test_every_page_is_in_the_navigation_once(self):
        found, left = [], [PROJECT / "README.md"]
        while left:
            page = left.pop()
            found.append(page)
            if page.stem == self.conf.INDEX:
                left += [page.parent / f"{name}.md" for name in self.conf.pages_below(page)]
        pages = [page for page in PROJECT.rglob("*.md") if maps.is_ours(page, PROJECT)]
        self.assertEqual(sorted(found), sorted(pages))

    def test_what_it_installs_has_fixed_versions(self):
        for line in (self.folder / "requirements.txt").read_text(encoding="utf-8").splitlines():
            self.assertTrue(re.fullmatch(r"[a-z-]+==[\d.]+", line), line)


if __name__ == "__main__":
    unittest.main()
