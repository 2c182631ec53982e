/// Parameters that all switches offer, by the names that machine files use.
#pragma once

#include <memory>
#include <string_view>

#include "models/net/rules.hpp"
#include "models/switches/part.hpp"
#include "platform/core/time.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::switches {

/// Reads `arbitration`: the policy by which headers that wait get an output.
std::shared_ptr<const net::ArbitrationPolicy> read_arbitration(const Parameters& parameters, std::string_view fallback,
                                                               std::string_view source);
/// Reads `choice`: the output-selection policy, which of several permitted outputs a header takes.
std::shared_ptr<const net::OutputSelectionPolicy> read_selection(const Parameters& parameters,
                                                                 std::string_view fallback, std::string_view source);
/// Reads `vc_choice`: the channel-selection policy, which of an output's free virtual channels a header gets.
std::shared_ptr<const net::VcSelectionPolicy> read_vc_selection(const Parameters& parameters, std::string_view fallback,
                                                                std::string_view source);
/// Reads `ports`: how many cables a switch can have; 0: any number.
int read_ports(const Parameters& parameters, int fallback, std::string_view source);
/// Reads `virtual_channels`.
int read_virtual_channels(const Parameters& parameters, int fallback, std::string_view source);
/// Reads `sharing`: whether a channel stays with a virtual channel that can send (net::ChannelRules::hold).
bool read_hold(const Parameters& parameters, std::string_view fallback, std::string_view source);
/// Reads `buffer`: flits of an input FIFO, for each virtual channel.
int read_buffer(const Parameters& parameters, int fallback, std::string_view source);

/// Reads a number of flits.
int read_flits(const Parameters& parameters, std::string_view name, int fallback, std::string_view documentation,
               std::string_view source, int least = 1);
/// Reads `signal_delay` into the model and `flow`, which becomes the model's.
void read_signal_delay(const Parameters& parameters, net::StopGo flow, std::string_view source, SwitchModel& model);

/// Reads `buffer` and `credit_delay`: credits that come back one at a time.
/// @param source  of the buffer
net::Credits read_credits(const Parameters& parameters, int buffer, std::string_view source, Time delay = Time{0},
                          std::string_view delay_source = "assumed");

}  // namespace sanvp::switches
