#include <catch2/catch.hpp>

#include "platform/core/files.hpp"
#include "platform/core/parameters.hpp"
#include "tests/unit/core_support.hpp"

using namespace sanvp;
using sanvp::test::complaint;
using sanvp::test::TemporaryFolder;

namespace {

constexpr auto machine_text =
    "[switch]\n"
    "buffer = 128\n"
    "delay = 35ns\n"
    "slice = 64KiB\n"
    "share = 0.25\n"
    "fair = yes\n"
    "label = Elite\n"
    "choice = least\n";

}  // namespace

TEST_CASE("a part reads values of every kind") {
  auto set = ParameterSet::from_text(machine_text, "m.ini");
  const Parameters part(set, "switch");
  CHECK(part.count("buffer", 64, "d", "s") == 128);
  CHECK(part.time("delay", 1ns, "d", "s") == 35ns);
  CHECK(part.size("slice", 4096, "d", "s") == 65'536);
  CHECK(part.real("share", 1, "d", "s") == 0.25);
  CHECK(part.flag("fair", false, "d", "s"));
  CHECK(part.text("label", "none", "d", "s") == "Elite");
  CHECK(part.choice("choice", "first", {"first", "least"}, "d", "s") == "least");
  CHECK_NOTHROW(set.require_all_read());
}

TEST_CASE("a parameter that is not given has its default, of every kind") {
  ParameterSet set;
  const Parameters part(set, "switch");
  CHECK(part.count("a", -7, "d", "s", -10) == -7);
  CHECK(part.time("b", Time{6250}, "d", "s") == Time{6250});
  CHECK(part.time("c", never, "d", "s") == never);
  CHECK(part.size("d", 320, "d", "s") == 320);
  CHECK(part.real("e", 1.0 / 3, "d", "s") == 1.0 / 3);
  CHECK_FALSE(part.flag("f", false, "d", "s"));
  CHECK(part.text("g", "", "d", "s").empty());
  CHECK(part.choice("h", "first", {"first", "least"}, "d", "s") == "first");
}

TEST_CASE("the declarations of parts are the effective set: values, their places, their documentation") {
  auto set = ParameterSet::from_text("[switch]\nbuffer = 1Ki\n", "m.ini");
  set.set("switch.delay=40ns");
  const Parameters part(set, "switch");
  part.count("buffer", 64, "Flits per virtual channel.", "QsNET paper, 3.1");
  part.time("delay", 35ns, "Flow-through.", "FACTS 2");
  part.choice("pick", "least", {"first", "least"}, "Up-link", "TIMING");
  REQUIRE(set.declared().size() == 3);
  const auto& buffer = set.declared().at("switch.buffer");
  CHECK(buffer.kind == "count");
  CHECK(buffer.fallback == "64");
  CHECK(buffer.value == "1Ki");
  CHECK(buffer.place == "m.ini:2");
  CHECK(buffer.documentation == "Flits per virtual channel.");
  CHECK(buffer.source == "QsNET paper, 3.1");
  CHECK(set.declared().at("switch.delay").place == "-s switch.delay");
  CHECK(set.declared().at("switch.delay").value == "40ns");
  CHECK(set.declared().at("switch.pick").place == "default");
  CHECK(set.declared().at("switch.pick").documentation == "Up-link (first, least)");
}

TEST_CASE("an -s replaces what the file gives, and the last -s wins") {
  auto set = ParameterSet::from_text(machine_text, "m.ini");
  set.set("switch.buffer=256");
  set.set(" switch.buffer = 512 ");
  CHECK(Parameters(set, "switch").count("buffer", 64, "d", "s") == 512);
}

TEST_CASE("an -s without = or with a bad key is refused") {
  ParameterSet set;
  CHECK(complaint([&] { set.set("switch.buffer"); }) ==
        "-s: 'switch.buffer' assigns nothing; write -s section.key=value");
  CHECK_THAT(complaint([&] { set.set("=5"); }), Catch::Contains("-s: '' is not a name"));
  CHECK_THAT(complaint([&] { set.set("a b=5"); }), Catch::Contains("'a b' is not a name"));
}

TEST_CASE("a section of a section joins the names with a dot") {
  auto set = ParameterSet::from_text("[link.cable]\ndelay = 5ns\n", "m.ini");
  const auto cable = Parameters(set, "link").section("cable");
  CHECK(cable.path() == "link.cable");
  CHECK(cable.time("delay", 1ns, "d", "s") == 5ns);
  CHECK(Parameters(set, "").section("link").path() == "link");
}

TEST_CASE("a value's place is its line where it is given, and its key where it is not") {
  auto set = ParameterSet::from_text(machine_text, "m.ini");
  CHECK(Parameters(set, "switch").place("delay") == "m.ini:3");
  CHECK(Parameters(set, "switch").place("other") == "switch.other");
}

TEST_CASE("a bad value is named with file, line and key, or with its -s") {
  auto set = ParameterSet::from_text("[switch]\nbuffer = many\n", "m.ini");
  const Parameters part(set, "switch");
  CHECK(complaint([&] { part.count("buffer", 64, "d", "s"); }) ==
        "m.ini:2: switch.buffer: 'many' is not a whole number; write it like 64");
  set.set("switch.buffer=lots");
  CHECK(complaint([&] { part.count("buffer", 64, "d", "s"); }) ==
        "-s switch.buffer: 'lots' is not a whole number; write it like 64");
}

TEST_CASE("a value out of range is refused at both ends, the ends themselves are not") {
  ParameterSet set;
  const Parameters part(set, "a");
  const auto count = [&](const std::string& text) {
    set.set("a.x=" + text);
    return complaint([&] { part.count("x", 1, "d", "s", 1, 256); });
  };
  CHECK(count("0") == "-s a.x: '0' is less than 1");
  CHECK(count("257") == "-s a.x: '257' is more than 256");
  CHECK(count("1") == "(no complaint)");
  CHECK(count("256") == "(no complaint)");
  const auto real = [&](const std::string& text) {
    set.set("a.y=" + text);
    return complaint([&] { part.real("y", 0.5, "d", "s", 0, 1); });
  };
  CHECK(real("1.5") == "-s a.y: '1.5' is more than 1");
  CHECK(real("-0.5") == "-s a.y: '-0.5' is less than 0");
  CHECK(real("1") == "(no complaint)");
}

TEST_CASE("a wrong choice names all options and the nearest") {
  auto set = ParameterSet::from_text("[a]\npick = roundrobin\n", "m.ini");
  CHECK(complaint([&] {
          Parameters(set, "a").choice("pick", "least", {"least", "round-robin"}, "d", "s");
        }) == "m.ini:2: a.pick: 'roundrobin' is not one of least, round-robin; did you mean 'round-robin'?");
}

TEST_CASE("a key that no part reads is refused with its place and the nearest key") {
  auto set = ParameterSet::from_text("[switch]\nbuffer = 1\nbufer = 2\n", "m.ini");
  Parameters(set, "switch").count("buffer", 64, "d", "s");
  CHECK(complaint([&] { set.require_all_read(); }) ==
        "m.ini:3: no part of this machine reads 'switch.bufer'; did you mean 'switch.buffer'?");
}

TEST_CASE("a key that is near to none lists those of its section, or where to look") {
  auto set = ParameterSet::from_text("[switch]\nwavelength = 2\n", "m.ini");
  Parameters(set, "switch").count("buffer", 64, "d", "s");
  CHECK(complaint([&] { set.require_all_read(); }) ==
        "m.ini:2: no part of this machine reads 'switch.wavelength'; known there: switch.buffer");
  auto other = ParameterSet::from_text("[laser]\nwavelength = 2\n", "m.ini");
  CHECK_THAT(complaint([&] { other.require_all_read(); }), Catch::Contains("`sanvp describe` lists the keys"));
}

TEST_CASE("a machine file is read from disk with its base") {
  const TemporaryFolder folder;
  write_text_file(folder / "base.ini", "[a]\nx = 1\ny = 1\n");
  write_text_file(folder / "m.ini", "include = base.ini\n[a]\nx = 2\n");
  auto set = ParameterSet::from_file(folder / "m.ini");
  const Parameters part(set, "a");
  CHECK(part.count("x", 0, "d", "s") == 2);
  CHECK(part.place("x") == (folder / "m.ini:3"));
  CHECK(part.count("y", 0, "d", "s") == 1);
  CHECK(part.place("y") == (folder / "base.ini:3"));
  CHECK_THAT(complaint([&] { ParameterSet::from_file(folder / "gone.ini"); }), Catch::Contains("cannot be read"));
}

TEST_CASE("a rate is read in bytes per second, and its default is shown with its unit") {
  auto set = ParameterSet::from_text("[link]\nrate = 100Mbit/s\nslow = 5\n", "m.ini");
  const Parameters link(set, "link");
  CHECK(link.rate("rate", 400e6, "d", "s") == 12.5e6);
  CHECK(link.rate("other", 400e6, "d", "s") == 400e6);
  CHECK(set.declared().at("link.other").value == "400MB/s");
  CHECK(set.declared().at("link.rate").kind == "rate");
  CHECK_THAT(complaint([&] { link.rate("slow", 1, "d", "s"); }),
             Catch::StartsWith("m.ini:3: link.slow: '5' has no unit"));
}

TEST_CASE("a section inherits values that it does not give, with their place") {
  auto set = ParameterSet::from_text("[link]\nrate = 10MB/s\ndelay = 5ns\n[link.host]\nrate = 20MB/s\n", "m.ini");
  const Parameters host = Parameters(set, "link").heir("host");
  CHECK(host.rate("rate", 1, "d", "s") == 20e6);
  CHECK(host.time("delay", 1ns, "d", "s") == 5ns);
  CHECK(host.count("lanes", 3, "d", "s") == 3);
  CHECK(set.declared().at("link.host.rate").place == "m.ini:5");
  CHECK(set.declared().at("link.host.delay").place == "m.ini:3");
  CHECK(set.declared().at("link.host.delay").fallback == "1ns");
  CHECK(set.declared().at("link.host.lanes").place == "default");
  CHECK(host.where("delay") == "m.ini:3: link.delay");
}

TEST_CASE("a setting of another type discards what the file gave the section, whatever the order of settings") {
  for (const bool type_first : {true, false}) {
    auto set = ParameterSet::from_text("[a]\ntype = tree\nlevels = 3\n[b]\nx = 1\n", "m.ini");
    set.set(type_first ? "a.type=grid" : "a.size=8");
    set.set(type_first ? "a.size=8" : "a.type=grid");
    CHECK(set.find("a.levels") == nullptr);
    CHECK(set.find("a.size")->text == "8");
    CHECK(set.find("b.x") != nullptr);
  }
  auto set = ParameterSet::from_text("[a]\ntype = tree\nlevels = 3\n", "m.ini");
  set.set("a.type=tree");
  CHECK(set.find("a.levels") != nullptr);
}
