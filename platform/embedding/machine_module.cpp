#include "platform/embedding/machine_module.hpp"

#include <algorithm>
#include <utility>

#include "platform/core/parameters.hpp"
#include "platform/jobs/apps.hpp"

namespace sanvp::embedding {
namespace {

bool is_of_machine(const std::string& setting) {
  const std::string section = setting.substr(0, setting.find('.'));
  return std::ranges::count(machine_sections(), section) > 0;
}

MachineRequest for_machine(MachineRequest request) {
  std::erase_if(request.settings, [](const std::string& setting) { return !is_of_machine(setting); });
  return request;
}

ParameterSet for_programs(const MachineRequest& request) {
  ParameterSet settings;
  for (const std::string& setting : request.settings)
    if (!is_of_machine(setting)) settings.set(setting);
  return settings;
}

std::vector<Program> place(const std::vector<jobs::JobRequest>& requests, const Machine& machine) {
  std::vector<Program> programs;
  for (const jobs::JobRequest& request : requests) {
    Program program{.image = jobs::find_app(request.app, request.place),
                    .arguments = {request.app},
                    .nodes = jobs::place_ranks(request, machine.nodes(), machine.host().cpus, machine.io().reserved())};
    program.arguments.insert(program.arguments.end(), request.arguments.begin(), request.arguments.end());
    programs.push_back(std::move(program));
  }
  return programs;
}

std::vector<jobs::JobRun::Job> jobs_of(const std::vector<Program>& programs) {
  std::vector<jobs::JobRun::Job> jobs;
  for (const Program& program : programs) jobs.push_back({.name = program.arguments.front(), .nodes = program.nodes});
  return jobs;
}

}  // namespace

MachineModule::MachineModule(const sc_core::sc_module_name& name, const MachineRequest& request,
                             const std::vector<jobs::JobRequest>& jobs, std::ostream& out, std::ostream& error,
                             net::Lead lead)
    : sc_module(name),
      machine_(for_machine(request)),
      programs_(place(jobs, machine_)),
      jobs_(jobs_of(programs_), for_programs(request), out, error),
      cluster_(machine_, net::Fidelity::worm, jobs::software_folder(), programs_, jobs_, nullptr, false, lead),
      parts_(machine_, *this) {
  for (nic::NicModule* card : cluster_.cards()) parts_.add_card(machine_, *card);
  jobs_.when_over([this] {
    has_ended_ = true;
    ended_.notify(cluster_.ahead());
    cluster_.hold();
  });
  cluster_.report_no_progress();
}

}  // namespace sanvp::embedding
