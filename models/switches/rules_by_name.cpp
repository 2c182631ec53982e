#include "models/switches/rules_by_name.hpp"

#include <array>
#include <string>
#include <utility>

namespace sanvp::switches {
namespace {

using net::Arbitration;
using net::Choice;

constexpr int most_virtual_channels = 16;  // net::Wiring::validate
constexpr int most_ports = 1 << 16;        // topologies::Step counts no further
constexpr int most_flits = 1 << 24;        // larger than any memory a router ever had

constexpr std::array<std::pair<std::string_view, Arbitration>, 5> arbitrations{
    {{"round-robin", Arbitration::round_robin},
     {"demand-slotted", Arbitration::demand_slotted},
     {"fifo", Arbitration::fifo},
     {"oldest", Arbitration::oldest},
     {"fifo-then-oldest", Arbitration::fifo_then_oldest}}};

constexpr std::array<std::pair<std::string_view, Choice>, 7> choices{{{"first", Choice::first},
                                                                      {"least", Choice::least},
                                                                      {"round-robin", Choice::round_robin},
                                                                      {"random", Choice::random},
                                                                      {"random-fixed", Choice::random_fixed},
                                                                      {"idle-fixed", Choice::idle_fixed},
                                                                      {"idle-random", Choice::idle_random}}};

template <class Value, std::size_t count>
Value by_name(const std::array<std::pair<std::string_view, Value>, count>& names, const std::string& name) {
  for (const auto& [known, value] : names)
    if (known == name) return value;
  return names.front().second;  // not reached: Parameters::choice lets no other name pass
}

}  // namespace

net::Arbitration read_arbitration(const Parameters& parameters, std::string_view fallback, std::string_view source) {
  return by_name(arbitrations,
                 parameters.choice("arbitration", fallback,
                                   {"round-robin", "demand-slotted", "fifo", "oldest", "fifo-then-oldest"},
                                   "who of several waiting headers gets an output", source));
}

net::Choice read_choice(const Parameters& parameters, std::string_view fallback, std::string_view source) {
  return by_name(choices, parameters.choice(
                              "choice", fallback,
                              {"first", "least", "round-robin", "random", "random-fixed", "idle-fixed", "idle-random"},
                              "which of several permitted outputs a header takes", source));
}

int read_ports(const Parameters& parameters, int fallback, std::string_view source) {
  return static_cast<int>(parameters.count(
      "ports", fallback, "ports of a switch, which a topology may not exceed; 0: any number", source, 0, most_ports));
}

int read_virtual_channels(const Parameters& parameters, int fallback, std::string_view source) {
  return static_cast<int>(parameters.count("virtual_channels", fallback, "virtual channels of every channel", source, 1,
                                           most_virtual_channels));
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

net::Credits read_credits(const Parameters& parameters, int buffer, std::string_view source, Time delay,
                          std::string_view delay_source) {
  net::Credits credits;
  credits.buffer = read_buffer(parameters, buffer, source);
  credits.return_delay =
      parameters.time("credit_delay", delay, "from a place's becoming free to the credit's use", delay_source);
  return credits;
}

}  // namespace sanvp::switches
