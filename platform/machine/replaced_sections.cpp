#include "platform/machine/replaced_sections.hpp"

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/text.hpp"
#include "platform/machine/machine.hpp"

namespace sanvp {
namespace {

void require_none_of(const ParameterSet& parameters, const std::string& section, const std::string& option) {
  for (const auto& [key, given] : parameters.given())
    if (key.starts_with(section + ".") && !parameters.declared().contains(key))
      throw UserError(given.place,
                      option + " replaces the machine's " + section + ", so nothing reads " + in_quotes(key),
                      "leave out one of the two");
}

}  // namespace

void require_none_replaced(const ParameterSet& parameters, const MachineRequest& request) {
  if (!request.topology_file.empty()) require_none_of(parameters, "topology", "--topology");
  if (!request.routes_file.empty()) require_none_of(parameters, "routing", "--routes");
}

}  // namespace sanvp
