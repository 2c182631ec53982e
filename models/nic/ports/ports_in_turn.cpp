/// The ports in turn.
#include "models/nic/port_selection.hpp"

namespace sanvp::nic {
namespace {

class InTurn final : public PortSelection {
 public:
  int select(const PortChoice& choice, Random&) const override {
    int port = choice.next % choice.ports();
    while (!choice.serves(port)) port = (port + 1) % choice.ports();
    return port;
  }
};

const Registration<PortSelectionPart> registration{{"ports-in-turn", "the ports in turn, a packet each",
                                                    [](const Parameters&) { return std::make_shared<InTurn>(); }}};

}  // namespace
}  // namespace sanvp::nic
