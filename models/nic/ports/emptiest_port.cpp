/// The port with the fewest flits under way: those that wait at the NIC, and those in the network that have not
/// arrived.
#include "models/nic/port_selection.hpp"

namespace sanvp::nic {
namespace {

class Emptiest final : public PortSelection {
 public:
  int select(const PortChoice& choice, Random&) const override {
    int best = -1;
    for (int i = 0; i < choice.ports(); ++i) {
      const int port = (choice.next + i) % choice.ports();
      if (choice.serves(port) && (best < 0 || choice.under_way[port] < choice.under_way[best])) best = port;
    }
    return best;
  }
};

const Registration<PortSelectionPart> registration{
    {"emptiest-port", "the port with the fewest flits that have not arrived; of equal ones the next in turn",
     [](const Parameters&) { return std::make_shared<Emptiest>(); }}};

}  // namespace
}  // namespace sanvp::nic
