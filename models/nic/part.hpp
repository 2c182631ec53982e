/// What a NIC's file registers: how the NIC sends, as parameters of the transport and of traffic nodes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "models/net/rules.hpp"
#include "models/nic/congestion_control.hpp"
#include "models/nic/nic_network.hpp"
#include "models/nic/packet_format.hpp"
#include "models/nic/port_selection.hpp"
#include "models/nic/route_selection.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/time.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::nic {

class NicModule;
struct NicContext;

struct NicModel {
  std::string name{};  ///< of its part; the machine fills it in
  net::NicRules rules;
  PacketFormat format;
  std::function<std::unique_ptr<RouteSelection>()> make_route_selection;
  CongestionControl congestion{};                         ///< of traffic nodes
  std::shared_ptr<const PortSelection> port_selection{};  ///< of traffic nodes whose hosts have several ports
  /// Makes the card itself (module.hpp), for machines that run software; null for a NIC without a card model. The card
  /// answers circuits itself: the network is then wired with NicRules::answers.
  std::function<std::unique_ptr<NicModule>(const char* name, const NicContext&)> make_module{};
  /// Whether card and driver can run on a network. Throws UserError with the reason and the cure if they cannot.
  /// @return a note on how they do, or an empty string. Null: on any network
  std::function<std::string(const NicNetwork&)> check_network{};
  /// The gap of the card itself, if it differs from that of traffic nodes.
  std::optional<Time> card_gap{};
  bool has_in_transit_buffers = false;
  /// The card drops packets when its in-transit pool is full, since its software retransmits them.
  bool card_drops_when_full = false;
  /// Virtual channels by which packets can come in; a link from a switch with more of them uses these. 0: any number.
  int input_channels = 0;
  int ports = 1;  ///< hosts of the network with consecutive numbers that belong to one card (interfaces of a node)
  std::string driver{};    ///< image of sw/ with which the hosts boot it
  int most_processes = 0;  ///< of a job on a node, for which its software has room; 0: as many as memory has room for
};

/// A NIC. Reads its parameters from section [nic].
struct NicPart {
  static constexpr const char* kind() { return "NIC"; }
  std::string name;
  std::string summary;
  std::function<NicModel(const Parameters&, int flit_bytes)> build;
};

}  // namespace sanvp::nic
