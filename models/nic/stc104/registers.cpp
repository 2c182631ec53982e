/// Makes the STC104's configuration space known to `sanvp describe`.
#include "models/nic/card/register_map.hpp"
#include "models/nic/stc104/stc104.hpp"

namespace sanvp::nic::stc104 {
namespace {

const Registration<RegisterMapPart> registers{{.name = "stc104",
                                               .summary = "configuration space of an STC104",
                                               .table = []() -> const RegisterTable& { return Stc104::register_map(); },
                                               .part_kind = "switch"}};

}  // namespace
}  // namespace sanvp::nic::stc104
