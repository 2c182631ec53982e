/// A node of the GCel: a T805 whose kernel sends, forwards and receives in software. Its links and its router are
/// in the network (models/switches/transputer); this is the kernel's work for messages of its own processes.
#include "models/nic/message_port/card.hpp"
#include "models/nic/network_side.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::transputer {
namespace {

constexpr const char* name = "transputer";

message_port::CardRules read_rules(const Parameters& parameters) {
  // The router takes 30 us for each packet at both ends; the rest of PARIX's 70 us to a neighbour is here.
  const char* source = "FACTS 5: 70 us to a neighbour, less the router's 30 us at each end";
  const auto protection = message_port::Protection::Rules::read(
      parameters, "none", "FACTS 5: a transputer link's byte has 11 bits, and none of them is for parity", 35us, 20ms);
  const Time crc = protection.is_on() ? protection.check : Time{0};
  return {.card = name,
          .send = {.packet = parameters.time("packet", 0ns,
                                             "the kernel's time for each packet sent, in addition to the router's",
                                             "assumed: link engines read memory by themselves") +
                             crc},
          .receive = {.packet = crc},
          .protection = protection,
          .send_setup = parameters.time("send_setup", 5us, "the processor's time to send a message", source),
          .receive_setup = parameters.time("receive_setup", 5us, "the processor's time to receive a message", source)};
}

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel network_side = read_network_side(parameters, flit_bytes, {.most_payload = 120});  // FACTS 5
  return message_port::with_card(std::move(network_side), parameters, read_rules(parameters));
}

const Registration<NicPart> registration{
    {name, "T805 under PARIX: synchronous messages, packets of 120 bytes, forwarded in software", build}};
const Registration<RegisterMapPart> registers{
    {name, "windows and registers of the message port of a T805",
     []() -> const RegisterTable& { return message_port::Card::register_map(); }}};

}  // namespace
}  // namespace sanvp::nic::transputer
