#include <catch2/catch.hpp>

#include <fstream>

#include "platform/core/files.hpp"
#include "platform/core/machine_file.hpp"
#include "tests/unit/core_support.hpp"

using namespace sanvp;
using sanvp::test::complaint;
using sanvp::test::TemporaryFolder;

namespace {

std::string complaint_about(const std::string& text) {
  return complaint([&] { parse_machine_text(text, "m.ini"); });
}

/// key=text@place of each entry, in order.
std::string summary(const std::vector<MachineEntry>& entries) {
  std::string all;
  for (const auto& entry : entries) all += entry.key + "=" + entry.text + "@" + entry.place + " ";
  return all;
}

}  // namespace

TEST_CASE("sections, keys, values, comments and blanks are recognised, and each value has its line") {
  const auto entries = parse_machine_text(
      "# a machine\n"
      "name = Q # the first\n"
      "\n"
      "[switch]\r\n"
      "  buffer=128\t# flits\n"
      "[link.cable] # copper\n"
      "label = a#b = c\n"
      "empty =\n",
      "m.ini");
  CHECK(summary(entries) ==
        "name=Q@m.ini:2 switch.buffer=128@m.ini:5 link.cable.label=a#b = c@m.ini:7 link.cable.empty=@m.ini:8 ");
}

TEST_CASE("a file may lack its last line end, begin with a byte order mark, or be empty") {
  CHECK(summary(parse_machine_text("\xEF\xBB\xBF[a]\nb = 1", "m.ini")) == "a.b=1@m.ini:2 ");
  CHECK(parse_machine_text("", "m.ini").empty());
  CHECK(parse_machine_text("\n\n# nothing\n", "m.ini").empty());
}

TEST_CASE("a section may be continued, and its keys may have dots") {
  CHECK(summary(parse_machine_text("[nic]\ndma.slice = 1\n[a]\n[nic]\nx = 2\n", "m")) ==
        "nic.dma.slice=1@m:2 nic.x=2@m:5 ");
}

TEST_CASE("a bad line is named with its cause and cure") {
  CHECK(complaint_about("[a]\nbuffer 128\n") ==
        "m.ini:2: 'buffer 128' is neither a section nor an assignment; write key = value");
  CHECK(complaint_about("\n[switch\n") == "m.ini:2: '[switch' is not a section; write [name]");
  CHECK(complaint_about("[") == "m.ini:1: '[' is not a section; write [name]");
  CHECK_THAT(complaint_about("[]"), Catch::Contains("m.ini:1: '' is not a name"));
  CHECK_THAT(complaint_about("[a..b]"), Catch::Contains("m.ini:1: 'a..b' is not a name"));
  CHECK_THAT(complaint_about("[.a]"), Catch::Contains("is not a name"));
  CHECK_THAT(complaint_about("[a] x = 1"), Catch::Contains("is not a section"));
  CHECK_THAT(complaint_about("= 5"), Catch::Contains("m.ini:1: '' is not a name"));
  CHECK_THAT(complaint_about("two words = 5"), Catch::Contains("'two words' is not a name"));
  CHECK_THAT(complaint_about("a. = 5"), Catch::Contains("'a.' is not a name"));
}

TEST_CASE("a key given twice is refused with both lines, also across a continued section") {
  CHECK(complaint_about("[a]\nx = 1\n[b]\nx = 1\n[a]\nx = 2\n") ==
        "m.ini:6: 'a.x' is given twice; it was given in line 2; remove one");
}

TEST_CASE("a file that is not text is refused with its line") {
  CHECK_THAT(complaint_about(std::string("[a]\nx = 1\0 2\n", 13)), Catch::Contains("m.ini:2: the line holds a NUL"));
  CHECK_THAT(complaint_about("[a]\nx = " + std::string(1 << 20, 'x')),
             Catch::Contains("m.ini:2: the line has 1048580"));
  CHECK_THAT(complaint_about(std::string((16 << 20) + 1, '\n')), Catch::Contains("m.ini: is larger than 16777216"));
}

TEST_CASE("values of a file replace those of its base") {
  const TemporaryFolder folder;
  write_text_file(folder / "base.ini", "[a]\nx = 1\ny = 1\n");
  const auto entries = parse_machine_text("include = base.ini\n[a]\nx = 2\n", folder / "m.ini");
  CHECK(summary(entries) == "a.x=1@" + (folder / "base.ini:2") + " a.y=1@" + (folder / "base.ini:3") + " a.x=2@" +
                                (folder / "m.ini:3") + " ");
}

TEST_CASE("two bases may share a third, and the later one wins") {
  const TemporaryFolder folder;
  write_text_file(folder / "root.ini", "x = root\n");
  write_text_file(folder / "b.ini", "include = root.ini\nx = b\n");
  write_text_file(folder / "c.ini", "include = root.ini\n");
  const auto entries = parse_machine_text("include = c.ini\ninclude = b.ini\n", folder / "m.ini");
  REQUIRE(entries.size() == 3);
  CHECK(entries.back().text == "b");
}

TEST_CASE("a mistake in a base names the base's line") {
  const TemporaryFolder folder;
  write_text_file(folder / "base.ini", "[a]\nnonsense\n");
  CHECK_THAT(complaint([&] { parse_machine_text("include = base.ini\n", folder / "m.ini"); }),
             Catch::StartsWith((folder / "base.ini") + ":2: 'nonsense'"));
}

TEST_CASE("a missing base is named at the line that includes it") {
  const TemporaryFolder folder;
  CHECK_THAT(complaint([&] { parse_machine_text("\ninclude = gone.ini\n", folder / "m.ini"); }),
             Catch::StartsWith((folder / "m.ini") + ":2: " + (folder / "gone.ini") +
                               ": cannot be read: No such file or directory; an included file lies beside"));
}

TEST_CASE("files that include each other in a cycle are refused") {
  const TemporaryFolder folder;
  write_text_file(folder / "a.ini", "include = b.ini\n");
  write_text_file(folder / "b.ini", "\ninclude = ./a.ini\n");
  const auto what = complaint([&] { parse_machine_text(read_text_file(folder / "a.ini"), folder / "a.ini"); });
  CHECK_THAT(what, Catch::StartsWith((folder / "b.ini") + ":2: a file includes itself: " + (folder / "a.ini")));
  write_text_file(folder / "self.ini", "include = self.ini\n");
  CHECK_THAT(complaint([&] { parse_machine_text("include = self.ini\n", folder / "m.ini"); }),
             Catch::Contains("includes itself"));
}

TEST_CASE("files that include each other exponentially often are refused") {
  const TemporaryFolder folder;
  for (int i = 0; i < 30; ++i) {
    const std::string next = "include = f" + std::to_string(i + 1) + ".ini\n";
    write_text_file(folder / ("f" + std::to_string(i) + ".ini"), next + next);
  }
  write_text_file(folder / "f30.ini", "x = 1\n");
  CHECK_THAT(complaint([&] { parse_machine_text("include = f0.ini\n", folder / "m.ini"); }),
             Catch::Contains("more than 64 files are included"));
}

TEST_CASE("include stands above the first section and names a file") {
  CHECK(complaint_about("[a]\ninclude = b.ini\n") == "m.ini:2: include is inside [a]; move it above the first section");
  CHECK(complaint_about("include =\n") == "m.ini:1: include names no file");
}

TEST_CASE("another type discards what the base gave the section, whatever the order of the lines") {
  const TemporaryFolder folder;
  write_text_file(folder / "base.ini", "[a]\ntype = tree\nlevels = 3\n[ab]\nlevels = 1\n");
  const auto keys = [&](const std::string& own) {
    std::string list;
    for (const auto& entry : parse_machine_text("include = base.ini\n[a]\n" + own, folder / "m.ini"))
      list += entry.key + "=" + entry.text + " ";
    return list;
  };
  CHECK(keys("size = 8\ntype = grid\n") == "ab.levels=1 a.size=8 a.type=grid ");
  CHECK(keys("type = tree\n") == "a.type=tree a.levels=3 ab.levels=1 a.type=tree ");
  CHECK(keys("levels = 4\n") == "a.type=tree a.levels=3 ab.levels=1 a.levels=4 ");
}
