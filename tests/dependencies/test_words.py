"""words.py finds every kind of violation, and none in a clean tree."""

from __future__ import annotations

import unittest

import words
from tree_check import violations_of

CLEAN = {
    "platform/core/time.hpp": "/// A duration: the unit is in the type.\nusing Time = int;\n",
    "topologies/README.md": "# topologies\nNetworks as data, for engineers who build their own.\n",
}


def violations(changes: dict[str, str]) -> list[str]:
    """The violations in the clean tree with some files changed."""
    return violations_of(words.violations, CLEAN | changes)


class WordsTest(unittest.TestCase):
    def assert_one(self, text: str, *expected: str) -> None:
        found = violations({"platform/bad.cpp": text})
        self.assertEqual(len(found), 1, found)
        for part in ("platform/bad.cpp:", *expected):
            self.assertIn(part, found[0])

    def test_a_clean_tree_has_none(self):
        self.assertEqual(violations({}), [])

    def test_each_banned_word_is_found_with_its_line(self):
        for word in (
            "nobody",
            "somebody",
            "anybody",
            "whoever",
            "in vain",
            "comes to grief",
            "chores",
            "stash",
            "roomy",
            "rule of choice",
            "to reckon with",
            "anew",
            "of one's own",
            "the last commit",
            "another computer",
        ):
            with self.subTest(word):
                self.assert_one(f"int x;\n// here: {word}.\n", ":2:", word)

    def test_capitals_are_no_excuse(self):
        self.assert_one("// Nobody waits.\n", "Nobody")

    def test_an_identifier_is_one(self):
        self.assert_one("bool looks_in_vain();\n", "in vain", "no progress")

    def test_a_phrase_over_two_lines_is_one_in_the_second(self):
        self.assert_one("  /// It waits in\n  /// vain.\n", ":2:", "in vain")

    def test_a_part_of_a_word_is_none(self):
        self.assertEqual(violations({"platform/fine.cpp": "// stashing, newborn, main vains, a canewall\n"}), [])

    def test_a_who_for_a_thing_is_one(self):
        self.assert_one("// the request, who waits\n", "request, who")
        self.assert_one('say("who chooses the port");\n', "who")

    def test_a_who_for_people_is_none(self):
        self.assertEqual(violations({"platform/fine.md": "Users who measure, and a reader, who learns.\n"}), [])

    def test_an_issue_number_is_one(self):
        self.assert_one("// See issue 12.\n", "issue 12")
        self.assert_one("// See issue #12.\n", "issue #12")

    def test_an_instruction_issue_is_none(self):
        self.assertEqual(violations({"platform/fine.md": "Dual issue, 2 instructions per cycle.\n"}), [])

    def test_a_commit_hash_is_one(self):
        self.assert_one("// Since add1034 it is faster.\n", "add1034")
        self.assert_one("// Since " + "0123456789abcdef0123" * 2 + " it is faster.\n", "0123456789abcdef")

    def test_a_number_or_a_word_of_seven_letters_is_none(self):
        self.assertEqual(violations({"platform/fine.md": "1234567 effaced bytes at 0xabc1234\n"}), [])

    def test_a_date_is_one(self):
        self.assert_one("// Measured on 2019-03-31.\n", "2019-03-31")

    def test_a_file_outside_the_repository_is_one(self):
        self.assert_one("// ../papers/S4.pdf\n", "../papers")

    def test_an_opening_or_an_idiom_of_a_comment_is_one(self):
        for comment, found in (
            ("/// Of a broadcast.", "Of"),
            ("// It waits. Of a broadcast\n// both ends.", "Of"),
            ("int x;  ///< Where none is left.", "Where"),
            ("/* Null;\n * there is\n * none. */", "there is none"),
            ("/* The block lies there. */", "lies"),
            ("// The run goes on.", "goes on"),
        ):
            with self.subTest(comment):
                self.assert_one(f"int y;\n{comment}\n", found)

    def test_the_line_of_an_idiom_is_the_one_in_which_it_ends(self):
        self.assert_one("int x;\n\n/* Null if\n * there is\n * none. */\n", ":5:")

    def test_an_opening_in_the_middle_of_a_sentence_a_literal_or_an_identifier_is_none(self):
        fine = 'say("// Of 3 ranks, one lies"); // The number of ranks, where known.\n// goes_on, underlies\n'
        self.assertEqual(violations({"platform/fine.cpp": fine}), [])

    def test_comments_of_other_folders_and_kinds_of_files_may_open_as_they_like(self):
        comment = "// Of a broadcast.\n"
        files = dict.fromkeys(("tests/unit/x.cpp", "platform/x.md"), comment)
        self.assertEqual(violations(files), [])

    def test_another_folder_is_not_checked(self):
        self.assertEqual(violations({"elsewhere/bad.cpp": "// nobody\n"}), [])

    def test_an_allowed_phrase_is_none(self):
        files = {
            "platform/quote.md": "The paper says: nobody waits.\n",
            words.ALLOWED_FILE: "# quotes\nplatform/quote.md: paper says: nobody\n",
        }
        self.assertEqual(violations(files), [])

    def test_an_allowance_counts_for_its_file_alone_and_must_be_needed(self):
        found = violations(
            {"platform/other.md": "nobody\n", words.ALLOWED_FILE: "platform/quote.md: nobody\n"},
        )
        self.assertEqual(len(found), 2, found)
        self.assertIn("platform/other.md:1", found[0])
        self.assertIn("'platform/quote.md: nobody' is not needed", found[1])


if __name__ == "__main__":
    unittest.main()
