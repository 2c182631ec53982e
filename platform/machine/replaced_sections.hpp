/// Settings of a section that a file of the command line replaces.
#pragma once

namespace sanvp {

class ParameterSet;
struct MachineRequest;

/// Throws UserError for a value that nothing has read because --topology or --routes replaces its section.
void require_none_replaced(const ParameterSet& parameters, const MachineRequest& request);

}  // namespace sanvp
