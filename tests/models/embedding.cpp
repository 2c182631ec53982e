/// A whole machine as a module beside others.
#include <catch2/catch.hpp>
#include <sstream>

#include "platform/embedding/machine_module.hpp"

using namespace sanvp;
using embedding::MachineModule;

namespace {

/// Looks at a machine while it runs.
struct Monitor : sc_core::sc_module {
  Monitor(const sc_core::sc_module_name& name, MachineModule& machine_) : sc_module(name), machine(machine_) {
    SANVP_HAS_PROCESS(Monitor);
    SC_THREAD(watch);
    SC_METHOD(note_end);
    sensitive << machine.ended();
    dont_initialize();
  }
  void watch() {
    for (int i = 0; i < 20; ++i) {
      wait(sc_core::sc_time(1, sc_core::SC_MS));
      delivered.push_back(machine.cluster().network().delivered());
    }
  }
  void note_end() { ended = net::kernel_now(); }

  MachineModule& machine;
  std::vector<std::uint64_t> delivered;
  Time ended = never;
};

}  // namespace

TEST_CASE("a machine beside another module runs its program, and tells when it has ended") {
  std::ostringstream out, error;
  MachineModule qsnet("qsnet", {.name = "qsnet-16"}, {{.app = "ping", .ranks = 2}}, out, error);
  Monitor monitor("monitor", qsnet);
  sc_core::sc_start();
  CHECK(qsnet.has_ended());
  CHECK(qsnet.jobs().all_ended());
  CHECK(qsnet.jobs().failures().empty());
  CHECK(monitor.ended == qsnet.cluster().now());
  CHECK(std::is_sorted(monitor.delivered.begin(), monitor.delivered.end()));
  CHECK(monitor.delivered.back() == qsnet.cluster().network().delivered());
  CHECK(monitor.delivered.back() > 0);
  CHECK_FALSE(qsnet.jobs().jobs()[0].metrics().empty());
  CHECK(out.str().find("us") != std::string::npos);
  CHECK(net::kernel_now() == 20ms);  // the monitor's end: the machine holds nothing up
}

TEST_CASE("a mistake in what a machine is asked for is an error when its module is made") {
  CHECK_THROWS_AS(MachineModule("qsnet", {.name = "qsnet-17"}, {{.app = "ping"}}), std::runtime_error);
  CHECK_THROWS_AS(MachineModule("qsnet", {.name = "qsnet-16"}, {{.app = "no_such_app"}}), std::runtime_error);
}
