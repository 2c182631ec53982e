/// What a switch file registers: a board's switch as the values that the transport needs.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "models/net/rules.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/time.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::switches {

/// Buffers behind the crossbar: a second FIFO per output, which a channel inside the switch feeds.
struct OutputBuffer {
  Time flit_time{1};  ///< of the crossbar
  Time delay{1};      ///< from a flit's start in the input FIFO to its being in the output FIFO
  net::Credits flow;
};

struct SwitchModel {
  net::SwitchRules rules;
  Time flow_through{0};                  ///< added to the delay of a channel that ends in this switch
  net::FlowControl flow;                 ///< of its inputs; NICs speak the same link protocol, so of theirs too
  bool signals_take_link_delay = false;  ///< StopGo::signal_delay is each link's delay, not that in `flow`
  int ports = 0;                         ///< that the real one has; 0: as many as a topology wants
  int virtual_channels = 1;
  bool hold = false;  ///< net::ChannelRules
  int flit_bytes = 1;
  Time control_token{0};  ///< time on the link of an acknowledgement that passes
  std::optional<OutputBuffer> output_buffer;
  bool marks_as_nic_says = false;  ///< which packets, as CongestionControl::marking names it
};

/// A switch: reads its numbers from section [switch].
struct SwitchPart {
  static constexpr const char* kind() { return "switch"; }
  std::string name;
  std::string summary;
  std::function<SwitchModel(const Parameters&)> build;
};

}  // namespace sanvp::switches
