/// A network as the transport sees it: units, channels and their rules. Made from a Graph by platform/machine, or by
/// hand in tests.
#pragma once

#include <string>
#include <vector>

#include "models/net/rules.hpp"

namespace sanvp::net {

/// One end of a channel.
struct Terminal {
  enum class Kind : std::uint8_t { nic, switch_ };
  Kind kind = Kind::nic;
  int unit = -1;
  int port = 0;
};

struct Wiring {
  struct Channel {
    std::string name;
    Terminal from;
    Terminal to;
    ChannelRules rules;
    int reverse = -1;     ///< the other direction of the same cable, or -1
    bool failed = false;  ///< takes no packets
  };
  struct Nic {
    std::string name;
    NicRules rules;
    int out = -1;  ///< injection channel
    int in = -1;   ///< ejection channel
  };
  struct Switch {
    std::string name;
    SwitchRules rules;
    std::vector<int> in;    ///< channel per input port, or -1
    std::vector<int> out;   ///< channel per output port, or -1
    bool repeater = false;  ///< passes what comes in at port 0 to port 0 and takes no routing step (output buffer)
  };

  std::vector<Nic> nics;  ///< of port 0 of each host, then of port 1 of each, ...
  int host_ports = 1;
  std::vector<Switch> switches;
  std::vector<Channel> channels;
  /// Switches compare the lengths of queues: policies or routes that do need it.
  bool looks_at_queues = false;

  int hosts() const { return static_cast<int>(nics.size()) / host_ports; }
  /// The NIC that is port `port` of a host.
  int nic(int host, int port) const { return port * hosts() + host; }

  int add_nic(std::string name, const NicRules& rules);
  int add_switch(std::string name, int ports, const SwitchRules& rules);
  /// A cable between two units: two channels. @return the index of the one from `a` to `b`; the other is one more
  int connect(Terminal a, Terminal b, const ChannelRules& forward, const ChannelRules& backward);
  /// One channel by itself, as inside a switch.
  int add_channel(Terminal from, Terminal to, const ChannelRules& rules);

  /// Throws UserError for rules that contradict themselves (a buffer of 0 flits, STOP above the buffer, ...).
  void validate() const;
};

}  // namespace sanvp::net
