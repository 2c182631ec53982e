/// The Tofu interconnect controller (ICC) of a node: it contains and connects the units.
///
///               host bus                                                    ten links by the router (models/switches)
///   host --- windows --+-- order engines --+                                       |
///                      |    (4 TNIs)       +-- link == network =====================
///                      |   responders -----+     |
///                      |   receivers ------------+
///                      +-- barrier interface ----+
///   host memory --- host memory (bus master) -- steering, completion
#pragma once

#include "models/nic/card/card_windows.hpp"
#include "models/nic/module.hpp"
#include "models/nic/part.hpp"
#include "models/nic/tofu/card_rules.hpp"

namespace sanvp::nic::tofu {

class Tofu final : public NicModule, private net::NetworkBackward {
 public:
  Tofu(const sc_core::sc_module_name& name, const CardRules& rules, int flit_bytes, int ports,
       std::unique_ptr<RouteSelection> selection, const NicContext& context);

  /// All that software sees of the card.
  static const RegisterMap<Tofu>& register_map();

  std::vector<net::NetworkInitiatorSocket*> ports() override;
  std::vector<std::uint64_t> windows() const override { return windows_.sizes(); }
  void link_changed(Time flit_time) override { link_.link_changed(flit_time); }
  std::string busy() const override;
  std::vector<CardQueue> queues() const override;
  std::uint64_t work() const override;
  bool tries_again() const override { return link_.tries_again(); }
  void report(StatisticsTable& table) const override;
  std::vector<RegisterValue> inspect() const override { return windows_.inspect(); }

 private:
  static Registers<Tofu> own_registers();
  static Registers<Tofu> page_registers();
  void come(const Payload& packet, std::optional<std::uint64_t> number);
  void start_of_simulation() override;

  // NetworkBackward
  void injected(net::Packet&, const sc_core::sc_time&) override {}
  void acknowledged(net::Packet&, const sc_core::sc_time&) override {}
  void sent(net::Packet& packet, const sc_core::sc_time&) override { link_.sent(packet); }
  void lost(net::Packet& packet, const sc_core::sc_time&) override;
  void delivered(net::Packet& packet, const sc_core::sc_time&) override { come(packet.payload, packet.id); }

  sc_core::sc_vector<net::NetworkInitiatorSocket> more_ports_;  ///< beside `network`
  net::Clock clock_;
  Counters counters_;
  Tracks tracks_;
  HostMemory memory_;
  Queues queues_;
  Steering steering_;
  Link link_;
  Completion completion_;
  Shared shared_;
  std::array<Tni, TOFU_TNIS> tnis_;
  Barrier barrier_;
  tofu_position position_;
  CardWindows<Tofu> windows_;
  std::vector<net::Task<>> units_;  ///< coroutines that run as long as the card exists
};

}  // namespace sanvp::nic::tofu
