/// A NIC without a card model: when packets start, what they carry, in-transit buffers.
#include "models/net/policy.hpp"
#include "models/nic/network_side.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic {
namespace {

std::shared_ptr<const net::VcSelectionPolicy> read_vc_selection(const Parameters& parameters) {
  using Policies = Registry<net::VcSelectionPart>;
  const std::string chosen =
      parameters.choice("vc_choice", "round-robin", Policies::names(),
                        "which of the free virtual channels of the cable to its switch a packet gets", "your machine");
  return Policies::get(chosen, parameters.where("vc_choice")).build(parameters);
}

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel model = read_network_side(parameters, flit_bytes, {.slots = 0});
  model.rules.vc_selection = read_vc_selection(parameters);
  read_in_transit(parameters, model);
  return model;
}

const Registration<NicPart> registration{
    {"plain", "a NIC as the network sees it: slots, gaps, packet format, in-transit buffers, circuits", build}};

}  // namespace
}  // namespace sanvp::nic
