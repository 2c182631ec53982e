/// A machine's parts as objects of the kernel's hierarchy.
#include "platform/machine/objects.hpp"

#include <catch2/catch.hpp>

#include "platform/embedding/machine_module.hpp"

using namespace sanvp;

namespace {

struct Board : sc_core::sc_module {
  explicit Board(const sc_core::sc_module_name& name, const Machine& machine)
      : sc_module(name), parts(machine, *this) {}
  PartObjects parts;
};

const sc_core::sc_object& find(const std::string& name) {
  const sc_core::sc_object* found = sc_core::sc_find_object(name.c_str());
  INFO(name);
  REQUIRE(found != nullptr);
  return *found;
}

constexpr sc_core::sc_time_unit ns = sc_core::SC_NS;

}  // namespace

TEST_CASE("switches and links of a machine are found by name, with their parameters as attributes of their types") {
  const Machine machine({.name = "qsnet-16", .settings = {"switch.flow_through=40ns", "link.cable.delay=12ns"}});
  const Board board("qsnet", machine);
  const auto& elite = find("qsnet.switch_3");
  CHECK(attribute<std::string>(elite, "name") == machine.graph().switches()[3].name);
  CHECK(attribute<sc_core::sc_time>(elite, "flow_through") == sc_core::sc_time(40, ns));
  CHECK(attribute<long long>(elite, "virtual_channels") == 2);
  CHECK(attribute<std::string>(elite, "arbitration") == "fifo-then-oldest");
  CHECK_THROWS_WITH(attribute<double>(elite, "virtual_channels"),
                    "qsnet.switch_3 has no attribute virtual_channels of that type");
  CHECK_THROWS_AS(attribute<double>(elite, "colour"), std::out_of_range);
  int cables = 0;
  for (int i = 0; i < machine.graph().link_count(); ++i) {
    const auto& link = find("qsnet.link_" + std::to_string(i));
    const bool is_cable = attribute<std::string>(link, "class") == "cable";
    cables += is_cable ? 1 : 0;
    CHECK(attribute<sc_core::sc_time>(link, "delay") == sc_core::sc_time(is_cable ? 12 : 10, ns));
    CHECK(attribute<double>(link, "rate") == 400e6);
  }
  CHECK(cables == 16);  // of 2 levels: 16 hosts' links, and 4 up from each of 4 leaves
  CHECK(sc_core::sc_find_object("qsnet.switch_8") == nullptr);
}

TEST_CASE("objects of parts go with what owns them") {
  const Machine machine({.name = "qsnet-16"});
  { const Board board("qsnet", machine); }
  CHECK(sc_core::sc_find_object("qsnet.switch_0") == nullptr);
}

TEST_CASE("a machine as a module has nodes, cards with their units, and network as its children") {
  std::ostringstream out, error;
  embedding::MachineModule qsnet("qsnet", {.name = "qsnet-16"}, {{.app = "ping", .ranks = 2}}, out, error);
  find("qsnet.node_15");
  find("qsnet.network");
  find("qsnet.switch_7");
  const auto& dma = find("qsnet.nic_3.dma");
  CHECK(attribute<sc_core::sc_time>(dma, "schedule") == sc_core::sc_time(200, ns));
  CHECK(attribute<long long>(dma, "slice") == 4096);
  CHECK(attribute<bool>(find("qsnet.nic_3"), "circuit"));
  CHECK(attribute<double>(find("qsnet.nic_3.thread"), "cycles.shift") == 1);
}
