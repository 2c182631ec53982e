"""maps.py finds every kind of gap, and none where there is none."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import maps

CLEAN = {
    "README.md": "# all\n| [`net/`](net/README.md) | see [times](net/README.md#how-long) |\n",
    "net/README.md": "# net\n`packet`, `worm/`\n## How long\n",
    "net/packet.hpp": "",
    "net/worm/lane.hpp": "",
}


def gaps(changes: dict[str, str]) -> list[str]:
    """What maps.py says of the clean tree with some files changed."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (CLEAN | changes).items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return maps.gaps(Path(folder))


class MapsTest(unittest.TestCase):
    def test_a_tree_whose_maps_hold_has_none(self):
        self.assertEqual(gaps({}), [])

    def test_a_file_that_is_not_on_the_map(self):
        self.assertEqual(gaps({"net/packet_format.hpp": ""}), ["net/README.md: packet_format is not on the map"])

    def test_a_folder_that_is_not_on_the_map(self):
        self.assertEqual(gaps({"nic/plain.cpp": ""}), ["README.md: nic is not on the map"])

    def test_a_link_to_a_file_that_is_not_there(self):
        self.assertEqual(gaps({"TIMING.md": "[x](y.md)"}), ["TIMING.md: the link to y.md leads nowhere"])

    def test_a_link_to_a_heading_that_is_not_there(self):
        found = gaps({"TIMING.md": "[x](net/README.md#how-wide)"})
        self.assertEqual(found, ["TIMING.md: the link to net/README.md#how-wide leads nowhere"])


if __name__ == "__main__":
    unittest.main()
