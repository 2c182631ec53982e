/// Random rules of channels, switches and NICs for property tests, and the kinds of networks that a property is tested
/// on.
#pragma once

#include "models/net/wiring.hpp"
#include "platform/core/random.hpp"

namespace sanvp::test {

struct CaseOptions {
  bool stop_go = false;
  bool circuits = false;
  bool in_transit = false;
  int virtual_channels = 1;
  bool hold = false;  ///< ChannelRules::hold
  bool tokens = false;
  bool store_and_forward = false;
  bool header_changes = false;
  bool repeaters = false;   ///< an output buffer behind some outputs
  bool broadcasts = false;  ///< where the topology knows them
  bool failures = false;    ///< channels between switches that fail on the way
};

int between(Random& random, int low, int high);
bool chance(Random& random, double probability);

net::ChannelRules random_channel(Random& random, const CaseOptions& options, int longest_packet);
net::SwitchRules random_switch(Random& random, const CaseOptions& options);
net::NicRules random_nic(Random& random, const CaseOptions& options, int longest_packet);
/// Some receivers need whole flits, so that short tails arrive earlier. Drawn from a separate generator, so that cases
/// without it do not change.
void lead_tails(net::Wiring& wiring, Random random);
/// Some links have bit errors and retransmit, so that from none to most of a packet's attempts fail. Drawn likewise.
void make_links_retry(net::Wiring& wiring, Random random);
/// Most switches mark packets, from queues of different length on. Drawn likewise.
void make_switches_mark(net::Wiring& wiring, Random random);

}  // namespace sanvp::test
