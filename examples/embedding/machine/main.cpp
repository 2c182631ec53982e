/// A whole qsnet-16 as a module beside another module, which looks at it while an MPI program runs there.
#include <iostream>

#include "platform/embedding/machine_module.hpp"

namespace {

using sanvp::embedding::MachineModule;

class Monitor : public sc_core::sc_module {
 public:
  Monitor(const sc_core::sc_module_name& name, MachineModule& machine) : sc_module(name), machine_(machine) {
    SC_HAS_PROCESS(Monitor);
    SC_THREAD(watch);
  }

 private:
  void watch() {
    const sc_core::sc_time interval(5, sc_core::SC_MS);
    for (;;) {
      wait(interval, machine_.ended());
      std::cout << sc_core::sc_time_stamp() << ": " << machine_.cluster().network().delivered() << " packets\n";
      if (machine_.has_ended()) return;
    }
  }

  MachineModule& machine_;
};

}  // namespace

int sc_main(int, char**) {
  MachineModule qsnet("qsnet", {.name = "qsnet-16"}, {{.app = "allreduce"}});
  const Monitor monitor("monitor", qsnet);
  const sc_core::sc_object* elite = sc_core::sc_find_object("qsnet.switch_3");
  std::cout << elite->name() << " is " << sanvp::attribute<std::string>(*elite, "name") << ", flow-through "
            << sanvp::attribute<sc_core::sc_time>(*elite, "flow_through") << "\n";
  sc_core::sc_start();
  for (const auto& [name, metric] : qsnet.jobs().jobs()[0].metrics())
    std::cout << name << " = " << metric.value << " " << metric.unit << "\n";
  return qsnet.jobs().failures().empty() && qsnet.has_ended() ? 0 : 1;
}
