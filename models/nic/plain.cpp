/// A NIC without a card model: when packets start, what they carry, in-transit buffers, congestion control.
#include "models/net/policy.hpp"
#include "models/nic/congestion_control.hpp"
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

std::shared_ptr<const PortSelection> read_port_selection(const Parameters& parameters) {
  using Policies = Registry<PortSelectionPart>;
  const std::string chosen = parameters.choice(
      "port_choice", "ports-in-turn", Policies::names(),
      "which port a packet leaves by, and arrives by, if hosts have several: its plane or rail", "your machine");
  return Policies::get(chosen, parameters.where("port_choice")).build(parameters);
}

CongestionControl read_congestion_control(const Parameters& parameters) {
  using Policies = Registry<CongestionControlPart>;
  std::vector<std::string> options = Policies::names();
  options.insert(options.begin(), "none");
  const std::string chosen =
      parameters.choice("congestion", options.front(), options,
                        "how it slows down when its packets were marked (switch.mark_threshold)", "your machine");
  if (chosen == options.front()) return {};
  CongestionControl control = Policies::get(chosen, parameters.where("congestion")).build(parameters);
  control.notification_bytes =
      parameters.size("notification_bytes", 16, "payload of a packet that tells a sender of a marked packet",
                      "InfiniBand Architecture Specification 1.2.1, annex A10, and RoCEv2: reserved bytes of a CNP");
  return control;
}

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel model = read_network_side(parameters, flit_bytes, {.slots = 0});
  model.rules.vc_selection = read_vc_selection(parameters);
  read_in_transit(parameters, model);
  model.congestion = read_congestion_control(parameters);
  model.port_selection = read_port_selection(parameters);
  return model;
}

const Registration<NicPart> registration{
    {"plain",
     "a NIC as the network sees it: slots, gaps, packet format, in-transit buffers, circuits, congestion control",
     build}};

}  // namespace
}  // namespace sanvp::nic
