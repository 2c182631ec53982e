/// Parsytec's virtual communication processor: its network side for `sanvp traffic`, the whole card for `sanvp run`.
#include "models/nic/message_port/card.hpp"
#include "models/nic/network_side.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::vcp {
namespace {

constexpr const char* name = "vcp";

message_port::CardRules read_rules(const Parameters& parameters) {
  // Among TIMING.md's two sets, 10 + 5 us of processor and VCP give the paper's blocking times, and 100 + 20 us the
  // size from which on contention matters. Values in between give both.
  const char* share = "assumed, between the sets of TIMING.md: gives blocking times (4.2) and onset (figure 6) at once";
  const Parameters processor = parameters.section("processor");
  message_port::CardRules rules{
      .card = name,
      .send = {.setup = parameters.time("send_setup", 10us, "the VCP's part of a message's set-up", share),
               .packet = parameters.time("packet", 0ns, "the VCP's time for each packet sent",
                                         "assumed to be part of the set-up (FACTS 4.1 has 1 us)")},
      .receive = {.setup = parameters.time("receive_setup", 10us, "the VCP's part of a message's reception", share),
                  .reassembly = parameters.time("reassembly", 5us,
                                                "additional time if packets may overtake each other (adaptive routing)",
                                                "paper 4.2.1; the value is assumed (FACTS 4.1)")},
      .send_setup = processor.time("send_setup", 50us, "the processor's part of a message's set-up", share),
      .receive_setup = processor.time("receive_setup", 50us, "the processor's part of a message's reception", share)};
  rules.protection = message_port::Protection::Rules::read(
      parameters, "parity", "FACTS 4.1: as DS links have it; that the VCP does not retransmit is assumed", 5us, 2ms);
  if (parameters.flag("raw", false, "no set-up and no processing at all", "paper 4.1.1")) {
    rules.send = {};
    rules.receive = {};
    rules.send_setup = rules.receive_setup = Time{0};
  }
  if (rules.protection.is_on()) {
    rules.send.packet += rules.protection.check;
    rules.receive.packet = rules.protection.check;
  }
  return rules;
}

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel network_side = read_network_side(parameters, flit_bytes, {.most_payload = 128, .overhead = 2});  // paper 4
  return message_port::with_card(std::move(network_side), parameters, read_rules(parameters));
}

const Registration<NicPart> registration{
    {name, "Parsytec VCP: messages of packets of 128 bytes, acknowledged by system messages", build}};
const Registration<RegisterMapPart> registers{{name, "windows and registers of a VCP", []() -> const RegisterTable& {
                                                 return message_port::Card::register_map();
                                               }}};

}  // namespace
}  // namespace sanvp::nic::vcp
