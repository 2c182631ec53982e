"""check.py finds every kind of violation, and none where there is none."""

from __future__ import annotations

import graphlib
import unittest

import check
from tree_check import violations_of

# A small project without a violation: path -> text.
CLEAN = {
    "platform/core/time.hpp": "#pragma once\n#include <chrono>\n",
    "topologies/graph.hpp": '#pragma once\n#include "platform/core/time.hpp"\n',
    "models/net/timeline.hpp": '#pragma once\n#include <systemc>\n#include "platform/core/time.hpp"\n',
    "models/nic/nic.hpp": '#pragma once\n#include "models/net/timeline.hpp"\n',
    "models/switches/elite.cpp": '#include "models/net/timeline.hpp"\n#include "topologies/graph.hpp"\n',
    "platform/machine/machine.hpp": '#include "models/net/timeline.hpp"\n',
    "platform/main.cpp": '#include "platform/machine/machine.hpp"\n',
    "examples/mine/switch.cpp": '#include "models/net/timeline.hpp"\n',
    "sw/hal/hal.h": "#pragma once\n",
    "sw/mpi/mpi.c": '#include "sw/hal/hal.h"\n#include "mpi.h"\n',
    "sw/mpi/mpi.h": "#pragma once\n",
    "tests/unit/graph.cpp": '#include <catch2/catch.hpp>\n#include "topologies/graph.hpp"\n',
}


def violations(changes: dict[str, str]) -> list[str]:
    """What check.py says of the clean tree with some files changed."""
    return violations_of(check.violations, CLEAN | changes)


class CheckTest(unittest.TestCase):
    def assert_one(self, changes: dict[str, str], *words: str) -> None:
        found = violations(changes)
        self.assertEqual(len(found), 1, found)
        for word in words:
            self.assertIn(word, found[0])

    def test_a_clean_tree_has_none(self):
        self.assertEqual(violations({}), [])

    def test_core_must_not_include_topologies(self):
        self.assert_one(
            {"platform/core/bad.hpp": '\n#include "topologies/graph.hpp"\n'},
            "platform/core/bad.hpp:2",
            "topologies/graph.hpp",
        )

    def test_the_transport_must_not_include_a_switch(self):
        self.assert_one(
            {"models/net/bad.cpp": '#include "models/switches/elite.hpp"\n', "models/switches/elite.hpp": ""},
            "models/net/bad.cpp:1",
            "models/net must not include",
        )

    def test_a_model_must_not_include_the_platform(self):
        self.assert_one({"models/switches/bad.cpp": '#include "platform/machine/machine.hpp"\n'}, "platform/machine")

    def test_switches_must_not_include_nics(self):
        self.assert_one({"models/switches/bad.cpp": '#include "models/nic/nic.hpp"\n'}, "models/nic")

    def test_topologies_must_not_include_systemc(self):
        for header in ("systemc", "systemc.h", "tlm", "tlm_utils/simple_target_socket.h", "sysc/kernel/sc_time.h"):
            with self.subTest(header):
                self.assert_one({"topologies/bad.cpp": f"#include <{header}>\n"}, header, "pure C++")

    def test_a_unit_test_must_not_reach_systemc_through_others(self):
        self.assert_one(
            {
                "models/net/between.hpp": '#include "models/net/timeline.hpp"\n',
                "tests/unit/bad.cpp": '#include "models/net/between.hpp"\n',
            },
            "tests/unit/bad.cpp",
            "models/net/timeline.hpp:2",
        )

    def test_software_must_include_software_only(self):
        self.assert_one({"sw/mpi/bad.c": '#include "platform/core/time.hpp"\n'}, "sw must not include")

    def test_a_room_of_mpi_must_not_include_one_above_it(self):
        files = {
            "sw/mpi/collectives/schedule.h": "",
            "sw/mpi/requests/bad.c": '#include "sw/mpi/collectives/schedule.h"\n',
        }
        self.assert_one(files, "sw/mpi/requests must not include sw/mpi/collectives/schedule.h")

    def test_the_checker_must_not_include_mpi(self):
        self.assert_one(
            {"platform/mpi_check/bad.cpp": '#include "sw/mpi/mpi.h"\n'}, "platform/mpi_check must not include"
        )

    def test_a_relative_include_is_one(self):
        self.assert_one({"topologies/bad.cpp": '#include "graph.hpp"\n'}, '"topologies/graph.hpp"')

    def test_a_relative_include_is_none_in_a_program_that_users_bring(self):
        files = {"tests/programs/fine.c": '#include "check.h"\n', "tests/programs/check.h": ""}
        self.assertEqual(violations(files), [])

    def test_an_include_of_nothing_is_one(self):
        self.assert_one({"topologies/bad.cpp": '#include "topologies/nothing.hpp"\n'}, "no file of the project")

    def test_a_folder_without_a_place_is_one(self):
        self.assert_one({"platform/new/part.cpp": ""}, "platform/new/part.cpp", "no place")

    def test_a_comment_is_none(self):
        self.assertEqual(violations({"topologies/fine.cpp": "// #include <systemc>\n"}), [])

    def test_the_order_itself_has_no_cycle(self):
        order = {folder: set(allowed) - {folder} for folder, allowed in check.ALLOWED.items()}
        graphlib.TopologicalSorter(order).prepare()


if __name__ == "__main__":
    unittest.main()
