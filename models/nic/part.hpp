/// What a NIC file registers: how a network interface sends, as the values that the transport and traffic nodes need.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "models/net/rules.hpp"
#include "models/nic/packet_format.hpp"
#include "models/nic/route_selection.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/registry.hpp"

namespace sanvp::nic {

class NicModule;
struct NicContext;

struct NicModel {
  std::string name{};  ///< of its part; the machine fills it in
  net::NicRules rules;
  PacketFormat format;
  std::function<std::unique_ptr<RouteSelection>()> make_route_selection;
  /// The card itself (module.hpp), for machines whose hosts run software; null where only the network is modelled. It
  /// answers circuits itself: the network is wired with NicRules::answers then.
  std::function<std::unique_ptr<NicModule>(const char* name, const NicContext&)> make_module{};
  /// Of the card itself, where the network's edge is that of a traffic node with a gap of its own.
  std::optional<Time> card_gap{};
  /// The card itself drops what its in-transit pool has no room for, since its software sends it again.
  bool card_drops_when_full = false;
  /// Virtual channels by which packets can come in; a link from a switch with more of them uses these. 0: any number.
  int input_channels = 0;
  int ports = 1;         ///< hosts of the network, adjacent in number, that are one card's (interfaces of a node)
  std::string driver{};  ///< image of sw/ that the hosts boot it with
};

/// A NIC: reads its numbers from section [nic].
struct NicPart {
  static constexpr const char* kind() { return "NIC"; }
  std::string name;
  std::string summary;
  std::function<NicModel(const Parameters&, int flit_bytes)> build;
};

}  // namespace sanvp::nic
