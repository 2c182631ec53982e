/// A whole qsnet-16 that a CCI broker configures, and whose parameters its tools see.
#include <cci_configuration>
#include <iostream>

#include "platform/embedding/cci_parameters.hpp"
#include "platform/embedding/machine_module.hpp"

int sc_main(int, char**) {
  cci::cci_register_broker(new cci_utils::broker("broker"));
  cci::cci_broker_handle broker = cci::cci_get_global_broker(cci::cci_originator("sc_main"));
  // A platform's own configuration sets these, by a file or a command line.
  broker.set_preset_cci_value("qsnet.link.cable.delay", cci::cci_value("80ns"));
  broker.set_preset_cci_value("qsnet.host.cpus", cci::cci_value(2));

  using sanvp::embedding::MachineModule;
  MachineModule qsnet("qsnet", {.name = "qsnet-16", .settings = sanvp::embedding::cci_settings("qsnet", broker)},
                      {{.app = "hello", .ranks = 2}});
  const sanvp::embedding::CciParameters parameters("qsnet", qsnet.machine().parameters(), broker);

  sc_core::sc_start();
  for (const char* name : {"qsnet.link.cable.delay", "qsnet.host.cpus", "qsnet.switch.type"})
    std::cout << name << " = " << broker.get_param_handle(name).get_cci_value().get_string() << "\n";
  std::cout << broker.get_unconsumed_preset_values().size() << " presets are left\n";
  return qsnet.has_ended() ? 0 : 1;
}
