#include "models/switches/rules_by_name.hpp"

#include <string>

#include "models/net/policy.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::switches {
namespace {

constexpr int most_ports = 1 << 16;  // topologies::Step counts no further
constexpr int most_flits = 1 << 24;  // larger than any memory a router ever had

/// The registered policy that parameter `name` names, built from the switch's parameters.
template <class Part>
auto read_policy(const Parameters& parameters, std::string_view name, std::string_view fallback,
                 std::string_view documentation, std::string_view source) {
  const std::string chosen = parameters.choice(name, fallback, Registry<Part>::names(), documentation, source);
  return Registry<Part>::get(chosen, parameters.where(name)).build(parameters);
}

}  // namespace

std::shared_ptr<const net::ArbitrationPolicy> read_arbitration(const Parameters& parameters, std::string_view fallback,
                                                               std::string_view source) {
  return read_policy<net::ArbitrationPart>(parameters, "arbitration", fallback,
                                           "which of several waiting headers gets an output", source);
}

std::shared_ptr<const net::OutputSelectionPolicy> read_selection(const Parameters& parameters,
                                                                 std::string_view fallback, std::string_view source) {
  return read_policy<net::OutputSelectionPart>(parameters, "choice", fallback,
                                               "which of several permitted outputs a header takes", source);
}

std::shared_ptr<const net::VcSelectionPolicy> read_vc_selection(const Parameters& parameters, std::string_view fallback,
                                                                std::string_view source) {
  return read_policy<net::VcSelectionPart>(parameters, "vc_choice", fallback,
                                           "which of an output's free virtual channels a header gets", source);
}

int read_ports(const Parameters& parameters, int fallback, std::string_view source) {
  return static_cast<int>(parameters.count(
      "ports", fallback, "ports of a switch, which a topology may not exceed; 0: any number", source, 0, most_ports));
}

int read_virtual_channels(const Parameters& parameters, int fallback, std::string_view source) {
  return static_cast<int>(parameters.count("virtual_channels", fallback, "virtual channels of every channel", source, 1,
                                           net::most_virtual_channels));
}

bool read_hold(const Parameters& parameters, std::string_view fallback, std::string_view source) {
  return parameters.choice("sharing", fallback, {"flit", "hold"},
                           "whether virtual channels take turns by flit, or one goes on as long as it can send",
                           source) == "hold";
}

int read_buffer(const Parameters& parameters, int fallback, std::string_view source) {
  return read_flits(parameters, "buffer", fallback, "input FIFO, flits per virtual channel", source);
}

int read_flits(const Parameters& parameters, std::string_view name, int fallback, std::string_view documentation,
               std::string_view source, int least) {
  return static_cast<int>(parameters.count(name, fallback, documentation, source, least, most_flits));
}

void read_signal_delay(const Parameters& parameters, net::StopGo flow, std::string_view source, SwitchModel& model) {
  const auto delay =
      parameters.time_or("signal_delay", "link.delay", "from a signal's sending to its effect on the sender", source);
  flow.signal_delay = delay.value_or(Time{0});
  model.signals_take_link_delay = !delay;
  model.flow = flow;
}

net::Credits read_credits(const Parameters& parameters, int buffer, std::string_view source, Time delay,
                          std::string_view delay_source) {
  net::Credits credits;
  credits.buffer = read_buffer(parameters, buffer, source);
  credits.return_delay =
      parameters.time("credit_delay", delay, "from a slot's becoming free to the credit's use", delay_source);
  return credits;
}

}  // namespace sanvp::switches
