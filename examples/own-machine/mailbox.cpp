/// A card of my own: it carries whole messages, in packets of up to 256 bytes, and takes its time for each.
#include "models/nic/message_port/card.hpp"
#include "models/nic/network_side.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic {
namespace {

NicModel build(const Parameters& parameters, int flit_bytes) {
  const Time message = parameters.time("message", 2us, "the card's time for a message, at either end", "mine");
  const Time packet = parameters.time("packet", 500ns, "the card's time for each packet that it sends", "mine");
  NicModel edge = read_network_side(parameters, flit_bytes, {.most_payload = 256, .overhead = 8});
  return message_port::with_card(
      std::move(edge), parameters,
      {.card = "mailbox", .send = {.setup = message, .packet = packet}, .receive = {.setup = message}});
}

const Registration<NicPart> registration{{"mailbox", "my card: whole messages, in packets of 256 bytes", build}};

}  // namespace
}  // namespace sanvp::nic
